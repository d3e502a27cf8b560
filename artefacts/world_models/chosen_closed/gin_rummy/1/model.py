NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 241
MAX_CHANCE_OUTCOMES = 52
MAX_GAME_LENGTH = 200
MIN_UTILITY = -125.0
MAX_UTILITY = 125.0

_KNOCK_CARD = 10
_MAX_UPCARDS = 50
_WALL = 2

_DRAW_UPCARD = 52
_DRAW_STOCK = 53
_PASS = 54
_KNOCK = 55
_FIRST_MELD = 56
_HIDDEN = 255

# internal phases
# 0 deal at the start, 1 first upcard, 2 draw, 3 discard, 4 knock (discard),
# 5 knock (melds), 6 layoff (laying off), 7 layoff (melds), 8 wall, 9 over,
# 10 / 11 chance deals a card of the stock to player 0 / 1
_PHASE_NAMES = ("deal", "first upcard", "draw", "discard", "knock", "knock",
                "layoff", "layoff", "wall", "over", "deal", "deal")

_RANKS = "A23456789TJQK"
_SUITS = "scdh"
_CARD = tuple(r + s for s in _SUITS for r in _RANKS)
_INDEX = {name: i for i, name in enumerate(_CARD)}
_BIT = {name: 1 << i for i, name in enumerate(_CARD)}
_VAL = tuple(min(i % 13 + 1, 10) for i in range(52))
_M = (1 << 13) - 1
_FULL = (1 << 52) - 1
_ROW = 1 | (1 << 13) | (1 << 26) | (1 << 39)
_CH = tuple(chr(i) for i in range(256))
_HID = _CH[_HIDDEN]


def _build_suit_tables():
    value = [0] * 8192      # what the cards of a suit count
    outside = [0] * 8192    # the cards that no run covers
    for m in range(1, 8192):
        low = m & -m
        value[m] = value[m ^ low] + min(low.bit_length(), 10)
        cover = 0
        for lo in range(11):
            p = 7 << lo
            if m & p == p:
                cover |= p
        outside[m] = m ^ cover
    outval = [value[outside[m]] for m in range(8192)]
    top = [min(m.bit_length(), 10) for m in range(8192)]
    return tuple(value), tuple(outside), tuple(outval), tuple(top)


_V, _U, _W, _TOP = _build_suit_tables()


def _build_card_tables(suit, names):
    table = [()] * 8192
    for m in range(1, 8192):
        t = m.bit_length() - 1
        card = suit * 13 + t
        table[m] = table[m ^ (1 << t)] + ((_CARD[card] if names else card),)
    return tuple(table)


_C0 = _build_card_tables(0, False)
_C1 = _build_card_tables(1, False)
_C2 = _build_card_tables(2, False)
_C3 = _build_card_tables(3, False)
_N0 = _build_card_tables(0, True)
_N1 = _build_card_tables(1, True)
_N2 = _build_card_tables(2, True)
_N3 = _build_card_tables(3, True)


def _build_melds():
    melds = []
    for r in range(13):
        for miss in range(4):
            melds.append(tuple(s * 13 + r for s in range(4) if s != miss))
        melds.append(tuple(s * 13 + r for s in range(4)))
    for length in (3, 4, 5):
        for s in range(4):
            for lo in range(14 - length):
                melds.append(tuple(s * 13 + lo + k for k in range(length)))
    return tuple(melds)


_MELDS = _build_melds()
# the following are indexed by the action
_MELD_MASK = (0,) * _FIRST_MELD + tuple(sum(1 << c for c in m) for m in _MELDS)
_MELD_VAL = (0,) * _FIRST_MELD + tuple(sum(_VAL[c] for c in m) for m in _MELDS)
_MELD_CARDS = ((),) * _FIRST_MELD + tuple(tuple(_CARD[c] for c in m) for m in _MELDS)
_MELD_OF = {names: a for a, names in enumerate(_MELD_CARDS) if a >= _FIRST_MELD}


