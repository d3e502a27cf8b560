NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 241
MAX_CHANCE_OUTCOMES = 52
MAX_GAME_LENGTH = 200
MIN_UTILITY = -125.0
MAX_UTILITY = 125.0

# ---------------------------------------------------------------- constants

_RANKS = "A23456789TJQK"
_SUITS = "scdh"
_VAL = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10)
_FULL = (1 << 52) - 1
_KNOCK_CARD = 10
_MAX_UPCARDS = 50

_DRAW_UPCARD = 52
_DRAW_STOCK = 53
_PASS = 54
_KNOCK = 55
_MELD0 = 56

# internal phases
_P_DEAL = 0
_P_FIRST = 1
_P_DRAW = 2
_P_DISCARD = 3
_P_KNOCK = 4        # the knocker has to discard
_P_KMELD = 5        # the knocker lays down melds
_P_LAYOFF = 6       # the other player lays off
_P_LMELD = 7        # the other player lays down melds
_P_WALL = 8
_P_OVER = 9

_PHASE_NAMES = ("deal", "first upcard", "draw", "discard", "knock", "knock",
                "layoff", "layoff", "wall", "over")

_CN = [r + s for s in _SUITS for r in _RANKS] + [None]   # _CN[-1] is None
_IDX = {_CN[_i]: _i for _i in range(52)}
_IDX[None] = -1
_CARD_VAL = tuple(_VAL[_i % 13] for _i in range(52))

# tokens of the histories; the last one (index -1) is a hidden card
_CH = [chr(_i) for _i in range(241)] + [chr(250)]
_HID = _CH[-1]


# ---------------------------------------------------------------- tables

def _make_suit_tables():
    runs = []
    for length in (5, 4, 3):
        for low in range(14 - length):
            m = ((1 << length) - 1) << low
            runs.append((m, sum(_VAL[low:low + length])))
    tv = [0] * 8192      # what all cards count
    rv = [0] * 8192      # what the best runs count
    rm = [0] * 8192      # greatest card left outside the first best runs
    rc = [0] * 8192      # cards that are part of some run
    for m in range(1, 8192):
        low = m & -m
        tv[m] = tv[m ^ low] + _VAL[low.bit_length() - 1]
        s = m & (m >> 1) & (m >> 2)
        if not s:
            rm[m] = _VAL[m.bit_length() - 1]
            continue
        rc[m] = s | (s << 1) | (s << 2)
        best = 0
        rest = 0
        for x, v in runs:
            if m & x == x:
                w = v + rv[m ^ x]
                if w > best:
                    best = w
                    rest = m ^ x
        rv[m] = best
        rm[m] = rm[rest]
    return tv, rv, rm, rc


_TV, _RV, _RM, _RC = _make_suit_tables()


def _make_card_tables():
    ids = []
    names = []
    for suit in range(4):
        t = [()] * 8192
        n = [()] * 8192
        for m in range(1, 8192):
            low = m & -m
            c = suit * 13 + low.bit_length() - 1
            t[m] = (c,) + t[m ^ low]
            n[m] = (_CN[c],) + n[m ^ low]
        ids.append(t)
        names.append(n)
    return ids, names


(_C0, _C1, _C2, _C3), (_N0, _N1, _N2, _N3) = _make_card_tables()

_SH = 65


def _make_set_options():
    res = []
    for r in range(13):
        keep = 8191 ^ (1 << r)

        def opt(suits, idx, r=r, keep=keep):
            masks = tuple(keep if s in suits else 8191 for s in range(4))
            w = ((_VAL[r] * len(suits)) << _SH) + (1 << (64 - idx))
            return masks + (w,)

        row = []
        for pat in range(16):
            suits = tuple(s for s in range(4) if pat >> s & 1)
            if len(suits) == 4:
                row.append((
                    opt((0, 1, 2, 3), 3 * r),
                    opt((0, 1, 3), 3 * r + 1),
                    opt((0, 2, 3), 3 * r + 2),
                    opt((0, 1, 2), 39 + 2 * r),
                    opt((1, 2, 3), 39 + 2 * r + 1),
                ))
            elif len(suits) == 3:
                row.append((opt(suits, 39 + 2 * r),))
            else:
                row.append(())
        res.append(tuple(row))
    return tuple(res)


