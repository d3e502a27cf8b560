from itertools import combinations, permutations, product

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 356
MAX_CHANCE_OUTCOMES = 32
MAX_GAME_LENGTH = 41
MIN_UTILITY = -74.0
MAX_UTILITY = 74.0

# ---------------------------------------------------------------- constants

_DEAL, _GIVE, _OPEN, _TAKE, _DRAW, _PUT, _LAY, _JOIN, _OWN, _OVER = range(10)
_PHASE_NAME = ('deal', 'give', 'open', 'take', 'deal', 'put', 'lay', 'join',
               'own lots', 'over')
_PHASE_CODE = {'take': _TAKE, 'deal': _DRAW, 'put': _PUT, 'lay': _LAY,
               'join': _JOIN, 'own lots': _OWN, 'over': _OVER}

_A_CLOSE = 0
_A_STALL = 1
_A_STORE = 2
_A_DONE = 3
_B_GIVE = 4
_B_PUT = 36
_B_LAY = 68
_B_JOIN = 292

_ALL = (1 << 32) - 1

_CN = [g + str(v) for g in 'amst' for v in range(1, 9)]
_CI = {name: i for i, name in enumerate(_CN)}
_BIT = {name: 1 << i for i, name in enumerate(_CN)}
_CHR = [chr(i) for i in range(NUM_DISTINCT_ACTIONS)]


def _make_lots():
    res = []
    for g in range(4):
        for c in combinations(range(8), 3):
            if c[1] - c[0] >= 2 and c[2] - c[1] >= 2:
                res.append(tuple(8 * g + v for v in c))
    strings = []
    for v in range(6):
        for gs in permutations(range(4), 3):
            strings.append((8 * gs[0] + v, 8 * gs[1] + v + 1, 8 * gs[2] + v + 2))
    strings.sort()
    return res + strings


_LOTS = _make_lots()
_NUM_LOADS = 80
_LM = [(1 << a) | (1 << b) | (1 << c) for a, b, c in _LOTS]
_LS = [(a & 7) + (c & 7) + 2 for a, b, c in _LOTS]
_LN = [tuple(_CN[x] for x in lot) for lot in _LOTS]


def _make_join_masks():
    res = []
    for i, lot in enumerate(_LOTS):
        m = 0
        if i < _NUM_LOADS:
            g = lot[0] >> 3
            for v in range(8):
                if all(abs(v - (x & 7)) >= 2 for x in lot):
                    m |= 1 << (8 * g + v)
        else:
            g = 6 - sum(x >> 3 for x in lot)
            low = lot[0] & 7
            high = lot[2] & 7
            if low > 0:
                m |= 1 << (8 * g + low - 1)
            if high < 7:
                m |= 1 << (8 * g + high + 1)
        res.append(m)
    return res


_JM = _make_join_masks()


def _make_load_tables():
    res = []
    for g in range(4):
        rows = []
        for b in range(256):
            h = b << (8 * g)
            rows.append(tuple(i for i in range(20 * g, 20 * g + 20)
                              if _LM[i] & h == _LM[i]))
        res.append(rows)
    return res


_LD0, _LD1, _LD2, _LD3 = _make_load_tables()


def _make_string_tables():
    index = {lot: i for i, lot in enumerate(_LOTS)}
    perms = list(permutations(range(4), 3))
    ids = [[index[(8 * x + v, 8 * y + v + 1, 8 * z + v + 2)]
            for x, y, z in perms] for v in range(6)]
    tables = [{} for _ in range(6)]
    for b in product(range(8), repeat=4):
        key = b[0] | (b[1] << 8) | (b[2] << 16) | (b[3] << 24)
        ks = [k for k, (x, y, z) in enumerate(perms)
              if b[x] & 1 and b[y] & 2 and b[z] & 4]
        for v in range(6):
            row = ids[v]
            tables[v][key] = tuple([row[k] for k in ks])
    return tables


_STR = _make_string_tables()
_WIN = [tuple(v for v in range(6) if w >> v & 1) for w in range(64)]


def _byte_tables(kind, func):
    return [[kind([func(8 * g + v) for v in range(8) if b >> v & 1])
             for b in range(256)] for g in range(4)]


