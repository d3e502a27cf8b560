NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 241
MAX_CHANCE_OUTCOMES = 52
MAX_GAME_LENGTH = 200
MIN_UTILITY = -125.0
MAX_UTILITY = 125.0

_KNOCK_CARD = 10
_MAX_UPCARDS = 50
_WALL_STOCK = 2

_DRAW_UPCARD = 52
_DRAW_STOCK = 53
_PASS = 54
_KNOCK = 55
_MELD_BASE = 56

# Phases
_DEAL = 0      # chance deals the hands and the first upcard
_FIRST = 1     # first upcard
_DRAWN = 2     # chance deals a card drawn from the stock (aux: the drawer)
_DRAW = 3
_DISCARD = 4   # aux: whether knocking is legal
_WALL = 5      # aux: whether knocking is legal
_KNOCK_D = 6   # the knocker discards
_KNOCK_M = 7   # the knocker lays down melds
_LAYOFF = 8    # the other player lays off
_LAYMELD = 9   # the other player lays down melds
_OVER = 10

_PHASE_NAME = ['deal', 'first upcard', 'deal', 'draw', 'discard', 'wall',
               'knock', 'knock', 'layoff', 'layoff', 'over']

_RANKS = 'A23456789TJQK'
_SUITS = 'scdh'
_CARD_NAME = [r + s for s in _SUITS for r in _RANKS]
_CARD = {}
_CARD[None] = -1
for _i in range(52):
    _CARD[_CARD_NAME[_i]] = _i
_BIT = [1 << _i for _i in range(52)]
_BITN = {}
for _i in range(52):
    _BITN[_CARD_NAME[_i]] = 1 << _i
_ALL = (1 << 52) - 1
_VALUE = [min(_r + 1, 10) for _r in range(13)]

# _GE[t]: all cards that count at least t
_GE = []
for _t in range(11):
    _m = 0
    for _i in range(52):
        if _VALUE[_i % 13] >= _t:
            _m |= 1 << _i
    _GE.append(_m)

# Characters for the histories; _CHR[-1] masks a hidden card
_HID = chr(255)
_CHR = [chr(_i) for _i in range(NUM_DISTINCT_ACTIONS)] + [_HID]

# Tables by the 13 bits of one suit
_RANKS_OF = [()] * 8192
_VAL = [0] * 8192
for _b in range(1, 8192):
    _low = (_b & -_b).bit_length() - 1
    _rest = _b & (_b - 1)
    _RANKS_OF[_b] = (_low,) + _RANKS_OF[_rest]
    _VAL[_b] = _VALUE[_low] + _VAL[_rest]

_CARDS_OF = []
_NAMES_OF = []
for _s in range(4):
    _tc = [()] * 8192
    _tn = [()] * 8192
    for _b in range(1, 8192):
        _c = _s * 13 + (_b & -_b).bit_length() - 1
        _rest = _b & (_b - 1)
        _tc[_b] = (_c,) + _tc[_rest]
        _tn[_b] = (_CARD_NAME[_c],) + _tn[_rest]
    _CARDS_OF.append(_tc)
    _NAMES_OF.append(_tn)
_C0, _C1, _C2, _C3 = _CARDS_OF
_N0, _N1, _N2, _N3 = _NAMES_OF

# Melds: triples (mask, value, action)
_MELD_MASK = [0] * NUM_DISTINCT_ACTIONS
_MELD_NAME = [''] * NUM_DISTINCT_ACTIONS
_MELD_CARDS = [()] * NUM_DISTINCT_ACTIONS
_LAY = [(0, 0, 0)] * NUM_DISTINCT_ACTIONS
_SET3 = [[None] * 4 for _r in range(13)]   # by rank and missing suit
_SET4 = [None] * 13
_RUN = [[[None] * 13 for _n in range(6)] for _s in range(4)]


