NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 1352
MAX_CHANCE_OUTCOMES = 30
# turn 1 is never a double: 1 play; turns 2..500: up to 2 plays; turn 501: 1 play
MAX_GAME_LENGTH = 1000
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_F = 676
_FULL = (1 << 24) - 1

# Bits: bit p is point p + 1 in own numbering, bit 24 (16777216) is the bar.
# The point with bit p is bit 23 - p for the opponent.
#
# State:
#  0 cur    player to act, -1 chance, -4 over
#  1 key    4 * turns begun + 2 * (second play of a double) + side;
#           side: whose turn it is (at chance: who rolls); 0 before the opening
#  2 rid    2 * roll + side, -1 if there are no dice
#  3 m, 4 t, 5 f     the side: occupied, two or more, free to land on
#  6 om, 7 ot, 8 of  the same for the other side, in its own numbering
#  9 xa, 10 xb       checkers beyond the second of each point: xa has the two
#           low bits, xb the two high bits; fields of two bits, 0..23 the
#           points in the numbering of player 0, 24 and 25 the bars

# rolls: 15 pairs of different numbers, then 6 doubles
_ROLLS = tuple(
    [(_a, _b) for _a in range(1, 7) for _b in range(_a + 1, 7)]
    + [(_a, _a) for _a in range(1, 7)]
)
_DICE = tuple(_ROLLS[_i >> 1] for _i in range(42))
_ROLL_NAMES = tuple("%d-%d" % (_r[1], _r[0]) for _r in _ROLLS)
_START_NAMES = tuple(
    ("o" if _i & 1 else "x") + " starts " + _ROLL_NAMES[_i >> 1] for _i in range(30)
)
_START_OUTCOMES = [(_i, 1.0 / 30.0) for _i in range(30)]
_ROLL_OUTCOMES = [
    (_i, (1.0 / 18.0) if _i < 15 else (1.0 / 36.0)) for _i in range(21)
]


def _move_name(d, s):
    e = s - d
    return ("Bar" if s == 25 else str(s)) + "/" + (str(e) if e > 0 else "Off")


# _MOVE_NAMES[d][s]
_MOVE_NAMES = tuple(
    tuple(_move_name(_d, _s) for _s in range(26)) for _d in range(7)
)


# ---------------------------------------------------------------- move tables

def _make_step(side, d, s):
    # one checker moves from point s with die d:
    # start bit, the same for the opponent, field mask and unit of the start,
    # then the same four for the landing point (zeros if it leaves the board)
    p = s - 1
    if p < 24:
        rb = 1 << (23 - p)
        i = p if side == 0 else 23 - p
    else:
        rb = 0
        i = 24 + side
    q = p - d
    if q < 0:
        return (1 << p, rb, 3 << (2 * i), 1 << (2 * i), 0, 0, 0, 0)
    j = q if side == 0 else 23 - q
    return (
        1 << p, rb, 3 << (2 * i), 1 << (2 * i),
        1 << q, 1 << (23 - q), 3 << (2 * j), 1 << (2 * j),
    )


_STEPS = tuple(
    tuple(
        tuple(
            _make_step(_side, _d, _s) if (_s and _d) else () for _s in range(26)
        )
        for _d in range(7)
    )
    for _side in range(2)
)


def _make_moves(rid):
    lo, hi = _DICE[rid]
    steps = _STEPS[rid & 1]
    low = steps[lo]
    high = steps[hi]
    if lo == hi:
        orders = ((low, low),)
    else:
        orders = ((low, high), (high, low))
    out = []
    for first, then in orders:
        for s1 in range(26):
            for s2 in range(26):
                if s1:
                    out.append((first[s1], then[s2]))
                else:
                    out.append(((), ()))
    return tuple(out)


# _MOVES[rid][action]: first step and second step, () where there is none
_MOVES = tuple(_make_moves(_i) for _i in range(42))


# ------------------------------------------------------- tables of action codes

def _code_table(base, bits):
    # entry of a mask: base + i for all its bits i, ascending
    tbl = [[]]
    for i in range(bits):
        c = [base + i]
        tbl += [x + c for x in tbl]
    return tuple(tbl)


