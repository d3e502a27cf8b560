NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 241
MAX_CHANCE_OUTCOMES = 52
MAX_GAME_LENGTH = 200
MIN_UTILITY = -125.0
MAX_UTILITY = 125.0

_KNOCK_CARD = 10
_MAX_UPCARDS = 50

# actions
_DRAW_UP = 52
_DRAW_STOCK = 53
_PASS = 54
_KNOCK = 55
_MELD0 = 56

# phases
_DEAL = 0
_FIRST = 1
_DRAW = 2
_DISCARD = 3
_KDISC = 4
_KMELD = 5
_LAYOFF = 6
_LMELD = 7
_WALL = 8
_OVER = 9
_PHASE_NAMES = ("deal", "first upcard", "draw", "discard", "knock", "knock",
                "layoff", "layoff", "wall", "over")

_FULL = (1 << 52) - 1
_CARD_NAMES = tuple([r + s for s in "scdh" for r in "A23456789TJQK"])
_CARD_ID = {_nm: _i for _i, _nm in enumerate(_CARD_NAMES)}
_BIT = tuple([1 << _i for _i in range(52)])
_CARD_BIT = {_nm: 1 << _i for _i, _nm in enumerate(_CARD_NAMES)}
_CH = tuple([chr(_i) for _i in range(241)])
_HID = chr(255)

# points of the highest card by bit_length of a mask of ranks
_PT = tuple([min(_i, 10) for _i in range(14)])


def _build_melds():
    cards = []
    ext = []
    for r in range(13):
        for miss in range(4):
            cards.append(tuple([s * 13 + r for s in range(4) if s != miss]))
            ext.append((1 << (miss * 13 + r), 0, 0, 0))
        cards.append(tuple([s * 13 + r for s in range(4)]))
        ext.append((0, 0, 0, 0))
    for length in (3, 4, 5):
        for s in range(4):
            b = s * 13
            for lo in range(14 - length):
                hi = lo + length - 1
                cards.append(tuple([b + k for k in range(lo, hi + 1)]))
                ext.append((
                    (1 << (b + lo - 1)) if lo >= 1 else 0,
                    (1 << (b + lo - 2)) if lo >= 2 else 0,
                    (1 << (b + hi + 1)) if hi <= 11 else 0,
                    (1 << (b + hi + 2)) if hi <= 10 else 0))
    return tuple(cards), tuple(ext)


_MELD_CARDS, _MELD_EXT = _build_melds()
_MELD_LISTS = tuple([tuple([_CARD_NAMES[_c] for _c in _m]) for _m in _MELD_CARDS])
_MELD_NAMES = tuple(["meld " + " ".join(_m) for _m in _MELD_LISTS])
_MELD_MASK = tuple([sum([1 << _c for _c in _m]) for _m in _MELD_CARDS])
_MELD_ID = {_m: _i + _MELD0 for _i, _m in enumerate(_MELD_LISTS)}


def _build_name_ids():
    res = {"draw upcard": _DRAW_UP, "draw stock": _DRAW_STOCK, "pass": _PASS,
           "done": _PASS, "knock": _KNOCK}
    for i, nm in enumerate(_CARD_NAMES):
        res["discard " + nm] = i
        res["lay off " + nm] = i
    for i, nm in enumerate(_MELD_NAMES):
        res[nm] = i + _MELD0
    return res


_NAME_ID = _build_name_ids()


