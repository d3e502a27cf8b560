import math

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 241
MAX_CHANCE_OUTCOMES = 52
MAX_GAME_LENGTH = 180
MIN_UTILITY = -125.0
MAX_UTILITY = 125.0

# ---------------------------------------------------------------- constants

_RANKS = "A23456789TJQK"
_SUITS = "scdh"
_NAME = tuple([r + s for s in _SUITS for r in _RANKS])
_INDEX = {}
_NBIT = {}
for _i, _n in enumerate(_NAME):
    _INDEX[_n] = _i
    _NBIT[_n] = 1 << _i
_BIT = tuple([1 << _i for _i in range(52)])
_CHR = tuple([chr(_i) for _i in range(256)])
_HID = chr(255)
_VALUE = tuple([min(_r + 1, 10) for _r in range(13)])
_M = 8191
_FULL = (1 << 52) - 1

_UPCARD = 52
_STOCK = 53
_PASS = 54
_KNOCK = 55
_MELD0 = 56

# phases
_DEAL = 0
_FIRST = 1
_DRAW = 2
_DISCARD = 3
_KNOCKDISCARD = 4
_LAYOFF = 5
_WALL = 6
_OVER = 7
_KNOCKMELD = 8
_PHASE_NAME = ("deal", "first upcard", "draw", "discard", "knock", "layoff",
               "wall", "over", "knock")
_PHASE_ID = {"deal": 0, "first upcard": 1, "draw": 2, "discard": 3, "knock": 4,
             "layoff": 5, "wall": 6, "over": 7}

_KNOCK_CARD = 10
_LAST_UPCARD = 49      # one more 'draw upcard' ends the game
_WALL_STOCK = 2


# ------------------------------------------------------------------- tables

def _suit_tables():
    total = [0] * 8192
    best = [0] * 8192
    for mask in range(1, 8192):
        low = mask & -mask
        rest = mask ^ low
        r = low.bit_length() - 1
        total[mask] = total[rest] + _VALUE[r]
        b = best[rest]
        for length in (3, 4, 5):
            if r + length > 13:
                break
            run = ((1 << length) - 1) << r
            if (mask & run) != run:
                break
            v = sum(_VALUE[r:r + length]) + best[mask ^ run]
            if v > b:
                b = v
        best[mask] = b
    return (tuple(total), tuple(best),
            tuple([total[i] - best[i] for i in range(8192)]))


_T, _RB, _SD = _suit_tables()    # total, best runs, total - best runs


def _list_table(items):
    out = [()] * 8192
    for mask in range(1, 8192):
        low = mask & -mask
        out[mask] = (items[low.bit_length() - 1],) + out[mask ^ low]
    return tuple(out)


_C0 = _list_table(tuple(range(0, 13)))
_C1 = _list_table(tuple(range(13, 26)))
_C2 = _list_table(tuple(range(26, 39)))
_C3 = _list_table(tuple(range(39, 52)))
_N0 = _list_table(_NAME[0:13])
_N1 = _list_table(_NAME[13:26])
_N2 = _list_table(_NAME[26:39])
_N3 = _list_table(_NAME[39:52])


def _meld_tables():
    cards = []
    lay = []
    for r in range(13):
        full = [r + 13 * s for s in range(4)]
        for missing in range(4):
            cards.append(tuple([c for c in full if c != full[missing]]))
            lay.append((1 << full[missing], 0, 0, 0))
        cards.append(tuple(full))
        lay.append((0, 0, 0, 0))
    run_id = {}
    for length in (3, 4, 5):
        ids = [-1] * 52
        for s in range(4):
            for r in range(14 - length):
                lo = 13 * s + r
                hi_rank = r + length - 1
                hi = 13 * s + hi_rank
                ids[lo] = _MELD0 + len(cards)
                cards.append(tuple(range(lo, hi + 1)))
                lay.append(((1 << (lo - 1)) if r >= 1 else 0,
                            (1 << (lo - 2)) if r >= 2 else 0,
                            (1 << (hi + 1)) if hi_rank <= 11 else 0,
                            (1 << (hi + 2)) if hi_rank <= 10 else 0))
        run_id[length] = tuple(ids)
    masks = []
    for cs in cards:
        m = 0
        for c in cs:
            m |= 1 << c
        masks.append(m)
    return (tuple(cards), tuple(lay), tuple(masks), run_id[3], run_id[4],
            run_id[5])


