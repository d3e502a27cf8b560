NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 241
MAX_CHANCE_OUTCOMES = 52
MAX_GAME_LENGTH = 200
MIN_UTILITY = -125.0
MAX_UTILITY = 125.0

_KNOCK_CARD = 10
_MAX_UPCARDS = 50
_WALL = 2

_RANKS = "A23456789TJQK"
_SUITS = "scdh"
_NAMES = [r + s for s in _SUITS for r in _RANKS]
_ID = {n: i for i, n in enumerate(_NAMES)}
_BIT = [1 << i for i in range(52)]
_NAMEBIT = {n: 1 << i for i, n in enumerate(_NAMES)}
_ALL = (1 << 52) - 1
_V = [min(r + 1, 10) for r in range(13)]

# actions
_UPCARD = 52
_STOCK = 53
_PASS = 54
_KNOCK = 55
_MELD0 = 56

# internal phases
_P_DEAL = 0
_P_FIRST = 1
_P_DRAW = 2
_P_DISCARD = 3
_P_KDISC = 4      # knocker must discard
_P_KMELD = 5      # knocker lays down melds
_P_LAY = 6        # the other player lays off
_P_LMELD = 7      # the other player lays down melds
_P_WALL = 8
_P_OVER = 9
_PHASE_NAMES = ("deal", "first upcard", "draw", "discard", "knock", "knock",
                "layoff", "layoff", "wall", "over")


def _build_suit_tables():
    val = [0] * 8192
    top = [0] * 8192
    for m in range(1, 8192):
        low = m & -m
        val[m] = val[m ^ low] + _V[low.bit_length() - 1]
        top[m] = _V[m.bit_length() - 1]
    cards = []
    names = []
    for s in range(4):
        ct = [()] * 8192
        nt = [()] * 8192
        for m in range(1, 8192):
            low = m & -m
            i = 13 * s + low.bit_length() - 1
            ct[m] = (i,) + ct[m ^ low]
            nt[m] = (_NAMES[i],) + nt[m ^ low]
        cards.append(ct)
        names.append(nt)
    return val, top, cards, names


_VAL, _TOP, _CT, _NT = _build_suit_tables()
_C0, _C1, _C2, _C3 = _CT
_N0, _N1, _N2, _N3 = _NT


def _low_mask(maxrank):
    m = 0
    for s in range(4):
        for r in range(maxrank + 1):
            m |= 1 << (13 * s + r)
    return m


_LOW3 = _low_mask(10)
_LOW4 = _low_mask(9)
_LOW5 = _low_mask(8)


def _build_melds():
    masks = []
    names = []
    layoff = []     # (below1, below2, above1, above2), for a set: (fourth, 0, 0, 0)
    for r in range(13):
        for miss in range(4):
            ids = [13 * s + r for s in range(4) if s != miss]
            masks.append(sum(_BIT[i] for i in ids))
            names.append(tuple(_NAMES[i] for i in ids))
            layoff.append((_BIT[13 * miss + r], 0, 0, 0))
        ids = [13 * s + r for s in range(4)]
        masks.append(sum(_BIT[i] for i in ids))
        names.append(tuple(_NAMES[i] for i in ids))
        layoff.append((0, 0, 0, 0))
    run_ids = {3: {}, 4: {}, 5: {}}
    run_melds = {3: {}, 4: {}, 5: {}}
    for length in (3, 4, 5):
        for s in range(4):
            for lo in range(13 - length + 1):
                hi = lo + length - 1
                ids = [13 * s + r for r in range(lo, hi + 1)]
                mask = sum(_BIT[i] for i in ids)
                value = sum(_V[r] for r in range(lo, hi + 1))
                low_bit = _BIT[ids[0]]
                run_ids[length][low_bit] = len(masks)
                run_melds[length][low_bit] = (mask, value)
                masks.append(mask)
                names.append(tuple(_NAMES[i] for i in ids))
                b1 = _BIT[13 * s + lo - 1] if lo >= 1 else 0
                b2 = _BIT[13 * s + lo - 2] if lo >= 2 else 0
                a1 = _BIT[13 * s + hi + 1] if hi <= 11 else 0
                a2 = _BIT[13 * s + hi + 2] if hi <= 10 else 0
                layoff.append((b1, b2, a1, a2))
    return masks, names, layoff, run_ids, run_melds