def _build_tables():
    pts = [0] * 8192
    for m in range(1, 8192):
        hb = m.bit_length() - 1
        pts[m] = pts[m ^ (1 << hb)] + min(hb + 1, 10)
    out = [0] * 8192
    for m in range(8192):
        m3 = m & (m >> 1) & (m >> 2)
        out[m] = m & ~(m3 | (m3 << 1) | (m3 << 2))
    ov = [pts[o] for o in out]
    cards = []
    names = []
    runs = []
    for s in range(4):
        tc = [()] * 8192
        tn = [()] * 8192
        tr = [()] * 8192
        for m in range(1, 8192):
            hb = m.bit_length() - 1
            rest = m ^ (1 << hb)
            tc[m] = tc[rest] + (s * 13 + hb,)
            tn[m] = tn[rest] + (_CARD_NAMES[s * 13 + hb],)
            r = tr[rest]
            if hb >= 2 and (m >> (hb - 2)) & 7 == 7:
                r = r + (_MELD0 + 65 + s * 11 + hb - 2,)
                if hb >= 3 and (m >> (hb - 3)) & 15 == 15:
                    r = r + (_MELD0 + 109 + s * 10 + hb - 3,)
                    if hb >= 4 and (m >> (hb - 4)) & 31 == 31:
                        r = r + (_MELD0 + 149 + s * 9 + hb - 4,)
            tr[m] = r
        cards.append(tuple(tc))
        names.append(tuple(tn))
        runs.append(tuple(tr))
    return tuple(pts), tuple(out), tuple(ov), tuple(cards), tuple(names), tuple(runs)


_PTS, _OUT, _OV, _CT, _NT, _RT = _build_tables()
_C0, _C1, _C2, _C3 = _CT
_N0, _N1, _N2, _N3 = _NT
_R0, _R1, _R2, _R3 = _RT


def _cards(h):
    return [*_C0[h & 8191], *_C1[(h >> 13) & 8191],
            *_C2[(h >> 26) & 8191], *_C3[h >> 39]]


def _names(h):
    return [*_N0[h & 8191], *_N1[(h >> 13) & 8191],
            *_N2[(h >> 26) & 8191], *_N3[h >> 39]]


def _total(h):
    return (_PTS[h & 8191] + _PTS[(h >> 13) & 8191]
            + _PTS[(h >> 26) & 8191] + _PTS[h >> 39])


def _mask(names):
    m = 0
    for x in names:
        m |= _CARD_BIT[x]
    return m


def _least(h):
    """Least deadwood of all arrangements."""
    a = h & 8191
    b = (h >> 13) & 8191
    c = (h >> 26) & 8191
    d = h >> 39
    ov = _OV
    t = (a & b & (c | d)) | (c & d & (a | b))
    best = ov[a] + ov[b] + ov[c] + ov[d]
    if not t:
        return best
    full = a & b & c & d
    cands = [(a, b, c, d)]
    while t:
        r = t & -t
        t ^= r
        k = ~r
        new = []
        if full & r:
            for w, x, y, z in cands:
                w1 = w & k
                x1 = x & k
                y1 = y & k
                z1 = z & k
                new.append((w1, x1, y1, z1))
                new.append((w, x1, y1, z1))
                new.append((w1, x, y1, z1))
                new.append((w1, x1, y, z1))
                new.append((w1, x1, y1, z))
        else:
            for w, x, y, z in cands:
                new.append((w & k, x & k, y & k, z & k))
        cands += new
    for w, x, y, z in cands:
        v = ov[w] + ov[x] + ov[y] + ov[z]
        if v < best:
            best = v
    return best


def _count11(h):
    """Count of deadwood with 11 cards."""
    a = h & 8191
    b = (h >> 13) & 8191
    c = (h >> 26) & 8191
    d = h >> 39
    ov = _OV
    out = _OUT
    t = (a & b & (c | d)) | (c & d & (a | b))
    if not t:
        return (ov[a] + ov[b] + ov[c] + ov[d]
                - _PT[(out[a] | out[b] | out[c] | out[d]).bit_length()])
    full = a & b & c & d
    cands = [(a, b, c, d, ())]
    while t:
        r = t & -t
        t ^= r
        k = ~r
        ri = r.bit_length() - 1
        new = []
        if full & r:
            k1 = 3 * ri
            k2 = 39 + 2 * ri
            for w, x, y, z, q in cands:
                w1 = w & k
                x1 = x & k
                y1 = y & k
                z1 = z & k
                new.append((w1, x1, y1, z1, q + (k1,)))
                new.append((w1, x1, y, z1, q + (k1 + 1,)))
                new.append((w1, x, y1, z1, q + (k1 + 2,)))
                new.append((w1, x1, y1, z, q + (k2,)))
                new.append((w, x1, y1, z1, q + (k2 + 1,)))
        else:
            k2 = 39 + 2 * ri
            for w, x, y, z, q in cands:
                new.append((w & k, x & k, y & k, z & k, q + (k2,)))
        cands += new
    bestv = 1000
    bestkey = None
    besto = 0
    for w, x, y, z, q in cands:
        v = ov[w] + ov[x] + ov[y] + ov[z]
        if v > bestv:
            continue
        key = sorted(q)
        key.append(1000)
        if v < bestv or key < bestkey:
            bestv = v
            bestkey = key
            besto = out[w] | out[x] | out[y] | out[z]
    return bestv - _PT[besto.bit_length()]


