NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 5
MAX_CHANCE_OUTCOMES = 5
MAX_GAME_LENGTH = 4
MIN_UTILITY = -8.0
MAX_UTILITY = 8.0

_TILES = 5
_TURNS = 4

_KEEP, _SWAP, _LEFT, _RIGHT, _DOUBLE = 0, 1, 2, 3, 4
_ACTION_NAMES = ("keep", "swap", "look left", "look right", "double")
_ACTION_INDEX = {_name: _i for _i, _name in enumerate(_ACTION_NAMES)}
_DEAL_NAMES = tuple("deal %d" % (_i + 1) for _i in range(_TILES))


def _build():
    # A node: (moves, places, looked, doubled, swapped)
    # places: which dealt tile (0, 1, 2) player 0, player 1 and the raft hold
    # looked: ((left, right) of player 0, (left, right) of player 1)
    nodes = [((), (0, 1, 2), ((False, False), (False, False)),
              (False, False), (False, False))]
    legal_table = []
    next_table = []
    who_table = []
    last_table = []
    stake_table = []
    vis_table = []
    i = 0
    while i < len(nodes):
        moves, places, looked, doubled, swapped = nodes[i]
        turns = len(moves)
        over = turns == _TURNS
        who = -4 if over else turns % 2
        legal = []
        following = [-1] * NUM_DISTINCT_ACTIONS
        if not over:
            legal.append(_KEEP)
            legal.append(_SWAP)
            if not looked[who][0]:
                legal.append(_LEFT)
            if not looked[who][1]:
                legal.append(_RIGHT)
            if not doubled[who]:
                legal.append(_DOUBLE)
            for a in legal:
                pl = list(places)
                lk = [list(looked[0]), list(looked[1])]
                db = list(doubled)
                sw = list(swapped)
                if a == _SWAP:
                    pl[who], pl[2] = pl[2], pl[who]
                    sw[who] = True
                elif a == _LEFT:
                    lk[who][0] = True
                elif a == _RIGHT:
                    lk[who][1] = True
                elif a == _DOUBLE:
                    db[who] = True
                following[a] = len(nodes)
                nodes.append((moves + (a,), tuple(pl),
                              (tuple(lk[0]), tuple(lk[1])),
                              tuple(db), tuple(sw)))
        legal_table.append(tuple(legal))
        next_table.append(tuple(following))
        who_table.append(who)
        last_table.append(_ACTION_NAMES[moves[-1]] if moves else None)
        stake = 1
        for d in doubled:
            if d:
                stake *= 2
        stake_table.append(stake)
        # for each player: (opponent's dealt tile known, left known, right known)
        vis_table.append(tuple(
            (1 if over or swapped[1 - p] else 0,
             1 if over or looked[p][0] else 0,
             1 if over or looked[p][1] else 0)
            for p in range(2)))
        i += 1
    return (tuple(legal_table), tuple(next_table), tuple(who_table),
            tuple(last_table), tuple(stake_table), tuple(vis_table),
            tuple(n[1] for n in nodes), tuple(n[2] for n in nodes),
            tuple(n[3] for n in nodes), tuple(len(n[0]) for n in nodes))


(_LEGAL, _NEXT, _WHO, _LAST, _STAKE, _VIS,
 _PLACES, _LOOKED, _DOUBLED, _NTURNS) = _build()

_INITIAL = ((), 0)


def initial_state():
    return _INITIAL


def current_player(state):
    if len(state[0]) < 5:
        return -1
    return _WHO[state[1]]


def legal_actions(state):
    if len(state[0]) < 5:
        return []
    return list(_LEGAL[state[1]])


def chance_outcomes(state):
    deal = state[0]
    n = len(deal)
    if n >= 5:
        return []
    p = 1.0 / (5 - n)
    return [(t - 1, p) for t in (1, 2, 3, 4, 5) if t not in deal]


def apply_action(state, action):
    deal, node = state
    if len(deal) < 5:
        tile = action + 1
        if tile in deal or tile < 1 or tile > 5:
            raise ValueError("impossible outcome")
        return (deal + (tile,), 0)
    following = _NEXT[node][action]
    if following < 0:
        raise ValueError("illegal action")
    return (deal, following)


def returns(state):
    deal, node = state
    if len(deal) < 5 or _WHO[node] != -4:
        return [0.0, 0.0]
    places = _PLACES[node]
    a = deal[places[0]]
    b = deal[places[1]]
    low = deal[3]
    high = deal[4]
    if low > high:
        low, high = high, low
    a_between = low < a < high
    b_between = low < b < high
    stake = float(_STAKE[node])
    if a_between != b_between:
        stake *= 2.0
        first_wins = a_between
    else:
        first_wins = a > b
    if first_wins:
        return [stake, -stake]
    return [-stake, stake]


def action_name(state, action):
    if len(state[0]) < 5:
        return _DEAL_NAMES[action]
    return _ACTION_NAMES[action]


def observation(state, player):
    deal, node = state
    n = len(deal)
    if n < 5:
        return {
            "tile": deal[player] if n > player else None,
            "raft": deal[2] if n > 2 else None,
            "banks": [None, None],
            "looked": [[False, False], [False, False]],
            "doubled": [False, False],
            "turns": 0,
            "last_action": None,
            "opponent_tile": None,
        }
    places = _PLACES[node]
    vis = _VIS[node][player]
    looked = _LOOKED[node]
    return {
        "tile": deal[places[player]],
        "raft": deal[places[2]],
        "banks": [deal[3] if vis[1] else None, deal[4] if vis[2] else None],
        "looked": [list(looked[0]), list(looked[1])],
        "doubled": list(_DOUBLED[node]),
        "turns": _NTURNS[node],
        "last_action": _LAST[node],
        "opponent_tile": deal[places[1 - player]] if _WHO[node] == -4 else None,
    }


def information_state(state, player):
    deal, node = state
    n = len(deal)
    if n < 5:
        return (player, n - 5,
                deal[player] if n > player else 0,
                deal[2] if n > 2 else 0)
    vis = _VIS[node][player]
    return (player, node, deal[player], deal[2],
            deal[1 - player] * vis[0], deal[3] * vis[1], deal[4] * vis[2])


def _draw(player, history, rand):
    # returns the tiles dealt (a list) and the actions of the players (a list)
    steps = len(history) - 1
    dealt = steps if steps < 5 else 5
    known = [0, 0, 0, 0, 0]
    if steps > player:
        known[player] = history[player + 1][0]["tile"]
    if steps > 2:
        known[2] = history[3][0]["raft"]
    moves = []
    if steps > 5:
        opponent = 1 - player
        for k in range(6, steps + 1):
            obs = history[k][0]
            a = _ACTION_INDEX[obs["last_action"]]
            moves.append(a)
            if a == 1 and (k & 1) == opponent and not known[opponent]:
                # the opponent's first swap shows the tile dealt to the opponent
                known[opponent] = obs["raft"]
        left, right = history[steps][0]["banks"]
        if left is not None:
            known[3] = left
        if right is not None:
            known[4] = right
    rest = [t for t in (1, 2, 3, 4, 5) if t not in known]
    for i in range(dealt):
        if not known[i]:
            size = len(rest)
            if size > 1:
                known[i] = rest.pop(int(rand() * size))
            else:
                known[i] = rest.pop()
    return known[:dealt], moves


def resample_history(player, history, rand):
    deal, moves = _draw(player, history, rand)
    return [t - 1 for t in deal] + moves


def resample_state(player, history, rand):
    deal, moves = _draw(player, history, rand)
    node = 0
    for a in moves:
        node = _NEXT[node][a]
    return (tuple(deal), node)
