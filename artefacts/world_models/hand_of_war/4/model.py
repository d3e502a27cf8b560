from itertools import combinations_with_replacement, product
from math import factorial

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 4
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 12
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_LET = ('A', 'K', 'Q', 'J')            # rank 0 is the highest
_IDX = {'A': 0, 'K': 1, 'Q': 2, 'J': 3}
_PLAY = ('play A', 'play K', 'play Q', 'play J')
_DRAW = ('draw A', 'draw K', 'draw Q', 'draw J')
_UNIT = (1, 8, 64, 512)                # multisets: 3 bits for each rank
_FULL = 4 * (1 + 8 + 64 + 512)
_END = 28

# A state is
# (step, undrawn, hand0, hand1, leader, led, taken0, taken1, battles, own0, own1)
#   step:    number of actions so far (chance included)
#   undrawn, hand0, hand1: multisets of cards
#   led:     rank, or -1
#   battles: tuple of 4 * card of player 0 + card of player 1
#   own0/1:  () until the first hand is complete, then
#            (multiset of the first hand, later draws ...)

# kinds of steps: 0 player 0 draws, 1 player 1 draws, 2 lead, 3 follow, 4 end
_KIND = tuple([0] * 3 + [1] * 3 + [2, 3, 0, 1] * 5 + [2, 3, 4])


def _make_drawn():
    out = []
    n = [0, 0]
    for k in _KIND:
        out.append((n[0], n[1]))
        if k < 2:
            n[k] += 1
    return tuple(out)


_DRAWN = _make_drawn()
_PILES = tuple((8 - a, 8 - b) for a, b in _DRAWN)


def _make_hands():
    legal = {}
    letters = {}
    for size in range(4):
        for cards in combinations_with_replacement(range(4), size):
            code = 0
            for c in cards:
                code += _UNIT[c]
            legal[code] = tuple(sorted(set(cards)))
            letters[code] = tuple(_LET[c] for c in cards)
    return legal, letters


_LEGAL, _HAND = _make_hands()


def _make_outcomes():
    table = {}
    for counts in product(range(5), repeat=4):
        total = sum(counts)
        code = 0
        for r in range(4):
            code += counts[r] * _UNIT[r]
        table[code] = tuple((r, counts[r] / total) for r in range(4) if counts[r])
    return table