(_MELD_CARDS, _MELD_LAY, _MELD_MASK, _RUN3_ID, _RUN4_ID,
 _RUN5_ID) = _meld_tables()
_MELD_NAMES = tuple([tuple([_NAME[c] for c in cs]) for cs in _MELD_CARDS])
_MELD_ID = {}
for _i, _n in enumerate(_MELD_NAMES):
    _MELD_ID[_n] = _MELD0 + _i

_DEAL_NAME = tuple(["deal " + _n for _n in _NAME])
_DISCARD_NAME = tuple(["discard " + _n for _n in _NAME])
_LAYOFF_NAME = tuple(["lay off " + _n for _n in _NAME])
_MELD_NAME = tuple(["meld " + " ".join(_n) for _n in _MELD_NAMES])

_ACTION_ID = {"draw upcard": _UPCARD, "draw stock": _STOCK, "pass": _PASS,
              "done": _PASS, "knock": _KNOCK}
for _i in range(52):
    _ACTION_ID[_DISCARD_NAME[_i]] = _i
    _ACTION_ID[_LAYOFF_NAME[_i]] = _i
for _i in range(len(_MELD_NAME)):
    _ACTION_ID[_MELD_NAME[_i]] = _MELD0 + _i


def _start_mask(top):
    m = 0
    for s in range(4):
        for r in range(top + 1):
            m |= 1 << (13 * s + r)
    return m


_V3 = _start_mask(10)
_V4 = _start_mask(9)
_V5 = _start_mask(8)


def _run_values(length):
    out = []
    for c in range(52):
        r = c % 13
        if r + length <= 13:
            out.append((((1 << length) - 1) << c, sum(_VALUE[r:r + length])))
        else:
            out.append((0, 0))
    return tuple(out)


_RUN3 = _run_values(3)
_RUN4 = _run_values(4)
_RUN5 = _run_values(5)

_RANK_MASK = tuple([(1 << _r) | (1 << (_r + 13)) | (1 << (_r + 26))
                    | (1 << (_r + 39)) for _r in range(13)])

# per rank the five sets as (mask, value): without s, c, d, h; all four
_SETS = tuple([tuple([(_MELD_MASK[5 * _r + _k],
                       _VALUE[_r] * (4 if _k == 4 else 3))
                      for _k in range(5)]) for _r in range(13)])


# ------------------------------------------------------------ deadwood counts

def _total(h):
    return _T[h & _M] + _T[h >> 13 & _M] + _T[h >> 26 & _M] + _T[h >> 39]


def _best(h):
    """The most that the melds of an arrangement of h can count."""
    s = h & _M
    c = h >> 13 & _M
    d = h >> 26 & _M
    e = h >> 39
    b = _RB[s] + _RB[c] + _RB[d] + _RB[e]
    t = (s & c & (d | e)) | (d & e & (s | c))
    if not t:
        return b
    if not b:
        return 3 * _T[t] + _T[s & c & d & e]
    combos = [(h, 0)]
    while t:
        low = t & -t
        t ^= low
        new = []
        for m, v in _SETS[low.bit_length() - 1]:
            if (h & m) == m:
                for hh, w in combos:
                    new.append((hh ^ m, w + v))
        combos += new
    for hh, w in combos:
        w += (_RB[hh & _M] + _RB[hh >> 13 & _M] + _RB[hh >> 26 & _M]
              + _RB[hh >> 39])
        if w > b:
            b = w
    return b


