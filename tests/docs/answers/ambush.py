NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 8
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 3
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0


def initial_state():
    return (0, ())


def current_player(state):
    place, looks = state
    if not place:
        return 0
    return -4 if place in looks or len(looks) == 2 else 1


def legal_actions(state):
    place, looks = state
    if not place:
        return [0, 1, 2, 3]
    return [3 + other for other in (1, 2, 3, 4) if other not in looks]


def chance_outcomes(state):
    return []


def apply_action(state, action):
    place, looks = state
    return (action + 1, ()) if not place else (place, looks + (action - 3,))


def returns(state):
    if current_player(state) != -4:
        return [0.0, 0.0]
    return [-1.0, 1.0] if state[0] in state[1] else [1.0, -1.0]


def action_name(state, action):
    return "hide at %d" % (action + 1) if action < 4 else "look at %d" % (action - 3)


def observation(state, player):
    place, looks = state
    found = place in looks
    shown = place if place and (player == 0 or found) else None
    return {"place": shown, "looks": list(looks), "found": found}


def information_state(state, player):
    place, looks = state
    return (player, place if player == 0 or place in looks else bool(place), looks)


def resample_history(player, history, rand):
    place, looks = resample_state(player, history, rand)
    return ([place - 1] if place else []) + [3 + look for look in looks]


def resample_state(player, history, rand):
    seen = history[-1][0]
    looks = tuple(seen["looks"])
    place = seen["place"]
    if place is None and len(history) > 1:
        left = [other for other in (1, 2, 3, 4) if other not in looks]
        place = left[int(rand() * len(left))]
    return (place or 0, looks)
