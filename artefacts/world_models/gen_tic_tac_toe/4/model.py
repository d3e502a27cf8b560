NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 36
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 36
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_N = 6
_W = 7  # bits per row: six cells and one column that is always empty

# bit of each action (action = row * 6 + column)
_BIT = tuple(1 << (r * _W + c) for r in range(_N) for c in range(_N))
_FULL = sum(_BIT)

# names of the actions, by player
_NAMES = tuple(
    tuple("%s(%d,%d)" % (s, r, c) for r in range(_N) for c in range(_N))
    for s in ("x", "o")
)

# free actions of each row, by the six occupancy bits of that row
_FREE = tuple(
    tuple(
        [r * _N + c for c in range(_N) if not (m >> c) & 1]
        for m in range(64)
    )
    for r in range(_N)
)
_F0, _F1, _F2, _F3, _F4, _F5 = _FREE

# text of a row, by (bits of x) * 64 + (bits of o)
_ROW_TEXT = tuple(
    "".join(
        "x" if (xm >> c) & 1 else ("o" if (om >> c) & 1 else ".")
        for c in range(_N)
    )
    for xm in range(64)
    for om in range(64)
)

_SHIFTS = tuple(r * _W for r in range(_N))

# state: (bits of x, bits of o, player to act or -4, winner or -1)
_INITIAL = (0, 0, 0, -1)


def _has_line(b):
    m = b & (b >> 1)  # along a row
    if m & (m >> 2):
        return True
    m = b & (b >> 7)  # along a column
    if m & (m >> 14):
        return True
    m = b & (b >> 8)  # diagonal down to the right
    if m & (m >> 16):
        return True
    m = b & (b >> 6)  # diagonal down to the left
    if m & (m >> 12):
        return True
    return False


def initial_state():
    return _INITIAL


def current_player(state):
    return state[2]


def legal_actions(state):
    occ = state[0] | state[1]
    return (
        _F0[occ & 63]
        + _F1[(occ >> 7) & 63]
        + _F2[(occ >> 14) & 63]
        + _F3[(occ >> 21) & 63]
        + _F4[(occ >> 28) & 63]
        + _F5[(occ >> 35) & 63]
    )


def chance_outcomes(state):
    return []


def apply_action(state, action):
    xb, ob, who, _ = state
    if who == 0:
        xb |= _BIT[action]
        if _has_line(xb):
            return (xb, ob, -4, 0)
        if (xb | ob) == _FULL:
            return (xb, ob, -4, -1)
        return (xb, ob, 1, -1)
    ob |= _BIT[action]
    if _has_line(ob):
        return (xb, ob, -4, 1)
    if (xb | ob) == _FULL:
        return (xb, ob, -4, -1)
    return (xb, ob, 0, -1)


def returns(state):
    w = state[3]
    if w == 0:
        return [1.0, -1.0]
    if w == 1:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _NAMES[1 if state[2] == 1 else 0][action]


def observation(state, player):
    xb = state[0]
    ob = state[1]
    return {
        "board": [
            _ROW_TEXT[(((xb >> s) & 63) << 6) | ((ob >> s) & 63)]
            for s in _SHIFTS
        ]
    }
