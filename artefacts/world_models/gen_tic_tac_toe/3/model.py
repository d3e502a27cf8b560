SIZE = 6
CELLS = SIZE * SIZE

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = CELLS
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = CELLS
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# A state is (x_stones, o_stones, player_to_act, winner).
# Stones are bit sets, bit row * 6 + column.
# player_to_act is 0, 1, or -4 when the game is over.
# winner is 0, 1, or -1 when nobody has a line.

_FULL = (1 << CELLS) - 1
_BIT = tuple(1 << i for i in range(CELLS))

# Cells from which a line of 4 can start towards the right (columns 0..2),
# and towards the left (columns 3..5).
_START_LEFT = sum(1 << i for i in range(CELLS) if i % SIZE <= SIZE - 4)
_START_RIGHT = sum(1 << i for i in range(CELLS) if i % SIZE >= 3)

_NAMES = tuple(
    tuple("%s(%d,%d)" % (stone, i // SIZE, i % SIZE) for i in range(CELLS))
    for stone in ("x", "o")
)


def _make_empty_table(base):
    # For each occupation pattern of the 12 cells from base: the empty cells.
    return tuple(
        tuple(base + k for k in range(12) if not (pattern >> k) & 1)
        for pattern in range(4096)
    )


_EMPTY_A = _make_empty_table(0)
_EMPTY_B = _make_empty_table(12)
_EMPTY_C = _make_empty_table(24)


def _make_row_table():
    # Index: x bits of the row, plus 64 times the o bits of the row.
    table = []
    for index in range(4096):
        xs = index & 63
        os_ = index >> 6
        chars = []
        for c in range(SIZE):
            if (xs >> c) & 1:
                chars.append("x")
            elif (os_ >> c) & 1:
                chars.append("o")
            else:
                chars.append(".")
        table.append("".join(chars))
    return tuple(table)


_ROW = _make_row_table()

_INITIAL = (0, 0, 0, -1)


def _has_line(b):
    m = b & (b >> 6)
    if m & (m >> 12):
        return True
    m = b & (b >> 1)
    if m & (m >> 2) & _START_LEFT:
        return True
    m = b & (b >> 7)
    if m & (m >> 14) & _START_LEFT:
        return True
    m = b & (b >> 5)
    if m & (m >> 10) & _START_RIGHT:
        return True
    return False


def initial_state():
    return _INITIAL


def current_player(state):
    return state[2]


def legal_actions(state):
    occ = state[0] | state[1]
    return [
        *_EMPTY_A[occ & 4095],
        *_EMPTY_B[(occ >> 12) & 4095],
        *_EMPTY_C[occ >> 24],
    ]


def chance_outcomes(state):
    return []


def apply_action(state, action):
    x, o, mover, _ = state
    if mover == 0:
        x |= _BIT[action]
        if _has_line(x):
            return (x, o, -4, 0)
        if (x | o) == _FULL:
            return (x, o, -4, -1)
        return (x, o, 1, -1)
    o |= _BIT[action]
    if _has_line(o):
        return (x, o, -4, 1)
    if (x | o) == _FULL:
        return (x, o, -4, -1)
    return (x, o, 0, -1)


def returns(state):
    winner = state[3]
    if winner == 0:
        return [1.0, -1.0]
    if winner == 1:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _NAMES[state[2]][action]


def observation(state, player):
    x = state[0]
    o = state[1]
    return {
        "board": [
            _ROW[((x >> s) & 63) | (((o >> s) & 63) << 6)]
            for s in (0, 6, 12, 18, 24, 30)
        ]
    }
