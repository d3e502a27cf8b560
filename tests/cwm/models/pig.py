"""Pig for three players, first to 20 points or 40 moves, as a world model.

It is OpenSpiel's `pig(players=3,winscore=20,horizon=40)`. state = (scores, turn total, player whose
turn it is, whether the die is rolling, moves so far).
"""

NUM_PLAYERS = 3
NUM_DISTINCT_ACTIONS = 2
MAX_CHANCE_OUTCOMES = 6
MAX_GAME_LENGTH = 40
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_WIN_SCORE = 20
_HORIZON = 40
_ROLL, _STOP = 0, 1
_DIE = tuple((outcome, 1.0 / 6.0) for outcome in range(6))


def initial_state():
    return ((0,) * NUM_PLAYERS, 0, 0, False, 0)


def current_player(state):
    scores, _, player, rolling, moves = state
    if moves >= _HORIZON or max(scores) >= _WIN_SCORE:
        return -4
    return -1 if rolling else player


def legal_actions(state):
    scores, turn_total, player, _, _ = state
    return [_STOP] if scores[player] + turn_total >= _WIN_SCORE else [_ROLL, _STOP]


def chance_outcomes(state):
    return _DIE


def apply_action(state, action):
    scores, turn_total, player, rolling, moves = state
    following = (player + 1) % NUM_PLAYERS
    if rolling:
        if action == 0:
            return (scores, 0, following, False, moves)
        return (scores, turn_total + action + 1, player, False, moves)
    if action == _ROLL:
        return (scores, turn_total, player, True, moves + 1)
    scores = scores[:player] + (scores[player] + turn_total,) + scores[player + 1:]
    return (scores, 0, following, False, moves + 1)


def returns(state):
    scores = state[0]
    if max(scores) < _WIN_SCORE:
        return [0.0] * NUM_PLAYERS
    return [1.0 if score >= _WIN_SCORE else -1.0 / (NUM_PLAYERS - 1) for score in scores]


def action_name(state, action):
    if current_player(state) == -1:
        return "Roll %d" % (action + 1)
    return "roll" if action == _ROLL else "stop"


def observation(state, player):
    scores, turn_total, turn, rolling, _ = state
    return {"observation": "Scores: %s, Turn total: %d\nCurrent player: %d%s\n" % (
        " ".join(map(str, scores)), turn_total, turn, " (rolling)" if rolling else "")}
