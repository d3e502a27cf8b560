NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 241
MAX_CHANCE_OUTCOMES = 52
MAX_GAME_LENGTH = 180
MIN_UTILITY = -125.0
MAX_UTILITY = 125.0

_RANKS = 'A23456789TJQK'
_SUITS = 'scdh'
_NAME = [r + s for s in _SUITS for r in _RANKS]
_CARD = {}
for _i in range(52):
    _CARD[_NAME[_i]] = _i
_BIT = [1 << _i for _i in range(52)]
_CVAL = [min(_i % 13 + 1, 10) for _i in range(52)]
_ALL = (1 << 52) - 1
_M = 8191

_KNOCK_CARD = 10
_MAX_UPCARDS = 50

# actions
_UP = 52
_STOCK = 53
_PASS = 54
_KNOCK = 55
_MELD0 = 56

# internal phases
_P_DEAL = 0
_P_FIRST = 1
_P_DRAW = 2
_P_DISCARD = 3
_P_KNOCK = 4
_P_LAYOFF = 5
_P_WALL = 6
_P_OVER = 7
_P_DEALS = 8      # chance deals a card drawn from the stock
_P_KNOCKD = 9     # the knocker has to discard
_PHASE_NAME = ['deal', 'first upcard', 'draw', 'discard', 'knock', 'layoff',
               'wall', 'over', 'deal', 'knock']
_PHASE_OF = {'first upcard': _P_FIRST, 'draw': _P_DRAW, 'discard': _P_DISCARD,
             'knock': _P_KNOCK, 'layoff': _P_LAYOFF, 'wall': _P_WALL,
             'over': _P_OVER}

_HID = chr(255)
_CHR = [chr(_i) for _i in range(241)] + [_HID]     # _CHR[-1] is the hidden card


# ---------------------------------------------------------------- tables

def _make_val():
    tab = [0] * 8192
    for m in range(1, 8192):
        low = m & -m
        tab[m] = tab[m ^ low] + min(low.bit_length(), 10)
    return tab


_VAL = _make_val()


def _make_cards(suit):
    tab = [()] * 8192
    for m in range(1, 8192):
        high = m.bit_length() - 1
        tab[m] = tab[m ^ (1 << high)] + (suit * 13 + high,)
    return tab


_C0 = _make_cards(0)
_C1 = _make_cards(1)
_C2 = _make_cards(2)
_C3 = _make_cards(3)


def _make_melds():
    cards_of = []          # by meld index: tuple of cards
    ext = []               # by meld index: (below 1, below 2, above 1, above 2)
    for rank in range(13):
        for missing in range(4):
            cards_of.append(tuple(s * 13 + rank for s in range(4) if s != missing))
            ext.append((1 << (missing * 13 + rank), 0, 0, 0))
        cards_of.append(tuple(s * 13 + rank for s in range(4)))
        ext.append((0, 0, 0, 0))
    for length in (3, 4, 5):
        for suit in range(4):
            for start in range(14 - length):
                base = suit * 13
                cards_of.append(tuple(base + start + k for k in range(length)))
                b1 = (1 << (base + start - 1)) if start >= 1 else 0
                b2 = (1 << (base + start - 2)) if start >= 2 else 0
                end = start + length - 1
                a1 = (1 << (base + end + 1)) if end <= 11 else 0
                a2 = (1 << (base + end + 2)) if end <= 10 else 0
                ext.append((b1, b2, a1, a2))
    return cards_of, ext


_MCARDS, _MEXT = _make_melds()
_MMASK = [sum(1 << c for c in cs) for cs in _MCARDS]
_MVAL = [sum(_CVAL[c] for c in cs) for cs in _MCARDS]
_MNAMES = [[_NAME[c] for c in cs] for cs in _MCARDS]
_MREC = [(_MMASK[_i], _MVAL[_i], _MELD0 + _i) for _i in range(185)]
_SETS = [tuple(_MREC[_r * 5 + _k] for _k in range(5)) for _r in range(13)]


