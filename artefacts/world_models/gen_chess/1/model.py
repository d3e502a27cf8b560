NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 626
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 100
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_N = 5
_CELLS = 25
_PASS = 625
_OVER = -4

# steps as (rows forward, columns to the right)
_STEPS = {
    'G': ((1, 0), (-1, 0), (0, -1), (0, 1), (0, -2), (0, 2)),
    'I': ((1, 0), (2, 0), (1, -1), (1, 1), (-1, 0)),
    'C': ((0, 3), (1, 2), (2, 1), (3, 0)),
}

_OWN = ('GIC', 'gic')


def _build_moves():
    table = {}
    for kind, steps in _STEPS.items():
        for char, sign in ((kind, 1), (kind.lower(), -1)):
            per_cell = []
            for start in range(_CELLS):
                row, col = divmod(start, _N)
                targets = []
                for forward, right in steps:
                    r = row + sign * forward
                    c = col + right
                    if 0 <= r < _N and 0 <= c < _N:
                        targets.append(r * _N + c)
                targets.sort()
                per_cell.append(tuple((t, start * _CELLS + t) for t in targets))
            table[char] = tuple(per_cell)
    return table


_MOVES = _build_moves()

_CELL_NAMES = tuple('abcde'[i % _N] + '12345'[i // _N] for i in range(_CELLS))
_NAMES = tuple(
    _CELL_NAMES[a // _CELLS] + '-' + _CELL_NAMES[a % _CELLS] for a in range(_PASS)
) + ('pass',)

# state: (board, plies, player to act or -4, cells of player 0,
#         cells of player 1, winner or -1)
_INITIAL = (
    'CIGIC' + '.' * 15 + 'cigic',
    0,
    0,
    (0, 1, 2, 3, 4),
    (20, 21, 22, 23, 24),
    -1,
)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[2]


def legal_actions(state):
    player = state[2]
    if player < 0:
        return []
    board = state[0]
    own = _OWN[player]
    moves = _MOVES
    result = []
    for start in state[3 + player]:
        for target, action in moves[board[start]][start]:
            if board[target] not in own:
                result.append(action)
    if not result:
        result.append(_PASS)
    return result


def chance_outcomes(state):
    return []


def apply_action(state, action):
    board, plies, player, cells0, cells1, _ = state
    plies += 1
    following = 1 - player if plies < MAX_GAME_LENGTH else _OVER
    if action == _PASS:
        return (board, plies, following, cells0, cells1, -1)

    start, target = divmod(action, _CELLS)
    piece = board[start]
    captured = board[target]
    if start < target:
        new_board = (board[:start] + '.' + board[start + 1:target]
                     + piece + board[target + 1:])
    else:
        new_board = (board[:target] + piece + board[target + 1:start]
                     + '.' + board[start + 1:])

    if player == 0:
        cells0 = tuple(sorted([target if x == start else x for x in cells0]))
        if captured != '.':
            cells1 = tuple([x for x in cells1 if x != target])
            if captured == 'g':
                return (new_board, plies, _OVER, cells0, cells1, 0)
    else:
        cells1 = tuple(sorted([target if x == start else x for x in cells1]))
        if captured != '.':
            cells0 = tuple([x for x in cells0 if x != target])
            if captured == 'G':
                return (new_board, plies, _OVER, cells0, cells1, 1)
    return (new_board, plies, following, cells0, cells1, -1)


def returns(state):
    winner = state[5]
    if winner == 0:
        return [1.0, -1.0]
    if winner == 1:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _NAMES[action]


def observation(state, player):
    board = state[0]
    return {
        'board': [board[20:25], board[15:20], board[10:15], board[5:10], board[0:5]],
        'plies': state[1],
    }
