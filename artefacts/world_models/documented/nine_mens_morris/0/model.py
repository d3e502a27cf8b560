NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 600
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 214
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_MAX_TURNS = 200

# A state is a tuple
#   (actor, player, turns, dep0, dep1, men0, men1, capture, mask0, mask1, result)
# actor:   0 / 1 player to act, -4 game over
# player:  the player to move (kept also when the game is over, for the text)
# turns:   count of turns
# depP:    men still to deploy, menP: men in all
# capture: 1 if the player to move must capture
# maskP:   bit p set = man of player P on point p
# result:  at the end 1 / -1 / 0 from player 0's view, else 0

_INITIAL = (0, 0, 0, 9, 9, 9, 9, 0, 0, 0, 0)

_FULL = (1 << 24) - 1

_LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11),
    (12, 13, 14), (15, 16, 17), (18, 19, 20), (21, 22, 23),
    (0, 9, 21), (3, 10, 18), (6, 11, 15), (1, 4, 7),
    (16, 19, 22), (8, 12, 17), (5, 13, 20), (2, 14, 23),
)

_BIT = tuple(1 << p for p in range(24))
_LINE_MASKS = tuple(_BIT[a] | _BIT[b] | _BIT[c] for (a, b, c) in _LINES)


def _make_point_lines():
    res = []
    for p in range(24):
        res.append(tuple(m for m in _LINE_MASKS if m & (1 << p)))
    return tuple(res)


_POINT_LINES = _make_point_lines()


def _make_adjacency():
    adj = [set() for _ in range(24)]
    for a, b, c in _LINES:
        adj[a].add(b)
        adj[b].add(a)
        adj[b].add(c)
        adj[c].add(b)
    return tuple(tuple(sorted(s)) for s in adj)


_ADJ = _make_adjacency()

# for each point: (bit of the neighbour, action number of the move there)
_ADJ_MOVES = tuple(
    tuple((1 << t, 24 + 24 * f + t) for t in _ADJ[f]) for f in range(24)
)


def _make_tables():
    adj_mask = [0] * 24
    for f in range(24):
        for t in _ADJ[f]:
            adj_mask[f] |= 1 << t
    points_low = [()] * 4096
    points_high = [()] * 4096
    near_low = [0] * 4096
    near_high = [0] * 4096
    for m in range(1, 4096):
        low = m & -m
        i = low.bit_length() - 1
        rest = m ^ low
        points_low[m] = (i,) + points_low[rest]
        points_high[m] = (i + 12,) + points_high[rest]
        near_low[m] = adj_mask[i] | near_low[rest]
        near_high[m] = adj_mask[i + 12] | near_high[rest]
    return (tuple(points_low), tuple(points_high),
            tuple(near_low), tuple(near_high))


_PTS_LOW, _PTS_HIGH, _NEAR_LOW, _NEAR_HIGH = _make_tables()

# for moves: (target point, mask of source and target)
_MOVES = tuple(
    (t, (1 << f) | (1 << t)) for f in range(24) for t in range(24)
)

_NAMES = tuple(
    ["Point %d" % p for p in range(24)]
    + ["Move %d -> %d" % (f, t) for f in range(24) for t in range(24)]
)

# ---------------------------------------------------------------- drawing

_TEXT = (
    ".------.------.\n"
    "|      |      |\n"
    "| .----.----. |\n"
    "| |    |    | |\n"
    "| | .--.--. | |\n"
    "| | |     | | |\n"
    ".-.-.     .-.-.\n"
    "| | |     | | |\n"
    "| | .--.--. | |\n"
    "| |    |    | |\n"
    "| .----.----. |\n"
    "|      |      |\n"
    ".------.------.\n"
    "\n"
)
_BASE = tuple(_TEXT)
_POS = tuple(i for i, ch in enumerate(_TEXT) if ch == ".")
_CAPTURE_TEXT = "Last move formed a mill. Capture time!"


# -------------------------------------------------------------- functions