_OUT = _make_outcomes()
_BATTLE = tuple((_LET[i // 4], _LET[i % 4]) for i in range(16))

# ---- tables for resampling ----
_CH = tuple(
    tuple(factorial(n) // (factorial(k) * factorial(n - k)) if k <= n else 0
          for k in range(4))
    for n in range(5))
_PAIRS = tuple(combinations_with_replacement(range(4), 2))
_NPAIRS = len(_PAIRS)
_ONES = (1.0,) * _NPAIRS


def _make_transitions():
    index = {}
    for i, pair in enumerate(_PAIRS):
        index[pair] = i
    start = []
    trans = []
    for p in range(4):
        srow = []
        trow = []
        for pair in _PAIRS:
            h = sorted(pair + (p,))
            srow.append((h.count(0), h.count(1), h.count(2), h.count(3),
                         1.0 / len(set(h)), tuple(h)))
            entries = []
            for r in range(4):
                hand = sorted(pair + (r,))
                if p in hand:
                    inv = 1.0 / len(set(hand))
                    hand.remove(p)
                    entries.append((r, pair.count(r), index[tuple(hand)], inv))
            trow.append(tuple(entries))
        start.append(tuple(srow))
        trans.append(tuple(trow))
    return tuple(start), tuple(trans)


_START, _TRANS = _make_transitions()
_PCOUNT = tuple(tuple(pair.count(r) for r in range(4)) for pair in _PAIRS)


# ---- the game ----
def initial_state():
    return (0, _FULL, 0, 0, 0, -1, 0, 0, (), (), ())


def current_player(state):
    k = _KIND[state[0]]
    if k < 2:
        return -1
    if k == 2:
        return state[4]
    if k == 3:
        return 1 - state[4]
    return -4


def legal_actions(state):
    k = _KIND[state[0]]
    if k == 2:
        return list(_LEGAL[state[2 + state[4]]])
    if k == 3:
        return list(_LEGAL[state[3 - state[4]]])
    return []


def chance_outcomes(state):
    if _KIND[state[0]] > 1:
        return []
    return list(_OUT[state[1]])


def apply_action(state, action):
    step, rem, h0, h1, leader, led, t0, t1, battles, own0, own1 = state
    k = _KIND[step]
    u = _UNIT[action]
    if k == 0:
        h0 += u
        if step > 2:
            own0 = own0 + (action,)
        elif step == 2:
            own0 = (h0,)
        return (step + 1, rem - u, h0, h1, leader, led, t0, t1, battles, own0, own1)
    if k == 1:
        h1 += u
        if step > 5:
            own1 = own1 + (action,)
        elif step == 5:
            own1 = (h1,)
        return (step + 1, rem - u, h0, h1, leader, led, t0, t1, battles, own0, own1)
    if k == 2:
        if leader == 0:
            h0 -= u
        else:
            h1 -= u
        return (step + 1, rem, h0, h1, leader, action, t0, t1, battles, own0, own1)
    if k == 3:
        if leader == 0:
            h1 -= u
            c0 = led
            c1 = action
        else:
            h0 -= u
            c0 = action
            c1 = led
        if c0 < c1:
            leader = 0
            t0 += 2
        elif c1 < c0:
            leader = 1
            t1 += 2
        return (step + 1, rem, h0, h1, leader, -1, t0, t1,
                battles + (4 * c0 + c1,), own0, own1)
    raise ValueError('the game is over')


def returns(state):
    if state[0] < _END:
        return [0.0, 0.0]
    t0 = state[6]
    t1 = state[7]
    if t0 > t1:
        return [1.0, -1.0]
    if t0 < t1:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    if _KIND[state[0]] < 2:
        return _DRAW[action]
    return _PLAY[action]


def observation(state, player):
    led = state[5]
    return {
        'hand': list(_HAND[state[2 + player]]) if state[9 + player] else [],
        'piles': list(_PILES[state[0]]),
        'leader': state[4],
        'led': None if led < 0 else _LET[led],
        'battles': [list(_BATTLE[b]) for b in state[8]],
        'taken': [state[6], state[7]],
    }


def information_state(state, player):
    return (player, state[0], state[5], state[8], state[9 + player])


# ---- resampling ----
def _choose(weights, rand):
    total = 0.0
    for w in weights:
        if w > 0:
            total += w
    x = rand() * total
    last = 0
    for i, w in enumerate(weights):
        if w > 0:
            last = i
            x -= w
            if x < 0:
                return i
    return last


def _draw_cards(pool, number, rand):
    """Draws cards one after the other; takes them out of the list pool."""
    out = []
    for _ in range(number):
        r = _choose(pool, rand)
        pool[r] -= 1
        out.append(r)
    return out


def _hidden_draws(pool, plays, extra, rand):
    """Draws of the other player (first three sorted), given the plays.

    pool: cards of each rank that the observer has not drawn;
    extra: number of draws after the first hand."""
    count = len(plays)
    pools = []
    q = list(pool)
    for c in plays:
        q = list(q)
        q[c] -= 1
        pools.append(q)
    # values[t][g]: weight of all later plays if pair g is left after play t
    values = [_ONES] * count
    v = _ONES
    for t in range(count - 2, -1, -1):
        q = pools[t]
        row = []
        for entries in _TRANS[plays[t + 1]]:
            s = 0.0
            for r, have, g2, inv in entries:
                s += (q[r] - have) * inv * v[g2]
            row.append(s)
        v = row
        values[t] = v
    # the first hand
    start = _START[plays[0]]
    n0 = _CH[pool[0]]
    n1 = _CH[pool[1]]
    n2 = _CH[pool[2]]
    n3 = _CH[pool[3]]
    weights = []
    for g in range(_NPAIRS):
        a, b, c, d, inv, _ = start[g]
        m = n0[a] * n1[b] * n2[c] * n3[d]
        weights.append(m * inv * v[g] if m else 0.0)
    g = _choose(weights, rand)
    out = list(start[g][5])
    # draws that are followed by a play
    for t in range(count - 1):
        q = pools[t]
        v = values[t + 1]
        entries = _TRANS[plays[t + 1]][g]
        if len(entries) == 1:
            e = entries[0]
        else:
            e = entries[_choose([(q[r] - have) * inv * v[g2]
                                 for r, have, g2, inv in entries], rand)]
        out.append(e[0])
        g = e[2]
    # a last draw with no play after it
    if extra >= count:
        q = pools[count - 1]
        have = _PCOUNT[g]
        out.append(_choose([q[r] - have[r] for r in range(4)], rand))
    return out


def _complete(player, history, rand):
    """(step, observation, battles, led, draws of player 0, draws of player 1)"""
    step = len(history) - 1
    obs = history[step][0]
    drawn = _DRAWN[step]
    opp = 1 - player
    battles = [(_IDX[b[0]], _IDX[b[1]]) for b in obs['battles']]
    led = obs['led']
    led = -1 if led is None else _IDX[led]
    pool = [4, 4, 4, 4]
    if drawn[player] < 3:
        # nothing has been seen yet
        own = _draw_cards(pool, drawn[player], rand)
        other = _draw_cards(pool, drawn[opp], rand)
    else:
        own = [_IDX[x] for x in history[3 + 3 * player][0]['hand']]
        for i in range(9 + player, step + 1, 4):
            before = history[i - 1][0]['hand']
            after = history[i][0]['hand']
            if after[0] != before[0]:
                x = after[0]
            elif after[1] != before[1]:
                x = after[1]
            else:
                x = after[2]
            own.append(_IDX[x])
        for c in own:
            pool[c] -= 1
        plays = [b[opp] for b in battles]
        if led >= 0 and obs['leader'] == opp:
            plays.append(led)
        if plays:
            other = _hidden_draws(pool, plays, drawn[opp] - 3, rand)
        else:
            other = _draw_cards(pool, drawn[opp], rand)
    if player == 0:
        return step, obs, battles, led, own, other
    return step, obs, battles, led, other, own


def _shuffled_first(draws, rand):
    first = list(draws[:3])
    if len(first) == 3:
        j = int(rand() * 3)
        first[2], first[j] = first[j], first[2]
        j = int(rand() * 2)
        first[1], first[j] = first[j], first[1]
    return first


def resample_history(player, history, rand):
    step, obs, battles, led, d0, d1 = _complete(player, history, rand)
    acts = _shuffled_first(d0, rand) + _shuffled_first(d1, rand)
    leader = 0
    n = 3
    for c0, c1 in battles:
        if leader == 0:
            acts.append(c0)
            acts.append(c1)
        else:
            acts.append(c1)
            acts.append(c0)
        if c0 < c1:
            leader = 0
        elif c1 < c0:
            leader = 1
        if len(d0) > n:
            acts.append(d0[n])
        if len(d1) > n:
            acts.append(d1[n])
        n += 1
    if led >= 0:
        acts.append(led)
    return acts


def resample_state(player, history, rand):
    step, obs, battles, led, d0, d1 = _complete(player, history, rand)
    unit = _UNIT
    h0 = 0
    for c in d0:
        h0 += unit[c]
    h1 = 0
    for c in d1:
        h1 += unit[c]
    rem = _FULL - h0 - h1
    codes = []
    for c0, c1 in battles:
        h0 -= unit[c0]
        h1 -= unit[c1]
        codes.append(4 * c0 + c1)
    leader = obs['leader']
    if led >= 0:
        if leader == 0:
            h0 -= unit[led]
        else:
            h1 -= unit[led]
    if len(d0) >= 3:
        own0 = (unit[d0[0]] + unit[d0[1]] + unit[d0[2]],) + tuple(d0[3:])
    else:
        own0 = ()
    if len(d1) >= 3:
        own1 = (unit[d1[0]] + unit[d1[1]] + unit[d1[2]],) + tuple(d1[3:])
    else:
        own1 = ()
    taken = obs['taken']
    return (step, rem, h0, h1, leader, led, taken[0], taken[1],
            tuple(codes), own0, own1)
