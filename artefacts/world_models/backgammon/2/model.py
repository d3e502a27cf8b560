NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 26 * 26
MAX_CHANCE_OUTCOMES = 30
MAX_GAME_LENGTH = 1000
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# State: (cur, b0, b1, mover, h, l, second, turns)
#   cur    : player to act, -1 chance, -4 over
#   b0, b1 : boards of x and o, each in the owner's numbering, 26 counts:
#            index 0 = off, 1..24 = points, 25 = bar
#   mover  : the player whose turn it is (or is about to begin); -1 at the start
#   h, l   : higher and lower die, 0 and 0 while a throw is due
#   second : 1 from the first to the second play of a double
#   turns  : number of turns completed
#
# Action of a player: 26 * (start of the move with the higher die)
#                     + (start of the move with the lower die), 0 = die not used.

_FREE_TURNS = 500

_START_LIST = [0] * 26
_START_LIST[24] = 2
_START_LIST[13] = 5
_START_LIST[8] = 3
_START_LIST[6] = 5
_START = tuple(_START_LIST)

_PAIRS = tuple((hi, lo) for lo in range(1, 7) for hi in range(lo + 1, 7))
_ROLLS = _PAIRS + tuple((d, d) for d in range(1, 7))

_ROLL_NAMES = tuple("%d-%d" % r for r in _ROLLS)
_START_NAMES = tuple(
    "%s starts %d-%d" % (who, r[0], r[1]) for r in _PAIRS for who in ("x", "o")
)

_START_OUTCOMES = tuple((i, 1.0 / 30.0) for i in range(30))
_ROLL_OUTCOMES = tuple(
    (i, (2.0 / 36.0) if i < 15 else (1.0 / 36.0)) for i in range(21)
)

_INITIAL = (-1, _START, _START, -1, 0, 0, 0, 0)

_POINT_NAMES = ("Off",) + tuple(str(i) for i in range(1, 25)) + ("Bar",)

_POINTS = tuple(range(1, 25))


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def _sources(me, op, d, top):
    """Starts of the legal moves with die d, ascending; the bar must be empty.
    No checker stands above top."""
    while top and not me[top]:
        top -= 1
    if top <= d:
        if top:
            return [top]
        return []
    k = 25 + d
    res = [s for s in range(d + 1, top + 1) if me[s] and op[k - s] < 2]
    if top <= 6 and me[d]:
        res.insert(0, d)
    return res


def _home_actions(me, op, h, l):
    """Legal actions with an empty bar where bearing off may be possible."""
    top = 24
    while top and not me[top]:
        top -= 1
    double = h == l
    found = set()
    work = list(me)
    high = _sources(me, op, h, top)
    for a in high:
        t = a - h
        work[a] -= 1
        if t > 0:
            work[t] += 1
        for b in _sources(work, op, l, top):
            if a < b and (double or b <= l):
                found.add(b * 26 + a)
            else:
                found.add(a * 26 + b)
        work[a] += 1
        if t > 0:
            work[t] -= 1
    if double:
        low = high
    else:
        low = _sources(me, op, l, top)
        for b in low:
            t = b - l
            work[b] -= 1
            if t > 0:
                work[t] += 1
            for a in _sources(work, op, h, top):
                if a < b <= l:
                    found.add(b * 26 + a)
                else:
                    found.add(a * 26 + b)
            work[b] += 1
            if t > 0:
                work[t] -= 1
    if found:
        return sorted(found)
    if high:
        return [a * 26 for a in high]
    if low:
        return low
    return [0]


