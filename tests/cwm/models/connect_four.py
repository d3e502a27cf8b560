"""Connect four as a world model: state = (cells, heights, player to move or -4, winner or -1, legal).

`cells` holds the 6 rows of 7 cells, bottom row first: 0 is empty, else the player + 1. `heights` is for
each column the index of its lowest empty cell, `legal` the tuple of columns that are not full.
"""

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 7
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 42
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_TOP_ROW = 35


def _lines_through(cell):
    """The other three cells of each line that a stone dropped on `cell` can complete."""
    row, column = divmod(cell, 7)
    lines = []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for before in range(4):
            line = [(row + (step - before) * down, column + (step - before) * right)
                    for step in range(4)]
            if all(0 <= r < 6 and 0 <= c < 7 for r, c in line):
                lines.append(tuple(7 * r + c for r, c in line if (r, c) != (row, column)))
    return tuple(lines)


_LINES = tuple(_lines_through(cell) for cell in range(42))


def initial_state():
    return ((0,) * 42, tuple(range(7)), 0, -1, tuple(range(7)))


def current_player(state):
    return state[2]


def legal_actions(state):
    return state[4]


def chance_outcomes(state):
    return []


def apply_action(state, action):
    cells, heights, player, _, legal = state
    mark = player + 1
    cell = heights[action]
    following = cells[:cell] + (mark,) + cells[cell + 1:]
    heights = heights[:action] + (cell + 7,) + heights[action + 1:]
    if cell >= _TOP_ROW:
        legal = tuple([column for column in legal if column != action])
    for a, b, c in _LINES[cell]:
        if cells[a] == mark and cells[b] == mark and cells[c] == mark:
            return (following, heights, -4, player, legal)
    return (following, heights, 1 - player if legal else -4, -1, legal)


def returns(state):
    winner = state[3]
    return [0.0, 0.0] if winner < 0 else [1.0, -1.0] if winner == 0 else [-1.0, 1.0]


def action_name(state, action):
    return "xo"[state[2]] + str(action)


def observation(state, player):
    cells = "".join([".xo"[mark] for mark in state[0]])
    return {"board": [cells[start:start + 7] for start in range(_TOP_ROW, -1, -7)]}
