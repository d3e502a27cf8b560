from math import comb

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 4
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 12
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# Ranks are 0..3, from the highest (A) to the lowest (J).
_LETTERS = ('A', 'K', 'Q', 'J')
_LED_NAME = ('A', 'K', 'Q', 'J', None)      # index -1: None
_RANK = {'A': 0, 'K': 1, 'Q': 2, 'J': 3}
_PLAY_NAMES = ('play A', 'play K', 'play Q', 'play J')
_DRAW_NAMES = ('draw A', 'draw K', 'draw Q', 'draw J')

# A hand is an int with 2 bits per rank (at most 3 cards).
_U = (1, 4, 16, 64)
_UL = {'A': 1, 'K': 4, 'Q': 16, 'J': 64}
_RANK_OF_UNIT = {1: 0, 4: 1, 16: 2, 64: 3}
# The cards not drawn yet are an int with 3 bits per rank.
_W = (1, 8, 64, 512)
_UND_FULL = 4 * (1 + 8 + 64 + 512)

# Phases of the game: the number t of actions so far decides.
_DRAW0, _DRAW1, _LEAD, _FOLLOW, _END = 0, 1, 2, 3, 4
_T_END = 28


def _make_phases():
    phases = [_DRAW0] * 3 + [_DRAW1] * 3
    for i in range(6):
        phases += [_LEAD, _FOLLOW]
        if i < 5:
            phases += [_DRAW0, _DRAW1]
    phases.append(_END)
    piles = []
    a = b = 8
    for ph in phases:
        piles.append((a, b))
        if ph == _DRAW0:
            a -= 1
        elif ph == _DRAW1:
            b -= 1
    return tuple(phases), tuple(piles)


_PHASE, _PILES = _make_phases()
_FIRST = (3, 6)      # from this t on a player knows the own hand


def _make_hands():
    legal = [None] * 256
    letters = [None] * 256
    ranks = [None] * 256
    counts = [None] * 256
    und = [0] * 256
    for a in range(4):
        for b in range(4 - a):
            for c in range(4 - a - b):
                for d in range(4 - a - b - c):
                    cnt = (a, b, c, d)
                    code = sum(cnt[r] * _U[r] for r in range(4))
                    counts[code] = cnt
                    legal[code] = tuple(r for r in range(4) if cnt[r])
                    ranks[code] = tuple(r for r in range(4) for _ in range(cnt[r]))
                    letters[code] = tuple(_LETTERS[r] for r in ranks[code])
                    und[code] = sum(cnt[r] * _W[r] for r in range(4))
    return tuple(legal), tuple(letters), tuple(ranks), tuple(counts), tuple(und)


_HAND_LEGAL, _HAND_LETTERS, _HAND_RANKS, _HAND_COUNTS, _HAND_UND = _make_hands()


def _make_chance():
    table = [()] * 4096
    for a in range(5):
        for b in range(5):
            for c in range(5):
                for d in range(5):
                    cnt = (a, b, c, d)
                    n = a + b + c + d
                    if n == 0:
                        continue
                    code = sum(cnt[r] * _W[r] for r in range(4))
                    table[code] = tuple((r, cnt[r] / n) for r in range(4) if cnt[r])
    return tuple(table)


_CHANCE = _make_chance()