def _melds_of(h):
    """All melds (as actions, ascending) of the cards in h."""
    a = h & 8191
    b = (h >> 13) & 8191
    c = (h >> 26) & 8191
    d = h >> 39
    res = []
    t = (a & b & (c | d)) | (c & d & (a | b))
    while t:
        r = t & -t
        t ^= r
        base = _MELD0 + 5 * (r.bit_length() - 1)
        if not a & r:
            res.append(base)
        elif not b & r:
            res.append(base + 1)
        elif not c & r:
            res.append(base + 2)
        elif not d & r:
            res.append(base + 3)
        else:
            res += [base, base + 1, base + 2, base + 3, base + 4]
    runs = [*_R0[a], *_R1[b], *_R2[c], *_R3[d]]
    if runs:
        runs.sort()
        res += runs
    return res


# A state:
#  0 phase, 1 player to act (-1 chance, -4 over), 2 whose turn it is,
#  3, 4 hands, 5, 6 counts of deadwood, 7 upcard, 8 previous upcard,
#  9 discard pile (names), 10 stock, 11 size of the stock, 12 passed (bits),
#  13 repeated move, 14 upcards drawn, 15 knocker, 16, 17 melds, 18 layoffs,
#  19, 20 what player 0 and player 1 have seen
_INITIAL = (_DEAL, -1, 0, 0, 0, 0, 0, -1, -1, (), _FULL, 52, 0, False, 0, -1,
            (), (), (), "0", "1")


def initial_state():
    return _INITIAL


def current_player(state):
    return state[1]


def legal_actions(state):
    ph = state[0]
    turn = state[2]
    if ph == _DISCARD:
        res = _cards(state[3 + turn])
        if state[5 + turn] <= _KNOCK_CARD:
            res.append(_KNOCK)
        return res
    if ph == _DRAW:
        return [_DRAW_UP, _DRAW_STOCK]
    if ph == _FIRST:
        if state[12] == 3:
            return [_DRAW_STOCK]
        return [_DRAW_UP, _PASS]
    if ph == _KDISC:
        h = state[3 + turn]
        return [c for c in _cards(h) if _least(h ^ _BIT[c]) <= _KNOCK_CARD]
    if ph == _KMELD:
        h = state[3 + turn]
        res = []
        if state[5 + turn] <= _KNOCK_CARD:
            res.append(_PASS)
        for m in _melds_of(h):
            if _least(h ^ _MELD_MASK[m - _MELD0]) <= _KNOCK_CARD:
                res.append(m)
        return res
    if ph == _LAYOFF:
        laid = 0
        for c in state[18]:
            laid |= _BIT[c]
        ok = 0
        for m in state[16 + state[15]]:
            b1, b2, a1, a2 = _MELD_EXT[m - _MELD0]
            ok |= b2 if laid & b1 else b1
            ok |= a2 if laid & a1 else a1
        res = _cards(ok & state[3 + turn])
        res.append(_PASS)
        return res
    if ph == _LMELD:
        return [_PASS] + _melds_of(state[3 + turn])
    if ph == _WALL:
        if _count11(state[3 + turn] | _BIT[state[7]]) <= _KNOCK_CARD:
            return [_PASS, _KNOCK]
        return [_PASS]
    return []


def chance_outcomes(state):
    if state[0] != _DEAL:
        return []
    p = 1.0 / state[11]
    return [(c, p) for c in _cards(state[10])]