_OPT = _make_set_options()


def _make_melds():
    cards = [()] * _MELD0
    low1 = [0] * _MELD0    # what fits first below (or the fourth card)
    low2 = [0] * _MELD0    # what fits after that has been laid off
    up1 = [0] * _MELD0
    up2 = [0] * _MELD0
    for r in range(13):
        for missing in range(4):
            cards.append(tuple(s * 13 + r for s in range(4) if s != missing))
            low1.append(1 << (missing * 13 + r))
            low2.append(0)
            up1.append(0)
            up2.append(0)
        cards.append(tuple(s * 13 + r for s in range(4)))
        low1.append(0)
        low2.append(0)
        up1.append(0)
        up2.append(0)
    start_masks = []
    start_ids = []
    for length in (3, 4, 5):
        mask = 0
        ids = [0] * 52
        for s in range(4):
            for low in range(14 - length):
                c = s * 13 + low
                mask |= 1 << c
                ids[c] = len(cards)
                cards.append(tuple(range(c, c + length)))
                high = low + length - 1
                low1.append(1 << (c - 1) if low >= 1 else 0)
                low2.append(1 << (c - 2) if low >= 2 else 0)
                e = s * 13 + high
                up1.append(1 << (e + 1) if high <= 11 else 0)
                up2.append(1 << (e + 2) if high <= 10 else 0)
        start_masks.append(mask)
        start_ids.append(ids)
    return cards, low1, low2, up1, up2, start_masks, start_ids


(_MCARDS, _LOW1, _LOW2, _UP1, _UP2,
 (_S3, _S4, _S5), (_R3, _R4, _R5)) = _make_melds()

_MMASK = [sum(1 << c for c in m) for m in _MCARDS]
_MVAL = [sum(_CARD_VAL[c] for c in m) for m in _MCARDS]
_MNAMES = [tuple(_CN[c] for c in m) for m in _MCARDS]
_MELD_ID = {_MNAMES[_i]: _i for _i in range(_MELD0, NUM_DISTINCT_ACTIONS)}


def _make_action_names():
    res = []
    for ph in range(10):
        if ph == _P_DEAL:
            verb = "deal "
        elif ph == _P_LAYOFF:
            verb = "lay off "
        else:
            verb = "discard "
        names = [verb + _CN[c] for c in range(52)]
        names.append("draw upcard")
        names.append("draw stock")
        names.append("pass" if ph in (_P_FIRST, _P_WALL) else "done")
        names.append("knock")
        for i in range(_MELD0, NUM_DISTINCT_ACTIONS):
            names.append("meld " + " ".join(_MNAMES[i]))
        res.append(tuple(names))
    return tuple(res)


_ACTION_NAMES = _make_action_names()


# ---------------------------------------------------------------- counting

def _cards(h):
    return (_C0[h & 8191] + _C1[h >> 13 & 8191] +
            _C2[h >> 26 & 8191] + _C3[h >> 39])


def _card_names(h):
    return [*_N0[h & 8191], *_N1[h >> 13 & 8191],
            *_N2[h >> 26 & 8191], *_N3[h >> 39]]


def _total(h):
    return (_TV[h & 8191] + _TV[h >> 13 & 8191] +
            _TV[h >> 26 & 8191] + _TV[h >> 39])


def _sets(a, b, c, d, f):
    """Best arrangement where the ranks of f may be used for sets: its score
    (value, then order of the sets) and the greatest card left outside."""
    if not f:
        return ((_RV[a] + _RV[b] + _RV[c] + _RV[d]) << _SH,
                max(_RM[a], _RM[b], _RM[c], _RM[d]))
    bit = f & -f
    f ^= bit
    score, out = _sets(a, b, c, d, f)
    r = bit.bit_length() - 1
    pat = ((a >> r & 1) | (b >> r & 1) << 1 |
           (c >> r & 1) << 2 | (d >> r & 1) << 3)
    for na, nb, nc, nd, w in _OPT[r][pat]:
        s, o = _sets(a & na, b & nb, c & nc, d & nd, f)
        s += w
        if s > score:
            score = s
            out = o
    return score, out


