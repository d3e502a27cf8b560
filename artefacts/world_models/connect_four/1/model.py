# Connect four: 6 rows, 7 columns, 4 in a row.
#
# State: (x, o, status)
#   x, o    bitboards of the two players; the cell in column c and row r
#           (r = 0 is the bottom row) is bit 7 * c + r; bit 7 * c + 6 is
#           never set and separates the columns
#   status  0: x to act, 1: o to act, 2: x has won, 3: o has won, 4: draw

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 7
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 42
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_ROWS = 6
_COLS = 7
_H = _ROWS + 1

_BOTTOM = tuple(1 << (_H * c) for c in range(_COLS))
_COLUMN = tuple(((1 << _ROWS) - 1) << (_H * c) for c in range(_COLS))
_FULL = sum(_COLUMN)
_TOP_BITS = tuple(1 << (_H * c + _ROWS - 1) for c in range(_COLS))
_TOP = sum(_TOP_BITS)


def _make_legal_table():
    table = {}
    for pattern in range(1 << _COLS):
        key = 0
        free = []
        for c in range(_COLS):
            if (pattern >> c) & 1:
                key |= _TOP_BITS[c]
            else:
                free.append(c)
        table[key] = tuple(free)
    return table


# occupied cells of the top row -> columns that are not full
_LEGAL = _make_legal_table()

_PLAYER = (0, 1, -4, -4, -4)

_RETURNS = (
    (0.0, 0.0),
    (0.0, 0.0),
    (1.0, -1.0),
    (-1.0, 1.0),
    (0.0, 0.0),
)

_NAMES = (
    tuple("x%d" % c for c in range(_COLS)),
    tuple("o%d" % c for c in range(_COLS)),
)

_SYMBOLS = str.maketrans("012", ".xo")

_INITIAL = (0, 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return _PLAYER[state[2]]


def legal_actions(state):
    if state[2] > 1:
        return []
    return list(_LEGAL[(state[0] | state[1]) & _TOP])


def chance_outcomes(state):
    return []


def apply_action(state, action):
    x, o, status = state
    mask = x | o
    bit = (mask + _BOTTOM[action]) & _COLUMN[action]
    if not bit or status > 1:
        raise ValueError("illegal action")
    if status == 0:
        x |= bit
        b = x
    else:
        o |= bit
        b = o
    # rows
    m = b & (b >> 7)
    if m & (m >> 14):
        return (x, o, status + 2)
    # columns
    m = b & (b >> 1)
    if m & (m >> 2):
        return (x, o, status + 2)
    # diagonals, rising to the right
    m = b & (b >> 8)
    if m & (m >> 16):
        return (x, o, status + 2)
    # diagonals, falling to the right
    m = b & (b >> 6)
    if m & (m >> 12):
        return (x, o, status + 2)
    if (mask | bit) == _FULL:
        return (x, o, 4)
    return (x, o, 1 - status)


def returns(state):
    return list(_RETURNS[state[2]])


def action_name(state, action):
    return _NAMES[state[2]][action]


def observation(state, player):
    # Decimal number whose digits are 0 (empty), 1 (x), 2 (o); the digit of
    # bit i stands at position 48 - i of the padded string.
    s = str(int(format(state[0], "b")) + 2 * int(format(state[1], "b")))
    s = s.zfill(49).translate(_SYMBOLS)
    return {
        "board": [
            s[43::-7],
            s[44::-7],
            s[45::-7],
            s[46::-7],
            s[47::-7],
            s[48::-7],
        ]
    }
