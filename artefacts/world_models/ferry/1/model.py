NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 5
MAX_CHANCE_OUTCOMES = 5
MAX_GAME_LENGTH = 4
MIN_UTILITY = -8.0
MAX_UTILITY = 8.0

# Actions of the players: 0 keep, 1 swap, 2 look left, 3 look right, 4 double.
# Outcomes of chance: the number of the tile minus 1.
#
# State: (k, t0, t1, raft, left, right, flags, last, log)
#   k      number of deals and turns so far: 0..4 chance, 5..8 players, 9 end
#   t0..right  current tiles (0: not dealt yet), in the order of the deal
#   flags  1, 2: player 0 looked left, right; 4, 8: player 1 looked left, right;
#          16, 32: player 0, player 1 doubled
#   last   last action of a player, -1 before the first one
#   log    all that is public, in base 16: the first raft tile, then one digit
#          for each action (for a swap 5 + the tile put onto the raft)

_NAMES = ("keep", "swap", "look left", "look right", "double")
_INDEX = {"keep": 0, "swap": 1, "look left": 2, "look right": 3, "double": 4}
_DEAL_NAMES = ("deal 1", "deal 2", "deal 3", "deal 4", "deal 5")
_DIGIT = (1, 0, 2, 3, 4)  # digit of an action in the log; swap is special

_CUR = (-1, -1, -1, -1, -1, 0, 1, 0, 1, -4)
_END = 9

_INITIAL = (0, 0, 0, 0, 0, 0, 0, -1, 0)

_LEFT_BIT = (1, 4)
_RIGHT_BIT = (2, 8)
_DOUBLE_BIT = (16, 32)

# _SETS[player][action]: the flag that the action sets
_SETS = ((0, 0, 1, 2, 16), (0, 0, 4, 8, 32))


def _make_legal(p, flags):
    result = [0, 1]
    if not flags & _LEFT_BIT[p]:
        result.append(2)
    if not flags & _RIGHT_BIT[p]:
        result.append(3)
    if not flags & _DOUBLE_BIT[p]:
        result.append(4)
    return tuple(result)


_LEGAL = tuple(tuple(_make_legal(p, f) for f in range(64)) for p in range(2))


def initial_state():
    return _INITIAL


def current_player(state):
    return _CUR[state[0]]


def legal_actions(state):
    return list(_LEGAL[_CUR[state[0]]][state[6]])


def chance_outcomes(state):
    k = state[0]
    if k >= 5:
        return []
    dealt = state[1:6]
    prob = 1.0 / (5 - k)
    return [(t - 1, prob) for t in (1, 2, 3, 4, 5) if t not in dealt]


def apply_action(state, action):
    k, t0, t1, raft, left, right, flags, last, log = state
    if k < 5:
        tile = action + 1
        if k == 0:
            return (1, tile, 0, 0, 0, 0, 0, -1, 0)
        if k == 1:
            return (2, t0, tile, 0, 0, 0, 0, -1, 0)
        if k == 2:
            return (3, t0, t1, tile, 0, 0, 0, -1, tile)
        if k == 3:
            return (4, t0, t1, raft, tile, 0, 0, -1, log)
        return (5, t0, t1, raft, left, tile, 0, -1, log)
    p = _CUR[k]
    if action == 1:
        if p == 0:
            return (k + 1, raft, t1, t0, left, right, flags, 1, log * 16 + 5 + t0)
        return (k + 1, t0, raft, t1, left, right, flags, 1, log * 16 + 5 + t1)
    return (k + 1, t0, t1, raft, left, right, flags | _SETS[p][action], action,
            log * 16 + _DIGIT[action])


def returns(state):
    if state[0] != _END:
        return [0.0, 0.0]
    k, t0, t1, raft, left, right, flags, last, log = state
    stake = 1.0
    if flags & 16:
        stake *= 2.0
    if flags & 32:
        stake *= 2.0
    if left < right:
        b0 = left < t0 < right
        b1 = left < t1 < right
    else:
        b0 = right < t0 < left
        b1 = right < t1 < left
    if b0 != b1:
        stake *= 2.0
        first_wins = b0
    else:
        first_wins = t0 > t1
    if first_wins:
        return [stake, -stake]
    return [-stake, stake]