def _define_meld(action, cards):
    mask = 0
    value = 0
    for card in cards:
        mask |= 1 << card
        value += _VALUE[card % 13]
    _MELD_MASK[action] = mask
    _MELD_CARDS[action] = tuple([_CARD_NAME[card] for card in cards])
    _MELD_NAME[action] = 'meld ' + ' '.join(_MELD_CARDS[action])
    return (mask, value, action)


_a = _MELD_BASE
for _r in range(13):
    for _s in range(4):
        _SET3[_r][_s] = _define_meld(
            _a, [_x * 13 + _r for _x in range(4) if _x != _s])
        _LAY[_a] = (1, 1 << (_s * 13 + _r), 0)
        _a += 1
    _SET4[_r] = _define_meld(_a, [_x * 13 + _r for _x in range(4)])
    _a += 1
for _n in (3, 4, 5):
    for _s in range(4):
        for _r in range(14 - _n):
            _c = _s * 13 + _r
            _RUN[_s][_n][_r] = _define_meld(_a, list(range(_c, _c + _n)))
            _LAY[_a] = (2, _c, _c + _n - 1)
            _a += 1

_ACTION = {'draw upcard': _DRAW_UPCARD, 'draw stock': _DRAW_STOCK,
           'pass': _PASS, 'done': _PASS, 'knock': _KNOCK}
for _i in range(52):
    _ACTION['discard ' + _CARD_NAME[_i]] = _i
    _ACTION['lay off ' + _CARD_NAME[_i]] = _i
for _i in range(_MELD_BASE, NUM_DISTINCT_ACTIONS):
    _ACTION[_MELD_NAME[_i]] = _i

_RANK_MASK = [(1 << _r) | (1 << (_r + 13)) | (1 << (_r + 26)) | (1 << (_r + 39))
              for _r in range(13)]
# The sets in the order in which arrangements are compared
_SETS_A = [(_SET4[_r], _SET3[_r][2], _SET3[_r][1]) for _r in range(13)]
_SETS_B = {}
for _r in range(13):
    for _s in range(4):
        _SETS_B[_SET3[_r][_s][0]] = (_SET3[_r][_s],)
    _SETS_B[_SET4[_r][0]] = (_SET3[_r][3], _SET3[_r][0])

# Runs by suit and the 13 bits of that suit; _COVER: the cards in any run
_RUNS3 = [[()] * 8192 for _s in range(4)]
_RUNS4 = [[()] * 8192 for _s in range(4)]
_RUNS5 = [[()] * 8192 for _s in range(4)]
_COVER = [0] * 8192
for _b in range(8192):
    _t3 = _b & (_b >> 1) & (_b >> 2)
    if not _t3:
        continue
    _COVER[_b] = _t3 | (_t3 << 1) | (_t3 << 2)
    _t4 = _t3 & (_b >> 3)
    _t5 = _t4 & (_b >> 4)
    for _s in range(4):
        _q = _RUN[_s]
        _RUNS3[_s][_b] = tuple([_q[3][_r] for _r in _RANKS_OF[_t3]])
        if _t4:
            _RUNS4[_s][_b] = tuple([_q[4][_r] for _r in _RANKS_OF[_t4]])
        if _t5:
            _RUNS5[_s][_b] = tuple([_q[5][_r] for _r in _RANKS_OF[_t5]])
_R30, _R31, _R32, _R33 = _RUNS3
_R40, _R41, _R42, _R43 = _RUNS4
_R50, _R51, _R52, _R53 = _RUNS5


def _cards(mask):
    return (_C0[mask & 8191] + _C1[(mask >> 13) & 8191]
            + _C2[(mask >> 26) & 8191] + _C3[mask >> 39])


def _names(mask):
    return list(_N0[mask & 8191] + _N1[(mask >> 13) & 8191]
                + _N2[(mask >> 26) & 8191] + _N3[mask >> 39])


def _total(mask):
    return (_VAL[mask & 8191] + _VAL[(mask >> 13) & 8191]
            + _VAL[(mask >> 26) & 8191] + _VAL[mask >> 39])


