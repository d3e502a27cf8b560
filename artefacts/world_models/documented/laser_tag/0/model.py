NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 10
MAX_CHANCE_OUTCOMES = 6
MAX_GAME_LENGTH = 1000
MIN_UTILITY = 0.0
MAX_UTILITY = 1000.0

_HORIZON = 1000
_FIRE = 9

# state: (current, posA, posB, facingA, facingB, actionA, actionB, moves, tagsA, tagsB)
#   current: -2 players choose at once, -1 chance, -4 game over
#   pos: row * 7 + column, -1 while the player waits for a spawn
#   facing: 1 (south) at the start; a tag or a spawn does not change it
#   action: -1 unless waiting for the initiative

_ROWS = (".......",
         ".......",
         "..*.*..",
         ".**.**.",
         "..*.*..",
         ".......",
         ".......")
_SIZE = 7
_SPAWNS = (0, 6, 42, 48)
# 0 north, 1 south, 2 east, 3 west
_DELTA = ((-1, 0), (1, 0), (0, 1), (0, -1))
_LEFT = (3, 2, 0, 1)
_RIGHT = (2, 3, 1, 0)
_BACK = (1, 0, 3, 2)


def _neighbour(pos, d):
    """The square next to pos in direction d, or -1 if outside or an obstacle."""
    r = pos // _SIZE + _DELTA[d][0]
    c = pos % _SIZE + _DELTA[d][1]
    if r < 0 or r >= _SIZE or c < 0 or c >= _SIZE or _ROWS[r][c] == "*":
        return -1
    return r * _SIZE + c


def _make_steps():
    table = []
    for pos in range(_SIZE * _SIZE):
        for f in range(4):
            for a in range(10):
                d = -1
                nf = f
                if a == 0:
                    nf = _LEFT[f]
                elif a == 1:
                    nf = _RIGHT[f]
                elif a == 2:
                    d = f
                elif a == 3:
                    d = _BACK[f]
                elif a == 4:
                    d = _LEFT[f]
                elif a == 5:
                    d = _RIGHT[f]
                elif a == 7:
                    d = f
                    nf = _LEFT[f]
                elif a == 8:
                    d = f
                    nf = _RIGHT[f]
                if d < 0:
                    table.append((pos, nf))
                else:
                    t = _neighbour(pos, d)
                    if t < 0:
                        table.append((pos, f))
                    else:
                        table.append((t, nf))
    return tuple(table)


def _make_beams():
    table = []
    for pos in range(_SIZE * _SIZE):
        for f in range(4):
            squares = []
            t = _neighbour(pos, f)
            while t >= 0:
                squares.append(t)
                t = _neighbour(t, f)
            table.append(frozenset(squares))
    return tuple(table)


# index (pos * 4 + facing) * 10 + action: (target square, new facing)
_STEP = _make_steps()
# index pos * 4 + facing: squares that the beam passes
_BEAM = _make_beams()

_INITIAL = (-1, -1, -1, 1, 1, -1, -1, 0, 0, 0)
_ALL_ACTIONS = list(range(10))
_INITIATIVE = [(0, 0.5), (1, 0.5)]
_SPAWN_ALL = [(2, 0.25), (3, 0.25), (4, 0.25), (5, 0.25)]
_SPAWN_WITHOUT = {
    s: [(k + 2, 1.0 / 3.0) for k in range(4) if _SPAWNS[k] != s] for s in _SPAWNS
}
_CHANCE_NAMES = ("(A's action first)", "(B's action first)",
                 "(spawned at location #0)", "(spawned at location #1)",
                 "(spawned at location #2)", "(spawned at location #3)")
_ACTION_NAMES = ("left turn", "right turn", "move forward", "move backward",
                 "step left", "step right", "stand",
                 "step forward and left turn", "step forward and right turn",
                 "fire")
_BASE = list("".join(row + "\n" for row in _ROWS))
_TEXT_INDEX = tuple(p + p // _SIZE for p in range(_SIZE * _SIZE))
_TAIL = tuple(tuple("Orientations: %d %d\n" % (i, j) for j in range(4)) for i in range(4))


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    return []


def player_legal_actions(state, player):
    return _ALL_ACTIONS[:]


def chance_outcomes(state):
    if state[0] != -1:
        return []
    pa = state[1]
    pb = state[2]
    if pa >= 0 and pb >= 0:
        return _INITIATIVE[:]
    # B is spawned before A; the other one may stand on a spawn point
    other = pa if pb < 0 else pb
    return _SPAWN_WITHOUT.get(other, _SPAWN_ALL)[:]


def apply_actions(state, actions):
    return ((-1,) + state[1:5] + (actions[0], actions[1]) + state[7:])


def apply_action(state, action):
    cur, pa, pb, fa, fb, aa, ab, moves, ra, rb = state
    if action >= 2:
        # spawn: the player is placed and keeps the facing it had
        if pb < 0:
            pb = _SPAWNS[action - 2]
        else:
            pa = _SPAWNS[action - 2]
        return (-1 if pa < 0 else -2, pa, pb, fa, fb, -1, -1, moves, ra, rb)

    moves += 1
    cur = -2
    if action == 0:
        if aa == _FIRE:
            if pb in _BEAM[pa * 4 + fa]:
                pb = -1
                ra += 1
                cur = -1
        else:
            t, f = _STEP[(pa * 4 + fa) * 10 + aa]
            if t != pb:
                pa = t
                fa = f
        if cur == -2:
            if ab == _FIRE:
                if pa in _BEAM[pb * 4 + fb]:
                    pa = -1
                    rb += 1
                    cur = -1
            else:
                t, f = _STEP[(pb * 4 + fb) * 10 + ab]
                if t != pa:
                    pb = t
                    fb = f
    else:
        if ab == _FIRE:
            if pa in _BEAM[pb * 4 + fb]:
                pa = -1
                rb += 1
                cur = -1
        else:
            t, f = _STEP[(pb * 4 + fb) * 10 + ab]
            if t != pa:
                pb = t
                fb = f
        if cur == -2:
            if aa == _FIRE:
                if pb in _BEAM[pa * 4 + fa]:
                    pb = -1
                    ra += 1
                    cur = -1
            else:
                t, f = _STEP[(pa * 4 + fa) * 10 + aa]
                if t != pb:
                    pa = t
                    fa = f
    if moves >= _HORIZON:
        cur = -4
    return (cur, pa, pb, fa, fb, -1, -1, moves, ra, rb)


def returns(state):
    return [float(state[8]), float(state[9])]


def action_name(state, action):
    if state[0] == -1:
        return _CHANCE_NAMES[action]
    return _ACTION_NAMES[action]


def player_action_name(state, player, action):
    return _ACTION_NAMES[action]


def observation(state, player):
    cells = _BASE[:]
    pa = state[1]
    pb = state[2]
    if pa >= 0:
        cells[_TEXT_INDEX[pa]] = "A"
    if pb >= 0:
        cells[_TEXT_INDEX[pb]] = "B"
    text = "".join(cells) + _TAIL[state[3]][state[4]]
    if state[0] == -1:
        text += "Chance Node"
    return {"observation": text}