def _least(h):
    """The least deadwood of all arrangements."""
    s = h & _M
    c = h >> 13 & _M
    d = h >> 26 & _M
    e = h >> 39
    if (s & c & (d | e)) | (d & e & (s | c)):
        return _T[s] + _T[c] + _T[d] + _T[e] - _best(h)
    return _SD[s] + _SD[c] + _SD[d] + _SD[e]


def _search(melds, i, h, need):
    for j in range(i, len(melds)):
        m, v = melds[j]
        if v <= need and (h & m) == m:
            if v == need:
                return h ^ m
            r = _search(melds, j + 1, h ^ m, need - v)
            if r >= 0:
                return r
    return -1


def _leftover(h, need):
    """Cards outside the melds of the first arrangement that counts need."""
    s = h & _M
    c = h >> 13 & _M
    d = h >> 26 & _M
    e = h >> 39
    melds = []
    t = (s & c & (d | e)) | (d & e & (s | c))
    if t:
        four = s & c & d & e
        x = four
        while x:
            low = x & -x
            x ^= low
            sets = _SETS[low.bit_length() - 1]
            melds.append(sets[4])
            melds.append(sets[2])
            melds.append(sets[1])
        while t:
            low = t & -t
            t ^= low
            r = low.bit_length() - 1
            if four & low:
                melds.append(_SETS[r][3])
                melds.append(_SETS[r][0])
            else:
                melds.append((h & _RANK_MASK[r], 3 * _VALUE[r]))
    x3 = h & (h >> 1) & (h >> 2) & _V3
    if x3:
        x4 = x3 & (h >> 3) & _V4
        if x4:
            x = x4 & (h >> 4) & _V5
            while x:
                low = x & -x
                x ^= low
                melds.append(_RUN5[low.bit_length() - 1])
            while x4:
                low = x4 & -x4
                x4 ^= low
                melds.append(_RUN4[low.bit_length() - 1])
        while x3:
            low = x3 & -x3
            x3 ^= low
            melds.append(_RUN3[low.bit_length() - 1])
    return _search(melds, 0, h, need)


def _count11(h):
    """The count of deadwood of 11 cards."""
    b = _best(h)
    rest = _total(h) - b
    if not rest:
        return 0
    left = _leftover(h, b) if b else h
    ranks = (left | left >> 13 | left >> 26 | left >> 39) & _M
    return rest - _VALUE[ranks.bit_length() - 1]


def _can_knock(h):
    s = h & _M
    c = h >> 13 & _M
    d = h >> 26 & _M
    e = h >> 39
    if not ((s & c & (d | e)) | (d & e & (s | c))):
        if _SD[s] + _SD[c] + _SD[d] + _SD[e] > _KNOCK_CARD + 10:
            return False
    return _count11(h) <= _KNOCK_CARD


def _cards(h):
    return [*_C0[h & _M], *_C1[h >> 13 & _M], *_C2[h >> 26 & _M],
            *_C3[h >> 39]]


def _names(h):
    return [*_N0[h & _M], *_N1[h >> 13 & _M], *_N2[h >> 26 & _M],
            *_N3[h >> 39]]


def _mask(names):
    m = 0
    for x in names:
        m |= _NBIT[x]
    return m


def _meld_ids(h):
    """The actions of all melds that are in h, ascending."""
    out = []
    s = h & _M
    c = h >> 13 & _M
    d = h >> 26 & _M
    e = h >> 39
    t = (s & c & (d | e)) | (d & e & (s | c))
    while t:
        low = t & -t
        t ^= low
        base = _MELD0 + 5 * (low.bit_length() - 1)
        if not s & low:
            out.append(base)
        elif not c & low:
            out.append(base + 1)
        elif not d & low:
            out.append(base + 2)
        elif not e & low:
            out.append(base + 3)
        else:
            out += (base, base + 1, base + 2, base + 3, base + 4)
    x3 = h & (h >> 1) & (h >> 2) & _V3
    if x3:
        x4 = x3 & (h >> 3) & _V4
        x5 = x4 & (h >> 4) & _V5
        while x3:
            low = x3 & -x3
            x3 ^= low
            out.append(_RUN3_ID[low.bit_length() - 1])
        while x4:
            low = x4 & -x4
            x4 ^= low
            out.append(_RUN4_ID[low.bit_length() - 1])
        while x5:
            low = x5 & -x5
            x5 ^= low
            out.append(_RUN5_ID[low.bit_length() - 1])
    return out