def _make_run_tables():
    res = {}
    idx = 65
    for length in (3, 4, 5):
        n = 14 - length
        tabs = []
        for suit in range(4):
            single = _MREC[idx:idx + n]
            idx += n
            tab = [()] * (1 << n)
            for m in range(1, 1 << n):
                low = (m & -m).bit_length() - 1
                tab[m] = (single[low],) + tab[m & (m - 1)]
            tabs.append(tab)
        res[length] = tabs
    return res


_RUNS = _make_run_tables()
_R3A, _R3B, _R3C, _R3D = _RUNS[3]
_R4A, _R4B, _R4C, _R4D = _RUNS[4]
_R5A, _R5B, _R5C, _R5D = _RUNS[5]


def _make_act():
    d = {'draw upcard': _UP, 'draw stock': _STOCK, 'pass': _PASS, 'done': _PASS,
         'knock': _KNOCK}
    for c in range(52):
        d['discard ' + _NAME[c]] = c
        d['lay off ' + _NAME[c]] = c
        d['deal ' + _NAME[c]] = c
    for k in range(185):
        d['meld ' + ' '.join(_MNAMES[k])] = _MELD0 + k
    return d


_ACT = _make_act()
_DISCARD_NAME = ['discard ' + n for n in _NAME]
_LAYOFF_NAME = ['lay off ' + n for n in _NAME]
_DEAL_NAME = ['deal ' + n for n in _NAME]
_MELD_NAME = ['meld ' + ' '.join(ns) for ns in _MNAMES]


# ---------------------------------------------------------------- counting

def _cards(h):
    return list(_C0[h & _M] + _C1[(h >> 13) & _M] + _C2[(h >> 26) & _M] + _C3[h >> 39])


def _total(h):
    return _VAL[h & _M] + _VAL[(h >> 13) & _M] + _VAL[(h >> 26) & _M] + _VAL[h >> 39]


def _melds(hand):
    """All melds in the hand, in the order of the rules for counting."""
    a = hand & _M
    b = (hand >> 13) & _M
    c = (hand >> 26) & _M
    d = hand >> 39
    out = []
    maj = (a & b & (c | d)) | (c & d & (a | b))
    if maj:
        four = a & b & c & d
        m = four
        while m:
            low = m & -m
            m ^= low
            s = _SETS[low.bit_length() - 1]
            out.append(s[4])
            out.append(s[2])
            out.append(s[1])
        m = maj
        while m:
            low = m & -m
            m ^= low
            s = _SETS[low.bit_length() - 1]
            if four & low:
                out.append(s[3])
                out.append(s[0])
            elif not (a & low):
                out.append(s[0])
            elif not (b & low):
                out.append(s[1])
            elif not (c & low):
                out.append(s[2])
            else:
                out.append(s[3])
    ra = a & (a >> 1) & (a >> 2)
    rb = b & (b >> 1) & (b >> 2)
    rc = c & (c >> 1) & (c >> 2)
    rd = d & (d >> 1) & (d >> 2)
    if ra or rb or rc or rd:
        qa = ra & (a >> 3)
        qb = rb & (b >> 3)
        qc = rc & (c >> 3)
        qd = rd & (d >> 3)
        if qa or qb or qc or qd:
            out.extend(_R5A[qa & (a >> 4)])
            out.extend(_R5B[qb & (b >> 4)])
            out.extend(_R5C[qc & (c >> 4)])
            out.extend(_R5D[qd & (d >> 4)])
            out.extend(_R4A[qa])
            out.extend(_R4B[qb])
            out.extend(_R4C[qc])
            out.extend(_R4D[qd])
        out.extend(_R3A[ra])
        out.extend(_R3B[rb])
        out.extend(_R3C[rc])
        out.extend(_R3D[rd])
    return out


def _arrange(hand):
    """(count, mask) of the first arrangement whose melds count most."""
    melds = _melds(hand)
    n = len(melds)
    if n == 0:
        return 0, 0
    if n == 1:
        t = melds[0]
        return t[1], t[0]
    best = 0
    bm = 0
    for i in range(n):
        mi, vi, _ = melds[i]
        if vi > best:
            best = vi
            bm = mi
        for j in range(i + 1, n):
            mj, vj, _ = melds[j]
            if mi & mj:
                continue
            mij = mi | mj
            vij = vi + vj
            if vij > best:
                best = vij
                bm = mij
            for k in range(j + 1, n):
                t = melds[k]
                if not (mij & t[0]) and vij + t[1] > best:
                    best = vij + t[1]
                    bm = mij | t[0]
    return best, bm


