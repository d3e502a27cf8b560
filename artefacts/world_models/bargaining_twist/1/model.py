from bisect import bisect_right

_WORTH = 12
_MAX_OFFERS = 8


def _all_values(pool):
    a, b, c = pool
    found = []
    for x in range(_WORTH // a + 1):
        left = _WORTH - a * x
        for y in range(left // b + 1):
            rest = left - b * y
            if rest % c == 0:
                found.append((x, y, rest // c))
    return found


def _fits(v, w):
    both = False
    for s, t in zip(v, w):
        if s == 0 and t == 0:
            return False
        if s > 0 and t > 0:
            both = True
    return both


def _build():
    pools = []
    values = []
    first = []
    second = []
    back = []
    for a in range(1, 5):
        for b in range(1, 5):
            for c in range(1, 5):
                if not 4 <= a + b + c <= 6:
                    continue
                pool = (a, b, c)
                vals = _all_values(pool)
                n = len(vals)
                sec = tuple(
                    tuple(j for j in range(n) if _fits(vals[i], vals[j]))
                    for i in range(n))
                fst = tuple(i for i in range(n) if sec[i])
                if not fst:
                    continue
                bck = []
                for j in range(n):
                    cands = tuple(i for i in fst if _fits(vals[i], vals[j]))
                    cum = []
                    total = 0.0
                    for i in cands:
                        total += 1.0 / len(sec[i])
                        cum.append(total)
                    bck.append((cands, tuple(cum)))
                pools.append(pool)
                values.append(tuple(vals))
                first.append(fst)
                second.append(sec)
                back.append(tuple(bck))
    return tuple(pools), tuple(values), tuple(first), tuple(second), tuple(back)


# _FIRST[p]: indices of the possible values of player 0
# _SECOND[p][i0]: indices of the values of player 1 that fit
# _BACK[p][i1]: (indices of fitting values of player 0, cumulated weights)
_POOLS, _VALUES, _FIRST, _SECOND, _BACK = _build()


def _offers_of(pool):
    return [(x, y, z)
            for x in range(pool[0] + 1)
            for y in range(pool[1] + 1)
            for z in range(pool[2] + 1)]


# action 0 is accept, action k > 0 is the offer _OFFERS[k]
_OFFERS = (None,) + tuple(sorted({o for _p in _POOLS for o in _offers_of(_p)}))
_OFFER_ID = {_o: _k for _k, _o in enumerate(_OFFERS) if _o is not None}
_ACTION_NAMES = ("accept",) + tuple("give %d %d %d" % _o for _o in _OFFERS[1:])

_LEGAL_FIRST = tuple([_OFFER_ID[_o] for _o in _offers_of(_p)] for _p in _POOLS)
_LEGAL_LATER = tuple([0] + _l for _l in _LEGAL_FIRST)

_POOL_ID = {_p: _k for _k, _p in enumerate(_POOLS)}
_VALUE_ID = tuple({_v: _k for _k, _v in enumerate(_vs)} for _vs in _VALUES)
_POOL_NAMES = tuple("pool %d %d %d" % _p for _p in _POOLS)
_VALUE_NAMES = tuple(tuple("values %d %d %d" % _v for _v in _vs) for _vs in _VALUES)


def _uniform(items):
    q = 1.0 / len(items) if items else 0.0
    return [(i, q) for i in items]


_OUT_POOL = _uniform(range(len(_POOLS)))
_OUT_FIRST = tuple(_uniform(_f) for _f in _FIRST)
_OUT_SECOND = tuple(tuple(_uniform(_s) for _s in _ss) for _ss in _SECOND)

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = len(_OFFERS)
MAX_CHANCE_OUTCOMES = max(len(_POOLS), max(len(_vs) for _vs in _VALUES))
MAX_GAME_LENGTH = _MAX_OFFERS
MIN_UTILITY = 0.0
MAX_UTILITY = float(_WORTH)

# state: (pool index, values index of player 0, values index of player 1,
#         offers as a tuple of action numbers, accepted 0 or 1);
# an index is -1 before chance has drawn it
_INITIAL = (-1, -1, -1, (), 0)


def initial_state():
    return _INITIAL


def current_player(state):
    if state[2] < 0:
        return -1
    n = len(state[3])
    if state[4] or n >= _MAX_OFFERS:
        return -4
    return n & 1


def legal_actions(state):
    if state[3]:
        return _LEGAL_LATER[state[0]][:]
    return _LEGAL_FIRST[state[0]][:]


def chance_outcomes(state):
    p = state[0]
    if p < 0:
        return _OUT_POOL[:]
    if state[1] < 0:
        return _OUT_FIRST[p][:]
    return _OUT_SECOND[p][state[1]][:]


def apply_action(state, action):
    p, i0, i1, offers, accepted = state
    if i1 >= 0:
        if action == 0:
            return (p, i0, i1, offers, 1)
        return (p, i0, i1, offers + (action,), 0)
    if p < 0:
        return (action, -1, -1, (), 0)
    if i0 < 0:
        return (p, action, -1, (), 0)
    return (p, i0, action, (), 0)


def returns(state):
    if not state[4]:
        return [0.0, 0.0]
    p, i0, i1, offers, _ = state
    x, y, z = _OFFERS[offers[-1]]
    if len(offers) & 1:
        # the last offer was made by player 0: player 1 is given the items
        v = _VALUES[p][i1]
        got = v[0] * x + v[1] * y + v[2] * z
        w = _VALUES[p][i0]
        kept = _WORTH - (w[0] * x + w[1] * y + w[2] * z)
        return [float(kept), float(got)]
    v = _VALUES[p][i0]
    got = v[0] * x + v[1] * y + v[2] * z
    w = _VALUES[p][i1]
    kept = _WORTH - (w[0] * x + w[1] * y + w[2] * z)
    return [float(got), float(kept)]


def action_name(state, action):
    if state[2] >= 0:
        return _ACTION_NAMES[action]
    p = state[0]
    if p < 0:
        return _POOL_NAMES[action]
    return _VALUE_NAMES[p][action]


def observation(state, player):
    p = state[0]
    i = state[1 + player]
    return {
        "pool": list(_POOLS[p]) if p >= 0 else None,
        "values": list(_VALUES[p][i]) if i >= 0 else None,
        "offers": [list(_OFFERS[o]) for o in state[3]],
        "accepted": bool(state[4]),
    }


def information_state(state, player):
    p, i0, i1, offers, accepted = state
    if i1 >= 0:
        stage = 3
    elif i0 >= 0:
        stage = 2
    elif p >= 0:
        stage = 1
    else:
        stage = 0
    return (player, stage, p, i1 if player else i0, offers, accepted)


def resample_state(player, history, rand):
    stage = len(history) - 1
    if stage <= 0:
        return _INITIAL
    obs = history[-1][0]
    p = _POOL_ID[tuple(obs["pool"])]
    if stage == 1:
        return (p, -1, -1, (), 0)
    if stage == 2:
        if player == 0:
            return (p, _VALUE_ID[p][tuple(obs["values"])], -1, (), 0)
        cands = _FIRST[p]
        return (p, cands[int(rand() * len(cands))], -1, (), 0)
    own = _VALUE_ID[p][tuple(obs["values"])]
    if player == 0:
        i0 = own
        cands = _SECOND[p][own]
        i1 = cands[int(rand() * len(cands))]
    else:
        i1 = own
        cands, cum = _BACK[p][own]
        k = bisect_right(cum, rand() * cum[-1])
        if k >= len(cands):
            k = len(cands) - 1
        i0 = cands[k]
    ids = _OFFER_ID
    offers = tuple([ids[(o[0], o[1], o[2])] for o in obs["offers"]])
    return (p, i0, i1, offers, 1 if obs["accepted"] else 0)


def resample_history(player, history, rand):
    p, i0, i1, offers, accepted = resample_state(player, history, rand)
    actions = [i for i in (p, i0, i1) if i >= 0]
    actions.extend(offers)
    if accepted:
        actions.append(0)
    return actions