def _subsets(items):
    tbl = [()]
    for it in items:
        e = (it,)
        tbl += [x + e for x in tbl]
    return tuple(tbl)


def _make_rows(offset):
    low = []
    high = []
    for p in range(24):
        base = offset + 26 * (p + 1)
        bit = 1 << p
        if p < 12:
            low.append((bit - 1, bit, _code_table(base + 1, p + 1)))
        else:
            high.append(
                (
                    bit - 1,
                    bit,
                    _code_table(base + 1, 12),
                    _code_table(base + 13, p - 11),
                )
            )
    return _subsets(low), _subsets(high)


# rows of starts: mask of lower points, own bit, codes of second starts
_LO1, _LO2 = _make_rows(0)
_HI1, _HI2 = _make_rows(_F)
# first start on the bar
_BLO1 = _code_table(650 + 1, 12)
_BLO2 = _code_table(650 + 13, 12)
_BHI1 = _code_table(_F + 650 + 1, 12)
_BHI2 = _code_table(_F + 650 + 13, 12)


def _make_bear():
    # _BEAR[d][occ]: the point from which die d takes a checker off,
    # when all checkers are home (occ has only bits 0..5)
    out = []
    for d in range(7):
        row = []
        for occ in range(64):
            if occ == 0 or d == 0:
                row.append(0)
                continue
            h = occ.bit_length()
            if h <= d:
                row.append(1 << (h - 1))
            else:
                row.append(occ & (1 << (d - 1)))
        out.append(tuple(row))
    return tuple(out)


_BEAR = _make_bear()


def _singles(mask, base):
    out = []
    while mask:
        b = mask & -mask
        out.append(base + 26 * b.bit_length())
        mask ^= b
    return out


def _near(occ, t, free, lo, hi):
    # nobody on the bar, at most one checker outside the home board
    okl = free << lo
    okh = free << hi
    srl = occ & okl
    srh = occ & okh
    bl = _BEAR[lo]
    bh = _BEAR[hi]
    if occ < 64:
        srl |= bl[occ]
        srh |= bh[occ]
    sg = occ ^ t
    acts = []
    for lt, bs, tl in _LO1[srl & 4095]:
        o = (occ ^ (bs & sg)) | (bs >> lo)
        k = o & okh
        if o < 64:
            k |= bh[o]
        acts += tl[k & (lt | bs)]
    for lt, bs, tl, th in _LO2[srl >> 12]:
        o = (occ ^ (bs & sg)) | (bs >> lo)
        k = o & okh
        if o < 64:
            k |= bh[o]
        k &= lt | bs
        acts += tl[k & 4095]
        acts += th[k >> 12]
    if lo != hi:
        for lt, bs, tl in _HI1[srh & 4095]:
            # a start that either die takes off is already among the others
            if bs >> lo:
                o = (occ ^ (bs & sg)) | (bs >> hi)
                k = o & okl
                if o < 64:
                    k |= bl[o]
                acts += tl[k & lt]
        for lt, bs, tl, th in _HI2[srh >> 12]:
            o = (occ ^ (bs & sg)) | (bs >> hi)
            k = o & okl
            if o < 64:
                k |= bl[o]
            k &= lt
            acts += tl[k & 4095]
            acts += th[k >> 12]
    if acts:
        return acts
    if srh and lo != hi:
        return _singles(srh, 676)
    if srl:
        return _singles(srl, 0)
    return [0]


def _make_off(lo, hi):
    # all checkers home and no landing point blocked: by (occ << 6) | t
    tbl = [None] * 4096
    for occ in range(1, 64):
        t = occ
        while True:
            tbl[(occ << 6) | t] = _near(occ, t, _FULL, lo, hi)
            if not t:
                break
            t = (t - 1) & occ
    return tuple(tbl)


_OFF_ROLLS = tuple(_make_off(_r[0], _r[1]) for _r in _ROLLS)
_OFF = tuple(_OFF_ROLLS[_i >> 1] for _i in range(42))


# -------------------------------------------------------------------- the game

_START_M = (1 << 23) | (1 << 12) | (1 << 7) | (1 << 5)
_START_FREE = _FULL ^ ((1 << 0) | (1 << 11) | (1 << 16) | (1 << 18))
_START_XA = (
    (3 << (2 * 12)) + (1 << (2 * 7)) + (3 << (2 * 5))
    + (3 << (2 * 11)) + (1 << (2 * 16)) + (3 << (2 * 18))
)