_M_MASK, _M_NAMES, _M_LAYOFF, _RUN_IDS, _RUN_MELDS = _build_melds()
_RID3 = _RUN_IDS[3]
_RID4 = _RUN_IDS[4]
_RID5 = _RUN_IDS[5]
_RUN3 = _RUN_MELDS[3]
_RUN4 = _RUN_MELDS[4]
_RUN5 = _RUN_MELDS[5]


def _build_sets():
    full = {}
    four1 = {}
    four2 = {}
    for r in range(13):
        b = 1 << r
        m = b | (b << 13) | (b << 26) | (b << 39)
        v = _V[r]
        full[b] = (m, 3 * v)
        four1[b] = ((m, 4 * v), (m ^ (b << 26), 3 * v), (m ^ (b << 13), 3 * v))
        four2[b] = ((m ^ (b << 39), 3 * v), (m ^ b, 3 * v))
    return full, four1, four2


_FULL, _FOUR1, _FOUR2 = _build_sets()

_MELD_ACTION_NAMES = ["meld " + " ".join(n) for n in _M_NAMES]


def _build_action_ids():
    d = {"draw upcard": _UPCARD, "draw stock": _STOCK, "pass": _PASS,
         "done": _PASS, "knock": _KNOCK}
    for i, n in enumerate(_NAMES):
        d["discard " + n] = i
        d["lay off " + n] = i
    for i, n in enumerate(_MELD_ACTION_NAMES):
        d[n] = _MELD0 + i
    return d


_ACT = _build_action_ids()
_DEAL_NAMES = ["deal " + n for n in _NAMES]
_DISCARD_NAMES = ["discard " + n for n in _NAMES]
_LAYOFF_NAMES = ["lay off " + n for n in _NAMES]

_NOTHING = (0, 0)


# ---------------------------------------------------------------- hands

def _cards(h):
    return list(_C0[h & 8191] + _C1[(h >> 13) & 8191]
                + _C2[(h >> 26) & 8191] + _C3[h >> 39])


def _hand_names(h):
    return list(_N0[h & 8191] + _N1[(h >> 13) & 8191]
                + _N2[(h >> 26) & 8191] + _N3[h >> 39])


def _value(h):
    return (_VAL[h & 8191] + _VAL[(h >> 13) & 8191]
            + _VAL[(h >> 26) & 8191] + _VAL[h >> 39])


def _best(h):
    """(value, mask) of the first one of the arrangements that count most;
    the hand has at most 11 cards, so an arrangement has at most 3 melds."""
    s = h & 8191
    c = (h >> 13) & 8191
    d = (h >> 26) & 8191
    k = h >> 39
    sc = s & c
    dk = d & k
    t = (sc & (d | k)) | (dk & (s | c))
    r = h & (h >> 1) & (h >> 2) & _LOW3
    if not t and not r:
        return _NOTHING
    melds = []
    if t:
        f = sc & dk
        x = f
        while x:
            b = x & -x
            x ^= b
            melds.extend(_FOUR1[b])
        while t:
            b = t & -t
            t ^= b
            if f & b:
                melds.extend(_FOUR2[b])
            else:
                e = _FULL[b]
                melds.append((e[0] & h, e[1]))
    if r:
        q = r & (h >> 3) & _LOW4
        if q:
            p = q & (h >> 4) & _LOW5
            while p:
                b = p & -p
                p ^= b
                melds.append(_RUN5[b])
            while q:
                b = q & -q
                q ^= b
                melds.append(_RUN4[b])
        while r:
            b = r & -r
            r ^= b
            melds.append(_RUN3[b])
    n = len(melds)
    if n == 1:
        m, v = melds[0]
        return v, m
    best = 0
    cover = 0
    for i in range(n):
        mi, vi = melds[i]
        if vi > best:
            best = vi
            cover = mi
        for j in range(i + 1, n):
            mj, vj = melds[j]
            if mi & mj:
                continue
            mij = mi | mj
            vij = vi + vj
            if vij > best:
                best = vij
                cover = mij
            for l in range(j + 1, n):
                ml, vl = melds[l]
                if mij & ml:
                    continue
                if vij + vl > best:
                    best = vij + vl
                    cover = mij | ml
    return best, cover