def _mask_of(names):
    mask = 0
    for name in names:
        mask |= _BITN[name]
    return mask


def _melds(mask):
    """All melds of the cards, in the order in which arrangements compare."""
    a = mask & 8191
    b = (mask >> 13) & 8191
    c = (mask >> 26) & 8191
    d = mask >> 39
    out = []
    ab = a & b
    cd = c & d
    sets = (ab & (c | d)) | (cd & (a | b))
    if sets:
        four = ab & cd
        if four:
            for r in _RANKS_OF[four]:
                out += _SETS_A[r]
        for r in _RANKS_OF[sets]:
            out += _SETS_B[mask & _RANK_MASK[r]]
    if _COVER[a] or _COVER[b] or _COVER[c] or _COVER[d]:
        out += _R50[a]
        out += _R51[b]
        out += _R52[c]
        out += _R53[d]
        out += _R40[a]
        out += _R41[b]
        out += _R42[c]
        out += _R43[d]
        out += _R30[a]
        out += _R31[b]
        out += _R32[c]
        out += _R33[d]
    return out


def _best(melds):
    """Value and mask of the first arrangement whose melds count most."""
    best = 0
    best_mask = 0
    n = len(melds)
    for i in range(n):
        m1, v1, _x = melds[i]
        if v1 > best:
            best = v1
            best_mask = m1
        for j in range(i + 1, n):
            m2, v2, _x = melds[j]
            if m1 & m2:
                continue
            m12 = m1 | m2
            v12 = v1 + v2
            if v12 > best:
                best = v12
                best_mask = m12
            for k in range(j + 1, n):
                m3, v3, _x = melds[k]
                if v12 + v3 > best and not (m12 & m3):
                    best = v12 + v3
                    best_mask = m12 | m3
    return best, best_mask


def _count10(mask):
    melds = _melds(mask)
    if not melds:
        return _total(mask)
    return _total(mask) - _best(melds)[0]


def _count11(mask):
    melds = _melds(mask)
    if melds:
        best, used = _best(melds)
        rest = mask & ~used
        if not rest:
            return 0
        dead = _total(rest)
    else:
        rest = mask
        dead = _total(mask)
    ranks = (rest | (rest >> 13) | (rest >> 26) | (rest >> 39)) & 8191
    return dead - _VALUE[ranks.bit_length() - 1]


def _can_knock(mask):
    """Whether 11 cards have a count of at most the knock card."""
    a = mask & 8191
    b = (mask >> 13) & 8191
    c = (mask >> 26) & 8191
    d = mask >> 39
    ab = a & b
    cd = c & d
    sets = (ab & (c | d)) | (cd & (a | b))
    # cards in no meld at all; one of them at most is left out
    if (_VAL[a & ~(sets | _COVER[a])] + _VAL[b & ~(sets | _COVER[b])]
            + _VAL[c & ~(sets | _COVER[c])]
            + _VAL[d & ~(sets | _COVER[d])]) > _KNOCK_CARD + 10:
        return False
    return _count11(mask) <= _KNOCK_CARD


def _knock_discards(hand):
    """Mask of the cards that the knocker may discard."""
    base = _total(hand) - _KNOCK_CARD
    ok = 0
    if base <= 10:
        ok |= hand & _GE[base if base > 0 else 0]
    melds = _melds(hand)
    n = len(melds)
    for i in range(n):
        m1, v1, _x = melds[i]
        t = base - v1
        if t <= 10:
            ok |= hand & ~m1 & _GE[t if t > 0 else 0]
        for j in range(i + 1, n):
            m2, v2, _x = melds[j]
            if m1 & m2:
                continue
            m12 = m1 | m2
            t2 = t - v2
            if t2 <= 10:
                ok |= hand & ~m12 & _GE[t2 if t2 > 0 else 0]
            for k in range(j + 1, n):
                m3, v3, _x = melds[k]
                if m12 & m3:
                    continue
                t3 = t2 - v3
                if t3 <= 10:
                    ok |= hand & ~(m12 | m3) & _GE[t3 if t3 > 0 else 0]
    return ok