_PAIR_LETTERS = tuple((_LETTERS[i // 4], _LETTERS[i % 4]) for i in range(16))

# Tables for resampling. A "rest" is the two cards that a player has left after
# playing one; there are 10 of them.
_RESTS = tuple((a, b) for a in range(4) for b in range(a, 4))
_REST_CODE = tuple(_U[a] + _U[b] for a, b in _RESTS)
_REST_INDEX = {code: i for i, code in enumerate(_REST_CODE)}
_REST_COUNTS = tuple(_HAND_COUNTS[code] for code in _REST_CODE)
_COMB = tuple(tuple(comb(a, h) for h in range(4)) for a in range(5))
_ONES = (1,) * 10


def _make_transitions():
    # trans[p][g]: the draws r to the rest g after which p can be played:
    # (r, number of r in g, next rest, 6 / number of legal actions)
    trans = []
    start = []
    for p in range(4):
        row = []
        first = []
        for g in range(10):
            gcode = _REST_CODE[g]
            gcnt = _REST_COUNTS[g]
            opts = []
            for r in range(4):
                hand = gcode + _U[r]
                if _HAND_COUNTS[hand][p] == 0:
                    continue
                opts.append((r, gcnt[r], _REST_INDEX[hand - _U[p]],
                             6 // len(_HAND_LEGAL[hand])))
            row.append(tuple(opts))
            hand = gcode + _U[p]
            h = _HAND_COUNTS[hand]
            first.append((g, hand, h[0], h[1], h[2], h[3],
                          6 // len(_HAND_LEGAL[hand])))
        trans.append(tuple(row))
        start.append(tuple(first))
    return tuple(trans), tuple(start)


_TRANS, _START = _make_transitions()

# state: (t, leader, led or -1, hand of 0, hand of 1, cards not drawn,
#         what 0 drew, what 1 drew, battles, taken by 0, taken by 1)
# What a player drew: 0 until the first hand is complete, then its code, and
# for each later draw 2 more bits.
_INITIAL = (0, 0, -1, 0, 0, _UND_FULL, 0, 0, (), 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    ph = _PHASE[state[0]]
    if ph == 2:
        return state[1]
    if ph == 3:
        return 1 - state[1]
    if ph == 4:
        return -4
    return -1


def legal_actions(state):
    ph = _PHASE[state[0]]
    if ph == 2:
        return list(_HAND_LEGAL[state[3 + state[1]]])
    if ph == 3:
        return list(_HAND_LEGAL[state[4 - state[1]]])
    return []


def chance_outcomes(state):
    if _PHASE[state[0]] > 1:
        return []
    return list(_CHANCE[state[5]])


def apply_action(state, action):
    t, leader, led, h0, h1, und, own0, own1, battles, tk0, tk1 = state
    ph = _PHASE[t]
    if ph == 2:
        if leader == 0:
            h0 -= _U[action]
        else:
            h1 -= _U[action]
        led = action
    elif ph == 3:
        if leader == 0:
            h1 -= _U[action]
            c0 = led
            c1 = action
        else:
            h0 -= _U[action]
            c0 = action
            c1 = led
        battles = battles + (c0 * 4 + c1,)
        if c0 < c1:
            leader = 0
            tk0 += 2
        elif c1 < c0:
            leader = 1
            tk1 += 2
        led = -1
    elif ph == 0:
        h0 += _U[action]
        und -= _W[action]
        if t > 5:
            own0 = own0 * 4 + action
        elif t == 2:
            own0 = h0
    elif ph == 1:
        h1 += _U[action]
        und -= _W[action]
        if t > 5:
            own1 = own1 * 4 + action
        elif t == 5:
            own1 = h1
    else:
        raise ValueError('the game is over')
    return (t + 1, leader, led, h0, h1, und, own0, own1, battles, tk0, tk1)


def returns(state):
    if state[0] < _T_END:
        return [0.0, 0.0]
    a = state[9]
    b = state[10]
    if a > b:
        return [1.0, -1.0]
    if a < b:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    if _PHASE[state[0]] < 2:
        return _DRAW_NAMES[action]
    return _PLAY_NAMES[action]


def observation(state, player):
    t = state[0]
    return {
        'hand': list(_HAND_LETTERS[state[3 + player]]) if t >= _FIRST[player] else [],
        'piles': list(_PILES[t]),
        'leader': state[1],
        'led': _LED_NAME[state[2]],
        'battles': [list(_PAIR_LETTERS[x]) for x in state[8]],
        'taken': [state[9], state[10]],
    }


def information_state(state, player):
    return (player, state[0], state[6 + player], state[2], state[8])


# ---------------------------------------------------------------- resampling

def _code(hand):
    s = 0
    for c in hand:
        s += _UL[c]
    return s


def _draw(left, rand):
    x = rand() * (left[0] + left[1] + left[2] + left[3])
    chosen = 0
    for r in range(4):
        w = left[r]
        if w > 0:
            chosen = r
            x -= w
            if x < 0:
                break
    return chosen


def _shuffled(cards, rand):
    rest = list(cards)
    res = []
    while len(rest) > 1:
        i = int(rand() * len(rest))
        if i >= len(rest):
            i = len(rest) - 1
        res.append(rest.pop(i))
    res.extend(rest)
    return res


def _early(player, history, rand):
    # the draws so far while the first hands are being drawn
    t = len(history) - 1
    left = [4, 4, 4, 4]
    acts = []
    if player == 0 and t >= 3:
        acts = _shuffled([_RANK[c] for c in history[3][0]['hand']], rand)
        for r in acts:
            left[r] -= 1
    while len(acts) < t:
        r = _draw(left, rand)
        left[r] -= 1
        acts.append(r)
    return acts


def _sample(player, history, rand):
    # For complete first hands: own first hand (code), own later draws,
    # first hand of the opponent (code), later draws of the opponent,
    # cards played by the opponent. What the opponent drew is sampled.
    t = len(history) - 1
    last = history[t][0]
    opp = 1 - player

    own_first = _code(history[_FIRST[player]][0]['hand'])
    avail = [4 - n for n in _HAND_COUNTS[own_first]]
    own_draws = []
    i = 8 + player
    while i < t:
        r = _RANK_OF_UNIT[_code(history[i + 1][0]['hand']) - _code(history[i][0]['hand'])]
        own_draws.append(r)
        avail[r] -= 1
        i += 4

    plays = [_RANK[b[opp]] for b in last['battles']]
    if last['led'] is not None and last['leader'] == opp:
        plays.append(_RANK[last['led']])
    k = len(plays)
    m = (t - 5 - opp) // 4      # later draws of the opponent

    if k == 0:
        code = 0
        for _ in range(3):
            r = _draw(avail, rand)
            avail[r] -= 1
            code += _U[r]
        return own_first, own_draws, code, [], plays

    # bases[i]: cards neither drawn by the player nor among the first i cards
    # that the opponent played
    b = tuple(avail)
    bases = [b]
    for p in plays:
        avail[p] -= 1
        bases.append(tuple(avail))

    # vals[i][g]: weight of all that follows if the opponent has the rest g
    # after its play number i
    vals = [_ONES] * (k + 1)
    v = _ONES
    for i in range(k - 1, 0, -1):
        base = bases[i]
        nv = []
        for opts in _TRANS[plays[i]]:
            s = 0
            for r, n, g2, w in opts:
                a = base[r] - n
                if a > 0:
                    s += a * w * v[g2]
            nv.append(s)
        v = nv
        vals[i] = v

    # the first hand
    c0 = _COMB[b[0]]
    c1 = _COMB[b[1]]
    c2 = _COMB[b[2]]
    c3 = _COMB[b[3]]
    cand = []
    total = 0
    for g, hand, n0, n1, n2, n3, w in _START[plays[0]]:
        w = w * c0[n0] * c1[n1] * c2[n2] * c3[n3] * v[g]
        if w > 0:
            total += w
            cand.append((w, g, hand))
    x = rand() * total
    g = 0
    opp_first = 0
    for w, g, opp_first in cand:
        x -= w
        if x < 0:
            break

    # the later draws
    opp_draws = []
    for i in range(1, k):
        base = bases[i]
        v = vals[i + 1]
        x = rand() * vals[i][g]
        chosen = 0
        nxt = g
        for r, n, g2, w in _TRANS[plays[i]][g]:
            a = base[r] - n
            if a > 0:
                w = a * w * v[g2]
                if w > 0:
                    chosen = r
                    nxt = g2
                    x -= w
                    if x < 0:
                        break
        opp_draws.append(chosen)
        g = nxt
    if m >= k:
        base = bases[k]
        cnt = _REST_COUNTS[g]
        opp_draws.append(_draw((base[0] - cnt[0], base[1] - cnt[1],
                                base[2] - cnt[2], base[3] - cnt[3]), rand))
    return own_first, own_draws, opp_first, opp_draws, plays


def resample_history(player, history, rand):
    t = len(history) - 1
    if t < 6:
        return _early(player, history, rand)
    own_first, own_draws, opp_first, opp_draws, _ = _sample(player, history, rand)
    own_cards = _shuffled(_HAND_RANKS[own_first], rand)
    opp_cards = _shuffled(_HAND_RANKS[opp_first], rand)
    if player == 0:
        acts = own_cards + opp_cards
        draws0 = own_draws
        draws1 = opp_draws
    else:
        acts = opp_cards + own_cards
        draws0 = opp_draws
        draws1 = own_draws
    last = history[t][0]
    leader = 0
    j = 0
    for pair in last['battles']:
        c0 = _RANK[pair[0]]
        c1 = _RANK[pair[1]]
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
        if j < len(draws0):
            acts.append(draws0[j])
        if j < len(draws1):
            acts.append(draws1[j])
        j += 1
    if last['led'] is not None:
        acts.append(_RANK[last['led']])
    return acts


def resample_state(player, history, rand):
    t = len(history) - 1
    if t < 6:
        state = _INITIAL
        for a in _early(player, history, rand):
            state = apply_action(state, a)
        return state
    own_first, own_draws, opp_first, opp_draws, plays = _sample(player, history, rand)
    last = history[t][0]
    und = _UND_FULL - _HAND_UND[own_first] - _HAND_UND[opp_first]
    own_seq = own_first
    for r in own_draws:
        und -= _W[r]
        own_seq = own_seq * 4 + r
    opp_seq = opp_first
    opp_hand = opp_first
    for r in opp_draws:
        und -= _W[r]
        opp_seq = opp_seq * 4 + r
        opp_hand += _U[r]
    for r in plays:
        opp_hand -= _U[r]
    own_hand = _code(last['hand'])
    led = last['led']
    led = -1 if led is None else _RANK[led]
    battles = tuple([_RANK[x] * 4 + _RANK[y] for x, y in last['battles']])
    taken = last['taken']
    if player == 0:
        return (t, last['leader'], led, own_hand, opp_hand, und,
                own_seq, opp_seq, battles, taken[0], taken[1])
    return (t, last['leader'], led, opp_hand, own_hand, und,
            opp_seq, own_seq, battles, taken[0], taken[1])