def _count10(h):
    """Least deadwood of all arrangements."""
    return (_VAL[h & 8191] + _VAL[(h >> 13) & 8191]
            + _VAL[(h >> 26) & 8191] + _VAL[h >> 39]) - _best(h)[0]


def _count11(h):
    """Count of a hand of 11 cards."""
    rest = h ^ _best(h)[1]
    if not rest:
        return 0
    s = rest & 8191
    c = (rest >> 13) & 8191
    d = (rest >> 26) & 8191
    k = rest >> 39
    return _VAL[s] + _VAL[c] + _VAL[d] + _VAL[k] - _TOP[s | c | d | k]


def _can_knock(h):
    """Whether a hand of 11 cards counts at most the knock card."""
    m = _best(h)[1]
    if not m:
        return False
    rest = h ^ m
    if not rest:
        return True
    s = rest & 8191
    c = (rest >> 13) & 8191
    d = (rest >> 26) & 8191
    k = rest >> 39
    return _VAL[s] + _VAL[c] + _VAL[d] + _VAL[k] - _TOP[s | c | d | k] <= _KNOCK_CARD


def _meld_indices(h):
    """All melds of the hand, in the order of the actions."""
    s = h & 8191
    c = (h >> 13) & 8191
    d = (h >> 26) & 8191
    k = h >> 39
    sc = s & c
    dk = d & k
    t = (sc & (d | k)) | (dk & (s | c))
    f = sc & dk
    out = []
    while t:
        b = t & -t
        t ^= b
        base = 5 * (b.bit_length() - 1)
        if f & b:
            out.extend((base, base + 1, base + 2, base + 3, base + 4))
        elif not s & b:
            out.append(base)
        elif not c & b:
            out.append(base + 1)
        elif not d & b:
            out.append(base + 2)
        else:
            out.append(base + 3)
    r = h & (h >> 1) & (h >> 2) & _LOW3
    if r:
        q = r & (h >> 3) & _LOW4
        p = q & (h >> 4) & _LOW5
        while r:
            b = r & -r
            r ^= b
            out.append(_RID3[b])
        while q:
            b = q & -q
            q ^= b
            out.append(_RID4[b])
        while p:
            b = p & -p
            p ^= b
            out.append(_RID5[b])
    return out


# ---------------------------------------------------------------- the game
#
# state: 0 phase, 1 turn, 2 hand of player 0, 3 hand of player 1,
# 4 count of the 11 cards (phase "discard" only, else 0), 5 upcard, 6 previous
# upcard, 7 discard pile, 8 stock (mask), 9 size of the stock, 10 passed (bits),
# 11 repeated move, 12 upcards drawn, 13 knocker, 14 and 15 melds, 16 layoffs,
# 17 public history, 18 and 19 cards dealt to the players, in order

_INITIAL = (_P_DEAL, 0, 0, 0, 0, -1, -1, (), _ALL, 52, 0, False, 0, -1,
            (), (), (), 1, 1, 1)


def initial_state():
    return _INITIAL


def current_player(state):
    ph = state[0]
    if ph == _P_DEAL:
        return -1
    if ph == _P_OVER:
        return -4
    return state[1]


