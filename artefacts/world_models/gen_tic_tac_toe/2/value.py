import model

_N = 6
_FULL = (1 << 36) - 1


def _make_lines():
    lines = []
    for r in range(_N):
        for c in range(_N):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                er = r + dr * 3
                ec = c + dc * 3
                if 0 <= er < _N and 0 <= ec < _N:
                    lines.append([(r + dr * i) * _N + c + dc * i for i in range(4)])
    return lines


_LINES = _make_lines()
_NL = len(_LINES)

# one 2-bit field per line; the low bit of line j is bit 2*j
_LO = 0
for _j in range(_NL):
    _LO |= 1 << (2 * _j)

# cell -> mask of (low bits of) the lines through it
_CELL = [0] * 36
for _j, _cells in enumerate(_LINES):
    for _c in _cells:
        _CELL[_c] |= 1 << (2 * _j)

# indexed by bit_length of a low bit: mask of the line's cells, and the bit itself
_LM = [0] * (2 * _NL + 2)
_PW = [0] * (2 * _NL + 2)
for _j, _cells in enumerate(_LINES):
    _m = 0
    for _c in _cells:
        _m |= 1 << _c
    _LM[2 * _j + 1] = _m
    _PW[2 * _j + 1] = 1 << (2 * _j)

_CL = {1 << _c: _CELL[_c] for _c in range(36)}
_NCL = {1 << _c: _LO ^ _CELL[_c] for _c in range(36)}


def _make_table(base):
    table = [0] * 4096
    for occ in range(1, 4096):
        low = occ & -occ
        table[occ] = table[occ ^ low] + _CELL[base + low.bit_length() - 1]
    return table


_T0 = _make_table(0)
_T1 = _make_table(12)
_T2 = _make_table(24)

_BIAS = [0.5 * (e / 36.0) ** 3 for e in range(37)]
_DAMP = [min(1.0, e / 12.0) for e in range(37)]

_DEPTH = 2
_BUDGET = 22


def _deep(A, B, th, D, pend, a1, depth, bud):
    """A to move, no threes on the board, A has no double threat at once.
    Returns 1 (A wins), -1 (A loses), 0 (unknown)."""
    unk = not pend
    if pend:
        q = D
        while q:
            c = q & -q
            q ^= c
            if c in th:
                continue
            if depth < 2:
                unk = True
                break
            bud[0] -= 1
            if bud[0] < 0:
                return 0
            r = _solve(B, A | c, depth - 1, bud)
            if r < 0:
                return 1
            if r == 0:
                unk = True
                break
    for c, d in th.items():
        if unk and not (_CL[c] & a1 & _NCL[d]):
            continue
        bud[0] -= 1
        if bud[0] < 0:
            return 0
        r = _solve(A | c, B | d, depth - 1, bud)
        if r > 0:
            return 1
        if r == 0:
            unk = True
    return 0 if unk else -1


def _solve(A, B, depth, bud):
    """A to move: 1 win, -1 loss, 0 unknown (or draw)."""
    LO = _LO
    LM = _LM
    PW = _PW
    sgn = 1
    while True:
        ca = _T0[A & 4095] + _T1[A >> 12 & 4095] + _T2[A >> 24]
        cb = _T0[B & 4095] + _T1[B >> 12 & 4095] + _T2[B >> 24]
        al = ca & LO
        ah = ca >> 1 & LO
        bl = cb & LO
        bh = cb >> 1 & LO
        bz = LO ^ (bl | bh)
        t = ah & bz
        if t & al:
            return sgn
        s = bh & (LO ^ (al | ah))
        E = _FULL ^ (A | B)
        b3 = s & bl
        if not b3:
            break
        cells = 0
        while b3:
            i = b3.bit_length()
            b3 ^= PW[i]
            cells |= LM[i]
        cells &= E
        if cells & (cells - 1):
            return -sgn
        if cells == E:
            return 0
        A, B = B, A | cells
        sgn = -sgn

    th = {}
    get = th.get
    while t:
        i = t.bit_length()
        t ^= PW[i]
        m = LM[i] & E
        lo = m & -m
        hi = m ^ lo
        u = get(lo, 0) | hi
        if u & (u - 1):
            return sgn
        th[lo] = u
        u = get(hi, 0) | lo
        if u & (u - 1):
            return sgn
        th[hi] = u

    if depth <= 0 and th:
        return 0

    pend = False
    D = E
    if s:
        tb = {}
        get = tb.get
        while s:
            i = s.bit_length()
            s ^= PW[i]
            m = LM[i] & E
            lo = m & -m
            hi = m ^ lo
            tb[lo] = get(lo, 0) | hi
            tb[hi] = get(hi, 0) | lo
        for c, u in tb.items():
            w = u & (u - 1)
            if w:
                pend = True
                if w & (w - 1):
                    D &= c
                else:
                    D &= c | u

    if not th:
        if not pend:
            return 0
        if not D:
            return -sgn
    if depth <= 0:
        return 0
    r = _deep(A, B, th, D, pend, al & bz, depth, bud)
    return r * sgn