_C0, _C1, _C2, _C3 = _byte_tables(tuple, lambda c: c)
_N0, _N1, _N2, _N3 = _byte_tables(list, lambda c: _CN[c])
_P0, _P1, _P2, _P3 = _byte_tables(list, lambda c: _B_PUT + c)
_G0, _G1, _G2, _G3 = _byte_tables(list, lambda c: _B_GIVE + c)
_S0, _S1, _S2, _S3 = _byte_tables(''.join, lambda c: _CHR[c])
_VB = [sum(v + 1 for v in range(8) if b >> v & 1) for b in range(256)]


def _make_names():
    res = ['close', 'take stall', 'take store', 'done']
    res += ['give ' + c for c in _CN]
    res += ['put ' + c for c in _CN]
    res += ['lay ' + ' '.join(lot) for lot in _LN]
    for c in _CN:
        res.append('join ' + c + ' to lot 1')
        res.append('join ' + c + ' to lot 2')
    return res


_AN = _make_names()
_AI = {name: i for i, name in enumerate(_AN)}
_DN = ['deal ' + c for c in _CN]

# ---------------------------------------------------------------- helpers


def _cards(h):
    return _C0[h & 255] + _C1[(h >> 8) & 255] + _C2[(h >> 16) & 255] + _C3[h >> 24]


def _names(h):
    return _N0[h & 255] + _N1[(h >> 8) & 255] + _N2[(h >> 16) & 255] + _N3[h >> 24]


def _text(h):
    return _S0[h & 255] + _S1[(h >> 8) & 255] + _S2[(h >> 16) & 255] + _S3[h >> 24]


def _value(h):
    return _VB[h & 255] + _VB[(h >> 8) & 255] + _VB[(h >> 16) & 255] + _VB[h >> 24]


def _lots(h):
    """The lots (numbers) in the hand, unordered."""
    r = _LD0[h & 255] + _LD1[(h >> 8) & 255] + _LD2[(h >> 16) & 255] + _LD3[h >> 24]
    w = h | (h >> 8) | (h >> 16) | (h >> 24)
    for v in _WIN[w & (w >> 1) & (w >> 2) & 63]:
        r += _STR[v][(h >> v) & 0x07070707]
    return r


def _closable(h):
    """Does the hand hold two lots that do not share a card?"""
    r = _lots(h)
    k = len(r)
    if k < 2:
        return False
    ms = [_LM[i] for i in r]
    for i in range(1, k):
        m = ms[i]
        for j in range(i):
            if not m & ms[j]:
                return True
    return False


def _first(h):
    """The lots in the hand that leave another lot in it, unordered."""
    r = _lots(h)
    res = []
    for i in r:
        m = _LM[i]
        for j in r:
            if not m & _LM[j]:
                res.append(i)
                break
    return res


# ---------------------------------------------------------------- the game
# A state: (phase, who acts, hand 0, hand 1, store, stall, out, turns, closer,
#           lots 0, lots 1, joined, gift 0, gift 1, log 0, log 1, store count)

_INITIAL = (_DEAL, -1, 0, 0, _ALL, -1, (), 0, -1, (), (), ((), ()), -1, -1,
            '', '', 32)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[1]


def legal_actions(state):
    ph = state[0]
    if ph == _TAKE:
        return [_A_STALL, _A_STORE]
    actor = state[1]
    if actor < 0:
        return []
    h = state[3] if actor else state[2]
    if ph == _PUT:
        r = _P0[h & 255] + _P1[(h >> 8) & 255] + _P2[(h >> 16) & 255] + _P3[h >> 24]
        if _closable(h):
            r.insert(0, _A_CLOSE)
        return r
    if ph == _GIVE:
        return _G0[h & 255] + _G1[(h >> 8) & 255] + _G2[(h >> 16) & 255] + _G3[h >> 24]
    if ph == _LAY:
        laid = state[10] if actor else state[9]
        ids = _lots(h) if laid else _first(h)
        return [_B_LAY + i for i in sorted(ids)]
    if ph == _JOIN:
        laid = state[9] if actor else state[10]
        joined = state[11]
        # a load or a string has room for one more card at most
        m0 = 0 if joined[0] else _JM[laid[0]] & h
        m1 = 0 if joined[1] else _JM[laid[1]] & h
        r = [_A_DONE]
        if m0 or m1:
            for c in _cards(m0 | m1):
                if m0 >> c & 1:
                    r.append(_B_JOIN + 2 * c)
                if m1 >> c & 1:
                    r.append(_B_JOIN + 2 * c + 1)
        return r
    # own lots
    r = [_A_DONE]
    for i in sorted(_lots(h)):
        r.append(_B_LAY + i)
    return r


