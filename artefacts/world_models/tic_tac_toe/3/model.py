NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 9
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 9
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_FULL = 511

# The eight lines as bit masks; cell = 3 * row + column, bit = 1 << cell.
_LINES = (
    0b000000111, 0b000111000, 0b111000000,   # rows
    0b001001001, 0b010010010, 0b100100100,   # columns
    0b100010001, 0b001010100,                # diagonals
)

# For each set of stones of one player: does it contain a line?
_HAS_LINE = tuple(
    any((mask & line) == line for line in _LINES) for mask in range(512)
)

# For each set of occupied cells: the empty cells, ascending.
_EMPTY = tuple(
    tuple(cell for cell in range(9) if not (mask >> cell) & 1)
    for mask in range(512)
)

_NAMES = tuple(
    tuple("%s(%d,%d)" % (stone, cell // 3, cell % 3) for cell in range(9))
    for stone in ("x", "o")
)


def _row_text(x_bits, o_bits):
    chars = []
    for col in range(3):
        if (x_bits >> col) & 1:
            chars.append("x")
        elif (o_bits >> col) & 1:
            chars.append("o")
        else:
            chars.append(".")
    return "".join(chars)


# _ROW[x_bits * 8 + o_bits]: the text of one row.
_ROW = tuple(_row_text(i >> 3, i & 7) for i in range(64))

# A state is (x_mask, o_mask, actor, winner):
#   actor  0 or 1 for the player to act, -4 when the game is over
#   winner 0 or 1, or -1 when nobody has won
_INITIAL = (0, 0, 0, -1)


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
    x_mask, o_mask, actor, _ = state
    if actor == 0:
        x_mask |= 1 << action
        if _HAS_LINE[x_mask]:
            return (x_mask, o_mask, -4, 0)
        if (x_mask | o_mask) == _FULL:
            return (x_mask, o_mask, -4, -1)
        return (x_mask, o_mask, 1, -1)
    if actor == 1:
        o_mask |= 1 << action
        if _HAS_LINE[o_mask]:
            return (x_mask, o_mask, -4, 1)
        if (x_mask | o_mask) == _FULL:
            return (x_mask, o_mask, -4, -1)
        return (x_mask, o_mask, 0, -1)
    raise ValueError("the game is over")


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
    x_mask = state[0]
    o_mask = state[1]
    return {
        "board": [
            _ROW[((x_mask & 7) << 3) | (o_mask & 7)],
            _ROW[(((x_mask >> 3) & 7) << 3) | ((o_mask >> 3) & 7)],
            _ROW[(((x_mask >> 6) & 7) << 3) | ((o_mask >> 6) & 7)],
        ]
    }
