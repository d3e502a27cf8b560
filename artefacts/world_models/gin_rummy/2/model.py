NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 241
MAX_CHANCE_OUTCOMES = 52
MAX_GAME_LENGTH = 180
MIN_UTILITY = -125.0
MAX_UTILITY = 125.0

# Actions: 0..51 cards (suit * 13 + rank), 52 draw upcard, 53 draw stock,
# 54 pass / done, 55 knock, 56..240 melds.

_KNOCK_CARD = 10
_MAX_UPCARDS = 50
_WALL = 2
_ALL = (1 << 52) - 1

_RANKS = 'A23456789TJQK'
_SUITS = 'scdh'
_NAME = [_r + _s for _s in _SUITS for _r in _RANKS]
_CID = {_n: _i for _i, _n in enumerate(_NAME)}
_NAME_OR_NONE = _NAME + [None]          # index -1 gives None
_RVAL = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
_CVAL = _RVAL * 4
_CH = [chr(_i) for _i in range(256)]
_HID = chr(255)

# phases
# 0 deal, 1 first upcard, 2 draw, 3 discard, 4 knock (discard), 5 knock (melds),
# 6 layoff (cards), 7 layoff (melds), 8 wall, 9 over
_PHASE = ('deal', 'first upcard', 'draw', 'discard', 'knock', 'knock',
          'layoff', 'layoff', 'wall', 'over')
_PHASE_ID = {'deal': 0, 'first upcard': 1, 'draw': 2, 'discard': 3, 'wall': 8, 'over': 9}


def _make_patterns():
    val = [0] * 8192
    ranks = [()] * 8192
    for p in range(1, 8192):
        t = p.bit_length() - 1
        rest = p ^ (1 << t)
        val[p] = val[rest] + _RVAL[t]
        ranks[p] = ranks[rest] + (t,)
    cards = []
    names = []
    for s in range(4):
        cl = [[s * 13 + t for t in r] for r in ranks]
        cards.append(cl)
        names.append([[_NAME[c] for c in x] for x in cl])
    return val, ranks, cards, names


_VAL, _RK, _CL, _NL = _make_patterns()
_C0, _C1, _C2, _C3 = _CL
_N0, _N1, _N2, _N3 = _NL

# mask of the cards that count at least k
_GE = [sum(1 << _c for _c in range(52) if _CVAL[_c] >= _k) for _k in range(11)]


def _make_melds():
    melds = []
    names = []
    lay = []

    def add(cards, l):
        mask = 0
        v = 0
        for c in cards:
            mask |= 1 << c
            v += _CVAL[c]
        melds.append((mask, v, 56 + len(melds)))
        names.append(tuple(_NAME[c] for c in cards))
        lay.append(l)

    for r in range(13):
        for miss in range(5):
            cards = [s * 13 + r for s in range(4) if s != miss]
            if miss < 4:
                add(cards, (1 << (miss * 13 + r), 0, 0, 0))
            else:
                add(cards, (0, 0, 0, 0))
    for length in (3, 4, 5):
        for s in range(4):
            for lo in range(14 - length):
                hi = lo + length - 1
                base = s * 13
                b1 = 1 << (base + lo - 1) if lo >= 1 else 0
                b2 = 1 << (base + lo - 2) if lo >= 2 else 0
                a1 = 1 << (base + hi + 1) if hi <= 11 else 0
                a2 = 1 << (base + hi + 2) if hi <= 10 else 0
                add([base + x for x in range(lo, hi + 1)], (b1, b2, a1, a2))
    return melds, names, lay


_MELD, _MCARDS, _LAY = _make_melds()
_MNAME = ['meld ' + ' '.join(_m) for _m in _MCARDS]

_SETS_A = [(_MELD[_r * 5 + 4], _MELD[_r * 5 + 2], _MELD[_r * 5 + 1]) for _r in range(13)]
_SETS_B = [(_MELD[_r * 5 + 3], _MELD[_r * 5]) for _r in range(13)]


def _make_runs():
    tabs = []
    for s in range(4):
        tab = [None] * 8192
        for p in range(8192):
            r3 = p & (p >> 1) & (p >> 2)
            if r3:
                r4 = r3 & (r3 >> 1)
                r5 = r4 & (r4 >> 1)
                t3 = tuple([_MELD[65 + s * 11 + lo] for lo in _RK[r3]])
                t4 = tuple([_MELD[109 + s * 10 + lo] for lo in _RK[r4]])
                t5 = tuple([_MELD[149 + s * 9 + lo] for lo in _RK[r5]])
                tab[p] = (t5 + t4 + t3, t5, t4, t3)
        tabs.append(tab)
    return tabs


