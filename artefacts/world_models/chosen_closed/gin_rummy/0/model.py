NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 241
MAX_CHANCE_OUTCOMES = 52
MAX_GAME_LENGTH = 200
MIN_UTILITY = -125.0
MAX_UTILITY = 125.0

# ---------------------------------------------------------------- tables

_RANKS = 'A23456789TJQK'
_SUITS = 'scdh'
_CARD = [r + s for s in _SUITS for r in _RANKS]
_ID = {name: i for i, name in enumerate(_CARD)}
_BIT = [1 << i for i in range(52)]
_BITN = {name: 1 << i for i, name in enumerate(_CARD)}
_CH = [chr(i) for i in range(256)]
_HID = chr(255)
_CHN = {name: chr(i) for i, name in enumerate(_CARD)}
_NAME_OF_CH = {chr(i): name for i, name in enumerate(_CARD)}
_FULL = (1 << 52) - 1
_PTS = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10]
_TOP = [0] + _PTS
_CPTS = _PTS * 4
_SPREAD = 1 | (1 << 13) | (1 << 26) | (1 << 39)
_KNOCK_CARD = 10
_MAX_UPCARDS = 50

_DRAW_UP = 52
_DRAW_STOCK = 53
_PASS = 54
_KNOCK = 55

# phases
_P_DEAL = 0
_P_FIRST = 1
_P_DRAW = 2
_P_DISCARD = 3
_P_WALL = 4
_P_KDISC = 5
_P_KMELD = 6
_P_LAYOFF = 7
_P_LMELD = 8
_P_OVER = 9
_PHASE_NAMES = ('deal', 'first upcard', 'draw', 'discard', 'wall', 'knock',
                'knock', 'layoff', 'layoff', 'over')
_PHASE_CODE = {'deal': 0, 'first upcard': 1, 'draw': 2, 'discard': 3,
               'wall': 4, 'over': 9}

_NOEND = (-1, (), (), ())


def _build_val():
    val = [0] * 8192
    for m in range(1, 8192):
        low = m & -m
        val[m] = val[m ^ low] + _PTS[low.bit_length() - 1]
    return val


_VAL = _build_val()


def _build_cards(s):
    t = [()] * 8192
    for m in range(1, 8192):
        low = m & -m
        t[m] = (13 * s + low.bit_length() - 1,) + t[m ^ low]
    return t


_C0 = _build_cards(0)
_C1 = _build_cards(1)
_C2 = _build_cards(2)
_C3 = _build_cards(3)

_START3 = 0
for _s in range(4):
    for _r in range(11):
        _START3 |= 1 << (13 * _s + _r)

# melds, indexed by the number of the action
_MM = [0] * 56          # mask
_MV = [0] * 56          # value
_MN = [()] * 56         # names of the cards
_BELOW = [0] * 56       # next below (or, for a set of three, the fourth card)
_BELOW2 = [0] * 56
_ABOVE = [0] * 56
_ABOVE2 = [0] * 56

_SETS = []              # by rank: five pairs (mask, value)
_RUN = {3: [None] * 52, 4: [None] * 52, 5: [None] * 52}
_RUNID = {3: [0] * 52, 4: [0] * 52, 5: [0] * 52}


def _build_melds():
    def add(cards, below, below2, above, above2):
        mask = 0
        value = 0
        for c in cards:
            mask |= 1 << c
            value += _CPTS[c]
        _MM.append(mask)
        _MV.append(value)
        _MN.append(tuple([_CARD[c] for c in cards]))
        _BELOW.append(below)
        _BELOW2.append(below2)
        _ABOVE.append(above)
        _ABOVE2.append(above2)
        return (mask, value)

    for r in range(13):
        five = []
        for miss in range(4):
            five.append(add([13 * s + r for s in range(4) if s != miss],
                            1 << (13 * miss + r), 0, 0, 0))
        five.append(add([13 * s + r for s in range(4)], 0, 0, 0, 0))
        _SETS.append(tuple(five))
    for length in (3, 4, 5):
        for s in range(4):
            for low in range(14 - length):
                first = 13 * s + low
                high = low + length - 1
                last = 13 * s + high
                _RUNID[length][first] = len(_MM)
                _RUN[length][first] = add(
                    list(range(first, last + 1)),
                    1 << (first - 1) if low >= 1 else 0,
                    1 << (first - 2) if low >= 2 else 0,
                    1 << (last + 1) if high <= 11 else 0,
                    1 << (last + 2) if high <= 10 else 0)


