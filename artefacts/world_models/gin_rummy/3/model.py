NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 241
MAX_CHANCE_OUTCOMES = 52
MAX_GAME_LENGTH = 200
MIN_UTILITY = -125.0
MAX_UTILITY = 125.0

_KNOCK_CARD = 10
_MAX_UPCARDS = 50
_WALL = 2

_DRAW_UP = 52
_DRAW_STOCK = 53
_PASS = 54
_KNOCK = 55

# phases
_P_DEAL0 = 0      # initial deal
_P_DEAL = 1       # a card drawn from the stock
_P_FIRST = 2
_P_DRAW = 3
_P_DISCARD = 4
_P_WALL = 5
_P_KDISCARD = 6   # the knocker discards
_P_KMELD = 7      # the knocker lays down melds
_P_LAYOFF = 8     # the other player lays off
_P_LMELD = 9      # the other player lays down melds
_P_OVER = 10

_PHASE_NAMES = ("deal", "deal", "first upcard", "draw", "discard", "wall",
                "knock", "knock", "layoff", "layoff", "over")

# ----------------------------------------------------------------------------
# Tables
# ----------------------------------------------------------------------------
_RANKS = "A23456789TJQK"
_SUITS = "scdh"
_NAMES = [_r + _s for _s in _SUITS for _r in _RANKS]
_ID = {_n: _i for _i, _n in enumerate(_NAMES)}
_ALL = (1 << 52) - 1
_CH = [chr(_i) for _i in range(256)]
_HID = chr(255)
_NAME_CH = {_n: chr(_i) for _i, _n in enumerate(_NAMES)}


def _make_table(items):
    table = [()] * 8192
    for m in range(1, 8192):
        hb = m.bit_length() - 1
        table[m] = table[m ^ (1 << hb)] + (items[hb],)
    return table


_C0 = _make_table(list(range(0, 13)))
_C1 = _make_table(list(range(13, 26)))
_C2 = _make_table(list(range(26, 39)))
_C3 = _make_table(list(range(39, 52)))
_N0 = _make_table(_NAMES[0:13])
_N1 = _make_table(_NAMES[13:26])
_N2 = _make_table(_NAMES[26:39])
_N3 = _make_table(_NAMES[39:52])


def _make_values():
    table = [0] * 8192
    for m in range(1, 8192):
        b = m.bit_length()
        table[m] = table[m ^ (1 << (b - 1))] + (b if b < 10 else 10)
    return table


_VAL = _make_values()
_TOP = [min(10, _m.bit_length()) for _m in range(8192)]


def _make_melds():
    melds = [None] * NUM_DISTINCT_ACTIONS      # (mask, value, action)
    cards = [None] * NUM_DISTINCT_ACTIONS      # names of the cards
    lay = [None] * NUM_DISTINCT_ACTIONS        # what can be laid off
    sets = []
    runs = {3: [[], [], [], []], 4: [[], [], [], []], 5: [[], [], [], []]}
    a = 56
    for r in range(13):
        v = min(r + 1, 10)
        row = []
        for missing in range(5):
            ids = [13 * s + r for s in range(4) if s != missing]
            mask = 0
            for c in ids:
                mask |= 1 << c
            meld = (mask, v * len(ids), a)
            melds[a] = meld
            cards[a] = tuple(_NAMES[c] for c in ids)
            if missing < 4:
                lay[a] = (-1, 1 << (13 * missing + r), 0)
            else:
                lay[a] = (-1, 0, 0)
            row.append(meld)
            a += 1
        sets.append(row)
    for length in (3, 4, 5):
        for s in range(4):
            for lo in range(14 - length):
                ids = [13 * s + r for r in range(lo, lo + length)]
                mask = 0
                v = 0
                for c in ids:
                    mask |= 1 << c
                    v += min(c % 13 + 1, 10)
                meld = (mask, v, a)
                melds[a] = meld
                cards[a] = tuple(_NAMES[c] for c in ids)
                lay[a] = (13 * s, lo, lo + length - 1)
                runs[length][s].append(meld)
                a += 1
    return melds, cards, lay, sets, runs


