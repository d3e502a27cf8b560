NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 330
MAX_CHANCE_OUTCOMES = 52
MAX_GAME_LENGTH = 200
MIN_UTILITY = -140.0
MAX_UTILITY = 140.0

# ---------------------------------------------------------------- cards
# card index: colour * 13 + number - 1; a hand is a 52-bit mask
_NAME = tuple(c + str(n) for c in 'rbgw' for n in range(1, 14))
_CARD = {name: i for i, name in enumerate(_NAME)}
_BIT = {name: 1 << i for i, name in enumerate(_NAME)}
_VAL = tuple(min(10, i % 13 + 1) for i in range(52))
_FULL = (1 << 52) - 1
_M = 8191
_ONE = 1 | (1 << 13) | (1 << 26) | (1 << 39)
_LOW12 = 4095 * _ONE

# actions: 0 take hidden, 1 take shown, 2 skip, 3 stop, 4 call,
# 5 + meld: show, 277 - card: drop, 329 - card: add
# chance outcome: 51 - card


def _make_tables():
    val = [0] * 8192
    for m in range(1, 8192):
        h = m.bit_length() - 1
        val[m] = val[m ^ (1 << h)] + min(10, h + 1)
    names = []
    outs = []
    drops = []
    for k in range(4):
        nt = [()] * 8192
        ot = [()] * 8192
        dt = [()] * 8192
        for m in range(1, 8192):
            h = m.bit_length() - 1
            r = m ^ (1 << h)
            c = 13 * k + h
            nt[m] = nt[r] + (_NAME[c],)
            ot[m] = (51 - c,) + ot[r]
            dt[m] = (277 - c,) + dt[r]
        names.append(tuple(nt))
        outs.append(tuple(ot))
        drops.append(tuple(dt))
    return tuple(val), names, outs, drops


_V, _names_t, _outs_t, _drops_t = _make_tables()
_N0, _N1, _N2, _N3 = _names_t
_O0, _O1, _O2, _O3 = _outs_t
_D0, _D1, _D2, _D3 = _drops_t


def _make_melds():
    cards = []
    for n in range(13):
        for missing in range(4):
            cards.append(tuple(13 * k + n for k in range(4) if k != missing))
        cards.append(tuple(13 * k + n for k in range(4)))
    for length in (3, 4, 5):
        for k in range(4):
            for s in range(13):
                cards.append(tuple(13 * k + (s + i) % 13
                                   for i in range(length)))
    return tuple(cards)


_MELD_CARDS = _make_melds()
_NUM_MELDS = len(_MELD_CARDS)          # 221
_MELD_MASK = tuple(sum(1 << c for c in cs) for cs in _MELD_CARDS)
_MELD_VAL = tuple(sum(_VAL[c] for c in cs) for cs in _MELD_CARDS)
_MELD_NAMES = tuple(tuple(_NAME[c] for c in cs) for cs in _MELD_CARDS)
_MELD_ID = {m: i for i, m in enumerate(_MELD_MASK)}
_MELD_BY_NAMES = {t: i for i, t in enumerate(_MELD_NAMES)}
_MV = tuple(zip(_MELD_MASK, _MELD_VAL))

_NUM = tuple(_ONE << n for n in range(13))
_V3 = tuple(3 * min(10, n + 1) for n in range(13))
# in the order of the tie-break list
_S4 = tuple((_MV[5 * n + 4], _MV[5 * n + 2], _MV[5 * n + 1]) for n in range(13))
_S3 = tuple((_MV[5 * n + 3], _MV[5 * n]) for n in range(13))
_RUN3 = _MV[65:117]
_RUN4 = _MV[117:169]
_RUN5 = _MV[169:221]

_PREV = tuple(c - 1 if c % 13 else c + 12 for c in range(52))
_NEXT = tuple(c - 12 if c % 13 == 12 else c + 1 for c in range(52))