def chance_outcomes(state):
    if state[1] != -1:
        return []
    pr = 1.0 / state[16]
    return [(c, pr) for c in _cards(state[4])]


def apply_action(state, action):
    (ph, actor, h0, h1, store, stall, out, turns, closer, lots0, lots1, joined,
     g0, g1, log0, log1, n) = state

    if ph == _TAKE:
        ch = _CHR[action]
        if action == _A_STALL:
            if actor:
                h1 |= 1 << stall
            else:
                h0 |= 1 << stall
            return (_PUT, actor, h0, h1, store, -1, out, turns + 1, closer,
                    lots0, lots1, joined, g0, g1, log0 + ch, log1 + ch, n)
        return (_DRAW, -1, h0, h1, store, stall, out, turns + 1, closer,
                lots0, lots1, joined, g0, g1, log0 + ch, log1 + ch, n)

    if ph == _PUT:
        ch = _CHR[action]
        if action == _A_CLOSE:
            return (_LAY, actor, h0, h1, store, stall, out, turns, actor,
                    lots0, lots1, joined, g0, g1, log0 + ch, log1 + ch, n)
        c = action - _B_PUT
        if actor:
            h1 ^= 1 << c
        else:
            h0 ^= 1 << c
        if stall >= 0:
            out = out + (stall,)
        if turns == 16:
            return (_OVER, -4, h0, h1, store, c, out, turns, closer,
                    lots0, lots1, joined, g0, g1, log0 + ch, log1 + ch, n)
        return (_TAKE, 1 - actor, h0, h1, store, c, out, turns, closer,
                lots0, lots1, joined, g0, g1, log0 + ch, log1 + ch, n)

    if ph == _DRAW:
        bit = 1 << action
        if turns & 1:
            return (_PUT, 0, h0 | bit, h1, store ^ bit, stall, out, turns,
                    closer, lots0, lots1, joined, g0, g1,
                    log0 + _CHR[action], log1 + '.', n - 1)
        return (_PUT, 1, h0, h1 | bit, store ^ bit, stall, out, turns,
                closer, lots0, lots1, joined, g0, g1,
                log0 + '.', log1 + _CHR[action], n - 1)

    if ph == _DEAL:
        bit = 1 << action
        n -= 1
        store ^= bit
        log0 += '.'
        log1 += '.'
        nph = _DEAL
        nactor = -1
        if n >= 26:
            h0 |= bit
            if n == 26:
                log0 += _text(h0)
        else:
            h1 |= bit
            if n == 20:
                log1 += _text(h1)
                nph = _GIVE
                nactor = 0
        return (nph, nactor, h0, h1, store, stall, out, turns, closer,
                lots0, lots1, joined, g0, g1, log0, log1, n)

    if ph == _GIVE:
        c = action - _B_GIVE
        ch = _CHR[action]
        if actor == 0:
            return (_GIVE, 1, h0, h1, store, stall, out, turns, closer,
                    lots0, lots1, joined, c, g1, log0 + ch, log1 + '.', n)
        b0 = 1 << g0
        b1 = 1 << c
        h0 = (h0 ^ b0) | b1
        h1 = (h1 ^ b1) | b0
        return (_OPEN, -1, h0, h1, store, stall, out, turns, closer,
                lots0, lots1, joined, g0, c, log0 + ch,
                log1 + ch + _CHR[_B_GIVE + g0], n)

    if ph == _OPEN:
        ch = _CHR[action]
        return (_TAKE, 0, h0, h1, store ^ (1 << action), action, out, turns,
                closer, lots0, lots1, joined, g0, g1, log0 + ch, log1 + ch,
                n - 1)

    ch = _CHR[action]
    log0 += ch
    log1 += ch

    if ph == _LAY or (ph == _OWN and action != _A_DONE):
        i = action - _B_LAY
        if actor:
            h1 ^= _LM[i]
            lots1 = lots1 + (i,)
            count = len(lots1)
        else:
            h0 ^= _LM[i]
            lots0 = lots0 + (i,)
            count = len(lots0)
        if ph == _LAY and count == 2:
            ph = _JOIN
            actor = 1 - actor
        return (ph, actor, h0, h1, store, stall, out, turns, closer,
                lots0, lots1, joined, g0, g1, log0, log1, n)

    if ph == _JOIN:
        if action == _A_DONE:
            return (_OWN, actor, h0, h1, store, stall, out, turns, closer,
                    lots0, lots1, joined, g0, g1, log0, log1, n)
        k = action - _B_JOIN
        c = k >> 1
        if actor:
            h1 ^= 1 << c
        else:
            h0 ^= 1 << c
        if k & 1:
            joined = (joined[0], joined[1] + (c,))
        else:
            joined = (joined[0] + (c,), joined[1])
        return (_JOIN, actor, h0, h1, store, stall, out, turns, closer,
                lots0, lots1, joined, g0, g1, log0, log1, n)

    # own lots, done: the game is over, the hands are shown
    return (_OVER, -4, h0, h1, store, stall, out, turns, closer,
            lots0, lots1, joined, g0, g1, log0 + _text(h1), log1 + _text(h0), n)