_MELD, _MELD_CARDS, _LAY, _SETS, _RUNS = _make_melds()
_FOUR_FIRST = [(_row[4], _row[2], _row[1]) for _row in _SETS]
_FOUR_LAST = [(_row[3], _row[0]) for _row in _SETS]


def _make_runs():
    in_run = [0] * 8192
    tables = [[None] * 8192 for _ in range(4)]
    for m in range(8192):
        t3 = m & (m >> 1) & (m >> 2)
        if not t3:
            continue
        in_run[m] = t3 | (t3 << 1) | (t3 << 2)
        t4 = t3 & (m >> 3)
        t5 = t4 & (m >> 4)
        l3 = _C0[t3]
        l4 = _C0[t4]
        l5 = _C0[t5]
        for s in range(4):
            r3 = _RUNS[3][s]
            r4 = _RUNS[4][s]
            r5 = _RUNS[5][s]
            tables[s][m] = (tuple([r5[x] for x in l5]),
                            tuple([r4[x] for x in l4]),
                            tuple([r3[x] for x in l3]))
    return in_run, tables


_RC, _RT = _make_runs()
_R0, _R1, _R2, _R3 = _RT

_ACTION_NAMES = [None] * NUM_DISTINCT_ACTIONS
for _i in range(52):
    _ACTION_NAMES[_i] = "discard " + _NAMES[_i]
_ACTION_NAMES[_DRAW_UP] = "draw upcard"
_ACTION_NAMES[_DRAW_STOCK] = "draw stock"
_ACTION_NAMES[_PASS] = "pass"
_ACTION_NAMES[_KNOCK] = "knock"
for _i in range(56, NUM_DISTINCT_ACTIONS):
    _ACTION_NAMES[_i] = "meld " + " ".join(_MELD_CARDS[_i])
_DEAL_NAMES = ["deal " + _n for _n in _NAMES]
_LAYOFF_NAMES = ["lay off " + _n for _n in _NAMES]

_ACTION_ID = {_n: _i for _i, _n in enumerate(_ACTION_NAMES)}
_ACTION_ID["done"] = _PASS
for _i in range(52):
    _ACTION_ID[_LAYOFF_NAMES[_i]] = _i
_MELD_ID = {_MELD_CARDS[_i]: _i for _i in range(56, NUM_DISTINCT_ACTIONS)}


# ----------------------------------------------------------------------------
# Cards and melds
# ----------------------------------------------------------------------------
def _cards(m):
    return _C0[m & 8191] + _C1[(m >> 13) & 8191] + _C2[(m >> 26) & 8191] + _C3[m >> 39]


def _card_names(m):
    return list(_N0[m & 8191] + _N1[(m >> 13) & 8191]
                + _N2[(m >> 26) & 8191] + _N3[m >> 39])


def _hand_str(m):
    return "".join([_CH[c] for c in _cards(m)])


def _total(m):
    return (_VAL[m & 8191] + _VAL[(m >> 13) & 8191]
            + _VAL[(m >> 26) & 8191] + _VAL[m >> 39])


def _melds(m):
    """All melds of the cards, in the order that decides between equals."""
    s = m & 8191
    c = (m >> 13) & 8191
    d = (m >> 26) & 8191
    h = m >> 39
    sc = s & c
    dh = d & h
    out = []
    three = (sc & (d | h)) | (dh & (s | c))
    if three:
        four = sc & dh
        if four:
            for r in _C0[four]:
                out += _FOUR_FIRST[r]
        for r in _C0[three]:
            if (four >> r) & 1:
                out += _FOUR_LAST[r]
            elif not (s >> r) & 1:
                out.append(_SETS[r][0])
            elif not (c >> r) & 1:
                out.append(_SETS[r][1])
            elif not (d >> r) & 1:
                out.append(_SETS[r][2])
            else:
                out.append(_SETS[r][3])
    rs = _R0[s]
    rc = _R1[c]
    rd = _R2[d]
    rh = _R3[h]
    if rs or rc or rd or rh:
        present = [x for x in (rs, rc, rd, rh) if x]
        if len(present) == 1:
            x = present[0]
            out += x[0]
            out += x[1]
            out += x[2]
        else:
            for k in (0, 1, 2):
                for x in present:
                    out += x[k]
    return out


