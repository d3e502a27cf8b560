NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 8
MAX_GAME_LENGTH = 8
MIN_UTILITY = -13.0
MAX_UTILITY = 13.0

_ACTIONS = ("push", "drop", "stay")
_ACTION_INDEX = {"push": 0, "drop": 1, "stay": 2}

# Chance outcomes: 0 is the highest tile, 7 the lowest. Index -1 is "not dealt".
_TILES = ("elm2", "elm1", "cedar2", "cedar1",
          "birch2", "birch1", "ash2", "ash1", None)
_TILE_INDEX = {"elm2": 0, "elm1": 1, "cedar2": 2, "cedar1": 3,
               "birch2": 4, "birch1": 5, "ash2": 6, "ash1": 7, None: -1}
_DEAL_NAMES = tuple("deal " + _t for _t in _TILES[:8])
_RANK = (3, 3, 2, 2, 1, 1, 0, 0)

# Tables of the betting tree, indexed by node.
# Node 0: deal to player 0, node 1: deal to player 1, node 2: start of round 1.
_PLAYER = []      # player to act, -1 chance, -4 end
_LEGAL = []       # tuple of legal actions
_CHILD = []       # dict: action -> node
_NEXT = {}        # chance node for the common tile -> first node of round 2
_ACTS1 = []
_ACTS2 = []
_STAKES = []
_ROUND = []
_DROP_RESULT = {}  # terminal node after a drop -> returns
_NODE_BY_ACTS = {}  # (acts1, acts2, common tile is dealt) -> node


def _add(mover, rnd, a1, a2, stakes, dealt):
    i = len(_PLAYER)
    _PLAYER.append(mover)
    _LEGAL.append(())
    _CHILD.append({})
    _ACTS1.append(a1)
    _ACTS2.append(a2)
    _STAKES.append(stakes)
    _ROUND.append(rnd)
    _NODE_BY_ACTS[(a1, a2, dealt)] = i
    return i


def _bet(rnd, a1, a2, stakes, pushes, mover):
    dealt = rnd == 2
    i = _add(mover, rnd, a1, a2, stakes, dealt)
    done = len(a2) if dealt else len(a1)
    own = stakes[mover]
    other = stakes[1 - mover]
    legal = []
    for action in (0, 1, 2):
        if action == 0 and pushes >= 2:
            continue
        if action == 1 and other <= own:
            continue
        legal.append(action)
        name = _ACTIONS[action]
        if dealt:
            b1, b2 = a1, a2 + (name,)
        else:
            b1, b2 = a1 + (name,), a2
        if action == 0:
            paid = other + 2 * rnd
            ns = (paid, other) if mover == 0 else (other, paid)
            child = _bet(rnd, b1, b2, ns, pushes + 1, 1 - mover)
        elif action == 1:
            child = _add(-4, rnd, b1, b2, stakes, dealt)
            amount = float(own)
            if mover == 0:
                _DROP_RESULT[child] = (-amount, amount)
            else:
                _DROP_RESULT[child] = (amount, -amount)
        else:
            ns = (other, other)
            if done >= 1:
                if dealt:
                    child = _add(-4, 2, b1, b2, ns, True)
                else:
                    child = _add(-1, 2, b1, b2, ns, False)
                    _NEXT[child] = _bet(2, b1, b2, ns, 0, 0)
            else:
                child = _bet(rnd, b1, b2, ns, pushes, 1 - mover)
        _CHILD[i][action] = child
    _LEGAL[i] = tuple(legal)
    return i


_add(-1, 1, (), (), (1, 1), False)
_add(-1, 1, (), (), (1, 1), False)
_bet(1, (), (), (1, 1), 0, 0)

_PLAYER = tuple(_PLAYER)
_LEGAL = tuple(_LEGAL)
_CHILD = tuple(_CHILD)
_ACTS1 = tuple(_ACTS1)
_ACTS2 = tuple(_ACTS2)
_STAKES = tuple(_STAKES)
_ROUND = tuple(_ROUND)


def _make_remaining():
    table = {}
    for a in range(-1, 8):
        for b in range(-1, 8):
            table[(a, b)] = tuple(t for t in range(8) if t != a and t != b)
    return table