def _dw(h):
    """Least deadwood of all arrangements."""
    a = h & 8191
    b = h >> 13 & 8191
    c = h >> 26 & 8191
    d = h >> 39
    tot = _TV[a] + _TV[b] + _TV[c] + _TV[d]
    ab = a & b
    cd = c & d
    t = (ab & (c | d)) | (cd & (a | b))
    if t:
        f = t & (_RC[a] | _RC[b] | _RC[c] | _RC[d])
        g = t ^ f
        if g:
            tot -= 3 * _TV[g] + _TV[g & ab & cd]
            g ^= 8191
            a &= g
            b &= g
            c &= g
            d &= g
        if f:
            return tot - (_sets(a, b, c, d, f)[0] >> _SH)
    return tot - _RV[a] - _RV[b] - _RV[c] - _RV[d]


def _dw11(h):
    """Count of deadwood of a hand of 11 cards."""
    a = h & 8191
    b = h >> 13 & 8191
    c = h >> 26 & 8191
    d = h >> 39
    tot = _TV[a] + _TV[b] + _TV[c] + _TV[d]
    ab = a & b
    cd = c & d
    t = (ab & (c | d)) | (cd & (a | b))
    if t:
        f = t & (_RC[a] | _RC[b] | _RC[c] | _RC[d])
        g = t ^ f
        if g:
            tot -= 3 * _TV[g] + _TV[g & ab & cd]
            g ^= 8191
            a &= g
            b &= g
            c &= g
            d &= g
        if f:
            score, out = _sets(a, b, c, d, f)
            return tot - (score >> _SH) - out
    return (tot - _RV[a] - _RV[b] - _RV[c] - _RV[d] -
            max(_RM[a], _RM[b], _RM[c], _RM[d]))


def _melds_in(h):
    """All melds of the cards h, as actions in ascending order."""
    res = []
    a = h & 8191
    b = h >> 13 & 8191
    c = h >> 26 & 8191
    d = h >> 39
    t = (a & b & (c | d)) | (c & d & (a | b))
    while t:
        bit = t & -t
        t ^= bit
        i = _MELD0 + 5 * (bit.bit_length() - 1)
        for j in range(i, i + 5):
            m = _MMASK[j]
            if m & h == m:
                res.append(j)
    s = h & (h >> 1) & (h >> 2) & _S3
    if s:
        for x in _cards(s):
            res.append(_R3[x])
        s &= (h >> 3) & _S4
        if s:
            for x in _cards(s):
                res.append(_R4[x])
            s &= (h >> 4) & _S5
            if s:
                for x in _cards(s):
                    res.append(_R5[x])
    return res


# ---------------------------------------------------------------- the game
#
# state: 0 phase, 1 player to act (or who draws), 2, 3 hands, 4, 5 deadwood,
# 6 upcard, 7 previous upcard, 8 discard pile, 9 size of the stock, 10 stock,
# 11 passed (bits), 12 repeated move, 13 upcards drawn, 14 knocker,
# 15, 16 melds, 17 layoffs, 18, 19 what the players have seen

