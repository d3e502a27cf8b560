"""gen_tic_tac_toe of any size in the style of the contract, written by hand: how the cost of a search
grows with the board is measured on it. `benchmarks.search` puts other numbers into the next two lines."""
SIZE = 6
LENGTH = 4

CELLS = SIZE * SIZE
NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = CELLS
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = CELLS
MIN_UTILITY, MAX_UTILITY = -1.0, 1.0


def _lines_through():
    through = [[] for _ in range(CELLS)]
    for cell in range(CELLS):
        row, column = divmod(cell, SIZE)
        for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
            last_row, last_column = row + down * (LENGTH - 1), column + right * (LENGTH - 1)
            if last_row < SIZE and 0 <= last_column < SIZE:
                line = [(row + k * down) * SIZE + column + k * right for k in range(LENGTH)]
                for one in line:
                    through[one].append(tuple(other for other in line if other != one))
    return tuple(map(tuple, through))


LINES_THROUGH = _lines_through()


def initial_state():
    return (0, tuple(range(CELLS)), (0,) * CELLS, (0.0, 0.0))  # player, empty cells, board, returns


def current_player(state):
    return state[0]


def legal_actions(state):
    return list(state[1])


def chance_outcomes(state):
    return []


def apply_action(state, action):
    player, empty, board, _ = state
    mark = player + 1
    index = empty.index(action)
    empty = empty[:index] + empty[index + 1:]
    board = board[:action] + (mark,) + board[action + 1:]
    for line in LINES_THROUGH[action]:
        for cell in line:
            if board[cell] != mark:
                break
        else:
            return (-4, empty, board, (-1.0, 1.0) if player else (1.0, -1.0))
    return (1 - player if empty else -4, empty, board, (0.0, 0.0))


def returns(state):
    return list(state[3])


def action_name(state, action):
    return "xo"[state[0]] + "(%d,%d)" % divmod(action, SIZE)


def observation(state, player):
    board = "".join(".xo"[mark] for mark in state[2])
    return {"board": [board[start:start + SIZE] for start in range(0, CELLS, SIZE)]}