def _best(ms):
    """(value, cards) of the first arrangement whose melds count most."""
    n = len(ms)
    bv = 0
    bm = 0
    for i in range(n):
        mi, vi, _a = ms[i]
        if vi > bv:
            bv = vi
            bm = mi
        for j in range(i + 1, n):
            mj, vj, _a = ms[j]
            if mi & mj:
                continue
            u = mi | mj
            v = vi + vj
            if v > bv:
                bv = v
                bm = u
            for k in range(j + 1, n):
                mk, vk, _a = ms[k]
                if u & mk:
                    continue
                if v + vk > bv:
                    bv = v + vk
                    bm = u | mk
    return bv, bm


def _count10(m):
    """The least deadwood of all arrangements."""
    total = _total(m)
    ms = _melds(m)
    if not ms:
        return total
    if len(ms) == 1:
        return total - ms[0][1]
    return total - _best(ms)[0]


def _count11(m):
    """The count of deadwood of 11 cards."""
    ms = _melds(m)
    if ms:
        if len(ms) == 1:
            m &= ~ms[0][0]
        else:
            m &= ~_best(ms)[1]
    if not m:
        return 0
    s = m & 8191
    c = (m >> 13) & 8191
    d = (m >> 26) & 8191
    h = m >> 39
    return _VAL[s] + _VAL[c] + _VAL[d] + _VAL[h] - _TOP[s | c | d | h]


def _can_knock(m):
    """Whether the count of these 11 cards is at most the knock card."""
    s = m & 8191
    c = (m >> 13) & 8191
    d = (m >> 26) & 8191
    h = m >> 39
    three = (s & c & (d | h)) | (d & h & (s | c))
    # the cards that are in no meld at all
    s &= ~(_RC[s] | three)
    c &= ~(_RC[c] | three)
    d &= ~(_RC[d] | three)
    h &= ~(_RC[h] | three)
    if _VAL[s] + _VAL[c] + _VAL[d] + _VAL[h] - _TOP[s | c | d | h] > _KNOCK_CARD:
        return False
    return _count11(m) <= _KNOCK_CARD


def _layoff_mask(melds, laid, hand):
    laid_mask = 0
    for c in laid:
        laid_mask |= 1 << c
    ok = 0
    for a in melds:
        base, lo, hi = _LAY[a]
        if base < 0:
            ok |= lo
            continue
        if lo > 0 and (laid_mask >> (base + lo - 1)) & 1:
            lo -= 1
        if hi < 12 and (laid_mask >> (base + hi + 1)) & 1:
            hi += 1
        if lo > 0:
            ok |= 1 << (base + lo - 1)
        if hi < 12:
            ok |= 1 << (base + hi + 1)
    return ok & hand


# ----------------------------------------------------------------------------
# The game. A state is the tuple
# (phase, player to act or to be dealt to, hand 0, hand 1, upcard,
#  previous upcard, discard pile, stock, size of stock, passed, repeated move,
#  upcards drawn, knocker, melds 0, melds 1, layoffs, layoffs over,
#  information of player 0, information of player 1)
# ----------------------------------------------------------------------------
_INITIAL = (_P_DEAL0, 0, 0, 0, -1, -1, (), _ALL, 52, 0, 0, 0, -1, (), (), (), 0,
            "0", "1")


def initial_state():
    return _INITIAL