_INITIAL = (_P_DEAL, 0, 0, 0, 0, 0, -1, -1, (), 52, _FULL, 0, 0, 0, -1,
            (), (), (), "", "")


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
    tu = state[1]
    if ph == _P_DISCARD:
        h = state[2 + tu]
        res = [*_C0[h & 8191], *_C1[h >> 13 & 8191],
               *_C2[h >> 26 & 8191], *_C3[h >> 39]]
        if state[4 + tu] <= _KNOCK_CARD:
            res.append(_KNOCK)
        return res
    if ph == _P_DRAW:
        return [_DRAW_UPCARD, _DRAW_STOCK]
    if ph == _P_FIRST:
        if state[11] == 3:
            return [_DRAW_STOCK]
        return [_DRAW_UPCARD, _PASS]
    h = state[2 + tu]
    if ph == _P_WALL:
        if _dw11(h | 1 << state[6]) <= _KNOCK_CARD:
            return [_PASS, _KNOCK]
        return [_PASS]
    if ph == _P_KNOCK:
        return [c for c in _cards(h) if _dw(h ^ (1 << c)) <= _KNOCK_CARD]
    if ph == _P_KMELD:
        res = [_PASS] if state[4 + tu] <= _KNOCK_CARD else []
        for m in _melds_in(h):
            if _dw(h ^ _MMASK[m]) <= _KNOCK_CARD:
                res.append(m)
        return res
    if ph == _P_LAYOFF:
        laid = 0
        for c in state[17]:
            laid |= 1 << c
        fit = 0
        for m in state[15 + state[14]]:
            x = _LOW1[m]
            fit |= _LOW2[m] if x & laid else x
            x = _UP1[m]
            fit |= _UP2[m] if x & laid else x
        res = list(_cards(fit & h))
        res.append(_PASS)
        return res
    if ph == _P_LMELD:
        res = [_PASS]
        res.extend(_melds_in(h))
        return res
    return []


def chance_outcomes(state):
    if state[0] != _P_DEAL:
        return []
    p = 1.0 / state[9]
    return [(c, p) for c in _cards(state[10])]


def apply_action(state, action):
    (ph, tu, a, b, da, db, up, pv, pile, st, sm, pa, rp, dr,
     kn, m0, m1, lo, h0, h1) = state
    ch = _CH[action]

    if ph == _P_DEAL:
        bit = 1 << action
        st -= 1
        sm ^= bit
        if st >= 42:
            to = 0
        elif st >= 32:
            to = 1
        elif st == 31:
            to = 2
        else:
            to = tu
        if to == 0:
            a |= bit
            h0 += ch
            h1 += _HID
            if st < 31:
                da = _dw11(a)
                ph = _P_DISCARD
        elif to == 1:
            b |= bit
            h0 += _HID
            h1 += ch
            if st < 31:
                db = _dw11(b)
                ph = _P_DISCARD
        else:
            up = action
            ph = _P_FIRST
            tu = 0
            da = _dw(a)
            db = _dw(b)
            h0 += ch
            h1 += ch
        return (ph, tu, a, b, da, db, up, pv, pile, st, sm, pa, rp, dr,
                kn, m0, m1, lo, h0, h1)

    h0 += ch
    h1 += ch

    if ph == _P_DISCARD:
        if action == _KNOCK:
            kn = tu
            ph = _P_KNOCK
            da = _total(a)
            db = _total(b)
        else:
            if tu == 0:
                a ^= 1 << action
                da = _dw(a)
            else:
                b ^= 1 << action
                db = _dw(b)
            up = action
            over = False
            if action == pv:
                if rp:
                    over = True
                rp = 1
            else:
                rp = 0
            if over:
                ph = _P_OVER
                tu = 0
            else:
                ph = _P_WALL if st == 2 else _P_DRAW
                tu = 1 - tu

    elif ph == _P_DRAW or ph == _P_FIRST:
        if action == _DRAW_UPCARD:
            if ph == _P_DRAW and dr == _MAX_UPCARDS - 1:
                ph = _P_OVER
                tu = 0
            else:
                if ph == _P_DRAW:
                    dr += 1
                if tu == 0:
                    a |= 1 << up
                    da = _dw11(a)
                else:
                    b |= 1 << up
                    db = _dw11(b)
                pv = up
                up = -1
                ph = _P_DISCARD
        elif action == _DRAW_STOCK:
            pv = up
            pile = pile + (up,)
            up = -1
            ph = _P_DEAL
        else:
            pa |= 1 << tu
            tu = 1 - tu

    elif ph == _P_WALL:
        if action == _KNOCK:
            if tu == 0:
                a |= 1 << up
            else:
                b |= 1 << up
            up = -1
            kn = tu
            ph = _P_KNOCK
            da = _total(a)
            db = _total(b)
        else:
            ph = _P_OVER
            tu = 0

    elif ph == _P_KNOCK:
        if tu == 0:
            a ^= 1 << action
            da -= _CARD_VAL[action]
        else:
            b ^= 1 << action
            db -= _CARD_VAL[action]
        pile = pile + (action,)
        ph = _P_KMELD

    elif action >= _MELD0:
        # a meld, of the knocker or of the other player
        if tu == 0:
            a ^= _MMASK[action]
            da -= _MVAL[action]
            m0 = m0 + (action,)
        else:
            b ^= _MMASK[action]
            db -= _MVAL[action]
            m1 = m1 + (action,)

    elif ph == _P_KMELD:
        # done
        ph = _P_LMELD if (da if tu == 0 else db) == 0 else _P_LAYOFF
        tu = 1 - tu

    elif ph == _P_LAYOFF:
        if action == _PASS:
            ph = _P_LMELD
        else:
            if tu == 0:
                a ^= 1 << action
                da -= _CARD_VAL[action]
            else:
                b ^= 1 << action
                db -= _CARD_VAL[action]
            lo = lo + (action,)

    else:
        # done with own melds
        ph = _P_OVER
        tu = 0

    return (ph, tu, a, b, da, db, up, pv, pile, st, sm, pa, rp, dr,
            kn, m0, m1, lo, h0, h1)