# -------------------------------------------------------------------- state
# 0 phase, 1 player to act (or who gets the card from the stock), 2 hand of
# player 0, 3 hand of player 1, 4 stock, 5 size of the stock, 6 upcard,
# 7 previous upcard, 8 discard pile (names), 9 passed (bits), 10 repeated move,
# 11 upcards drawn, 12 knocker, 13 melds of player 0, 14 melds of player 1,
# 15 layoffs, 16 layoffs over, 17 what player 0 has seen, 18 the same of
# player 1 (one character for each action, a hidden card as _HID)

_INITIAL = (_DEAL, 0, 0, 0, _FULL, 52, -1, -1, (), 0, False, 0, -1, (), (),
            (), False, "", "")


def initial_state():
    return _INITIAL


def current_player(state):
    ph = state[0]
    if ph == _DEAL:
        return -1
    if ph == _OVER:
        return -4
    return state[1]


def legal_actions(state):
    ph = state[0]
    if ph == _DRAW:
        return [_UPCARD, _STOCK]
    cur = state[1]
    h = state[3] if cur else state[2]
    if ph == _DISCARD:
        acts = [*_C0[h & _M], *_C1[h >> 13 & _M], *_C2[h >> 26 & _M],
                *_C3[h >> 39]]
        if _can_knock(h):
            acts.append(_KNOCK)
        return acts
    if ph == _FIRST:
        if state[9] == 3:
            return [_STOCK]
        return [_UPCARD, _PASS]
    if ph == _WALL:
        if _can_knock(h | _BIT[state[6]]):
            return [_PASS, _KNOCK]
        return [_PASS]
    if ph == _KNOCKDISCARD:
        return [c for c in _cards(h) if _least(h ^ _BIT[c]) <= _KNOCK_CARD]
    if ph == _KNOCKMELD:
        acts = [_PASS] if _total(h) <= _KNOCK_CARD else []
        for m in _meld_ids(h):
            if _least(h ^ _MELD_MASK[m - _MELD0]) <= _KNOCK_CARD:
                acts.append(m)
        return acts
    if ph == _LAYOFF:
        if state[16]:
            acts = [_PASS]
            acts += _meld_ids(h)
            return acts
        laid = 0
        for c in state[15]:
            laid |= _BIT[c]
        fits = 0
        for m in state[13 + state[12]]:
            lo1, lo2, hi1, hi2 = _MELD_LAY[m - _MELD0]
            fits |= lo2 if laid & lo1 else lo1
            fits |= hi2 if laid & hi1 else hi1
        acts = _cards(fits & h)
        acts.append(_PASS)
        return acts
    return []


def chance_outcomes(state):
    stock = state[4]
    p = 1.0 / state[5]
    return [(c, p) for c in _cards(stock)]


