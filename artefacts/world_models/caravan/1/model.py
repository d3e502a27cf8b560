from itertools import combinations, permutations

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 356
MAX_CHANCE_OUTCOMES = 32
MAX_GAME_LENGTH = 41
MIN_UTILITY = -74.0
MAX_UTILITY = 74.0

# ---------------------------------------------------------------- actions
# 0 close, 1 take stall, 2 take store, 3 done, 4.. give, 36.. put,
# 68.. lay (80 loads, 144 strings), 292.. join (card * 2 + lot)
_GIVE = 4
_PUT = 36
_LAY = 68
_JOIN = 292

# ---------------------------------------------------------------- phases
# 0 deal (hands), 1 give, 2 open, 3 take, 4 deal (draw), 5 put, 6 lay,
# 7 join, 8 own lots, 9 over
_PHN = ('deal', 'give', 'open', 'take', 'deal', 'put', 'lay', 'join',
        'own lots', 'over')
_PHC = {'give': 1, 'open': 2, 'take': 3, 'deal': 4, 'put': 5, 'lay': 6,
        'join': 7, 'own lots': 8, 'over': 9}

# ---------------------------------------------------------------- cards
_CN = [g + str(v) for g in 'amst' for v in range(1, 9)]
_CARD = {name: i for i, name in enumerate(_CN)}
_BN = {name: 1 << i for i, name in enumerate(_CN)}
_ALL = (1 << 32) - 1


def _table(vals):
    return [[[vals[8 * j + k] for k in range(8) if b >> k & 1]
             for b in range(256)] for j in range(4)]


_C0, _C1, _C2, _C3 = _table(list(range(32)))
_N0, _N1, _N2, _N3 = _table(_CN)
_G0, _G1, _G2, _G3 = _table([_GIVE + i for i in range(32)])
_P0, _P1, _P2, _P3 = _table([_PUT + i for i in range(32)])
_SV = [sum(k + 1 for k in range(8) if b >> k & 1) for b in range(256)]
_INV = [0.0] + [1.0 / k for k in range(1, 33)]


def _cards(m):
    return _C0[m & 255] + _C1[m >> 8 & 255] + _C2[m >> 16 & 255] + _C3[m >> 24]


def _names(m):
    return _N0[m & 255] + _N1[m >> 8 & 255] + _N2[m >> 16 & 255] + _N3[m >> 24]


def _value(m):
    return _SV[m & 255] + _SV[m >> 8 & 255] + _SV[m >> 16 & 255] + _SV[m >> 24]


# ---------------------------------------------------------------- lots
def _make_lots():
    loads = []
    for g in range(4):
        for x, y, z in combinations(range(8), 3):
            if y - x > 1 and z - y > 1:
                loads.append((8 * g + x, 8 * g + y, 8 * g + z))
    loads.sort()
    strings = []
    for v in range(6):
        for p in permutations(range(4), 3):
            strings.append((8 * p[0] + v, 8 * p[1] + v + 1, 8 * p[2] + v + 2))
    strings.sort()
    return loads, strings


_LOADS, _STRINGS = _make_lots()
_LC = _LOADS + _STRINGS                       # cards of a lot, by value
_NLOADS = len(_LOADS)                         # 80
_LM = [(1 << t[0]) | (1 << t[1]) | (1 << t[2]) for t in _LC]
_LN = [[_CN[c] for c in t] for t in _LC]
_LOTN = {tuple(t): i for i, t in enumerate(_LN)}
_LS = [(t[0] & 7) + 1 + (t[2] & 7) + 1 for t in _LC]


def _make_load_tables():
    res = []
    for g in range(4):
        ids = [i for i in range(_NLOADS) if _LC[i][0] >> 3 == g]
        rows = []
        for b in range(256):
            m = b << (8 * g)
            rows.append([i for i in ids if (m & _LM[i]) == _LM[i]])
        res.append(rows)
    return res


_LD0, _LD1, _LD2, _LD3 = _make_load_tables()


def _make_string_tables():
    index = {t: i for i, t in enumerate(_LC)}
    pats = list(permutations(range(4), 3))
    pm = []
    for p in pats:
        m = 0
        for k in range(3):
            m |= 1 << (3 * p[k] + k)
        pm.append(m)
    pat = [[j for j in range(24) if (x & pm[j]) == pm[j]] for x in range(4096)]
    res = []
    for v in range(6):
        ids = [index[(8 * p[0] + v, 8 * p[1] + v + 1, 8 * p[2] + v + 2)]
               for p in pats]
        res.append([[ids[j] for j in row] for row in pat])
    return res