def _build_layoff_table():
    # for each meld: next below, next but one below, next above, next but one above
    table = [(0, 0, 0, 0)] * _FIRST_MELD
    for m in _MELDS:
        r = m[0] % 13
        if m[1] % 13 == r:
            rest = 0
            if len(m) == 3:
                for s in range(4):
                    if s * 13 + r not in m:
                        rest = 1 << (s * 13 + r)
            table.append((rest, 0, 0, 0))
        else:
            hi = m[-1] % 13
            table.append((
                1 << (m[0] - 1) if r >= 1 else 0,
                1 << (m[0] - 2) if r >= 2 else 0,
                1 << (m[-1] + 1) if hi <= 11 else 0,
                1 << (m[-1] + 2) if hi <= 10 else 0,
            ))
    return tuple(table)


_LAY = _build_layoff_table()


def _build_set_tables():
    masks = {}   # cards of a rank in hand -> masks of the sets
    keyed = {}   # the same with the place in the order of melds
    acts = {}    # the same as actions
    for r in range(13):
        base = _FIRST_MELD + 5 * r
        for miss in range(4):
            mask = _MELD_MASK[base + miss]
            masks[mask] = (mask,)
            keyed[mask] = ((mask, 39 + 2 * r),)
            acts[mask] = (base + miss,)
        four = _MELD_MASK[base + 4]
        options = (
            (four, 3 * r),
            (_MELD_MASK[base + 2], 3 * r + 1),
            (_MELD_MASK[base + 1], 3 * r + 2),
            (_MELD_MASK[base + 3], 39 + 2 * r),
            (_MELD_MASK[base + 0], 39 + 2 * r + 1),
        )
        keyed[four] = options
        masks[four] = tuple(o[0] for o in options)
        acts[four] = tuple(range(base, base + 5))
    return masks, keyed, acts


_SET_MASKS, _SET_KEYED, _SET_ACTS = _build_set_tables()


def _build_run_tables():
    patterns = []
    start = _FIRST_MELD + 65
    for length in (3, 4, 5):
        count = 14 - length
        for lo in range(count):
            patterns.append((((1 << length) - 1) << lo, start + lo, count))
        start += 4 * count
    tables = [[()] * 8192 for _ in range(4)]
    for m in range(8192):
        if _U[m] == m:
            continue
        found = [(a, n) for p, a, n in patterns if m & p == p]
        for s in range(4):
            tables[s][m] = tuple(a + s * n for a, n in found)
    return tuple(tuple(t) for t in tables)


_R0, _R1, _R2, _R3 = _build_run_tables()


def _build_names():
    names = {
        "draw upcard": _DRAW_UPCARD,
        "draw stock": _DRAW_STOCK,
        "pass": _PASS,
        "done": _PASS,
        "knock": _KNOCK,
    }
    for i, name in enumerate(_CARD):
        names["discard " + name] = i
        names["lay off " + name] = i
    for a in range(_FIRST_MELD, NUM_DISTINCT_ACTIONS):
        names["meld " + " ".join(_MELD_CARDS[a])] = a
    return names


_ACTION_OF = _build_names()
_MELD_NAME = ("",) * _FIRST_MELD + tuple(
    "meld " + " ".join(_MELD_CARDS[a]) for a in range(_FIRST_MELD, NUM_DISTINCT_ACTIONS))
_DEAL_NAME = tuple("deal " + n for n in _CARD)
_DISCARD_NAME = tuple("discard " + n for n in _CARD)
_LAYOFF_NAME = tuple("lay off " + n for n in _CARD)


# ---------------------------------------------------------------- hands

def _cards(hand):
    return (_C0[hand & _M] + _C1[(hand >> 13) & _M]
            + _C2[(hand >> 26) & _M] + _C3[hand >> 39])


def _names(hand):
    return list(_N0[hand & _M] + _N1[(hand >> 13) & _M]
                + _N2[(hand >> 26) & _M] + _N3[hand >> 39])


def _total(hand):
    return (_V[hand & _M] + _V[(hand >> 13) & _M]
            + _V[(hand >> 26) & _M] + _V[hand >> 39])


def _mask(names):
    m = 0
    for x in names:
        m |= _BIT[x]
    return m