def _knock_melds(hand):
    """The actions of the knocker who lays down melds."""
    need = _total(hand) - _KNOCK_CARD
    melds = _melds(hand)
    n = len(melds)
    if need <= 0:
        out = [_PASS]
        out += sorted([m[2] for m in melds])
        return out
    ok = set()
    for i in range(n):
        m1, v1, a1 = melds[i]
        if v1 >= need:
            ok.add(a1)
        for j in range(i + 1, n):
            m2, v2, a2 = melds[j]
            if m1 & m2:
                continue
            m12 = m1 | m2
            v12 = v1 + v2
            if v12 >= need:
                ok.add(a1)
                ok.add(a2)
            for k in range(j + 1, n):
                m3, v3, a3 = melds[k]
                if v12 + v3 >= need and not (m12 & m3):
                    ok.add(a1)
                    ok.add(a2)
                    ok.add(a3)
    return sorted(ok)


def _layoff_mask(melds, lays):
    """Mask of the cards that fit the knocker's melds."""
    laid = 0
    for card in lays:
        laid |= _BIT[card]
    out = 0
    for meld in melds:
        kind, lo, hi = _LAY[meld]
        if kind == 1:
            out |= lo
        elif kind == 2:
            if lo % 13:
                if laid & _BIT[lo - 1]:
                    lo -= 1
                if lo % 13:
                    out |= _BIT[lo - 1]
            if hi % 13 != 12:
                if laid & _BIT[hi + 1]:
                    hi += 1
                if hi % 13 != 12:
                    out |= _BIT[hi + 1]
    return out


# State: (phase, current player, hand 0, hand 1, stock, cards in the stock,
#  upcard, previous upcard, discard pile, passed, repeated move, upcards drawn,
#  knocker, melds 0, melds 1, layoffs, aux, history 0, history 1)
_INITIAL = (_DEAL, -1, 0, 0, _ALL, 52, -1, -1, (), 0, False, 0,
            -1, (), (), (), False, '', '')


def initial_state():
    return _INITIAL


def current_player(state):
    return state[1]


def legal_actions(state):
    phase = state[0]
    cur = state[1]
    if phase == _DISCARD:
        out = list(_cards(state[2 + cur]))
        if state[16]:
            out.append(_KNOCK)
        return out
    if phase == _DRAW:
        return [_DRAW_UPCARD, _DRAW_STOCK]
    if phase == _FIRST:
        if state[9] == 3:
            return [_DRAW_STOCK]
        return [_DRAW_UPCARD, _PASS]
    if phase == _WALL:
        if state[16]:
            return [_PASS, _KNOCK]
        return [_PASS]
    if phase == _KNOCK_D:
        return list(_cards(_knock_discards(state[2 + cur])))
    if phase == _KNOCK_M:
        return _knock_melds(state[2 + cur])
    if phase == _LAYOFF:
        # the melds of the knocker: index 13 for player 0, 14 for player 1
        fits = _layoff_mask(state[13 + state[12]], state[15])
        out = list(_cards(state[2 + cur] & fits))
        out.append(_PASS)
        return out
    if phase == _LAYMELD:
        out = [_PASS]
        out += sorted([m[2] for m in _melds(state[2 + cur])])
        return out
    return []


def chance_outcomes(state):
    phase = state[0]
    if phase != _DEAL and phase != _DRAWN:
        return []
    prob = 1.0 / state[5]
    return [(card, prob) for card in _cards(state[4])]


