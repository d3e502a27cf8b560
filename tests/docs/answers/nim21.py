NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 21
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0


def initial_state():
    return (21, 0)


def current_player(state):
    return -4 if state[0] == 0 else state[1]


def legal_actions(state):
    return list(range(min(3, state[0])))


def chance_outcomes(state):
    return []


def apply_action(state, action):
    return (state[0] - action - 1, 1 - state[1])


def returns(state):
    if state[0]:
        return [0.0, 0.0]
    return [1.0, -1.0] if state[1] == 0 else [-1.0, 1.0]


def action_name(state, action):
    return "take %d" % (action + 1)


def observation(state, player):
    return {"matches": state[0]}