_STR = _make_string_tables()
_RUN = [[v for v in range(6) if (b >> v & 7) == 7] for b in range(256)]


def _near(c):
    m = 1 << c
    if c & 7:
        m |= 1 << (c - 1)
    if (c & 7) != 7:
        m |= 1 << (c + 1)
    return m


_NEAR = [_near(c) for c in range(32)]


def _make_join_masks():
    res = []
    for i, t in enumerate(_LC):
        if i < _NLOADS:
            m = 255 << (8 * (t[0] >> 3))
            for c in t:
                m &= ~_NEAR[c]
        else:
            g = 6 - (t[0] >> 3) - (t[1] >> 3) - (t[2] >> 3)
            v = t[0] & 7
            m = 0
            if v > 0:
                m |= 1 << (8 * g + v - 1)
            if v + 3 < 8:
                m |= 1 << (8 * g + v + 3)
        res.append(m)
    return res


_JM = _make_join_masks()


def _accepts(lot, joined_cards):
    m = _JM[lot]
    if joined_cards:
        if lot >= _NLOADS:
            return 0
        for c in joined_cards:
            m &= ~_NEAR[c]
    return m


def _lots(m):
    """All lots in the hand m (loads first; strings not sorted)."""
    a = m & 255
    b = m >> 8 & 255
    c = m >> 16 & 255
    d = m >> 24
    r = _LD0[a] + _LD1[b] + _LD2[c] + _LD3[d]
    for v in _RUN[a | b | c | d]:
        r += _STR[v][(a >> v & 7) | (b >> v & 7) << 3
                     | (c >> v & 7) << 6 | (d >> v & 7) << 9]
    return r


def _first(m):
    """The lots in m that leave another lot."""
    r = _lots(m)
    res = []
    for x in r:
        k = _LM[x]
        for y in r:
            if not k & _LM[y]:
                res.append(x)
                break
    return res


def _closable(m):
    r = _lots(m)
    if len(r) < 2:
        return False
    masks = [_LM[x] for x in r]
    for x in masks:
        for y in masks:
            if not x & y:
                return True
    return False


_ACTN = (['close', 'take stall', 'take store', 'done']
         + ['give ' + n for n in _CN]
         + ['put ' + n for n in _CN]
         + ['lay ' + ' '.join(t) for t in _LN]
         + ['join %s to lot %d' % (n, w) for n in _CN for w in (1, 2)])
_DEALN = ['deal ' + n for n in _CN]

# ---------------------------------------------------------------- state
# (phase, player to act, hand 0, hand 1, stall, out, store, number in store,
#  turns, closer, lots 0, lots 1, joined to lot 1, joined to lot 2,
#  gift 0, gift 1, info 0, info 1)
_BASE = 64 << 32
_BASE12 = (64 | 12) << 32
_HID_DRAW = 510
_HID_GIFT = 511

_INITIAL = (0, -1, 0, 0, -1, (), _ALL, 32, 0, -1, (), (), (), (), -1, -1,
            _BASE, _BASE)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[1]


def legal_actions(state):
    ph = state[0]
    cp = state[1]
    h = state[3] if cp == 1 else state[2]
    if ph == 3:
        return [1, 2]
    if ph == 5:
        r = (_P0[h & 255] + _P1[h >> 8 & 255] + _P2[h >> 16 & 255]
             + _P3[h >> 24])
        if _closable(h):
            r.insert(0, 0)
        return r
    if ph == 1:
        return (_G0[h & 255] + _G1[h >> 8 & 255] + _G2[h >> 16 & 255]
                + _G3[h >> 24])
    if ph == 6:
        if state[10 + cp]:
            r = _lots(h)
        else:
            r = _first(h)
        r.sort()
        return [_LAY + x for x in r]
    if ph == 7:
        lots = state[10 + state[9]]
        a0 = _accepts(lots[0], state[12])
        a1 = _accepts(lots[1], state[13])
        r = [3]
        x = h & (a0 | a1)
        if x:
            for c in _cards(x):
                if a0 >> c & 1:
                    r.append(_JOIN + 2 * c)
                if a1 >> c & 1:
                    r.append(_JOIN + 1 + 2 * c)
        return r
    if ph == 8:
        r = _lots(h)
        r.sort()
        return [3] + [_LAY + x for x in r]
    return []