def _dead(hand):
    """The least deadwood of all arrangements of the hand."""
    s = hand & _M
    c = (hand >> 13) & _M
    d = (hand >> 26) & _M
    h = hand >> 39
    best = _W[s] + _W[c] + _W[d] + _W[h]
    t = (s & c & (d | h)) | (d & h & (s | c))
    if t:
        hands = [hand]
        while t:
            low = t & -t
            t ^= low
            options = _SET_MASKS[hand & (_ROW * low)]
            hands += [x ^ m for x in hands for m in options]
        for x in hands:
            v = (_W[x & _M] + _W[(x >> 13) & _M]
                 + _W[(x >> 26) & _M] + _W[x >> 39])
            if v < best:
                best = v
    return best


def _dead11(hand):
    """The count of deadwood of a hand of 11 cards."""
    s = hand & _M
    c = (hand >> 13) & _M
    d = (hand >> 26) & _M
    h = hand >> 39
    t = (s & c & (d | h)) | (d & h & (s | c))
    if not t:
        return (_W[s] + _W[c] + _W[d] + _W[h]
                - _TOP[_U[s] | _U[c] | _U[d] | _U[h]])
    combos = [(hand, ())]
    while t:
        low = t & -t
        t ^= low
        options = _SET_KEYED[hand & (_ROW * low)]
        combos += [(x ^ m, k + (key,)) for x, k in combos for m, key in options]
    best = 1000
    bestkey = None
    result = 0
    for x, k in combos:
        s = x & _M
        c = (x >> 13) & _M
        d = (x >> 26) & _M
        h = x >> 39
        v = _W[s] + _W[c] + _W[d] + _W[h]
        if v > best:
            continue
        key = sorted(k)
        key.append(999)
        if v < best or key < bestkey:
            best = v
            bestkey = key
            result = v - _TOP[_U[s] | _U[c] | _U[d] | _U[h]]
    return result


def _melds_in(hand):
    """The actions of all melds that the hand contains, ascending."""
    s = hand & _M
    c = (hand >> 13) & _M
    d = (hand >> 26) & _M
    h = hand >> 39
    res = list(_R0[s] + _R1[c] + _R2[d] + _R3[h])
    t = (s & c & (d | h)) | (d & h & (s | c))
    while t:
        low = t & -t
        t ^= low
        res += _SET_ACTS[hand & (_ROW * low)]
    res.sort()
    return res


# ---------------------------------------------------------------- the game
# state: (phase, player, hand0, hand1, stock, number of cards in the stock,
#         upcard, previous upcard, discard pile, passed, repeated move,
#         upcards drawn, knocker, melds0, melds1, layoffs, deadwood0,
#         deadwood1, view0, view1)

_INITIAL = (0, -1, 0, 0, _FULL, 52, -1, -1, (), 0, False, 0, -1, (), (), (), 0, 0, "", "")


def initial_state():
    return _INITIAL


def current_player(state):
    return state[1]


def legal_actions(state):
    ph = state[0]
    if ph == 3:
        pl = state[1]
        res = list(_cards(state[2 + pl]))
        if state[16 + pl] <= _KNOCK_CARD:
            res.append(_KNOCK)
        return res
    if ph == 2:
        return [_DRAW_UPCARD, _DRAW_STOCK]
    if ph == 1:
        if state[9] == 3:
            return [_DRAW_STOCK]
        return [_DRAW_UPCARD, _PASS]
    pl = state[1]
    if pl < 0:
        return []
    hand = state[2 + pl]
    if ph == 4:
        return [c for c in _cards(hand) if _dead(hand ^ (1 << c)) <= _KNOCK_CARD]
    if ph == 5:
        res = []
        if state[16 + pl] <= _KNOCK_CARD:
            res.append(_PASS)
        for a in _melds_in(hand):
            if _dead(hand ^ _MELD_MASK[a]) <= _KNOCK_CARD:
                res.append(a)
        return res
    if ph == 6:
        laid = 0
        for c in state[15]:
            laid |= 1 << c
        ok = 0
        for a in state[14 - pl]:  # the melds of the other player, the knocker
            b1, b2, t1, t2 = _LAY[a]
            ok |= b2 if laid & b1 else b1
            ok |= t2 if laid & t1 else t1
        res = list(_cards(hand & ok))
        res.append(_PASS)
        return res
    if ph == 7:
        return [_PASS] + _melds_in(hand)
    # wall
    if _dead11(hand | (1 << state[6])) <= _KNOCK_CARD:
        return [_PASS, _KNOCK]
    return [_PASS]


