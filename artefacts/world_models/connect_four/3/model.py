NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 7
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 42
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_ROWS = 6
_COLS = 7
_H = _ROWS + 1  # bits per column, the uppermost one always empty

# lowest cell of each column, and all the cells of each column
_BOTTOM = tuple(1 << (_H * c) for c in range(_COLS))
_COLUMN = tuple(((1 << _ROWS) - 1) << (_H * c) for c in range(_COLS))
_FULL = sum(_COLUMN)
_TOP = sum(1 << (_H * c + _ROWS - 1) for c in range(_COLS))


def _build_legal():
    table = {}
    for bits in range(1 << _COLS):
        key = 0
        moves = []
        for c in range(_COLS):
            if (bits >> c) & 1:
                key |= 1 << (_H * c + _ROWS - 1)
            else:
                moves.append(c)
        table[key] = tuple(moves)
    return table


# occupied cells of the top row -> columns that are not full
_LEGAL = _build_legal()


def _build_column_text():
    table = []
    for xs in range(1 << _ROWS):
        for os_ in range(1 << _ROWS):
            chars = []
            for h in range(_ROWS - 1, -1, -1):
                if (xs >> h) & 1:
                    chars.append('x')
                elif (os_ >> h) & 1:
                    chars.append('o')
                else:
                    chars.append('.')
            table.append(''.join(chars))
    return tuple(table)


# (x cells << 6 | o cells) of one column -> its text, top cell first
_COLUMN_TEXT = _build_column_text()

_NAMES = (
    tuple('x' + str(c) for c in range(_COLS)),
    tuple('o' + str(c) for c in range(_COLS)),
)

_SHIFTS = tuple(_H * c for c in range(_COLS))

_INITIAL = (0, 0, 0, -1)


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
    xs, os_, player, _ = state
    if player < 0:
        raise ValueError('the game is over')
    mask = xs | os_
    bit = (mask + _BOTTOM[action]) & _COLUMN[action]
    if not bit:
        raise ValueError('the column is full')
    if player == 0:
        xs |= bit
        p = xs
    else:
        os_ |= bit
        p = os_

    # column
    m = p & (p >> 1)
    won = m & (m >> 2)
    if not won:
        # row
        m = p & (p >> 7)
        won = m & (m >> 14)
        if not won:
            # falling diagonal
            m = p & (p >> 6)
            won = m & (m >> 12)
            if not won:
                # rising diagonal
                m = p & (p >> 8)
                won = m & (m >> 16)
    if won:
        return (xs, os_, -4, player)
    if (mask | bit) == _FULL:
        return (xs, os_, -4, -1)
    return (xs, os_, 1 - player, -1)


def returns(state):
    w = state[3]
    if w < 0:
        return [0.0, 0.0]
    if w == 0:
        return [1.0, -1.0]
    return [-1.0, 1.0]


def action_name(state, action):
    return _NAMES[state[2]][action]


def observation(state, player):
    xs = state[0]
    os_ = state[1]
    text = _COLUMN_TEXT
    columns = [text[(((xs >> s) & 63) << 6) | ((os_ >> s) & 63)] for s in _SHIFTS]
    return {'board': [''.join(row) for row in zip(*columns)]}
