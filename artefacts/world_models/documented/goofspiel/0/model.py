NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 13
MAX_CHANCE_OUTCOMES = 13
MAX_GAME_LENGTH = 12
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_N = 13
_FULL = (1 << _N) - 1


def _build_tables():
    legal = []
    chance = []
    rem_text = []
    hand_text = []
    for mask in range(1 << _N):
        bits = tuple(k for k in range(_N) if (mask >> k) & 1)
        legal.append(bits)
        n = len(bits)
        if n:
            p = 1.0 / n
            chance.append(tuple((k, p) for k in bits))
        else:
            chance.append(())
        rem_text.append("".join(str(k + 1) for k in bits))
        hand_text.append("".join(str(k + 1) + " " for k in bits))
    return tuple(legal), tuple(chance), tuple(rem_text), tuple(hand_text)


_LEGAL, _CHANCE, _REM_TEXT, _HAND_TEXT = _build_tables()

_DEAL_NAMES = tuple("Deal %d" % (k + 1) for k in range(_N))
_BID_NAMES = tuple(
    tuple("[P%d]Bid: %d" % (p, k + 1) for k in range(_N)) for p in range(2)
)

# State: (who, current point card (0: none), mask of remaining point cards,
#         hand mask of player 0, hand mask of player 1,
#         win sequence as text, points of player 0, points of player 1)
# who: -1 chance, -2 both players bid, -4 game over
_INITIAL = (-1, 0, _FULL, _FULL, _FULL, "", 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    # No player ever acts alone in this game.
    return []


def chance_outcomes(state):
    if state[0] != -1:
        return []
    return list(_CHANCE[state[2]])


def apply_action(state, action):
    _, _, rem, h0, h1, seq, p0, p1 = state
    return (-2, action + 1, rem & ~(1 << action), h0, h1, seq, p0, p1)


def returns(state):
    if state[0] != -4:
        return [0.0, 0.0]
    p0 = state[6]
    p1 = state[7]
    if p0 > p1:
        return [1.0, -1.0]
    if p1 > p0:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _DEAL_NAMES[action]


def observation(state, player):
    _, cur, rem, h0, h1, seq, p0, p1 = state
    return {
        "observation": (
            "Current point card: " + str(cur)
            + "\nRemaining Point Cards: " + _REM_TEXT[rem]
            + "\nP0 hand: " + _HAND_TEXT[h0]
            + "\nP1 hand: " + _HAND_TEXT[h1]
            + "\nWin sequence: " + seq
            + "\nPoints: " + str(p0) + " " + str(p1) + " \n"
        )
    }


def player_legal_actions(state, player):
    if state[0] != -2:
        return []
    return list(_LEGAL[state[3 + player]])


def apply_actions(state, actions):
    _, cur, rem, h0, h1, seq, p0, p1 = state
    a = actions[0]
    b = actions[1]
    if a > b:
        p0 += cur
        seq += "0 "
    elif b > a:
        p1 += cur
        seq += "1 "
    else:
        seq += "-3 "
    h0 &= ~(1 << a)
    h1 &= ~(1 << b)
    if rem & (rem - 1):
        return (-1, 0, rem, h0, h1, seq, p0, p1)
    # Only one point card is left: the last turn is carried out automatically.
    cur = rem.bit_length()
    if h0 > h1:
        p0 += cur
        seq += "0 "
    elif h1 > h0:
        p1 += cur
        seq += "1 "
    else:
        seq += "-3 "
    return (-4, cur, 0, 0, 0, seq, p0, p1)


def player_action_name(state, player, action):
    return _BID_NAMES[player][action]
