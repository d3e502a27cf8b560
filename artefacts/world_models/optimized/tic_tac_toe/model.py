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

_NAMES = tuple(
    tuple("%s(%d,%d)" % (stone, c // 3, c % 3) for c in range(9))
    for stone in "xo"
)


def _has_line(mask):
    for line in _LINE_MASKS:
        if mask & line == line:
            return True
    return False


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


def _build():
    win = [_has_line(m) for m in range(512)]
    # the empty cells of each occupied mask, ascending
    empty = [[c for c in range(9) if not (m >> c) & 1] for m in range(512)]
    row_texts = [[_row_text(xb, ob) for ob in range(8)] for xb in range(8)]

    nothing = []
    no_moves = (0,) * 18
    x_wins = [1.0, -1.0]
    o_wins = [-1.0, 1.0]
    draw = [0.0, 0.0]

    # entry 0 of every table is a filler, the initial state is number 1
    boards = [(0, 0), (0, 0)]
    numbers = {(0, 0): 1}
    players = [_TERMINAL]
    legal = [nothing]
    following = [no_moves]
    results = [draw]
    names = [_NAMES[0]]
    rows = [nothing]

    at = 1
    while at < len(boards):
        x, o = boards[at]
        at += 1
        rows.append([
            row_texts[x & 7][o & 7],
            row_texts[(x >> 3) & 7][(o >> 3) & 7],
            row_texts[x >> 6][o >> 6],
        ])
        occupied = x | o
        x_won = win[x]
        o_won = win[o]
        if x_won or o_won or occupied == _FULL:
            players.append(_TERMINAL)
            legal.append(nothing)
            following.append(no_moves)
            names.append(_NAMES[0])
            if x_won:
                results.append(x_wins)
            elif o_won:
                results.append(o_wins)
            else:
                results.append(draw)
            continue
        player = bin(occupied).count("1") & 1
        cells = empty[occupied]
        successors = [0] * 18
        for c in cells:
            if player == 0:
                board = (x | (1 << c), o)
            else:
                board = (x, o | (1 << c))
            number = numbers.get(board)
            if number is None:
                number = len(boards)
                numbers[board] = number
                boards.append(board)
            successors[c] = number
        players.append(player)
        legal.append(cells)
        following.append(tuple(successors))
        results.append(draw)
        names.append(_NAMES[player])

    return (
        tuple(players), tuple(legal), tuple(following),
        tuple(results), tuple(names), tuple(rows),
    )


# All tables are indexed by the number of the state:
# _PLAYER: player to act or -4
# _LEGAL: list of legal actions (copied before it is handed out)
# _NEXT: 18 entries, number of the next state by action, 0 if there is none;
#        the last 9 entries catch the negative indices -9 .. -1
# _RETURNS: list of returns (copied before it is handed out)
# _NAMES_OF: names of the actions of the player to act
# _BOARD: list of the three row texts (copied before it is handed out)
_PLAYER, _LEGAL, _NEXT, _RETURNS, _NAMES_OF, _BOARD = _build()


def initial_state():
    return 1


def current_player(state):
    return _PLAYER[state]


def legal_actions(state):
    return _LEGAL[state].copy()


def chance_outcomes(state):
    return []


def apply_action(state, action):
    try:
        after = _NEXT[state][action]
        if after:
            return after
    except IndexError:
        pass
    if _PLAYER[state] < 0:
        raise ValueError("the game is over")
    if not 0 <= action < 9:
        raise ValueError("no such action")
    raise ValueError("the cell is not empty")


def returns(state):
    return _RETURNS[state].copy()


def action_name(state, action):
    return _NAMES_OF[state][action]


def observation(state, player):
    return {"board": _BOARD[state].copy()}