def current_player(state):
    if state[0] < 2:
        return -1
    return state[1]


def legal_actions(state):
    ph = state[0]
    if ph == _P_DRAW:
        return [_DRAW_UP, _DRAW_STOCK]
    if ph == _P_DISCARD:
        hand = state[2 + state[1]]
        acts = list(_cards(hand))
        if _can_knock(hand):
            acts.append(_KNOCK)
        return acts
    if ph == _P_FIRST:
        if state[9] == 3:
            return [_DRAW_STOCK]
        return [_DRAW_UP, _PASS]
    if ph == _P_WALL:
        if _can_knock(state[2 + state[1]] | (1 << state[4])):
            return [_PASS, _KNOCK]
        return [_PASS]
    if ph == _P_KDISCARD:
        hand = state[2 + state[1]]
        return [c for c in _cards(hand) if _count10(hand ^ (1 << c)) <= _KNOCK_CARD]
    if ph == _P_KMELD:
        hand = state[2 + state[1]]
        ms = _melds(hand)
        if _total(hand) <= _KNOCK_CARD:
            acts = [x[2] for x in ms]
            acts.append(_PASS)
        else:
            acts = [x[2] for x in ms if _count10(hand ^ x[0]) <= _KNOCK_CARD]
        acts.sort()
        return acts
    if ph == _P_LAYOFF:
        acts = list(_cards(_layoff_mask(state[13 + state[12]], state[15],
                                        state[2 + state[1]])))
        acts.append(_PASS)
        return acts
    if ph == _P_LMELD:
        acts = [x[2] for x in _melds(state[2 + state[1]])]
        acts.append(_PASS)
        acts.sort()
        return acts
    return []


def chance_outcomes(state):
    p = 1.0 / state[8]
    return [(c, p) for c in _cards(state[7])]