def apply_action(state, action):
    (ph, cur, h0, h1, stock, n, up, prev, pile, passed, rep, drawn, knocker,
     m0, m1, lay, lover, v0, v1) = state
    ch = _CHR[action]

    if ph == _DISCARD:
        if action == _KNOCK:
            return (_KNOCKDISCARD, cur, h0, h1, stock, n, up, prev, pile,
                    passed, rep, drawn, cur, m0, m1, lay, lover,
                    v0 + ch, v1 + ch)
        if cur:
            h1 ^= _BIT[action]
        else:
            h0 ^= _BIT[action]
        again = action == prev
        if again and rep:
            nph = _OVER
            cur = 0
        else:
            nph = _WALL if n == _WALL_STOCK else _DRAW
            cur = 1 - cur
        return (nph, cur, h0, h1, stock, n, action, prev, pile, passed, again,
                drawn, knocker, m0, m1, lay, lover, v0 + ch, v1 + ch)

    if ph == _DRAW:
        if action == _UPCARD:
            if drawn == _LAST_UPCARD:
                return (_OVER, 0, h0, h1, stock, n, up, prev, pile, passed,
                        rep, drawn, knocker, m0, m1, lay, lover,
                        v0 + ch, v1 + ch)
            if cur:
                h1 |= _BIT[up]
            else:
                h0 |= _BIT[up]
            return (_DISCARD, cur, h0, h1, stock, n, -1, up, pile, passed,
                    rep, drawn + 1, knocker, m0, m1, lay, lover,
                    v0 + ch, v1 + ch)
        return (_DEAL, cur, h0, h1, stock, n, -1, up, pile + (_NAME[up],),
                passed, rep, drawn, knocker, m0, m1, lay, lover,
                v0 + ch, v1 + ch)

    if ph == _DEAL:
        bit = _BIT[action]
        stock ^= bit
        if n < 32:
            if cur:
                h1 |= bit
                v0 += _HID
                v1 += ch
            else:
                h0 |= bit
                v0 += ch
                v1 += _HID
            return (_DISCARD, cur, h0, h1, stock, n - 1, up, prev, pile,
                    passed, rep, drawn, knocker, m0, m1, lay, lover, v0, v1)
        if n > 42:
            return (_DEAL, 0, h0 | bit, h1, stock, n - 1, up, prev, pile,
                    passed, rep, drawn, knocker, m0, m1, lay, lover,
                    v0 + ch, v1 + _HID)
        if n > 32:
            return (_DEAL, 0, h0, h1 | bit, stock, n - 1, up, prev, pile,
                    passed, rep, drawn, knocker, m0, m1, lay, lover,
                    v0 + _HID, v1 + ch)
        return (_FIRST, 0, h0, h1, stock, n - 1, action, prev, pile, passed,
                rep, drawn, knocker, m0, m1, lay, lover, v0 + ch, v1 + ch)

    v0 += ch
    v1 += ch

    if ph == _FIRST:
        if action == _UPCARD:
            if cur:
                h1 |= _BIT[up]
            else:
                h0 |= _BIT[up]
            return (_DISCARD, cur, h0, h1, stock, n, -1, up, pile, passed,
                    rep, drawn, knocker, m0, m1, lay, lover, v0, v1)
        if action == _PASS:
            return (_FIRST, 1 - cur, h0, h1, stock, n, up, prev, pile,
                    passed | (1 << cur), rep, drawn, knocker, m0, m1, lay,
                    lover, v0, v1)
        return (_DEAL, cur, h0, h1, stock, n, -1, up, pile + (_NAME[up],),
                passed, rep, drawn, knocker, m0, m1, lay, lover, v0, v1)

    if ph == _WALL:
        if action == _PASS:
            return (_OVER, 0, h0, h1, stock, n, up, prev, pile, passed, rep,
                    drawn, knocker, m0, m1, lay, lover, v0, v1)
        if cur:
            h1 |= _BIT[up]
        else:
            h0 |= _BIT[up]
        return (_KNOCKDISCARD, cur, h0, h1, stock, n, -1, prev, pile, passed,
                rep, drawn, cur, m0, m1, lay, lover, v0, v1)

    if ph == _KNOCKDISCARD:
        if cur:
            h1 ^= _BIT[action]
        else:
            h0 ^= _BIT[action]
        return (_KNOCKMELD, cur, h0, h1, stock, n, up, prev,
                pile + (_NAME[action],), passed, rep, drawn, knocker, m0, m1,
                lay, lover, v0, v1)

    if action >= _MELD0:
        # a meld, in the phase of the knocker or of the other player
        if cur:
            h1 ^= _MELD_MASK[action - _MELD0]
            m1 = m1 + (action,)
        else:
            h0 ^= _MELD_MASK[action - _MELD0]
            m0 = m0 + (action,)
        return (ph, cur, h0, h1, stock, n, up, prev, pile, passed, rep, drawn,
                knocker, m0, m1, lay, lover, v0, v1)

    if ph == _KNOCKMELD:
        # done
        gin = (h1 if cur else h0) == 0
        return (_LAYOFF, 1 - cur, h0, h1, stock, n, up, prev, pile, passed,
                rep, drawn, knocker, m0, m1, lay, gin, v0, v1)

    # laying off
    if action == _PASS:
        if lover:
            return (_OVER, 0, h0, h1, stock, n, up, prev, pile, passed, rep,
                    drawn, knocker, m0, m1, lay, lover, v0, v1)
        return (_LAYOFF, cur, h0, h1, stock, n, up, prev, pile, passed, rep,
                drawn, knocker, m0, m1, lay, True, v0, v1)
    if cur:
        h1 ^= _BIT[action]
    else:
        h0 ^= _BIT[action]
    return (_LAYOFF, cur, h0, h1, stock, n, up, prev, pile, passed, rep,
            drawn, knocker, m0, m1, lay + (action,), lover, v0, v1)


