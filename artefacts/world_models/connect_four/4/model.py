"""Connect four: 6 rows, 7 columns, 4 in a row."""

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 7
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 42
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_ROWS = 6
_COLS = 7
_H = _ROWS + 1  # bits per column, the uppermost one is always empty

_BOTTOM = tuple(1 << (_H * c) for c in range(_COLS))
_COLUMN = tuple(((1 << _ROWS) - 1) << (_H * c) for c in range(_COLS))
_FULL = sum(_COLUMN)
_TOP = sum(1 << (_H * c + _ROWS - 1) for c in range(_COLS))


def _make_legal_table():
    table = {}
    for subset in range(1 << _COLS):
        key = 0
        cols = []
        for c in range(_COLS):
            if (subset >> c) & 1:
                key |= 1 << (_H * c + _ROWS - 1)
            else:
                cols.append(c)
        table[key] = tuple(cols)
    return table


# occupied cells of the top row -> columns that are not full
_LEGAL = _make_legal_table()

_NAMES = (
    tuple("x%d" % c for c in range(_COLS)),
    tuple("o%d" % c for c in range(_COLS)),
)

_CHARS = str.maketrans("012", ".xo")

# A state is (bits of x, bits of o, player to act or -4, result);
# result: 1 x has won, -1 o has won, 0 otherwise.
_INITIAL = (0, 0, 0, 0)


def _has_line(b):
    m = b & (b >> 7)       # along a row
    if m & (m >> 14):
        return True
    m = b & (b >> 1)       # along a column
    if m & (m >> 2):
        return True
    m = b & (b >> 6)       # diagonal
    if m & (m >> 12):
        return True
    m = b & (b >> 8)       # other diagonal
    if m & (m >> 16):
        return True
    return False


def initial_state():
    return _INITIAL


def current_player(state):
    return state[2]


def legal_actions(state):
    if state[2] < 0:
        return []
    return list(_LEGAL[(state[0] | state[1]) & _TOP])


def chance_outcomes(state):
    return []


def apply_action(state, action):
    b0, b1, player, _ = state
    if player < 0:
        raise ValueError("the game is over")
    mask = b0 | b1
    stone = (mask + _BOTTOM[action]) & _COLUMN[action]
    if not stone:
        raise ValueError("the column is full")
    if player == 0:
        b0 |= stone
        if _has_line(b0):
            return (b0, b1, -4, 1)
        if (mask | stone) == _FULL:
            return (b0, b1, -4, 0)
        return (b0, b1, 1, 0)
    b1 |= stone
    if _has_line(b1):
        return (b0, b1, -4, -1)
    if (mask | stone) == _FULL:
        return (b0, b1, -4, 0)
    return (b0, b1, 0, 0)


def returns(state):
    result = state[3]
    if result == 0:
        return [0.0, 0.0]
    if result > 0:
        return [1.0, -1.0]
    return [-1.0, 1.0]


def action_name(state, action):
    return _NAMES[state[2]][action]


def observation(state, player):
    # Decimal digits 0, 1, 2 per bit: empty, x, o.
    number = int(format(state[0], "b")) + 2 * int(format(state[1], "b"))
    cells = str(number).zfill(49)[::-1].translate(_CHARS)
    return {
        "board": [
            cells[5::7],
            cells[4::7],
            cells[3::7],
            cells[2::7],
            cells[1::7],
            cells[0::7],
        ]
    }