def chance_outcomes(state):
    if state[1] != -1:
        return []
    p = _INV[state[7]]
    return [(c, p) for c in _cards(state[6])]


def apply_action(state, action):
    (ph, cp, h0, h1, st, out, sto, nst, turns, clo, l0, l1, j0, j1, g0, g1,
     i0, i1) = state
    if ph == 3:  # take
        i0 = i0 << 9 | action
        i1 = i1 << 9 | action
        if action == 1:
            if cp == 0:
                h0 |= 1 << st
            else:
                h1 |= 1 << st
            return (5, cp, h0, h1, -1, out, sto, nst, turns + 1, clo, l0, l1,
                    j0, j1, g0, g1, i0, i1)
        return (4, -1, h0, h1, st, out, sto, nst, turns + 1, clo, l0, l1,
                j0, j1, g0, g1, i0, i1)
    if ph == 5:  # put
        i0 = i0 << 9 | action
        i1 = i1 << 9 | action
        if action == 0:
            return (6, cp, h0, h1, st, out, sto, nst, turns, cp, l0, l1,
                    j0, j1, g0, g1, i0, i1)
        c = action - _PUT
        if cp == 0:
            h0 ^= 1 << c
        else:
            h1 ^= 1 << c
        if st >= 0:
            out = out + (st,)
        if turns >= 16:
            return (9, -4, h0, h1, c, out, sto, nst, turns, clo, l0, l1,
                    j0, j1, g0, g1, i0, i1)
        return (3, 1 - cp, h0, h1, c, out, sto, nst, turns, clo, l0, l1,
                j0, j1, g0, g1, i0, i1)
    if ph == 4:  # a card drawn from the store
        b = 1 << action
        if turns & 1:
            return (5, 0, h0 | b, h1, st, out, sto ^ b, nst - 1, turns, clo,
                    l0, l1, j0, j1, g0, g1, i0 << 9 | action,
                    i1 << 9 | _HID_DRAW)
        return (5, 1, h0, h1 | b, st, out, sto ^ b, nst - 1, turns, clo,
                l0, l1, j0, j1, g0, g1, i0 << 9 | _HID_DRAW,
                i1 << 9 | action)
    if ph == 0:  # dealing the hands
        b = 1 << action
        nst -= 1
        n = 32 - nst
        if n <= 6:
            h0 |= b
        else:
            h1 |= b
        base = (64 | n) << 32
        i0 = base | h0 if n >= 6 else base
        if n == 12:
            return (1, 0, h0, h1, st, out, sto ^ b, nst, turns, clo, l0, l1,
                    j0, j1, g0, g1, i0, base | h1)
        return (0, -1, h0, h1, st, out, sto ^ b, nst, turns, clo, l0, l1,
                j0, j1, g0, g1, i0, base)
    if ph == 1:  # give
        c = action - _GIVE
        if cp == 0:
            return (1, 1, h0, h1, st, out, sto, nst, turns, clo, l0, l1,
                    j0, j1, c, g1, i0 << 9 | action, i1 << 9 | _HID_GIFT)
        b0 = 1 << g0
        b1 = 1 << c
        return (2, -1, h0 ^ b0 | b1, h1 ^ b1 | b0, st, out, sto, nst, turns,
                clo, l0, l1, j0, j1, g0, c, i0 << 9 | action,
                (i1 << 9 | action) << 9 | g0)
    if ph == 2:  # open
        return (3, 0, h0, h1, action, out, sto ^ (1 << action), nst - 1,
                turns, clo, l0, l1, j0, j1, g0, g1, i0 << 9 | action,
                i1 << 9 | action)
    i0 = i0 << 9 | action
    i1 = i1 << 9 | action
    if ph == 6:  # lay
        lot = action - _LAY
        if cp == 0:
            h0 ^= _LM[lot]
            l0 = l0 + (lot,)
            k = len(l0)
        else:
            h1 ^= _LM[lot]
            l1 = l1 + (lot,)
            k = len(l1)
        if k == 2:
            return (7, 1 - cp, h0, h1, st, out, sto, nst, turns, clo, l0, l1,
                    j0, j1, g0, g1, i0, i1)
        return (6, cp, h0, h1, st, out, sto, nst, turns, clo, l0, l1,
                j0, j1, g0, g1, i0, i1)
    if ph == 7:  # join
        if action == 3:
            return (8, cp, h0, h1, st, out, sto, nst, turns, clo, l0, l1,
                    j0, j1, g0, g1, i0, i1)
        k = action - _JOIN
        c = k >> 1
        if cp == 0:
            h0 ^= 1 << c
        else:
            h1 ^= 1 << c
        if k & 1:
            j1 = j1 + (c,)
        else:
            j0 = j0 + (c,)
        return (7, cp, h0, h1, st, out, sto, nst, turns, clo, l0, l1,
                j0, j1, g0, g1, i0, i1)
    # own lots
    if action == 3:
        return (9, -4, h0, h1, st, out, sto, nst, turns, clo, l0, l1,
                j0, j1, g0, g1, i0 << 32 | h1, i1 << 32 | h0)
    lot = action - _LAY
    if cp == 0:
        h0 ^= _LM[lot]
        l0 = l0 + (lot,)
    else:
        h1 ^= _LM[lot]
        l1 = l1 + (lot,)
    return (8, cp, h0, h1, st, out, sto, nst, turns, clo, l0, l1,
            j0, j1, g0, g1, i0, i1)