def apply_action(state, action):
    (ph, cur, turn, h0, h1, d0, d1, up, prev, pile, stock, n, passed, rep,
     drawn, kn, m0, m1, lay, l0, l1) = state
    ch = _CH[action]

    if ph == _DEAL:
        bit = _BIT[action]
        stock ^= bit
        if n > 32:
            if n > 42:
                h0 |= bit
                l0 += ch
                l1 += _HID
            else:
                h1 |= bit
                l0 += _HID
                l1 += ch
        elif n == 32:
            up = action
            l0 += ch
            l1 += ch
            d0 = _least(h0)
            d1 = _least(h1)
            ph = _FIRST
            cur = turn = 0
        else:
            if turn:
                h1 |= bit
                d1 = _count11(h1)
                l0 += _HID
                l1 += ch
            else:
                h0 |= bit
                d0 = _count11(h0)
                l0 += ch
                l1 += _HID
            ph = _DISCARD
            cur = turn
        n -= 1
        return (ph, cur, turn, h0, h1, d0, d1, up, prev, pile, stock, n,
                passed, rep, drawn, kn, m0, m1, lay, l0, l1)

    l0 += ch
    l1 += ch

    if ph == _DISCARD:
        if action == _KNOCK:
            kn = turn
            d0 = _total(h0)
            d1 = _total(h1)
            if turn:
                l0 += "%013x" % h1
            else:
                l1 += "%013x" % h0
            ph = _KDISC
        else:
            if turn:
                h1 ^= _BIT[action]
                d1 = _least(h1)
            else:
                h0 ^= _BIT[action]
                d0 = _least(h0)
            up = action
            ended = False
            if action == prev:
                ended = rep
                rep = True
            else:
                rep = False
            if ended:
                ph = _OVER
                cur = turn = -4
            else:
                cur = turn = 1 - turn
                ph = _WALL if n == 2 else _DRAW

    elif ph == _DRAW or ph == _FIRST:
        if action == _DRAW_UP:
            if ph == _DRAW and drawn == _MAX_UPCARDS - 1:
                ph = _OVER
                cur = turn = -4
            else:
                if ph == _DRAW:
                    drawn += 1
                if turn:
                    h1 |= _BIT[up]
                    d1 = _count11(h1)
                else:
                    h0 |= _BIT[up]
                    d0 = _count11(h0)
                prev = up
                up = -1
                ph = _DISCARD
        elif action == _DRAW_STOCK:
            prev = up
            pile = pile + (_CARD_NAMES[up],)
            up = -1
            ph = _DEAL
            cur = -1
        else:
            passed |= 1 << turn
            cur = turn = 1 - turn

    elif ph == _KDISC:
        if turn:
            h1 ^= _BIT[action]
            d1 = _total(h1)
        else:
            h0 ^= _BIT[action]
            d0 = _total(h0)
        pile = pile + (_CARD_NAMES[action],)
        ph = _KMELD

    elif ph == _KMELD:
        if action == _PASS:
            if turn:
                gin = d1 == 0
                l1 += "%013x" % h0
            else:
                gin = d0 == 0
                l0 += "%013x" % h1
            ph = _LMELD if gin else _LAYOFF
            cur = turn = 1 - turn
        elif turn:
            h1 ^= _MELD_MASK[action - _MELD0]
            d1 = _total(h1)
            m1 = m1 + (action,)
        else:
            h0 ^= _MELD_MASK[action - _MELD0]
            d0 = _total(h0)
            m0 = m0 + (action,)

    elif ph == _LAYOFF:
        if action == _PASS:
            ph = _LMELD
        else:
            if turn:
                h1 ^= _BIT[action]
                d1 = _total(h1)
            else:
                h0 ^= _BIT[action]
                d0 = _total(h0)
            lay = lay + (action,)

    elif ph == _LMELD:
        if action == _PASS:
            ph = _OVER
            cur = turn = -4
        elif turn:
            h1 ^= _MELD_MASK[action - _MELD0]
            d1 = _total(h1)
            m1 = m1 + (action,)
        else:
            h0 ^= _MELD_MASK[action - _MELD0]
            d0 = _total(h0)
            m0 = m0 + (action,)

    elif ph == _WALL:
        if action == _PASS:
            ph = _OVER
            cur = turn = -4
        else:
            kn = turn
            if turn:
                h1 |= _BIT[up]
                l0 += "%013x" % h1
            else:
                h0 |= _BIT[up]
                l1 += "%013x" % h0
            up = -1
            d0 = _total(h0)
            d1 = _total(h1)
            ph = _KDISC

    return (ph, cur, turn, h0, h1, d0, d1, up, prev, pile, stock, n,
            passed, rep, drawn, kn, m0, m1, lay, l0, l1)


