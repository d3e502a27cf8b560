NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 66
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 1
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# A state is () before the joint move and (action0, action1) after it.

_COINS = 10

_LISTS = tuple(
    (a, b, _COINS - a - b)
    for a in range(_COINS + 1)
    for b in range(_COINS + 1 - a)
)

_NAMES = tuple("[%d,%d,%d]" % x for x in _LISTS)

_ACTIONS = tuple(range(len(_LISTS)))


def _value(x, y):
    diff = 0
    for i in range(3):
        if x[i] > y[i]:
            diff += 1
        elif x[i] < y[i]:
            diff -= 1
    if diff > 0:
        return 1.0
    if diff < 0:
        return -1.0
    return 0.0


def _make_values():
    return tuple(tuple(_value(x, y) for y in _LISTS) for x in _LISTS)


# player 0's return for each pair of actions
_VALUES = _make_values()


def initial_state():
    return ()


def current_player(state):
    return -4 if state else -2


def legal_actions(state):
    if state:
        return []
    return list(_ACTIONS)


def chance_outcomes(state):
    return []


def apply_action(state, action):
    # never called: no player acts in turn and there is no chance
    return state


def returns(state):
    if not state:
        return [0.0, 0.0]
    v = _VALUES[state[0]][state[1]]
    if v > 0:
        return [1.0, -1.0]
    if v < 0:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _NAMES[action]


def observation(state, player):
    if not state:
        return {"observation": "Non-terminal"}
    return {"observation": "Terminal. History string: %d, %d" % (state[0], state[1])}


def player_legal_actions(state, player):
    if state:
        return []
    return list(_ACTIONS)


def apply_actions(state, actions):
    return (actions[0], actions[1])


def player_action_name(state, player, action):
    return _NAMES[action]
