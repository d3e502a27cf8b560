NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 8
MAX_GAME_LENGTH = 8
MIN_UTILITY = -13.0
MAX_UTILITY = 13.0

_CHANCE = -1
_OVER = -4

_PUSH = 0
_DROP = 1
_STAY = 2
_ACTIONS = ("push", "drop", "stay")
_ACTION_ID = {"push": _PUSH, "drop": _DROP, "stay": _STAY}
_PUSH_SIZE = (0, 2, 4)  # by round
_MAX_PUSHES = 2

# Tiles in the order of the chance outcomes: from the highest to the lowest.
_TILES = ("elm2", "elm1", "cedar2", "cedar1", "birch2", "birch1", "ash2", "ash1")
_NUM_TILES = 8
_DEAL_NAMES = tuple("deal " + _t for _t in _TILES)
_SEEN = _TILES + (None,)  # index -1 (not dealt) gives None
_TILE_ID = {_t: _i for _i, _t in enumerate(_TILES)}
_TILE_ID[None] = -1


def _make_sign():
    """+1 if player 0 wins the showdown, -1 if player 1 does, 0 for a draw."""
    table = []
    for t0 in range(_NUM_TILES):
        for t1 in range(_NUM_TILES):
            for c in range(_NUM_TILES):
                r0 = 3 - t0 // 2
                r1 = 3 - t1 // 2
                rc = 3 - c // 2
                pair0 = r0 == rc
                pair1 = r1 == rc
                if pair0 and not pair1:
                    sign = -1
                elif pair1 and not pair0:
                    sign = 1
                elif r0 > r1:
                    sign = 1
                elif r0 < r1:
                    sign = -1
                else:
                    sign = 0
                table.append(sign)
    return tuple(table)


_SIGN = _make_sign()


def _make_rest():
    """_REST[a][b]: the tiles other than a and b; index -1 stands for no tile."""
    rows = []
    for a in list(range(_NUM_TILES)) + [-1]:
        row = []
        for b in list(range(_NUM_TILES)) + [-1]:
            row.append(tuple(t for t in range(_NUM_TILES) if t != a and t != b))
        rows.append(tuple(row))
    return tuple(rows)


_REST = _make_rest()
_OUTCOMES = tuple(
    tuple(tuple((_t, 1.0 / len(_rest)) for _t in _rest) for _rest in _row)
    for _row in _REST
)


def _make_tree():
    who = []      # player to act, or chance, or over
    rounds = []   # round as observed
    acts = []     # (names of round 1, names of round 2)
    stakes = []   # chips put in
    legal = []    # legal actions of the player to act
    follow = []   # players: tuple by action; chance: node after the deal
    fixed = []    # returns that do not depend on the tiles, or None (showdown)
    show = []     # stake at a showdown

    def add(player, rnd, a1, a2, s0, s1, moves, result, stake):
        who.append(player)
        rounds.append(rnd)
        acts.append((a1, a2))
        stakes.append((s0, s1))
        legal.append(moves)
        follow.append(-1)
        fixed.append(result)
        show.append(stake)
        return len(who) - 1

    nothing = (0.0, 0.0)

    def grow(rnd, a1, a2, s0, s1, pushes, mover):
        if mover == 0:
            own, other = s0, s1
        else:
            own, other = s1, s0
        moves = []
        if pushes < _MAX_PUSHES:
            moves.append(_PUSH)
        if other > own:
            moves.append(_DROP)
        moves.append(_STAY)
        node = add(mover, rnd, a1, a2, s0, s1, tuple(moves), nothing, 0.0)
        acted = len(a1) if rnd == 1 else len(a2)
        children = [-1, -1, -1]
        for move in moves:
            if rnd == 1:
                b1, b2 = a1 + (_ACTIONS[move],), a2
            else:
                b1, b2 = a1, a2 + (_ACTIONS[move],)
            if move == _PUSH:
                put = other + _PUSH_SIZE[rnd]
            elif move == _STAY:
                put = other
            else:
                put = own
            if mover == 0:
                n0, n1 = put, s1
            else:
                n0, n1 = s0, put
            if move == _DROP:
                loss = float(own)
                result = (-loss, loss) if mover == 0 else (loss, -loss)
                child = add(_OVER, rnd, b1, b2, n0, n1, (), result, 0.0)
            elif move == _STAY and acted >= 1:
                if rnd == 1:
                    child = add(_CHANCE, 2, b1, b2, n0, n1, (), nothing, 0.0)
                    follow[child] = grow(2, b1, b2, n0, n1, 0, 0)
                else:
                    child = add(_OVER, 2, b1, b2, n0, n1, (), None, float(n0))
            else:
                more = pushes + 1 if move == _PUSH else pushes
                child = grow(rnd, b1, b2, n0, n1, more, 1 - mover)
            children[move] = child
        follow[node] = tuple(children)
        return node

    add(_CHANCE, 1, (), (), 1, 1, (), nothing, 0.0)  # node 0: deal to player 0
    add(_CHANCE, 1, (), (), 1, 1, (), nothing, 0.0)  # node 1: deal to player 1
    root = grow(1, (), (), 1, 1, 0, 0)               # node 2: first betting
    follow[0] = 1
    follow[1] = root
    return (tuple(who), tuple(rounds), tuple(acts), tuple(stakes), tuple(legal),
            tuple(follow), tuple(fixed), tuple(show))