def legal_actions(state):
    ph = state[0]
    if ph == _P_DISCARD:
        out = _cards(state[2 + state[1]])
        if state[4] <= _KNOCK_CARD:
            out.append(_KNOCK)
        return out
    if ph == _P_DRAW:
        return [_UPCARD, _STOCK]
    if ph == _P_FIRST:
        if state[10] == 3:
            return [_STOCK]
        return [_UPCARD, _PASS]
    if ph == _P_WALL:
        if _can_knock(state[2 + state[1]] | _BIT[state[5]]):
            return [_PASS, _KNOCK]
        return [_PASS]
    if ph == _P_KDISC:
        h = state[2 + state[1]]
        return [c for c in _cards(h) if _count10(h ^ _BIT[c]) <= _KNOCK_CARD]
    if ph == _P_KMELD:
        h = state[2 + state[1]]
        out = []
        if _value(h) <= _KNOCK_CARD:
            out.append(_PASS)
        for i in _meld_indices(h):
            if _count10(h ^ _M_MASK[i]) <= _KNOCK_CARD:
                out.append(_MELD0 + i)
        return out
    if ph == _P_LAY:
        laid = 0
        for c in state[16]:
            laid |= _BIT[c]
        fit = 0
        for i in state[14 + state[13]]:
            b1, b2, a1, a2 = _M_LAYOFF[i]
            fit |= b2 if laid & b1 else b1
            fit |= a2 if laid & a1 else a1
        out = _cards(fit & state[2 + state[1]])
        out.append(_PASS)
        return out
    if ph == _P_LMELD:
        out = [_PASS]
        for i in _meld_indices(state[2 + state[1]]):
            out.append(_MELD0 + i)
        return out
    return []


def chance_outcomes(state):
    if state[0] != _P_DEAL:
        return []
    p = 1.0 / state[9]
    return [(c, p) for c in _cards(state[8])]


def apply_action(state, action):
    (ph, turn, h0, h1, d, up, prev, pile, stock, n, passed, rep, nup, kn,
     m0, m1, lay, pub, c0, c1) = state

    if ph == _P_DEAL:
        b = _BIT[action]
        stock ^= b
        if n > 42:
            h0 |= b
            c0 = (c0 << 8) | action
        elif n > 32:
            h1 |= b
            c1 = (c1 << 8) | action
        elif n == 32:
            up = action
            pub = (pub << 8) | action
            ph = _P_FIRST
            turn = 0
        else:
            if turn == 0:
                h0 |= b
                c0 = (c0 << 8) | action
                d = _count11(h0)
            else:
                h1 |= b
                c1 = (c1 << 8) | action
                d = _count11(h1)
            ph = _P_DISCARD
        n -= 1
        return (ph, turn, h0, h1, d, up, prev, pile, stock, n, passed, rep, nup,
                kn, m0, m1, lay, pub, c0, c1)

    pub = (pub << 8) | action

    if ph == _P_DISCARD:
        d = 0
        if action == _KNOCK:
            kn = turn
            ph = _P_KDISC
        else:
            if turn == 0:
                h0 ^= _BIT[action]
            else:
                h1 ^= _BIT[action]
            up = action
            again = action == prev
            if again and rep:
                ph = _P_OVER
                turn = 0
            else:
                rep = again
                turn = 1 - turn
                ph = _P_WALL if n == _WALL else _P_DRAW

    elif ph == _P_DRAW or ph == _P_FIRST:
        if action == _UPCARD:
            over = False
            if ph == _P_DRAW:
                nup += 1
                over = nup >= _MAX_UPCARDS
            if over:
                ph = _P_OVER
                turn = 0
            else:
                if turn == 0:
                    h0 |= _BIT[up]
                    d = _count11(h0)
                else:
                    h1 |= _BIT[up]
                    d = _count11(h1)
                prev = up
                up = -1
                ph = _P_DISCARD
        elif action == _STOCK:
            pile = pile + (up,)
            prev = up
            up = -1
            ph = _P_DEAL
        else:
            passed |= 1 << turn
            turn = 1 - turn

    elif ph == _P_KDISC:
        if turn == 0:
            h0 ^= _BIT[action]
        else:
            h1 ^= _BIT[action]
        pile = pile + (action,)
        ph = _P_KMELD

    elif ph == _P_KMELD:
        if action == _PASS:
            own = h1 if turn else h0
            turn = 1 - turn
            ph = _P_LAY if own else _P_LMELD
        else:
            i = action - _MELD0
            if turn == 0:
                h0 ^= _M_MASK[i]
                m0 = m0 + (i,)
            else:
                h1 ^= _M_MASK[i]
                m1 = m1 + (i,)

    elif ph == _P_LAY:
        if action == _PASS:
            ph = _P_LMELD
        else:
            if turn == 0:
                h0 ^= _BIT[action]
            else:
                h1 ^= _BIT[action]
            lay = lay + (action,)

    elif ph == _P_LMELD:
        if action == _PASS:
            ph = _P_OVER
            turn = 0
        else:
            i = action - _MELD0
            if turn == 0:
                h0 ^= _M_MASK[i]
                m0 = m0 + (i,)
            else:
                h1 ^= _M_MASK[i]
                m1 = m1 + (i,)

    elif ph == _P_WALL:
        if action == _KNOCK:
            kn = turn
            if turn == 0:
                h0 |= _BIT[up]
            else:
                h1 |= _BIT[up]
            up = -1
            ph = _P_KDISC
        else:
            ph = _P_OVER
            turn = 0

    return (ph, turn, h0, h1, d, up, prev, pile, stock, n, passed, rep, nup,
            kn, m0, m1, lay, pub, c0, c1)


