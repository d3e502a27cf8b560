NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 330
MAX_CHANCE_OUTCOMES = 52
MAX_GAME_LENGTH = 180
MIN_UTILITY = -140.0
MAX_UTILITY = 140.0

# ---------------------------------------------------------------- tables

_COL = 'rbgw'
_CARD = [_COL[_c // 13] + str(_c % 13 + 1) for _c in range(52)]
_CI = {}
_CBIT = {}
_BITNAME = {}
for _c in range(52):
    _CI[_CARD[_c]] = _c
    _CBIT[_CARD[_c]] = 1 << _c
    _BITNAME[1 << _c] = _CARD[_c]

_ALL = (1 << 52) - 1
_LOW = 1 | (1 << 13) | (1 << 26) | (1 << 39)
_NT = _ALL ^ (_LOW << 12)

_CVAL = [min(_c % 13 + 1, 10) for _c in range(52)]
_TOT = [0] * 8192
for _i in range(1, 8192):
    _l = _i & -_i
    _TOT[_i] = _TOT[_i ^ _l] + min(_l.bit_length(), 10)
_TOPV = [min(_i, 10) for _i in range(14)]

# melds in the order of the actions
_M_CARDS = []
for _n in range(13):
    for _miss in range(4):
        _t = []
        for _k in range(4):
            if _k != _miss:
                _t.append(_k * 13 + _n)
        _M_CARDS.append(tuple(_t))
    _M_CARDS.append((_n, 13 + _n, 26 + _n, 39 + _n))
for _len in (3, 4, 5):
    for _k in range(4):
        for _st in range(13):
            _t = []
            for _j in range(_len):
                _t.append(_k * 13 + (_st + _j) % 13)
            _M_CARDS.append(tuple(_t))

_M_MASK = []
_M_VAL = []
_M_NAMES = []
_M = []
_MIDX = {}
for _i in range(len(_M_CARDS)):
    _m = 0
    _v = 0
    _t = []
    for _c in _M_CARDS[_i]:
        _m |= 1 << _c
        _v += _CVAL[_c]
        _t.append(_CARD[_c])
    _M_MASK.append(_m)
    _M_VAL.append(_v)
    _M_NAMES.append(tuple(_t))
    _M.append((_m, _v, 5 + _i))
    _MIDX[tuple(_t)] = _i

_F1 = {}
_F2 = {}
_T3 = {}
for _n in range(13):
    _b = 5 * _n
    _F1[1 << _n] = (_M[_b + 4], _M[_b + 2], _M[_b + 1])
    _F2[1 << _n] = (_M[_b + 3], _M[_b])
    _T3[1 << _n] = (_M[_b], _M[_b + 1], _M[_b + 2], _M[_b + 3])
_R3 = {}
_R4 = {}
_R5 = {}
for _c in range(52):
    _R3[1 << _c] = _M[65 + _c]
    _R4[1 << _c] = _M[117 + _c]
    _R5[1 << _c] = _M[169 + _c]

# what fits a meld: a mask for sets, (before 1, before 2, after 1, after 2) for runs
_FIT = []
for _n in range(13):
    for _miss in range(4):
        _FIT.append(1 << (_miss * 13 + _n))
    _FIT.append(0)
for _len in (3, 4, 5):
    for _k in range(4):
        for _st in range(13):
            _FIT.append((1 << (_k * 13 + (_st - 1) % 13),
                         1 << (_k * 13 + (_st - 2) % 13),
                         1 << (_k * 13 + (_st + _len) % 13),
                         1 << (_k * 13 + (_st + _len + 1) % 13)))

# actions
_TAKE_HIDDEN = 0
_TAKE_SHOWN = 1
_SKIP = 2
_STOP = 3
_CALL = 4
_A_SHOW = 5
_A_DROP = 226          # drop of card c: 277 - c
_A_ADD = 278           # add of card c: 329 - c

_NAMES = ['take hidden', 'take shown', 'skip', 'stop', 'call']
for _t in _M_NAMES:
    _NAMES.append('show ' + ' '.join(_t))
for _i in range(52):
    _NAMES.append('drop ' + _CARD[51 - _i])
for _i in range(52):
    _NAMES.append('add ' + _CARD[51 - _i])
_AID = {}
for _i in range(len(_NAMES)):
    _AID[_NAMES[_i]] = _i
_DEAL_NAMES = ['deal ' + _CARD[51 - _i] for _i in range(52)]

# characters of the views
_ACH = [chr(_i) for _i in range(330)]
_HID = chr(390)
_CCH = [chr(400 + _c) for _c in range(52)]
_BCH = {}
for _c in range(52):
    _BCH[1 << _c] = _CCH[_c]

# phases
_DEAL0 = 0
_FIRST = 1
_TAKE = 2
_DRAW = 3
_DROP = 4
_LAST = 5
_SDROP = 6
_SHOW = 7
_ADD = 8
_OVER = 9
_PHASE = ['deal', 'first', 'take', 'deal', 'drop', 'last', 'show', 'show', 'add', 'over']
_PHASE_CODE = {'first': 1, 'take': 2, 'deal': 3, 'drop': 4, 'last': 5, 'show': 7,
               'add': 8, 'over': 9}


# ---------------------------------------------------------------- counting

def _total(m):
    return (_TOT[m & 8191] + _TOT[(m >> 13) & 8191]
            + _TOT[(m >> 26) & 8191] + _TOT[m >> 39])


def _melds(m):
    """All melds in the cards m, in the order used for the count with 11 cards."""
    res = []
    a = m & 8191
    b = (m >> 13) & 8191
    c = (m >> 26) & 8191
    d = m >> 39
    ab = a & b
    cd = c & d
    three = (ab & (c | d)) | (cd & (a | b))
    if three:
        four = ab & cd
        x = four
        while x:
            low = x & -x
            x ^= low
            res.extend(_F1[low])
        x = three
        while x:
            low = x & -x
            x ^= low
            if four & low:
                res.extend(_F2[low])
            elif not a & low:
                res.append(_T3[low][0])
            elif not b & low:
                res.append(_T3[low][1])
            elif not c & low:
                res.append(_T3[low][2])
            else:
                res.append(_T3[low][3])
    x2 = m & (((m >> 1) & _NT) | ((m & _LOW) << 12))
    if x2:
        x3 = x2 & (((x2 >> 1) & _NT) | ((x2 & _LOW) << 12))
        if x3:
            x4 = x3 & (((x3 >> 1) & _NT) | ((x3 & _LOW) << 12))
            if x4:
                x5 = x4 & (((x4 >> 1) & _NT) | ((x4 & _LOW) << 12))
                while x5:
                    low = x5 & -x5
                    x5 ^= low
                    res.append(_R5[low])
                while x4:
                    low = x4 & -x4
                    x4 ^= low
                    res.append(_R4[low])
            while x3:
                low = x3 & -x3
                x3 ^= low
                res.append(_R3[low])
    return res


def _best(ms):
    """(count, cards) of the first arrangement whose melds count most."""
    n = len(ms)
    if n == 1:
        e = ms[0]
        return e[1], e[0]
    best = 0
    bm = 0
    for i in range(n):
        e = ms[i]
        a = e[0]
        va = e[1]
        if va > best:
            best = va
            bm = a
        for j in range(i + 1, n):
            e = ms[j]
            if a & e[0]:
                continue
            ab = a | e[0]
            v2 = va + e[1]
            if v2 > best:
                best = v2
                bm = ab
            for k in range(j + 1, n):
                e = ms[k]
                if ab & e[0]:
                    continue
                v3 = v2 + e[1]
                if v3 > best:
                    best = v3
                    bm = ab | e[0]
    return best, bm


def _dead10(m):
    t = _total(m)
    ms = _melds(m)
    if ms:
        return t - _best(ms)[0]
    return t


def _dead11(m):
    ms = _melds(m)
    if ms:
        m &= ~_best(ms)[1]
    a = m & 8191
    b = (m >> 13) & 8191
    c = (m >> 26) & 8191
    d = m >> 39
    return _TOT[a] + _TOT[b] + _TOT[c] + _TOT[d] - _TOPV[(a | b | c | d).bit_length()]


def _can_call(m):
    """Whether 11 cards allow a call (fewer than two melds never do)."""
    ms = _melds(m)
    if len(ms) < 2:
        return False
    m &= ~_best(ms)[1]
    a = m & 8191
    b = (m >> 13) & 8191
    c = (m >> 26) & 8191
    d = m >> 39
    return (_TOT[a] + _TOT[b] + _TOT[c] + _TOT[d]
            - _TOPV[(a | b | c | d).bit_length()]) <= 7


def _fits(melds, added):
    am = 0
    for c in added:
        am |= 1 << c
    r = 0
    for i in melds:
        f = _FIT[i]
        if i < 65:
            r |= f
        else:
            r |= f[1] if am & f[0] else f[0]
            r |= f[3] if am & f[2] else f[2]
    return r


def _names(m):
    r = []
    while m:
        low = m & -m
        r.append(_BITNAME[low])
        m ^= low
    return r


def _hs(m):
    """The cards of a hand as a string for the views."""
    r = []
    while m:
        low = m & -m
        r.append(_BCH[low])
        m ^= low
    return ''.join(r)


def _mask(names):
    m = 0
    for x in names:
        m |= _CBIT[x]
    return m


# ---------------------------------------------------------------- the game
# state: (phase, cur, hand0, hand1, dead0, dead1, shown, previous, pile, stock,
#         stock size, skipped, repeated, taken, caller, melds0, melds1, added,
#         adding over, view0, view1)

_INITIAL = (_DEAL0, 0, 0, 0, 0, 0, -1, -1, (), _ALL, 52, 0, 0, 0, -1, (), (), (), 0, '', '')


def initial_state():
    return _INITIAL


def current_player(state):
    ph = state[0]
    if ph == _OVER:
        return -4
    if ph == _DRAW or ph == _DEAL0:
        return -1
    return state[1]


def legal_actions(state):
    ph = state[0]
    if ph == _TAKE:
        return [0, 1]
    cur = state[1]
    if ph == _DROP:
        r = [4] if state[4 + cur] <= 7 else []
        h = state[2 + cur]
        while h:
            c = h.bit_length() - 1
            r.append(277 - c)
            h ^= 1 << c
        return r
    if ph == _FIRST:
        if state[11] == 3:
            return [0]
        return [1, 2]
    if ph == _LAST:
        if _can_call(state[2 + cur] | (1 << state[6])):
            return [2, 4]
        return [2]
    if ph == _SDROP:
        r = []
        hand = state[2 + cur]
        h = hand
        while h:
            c = h.bit_length() - 1
            bit = 1 << c
            h ^= bit
            if _dead10(hand ^ bit) <= 7:
                r.append(277 - c)
        return r
    if ph == _SHOW:
        hand = state[2 + cur]
        r = []
        for e in _melds(hand):
            if _dead10(hand & ~e[0]) <= 7:
                r.append(e[2])
        if state[4 + cur] <= 7:
            r.append(3)
        r.sort()
        return r
    if ph == _ADD:
        hand = state[2 + cur]
        r = [3]
        if state[18]:
            for e in _melds(hand):
                r.append(e[2])
            r.sort()
            return r
        h = hand & _fits(state[15 + state[14]], state[17])
        while h:
            c = h.bit_length() - 1
            r.append(329 - c)
            h ^= 1 << c
        return r
    return []


def chance_outcomes(state):
    ph = state[0]
    if ph != _DRAW and ph != _DEAL0:
        return []
    x = state[9]
    p = 1.0 / state[10]
    r = []
    while x:
        c = x.bit_length() - 1
        r.append((51 - c, p))
        x ^= 1 << c
    return r


def apply_action(state, action):
    (ph, cur, h0, h1, d0, d1, shown, prev, pile, stock, ns, skipped, rep, taken,
     caller, m0, m1, added, aover, v0, v1) = state

    if ph == _DROP:
        ch = _ACH[action]
        v0 += ch
        v1 += ch
        if action == _CALL:
            if cur == 0:
                v1 += _hs(h0)
            else:
                v0 += _hs(h1)
            return (_SDROP, cur, h0, h1, _total(h0), _total(h1), shown, prev, pile,
                    stock, ns, skipped, rep, taken, cur, m0, m1, added, aover, v0, v1)
        c = 277 - action
        if cur == 0:
            h0 ^= 1 << c
            d0 = _dead10(h0)
        else:
            h1 ^= 1 << c
            d1 = _dead10(h1)
        if c == prev:
            if rep:
                return (_OVER, 0, h0, h1, d0, d1, c, prev, pile, stock, ns, skipped, 1,
                        taken, caller, m0, m1, added, aover, v0, v1)
            rep = 1
        else:
            rep = 0
        return (_LAST if ns == 2 else _TAKE, 1 - cur, h0, h1, d0, d1, c, prev, pile,
                stock, ns, skipped, rep, taken, caller, m0, m1, added, aover, v0, v1)

    if ph == _DRAW:
        c = 51 - action
        bit = 1 << c
        if cur == 0:
            h0 |= bit
            d0 = _dead11(h0)
            v0 += _CCH[c]
            v1 += _HID
        else:
            h1 |= bit
            d1 = _dead11(h1)
            v0 += _HID
            v1 += _CCH[c]
        return (_DROP, cur, h0, h1, d0, d1, shown, prev, pile, stock ^ bit, ns - 1,
                skipped, rep, taken, caller, m0, m1, added, aover, v0, v1)

    if ph == _TAKE or ph == _FIRST:
        ch = _ACH[action]
        v0 += ch
        v1 += ch
        if action == _SKIP:
            return (_FIRST, 1 - cur, h0, h1, d0, d1, shown, prev, pile, stock, ns,
                    skipped | (1 << cur), rep, taken, caller, m0, m1, added, aover, v0, v1)
        if action == _TAKE_HIDDEN:
            return (_DRAW, cur, h0, h1, d0, d1, -1, shown, pile + (shown,), stock, ns,
                    skipped, rep, taken, caller, m0, m1, added, aover, v0, v1)
        if ph == _TAKE:
            if taken == 49:
                return (_OVER, 0, h0, h1, d0, d1, shown, prev, pile, stock, ns, skipped,
                        rep, taken, caller, m0, m1, added, aover, v0, v1)
            taken += 1
        if cur == 0:
            h0 |= 1 << shown
            d0 = _dead11(h0)
        else:
            h1 |= 1 << shown
            d1 = _dead11(h1)
        return (_DROP, cur, h0, h1, d0, d1, -1, shown, pile, stock, ns, skipped, rep,
                taken, caller, m0, m1, added, aover, v0, v1)

    if ph == _DEAL0:
        c = 51 - action
        bit = 1 << c
        stock ^= bit
        if ns > 42:
            h0 |= bit
            v0 += _HID
            v1 += _HID
            if ns == 43:
                v0 += _hs(h0)
        elif ns > 32:
            h1 |= bit
            v0 += _HID
            v1 += _HID
            if ns == 33:
                v1 += _hs(h1)
        else:
            ch = _CCH[c]
            return (_FIRST, 0, h0, h1, _dead10(h0), _dead10(h1), c, prev, pile, stock,
                    ns - 1, skipped, rep, taken, caller, m0, m1, added, aover,
                    v0 + ch, v1 + ch)
        return (_DEAL0, 0, h0, h1, d0, d1, shown, prev, pile, stock, ns - 1, skipped,
                rep, taken, caller, m0, m1, added, aover, v0, v1)

    ch = _ACH[action]
    v0 += ch
    v1 += ch

    if ph == _LAST:
        if action == _SKIP:
            return (_OVER, 0, h0, h1, d0, d1, shown, prev, pile, stock, ns, skipped, rep,
                    taken, caller, m0, m1, added, aover, v0, v1)
        if cur == 0:
            h0 |= 1 << shown
            v1 += _hs(h0)
        else:
            h1 |= 1 << shown
            v0 += _hs(h1)
        return (_SDROP, cur, h0, h1, _total(h0), _total(h1), -1, prev, pile, stock, ns,
                skipped, rep, taken, cur, m0, m1, added, aover, v0, v1)

    if ph == _SDROP:
        c = 277 - action
        if cur == 0:
            h0 ^= 1 << c
            d0 -= _CVAL[c]
        else:
            h1 ^= 1 << c
            d1 -= _CVAL[c]
        return (_SHOW, cur, h0, h1, d0, d1, shown, prev, pile + (c,), stock, ns, skipped,
                rep, taken, caller, m0, m1, added, aover, v0, v1)

    # phases "show" (melds) and "add"
    if action == _STOP:
        if ph == _SHOW:
            if cur == 0:
                v0 += _hs(h1)
                aover = 1 if d0 == 0 else 0
            else:
                v1 += _hs(h0)
                aover = 1 if d1 == 0 else 0
            return (_ADD, 1 - cur, h0, h1, d0, d1, shown, prev, pile, stock, ns, skipped,
                    rep, taken, caller, m0, m1, added, aover, v0, v1)
        if aover:
            return (_OVER, 0, h0, h1, d0, d1, shown, prev, pile, stock, ns, skipped, rep,
                    taken, caller, m0, m1, added, aover, v0, v1)
        return (_ADD, cur, h0, h1, d0, d1, shown, prev, pile, stock, ns, skipped, rep,
                taken, caller, m0, m1, added, 1, v0, v1)
    if action >= _A_ADD:
        c = 329 - action
        if cur == 0:
            h0 ^= 1 << c
            d0 -= _CVAL[c]
        else:
            h1 ^= 1 << c
            d1 -= _CVAL[c]
        added = added + (c,)
    else:
        i = action - _A_SHOW
        if cur == 0:
            h0 &= ~_M_MASK[i]
            d0 -= _M_VAL[i]
            m0 = m0 + (i,)
        else:
            h1 &= ~_M_MASK[i]
            d1 -= _M_VAL[i]
            m1 = m1 + (i,)
    return (ph, cur, h0, h1, d0, d1, shown, prev, pile, stock, ns, skipped, rep, taken,
            caller, m0, m1, added, aover, v0, v1)


def returns(state):
    if state[0] != _OVER or state[14] < 0:
        return [0.0, 0.0]
    caller = state[14]
    own = state[4 + caller]
    other = state[5 - caller]
    s = other - own
    if own == 0:
        s += 40
    elif own > other:
        s -= 13
    s = float(s)
    if s == 0.0:
        return [0.0, 0.0]
    return [s, -s] if caller == 0 else [-s, s]


def action_name(state, action):
    ph = state[0]
    if ph == _DRAW or ph == _DEAL0:
        return _DEAL_NAMES[action]
    return _NAMES[action]


def observation(state, player):
    (ph, cur, h0, h1, d0, d1, shown, prev, pile, stock, ns, skipped, rep, taken,
     caller, m0, m1, added, aover, v0, v1) = state
    if player == 0:
        h = h0 if ns <= 42 else 0
        d = d0
        oh = h1
        od = d1
    else:
        h = h1 if ns <= 32 else 0
        d = d1
        oh = h0
        od = d0
    is_open = caller == 1 - player or (caller == player and ph >= _ADD)
    return {
        'phase': _PHASE[ph],
        'hand': _names(h),
        'deadwood': d,
        'shown': _CARD[shown] if shown >= 0 else None,
        'previous': _CARD[prev] if prev >= 0 else None,
        'pile': [_CARD[c] for c in pile],
        'stock': ns,
        'skipped': [bool(skipped & 1), bool(skipped & 2)],
        'repeated': bool(rep),
        'taken': taken,
        'caller': caller if caller >= 0 else None,
        'melds': [[list(_M_NAMES[i]) for i in m0], [list(_M_NAMES[i]) for i in m1]],
        'added': [_CARD[c] for c in added],
        'adding_over': bool(aover),
        'opponent_hand': _names(oh) if is_open else None,
        'opponent_deadwood': od if is_open else None,
    }


def information_state(state, player):
    return state[19 + player]


# ---------------------------------------------------------------- resampling

def _shuffle(items, rand):
    for i in range(len(items) - 1, 0, -1):
        j = int(rand() * (i + 1))
        items[i], items[j] = items[j], items[i]


def _cards_of(m):
    r = []
    while m:
        low = m & -m
        r.append(low.bit_length() - 1)
        m ^= low
    return r


def _early(player, history, rand):
    """Outcomes of the deal for a history that ends before the first shown card."""
    n = len(history) - 1
    first = 0 if player == 0 else 10
    own = []
    own_mask = 0
    if n >= first + 10:
        own_mask = _mask(history[n][0]['hand'])
        own = _cards_of(own_mask)
        _shuffle(own, rand)
    pool = _cards_of(_ALL & ~own_mask)
    _shuffle(pool, rand)
    seq = []
    for i in range(n):
        if own and first <= i < first + 10:
            seq.append(51 - own[i - first])
        else:
            seq.append(51 - pool.pop())
    return seq


def _sample(player, history, rand):
    """Works out what is known and draws the rest."""
    opp = 1 - player
    n = len(history) - 1
    own0 = _mask(history[20][0]['hand'])
    s0 = _CI[history[21][0]['shown']]
    seen = own0 | (1 << s0)
    acts = []        # what was played after the first shown card; None: unseen card
    ownv = []        # pieces of the views; None: unseen card
    oppv = []
    prog = []        # what happens to the opponent's hand
    reqs = []        # cards the opponent must have had, with the unseen cards before
    ndraw = 0
    known = 0        # cards known to be in the opponent's hand
    revealed = -1
    taker = 0
    lph = ''
    la = -1
    actor = 0
    for i in range(21, n):
        ob, act = history[i]
        nx = history[i + 1][0]
        ph = ob['phase']
        if ph == 'deal':
            if taker == player:
                old = ob['hand']
                card = None
                for x in nx['hand']:
                    if x not in old:
                        card = x
                        break
                c = _CI[card]
                seen |= 1 << c
                acts.append(51 - c)
                ownv.append(_CCH[c])
                oppv.append(_HID)
            else:
                acts.append(None)
                ownv.append(_HID)
                oppv.append(None)
                prog.append((0, 10 + ndraw))
                ndraw += 1
            lph = ph
            la = -1
            actor = taker
            continue
        if act is not None:
            a = _AID[act]
            acts.append(a)
            ch = _ACH[a]
            ownv.append(ch)
            oppv.append(ch)
            if a == _TAKE_HIDDEN:
                taker = player
            elif a == _CALL:
                oppv.append(_hs(_mask(nx['hand'])))
            elif a == _STOP and ph == 'show':
                full = _mask(nx['opponent_hand'])
                revealed = full & ~known
                ownv.append(_hs(full))
            lph = ph
            la = a
            actor = player
            continue
        # the opponent's action
        np = nx['phase']
        own_piece = ''
        opp_piece = ''
        if ph == 'take' or ph == 'first':
            if np == 'deal':
                a = _TAKE_HIDDEN
                taker = opp
            elif np == 'drop':
                a = _TAKE_SHOWN
                bit = _CBIT[ob['shown']]
                known |= bit
                prog.append((1, bit))
            elif np == 'first':
                a = _SKIP
            else:
                a = _TAKE_SHOWN       # the 50th, not carried out
        elif ph == 'drop':
            if np == 'show':
                a = _CALL
                full = _mask(nx['opponent_hand'])
                revealed = full & ~known
                own_piece = _hs(full)
            else:
                c = _CI[nx['shown']]
                bit = 1 << c
                a = 277 - c
                if known & bit:
                    known ^= bit
                else:
                    reqs.append((bit, 10 + ndraw))
                    seen |= bit
                prog.append((2, bit))
        elif ph == 'last':
            bit = _CBIT[ob['shown']]
            if np == 'show':
                a = _CALL
                known |= bit
                prog.append((1, bit))
                full = _mask(nx['opponent_hand'])
                revealed = full & ~known
                own_piece = _hs(full)
            else:
                a = _SKIP
                prog.append((3, bit))
        else:
            nm = nx['melds'][opp]
            if len(nm) > len(ob['melds'][opp]):
                a = _A_SHOW + _MIDX[tuple(nm[-1])]
            elif ph == 'show':
                if len(nx['pile']) > len(ob['pile']):
                    a = 277 - _CI[nx['pile'][-1]]
                else:
                    a = _STOP
                    opp_piece = _hs(_mask(nx['hand']))
            elif len(nx['added']) > len(ob['added']):
                a = 329 - _CI[nx['added'][-1]]
            else:
                a = _STOP
        acts.append(a)
        ch = _ACH[a]
        ownv.append(ch)
        oppv.append(ch)
        if own_piece:
            ownv.append(own_piece)
        if opp_piece:
            oppv.append(opp_piece)
        lph = ph
        la = a
        actor = opp

    # who is to act at the end
    if la == _SKIP or (lph == 'drop' and la != _CALL) or (la == _STOP and lph == 'show'):
        cur = 1 - actor
    else:
        cur = actor

    # draw the unseen cards
    nslots = 10 + ndraw
    x = revealed if revealed >= 0 else _ALL & ~seen
    pool = []
    while x:
        low = x & -x
        pool.append(low)
        x ^= low
    cache = {}
    while True:
        slots = [0] * nslots
        avail = list(range(10))
        top = 10
        for bit, lim in reqs:
            while top < lim:
                avail.append(top)
                top += 1
            k = int(rand() * len(avail))
            slots[avail[k]] = bit
            last = avail.pop()
            if k < len(avail):
                avail[k] = last
        while top < nslots:
            avail.append(top)
            top += 1
        rest = pool[:]
        m = len(rest)
        for j in avail:
            k = int(rand() * m)
            slots[j] = rest[k]
            m -= 1
            rest[k] = rest[m]
        # the opponent's choices: a possible call that was not chosen makes
        # the game less likely
        h = 0
        for j in range(10):
            h |= slots[j]
        u = rand()
        w = 1.0
        for op, v in prog:
            if op == 0:
                h |= slots[v]
            elif op == 1:
                h |= v
            elif op == 2:
                r = cache.get(h)
                if r is None:
                    r = cache[h] = _can_call(h)
                if r:
                    w *= 11.0 / 12.0
                    if u >= w:
                        break
                h ^= v
            else:
                if _can_call(h | v):
                    w *= 0.5
        if u < w:
            break
    return acts, own0, s0, seen, slots, h, ownv, oppv, cur, revealed


def resample_history(player, history, rand):
    if len(history) < 22:
        return _early(player, history, rand)
    (acts, own0, s0, seen, slots, h, ownv, oppv, cur,
     revealed) = _sample(player, history, rand)
    own = [51 - c for c in _cards_of(own0)]
    _shuffle(own, rand)
    other = [52 - slots[j].bit_length() for j in range(10)]
    seq = own + other if player == 0 else other + own
    seq.append(51 - s0)
    k = 10
    for a in acts:
        if a is None:
            a = 52 - slots[k].bit_length()
            k += 1
        seq.append(a)
    return seq


def resample_state(player, history, rand):
    if len(history) < 22:
        state = _INITIAL
        for a in _early(player, history, rand):
            state = apply_action(state, a)
        return state
    (acts, own0, s0, seen, slots, h, ownv, oppv, cur,
     revealed) = _sample(player, history, rand)
    ob = history[-1][0]
    ph = _PHASE_CODE[ob['phase']]
    caller = ob['caller']
    if caller is None:
        caller = -1
    own_hand = _mask(ob['hand'])
    own_dead = ob['deadwood']
    if ob['opponent_hand'] is not None:
        opp_hand = _mask(ob['opponent_hand'])
        opp_dead = ob['opponent_deadwood']
    else:
        opp_hand = h
        if caller >= 0:
            opp_dead = _total(h)
        elif bin(h).count('1') == 11:
            opp_dead = _dead11(h)
        else:
            opp_dead = _dead10(h)
    if ph == _SHOW:
        ch = own_hand if caller == player else opp_hand
        if bin(ch).count('1') == 11:
            ph = _SDROP
    if ph == _OVER:
        cur = 0
    # views
    opp0 = 0
    for j in range(10):
        opp0 |= slots[j]
    gone = seen
    for b in slots:
        gone |= b
    k = 10
    for i in range(len(oppv)):
        if oppv[i] is None:
            oppv[i] = _BCH[slots[k]]
            k += 1
    own_tail = _CCH[s0] + ''.join(ownv)
    opp_tail = _CCH[s0] + ''.join(oppv)
    if player == 0:
        v0 = _HID * 10 + _hs(own0) + _HID * 10 + own_tail
        v1 = _HID * 20 + _hs(opp0) + opp_tail
        h0 = own_hand
        h1 = opp_hand
        d0 = own_dead
        d1 = opp_dead
    else:
        v0 = _HID * 10 + _hs(opp0) + _HID * 10 + opp_tail
        v1 = _HID * 20 + _hs(own0) + own_tail
        h0 = opp_hand
        h1 = own_hand
        d0 = opp_dead
        d1 = own_dead
    shown = ob['shown']
    prev = ob['previous']
    skipped = ob['skipped']
    melds = ob['melds']
    return (ph, cur, h0, h1, d0, d1,
            -1 if shown is None else _CI[shown],
            -1 if prev is None else _CI[prev],
            tuple([_CI[x] for x in ob['pile']]),
            _ALL & ~gone, ob['stock'],
            (1 if skipped[0] else 0) | (2 if skipped[1] else 0),
            1 if ob['repeated'] else 0,
            ob['taken'], caller,
            tuple([_MIDX[tuple(x)] for x in melds[0]]),
            tuple([_MIDX[tuple(x)] for x in melds[1]]),
            tuple([_CI[x] for x in ob['added']]),
            1 if ob['adding_over'] else 0,
            v0, v1)