def returns(state):
    closer = state[8]
    if state[0] != _OVER or closer < 0:
        return [0.0, 0.0]
    d = -_value(state[2]) + _value(state[3])
    for i in state[9]:
        d += _LS[i]
    for i in state[10]:
        d -= _LS[i]
    if closer:
        d = -d
    d = float(d + 5 if d > 0 else d - 8)
    if closer:
        return [-d, d]
    return [d, -d]


def action_name(state, action):
    if state[1] == -1:
        return _DN[action]
    return _AN[action]


def observation(state, player):
    (ph, actor, h0, h1, store, stall, out, turns, closer, lots0, lots1, joined,
     g0, g1, log0, log1, n) = state
    if player:
        h = h1
        other = h0
        mine = g1
        theirs = g0
    else:
        h = h0
        other = h1
        mine = g0
        theirs = g1
    if ph == _DEAL and (player or n > 26):
        h = 0
    return {
        'phase': _PHASE_NAME[ph],
        'hand': _names(h),
        'given': _CN[mine] if mine >= 0 else None,
        'received': _CN[theirs] if g0 >= 0 and g1 >= 0 else None,
        'stall': _CN[stall] if stall >= 0 else None,
        'out': [_CN[c] for c in out],
        'store': n,
        'turns': turns,
        'closer': closer if closer >= 0 else None,
        'lots': [[list(_LN[i]) for i in lots0], [list(_LN[i]) for i in lots1]],
        'joined': [[_CN[c] for c in joined[0]], [_CN[c] for c in joined[1]]],
        'opponent_hand': _names(other) if ph == _OVER and closer >= 0 else None,
    }


def information_state(state, player):
    return (player, state[15] if player else state[14])


# ---------------------------------------------------------------- resampling


def _pick(pool, k, rand):
    """k different elements of the list pool, in random order."""
    pool = list(pool)
    m = len(pool)
    res = []
    for _ in range(k):
        j = int(rand() * m)
        m -= 1
        res.append(pool[j])
        pool[j] = pool[m]
    return res


def _early(player, history, rand):
    """The actions of a game that has not come to its first turn."""
    last = len(history) - 1
    own = [_CI[x] for x in history[min(last, 12)][0]['hand']]
    if last < 12:
        if not own:
            return _pick(range(32), last, rand)
        have = set(own)
        pool = [c for c in range(32) if c not in have]
        return _pick(own, 6, rand) + _pick(pool, last - 6, rand)
    gp = gq = -1
    if last >= 14:
        o = history[14][0]
        gp = _CI[o['given']]
        gq = _CI[o['received']]
        # from here on the own hand is that of the deal
    elif last == 13 and player == 0:
        gp = _CI[history[13][0]['given']]
    have = set(own)
    pool = [c for c in range(32) if c not in have and c != gq]
    if gq >= 0:
        other = _pick(pool, 5, rand)
        other.insert(int(rand() * 6), gq)
    else:
        other = _pick(pool, 6, rand)
    own = _pick(own, 6, rand)
    acts = own + other if player == 0 else other + own
    if last >= 13:
        if player == 0:
            acts.append(_B_GIVE + gp)
            if last >= 14:
                acts.append(_B_GIVE + gq)
        else:
            if gq < 0:
                gq = other[int(rand() * 6)]
            acts.append(_B_GIVE + gq)
            if last >= 14:
                acts.append(_B_GIVE + gp)
    return acts


