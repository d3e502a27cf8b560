"""Connect four in the style that models are asked not to write: dicts, deep copies, full scans.

The yardstick of what the style of the contract, and a rewriting for speed, are worth.
"""
import copy

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 7
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 42
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0


def initial_state():
    return {"board": [["." for _ in range(7)] for _ in range(6)], "to_move": 0}


def _winner(state):
    board = state["board"]
    for row in range(6):
        for column in range(7):
            for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
                cells = [(row + i * down, column + i * right) for i in range(4)]
                if all(0 <= r < 6 and 0 <= c < 7 for r, c in cells):
                    stones = {board[r][c] for r, c in cells}
                    if len(stones) == 1 and "." not in stones:
                        return "xo".index(stones.pop())
    return None


def current_player(state):
    if _winner(state) is not None or all(cell != "." for cell in state["board"][0]):
        return -4
    return state["to_move"]


def legal_actions(state):
    return [column for column in range(7) if state["board"][0][column] == "."]


def chance_outcomes(state):
    return []


def apply_action(state, action):
    after = copy.deepcopy(state)
    for row in range(5, -1, -1):
        if after["board"][row][action] == ".":
            after["board"][row][action] = "xo"[after["to_move"]]
            break
    after["to_move"] = 1 - after["to_move"]
    return after


def returns(state):
    winner = _winner(state)
    return [0.0, 0.0] if winner is None else [1.0, -1.0] if winner == 0 else [-1.0, 1.0]


def action_name(state, action):
    return "xo"[state["to_move"]] + str(action)


def observation(state, player):
    return {"board": ["".join(row) for row in state["board"]]}