def _make_fourth():
    res = []
    for i in range(65):
        if i % 5 == 4:
            res.append(0)
        else:
            res.append(_NUM[i // 5] & ~_MELD_MASK[i])
    return tuple(res)


_FOURTH = _make_fourth()

_ANAME = tuple(['take hidden', 'take shown', 'skip', 'stop', 'call']
               + ['show ' + ' '.join(t) for t in _MELD_NAMES]
               + ['drop ' + _NAME[51 - i] for i in range(52)]
               + ['add ' + _NAME[51 - i] for i in range(52)])
_DEALNAME = tuple('deal ' + _NAME[51 - i] for i in range(52))

# characters of the strings that hold what a player has seen
_ACH = tuple(chr(64 + a) for a in range(NUM_DISTINCT_ACTIONS))
_CCH = tuple(chr(500 + c) for c in range(52))


def _hs(x):
    return (chr(4096 + (x & 8191)) + chr(4096 + ((x >> 13) & 8191))
            + chr(4096 + ((x >> 26) & 8191)) + chr(4096 + (x >> 39)))


# ---------------------------------------------------------------- melds

def _meld_list(x, three, four, r3):
    """All melds (mask, value) of the hand x in the order of the tie-break."""
    res = []
    if three:
        m = four
        while m:
            low = m & -m
            res += _S4[low.bit_length() - 1]
            m ^= low
        m = three
        while m:
            low = m & -m
            n = low.bit_length() - 1
            if four & low:
                res += _S3[n]
            else:
                res.append((x & _NUM[n], _V3[n]))
            m ^= low
    if r3:
        r4 = r3 & (((r3 >> 1) & _LOW12) | ((r3 & _ONE) << 12))
        if r4:
            r5 = r4 & (((r4 >> 1) & _LOW12) | ((r4 & _ONE) << 12))
            while r5:
                low = r5 & -r5
                res.append(_RUN5[low.bit_length() - 1])
                r5 ^= low
            while r4:
                low = r4 & -r4
                res.append(_RUN4[low.bit_length() - 1])
                r4 ^= low
        while r3:
            low = r3 & -r3
            res.append(_RUN3[low.bit_length() - 1])
            r3 ^= low
    return res


def _solve(x):
    """(count of all cards, count of the best melds, their cards); at most
    11 cards, so at most three melds."""
    a = x & 8191
    b = (x >> 13) & 8191
    g = (x >> 26) & 8191
    w = x >> 39
    ab = a & b
    gw = g & w
    three = (ab & (g | w)) | (gw & (a | b))
    r2 = x & (((x >> 1) & _LOW12) | ((x & _ONE) << 12))
    r3 = r2 & (((r2 >> 1) & _LOW12) | ((r2 & _ONE) << 12))
    total = _V[a] + _V[b] + _V[g] + _V[w]
    if not three and not r3:
        return total, 0, 0
    lst = _meld_list(x, three, ab & gw, r3)
    n = len(lst)
    if n == 1:
        m1, v1 = lst[0]
        return total, v1, m1
    best = 0
    used = 0
    for i in range(n):
        m1, v1 = lst[i]
        if v1 > best:
            best = v1
            used = m1
        for j in range(i + 1, n):
            m2, v2 = lst[j]
            if m1 & m2:
                continue
            m12 = m1 | m2
            v12 = v1 + v2
            if v12 > best:
                best = v12
                used = m12
            for k in range(j + 1, n):
                m3, v3 = lst[k]
                if v12 + v3 > best and not (m12 & m3):
                    best = v12 + v3
                    used = m12 | m3
    return total, best, used


def _dead10(x):
    total, best, used = _solve(x)
    return total - best


def _dead11(x):
    total, best, used = _solve(x)
    rest = x & ~used
    n = ((rest | (rest >> 13) | (rest >> 26) | (rest >> 39)) & 8191).bit_length()
    return total - best - (10 if n > 10 else n)


def _can_call(x):
    """Whether 11 cards allow a call (quick rejection first)."""
    a = x & 8191
    b = (x >> 13) & 8191
    g = (x >> 26) & 8191
    w = x >> 39
    three = (a & b & (g | w)) | (g & w & (a | b))
    r2 = x & (((x >> 1) & _LOW12) | ((x & _ONE) << 12))
    r3 = r2 & (((r2 >> 1) & _LOW12) | ((r2 & _ONE) << 12))
    if r3:
        r = r3 | ((r3 & _LOW12) << 1) | ((r3 >> 12) & _ONE)
        cov = r | ((r & _LOW12) << 1) | ((r >> 12) & _ONE)
        if three:
            cov |= three * _ONE
    elif three:
        cov = three * _ONE
    else:
        return False
    y = x & ~cov
    if (_V[y & 8191] + _V[(y >> 13) & 8191] + _V[(y >> 26) & 8191]
            + _V[y >> 39]) > 17:
        return False
    return _dead11(x) <= 7


def _total(x):
    return (_V[x & 8191] + _V[(x >> 13) & 8191] + _V[(x >> 26) & 8191]
            + _V[x >> 39])


def _ids(x):
    """Numbers of all melds in x, ascending."""
    a = x & 8191
    b = (x >> 13) & 8191
    g = (x >> 26) & 8191
    w = x >> 39
    ab = a & b
    gw = g & w
    three = (ab & (g | w)) | (gw & (a | b))
    r2 = x & (((x >> 1) & _LOW12) | ((x & _ONE) << 12))
    r3 = r2 & (((r2 >> 1) & _LOW12) | ((r2 & _ONE) << 12))
    if not three and not r3:
        return []
    return sorted([_MELD_ID[m] for m, v in _meld_list(x, three, ab & gw, r3)])


def _addable(melds, added):
    """Mask of the cards that fit the melds, given the cards added."""
    am = 0
    for c in added:
        am |= 1 << c
    res = 0
    for i in melds:
        if i < 65:
            res |= _FOURTH[i]
        else:
            cs = _MELD_CARDS[i]
            p = _PREV[cs[0]]
            if (am >> p) & 1:
                p = _PREV[p]
            q = _NEXT[cs[-1]]
            if (am >> q) & 1:
                q = _NEXT[q]
            res |= (1 << p) | (1 << q)
    return res


# ---------------------------------------------------------------- state
# phases: 0 first deal, 1 first, 2 deal of a hidden card, 3 take, 4 drop,
# 5 last, 6 show (drop), 7 show (melds), 8 add (cards), 9 add (own melds),
# 10 over
_PHASE = ('deal', 'first', 'deal', 'take', 'drop', 'last', 'show', 'show',
          'add', 'add', 'over')

# (phase, turn, hand 0, hand 1, deadwood 0, deadwood 1, shown, previous,
#  pile, stock, size of stock, skipped, repeated, taken, caller,
#  melds 0, melds 1, added, adding over, seen by 0, seen by 1)
_INITIAL = (0, 0, 0, 0, 0, 0, -1, -1, (), _FULL, 52, 0, False, 0, -1,
            (), (), (), False, 'A', 'B')


def initial_state():
    return _INITIAL


def current_player(state):
    ph = state[0]
    if ph == 0 or ph == 2:
        return -1
    if ph == 10:
        return -4
    return state[1]


def legal_actions(state):
    ph = state[0]
    if ph == 3:
        return [0, 1]
    turn = state[1]
    x = state[2 + turn]
    if ph == 4:
        drops = (_D3[x >> 39] + _D2[(x >> 26) & 8191]
                 + _D1[(x >> 13) & 8191] + _D0[x & 8191])
        if state[4 + turn] <= 7:
            return [4, *drops]
        return list(drops)
    if ph == 1:
        if state[11] == 3:
            return [0]
        return [1, 2]
    if ph == 5:
        if _dead11(x | (1 << state[6])) <= 7:
            return [2, 4]
        return [2]
    if ph == 6:
        drops = (_D3[x >> 39] + _D2[(x >> 26) & 8191]
                 + _D1[(x >> 13) & 8191] + _D0[x & 8191])
        return [a for a in drops if _dead10(x ^ (1 << (277 - a))) <= 7]
    if ph == 7:
        res = [3] if state[4 + turn] <= 7 else []
        for i in _ids(x):
            if _dead10(x ^ _MELD_MASK[i]) <= 7:
                res.append(5 + i)
        return res
    if ph == 8:
        y = x & _addable(state[16 - turn], state[17])
        res = [3]
        if y:
            for o in (_O3[y >> 39] + _O2[(y >> 26) & 8191]
                      + _O1[(y >> 13) & 8191] + _O0[y & 8191]):
                res.append(278 + o)
        return res
    if ph == 9:
        res = [3]
        for i in _ids(x):
            res.append(5 + i)
        return res
    return []


def chance_outcomes(state):
    ph = state[0]
    if ph != 0 and ph != 2:
        return []
    x = state[9]
    p = 1.0 / state[10]
    return [(o, p) for o in (_O3[x >> 39] + _O2[(x >> 26) & 8191]
                             + _O1[(x >> 13) & 8191] + _O0[x & 8191])]


def apply_action(state, action):
    (ph, turn, x0, x1, d0, d1, shown, prev, pile, stock, n, skipped, rep,
     taken, caller, m0, m1, added, aover, h0, h1) = state
    if ph == 0 or ph == 2:
        c = 51 - action
        bit = 1 << c
        stock ^= bit
        n -= 1
        if ph == 2:
            if turn:
                x1 |= bit
                d1 = _dead11(x1)
                h0 += '?'
                h1 += _CCH[c]
            else:
                x0 |= bit
                d0 = _dead11(x0)
                h0 += _CCH[c]
                h1 += '?'
            ph = 4
        elif n >= 42:
            x0 |= bit
            h0 += '?'
            h1 += '?'
            if n == 42:
                h0 += _hs(x0)
        elif n >= 32:
            x1 |= bit
            h0 += '?'
            h1 += '?'
            if n == 32:
                h1 += _hs(x1)
        else:
            shown = c
            ph = 1
            turn = 0
            d0 = _dead10(x0)
            d1 = _dead10(x1)
            h0 += _CCH[c]
            h1 += _CCH[c]
    else:
        ch = _ACH[action]
        h0 += ch
        h1 += ch
        if ph == 4:
            if action == 4:
                caller = turn
                d0 = _total(x0)
                d1 = _total(x1)
                if turn:
                    h0 += _hs(x1)
                else:
                    h1 += _hs(x0)
                ph = 6
            else:
                c = 277 - action
                if turn:
                    x1 ^= 1 << c
                    d1 = _dead10(x1)
                else:
                    x0 ^= 1 << c
                    d0 = _dead10(x0)
                shown = c
                again = c == prev
                if again and rep:
                    ph = 10
                    turn = 0
                else:
                    rep = again
                    turn = 1 - turn
                    ph = 5 if n == 2 else 3
        elif ph == 3 or ph == 1:
            if action == 0:
                prev = shown
                pile = pile + (shown,)
                shown = -1
                ph = 2
            elif action == 1:
                if ph == 3 and taken == 49:
                    ph = 10
                    turn = 0
                else:
                    if ph == 3:
                        taken += 1
                    prev = shown
                    if turn:
                        x1 |= 1 << shown
                        d1 = _dead11(x1)
                    else:
                        x0 |= 1 << shown
                        d0 = _dead11(x0)
                    shown = -1
                    ph = 4
            else:
                skipped |= 1 << turn
                turn = 1 - turn
        elif ph == 5:
            if action == 4:
                caller = turn
                if turn:
                    x1 |= 1 << shown
                    h0 += _hs(x1)
                else:
                    x0 |= 1 << shown
                    h1 += _hs(x0)
                shown = -1
                d0 = _total(x0)
                d1 = _total(x1)
                ph = 6
            else:
                ph = 10
                turn = 0
        elif ph == 6:
            c = 277 - action
            if turn:
                x1 ^= 1 << c
                d1 -= _VAL[c]
            else:
                x0 ^= 1 << c
                d0 -= _VAL[c]
            pile = pile + (c,)
            ph = 7
        elif ph == 8:
            if action == 3:
                aover = True
                ph = 9
            else:
                c = 329 - action
                if turn:
                    x1 ^= 1 << c
                    d1 -= _VAL[c]
                else:
                    x0 ^= 1 << c
                    d0 -= _VAL[c]
                added = added + (c,)
        elif action == 3:
            if ph == 9:
                ph = 10
                turn = 0
            else:
                if turn:
                    h1 += _hs(x0)
                    gin = d1 == 0
                else:
                    h0 += _hs(x1)
                    gin = d0 == 0
                turn = 1 - turn
                if gin:
                    aover = True
                    ph = 9
                else:
                    ph = 8
        else:
            i = action - 5
            if turn:
                x1 ^= _MELD_MASK[i]
                d1 -= _MELD_VAL[i]
                m1 = m1 + (i,)
            else:
                x0 ^= _MELD_MASK[i]
                d0 -= _MELD_VAL[i]
                m0 = m0 + (i,)
    return (ph, turn, x0, x1, d0, d1, shown, prev, pile, stock, n, skipped,
            rep, taken, caller, m0, m1, added, aover, h0, h1)


def returns(state):
    caller = state[14]
    if state[0] != 10 or caller < 0:
        return [0.0, 0.0]
    own = state[4 + caller]
    oth = state[5 - caller]
    v = oth - own
    if own == 0:
        v += 40
    elif own > oth:
        v -= 13
    if caller:
        return [float(-v), float(v)]
    return [float(v), float(-v)]


def action_name(state, action):
    ph = state[0]
    if ph == 0 or ph == 2:
        return _DEALNAME[action]
    return _ANAME[action]


def _hand_names(x):
    return list(_N0[x & 8191] + _N1[(x >> 13) & 8191]
                + _N2[(x >> 26) & 8191] + _N3[x >> 39])


def observation(state, player):
    (ph, turn, x0, x1, d0, d1, shown, prev, pile, stock, n, skipped, rep,
     taken, caller, m0, m1, added, aover, h0, h1) = state
    if player:
        own, own_d, opp, opp_d = x1, d1, x0, d0
    else:
        own, own_d, opp, opp_d = x0, d0, x1, d1
    if ph == 0 and n > (32 if player else 42):
        own = 0
    is_open = caller >= 0 and (caller != player or ph >= 8)
    return {
        'phase': _PHASE[ph],
        'hand': _hand_names(own),
        'deadwood': own_d,
        'shown': _NAME[shown] if shown >= 0 else None,
        'previous': _NAME[prev] if prev >= 0 else None,
        'pile': [_NAME[c] for c in pile],
        'stock': n,
        'skipped': [bool(skipped & 1), bool(skipped & 2)],
        'repeated': rep,
        'taken': taken,
        'caller': caller if caller >= 0 else None,
        'melds': [[list(_MELD_NAMES[i]) for i in m0],
                  [list(_MELD_NAMES[i]) for i in m1]],
        'added': [_NAME[c] for c in added],
        'adding_over': aover,
        'opponent_hand': _hand_names(opp) if is_open else None,
        'opponent_deadwood': opp_d if is_open else None,
    }


def information_state(state, player):
    return state[19 + player]


# ---------------------------------------------------------------- resampling

_POW = tuple((11.0 / 12.0) ** k for k in range(256))


def _mask(names):
    x = 0
    for s in names:
        x |= _BIT[s]
    return x


def _parse(player, history):
    """What the history tells. Hidden cards of the other player are numbered
    slots: 0..9 the first hand, then one for each hidden take; slot s is
    written as -1 - s."""
    other = 1 - player
    o = history[21][0]
    own = _mask(o['hand'])
    first = _CARD[o['shown']]
    seen = own | (1 << first)
    acts = []
    lp = []
    lq = []
    slotpos = []
    turns = []
    nslots = 10
    known = 0            # taken when shown and still held by the other player
    add = None
    turn = 0
    revealed = None
    dropped = False
    last_shown = -1
    for k in range(22, len(history)):
        before = o
        o = history[k][0]
        ph = before['phase']
        extra_p = ''
        extra_q = ''
        if ph == 'take' or ph == 'first':
            nph = o['phase']
            if nph == 'deal':
                a = 0
            elif nph == 'first':
                a = 2
                turn = 1 - turn
            else:
                a = 1
                if turn == other and nph == 'drop':
                    add = _CARD[before['shown']]
                    known |= 1 << add
        elif ph == 'deal':
            if turn == player:
                c = _CARD[set(o['hand']).difference(before['hand']).pop()]
                seen |= 1 << c
                acts.append(51 - c)
                lp.append(_CCH[c])
                lq.append('?')
            else:
                add = -1 - nslots
                nslots += 1
                slotpos.append(len(lq))
                acts.append(add)
                lp.append('?')
                lq.append('')
            continue
        elif ph == 'drop' or ph == 'last':
            if o['caller'] is not None:
                a = 4
                if turn == other:
                    if ph == 'last':
                        known |= _BIT[before['shown']]
                    revealed = o['opponent_hand']
                    m = _mask(revealed)
                    seen |= m
                    extra_p = _hs(m)
                else:
                    extra_q = _hs(_mask(o['hand']))
            elif ph == 'last':
                a = 2
                if turn == other:
                    last_shown = _CARD[before['shown']]
            else:
                c = _CARD[o['shown']]
                a = 277 - c
                if turn == other:
                    bit = 1 << c
                    if known & bit:
                        known ^= bit
                        turns.append((add, c, True))
                    else:
                        seen |= bit
                        turns.append((add, c, False))
                    add = None
                turn = 1 - turn
        elif ph == 'show':
            caller = o['caller']
            shown_melds = o['melds'][caller]
            if len(o['pile']) > len(before['pile']):
                a = 277 - _CARD[o['pile'][-1]]
                dropped = True
            elif len(shown_melds) > len(before['melds'][caller]):
                a = 5 + _MELD_BY_NAMES[tuple(shown_melds[-1])]
            else:
                a = 3
                if turn == player:
                    revealed = o['opponent_hand']
                    m = _mask(revealed)
                    seen |= m
                    extra_p = _hs(m)
                else:
                    extra_q = _hs(_mask(o['hand']))
                turn = 1 - turn
        else:
            adder = 1 - o['caller']
            shown_melds = o['melds'][adder]
            if len(o['added']) > len(before['added']):
                a = 329 - _CARD[o['added'][-1]]
            elif len(shown_melds) > len(before['melds'][adder]):
                a = 5 + _MELD_BY_NAMES[tuple(shown_melds[-1])]
            else:
                a = 3
        acts.append(a)
        ch = _ACH[a]
        lp.append(ch + extra_p)
        lq.append(ch + extra_q)
    return (own, first, seen, acts, lp, lq, slotpos, turns, nslots, known,
            add, turn, revealed, dropped, last_shown)


def _draw(parsed, rand):
    """Draws the hidden cards of the other player: the cards of the slots,
    the first hand and the hand before a drop after a call."""
    (own, first, seen, acts, lp, lq, slotpos, turns, nslots, known,
     add, turn, revealed, dropped, last_shown) = parsed
    if revealed is not None:
        pool0 = []
        for s in revealed:
            c = _CARD[s]
            if not (known >> c) & 1:
                pool0.append(c)
    else:
        y = _FULL & ~seen
        pool0 = [51 - i for i in (_O3[y >> 39] + _O2[(y >> 26) & 8191]
                                  + _O1[(y >> 13) & 8191] + _O0[y & 8191])]
    while True:
        free = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]
        cards = [0] * nslots
        for t, c, kn in turns:
            if t < 0:
                free.append(-1 - t)
            if not kn:
                j = int(rand() * len(free))
                last = free.pop()
                if j < len(free):
                    cards[free[j]] = c
                    free[j] = last
                else:
                    cards[last] = c
        if add is not None and add < 0:
            free.append(-1 - add)
        pool = pool0[:]
        for s in free:
            j = int(rand() * len(pool))
            last = pool.pop()
            if j < len(pool):
                cards[s] = pool[j]
                pool[j] = last
            else:
                cards[s] = last
        x = 0
        for s in range(10):
            x |= 1 << cards[s]
        start = x
        k = 0
        for t, c, kn in turns:
            x |= 1 << (t if t >= 0 else cards[-1 - t])
            if _can_call(x):
                k += 1
            x ^= 1 << c
        weight = _POW[k]
        if last_shown >= 0 and _can_call(x | (1 << last_shown)):
            weight *= 0.5
        if weight >= 1.0 or rand() < weight:
            break
    if add is not None:
        x |= 1 << (add if add >= 0 else cards[-1 - add])
    return cards, start, x


def _shuffle(lst, rand):
    for i in range(len(lst) - 1, 0, -1):
        j = int(rand() * (i + 1))
        lst[i], lst[j] = lst[j], lst[i]


def _early(player, history, rand):
    """Histories that end while the first cards are being dealt."""
    names = history[-1][0]['hand']
    mine = [_CARD[s] for s in names]
    mine_set = set(mine)
    rest = [c for c in range(52) if c not in mine_set]
    _shuffle(mine, rand)
    _shuffle(rest, rand)
    res = []
    for i in range(len(history) - 1):
        if mine and i // 10 == player:
            res.append(51 - mine.pop())
        else:
            res.append(51 - rest.pop())
    return res


def resample_history(player, history, rand):
    if len(history) < 22:
        return _early(player, history, rand)
    parsed = _parse(player, history)
    cards, start, x = _draw(parsed, rand)
    y = parsed[0]
    mine = [i for i in (_O3[y >> 39] + _O2[(y >> 26) & 8191]
                        + _O1[(y >> 13) & 8191] + _O0[y & 8191])]
    _shuffle(mine, rand)
    theirs = [51 - c for c in cards[:10]]
    if player:
        res = theirs + mine
    else:
        res = mine + theirs
    res.append(51 - parsed[1])
    for a in parsed[3]:
        res.append(a if a >= 0 else 51 - cards[-1 - a])
    return res


_PHASE_ID = {'deal': 2, 'first': 1, 'take': 3, 'drop': 4, 'last': 5,
             'over': 10}


def resample_state(player, history, rand):
    if len(history) < 22:
        state = _INITIAL
        for a in _early(player, history, rand):
            state = apply_action(state, a)
        return state
    parsed = _parse(player, history)
    cards, start, x = _draw(parsed, rand)
    (own, first, seen, acts, lp, lq, slotpos, turns, nslots, known,
     add, turn, revealed, dropped, last_shown) = parsed
    i = 10
    for pos in slotpos:
        lq[pos] = _CCH[cards[i]]
        i += 1
    o = history[-1][0]
    phase = o['phase']
    if phase == 'show':
        ph = 7 if dropped else 6
    elif phase == 'add':
        ph = 9 if o['adding_over'] else 8
    else:
        ph = _PHASE_ID[phase]
        if ph == 10:
            turn = 0
    stock = _FULL & ~(seen | x)
    caller = o['caller']
    if o['opponent_hand'] is not None:
        x = _mask(o['opponent_hand'])
        dx = o['opponent_deadwood']
    elif caller is not None:
        dx = _total(x)
    elif add is not None:
        dx = _dead11(x)
    else:
        dx = _dead10(x)
    hand = _mask(o['hand'])
    dead = o['deadwood']
    ch = _CCH[first]
    if player:
        h1 = 'B' + '?' * 20 + _hs(own) + ch + ''.join(lp)
        h0 = 'A' + '?' * 10 + _hs(start) + '?' * 10 + ch + ''.join(lq)
        x0, x1, d0, d1 = x, hand, dx, dead
    else:
        h0 = 'A' + '?' * 10 + _hs(own) + '?' * 10 + ch + ''.join(lp)
        h1 = 'B' + '?' * 20 + _hs(start) + ch + ''.join(lq)
        x0, x1, d0, d1 = hand, x, dead, dx
    shown = o['shown']
    prev = o['previous']
    skipped = o['skipped']
    melds = o['melds']
    return (ph, turn, x0, x1, d0, d1,
            -1 if shown is None else _CARD[shown],
            -1 if prev is None else _CARD[prev],
            tuple([_CARD[s] for s in o['pile']]),
            stock, o['stock'],
            (1 if skipped[0] else 0) | (2 if skipped[1] else 0),
            bool(o['repeated']), o['taken'],
            -1 if caller is None else caller,
            tuple([_MELD_BY_NAMES[tuple(t)] for t in melds[0]]),
            tuple([_MELD_BY_NAMES[tuple(t)] for t in melds[1]]),
            tuple([_CARD[s] for s in o['added']]),
            bool(o['adding_over']), h0, h1)
