NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 2
MAX_CHANCE_OUTCOMES = 6
MAX_GAME_LENGTH = 1000
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_WIN = 100
_HORIZON = 1000

# state: (current, turn_player, score0, score1, turn_total, action_count, rolling)
#   current: 0 / 1 (player to act), -1 (chance), -4 (game over)
#   rolling: 1 if a roll is pending (also kept when the horizon ends the game)

_INITIAL = (0, 0, 0, 0, 0, 0, 0)
_CHANCE = tuple((k, 1.0 / 6.0) for k in range(6))
_PLAYER_NAMES = ("roll", "stop")
_CHANCE_NAMES = tuple("Roll %d" % (k + 1) for k in range(6))


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    cur = state[0]
    if cur < 0:
        return []
    if state[2 + state[1]] + state[4] >= _WIN:
        return [1]
    return [0, 1]


def chance_outcomes(state):
    if state[0] != -1:
        return []
    return list(_CHANCE)


def apply_action(state, action):
    cur, turn, s0, s1, total, count, rolling = state
    if cur == -1:
        if action == 0:
            turn = 1 - turn
            return (turn, turn, s0, s1, 0, count, 0)
        return (turn, turn, s0, s1, total + action + 1, count, 0)
    count += 1
    if action == 0:
        return (-4 if count >= _HORIZON else -1,
                turn, s0, s1, total, count, 1)
    if turn == 0:
        s0 += total
        over = s0 >= _WIN
    else:
        s1 += total
        over = s1 >= _WIN
    turn = 1 - turn
    if over or count >= _HORIZON:
        return (-4, turn, s0, s1, 0, count, 0)
    return (turn, turn, s0, s1, 0, count, 0)


def returns(state):
    if state[0] == -4:
        if state[2] >= _WIN:
            return [1.0, -1.0]
        if state[3] >= _WIN:
            return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    if state[0] == -1:
        return _CHANCE_NAMES[action]
    return _PLAYER_NAMES[action]


def observation(state, player):
    return {"observation": "Scores: %d %d, Turn total: %d\nCurrent player: %d%s\n" % (
        state[2], state[3], state[4], state[1],
        " (rolling)" if state[6] else "")}
