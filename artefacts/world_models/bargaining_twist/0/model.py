from bisect import bisect_right

_MAX_OFFERS = 8
_TOTAL = 12


def _values_of(pool):
    a, b, c = pool
    found = []
    for x in range(_TOTAL // a + 1):
        for y in range((_TOTAL - a * x) // b + 1):
            rest = _TOTAL - a * x - b * y
            if rest % c == 0:
                found.append((x, y, rest // c))
    found.sort()
    return tuple(found)


def _fits(u, v):
    both = False
    for x, y in zip(u, v):
        if x == 0 and y == 0:
            return False
        if x > 0 and y > 0:
            both = True
    return both


def _possible(pool):
    vals = _values_of(pool)
    return any(_fits(u, v) for u in vals for v in vals)


# ---------------------------------------------------------------- tables

_POOLS = tuple(
    (a, b, c)
    for a in range(1, 7)
    for b in range(1, 7)
    for c in range(1, 7)
    if 4 <= a + b + c <= 6 and _possible((a, b, c))
)
_POOL_ID = {p: i for i, p in enumerate(_POOLS)}
_POOL_NAMES = tuple("pool %d %d %d" % p for p in _POOLS)
_POOL_CHANCE = tuple((i, 1.0 / len(_POOLS)) for i in range(len(_POOLS)))

# values, by pool
_VALUES = tuple(_values_of(p) for p in _POOLS)
_VALUE_ID = tuple({v: i for i, v in enumerate(vals)} for vals in _VALUES)
_VALUE_NAMES = tuple(
    tuple("values %d %d %d" % v for v in vals) for vals in _VALUES
)

# _FIT[pool][i]: indices of the values of the other player that fit values i
_FIT = tuple(
    tuple(
        tuple(j for j, v in enumerate(vals) if _fits(u, v)) for u in vals
    )
    for vals in _VALUES
)

# _FIRST[pool]: indices of the values that player 0 can have
_FIRST = tuple(
    tuple(i for i, f in enumerate(fit) if f) for fit in _FIT
)
_FIRST_CHANCE = tuple(
    tuple((i, 1.0 / len(first)) for i in first) for first in _FIRST
)
_SECOND_CHANCE = tuple(
    tuple(tuple((j, 1.0 / len(f)) for j in f) for f in fit) for fit in _FIT
)


def _cumulative(weights):
    total = 0.0
    result = []
    for w in weights:
        total += w
        result.append(total)
    return tuple(result)


# Seen from player 1 with values j: the values i of player 0 that fit (the
# relation is symmetric), with weight 1 / number of values that fit i.
_BACK_CUM = tuple(
    tuple(_cumulative([1.0 / len(fit[i]) for i in f]) for f in fit)
    for fit in _FIT
)

_OFFERS = tuple(sorted({
    (x, y, z)
    for (a, b, c) in _POOLS
    for x in range(a + 1)
    for y in range(b + 1)
    for z in range(c + 1)
}))
_OFFER_ID = {o: i + 1 for i, o in enumerate(_OFFERS)}
# by action number; number 0 is accept
_OFFER_OF = ((0, 0, 0),) + _OFFERS
_ACTION_NAMES = ("accept",) + tuple("give %d %d %d" % o for o in _OFFERS)

_LEGAL_FIRST = tuple(
    tuple(
        _OFFER_ID[o]
        for o in _OFFERS
        if o[0] <= p[0] and o[1] <= p[1] and o[2] <= p[2]
    )
    for p in _POOLS
)
_LEGAL_LATER = tuple((0,) + acts for acts in _LEGAL_FIRST)

# ------------------------------------------------------------- constants

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = len(_ACTION_NAMES)
MAX_CHANCE_OUTCOMES = max(len(_POOLS), max(len(vals) for vals in _VALUES))
MAX_GAME_LENGTH = _MAX_OFFERS
MIN_UTILITY = 0.0
MAX_UTILITY = float(_TOTAL)

_INITIAL = (-1, -1, -1, (), False)

# A state is (pool, values of player 0, values of player 1, offers, accepted):
# indices into the tables (-1: not drawn yet), action numbers of the offers.


def initial_state():
    return _INITIAL


def current_player(state):
    if state[2] < 0:
        return -1
    if state[4]:
        return -4
    n = len(state[3])
    if n >= _MAX_OFFERS:
        return -4
    return n & 1


def legal_actions(state):
    if state[3]:
        return list(_LEGAL_LATER[state[0]])
    return list(_LEGAL_FIRST[state[0]])


def chance_outcomes(state):
    pool = state[0]
    if pool < 0:
        return list(_POOL_CHANCE)
    v0 = state[1]
    if v0 < 0:
        return list(_FIRST_CHANCE[pool])
    return list(_SECOND_CHANCE[pool][v0])


def apply_action(state, action):
    pool, v0, v1, offers, accepted = state
    if v1 < 0:
        if pool < 0:
            return (action, -1, -1, (), False)
        if v0 < 0:
            return (pool, action, -1, (), False)
        return (pool, v0, action, (), False)
    if action == 0:
        return (pool, v0, v1, offers, True)
    return (pool, v0, v1, offers + (action,), False)


def returns(state):
    if not state[4]:
        return [0.0, 0.0]
    pool, v0, v1, offers, accepted = state
    a, b, c = _OFFER_OF[offers[-1]]
    vals = _VALUES[pool]
    if len(offers) & 1:
        # player 0 made the last offer, player 1 accepted it
        x, y, z = vals[v0]
        r0 = _TOTAL - (a * x + b * y + c * z)
        x, y, z = vals[v1]
        r1 = a * x + b * y + c * z
    else:
        x, y, z = vals[v0]
        r0 = a * x + b * y + c * z
        x, y, z = vals[v1]
        r1 = _TOTAL - (a * x + b * y + c * z)
    return [float(r0), float(r1)]


def action_name(state, action):
    if state[2] < 0:
        pool = state[0]
        if pool < 0:
            return _POOL_NAMES[action]
        return _VALUE_NAMES[pool][action]
    return _ACTION_NAMES[action]


def observation(state, player):
    pool = state[0]
    own = state[1 + player]
    return {
        "pool": list(_POOLS[pool]) if pool >= 0 else None,
        "values": list(_VALUES[pool][own]) if own >= 0 else None,
        "offers": [list(_OFFER_OF[o]) for o in state[3]],
        "accepted": state[4],
    }


def information_state(state, player):
    pool, v0, v1, offers, accepted = state
    if player == 0:
        return (0, pool, v0, v1 >= 0, offers, accepted)
    return (1, pool, v0 >= 0, v1, offers, accepted)


def _pick(options, rand):
    n = len(options)
    i = int(rand() * n)
    if i >= n:
        i = n - 1
    return options[i]


def resample_state(player, history, rand):
    stage = len(history) - 1  # number of actions so far, chance included
    if stage <= 0:
        return _INITIAL
    obs = history[-1][0]
    pool = _POOL_ID[tuple(obs["pool"])]
    if stage == 1:
        return (pool, -1, -1, (), False)
    values = obs["values"]
    own = -1 if values is None else _VALUE_ID[pool][tuple(values)]
    if stage == 2:
        if player == 0:
            return (pool, own, -1, (), False)
        return (pool, _pick(_FIRST[pool], rand), -1, (), False)
    offers = tuple([_OFFER_ID[tuple(o)] for o in obs["offers"]])
    accepted = bool(obs["accepted"])
    options = _FIT[pool][own]
    if player == 0:
        return (pool, own, _pick(options, rand), offers, accepted)
    cum = _BACK_CUM[pool][own]
    i = bisect_right(cum, rand() * cum[-1])
    if i >= len(options):
        i = len(options) - 1
    return (pool, options[i], own, offers, accepted)


def resample_history(player, history, rand):
    pool, v0, v1, offers, accepted = resample_state(player, history, rand)
    actions = []
    if pool >= 0:
        actions.append(pool)
        if v0 >= 0:
            actions.append(v0)
            if v1 >= 0:
                actions.append(v1)
                actions.extend(offers)
                if accepted:
                    actions.append(0)
    return actions