def returns(state):
    kn = state[14]
    if state[0] != _P_OVER or kn < 0:
        return [0.0, 0.0]
    own = state[4 + kn]
    r = state[5 - kn] - own
    if own == 0:
        r += 25
    elif r < 0:
        r -= 25
    if kn == 0:
        return [float(r), float(-r)]
    return [float(-r), float(r)]


def action_name(state, action):
    return _ACTION_NAMES[state[0]][action]


def observation(state, player):
    (ph, tu, a, b, da, db, up, pv, pile, st, sm, pa, rp, dr,
     kn, m0, m1, lo, h0, h1) = state
    if player:
        a, b, da, db = b, a, db, da
    if kn >= 0 and (kn != player or ph == 6 or ph == 7 or ph == 9):
        opp_hand = _card_names(b)
        opp_dw = db
    else:
        opp_hand = None
        opp_dw = None
    return {
        "phase": _PHASE_NAMES[ph],
        "hand": _card_names(a),
        "deadwood": da,
        "upcard": _CN[up],
        "previous_upcard": _CN[pv],
        "discard_pile": [_CN[c] for c in pile],
        "stock": st,
        "passed": [pa & 1 == 1, pa & 2 == 2],
        "repeated_move": rp == 1,
        "upcards_drawn": dr,
        "knock_card": _KNOCK_CARD,
        "knocker": kn if kn >= 0 else None,
        "melds": [[list(_MNAMES[m]) for m in m0],
                  [list(_MNAMES[m]) for m in m1]],
        "layoffs": [_CN[c] for c in lo],
        "layoffs_over": ph == 7 or (ph == 9 and kn >= 0),
        "opponent_hand": opp_hand,
        "opponent_deadwood": opp_dw,
    }


def information_state(state, player):
    kn = state[14]
    if kn >= 0:
        ph = state[0]
        if kn != player or ph == 6 or ph == 7 or ph == 9:
            return (player, state[18 + player], state[3 - player])
    return (player, state[18 + player], -1)


# ---------------------------------------------------------------- resampling

_EV_SLOT = 100     # the opponent gets a hidden card
_EV_TAKE = 200     # + card: the opponent takes the upcard
_EV_WALL = 300     # + upcard: the opponent passes at the wall