def returns(state):
    knocker = state[12]
    if state[0] != _OVER or knocker < 0:
        return [0.0, 0.0]
    own = _total(state[2 + knocker])
    res = _total(state[3 - knocker]) - own
    if own == 0:
        res += 25
    elif res < 0:
        res -= 25
    res = float(res)
    if knocker:
        return [0.0 - res, res]
    return [res, 0.0 - res]


def action_name(state, action):
    if action < 52:
        ph = state[0]
        if ph == _DEAL:
            return _DEAL_NAME[action]
        if ph == _LAYOFF:
            return _LAYOFF_NAME[action]
        return _DISCARD_NAME[action]
    if action >= _MELD0:
        return _MELD_NAME[action - _MELD0]
    if action == _UPCARD:
        return "draw upcard"
    if action == _STOCK:
        return "draw stock"
    if action == _KNOCK:
        return "knock"
    ph = state[0]
    if ph == _FIRST or ph == _WALL:
        return "pass"
    return "done"


def observation(state, player):
    (ph, cur, h0, h1, stock, n, up, prev, pile, passed, rep, drawn, knocker,
     m0, m1, lay, lover, v0, v1) = state
    if player:
        mine = h1
        theirs = h0
    else:
        mine = h0
        theirs = h1
    opp_hand = None
    opp_dead = None
    if n > 31:
        dead = 0
    elif knocker >= 0:
        dead = _total(mine)
        if knocker != player or ph == _LAYOFF or ph == _OVER:
            opp_hand = _names(theirs)
            opp_dead = _total(theirs)
    elif ph == _DISCARD and cur == player:
        dead = _count11(mine)
    else:
        dead = _least(mine)
    return {
        "phase": _PHASE_NAME[ph],
        "hand": [*_N0[mine & _M], *_N1[mine >> 13 & _M],
                 *_N2[mine >> 26 & _M], *_N3[mine >> 39]],
        "deadwood": dead,
        "upcard": _NAME[up] if up >= 0 else None,
        "previous_upcard": _NAME[prev] if prev >= 0 else None,
        "discard_pile": list(pile),
        "stock": n,
        "passed": [(passed & 1) != 0, (passed & 2) != 0],
        "repeated_move": rep,
        "upcards_drawn": drawn,
        "knock_card": _KNOCK_CARD,
        "knocker": knocker if knocker >= 0 else None,
        "melds": [[list(_MELD_NAMES[m - _MELD0]) for m in m0],
                  [list(_MELD_NAMES[m - _MELD0]) for m in m1]],
        "layoffs": [_NAME[c] for c in lay],
        "layoffs_over": lover,
        "opponent_hand": opp_hand,
        "opponent_deadwood": opp_dead,
    }


def information_state(state, player):
    knocker = state[12]
    shown = -1
    if knocker >= 0:
        if knocker != player or state[0] == _LAYOFF or state[0] == _OVER:
            shown = state[3 - player]
    return (player, state[17 + player], shown)


# --------------------------------------------------------------- resampling

