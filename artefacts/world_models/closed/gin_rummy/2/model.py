NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 241
MAX_CHANCE_OUTCOMES = 52
MAX_GAME_LENGTH = 200
MIN_UTILITY = -125.0
MAX_UTILITY = 125.0

# Actions: 0..51 cards, then these, then the melds from 56 on.
_DRAW_UPCARD = 52
_DRAW_STOCK = 53
_PASS = 54
_KNOCK = 55
_FIRST_MELD = 56

_KNOCK_CARD = 10
_MAX_UPCARDS = 50
_WALL = 2

# Phases
_P_DEAL = 0
_P_FIRST = 1
_P_DRAW = 2
_P_DISCARD = 3
_P_KNOCK = 4
_P_LAYOFF = 5
_P_WALL = 6
_P_OVER = 7
_PHASES = ('deal', 'first upcard', 'draw', 'discard', 'knock', 'layoff',
           'wall', 'over')
_PHASE_CODE = {name: code for code, name in enumerate(_PHASES)}

# ---------------------------------------------------------------- tables

_RANKS = 'A23456789TJQK'
_SUITS = 'scdh'
_CARD_NAMES = tuple(r + s for s in _SUITS for r in _RANKS)
_CARD = {name: c for c, name in enumerate(_CARD_NAMES)}
_BIT = tuple(1 << c for c in range(52))
_ALL = (1 << 52) - 1
_RANK_VALUE = tuple(min(r + 1, 10) for r in range(13))
_CARD_VALUE = tuple(_RANK_VALUE[c % 13] for c in range(52))
# value of the highest rank of a 13-bit mask, by the bit length of the mask
_HIGH = (0,) + _RANK_VALUE
_CHR = tuple(chr(i) for i in range(256))
_HIDDEN = chr(255)


def _subset_table(items):
    table = [()]
    for item in items:
        one = (item,)
        table += [t + one for t in table]
    return table


def _value_table():
    table = [0]
    for v in _RANK_VALUE:
        table += [t + v for t in table]
    return table


_C0 = _subset_table(range(0, 13))
_C1 = _subset_table(range(13, 26))
_C2 = _subset_table(range(26, 39))
_C3 = _subset_table(range(39, 52))
_N0 = _subset_table(_CARD_NAMES[0:13])
_N1 = _subset_table(_CARD_NAMES[13:26])
_N2 = _subset_table(_CARD_NAMES[26:39])
_N3 = _subset_table(_CARD_NAMES[39:52])
_VAL = _value_table()


def _all_meld_cards():
    melds = []
    for r in range(13):
        for missing in range(4):
            melds.append(tuple(s * 13 + r for s in range(4) if s != missing))
        melds.append(tuple(s * 13 + r for s in range(4)))
    for length in (3, 4, 5):
        for s in range(4):
            for low in range(13 - length + 1):
                melds.append(tuple(s * 13 + low + k for k in range(length)))
    return melds


def _mask_of(cards):
    m = 0
    for c in cards:
        m |= 1 << c
    return m


_MELD_LIST = _all_meld_cards()
_PAD = (0,) * _FIRST_MELD
# indexed by action
_MELD_MASK = _PAD + tuple(_mask_of(m) for m in _MELD_LIST)
_MELD_VALUE = _PAD + tuple(sum(_CARD_VALUE[c] for c in m) for m in _MELD_LIST)
_MELD_NAMES = _PAD + tuple(tuple(_CARD_NAMES[c] for c in m) for m in _MELD_LIST)
_MELD_ID = {tuple(_CARD_NAMES[c] for c in m): _FIRST_MELD + i
            for i, m in enumerate(_MELD_LIST)}


