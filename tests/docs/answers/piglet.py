NUM_PLAYERS = 3
NUM_DISTINCT_ACTIONS = 2
MAX_CHANCE_OUTCOMES = 6
MAX_GAME_LENGTH = 27
MIN_UTILITY = 0.0
MAX_UTILITY = 36.0


def initial_state():
    return ((0, 0, 0), 0, 0, 0, False)


def current_player(state):
    if state[1] == 9:
        return -4
    return -1 if state[4] else state[1] % 3


def legal_actions(state):
    return [0, 1] if state[2] < 2 else [0]


def chance_outcomes(state):
    return [(face, 1 / 6) for face in range(6)]


def _ended(points, turn, won):
    mover = turn % 3
    return (points[:mover] + (points[mover] + won,) + points[mover + 1 :], turn + 1, 0, 0, False)


def apply_action(state, action):
    points, turn, throws, total, thrown = state
    if thrown:
        return _ended(points, turn, 0) if action == 0 else (points, turn, throws, total + action + 1, False)
    return (points, turn, throws + 1, total, True) if action else _ended(points, turn, total)


def returns(state):
    return [float(own) for own in state[0]] if state[1] == 9 else [0.0, 0.0, 0.0]


def action_name(state, action):
    return "die %d" % (action + 1) if state[4] else ("hold", "roll")[action]


def observation(state, player):
    points, turn, throws, total, thrown = state
    return {
        "observation": "points: %d %d %d; turns: %d; throws: %d; sum: %d; thrown: %s"
        % (points + (turn, throws, total, thrown))
    }