def apply_action(state, action):
    (ph, turn, h0, h1, up, prev, pile, stock, ns, passed, rep, nd, kn,
     m0, m1, lay, lov, i0, i1) = state
    ch = _CH[action]

    if ph == _P_DISCARD:
        if action == _KNOCK:
            if turn == 0:
                i0 += ch
                i1 += ch + _hand_str(h0)
            else:
                i0 += ch + _hand_str(h1)
                i1 += ch
            return (_P_KDISCARD, turn, h0, h1, up, prev, pile, stock, ns, passed,
                    rep, nd, turn, m0, m1, lay, lov, i0, i1)
        if turn == 0:
            h0 ^= 1 << action
        else:
            h1 ^= 1 << action
        back = 1 if action == prev else 0
        if back and rep:
            nph = _P_OVER
            turn = -4
        elif ns == _WALL:
            nph = _P_WALL
            turn = 1 - turn
        else:
            nph = _P_DRAW
            turn = 1 - turn
        return (nph, turn, h0, h1, action, prev, pile, stock, ns, passed,
                back, nd, kn, m0, m1, lay, lov, i0 + ch, i1 + ch)

    if ph == _P_DRAW or ph == _P_FIRST:
        i0 += ch
        i1 += ch
        if action == _DRAW_STOCK:
            return (_P_DEAL, turn, h0, h1, -1, up, pile + (up,), stock, ns, passed,
                    rep, nd, kn, m0, m1, lay, lov, i0, i1)
        if action == _PASS:
            return (_P_FIRST, 1 - turn, h0, h1, up, prev, pile, stock, ns,
                    passed | (1 << turn), rep, nd, kn, m0, m1, lay, lov, i0, i1)
        if ph == _P_DRAW:
            if nd + 1 >= _MAX_UPCARDS:
                return (_P_OVER, -4, h0, h1, up, prev, pile, stock, ns, passed,
                        rep, nd, kn, m0, m1, lay, lov, i0, i1)
            nd += 1
        if turn == 0:
            h0 |= 1 << up
        else:
            h1 |= 1 << up
        return (_P_DISCARD, turn, h0, h1, -1, up, pile, stock, ns, passed,
                rep, nd, kn, m0, m1, lay, lov, i0, i1)

    if ph == _P_DEAL:
        bit = 1 << action
        if turn == 0:
            h0 |= bit
            i0 += ch
            i1 += _HID
        else:
            h1 |= bit
            i0 += _HID
            i1 += ch
        return (_P_DISCARD, turn, h0, h1, up, prev, pile, stock ^ bit, ns - 1,
                passed, rep, nd, kn, m0, m1, lay, lov, i0, i1)

    if ph == _P_DEAL0:
        bit = 1 << action
        if ns > 42:
            h0 |= bit
            i0 += ch
            i1 += _HID
        elif ns > 32:
            h1 |= bit
            i0 += _HID
            i1 += ch
        else:
            ph = _P_FIRST
            up = action
            i0 += ch
            i1 += ch
        return (ph, 0, h0, h1, up, prev, pile, stock ^ bit, ns - 1,
                passed, rep, nd, kn, m0, m1, lay, lov, i0, i1)

    if ph == _P_WALL:
        if action == _PASS:
            return (_P_OVER, -4, h0, h1, up, prev, pile, stock, ns, passed,
                    rep, nd, kn, m0, m1, lay, lov, i0 + ch, i1 + ch)
        if turn == 0:
            h0 |= 1 << up
            i0 += ch
            i1 += ch + _hand_str(h0)
        else:
            h1 |= 1 << up
            i0 += ch + _hand_str(h1)
            i1 += ch
        return (_P_KDISCARD, turn, h0, h1, -1, prev, pile, stock, ns, passed,
                rep, nd, turn, m0, m1, lay, lov, i0, i1)

    if ph == _P_KDISCARD:
        if turn == 0:
            h0 ^= 1 << action
        else:
            h1 ^= 1 << action
        return (_P_KMELD, turn, h0, h1, up, prev, pile + (action,), stock, ns,
                passed, rep, nd, kn, m0, m1, lay, lov, i0 + ch, i1 + ch)

    if ph == _P_KMELD and action == _PASS:
        if turn == 0:
            lov = 0 if h0 else 1
            i0 += ch + _hand_str(h1)
            i1 += ch
        else:
            lov = 0 if h1 else 1
            i0 += ch
            i1 += ch + _hand_str(h0)
        return (_P_LMELD if lov else _P_LAYOFF, 1 - turn, h0, h1, up, prev, pile,
                stock, ns, passed, rep, nd, kn, m0, m1, lay, lov, i0, i1)

    i0 += ch
    i1 += ch

    if ph == _P_LAYOFF:
        if action == _PASS:
            return (_P_LMELD, turn, h0, h1, up, prev, pile, stock, ns, passed,
                    rep, nd, kn, m0, m1, lay, 1, i0, i1)
        if turn == 0:
            h0 ^= 1 << action
        else:
            h1 ^= 1 << action
        return (ph, turn, h0, h1, up, prev, pile, stock, ns, passed,
                rep, nd, kn, m0, m1, lay + (action,), lov, i0, i1)

    if action == _PASS:
        return (_P_OVER, -4, h0, h1, up, prev, pile, stock, ns, passed,
                rep, nd, kn, m0, m1, lay, lov, i0, i1)

    # a meld, of the knocker or of the other player
    if turn == 0:
        h0 &= ~_MELD[action][0]
        m0 += (action,)
    else:
        h1 &= ~_MELD[action][0]
        m1 += (action,)
    return (ph, turn, h0, h1, up, prev, pile, stock, ns, passed,
            rep, nd, kn, m0, m1, lay, lov, i0, i1)


def returns(state):
    k = state[12]
    if state[0] != _P_OVER or k < 0:
        return [0.0, 0.0]
    own = _total(state[2 + k])
    diff = _total(state[3 - k]) - own
    if own == 0:
        diff += 25
    if diff < 0:
        diff -= 25
    if k == 0:
        return [float(diff), float(-diff)]
    return [float(-diff), float(diff)]


