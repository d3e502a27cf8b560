from itertools import permutations

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 356
MAX_CHANCE_OUTCOMES = 32
MAX_GAME_LENGTH = 41
MIN_UTILITY = -74.0
MAX_UTILITY = 74.0

# ---------------------------------------------------------------- actions
_CLOSE = 0
_STALL = 1
_STORE = 2
_DONE = 3
_GIVE = 4
_PUT = 36
_LAY = 68
_JOIN = 292

# ---------------------------------------------------------------- phases
# For phases >= 4 and < 16 the lowest bit is the player concerned.
_P_DEAL = 0
_P_GIVE0 = 1
_P_GIVE1 = 2
_P_OPEN = 3
_P_TAKE = 4
_P_DRAW = 6
_P_PUT = 8
_P_LAY = 10
_P_JOIN = 12
_P_OWN = 14
_P_OVER = 16

_CUR = (-1, 0, 1, -1, 0, 1, -1, -1, 0, 1, 0, 1, 0, 1, 0, 1, -4)
_PHASE = ('deal', 'give', 'give', 'open', 'take', 'take', 'deal', 'deal',
          'put', 'put', 'lay', 'lay', 'join', 'join', 'own lots', 'own lots',
          'over')

# ---------------------------------------------------------------- cards
_ALL = (1 << 32) - 1
_FULL = 1 << 32
_NAME = tuple(g + str(v) for g in 'amst' for v in range(1, 9))
_CARD = {}
for _c in range(32):
    _CARD[_NAME[_c]] = _c
_BIT = tuple(1 << ((c & 7) * 4 + (c >> 3)) for c in range(32))
_G0 = 0x11111111
_G1 = _G0 << 1
_G2 = _G0 << 2
_G3 = _G0 << 3

# ---------------------------------------------------------------- lots
_loads = []
for _g in range(4):
    for _x in range(8):
        for _y in range(_x + 2, 8):
            for _z in range(_y + 2, 8):
                _loads.append((_g * 8 + _x, _g * 8 + _y, _g * 8 + _z))
_NUM_LOADS = len(_loads)
_perms = list(permutations(range(4), 3))
_strings = []
for _v in range(6):
    for _p in _perms:
        _strings.append((_p[0] * 8 + _v, _p[1] * 8 + _v + 1, _p[2] * 8 + _v + 2))
_strings.sort()
_LOTS = tuple(_loads + _strings)
_LOT_NUMBER = {}
_LOT_ID = {}
for _i in range(len(_LOTS)):
    _LOT_NUMBER[_LOTS[_i]] = _i
    _LOT_ID[tuple(_NAME[_c] for _c in _LOTS[_i])] = _i
_LOT_NAMES = tuple(tuple(_NAME[c] for c in lot) for lot in _LOTS)
_LM = tuple(_BIT[lot[0]] | _BIT[lot[1]] | _BIT[lot[2]] for lot in _LOTS)
_LOT_SCORE = tuple((lot[0] & 7) + (lot[2] & 7) + 2 for lot in _LOTS)


def _make_joinable():
    res = []
    for i, lot in enumerate(_LOTS):
        vals = [c & 7 for c in lot]
        mask = 0
        if i < _NUM_LOADS:
            g = lot[0] >> 3
            for v in range(8):
                if all(abs(v - w) > 1 for w in vals):
                    mask |= _BIT[g * 8 + v]
        else:
            goods = [c >> 3 for c in lot]
            for g in range(4):
                if g not in goods:
                    for v in (vals[0] - 1, vals[2] + 1):
                        if 0 <= v < 8:
                            mask |= _BIT[g * 8 + v]
        res.append(mask)
    return tuple(res)


_JOINABLE = _make_joinable()


def _make_good_tables(g):
    cards, gives, puts, names, sums, loads = {}, {}, {}, {}, {}, {}
    own = [i for i in range(_NUM_LOADS) if _LOTS[i][0] >> 3 == g]
    for byte in range(256):
        cs = [g * 8 + v for v in range(8) if byte >> v & 1]
        mask = 0
        for c in cs:
            mask |= _BIT[c]
        cards[mask] = tuple(cs)
        gives[mask] = [_GIVE + c for c in cs]
        puts[mask] = [_PUT + c for c in cs]
        names[mask] = [_NAME[c] for c in cs]
        sums[mask] = sum((c & 7) + 1 for c in cs)
        loads[mask] = tuple(i for i in own if _LM[i] & mask == _LM[i])
    return cards, gives, puts, names, sums, loads