def _read(player, history):
    """What the history tells, for a game that has come to its first turn."""
    q = 1 - player
    last = len(history) - 1
    own = 0
    for x in history[12][0]['hand']:
        own |= _BIT[x]
    o = history[14][0]
    gp = _CI[o['given']]
    gq = _CI[o['received']]
    o = history[15][0]
    opened = _CI[o['stall']]
    seen = own | (1 << opened)   # cards that chance gave to player or the stall
    kn = 1 << gp                 # cards known to be in the opponent's hand
    rev = [(gq, 6)]              # known cards of the slots, with slots so far
    revmask = 1 << gq
    slots = 6
    acts = []
    hid = []                     # where in acts the opponent's draws are
    vis = []                     # where in acts the own draws are
    turns = []                   # opponent's turns: (card taken or -1, card put or -1)
    laid = []                    # lots laid by the opponent as closer
    taken = -1
    for i in range(15, last):
        nxt = history[i + 1][0]
        name = history[i][1]
        if name is not None:
            acts.append(_AI[name])
            o = nxt
            continue
        ph = o['phase']
        shown = ()
        if ph == 'take':
            if nxt['phase'] == 'deal':
                acts.append(_A_STORE)
                taken = -1
            else:
                acts.append(_A_STALL)
                taken = _CI[o['stall']]
                kn |= 1 << taken
        elif ph == 'deal':
            if (o['turns'] - 1) & 1 == player:
                old = o['hand']
                c = 0
                for x in nxt['hand']:
                    if x not in old:
                        c = _CI[x]
                        break
                vis.append(len(acts))
                acts.append(c)
                seen |= 1 << c
            else:
                hid.append(len(acts))
                acts.append(0)
                slots += 1
        elif ph == 'put':
            if nxt['closer'] is not None:
                acts.append(_A_CLOSE)
                turns.append((taken, -1))
            else:
                c = _CI[nxt['stall']]
                acts.append(_B_PUT + c)
                turns.append((taken, c))
                shown = (c,)
        elif ph == 'lay':
            a = _AI['lay ' + ' '.join(nxt['lots'][q][-1])]
            acts.append(a)
            laid.append(a - _B_LAY)
            shown = _LOTS[a - _B_LAY]
        elif ph == 'join':
            if nxt['phase'] == 'join':
                jn = nxt['joined']
                which = 0 if len(jn[0]) > len(o['joined'][0]) else 1
                c = _CI[jn[which][-1]]
                acts.append(_B_JOIN + 2 * c + which)
                shown = (c,)
            else:
                acts.append(_A_DONE)
        else:
            if nxt['phase'] == 'own lots':
                a = _AI['lay ' + ' '.join(nxt['lots'][q][-1])]
                acts.append(a)
                shown = _LOTS[a - _B_LAY]
            else:
                acts.append(_A_DONE)
        for c in shown:
            bit = 1 << c
            if kn & bit:
                kn ^= bit
            else:
                rev.append((c, slots))
                revmask |= bit
        o = nxt
    final = -1
    oh = o['opponent_hand']
    if oh is not None:
        final = 0
        for x in oh:
            bit = _BIT[x]
            final |= bit
            if kn & bit:
                kn ^= bit
            else:
                rev.append((_CI[x], slots))
                revmask |= bit
    return (own, gp, gq, opened, seen, kn, rev, revmask, slots, acts, hid, vis,
            turns, laid, final)


def _sample(info, rand):
    """The opponent's cards from chance: six dealt, then those drawn, in order."""
    (own, gp, gq, opened, seen, kn, rev, revmask, slots, acts, hid, vis,
     turns, laid, final) = info
    unseen = list(_cards(_ALL & ~(seen | revmask)))
    base = 1
    if len(laid) == 2:
        h6 = _LM[laid[0]] | _LM[laid[1]]
        base = len(_first(h6)) * len(_lots(h6 ^ _LM[laid[0]]))
    bq = 1 << gq
    bp = 1 << gp
    while True:
        res = [-1] * slots
        avail = [0, 1, 2, 3, 4, 5]
        top = 6
        for c, d in rev:
            while top < d:
                avail.append(top)
                top += 1
            j = int(rand() * len(avail))
            res[avail[j]] = c
            avail[j] = avail[-1]
            avail.pop()
        while top < slots:
            avail.append(top)
            top += 1
        if avail:
            pool = unseen[:]
            k = len(pool)
            for s in avail:
                j = int(rand() * k)
                k -= 1
                res[s] = pool[j]
                pool[j] = pool[k]
        h = 0
        for c in res[:6]:
            h |= 1 << c
        h = (h ^ bq) | bp
        d = 6
        fits = True
        for taken, c in turns:
            if taken < 0:
                h |= 1 << res[d]
                d += 1
            else:
                h |= 1 << taken
            if c < 0:
                if avail:
                    n1 = len(_first(h))
                    if n1 == 0:
                        fits = False
                    elif laid:
                        n2 = len(_lots(h & ~_LM[laid[0]]))
                        if n2 == 0:
                            fits = False
                        elif len(laid) == 2:
                            if rand() * (n1 * n2) >= base:
                                fits = False
                        elif rand() * n1 >= 1.0:
                            fits = False
                break
            if _closable(h) and rand() >= 0.875:
                fits = False
                break
            h ^= 1 << c
        if fits:
            return res