def legal_actions(state):
    if state[0] == 0:
        me = state[1]
        op = state[2]
    else:
        me = state[2]
        op = state[1]
    h = state[4]
    l = state[5]

    bar = me[25]
    if bar:
        enter_h = op[h] < 2
        enter_l = op[l] < 2
        if bar > 1:
            if enter_h:
                if enter_l:
                    return [675]
                return [650]
            if enter_l:
                return [25]
            return [0]
        acts = []
        if enter_l and h != l:
            # enters with the lower die, then any move with the higher one
            new = 25 - l
            k = 25 + h
            for a in range(h + 1, 25):
                if (me[a] or a == new) and op[k - a] < 2:
                    acts.append(a * 26 + 25)
        if enter_h:
            new = 25 - h
            k = 25 + l
            for b in range(l + 1, 25):
                if (me[b] or b == new) and op[k - b] < 2:
                    acts.append(650 + b)
        if acts:
            return acts
        if enter_h:
            return [650]
        if enter_l:
            return [25]
        return [0]

    if sum(me[7:25]) < 2:
        return _home_actions(me, op, h, l)

    # At least two checkers outside the home: no bearing off in this play.
    occupied = [s for s in _POINTS if me[s]]
    kh = 25 + h
    high = [s for s in occupied if s > h and op[kh - s] < 2]
    acts = []
    if h == l:
        for i, a in enumerate(high):
            base = a * 26
            for b in high[:i]:
                acts.append(base + b)
            if me[a] > 1:
                acts.append(base + a)
            t = a - h
            if t > h and not me[t] and op[kh - t] < 2:
                acts.append(base + t)
        if acts:
            acts.sort()
            return acts
        if high:
            return [a * 26 for a in high]
        return [0]

    kl = 25 + l
    low = [s for s in occupied if s > l and op[kl - s] < 2]
    for a in high:
        base = a * 26
        if me[a] > 1:
            for b in low:
                acts.append(base + b)
        else:
            for b in low:
                if a != b:
                    acts.append(base + b)
        t = a - h
        if t > l and not me[t] and op[kl - t] < 2:
            acts.append(base + t)
    for b in low:
        t = b - l
        if t > h and not me[t] and op[kh - t] < 2:
            acts.append(t * 26 + b)
    if acts:
        acts.sort()
        return acts
    if high:
        return [a * 26 for a in high]
    if low:
        return low
    return [0]


def chance_outcomes(state):
    if state[3] < 0:
        return list(_START_OUTCOMES)
    return list(_ROLL_OUTCOMES)


def apply_action(state, action):
    cur, b0, b1, mover, h, l, second, turns = state
    if cur == -1:
        if mover < 0:
            h, l = _PAIRS[action >> 1]
            who = action & 1
            return (who, b0, b1, who, h, l, 0, turns)
        h, l = _ROLLS[action]
        return (mover, b0, b1, mover, h, l, 0, turns)

    won = False
    a, b = divmod(action, 26)
    if action:
        if cur == 0:
            me = list(b0)
            op = list(b1)
        else:
            me = list(b1)
            op = list(b0)
        if a:
            me[a] -= 1
            t = a - h
            if t > 0:
                me[t] += 1
                if op[25 - t]:
                    op[25 - t] = 0
                    op[25] += 1
            else:
                me[0] += 1
        if b:
            me[b] -= 1
            t = b - l
            if t > 0:
                me[t] += 1
                if op[25 - t]:
                    op[25 - t] = 0
                    op[25] += 1
            else:
                me[0] += 1
        won = me[0] == 15
        if cur == 0:
            b0 = tuple(me)
            b1 = tuple(op)
        else:
            b0 = tuple(op)
            b1 = tuple(me)

    if h == l and not second and a and b:
        # between the two plays of a double
        if won or turns >= _FREE_TURNS:
            return (-4, b0, b1, mover, h, l, 1, turns)
        return (cur, b0, b1, mover, h, l, 1, turns)

    turns += 1
    if won or turns > _FREE_TURNS:
        return (-4, b0, b1, mover, 0, 0, 0, turns)
    return (-1, b0, b1, 1 - cur, 0, 0, 0, turns)


def returns(state):
    if state[0] == -4:
        if state[1][0] == 15:
            return [1.0, -1.0]
        if state[2][0] == 15:
            return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    if state[0] == -1:
        if state[3] < 0:
            return _START_NAMES[action]
        return _ROLL_NAMES[action]
    if action == 0:
        return "Pass"
    a, b = divmod(action, 26)
    moves = []
    if a:
        t = a - state[4]
        moves.append((a, t if t > 0 else 0))
    if b:
        t = b - state[5]
        moves.append((b, t if t > 0 else 0))
    moves.sort(reverse=True)
    names = [_POINT_NAMES[s] + "/" + _POINT_NAMES[e] for s, e in moves]
    if len(names) == 1:
        names.append("Pass")
    return " ".join(names)


def observation(state, player):
    b0 = state[1]
    b1 = state[2]
    h = state[4]
    return {
        "points": [b0[24 - i] - b1[i + 1] for i in range(24)],
        "bar": {"x": b0[25], "o": b1[25]},
        "off": {"x": b0[0], "o": b1[0]},
        "dice": [state[5], h] if h else [],
        "second_half_of_double": bool(state[6]),
    }