_build_melds()

_RUN3 = _RUN[3]
_RUN4 = _RUN[4]
_RUN5 = _RUN[5]
_RUN3ID = _RUNID[3]
_RUN4ID = _RUNID[4]
_RUN5ID = _RUNID[5]

# order for ties: set of four, without d, without c; later without h, without s
_FOUR_A = [(q[4], q[2], q[1]) for q in _SETS]
_FOUR_B = [(q[3], q[0]) for q in _SETS]

_MELD_ID = {}
for _i in range(56, 241):
    _MELD_ID[' '.join(_MN[_i])] = _i
_MELD_NAME = [''] * 56 + ['meld ' + ' '.join(_MN[_i]) for _i in range(56, 241)]

_ACTION_OF = {'draw upcard': _DRAW_UP, 'draw stock': _DRAW_STOCK,
              'pass': _PASS, 'done': _PASS, 'knock': _KNOCK}
for _i in range(52):
    _ACTION_OF['discard ' + _CARD[_i]] = _i
    _ACTION_OF['lay off ' + _CARD[_i]] = _i
for _i in range(56, 241):
    _ACTION_OF[_MELD_NAME[_i]] = _i

_DEAL_NAME = ['deal ' + x for x in _CARD]
_DISCARD_NAME = ['discard ' + x for x in _CARD]
_LAYOFF_NAME = ['lay off ' + x for x in _CARD]


# ---------------------------------------------------------------- hands

def _cards(h):
    return [*_C0[h & 8191], *_C1[h >> 13 & 8191], *_C2[h >> 26 & 8191],
            *_C3[h >> 39]]


def _names(h):
    return [_CARD[c] for c in _cards(h)]


def _value(h):
    return (_VAL[h & 8191] + _VAL[h >> 13 & 8191] + _VAL[h >> 26 & 8191]
            + _VAL[h >> 39])


def _mask(names):
    m = 0
    for x in names:
        m |= _BITN[x]
    return m


def _search(ms, used, val, best):
    i = 0
    for m, v in ms:
        i += 1
        nv = val + v
        nu = used | m
        if nv > best[0]:
            best[0] = nv
            best[1] = nu
        rest = [x for x in ms[i:] if not x[0] & m]
        if rest:
            _search(rest, nu, nv, best)


def _best(h):
    """(value, mask) of the first arrangement whose melds count most."""
    a = h & 8191
    b = h >> 13 & 8191
    c = h >> 26 & 8191
    d = h >> 39
    ab = a & b
    cd = c & d
    t = (ab & (c | d)) | (cd & (a | b))
    r3 = h & (h >> 1) & (h >> 2) & _START3
    if not t and not r3:
        return (0, 0)
    ms = []
    if t:
        f = ab & cd
        x = f
        while x:
            lo = x & -x
            x ^= lo
            ms.extend(_FOUR_A[lo.bit_length() - 1])
        x = t
        while x:
            lo = x & -x
            x ^= lo
            r = lo.bit_length() - 1
            if lo & f:
                ms.extend(_FOUR_B[r])
            else:
                ms.append(((lo * _SPREAD) & h, 3 * _PTS[r]))
    if r3:
        r4 = r3 & (r3 >> 1)
        if r4:
            x = r4 & (r4 >> 1)
            while x:
                lo = x & -x
                x ^= lo
                ms.append(_RUN5[lo.bit_length() - 1])
            x = r4
            while x:
                lo = x & -x
                x ^= lo
                ms.append(_RUN4[lo.bit_length() - 1])
        x = r3
        while x:
            lo = x & -x
            x ^= lo
            ms.append(_RUN3[lo.bit_length() - 1])
    if len(ms) == 1:
        m, v = ms[0]
        return (v, m)
    best = [0, 0]
    _search(ms, 0, 0, best)
    return (best[0], best[1])


def _count10(h):
    return _value(h) - _best(h)[0]


def _count11(h):
    o = h ^ _best(h)[1]
    a = o & 8191
    b = o >> 13 & 8191
    c = o >> 26 & 8191
    d = o >> 39
    return (_VAL[a] + _VAL[b] + _VAL[c] + _VAL[d]
            - _TOP[(a | b | c | d).bit_length()])