def returns(state):
    kn = state[15]
    if state[0] != _OVER or kn < 0:
        return [0.0, 0.0]
    own = state[5 + kn]
    r = state[6 - kn] - own
    if own == 0:
        r += 25
    elif r < 0:
        r -= 25
    if kn:
        return [float(-r), float(r)]
    return [float(r), float(-r)]


def action_name(state, action):
    if action < 52:
        ph = state[0]
        if ph == _DEAL:
            return "deal " + _CARD_NAMES[action]
        if ph == _LAYOFF:
            return "lay off " + _CARD_NAMES[action]
        return "discard " + _CARD_NAMES[action]
    if action >= _MELD0:
        return _MELD_NAMES[action - _MELD0]
    if action == _DRAW_UP:
        return "draw upcard"
    if action == _DRAW_STOCK:
        return "draw stock"
    if action == _KNOCK:
        return "knock"
    ph = state[0]
    if ph == _FIRST or ph == _WALL:
        return "pass"
    return "done"


def observation(state, player):
    (ph, cur, turn, h0, h1, d0, d1, up, prev, pile, stock, n, passed, rep,
     drawn, kn, m0, m1, lay, l0, l1) = state
    if player:
        own, other, dw, odw = h1, h0, d1, d0
    else:
        own, other, dw, odw = h0, h1, d0, d1
    is_open = kn >= 0 and (kn != player or ph >= _LAYOFF)
    return {
        "phase": _PHASE_NAMES[ph],
        "hand": _names(own),
        "deadwood": dw,
        "upcard": _CARD_NAMES[up] if up >= 0 else None,
        "previous_upcard": _CARD_NAMES[prev] if prev >= 0 else None,
        "discard_pile": list(pile),
        "stock": n,
        "passed": [passed & 1 != 0, passed & 2 != 0],
        "repeated_move": rep,
        "upcards_drawn": drawn,
        "knock_card": _KNOCK_CARD,
        "knocker": kn if kn >= 0 else None,
        "melds": [[list(_MELD_LISTS[m - _MELD0]) for m in m0],
                  [list(_MELD_LISTS[m - _MELD0]) for m in m1]],
        "layoffs": [_CARD_NAMES[c] for c in lay],
        "layoffs_over": ph == _LMELD or (ph == _OVER and kn >= 0),
        "opponent_hand": _names(other) if is_open else None,
        "opponent_deadwood": odw if is_open else None,
    }


def information_state(state, player):
    return state[19 + player]


def _new_card(old, new):
    for x, y in zip(old, new):
        if x != y:
            return y
    return new[-1]


