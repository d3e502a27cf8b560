NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 2
MAX_GAME_LENGTH = 2
MIN_UTILITY = 0.0
MAX_UTILITY = 10.0

# A state is the tuple of all actions so far: (c0, c1, a0, a1) or a beginning of it.

_PAYOFF = (10.0, 0.0, 0.0, 4.0, 8.0, 4.0, 10.0, 0.0, 0.0,
           0.0, 0.0, 10.0, 4.0, 8.0, 4.0, 0.0, 0.0, 10.0,
           0.0, 0.0, 10.0, 4.0, 8.0, 4.0, 0.0, 0.0, 0.0,
           10.0, 0.0, 0.0, 4.0, 8.0, 4.0, 10.0, 0.0, 0.0)

_CURRENT = (-1, -1, 0, 1, -4)

_NAMES = (
    ("d0", "d1"),
    ("d0", "d1"),
    ("p0a0", "p0a1", "p0a2"),
    ("p1a0", "p1a1", "p1a2"),
)


def initial_state():
    return ()


def current_player(state):
    return _CURRENT[len(state)]


def legal_actions(state):
    return [0, 1, 2]


def chance_outcomes(state):
    return [(0, 0.5), (1, 0.5)]


def apply_action(state, action):
    return state + (action,)


def returns(state):
    if len(state) < 4:
        return [0.0, 0.0]
    c0, c1, a0, a1 = state
    v = _PAYOFF[((c0 * 2 + c1) * 3 + a0) * 3 + a1]
    return [v, v]


def action_name(state, action):
    return _NAMES[len(state)][action]


def observation(state, player):
    n = len(state)
    if n <= player:
        return {"observation": "p%d" % player}
    text = "p%d:d%d" % (player, state[player])
    if n > 2:
        text += " p0:a%d" % state[2]
        if n > 3:
            text += " p1:a%d" % state[3]
    return {"observation": text}


def information_state(state, player):
    n = len(state)
    if n <= player:
        return (player, n)
    return (player, n, state[player]) + state[2:]


def resample_history(player, history, rand):
    n = len(history) - 1
    text = history[-1][0]["observation"]
    result = []
    if n > 0:
        if player == 0:
            result.append(int(text[4]))
        else:
            result.append(int(rand() * 2))
        if n > 1:
            if player == 1:
                result.append(int(text[4]))
            else:
                result.append(int(rand() * 2))
            if n > 2:
                result.append(int(text[10]))
                if n > 3:
                    result.append(int(text[16]))
    return result


def resample_state(player, history, rand):
    return tuple(resample_history(player, history, rand))