def returns(state):
    clo = state[9]
    if state[0] != 9 or clo < 0:
        return [0.0, 0.0]
    s0 = -_value(state[2])
    for x in state[10]:
        s0 += _LS[x]
    s1 = -_value(state[3])
    for x in state[11]:
        s1 += _LS[x]
    d = s0 - s1 if clo == 0 else s1 - s0
    if d > 0:
        d += 5
    else:
        d -= 8
    d = float(d)
    return [d, -d] if clo == 0 else [-d, d]


def action_name(state, action):
    if state[1] == -1:
        return _DEALN[action]
    return _ACTN[action]


def observation(state, player):
    (ph, cp, h0, h1, st, out, sto, nst, turns, clo, l0, l1, j0, j1, g0, g1,
     i0, i1) = state
    if player == 0:
        mine = h0
        other = h1
        gm = g0
        go = g1
    else:
        mine = h1
        other = h0
        gm = g1
        go = g0
    if ph == 0 and (player != 0 or nst > 26):
        hand = []
    else:
        hand = _names(mine)
    return {
        'phase': _PHN[ph],
        'hand': hand,
        'given': _CN[gm] if gm >= 0 else None,
        'received': _CN[go] if ph >= 2 else None,
        'stall': _CN[st] if st >= 0 else None,
        'out': [_CN[c] for c in out],
        'store': nst,
        'turns': turns,
        'closer': clo if clo >= 0 else None,
        'lots': [[list(_LN[x]) for x in l0], [list(_LN[x]) for x in l1]],
        'joined': [[_CN[c] for c in j0], [_CN[c] for c in j1]],
        'opponent_hand': _names(other) if ph == 9 and clo >= 0 else None,
    }


def information_state(state, player):
    return state[17] if player == 1 else state[16]


# ---------------------------------------------------------------- resampling
def _shuffle(cards, rand):
    for i in range(len(cards) - 1, 0, -1):
        j = int(rand() * (i + 1))
        cards[i], cards[j] = cards[j], cards[i]


def _early(player, history, rand):
    """A fitting game of which the gifts have not been exchanged yet."""
    n = len(history)
    dealt = min(n - 1, 12)
    own = None
    if player == 0:
        if dealt >= 6:
            own = [_CARD[x] for x in history[6][0]['hand']]
    elif dealt >= 12:
        own = [_CARD[x] for x in history[12][0]['hand']]
    pool = list(range(32))
    if own is not None:
        _shuffle(own, rand)
        pool = [c for c in pool if c not in own]
    acts = []
    k = 0
    m = len(pool)
    for i in range(dealt):
        if own is not None and (i >= 6) == (player == 1):
            acts.append(own[k])
            k += 1
        else:
            j = int(rand() * m)
            m -= 1
            acts.append(pool[j])
            pool[j] = pool[m]
    if n >= 14:
        if player == 0:
            acts.append(_GIVE + _CARD[history[13][0]['given']])
        else:
            acts.append(_GIVE + acts[int(rand() * 6)])
    return acts