_R0, _R1, _R2, _R3 = _make_runs()


def _make_action_ids():
    ids = {'draw upcard': 52, 'draw stock': 53, 'pass': 54, 'done': 54, 'knock': 55}
    for c in range(52):
        ids['discard ' + _NAME[c]] = c
        ids['lay off ' + _NAME[c]] = c
    for i in range(len(_MNAME)):
        ids[_MNAME[i]] = 56 + i
    return ids


_AID = _make_action_ids()


# ---------------------------------------------------------------- melds

def _find(s, c, d, h):
    """All melds of the hand, in the order that decides between equal arrangements."""
    out = []
    sc = s & c
    dh = d & h
    three = (sc & (d | h)) | (dh & (s | c))
    if three:
        four = sc & dh
        if four:
            for r in _RK[four]:
                out += _SETS_A[r]
        for r in _RK[three]:
            if (four >> r) & 1:
                out += _SETS_B[r]
            elif not (s >> r) & 1:
                out.append(_MELD[r * 5])
            elif not (c >> r) & 1:
                out.append(_MELD[r * 5 + 1])
            elif not (d >> r) & 1:
                out.append(_MELD[r * 5 + 2])
            else:
                out.append(_MELD[r * 5 + 3])
    a = _R0[s]
    b = _R1[c]
    e = _R2[d]
    f = _R3[h]
    if a or b or e or f:
        xs = [x for x in (a, b, e, f) if x]
        if len(xs) == 1:
            out += xs[0][0]
        else:
            for k in (1, 2, 3):
                for x in xs:
                    out += x[k]
    return out


def _best(ms):
    """(count, mask) of the first arrangement whose melds count most; ms not empty."""
    n = len(ms)
    if n == 1:
        x = ms[0]
        return x[1], x[0]
    best = 0
    bm = 0
    for i in range(n):
        m1, v1, _ = ms[i]
        if v1 > best:
            best = v1
            bm = m1
        for j in range(i + 1, n):
            m2, v2, _ = ms[j]
            if m1 & m2:
                continue
            m12 = m1 | m2
            v12 = v1 + v2
            if v12 > best:
                best = v12
                bm = m12
            for k in range(j + 1, n):
                m3, v3, _ = ms[k]
                if m12 & m3:
                    continue
                if v12 + v3 > best:
                    best = v12 + v3
                    bm = m12 | m3
    return best, bm


def _arrangements(ms):
    """All arrangements with at least one meld: (mask, count, actions)."""
    out = []
    n = len(ms)
    for i in range(n):
        m1, v1, a1 = ms[i]
        out.append((m1, v1, (a1,)))
        for j in range(i + 1, n):
            m2, v2, a2 = ms[j]
            if m1 & m2:
                continue
            m12 = m1 | m2
            v12 = v1 + v2
            out.append((m12, v12, (a1, a2)))
            for k in range(j + 1, n):
                m3, v3, a3 = ms[k]
                if m12 & m3:
                    continue
                out.append((m12 | m3, v12 + v3, (a1, a2, a3)))
    return out


def _melds_of(hand):
    return _find(hand & 8191, (hand >> 13) & 8191, (hand >> 26) & 8191, hand >> 39)


def _total(hand):
    return (_VAL[hand & 8191] + _VAL[(hand >> 13) & 8191]
            + _VAL[(hand >> 26) & 8191] + _VAL[hand >> 39])


def _count10(hand):
    s = hand & 8191
    c = (hand >> 13) & 8191
    d = (hand >> 26) & 8191
    h = hand >> 39
    t = _VAL[s] + _VAL[c] + _VAL[d] + _VAL[h]
    ms = _find(s, c, d, h)
    if ms:
        t -= _best(ms)[0]
    return t


def _count11(hand):
    s = hand & 8191
    c = (hand >> 13) & 8191
    d = (hand >> 26) & 8191
    h = hand >> 39
    t = _VAL[s] + _VAL[c] + _VAL[d] + _VAL[h]
    ms = _find(s, c, d, h)
    if ms:
        v, m = _best(ms)
        t -= v
        rest = hand & ~m
        if not rest:
            return 0
        u = (rest | (rest >> 13) | (rest >> 26) | (rest >> 39)) & 8191
    else:
        u = s | c | d | h
    return t - _RVAL[u.bit_length() - 1]


