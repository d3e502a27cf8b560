NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 241
MAX_CHANCE_OUTCOMES = 52
MAX_GAME_LENGTH = 200
MIN_UTILITY = -125.0
MAX_UTILITY = 125.0

_SUITS = 'scdh'
_RANKS = 'A23456789TJQK'
_KNOCK_CARD = 10
_MAX_UPCARDS = 50
_WALL = 2

_UPCARD = 52
_STOCK = 53
_PASS = 54
_KNOCK = 55
_MELD = 56

# phases
_DEAL = 0          # the deal at the start
_DEAL_DRAWN = 1    # chance deals a card drawn from the stock
_FIRST = 2
_DRAW = 3
_DISCARD = 4
_AT_WALL = 5
_KNOCK_DISCARD = 6
_KNOCK_MELD = 7
_LAYOFF = 8
_LAYOFF_MELD = 9
_OVER = 10

_PHASE_NAMES = ('deal', 'deal', 'first upcard', 'draw', 'discard', 'wall',
                'knock', 'knock', 'layoff', 'layoff', 'over')

_M = 0x1FFF
_ALL = (1 << 52) - 1
_K4 = 1 | 1 << 13 | 1 << 26 | 1 << 39

_CARD = tuple(r + s for s in _SUITS for r in _RANKS)
_CARD_ID = {name: i for i, name in enumerate(_CARD)}
_BIT = tuple(1 << i for i in range(52))
_CARD_BIT = {name: 1 << i for i, name in enumerate(_CARD)}
_POINT = tuple(min(r + 1, 10) for r in range(13))
_PT = tuple(_POINT[c % 13] for c in range(52))
_CHR = tuple(chr(i) for i in range(256))
_HID = chr(255)


def _make_suit_tables():
    points = [0] * 8192
    for m in range(1, 8192):
        b = m.bit_length() - 1
        points[m] = points[m ^ (1 << b)] + _POINT[b]
    ids = []
    names = []
    for s in range(4):
        t = [()] * 8192
        u = [()] * 8192
        for m in range(1, 8192):
            b = m.bit_length() - 1
            p = m ^ (1 << b)
            c = 13 * s + b
            t[m] = t[p] + (c,)
            u[m] = u[p] + (_CARD[c],)
        ids.append(t)
        names.append(u)
    return points, ids, names


_PTS, _IDS, _NAMES = _make_suit_tables()
_ID0, _ID1, _ID2, _ID3 = _IDS
_NM0, _NM1, _NM2, _NM3 = _NAMES


def _make_melds():
    melds = []
    for r in range(13):
        for missing in range(4):
            melds.append(tuple(13 * s + r for s in range(4) if s != missing))
        melds.append(tuple(13 * s + r for s in range(4)))
    for length in (3, 4, 5):
        for s in range(4):
            for low in range(14 - length):
                melds.append(tuple(13 * s + low + k for k in range(length)))
    return tuple(melds)