def _read(player, history):
    """Works out from the history of the player all actions and all that is
    known about the cards dealt to the other player.

    acts: the actions, 255 for each card that the player did not see
    own: positions of the cards dealt to the player
    slots: positions of the hidden cards
    reveals: (card, number of slots in which it may have been), in order of
        the discards that first showed these cards
    checks: (number of slots, mask shown, mask known) for each discard by the
        other player, who did not knock then
    wall: the same and the upcard, if the other player passed at the wall
    hidden: the cards of the slots that are not in reveals, -1 if not known
    seen: all cards whose place in the deal is not hidden, and those revealed
    shown: the cards in reveals
    known: cards in the other player's hand that were taken as upcards
    """
    other = 1 - player
    acts = []
    own = []
    slots = []
    reveals = []
    checks = []
    known = 0
    shown = 0
    seen = 0
    hidden = -1
    wall = None
    mine = False
    obs, act = history[0]
    for i in range(1, len(history)):
        nxt, nact = history[i]
        phase = obs["phase"]
        if act is not None:
            a = _ACTION_ID[act]
            mine = True
            if a == _PASS and phase == "knock":
                hidden = _mask(nxt["opponent_hand"]) & ~known
        elif phase == "deal":
            left = obs["stock"]
            if left < 32:
                to = player if mine else other
            elif left > 42:
                to = 0
            elif left > 32:
                to = 1
            else:
                to = 2
            if to == player:
                new = nxt["hand"]
                name = new[-1]
                for x, y in zip(new, obs["hand"]):
                    if x != y:
                        name = x
                        break
                a = _INDEX[name]
                own.append(len(acts))
                seen |= _BIT[a]
            elif to == 2:
                a = _INDEX[nxt["upcard"]]
                seen |= _BIT[a]
            else:
                a = 255
                slots.append(len(acts))
        else:
            mine = False
            after = nxt["phase"]
            if phase == "draw" or phase == "first upcard":
                if after == "deal":
                    a = _STOCK
                elif after == "discard":
                    a = _UPCARD
                    known |= _NBIT[obs["upcard"]]
                elif after == "over":
                    a = _UPCARD
                else:
                    a = _PASS
            elif phase == "discard":
                if after == "knock":
                    a = _KNOCK
                    hidden = _mask(nxt["opponent_hand"]) & ~known
                else:
                    a = _INDEX[nxt["upcard"]]
                    bit = _BIT[a]
                    checks.append((len(slots), shown, known))
                    if known & bit:
                        known ^= bit
                    else:
                        reveals.append((a, len(slots)))
                        shown |= bit
                        seen |= bit
            elif phase == "wall":
                if after == "knock":
                    a = _KNOCK
                    known |= _NBIT[obs["upcard"]]
                    hidden = _mask(nxt["opponent_hand"]) & ~known
                else:
                    a = _PASS
                    wall = (len(slots), shown, known, _NBIT[obs["upcard"]])
            else:
                # knock or layoff
                melds = nxt["melds"][other]
                if len(melds) > len(obs["melds"][other]):
                    a = _MELD_ID[tuple(melds[-1])]
                elif len(nxt["discard_pile"]) > len(obs["discard_pile"]):
                    a = _INDEX[nxt["discard_pile"][-1]]
                elif len(nxt["layoffs"]) > len(obs["layoffs"]):
                    a = _INDEX[nxt["layoffs"][-1]]
                else:
                    a = _PASS
        acts.append(a)
        obs = nxt
        act = nact
    return (acts, own, slots, reveals, checks, wall, hidden, seen, shown,
            known)


_GEO = 1.0 / math.log(11.0 / 12.0)


def _hand_at(cards, k, shown, known):
    h = 0
    for c in cards[:k]:
        h |= _BIT[c]
    return (h & ~shown) | known