def _can_knock(hand):
    """Whether a hand of 11 cards has a count of at most the knock card."""
    s = hand & 8191
    c = (hand >> 13) & 8191
    d = (hand >> 26) & 8191
    h = hand >> 39
    ms = _find(s, c, d, h)
    if not ms:
        # 11 cards without any meld always count more than 10
        return False
    v, m = _best(ms)
    t = _VAL[s] + _VAL[c] + _VAL[d] + _VAL[h] - v
    if t > 20:
        return False
    rest = hand & ~m
    if not rest:
        return True
    u = (rest | (rest >> 13) | (rest >> 26) | (rest >> 39)) & 8191
    return t - _RVAL[u.bit_length() - 1] <= _KNOCK_CARD


def _cards(mask):
    return (_C0[mask & 8191] + _C1[(mask >> 13) & 8191]
            + _C2[(mask >> 26) & 8191] + _C3[mask >> 39])


def _names(mask):
    return (_N0[mask & 8191] + _N1[(mask >> 13) & 8191]
            + _N2[(mask >> 26) & 8191] + _N3[mask >> 39])


def _mask(names):
    m = 0
    for x in names:
        m |= 1 << _CID[x]
    return m


# ---------------------------------------------------------------- the game

# state:
#  0 phase, 1 player to act (phase 0: who gets the card; over: 0), 2 3 hands (masks),
#  4 5 counts, 6 upcard (-1 none), 7 previous upcard, 8 discard pile, 9 stock (mask),
#  10 stock size, 11 passed (bits), 12 repeated move, 13 upcards drawn, 14 knocker (-1),
#  15 16 melds laid down (actions), 17 cards laid off, 18 laying off is over,
#  19 20 what each player has seen and done

_INITIAL = (0, 0, 0, 0, 0, 0, -1, -1, (), _ALL, 52, 0, False, 0, -1,
            (), (), (), False, '', '')


def initial_state():
    return _INITIAL


def current_player(state):
    ph = state[0]
    if ph == 0:
        return -1
    if ph == 9:
        return -4
    return state[1]


def legal_actions(state):
    ph = state[0]
    p = state[1]
    if ph == 3:
        acts = _cards(state[2 + p])
        if state[4 + p] <= _KNOCK_CARD:
            acts.append(55)
        return acts
    if ph == 2:
        return [52, 53]
    if ph == 1:
        if state[11] == 3:
            return [53]
        return [52, 54]
    hand = state[2 + p]
    if ph == 4:
        t = _total(hand)
        legal = 0
        if t <= 20:
            legal = hand & _GE[max(0, t - _KNOCK_CARD)]
        for m, v, _ in _arrangements(_melds_of(hand)):
            need = t - v - _KNOCK_CARD
            if need <= 10:
                legal |= hand & ~m & _GE[need if need > 0 else 0]
        return _cards(legal)
    if ph == 5:
        t = _total(hand)
        need = t - _KNOCK_CARD
        ok = set()
        for _, v, aa in _arrangements(_melds_of(hand)):
            if v >= need:
                ok.update(aa)
        res = sorted(ok)
        if need <= 0:
            return [54] + res
        return res
    if ph == 6:
        laid = 0
        for c in state[17]:
            laid |= 1 << c
        fit = 0
        for a in state[15 + state[14]]:
            b1, b2, a1, a2 = _LAY[a - 56]
            fit |= b2 if laid & b1 else b1
            fit |= a2 if laid & a1 else a1
        acts = _cards(fit & hand)
        acts.append(54)
        return acts
    if ph == 7:
        return [54] + sorted([x[2] for x in _melds_of(hand)])
    if ph == 8:
        if _count11(hand | (1 << state[6])) <= _KNOCK_CARD:
            return [54, 55]
        return [54]
    return []


def chance_outcomes(state):
    if state[0] != 0:
        return []
    pr = 1.0 / state[10]
    return [(c, pr) for c in _cards(state[9])]