def returns(state):
    kn = state[13]
    if state[0] != _P_OVER or kn < 0:
        return [0.0, 0.0]
    own = _value(state[2 + kn])
    r = _value(state[3 - kn]) - own
    if own == 0:
        r += 25
    elif r < 0:
        r -= 25
    if kn == 0:
        return [float(r), float(-r)]
    return [float(-r), float(r)]


def action_name(state, action):
    ph = state[0]
    if action < 52:
        if ph == _P_DEAL:
            return _DEAL_NAMES[action]
        if ph == _P_LAY:
            return _LAYOFF_NAMES[action]
        return _DISCARD_NAMES[action]
    if action >= _MELD0:
        return _MELD_ACTION_NAMES[action - _MELD0]
    if action == _UPCARD:
        return "draw upcard"
    if action == _STOCK:
        return "draw stock"
    if action == _KNOCK:
        return "knock"
    if ph == _P_FIRST or ph == _P_WALL:
        return "pass"
    return "done"


def _is_open(state, player):
    """Whether the hand of the opponent of `player` is open."""
    kn = state[13]
    if kn < 0:
        return False
    return kn != player or state[0] >= _P_LAY


def observation(state, player):
    (ph, turn, h0, h1, d, up, prev, pile, stock, n, passed, rep, nup, kn,
     m0, m1, lay, pub, c0, c1) = state
    if player == 0:
        own, other = h0, h1
    else:
        own, other = h1, h0
    if kn >= 0:
        dead = _value(own)
    elif n > 31:
        dead = 0
    elif ph == _P_DISCARD and turn == player:
        dead = d
    else:
        dead = _count10(own)
    if _is_open(state, player):
        opp_hand = _hand_names(other)
        opp_dead = _value(other)
    else:
        opp_hand = None
        opp_dead = None
    return {
        "phase": _PHASE_NAMES[ph],
        "hand": _hand_names(own),
        "deadwood": dead,
        "upcard": _NAMES[up] if up >= 0 else None,
        "previous_upcard": _NAMES[prev] if prev >= 0 else None,
        "discard_pile": [_NAMES[c] for c in pile],
        "stock": n,
        "passed": [bool(passed & 1), bool(passed & 2)],
        "repeated_move": rep,
        "upcards_drawn": nup,
        "knock_card": _KNOCK_CARD,
        "knocker": kn if kn >= 0 else None,
        "melds": [[list(_M_NAMES[i]) for i in m0],
                  [list(_M_NAMES[i]) for i in m1]],
        "layoffs": [_NAMES[c] for c in lay],
        "layoffs_over": ph == _P_LMELD or (ph == _P_OVER and kn >= 0),
        "opponent_hand": opp_hand,
        "opponent_deadwood": opp_dead,
    }


def information_state(state, player):
    return (player, state[17], state[18 + player], state[9],
            state[3 - player] if _is_open(state, player) else -1)


# ---------------------------------------------------------------- resampling

def _new_card(old, new):
    for x, y in zip(old, new):
        if x != y:
            return _ID[y]
    return _ID[new[-1]]


