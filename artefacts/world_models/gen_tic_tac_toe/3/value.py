import math

import model

_SIZE = 6
_CELLS = 36
_FULL = (1 << _CELLS) - 1


def _make_lines():
    lines = []
    for r in range(_SIZE):
        for c in range(_SIZE):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                r3 = r + 3 * dr
                c3 = c + 3 * dc
                if 0 <= r3 < _SIZE and 0 <= c3 < _SIZE:
                    lines.append(
                        tuple((r + k * dr) * _SIZE + (c + k * dc) for k in range(4))
                    )
    return lines


_LINES = _make_lines()
_NL = len(_LINES)  # 54

# Low bit of each two-bit field (one field per line).
_LO = sum(1 << (2 * i) for i in range(_NL))

# Indexed by bit_length of a line bit (2 * line + 1).
_LM = [0] * (2 * _NL + 2)
_LB = [0] * (2 * _NL + 2)
for _i, _cells in enumerate(_LINES):
    _m = 0
    for _c in _cells:
        _m |= 1 << _c
    _LM[2 * _i + 1] = _m
    _LB[2 * _i + 1] = 1 << (2 * _i)

# Cell bit -> lines through that cell (also the increment of the line counts).
_V = {}
for _c in range(_CELLS):
    _s = 0
    for _i, _cells in enumerate(_LINES):
        if _c in _cells:
            _s |= 1 << (2 * _i)
    _V[1 << _c] = _s


def _make_count_table(base):
    table = [0] * 4096
    for p in range(1, 4096):
        low = p & -p
        table[p] = table[p ^ low] + _V[low << base]
    return table


_TA = _make_count_table(0)
_TB = _make_count_table(12)
_TC = _make_count_table(24)

# Fading of the static score with the number of empty cells.
_FADE = [n / (n + 5.0) for n in range(_CELLS + 1)]

_tanh = math.tanh


def _vcf(M, O, emp, must, depth, LM=_LM, LB=_LB, V=_V):
    # Can the attacker (counts M, to move) win by a chain of threats?
    # Nobody has an open three, except that the defender may threaten
    # the single cell `must`; otherwise `must` is the full board.
    Mh = M >> 1
    free = _LO & ~(O | (O >> 1))
    t = Mh & ~M & free
    if not t:
        return False
    pairs = []
    once = 0
    while t:
        n = t.bit_length()
        t ^= LB[n]
        e = LM[n] & emp
        if e not in pairs:
            if e & once & must:
                return True
            once |= e
            pairs.append(e)
    if depth == 0 or not (once & must):
        return False
    m1 = M & ~Mh & free
    o2 = (O >> 1) & ~O & _LO & ~(M | Mh)
    quiet = must == _FULL
    for e in pairs:
        low = e & -e
        rest = emp ^ e
        for a in (low, e ^ low):
            if not (a & must):
                continue
            b = e ^ a
            va = V[a]
            vb = V[b]
            if quiet and not (m1 & va & ~vb):
                continue
            r = o2 & vb & ~va
            if r:
                d = 0
                while r:
                    n = r.bit_length()
                    r ^= LB[n]
                    d |= LM[n]
                d &= rest
                if d & (d - 1):
                    continue
                if _vcf(M + va, O + vb, rest, d, depth - 1):
                    return True
            elif _vcf(M + va, O + vb, rest, _FULL, depth - 1):
                return True
    return False


def _quiet_value(M, O, emp, mf, of, sgn):
    # Nobody has an open three.  Value for the player to move (counts M).
    Mh = M >> 1
    Oh = O >> 1
    m2 = Mh & ~M & mf
    if m2 and _vcf(M, O, emp, _FULL, 2):
        return 1.0
    o2 = Oh & ~O & of

    double = False
    if o2 & (o2 - 1):
        D = emp
        pairs = []
        t = o2
        while t:
            n = t.bit_length()
            t ^= _LB[n]
            e = _LM[n] & emp
            if e not in pairs:
                for f in pairs:
                    if e & f:
                        double = True
                        D &= e | f
                pairs.append(e)
        if double:
            safe = False
            while D:
                d = D & -D
                D ^= d
                vd = _V[d]
                if m2 & vd:
                    safe = True
                    break
                if not _vcf(O, M + vd, emp ^ d, _FULL, 1):
                    safe = True
                    break
            if not safe:
                return -0.8 if m2 else -1.0

    live0 = mf & of
    n0 = bin(live0).count("1")
    m1n = bin(M & ~Mh & mf).count("1")
    o1n = bin(O & ~Oh & of).count("1")
    m2n = bin(m2).count("1") if m2 else 0
    o2n = bin(o2).count("1") if o2 else 0

    s = 0.06 * (m1n - o1n) + 0.17 * (m2n - o2n) + 0.004 * n0 * sgn
    if double:
        s -= 0.003 * n0 + 0.01 * o1n + 0.03 * o2n
    else:
        s += 0.006 * n0 + 0.02 * m1n + 0.06 * m2n
    return 0.92 * _tanh(s * _FADE[bin(emp).count("1")])


def value(state):
    x, o, player, _w = state
    if player == 0:
        me = x
        op = o
        sgn = 1.0
    elif player == 1:
        me = o
        op = x
        sgn = -1.0
    else:
        return model.returns(state)

    emp = _FULL ^ (x | o)
    M = _TA[me & 4095] + _TB[(me >> 12) & 4095] + _TC[me >> 24]
    O = _TA[op & 4095] + _TB[(op >> 12) & 4095] + _TC[op >> 24]

    while True:
        Mh = M >> 1
        Oh = O >> 1
        mf = _LO & ~(O | Oh)
        if M & Mh & mf:
            v = 1.0
            break
        of = _LO & ~(M | Mh)
        t = O & Oh & of
        if not t:
            v = _quiet_value(M, O, emp, mf, of, sgn)
            break
        d = 0
        while t:
            n = t.bit_length()
            t ^= _LB[n]
            d |= _LM[n]
        d &= emp
        if d & (d - 1):
            v = -1.0
            break
        # Forced reply; then the other side is to move.
        emp ^= d
        if not emp:
            v = 0.0
            break
        M, O = O, M + _V[d]
        sgn = -sgn

    v *= sgn
    return [v, -v]