def apply_action(state, action):
    st = list(state)
    ph = st[0]
    p = st[1]
    if ph == 0:
        bit = 1 << action
        n = st[10]
        st[9] ^= bit
        st[10] = n - 1
        if n == 32:
            # the first upcard
            st[0] = 1
            st[1] = 0
            st[4] = _count10(st[2])
            st[5] = _count10(st[3])
            st[6] = action
            ch = _CH[action]
            st[19] += ch
            st[20] += ch
            return tuple(st)
        h = st[2 + p] | bit
        st[2 + p] = h
        st[19 + p] += _CH[action]
        st[20 - p] += _HID
        if n > 32:
            if n == 43:
                st[1] = 1
            elif n == 33:
                st[1] = 0
        else:
            st[0] = 3
            st[4 + p] = _count11(h)
        return tuple(st)

    ch = _CH[action]
    st[19] += ch
    st[20] += ch

    if ph == 3:
        if action == 55:
            st[0] = 4
            st[14] = p
            st[4] = _total(st[2])
            st[5] = _total(st[3])
            return tuple(st)
        h = st[2 + p] ^ (1 << action)
        st[2 + p] = h
        st[4 + p] = _count10(h)
        st[6] = action
        if action == st[7]:
            if st[12]:
                st[0] = 9
                st[1] = 0
                return tuple(st)
            st[12] = True
        else:
            st[12] = False
        st[1] = 1 - p
        st[0] = 8 if st[10] == _WALL else 2
        return tuple(st)

    if ph == 2 or ph == 1:
        if action == 54:
            st[11] |= 1 << p
            st[1] = 1 - p
            return tuple(st)
        up = st[6]
        if action == 52:
            if ph == 2:
                if st[13] == _MAX_UPCARDS - 1:
                    st[0] = 9
                    st[1] = 0
                    return tuple(st)
                st[13] += 1
            h = st[2 + p] | (1 << up)
            st[2 + p] = h
            st[4 + p] = _count11(h)
            st[6] = -1
            st[7] = up
            st[0] = 3
            return tuple(st)
        st[7] = up
        st[8] += (up,)
        st[6] = -1
        st[0] = 0
        return tuple(st)

    if ph == 4:
        st[2 + p] ^= 1 << action
        st[4 + p] -= _CVAL[action]
        st[8] += (action,)
        st[0] = 5
        return tuple(st)

    if ph == 5:
        if action == 54:
            if st[4 + p] == 0:
                st[18] = True
                st[0] = 7
            else:
                st[0] = 6
            st[1] = 1 - p
        else:
            m = _MELD[action - 56]
            st[2 + p] ^= m[0]
            st[4 + p] -= m[1]
            st[15 + p] += (action,)
        return tuple(st)

    if ph == 6:
        if action == 54:
            st[18] = True
            st[0] = 7
        else:
            st[2 + p] ^= 1 << action
            st[4 + p] -= _CVAL[action]
            st[17] += (action,)
        return tuple(st)

    if ph == 7:
        if action == 54:
            st[0] = 9
            st[1] = 0
        else:
            m = _MELD[action - 56]
            st[2 + p] ^= m[0]
            st[4 + p] -= m[1]
            st[15 + p] += (action,)
        return tuple(st)

    # wall
    if action == 55:
        st[2 + p] |= 1 << st[6]
        st[6] = -1
        st[0] = 4
        st[14] = p
        st[4] = _total(st[2])
        st[5] = _total(st[3])
    else:
        st[0] = 9
        st[1] = 0
    return tuple(st)


def returns(state):
    k = state[14]
    if state[0] != 9 or k < 0:
        return [0.0, 0.0]
    own = state[4 + k]
    r = state[5 - k] - own
    if own == 0:
        r += 25
    elif r < 0:
        r -= 25
    if k == 0:
        return [float(r), float(-r)]
    return [float(-r), float(r)]


def action_name(state, action):
    ph = state[0]
    if action < 52:
        if ph == 0:
            return 'deal ' + _NAME[action]
        if ph == 6:
            return 'lay off ' + _NAME[action]
        return 'discard ' + _NAME[action]
    if action >= 56:
        return _MNAME[action - 56]
    if action == 52:
        return 'draw upcard'
    if action == 53:
        return 'draw stock'
    if action == 54:
        if ph == 1 or ph == 8:
            return 'pass'
        return 'done'
    return 'knock'