def _dead10(hand):
    return _total(hand) - _arrange(hand)[0]


def _dead11(hand):
    v, m = _arrange(hand)
    rest = hand & ~m
    if not rest:
        return 0
    a = rest & _M
    b = (rest >> 13) & _M
    c = (rest >> 26) & _M
    d = rest >> 39
    top = (a | b | c | d).bit_length()
    return _VAL[a] + _VAL[b] + _VAL[c] + _VAL[d] - (top if top < 10 else 10)


def _can_knock(hand):
    """Whether 11 cards have a count of at most the knock card."""
    v, m = _arrange(hand)
    if not v:
        return False
    rest = hand & ~m
    if not rest:
        return True
    a = rest & _M
    b = (rest >> 13) & _M
    c = (rest >> 26) & _M
    d = rest >> 39
    top = (a | b | c | d).bit_length()
    return (_VAL[a] + _VAL[b] + _VAL[c] + _VAL[d]
            - (top if top < 10 else 10)) <= _KNOCK_CARD


# ---------------------------------------------------------------- the game
# state: (current player, phase, turn, hands, upcard, previous upcard,
#         discard pile, stock mask, stock count, passed, repeated move,
#         upcards drawn, knocker, melds, layoffs, layoffs over,
#         what player 0 has seen, what player 1 has seen)

_INITIAL = (-1, _P_DEAL, 0, (0, 0), -1, -1, (), _ALL, 52, (False, False), False,
            0, -1, ((), ()), (), False, '', '')


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    phase = state[1]
    if phase == _P_DISCARD:
        hand = state[3][state[2]]
        res = _cards(hand)
        if _can_knock(hand):
            res.append(_KNOCK)
        return res
    if phase == _P_DRAW:
        return [_UP, _STOCK]
    if phase == _P_FIRST:
        passed = state[9]
        if passed[0] and passed[1]:
            return [_STOCK]
        return [_UP, _PASS]
    if phase == _P_WALL:
        if _can_knock(state[3][state[2]] | _BIT[state[4]]):
            return [_PASS, _KNOCK]
        return [_PASS]
    if phase == _P_KNOCKD:
        hand = state[3][state[2]]
        return [c for c in _cards(hand) if _dead10(hand ^ _BIT[c]) <= _KNOCK_CARD]
    if phase == _P_KNOCK:
        hand = state[3][state[2]]
        total = _total(hand)
        res = []
        for mask, value, act in _melds(hand):
            if total - value - _arrange(hand & ~mask)[0] <= _KNOCK_CARD:
                res.append(act)
        if total <= _KNOCK_CARD:
            res.append(_PASS)
        res.sort()
        return res
    if phase == _P_LAYOFF:
        hand = state[3][state[2]]
        if state[15]:
            res = [t[2] for t in _melds(hand)]
            res.append(_PASS)
            res.sort()
            return res
        laid = 0
        for c in state[14]:
            laid |= _BIT[c]
        ok = 0
        for act in state[13][state[12]]:
            b1, b2, a1, a2 = _MEXT[act - _MELD0]
            ok |= b2 if b1 & laid else b1
            ok |= a2 if a1 & laid else a1
        res = _cards(ok & hand)
        res.append(_PASS)
        return res
    return []


def chance_outcomes(state):
    if state[0] != -1:
        return []
    p = 1.0 / state[8]
    return [(c, p) for c in _cards(state[7])]


