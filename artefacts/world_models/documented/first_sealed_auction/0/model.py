NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 10
MAX_CHANCE_OUTCOMES = 11
MAX_GAME_LENGTH = 2
MIN_UTILITY = 0.0
MAX_UTILITY = 10.0

# A state is the tuple of what has happened so far:
# (value of 0, value of 1, bid of 0, bid of 1, winner), cut at the present point.
# As the recorded games show, the winner is always chosen by a chance event;
# it has a single outcome unless the bids are equal.

_PLAYER = (-1, -1, 0, 1, -1, -4)
_VALUES = tuple((v, 0.1) for v in range(1, 11))
_PREFIX = ("Player 0 value: ", "Player 1 value: ", "Player 0 bid: ",
           "Player 1 bid: ", "Chose winner ")
_TEXT = tuple(str(i) for i in range(11))


def initial_state():
    return ()


def current_player(state):
    return _PLAYER[len(state)]


def legal_actions(state):
    n = len(state)
    if n == 2:
        return list(range(state[0]))
    if n == 3:
        return list(range(state[1]))
    return []


def chance_outcomes(state):
    n = len(state)
    if n < 2:
        return list(_VALUES)
    if n == 4:
        b0 = state[2]
        b1 = state[3]
        if b0 > b1:
            return [(0, 1.0)]
        if b1 > b0:
            return [(1, 1.0)]
        return [(0, 0.5), (1, 0.5)]
    return []


def apply_action(state, action):
    return state + (action,)


def returns(state):
    if len(state) < 5:
        return [0.0, 0.0]
    if state[4] == 0:
        return [float(state[0] - state[2]), 0.0]
    return [0.0, float(state[1] - state[3])]


def action_name(state, action):
    return _PREFIX[len(state)] + _TEXT[action]


def observation(state, player):
    if len(state) > player:
        return {"observation": _TEXT[state[player]]}
    return {"observation": ""}


def information_state(state, player):
    n = len(state)
    return (player, n,
            state[player] if n > player else 0,
            state[2 + player] if n > 2 + player else -1)


def _draw(player, history, rand):
    n = len(history) - 1          # number of events so far
    acts = []
    for i in range(min(n, 2)):
        if i == player:
            acts.append(int(history[i + 1][0]["observation"]))
        else:
            acts.append(1 + int(rand() * 10))
    for i in range(2, min(n, 4)):
        if i - 2 == player:
            acts.append(int(history[i][1].rsplit(" ", 1)[1]))
        else:
            acts.append(int(rand() * acts[i - 2]))
    if n > 4:
        if acts[2] > acts[3]:
            acts.append(0)
        elif acts[3] > acts[2]:
            acts.append(1)
        else:
            acts.append(int(rand() * 2))
    return acts


def resample_history(player, history, rand):
    return _draw(player, history, rand)


def resample_state(player, history, rand):
    return tuple(_draw(player, history, rand))