def _knockable(h):
    """Whether the count of these 11 cards is at most the knock card."""
    a = h & 8191
    b = h >> 13 & 8191
    c = h >> 26 & 8191
    d = h >> 39
    t = (a & b & (c | d)) | (c & d & (a | b))
    r = h & (h >> 1) & (h >> 2) & _START3
    o = h & ~(r | (r << 1) | (r << 2) | (t * _SPREAD))
    a = o & 8191
    b = o >> 13 & 8191
    c = o >> 26 & 8191
    d = o >> 39
    low = (_VAL[a] + _VAL[b] + _VAL[c] + _VAL[d]
           - _TOP[(a | b | c | d).bit_length()])
    if low > _KNOCK_CARD:
        return False
    return _count11(h) <= _KNOCK_CARD


def _meld_actions(h):
    """All melds of cards in h, ascending by action."""
    a = h & 8191
    b = h >> 13 & 8191
    c = h >> 26 & 8191
    d = h >> 39
    x = (a & b & (c | d)) | (c & d & (a | b))
    out = []
    while x:
        lo = x & -x
        x ^= lo
        base = 51 + 5 * lo.bit_length()
        if not lo & a:
            out.append(base)
        elif not lo & b:
            out.append(base + 1)
        elif not lo & c:
            out.append(base + 2)
        elif not lo & d:
            out.append(base + 3)
        else:
            out.extend(range(base, base + 5))
    r3 = h & (h >> 1) & (h >> 2) & _START3
    if r3:
        x = r3
        while x:
            lo = x & -x
            x ^= lo
            out.append(_RUN3ID[lo.bit_length() - 1])
        r4 = r3 & (r3 >> 1)
        if r4:
            x = r4
            while x:
                lo = x & -x
                x ^= lo
                out.append(_RUN4ID[lo.bit_length() - 1])
            x = r4 & (r4 >> 1)
            while x:
                lo = x & -x
                x ^= lo
                out.append(_RUN5ID[lo.bit_length() - 1])
    return out


# ---------------------------------------------------------------- the game
#
# A state is a tuple:
#  0 phase, 1 current player (-1 chance, -4 over), 2 turn (in the phase "deal"
#  the player who has drawn), 3 hand of player 0, 4 hand of player 1,
#  5 stock (mask), 6 size of the stock, 7 upcard (-1: none), 8 previous upcard,
#  9 discard pile (str), 10 passed (bits), 11 repeated move, 12 upcards drawn,
#  13 count of the 11 cards in the phase "discard" (else 0),
#  14 (knocker, melds of player 0, melds of player 1, layoffs),
#  15 what player 0 has seen, 16 what player 1 has seen (str)

_INITIAL = (_P_DEAL, -1, 0, 0, 0, _FULL, 52, -1, -1, '', 0, 0, 0, 0, _NOEND,
            '', '')


def initial_state():
    return _INITIAL


def current_player(state):
    return state[1]


def legal_actions(state):
    ph = state[0]
    turn = state[2]
    h = state[3 + turn]
    if ph == _P_DISCARD:
        out = [*_C0[h & 8191], *_C1[h >> 13 & 8191], *_C2[h >> 26 & 8191],
               *_C3[h >> 39]]
        if state[13] <= _KNOCK_CARD:
            out.append(_KNOCK)
        return out
    if ph == _P_DRAW:
        return [_DRAW_UP, _DRAW_STOCK]
    if ph == _P_FIRST:
        if state[10] == 3:
            return [_DRAW_STOCK]
        return [_DRAW_UP, _PASS]
    if ph == _P_WALL:
        if _knockable(h | _BIT[state[7]]):
            return [_PASS, _KNOCK]
        return [_PASS]
    if ph == _P_KDISC:
        total = _value(h)
        bv, bm = _best(h)
        out = []
        for c in _cards(h):
            left = total - _CPTS[c]
            if left - bv > _KNOCK_CARD:
                continue
            bit = _BIT[c]
            if not bm & bit or left - _best(h ^ bit)[0] <= _KNOCK_CARD:
                out.append(c)
        return out
    if ph == _P_KMELD:
        total = _value(h)
        ms = _meld_actions(h)
        if total <= _KNOCK_CARD:
            return [_PASS] + ms
        return [m for m in ms
                if total - _MV[m] - _best(h ^ _MM[m])[0] <= _KNOCK_CARD]
    if ph == _P_LAYOFF:
        end = state[14]
        laid = 0
        for c in end[3]:
            laid |= _BIT[c]
        fit = 0
        for m in end[1 + end[0]]:
            x = _BELOW[m]
            fit |= x
            if x & laid:
                fit |= _BELOW2[m]
            x = _ABOVE[m]
            fit |= x
            if x & laid:
                fit |= _ABOVE2[m]
        out = _cards(fit & h)
        out.append(_PASS)
        return out
    if ph == _P_LMELD:
        return [_PASS] + _meld_actions(h)
    return []