def observation(state, player):
    (ph, _, h0, h1, w0, w1, up, prev, pile, _, n, passed, rep, drawn, k,
     m0, m1, lay, lay_over, _, _) = state
    if player == 0:
        mine, theirs, wm, wt = h0, h1, w0, w1
    else:
        mine, theirs, wm, wt = h1, h0, w1, w0
    if k >= 0 and (k != player or ph >= 6):
        oh = _names(theirs)
        od = wt
    else:
        oh = None
        od = None
    return {
        'phase': _PHASE[ph],
        'hand': _names(mine),
        'deadwood': wm,
        'upcard': _NAME_OR_NONE[up],
        'previous_upcard': _NAME_OR_NONE[prev],
        'discard_pile': [_NAME[c] for c in pile],
        'stock': n,
        'passed': [passed & 1 == 1, passed & 2 == 2],
        'repeated_move': rep,
        'upcards_drawn': drawn,
        'knock_card': _KNOCK_CARD,
        'knocker': k if k >= 0 else None,
        'melds': [[list(_MCARDS[a - 56]) for a in m0],
                  [list(_MCARDS[a - 56]) for a in m1]],
        'layoffs': [_NAME[c] for c in lay],
        'layoffs_over': lay_over,
        'opponent_hand': oh,
        'opponent_deadwood': od,
    }


def information_state(state, player):
    k = state[14]
    if k >= 0 and (k != player or state[0] >= 6):
        return (player, state[19 + player], state[3 - player])
    return (player, state[19 + player], -1)


# ---------------------------------------------------------------- resampling

def _parse(player, history):
    """What is known from the history.

    acts: the actions and chance outcomes, 255 where a card is dealt to the opponent;
    slots: the places of these; own: the places of the cards dealt to the player;
    req: (number of slots before it, card) for each card that came from one of the slots;
    turns: (card taken, or ~place of the card drawn; card discarded) of the opponent;
    wall: the upcard when the opponent passed at the wall, or -1;
    unseen: mask of the cards that the player has never seen.
    """
    n = len(history) - 1
    opp = 1 - player
    cid = _CID
    acts = []
    slots = []
    own = []
    req = []
    turns = []
    seen = 0
    known = 0
    wall = -1
    add = -1
    mine = False

    first = 10 * player
    for i in range(min(n, 20)):
        if first <= i < first + 10:
            c = cid[set(history[i + 1][0]['hand']).difference(history[i][0]['hand']).pop()]
            own.append(i)
            acts.append(c)
            seen |= 1 << c
        else:
            slots.append(i)
            acts.append(255)
    if n > 20:
        c = cid[history[21][0]['upcard']]
        acts.append(c)
        seen |= 1 << c

    for i in range(21, n):
        pair = history[i]
        o = pair[0]
        name = pair[1]
        if name is not None:
            a = _AID[name]
            acts.append(a)
            if a == 53:
                mine = True
            elif a == 54 and o['phase'] == 'knock':
                # the opponent's hand is opened
                for x in history[i + 1][0]['opponent_hand']:
                    c = cid[x]
                    if not (known >> c) & 1:
                        req.append((len(slots), c))
                        seen |= 1 << c
            continue
        nxt = history[i + 1][0]
        ph = o['phase']
        if ph == 'deal':
            if mine:
                c = cid[set(nxt['hand']).difference(o['hand']).pop()]
                own.append(i)
                acts.append(c)
                seen |= 1 << c
            else:
                slots.append(i)
                acts.append(255)
        elif ph == 'draw' or ph == 'first upcard':
            np = nxt['phase']
            if np == 'deal':
                acts.append(53)
                mine = False
                add = ~(i + 1)
            elif np == 'discard' or ph == 'draw':
                acts.append(52)
                add = cid[o['upcard']]
                known |= 1 << add
            else:
                acts.append(54)
        elif ph == 'discard':
            if nxt['phase'] == 'knock':
                acts.append(55)
                for x in nxt['opponent_hand']:
                    c = cid[x]
                    if not (known >> c) & 1:
                        req.append((len(slots), c))
                        seen |= 1 << c
            else:
                c = cid[nxt['upcard']]
                acts.append(c)
                turns.append((add, c))
                bit = 1 << c
                if known & bit:
                    known ^= bit
                else:
                    req.append((len(slots), c))
                    seen |= bit
        elif ph == 'wall':
            if nxt['phase'] == 'knock':
                acts.append(55)
                known |= 1 << cid[o['upcard']]
                for x in nxt['opponent_hand']:
                    c = cid[x]
                    if not (known >> c) & 1:
                        req.append((len(slots), c))
                        seen |= 1 << c
            else:
                acts.append(54)
                wall = cid[o['upcard']]
        elif ph == 'knock':
            if nxt['phase'] == 'layoff':
                acts.append(54)
            elif len(o['opponent_hand']) == 11:
                acts.append(cid[nxt['discard_pile'][-1]])
            else:
                acts.append(_AID['meld ' + ' '.join(nxt['melds'][opp][-1])])
        else:
            # layoff
            if nxt['phase'] == 'over':
                acts.append(54)
            elif len(nxt['melds'][opp]) != len(o['melds'][opp]):
                acts.append(_AID['meld ' + ' '.join(nxt['melds'][opp][-1])])
            elif len(nxt['layoffs']) != len(o['layoffs']):
                acts.append(cid[nxt['layoffs'][-1]])
            else:
                acts.append(54)
    return acts, slots, own, req, turns, wall, _ALL & ~seen


