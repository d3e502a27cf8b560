NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 51
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 1000
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_COINS = 50
_HORIZON = 1000
_SIZE = 3
_MIDDLE = _SIZE + 1
_TOP = 2 * _SIZE + 2


def _field(position):
    cells = []
    for i in range(_TOP + 1):
        if i == position:
            cells.append("W")
        elif i == 0 or i == _TOP:
            cells.append("#")
        else:
            cells.append(".")
    return ", Field: " + "".join(cells) + "\n"


_FIELDS = tuple(_field(i) for i in range(_TOP + 1))
_NAMES = tuple(
    tuple("[P%d]Bid: %d" % (p, a) for a in range(_COINS + 1)) for p in range(2)
)

# state: (code, position, coins of player 0, coins of player 1, rounds, result of player 0)
_INITIAL = (-2, _MIDDLE, _COINS, _COINS, 0, 0.0)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    return []


def chance_outcomes(state):
    return []


def apply_action(state, action):
    raise ValueError("players choose at once: use apply_actions")


def player_legal_actions(state, player):
    if state[0] != -2:
        return []
    return list(range(state[2 + player] + 1))


def apply_actions(state, actions):
    _, pos, c0, c1, rounds, _ = state
    b0, b1 = actions
    if b0 > b1:
        pos += 1
    elif b0 < b1:
        pos -= 1
    c0 -= b0
    c1 -= b1
    rounds += 1
    if pos == _TOP:
        return (-4, pos, c0, c1, rounds, 1.0)
    if pos == 0:
        return (-4, pos, c0, c1, rounds, -1.0)
    if c0 == 0 and c1 == 0:
        if pos > _MIDDLE:
            result = 1.0
        elif pos < _MIDDLE:
            result = -1.0
        else:
            result = 0.0
        return (-4, pos, c0, c1, rounds, result)
    if rounds >= _HORIZON:
        return (-4, pos, c0, c1, rounds, 0.0)
    return (-2, pos, c0, c1, rounds, 0.0)


def returns(state):
    result = state[5]
    if result > 0.0:
        return [1.0, -1.0]
    if result < 0.0:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _NAMES[0][action]


def player_action_name(state, player, action):
    return _NAMES[player][action]


def observation(state, player):
    return {
        "observation": "Coins: %d %d%s" % (state[2], state[3], _FIELDS[state[1]])
    }