_INITIAL = (
    -1, 0, -1,
    _START_M, _START_M, _START_FREE,
    _START_M, _START_M, _START_FREE,
    _START_XA, 0,
)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    _, _, rid, occ, t, free, _, _, _, _, _ = state
    lo, hi = _DICE[rid]
    okl = free << lo

    if occ > 16777215:
        # on the bar
        if rid > 29:
            if not okl & 16777216:
                return [0]
            if t > 16777215:
                return [675]
            k = ((occ ^ 16777216) | (16777216 >> lo)) & okl
            if k:
                return _BLO1[k & 4095] + _BLO2[k >> 12]
            return [650]
        okh = free << hi
        if t > 16777215:
            if okh & 16777216:
                if okl & 16777216:
                    return [675]
                return [1326]
            if okl & 16777216:
                return [650]
            return [0]
        if okl & 16777216:
            k = ((occ ^ 16777216) | (16777216 >> lo)) & okh
            if okh & 16777216:
                j = ((occ ^ 16777216) | (16777216 >> hi)) & okl
                if k:
                    acts = _BLO1[k & 4095] + _BLO2[k >> 12]
                    if j:
                        acts += _BHI1[j & 4095]
                        acts += _BHI2[j >> 12]
                    return acts
                if j:
                    return _BHI1[j & 4095] + _BHI2[j >> 12]
                return [1326]
            if k:
                return _BLO1[k & 4095] + _BLO2[k >> 12]
            return [650]
        if okh & 16777216:
            j = ((occ ^ 16777216) | (16777216 >> hi)) & okl
            if j:
                return _BHI1[j & 4095] + _BHI2[j >> 12]
            return [1326]
        return [0]

    x = occ >> 6
    if t > 63 or x & (x - 1):
        # at least two checkers outside: no bearing off in this play
        srl = occ & okl
        acts = []
        if rid > 29:
            mh = t & okl
            for lt, bs, tl in _LO1[srl & 4095]:
                acts += tl[srl & lt | bs & mh | bs >> lo & okl]
            for lt, bs, tl, th in _LO2[srl >> 12]:
                k = srl & lt | bs & mh | bs >> lo & okl
                acts += tl[k & 4095]
                acts += th[k >> 12]
            if acts:
                return acts
            if srl:
                return _singles(srl, 0)
            return [0]

        okh = free << hi
        srh = occ & okh
        mh = t & okh
        for lt, bs, tl in _LO1[srl & 4095]:
            acts += tl[srh & lt | bs & mh | bs >> lo & okh]
        for lt, bs, tl, th in _LO2[srl >> 12]:
            k = srh & lt | bs & mh | bs >> lo & okh
            acts += tl[k & 4095]
            acts += th[k >> 12]
        for lt, bs, tl in _HI1[srh & 4095]:
            acts += tl[srl & lt | bs >> hi & okl]
        for lt, bs, tl, th in _HI2[srh >> 12]:
            k = srl & lt | bs >> hi & okl
            acts += tl[k & 4095]
            acts += th[k >> 12]
        if acts:
            return acts
        if srh:
            return _singles(srh, 676)
        if srl:
            return _singles(srl, 0)
        return [0]

    if x == 0 and free & 31 == 31:
        return _OFF[rid][occ << 6 | t][:]
    return _near(occ, t, free, lo, hi)


def chance_outcomes(state):
    if state[1]:
        return _ROLL_OUTCOMES[:]
    return _START_OUTCOMES[:]