def _parse(player, history):
    """What the history tells: the actions (-1 for a hidden card), the public
    history, the own cards, the places of the hidden cards, the cards known to
    have been among the first k hidden ones, the opponent's turns."""
    opp = 1 - player
    acts = []
    pub = [1]
    own = [1]
    slots = []
    need = []
    turns = []
    seen = 0
    held = 0        # cards that the opponent is known to hold: upcards taken
    taken = 0       # the upcard just taken by the opponent
    wall = 0
    turn = 0
    obs, act = history[0]
    for i in range(1, len(history)):
        nobs, nact = history[i]
        ph = obs["phase"]
        if ph == "deal":
            st = obs["stock"]
            if st > 42:
                who = 0
            elif st > 32:
                who = 1
            elif st == 32:
                who = 2
            else:
                who = turn
            if who == player:
                a = _new_card(obs["hand"], nobs["hand"])
                own.append(a)
                acts.append(a)
                seen |= _BIT[a]
            elif who == 2:
                a = _ID[nobs["upcard"]]
                pub.append(a)
                acts.append(a)
                seen |= _BIT[a]
            else:
                slots.append(len(acts))
                acts.append(-1)
        else:
            opened = False
            if act is not None:
                a = _ACT[act]
                if ph == "discard":
                    if a < 52:
                        turn = 1 - turn
                elif ph == "first upcard":
                    if a == _PASS:
                        turn = 1 - turn
                elif ph == "knock":
                    if a == _PASS:
                        turn = 1 - turn
                        opened = True
            elif ph == "draw":
                nph = nobs["phase"]
                if nph == "deal":
                    a = _STOCK
                    taken = 0
                else:
                    a = _UPCARD
                    if nph != "over":
                        taken = _NAMEBIT[obs["upcard"]]
                        held |= taken
            elif ph == "discard":
                if nobs["knocker"] is not None:
                    a = _KNOCK
                    opened = True
                else:
                    a = _ID[nobs["upcard"]]
                    b = _BIT[a]
                    if held & b:
                        held ^= b
                    else:
                        need.append((a, len(slots)))
                        seen |= b
                    turns.append((len(slots) - 1, taken, b))
                    turn = 1 - turn
            elif ph == "first upcard":
                nph = nobs["phase"]
                if nph == "deal":
                    a = _STOCK
                    taken = 0
                elif nph == "discard":
                    a = _UPCARD
                    taken = _NAMEBIT[obs["upcard"]]
                    held |= taken
                else:
                    a = _PASS
                    turn = 1 - turn
            elif ph == "wall":
                b = _NAMEBIT[obs["upcard"]]
                if nobs["knocker"] is not None:
                    a = _KNOCK
                    held |= b
                    opened = True
                else:
                    a = _PASS
                    wall = b
            elif ph == "knock":
                if len(nobs["discard_pile"]) > len(obs["discard_pile"]):
                    a = _ID[nobs["discard_pile"][-1]]
                elif nobs["phase"] != "knock":
                    a = _PASS
                    turn = 1 - turn
                else:
                    a = _ACT["meld " + " ".join(nobs["melds"][opp][-1])]
            else:
                if len(nobs["layoffs"]) > len(obs["layoffs"]):
                    a = _ID[nobs["layoffs"][-1]]
                elif len(nobs["melds"][opp]) > len(obs["melds"][opp]):
                    a = _ACT["meld " + " ".join(nobs["melds"][opp][-1])]
                else:
                    a = _PASS
            pub.append(a)
            acts.append(a)
            if opened:
                k = len(slots)
                for x in nobs["opponent_hand"]:
                    b = _NAMEBIT[x]
                    if not held & b:
                        need.append((_ID[x], k))
                        seen |= b
        obs = nobs
        act = nact
    return acts, pub, own, slots, need, turns, seen, wall, turn