def _parse(player, history):
    """Work out what a history tells.

    Returns (acts, lp, lo, aslots, lslots, cons, ops, seen, turn):
    acts: all actions, -1 for a card that the player has not seen dealt;
    lp, lo: the pieces of what the player and the opponent have seen;
    aslots, lslots: where the unseen cards stand in acts and lo;
    cons: (card, k): this card is among the first k unseen ones;
    ops: what happened to the opponent's hand after the deal;
    seen: the cards that the player has seen."""
    opp = 1 - player
    acts = []
    lp = []
    lo = []
    aslots = []
    lslots = []
    cons = []
    ops = []
    known = 0
    seen = 0
    turn = 0
    nslots = 0
    obs = history[0][0]
    for i in range(len(history) - 1):
        nxt = history[i + 1][0]
        ph = obs["phase"]
        if ph == "deal":
            st = obs["stock"]
            if st == 32:
                a = _CARD_ID[nxt["upcard"]]
                seen |= _BIT[a]
                acts.append(a)
                lp.append(_CH[a])
                lo.append(_CH[a])
                turn = 0
            else:
                if st < 32:
                    who = turn
                elif st > 42:
                    who = 0
                else:
                    who = 1
                if who == player:
                    a = _CARD_ID[_new_card(obs["hand"], nxt["hand"])]
                    seen |= _BIT[a]
                    acts.append(a)
                    lp.append(_CH[a])
                    lo.append(_HID)
                else:
                    aslots.append(len(acts))
                    lslots.append(len(lo))
                    nslots += 1
                    acts.append(-1)
                    lp.append(_HID)
                    lo.append(_HID)
                    if st < 32:
                        ops.append((0, 0))
            obs = nxt
            continue

        nph = nxt["phase"]
        mine = turn == player
        if mine:
            a = _NAME_ID[history[i][1]]
        elif ph == "discard":
            a = _KNOCK if nph == "knock" else _CARD_ID[nxt["upcard"]]
        elif ph == "draw":
            a = _DRAW_STOCK if nph == "deal" else _DRAW_UP
        elif ph == "first upcard":
            if nph == "discard":
                a = _DRAW_UP
            elif nph == "deal":
                a = _DRAW_STOCK
            else:
                a = _PASS
        elif ph == "wall":
            a = _KNOCK if nph == "knock" else _PASS
        elif ph == "knock":
            if len(nxt["discard_pile"]) > len(obs["discard_pile"]):
                a = _CARD_ID[nxt["discard_pile"][-1]]
            elif nph == "layoff":
                a = _PASS
            else:
                a = _MELD_ID[tuple(nxt["melds"][opp][-1])]
        else:
            if nph == "over":
                a = _PASS
            elif len(nxt["layoffs"]) > len(obs["layoffs"]):
                a = _CARD_ID[nxt["layoffs"][-1]]
            elif nxt["layoffs_over"] and not obs["layoffs_over"]:
                a = _PASS
            else:
                a = _MELD_ID[tuple(nxt["melds"][opp][-1])]
        acts.append(a)
        ch = _CH[a]
        lp.append(ch)
        lo.append(ch)

        show = False        # the opponent's hand becomes open
        if ph == "discard":
            if a == _KNOCK:
                if mine:
                    lo.append("%013x" % _mask(nxt["hand"]))
                else:
                    show = True
            else:
                if not mine:
                    bit = _BIT[a]
                    seen |= bit
                    if known & bit:
                        known ^= bit
                    else:
                        cons.append((a, nslots))
                    ops.append((2, bit))
                turn = 1 - turn
        elif ph == "draw" or ph == "first upcard":
            if a == _DRAW_UP:
                if not mine and nph == "discard":
                    bit = _CARD_BIT[obs["upcard"]]
                    known |= bit
                    ops.append((1, bit))
            elif a == _PASS:
                turn = 1 - turn
        elif ph == "wall":
            if a == _PASS:
                if not mine:
                    ops.append((3, _CARD_BIT[obs["upcard"]]))
            elif mine:
                lo.append("%013x" % _mask(nxt["hand"]))
            else:
                bit = _CARD_BIT[obs["upcard"]]
                known |= bit
                ops.append((1, bit))
                show = True
        elif ph == "knock":
            if a == _PASS:
                if mine:
                    show = True
                else:
                    lo.append("%013x" % _mask(nxt["hand"]))
                turn = 1 - turn
        if show:
            h = _mask(nxt["opponent_hand"])
            lp.append("%013x" % h)
            for c in _cards(h & ~known):
                cons.append((c, nslots))
            known = h
            seen |= h
        obs = nxt
    return acts, lp, lo, aslots, lslots, cons, ops, seen, turn