def chance_outcomes(state):
    if state[0] != _P_DEAL:
        return []
    p = 1.0 / state[6]
    return [(c, p) for c in _cards(state[5])]


def apply_action(state, action):
    (ph, cp, turn, h0, h1, stock, n, up, prev, pile, passed, rep, drawn, dead,
     end, v0, v1) = state
    ch = _CH[action]

    if ph == _P_DEAL:
        bit = _BIT[action]
        stock ^= bit
        if n > 42:
            return (_P_DEAL, -1, 0, h0 | bit, h1, stock, n - 1, -1, -1, '', 0,
                    0, 0, 0, _NOEND, v0 + ch, v1 + _HID)
        if n > 32:
            return (_P_DEAL, -1, 0, h0, h1 | bit, stock, n - 1, -1, -1, '', 0,
                    0, 0, 0, _NOEND, v0 + _HID, v1 + ch)
        if n == 32:
            return (_P_FIRST, 0, 0, h0, h1, stock, 31, action, -1, '', 0,
                    0, 0, 0, _NOEND, v0 + ch, v1 + ch)
        if turn == 0:
            h0 |= bit
            dead = _count11(h0)
            v0 += ch
            v1 += _HID
        else:
            h1 |= bit
            dead = _count11(h1)
            v0 += _HID
            v1 += ch
        return (_P_DISCARD, turn, turn, h0, h1, stock, n - 1, -1, prev, pile,
                passed, rep, drawn, dead, end, v0, v1)

    v0 += ch
    v1 += ch

    if ph == _P_DISCARD:
        if action == _KNOCK:
            return (_P_KDISC, turn, turn, h0, h1, stock, n, -1, prev, pile,
                    passed, rep, drawn, 0, (turn, (), (), ()), v0, v1)
        if turn:
            h1 ^= _BIT[action]
        else:
            h0 ^= _BIT[action]
        if action == prev:
            if rep:
                return (_P_OVER, -4, 0, h0, h1, stock, n, action, prev, pile,
                        passed, 1, drawn, 0, end, v0, v1)
            rep = 1
        else:
            rep = 0
        turn = 1 - turn
        return (_P_WALL if n == 2 else _P_DRAW, turn, turn, h0, h1, stock, n,
                action, prev, pile, passed, rep, drawn, 0, end, v0, v1)

    if ph == _P_DRAW or ph == _P_FIRST:
        if action == _DRAW_STOCK:
            return (_P_DEAL, -1, turn, h0, h1, stock, n, -1, up,
                    pile + _CH[up], passed, rep, drawn, 0, end, v0, v1)
        if action == _DRAW_UP:
            if ph == _P_DRAW:
                drawn += 1
                if drawn == _MAX_UPCARDS:
                    return (_P_OVER, -4, 0, h0, h1, stock, n, up, up, pile,
                            passed, rep, drawn, 0, end, v0, v1)
            if turn:
                h1 |= _BIT[up]
                dead = _count11(h1)
            else:
                h0 |= _BIT[up]
                dead = _count11(h0)
            return (_P_DISCARD, turn, turn, h0, h1, stock, n, -1, up, pile,
                    passed, rep, drawn, dead, end, v0, v1)
        # pass on the first upcard
        passed |= 1 << turn
        turn = 1 - turn
        return (_P_FIRST, turn, turn, h0, h1, stock, n, up, prev, pile,
                passed, rep, drawn, 0, end, v0, v1)

    if ph == _P_WALL:
        if action == _KNOCK:
            if turn:
                h1 |= _BIT[up]
            else:
                h0 |= _BIT[up]
            return (_P_KDISC, turn, turn, h0, h1, stock, n, -1, prev, pile,
                    passed, rep, drawn, 0, (turn, (), (), ()), v0, v1)
        return (_P_OVER, -4, 0, h0, h1, stock, n, up, prev, pile, passed, rep,
                drawn, 0, end, v0, v1)

    if ph == _P_KDISC:
        if turn:
            h1 ^= _BIT[action]
        else:
            h0 ^= _BIT[action]
        return (_P_KMELD, turn, turn, h0, h1, stock, n, up, prev, pile + ch,
                passed, rep, drawn, 0, end, v0, v1)

    if ph == _P_LAYOFF and action < 52:
        if turn:
            h1 ^= _BIT[action]
        else:
            h0 ^= _BIT[action]
        end = (end[0], end[1], end[2], end[3] + (action,))
    elif action == _PASS:
        if ph == _P_KMELD:
            ph = _P_LAYOFF if (h1 if turn else h0) else _P_LMELD
            turn = 1 - turn
        elif ph == _P_LAYOFF:
            ph = _P_LMELD
        else:
            return (_P_OVER, -4, 0, h0, h1, stock, n, up, prev, pile, passed,
                    rep, drawn, 0, end, v0, v1)
    else:
        if turn:
            h1 ^= _MM[action]
            end = (end[0], end[1], end[2] + (action,), end[3])
        else:
            h0 ^= _MM[action]
            end = (end[0], end[1] + (action,), end[2], end[3])
    return (ph, turn, turn, h0, h1, stock, n, up, prev, pile, passed, rep,
            drawn, 0, end, v0, v1)


