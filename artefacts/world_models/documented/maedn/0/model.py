NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 45
MAX_CHANCE_OUTCOMES = 6
MAX_GAME_LENGTH = 1000
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# A state is a tuple
#   (actor, player, dice, mask0, mask1, out0, out1)
# actor:  0 / 1 player to act, -1 chance, -4 game over
# player: the player whose turn it is (for chance: who the roll is for;
#         game over: the winner)
# dice:   1..6 where a player acts, else 0
# maskP:  bit r set = player P has a piece on his relative field r (0..43)
# outP:   number of pieces of player P that are out

_GOAL = 15 << 40
_BIT20 = 1 << 20

# targets within the path: sources r with r + d <= 43
_RANGE = tuple((1 << (44 - d)) - 1 for d in range(7))

# bit of the opponent's relative field for my relative field t (0 for goals)
_OPP = tuple([1 << ((t + 20) % 40) for t in range(40)] + [0] * 8)

_BIT = tuple(1 << t for t in range(50))

_CHANCE = tuple((i, 1.0 / 6.0) for i in range(6))

_INITIAL = (-1, 0, 0, 0, 0, 4, 4)

_PLAYER_NAMES = tuple(
    ["0 - passes", "1 - brings in new piece"]
    + ["%d - moves piece on field %d" % (a, a - 2) for a in range(2, 45)]
)
_CHANCE_NAMES = tuple(
    "chance outcome %d (roll: %d)" % (i, i + 1) for i in range(6)
)

# ---------------------------------------------------------------- drawing

_ROWS = (
    ". .     o-o-S     . .",
    ". .     o . o     . .",
    "        o . o        ",
    "        o . o        ",
    "S-o-o-o-o . o-o-o-o-o",
    "o . . . .   . . . . o",
    "o-o-o-o-o . o-o-o-o-S",
    "        o . o        ",
    "        o . o        ",
    ". .     o . o     . .",
    ". .     S-o-o     . .",
)
_BASE = tuple("\n".join(_ROWS) + "\n")


def _make_positions():
    def index(line, col):
        return line * 22 + 2 * col

    quarter = [(4, 0), (4, 1), (4, 2), (4, 3), (4, 4),
               (3, 4), (2, 4), (1, 4), (0, 4), (0, 5)]
    ring = []
    for _ in range(4):
        ring.extend(quarter)
        quarter = [(c, 10 - l) for (l, c) in quarter]
    p0 = [index(l, c) for (l, c) in ring]
    p1 = p0[20:] + p0[:20]
    p0 = p0 + [index(5, c) for c in (1, 2, 3, 4)]
    p1 = p1 + [index(5, c) for c in (9, 8, 7, 6)]
    out0 = [index(0, 0), index(0, 1), index(1, 1), index(1, 0)]
    out1 = [index(10, 9), index(10, 10), index(9, 10), index(9, 9)]
    return tuple(p0), tuple(p1), tuple(out0), tuple(out1)


_POS0, _POS1, _OUT0, _OUT1 = _make_positions()

_NO_TURN = "Turn: *\nDice: \n"


# -------------------------------------------------------------- functions

def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    player = state[1]
    d = state[2]
    if player == 0:
        mine = state[3]
        out = state[5]
    else:
        mine = state[4]
        out = state[6]
    if out:
        if mine & 1:
            # the start field must be cleared if that move is possible
            if not (mine >> d) & 1:
                return [2]
        elif d == 6:
            return [1]
    b = mine & ~(mine >> d) & _RANGE[d]
    if not b:
        return [0]
    res = []
    while b:
        low = b & -b
        res.append(low.bit_length() + 1)
        b ^= low
    return res


def chance_outcomes(state):
    return list(_CHANCE)


def apply_action(state, action):
    actor, player, d, m0, m1, o0, o1 = state
    if actor == -1:
        return (player, player, action + 1, m0, m1, o0, o1)
    nxt = player if d == 6 else 1 - player
    if action == 0:
        return (-1, nxt, 0, m0, m1, o0, o1)
    if action == 1:
        if player == 0:
            m0 |= 1
            o0 -= 1
            if m1 & _BIT20:
                m1 ^= _BIT20
                o1 += 1
        else:
            m1 |= 1
            o1 -= 1
            if m0 & _BIT20:
                m0 ^= _BIT20
                o0 += 1
        return (-1, nxt, 0, m0, m1, o0, o1)
    r = action - 2
    t = r + d
    if player == 0:
        m0 ^= _BIT[r] | _BIT[t]
        if t < 40:
            h = _OPP[t]
            if m1 & h:
                m1 ^= h
                o1 += 1
        elif m0 == _GOAL:
            return (-4, 0, 0, m0, m1, o0, o1)
    else:
        m1 ^= _BIT[r] | _BIT[t]
        if t < 40:
            h = _OPP[t]
            if m0 & h:
                m0 ^= h
                o0 += 1
        elif m1 == _GOAL:
            return (-4, 1, 0, m0, m1, o0, o1)
    return (-1, nxt, 0, m0, m1, o0, o1)


def returns(state):
    if state[0] != -4:
        return [0.0, 0.0]
    if state[1] == 0:
        return [1.0, -1.0]
    return [-1.0, 1.0]


def action_name(state, action):
    if state[0] == -1:
        return _CHANCE_NAMES[action]
    return _PLAYER_NAMES[action]


def observation(state, player):
    actor, _turn, d, m0, m1, o0, o1 = state
    chars = list(_BASE)
    while m0:
        low = m0 & -m0
        chars[_POS0[low.bit_length() - 1]] = "1"
        m0 ^= low
    while m1:
        low = m1 & -m1
        chars[_POS1[low.bit_length() - 1]] = "2"
        m1 ^= low
    for i in range(o0):
        chars[_OUT0[i]] = "1"
    for i in range(o1):
        chars[_OUT1[i]] = "2"
    if actor >= 0:
        tail = "Turn: %d\nDice: %d\n" % (actor + 1, d)
    else:
        tail = _NO_TURN
    return {"observation": "".join(chars) + tail}
