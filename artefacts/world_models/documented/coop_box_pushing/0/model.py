from bisect import bisect_right
from functools import lru_cache
from itertools import accumulate

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 4
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 100
MIN_UTILITY = -1020.0
MAX_UTILITY = 19980.0

_HORIZON = 100
_NAMES = ("turn left", "turn right", "move forward", "stay")
_ACTION = {"turn left": 0, "turn right": 1, "move forward": 2, "stay": 3}
_OBS_NAMES = ("field", "wall", "other agent", "small box", "big box")
_OBS = {"field": 0, "wall": 1, "other agent": 2, "small box": 3, "big box": 4}

# ---------------------------------------------------------------- tables
# cell = row * 8 + column; pose = cell * 4 + orientation (0 N, 1 E, 2 S, 3 W)
_DELTA = (-8, 1, 8, -1)
_DR = (-1, 0, 1, 0)
_DC = (0, 1, 0, -1)


def _cell_at(pose, steps):
    cell, o = pose >> 2, pose & 3
    r = (cell >> 3) + _DR[o] * steps
    c = (cell & 7) + _DC[o] * steps
    if 0 <= r < 8 and 0 <= c < 8:
        return r * 8 + c
    return -1


def _pose_at(pose, steps):
    cell = _cell_at(pose, steps)
    return -1 if cell < 0 else cell * 4 + (pose & 3)


_NEXT = tuple(_cell_at(p, 1) for p in range(256))
_NEXT2 = tuple(_cell_at(p, 2) for p in range(256))
_FWD = tuple(_pose_at(p, 1) for p in range(256))
_BACK = tuple(_pose_at(p, -1) for p in range(256))
_LEFT = tuple((p & ~3) | ((p + 3) & 3) for p in range(256))
_RIGHT = tuple((p & ~3) | ((p + 1) & 3) for p in range(256))
_SAME = tuple(range(256))
_TURN = (_LEFT, _RIGHT, _SAME, _SAME)

# core: (pose of player 0, pose of player 1, small box, small box, left cell of
# the large box); the small boxes in ascending order
_CORE = (49 * 4 + 1, 54 * 4 + 3, 25, 30, 27)

# state: (phase, core, steps, total, h0, h1, a0, a1, x, y)
# phase 0: players choose; 1, 2: success of player 0, 1; 3: initiative; 4: over
# h0, h1: what each player has done and seen, five bits per step after a 1
# a0, a1: chosen actions; x, y: what comes of them (3: nothing)
_INITIAL = (0, _CORE, 0, 0.0, 1, 1, 0, 0, 0, 0)
_WHO = (-2, -1, -1, -1, -4)


# ---------------------------------------------------------------- dynamics
def _look(p, oc, a, b, g):
    # what an agent with pose p sees, the other agent being on cell oc
    n = _NEXT[p]
    if n < 0:
        return 1
    if n == oc:
        return 2
    if n == a or n == b:
        return 3
    if n == g or n == g + 1:
        return 4
    return 0


def _forward(p, oc, a, b, g):
    # one agent goes forward: (pose, small box, small box, reward)
    n = _NEXT[p]
    if n < 0 or n == oc or n == g or n == g + 1:
        return p, a, b, -5
    if n == a or n == b:
        m = _NEXT2[p]
        if m < 0 or m == oc or m == a or m == b or m == g or m == g + 1:
            return p, a, b, -5
        reward = 10 if (m < 8 and n >= 8) else 0
        if n == a:
            a = m
        else:
            b = m
        if a > b:
            a, b = b, a
        return _FWD[p], a, b, reward
    return _FWD[p], a, b, 0