def _layoff_table():
    # by action: (next below, second below, next above, second above) as bits;
    # of a set of three: the fourth card and nothing else
    table = []
    for m in _MELD_LIST:
        if m[1] - m[0] != 1:
            if len(m) == 3:
                r = m[0] % 13
                fourth = [s * 13 + r for s in range(4) if s * 13 + r not in m]
                table.append((1 << fourth[0], 0, 0, 0))
            else:
                table.append((0, 0, 0, 0))
        else:
            low = m[0] % 13
            high = m[-1] % 13
            table.append((1 << (m[0] - 1) if low >= 1 else 0,
                          1 << (m[0] - 2) if low >= 2 else 0,
                          1 << (m[-1] + 1) if high <= 11 else 0,
                          1 << (m[-1] + 2) if high <= 10 else 0))
    return _PAD + tuple(table)


_LAYOFF = _layoff_table()


def _entry(action):
    return (_MELD_MASK[action], _MELD_VALUE[action], action)


def _set_tables():
    four_a = {}
    four_b = {}
    three = ({}, {}, {}, {})
    for r in range(13):
        low = 1 << r
        base = _FIRST_MELD + 5 * r
        four_a[low] = (_entry(base + 4), _entry(base + 2), _entry(base + 1))
        four_b[low] = (_entry(base + 3), _entry(base))
        for missing in range(4):
            three[missing][low] = _entry(base + missing)
    return four_a, four_b, three[0], three[1], three[2], three[3]


_SET4A, _SET4B, _NO_S, _NO_C, _NO_D, _NO_H = _set_tables()


def _run_table(suit):
    runs = {}
    first = _FIRST_MELD + 65
    for length in (3, 4, 5):
        count = 13 - length + 1
        runs[length] = [(((1 << length) - 1) << low,
                         _entry(first + suit * count + low))
                        for low in range(count)]
        first += 4 * count
    table = []
    for mask in range(8192):
        if not (mask & (mask >> 1) & (mask >> 2)):
            table.append(())
            continue
        r3 = tuple([e for m, e in runs[3] if (mask & m) == m])
        r4 = ()
        r5 = ()
        if mask & (mask >> 1) & (mask >> 2) & (mask >> 3):
            r4 = tuple([e for m, e in runs[4] if (mask & m) == m])
            r5 = tuple([e for m, e in runs[5] if (mask & m) == m])
        table.append((r5, r4, r3, r5 + r4 + r3))
    return table


_R0 = _run_table(0)
_R1 = _run_table(1)
_R2 = _run_table(2)
_R3 = _run_table(3)

_DEAL_NAMES = tuple('deal ' + n for n in _CARD_NAMES)
_DISCARD_NAMES = tuple('discard ' + n for n in _CARD_NAMES)
_LAYOFF_NAMES = tuple('lay off ' + n for n in _CARD_NAMES)
_OTHER_NAMES = ((None,) * 52 + ('draw upcard', 'draw stock', 'pass', 'knock')
                + tuple('meld ' + ' '.join(_CARD_NAMES[c] for c in m)
                        for m in _MELD_LIST))

# ---------------------------------------------------------------- hands


def _cards(hand):
    return [*_C0[hand & 8191], *_C1[(hand >> 13) & 8191],
            *_C2[(hand >> 26) & 8191], *_C3[hand >> 39]]


def _names(hand):
    return [*_N0[hand & 8191], *_N1[(hand >> 13) & 8191],
            *_N2[(hand >> 26) & 8191], *_N3[hand >> 39]]


def _total(hand):
    return (_VAL[hand & 8191] + _VAL[(hand >> 13) & 8191]
            + _VAL[(hand >> 26) & 8191] + _VAL[hand >> 39])


def _melds(hand):
    """All melds in the hand, (mask, value, action), in the order of the rules."""
    a = hand & 8191
    b = (hand >> 13) & 8191
    c = (hand >> 26) & 8191
    d = hand >> 39
    out = []
    ab = a & b
    cd = c & d
    three = (ab & (c | d)) | (cd & (a | b))
    if three:
        four = ab & cd
        m = four
        while m:
            low = m & -m
            m ^= low
            out += _SET4A[low]
        m = three
        while m:
            low = m & -m
            m ^= low
            if low & four:
                out += _SET4B[low]
            elif not low & a:
                out.append(_NO_S[low])
            elif not low & b:
                out.append(_NO_C[low])
            elif not low & c:
                out.append(_NO_D[low])
            else:
                out.append(_NO_H[low])
    ra = _R0[a]
    rb = _R1[b]
    rc = _R2[c]
    rd = _R3[d]
    if ra or rb or rc or rd:
        runs = [r for r in (ra, rb, rc, rd) if r]
        if len(runs) == 1:
            out += runs[0][3]
        else:
            for k in (0, 1, 2):
                for r in runs:
                    out += r[k]
    return out


