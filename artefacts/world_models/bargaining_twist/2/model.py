from bisect import bisect_right

NUM_PLAYERS = 2
_TOTAL = 12
_MAX_OFFERS = 8


# ---------------------------------------------------------------- tables

def _all_values(pool):
    """All values (ascending) such that the whole pool is worth _TOTAL."""
    l, r, s = pool
    res = []
    for x in range(_TOTAL // l + 1):
        for y in range((_TOTAL - l * x) // r + 1):
            rest = _TOTAL - l * x - r * y
            if rest % s == 0:
                res.append((x, y, rest // s))
    return res


def _fit(v, w):
    """Each kind worth more than 0 to someone, at least one kind to both."""
    both = False
    for i in range(3):
        if v[i] == 0 and w[i] == 0:
            return False
        if v[i] > 0 and w[i] > 0:
            both = True
    return both


def _build():
    pools = []      # pool triples, ascending
    values = []     # per pool: value triples that have a fitting partner
    fits = []       # per pool, per value index: list of fitting value indices
    for l in range(1, 5):
        for r in range(1, 5):
            for s in range(1, 5):
                if not 4 <= l + r + s <= 6:
                    continue
                pool = (l, r, s)
                cand = _all_values(pool)
                # the relation is symmetric, so all partners are in good too
                good = [v for v in cand if any(_fit(v, w) for w in cand)]
                if not good:
                    continue
                pools.append(pool)
                values.append(good)
                fits.append([[j for j, w in enumerate(good) if _fit(v, w)]
                             for v in good])
    return pools, values, fits


_POOLS, _VALUES, _FITS = _build()
_POOL_ID = {pool: i for i, pool in enumerate(_POOLS)}
_VALUE_ID = [{v: i for i, v in enumerate(vals)} for vals in _VALUES]


def _build_weights():
    """Per pool and values of player 1: cumulative weights of the fitting
    values of player 0 (in the order of _FITS)."""
    res = []
    for fits in _FITS:
        per_pool = []
        for partners in fits:
            cum = []
            acc = 0.0
            for a in partners:
                acc += 1.0 / len(fits[a])
                cum.append(acc)
            per_pool.append(cum)
        res.append(per_pool)
    return res


_CUM = _build_weights()


def _build_gives():
    triples = set()
    for l, r, s in _POOLS:
        for x in range(l + 1):
            for y in range(r + 1):
                for z in range(s + 1):
                    triples.add((x, y, z))
    return [None] + sorted(triples)     # action 0 is accept


_GIVES = _build_gives()
_GIVE_ID = {g: i for i, g in enumerate(_GIVES) if g is not None}
_ACTION_NAMES = ['accept'] + ['give %d %d %d' % g for g in _GIVES[1:]]
_POOL_NAMES = ['pool %d %d %d' % pool for pool in _POOLS]
_VALUE_NAMES = [['values %d %d %d' % v for v in vals] for vals in _VALUES]

_LEGAL_FIRST = [
    [i for i in range(1, len(_GIVES))
     if _GIVES[i][0] <= pool[0] and _GIVES[i][1] <= pool[1]
     and _GIVES[i][2] <= pool[2]]
    for pool in _POOLS]
_LEGAL_LATER = [[0] + acts for acts in _LEGAL_FIRST]


def _uniform(outcomes):
    outcomes = list(outcomes)
    prob = 1.0 / len(outcomes)
    return [(o, prob) for o in outcomes]


_CHANCE_POOL = _uniform(range(len(_POOLS)))
_CHANCE_V0 = [_uniform(range(len(vals))) for vals in _VALUES]
_CHANCE_V1 = [[_uniform(partners) for partners in fits] for fits in _FITS]

NUM_DISTINCT_ACTIONS = len(_GIVES)
MAX_CHANCE_OUTCOMES = max(len(_POOLS), max(len(vals) for vals in _VALUES))
MAX_GAME_LENGTH = _MAX_OFFERS
MIN_UTILITY = 0.0
MAX_UTILITY = float(_TOTAL)

# state: (player to act, pool, values of player 0, values of player 1,
#         offers as action ids, accepted 0/1); indices, -1 for not drawn
_INITIAL = (-1, -1, -1, -1, (), 0)


# ---------------------------------------------------------------- game

def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    if state[4]:
        return _LEGAL_LATER[state[1]][:]
    return _LEGAL_FIRST[state[1]][:]


def chance_outcomes(state):
    p = state[1]
    if p < 0:
        return _CHANCE_POOL[:]
    a = state[2]
    if a < 0:
        return _CHANCE_V0[p][:]
    return _CHANCE_V1[p][a][:]


def apply_action(state, action):
    cp, p, a, b, offers, accepted = state
    if cp >= 0:
        if action == 0:
            return (-4, p, a, b, offers, 1)
        offers = offers + (action,)
        if len(offers) >= _MAX_OFFERS:
            return (-4, p, a, b, offers, 0)
        return (1 - cp, p, a, b, offers, 0)
    if p < 0:
        return (-1, action, -1, -1, (), 0)
    if a < 0:
        return (-1, p, action, -1, (), 0)
    return (0, p, a, action, (), 0)


def returns(state):
    if not state[5]:
        return [0.0, 0.0]
    _, p, a, b, offers, _ = state
    x, y, z = _GIVES[offers[-1]]
    if len(offers) % 2:
        # player 0 made the last offer, player 1 accepted it
        v = _VALUES[p][b]
        w = _VALUES[p][a]
    else:
        v = _VALUES[p][a]
        w = _VALUES[p][b]
    given = x * v[0] + y * v[1] + z * v[2]
    kept = _TOTAL - (x * w[0] + y * w[1] + z * w[2])
    if len(offers) % 2:
        return [float(kept), float(given)]
    return [float(given), float(kept)]


def action_name(state, action):
    if state[0] >= 0:
        return _ACTION_NAMES[action]
    p = state[1]
    if p < 0:
        return _POOL_NAMES[action]
    return _VALUE_NAMES[p][action]


# ---------------------------------------------------------------- views

def observation(state, player):
    p = state[1]
    own = state[3] if player else state[2]
    return {
        'pool': list(_POOLS[p]) if p >= 0 else None,
        'values': list(_VALUES[p][own]) if own >= 0 else None,
        'offers': [list(_GIVES[o]) for o in state[4]],
        'accepted': state[5] == 1,
    }


def information_state(state, player):
    _, p, a, b, offers, accepted = state
    if b >= 0:
        drawn = 3
    elif a >= 0:
        drawn = 2
    elif p >= 0:
        drawn = 1
    else:
        drawn = 0
    return (player, drawn, p, b if player else a, offers, accepted)


# ---------------------------------------------------------------- resampling

def resample_state(player, history, rand):
    n = len(history) - 1        # actions so far, those of chance included
    if n <= 0:
        return _INITIAL
    obs = history[-1][0]
    p = _POOL_ID[tuple(obs['pool'])]
    if n == 1:
        return (-1, p, -1, -1, (), 0)
    if n == 2:
        if player == 0:
            a = _VALUE_ID[p][tuple(obs['values'])]
        else:
            a = int(rand() * len(_VALUES[p]))
        return (-1, p, a, -1, (), 0)
    own = _VALUE_ID[p][tuple(obs['values'])]
    partners = _FITS[p][own]
    if player == 0:
        a = own
        b = partners[int(rand() * len(partners))]
    else:
        b = own
        cum = _CUM[p][own]
        a = partners[bisect_right(cum, rand() * cum[-1], 0, len(cum) - 1)]
    offers = tuple([_GIVE_ID[tuple(o)] for o in obs['offers']])
    if obs['accepted']:
        return (-4, p, a, b, offers, 1)
    k = len(offers)
    if k >= _MAX_OFFERS:
        return (-4, p, a, b, offers, 0)
    return (k % 2, p, a, b, offers, 0)


def resample_history(player, history, rand):
    _, p, a, b, offers, accepted = resample_state(player, history, rand)
    res = []
    if p >= 0:
        res.append(p)
        if a >= 0:
            res.append(a)
            if b >= 0:
                res.append(b)
                res.extend(offers)
                if accepted:
                    res.append(0)
    return res
