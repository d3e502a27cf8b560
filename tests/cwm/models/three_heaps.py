"""Three heaps, three players: a small general-sum game without chance, for max^n search.

Players take turns to remove 1 to 3 stones from one of the heaps (3, 4, 2). Every stone is worth its
heap's number (1, 2 or 3) to the player who takes it; who takes the last stone of all pays 4.
Action = 3 * heap + stones - 1. state = (heaps, points, player to move or -4).
"""

NUM_PLAYERS = 3
NUM_DISTINCT_ACTIONS = 9
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 9
MIN_UTILITY = -4.0
MAX_UTILITY = 17.0


def initial_state():
    return ((3, 4, 2), (0, 0, 0), 0)


def current_player(state):
    return state[2]


def legal_actions(state):
    return [3 * heap + stones for heap, left in enumerate(state[0]) for stones in range(min(left, 3))]


def chance_outcomes(state):
    return []


def apply_action(state, action):
    heaps, points, player = state
    heap, stones = divmod(action, 3)
    stones += 1
    heaps = heaps[:heap] + (heaps[heap] - stones,) + heaps[heap + 1:]
    last = not any(heaps)
    gain = stones * (heap + 1) - (4 if last else 0)
    points = points[:player] + (points[player] + gain,) + points[player + 1:]
    return (heaps, points, -4 if last else (player + 1) % NUM_PLAYERS)


def returns(state):
    return [float(amount) for amount in state[1]]


def action_name(state, action):
    return "take %d from heap %d" % (action % 3 + 1, action // 3 + 1)


def observation(state, player):
    return {"heaps": list(state[0]), "points": list(state[1])}