def _best(ms):
    """(value, mask) of the first arrangement whose melds count most."""
    if len(ms) == 1:
        return ms[0][1], ms[0][0]
    best = 0
    best_mask = 0
    i = 0
    for m1, v1, _ in ms:
        i += 1
        if v1 > best:
            best = v1
            best_mask = m1
        rest = [x for x in ms[i:] if not x[0] & m1]
        j = 0
        for m2, v2, _ in rest:
            j += 1
            v12 = v1 + v2
            if v12 > best:
                best = v12
                best_mask = m1 | m2
            for m3, v3, _ in rest[j:]:
                if v12 + v3 > best and not m3 & m2:
                    best = v12 + v3
                    best_mask = m1 | m2 | m3
    return best, best_mask


def _least(hand):
    """The least deadwood of all arrangements."""
    ms = _melds(hand)
    if ms:
        return _total(hand) - _best(ms)[0]
    return _total(hand)


def _highest(rest):
    """What the card of the highest rank counts, 0 without cards."""
    x = (rest | (rest >> 13) | (rest >> 26) | (rest >> 39)) & 8191
    return _HIGH[x.bit_length()]


def _count11(hand):
    """The count of deadwood of a hand of 11 cards."""
    ms = _melds(hand)
    if ms:
        value, mask = _best(ms)
        return _total(hand) - value - _highest(hand & ~mask)
    return _total(hand) - _highest(hand)


def _can_knock(hand):
    """Whether the count of a hand of 11 cards is at most the knock card."""
    ms = _melds(hand)
    if not ms:
        return False
    union = 0
    for m in ms:
        union |= m[0]
    rest = hand & ~union
    if _total(rest) - _highest(rest) > _KNOCK_CARD:
        return False
    value, mask = _best(ms)
    return _total(hand) - value - _highest(hand & ~mask) <= _KNOCK_CARD


def _text(hand):
    return ''.join([_CHR[c] for c in _cards(hand)])


# ---------------------------------------------------------------- the game
#
# A state is the tuple
#  0 phase, 1 player whose turn it is, 2 3 hands, 4 5 counts of deadwood,
#  6 upcard (-1: none), 7 previous upcard (-1: none), 8 discard pile,
#  9 stock (mask), 10 number of cards in the stock, 11 passed (bits),
#  12 repeated move, 13 upcards drawn,
#  14 (knocker or -1, melds of 0, melds of 1, layoffs, layoffs over),
#  15 16 what player 0 and player 1 have seen

_NO_KNOCK = (-1, (), (), (), 0)
_INITIAL = (_P_DEAL, 0, 0, 0, 0, 0, -1, -1, (), _ALL, 52, 0, 0, 0, _NO_KNOCK,
            '', '')


def initial_state():
    return _INITIAL


def current_player(state):
    phase = state[0]
    if phase == 0:
        return -1
    if phase == 7:
        return -4
    return state[1]


