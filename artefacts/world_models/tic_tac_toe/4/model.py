NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 9
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 9
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_TERMINAL = -4
_FULL = 511

# The eight lines as masks; cell (r, c) is bit 3 * r + c.
_LINES = (
    0b000000111, 0b000111000, 0b111000000,   # rows
    0b001001001, 0b010010010, 0b100100100,   # columns
    0b100010001, 0b001010100,                # diagonals: 0,4,8 and 2,4,6
)


def _has_line(mask):
    for line in _LINES:
        if mask & line == line:
            return True
    return False


def _row_text(x_bits, o_bits):
    chars = []
    for c in range(3):
        if x_bits >> c & 1:
            chars.append("x")
        elif o_bits >> c & 1:
            chars.append("o")
        else:
            chars.append(".")
    return "".join(chars)


# _WIN[mask]: does this set of stones contain a line?
_WIN = tuple(_has_line(m) for m in range(512))

# _EMPTY[occupied]: the empty cells, ascending.
_EMPTY = tuple(tuple(a for a in range(9) if not m >> a & 1) for m in range(512))

# _ROW[x_bits | o_bits << 3]: text of one row.
_ROW = tuple(_row_text(i & 7, i >> 3) for i in range(64))

# _NAMES[player][action]
_NAMES = tuple(
    tuple("%s(%d,%d)" % (s, a // 3, a % 3) for a in range(9)) for s in ("x", "o")
)

# State: (x_bits, o_bits, player to act or -4, winner or -1)
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
    x, o, player, winner = state
    if player == 0:
        x |= 1 << action
        if _WIN[x]:
            return (x, o, _TERMINAL, 0)
        if x | o == _FULL:
            return (x, o, _TERMINAL, -1)
        return (x, o, 1, -1)
    o |= 1 << action
    if _WIN[o]:
        return (x, o, _TERMINAL, 1)
    if x | o == _FULL:
        return (x, o, _TERMINAL, -1)
    return (x, o, 0, -1)


def returns(state):
    winner = state[3]
    if winner == 0:
        return [1.0, -1.0]
    if winner == 1:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _NAMES[1 if state[2] == 1 else 0][action]


def observation(state, player):
    x = state[0]
    o = state[1]
    return {
        "board": [
            _ROW[(x & 7) | (o & 7) << 3],
            _ROW[(x >> 3 & 7) | (o >> 3 & 7) << 3],
            _ROW[(x >> 6 & 7) | (o >> 6 & 7) << 3],
        ]
    }