def _parse(player, history):
    """What is known from a history that reaches beyond the exchange."""
    n = len(history)
    last = history[-1][0]
    q = 1 - player
    own = 0
    for x in history[6 if player == 0 else 12][0]['hand']:
        own |= _BN[x]
    gp = _CARD[last['given']]
    gq = _CARD[last['received']]
    known = 1 << gp          # cards known to be in the other's hand
    seen = own | 1 << gq     # cards that the player has ever seen
    reveals = [(gq, 6)]      # hidden cards revealed, number of slots by then
    ns = 6                   # hidden slots: 6 dealt, then the draws
    acts = []
    common = 0
    own_draws = []
    other_draws = []
    qturns = []              # turns of the other: (card got, card put)
    added = 0
    who = 0
    stall = -1
    prev = history[14][0]
    ph = prev['phase']
    for i in range(15, n):
        nx = history[i][0]
        nph = nx['phase']
        gone = ()
        if ph == 'take':
            if nph == 'put':
                a = 1
                if who == q:
                    known |= 1 << stall
                    added = stall
                stall = -1
            else:
                a = 2
            code = a
        elif ph == 'put':
            if nph == 'lay':
                a = 0
                if who == q:
                    qturns.append((added, -1))
            else:
                stall = _CARD[nx['stall']]
                a = _PUT + stall
                if who == q:
                    gone = (stall,)
                    qturns.append((added, stall))
            code = a
        elif ph == 'deal':
            code = 0
            if who == player:
                before = prev['hand']
                a = 0
                for x in nx['hand']:
                    if x not in before:
                        a = _CARD[x]
                        break
                seen |= 1 << a
                own_draws.append((len(acts), a))
            else:
                a = 0
                added = ~ns
                ns += 1
                other_draws.append(len(acts))
        elif ph == 'open':
            stall = a = code = _CARD[nx['stall']]
            seen |= 1 << a
        elif ph == 'join':
            if nph == 'own lots':
                a = 3
            else:
                j = nx['joined']
                w = 0 if len(j[0]) > len(prev['joined'][0]) else 1
                c = _CARD[j[w][-1]]
                a = _JOIN + 2 * c + w
                if who == q:
                    gone = (c,)
            code = a
        else:  # lay, own lots
            if nph == 'over':
                a = 3
            else:
                lot = _LOTN[tuple(nx['lots'][who][-1])]
                a = _LAY + lot
                if who == q:
                    gone = _LC[lot]
            code = a
        for c in gone:
            b = 1 << c
            if known & b:
                known ^= b
            else:
                reveals.append((c, ns))
                seen |= b
        if ph == 'put':
            if nph != 'lay':
                who = 1 - who
        elif ph == 'lay' and nph == 'join':
            who = 1 - who
        acts.append(a)
        common = common << 9 | code
        prev = nx
        ph = nph
    over = ph == 'over'
    if over and last['opponent_hand'] is not None:
        for x in last['opponent_hand']:
            c = _CARD[x]
            b = 1 << c
            if not known & b:
                known |= b
                reveals.append((c, ns))
                seen |= b
    laid = None
    if last['closer'] == q and not over:
        laid = [_LOTN[tuple(x)] for x in last['lots'][q]]
    return (own, gp, gq, known, _ALL & ~seen, reveals, ns, acts, common,
            own_draws, other_draws, qturns, laid)