def _step(core, x, y, first):
    # x, y: effective actions (3: nothing); first: 0 or 1, who is resolved first
    p, q, a, b, g = core
    if x == 2:
        if y == 2:
            if not (p ^ q) & 3:
                n = _NEXT[p]
                m = _NEXT[q]
                if (n == g and m == g + 1) or (m == g and n == g + 1):
                    k = _NEXT2[p]
                    j = _NEXT2[q]
                    if (k >= 0 and j >= 0 and k != a and k != b
                            and j != a and j != b):
                        g += k - n
                        return ((_FWD[p], _FWD[q], a, b, g),
                                100 if g < 8 else 0)
            if first == 0:
                p, a, b, r = _forward(p, q >> 2, a, b, g)
                q, a, b, r2 = _forward(q, p >> 2, a, b, g)
            else:
                q, a, b, r = _forward(q, p >> 2, a, b, g)
                p, a, b, r2 = _forward(p, q >> 2, a, b, g)
            return (p, q, a, b, g), r + r2
        p, a, b, r = _forward(p, q >> 2, a, b, g)
        return (p, _TURN[y][q], a, b, g), r
    if y == 2:
        q, a, b, r = _forward(q, p >> 2, a, b, g)
        return (_TURN[x][p], q, a, b, g), r
    return (_TURN[x][p], _TURN[y][q], a, b, g), 0


# ---------------------------------------------------------------- the game
def initial_state():
    return _INITIAL


def current_player(state):
    return _WHO[state[0]]


def legal_actions(state):
    return []


def player_legal_actions(state, player):
    if state[0] == 0:
        return [0, 1, 2, 3]
    return []


def chance_outcomes(state):
    phase = state[0]
    if phase == 1 or phase == 2:
        return [(0, 0.9), (1, 0.1)]
    if phase == 3:
        return [(2, 0.5), (3, 0.5)]
    return []


def apply_actions(state, actions):
    a0, a1 = actions
    return (1, state[1], state[2], state[3], state[4], state[5], a0, a1, a0, a1)


def apply_action(state, action):
    phase, core, t, total, h0, h1, a0, a1, x, y = state
    if phase == 1:
        return (2, core, t, total, h0, h1, a0, a1, x if action == 0 else 3, y)
    if phase == 2:
        return (3, core, t, total, h0, h1, a0, a1, x, y if action == 0 else 3)
    core, reward = _step(core, x, y, action - 2)
    total = total + reward - 0.1
    t += 1
    p, q, a, b, g = core
    h0 = (h0 << 5) | (a0 * 5 + _look(p, q >> 2, a, b, g))
    h1 = (h1 << 5) | (a1 * 5 + _look(q, p >> 2, a, b, g))
    over = t >= _HORIZON or g < 8
    return (4 if over else 0, core, t, total, h0, h1, 0, 0, 0, 0)


def returns(state):
    total = state[3]
    return [total, total]


def action_name(state, action):
    return _NAMES[action]


def player_action_name(state, player, action):
    return _NAMES[action]


def observation(state, player):
    p, q, a, b, g = state[1]
    if player == 0:
        return {"observation": _OBS_NAMES[_look(p, q >> 2, a, b, g)]}
    return {"observation": _OBS_NAMES[_look(q, p >> 2, a, b, g)]}


def information_state(state, player):
    phase = state[0]
    if phase == 0 or phase == 4:
        return (state[4 + player], 0, -1)
    return (state[4 + player], phase, state[6 + player])


# ---------------------------------------------------------------- resampling
# Here a field is seen from the player: (own pose, other's pose, boxes ...).
# Effects of the other's action: nothing 0.325, left, right, forward 0.225 each.
_START = (_CORE, (_CORE[1], _CORE[0], _CORE[2], _CORE[3], _CORE[4]))
_CAP = 1500
_RESCUE_CAPS = (6000, 50000, 1000000)


def _own_before(c, pose):
    # (pose before, effect, probability, moved?) leading to `pose` by action c
    if c == 3:
        return ((pose, 3, 1.0, False),)
    if c == 0:
        return ((_RIGHT[pose], 0, 0.9, False), (pose, 3, 0.1, False))
    if c == 1:
        return ((_LEFT[pose], 1, 0.9, False), (pose, 3, 0.1, False))
    rows = [(pose, 3, 0.1, False), (pose, 2, 0.9, False)]
    if _BACK[pose] >= 0:
        rows.append((_BACK[pose], 2, 0.9, True))
    return tuple(rows)


