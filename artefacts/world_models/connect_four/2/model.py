"""Connect four: 6 rows, 7 columns, 4 in a row.

State: (x_bits, o_bits, player, full, score)
  x_bits, o_bits  bitboards; the cell in column c and height h (0 = bottom)
                  is bit c * 7 + h; bit c * 7 + 6 is always empty
  player          0 or 1 to act, -4 when the game is over
  full            bit c is set when column c is full
  score           result of player 0: 1, -1 or 0
"""

ROWS = 6
COLS = 7
STRIDE = ROWS + 1

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = COLS
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = ROWS * COLS
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_TERMINAL = -4
_ALL_FULL = (1 << COLS) - 1

_BOTTOM = tuple(1 << (c * STRIDE) for c in range(COLS))
_COLUMN = tuple(((1 << ROWS) - 1) << (c * STRIDE) for c in range(COLS))
_TOP = tuple(1 << (c * STRIDE + ROWS - 1) for c in range(COLS))

# Legal actions for every set of full columns.
_LEGAL = tuple(
    tuple(c for c in range(COLS) if not (full >> c) & 1)
    for full in range(1 << COLS)
)

_NAMES = (
    tuple("x" + str(c) for c in range(COLS)),
    tuple("o" + str(c) for c in range(COLS)),
)

# Bits of the cells of each row, top row first, each from left to right.
_ROW_BITS = tuple(
    tuple(1 << (c * STRIDE + h) for c in range(COLS))
    for h in range(ROWS - 1, -1, -1)
)

_INITIAL = (0, 0, 0, 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[2]


def legal_actions(state):
    if state[2] < 0:
        return []
    return list(_LEGAL[state[3]])


def chance_outcomes(state):
    return []


def apply_action(state, action):
    x, o, player, full, score = state
    if player < 0:
        raise ValueError("the game is over")
    # Adding the bottom bit carries to the lowest empty cell of the column.
    bit = ((x | o) + _BOTTOM[action]) & _COLUMN[action]
    if not bit:
        raise ValueError("the column is full")
    if bit & _TOP[action]:
        full |= 1 << action

    if player == 0:
        x |= bit
        own = x
    else:
        o |= bit
        own = o

    # Four in a line: column, row, and both diagonals.
    m = own & (own >> 1)
    won = m & (m >> 2)
    if not won:
        m = own & (own >> 7)
        won = m & (m >> 14)
        if not won:
            m = own & (own >> 6)
            won = m & (m >> 12)
            if not won:
                m = own & (own >> 8)
                won = m & (m >> 16)

    if won:
        return (x, o, _TERMINAL, full, 1 if player == 0 else -1)
    if full == _ALL_FULL:
        return (x, o, _TERMINAL, full, 0)
    return (x, o, 1 - player, full, 0)


def returns(state):
    score = state[4]
    if score == 0:
        return [0.0, 0.0]
    if score > 0:
        return [1.0, -1.0]
    return [-1.0, 1.0]


def action_name(state, action):
    return _NAMES[state[2]][action]


def observation(state, player):
    x = state[0]
    o = state[1]
    return {
        "board": [
            "".join(
                ["x" if x & b else ("o" if o & b else ".") for b in row]
            )
            for row in _ROW_BITS
        ]
    }