def _fill(gp, gq, unseen, reveals, ns, qturns, laid, rand):
    """Draws the cards of the other player's hidden slots."""
    pool = _cards(unseen)
    size = len(pool)
    base = 1
    if laid is not None and len(laid) > 1:
        base = len(_first(_LM[laid[0]] | _LM[laid[1]]))
    swap = (1 << gp) | (1 << gq)
    while True:
        slots = [0] * ns
        free = [0, 1, 2, 3, 4, 5]
        top = 6
        for c, k in reveals:
            while top < k:
                free.append(top)
                top += 1
            j = int(rand() * len(free))
            slots[free[j]] = c
            free[j] = free[-1]
            free.pop()
        while top < ns:
            free.append(top)
            top += 1
        m = size
        fills = 0
        for s in free:
            j = int(rand() * m)
            m -= 1
            c = pool[j]
            pool[j] = pool[m]
            pool[m] = c
            slots[s] = c
            fills |= 1 << c
        h = 0
        for c in slots[:6]:
            h |= 1 << c
        h ^= swap
        good = True
        for got, put in qturns:
            h |= 1 << (got if got >= 0 else slots[~got])
            if put >= 0:
                if _closable(h) and rand() < 0.125:
                    good = False
                    break
                h ^= 1 << put
            elif laid is not None:
                f = _first(h)
                if not laid:
                    if not f:
                        good = False
                        break
                elif laid[0] not in f:
                    good = False
                    break
                else:
                    w = base / len(f)
                    if len(laid) > 1:
                        w /= len(_lots(h ^ _LM[laid[0]]))
                    if rand() >= w:
                        good = False
                        break
        if good:
            return slots, fills


def resample_history(player, history, rand):
    if len(history) <= 14:
        return _early(player, history, rand)
    (own, gp, gq, known, unseen, reveals, ns, acts, common, own_draws,
     other_draws, qturns, laid) = _parse(player, history)
    slots, fills = _fill(gp, gq, unseen, reveals, ns, qturns, laid, rand)
    mine = _cards(own)
    _shuffle(mine, rand)
    if player == 0:
        start = mine + slots[:6] + [_GIVE + gp, _GIVE + gq]
    else:
        start = slots[:6] + mine + [_GIVE + gq, _GIVE + gp]
    k = 6
    for i in other_draws:
        acts[i] = slots[k]
        k += 1
    return start + acts


def resample_state(player, history, rand):
    if len(history) <= 14:
        state = _INITIAL
        for a in _early(player, history, rand):
            state = apply_action(state, a)
        return state
    (own, gp, gq, known, unseen, reveals, ns, acts, common, own_draws,
     other_draws, qturns, laid) = _parse(player, history)
    slots, fills = _fill(gp, gq, unseen, reveals, ns, qturns, laid, rand)
    last = history[-1][0]
    hp = 0
    for x in last['hand']:
        hp |= _BN[x]
    hq = known | fills
    first = 0
    for c in slots[:6]:
        first |= 1 << c
    t = len(acts)
    cmine = common
    cother = common
    for i, c in own_draws:
        s = 9 * (t - 1 - i)
        cmine |= c << s
        cother |= _HID_DRAW << s
    k = 6
    for i in other_draws:
        s = 9 * (t - 1 - i)
        cmine |= _HID_DRAW << s
        cother |= slots[k] << s
        k += 1
    if player == 0:
        h0 = hp
        h1 = hq
        g0 = gp
        g1 = gq
        m0 = own
        m1 = first
        c0 = cmine
        c1 = cother
    else:
        h0 = hq
        h1 = hp
        g0 = gq
        g1 = gp
        m0 = first
        m1 = own
        c0 = cother
        c1 = cmine
    sh = 9 * t
    i0 = ((_BASE12 | m0) << 9 | (_GIVE + g0)) << 9 | (_GIVE + g1)
    i1 = (((_BASE12 | m1) << 9 | _HID_GIFT) << 9 | (_GIVE + g1)) << 9 | g0
    i0 = i0 << sh | c0
    i1 = i1 << sh | c1
    ph = _PHC[last['phase']]
    turns = last['turns']
    clo = last['closer']
    if clo is None:
        clo = -1
    if ph == 3:
        cp = turns & 1
    elif ph == 5:
        cp = (turns - 1) & 1
    elif ph == 6:
        cp = clo
    elif ph == 7 or ph == 8:
        cp = 1 - clo
    elif ph == 9:
        cp = -4
        if clo >= 0:
            i0 = i0 << 32 | h1
            i1 = i1 << 32 | h0
    else:
        cp = -1
    lots = last['lots']
    joined = last['joined']
    return (ph, cp, h0, h1, _CARD.get(last['stall'], -1),
            tuple([_CARD[x] for x in last['out']]),
            unseen & ~fills, last['store'], turns, clo,
            tuple([_LOTN[tuple(x)] for x in lots[0]]),
            tuple([_LOTN[tuple(x)] for x in lots[1]]),
            tuple([_CARD[x] for x in joined[0]]),
            tuple([_CARD[x] for x in joined[1]]),
            g0, g1, i0, i1)
