NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 9
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 9
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_TERMINAL = -4
_FULL = 511

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


# _WIN[mask]: do the stones in mask contain a complete line?
_WIN = tuple(_has_line(m) for m in range(512))

# _EMPTY[mask]: the cells that are empty when mask is occupied, ascending
_EMPTY = tuple(
    tuple(c for c in range(9) if not (m >> c) & 1) for m in range(512)
)

_NAMES = tuple(
    tuple("%s(%d,%d)" % (stone, c // 3, c % 3) for c in range(9))
    for stone in "xo"
)


def _row_text(x_bits, o_bits):
    chars = []
    for c in range(3):
        if (x_bits >> c) & 1:
            chars.append("x")
        elif (o_bits >> c) & 1:
            chars.append("o")
        else:
            chars.append(".")
    return "".join(chars)


# _ROWS[x_bits][o_bits]: text of one row from its 3 bits of each player
_ROWS = tuple(
    tuple(_row_text(xb, ob) for ob in range(8)) for xb in range(8)
)

# state: (mask of x, mask of o, player to act or -4, winner or -1)
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
    x, o, player, _ = state
    if player < 0:
        raise ValueError("the game is over")
    if not 0 <= action < 9:
        raise ValueError("no such action")
    bit = 1 << action
    if (x | o) & bit:
        raise ValueError("the cell is not empty")
    if player == 0:
        x |= bit
        if _WIN[x]:
            return (x, o, _TERMINAL, 0)
        if x | o == _FULL:
            return (x, o, _TERMINAL, -1)
        return (x, o, 1, -1)
    o |= bit
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
            _ROWS[x & 7][o & 7],
            _ROWS[(x >> 3) & 7][(o >> 3) & 7],
            _ROWS[x >> 6][o >> 6],
        ]
    }
