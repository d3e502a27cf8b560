NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 10
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 9
MIN_UTILITY = -6.0
MAX_UTILITY = 6.0

# A state is the tuple of all actions so far:
# (load, bribe, answer, bribe, answer, bribe, answer, bribe, answer) or a beginning of it.

_CURRENT = (0, 0, 1, 0, 1, 0, 1, 0, 1, -4)

_LOAD = [2, 3, 4, 5]
_BRIBE = [6, 7, 8, 9]
_ANSWER = [0, 1]
_LEGAL = (_LOAD, _BRIBE, _ANSWER, _BRIBE, _ANSWER, _BRIBE, _ANSWER, _BRIBE, _ANSWER, [])

_NAMES = (
    "InspectionFeedback(will_inspect=False)",
    "InspectionFeedback(will_inspect=True)",
    "PlaceIllegalItems(num=0)",
    "PlaceIllegalItems(num=1)",
    "PlaceIllegalItems(num=2)",
    "PlaceIllegalItems(num=3)",
    "Bribe(amount=0)",
    "Bribe(amount=1)",
    "Bribe(amount=2)",
    "Bribe(amount=3)",
)

_PART = ("/feedback:0", "/feedback:1", "", "", "", "",
         "/bribe:0", "/bribe:1", "/bribe:2", "/bribe:3")

_CODE = {
    "feedback:0": 0,
    "feedback:1": 1,
    "bribe:0": 6,
    "bribe:1": 7,
    "bribe:2": 8,
    "bribe:3": 9,
}


def initial_state():
    return ()


def current_player(state):
    return _CURRENT[len(state)]


def legal_actions(state):
    return _LEGAL[len(state)][:]


def chance_outcomes(state):
    return []


def apply_action(state, action):
    return state + (action,)


def returns(state):
    if len(state) < 9:
        return [0.0, 0.0]
    items = state[0] - 2
    if state[8] == 0:
        bribe = state[7] - 6
        return [float(items - bribe), float(bribe)]
    if items == 0:
        return [3.0, -3.0]
    return [-2.0 * items, 2.0 * items]


def action_name(state, action):
    return _NAMES[action]


def observation(state, player):
    n = len(state)
    if player == 0:
        if n == 0:
            return {"information_state": "T=0 num_illegal_items:none"}
        text = "T=%d num_illegal_items:%d" % (n, state[0] - 2)
    else:
        text = "T=%d " % n
    if n > 1:
        part = _PART
        text += "".join([part[a] for a in state[1:]])
    return {"information_state": text}


def information_state(state, player):
    if player == 0:
        return (0, state)
    return (1, len(state), state[1:])


def resample_history(player, history, rand):
    parts = history[-1][0]["information_state"].split("/")
    head = parts[0]
    if head[2] == "0":
        return []
    if player == 0:
        result = [2 + int(head[-1])]
    else:
        result = [2 + int(rand() * 4)]
    code = _CODE
    for i in range(1, len(parts)):
        result.append(code[parts[i]])
    return result


def resample_state(player, history, rand):
    return tuple(resample_history(player, history, rand))