def _other_before(pose):
    rows = [
        (pose, 3, 0.325, False),
        (pose, 2, 0.225, False),
        (_RIGHT[pose], 0, 0.225, False),
        (_LEFT[pose], 1, 0.225, False),
    ]
    if _BACK[pose] >= 0:
        rows.append((_BACK[pose], 2, 0.225, True))
    return tuple(rows)


_OWN = tuple(tuple(_own_before(c, p) for p in range(256)) for c in range(4))
_OTHER = tuple(_other_before(p) for p in range(256))
_EFFECTS = (
    ((0, 0.9), (3, 0.1)),
    ((1, 0.9), (3, 0.1)),
    ((2, 0.9), (3, 0.1)),
    ((3, 1.0),),
)
_OTHER_EFFECTS = ((3, 0.325), (0, 0.225), (1, 0.225), (2, 0.225))


def _possible(o, pose):
    n = _NEXT[pose]
    if o == 1:
        return n < 0
    if n < 0:
        return False
    if o == 4:
        return (n & 7) == 3 or (n & 7) == 4
    return True


_COMPAT = tuple(
    tuple(1.0 if _possible(o, p) else 0.0 for p in range(256)) for o in range(5)
)
# rough chance that a forward action moves its player, by what he saw in front
_MOVE = (0.88, 0.0, 0.3, 0.6, 0.05)


def _advance(layer, c, o, last):
    # one step of the filter: own action c, then observation o
    new = {}
    get = new.get
    effects = _EFFECTS[c]
    for s, w in layer.items():
        me, ot, a, b, g = s
        oc = ot >> 2
        mc = me >> 2
        for x, px in effects:
            wx = w * px
            if x == 2:
                m, a1, b1, _ = _forward(me, oc, a, b, g)
            else:
                m = _TURN[x][me]
                a1 = a
                b1 = b
            if _look(m, oc, a1, b1, g) == o:
                k = (m, ot, a1, b1, g)
                new[k] = get(k, 0.0) + wx * 0.325
                v = wx * 0.225
                k = (m, _LEFT[ot], a1, b1, g)
                new[k] = get(k, 0.0) + v
                k = (m, _RIGHT[ot], a1, b1, g)
                new[k] = get(k, 0.0) + v
            if x == 2:
                v = wx * 0.1125
                for first in (0, 1):
                    k = _step(s, 2, 2, first)[0]
                    if k[4] < 8 and not last:
                        continue
                    if _look(k[0], k[1] >> 2, k[2], k[3], k[4]) == o:
                        new[k] = get(k, 0.0) + v
            else:
                q, a2, b2, _ = _forward(ot, mc, a, b, g)
                if _look(m, q >> 2, a2, b2, g) == o:
                    k = (m, q, a2, b2, g)
                    new[k] = get(k, 0.0) + wx * 0.225
    return new


def _prune(new, cap, beta):
    # at most about `cap` fields, large ones kept, the others thinned out
    # systematically with their weights raised; weights are also normalised
    if beta is None:
        score = new
    else:
        score = {}
        for s, w in new.items():
            v = w * beta[s[0]]
            if v > 0.0:
                score[s] = v
    n = len(score)
    if n == 0:
        return {}
    scale = 1.0 / sum(new.values())
    if n <= cap:
        return {s: new[s] * scale for s in score}
    vs = sorted(score.values(), reverse=True)
    rest = sum(vs)
    i = 0
    while i < cap - 1 and vs[i] * (cap - i) > rest:
        rest -= vs[i]
        i += 1
    limit = sum(vs[i:]) / (cap - i)
    out = {}
    acc = 0.5 * limit
    for s, v in score.items():
        if v >= limit:
            out[s] = new[s] * scale
        else:
            acc += v
            if acc >= limit:
                acc -= limit
                out[s] = (new[s] / v) * limit * scale
    return out