(_WHO, _ROUND, _ACTS, _STAKES, _LEGAL, _FOLLOW, _FIXED, _SHOW) = _make_tree()


def _make_find():
    """Node by (actions of round 1, actions of round 2, common tile dealt)."""
    table = {}
    for node in range(2, len(_WHO)):
        a1, a2 = _ACTS[node]
        dealt = _ROUND[node] == 2 and _WHO[node] != _CHANCE
        table[(a1, a2, dealt)] = node
    return table


_FIND = _make_find()
_ACT_IDS = tuple(
    (tuple(_ACTION_ID[_n] for _n in _a[0]), tuple(_ACTION_ID[_n] for _n in _a[1]))
    for _a in _ACTS
)

_INITIAL = (-1, -1, -1, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return _WHO[state[3]]


def legal_actions(state):
    return list(_LEGAL[state[3]])


def chance_outcomes(state):
    if _WHO[state[3]] != _CHANCE:
        return []
    return list(_OUTCOMES[state[0]][state[1]])


def apply_action(state, action):
    t0, t1, c, node = state
    if _WHO[node] >= 0:
        return (t0, t1, c, _FOLLOW[node][action])
    if node == 0:
        return (action, -1, -1, 1)
    if node == 1:
        return (t0, action, -1, _FOLLOW[1])
    return (t0, t1, action, _FOLLOW[node])


def returns(state):
    t0, t1, c, node = state
    result = _FIXED[node]
    if result is not None:
        return [result[0], result[1]]
    sign = _SIGN[(t0 * 8 + t1) * 8 + c]
    if sign == 0:
        return [0.0, 0.0]
    stake = _SHOW[node]
    if sign > 0:
        return [stake, -stake]
    return [-stake, stake]


def action_name(state, action):
    if _WHO[state[3]] == _CHANCE:
        return _DEAL_NAMES[action]
    return _ACTIONS[action]


def observation(state, player):
    node = state[3]
    a1, a2 = _ACTS[node]
    return {
        "tile": _SEEN[state[player]],
        "common_tile": _SEEN[state[2]],
        "round": _ROUND[node],
        "acts": [list(a1), list(a2)],
        "stakes": list(_STAKES[node]),
    }


def information_state(state, player):
    # The node holds the whole public course of the game, the number of
    # tiles dealt included.
    return (player, state[player], state[2], state[3])


def resample_state(player, history, rand):
    steps = len(history) - 1
    if steps <= 0:
        return _INITIAL
    seen = history[-1][0]
    own = _TILE_ID[seen["tile"]]
    if steps == 1:
        if player == 0:
            return (own, -1, -1, 1)
        return (int(rand() * _NUM_TILES), -1, -1, 1)
    c = _TILE_ID[seen["common_tile"]]
    played = seen["acts"]
    node = _FIND[(tuple(played[0]), tuple(played[1]), c >= 0)]
    rest = _REST[own][c]
    hidden = rest[int(rand() * len(rest))]
    if player == 0:
        return (own, hidden, c, node)
    return (hidden, own, c, node)


def resample_history(player, history, rand):
    t0, t1, c, node = resample_state(player, history, rand)
    if node == 0:
        return []
    if node == 1:
        return [t0]
    first, second = _ACT_IDS[node]
    moves = [t0, t1]
    moves.extend(first)
    if c >= 0:
        moves.append(c)
        moves.extend(second)
    return moves