def chance_outcomes(state):
    if state[1] != -1:
        return []
    p = 1.0 / state[5]
    return [(c, p) for c in _cards(state[4])]


def apply_action(state, action):
    (ph, pl, h0, h1, stock, n, up, prev, pile, passed, rep, drawn, kn, m0, m1,
     lay, d0, d1, v0, v1) = state
    ch = _CH[action]

    if ph == 3:  # discard
        v0 += ch
        v1 += ch
        if action == _KNOCK:
            return (4, pl, h0, h1, stock, n, up, prev, pile, passed, rep, drawn,
                    pl, m0, m1, lay, _total(h0), _total(h1), v0, v1)
        if pl == 0:
            h0 ^= 1 << action
            d0 = _dead(h0)
        else:
            h1 ^= 1 << action
            d1 = _dead(h1)
        again = action == prev
        if again and rep:
            ph = 9
            pl = -4
        else:
            ph = 8 if n == _WALL else 2
            pl = 1 - pl
        return (ph, pl, h0, h1, stock, n, action, prev, pile, passed, again, drawn,
                kn, m0, m1, lay, d0, d1, v0, v1)

    if ph == 2 or ph == 1:  # draw, first upcard
        v0 += ch
        v1 += ch
        if action == _DRAW_STOCK:
            return (10 + pl, -1, h0, h1, stock, n, -1, up, pile + (up,), passed, rep,
                    drawn, kn, m0, m1, lay, d0, d1, v0, v1)
        if action == _PASS:
            return (1, 1 - pl, h0, h1, stock, n, up, prev, pile, passed | (1 << pl),
                    rep, drawn, kn, m0, m1, lay, d0, d1, v0, v1)
        if ph == 2:
            drawn += 1
            if drawn == _MAX_UPCARDS:
                return (9, -4, h0, h1, stock, n, up, prev, pile, passed, rep, drawn,
                        kn, m0, m1, lay, d0, d1, v0, v1)
        if pl == 0:
            h0 |= 1 << up
            d0 = _dead11(h0)
        else:
            h1 |= 1 << up
            d1 = _dead11(h1)
        return (3, pl, h0, h1, stock, n, -1, up, pile, passed, rep, drawn,
                kn, m0, m1, lay, d0, d1, v0, v1)

    if ph == 10:  # chance deals to player 0
        bit = 1 << action
        h0 |= bit
        return (3, 0, h0, h1, stock ^ bit, n - 1, up, prev, pile, passed, rep, drawn,
                kn, m0, m1, lay, _dead11(h0), d1, v0 + ch, v1 + _HID)

    if ph == 11:  # chance deals to player 1
        bit = 1 << action
        h1 |= bit
        return (3, 1, h0, h1, stock ^ bit, n - 1, up, prev, pile, passed, rep, drawn,
                kn, m0, m1, lay, d0, _dead11(h1), v0 + _HID, v1 + ch)

    if ph == 0:  # the deal at the start
        bit = 1 << action
        stock ^= bit
        if n > 42:
            return (0, -1, h0 | bit, h1, stock, n - 1, up, prev, pile, passed, rep,
                    drawn, kn, m0, m1, lay, d0, d1, v0 + ch, v1 + _HID)
        if n > 32:
            return (0, -1, h0, h1 | bit, stock, n - 1, up, prev, pile, passed, rep,
                    drawn, kn, m0, m1, lay, d0, d1, v0 + _HID, v1 + ch)
        return (1, 0, h0, h1, stock, n - 1, action, prev, pile, passed, rep, drawn,
                kn, m0, m1, lay, _dead(h0), _dead(h1), v0 + ch, v1 + ch)

    v0 += ch
    v1 += ch

    if ph == 8:  # wall
        if action == _PASS:
            return (9, -4, h0, h1, stock, n, up, prev, pile, passed, rep, drawn,
                    kn, m0, m1, lay, d0, d1, v0, v1)
        if pl == 0:
            h0 |= 1 << up
        else:
            h1 |= 1 << up
        return (4, pl, h0, h1, stock, n, -1, prev, pile, passed, rep, drawn,
                pl, m0, m1, lay, _total(h0), _total(h1), v0, v1)

    if action >= _FIRST_MELD:  # a meld, by the knocker or by the other player
        mask = _MELD_MASK[action]
        if pl == 0:
            h0 ^= mask
            d0 -= _MELD_VAL[action]
            m0 = m0 + (action,)
        else:
            h1 ^= mask
            d1 -= _MELD_VAL[action]
            m1 = m1 + (action,)
    elif action == _PASS:  # done
        if ph == 5:
            ph = 7 if (d0 if pl == 0 else d1) == 0 else 6
            pl = 1 - pl
        elif ph == 6:
            ph = 7
        else:
            ph = 9
            pl = -4
    else:  # a card: discarded by the knocker or laid off
        if pl == 0:
            h0 ^= 1 << action
            d0 -= _VAL[action]
        else:
            h1 ^= 1 << action
            d1 -= _VAL[action]
        if ph == 4:
            pile = pile + (action,)
            ph = 5
        else:
            lay = lay + (action,)
    return (ph, pl, h0, h1, stock, n, up, prev, pile, passed, rep, drawn,
            kn, m0, m1, lay, d0, d1, v0, v1)