_C0, _GV0, _PT0, _N0, _V0, _L0 = _make_good_tables(0)
_C1, _GV1, _PT1, _N1, _V1, _L1 = _make_good_tables(1)
_C2, _GV2, _PT2, _N2, _V2, _L2 = _make_good_tables(2)
_C3, _GV3, _PT3, _N3, _V3, _L3 = _make_good_tables(3)


def _make_string_tables():
    pats = [(1 << p[0]) | (1 << (4 + p[1])) | (1 << (8 + p[2])) for p in _perms]
    sels = []
    for pattern in range(4096):
        sels.append([k for k in range(24) if pats[k] & pattern == pats[k]])
    tables = []
    for v in range(6):
        ids = [_LOT_NUMBER[(p[0] * 8 + v, p[1] * 8 + v + 1, p[2] * 8 + v + 2)]
               for p in _perms]
        tables.append([tuple([ids[k] for k in sel]) for sel in sels])
    return tables


_S0, _S1, _S2, _S3, _S4, _S5 = _make_string_tables()


def _make_names():
    res = ['close', 'take stall', 'take store', 'done']
    for n in _NAME:
        res.append('give ' + n)
    for n in _NAME:
        res.append('put ' + n)
    for lot in _LOT_NAMES:
        res.append('lay ' + ' '.join(lot))
    for n in _NAME:
        res.append('join ' + n + ' to lot 1')
        res.append('join ' + n + ' to lot 2')
    return tuple(res)


_ACTION_NAMES = _make_names()
_DEAL_NAMES = tuple('deal ' + n for n in _NAME)


# ---------------------------------------------------------------- helpers
def _cards(mask):
    return _C0[mask & _G0] + _C1[mask & _G1] + _C2[mask & _G2] + _C3[mask & _G3]


def _names(mask):
    return _N0[mask & _G0] + _N1[mask & _G1] + _N2[mask & _G2] + _N3[mask & _G3]


def _value(mask):
    return _V0[mask & _G0] + _V1[mask & _G1] + _V2[mask & _G2] + _V3[mask & _G3]


def _lots(hand):
    """All lots in the hand, not sorted."""
    return (_L0[hand & _G0] + _L1[hand & _G1] + _L2[hand & _G2] + _L3[hand & _G3]
            + _S0[hand & 4095] + _S1[hand >> 4 & 4095] + _S2[hand >> 8 & 4095]
            + _S3[hand >> 12 & 4095] + _S4[hand >> 16 & 4095]
            + _S5[hand >> 20 & 4095])


def _two(hand):
    """Whether the hand holds two lots that do not share a card."""
    found = _lots(hand)
    if len(found) < 2:
        return False
    masks = [_LM[x] for x in found]
    while masks:
        m = masks.pop()
        for k in masks:
            if not m & k:
                return True
    return False


def _firsts(hand):
    """The lots that leave another lot in the hand, not sorted."""
    found = _lots(hand)
    masks = [_LM[x] for x in found]
    res = []
    for x in found:
        m = _LM[x]
        for k in masks:
            if not m & k:
                res.append(x)
                break
    return res


# ---------------------------------------------------------------- the game
# state: 0 phase, 1 hand 0, 2 hand 1, 3 store, 4 stall, 5 out, 6 turns,
#        7 closer, 8 lots of 0, 9 lots of 1, 10 joined, 11 gift of 0,
#        12 gift of 1, 13 cards in the store, 14 public events,
#        15 private events of 0, 16 private events of 1