def resample_history(player, history, rand):
    last = len(history) - 1
    if last < 15:
        return _early(player, history, rand)
    info = _read(player, history)
    res = _sample(info, rand)
    own = _pick(_cards(info[0]), 6, rand)
    gp = info[1]
    gq = info[2]
    if player == 0:
        game = own + res[:6]
        game.append(_B_GIVE + gp)
        game.append(_B_GIVE + gq)
    else:
        game = res[:6] + own
        game.append(_B_GIVE + gq)
        game.append(_B_GIVE + gp)
    game.append(info[3])
    acts = info[9]
    k = 6
    for i in info[10]:
        acts[i] = res[k]
        k += 1
    return game + acts


def resample_state(player, history, rand):
    last = len(history) - 1
    if last < 15:
        state = _INITIAL
        for a in _early(player, history, rand):
            state = apply_action(state, a)
        return state
    info = _read(player, history)
    res = _sample(info, rand)
    (own, gp, gq, opened, seen, kn, rev, revmask, slots, acts, hid, vis,
     turns, laid, final) = info
    o = history[last][0]

    first = 0
    for c in res[:6]:
        first |= 1 << c
    source = first
    for c in res[6:]:
        source |= 1 << c

    hp = 0
    for x in o['hand']:
        hp |= _BIT[x]
    hq = final if final >= 0 else kn | (source & ~revmask)
    store = _ALL & ~(seen | source)

    tp = [_CHR[a] for a in acts]
    tq = tp[:]
    k = 6
    for i in hid:
        tp[i] = '.'
        tq[i] = _CHR[res[k]]
        k += 1
    for i in vis:
        tq[i] = '.'
    textp = ''.join(tp)
    textq = ''.join(tq)
    if final >= 0:
        textp += _text(hq)
        textq += _text(hp)

    if player == 0:
        h0, h1, g0, g1 = hp, hq, gp, gq
        i0, i1, t0, t1 = own, first, textp, textq
    else:
        h0, h1, g0, g1 = hq, hp, gq, gp
        i0, i1, t0, t1 = first, own, textq, textp
    c0 = _CHR[_B_GIVE + g0]
    c1 = _CHR[_B_GIVE + g1]
    co = _CHR[opened]
    log0 = '......' + _text(i0) + '......' + c0 + c1 + co + t0
    log1 = '............' + _text(i1) + '.' + c1 + c0 + co + t1

    ph = _PHASE_CODE[o['phase']]
    count = o['turns']
    closer = o['closer']
    if closer is None:
        closer = -1
    if ph == _TAKE:
        actor = count & 1
    elif ph == _PUT:
        actor = (count - 1) & 1
    elif ph == _LAY:
        actor = closer
    elif ph == _JOIN or ph == _OWN:
        actor = 1 - closer
    elif ph == _DRAW:
        actor = -1
    else:
        actor = -4
    stall = o['stall']
    if closer >= 0:
        lots = o['lots']
        lots0 = tuple([_AI['lay ' + ' '.join(x)] - _B_LAY for x in lots[0]])
        lots1 = tuple([_AI['lay ' + ' '.join(x)] - _B_LAY for x in lots[1]])
        jn = o['joined']
        joined = (tuple([_CI[x] for x in jn[0]]), tuple([_CI[x] for x in jn[1]]))
    else:
        lots0 = ()
        lots1 = ()
        joined = ((), ())
    return (ph, actor, h0, h1, store, -1 if stall is None else _CI[stall],
            tuple([_CI[x] for x in o['out']]), count, closer, lots0, lots1,
            joined, g0, g1, log0, log1, o['store'])
