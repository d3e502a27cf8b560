NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 110
MAX_CHANCE_OUTCOMES = 100
MAX_GAME_LENGTH = 4
MIN_UTILITY = 0.0
MAX_UTILITY = 1.0

# state: the tuple of everything played so far:
#   (deal, utterance 0, utterance 1, trade 0, trade 1), cut where the game is.

_CURRENT = (-1, 0, 1, 0, 1, -4)
_UTTERANCES = list(range(10))
_TRADES = list(range(10, 110))
_CHANCE = [(x, 0.01) for x in range(100)]
_CHANCE_NAMES = tuple("Allocate %d %d" % (x // 10, x % 10) for x in range(100))
_OFFERS = tuple("%d:%d" % (x // 10, x % 10) for x in range(100))
_ACTION_NAMES = (tuple("Utter %d" % u for u in range(10))
                 + tuple("Trade " + t for t in _OFFERS))
# the item of each player for each deal
_ITEM = (tuple(x // 10 for x in range(100)), tuple(x % 10 for x in range(100)))
# the trade of each player that is needed for success, for each deal
_NEED0 = tuple(10 + x for x in range(100))
_NEED1 = tuple(10 + 10 * (x % 10) + x // 10 for x in range(100))
_TURN = ("", "0", "1", "0", "1", "0")
_NO_OBSERVATION = "ChanceNode -- no observation"


def initial_state():
    return ()


def current_player(state):
    return _CURRENT[len(state)]


def legal_actions(state):
    n = len(state)
    if n == 1 or n == 2:
        return _UTTERANCES[:]
    if n == 3 or n == 4:
        return _TRADES[:]
    return []


def chance_outcomes(state):
    if state:
        return []
    return _CHANCE[:]


def apply_action(state, action):
    return state + (action,)


def returns(state):
    if len(state) == 5:
        x = state[0]
        if state[3] == _NEED0[x] and state[4] == _NEED1[x]:
            return [1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    if not state:
        return _CHANCE_NAMES[action]
    return _ACTION_NAMES[action]


def observation(state, player):
    n = len(state)
    if n == 0:
        return {"observation": _NO_OBSERVATION}
    item = _ITEM[player][state[0]]
    if n == 1:
        text = ("Current turn: 0\nMy item: %d\nPhase: comm\n"
                "Comm history: \nTrade history size: 0\n" % item)
    elif n == 2:
        text = ("Current turn: 1\nMy item: %d\nPhase: comm\n"
                "Comm history:  %d\nTrade history size: 0\n" % (item, state[1]))
    else:
        text = ("Current turn: %s\nMy item: %d\nPhase: trade\n"
                "Comm history:  %d %d\nTrade history size: %d\n"
                % (_TURN[n], item, state[1], state[2], n - 3))
        if n > 3 + player:
            text += "Observer's trade offer:  %s\n" % _OFFERS[state[3 + player] - 10]
            if n == 5:
                text += ("Other players's trade offer:  %s\n"
                         % _OFFERS[state[4 - player] - 10])
    return {"observation": text}


def information_state(state, player):
    n = len(state)
    if n == 0:
        return (player,)
    item = _ITEM[player][state[0]]
    if n == 4 and player == 1:
        return (player, item, state[1], state[2], -1)
    return (player, item) + state[1:]


def _offer_action(line):
    give, get = line.rsplit(" ", 1)[1].split(":")
    return 10 + 10 * int(give) + int(get)


def resample_state(player, history, rand):
    text = history[-1][0]["observation"]
    if text.startswith("ChanceNode"):
        return ()
    lines = text.split("\n")
    item = int(lines[1].rsplit(" ", 1)[1])
    other = int(rand() * 10)
    if player == 0:
        deal = 10 * item + other
    else:
        deal = 10 * other + item
    state = (deal,) + tuple([int(u) for u in lines[3][13:].split()])
    trades = int(lines[4].rsplit(" ", 1)[1])
    if trades == 0:
        return state
    if trades == 1:
        if player == 0:
            return state + (_offer_action(lines[5]),)
        return state + (10 + int(rand() * 100),)
    own = _offer_action(lines[5])
    others = _offer_action(lines[6])
    if player == 0:
        return state + (own, others)
    return state + (others, own)


def resample_history(player, history, rand):
    # a state is just the tuple of all that has been played
    return list(resample_state(player, history, rand))