def returns(state):
    if state[0] != _P_OVER:
        return [0.0, 0.0]
    k = state[14][0]
    if k < 0:
        return [0.0, 0.0]
    mine = _value(state[3 + k])
    diff = _value(state[4 - k]) - mine
    if mine == 0:
        diff += 25
    elif diff < 0:
        diff -= 25
    if k == 0:
        return [float(diff), float(-diff)]
    return [float(-diff), float(diff)]


def action_name(state, action):
    ph = state[0]
    if ph == _P_DEAL:
        return _DEAL_NAME[action]
    if action < 52:
        if ph == _P_LAYOFF:
            return _LAYOFF_NAME[action]
        return _DISCARD_NAME[action]
    if action >= 56:
        return _MELD_NAME[action]
    if action == _DRAW_UP:
        return 'draw upcard'
    if action == _DRAW_STOCK:
        return 'draw stock'
    if action == _KNOCK:
        return 'knock'
    if ph == _P_FIRST or ph == _P_WALL:
        return 'pass'
    return 'done'


def observation(state, player):
    (ph, cp, turn, h0, h1, stock, n, up, prev, pile, passed, rep, drawn, dead,
     end, v0, v1) = state
    if player:
        h = h1
        other = h0
    else:
        h = h0
        other = h1
    knocker = end[0]
    opp_hand = None
    opp_dead = None
    if knocker >= 0:
        count = _value(h)
        if knocker != player or ph >= _P_LAYOFF:
            opp_hand = _names(other)
            opp_dead = _value(other)
    elif ph == _P_DEAL and n >= 32:
        count = 0
    elif ph == _P_DISCARD and turn == player:
        count = dead
    else:
        count = _count10(h)
    return {
        'phase': _PHASE_NAMES[ph],
        'hand': _names(h),
        'deadwood': count,
        'upcard': None if up < 0 else _CARD[up],
        'previous_upcard': None if prev < 0 else _CARD[prev],
        'discard_pile': [_NAME_OF_CH[x] for x in pile],
        'stock': n,
        'passed': [bool(passed & 1), bool(passed & 2)],
        'repeated_move': bool(rep),
        'upcards_drawn': drawn,
        'knock_card': _KNOCK_CARD,
        'knocker': None if knocker < 0 else knocker,
        'melds': [[list(_MN[m]) for m in end[1]],
                  [list(_MN[m]) for m in end[2]]],
        'layoffs': [_CARD[c] for c in end[3]],
        'layoffs_over': ph == _P_LMELD or (ph == _P_OVER and knocker >= 0),
        'opponent_hand': opp_hand,
        'opponent_deadwood': opp_dead,
    }


