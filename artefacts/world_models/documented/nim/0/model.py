NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 29
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 16
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# A state is one int: player + 2 * (p0 + 2 * (p1 + 4 * (p2 + 6 * p3))),
# where p0 .. p3 are the sizes of the piles (at most 1, 3, 5, 7).
# Everything is looked up in tables made once.

_STEP = (2, 4, 16, 96)      # weight of one object of each pile in the number
_NAMES = tuple("pile:%d, take:%d;" % (a % 4 + 1, a // 4 + 1) for a in range(29))


def _encode(player, piles):
    return player + sum(_STEP[i] * piles[i] for i in range(4))


def _build():
    size = 2 * 2 * 4 * 6 * 8
    legal = [()] * size
    nxt = [()] * size
    obs = [""] * size
    for p0 in range(2):
        for p1 in range(4):
            for p2 in range(6):
                for p3 in range(8):
                    piles = (p0, p1, p2, p3)
                    acts = [a for a in range(28) if a // 4 + 1 <= piles[a % 4]]
                    for player in range(2):
                        s = _encode(player, piles)
                        legal[s] = tuple(acts)
                        row = [-1] * 29
                        for a in acts:
                            t = list(piles)
                            t[a % 4] -= a // 4 + 1
                            row[a] = _encode(1 - player, t)
                        nxt[s] = tuple(row)
                        obs[s] = "(%d): %d %d %d %d" % (player, p0, p1, p2, p3)
    return tuple(legal), tuple(nxt), tuple(obs)


_LEGAL, _NEXT, _OBS = _build()
_START = _encode(0, (1, 3, 5, 7))


def initial_state():
    return _START


def current_player(state):
    return -4 if state < 2 else state & 1


def legal_actions(state):
    return list(_LEGAL[state])


def chance_outcomes(state):
    return []


def apply_action(state, action):
    return _NEXT[state][action]


def returns(state):
    # Misere: who took the last object loses; the number of the player has
    # already passed on to the other one, the winner.
    if state == 0:
        return [1.0, -1.0]
    if state == 1:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _NAMES[action]


def observation(state, player):
    return {"observation": _OBS[state]}
