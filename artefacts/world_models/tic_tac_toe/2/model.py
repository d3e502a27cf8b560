NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 9
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 9
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_FULL = 511

_LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8),
    (0, 3, 6), (1, 4, 7), (2, 5, 8),
    (0, 4, 8), (2, 4, 6),
)

_LINE_MASKS = tuple((1 << a) | (1 << b) | (1 << c) for a, b, c in _LINES)


def _has_line(bits):
    for mask in _LINE_MASKS:
        if bits & mask == mask:
            return True
    return False


# _WIN[bits]: do the stones in bits contain a complete line?
_WIN = tuple(_has_line(b) for b in range(512))

# _EMPTY[occupied]: the empty cells, ascending
_EMPTY = tuple(
    tuple(c for c in range(9) if not (b >> c) & 1) for b in range(512)
)

_BIT = tuple(1 << c for c in range(9))

_NAMES = tuple(
    tuple("%s(%d,%d)" % (stone, c // 3, c % 3) for c in range(9))
    for stone in ("x", "o")
)


def _row_text(xb, ob):
    cells = []
    for c in range(3):
        if (xb >> c) & 1:
            cells.append("x")
        elif (ob >> c) & 1:
            cells.append("o")
        else:
            cells.append(".")
    return "".join(cells)


# _ROW[xb * 8 + ob]: text of one row, from three bits of x and three bits of o
_ROW = tuple(_row_text(i >> 3, i & 7) for i in range(64))

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
    x, o, to_act, _ = state
    if to_act == 0:
        x |= _BIT[action]
        if _WIN[x]:
            return (x, o, -4, 1)
        if x | o == _FULL:
            return (x, o, -4, 0)
        return (x, o, 1, 0)
    o |= _BIT[action]
    if _WIN[o]:
        return (x, o, -4, -1)
    if x | o == _FULL:
        return (x, o, -4, 0)
    return (x, o, 0, 0)


def returns(state):
    result = state[3]
    if result == 0:
        return [0.0, 0.0]
    if result > 0:
        return [1.0, -1.0]
    return [-1.0, 1.0]


def action_name(state, action):
    return _NAMES[1 if state[2] == 1 else 0][action]


def observation(state, player):
    x = state[0]
    o = state[1]
    return {
        "board": [
            _ROW[((x & 7) << 3) | (o & 7)],
            _ROW[(((x >> 3) & 7) << 3) | ((o >> 3) & 7)],
            _ROW[(((x >> 6) & 7) << 3) | ((o >> 6) & 7)],
        ]
    }
