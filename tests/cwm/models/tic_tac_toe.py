"""Tic-tac-toe as a world model: state = (board of nine 0/1/2, player to move or -4, winner or -1)."""

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 9
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 9
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))
_THROUGH = tuple(tuple(line for line in _LINES if cell in line) for cell in range(9))


def initial_state():
    return ((0,) * 9, 0, -1)


def current_player(state):
    return state[1]


def legal_actions(state):
    return [cell for cell, mark in enumerate(state[0]) if not mark]


def chance_outcomes(state):
    return []


def apply_action(state, action):
    board, player, _ = state
    mark = player + 1
    board = board[:action] + (mark,) + board[action + 1:]
    for a, b, c in _THROUGH[action]:
        if board[a] == board[b] == board[c]:
            return (board, -4, player)
    return (board, 1 - player if 0 in board else -4, -1)


def returns(state):
    winner = state[2]
    return [0.0, 0.0] if winner < 0 else [1.0, -1.0] if winner == 0 else [-1.0, 1.0]


def action_name(state, action):
    return "xo"[state[1]] + "(%d,%d)" % divmod(action, 3)


def observation(state, player):
    rows = "".join(".xo"[mark] for mark in state[0])
    return {"board": [rows[start:start + 3] for start in (0, 3, 6)]}
