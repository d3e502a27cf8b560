NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 8
MAX_GAME_LENGTH = 8
MIN_UTILITY = -13.0
MAX_UTILITY = 13.0

_CHANCE = -1
_END = -4

_PUSH = 0
_DROP = 1
_STAY = 2
_ACTION_NAMES = ("push", "drop", "stay")
_ACTION_IDS = {"push": 0, "drop": 1, "stay": 2}

# Tiles from the highest to the lowest; tile // 2 is 0 for the highest rank.
_TILES = ("elm2", "elm1", "cedar2", "cedar1", "birch2", "birch1", "ash2", "ash1")
_TILE_OR_NONE = _TILES + (None,)          # index -1 gives None
_DEAL_NAMES = tuple("deal " + t for t in _TILES)
_TILE_IDS = {t: i for i, t in enumerate(_TILES)}
_TILE_IDS[None] = -1

_PUSH_SIZE = {1: 2, 2: 4}


def _build_tree():
    who_acts = []
    first_acts = []
    second_acts = []
    stakes_at = []
    round_at = []
    legal_at = []
    child_at = []
    after_deal = []
    drop_result = []
    lookup = {}

    def new(who, first, second, stakes, rnd):
        who_acts.append(who)
        first_acts.append(first)
        second_acts.append(second)
        stakes_at.append(stakes)
        round_at.append(rnd)
        legal_at.append(())
        child_at.append((-1, -1, -1))
        after_deal.append(-1)
        drop_result.append(None)
        return len(who_acts) - 1

    def grow(first, second, stakes, rnd):
        current = first if rnd == 1 else second
        who = len(current) % 2
        index = new(who, first, second, stakes, rnd)
        lookup[(first, second, rnd == 2)] = index
        mine = stakes[who]
        other = stakes[1 - who]
        moves = []
        if current.count("push") < 2:
            moves.append(_PUSH)
        if other > mine:
            moves.append(_DROP)
        moves.append(_STAY)
        kids = [-1, -1, -1]
        for move in moves:
            after = current + (_ACTION_NAMES[move],)
            if rnd == 1:
                f, s = after, second
            else:
                f, s = first, after
            if move == _DROP:
                kid = new(_END, f, s, stakes, rnd)
                lookup[(f, s, rnd == 2)] = kid
                amount = float(mine)
                if who == 0:
                    drop_result[kid] = (-amount, amount)
                else:
                    drop_result[kid] = (amount, -amount)
            else:
                put = other
                if move == _PUSH:
                    put += _PUSH_SIZE[rnd]
                if who == 0:
                    st = (put, stakes[1])
                else:
                    st = (stakes[0], put)
                if move == _STAY and len(after) >= 2:
                    if rnd == 1:
                        kid = new(_CHANCE, f, s, st, 2)
                        lookup[(f, s, False)] = kid
                        after_deal[kid] = grow(f, s, st, 2)
                    else:
                        kid = new(_END, f, s, st, 2)
                        lookup[(f, s, True)] = kid
                else:
                    kid = grow(f, s, st, rnd)
            kids[move] = kid
        legal_at[index] = tuple(moves)
        child_at[index] = tuple(kids)
        return index

    # node 0: before the first tile, node 1: before the second tile
    new(_CHANCE, (), (), (1, 1), 1)
    new(_CHANCE, (), (), (1, 1), 1)
    after_deal[0] = 1
    after_deal[1] = grow((), (), (1, 1), 1)
    return (tuple(who_acts), tuple(first_acts), tuple(second_acts),
            tuple(stakes_at), tuple(round_at), tuple(legal_at),
            tuple(child_at), tuple(after_deal), tuple(drop_result), lookup)


(_WHO, _FIRST, _SECOND, _STAKES, _ROUND, _LEGAL, _CHILD, _AFTER_DEAL,
 _DROP_RESULT, _LOOKUP) = _build_tree()