def legal_actions(state):
    phase = state[0]
    p = state[1]
    if phase == 3:
        out = _cards(state[2 + p])
        if state[4 + p] <= _KNOCK_CARD:
            out.append(_KNOCK)
        return out
    if phase == 2:
        return [_DRAW_UPCARD, _DRAW_STOCK]
    if phase == 1:
        if state[11] == 3:
            return [_DRAW_STOCK]
        return [_DRAW_UPCARD, _PASS]
    if phase == 4:
        hand = state[2 + p]
        if bin(hand).count('1') == 11:
            return [c for c in _cards(hand)
                    if _least(hand ^ _BIT[c]) <= _KNOCK_CARD]
        out = [_PASS] if state[4 + p] <= _KNOCK_CARD else []
        out += sorted([a for m, _, a in _melds(hand)
                       if _least(hand ^ m) <= _KNOCK_CARD])
        return out
    if phase == 5:
        kn = state[14]
        hand = state[2 + p]
        if kn[4]:
            return [_PASS] + sorted([m[2] for m in _melds(hand)])
        laid = 0
        for c in kn[3]:
            laid |= _BIT[c]
        fits = 0
        for m in kn[1 + kn[0]]:
            b1, b2, a1, a2 = _LAYOFF[m]
            fits |= b2 if b1 & laid else b1
            fits |= a2 if a1 & laid else a1
        out = _cards(fits & hand)
        out.append(_PASS)
        return out
    if phase == 6:
        if _can_knock(state[2 + p] | _BIT[state[6]]):
            return [_PASS, _KNOCK]
        return [_PASS]
    return []


def chance_outcomes(state):
    if state[0] != 0:
        return []
    q = 1.0 / state[10]
    return [(c, q) for c in _cards(state[9])]


def _start_knock(s, p):
    s[0] = _P_KNOCK
    s[4] = _total(s[2])
    s[5] = _total(s[3])
    s[14] = (p, (), (), (), 0)
    s[16 - p] += _text(s[2 + p])


def apply_action(state, action):
    s = list(state)
    phase = state[0]
    p = state[1]
    token = _CHR[action]
    if phase == 0:
        bit = _BIT[action]
        left = state[10]
        s[9] = state[9] ^ bit
        s[10] = left - 1
        if left == 32:
            s[0] = _P_FIRST
            s[1] = 0
            s[4] = _least(state[2])
            s[5] = _least(state[3])
            s[6] = action
            s[15] += token
            s[16] += token
            return tuple(s)
        if left > 42:
            p = 0
            s[2] |= bit
        elif left > 32:
            p = 1
            s[3] |= bit
        else:
            hand = state[2 + p] | bit
            s[2 + p] = hand
            s[4 + p] = _count11(hand)
            s[0] = _P_DISCARD
        s[15 + p] += token
        s[16 - p] += _HIDDEN
        return tuple(s)

    s[15] += token
    s[16] += token
    if phase == 3:
        if action == _KNOCK:
            _start_knock(s, p)
            return tuple(s)
        hand = state[2 + p] ^ _BIT[action]
        s[2 + p] = hand
        s[4 + p] = _least(hand)
        s[6] = action
        again = 1 if action == state[7] else 0
        s[12] = again
        s[1] = 1 - p
        if again and state[12]:
            s[0] = _P_OVER
        elif state[10] == _WALL:
            s[0] = _P_WALL
        else:
            s[0] = _P_DRAW
        return tuple(s)

    if phase <= 2:
        if action == _DRAW_STOCK:
            up = state[6]
            s[8] = state[8] + (up,)
            s[6] = -1
            s[7] = up
            s[0] = _P_DEAL
        elif action == _DRAW_UPCARD:
            if phase == 2:
                if state[13] + 1 >= _MAX_UPCARDS:
                    s[0] = _P_OVER
                    return tuple(s)
                s[13] = state[13] + 1
            up = state[6]
            hand = state[2 + p] | _BIT[up]
            s[2 + p] = hand
            s[4 + p] = _count11(hand)
            s[6] = -1
            s[7] = up
            s[0] = _P_DISCARD
        else:
            s[11] = state[11] | (1 << p)
            s[1] = 1 - p
        return tuple(s)

    if phase == 6:
        if action == _KNOCK:
            s[2 + p] = state[2 + p] | _BIT[state[6]]
            s[6] = -1
            _start_knock(s, p)
        else:
            s[0] = _P_OVER
        return tuple(s)

    # phases "knock" and "layoff"
    knocker, melds0, melds1, laid, over = state[14]
    if action < 52:
        s[2 + p] = state[2 + p] ^ _BIT[action]
        s[4 + p] = state[4 + p] - _CARD_VALUE[action]
        if phase == 4:
            s[8] = state[8] + (action,)
        else:
            s[14] = (knocker, melds0, melds1, laid + (action,), over)
    elif action == _PASS:
        if phase == 4:
            s[0] = _P_LAYOFF
            s[1] = 1 - p
            if state[4 + p] == 0:
                s[14] = (knocker, melds0, melds1, laid, 1)
            s[15 + p] += _text(state[3 - p])
        elif over:
            s[0] = _P_OVER
        else:
            s[14] = (knocker, melds0, melds1, laid, 1)
    else:
        s[2 + p] = state[2 + p] ^ _MELD_MASK[action]
        s[4 + p] = state[4 + p] - _MELD_VALUE[action]
        if p == 0:
            melds0 = melds0 + (action,)
        else:
            melds1 = melds1 + (action,)
        s[14] = (knocker, melds0, melds1, laid, over)
    return tuple(s)