def _parse(player, history):
    """What can be worked out from a history: the actions (-1 for a hidden
    card), the positions of the own deals, the opponent's events after the
    deal, the cards that are known to have come from hidden deals (each with
    the number of hidden deals made until then), the number of hidden deals,
    and the cards whose place is known."""
    idx = _IDX
    q = 1 - player
    toks = []
    add = toks.append
    own = []
    ev = []
    rev = []
    known = 0
    seen = 0
    slots = 0
    opened = False
    turn = 0
    o = history[0][0]
    ph = o["phase"]
    for i in range(1, len(history)):
        n = history[i][0]
        nph = n["phase"]
        if ph == "deal":
            st = n["stock"]
            if st >= 42:
                who = 0
            elif st >= 32:
                who = 1
            elif st == 31:
                who = 2
            else:
                who = turn
            if who == player:
                hn = n["hand"]
                name = hn[-1]
                for x, y in zip(o["hand"], hn):
                    if x != y:
                        name = y
                        break
                c = idx[name]
                seen |= 1 << c
                own.append(len(toks))
                add(c)
            elif who == 2:
                c = idx[n["upcard"]]
                seen |= 1 << c
                add(c)
                turn = 0
            else:
                slots += 1
                add(-1)
                if st < 31:
                    ev.append(_EV_SLOT)
        elif ph == "discard":
            if nph == "knock":
                add(_KNOCK)
            else:
                c = idx[n["upcard"]]
                add(c)
                if turn == q:
                    ev.append(c)
                    bit = 1 << c
                    if known & bit:
                        known ^= bit
                    else:
                        rev.append((c, slots))
                        seen |= bit
                turn = 1 - turn
        elif ph == "draw":
            if nph == "deal":
                add(_DRAW_STOCK)
            else:
                add(_DRAW_UPCARD)
                if turn == q and nph == "discard":
                    c = idx[o["upcard"]]
                    known |= 1 << c
                    ev.append(_EV_TAKE + c)
        elif ph == "first upcard":
            pa = o["passed"]
            turn = 0 if pa[0] == pa[1] else 1
            if nph == "deal":
                add(_DRAW_STOCK)
            elif nph == "discard":
                add(_DRAW_UPCARD)
                if turn == q:
                    c = idx[o["upcard"]]
                    known |= 1 << c
                    ev.append(_EV_TAKE + c)
            else:
                add(_PASS)
        elif ph == "wall":
            c = idx[o["upcard"]]
            if nph == "knock":
                add(_KNOCK)
                if turn == q:
                    known |= 1 << c
            else:
                add(_PASS)
                if turn == q:
                    ev.append(_EV_WALL + c)
        elif ph == "knock":
            if nph != "knock":
                add(_PASS)
            elif len(n["discard_pile"]) > len(o["discard_pile"]):
                add(idx[n["discard_pile"][-1]])
            else:
                add(_MELD_ID[tuple(n["melds"][n["knocker"]][-1])])
        else:
            # layoff
            if not o["layoffs_over"]:
                if n["layoffs_over"]:
                    add(_PASS)
                else:
                    add(idx[n["layoffs"][-1]])
            elif nph == "over":
                add(_PASS)
            else:
                add(_MELD_ID[tuple(n["melds"][1 - n["knocker"]][-1])])
        if not opened and n["opponent_hand"] is not None:
            opened = True
            for name in n["opponent_hand"]:
                c = idx[name]
                bit = 1 << c
                seen |= bit
                if not known & bit:
                    rev.append((c, slots))
            known = 0
        o = n
        ph = nph
    return toks, own, ev, rev, slots, seen