def _draw_hidden(nslots, cons, ops, pool, rand):
    """Draw the unseen cards; returns them and the opponent's hand after ops."""
    bits = _BIT
    while True:
        cards = [-1] * nslots
        free = []
        upto = 0
        for c, av in cons:
            while upto < av:
                free.append(upto)
                upto += 1
            k = int(rand() * len(free))
            cards[free[k]] = c
            free[k] = free[-1]
            free.pop()
        while upto < nslots:
            free.append(upto)
            upto += 1
        m = len(pool)
        for s in free:
            k = int(rand() * m)
            m -= 1
            c = pool[k]
            pool[k] = pool[m]
            pool[m] = c
            cards[s] = c
        h = 0
        for c in cards[:10]:
            h |= bits[c]
        j = 10
        ok = True
        for kind, bit in ops:
            if kind == 0:
                h |= bits[cards[j]]
                j += 1
            elif kind == 1:
                h |= bit
            elif kind == 2:
                # 12 legal actions instead of 11 if a knock was legal
                if _count11(h) <= _KNOCK_CARD and rand() * 12.0 < 1.0:
                    ok = False
                    break
                h ^= bit
            else:
                # 2 legal actions instead of 1 if a knock was legal
                if _count11(h | bit) <= _KNOCK_CARD and rand() < 0.5:
                    ok = False
                    break
        if ok:
            return cards, h


def resample_history(player, history, rand):
    acts, lp, lo, aslots, lslots, cons, ops, seen, turn = _parse(player, history)
    cards, h = _draw_hidden(len(aslots), cons, ops, _cards(_FULL & ~seen), rand)
    for k, c in zip(aslots, cards):
        acts[k] = c
    return acts


def resample_state(player, history, rand):
    acts, lp, lo, aslots, lslots, cons, ops, seen, turn = _parse(player, history)
    cards, h = _draw_hidden(len(aslots), cons, ops, _cards(_FULL & ~seen), rand)
    obs = history[-1][0]
    name = obs["phase"]
    if name == "deal" or (name != "over" and turn != player):
        for k, c in zip(aslots, cards):
            acts[k] = c
        state = _INITIAL
        for a in acts:
            state = apply_action(state, a)
        return state

    stock = _FULL & ~seen
    for k, c in zip(lslots, cards):
        lo[k] = _CH[c]
        stock &= ~_BIT[c]
    own = _mask(obs["hand"])
    dw = obs["deadwood"]
    kn = obs["knocker"]
    if kn is None:
        kn = -1
    if obs["opponent_hand"] is not None:
        h = _mask(obs["opponent_hand"])
        odw = obs["opponent_deadwood"]
    elif kn >= 0:
        odw = _total(h)
    else:
        odw = _least(h)

    cur = player
    if name == "draw":
        ph = _DRAW
    elif name == "discard":
        ph = _DISCARD
    elif name == "first upcard":
        ph = _FIRST
    elif name == "wall":
        ph = _WALL
    elif name == "knock":
        ph = _KDISC if len(obs["hand"]) == 11 else _KMELD
    elif name == "layoff":
        ph = _LMELD if obs["layoffs_over"] else _LAYOFF
    else:
        ph = _OVER
        cur = -4

    up = obs["upcard"]
    up = -1 if up is None else _CARD_ID[up]
    prev = obs["previous_upcard"]
    prev = -1 if prev is None else _CARD_ID[prev]
    passed = (1 if obs["passed"][0] else 0) | (2 if obs["passed"][1] else 0)
    m0 = tuple([_MELD_ID[tuple(m)] for m in obs["melds"][0]])
    m1 = tuple([_MELD_ID[tuple(m)] for m in obs["melds"][1]])
    lay = tuple([_CARD_ID[c] for c in obs["layoffs"]])
    sp = "".join(lp)
    so = "".join(lo)
    if player:
        h0, h1, d0, d1 = h, own, odw, dw
        l0 = "0" + so
        l1 = "1" + sp
    else:
        h0, h1, d0, d1 = own, h, dw, odw
        l0 = "0" + sp
        l1 = "1" + so
    return (ph, cur, cur, h0, h1, d0, d1, up, prev,
            tuple(obs["discard_pile"]), stock, obs["stock"], passed,
            bool(obs["repeated_move"]), obs["upcards_drawn"], kn, m0, m1, lay,
            l0, l1)