def _fill(parsed, rand):
    """Draws the hidden cards: (actions, opponent's hand after its last discard,
    mask of the unseen cards that the opponent has got)."""
    acts, slots, own, req, turns, wall, unseen = parsed
    unseen_cards = _cards(unseen)
    start = slots[:10]
    while True:
        u = rand()
        cards = list(acts)
        free = []
        k = 0
        for m, c in req:
            if k < m:
                free += slots[k:m]
                k = m
            j = int(rand() * len(free))
            last = free.pop()
            if j < len(free):
                pos = free[j]
                free[j] = last
            else:
                pos = last
            cards[pos] = c
        free += slots[k:]
        got = 0
        if free:
            pool = list(unseen_cards)
            for pos in free:
                j = int(rand() * len(pool))
                last = pool.pop()
                if j < len(pool):
                    c = pool[j]
                    pool[j] = last
                else:
                    c = last
                cards[pos] = c
                got |= 1 << c
        # the opponent had 12 choices instead of 11 where a knock was possible
        h = 0
        for pos in start:
            h |= 1 << cards[pos]
        w = 1.0
        for add, x in turns:
            h |= 1 << (add if add >= 0 else cards[~add])
            if _can_knock(h):
                w *= 11.0 / 12.0
                if u >= w:
                    break
            h ^= 1 << x
        if u >= w:
            continue
        if wall >= 0 and _can_knock(h | (1 << wall)):
            w *= 0.5
            if u >= w:
                continue
        return cards, h, got


def resample_history(player, history, rand):
    return _fill(_parse(player, history), rand)[0]


def resample_state(player, history, rand):
    parsed = _parse(player, history)
    cards, h, got = _fill(parsed, rand)
    o = history[-1][0]
    pn = o['phase']
    if len(history) < 22 or pn == 'deal':
        st = _INITIAL
        for a in cards:
            st = apply_action(st, a)
        return st

    acts = parsed[0]
    own = parsed[2]
    unseen = parsed[6]
    names = o['hand']
    hand = _mask(names)
    knocker = o['knocker']
    k = -1 if knocker is None else knocker

    pl = player
    if pn == 'knock':
        ph = 4 if len(names) == 11 else 5
    elif pn == 'layoff':
        ph = 7 if o['layoffs_over'] else 6
    else:
        ph = _PHASE_ID[pn]
        if ph == 9:
            pl = 0

    if o['opponent_hand'] is not None:
        other = _mask(o['opponent_hand'])
        wo = o['opponent_deadwood']
    else:
        other = h
        wo = _total(h) if k >= 0 else _count10(h)

    mine_hist = bytes(acts).decode('latin-1')
    theirs = list(cards)
    for i in own:
        theirs[i] = 255
    their_hist = bytes(theirs).decode('latin-1')

    up = o['upcard']
    prev = o['previous_upcard']
    passed = o['passed']
    melds = o['melds']
    if melds[0] or melds[1]:
        m0 = tuple([_AID['meld ' + ' '.join(m)] for m in melds[0]])
        m1 = tuple([_AID['meld ' + ' '.join(m)] for m in melds[1]])
    else:
        m0 = ()
        m1 = ()
    cid = _CID
    w = o['deadwood']
    if player == 0:
        h0, h1, w0, w1, s0, s1 = hand, other, w, wo, mine_hist, their_hist
    else:
        h0, h1, w0, w1, s0, s1 = other, hand, wo, w, their_hist, mine_hist
    return (ph, pl, h0, h1, w0, w1,
            -1 if up is None else cid[up],
            -1 if prev is None else cid[prev],
            tuple([cid[x] for x in o['discard_pile']]),
            unseen & ~got,
            o['stock'],
            (1 if passed[0] else 0) | (2 if passed[1] else 0),
            bool(o['repeated_move']),
            o['upcards_drawn'],
            k,
            m0, m1,
            tuple([cid[x] for x in o['layoffs']]),
            bool(o['layoffs_over']),
            s0, s1)