def returns(state):
    if state[0] != 7:
        return [0.0, 0.0]
    k = state[14][0]
    if k < 0:
        return [0.0, 0.0]
    own = state[4 + k]
    r = state[5 - k] - own
    if own == 0:
        r += 25
    elif r < 0:
        r -= 25
    if k == 0:
        return [float(r), float(-r)]
    return [float(-r), float(r)]


def action_name(state, action):
    phase = state[0]
    if action < 52:
        if phase == 0:
            return _DEAL_NAMES[action]
        if phase == 5:
            return _LAYOFF_NAMES[action]
        return _DISCARD_NAMES[action]
    if action == _PASS and (phase == 4 or phase == 5):
        return 'done'
    return _OTHER_NAMES[action]


def observation(state, player):
    (phase, _, _, _, _, _, up, prev, pile, _, left, passed, rep, drawn, kn,
     _, _) = state
    knocker = kn[0]
    is_open = (knocker == 1 - player
               or (knocker == player and (phase == 5 or phase == 7)))
    return {
        'phase': _PHASES[phase],
        'hand': _names(state[2 + player]),
        'deadwood': state[4 + player],
        'upcard': _CARD_NAMES[up] if up >= 0 else None,
        'previous_upcard': _CARD_NAMES[prev] if prev >= 0 else None,
        'discard_pile': [_CARD_NAMES[c] for c in pile],
        'stock': left,
        'passed': [(passed & 1) != 0, (passed & 2) != 0],
        'repeated_move': rep != 0,
        'upcards_drawn': drawn,
        'knock_card': _KNOCK_CARD,
        'knocker': knocker if knocker >= 0 else None,
        'melds': [[list(_MELD_NAMES[m]) for m in kn[1]],
                  [list(_MELD_NAMES[m]) for m in kn[2]]],
        'layoffs': [_CARD_NAMES[c] for c in kn[3]],
        'layoffs_over': kn[4] != 0,
        'opponent_hand': _names(state[3 - player]) if is_open else None,
        'opponent_deadwood': state[5 - player] if is_open else None,
    }


def information_state(state, player):
    return (player, state[15 + player])


# ---------------------------------------------------------------- resampling