def returns(state):
    kn = state[12]
    if state[0] != 9 or kn < 0:
        return [0.0, 0.0]
    own = state[16 + kn]
    r = state[17 - kn] - own
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
        if ph == 3 or ph == 4:
            return _DISCARD_NAME[action]
        if ph == 6:
            return _LAYOFF_NAME[action]
        return _DEAL_NAME[action]
    if action >= _FIRST_MELD:
        return _MELD_NAME[action]
    if action == _DRAW_UPCARD:
        return "draw upcard"
    if action == _DRAW_STOCK:
        return "draw stock"
    if action == _KNOCK:
        return "knock"
    if ph == 1 or ph == 8:
        return "pass"
    return "done"


def _is_open(ph, kn, player):
    """Whether the hand of the opponent is open to the player."""
    if kn < 0:
        return False
    return kn != player or ph == 6 or ph == 7 or ph == 9


def observation(state, player):
    (ph, pl, h0, h1, stock, n, up, prev, pile, passed, rep, drawn, kn, m0, m1,
     lay, d0, d1, v0, v1) = state
    if _is_open(ph, kn, player):
        opp_hand = _names(h1 if player == 0 else h0)
        opp_dead = d1 if player == 0 else d0
    else:
        opp_hand = None
        opp_dead = None
    return {
        "phase": _PHASE_NAMES[ph],
        "hand": _names(h0 if player == 0 else h1),
        "deadwood": d0 if player == 0 else d1,
        "upcard": _CARD[up] if up >= 0 else None,
        "previous_upcard": _CARD[prev] if prev >= 0 else None,
        "discard_pile": [_CARD[c] for c in pile],
        "stock": n,
        "passed": [passed & 1 == 1, passed & 2 == 2],
        "repeated_move": rep,
        "upcards_drawn": drawn,
        "knock_card": _KNOCK_CARD,
        "knocker": kn if kn >= 0 else None,
        "melds": [[list(_MELD_CARDS[a]) for a in m0],
                  [list(_MELD_CARDS[a]) for a in m1]],
        "layoffs": [_CARD[c] for c in lay],
        "layoffs_over": ph == 7 or (ph == 9 and kn >= 0),
        "opponent_hand": opp_hand,
        "opponent_deadwood": opp_dead,
    }


def information_state(state, player):
    if _is_open(state[0], state[12], player):
        return (player, state[18 + player], state[3 - player])
    return (player, state[18 + player], -1)


# ---------------------------------------------------------------- resampling