def apply_action(state, action):
    (phase, cur, h0, h1, stock, n, up, prev, pile, passed, rep, drawn,
     knocker, m0, m1, lays, aux, s0, s1) = state
    ch = _CHR[action]

    if phase == _DRAWN:
        bit = _BIT[action]
        if aux:
            h1 |= bit
            s0 += _HID
            s1 += ch
            ok = _can_knock(h1)
        else:
            h0 |= bit
            s0 += ch
            s1 += _HID
            ok = _can_knock(h0)
        return (_DISCARD, aux, h0, h1, stock ^ bit, n - 1, up, prev, pile,
                passed, rep, drawn, knocker, m0, m1, lays, ok, s0, s1)

    if phase == _DEAL:
        bit = _BIT[action]
        if n > 42:
            return (_DEAL, -1, h0 | bit, h1, stock ^ bit, n - 1, up, prev,
                    pile, passed, rep, drawn, knocker, m0, m1, lays, False,
                    s0 + ch, s1 + _HID)
        if n > 32:
            return (_DEAL, -1, h0, h1 | bit, stock ^ bit, n - 1, up, prev,
                    pile, passed, rep, drawn, knocker, m0, m1, lays, False,
                    s0 + _HID, s1 + ch)
        return (_FIRST, 0, h0, h1, stock ^ bit, n - 1, action, prev,
                pile, passed, rep, drawn, knocker, m0, m1, lays, False,
                s0 + ch, s1 + ch)

    s0 += ch
    s1 += ch

    if phase == _DISCARD:
        if action == _KNOCK:
            return (_KNOCK_D, cur, h0, h1, stock, n, up, prev, pile, passed,
                    rep, drawn, cur, m0, m1, lays, False, s0, s1)
        bit = _BIT[action]
        if cur:
            h1 ^= bit
        else:
            h0 ^= bit
        again = action == prev
        if again and rep:
            return (_OVER, -4, h0, h1, stock, n, action, prev, pile, passed,
                    True, drawn, knocker, m0, m1, lays, False, s0, s1)
        if n == _WALL_STOCK:
            ok = _can_knock((h0 if cur else h1) | bit)
            return (_WALL, 1 - cur, h0, h1, stock, n, action, prev, pile,
                    passed, again, drawn, knocker, m0, m1, lays, ok, s0, s1)
        return (_DRAW, 1 - cur, h0, h1, stock, n, action, prev, pile, passed,
                again, drawn, knocker, m0, m1, lays, False, s0, s1)

    if phase == _DRAW or phase == _FIRST:
        if action == _DRAW_STOCK:
            return (_DRAWN, -1, h0, h1, stock, n, -1, up, pile + (up,),
                    passed, rep, drawn, knocker, m0, m1, lays, cur, s0, s1)
        if action == _PASS:
            return (_FIRST, 1 - cur, h0, h1, stock, n, up, prev, pile,
                    passed | (1 << cur), rep, drawn, knocker, m0, m1, lays,
                    False, s0, s1)
        if phase == _DRAW:
            drawn += 1
            if drawn == _MAX_UPCARDS:
                return (_OVER, -4, h0, h1, stock, n, up, prev, pile, passed,
                        rep, drawn, knocker, m0, m1, lays, False, s0, s1)
        if cur:
            h1 |= _BIT[up]
            ok = _can_knock(h1)
        else:
            h0 |= _BIT[up]
            ok = _can_knock(h0)
        return (_DISCARD, cur, h0, h1, stock, n, -1, up, pile, passed, rep,
                drawn, knocker, m0, m1, lays, ok, s0, s1)

    if phase == _WALL:
        if action == _PASS:
            return (_OVER, -4, h0, h1, stock, n, up, prev, pile, passed, rep,
                    drawn, knocker, m0, m1, lays, False, s0, s1)
        if cur:
            h1 |= _BIT[up]
        else:
            h0 |= _BIT[up]
        return (_KNOCK_D, cur, h0, h1, stock, n, -1, prev, pile, passed, rep,
                drawn, cur, m0, m1, lays, False, s0, s1)

    if phase == _KNOCK_D:
        if cur:
            h1 ^= _BIT[action]
        else:
            h0 ^= _BIT[action]
        return (_KNOCK_M, cur, h0, h1, stock, n, up, prev, pile + (action,),
                passed, rep, drawn, knocker, m0, m1, lays, False, s0, s1)

    if action == _PASS:
        if phase == _KNOCK_M:
            phase = _LAYOFF if (h1 if cur else h0) else _LAYMELD
            cur = 1 - cur
        elif phase == _LAYOFF:
            phase = _LAYMELD
        else:
            phase = _OVER
            cur = -4
        return (phase, cur, h0, h1, stock, n, up, prev, pile, passed, rep,
                drawn, knocker, m0, m1, lays, False, s0, s1)

    if action < 52:
        # lay off
        if cur:
            h1 ^= _BIT[action]
        else:
            h0 ^= _BIT[action]
        lays = lays + (action,)
    elif cur:
        h1 ^= _MELD_MASK[action]
        m1 = m1 + (action,)
    else:
        h0 ^= _MELD_MASK[action]
        m0 = m0 + (action,)
    return (phase, cur, h0, h1, stock, n, up, prev, pile, passed, rep,
            drawn, knocker, m0, m1, lays, False, s0, s1)


