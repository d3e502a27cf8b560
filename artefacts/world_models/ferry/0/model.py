NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 5
MAX_CHANCE_OUTCOMES = 5
MAX_GAME_LENGTH = 4
MIN_UTILITY = -8.0
MAX_UTILITY = 8.0

# A state is (deals, acts, t0, t1, raft, mask):
#   deals: tiles dealt so far, in the order player 0, player 1, raft, left bank, right bank
#   acts:  actions of the players so far
#   t0, t1, raft: the tiles that are there now (0: not dealt yet)
#   mask:  for player 0 the bits 1 looked left, 2 looked right, 4 doubled, 8 swapped;
#          for player 1 the same, shifted by 4

_NAMES = ("keep", "swap", "look left", "look right", "double")
_INDEX = {"keep": 0, "swap": 1, "look left": 2, "look right": 3, "double": 4}
_DEAL_NAMES = ("deal 1", "deal 2", "deal 3", "deal 4", "deal 5")

_BITS = ((0, 8, 1, 2, 4), (0, 128, 16, 32, 64))

_TO_ACT = (0, 1, 0, 1, -4)


def _make_legal(shift):
    table = []
    for mask in range(256):
        m = mask >> shift
        acts = [0, 1]
        if not m & 1:
            acts.append(2)
        if not m & 2:
            acts.append(3)
        if not m & 4:
            acts.append(4)
        table.append(tuple(acts))
    return tuple(table)


_LEGAL = (_make_legal(0), _make_legal(4))

_STAKE = tuple(
    float((2 if mask & 4 else 1) * (2 if mask & 64 else 1)) for mask in range(256)
)

_INITIAL = ((), (), 0, 0, 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    if len(state[0]) < 5:
        return -1
    return _TO_ACT[len(state[1])]


def legal_actions(state):
    return list(_LEGAL[len(state[1]) & 1][state[5]])


def chance_outcomes(state):
    deals = state[0]
    n = len(deals)
    if n >= 5:
        return []
    p = 1.0 / (5 - n)
    return [(k, p) for k in range(5) if k + 1 not in deals]


def apply_action(state, action):
    deals, acts, t0, t1, raft, mask = state
    n = len(deals)
    if n < 5:
        tile = action + 1
        if n == 0:
            t0 = tile
        elif n == 1:
            t1 = tile
        elif n == 2:
            raft = tile
        return (deals + (tile,), acts, t0, t1, raft, mask)
    who = len(acts) & 1
    if action == 1:
        if who:
            t1, raft = raft, t1
        else:
            t0, raft = raft, t0
    return (deals, acts + (action,), t0, t1, raft, mask | _BITS[who][action])


def returns(state):
    deals, acts, t0, t1, raft, mask = state
    if len(acts) < 4:
        return [0.0, 0.0]
    low = deals[3]
    high = deals[4]
    if low > high:
        low, high = high, low
    between0 = low < t0 < high
    between1 = low < t1 < high
    value = _STAKE[mask]
    if between0 != between1:
        value *= 2.0
        first_wins = between0
    else:
        first_wins = t0 > t1
    if first_wins:
        return [value, -value]
    return [-value, value]


def action_name(state, action):
    if len(state[0]) < 5:
        return _DEAL_NAMES[action]
    return _NAMES[action]


def observation(state, player):
    deals, acts, t0, t1, raft, mask = state
    turns = len(acts)
    if player:
        tile = t1
        other = t0
        mine = mask >> 4
    else:
        tile = t0
        other = t1
        mine = mask
    over = turns == 4
    return {
        "tile": tile or None,
        "raft": raft or None,
        "banks": [
            deals[3] if over or mine & 1 else None,
            deals[4] if over or mine & 2 else None,
        ],
        "looked": [
            [mask & 1 != 0, mask & 2 != 0],
            [mask & 16 != 0, mask & 32 != 0],
        ],
        "doubled": [mask & 4 != 0, mask & 64 != 0],
        "turns": turns,
        "last_action": _NAMES[acts[-1]] if turns else None,
        "opponent_tile": other if over else None,
    }


def information_state(state, player):
    deals, acts, t0, t1, raft, mask = state
    n = len(deals)
    if n < 5:
        return (
            player,
            n,
            acts,
            deals[player] if n > player else 0,
            deals[2] if n > 2 else 0,
            0,
            0,
            0,
        )
    if len(acts) == 4:
        return (player, 5, acts, deals[player], deals[2],
                deals[1 - player], deals[3], deals[4])
    if player:
        mine = mask >> 4
        theirs = mask
    else:
        mine = mask
        theirs = mask >> 4
    return (
        player,
        5,
        acts,
        deals[player],
        deals[2],
        deals[1 - player] if theirs & 8 else 0,
        deals[3] if mine & 1 else 0,
        deals[4] if mine & 2 else 0,
    )


def _draw(player, history, rand):
    """Number of events so far, a full deal that fits, and the actions so far."""
    n = len(history) - 1
    last = history[n][0]
    deal = [0, 0, 0, 0, 0]
    if n > player:
        deal[player] = history[player + 1][0]["tile"]
    if n > 2:
        deal[2] = history[3][0]["raft"]
    left, right = last["banks"]
    if left is not None:
        deal[3] = left
    if right is not None:
        deal[4] = right
    opp = 1 - player
    acts = []
    for i in range(6, n + 1):
        obs = history[i][0]
        a = _INDEX[obs["last_action"]]
        acts.append(a)
        # the action that led to entry i was made by player i & 1;
        # the first swap of the opponent shows the tile dealt to the opponent
        if a == 1 and (i & 1) == opp and not deal[opp]:
            deal[opp] = obs["raft"]
    if not deal[opp]:
        shown = last["opponent_tile"]
        if shown is not None:
            # the opponent has never swapped, so this is the tile dealt
            deal[opp] = shown
    rest = [t for t in (1, 2, 3, 4, 5) if t not in deal]
    if rest:
        for pos in range(5):
            if not deal[pos]:
                size = len(rest)
                if size > 1:
                    deal[pos] = rest.pop(int(rand() * size))
                else:
                    deal[pos] = rest.pop()
    return n, deal, acts


def resample_history(player, history, rand):
    n, deal, acts = _draw(player, history, rand)
    result = [t - 1 for t in deal[:n]]
    result.extend(acts)
    return result


def resample_state(player, history, rand):
    n, deal, acts = _draw(player, history, rand)
    if n < 5:
        return (
            tuple(deal[:n]),
            (),
            deal[0] if n > 0 else 0,
            deal[1] if n > 1 else 0,
            deal[2] if n > 2 else 0,
            0,
        )
    t0 = deal[0]
    t1 = deal[1]
    raft = deal[2]
    mask = 0
    who = 0
    for a in acts:
        if a == 1:
            if who:
                t1, raft = raft, t1
            else:
                t0, raft = raft, t0
        mask |= _BITS[who][a]
        who = 1 - who
    return (tuple(deal), tuple(acts), t0, t1, raft, mask)