def _draw_hidden(ns, reveals, checks, wall, hidden, seen, rand):
    """The hidden cards in the order of the slots.

    Without regard to the choices of the other player all ways to fill the
    slots are equally likely. Each discard where that player could have
    knocked is less likely by 11/12, a pass at the wall by 1/2: at a choice of
    the discards, each with probability 1/12, a knock must not be legal."""
    if hidden >= 0:
        pool = _cards(hidden)
    else:
        pool = _cards(_FULL & ~seen)
    nc = len(checks)
    log = math.log
    while True:
        cards = [0] * ns
        free = []
        top = 0
        for c, k in reveals:
            if top < k:
                free.extend(range(top, k))
                top = k
            j = int(rand() * len(free))
            cards[free[j]] = c
            free[j] = free[-1]
            free.pop()
        if top < ns:
            free.extend(range(top, ns))
        size = len(pool)
        for f in free:
            j = int(rand() * size)
            size -= 1
            c = pool[j]
            pool[j] = pool[size]
            pool[size] = c
            cards[f] = c
        good = True
        if nc:
            j = int(log(1.0 - rand()) * _GEO)
            while j < nc:
                k, sh, kn = checks[j]
                if _can_knock(_hand_at(cards, k, sh, kn)):
                    good = False
                    break
                j += 1 + int(log(1.0 - rand()) * _GEO)
        if good and wall is not None and rand() < 0.5:
            k, sh, kn, bit = wall
            if _can_knock(_hand_at(cards, k, sh, kn) | bit):
                good = False
        if good:
            return cards


def resample_history(player, history, rand):
    (acts, own, slots, reveals, checks, wall, hidden, seen, shown,
     known) = _read(player, history)
    if slots:
        cards = _draw_hidden(len(slots), reveals, checks, wall, hidden, seen,
                             rand)
        for p, c in zip(slots, cards):
            acts[p] = c
    return acts


def resample_state(player, history, rand):
    obs = history[-1][0]
    phase = obs["phase"]
    if phase == "deal":
        state = _INITIAL
        for a in resample_history(player, history, rand):
            state = apply_action(state, a)
        return state
    (acts, own, slots, reveals, checks, wall, hidden, seen, shown,
     known) = _read(player, history)
    cards = _draw_hidden(len(slots), reveals, checks, wall, hidden, seen,
                         rand)
    my_view = bytes(acts).decode("latin-1")
    for p in own:
        acts[p] = 255
    for p, c in zip(slots, cards):
        acts[p] = c
    other_view = bytes(acts).decode("latin-1")
    dealt = 0
    for c in cards:
        dealt |= _BIT[c]
    stock = _FULL & ~(seen | dealt)
    names = obs["hand"]
    mine = _mask(names)
    opp = obs["opponent_hand"]
    if opp is None:
        theirs = (dealt & ~shown) | known
    else:
        theirs = _mask(opp)
    ph = _PHASE_ID[phase]
    cur = player
    if ph == _OVER:
        cur = 0
    elif ph == _KNOCKDISCARD and len(names) != 11:
        ph = _KNOCKMELD
    up = obs["upcard"]
    up = -1 if up is None else _INDEX[up]
    prev = obs["previous_upcard"]
    prev = -1 if prev is None else _INDEX[prev]
    passed = obs["passed"]
    bits = (1 if passed[0] else 0) | (2 if passed[1] else 0)
    knocker = obs["knocker"]
    if knocker is None:
        knocker = -1
        m0 = ()
        m1 = ()
        lay = ()
    else:
        melds = obs["melds"]
        m0 = tuple([_MELD_ID[tuple(m)] for m in melds[0]])
        m1 = tuple([_MELD_ID[tuple(m)] for m in melds[1]])
        lay = tuple([_INDEX[c] for c in obs["layoffs"]])
    if player:
        h0 = theirs
        h1 = mine
        v0 = other_view
        v1 = my_view
    else:
        h0 = mine
        h1 = theirs
        v0 = my_view
        v1 = other_view
    return (ph, cur, h0, h1, stock, obs["stock"], up, prev,
            tuple(obs["discard_pile"]), bits, obs["repeated_move"],
            obs["upcards_drawn"], knocker, m0, m1, lay, obs["layoffs_over"],
            v0, v1)