def apply_action(state, action):
    (cp, phase, turn, hands, up, prev, pile, stock, nst, passed, rep, nup, knk,
     melds, lay, lover, x0, x1) = state
    ch = _CHR[action]

    if phase == _P_DISCARD:
        x0 += ch
        x1 += ch
        if action == _KNOCK:
            return (turn, _P_KNOCKD, turn, hands, up, prev, pile, stock, nst,
                    passed, rep, nup, turn, melds, lay, lover, x0, x1)
        bit = _BIT[action]
        if turn == 0:
            hands = (hands[0] ^ bit, hands[1])
        else:
            hands = (hands[0], hands[1] ^ bit)
        again = action == prev
        if again and rep:
            return (-4, _P_OVER, 0, hands, action, prev, pile, stock, nst,
                    passed, True, nup, knk, melds, lay, lover, x0, x1)
        turn = 1 - turn
        return (turn, _P_WALL if nst == 2 else _P_DRAW, turn, hands, action, prev,
                pile, stock, nst, passed, again, nup, knk, melds, lay, lover,
                x0, x1)

    if phase == _P_DRAW or phase == _P_FIRST:
        x0 += ch
        x1 += ch
        if action == _PASS:
            passed = (True, passed[1]) if turn == 0 else (passed[0], True)
            turn = 1 - turn
            return (turn, _P_FIRST, turn, hands, up, prev, pile, stock, nst,
                    passed, rep, nup, knk, melds, lay, lover, x0, x1)
        if action == _UP:
            if phase == _P_DRAW:
                if nup == _MAX_UPCARDS - 1:
                    return (-4, _P_OVER, 0, hands, up, prev, pile, stock, nst,
                            passed, rep, nup, knk, melds, lay, lover, x0, x1)
                nup += 1
            bit = _BIT[up]
            if turn == 0:
                hands = (hands[0] | bit, hands[1])
            else:
                hands = (hands[0], hands[1] | bit)
            return (turn, _P_DISCARD, turn, hands, -1, up, pile, stock, nst,
                    passed, rep, nup, knk, melds, lay, lover, x0, x1)
        return (-1, _P_DEALS, turn, hands, -1, up, pile + (up,), stock, nst,
                passed, rep, nup, knk, melds, lay, lover, x0, x1)

    if phase == _P_DEALS:
        bit = _BIT[action]
        if turn == 0:
            hands = (hands[0] | bit, hands[1])
            x0 += ch
            x1 += _HID
        else:
            hands = (hands[0], hands[1] | bit)
            x0 += _HID
            x1 += ch
        return (turn, _P_DISCARD, turn, hands, up, prev, pile, stock ^ bit,
                nst - 1, passed, rep, nup, knk, melds, lay, lover, x0, x1)

    if phase == _P_DEAL:
        bit = _BIT[action]
        stock ^= bit
        nst -= 1
        if nst >= 42:
            return (-1, _P_DEAL, 0, (hands[0] | bit, hands[1]), up, prev, pile,
                    stock, nst, passed, rep, nup, knk, melds, lay, lover,
                    x0 + ch, x1 + _HID)
        if nst >= 32:
            return (-1, _P_DEAL, 0, (hands[0], hands[1] | bit), up, prev, pile,
                    stock, nst, passed, rep, nup, knk, melds, lay, lover,
                    x0 + _HID, x1 + ch)
        return (0, _P_FIRST, 0, hands, action, prev, pile, stock, nst, passed,
                rep, nup, knk, melds, lay, lover, x0 + ch, x1 + ch)

    x0 += ch
    x1 += ch

    if phase == _P_KNOCKD:
        bit = _BIT[action]
        if turn == 0:
            hands = (hands[0] ^ bit, hands[1])
        else:
            hands = (hands[0], hands[1] ^ bit)
        return (turn, _P_KNOCK, turn, hands, up, prev, pile + (action,), stock,
                nst, passed, rep, nup, knk, melds, lay, lover, x0, x1)

    if phase == _P_WALL:
        if action == _KNOCK:
            bit = _BIT[up]
            if turn == 0:
                hands = (hands[0] | bit, hands[1])
            else:
                hands = (hands[0], hands[1] | bit)
            return (turn, _P_KNOCKD, turn, hands, -1, prev, pile, stock, nst,
                    passed, rep, nup, turn, melds, lay, lover, x0, x1)
        return (-4, _P_OVER, 0, hands, up, prev, pile, stock, nst, passed, rep,
                nup, knk, melds, lay, lover, x0, x1)

    # phases "knock" (after the discard) and "layoff"
    if action >= _MELD0:
        keep = ~_MMASK[action - _MELD0]
        if turn == 0:
            hands = (hands[0] & keep, hands[1])
            melds = (melds[0] + (action,), melds[1])
        else:
            hands = (hands[0], hands[1] & keep)
            melds = (melds[0], melds[1] + (action,))
        return (turn, phase, turn, hands, up, prev, pile, stock, nst, passed,
                rep, nup, knk, melds, lay, lover, x0, x1)
    if action == _PASS:
        if phase == _P_KNOCK:
            if hands[turn] == 0:
                lover = True
            turn = 1 - turn
            return (turn, _P_LAYOFF, turn, hands, up, prev, pile, stock, nst,
                    passed, rep, nup, knk, melds, lay, lover, x0, x1)
        if lover:
            return (-4, _P_OVER, 0, hands, up, prev, pile, stock, nst, passed,
                    rep, nup, knk, melds, lay, lover, x0, x1)
        return (turn, phase, turn, hands, up, prev, pile, stock, nst, passed,
                rep, nup, knk, melds, lay, True, x0, x1)
    bit = _BIT[action]
    if turn == 0:
        hands = (hands[0] ^ bit, hands[1])
    else:
        hands = (hands[0], hands[1] ^ bit)
    return (turn, phase, turn, hands, up, prev, pile, stock, nst, passed, rep,
            nup, knk, melds, lay + (action,), lover, x0, x1)