def information_state(state, player):
    knocker = state[14][0]
    if knocker >= 0 and (knocker != player or state[0] >= _P_LAYOFF):
        return (player, state[15 + player], state[4 - player])
    return (player, state[15 + player], -1)


# ---------------------------------------------------------------- resampling

def _parse(player, history):
    """What is known from a history.

    Returns (events, own, hidden, reveals, script, pool, seen, wall, opened):
    events: the actions, -1 for a hidden card dealt to the opponent;
    own, hidden: the positions of the cards dealt to player and opponent;
    reveals: pairs (number of hidden cards dealt so far, card) of the hidden
    cards that the opponent has discarded; script: what happened to the
    opponent's hand (-1: the next hidden card, 64 + card: takes the upcard,
    card: discards it); pool: the cards for the other hidden places;
    seen: mask of the cards known to be out of the stock; wall: the upcard if
    the opponent has passed at the wall, else -1; opened: whether the
    opponent's hand has been opened.
    """
    opp = 1 - player
    ev = []
    push = ev.append
    own = []
    hidden = []
    reveals = []
    script = []
    known = 0
    seen = 0
    pool = None
    wall = -1
    o, a = history[0]
    for i in range(1, len(history)):
        o2, a2 = history[i]
        if a is not None:
            push(_ACTION_OF[a])
            if pool is None and a == 'done':
                pool = _mask(o2['opponent_hand']) & ~known
                seen |= pool
        else:
            ph = o['phase']
            if ph == 'deal':
                before = o['hand']
                after = o2['hand']
                if len(after) > len(before):
                    c = -1
                    for x in after:
                        if x not in before:
                            c = _ID[x]
                            break
                    own.append(i - 1)
                    push(c)
                    seen |= _BIT[c]
                elif o['stock'] == 32:
                    c = _ID[o2['upcard']]
                    push(c)
                    seen |= _BIT[c]
                else:
                    hidden.append(i - 1)
                    push(-1)
                    script.append(-1)
            elif ph == 'discard':
                if o2['phase'] == 'knock':
                    push(_KNOCK)
                    pool = _mask(o2['opponent_hand']) & ~known
                    seen |= pool
                else:
                    c = _ID[o2['upcard']]
                    push(c)
                    b = _BIT[c]
                    if known & b:
                        known ^= b
                    else:
                        reveals.append((len(hidden), c))
                        seen |= b
                    script.append(c)
            elif ph == 'draw' or ph == 'first upcard':
                ph2 = o2['phase']
                if ph2 == 'deal':
                    push(_DRAW_STOCK)
                elif ph2 == 'first upcard':
                    push(_PASS)
                else:
                    push(_DRAW_UP)
                    if ph2 == 'discard':
                        c = _ID[o['upcard']]
                        known |= _BIT[c]
                        script.append(64 + c)
            elif ph == 'wall':
                if o2['phase'] == 'knock':
                    push(_KNOCK)
                    known |= _BITN[o['upcard']]
                    pool = _mask(o2['opponent_hand']) & ~known
                    seen |= pool
                else:
                    push(_PASS)
                    wall = _ID[o['upcard']]
            elif ph == 'knock':
                if len(o2['discard_pile']) > len(o['discard_pile']):
                    push(_ID[o2['discard_pile'][-1]])
                elif o2['phase'] != 'knock':
                    push(_PASS)
                else:
                    push(_MELD_ID[' '.join(o2['melds'][opp][-1])])
            else:
                if len(o2['layoffs']) > len(o['layoffs']):
                    push(_ID[o2['layoffs'][-1]])
                elif (o2['phase'] == 'over'
                      or o2['layoffs_over'] != o['layoffs_over']):
                    push(_PASS)
                else:
                    push(_MELD_ID[' '.join(o2['melds'][opp][-1])])
        o = o2
        a = a2
    if pool is None:
        opened = False
        pool = _FULL & ~seen
    else:
        opened = True
        # after the last hidden card the hand is known: no weights there
        k = len(script)
        while k and script[k - 1] >= 0:
            k -= 1
        script = script[:k]
    return (ev, own, hidden, reveals, script, _cards(pool), seen, wall, opened)