def _draw_hidden(ev, rev, slots, seen, rand):
    """Draws the opponent's hidden cards, in the order in which they were
    dealt; also gives the opponent's hand after the events."""
    pool = list(_cards(_FULL & ~seen))
    size = len(pool)
    while True:
        cards = [0] * slots
        free = []
        p = 0
        for c, d in rev:
            while p < d:
                free.append(p)
                p += 1
            j = int(rand() * len(free))
            k = free[j]
            last = free.pop()
            if j < len(free):
                free[j] = last
            cards[k] = c
        while p < slots:
            free.append(p)
            p += 1
        left = size
        for k in free:
            j = int(rand() * left)
            left -= 1
            c = pool[j]
            pool[j] = pool[left]
            pool[left] = c
            cards[k] = c

        hand = 0
        for c in cards[:10]:
            hand |= 1 << c
        k = 10
        fits = True
        for e in ev:
            if e < 52:
                # 12 instead of 11 legal actions if a knock was possible
                if _dw11(hand) <= _KNOCK_CARD and rand() * 12.0 < 1.0:
                    fits = False
                    break
                hand ^= 1 << e
            elif e == _EV_SLOT:
                hand |= 1 << cards[k]
                k += 1
            elif e < _EV_WALL:
                hand |= 1 << (e - _EV_TAKE)
            elif (_dw11(hand | 1 << (e - _EV_WALL)) <= _KNOCK_CARD
                  and rand() < 0.5):
                fits = False
                break
        if fits:
            return cards, hand


def resample_history(player, history, rand):
    toks, own, ev, rev, slots, seen = _parse(player, history)
    cards, hand = _draw_hidden(ev, rev, slots, seen, rand)
    it = iter(cards)
    return [t if t >= 0 else next(it) for t in toks]


def _mask_of(names):
    m = 0
    for x in names:
        m |= 1 << _IDX[x]
    return m


def resample_state(player, history, rand):
    toks, own, ev, rev, slots, seen = _parse(player, history)
    cards, opp = _draw_hidden(ev, rev, slots, seen, rand)

    my_seen = "".join([_CH[t] for t in toks])
    it = iter(cards)
    full = [t if t >= 0 else next(it) for t in toks]
    for i in own:
        full[i] = -1
    opp_seen = "".join([_CH[t] for t in full])

    o = history[-1][0]
    name = o["phase"]
    turn = player
    if name == "draw":
        ph = _P_DRAW
    elif name == "discard":
        ph = _P_DISCARD
    elif name == "first upcard":
        ph = _P_FIRST
    elif name == "wall":
        ph = _P_WALL
    elif name == "knock":
        ph = _P_KNOCK if len(o["hand"]) == 11 else _P_KMELD
    elif name == "layoff":
        ph = _P_LMELD if o["layoffs_over"] else _P_LAYOFF
    elif name == "over":
        ph = _P_OVER
        turn = 0
    else:
        ph = _P_DEAL
        turn = 0

    kn = o["knocker"]
    if kn is None:
        kn = -1
    mine = _mask_of(o["hand"])
    my_dw = o["deadwood"]
    if o["opponent_hand"] is not None:
        opp = _mask_of(o["opponent_hand"])
        opp_dw = o["opponent_deadwood"]
    elif kn >= 0:
        opp_dw = _total(opp)
    else:
        opp_dw = _dw(opp)

    up = _IDX[o["upcard"]]
    pv = _IDX[o["previous_upcard"]]
    pile = tuple([_IDX[x] for x in o["discard_pile"]])
    melds = o["melds"]
    m0 = tuple([_MELD_ID[tuple(m)] for m in melds[0]])
    m1 = tuple([_MELD_ID[tuple(m)] for m in melds[1]])
    lo = tuple([_IDX[x] for x in o["layoffs"]])
    used = mine | opp
    if up >= 0:
        used |= 1 << up
    for c in pile:
        used |= 1 << c
    for m in m0:
        used |= _MMASK[m]
    for m in m1:
        used |= _MMASK[m]
    for c in lo:
        used |= 1 << c
    passed = o["passed"]
    pa = (1 if passed[0] else 0) | (2 if passed[1] else 0)
    rp = 1 if o["repeated_move"] else 0

    if player == 0:
        return (ph, turn, mine, opp, my_dw, opp_dw, up, pv, pile, o["stock"],
                _FULL & ~used, pa, rp, o["upcards_drawn"], kn, m0, m1, lo,
                my_seen, opp_seen)
    return (ph, turn, opp, mine, opp_dw, my_dw, up, pv, pile, o["stock"],
            _FULL & ~used, pa, rp, o["upcards_drawn"], kn, m0, m1, lo,
            opp_seen, my_seen)