def _eval(A, B, a_is_x):
    """Value for A, who is to move."""
    LO = _LO
    LM = _LM
    PW = _PW
    sgn = 1.0
    while True:
        ca = _T0[A & 4095] + _T1[A >> 12 & 4095] + _T2[A >> 24]
        cb = _T0[B & 4095] + _T1[B >> 12 & 4095] + _T2[B >> 24]
        al = ca & LO
        ah = ca >> 1 & LO
        bl = cb & LO
        bh = cb >> 1 & LO
        az = LO ^ (al | ah)
        bz = LO ^ (bl | bh)
        a2 = ah & bz
        if a2 & al:
            return sgn
        b2 = bh & az
        E = _FULL ^ (A | B)
        b3 = b2 & bl
        if not b3:
            break
        cells = 0
        while b3:
            i = b3.bit_length()
            b3 ^= PW[i]
            cells |= LM[i]
        cells &= E
        if cells & (cells - 1):
            return -sgn
        if cells == E:
            return 0.0
        A, B = B, A | cells
        sgn = -sgn
        a_is_x = not a_is_x

    th = {}
    get = th.get
    t = a2
    while t:
        i = t.bit_length()
        t ^= PW[i]
        m = LM[i] & E
        lo = m & -m
        hi = m ^ lo
        u = get(lo, 0) | hi
        if u & (u - 1):
            return sgn
        th[lo] = u
        u = get(hi, 0) | lo
        if u & (u - 1):
            return sgn
        th[hi] = u

    e = bin(E).count("1")
    if e <= 2:
        return 0.0

    pend = False
    D = E
    if b2:
        tb = {}
        get = tb.get
        s = b2
        while s:
            i = s.bit_length()
            s ^= PW[i]
            m = LM[i] & E
            lo = m & -m
            hi = m ^ lo
            tb[lo] = get(lo, 0) | hi
            tb[hi] = get(hi, 0) | lo
        for c, u in tb.items():
            w = u & (u - 1)
            if w:
                pend = True
                if w & (w - 1):
                    D &= c
                else:
                    D &= c | u
        if pend and not D and not th:
            return -sgn

    a1 = al & bz
    if th or pend:
        r = _deep(A, B, th, D, pend, a1, _DEPTH, [_BUDGET])
        if r:
            return r * sgn

    # unresolved: heuristic
    n0 = 0.3 * bin(az & bz).count("1")
    sa = 3.0 * bin(a2).count("1") + bin(a1).count("1") + n0
    sb = 3.0 * bin(b2).count("1") + bin(bl & az).count("1") + n0
    if not pend:
        sa *= 1.45
    elif not D:
        sb *= 2.5
    elif D & (D - 1):
        sb *= 1.25
    else:
        sb *= 1.4
    pa = sa * sa
    pb = sb * sb
    v = (pa - pb) / (pa + pb + 50.0)
    if D:
        v *= _DAMP[e]
    if a_is_x:
        v += (1.0 - abs(v)) * _BIAS[e]
    else:
        v -= (1.0 - abs(v)) * _BIAS[e]
    if v > 0.97:
        v = 0.97
    elif v < -0.97:
        v = -0.97
    return v * sgn


def value(state):
    p = state[2]
    if p == 0:
        v = _eval(state[0], state[1], True)
        return [v, -v]
    if p == 1:
        v = _eval(state[1], state[0], False)
        return [-v, v]
    return model.returns(state)