def _read(player, history):
    """What the history tells: see the names at the end."""
    moves = []        # all actions; -1 where a hidden card is dealt
    log_me = []       # what the player has seen (as in the state)
    log_opp = []      # what the opponent has seen; 0 for the hidden cards
    slots = []        # the positions of the hidden cards
    dead = []         # (card, number of hidden cards among which it was)
    turns = []        # of the opponent: (upcard taken or 0, discard) as bits
    wall = 0          # the upcard (bit) on which the opponent passed at the wall
    known = 0         # cards that the opponent is known to hold
    seen = 0          # cards that the player has seen
    turn = 0
    took = 0
    o = history[0][0]
    phase = o['phase']
    for i in range(1, len(history)):
        n = history[i][0]
        nphase = n['phase']
        if phase == 'deal':
            if i == 21:
                a = _CARD[n['upcard']]
                seen |= _BIT[a]
                moves.append(a)
                log_me.append(a)
                log_opp.append(a)
            else:
                if i <= 10:
                    to = 0
                elif i <= 20:
                    to = 1
                else:
                    to = turn
                if to == player:
                    new = n['hand']
                    name = new[-1]
                    for x, y in zip(new, o['hand']):
                        if x != y:
                            name = x
                            break
                    a = _CARD[name]
                    seen |= _BIT[a]
                    moves.append(a)
                    log_me.append(a)
                    log_opp.append(255)
                else:
                    slots.append(i - 1)
                    moves.append(-1)
                    log_me.append(255)
                    log_opp.append(0)
        elif phase == 'draw':
            if nphase == 'deal':
                a = _DRAW_STOCK
                took = 0
            else:
                a = _DRAW_UPCARD
                if turn != player and nphase == 'discard':
                    took = _BIT[_CARD[o['upcard']]]
                    known |= took
            moves.append(a)
            log_me.append(a)
            log_opp.append(a)
        elif (phase == 'discard' or phase == 'wall') and nphase == 'knock':
            moves.append(_KNOCK)
            log_me.append(_KNOCK)
            log_opp.append(_KNOCK)
            if turn == player:
                log_opp += [_CARD[x] for x in n['hand']]
            else:
                if phase == 'wall':
                    known |= _BIT[_CARD[o['upcard']]]
                for x in n['opponent_hand']:
                    c = _CARD[x]
                    log_me.append(c)
                    if not known & _BIT[c]:
                        dead.append((c, len(slots)))
                        known |= _BIT[c]
                        seen |= _BIT[c]
        elif phase == 'discard':
            a = _CARD[n['upcard']]
            if turn != player:
                bit = _BIT[a]
                if known & bit:
                    known ^= bit
                else:
                    dead.append((a, len(slots)))
                    seen |= bit
                turns.append((took, bit))
            turn = 1 - turn
            moves.append(a)
            log_me.append(a)
            log_opp.append(a)
        elif phase == 'first upcard':
            if n['passed'] != o['passed']:
                a = _PASS
                turn = 1 - turn
            elif nphase == 'deal':
                a = _DRAW_STOCK
                took = 0
            else:
                a = _DRAW_UPCARD
                if turn != player:
                    took = _BIT[_CARD[o['upcard']]]
                    known |= took
            moves.append(a)
            log_me.append(a)
            log_opp.append(a)
        elif phase == 'wall':
            if turn != player:
                wall = _BIT[_CARD[o['upcard']]]
            moves.append(_PASS)
            log_me.append(_PASS)
            log_opp.append(_PASS)
        elif phase == 'knock':
            if len(n['discard_pile']) != len(o['discard_pile']):
                a = _CARD[n['discard_pile'][-1]]
            elif nphase == 'layoff':
                a = _PASS
            else:
                a = _MELD_ID[tuple(n['melds'][turn][-1])]
            moves.append(a)
            log_me.append(a)
            log_opp.append(a)
            if a == _PASS:
                if turn == player:
                    for x in n['opponent_hand']:
                        c = _CARD[x]
                        log_me.append(c)
                        if not known & _BIT[c]:
                            dead.append((c, len(slots)))
                            known |= _BIT[c]
                            seen |= _BIT[c]
                else:
                    log_opp += [_CARD[x] for x in n['hand']]
                turn = 1 - turn
        else:   # layoff
            if len(n['layoffs']) != len(o['layoffs']):
                a = _CARD[n['layoffs'][-1]]
            elif len(n['melds'][turn]) != len(o['melds'][turn]):
                a = _MELD_ID[tuple(n['melds'][turn][-1])]
            else:
                a = _PASS
            moves.append(a)
            log_me.append(a)
            log_opp.append(a)
        o = n
        phase = nphase
    return (moves, log_me, log_opp, slots, dead, turns, wall, known, seen,
            turn)


_KEEP = 11.0 / 12.0