def _fill(ns, need, turns, seen, wall, rand):
    """Draw the hidden cards: (the cards in order, the opponent's hand after
    the last complete turn)."""
    pool = _cards(_ALL & ~seen)
    npool = len(pool)
    first = min(10, ns)
    while True:
        sl = [0] * ns
        avail = []
        added = 0
        for x, k in need:
            if k > added:
                avail.extend(range(added, k))
                added = k
            j = int(rand() * len(avail))
            s = avail[j]
            avail[j] = avail[-1]
            avail.pop()
            sl[s] = x
        if added < ns:
            avail.extend(range(added, ns))
        if avail:
            p = pool[:]
            m = npool
            for s in avail:
                j = int(rand() * m)
                m -= 1
                sl[s] = p[j]
                p[j] = p[m]
        mask = 0
        for j in range(first):
            mask |= _BIT[sl[j]]
        ok = True
        for k, taken, b in turns:
            if taken:
                mask |= taken
            else:
                mask |= _BIT[sl[k]]
            # 12 legal actions instead of 11 where a knock was possible
            if _can_knock(mask) and rand() * 12.0 >= 11.0:
                ok = False
                break
            mask ^= b
        if ok and wall and _can_knock(mask | wall) and rand() >= 0.5:
            ok = False
        if ok:
            return sl, mask


def resample_history(player, history, rand):
    acts, pub, own, slots, need, turns, seen, wall, turn = _parse(player, history)
    sl = _fill(len(slots), need, turns, seen, wall, rand)[0]
    for i, c in zip(slots, sl):
        acts[i] = c
    return acts


def resample_state(player, history, rand):
    acts, pub, own, slots, need, turns, seen, wall, turn = _parse(player, history)
    sl, mask = _fill(len(slots), need, turns, seen, wall, rand)
    obs = history[-1][0]
    name = obs["phase"]
    if name != "over" and (name == "deal" or turn != player):
        for i, c in zip(slots, sl):
            acts[i] = c
        state = _INITIAL
        for a in acts:
            state = apply_action(state, a)
        return state

    hand = 0
    for x in obs["hand"]:
        hand |= _NAMEBIT[x]
    if obs["opponent_hand"] is not None:
        mask = 0
        for x in obs["opponent_hand"]:
            mask |= _NAMEBIT[x]

    d = 0
    if name == "draw":
        ph = _P_DRAW
    elif name == "discard":
        ph = _P_DISCARD
        d = obs["deadwood"]
    elif name == "first upcard":
        ph = _P_FIRST
    elif name == "knock":
        ph = _P_KDISC if len(obs["hand"]) == 11 else _P_KMELD
    elif name == "layoff":
        ph = _P_LMELD if obs["layoffs_over"] else _P_LAY
    elif name == "wall":
        ph = _P_WALL
    else:
        ph = _P_OVER
        turn = 0

    out = hand | mask
    up = -1
    if obs["upcard"] is not None:
        up = _ID[obs["upcard"]]
        out |= _BIT[up]
    prev = -1
    if obs["previous_upcard"] is not None:
        prev = _ID[obs["previous_upcard"]]
    pile = tuple([_ID[x] for x in obs["discard_pile"]])
    for c in pile:
        out |= _BIT[c]
    lay = tuple([_ID[x] for x in obs["layoffs"]])
    for c in lay:
        out |= _BIT[c]
    melds = obs["melds"]
    m0 = tuple([_ACT["meld " + " ".join(x)] - _MELD0 for x in melds[0]])
    m1 = tuple([_ACT["meld " + " ".join(x)] - _MELD0 for x in melds[1]])
    for i in m0:
        out |= _M_MASK[i]
    for i in m1:
        out |= _M_MASK[i]
    passed = (1 if obs["passed"][0] else 0) | (2 if obs["passed"][1] else 0)
    kn = obs["knocker"]
    if kn is None:
        kn = -1
    pubint = int.from_bytes(bytes(pub), "big")
    cown = int.from_bytes(bytes(own), "big")
    copp = int.from_bytes(bytes([1] + sl), "big")
    if player == 0:
        h0, h1, c0, c1 = hand, mask, cown, copp
    else:
        h0, h1, c0, c1 = mask, hand, copp, cown
    return (ph, turn, h0, h1, d, up, prev, pile, _ALL & ~out, obs["stock"],
            passed, bool(obs["repeated_move"]), obs["upcards_drawn"], kn,
            m0, m1, lay, pubint, c0, c1)
