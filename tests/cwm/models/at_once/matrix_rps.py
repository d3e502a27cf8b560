"""Rock, paper, scissors, OpenSpiel's `matrix_rps`: one choice by both players at once.

state = (action of player 0, action of player 1), or () before it.
"""

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 1
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_NAMES = ("Rock", "Paper", "Scissors")


def initial_state():
    return ()


def current_player(state):
    return -4 if state else -2


def legal_actions(state):
    return []


def player_legal_actions(state, player):
    return [0, 1, 2]


def chance_outcomes(state):
    return []


def apply_action(state, action):
    raise ValueError("nobody acts in turn")


def apply_actions(state, actions):
    return tuple(actions)


def returns(state):
    if not state:
        return [0.0, 0.0]
    won = (0.0, 1.0, -1.0)[(state[0] - state[1]) % 3]
    return [won, -won]


def action_name(state, action):
    raise ValueError("nobody acts in turn")


def player_action_name(state, player, action):
    return _NAMES[action]


def observation(state, player):
    if not state:
        return {"observation": "Non-terminal"}
    return {"observation": "Terminal. History string: %d, %d" % state}