_MELDS = _make_melds()
_MELD_MASK = tuple(sum(1 << c for c in m) for m in _MELDS)
_MELD_VALUE = tuple(sum(_PT[c] for c in m) for m in _MELDS)
_MELD_CARDS = tuple(tuple(_CARD[c] for c in m) for m in _MELDS)
_MELD_NAME = tuple('meld ' + ' '.join(m) for m in _MELD_CARDS)
_MELD_LOW = tuple(m[0] for m in _MELDS)
_MELD_HIGH = tuple(m[-1] for m in _MELDS)
# the fourth card of a set of three
_FOURTH = tuple(((1 << (x // 5)) * _K4) ^ _MELD_MASK[x] for x in range(65))

_V3 = sum(1 << (13 * s + r) for s in range(4) for r in range(11))
_V4 = sum(1 << (13 * s + r) for s in range(4) for r in range(10))
_V5 = sum(1 << (13 * s + r) for s in range(4) for r in range(9))


def _run_tables(length):
    value = [0] * 52
    ident = [0] * 52
    start = {3: 121, 4: 165, 5: 205}[length]
    per_suit = 14 - length
    for s in range(4):
        for r in range(per_suit):
            c = 13 * s + r
            value[c] = sum(_POINT[r + k] for k in range(length))
            ident[c] = start + s * per_suit + r
    return tuple(value), tuple(ident)


_RV3, _RI3 = _run_tables(3)
_RV4, _RI4 = _run_tables(4)
_RV5, _RI5 = _run_tables(5)

_DEAL_NAME = tuple('deal ' + c for c in _CARD)
_DISCARD_NAME = tuple('discard ' + c for c in _CARD)
_LAYOFF_NAME = tuple('lay off ' + c for c in _CARD)


def _make_action_ids():
    table = {'draw upcard': _UPCARD, 'draw stock': _STOCK, 'pass': _PASS,
             'done': _PASS, 'knock': _KNOCK}
    for c in range(52):
        table[_DISCARD_NAME[c]] = c
        table[_LAYOFF_NAME[c]] = c
        table[_DEAL_NAME[c]] = c
    for x in range(len(_MELDS)):
        table[_MELD_NAME[x]] = _MELD + x
    return table


_ACTION_ID = _make_action_ids()

_RATIO = 11.0 / 12.0
_POW = tuple(_RATIO ** k for k in range(400))


# ---------------------------------------------------------------- cards

def _cards(h):
    return (_ID0[h & _M] + _ID1[h >> 13 & _M] + _ID2[h >> 26 & _M]
            + _ID3[h >> 39])


def _names(h):
    return list(_NM0[h & _M] + _NM1[h >> 13 & _M] + _NM2[h >> 26 & _M]
                + _NM3[h >> 39])


def _total(h):
    return (_PTS[h & _M] + _PTS[h >> 13 & _M] + _PTS[h >> 26 & _M]
            + _PTS[h >> 39])


def _best(h):
    """Value and mask of the first arrangement whose melds count most."""
    a = h & _M
    b = h >> 13 & _M
    c = h >> 26 & _M
    d = h >> 39
    trip = (a & b & (c | d)) | (c & d & (a | b))
    r3 = h & (h >> 1) & (h >> 2) & _V3
    if not trip and not r3:
        return 0, 0
    ms = []
    if trip:
        quad = a & b & c & d
        x = quad
        while x:
            low = x & -x
            x ^= low
            base = low * _K4
            p = _POINT[low.bit_length() - 1]
            ms.append((base, 4 * p))
            ms.append((base ^ (low << 26), 3 * p))
            ms.append((base ^ (low << 13), 3 * p))
        x = trip
        while x:
            low = x & -x
            x ^= low
            base = low * _K4
            p = 3 * _POINT[low.bit_length() - 1]
            if low & quad:
                ms.append((base ^ (low << 39), p))
                ms.append((base ^ low, p))
            else:
                ms.append((base & h, p))
    if r3:
        r4 = r3 & (h >> 3) & _V4
        if r4:
            x = r4 & (h >> 4) & _V5
            while x:
                low = x & -x
                x ^= low
                ms.append((low * 31, _RV5[low.bit_length() - 1]))
            x = r4
            while x:
                low = x & -x
                x ^= low
                ms.append((low * 15, _RV4[low.bit_length() - 1]))
        x = r3
        while x:
            low = x & -x
            x ^= low
            ms.append((low * 7, _RV3[low.bit_length() - 1]))
    n = len(ms)
    if n == 1:
        m, v = ms[0]
        return v, m
    best = 0
    best_mask = 0
    for i in range(n):
        mi, vi = ms[i]
        if vi > best:
            best = vi
            best_mask = mi
        for j in range(i + 1, n):
            mj, vj = ms[j]
            if mi & mj:
                continue
            u = mi | mj
            v = vi + vj
            if v > best:
                best = v
                best_mask = u
            for k in range(j + 1, n):
                mk, vk = ms[k]
                if not (u & mk) and v + vk > best:
                    best = v + vk
                    best_mask = u | mk
    return best, best_mask


def _count10(h):
    return _total(h) - _best(h)[0]


def _count11(h):
    v, m = _best(h)
    t = _total(h) - v
    rest = h ^ m
    if rest:
        u = (rest | rest >> 13 | rest >> 26 | rest >> 39) & _M
        t -= _POINT[u.bit_length() - 1]
    return t


def _can_knock(h):
    """Whether 11 cards have a count of at most the knock card."""
    if not (h & (h >> 1) & (h >> 2) & _V3):
        a = h & _M
        b = h >> 13 & _M
        c = h >> 26 & _M
        d = h >> 39
        if not ((a & b & (c | d)) | (c & d & (a | b))):
            return False    # no meld: ten cards count at least 30
    return _count11(h) <= _KNOCK_CARD


def _meld_ids(h):
    """All melds of the cards, as actions, ascending."""
    a = h & _M
    b = h >> 13 & _M
    c = h >> 26 & _M
    d = h >> 39
    out = []
    x = (a & b & (c | d)) | (c & d & (a | b))
    while x:
        low = x & -x
        x ^= low
        base = _MELD + 5 * (low.bit_length() - 1)
        if not a & low:
            out.append(base)
        elif not b & low:
            out.append(base + 1)
        elif not c & low:
            out.append(base + 2)
        elif not d & low:
            out.append(base + 3)
        else:
            out += (base, base + 1, base + 2, base + 3, base + 4)
    r3 = h & (h >> 1) & (h >> 2) & _V3
    if r3:
        x = r3
        while x:
            low = x & -x
            x ^= low
            out.append(_RI3[low.bit_length() - 1])
        r4 = r3 & (h >> 3) & _V4
        if r4:
            x = r4
            while x:
                low = x & -x
                x ^= low
                out.append(_RI4[low.bit_length() - 1])
            x = r4 & (h >> 4) & _V5
            while x:
                low = x & -x
                x ^= low
                out.append(_RI5[low.bit_length() - 1])
    return out


def _knock_melds(h):
    """The melds that the knocker may lay down, ascending."""
    ids = _meld_ids(h)
    need = _total(h) - _KNOCK_CARD
    if need <= 0:
        return ids
    n = len(ids)
    masks = [_MELD_MASK[m - _MELD] for m in ids]
    values = [_MELD_VALUE[m - _MELD] for m in ids]
    ok = [False] * n
    for i in range(n):
        mi = masks[i]
        vi = values[i]
        if vi >= need:
            ok[i] = True
        for j in range(i + 1, n):
            mj = masks[j]
            if mi & mj:
                continue
            v = vi + values[j]
            if v >= need:
                ok[i] = True
                ok[j] = True
            u = mi | mj
            for k in range(j + 1, n):
                if not (u & masks[k]) and v + values[k] >= need:
                    ok[i] = True
                    ok[j] = True
                    ok[k] = True
    return [ids[i] for i in range(n) if ok[i]]


def _layoff_mask(h, melds, lay):
    laid = 0
    for c in lay:
        laid |= _BIT[c]
    ok = 0
    for m in melds:
        x = m - _MELD
        if x < 65:
            ok |= _FOURTH[x]
        else:
            lo = _MELD_LOW[x]
            hi = _MELD_HIGH[x]
            if lo % 13:
                if laid & _BIT[lo - 1]:
                    lo -= 1
                if lo % 13:
                    ok |= _BIT[lo - 1]
            if hi % 13 != 12:
                if laid & _BIT[hi + 1]:
                    hi += 1
                if hi % 13 != 12:
                    ok |= _BIT[hi + 1]
    return ok & h


# ---------------------------------------------------------------- the game
# state: (phase, who, hand 0, hand 1, stock, cards in stock, upcard,
#         previous upcard, discard pile, passed (bits), repeated move,
#         upcards drawn, knocker, melds 0, melds 1, layoffs,
#         deadwood 0, deadwood 1, history 0, history 1)

_INITIAL = (_DEAL, 0, 0, 0, _ALL, 52, -1, -1, (), 0, False, 0, -1,
            (), (), (), 0, 0, '', '')


def initial_state():
    return _INITIAL


def current_player(state):
    if state[0] < 2:
        return -1
    return state[1]


def legal_actions(state):
    ph = state[0]
    who = state[1]
    if ph == _DISCARD:
        out = list(_cards(state[2 + who]))
        if state[16 + who] <= _KNOCK_CARD:
            out.append(_KNOCK)
        return out
    if ph == _DRAW:
        return [_UPCARD, _STOCK]
    if ph == _FIRST:
        if state[9] == 3:
            return [_STOCK]
        return [_UPCARD, _PASS]
    if ph == _AT_WALL:
        if _can_knock(state[2 + who] | _BIT[state[6]]):
            return [_PASS, _KNOCK]
        return [_PASS]
    if ph == _KNOCK_DISCARD:
        h = state[2 + who]
        t = _total(h) - _KNOCK_CARD
        return [c for c in _cards(h)
                if t - _PT[c] <= _best(h ^ _BIT[c])[0]]
    if ph == _KNOCK_MELD:
        out = [_PASS] if state[16 + who] <= _KNOCK_CARD else []
        out += _knock_melds(state[2 + who])
        return out
    if ph == _LAYOFF:
        out = list(_cards(_layoff_mask(state[2 + who], state[14 - who],
                                       state[15])))
        out.append(_PASS)
        return out
    if ph == _LAYOFF_MELD:
        out = [_PASS]
        out += _meld_ids(state[2 + who])
        return out
    return []


def chance_outcomes(state):
    if state[0] >= 2:
        return []
    p = 1.0 / state[5]
    return [(c, p) for c in _cards(state[4])]


def apply_action(state, action):
    (ph, who, h0, h1, stock, n, up, prev, pile, passed, rep, nd, kn,
     m0, m1, lay, d0, d1, s0, s1) = state
    ch = _CHR[action]
    if ph < 2:
        bit = _BIT[action]
        stock ^= bit
        n -= 1
        if ph == _DEAL_DRAWN:
            if who:
                h1 |= bit
                d1 = _count11(h1)
                s0 += _HID
                s1 += ch
            else:
                h0 |= bit
                d0 = _count11(h0)
                s0 += ch
                s1 += _HID
            ph = _DISCARD
        elif n >= 42:
            h0 |= bit
            s0 += ch
            s1 += _HID
        elif n >= 32:
            h1 |= bit
            s0 += _HID
            s1 += ch
        else:
            up = action
            s0 += ch
            s1 += ch
            d0 = _count10(h0)
            d1 = _count10(h1)
            ph = _FIRST
            who = 0
    else:
        s0 += ch
        s1 += ch
        if ph == _DISCARD:
            if action == _KNOCK:
                kn = who
                d0 = _total(h0)
                d1 = _total(h1)
                ph = _KNOCK_DISCARD
            else:
                if who:
                    h1 ^= _BIT[action]
                    d1 = _count10(h1)
                else:
                    h0 ^= _BIT[action]
                    d0 = _count10(h0)
                up = action
                over = False
                if action == prev:
                    over = rep
                    rep = True
                else:
                    rep = False
                if over:
                    ph = _OVER
                    who = -4
                else:
                    who = 1 - who
                    ph = _AT_WALL if n <= _WALL else _DRAW
        elif ph == _DRAW or ph == _FIRST:
            if action == _STOCK:
                prev = up
                pile += (up,)
                up = -1
                ph = _DEAL_DRAWN
            elif action == _PASS:
                passed |= 1 << who
                who = 1 - who
            elif ph == _DRAW and nd + 1 >= _MAX_UPCARDS:
                ph = _OVER
                who = -4
            else:
                if ph == _DRAW:
                    nd += 1
                prev = up
                if who:
                    h1 |= _BIT[up]
                    d1 = _count11(h1)
                else:
                    h0 |= _BIT[up]
                    d0 = _count11(h0)
                up = -1
                ph = _DISCARD
        elif ph == _AT_WALL:
            if action == _KNOCK:
                if who:
                    h1 |= _BIT[up]
                else:
                    h0 |= _BIT[up]
                up = -1
                kn = who
                d0 = _total(h0)
                d1 = _total(h1)
                ph = _KNOCK_DISCARD
            else:
                ph = _OVER
                who = -4
        elif ph == _KNOCK_DISCARD:
            if who:
                h1 ^= _BIT[action]
                d1 -= _PT[action]
            else:
                h0 ^= _BIT[action]
                d0 -= _PT[action]
            pile += (action,)
            ph = _KNOCK_MELD
        elif action >= _MELD:
            x = action - _MELD
            if who:
                h1 ^= _MELD_MASK[x]
                d1 -= _MELD_VALUE[x]
                m1 += (action,)
            else:
                h0 ^= _MELD_MASK[x]
                d0 -= _MELD_VALUE[x]
                m0 += (action,)
        elif ph == _KNOCK_MELD:
            own = d1 if who else d0
            ph = _LAYOFF_MELD if own == 0 else _LAYOFF
            who = 1 - who
        elif ph == _LAYOFF:
            if action == _PASS:
                ph = _LAYOFF_MELD
            else:
                if who:
                    h1 ^= _BIT[action]
                    d1 -= _PT[action]
                else:
                    h0 ^= _BIT[action]
                    d0 -= _PT[action]
                lay += (action,)
        else:
            ph = _OVER
            who = -4
    return (ph, who, h0, h1, stock, n, up, prev, pile, passed, rep, nd, kn,
            m0, m1, lay, d0, d1, s0, s1)


def returns(state):
    kn = state[12]
    if state[0] != _OVER or kn < 0:
        return [0.0, 0.0]
    own = state[16 + kn]
    r = state[17 - kn] - own
    if own == 0:
        r += 25
    if r < 0:
        r -= 25
    if kn == 0:
        return [float(r), float(-r)]
    return [float(-r), float(r)]


def action_name(state, action):
    ph = state[0]
    if action < 52:
        if ph < 2:
            return _DEAL_NAME[action]
        if ph == _LAYOFF:
            return _LAYOFF_NAME[action]
        return _DISCARD_NAME[action]
    if action >= _MELD:
        return _MELD_NAME[action - _MELD]
    if action == _UPCARD:
        return 'draw upcard'
    if action == _STOCK:
        return 'draw stock'
    if action == _KNOCK:
        return 'knock'
    if _KNOCK_MELD <= ph <= _LAYOFF_MELD:
        return 'done'
    return 'pass'


def observation(state, player):
    (ph, who, h0, h1, stock, n, up, prev, pile, passed, rep, nd, kn,
     m0, m1, lay, d0, d1, s0, s1) = state
    if player:
        own, other, own_d, other_d = h1, h0, d1, d0
    else:
        own, other, own_d, other_d = h0, h1, d0, d1
    is_open = kn >= 0 and (kn != player or ph >= _LAYOFF)
    return {
        'phase': _PHASE_NAMES[ph],
        'hand': _names(own),
        'deadwood': own_d,
        'upcard': _CARD[up] if up >= 0 else None,
        'previous_upcard': _CARD[prev] if prev >= 0 else None,
        'discard_pile': [_CARD[c] for c in pile],
        'stock': n,
        'passed': [passed & 1 != 0, passed & 2 != 0],
        'repeated_move': rep,
        'upcards_drawn': nd,
        'knock_card': _KNOCK_CARD,
        'knocker': kn if kn >= 0 else None,
        'melds': [[list(_MELD_CARDS[m - _MELD]) for m in m0],
                  [list(_MELD_CARDS[m - _MELD]) for m in m1]],
        'layoffs': [_CARD[c] for c in lay],
        'layoffs_over': kn >= 0 and ph >= _LAYOFF_MELD,
        'opponent_hand': _names(other) if is_open else None,
        'opponent_deadwood': other_d if is_open else None,
    }


def information_state(state, player):
    kn = state[12]
    if kn >= 0 and (kn != player or state[0] >= _LAYOFF):
        return (player, state[18 + player], state[3 - player])
    return (player, state[18 + player], -1)


# ---------------------------------------------------------------- resampling

def _new_card(before, after):
    """The card of the sorted list `after` that `before` lacks."""
    for x, y in zip(before, after):
        if x != y:
            return _CARD_ID[y]
    return _CARD_ID[after[-1]]


def _mask(names):
    m = 0
    for x in names:
        m |= _CARD_BIT[x]
    return m


def _parse(player, history):
    """What the history tells.

    acts: the actions, 255 where hidden; slots: the indices of the hidden
    cards of the opponent; mine: the indices of the cards dealt to the
    player; turns: the opponent's turns [card drawn (-1: hidden), card
    discarded (-1: none), whether that came from a hidden slot]; known: the
    upcards that the opponent took and holds; rev: the opponent's hand when it
    was opened, or None; wall: whether the opponent passed at the wall.
    """
    n = len(history) - 1
    opp = 1 - player
    acts = [255] * n
    first = 10 * player
    hand = history[first][0]['hand']
    for i in range(first, first + 10):
        after = history[i + 1][0]['hand']
        acts[i] = _new_card(hand, after)
        hand = after
    mine = list(range(first, first + 10))
    slots = list(range(10 * opp, 10 * opp + 10))
    acts[20] = _CARD_ID[history[21][0]['upcard']]
    turns = []
    known = 0
    rev = None
    wall = False
    i = 21
    while i < n:
        o, a = history[i]
        if a is not None:
            c = _ACTION_ID[a]
            acts[i] = c
            i += 1
            if c == _STOCK:
                if i < n:
                    acts[i] = _new_card(history[i][0]['hand'],
                                        history[i + 1][0]['hand'])
                    mine.append(i)
                    i += 1
            elif c == _PASS and o['phase'] == 'knock':
                rev = _mask(history[i][0]['opponent_hand'])
            continue
        q = history[i + 1][0]
        ph = o['phase']
        after = q['phase']
        if ph == 'draw' or ph == 'first upcard':
            if after == 'deal':
                acts[i] = _STOCK
                i += 1
                if i < n:
                    slots.append(i)
                    turns.append([-1, -1, False])
                    i += 1
                continue
            if after == 'discard':
                acts[i] = _UPCARD
                c = _CARD_ID[o['upcard']]
                known |= _BIT[c]
                turns.append([c, -1, False])
            elif after == 'over':
                acts[i] = _UPCARD
            else:
                acts[i] = _PASS
        elif ph == 'discard':
            if after == 'knock':
                acts[i] = _KNOCK
                rev = _mask(q['opponent_hand'])
            else:
                c = _CARD_ID[q['upcard']]
                acts[i] = c
                t = turns[-1]
                t[1] = c
                if known & _BIT[c]:
                    known ^= _BIT[c]
                else:
                    t[2] = True
        elif ph == 'wall':
            if after == 'knock':
                acts[i] = _KNOCK
                known |= _CARD_BIT[o['upcard']]
                rev = _mask(q['opponent_hand'])
            else:
                acts[i] = _PASS
                wall = True
        elif ph == 'knock':
            if len(q['discard_pile']) > len(o['discard_pile']):
                acts[i] = _CARD_ID[q['discard_pile'][-1]]
            elif len(q['melds'][opp]) > len(o['melds'][opp]):
                acts[i] = _ACTION_ID['meld ' + ' '.join(q['melds'][opp][-1])]
            else:
                acts[i] = _PASS
        else:
            if len(q['layoffs']) > len(o['layoffs']):
                acts[i] = _CARD_ID[q['layoffs'][-1]]
            elif len(q['melds'][opp]) > len(o['melds'][opp]):
                acts[i] = _ACTION_ID['meld ' + ' '.join(q['melds'][opp][-1])]
            else:
                acts[i] = _PASS
        i += 1
    return acts, slots, mine, turns, known, rev, wall


def _visible(last):
    """All cards that the last observation shows outside the opponent's hand."""
    m = _mask(last['hand']) | _mask(last['discard_pile'])
    m |= _mask(last['layoffs'])
    for melds in last['melds']:
        for x in melds:
            m |= _mask(x)
    if last['upcard'] is not None:
        m |= _CARD_BIT[last['upcard']]
    return m


def _draw_slots(slot_count, turns, rest, wall_bit, rand):
    """Cards for the hidden slots, and the mask of those never discarded.

    rest: the cards that may be in the slots not discarded; wall_bit: the
    upcard at the wall if the opponent passed there, else 0.
    """
    decisions = 0
    for t in turns:
        if t[1] >= 0:
            decisions += 1
    least = _POW[decisions]
    if wall_bit:
        least *= 0.5
    while True:
        slot_cards = [0] * slot_count
        avail = list(range(10))
        ns = 10
        for draw, disc, hidden in turns:
            if draw < 0:
                avail.append(ns)
                ns += 1
            if hidden:
                j = int(rand() * len(avail))
                s = avail[j]
                avail[j] = avail[-1]
                avail.pop()
                slot_cards[s] = disc
        pool = list(rest)
        held = 0
        for s in avail:
            j = int(rand() * len(pool))
            c = pool[j]
            pool[j] = pool[-1]
            pool.pop()
            slot_cards[s] = c
            held |= _BIT[c]
        # accept with the probability of the opponent's choices, relative to
        # that of an opponent who never may knock
        u = rand()
        low = least
        if u < low:
            return slot_cards, held
        high = 1.0
        h = 0
        for s in range(10):
            h |= _BIT[slot_cards[s]]
        ns = 10
        accepted = False
        rejected = False
        for draw, disc, hidden in turns:
            if draw < 0:
                h |= _BIT[slot_cards[ns]]
                ns += 1
            else:
                h |= _BIT[draw]
            if disc >= 0:
                if _can_knock(h):
                    high *= _RATIO
                    if u >= high:
                        rejected = True
                        break
                else:
                    low /= _RATIO
                    if u < low:
                        accepted = True
                        break
                h ^= _BIT[disc]
        if rejected:
            continue
        if not accepted and wall_bit:
            if _can_knock(h | wall_bit) and u >= high * 0.5:
                continue
        return slot_cards, held


def _resample(player, history, rand):
    acts, slots, mine, turns, known, rev, wall = _parse(player, history)
    last = history[-1][0]
    seen = _visible(last)
    if rev is None:
        rest = _cards(_ALL & ~(seen | known))
    else:
        rest = _cards(rev & ~known)
    wall_bit = _CARD_BIT[last['upcard']] if wall else 0
    slot_cards, held = _draw_slots(len(slots), turns, rest, wall_bit, rand)
    return acts, slots, mine, slot_cards, known | held, rev, seen


def resample_history(player, history, rand):
    acts, slots, mine, slot_cards, hand, rev, seen = _resample(
        player, history, rand)
    for pos, c in zip(slots, slot_cards):
        acts[pos] = c
    return acts


def resample_state(player, history, rand):
    acts, slots, mine, slot_cards, other, rev, seen = _resample(
        player, history, rand)
    last = history[-1][0]
    own_history = bytes(acts).decode('latin-1')
    for pos, c in zip(slots, slot_cards):
        acts[pos] = c
    for pos in mine:
        acts[pos] = 255
    other_history = bytes(acts).decode('latin-1')

    hand = last['hand']
    own = _mask(hand)
    own_d = last['deadwood']
    knocker = last['knocker']
    if last['opponent_hand'] is not None:
        other = _mask(last['opponent_hand'])
        other_d = last['opponent_deadwood']
    elif knocker is not None:
        other_d = _total(other)
    else:
        other_d = _count10(other)

    name = last['phase']
    who = player
    if name == 'draw':
        ph = _DRAW
    elif name == 'discard':
        ph = _DISCARD
    elif name == 'first upcard':
        ph = _FIRST
    elif name == 'wall':
        ph = _AT_WALL
    elif name == 'knock':
        ph = _KNOCK_DISCARD if len(hand) == 11 else _KNOCK_MELD
    elif name == 'layoff':
        ph = _LAYOFF_MELD if last['layoffs_over'] else _LAYOFF
    else:
        ph = _OVER
        who = -4

    up = last['upcard']
    prev = last['previous_upcard']
    passed = last['passed']
    melds = last['melds']
    m0 = tuple([_ACTION_ID['meld ' + ' '.join(x)] for x in melds[0]])
    m1 = tuple([_ACTION_ID['meld ' + ' '.join(x)] for x in melds[1]])
    if player:
        h0, h1, d0, d1 = other, own, other_d, own_d
        s0, s1 = other_history, own_history
    else:
        h0, h1, d0, d1 = own, other, own_d, other_d
        s0, s1 = own_history, other_history
    return (ph, who, h0, h1, _ALL & ~(seen | other), last['stock'],
            -1 if up is None else _CARD_ID[up],
            -1 if prev is None else _CARD_ID[prev],
            tuple([_CARD_ID[c] for c in last['discard_pile']]),
            (1 if passed[0] else 0) + (2 if passed[1] else 0),
            bool(last['repeated_move']), last['upcards_drawn'],
            -1 if knocker is None else knocker,
            m0, m1, tuple([_CARD_ID[c] for c in last['layoffs']]),
            d0, d1, s0, s1)