def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    actor, p, _turns, d0, d1, n0, n1, cap, w, b, _res = state
    if actor < 0:
        return []
    if cap:
        opp = b if p == 0 else w
        mills = 0
        for line in _LINE_MASKS:
            if (opp & line) == line:
                mills |= line
        free = opp & ~mills
        if not free:
            free = opp
        return list(_PTS_LOW[free & 4095] + _PTS_HIGH[free >> 12])
    empty = _FULL & ~(w | b)
    if p == 0:
        own = w
        dep = d0
        men = n0
    else:
        own = b
        dep = d1
        men = n1
    if dep:
        return list(_PTS_LOW[empty & 4095] + _PTS_HIGH[empty >> 12])
    mine = _PTS_LOW[own & 4095] + _PTS_HIGH[own >> 12]
    res = []
    if men > 3:
        for f in mine:
            for bit, a in _ADJ_MOVES[f]:
                if empty & bit:
                    res.append(a)
        return res
    targets = _PTS_LOW[empty & 4095] + _PTS_HIGH[empty >> 12]
    for f in mine:
        base = 24 + 24 * f
        for t in targets:
            res.append(base + t)
    return res


def chance_outcomes(state):
    return []


def apply_action(state, action):
    _actor, p, turns, d0, d1, n0, n1, cap, w, b, _res = state
    if cap:
        turns += 1
        if p == 0:
            q = 1
            b &= ~_BIT[action]
            n1 -= 1
            if n1 <= 2:
                return (-4, 1, turns, d0, d1, n0, n1, 0, w, b, 1)
        else:
            q = 0
            w &= ~_BIT[action]
            n0 -= 1
            if n0 <= 2:
                return (-4, 0, turns, d0, d1, n0, n1, 0, w, b, -1)
    else:
        if action < 24:
            t = action
            if p == 0:
                w |= _BIT[t]
                d0 -= 1
                own = w
            else:
                b |= _BIT[t]
                d1 -= 1
                own = b
        else:
            t, both = _MOVES[action - 24]
            if p == 0:
                w ^= both
                own = w
            else:
                b ^= both
                own = b
        l1, l2 = _POINT_LINES[t]
        if (own & l1) == l1 or (own & l2) == l2:
            return (p, p, turns, d0, d1, n0, n1, 1, w, b, 0)
        turns += 1
        q = 1 - p
    # is the player now to move blocked?
    if q == 0:
        if d0 == 0 and n0 > 3:
            near = _NEAR_LOW[w & 4095] | _NEAR_HIGH[w >> 12]
            if not (near & ~(w | b)):
                return (-4, 0, turns, d0, d1, n0, n1, 0, w, b, -1)
    else:
        if d1 == 0 and n1 > 3:
            near = _NEAR_LOW[b & 4095] | _NEAR_HIGH[b >> 12]
            if not (near & ~(w | b)):
                return (-4, 1, turns, d0, d1, n0, n1, 0, w, b, 1)
    if turns >= _MAX_TURNS:
        return (-4, q, turns, d0, d1, n0, n1, 0, w, b, 0)
    return (q, q, turns, d0, d1, n0, n1, 0, w, b, 0)


def returns(state):
    r = state[10]
    if r > 0:
        return [1.0, -1.0]
    if r < 0:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _NAMES[action]


def observation(state, player):
    _actor, p, turns, d0, d1, n0, n1, cap, w, b, _res = state
    chars = list(_BASE)
    for i in _PTS_LOW[w & 4095] + _PTS_HIGH[w >> 12]:
        chars[_POS[i]] = "W"
    for i in _PTS_LOW[b & 4095] + _PTS_HIGH[b >> 12]:
        chars[_POS[i]] = "B"
    tail = (
        "Current player: %s\nTurn number: %d\nMen to deploy: %d %d\n"
        "Num men: %d %d\n" % ("B" if p else "W", turns, d0, d1, n0, n1)
    )
    text = "".join(chars) + tail
    if cap:
        text += _CAPTURE_TEXT
    return {"observation": text}