def returns(state):
    knk = state[12]
    if state[1] != _P_OVER or knk < 0:
        return [0.0, 0.0]
    hands = state[3]
    own = _total(hands[knk])
    res = _total(hands[1 - knk]) - own
    if own == 0:
        res += 25
    elif res < 0:
        res -= 25
    if knk == 0:
        return [float(res), float(-res)]
    return [float(-res), float(res)]


def action_name(state, action):
    phase = state[1]
    if action < 52:
        if phase == _P_DEAL or phase == _P_DEALS:
            return _DEAL_NAME[action]
        if phase == _P_LAYOFF:
            return _LAYOFF_NAME[action]
        return _DISCARD_NAME[action]
    if action == _UP:
        return 'draw upcard'
    if action == _STOCK:
        return 'draw stock'
    if action == _PASS:
        if phase == _P_KNOCK or phase == _P_LAYOFF:
            return 'done'
        return 'pass'
    if action == _KNOCK:
        return 'knock'
    return _MELD_NAME[action - _MELD0]


def observation(state, player):
    (cp, phase, turn, hands, up, prev, pile, stock, nst, passed, rep, nup, knk,
     melds, lay, lover, x0, x1) = state
    hand = hands[player]
    if phase == _P_DEAL:
        dead = 0
    elif knk >= 0:
        dead = _total(hand)
    elif phase == _P_DISCARD and turn == player:
        dead = _dead11(hand)
    else:
        dead = _dead10(hand)
    opp = 1 - player
    opp_hand = None
    opp_dead = None
    if knk == opp or (knk == player and (phase == _P_LAYOFF or phase == _P_OVER)):
        opp_hand = [_NAME[c] for c in _cards(hands[opp])]
        opp_dead = _total(hands[opp])
    return {
        'phase': _PHASE_NAME[phase],
        'hand': [_NAME[c] for c in _cards(hand)],
        'deadwood': dead,
        'upcard': _NAME[up] if up >= 0 else None,
        'previous_upcard': _NAME[prev] if prev >= 0 else None,
        'discard_pile': [_NAME[c] for c in pile],
        'stock': nst,
        'passed': [passed[0], passed[1]],
        'repeated_move': rep,
        'upcards_drawn': nup,
        'knock_card': _KNOCK_CARD,
        'knocker': knk if knk >= 0 else None,
        'melds': [[list(_MNAMES[m - _MELD0]) for m in melds[0]],
                  [list(_MNAMES[m - _MELD0]) for m in melds[1]]],
        'layoffs': [_NAME[c] for c in lay],
        'layoffs_over': lover,
        'opponent_hand': opp_hand,
        'opponent_deadwood': opp_dead,
    }