def returns(state):
    knocker = state[12]
    if state[0] != _OVER or knocker < 0:
        return [0.0, 0.0]
    own = _total(state[2 + knocker])
    gain = _total(state[3 - knocker]) - own
    if own == 0:
        gain += 25
    elif gain < 0:
        gain -= 25
    if knocker:
        return [float(-gain), float(gain)]
    return [float(gain), float(-gain)]


def action_name(state, action):
    phase = state[0]
    if phase == _DEAL or phase == _DRAWN:
        return 'deal ' + _CARD_NAME[action]
    if action < 52:
        if phase == _LAYOFF:
            return 'lay off ' + _CARD_NAME[action]
        return 'discard ' + _CARD_NAME[action]
    if action >= _MELD_BASE:
        return _MELD_NAME[action]
    if action == _DRAW_UPCARD:
        return 'draw upcard'
    if action == _DRAW_STOCK:
        return 'draw stock'
    if action == _KNOCK:
        return 'knock'
    if phase == _FIRST or phase == _WALL:
        return 'pass'
    return 'done'


def observation(state, player):
    (phase, cur, h0, h1, stock, n, up, prev, pile, passed, rep, drawn,
     knocker, m0, m1, lays, aux, s0, s1) = state
    if player:
        own = h1
        other = h0
    else:
        own = h0
        other = h1
    opp_hand = None
    opp_dead = None
    if knocker >= 0:
        dead = _total(own)
        if knocker != player or phase >= _LAYOFF:
            opp_hand = _names(other)
            opp_dead = _total(other)
    elif phase == _DEAL:
        dead = 0
    elif phase == _DISCARD and cur == player:
        dead = _count11(own)
    else:
        dead = _count10(own)
    return {
        'phase': _PHASE_NAME[phase],
        'hand': _names(own),
        'deadwood': dead,
        'upcard': _CARD_NAME[up] if up >= 0 else None,
        'previous_upcard': _CARD_NAME[prev] if prev >= 0 else None,
        'discard_pile': [_CARD_NAME[card] for card in pile],
        'stock': n,
        'passed': [bool(passed & 1), bool(passed & 2)],
        'repeated_move': rep,
        'upcards_drawn': drawn,
        'knock_card': _KNOCK_CARD,
        'knocker': knocker if knocker >= 0 else None,
        'melds': [[list(_MELD_CARDS[m]) for m in m0],
                  [list(_MELD_CARDS[m]) for m in m1]],
        'layoffs': [_CARD_NAME[card] for card in lays],
        'layoffs_over': phase == _LAYMELD or (phase == _OVER and knocker >= 0),
        'opponent_hand': opp_hand,
        'opponent_deadwood': opp_dead,
    }


def information_state(state, player):
    knocker = state[12]
    if knocker >= 0 and (knocker != player or state[0] >= _LAYOFF):
        return (player, state[17 + player], state[3 - player])
    return (player, state[17 + player], -1)