def _parse(player, history):
    """What the history tells: the actions (255 for hidden cards), the places of the
    hidden cards and of the own cards, and what is known of the opponent's hand."""
    opp = 1 - player
    acts = []
    slots = []      # places in acts of the cards dealt to the opponent
    own = []        # places in acts of the cards dealt to the player
    gone = []       # (card, number of slots before): discards from the slots
    events = []     # discards of the opponent: (number of slots, known, gonemask)
    wall = None     # the opponent passed at the wall: the same and the upcard
    known = 0       # upcards that the opponent has taken and still holds
    gonemask = 0
    seen = 0
    opened = None
    obs, act = history[0]
    before = None   # the player's own action one state earlier
    for t in range(len(history) - 1):
        nobs, nact = history[t + 1]
        if act is not None:
            a = _ACTION_OF[act]
            if a == _PASS and obs["phase"] == "knock":
                opened = nobs["opponent_hand"]
        else:
            phase = obs["phase"]
            if phase == "deal":
                if t == 20:
                    a = _INDEX[nobs["upcard"]]
                    seen |= 1 << a
                elif (t // 10 == player) if t < 20 else (before is not None):
                    hand = nobs["hand"]
                    name = hand[-1]
                    for x, y in zip(hand, obs["hand"]):
                        if x != y:
                            name = x
                            break
                    a = _INDEX[name]
                    seen |= 1 << a
                    own.append(t)
                else:
                    a = _HIDDEN
                    slots.append(t)
            elif phase == "discard":
                if nobs["phase"] == "knock":
                    a = _KNOCK
                    opened = nobs["opponent_hand"]
                else:
                    a = _INDEX[nobs["upcard"]]
                    bit = 1 << a
                    events.append((len(slots), known, gonemask))
                    if known & bit:
                        known ^= bit
                    else:
                        gone.append((a, len(slots)))
                        gonemask |= bit
                        seen |= bit
            elif phase == "draw":
                nphase = nobs["phase"]
                if nphase == "deal":
                    a = _DRAW_STOCK
                else:
                    a = _DRAW_UPCARD
                    if nphase == "discard":
                        known |= _BIT[obs["upcard"]]
            elif phase == "first upcard":
                nphase = nobs["phase"]
                if nphase == "discard":
                    a = _DRAW_UPCARD
                    known |= _BIT[obs["upcard"]]
                elif nphase == "deal":
                    a = _DRAW_STOCK
                else:
                    a = _PASS
            elif phase == "wall":
                if nobs["phase"] == "knock":
                    a = _KNOCK
                    known |= _BIT[obs["upcard"]]
                    opened = nobs["opponent_hand"]
                else:
                    a = _PASS
                    wall = (len(slots), known, gonemask, _BIT[obs["upcard"]])
            elif phase == "knock":
                npile = nobs["discard_pile"]
                if len(npile) > len(obs["discard_pile"]):
                    a = _INDEX[npile[-1]]
                elif nobs["phase"] == "layoff":
                    a = _PASS
                else:
                    a = _MELD_OF[tuple(nobs["melds"][opp][-1])]
            else:  # layoff
                if nobs["phase"] == "over":
                    a = _PASS
                elif len(nobs["layoffs"]) > len(obs["layoffs"]):
                    a = _INDEX[nobs["layoffs"][-1]]
                elif nobs["layoffs_over"] != obs["layoffs_over"]:
                    a = _PASS
                else:
                    a = _MELD_OF[tuple(nobs["melds"][opp][-1])]
        acts.append(a)
        before = act
        obs = nobs
        act = nact
    if opened is None:
        pool = _cards(_FULL & ~seen)
    else:
        pool = _cards(_mask(opened) & ~known)
    return acts, slots, own, gone, events, wall, known, gonemask, pool


def _fill(count, gone, events, wall, pool, rand):
    """Cards for the hidden places."""
    while True:
        cards = [0] * count
        free = []
        f = 0
        for card, k in gone:
            if f < k:
                free.extend(range(f, k))
                f = k
            j = int(rand() * len(free))
            cards[free[j]] = card
            free[j] = free[-1]
            free.pop()
        free.extend(range(f, count))
        left = list(pool)
        for i in free:
            j = int(rand() * len(left))
            cards[i] = left[j]
            left[j] = left[-1]
            left.pop()
        # where the opponent could have knocked, a discard was one of 12
        # choices instead of one of 11
        fits = True
        for k, known, gonemask in events:
            if rand() * 12.0 >= 11.0:
                hand = 0
                for x in cards[:k]:
                    hand |= 1 << x
                if _dead11(known | (hand & ~gonemask)) <= _KNOCK_CARD:
                    fits = False
                    break
        if fits and wall is not None and rand() >= 0.5:
            k, known, gonemask, bit = wall
            hand = 0
            for x in cards[:k]:
                hand |= 1 << x
            if _dead11(known | (hand & ~gonemask) | bit) <= _KNOCK_CARD:
                fits = False
        if fits:
            return cards


def resample_history(player, history, rand):
    acts, slots, own, gone, events, wall, known, gonemask, pool = _parse(player, history)
    cards = _fill(len(slots), gone, events, wall, pool, rand)
    for i, x in zip(slots, cards):
        acts[i] = x
    return acts


def resample_state(player, history, rand):
    obs = history[-1][0]
    phase = obs["phase"]
    if phase == "deal":
        state = _INITIAL
        for a in resample_history(player, history, rand):
            state = apply_action(state, a)
        return state
    acts, slots, own, gone, events, wall, known, gonemask, pool = _parse(player, history)
    cards = _fill(len(slots), gone, events, wall, pool, rand)

    view = bytes(acts).decode("latin-1")
    dealt = 0
    for i, x in zip(slots, cards):
        acts[i] = x
        dealt |= 1 << x
    for i in own:
        acts[i] = _HIDDEN
    opp_view = bytes(acts).decode("latin-1")

    kn = obs["knocker"]
    hand = _mask(obs["hand"])
    dead = obs["deadwood"]
    if obs["opponent_hand"] is not None:
        opp_hand = _mask(obs["opponent_hand"])
        opp_dead = obs["opponent_deadwood"]
    else:
        opp_hand = known | (dealt & ~gonemask)
        opp_dead = _dead(opp_hand) if kn is None else _total(opp_hand)

    pl = player
    if phase == "draw":
        ph = 2
    elif phase == "discard":
        ph = 3
    elif phase == "first upcard":
        ph = 1
    elif phase == "knock":
        ph = 4 if len(obs["hand"]) == 11 else 5
    elif phase == "layoff":
        ph = 7 if obs["layoffs_over"] else 6
    elif phase == "wall":
        ph = 8
    else:
        ph = 9
        pl = -4

    up = obs["upcard"]
    prev = obs["previous_upcard"]
    pile = tuple([_INDEX[x] for x in obs["discard_pile"]])
    used = hand | opp_hand
    for c in pile:
        used |= 1 << c
    if up is None:
        up = -1
    else:
        up = _INDEX[up]
        used |= 1 << up
    prev = -1 if prev is None else _INDEX[prev]
    if kn is None:
        kn = -1
        m0 = m1 = lay = ()
    else:
        melds = obs["melds"]
        m0 = tuple([_MELD_OF[tuple(m)] for m in melds[0]])
        m1 = tuple([_MELD_OF[tuple(m)] for m in melds[1]])
        lay = tuple([_INDEX[x] for x in obs["layoffs"]])
        for a in m0:
            used |= _MELD_MASK[a]
        for a in m1:
            used |= _MELD_MASK[a]
        for c in lay:
            used |= 1 << c
    passed = (1 if obs["passed"][0] else 0) + (2 if obs["passed"][1] else 0)
    stock = _FULL & ~used
    if player == 0:
        return (ph, pl, hand, opp_hand, stock, obs["stock"], up, prev, pile, passed,
                obs["repeated_move"], obs["upcards_drawn"], kn, m0, m1, lay,
                dead, opp_dead, view, opp_view)
    return (ph, pl, opp_hand, hand, stock, obs["stock"], up, prev, pile, passed,
            obs["repeated_move"], obs["upcards_drawn"], kn, m0, m1, lay,
            opp_dead, dead, opp_view, view)
