NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 9
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 9
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_FULL = 511
_OVER = -4

_LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8),
    (0, 3, 6), (1, 4, 7), (2, 5, 8),
    (0, 4, 8), (2, 4, 6),
)
_LINE_MASKS = tuple((1 << a) | (1 << b) | (1 << c) for a, b, c in _LINES)


def _has_line(mask):
    for line in _LINE_MASKS:
        if mask & line == line:
            return True
    return False


def _row_text(xs, os):
    chars = []
    for c in range(3):
        if (xs >> c) & 1:
            chars.append("x")
        elif (os >> c) & 1:
            chars.append("o")
        else:
            chars.append(".")
    return "".join(chars)


# Does this set of stones contain a line?
_WIN = tuple(_has_line(m) for m in range(512))

# Empty cells, ascending, for every set of occupied cells.
_EMPTY = tuple(
    tuple(i for i in range(9) if not (m >> i) & 1) for m in range(512)
)

# Text of a row, indexed by (x bits of the row) * 8 + (o bits of the row).
_ROW = tuple(_row_text(k >> 3, k & 7) for k in range(64))

# Names, indexed by player and cell.
_NAMES = tuple(
    tuple("%s(%d,%d)" % (stone, i // 3, i % 3) for i in range(9))
    for stone in ("x", "o")
)

_RETURNS = ((0.0, 0.0), (1.0, -1.0), (-1.0, 1.0))

# (x_bits, o_bits, actor, result)
_INITIAL = (0, 0, 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[2]


def legal_actions(state):
    if state[2] < 0:
        return []
    return list(_EMPTY[state[0] | state[1]])


def chance_outcomes(state):
    return []


def apply_action(state, action):
    xs, os, actor, _ = state
    bit = 1 << action
    if actor < 0 or bit > 256 or (xs | os) & bit:
        raise ValueError("illegal action")
    if actor == 0:
        xs |= bit
        if _WIN[xs]:
            return (xs, os, _OVER, 1)
        if xs | os == _FULL:
            return (xs, os, _OVER, 0)
        return (xs, os, 1, 0)
    os |= bit
    if _WIN[os]:
        return (xs, os, _OVER, 2)
    if xs | os == _FULL:
        return (xs, os, _OVER, 0)
    return (xs, os, 0, 0)


def returns(state):
    return list(_RETURNS[state[3]])


def action_name(state, action):
    return _NAMES[1 if state[2] == 1 else 0][action]


def observation(state, player):
    xs = state[0]
    os = state[1]
    return {
        "board": [
            _ROW[((xs & 7) << 3) | (os & 7)],
            _ROW[(((xs >> 3) & 7) << 3) | ((os >> 3) & 7)],
            _ROW[(((xs >> 6) & 7) << 3) | ((os >> 6) & 7)],
        ]
    }