def _meld_action(cards):
    return _ACTION['meld ' + ' '.join(cards)]


def _parse(player, history):
    """What the player's history tells.

    acts: the actions, -1 for the cards dealt to the opponent; slots: where
    those are; own: where the player's cards are dealt; events: what changes
    the opponent's hand (-1 a hidden card, c an upcard taken, 64 + c a discard,
    128 + c a pass at the wall with upcard c); ds: the discards that were
    hidden cards, with the number of hidden cards dealt before; hidden: mask of
    the other hidden cards, if they have been shown, else -1; unseen: mask of
    the cards that the player has not seen in play."""
    opp = 1 - player
    acts = []
    slots = []
    own = []
    events = []
    ds = []
    known = 0
    seen = 0
    hidden = -1
    drawer = 0
    obs = history[0][0]
    phase = obs['phase']
    for i in range(len(history) - 1):
        nxt = history[i + 1][0]
        nphase = nxt['phase']
        name = history[i][1]
        if phase == 'deal':
            if i == 20:
                a = _CARD[nxt['upcard']]
                seen |= _BIT[a]
            else:
                if i < 10:
                    to = 0
                elif i < 20:
                    to = 1
                else:
                    to = drawer
                if to == player:
                    before = obs['hand']
                    a = -1
                    for x in nxt['hand']:
                        if x not in before:
                            a = _CARD[x]
                            break
                    seen |= _BIT[a]
                    own.append(i)
                else:
                    a = -1
                    slots.append(i)
                    events.append(-1)
        elif name is not None:
            a = _ACTION[name]
            if a == _DRAW_STOCK:
                drawer = player
        elif phase == 'draw':
            if nphase == 'deal':
                a = _DRAW_STOCK
                drawer = opp
            else:
                a = _DRAW_UPCARD
                if nphase != 'over':
                    c = _CARD[obs['upcard']]
                    known |= _BIT[c]
                    events.append(c)
        elif phase == 'discard':
            if nphase == 'knock':
                a = _KNOCK
            else:
                a = _CARD[nxt['upcard']]
                bit = _BIT[a]
                if known & bit:
                    known ^= bit
                else:
                    ds.append((a, len(slots)))
                    seen |= bit
                events.append(64 + a)
        elif phase == 'first upcard':
            if nphase == 'deal':
                a = _DRAW_STOCK
                drawer = opp
            elif nphase == 'discard':
                a = _DRAW_UPCARD
                c = _CARD[obs['upcard']]
                known |= _BIT[c]
                events.append(c)
            else:
                a = _PASS
        elif phase == 'wall':
            c = _CARD[obs['upcard']]
            if nphase == 'over':
                a = _PASS
                events.append(128 + c)
            else:
                a = _KNOCK
                known |= _BIT[c]
        elif phase == 'knock':
            if nphase == 'layoff':
                a = _PASS
            elif len(nxt['discard_pile']) != len(obs['discard_pile']):
                a = _CARD[nxt['discard_pile'][-1]]
            else:
                a = _meld_action(nxt['melds'][opp][-1])
        else:
            # layoff
            if nphase == 'over':
                a = _PASS
            elif nxt['layoffs_over'] and not obs['layoffs_over']:
                a = _PASS
            elif len(nxt['layoffs']) != len(obs['layoffs']):
                a = _CARD[nxt['layoffs'][-1]]
            else:
                a = _meld_action(nxt['melds'][opp][-1])
        acts.append(a)
        if hidden < 0 and (nphase == 'knock' or nphase == 'layoff'):
            shown = nxt['opponent_hand']
            if shown is not None:
                hidden = _mask_of(shown) & ~known
        obs = nxt
        phase = nphase
    return acts, slots, own, events, ds, hidden, _ALL & ~seen