def _draw(places, reveals, script, pool, wall, rand):
    """The hidden cards in the order of their dealing, and the hand of the
    opponent at the end of the script."""
    while True:
        cards = [0] * places
        free = []
        k = 0
        for avail, c in reveals:
            if k < avail:
                free.extend(range(k, avail))
                k = avail
            j = int(rand() * len(free))
            cards[free[j]] = c
            last = free.pop()
            if j < len(free):
                free[j] = last
        free.extend(range(k, places))
        rest = pool[:]
        m = len(rest)
        for s in free:
            j = int(rand() * m)
            m -= 1
            cards[s] = rest[j]
            rest[j] = rest[m]
        # keep it with the probability of the opponent's choices
        h = 0
        k = 0
        for op in script:
            if op < 0:
                h |= _BIT[cards[k]]
                k += 1
            elif op >= 64:
                h |= _BIT[op - 64]
            else:
                if _knockable(h) and rand() * 12.0 < 1.0:
                    break
                h ^= _BIT[op]
        else:
            if wall < 0 or not _knockable(h | _BIT[wall]) or rand() < 0.5:
                return cards, h


def resample_history(player, history, rand):
    (ev, own, hidden, reveals, script, pool, seen, wall,
     opened) = _parse(player, history)
    cards, h = _draw(len(hidden), reveals, script, pool, wall, rand)
    k = 0
    for pos in hidden:
        ev[pos] = cards[k]
        k += 1
    return ev


def resample_state(player, history, rand):
    (ev, own, hidden, reveals, script, pool, seen, wall,
     opened) = _parse(player, history)
    cards, theirs = _draw(len(hidden), reveals, script, pool, wall, rand)
    opp = 1 - player
    o = history[-1][0]
    hand = o['hand']
    mine = _mask(hand)
    if opened:
        theirs = _mask(o['opponent_hand'])

    dealt = seen
    for c in cards:
        dealt |= _BIT[c]
    stock = _FULL & ~dealt

    # what both have seen
    for pos in hidden:
        ev[pos] = 255
    view_mine = bytes(ev).decode('latin-1')
    k = 0
    for pos in hidden:
        ev[pos] = cards[k]
        k += 1
    for pos in own:
        ev[pos] = 255
    view_theirs = bytes(ev).decode('latin-1')

    knocker = o['knocker']
    if knocker is None:
        end = _NOEND
    else:
        melds = o['melds']
        end = (knocker,
               tuple([_MELD_ID[' '.join(x)] for x in melds[0]]),
               tuple([_MELD_ID[' '.join(x)] for x in melds[1]]),
               tuple([_ID[x] for x in o['layoffs']]))

    n = o['stock']
    passed = (1 if o['passed'][0] else 0) | (2 if o['passed'][1] else 0)
    name = o['phase']
    dead = 0
    if name == 'knock':
        turn = knocker
        cp = turn
        size = len(hand) if knocker == player else len(o['opponent_hand'])
        ph = _P_KDISC if size == 11 else _P_KMELD
    elif name == 'layoff':
        turn = 1 - knocker
        cp = turn
        ph = _P_LMELD if o['layoffs_over'] else _P_LAYOFF
    else:
        ph = _PHASE_CODE[name]
        if ph == _P_DISCARD:
            if len(hand) == 11:
                turn = player
                dead = o['deadwood']
            else:
                turn = opp
                dead = _count11(theirs)
            cp = turn
        elif ph == _P_DRAW or ph == _P_WALL:
            turn = player if history[-2][1] is None else opp
            cp = turn
        elif ph == _P_FIRST:
            turn = 1 if passed == 1 else 0
            cp = turn
        elif ph == _P_DEAL:
            if n >= 32:
                turn = 0
            else:
                turn = opp if history[-2][1] is None else player
            cp = -1
        else:
            turn = 0
            cp = -4

    up = o['upcard']
    prev = o['previous_upcard']
    pile = ''.join([_CHN[x] for x in o['discard_pile']])
    if player == 0:
        h0 = mine
        h1 = theirs
        v0 = view_mine
        v1 = view_theirs
    else:
        h0 = theirs
        h1 = mine
        v0 = view_theirs
        v1 = view_mine
    return (ph, cp, turn, h0, h1, stock, n,
            -1 if up is None else _ID[up],
            -1 if prev is None else _ID[prev],
            pile, passed, 1 if o['repeated_move'] else 0, o['upcards_drawn'],
            dead, end, v0, v1)