def action_name(state, action):
    if state[0] < 5:
        return _DEAL_NAMES[action]
    return _NAMES[action]


def observation(state, player):
    k, t0, t1, raft, left, right, flags, last, log = state
    over = k == _END
    if player == 0:
        own = t0
        other = t1
    else:
        own = t1
        other = t0
    return {
        "tile": own if own else None,
        "raft": raft if raft else None,
        "banks": [
            left if over or flags & _LEFT_BIT[player] else None,
            right if over or flags & _RIGHT_BIT[player] else None,
        ],
        "looked": [
            [flags & 1 != 0, flags & 2 != 0],
            [flags & 4 != 0, flags & 8 != 0],
        ],
        "doubled": [flags & 16 != 0, flags & 32 != 0],
        "turns": k - 5 if k > 5 else 0,
        "last_action": _NAMES[last] if last >= 0 else None,
        "opponent_tile": other if over else None,
    }


def information_state(state, player):
    # The own first tile follows from the log (the first own swap shows it)
    # or is still the current one.
    k = state[0]
    if k == _END:
        return (player, k, state[1 + player], state[8], state[4], state[5])
    flags = state[6]
    return (
        player,
        k,
        state[1 + player],
        state[8],
        state[4] if flags & _LEFT_BIT[player] else 0,
        state[5] if flags & _RIGHT_BIT[player] else 0,
    )


def _draw(rest, rand):
    n = len(rest)
    if n == 1:
        return rest.pop()
    return rest.pop(int(rand() * n))


def resample_history(player, history, rand):
    k = len(history) - 1
    base = history[k if k < 5 else 5][0]
    final = history[k][0]
    deal = [None, None, base["raft"], final["banks"][0], final["banks"][1]]
    deal[player] = base["tile"]
    opponent = 1 - player
    actions = []
    for i in range(6, k + 1):
        seen = history[i][0]
        a = _INDEX[seen["last_action"]]
        actions.append(a)
        # the action that led to state i was that of player i & 1
        if a == 1 and (i & 1) == opponent and deal[opponent] is None:
            deal[opponent] = seen["raft"]
    rest = [t for t in (1, 2, 3, 4, 5) if t not in deal]
    for j in range(5):
        if deal[j] is None:
            deal[j] = _draw(rest, rand)
    return [t - 1 for t in deal[:k]] + actions


def resample_state(player, history, rand):
    k = len(history) - 1
    if k < 5:
        state = _INITIAL
        for a in resample_history(player, history, rand):
            state = apply_action(state, a)
        return state
    final = history[k][0]
    raft = history[5][0]["raft"]
    log = raft
    last = -1
    other = None
    opponent = 1 - player
    for i in range(6, k + 1):
        seen = history[i][0]
        last = _INDEX[seen["last_action"]]
        if last == 1:
            if (i & 1) == opponent:
                other = raft
            raft = seen["raft"]
            log = log * 16 + 5 + raft
        else:
            log = log * 16 + _DIGIT[last]
    own = final["tile"]
    left, right = final["banks"]
    if other is None or left is None or right is None:
        known = (own, raft, other, left, right)
        rest = [t for t in (1, 2, 3, 4, 5) if t not in known]
        if other is None:
            other = _draw(rest, rand)
        if left is None:
            left = _draw(rest, rand)
        if right is None:
            right = _draw(rest, rand)
    flags = 0
    looked0, looked1 = final["looked"]
    if looked0[0]:
        flags |= 1
    if looked0[1]:
        flags |= 2
    if looked1[0]:
        flags |= 4
    if looked1[1]:
        flags |= 8
    doubled = final["doubled"]
    if doubled[0]:
        flags |= 16
    if doubled[1]:
        flags |= 32
    if player == 0:
        return (k, own, other, raft, left, right, flags, last, log)
    return (k, other, own, raft, left, right, flags, last, log)