def action_name(state, action):
    ph = state[0]
    if ph < 2:
        return _DEAL_NAMES[action]
    if action < 52:
        if ph == _P_LAYOFF:
            return _LAYOFF_NAMES[action]
        return _ACTION_NAMES[action]
    if action == _PASS and ph >= _P_KDISCARD:
        return "done"
    return _ACTION_NAMES[action]


def observation(state, player):
    (ph, turn, h0, h1, up, prev, pile, stock, ns, passed, rep, nd, kn,
     m0, m1, lay, lov, i0, i1) = state
    if player == 0:
        own = h0
        other = h1
    else:
        own = h1
        other = h0
    if ph == _P_DEAL0:
        dead = 0
    elif kn >= 0:
        dead = _total(own)
    elif ph == _P_DISCARD and turn == player:
        dead = _count11(own)
    else:
        dead = _count10(own)
    opp_hand = None
    opp_dead = None
    if kn >= 0 and (kn != player or ph >= _P_LAYOFF):
        opp_hand = _card_names(other)
        opp_dead = _total(other)
    return {
        "phase": _PHASE_NAMES[ph],
        "hand": _card_names(own),
        "deadwood": dead,
        "upcard": _NAMES[up] if up >= 0 else None,
        "previous_upcard": _NAMES[prev] if prev >= 0 else None,
        "discard_pile": [_NAMES[c] for c in pile],
        "stock": ns,
        "passed": [bool(passed & 1), bool(passed & 2)],
        "repeated_move": bool(rep),
        "upcards_drawn": nd,
        "knock_card": _KNOCK_CARD,
        "knocker": kn if kn >= 0 else None,
        "melds": [[list(_MELD_CARDS[a]) for a in m0],
                  [list(_MELD_CARDS[a]) for a in m1]],
        "layoffs": [_NAMES[c] for c in lay],
        "layoffs_over": bool(lov),
        "opponent_hand": opp_hand,
        "opponent_deadwood": opp_dead,
    }


def information_state(state, player):
    return state[17 + player]


# ----------------------------------------------------------------------------
# Resampling
# ----------------------------------------------------------------------------
def _new_card(new, old):
    for a, b in zip(new, old):
        if a != b:
            return _ID[a]
    return _ID[new[-1]]


