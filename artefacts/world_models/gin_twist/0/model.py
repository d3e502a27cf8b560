NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 330
MAX_CHANCE_OUTCOMES = 52
MAX_GAME_LENGTH = 180
MIN_UTILITY = -140.0
MAX_UTILITY = 140.0

# ----------------------------------------------------------------------
# Cards: c = 13 * colour + number - 1, colours r, b, g, w.
# Outcome of chance: 51 - c.
# Actions: 0 take hidden, 1 take shown, 2 skip, 3 stop, 4 call,
#          5 .. 225 show, 226 .. 277 drop, 278 .. 329 add.
# ----------------------------------------------------------------------

_DEAL, _FIRST, _TAKE, _DROP, _CALLDROP, _SHOW, _ADD, _LAST, _OVER = range(9)
_PHASE_NAMES = ('deal', 'first', 'take', 'drop', 'show', 'show', 'add',
                'last', 'over')
_LIMIT = 7
_M = 8191
_ALL = (1 << 52) - 1
_SHOW0 = 5
_DROP0 = 226
_ADD0 = 278

_NAME = tuple('rbgw'[c // 13] + str(c % 13 + 1) for c in range(52))
_CARD = {}
_BIT = {}
for _c in range(52):
    _CARD[_NAME[_c]] = _c
    _BIT[_NAME[_c]] = 1 << _c
_CH = tuple(chr(_i) for _i in range(NUM_DISTINCT_ACTIONS))


def _build_tables():
    vals = [min(n + 1, 10) for n in range(13)]
    v13 = [0] * 8192
    nums = [()] * 8192
    for m in range(1, 8192):
        top = m.bit_length() - 1
        rest = m ^ (1 << top)
        v13[m] = v13[rest] + vals[top]
        nums[m] = nums[rest] + (top,)
    drops = []
    names = []
    for col in range(4):
        dt = [()] * 8192
        nt = [()] * 8192
        for m in range(1, 8192):
            top = m.bit_length() - 1
            rest = m ^ (1 << top)
            c = 13 * col + top
            dt[m] = (_DROP0 + 51 - c,) + dt[rest]
            nt[m] = nt[rest] + (_NAME[c],)
        drops.append(dt)
        names.append(nt)
    # runs inside one colour
    rm = {}
    for length in (3, 4, 5):
        row = []
        for s in range(13):
            x = 0
            for i in range(length):
                x |= 1 << ((s + i) % 13)
            row.append(x)
        rm[length] = row
    r3 = [()] * 8192
    r4 = [()] * 8192
    r5 = [()] * 8192
    for m in range(8192):
        e = m | (m << 13)
        s3 = e & (e >> 1) & (e >> 2) & _M
        if s3:
            r3[m] = tuple(rm[3][s] for s in nums[s3])
            s4 = s3 & (e >> 3)
            if s4:
                r4[m] = tuple(rm[4][s] for s in nums[s4])
                s5 = s4 & (e >> 4)
                if s5:
                    r5[m] = tuple(rm[5][s] for s in nums[s5])
    # all melds
    masks = []
    cards = []
    fits = []      # None, an int (bit), or a tuple (before1, before2, after1, after2)
    for n in range(13):
        for missing in range(4):
            cs = [13 * k + n for k in range(4) if k != missing]
            cards.append(cs)
            fits.append(1 << (13 * missing + n))
        cards.append([13 * k + n for k in range(4)])
        fits.append(None)
    for length in (3, 4, 5):
        for col in range(4):
            for s in range(13):
                base = 13 * col
                cards.append([base + (s + i) % 13 for i in range(length)])
                fits.append((1 << (base + (s - 1) % 13),
                             1 << (base + (s - 2) % 13),
                             1 << (base + (s + length) % 13),
                             1 << (base + (s + length + 1) % 13)))
    value = {}
    ident = {}
    for i, cs in enumerate(cards):
        x = 0
        v = 0
        for c in cs:
            x |= 1 << c
            v += vals[c % 13]
        masks.append(x)
        value[x] = v
        ident[x] = i
    card_names = tuple(tuple(_NAME[c] for c in cs) for cs in cards)
    nummask = [sum(1 << (13 * k + n) for k in range(4)) for n in range(13)]
    four_first = []
    four_second = []
    for n in range(13):
        four_first.append((nummask[n],
                           nummask[n] ^ (1 << (26 + n)),
                           nummask[n] ^ (1 << (13 + n))))
        four_second.append((nummask[n] ^ (1 << (39 + n)),
                            nummask[n] ^ (1 << n)))
    return (v13, nums, drops, names, r3, r4, r5, tuple(masks), card_names,
            tuple(fits), value, ident, nummask, four_first, four_second)


(_V13, _NUMS, _DROPS, _NAMES, _R3, _R4, _R5, _MELD_MASK, _MELD_NAMES,
 _MELD_FITS, _VALUE, _MELD_ID, _NUMMASK, _FOUR_FIRST,
 _FOUR_SECOND) = _build_tables()
_DR, _DB, _DG, _DW = _DROPS
_NR, _NB, _NG, _NW = _NAMES
_RUN_TABLES = (_R5, _R4, _R3)

_ACTION_NAMES = (['take hidden', 'take shown', 'skip', 'stop', 'call']
                 + ['show ' + ' '.join(x) for x in _MELD_NAMES]
                 + ['drop ' + _NAME[51 - i] for i in range(52)]
                 + ['add ' + _NAME[51 - i] for i in range(52)])
_ACTION_NAMES = tuple(_ACTION_NAMES)
_ACTION_ID = {}
for _i, _x in enumerate(_ACTION_NAMES):
    _ACTION_ID[_x] = _i
_DEAL_NAMES = tuple('deal ' + _NAME[51 - _i] for _i in range(52))


# ----------------------------------------------------------------------
# Hands
# ----------------------------------------------------------------------

def _total(h):
    return (_V13[h & _M] + _V13[(h >> 13) & _M] + _V13[(h >> 26) & _M]
            + _V13[h >> 39])


def _meld_list(h):
    """Masks of all melds of the hand, in the order of the rules."""
    a = h & _M
    b = (h >> 13) & _M
    c = (h >> 26) & _M
    d = h >> 39
    out = []
    x3 = (a & b & (c | d)) | (c & d & (a | b))
    if x3:
        x4 = a & b & c & d
        if x4:
            for n in _NUMS[x4]:
                out.extend(_FOUR_FIRST[n])
        for n in _NUMS[x3]:
            if (x4 >> n) & 1:
                out.extend(_FOUR_SECOND[n])
            else:
                out.append(h & _NUMMASK[n])
    if _R3[a] or _R3[b] or _R3[c] or _R3[d]:
        for t in _RUN_TABLES:
            for r in t[a]:
                out.append(r)
            for r in t[b]:
                out.append(r << 13)
            for r in t[c]:
                out.append(r << 26)
            for r in t[d]:
                out.append(r << 39)
    return out


def _best(ms, i, free):
    """(value, cards) of the first arrangement whose melds count most."""
    best = 0
    used = 0
    for j in range(i, len(ms)):
        m = ms[j]
        if (m & free) == m:
            v, u = _best(ms, j + 1, free ^ m)
            v += _VALUE[m]
            if v > best:
                best = v
                used = u | m
    return best, used


def _dead10(h):
    """The least deadwood of all arrangements."""
    a = h & _M
    b = (h >> 13) & _M
    c = (h >> 26) & _M
    d = h >> 39
    t = _V13[a] + _V13[b] + _V13[c] + _V13[d]
    if ((a & b & (c | d)) | (c & d & (a | b)) or _R3[a] or _R3[b]
            or _R3[c] or _R3[d]):
        ms = _meld_list(h)
        if len(ms) == 1:
            return t - _VALUE[ms[0]]
        return t - _best(ms, 0, h)[0]
    return t


def _dead11(h):
    """The count of deadwood of 11 cards."""
    a = h & _M
    b = (h >> 13) & _M
    c = (h >> 26) & _M
    d = h >> 39
    t = _V13[a] + _V13[b] + _V13[c] + _V13[d]
    if ((a & b & (c | d)) | (c & d & (a | b)) or _R3[a] or _R3[b]
            or _R3[c] or _R3[d]):
        v, used = _best(_meld_list(h), 0, h)
        t -= v
        o = h ^ used
        if not o:
            return t
        x = (o | (o >> 13) | (o >> 26) | (o >> 39)) & _M
    else:
        x = a | b | c | d
    n = x.bit_length()
    return t - (n if n < 10 else 10)


def _can_call(h):
    """Whether the count of deadwood of these 11 cards allows a call."""
    a = h & _M
    b = (h >> 13) & _M
    c = (h >> 26) & _M
    d = h >> 39
    # 11 cards without any meld always count more
    if not ((a & b & (c | d)) | (c & d & (a | b)) or _R3[a] or _R3[b]
            or _R3[c] or _R3[d]):
        return False
    return _dead11(h) <= _LIMIT


def _hand_names(h):
    return list(_NR[h & _M] + _NB[(h >> 13) & _M] + _NG[(h >> 26) & _M]
                + _NW[h >> 39])


def _drop_list(h):
    return list(_DW[h >> 39] + _DG[(h >> 26) & _M] + _DB[(h >> 13) & _M]
                + _DR[h & _M])


def _mask(card_names):
    m = 0
    for x in card_names:
        m |= _BIT[x]
    return m


def _cards(mask):
    out = []
    while mask:
        low = mask & -mask
        out.append(low.bit_length() - 1)
        mask ^= low
    return out


def _fitting(melds, added):
    """The cards that fit the caller's melds."""
    am = 0
    for c in added:
        am |= 1 << c
    res = 0
    for m in melds:
        f = _MELD_FITS[m]
        if f is None:
            continue
        if m < 65:
            res |= f
        else:
            b1, b2, a1, a2 = f
            res |= b2 if am & b1 else b1
            res |= a2 if am & a1 else a1
    return res


# ----------------------------------------------------------------------
# The state is a tuple:
#  0 phase, 1 player to act, 2 player who gets the card that chance deals
#  (0 where this has no meaning), 3 hand 0, 4 hand 1, 5 stock,
#  6 cards in the stock, 7 shown, 8 previous, 9 pile (names), 10 skipped
#  (bits), 11 repeated, 12 taken, 13 caller, 14 melds 0, 15 melds 1,
#  16 added, 17 adding over, 18 count of the 11 cards in phase drop,
#  19 first hand 0, 20 first hand 1, 21 log of public moves,
#  22 unseen cards taken by player 0, 23 by player 1
# ----------------------------------------------------------------------

_INITIAL = (_DEAL, -1, 0, 0, 0, _ALL, 52, -1, -1, (), 0, False, 0, -1, (), (),
            (), False, 0, 0, 0, '', '', '')


def initial_state():
    return _INITIAL


def current_player(state):
    return state[1]


def legal_actions(state):
    ph = state[0]
    if ph == _DROP:
        h = state[3 + state[1]]
        res = _drop_list(h)
        if state[18] <= _LIMIT:
            res.insert(0, 4)
        return res
    if ph == _TAKE:
        return [0, 1]
    if ph == _FIRST:
        if state[10] == 3:
            return [0]
        return [1, 2]
    if ph == _LAST:
        if _can_call(state[3 + state[1]] | (1 << state[7])):
            return [2, 4]
        return [2]
    if ph == _CALLDROP:
        h = state[3 + state[1]]
        res = []
        for a in _drop_list(h):
            if _dead10(h ^ (1 << (277 - a))) <= _LIMIT:
                res.append(a)
        return res
    if ph == _SHOW:
        h = state[3 + state[1]]
        res = []
        if _total(h) <= _LIMIT:
            res.append(3)
        ids = []
        for m in _meld_list(h):
            if _dead10(h ^ m) <= _LIMIT:
                ids.append(_SHOW0 + _MELD_ID[m])
        ids.sort()
        return res + ids
    if ph == _ADD:
        h = state[3 + state[1]]
        if state[17]:
            ids = [_SHOW0 + _MELD_ID[m] for m in _meld_list(h)]
            ids.sort()
            return [3] + ids
        x = h & _fitting(state[14 + state[13]], state[16])
        res = [3]
        if x:
            for a in _drop_list(x):
                res.append(a + 52)
        return res
    return []


def chance_outcomes(state):
    if state[0] != _DEAL:
        return []
    p = 1.0 / state[6]
    return [(a - _DROP0, p) for a in _drop_list(state[5])]


def apply_action(state, action):
    (ph, cur, turn, h0, h1, stock, ns, shown, prev, pile, skipped, rep, taken,
     caller, m0, m1, added, aover, d11, i0, i1, log, p0, p1) = state
    if ph == _DEAL:
        c = 51 - action
        bit = 1 << c
        stock ^= bit
        if ns <= 31:
            if turn == 0:
                h0 |= bit
                p0 += _CH[c]
                d11 = _dead11(h0)
            else:
                h1 |= bit
                p1 += _CH[c]
                d11 = _dead11(h1)
            cur = turn
            turn = 0
            ph = _DROP
        elif ns > 42:
            h0 |= bit
            i0 = h0
        elif ns > 32:
            h1 |= bit
            i1 = h1
        else:
            shown = c
            ph = _FIRST
            cur = 0
            log = _CH[c]
        ns -= 1
    else:
        log += _CH[action]
        if action >= _ADD0:
            c = 329 - action
            if cur == 0:
                h0 ^= 1 << c
            else:
                h1 ^= 1 << c
            added = added + (c,)
        elif action >= _DROP0:
            c = 277 - action
            if cur == 0:
                h0 ^= 1 << c
            else:
                h1 ^= 1 << c
            if ph == _DROP:
                d11 = 0
                shown = c
                again = c == prev
                if again and rep:
                    ph = _OVER
                    cur = -4
                else:
                    cur = 1 - cur
                    ph = _LAST if ns == 2 else _TAKE
                rep = again
            else:
                pile = pile + (_NAME[c],)
                ph = _SHOW
        elif action >= _SHOW0:
            m = action - _SHOW0
            if cur == 0:
                h0 ^= _MELD_MASK[m]
                m0 = m0 + (m,)
            else:
                h1 ^= _MELD_MASK[m]
                m1 = m1 + (m,)
        elif action == 0:
            pile = pile + (_NAME[shown],)
            prev = shown
            shown = -1
            turn = cur
            cur = -1
            ph = _DEAL
        elif action == 1:
            if ph == _TAKE and taken == 49:
                ph = _OVER
                cur = -4
            else:
                if ph == _TAKE:
                    taken += 1
                if cur == 0:
                    h0 |= 1 << shown
                    d11 = _dead11(h0)
                else:
                    h1 |= 1 << shown
                    d11 = _dead11(h1)
                prev = shown
                shown = -1
                ph = _DROP
        elif action == 2:
            if ph == _FIRST:
                skipped |= 1 << cur
                cur = 1 - cur
            else:
                ph = _OVER
                cur = -4
        elif action == 3:
            if ph == _SHOW:
                aover = (h0 if cur == 0 else h1) == 0
                cur = 1 - cur
                ph = _ADD
            elif aover:
                ph = _OVER
                cur = -4
            else:
                aover = True
        else:
            if ph == _LAST:
                if cur == 0:
                    h0 |= 1 << shown
                else:
                    h1 |= 1 << shown
                shown = -1
            caller = cur
            d11 = 0
            ph = _CALLDROP
    return (ph, cur, turn, h0, h1, stock, ns, shown, prev, pile, skipped, rep,
            taken, caller, m0, m1, added, aover, d11, i0, i1, log, p0, p1)


def returns(state):
    caller = state[13]
    if state[0] != _OVER or caller < 0:
        return [0.0, 0.0]
    own = _total(state[3 + caller])
    other = _total(state[4 - caller])
    v = other - own
    if own == 0:
        v += 40
    elif own > other:
        v -= 13
    if caller == 0:
        return [float(v), float(-v)]
    return [float(-v), float(v)]


def action_name(state, action):
    if state[0] == _DEAL:
        return _DEAL_NAMES[action]
    return _ACTION_NAMES[action]


def _opponent_open(state, player):
    caller = state[13]
    if caller < 0:
        return False
    if caller != player:
        return True
    ph = state[0]
    return ph == _ADD or ph == _OVER


def observation(state, player):
    (ph, cur, turn, h0, h1, stock, ns, shown, prev, pile, skipped, rep, taken,
     caller, m0, m1, added, aover, d11, i0, i1, log, p0, p1) = state
    if player == 0:
        own = h0
        other = h1
        complete = ns <= 42
    else:
        own = h1
        other = h0
        complete = ns <= 32
    if ns >= 32:
        dead = 0
    elif caller >= 0:
        dead = _total(own)
    elif ph == _DROP and cur == player:
        dead = d11
    else:
        dead = _dead10(own)
    if _opponent_open(state, player):
        ohand = _hand_names(other)
        odead = _total(other)
    else:
        ohand = None
        odead = None
    return {
        'phase': _PHASE_NAMES[ph],
        'hand': _hand_names(own) if complete else [],
        'deadwood': dead,
        'shown': _NAME[shown] if shown >= 0 else None,
        'previous': _NAME[prev] if prev >= 0 else None,
        'pile': list(pile),
        'stock': ns,
        'skipped': [bool(skipped & 1), bool(skipped & 2)],
        'repeated': rep,
        'taken': taken,
        'caller': caller if caller >= 0 else None,
        'melds': [[list(_MELD_NAMES[m]) for m in m0],
                  [list(_MELD_NAMES[m]) for m in m1]],
        'added': [_NAME[c] for c in added],
        'adding_over': aover,
        'opponent_hand': ohand,
        'opponent_deadwood': odead,
    }


def information_state(state, player):
    ns = state[6]
    if player == 0:
        first = state[19] if ns <= 42 else -1
    else:
        first = state[20] if ns <= 32 else -1
    other = state[4 - player] if _opponent_open(state, player) else -1
    return (player, ns, first, state[21], state[22 + player], other)


# ----------------------------------------------------------------------
# Resampling
# ----------------------------------------------------------------------

def _parse(player, history):
    """What the history tells.

    Gives (first hand, first shown card, moves after it with -1 for each
    unseen card of the opponent, public log, own unseen cards, turns of the
    opponent, cards known to be in the opponent's hand, remaining cards of
    the opponent's deals if they are known else -1, cards never seen,
    shown card when the opponent has skipped in phase last else 0).
    A turn is (bit of the shown card taken or 0 if hidden, card that the
    drop reveals or -1, bit of the card dropped or 0 after a call)."""
    q = 1 - player
    nxt = history[21][0]
    first_shown = _CARD[nxt['shown']]
    init = _mask(nxt['hand'])
    seen = init | (1 << first_shown)
    acts = []
    log = [_CH[first_shown]]
    priv = []
    turns = []
    known = 0
    fillers = -1
    tb = 0
    mine = False
    lastbit = 0
    for i in range(21, len(history) - 1):
        obs = nxt
        act = history[i][1]
        nxt = history[i + 1][0]
        phase = obs['phase']
        if act is not None:
            a = _ACTION_ID[act]
            if a == 0:
                mine = True
            elif a == 3 and phase == 'show':
                fillers = _mask(nxt['opponent_hand']) & ~known
        elif phase == 'deal':
            if mine:
                b = _mask(nxt['hand']) & ~_mask(obs['hand'])
                c = b.bit_length() - 1
                seen |= b
                priv.append(_CH[c])
                acts.append(51 - c)
            else:
                acts.append(-1)
            continue
        elif phase == 'take' or phase == 'first':
            np = nxt['phase']
            if np == 'deal':
                a = 0
                mine = False
                tb = 0
            elif np == 'first':
                a = 2
            else:
                a = 1
                if np == 'drop':
                    tb = _BIT[obs['shown']]
                    known |= tb
        elif phase == 'drop':
            if nxt['caller'] is not None:
                a = 4
                turns.append((tb, -1, 0))
                fillers = _mask(nxt['opponent_hand']) & ~known
            else:
                c = _CARD[nxt['shown']]
                b = 1 << c
                a = 277 - c
                if known & b:
                    known ^= b
                    turns.append((tb, -1, b))
                else:
                    seen |= b
                    turns.append((tb, c, b))
        elif phase == 'last':
            if nxt['caller'] is not None:
                a = 4
                known |= _BIT[obs['shown']]
                fillers = _mask(nxt['opponent_hand']) & ~known
            else:
                a = 2
                lastbit = _BIT[obs['shown']]
        elif phase == 'show':
            if nxt['phase'] == 'add':
                a = 3
            elif len(nxt['pile']) > len(obs['pile']):
                a = 277 - _CARD[nxt['pile'][-1]]
            else:
                a = _ACTION_ID['show ' + ' '.join(nxt['melds'][q][-1])]
        else:
            if (nxt['phase'] == 'over'
                    or nxt['adding_over'] != obs['adding_over']):
                a = 3
            elif len(nxt['added']) > len(obs['added']):
                a = 329 - _CARD[nxt['added'][-1]]
            else:
                a = _ACTION_ID['show ' + ' '.join(nxt['melds'][q][-1])]
        acts.append(a)
        log.append(_CH[a])
    return (init, first_shown, acts, log, priv, turns, known, fillers,
            _ALL & ~seen, lastbit)


def _sample(turns, fillers, unseen, lastbit, rand):
    """Draws the cards dealt to the opponent: first the ten of the deal, then
    those taken from the stock; and the mask of those not revealed."""
    pool0 = _cards(fillers if fillers >= 0 else unseen)
    while True:
        fill = [0] * 10
        free = list(range(10))
        for tb, c, db in turns:
            if not tb:
                free.append(len(fill))
                fill.append(0)
            if c >= 0:
                k = int(rand() * len(free))
                s = free[k]
                e = free.pop()
                if k < len(free):
                    free[k] = e
                fill[s] = c
        pool = pool0[:]
        n = len(pool)
        fm = 0
        for s in free:
            k = int(rand() * n)
            c = pool[k]
            n -= 1
            pool[k] = pool[n]
            fill[s] = c
            fm |= 1 << c
        # how likely are the opponent's choices?
        h = 0
        for s in range(10):
            h |= 1 << fill[s]
        j = 10
        accepted = True
        for tb, c, db in turns:
            if tb:
                h |= tb
            else:
                h |= 1 << fill[j]
                j += 1
            if db:
                if _can_call(h) and rand() * 12.0 >= 11.0:
                    accepted = False
                    break
                h ^= db
        if not accepted:
            continue
        if lastbit and _can_call(h | lastbit) and rand() >= 0.5:
            continue
        return fill, fm


def resample_history(player, history, rand):
    (init, first_shown, acts, log, priv, turns, known, fillers, unseen,
     lastbit) = _parse(player, history)
    fill, fm = _sample(turns, fillers, unseen, lastbit, rand)
    mine = _cards(init)
    for i in range(len(mine) - 1, 0, -1):
        k = int(rand() * (i + 1))
        mine[i], mine[k] = mine[k], mine[i]
    if player == 0:
        deal = mine + fill[:10]
    else:
        deal = fill[:10] + mine
    res = [51 - c for c in deal]
    res.append(51 - first_shown)
    j = 10
    for a in acts:
        if a < 0:
            a = 51 - fill[j]
            j += 1
        res.append(a)
    return res


def resample_state(player, history, rand):
    (init, first_shown, acts, log, priv, turns, known, fillers, unseen,
     lastbit) = _parse(player, history)
    fill, fm = _sample(turns, fillers, unseen, lastbit, rand)
    last = history[-1][0]
    own = _mask(last['hand'])
    if last['opponent_hand'] is not None:
        other = _mask(last['opponent_hand'])
    else:
        other = known | fm
    stock = unseen & ~fm
    other_init = 0
    for s in range(10):
        other_init |= 1 << fill[s]
    other_priv = ''.join([_CH[c] for c in fill[10:]])
    own_priv = ''.join(priv)
    name = last['phase']
    cur = player
    d11 = 0
    if name == 'take':
        ph = _TAKE
    elif name == 'drop':
        ph = _DROP
        d11 = last['deadwood']
    elif name == 'first':
        ph = _FIRST
    elif name == 'last':
        ph = _LAST
    elif name == 'show':
        ph = _CALLDROP if len(last['hand']) == 11 else _SHOW
    elif name == 'add':
        ph = _ADD
    else:
        ph = _OVER
        cur = -4
    shown = last['shown']
    shown = -1 if shown is None else _CARD[shown]
    prev = last['previous']
    prev = -1 if prev is None else _CARD[prev]
    caller = last['caller']
    if caller is None:
        caller = -1
    sk = last['skipped']
    skipped = (1 if sk[0] else 0) | (2 if sk[1] else 0)
    ml = last['melds']
    m0 = tuple([_ACTION_ID['show ' + ' '.join(x)] - _SHOW0 for x in ml[0]])
    m1 = tuple([_ACTION_ID['show ' + ' '.join(x)] - _SHOW0 for x in ml[1]])
    added = tuple([_CARD[x] for x in last['added']])
    if player == 0:
        h0, h1, i0, i1, p0, p1 = (own, other, init, other_init, own_priv,
                                  other_priv)
    else:
        h0, h1, i0, i1, p0, p1 = (other, own, other_init, init, other_priv,
                                  own_priv)
    return (ph, cur, 0, h0, h1, stock, last['stock'], shown, prev,
            tuple(last['pile']), skipped, bool(last['repeated']),
            last['taken'], caller, m0, m1, added, bool(last['adding_over']),
            d11, i0, i1, ''.join(log), p0, p1)