def _accept(cards, turns, wall, rand):
    """True with a probability proportional to that of the opponent's choices."""
    hand = 0
    for c in cards[:10]:
        hand |= _BIT[c]
    k = 10
    for took, out in turns:
        if took:
            hand |= took
        else:
            hand |= _BIT[cards[k]]
            k += 1
        if _can_knock(hand) and rand() >= _KEEP:
            return False
        hand ^= out
    if wall and _can_knock(hand | wall) and rand() >= 0.5:
        return False
    return True


def _fill(n, dead, turns, wall, seen, rand):
    """The n hidden cards in the order in which they were dealt, and the mask
    of those among them that the player has never seen."""
    unseen = _cards(_ALL & ~seen)
    tries = 0
    while True:
        tries += 1
        cards = [0] * n
        avail = []
        got = 0
        for card, limit in dead:
            if got < limit:
                avail.extend(range(got, limit))
                got = limit
            k = int(rand() * len(avail))
            cards[avail[k]] = card
            avail[k] = avail[-1]
            avail.pop()
        if got < n:
            avail.extend(range(got, n))
        free = 0
        if avail:
            pool = unseen[:]
            for j in avail:
                k = int(rand() * len(pool))
                c = pool[k]
                pool[k] = pool[-1]
                pool.pop()
                cards[j] = c
                free |= _BIT[c]
        if _accept(cards, turns, wall, rand) or tries >= 5000:
            return cards, free


def resample_history(player, history, rand):
    (moves, _, _, slots, dead, turns, wall, _, seen, _) = _read(player, history)
    cards, _ = _fill(len(slots), dead, turns, wall, seen, rand)
    for pos, c in zip(slots, cards):
        moves[pos] = c
    return moves


def resample_state(player, history, rand):
    (_, log_me, log_opp, slots, dead, turns, wall, known, seen,
     turn) = _read(player, history)
    cards, free = _fill(len(slots), dead, turns, wall, seen, rand)
    for pos, c in zip(slots, cards):
        log_opp[pos] = c
    obs = history[-1][0]
    mine = 0
    for x in obs['hand']:
        mine |= _BIT[_CARD[x]]
    my_count = obs['deadwood']
    knocker = obs['knocker']
    if obs['opponent_hand'] is not None:
        other = 0
        for x in obs['opponent_hand']:
            other |= _BIT[_CARD[x]]
        other_count = obs['opponent_deadwood']
    else:
        other = known | free
        if len(history) < 22:
            other_count = 0
        elif knocker is not None:
            other_count = _total(other)
        elif bin(other).count('1') == 11:
            other_count = _count11(other)
        else:
            other_count = _least(other)
    seen_me = bytes(log_me).decode('latin-1')
    seen_opp = bytes(log_opp).decode('latin-1')
    if knocker is None:
        kn = _NO_KNOCK
    else:
        melds = obs['melds']
        kn = (knocker,
              tuple([_MELD_ID[tuple(m)] for m in melds[0]]),
              tuple([_MELD_ID[tuple(m)] for m in melds[1]]),
              tuple([_CARD[x] for x in obs['layoffs']]),
              1 if obs['layoffs_over'] else 0)
    up = obs['upcard']
    prev = obs['previous_upcard']
    passed = obs['passed']
    if player == 0:
        hand0, hand1 = mine, other
        count0, count1 = my_count, other_count
        seen0, seen1 = seen_me, seen_opp
    else:
        hand0, hand1 = other, mine
        count0, count1 = other_count, my_count
        seen0, seen1 = seen_opp, seen_me
    return (_PHASE_CODE[obs['phase']], turn, hand0, hand1, count0, count1,
            -1 if up is None else _CARD[up],
            -1 if prev is None else _CARD[prev],
            tuple([_CARD[x] for x in obs['discard_pile']]),
            _ALL & ~(seen | free), obs['stock'],
            (1 if passed[0] else 0) | (2 if passed[1] else 0),
            1 if obs['repeated_move'] else 0,
            obs['upcards_drawn'], kn, seen0, seen1)