def _parse(player, history):
    """What the history tells: the actions with gaps for hidden cards, the two
    strings of information (the opponent's with gaps), and the constraints."""
    n = len(history) - 1
    opp = 1 - player
    acts = []
    mine = [str(player)]
    theirs = [str(opp)]
    slots_act = []     # positions of the hidden cards in acts
    slots_chr = []     # positions of the hidden cards in theirs
    reveals = []       # (card, number of slots that it can come from)
    turns = []         # opponent's turns without knock: (taken card or ~slot, discard)
    wall = 0           # the upcard when the opponent passed at the wall
    seen = 0           # cards that come from elsewhere than an unknown slot
    known = 0          # cards known to be in the opponent's hand
    taken = 0
    my_draw = False

    for i in range(20):
        if (i < 10) == (player == 0):
            c = _new_card(history[i + 1][0]["hand"], history[i][0]["hand"])
            acts.append(c)
            seen |= 1 << c
            mine.append(_CH[c])
            theirs.append(_HID)
        else:
            slots_act.append(i)
            slots_chr.append(i + 1)
            acts.append(-1)
            mine.append(_HID)
            theirs.append("")
    c = _ID[history[21][0]["upcard"]]
    acts.append(c)
    seen |= 1 << c
    mine.append(_CH[c])
    theirs.append(_CH[c])

    for i in range(21, n):
        obs, name = history[i]
        if name is not None:
            a = _ACTION_ID[name]
            acts.append(a)
            ch = _CH[a]
            mine.append(ch)
            theirs.append(ch)
            if a == _DRAW_STOCK:
                my_draw = True
            elif a == _KNOCK:
                theirs.append("".join([_NAME_CH[x] for x in history[i + 1][0]["hand"]]))
            elif a == _PASS and obs["phase"] == "knock":
                opened = history[i + 1][0]["opponent_hand"]
                mine.append("".join([_NAME_CH[x] for x in opened]))
                for x in opened:
                    c = _ID[x]
                    if not (known >> c) & 1:
                        known |= 1 << c
                        seen |= 1 << c
                        reveals.append((c, len(slots_act)))
            continue
        nxt = history[i + 1][0]
        ph = obs["phase"]
        if ph == "deal":
            if my_draw:
                my_draw = False
                c = _new_card(nxt["hand"], obs["hand"])
                seen |= 1 << c
                acts.append(c)
                mine.append(_CH[c])
                theirs.append(_HID)
            else:
                taken = ~len(slots_act)
                slots_act.append(i)
                slots_chr.append(len(theirs))
                acts.append(-1)
                mine.append(_HID)
                theirs.append("")
            continue
        nph = nxt["phase"]
        my_extra = None
        their_extra = None
        if ph == "draw" or ph == "first upcard":
            if nph == "deal":
                a = _DRAW_STOCK
            elif nph == "discard":
                a = _DRAW_UP
                taken = _ID[obs["upcard"]]
                known |= 1 << taken
            elif nph == "over":
                a = _DRAW_UP
            else:
                a = _PASS
        elif ph == "discard" or ph == "wall":
            if nph == "knock":
                a = _KNOCK
                if ph == "wall":
                    known |= 1 << _ID[obs["upcard"]]
                my_extra = nxt["opponent_hand"]
                for x in my_extra:
                    c = _ID[x]
                    if not (known >> c) & 1:
                        known |= 1 << c
                        seen |= 1 << c
                        reveals.append((c, len(slots_act)))
            elif ph == "wall":
                a = _PASS
                wall = 1 << _ID[obs["upcard"]]
            else:
                a = _ID[nxt["upcard"]]
                bit = 1 << a
                if known & bit:
                    known ^= bit
                else:
                    seen |= bit
                    reveals.append((a, len(slots_act)))
                turns.append((taken, bit))
        elif ph == "knock":
            if nph == "layoff":
                a = _PASS
                their_extra = nxt["hand"]
            elif len(nxt["discard_pile"]) > len(obs["discard_pile"]):
                a = _ID[nxt["discard_pile"][-1]]
            else:
                a = _MELD_ID[tuple(nxt["melds"][opp][-1])]
        else:
            if len(nxt["layoffs"]) > len(obs["layoffs"]):
                a = _ID[nxt["layoffs"][-1]]
            elif len(nxt["melds"][opp]) > len(obs["melds"][opp]):
                a = _MELD_ID[tuple(nxt["melds"][opp][-1])]
            else:
                a = _PASS
        acts.append(a)
        ch = _CH[a]
        mine.append(ch)
        theirs.append(ch)
        if my_extra is not None:
            mine.append("".join([_NAME_CH[x] for x in my_extra]))
        if their_extra is not None:
            theirs.append("".join([_NAME_CH[x] for x in their_extra]))
    return acts, mine, theirs, slots_act, slots_chr, reveals, turns, wall, seen


