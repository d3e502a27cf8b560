"""Sowing: three players sow at once under a weather that they know, then the richest one may share; a game of our own.

In each of two rounds the weather is drawn (and in a storm its strength, too). Then all who have grain left choose at once
how much to sow, at most 2; equal amounts of two players cost each of them 0.1. At last the player who has earned most, the
first of several, acts alone: it keeps, or gives 0.2 to each of the others, which the weather of good years pays back.

state = (round, weather or -1, strength or -1, grain of each player, tenths earned by each player, whether all have sown)
"""

NUM_PLAYERS = 3
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 3
MAX_GAME_LENGTH = 4
MIN_UTILITY = -2.0
MAX_UTILITY = 12.0

_WEATHER = ("fair", "dry", "storm")
_CHANCES = (0.5, 0.3, 0.2)
_STRENGTHS = (0.25, 0.75)
_TENTHS = (17, 9, 4)


def initial_state():
    return (0, -1, -1, (3, 2, 1), (0, 0, 0), False)


def current_player(state):
    number, weather, strength, grain, earned, sown = state
    if number == 2:
        return -4
    if weather < 0 or (weather == 2 and strength < 0):
        return -1
    if not sown and any(grain):
        return -2
    return earned.index(max(earned))


def legal_actions(state):
    return [0, 2]


def player_legal_actions(state, player):
    return list(range(min(state[3][player], 2) + 1)) if state[3][player] else []


def chance_outcomes(state):
    return list(enumerate(_CHANCES if state[1] < 0 else _STRENGTHS))


def apply_action(state, action):
    number, weather, strength, grain, earned, sown = state
    if weather < 0:
        return (number, action, -1, grain, earned, False)
    if weather == 2 and strength < 0:
        return (number, weather, action, grain, earned, False)
    if action == 2:
        giver = earned.index(max(earned))
        back = 7 if weather == 0 else 0
        earned = tuple(own - 4 + back if player == giver else own + 2 for player, own in enumerate(earned))
    return (number + 1, -1, -1, grain, earned, False)


def apply_actions(state, actions):
    number, weather, strength, grain, earned, _ = state
    sown = [max(action, 0) for action in actions]
    gain = _TENTHS[weather] - (3 if strength == 1 else 0)
    grain = tuple(own - amount for own, amount in zip(grain, sown))
    earned = tuple(
        own + amount * gain - (1 if amount and sown.count(amount) > 1 else 0)
        for own, amount in zip(earned, sown)
    )
    return (number, weather, strength, grain, earned, True)


def returns(state):
    return [tenths / 10.0 for tenths in state[4]]


def action_name(state, action):
    if state[1] < 0:
        return _WEATHER[action]
    if current_player(state) == -1:
        return "strength %d" % action
    return "share" if action else "keep"


def player_action_name(state, player, action):
    return "player %d sows %d" % (player, action)


def observation(state, player):
    return {
        "round": state[0],
        "weather": None if state[1] < 0 else _WEATHER[state[1]],
        "strength": state[2],
        "grain": list(state[3]),
        "earned": list(returns(state)),
        "sown": state[5],
    }