_INITIAL = (_P_DEAL, 0, 0, _ALL, -1, (), 0, -1, (), (), (-1, -1), -1, -1, 32,
            1, 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return _CUR[state[0]]


def legal_actions(state):
    phase = state[0]
    if phase < 4:
        h = state[phase]
        return (_GV0[h & _G0] + _GV1[h & _G1] + _GV2[h & _G2] + _GV3[h & _G3])
    if phase < 6:
        return [_STALL, _STORE]
    p = phase & 1
    h = state[1 + p]
    if phase < 10:
        res = _PT0[h & _G0] + _PT1[h & _G1] + _PT2[h & _G2] + _PT3[h & _G3]
        if _two(h):
            res.insert(0, _CLOSE)
        return res
    if phase < 12:
        if state[8 + p]:
            found = _lots(h)
        else:
            found = _firsts(h)
        return [_LAY + x for x in sorted(found)]
    if phase < 14:
        a, b = state[9 - p]
        j0, j1 = state[10]
        m0 = h & _JOINABLE[a] if j0 < 0 else 0
        m1 = h & _JOINABLE[b] if j1 < 0 else 0
        res = [_DONE]
        if m0 or m1:
            for c in _cards(m0 | m1):
                bit = _BIT[c]
                if m0 & bit:
                    res.append(_JOIN + 2 * c)
                if m1 & bit:
                    res.append(_JOIN + 2 * c + 1)
        return res
    return [_DONE] + [_LAY + x for x in sorted(_lots(h))]


def chance_outcomes(state):
    pr = 1.0 / state[13]
    return [(c, pr) for c in _cards(state[3])]


def apply_action(state, action):
    (phase, h0, h1, store, stall, out, turns, closer, lots0, lots1, joined,
     g0, g1, nstore, pub, priv0, priv1) = state
    if phase < 4:
        if phase == _P_DEAL:
            bit = _BIT[action]
            store ^= bit
            nstore -= 1
            if nstore >= 26:
                h0 |= bit
                if nstore == 26:
                    priv0 = _FULL | h0
            else:
                h1 |= bit
                if nstore == 20:
                    priv1 = _FULL | h1
                    phase = _P_GIVE0
        elif phase == _P_GIVE0:
            g0 = action - _GIVE
            priv0 = priv0 << 5 | g0
            phase = _P_GIVE1
        elif phase == _P_GIVE1:
            g1 = action - _GIVE
            b0 = _BIT[g0]
            b1 = _BIT[g1]
            h0 = (h0 ^ b0) | b1
            h1 = (h1 ^ b1) | b0
            priv0 = priv0 << 5 | g1
            priv1 = (priv1 << 5 | g1) << 5 | g0
            phase = _P_OPEN
        else:
            stall = action
            store ^= _BIT[action]
            nstore -= 1
            pub = pub << 9 | action
            phase = _P_TAKE
        return (phase, h0, h1, store, stall, out, turns, closer, lots0, lots1,
                joined, g0, g1, nstore, pub, priv0, priv1)
    p = phase & 1
    if phase < 6:
        turns += 1
        pub = pub << 9 | action
        if action == _STALL:
            if p:
                h1 |= _BIT[stall]
            else:
                h0 |= _BIT[stall]
            stall = -1
            phase = _P_PUT + p
        else:
            phase = _P_DRAW + p
    elif phase < 8:
        bit = _BIT[action]
        store ^= bit
        nstore -= 1
        if p:
            h1 |= bit
            priv1 = priv1 << 5 | action
        else:
            h0 |= bit
            priv0 = priv0 << 5 | action
        phase = _P_PUT + p
    elif phase < 10:
        pub = pub << 9 | action
        if action == _CLOSE:
            closer = p
            phase = _P_LAY + p
        else:
            if stall >= 0:
                out = out + (stall,)
            stall = action - _PUT
            if p:
                h1 ^= _BIT[stall]
            else:
                h0 ^= _BIT[stall]
            if turns == 16:
                phase = _P_OVER
            else:
                phase = _P_TAKE + 1 - p
    elif phase < 12:
        pub = pub << 9 | action
        x = action - _LAY
        if p:
            h1 ^= _LM[x]
            lots1 = lots1 + (x,)
            if len(lots1) == 2:
                phase = _P_JOIN
        else:
            h0 ^= _LM[x]
            lots0 = lots0 + (x,)
            if len(lots0) == 2:
                phase = _P_JOIN + 1
    elif phase < 14:
        pub = pub << 9 | action
        if action == _DONE:
            phase = _P_OWN + p
        else:
            x = action - _JOIN
            c = x >> 1
            if p:
                h1 ^= _BIT[c]
            else:
                h0 ^= _BIT[c]
            if x & 1:
                joined = (joined[0], c)
            else:
                joined = (c, joined[1])
    else:
        pub = pub << 9 | action
        if action == _DONE:
            phase = _P_OVER
        else:
            x = action - _LAY
            if p:
                h1 ^= _LM[x]
                lots1 = lots1 + (x,)
            else:
                h0 ^= _LM[x]
                lots0 = lots0 + (x,)
    return (phase, h0, h1, store, stall, out, turns, closer, lots0, lots1,
            joined, g0, g1, nstore, pub, priv0, priv1)


def returns(state):
    closer = state[7]
    if closer < 0 or state[0] != _P_OVER:
        return [0.0, 0.0]
    s0 = -_value(state[1])
    for x in state[8]:
        s0 += _LOT_SCORE[x]
    s1 = -_value(state[2])
    for x in state[9]:
        s1 += _LOT_SCORE[x]
    d = s1 - s0 if closer else s0 - s1
    if d > 0:
        d += 5
    else:
        d -= 8
    if closer:
        return [float(-d), float(d)]
    return [float(d), float(-d)]


def action_name(state, action):
    if _CUR[state[0]] == -1:
        return _DEAL_NAMES[action]
    return _ACTION_NAMES[action]


def observation(state, player):
    (phase, h0, h1, store, stall, out, turns, closer, lots0, lots1, joined,
     g0, g1, nstore, pub, priv0, priv1) = state
    if player:
        mine, other, given, received = h1, h0, g1, g0
    else:
        mine, other, given, received = h0, h1, g0, g1
    if phase == _P_DEAL and (player or nstore > 26):
        hand = []
    else:
        hand = _names(mine)
    return {
        'phase': _PHASE[phase],
        'hand': hand,
        'given': _NAME[given] if given >= 0 else None,
        'received': _NAME[received] if g1 >= 0 else None,
        'stall': _NAME[stall] if stall >= 0 else None,
        'out': [_NAME[c] for c in out],
        'store': nstore,
        'turns': turns,
        'closer': closer if closer >= 0 else None,
        'lots': [[list(_LOT_NAMES[x]) for x in lots0],
                 [list(_LOT_NAMES[x]) for x in lots1]],
        'joined': [[_NAME[c]] if c >= 0 else [] for c in joined],
        'opponent_hand': (_names(other)
                          if phase == _P_OVER and closer >= 0 else None),
    }


def information_state(state, player):
    phase = state[0]
    if phase == _P_OVER and state[7] >= 0:
        shown = state[2 - player]
    else:
        shown = -1
    return (phase, state[13], state[14], state[15 + player], shown)


# ---------------------------------------------------------------- resampling
def _shuffled(cards, rand):
    res = list(cards)
    for i in range(len(res) - 1, 0, -1):
        j = int(rand() * (i + 1))
        res[i], res[j] = res[j], res[i]
    return res


def _early(player, history, rand):
    """The actions of a game that has not reached the exchange of gifts."""
    n = len(history)
    own = []
    if n >= 13:
        own = [_CARD[x] for x in history[12][0]['hand']]
    elif player == 0 and n >= 7:
        own = [_CARD[x] for x in history[6][0]['hand']]
    others = _shuffled([c for c in range(32) if c not in own], rand)
    own = _shuffled(own, rand)
    if player == 0:
        deals = own + others
    else:
        deals = others[:6] + own + others[6:]
    res = deals[:min(n - 1, 12)]
    if n == 14:
        if player == 0:
            gift = _CARD[history[13][0]['given']]
        else:
            gift = deals[int(rand() * 6)]
        res.append(_GIVE + gift)
    return res


def _parse(player, history):
    """What the history tells (after the exchange of gifts).

    acts: all actions from the opening of the stall on; a card drawn by the
    player is -2 - card, one drawn by the opponent -1.
    steps: for each turn in which the opponent put a card, the card taken from
    the stall (-1: from the store) and the bit of the card put.
    revealed: cards of the opponent of unknown origin that have been shown, with
    the number of slots (5 of the first hand, one for each draw) they can be from.
    """
    n = len(history)
    o = history[14][0]
    given = _CARD[o['given']]
    received = _CARD[o['received']]
    own = 0
    for name in history[12][0]['hand']:
        own |= _BIT[_CARD[name]]
    known = _BIT[given]
    seen = own | _BIT[received]
    acts = []
    steps = []
    revealed = []
    draws = []
    avail = 5
    pair = None
    if n > 15:
        card = _CARD[history[15][0]['stall']]
        acts.append(card)
        seen |= _BIT[card]
    i = 15
    who = 0
    taken = -1
    while i + 1 < n:
        o = history[i + 1][0]
        if o['phase'] == 'deal':
            acts.append(_STORE)
            j = i + 2
            if j >= n:
                break
            if who == player:
                before = o['hand']
                for name in history[j][0]['hand']:
                    if name not in before:
                        card = _CARD[name]
                        draws.append(card)
                        seen |= _BIT[card]
                        acts.append(-2 - card)
                        break
            else:
                acts.append(-1)
                avail += 1
                taken = -1
        else:
            acts.append(_STALL)
            j = i + 1
            if who != player:
                taken = _CARD[history[i][0]['stall']]
                known |= _BIT[taken]
        i = j + 1
        if i >= n:
            break
        o = history[i][0]
        ph = o['phase']
        if ph == 'lay':
            acts.append(_CLOSE)
            laid = []
            for s in range(i, n - 1):
                a = history[s][0]
                b = history[s + 1][0]
                shown = ()
                if a['lots'] != b['lots']:
                    q = 0 if a['lots'][0] != b['lots'][0] else 1
                    x = _LOT_ID[tuple(b['lots'][q][-1])]
                    acts.append(_LAY + x)
                    if q != player:
                        shown = _LOTS[x]
                        laid.append(x)
                elif a['joined'] != b['joined']:
                    q = 0 if a['joined'][0] != b['joined'][0] else 1
                    card = _CARD[b['joined'][q][-1]]
                    acts.append(_JOIN + 2 * card + q)
                    if who == player:
                        shown = (card,)
                else:
                    acts.append(_DONE)
                for card in shown:
                    bit = _BIT[card]
                    if known & bit:
                        known ^= bit
                    else:
                        revealed.append((card, avail))
                        seen |= bit
            if who != player and len(laid) == 2:
                pair = (laid[0], laid[1])
            o = history[-1][0]
            if o['phase'] == 'over':
                for name in o['opponent_hand']:
                    card = _CARD[name]
                    bit = _BIT[card]
                    if not known & bit:
                        revealed.append((card, avail))
                        seen |= bit
                        known |= bit
            break
        card = _CARD[o['stall']]
        acts.append(_PUT + card)
        if who != player:
            bit = _BIT[card]
            steps.append((taken, bit))
            if known & bit:
                known ^= bit
            else:
                revealed.append((card, avail))
                seen |= bit
        who ^= 1
        if ph == 'over':
            break
    return (given, received, own, known, seen, acts, steps, revealed, draws,
            avail, pair)


def _fill(given, seen, steps, revealed, avail, pair, rand):
    """Draw the cards of the slots; also the mask of those never shown."""
    pool = list(_cards(_ALL & ~seen))
    total = len(pool)
    if pair is not None and avail > len(revealed):
        six = _LM[pair[0]] | _LM[pair[1]]
        last_three = _LM[pair[1]]
        base = len(_firsts(six))
    else:
        six = 0
        last_three = 0
        base = 0
    while True:
        slots = [-1] * avail
        free = [0, 1, 2, 3, 4]
        cur = 5
        for card, av in revealed:
            while cur < av:
                free.append(cur)
                cur += 1
            k = int(rand() * len(free))
            slots[free[k]] = card
            free[k] = free[-1]
            free.pop()
        while cur < avail:
            free.append(cur)
            cur += 1
        hidden = 0
        if base:
            # the opponent has laid two lots; one card is left, unknown
            while True:
                c = pool[int(rand() * total)]
                bit = _BIT[c]
                ways = len(_firsts(six | bit)) * len(_lots(last_three | bit))
                if rand() * ways < base:
                    break
            slots[free[0]] = c
            hidden = bit
        else:
            size = total
            for s in free:
                k = int(rand() * size)
                size -= 1
                c = pool[k]
                pool[k] = pool[size]
                pool[size] = c
                slots[s] = c
                hidden |= _BIT[c]
        # putting a card was one of 7 actions, or of 8 if closing was possible
        hand = _BIT[given]
        for s in range(5):
            hand |= _BIT[slots[s]]
        d = 5
        good = True
        for taken, bit in steps:
            if taken < 0:
                hand |= _BIT[slots[d]]
                d += 1
            else:
                hand |= _BIT[taken]
            if _two(hand) and rand() < 0.125:
                good = False
                break
            hand ^= bit
        if good:
            return slots, hidden


def resample_history(player, history, rand):
    if len(history) < 15:
        return _early(player, history, rand)
    (given, received, own, known, seen, acts, steps, revealed, draws, avail,
     pair) = _parse(player, history)
    slots, hidden = _fill(given, seen, steps, revealed, avail, pair, rand)
    mine = _shuffled(_cards(own), rand)
    theirs = _shuffled(slots[:5] + [received], rand)
    if player == 0:
        res = mine + theirs
        res.append(_GIVE + given)
        res.append(_GIVE + received)
    else:
        res = theirs + mine
        res.append(_GIVE + received)
        res.append(_GIVE + given)
    d = 5
    for a in acts:
        if a >= 0:
            res.append(a)
        elif a == -1:
            res.append(slots[d])
            d += 1
        else:
            res.append(-2 - a)
    return res


def resample_state(player, history, rand):
    if len(history) < 15:
        state = _INITIAL
        for a in _early(player, history, rand):
            state = apply_action(state, a)
        return state
    (given, received, own, known, seen, acts, steps, revealed, draws, avail,
     pair) = _parse(player, history)
    slots, hidden = _fill(given, seen, steps, revealed, avail, pair, rand)
    pub = 1
    for a in acts:
        if a >= 0:
            pub = pub << 9 | a
    my_priv = ((_FULL | own) << 5 | given) << 5 | received
    for c in draws:
        my_priv = my_priv << 5 | c
    first = _BIT[received]
    for s in range(5):
        first |= _BIT[slots[s]]
    their_priv = ((_FULL | first) << 5 | received) << 5 | given
    for s in range(5, avail):
        their_priv = their_priv << 5 | slots[s]
    o = history[-1][0]
    mine = 0
    for name in o['hand']:
        mine |= _BIT[_CARD[name]]
    theirs = known | hidden
    store = _ALL & ~seen & ~hidden
    x = o['stall']
    stall = -1 if x is None else _CARD[x]
    out = tuple([_CARD[name] for name in o['out']])
    turns = o['turns']
    closer = o['closer']
    if closer is None:
        closer = -1
        lots0 = ()
        lots1 = ()
        joined = (-1, -1)
    else:
        lots0 = tuple([_LOT_ID[tuple(lot)] for lot in o['lots'][0]])
        lots1 = tuple([_LOT_ID[tuple(lot)] for lot in o['lots'][1]])
        a, b = o['joined']
        joined = (_CARD[a[0]] if a else -1, _CARD[b[0]] if b else -1)
    ph = o['phase']
    if ph == 'take':
        phase = _P_TAKE + (turns & 1)
    elif ph == 'put':
        phase = _P_PUT + ((turns + 1) & 1)
    elif ph == 'lay':
        phase = _P_LAY + closer
    elif ph == 'join':
        phase = _P_JOIN + 1 - closer
    elif ph == 'own lots':
        phase = _P_OWN + 1 - closer
    elif ph == 'over':
        phase = _P_OVER
    elif ph == 'deal':
        phase = _P_DRAW + ((turns + 1) & 1)
    else:
        phase = _P_OPEN
    if player == 0:
        return (phase, mine, theirs, store, stall, out, turns, closer, lots0,
                lots1, joined, given, received, o['store'], pub, my_priv,
                their_priv)
    return (phase, theirs, mine, store, stall, out, turns, closer, lots0,
            lots1, joined, received, given, o['store'], pub, their_priv,
            my_priv)