def apply_action(state, action):
    cur, key, rid, m, t, f, om, ot, of, xa, xb = state
    if cur < 0:
        if key:
            cur = key & 1
            return (cur, key + 4, action + action + cur,
                    m, t, f, om, ot, of, xa, xb)
        cur = action & 1
        return (cur, cur + 4, action, m, t, f, om, ot, of, xa, xb)

    first, then = _MOVES[rid][action]
    if first:
        b, rb, qb, ub, e, re, qe, ue = first
        if t & b:
            if xa & qb:
                xa -= ub
            elif xb & qb:
                xb -= ub
                xa += qb
            else:
                t ^= b
                of |= rb
        else:
            m ^= b
        if e:
            if m & e:
                if t & e:
                    if xa & qe == qe:
                        xa ^= qe
                        xb += ue
                    else:
                        xa += ue
                else:
                    t |= e
                    of ^= re
            else:
                m |= e
                if om & re:
                    om ^= re
                    if om & 16777216:
                        if ot & 16777216:
                            ue = 1 << (50 - 2 * cur)
                            qe = 3 * ue
                            if xa & qe == qe:
                                xa ^= qe
                                xb += ue
                            else:
                                xa += ue
                        else:
                            ot |= 16777216
                    else:
                        om |= 16777216

        if then:
            b, rb, qb, ub, e, re, qe, ue = then
            if t & b:
                if xa & qb:
                    xa -= ub
                elif xb & qb:
                    xb -= ub
                    xa += qb
                else:
                    t ^= b
                    of |= rb
            else:
                m ^= b
            if e:
                if m & e:
                    if t & e:
                        if xa & qe == qe:
                            xa ^= qe
                            xb += ue
                        else:
                            xa += ue
                    else:
                        t |= e
                        of ^= re
                else:
                    m |= e
                    if om & re:
                        om ^= re
                        if om & 16777216:
                            if ot & 16777216:
                                ue = 1 << (50 - 2 * cur)
                                qe = 3 * ue
                                if xa & qe == qe:
                                    xa ^= qe
                                    xb += ue
                                else:
                                    xa += ue
                            else:
                                ot |= 16777216
                        else:
                            om |= 16777216

    # 2004 = 4 * 501: the last turn has been played
    if rid > 29:
        if key & 2:
            key ^= 2
        elif then:
            if m and key < 2004:
                return (cur, key | 2, rid, m, t, f, om, ot, of, xa, xb)
            return (-4, key | 2, rid, m, t, f, om, ot, of, xa, xb)
    if m and key < 2004:
        return (-1, key ^ 1, -1, om, ot, of, m, t, f, xa, xb)
    return (-4, key ^ 1, -1, om, ot, of, m, t, f, xa, xb)


def returns(state):
    if state[0] == -4:
        if state[3] == 0:
            if state[1] & 1:
                return [-1.0, 1.0]
            return [1.0, -1.0]
        if state[6] == 0:
            if state[1] & 1:
                return [1.0, -1.0]
            return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    if state[0] < 0:
        if state[1]:
            return _ROLL_NAMES[action]
        return _START_NAMES[action]
    lo, hi = _DICE[state[2]]
    if action >= _F:
        s1, s2 = divmod(action - _F, 26)
        d1 = hi
        d2 = lo
    else:
        s1, s2 = divmod(action, 26)
        d1 = lo
        d2 = hi
    if not s1:
        return "Pass"
    if not s2:
        return _MOVE_NAMES[d1][s1] + " Pass"
    return _MOVE_NAMES[d1][s1] + " " + _MOVE_NAMES[d2][s2]


def observation(state, player):
    _, key, rid, m0, t0, _, m1, t1, _, xa, xb = state
    if key & 1:
        m0, t0, m1, t1 = m1, t1, m0, t0
    points = []
    offx = 15
    offo = 15
    for i in range(24):
        a = 23 - i
        sh = 2 * a
        extra = ((xa >> sh) & 3) + 4 * ((xb >> sh) & 3)
        if (m0 >> a) & 1:
            n = 1 + ((t0 >> a) & 1) + extra
            offx -= n
            points.append(n)
        elif (m1 >> i) & 1:
            n = 1 + ((t1 >> i) & 1) + extra
            offo -= n
            points.append(-n)
        else:
            points.append(0)
    barx = (m0 >> 24) + (t0 >> 24) + ((xa >> 48) & 3) + 4 * ((xb >> 48) & 3)
    baro = (m1 >> 24) + (t1 >> 24) + ((xa >> 50) & 3) + 4 * ((xb >> 50) & 3)
    return {
        "points": points,
        "bar": {"x": barx, "o": baro},
        "off": {"x": offx - barx, "o": offo - baro},
        "dice": list(_DICE[rid]) if rid >= 0 else [],
        "second_half_of_double": bool(key & 2),
    }