def _build_better():
    # +1: player 0 has the better hand, -1: player 1, 0: draw
    table = []
    for a in range(8):
        rows = []
        for b in range(8):
            row = []
            for c in range(8):
                ra, rb, rc = a // 2, b // 2, c // 2
                if ra == rb:
                    value = 0
                elif ra == rc:
                    value = -1      # a pair is the worst hand
                elif rb == rc:
                    value = 1
                elif ra < rb:       # smaller number: higher rank
                    value = 1
                else:
                    value = -1
                row.append(value)
            rows.append(tuple(row))
        table.append(tuple(rows))
    return tuple(table)


_BETTER = _build_better()


def _build_unseen():
    # _UNSEEN[x][y]: the tiles other than x and y; index 8 (or -1) means no tile
    return tuple(
        tuple(
            tuple(t for t in range(8) if t != x and t != y)
            for y in range(9)
        )
        for x in range(9)
    )


_UNSEEN = _build_unseen()

_OUTCOMES = tuple(
    tuple(
        tuple((t, 1.0 / len(tiles)) for t in tiles)
        for tiles in row
    )
    for row in _UNSEEN
)

_INITIAL = (-1, -1, -1, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return _WHO[state[3]]


def legal_actions(state):
    return list(_LEGAL[state[3]])


def chance_outcomes(state):
    if _WHO[state[3]] != -1:
        return []
    return list(_OUTCOMES[state[0]][state[1]])


def apply_action(state, action):
    t0, t1, common, node = state
    who = _WHO[node]
    if who >= 0:
        child = _CHILD[node][action]
        if child < 0:
            raise ValueError("illegal action")
        return (t0, t1, common, child)
    if who != -1:
        raise ValueError("the game is over")
    if node == 0:
        return (action, -1, -1, 1)
    if node == 1:
        return (t0, action, -1, _AFTER_DEAL[1])
    return (t0, t1, action, _AFTER_DEAL[node])


def returns(state):
    t0, t1, common, node = state
    if _WHO[node] != -4:
        return [0.0, 0.0]
    dropped = _DROP_RESULT[node]
    if dropped is not None:
        return [dropped[0], dropped[1]]
    better = _BETTER[t0][t1][common]
    if better == 0:
        return [0.0, 0.0]
    stakes = _STAKES[node]
    if better > 0:
        amount = float(stakes[1])
        return [amount, -amount]
    amount = float(stakes[0])
    return [-amount, amount]


def action_name(state, action):
    if _WHO[state[3]] == -1:
        return _DEAL_NAMES[action]
    return _ACTION_NAMES[action]


def observation(state, player):
    node = state[3]
    stakes = _STAKES[node]
    return {
        "tile": _TILE_OR_NONE[state[player]],
        "common_tile": _TILE_OR_NONE[state[2]],
        "round": _ROUND[node],
        "acts": [list(_FIRST[node]), list(_SECOND[node])],
        "stakes": [stakes[0], stakes[1]],
    }


def information_state(state, player):
    return (player, state[player], state[2], state[3])


def resample_state(player, history, rand):
    length = len(history)
    seen = history[-1][0]
    if length <= 2:
        if length <= 1:
            return _INITIAL
        # only the tile of player 0 has been dealt
        if player == 0:
            return (_TILE_IDS[seen["tile"]], -1, -1, 1)
        return (int(rand() * 8), -1, -1, 1)
    own = _TILE_IDS[seen["tile"]]
    common = _TILE_IDS[seen["common_tile"]]
    acts = seen["acts"]
    node = _LOOKUP[(tuple(acts[0]), tuple(acts[1]), common >= 0)]
    tiles = _UNSEEN[own][common]
    hidden = tiles[int(rand() * len(tiles))]
    if player == 0:
        return (own, hidden, common, node)
    return (hidden, own, common, node)


def resample_history(player, history, rand):
    t0, t1, common, node = resample_state(player, history, rand)
    result = []
    if t0 >= 0:
        result.append(t0)
    if t1 >= 0:
        result.append(t1)
    for name in _FIRST[node]:
        result.append(_ACTION_IDS[name])
    if common >= 0:
        result.append(common)
    for name in _SECOND[node]:
        result.append(_ACTION_IDS[name])
    return result