def information_state(state, player):
    knk = state[12]
    shown = -1
    if knk >= 0:
        opp = 1 - player
        if knk == opp:
            shown = state[3][opp]
        else:
            phase = state[1]
            if phase == _P_LAYOFF or phase == _P_OVER:
                shown = state[3][opp]
    return (player, state[16 + player], shown)


# ---------------------------------------------------------------- resampling

def _parse(player, history):
    """What the history tells.

    acts: all actions, -1 for a card dealt to the opponent unseen;
    pos: where these are; own: where the player's own cards are dealt;
    events: what the opponent's hand went through, after the first ten cards;
    forced: cards known to have been dealt to the opponent unseen, each with
    the number of unseen deals among which its own must be;
    seen: mask of all cards that the player has seen."""
    opp = 1 - player
    first = player == 0
    acts = []
    pos = []
    own = []
    events = []
    forced = []
    seen = 0
    pub = 0
    before = None
    A, a = history[0]
    for i in range(len(history) - 1):
        B, b = history[i + 1]
        if a is not None:
            act = _ACT[a]
            if act == _PASS and B['phase'] == 'layoff' and A['phase'] == 'knock':
                for nm in B['opponent_hand']:
                    c = _CARD[nm]
                    bit = _BIT[c]
                    if not (pub & bit):
                        forced.append((c, len(pos)))
                    seen |= bit
        else:
            ph = A['phase']
            if ph == 'discard':
                if B['phase'] == 'knock':
                    act = _KNOCK
                    for nm in B['opponent_hand']:
                        c = _CARD[nm]
                        bit = _BIT[c]
                        if not (pub & bit):
                            forced.append((c, len(pos)))
                        seen |= bit
                else:
                    act = _CARD[B['upcard']]
                    bit = _BIT[act]
                    events.append((2, bit))
                    if pub & bit:
                        pub ^= bit
                    else:
                        forced.append((act, len(pos)))
                        seen |= bit
            elif ph == 'draw':
                nxt = B['phase']
                if nxt == 'deal':
                    act = _STOCK
                else:
                    act = _UP
                    if nxt == 'discard':
                        bit = _BIT[_CARD[A['upcard']]]
                        pub |= bit
                        events.append((0, bit))
            elif ph == 'deal':
                if i == 20:
                    act = _CARD[B['upcard']]
                    seen |= _BIT[act]
                elif ((i < 10) == first) if i < 20 else (before is not None):
                    act = _CARD[set(B['hand']).difference(A['hand']).pop()]
                    seen |= _BIT[act]
                    own.append(i)
                else:
                    act = -1
                    if i > 20:
                        events.append((1, len(pos)))
                    pos.append(i)
            elif ph == 'first upcard':
                nxt = B['phase']
                if nxt == 'discard':
                    act = _UP
                    bit = _BIT[_CARD[A['upcard']]]
                    pub |= bit
                    events.append((0, bit))
                elif nxt == 'deal':
                    act = _STOCK
                else:
                    act = _PASS
            elif ph == 'wall':
                bit = _BIT[_CARD[A['upcard']]]
                if B['phase'] == 'knock':
                    act = _KNOCK
                    pub |= bit
                    for nm in B['opponent_hand']:
                        c = _CARD[nm]
                        hb = _BIT[c]
                        if not (pub & hb):
                            forced.append((c, len(pos)))
                        seen |= hb
                else:
                    act = _PASS
                    events.append((3, bit))
            elif ph == 'knock':
                if len(B['discard_pile']) > len(A['discard_pile']):
                    act = _CARD[B['discard_pile'][-1]]
                elif B['phase'] == 'layoff':
                    act = _PASS
                else:
                    act = _ACT['meld ' + ' '.join(B['melds'][opp][-1])]
            else:
                if B['phase'] == 'over':
                    act = _PASS
                elif len(B['layoffs']) > len(A['layoffs']):
                    act = _CARD[B['layoffs'][-1]]
                elif B['layoffs_over'] and not A['layoffs_over']:
                    act = _PASS
                else:
                    act = _ACT['meld ' + ' '.join(B['melds'][opp][-1])]
        acts.append(act)
        before = a
        A = B
        a = b
    return acts, pos, own, events, forced, seen


