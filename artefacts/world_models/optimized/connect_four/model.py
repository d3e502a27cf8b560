NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 7
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 42
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_ROWS = 6
_COLS = 7
_H = _ROWS + 1  # bits per column: 6 cells and one bit that is always empty

_BOTTOM = tuple(1 << (c * _H) for c in range(_COLS))
_COLUMN = tuple(((1 << _ROWS) - 1) << (c * _H) for c in range(_COLS))
_FULL = sum(_COLUMN)
_TOP = sum(1 << (c * _H + _ROWS - 1) for c in range(_COLS))
_SHIFTS = tuple(c * _H for c in range(_COLS))
_CELLS = (1 << _ROWS) - 1

_NAMES = (
    tuple("x" + str(c) for c in range(_COLS)),
    tuple("o" + str(c) for c in range(_COLS)),
)


def _make_legal():
    # occupied top cells -> columns that are not full
    table = {}
    for full in range(1 << _COLS):
        key = 0
        free = []
        for c in range(_COLS):
            if (full >> c) & 1:
                key |= 1 << (c * _H + _ROWS - 1)
            else:
                free.append(c)
        table[key] = tuple(free)
    return table


def _make_column_text():
    # (bits of x << 7 | bits of o) of one column -> its cells, top first
    table = {}
    for height in range(_ROWS + 1):
        filled = (1 << height) - 1
        for xs in range(1 << height):
            os_ = filled ^ xs
            chars = []
            for r in range(_ROWS - 1, -1, -1):
                if (xs >> r) & 1:
                    chars.append("x")
                elif (os_ >> r) & 1:
                    chars.append("o")
                else:
                    chars.append(".")
            table[(xs << 7) | os_] = "".join(chars)
    return table


_LEGAL = _make_legal()
_COLUMN_TEXT = _make_column_text()

# A state is (stones of x, stones of o, who acts: 0, 1 or -4, winner: 0, 1 or -1)
_INITIAL = (0, 0, 0, -1)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[2]


def legal_actions(state):
    return list(_LEGAL[(state[0] | state[1]) & _TOP])


def chance_outcomes(state):
    return []


def apply_action(state, action):
    xs, os_, who, _ = state
    if who < 0:
        raise ValueError("the game is over")
    mask = xs | os_
    bit = (mask + _BOTTOM[action]) & _COLUMN[action]
    if not bit:
        raise ValueError("the column is full")
    mask |= bit
    if who == 0:
        xs |= bit
        b = xs
    else:
        os_ |= bit
        b = os_
    # a win can only come from the stones of the player who just moved
    m = b & (b >> 1)  # along a column
    won = m & (m >> 2)
    if not won:
        m = b & (b >> 7)  # along a row
        won = m & (m >> 14)
        if not won:
            m = b & (b >> 6)  # diagonal, falling to the right
            won = m & (m >> 12)
            if not won:
                m = b & (b >> 8)  # diagonal, rising to the right
                won = m & (m >> 16)
    if won:
        return (xs, os_, -4, who)
    if mask == _FULL:
        return (xs, os_, -4, -1)
    return (xs, os_, 1 - who, -1)


def returns(state):
    winner = state[3]
    if winner < 0:
        return [0.0, 0.0]
    if winner == 0:
        return [1.0, -1.0]
    return [-1.0, 1.0]


def action_name(state, action):
    return _NAMES[1 if state[2] == 1 else 0][action]


def observation(state, player):
    xs = state[0]
    os_ = state[1]
    text = _COLUMN_TEXT
    columns = [
        text[(((xs >> s) & _CELLS) << 7) | ((os_ >> s) & _CELLS)] for s in _SHIFTS
    ]
    return {"board": ["".join(row) for row in zip(*columns)]}