def _fill(num_slots, reveals, turns, wall, seen, rand):
    """Cards for the slots, and the opponent's hand after the turns without knock."""
    unseen = _cards(_ALL & ~seen)
    while True:
        cards = [-1] * num_slots
        free = []
        nxt = 0
        for c, limit in reveals:
            while nxt < limit:
                free.append(nxt)
                nxt += 1
            k = int(rand() * len(free))
            cards[free[k]] = c
            last = free.pop()
            if k < len(free):
                free[k] = last
        while nxt < num_slots:
            free.append(nxt)
            nxt += 1
        rest = list(unseen)
        for slot in free:
            k = int(rand() * len(rest))
            cards[slot] = rest[k]
            last = rest.pop()
            if k < len(rest):
                rest[k] = last
        hand = 0
        for k in range(10):
            hand |= 1 << cards[k]
        # Uniform choice: 11 discards, and the knock where it was possible.
        weight = 1.0
        for taken, bit in turns:
            if taken < 0:
                hand |= 1 << cards[~taken]
            else:
                hand |= 1 << taken
            if _can_knock(hand):
                weight *= 11.0 / 12.0
            hand ^= bit
        if wall and _can_knock(hand | wall):
            weight *= 0.5
        if weight == 1.0 or rand() < weight:
            return cards, hand


def resample_history(player, history, rand):
    (acts, mine, theirs, slots_act, slots_chr, reveals, turns, wall,
     seen) = _parse(player, history)
    cards, _hand = _fill(len(slots_act), reveals, turns, wall, seen, rand)
    for k in range(len(cards)):
        acts[slots_act[k]] = cards[k]
    return acts


_PHASE_CODE = {"first upcard": _P_FIRST, "draw": _P_DRAW, "discard": _P_DISCARD,
               "wall": _P_WALL, "over": _P_OVER}


def resample_state(player, history, rand):
    (acts, mine, theirs, slots_act, slots_chr, reveals, turns, wall,
     seen) = _parse(player, history)
    cards, opp_mask = _fill(len(slots_act), reveals, turns, wall, seen, rand)
    for k in range(len(cards)):
        theirs[slots_chr[k]] = _CH[cards[k]]
    obs = history[-1][0]

    own_mask = 0
    for x in obs["hand"]:
        own_mask |= 1 << _ID[x]
    if obs["opponent_hand"] is not None:
        opp_mask = 0
        for x in obs["opponent_hand"]:
            opp_mask |= 1 << _ID[x]

    name = obs["phase"]
    if name == "knock":
        ph = _P_KDISCARD if len(obs["hand"]) == 11 else _P_KMELD
    elif name == "layoff":
        ph = _P_LMELD if obs["layoffs_over"] else _P_LAYOFF
    else:
        ph = _PHASE_CODE[name]
    turn = -4 if ph == _P_OVER else player

    used = own_mask | opp_mask
    up = -1
    if obs["upcard"] is not None:
        up = _ID[obs["upcard"]]
        used |= 1 << up
    prev = -1
    if obs["previous_upcard"] is not None:
        prev = _ID[obs["previous_upcard"]]
    pile = tuple([_ID[x] for x in obs["discard_pile"]])
    for c in pile:
        used |= 1 << c
    lay = tuple([_ID[x] for x in obs["layoffs"]])
    for c in lay:
        used |= 1 << c
    melds = obs["melds"]
    m0 = tuple([_MELD_ID[tuple(x)] for x in melds[0]])
    m1 = tuple([_MELD_ID[tuple(x)] for x in melds[1]])
    for a in m0:
        used |= _MELD[a][0]
    for a in m1:
        used |= _MELD[a][0]
    passed = (1 if obs["passed"][0] else 0) | (2 if obs["passed"][1] else 0)
    kn = -1 if obs["knocker"] is None else obs["knocker"]

    my_info = "".join(mine)
    their_info = "".join(theirs)
    if player == 0:
        h0, h1, i0, i1 = own_mask, opp_mask, my_info, their_info
    else:
        h0, h1, i0, i1 = opp_mask, own_mask, their_info, my_info
    return (ph, turn, h0, h1, up, prev, pile, _ALL & ~used, obs["stock"], passed,
            1 if obs["repeated_move"] else 0, obs["upcards_drawn"], kn, m0, m1,
            lay, 1 if obs["layoffs_over"] else 0, i0, i1)