# (tile, tile) -> the tiles that are left
_REMAINING = _make_remaining()
_OUTCOMES = {
    _k: tuple((_t, 1.0 / len(_v)) for _t in _v) for _k, _v in _REMAINING.items()
}


def _make_showdown():
    table = {}
    for a in range(8):
        for b in range(8):
            if a == b:
                continue
            for c in range(8):
                if c == a or c == b:
                    continue
                ra, rb, rc = _RANK[a], _RANK[b], _RANK[c]
                if ra == rb:
                    sign = 0
                elif ra == rc:
                    sign = -1
                elif rb == rc:
                    sign = 1
                elif ra > rb:
                    sign = 1
                else:
                    sign = -1
                table[(a, b, c)] = sign
    return table


# (tile 0, tile 1, common tile) -> 1 if player 0 wins, -1 if player 1 wins, 0 draw
_SHOWDOWN = _make_showdown()

_INITIAL = (0, -1, -1, -1)


def initial_state():
    return _INITIAL


def current_player(state):
    return _PLAYER[state[0]]


def legal_actions(state):
    return list(_LEGAL[state[0]])


def chance_outcomes(state):
    if _PLAYER[state[0]] != -1:
        return []
    return list(_OUTCOMES[(state[1], state[2])])


def apply_action(state, action):
    node, t0, t1, common = state
    if _PLAYER[node] >= 0:
        return (_CHILD[node][action], t0, t1, common)
    if node == 0:
        return (1, action, -1, -1)
    if node == 1:
        return (2, t0, action, -1)
    return (_NEXT[node], t0, t1, action)


def returns(state):
    node = state[0]
    if _PLAYER[node] != -4:
        return [0.0, 0.0]
    result = _DROP_RESULT.get(node)
    if result is not None:
        return [result[0], result[1]]
    sign = _SHOWDOWN[(state[1], state[2], state[3])]
    if sign == 0:
        return [0.0, 0.0]
    amount = float(_STAKES[node][0])
    if sign > 0:
        return [amount, -amount]
    return [-amount, amount]


def action_name(state, action):
    if _PLAYER[state[0]] == -1:
        return _DEAL_NAMES[action]
    return _ACTIONS[action]


def observation(state, player):
    node = state[0]
    return {
        "tile": _TILES[state[1 + player]],
        "common_tile": _TILES[state[3]],
        "round": _ROUND[node],
        "acts": [list(_ACTS1[node]), list(_ACTS2[node])],
        "stakes": list(_STAKES[node]),
    }


def information_state(state, player):
    # The node holds the number of deals and all actions in their order.
    return (player, state[0], state[1 + player], state[3])


def _draw_tiles(player, obs, count, rand):
    """(tile 0, tile 1, common tile) after `count` actions, -1 for undealt."""
    own = _TILE_INDEX[obs["tile"]]
    common = _TILE_INDEX[obs["common_tile"]]
    # Player 0's tile is dealt by the first action, player 1's by the second.
    if count >= (2 if player == 0 else 1):
        left = _REMAINING[(own, common)]
        hidden = left[int(rand() * len(left))]
    else:
        hidden = -1
    if player == 0:
        return own, hidden, common
    return hidden, own, common


def resample_history(player, history, rand):
    obs = history[-1][0]
    count = len(history) - 1
    t0, t1, common = _draw_tiles(player, obs, count, rand)
    result = []
    if t0 >= 0:
        result.append(t0)
    if t1 >= 0:
        result.append(t1)
    first, second = obs["acts"]
    for name in first:
        result.append(_ACTION_INDEX[name])
    if common >= 0:
        result.append(common)
        for name in second:
            result.append(_ACTION_INDEX[name])
    return result


def resample_state(player, history, rand):
    obs = history[-1][0]
    count = len(history) - 1
    t0, t1, common = _draw_tiles(player, obs, count, rand)
    if count < 2:
        node = count
    else:
        first, second = obs["acts"]
        node = _NODE_BY_ACTS[(tuple(first), tuple(second), common >= 0)]
    return (node, t0, t1, common)
