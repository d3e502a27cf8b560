NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 676
MAX_CHANCE_OUTCOMES = 30
MAX_GAME_LENGTH = 1001
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_LAST_FREE_TURN = 500

# Throws as (higher, lower): the 15 different pairs, then the 6 doubles.
_PAIRS = tuple((h, l) for l in range(1, 7) for h in range(l + 1, 7))
_ROLLS = _PAIRS + tuple((d, d) for d in range(1, 7))

_FIRST_OUTCOMES = tuple((i, 1.0 / 30.0) for i in range(30))
_ROLL_OUTCOMES = tuple((i, 2.0 / 36.0 if i < 15 else 1.0 / 36.0) for i in range(21))

_FIRST_NAMES = tuple(
    "%s starts %d-%d" % ("xo"[i & 1], _PAIRS[i >> 1][0], _PAIRS[i >> 1][1])
    for i in range(30)
)
_ROLL_NAMES = tuple("%d-%d" % r for r in _ROLLS)

_DECODE = tuple((a // 26, a % 26) for a in range(676))

# Lists of the bits set in a mask of 26 bits, in two halves of 13 bits.
_BL = tuple(tuple(b for b in range(13) if m >> b & 1) for m in range(8192))
_BH = tuple(tuple(b + 13 for b in t) for t in _BL)

_FULL = 0x1FFFFFE  # bits 1..24
_BAR_BIT = 1 << 25


def _make_side(counts):
    occ = 0
    blk = 0
    for p in range(1, 26):
        if counts[p]:
            occ |= 1 << p
        if p < 25 and counts[p] >= 2:
            blk |= 1 << (25 - p)
    return (tuple(counts), occ, blk)


def _start_side():
    counts = [0] * 26
    counts[24] = 2
    counts[13] = 5
    counts[8] = 3
    counts[6] = 5
    return _make_side(counts)


# State: (who acts, player on turn (-1 before the first throw), turn number,
#         higher die, lower die (0, 0: none), second half of a double (0/1),
#         side of x, side of o)
# Side: (26 counts in the player's own numbering, 0 = off and 25 = bar,
#        mask of occupied places 1..25,
#        mask, in the opponent's numbering, of points held by two or more)
_START = (-1, -1, 0, 0, 0, 0, _start_side(), _start_side())


def initial_state():
    return _START


def current_player(state):
    return state[0]


def _sources(occ, shifted_open, d):
    """Mask of the places from which a checker may move with die d."""
    if occ >> 25:
        return shifted_open & _BAR_BIT
    m = occ & shifted_open
    if occ and not occ >> 7:
        if occ >> d & 1:
            m |= 1 << d
        else:
            h = occ.bit_length() - 1
            if h < d:
                m |= 1 << h
    return m


def legal_actions(state):
    cur, _, _, dh, dl, _, side_x, side_o = state
    if cur == 0:
        P, occ, _ = side_x
        blk = side_o[2]
    else:
        P, occ, _ = side_o
        blk = side_x[2]
    free = _FULL & ~blk
    oh = free << dh

    if not P[25] and sum(P[7:25]) >= 2:
        # Nobody on the bar, and nothing can be borne off in this play.
        mh = occ & oh
        H = _BL[mh & 8191] + _BH[mh >> 13]
        res = []
        if dh == dl:
            for i, s in enumerate(H):
                base = s * 26
                for t in H[:i]:
                    res.append(base + t)
                if P[s] > 1:
                    res.append(base + s)
                e = s - dh
                if oh >> e & 1 and not occ >> e & 1:
                    res.append(base + e)
            if res:
                res.sort()
                return res
            if H:
                return [s * 26 for s in H]
            return [0]
        ol = free << dl
        ml = occ & ol
        L = _BL[ml & 8191] + _BH[ml >> 13]
        for s in H:
            base = s * 26
            if P[s] == 1:
                res += [base + t for t in L if t != s]
            else:
                res += [base + t for t in L]
            e = s - dh
            if ol >> e & 1 and not occ >> e & 1:
                res.append(base + e)
        for t in L:
            e = t - dl
            if oh >> e & 1 and not occ >> e & 1:
                res.append(e * 26 + t)
        if res:
            res.sort()
            return res
        if H:
            return [s * 26 for s in H]
        if L:
            return list(L)
        return [0]

    # General case.
    found = set()
    mh = _sources(occ, oh, dh)
    H = _BL[mh & 8191] + _BH[mh >> 13]
    if dh == dl:
        for s in H:
            occ2 = occ if P[s] > 1 else occ ^ (1 << s)
            e = s - dh
            if e > 0:
                occ2 |= 1 << e
            m2 = _sources(occ2, oh, dh)
            for t in _BL[m2 & 8191] + _BH[m2 >> 13]:
                if s >= t:
                    found.add(s * 26 + t)
                else:
                    found.add(t * 26 + s)
        if found:
            return sorted(found)
        if H:
            return [s * 26 for s in H]
        return [0]

    ol = free << dl
    ml = _sources(occ, ol, dl)
    L = _BL[ml & 8191] + _BH[ml >> 13]
    # Higher die first.
    for s in H:
        occ2 = occ if P[s] > 1 else occ ^ (1 << s)
        e = s - dh
        if e > 0:
            occ2 |= 1 << e
        m2 = _sources(occ2, ol, dl)
        for t in _BL[m2 & 8191] + _BH[m2 >> 13]:
            if s < t <= dl:
                found.add(t * 26 + s)  # both go off: same play, one action
            else:
                found.add(s * 26 + t)
    # Lower die first.
    for t in L:
        occ2 = occ if P[t] > 1 else occ ^ (1 << t)
        e = t - dl
        if e > 0:
            occ2 |= 1 << e
        m2 = _sources(occ2, oh, dh)
        for s in _BL[m2 & 8191] + _BH[m2 >> 13]:
            if s < t <= dl:
                found.add(t * 26 + s)
            else:
                found.add(s * 26 + t)
    if found:
        return sorted(found)
    if H:
        return [s * 26 for s in H]
    if L:
        return list(L)
    return [0]


def chance_outcomes(state):
    if state[1] < 0:
        return list(_FIRST_OUTCOMES)
    return list(_ROLL_OUTCOMES)


def apply_action(state, action):
    cur, mover, turn, dh, dl, half, side_x, side_o = state

    if cur < 0:
        if mover < 0:
            dh, dl = _PAIRS[action >> 1]
            who = action & 1
            return (who, who, 1, dh, dl, 0, side_x, side_o)
        dh, dl = _ROLLS[action]
        return (mover, mover, turn + 1, dh, dl, 0, side_x, side_o)

    sh, sl = _DECODE[action]
    won = False
    if action:
        if cur == 0:
            P, occ, blk = side_x
            Q, qocc, qblk = side_o
        else:
            P, occ, blk = side_o
            Q, qocc, qblk = side_x
        P = list(P)
        hit = False
        eh = 0
        el = 0
        if sh:
            eh = sh - dh
            if eh < 0:
                eh = 0
            P[sh] -= 1
            P[eh] += 1
            if eh and Q[25 - eh] == 1:
                Q = list(Q)
                hit = True
                Q[25 - eh] = 0
                Q[25] += 1
                qocc = (qocc & ~(1 << (25 - eh))) | _BAR_BIT
        if sl:
            el = sl - dl
            if el < 0:
                el = 0
            P[sl] -= 1
            P[el] += 1
            if el and Q[25 - el] == 1:
                if not hit:
                    Q = list(Q)
                    hit = True
                Q[25 - el] = 0
                Q[25] += 1
                qocc = (qocc & ~(1 << (25 - el))) | _BAR_BIT
        for p in (sh, eh, sl, el):
            if p:
                c = P[p]
                if c:
                    occ |= 1 << p
                else:
                    occ &= ~(1 << p)
                if p < 25:
                    if c > 1:
                        blk |= 1 << (25 - p)
                    else:
                        blk &= ~(1 << (25 - p))
        won = P[0] == 15
        mine = (tuple(P), occ, blk)
        if cur == 0:
            side_x = mine
            if hit:
                side_o = (tuple(Q), qocc, qblk)
        else:
            side_o = mine
            if hit:
                side_x = (tuple(Q), qocc, qblk)

    again = dh == dl and not half and sh > 0 and sl > 0
    if won or turn > _LAST_FREE_TURN:
        if again:
            return (-4, cur, turn, dh, dl, 1, side_x, side_o)
        return (-4, cur, turn, 0, 0, 0, side_x, side_o)
    if again:
        return (cur, cur, turn, dh, dl, 1, side_x, side_o)
    return (-1, 1 - cur, turn, 0, 0, 0, side_x, side_o)


def returns(state):
    if state[0] == -4:
        if state[6][0][0] == 15:
            return [1.0, -1.0]
        if state[7][0][0] == 15:
            return [-1.0, 1.0]
    return [0.0, 0.0]


def _move_name(move):
    s, e = move
    return ("Bar" if s == 25 else str(s)) + "/" + (str(e) if e else "Off")


def action_name(state, action):
    if state[0] < 0:
        if state[1] < 0:
            return _FIRST_NAMES[action]
        return _ROLL_NAMES[action]
    sh, sl = _DECODE[action]
    moves = []
    if sh:
        moves.append((sh, max(sh - state[3], 0)))
    if sl:
        moves.append((sl, max(sl - state[4], 0)))
    if not moves:
        return "Pass"
    if len(moves) == 1:
        return _move_name(moves[0]) + " Pass"
    moves.sort(reverse=True)
    return _move_name(moves[0]) + " " + _move_name(moves[1])


def observation(state, player):
    X = state[6][0]
    O = state[7][0]
    return {
        "points": [a - b for a, b in zip(X[24:0:-1], O[1:25])],
        "bar": {"x": X[25], "o": O[25]},
        "off": {"x": X[0], "o": O[0]},
        "dice": [state[4], state[3]] if state[3] else [],
        "second_half_of_double": bool(state[5]),
    }