def _sample(n, events, forced, seen, rand):
    """Cards for the n unseen deals, and the opponent's hand after the events."""
    unseen = _cards(_ALL & ~seen)
    while True:
        slots = [0] * n
        free = []
        top = 0
        for card, limit in forced:
            if top < limit:
                free.extend(range(top, limit))
                top = limit
            k = int(rand() * len(free))
            slots[free[k]] = card
            free[k] = free[-1]
            free.pop()
        if top < n:
            free.extend(range(top, n))
        if free:
            u = unseen[:]
            for s in free:
                k = int(rand() * len(u))
                slots[s] = u[k]
                u[k] = u[-1]
                u.pop()
        hand = 0
        for c in slots[:10]:
            hand |= _BIT[c]
        fits = True
        for kind, v in events:
            if kind == 2:
                # a knock that was possible, but not chosen: 1/12 instead of 1/11
                if _can_knock(hand) and rand() * 12.0 >= 11.0:
                    fits = False
                    break
                hand ^= v
            elif kind == 0:
                hand |= v
            elif kind == 1:
                hand |= _BIT[slots[v]]
            else:
                # a pass at the wall: 1/2 instead of 1
                if _can_knock(hand | v) and rand() < 0.5:
                    fits = False
                    break
        if fits:
            return slots, hand


def resample_history(player, history, rand):
    acts, pos, own, events, forced, seen = _parse(player, history)
    slots, hand = _sample(len(pos), events, forced, seen, rand)
    for k in range(len(pos)):
        acts[pos[k]] = slots[k]
    return acts


def resample_state(player, history, rand):
    last = history[-1][0]
    phase_name = last['phase']
    if phase_name == 'deal':
        state = _INITIAL
        for act in resample_history(player, history, rand):
            state = apply_action(state, act)
        return state
    acts, pos, own, events, forced, seen = _parse(player, history)
    slots, opp_hand = _sample(len(pos), events, forced, seen, rand)
    mine = ''.join([_CHR[x] for x in acts])
    stock = _ALL & ~seen
    for k in range(len(pos)):
        c = slots[k]
        acts[pos[k]] = c
        stock &= ~_BIT[c]
    for k in own:
        acts[k] = -1
    other = ''.join([_CHR[x] for x in acts])
    hand = 0
    for nm in last['hand']:
        hand |= _BIT[_CARD[nm]]
    shown = last['opponent_hand']
    if shown is not None:
        opp_hand = 0
        for nm in shown:
            opp_hand |= _BIT[_CARD[nm]]
    phase = _PHASE_OF[phase_name]
    knk = last['knocker']
    if knk is None:
        knk = -1
        melds = ((), ())
        lay = ()
    else:
        if phase == _P_KNOCK:
            size = len(last['hand']) if knk == player else len(shown)
            if size == 11:
                phase = _P_KNOCKD
        md = last['melds']
        melds = (tuple([_ACT['meld ' + ' '.join(m)] for m in md[0]]),
                 tuple([_ACT['meld ' + ' '.join(m)] for m in md[1]]))
        lay = tuple([_CARD[nm] for nm in last['layoffs']])
    if phase == _P_OVER:
        cp = -4
        turn = 0
    else:
        cp = player
        turn = player
    ps = last['passed']
    if player == 0:
        hands = (hand, opp_hand)
        x0 = mine
        x1 = other
    else:
        hands = (opp_hand, hand)
        x0 = other
        x1 = mine
    return (cp, phase, turn, hands, _CARD.get(last['upcard'], -1),
            _CARD.get(last['previous_upcard'], -1),
            tuple([_CARD[nm] for nm in last['discard_pile']]),
            stock, last['stock'], (ps[0], ps[1]), last['repeated_move'],
            last['upcards_drawn'], knk, melds, lay, last['layoffs_over'], x0, x1)
