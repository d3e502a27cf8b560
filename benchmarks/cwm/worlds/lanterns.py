"""Lanterns: a game of our own of wind, oil and neighbours, written as a world model (`cwm.contract`).

Nothing is hidden, chance blows the wind. The game was made up for experiments, so that nobody can remember it; its
rules as text are `benchmarks/cwm/texts/full/lanterns.md`.
"""

NUM_PLAYERS = 2
HOUSES = 7
TURNS = 24
GOAL = 8
START_OIL = 2
CAN, SPILLED = 6, 3
TALLEST = 3

NUM_DISTINCT_ACTIONS = 3 * HOUSES + 1
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = TURNS
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

WIND_DUE, ACTION_DUE, OVER = 0, 1, 2
FETCH = 3 * HOUSES
_VERBS = ("light", "raise", "snuff")
_NAMES = tuple(f"{verb} {house + 1}" for verb in _VERBS for house in range(HOUSES)) + ("fetch",)
_WINDS = ((0, 0.4), (1, 0.3), (2, 0.2), (3, 0.1))
_BESIDE = tuple(tuple(b for b in (a - 1, a + 1) if 0 <= b < HOUSES) for a in range(HOUSES))


def initial_state():
    """(phase, turns taken, wind, houses, oil, points); a house holds the height of a lantern, player 1's negative."""
    return (WIND_DUE, 0, 0, (0,) * HOUSES, (START_OIL, START_OIL), (0, 0))


def current_player(state):
    return (-1, state[1] % 2, -4)[state[0]]


def legal_actions(state):
    _, turn, wind, houses, oil, _ = state
    player = turn % 2
    sign = 1 - 2 * player
    found = []
    for house in range(HOUSES):
        if oil[player] >= 1 and not houses[house] and (wind == 1 or not _shaded(houses, house, sign)):
            found.append(house)
    for house in range(HOUSES):
        height = houses[house] * sign
        if 0 < height < TALLEST and oil[player] >= height and wind != 4:
            found.append(HOUSES + house)
    for house in range(HOUSES):
        height = -houses[house] * sign
        beside = any(houses[other] * sign > 0 for other in _BESIDE[house])
        if 0 < height < wind and oil[player] >= 1 and beside:
            found.append(2 * HOUSES + house)
    return found + [FETCH]


def _shaded(houses, house, sign):
    return any(-houses[other] * sign >= 2 for other in _BESIDE[house])


def chance_outcomes(state):
    return list(_WINDS) if state[0] == WIND_DUE else []


def apply_action(state, action):
    phase, turn, wind, houses, oil, points = state
    if phase == WIND_DUE:
        return (ACTION_DUE, turn, action + 1, houses, oil, points)
    player = turn % 2
    sign = 1 - 2 * player
    houses, oil, points = list(houses), list(oil), list(points)
    _act(action, wind, player, sign, houses, oil)
    points[player] += _garland(houses, sign)
    if wind == 4:
        _gust(houses)
    turn += 1
    if turn % 2 == 0:
        _dusk(houses, points)
    over = turn == TURNS or (turn % 2 == 0 and max(points) >= GOAL)
    return (OVER if over else WIND_DUE, turn, 0, tuple(houses), tuple(oil), tuple(points))


def _act(action, wind, player, sign, houses, oil):
    if action == FETCH:
        oil[player] += wind
        if oil[player] > CAN:
            oil[player] = SPILLED
        return
    verb, house = divmod(action, HOUSES)
    if verb == 0:
        oil[player] -= 1
        houses[house] = sign
    elif verb == 1:
        oil[player] -= houses[house] * sign
        houses[house] += sign
    else:
        oil[player] -= 1
        houses[house] = 0
        near = [other for other in _BESIDE[house] if houses[other] * sign > 0]
        highest = max(near, key=lambda other: (houses[other] * sign, -other))
        houses[highest] -= sign


def _garland(houses, sign):
    """Takes the middle lantern of the first three in a row down; the points that the row earns."""
    for first in range(HOUSES - 2):
        row = houses[first : first + 3]
        if all(height * sign > 0 for height in row):
            houses[first + 1] = 0
            return 2 + sum(height * sign == TALLEST for height in row)
    return 0


def _gust(houses):
    """Lowers the tallest lanterns that stand alone; all at once."""
    alone = [
        house
        for house in range(HOUSES)
        if abs(houses[house]) == TALLEST and not any(houses[other] for other in _BESIDE[house])
    ]
    for house in alone:
        houses[house] -= 1 if houses[house] > 0 else -1


def _dusk(houses, points):
    best = (max(0, max(houses)), max(0, -min(houses)))
    if best[0] != best[1]:
        points[0 if best[0] > best[1] else 1] += 1


def returns(state):
    phase, _, _, _, oil, points = state
    if phase != OVER:
        return [0.0, 0.0]
    ahead = (points[0] - points[1]) or (oil[1] - oil[0])
    if not ahead:
        return [0.0, 0.0]
    return [1.0, -1.0] if ahead > 0 else [-1.0, 1.0]


def action_name(state, action):
    return f"wind {action + 1}" if state[0] == WIND_DUE else _NAMES[action]


def observation(state, player):
    phase, turn, wind, houses, oil, points = state
    return {
        "houses": ["-" if not height else "ab"[height < 0] + str(abs(height)) for height in houses],
        "oil": list(oil),
        "points": list(points),
        "wind": wind or None,
        "turns": turn,
    }