def _draw_hidden(slots, events, ds, hidden, unseen, rand):
    """Draws the cards dealt to the opponent, in order; also gives the
    opponent's hand after the events."""
    count = len(slots)
    source = _cards(hidden if hidden >= 0 else unseen)
    while True:
        cards = [-1] * count
        free = []
        upto = 0
        for card, limit in ds:
            while upto < limit:
                free.append(upto)
                upto += 1
            r = int(rand() * len(free))
            cards[free[r]] = card
            free[r] = free[-1]
            free.pop()
        while upto < count:
            free.append(upto)
            upto += 1
        pool = list(source)
        for slot in free:
            r = int(rand() * len(pool))
            cards[slot] = pool[r]
            pool[r] = pool[-1]
            pool.pop()
        # Weigh by the probability of the opponent's choices.
        hand = 0
        k = 0
        good = True
        for e in events:
            if e < 0:
                hand |= _BIT[cards[k]]
                k += 1
            elif e < 64:
                hand |= _BIT[e]
            elif e < 128:
                if _can_knock(hand) and rand() * 12.0 < 1.0:
                    good = False
                    break
                hand ^= _BIT[e - 64]
            elif _can_knock(hand | _BIT[e - 128]) and rand() < 0.5:
                good = False
                break
        if good:
            return cards, hand


def resample_history(player, history, rand):
    acts, slots, own, events, ds, hidden, unseen = _parse(player, history)
    cards, hand = _draw_hidden(slots, events, ds, hidden, unseen, rand)
    for k in range(len(slots)):
        acts[slots[k]] = cards[k]
    return acts


def resample_state(player, history, rand):
    last = history[-1][0]
    name = last['phase']
    if name == 'deal':
        state = _INITIAL
        for a in resample_history(player, history, rand):
            state = apply_action(state, a)
        return state
    acts, slots, own, events, ds, hidden, unseen = _parse(player, history)
    cards, opp_hand = _draw_hidden(slots, events, ds, hidden, unseen, rand)
    own_history = ''.join([_CHR[a] for a in acts])
    stock = unseen
    for k in range(len(slots)):
        card = cards[k]
        acts[slots[k]] = card
        stock &= ~_BIT[card]
    for i in own:
        acts[i] = -1
    opp_history = ''.join([_CHR[a] for a in acts])

    own_hand = _mask_of(last['hand'])
    if last['opponent_hand'] is not None:
        opp_hand = _mask_of(last['opponent_hand'])
    up = _CARD[last['upcard']]
    cur = player
    aux = False
    if name == 'draw':
        phase = _DRAW
    elif name == 'discard':
        phase = _DISCARD
        aux = last['deadwood'] <= _KNOCK_CARD
    elif name == 'first upcard':
        phase = _FIRST
    elif name == 'wall':
        phase = _WALL
        aux = _can_knock(own_hand | _BIT[up])
    elif name == 'knock':
        phase = _KNOCK_D if len(last['hand']) == 11 else _KNOCK_M
    elif name == 'layoff':
        phase = _LAYMELD if last['layoffs_over'] else _LAYOFF
    else:
        phase = _OVER
        cur = -4
    passed = last['passed']
    knocker = last['knocker']
    if knocker is None:
        knocker = -1
        m0 = ()
        m1 = ()
        lays = ()
    else:
        m0 = tuple([_meld_action(m) for m in last['melds'][0]])
        m1 = tuple([_meld_action(m) for m in last['melds'][1]])
        lays = tuple([_CARD[x] for x in last['layoffs']])
    if player:
        h0, h1, s0, s1 = opp_hand, own_hand, opp_history, own_history
    else:
        h0, h1, s0, s1 = own_hand, opp_hand, own_history, opp_history
    return (phase, cur, h0, h1, stock, last['stock'], up,
            _CARD[last['previous_upcard']],
            tuple([_CARD[x] for x in last['discard_pile']]),
            (1 if passed[0] else 0) | (2 if passed[1] else 0),
            bool(last['repeated_move']), last['upcards_drawn'],
            knocker, m0, m1, lays, aux, s0, s1)