def _rebuild(player, h, cap):
    # the filter from the start, with a look ahead at what is seen later
    n = (h.bit_length() - 1) // 5
    codes = [(h >> (5 * (n - 1 - i))) & 31 for i in range(n)]
    acts = [k // 5 for k in codes]
    seen = [0] + [k % 5 for k in codes]
    betas = [None] * (n + 1)
    betas[n] = list(_COMPAT[seen[n]])
    for t in range(n - 1, -1, -1):
        c = acts[t]
        ok = _COMPAT[seen[t]]
        nxt = betas[t + 1]
        move = _MOVE[seen[t]]
        turn = _TURN[c]
        row = [0.0] * 256
        for p in range(256):
            if ok[p]:
                if c == 3:
                    row[p] = nxt[p]
                elif c == 2:
                    f = _FWD[p]
                    if f < 0:
                        row[p] = nxt[p]
                    else:
                        row[p] = (1.0 - move) * nxt[p] + move * nxt[f]
                else:
                    row[p] = 0.1 * nxt[p] + 0.9 * nxt[turn[p]]
        top = max(row)
        if top <= 0.0:
            return None
        betas[t] = [v / top for v in row]
    node = ({_START[player]: 1.0}, None)
    for t in range(n):
        new = _advance(node[0], acts[t], seen[t + 1], t + 1 >= _HORIZON)
        if new:
            new = _prune(new, cap, betas[t + 1])
        if not new:
            return None
        node = (new, node)
    return node


@lru_cache(maxsize=256)
def _node(player, h):
    # (weights of the fields after the history h, the same one step before)
    if h == 1:
        return ({_START[player]: 1.0}, None)
    parent = _node(player, h >> 5)
    c, o = divmod(h & 31, 5)
    new = _advance(parent[0], c, o, h.bit_length() > 5 * _HORIZON)
    if new:
        return (_prune(new, _CAP, None), parent)
    for cap in _RESCUE_CAPS:
        node = _rebuild(player, h, cap)
        if node is not None:
            return node
    raise ValueError("no game fits this history")


@lru_cache(maxsize=16)
def _top(player, h):
    node = _node(player, h)
    return node, tuple(node[0]), tuple(accumulate(node[0].values()))


def _undo(a, b, pose):
    # small boxes before an agent that now has `pose` moved there
    n = _NEXT[pose]
    cell = pose >> 2
    if n == a:
        return ((a, b), (cell, b) if cell < b else (b, cell))
    if n == b:
        return ((a, b), (a, cell) if a < cell else (cell, a))
    return ((a, b),)


def _before(prev, s, c):
    # all (cumulated weight, field before, own effect, other's effect, first)
    me, ot, a, b, g = s
    found = []
    acc = 0.0
    still = ((a, b, g),)
    by_me = None
    by_other = None
    by_both = None
    get = prev.get
    others = _OTHER[ot]
    for m, x, px, own_moved in _OWN[c][me]:
        for q, y, py, other_moved in others:
            if own_moved:
                if other_moved:
                    if by_both is None:
                        boxes = {}
                        for a1, b1 in _undo(a, b, me):
                            for a2, b2 in _undo(a1, b1, ot):
                                boxes[(a2, b2, g)] = None
                        for a1, b1 in _undo(a, b, ot):
                            for a2, b2 in _undo(a1, b1, me):
                                boxes[(a2, b2, g)] = None
                        if not (me ^ ot) & 3:
                            boxes[(a, b, g - _DELTA[me & 3])] = None
                        by_both = tuple(boxes)
                    options = by_both
                else:
                    if by_me is None:
                        by_me = tuple((i, j, g) for i, j in _undo(a, b, me))
                    options = by_me
            elif other_moved:
                if by_other is None:
                    by_other = tuple((i, j, g) for i, j in _undo(a, b, ot))
                options = by_other
            else:
                options = still
            for a0, b0, g0 in options:
                k = (m, q, a0, b0, g0)
                w = get(k)
                if w is None:
                    continue
                if x == 2 and y == 2:
                    v = w * px * py * 0.5
                    if _step(k, 2, 2, 0)[0] == s:
                        acc += v
                        found.append((acc, k, 2, 2, 0))
                    if _step(k, 2, 2, 1)[0] == s:
                        acc += v
                        found.append((acc, k, 2, 2, 1))
                elif _step(k, x, y, 0)[0] == s:
                    acc += w * px * py
                    found.append((acc, k, x, y, -1))
    if found:
        return found
    for k, w in prev.items():
        for x, px in _EFFECTS[c]:
            for y, py in _OTHER_EFFECTS:
                if x == 2 and y == 2:
                    for first in (0, 1):
                        if _step(k, 2, 2, first)[0] == s:
                            acc += w * px * py * 0.5
                            found.append((acc, k, 2, 2, first))
                elif _step(k, x, y, 0)[0] == s:
                    acc += w * px * py
                    found.append((acc, k, x, y, -1))
    return found


def _draw(player, h, rand):
    # a list of (field before, own action, own effect, other's effect, first),
    # one per step; fields and order are seen from the player
    node, keys, cumulated = _top(player, h)
    i = bisect_right(cumulated, rand() * cumulated[-1])
    if i >= len(keys):
        i = len(keys) - 1
    s = keys[i]
    path = []
    parent = node[1]
    while parent is not None:
        c = (h & 31) // 5
        h >>= 5
        found = _before(parent[0], s, c)
        choice = found[-1]
        if len(found) > 1:
            u = rand() * choice[0]
            for row in found:
                if u < row[0]:
                    choice = row
                    break
        s = choice[1]
        path.append((s, c, choice[2], choice[3], choice[4]))
        parent = parent[1]
    path.reverse()
    return path


def _other_choice(y, rand):
    # (action, outcome of its success) of the other, given its effect
    if y != 3:
        return y, 0
    u = rand() * 13.0
    if u < 9.0:
        return 3, 0
    if u < 10.0:
        return 3, 1
    if u < 11.0:
        return 0, 1
    if u < 12.0:
        return 1, 1
    return 2, 1


def _encode(history):
    h = 1
    for i in range(4, len(history), 4):
        h = (h << 5) | (
            _ACTION[history[i - 4][1]] * 5 + _OBS[history[i][0]["observation"]]
        )
    return h


def resample_history(player, history, rand):
    h = _encode(history)
    moves = []
    for s, c, x, y, first in _draw(player, h, rand):
        d, other_outcome = _other_choice(y, rand)
        if c == 3:
            own_outcome = 0 if rand() < 0.9 else 1
        else:
            own_outcome = 0 if x == c else 1
        if first < 0:
            leader = 0 if rand() < 0.5 else 1
        else:
            leader = player if first == 0 else 1 - player
        if player == 0:
            moves.append((c, d))
            moves.append(own_outcome)
            moves.append(other_outcome)
        else:
            moves.append((d, c))
            moves.append(other_outcome)
            moves.append(own_outcome)
        moves.append(2 + leader)
    extra = (len(history) - 1) % 4
    if extra:
        # not at a choice of the player: go on to the same point of the step
        c = _ACTION[history[len(history) - 1 - extra][1]]
        d = min(3, int(rand() * 4))
        moves.append((c, d) if player == 0 else (d, c))
        for _ in range(extra - 1):
            moves.append(0 if rand() < 0.9 else 1)
    return moves


def resample_state(player, history, rand):
    if (len(history) - 1) % 4:
        state = _INITIAL
        for move in resample_history(player, history, rand):
            if isinstance(move, tuple):
                state = apply_actions(state, move)
            else:
                state = apply_action(state, move)
        return state
    h = _encode(history)
    path = _draw(player, h, rand)
    core = _START[player]
    total = 0.0
    other = 1
    for s, c, x, y, first in path:
        core, reward = _step(s, x, y, 1 if first == 1 else 0)
        total = total + reward - 0.1
        d = _other_choice(y, rand)[0]
        other = (other << 5) | (
            d * 5 + _look(core[1], core[0] >> 2, core[2], core[3], core[4])
        )
    t = len(path)
    phase = 4 if (t >= _HORIZON or core[4] < 8) else 0
    if player == 0:
        return (phase, core, t, total, h, other, 0, 0, 0, 0)
    core = (core[1], core[0], core[2], core[3], core[4])
    return (phase, core, t, total, other, h, 0, 0, 0, 0)
