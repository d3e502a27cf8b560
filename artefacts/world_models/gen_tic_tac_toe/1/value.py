import model
from math import tanh
from operator import getitem

_FULL = sum(1 << (7 * r + c) for r in range(6) for c in range(6))


def _build_windows():
    wins = []
    for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
        for r in range(6):
            for c in range(6):
                r3 = r + 3 * dr
                c3 = c + 3 * dc
                if 0 <= r3 < 6 and 0 <= c3 < 6:
                    wins.append(tuple((r + k * dr, c + k * dc) for k in range(4)))
    return wins


_WINDOWS = _build_windows()
_NW = len(_WINDOWS)  # 54

# Bit mask of each window.
_WM = tuple(sum(1 << (7 * r + c) for r, c in w) for w in _WINDOWS)


def _build_cell_counts():
    cells = {}
    for r in range(6):
        for c in range(6):
            v = 0
            for i, w in enumerate(_WINDOWS):
                if (r, c) in w:
                    v += 1 << (8 * i)
            cells[1 << (7 * r + c)] = v
    return cells


# Packed window counts (one byte per window) that one stone adds.
_CB = _build_cell_counts()
_CB8 = {bit: v << 3 for bit, v in _CB.items()}


def _two_row_table(cell_value, first_row):
    """Sum of cell_value(r, c) over the set bits of a 14 bit pattern of two rows."""
    rows = []
    for r in (first_row, first_row + 1):
        vals = [cell_value(r, c) for c in range(6)]
        t = [0] * 64
        for pat in range(64):
            s = 0
            for c in range(6):
                if (pat >> c) & 1:
                    s += vals[c]
            t[pat] = s
        rows.append(t)
    table = [0] * 16384
    lower_row, upper_row = rows
    for hi in range(64):
        h = upper_row[hi]
        base = hi << 7
        for lo in range(64):
            table[base | lo] = lower_row[lo] + h
    return tuple(table)


def _count_value(r, c):
    return _CB[1 << (7 * r + c)]


def _byte_value(r, c):
    return 255 << (8 * (6 * r + c))


_T0 = _two_row_table(_count_value, 0)
_T1 = _two_row_table(_count_value, 2)
_T2 = _two_row_table(_count_value, 4)

# Byte masks (one byte per cell) of a set of cells.
_M0 = _two_row_table(_byte_value, 0)
_M1 = _two_row_table(_byte_value, 2)
_M2 = _two_row_table(_byte_value, 4)

# Gain of a move in a window, by the class of the window (own + 8 * opponent).
_GAIN = {0: 1, 1: 2, 2: 2, 8: 1, 16: 3}


def _build_gain_tables():
    out = []
    for w in _WINDOWS:
        packed = sum(1 << (8 * (6 * r + c)) for r, c in w)
        out.append(tuple(_GAIN.get(k, 0) * packed for k in range(48)))
    return tuple(out)


_TABS = _build_gain_tables()

_UNIT = 0.08
_BIAS = 0.12
_SCALE = tuple(min(1.0, e / 18.0) for e in range(37))
_VCF_BUDGET = (12, 36)


def _vcf(N, p, q, bs, depth, budget):
    """The side with stones p is to move and nobody has an immediate win.
    True if it wins by a fork, or by a sequence of forcing moves."""
    WM = _WM
    pairs = []
    seen = 0
    i = bs.find(2)
    while i >= 0:
        m = WM[i] & ~p
        if m & seen:
            if m not in pairs:
                return True
        else:
            seen |= m
            pairs.append(m)
        i = bs.find(2, i + 1)
    if depth <= 0:
        return False
    CB = _CB
    CB8 = _CB8
    nw = _NW
    for m in pairs:
        a = m & -m
        b = m ^ a
        for s, r in ((a, b), (b, a)):
            if budget[0] <= 0:
                return False
            budget[0] -= 1
            N2 = N + CB[s] + CB8[r]
            p2 = p | s
            q2 = q | r
            bs2 = N2.to_bytes(nw, 'little')
            i = bs2.find(24)
            if i < 0:
                if _vcf(N2, p2, q2, bs2, depth - 1, budget):
                    return True
                continue
            # The forced reply made a threat: it has to be blocked.
            d = WM[i] & ~q2
            double = False
            i = bs2.find(24, i + 1)
            while i >= 0:
                if WM[i] & ~q2 != d:
                    double = True
                    break
                i = bs2.find(24, i + 1)
            if double:
                continue
            N3 = N2 + CB[d]
            p3 = p2 | d
            bs3 = N3.to_bytes(nw, 'little')
            i = bs3.find(3)
            if i < 0:
                continue  # the initiative is lost
            e = WM[i] & ~p3
            i = bs3.find(3, i + 1)
            while i >= 0:
                if WM[i] & ~p3 != e:
                    return True
                i = bs3.find(3, i + 1)
            N4 = N3 + CB8[e]
            bs4 = N4.to_bytes(nw, 'little')
            if 24 in bs4:
                continue
            if _vcf(N4, p3, q2 | e, bs4, depth - 1, budget):
                return True
    return False


def _eval(P, Q, p, q, b, depth):
    """Value for the side to move (stones p, packed counts P).
    b is 1 if that side is player 0, else -1."""
    WM = _WM
    CB = _CB
    s = 1.0
    while True:
        occ = p | q
        if occ == _FULL:
            return 0.0
        N = P + (Q << 3)
        bs = N.to_bytes(_NW, 'little')
        if 3 in bs:
            return s
        i = bs.find(24)
        if i < 0:
            break
        d = WM[i] & ~q
        i = bs.find(24, i + 1)
        while i >= 0:
            if WM[i] & ~q != d:
                return -s
            i = bs.find(24, i + 1)
        # Exactly one cell to block: play it and look from the other side.
        P, Q = Q, P + CB[d]
        p, q = q, p | d
        s = -s
        b = -b

    n2 = bs.count(2)
    if n2 and _vcf(N, p, q, bs, 5, [_VCF_BUDGET[depth]]):
        return s * 0.98

    o2 = bs.count(16)
    penalty = 0.0
    if o2 > 1:
        pairs = []
        inter = -1
        i = bs.find(16)
        while i >= 0:
            m = WM[i] & ~q
            if m not in pairs:
                for k in pairs:
                    if k & m:
                        inter &= k | m
                pairs.append(m)
            i = bs.find(16, i + 1)
        if inter != -1:
            # The opponent threatens to make a fork.
            if depth > 0:
                best = -0.98
                t = inter
                while t:
                    d = t & -t
                    t ^= d
                    v = -_eval(Q, P + CB[d], q, p | d, -b, depth - 1)
                    if v > best:
                        best = v
                if best < -0.5 and n2:
                    t = 0
                    i = bs.find(2)
                    while i >= 0:
                        t |= WM[i] & ~p
                        i = bs.find(2, i + 1)
                    t &= ~inter
                    while t:
                        d = t & -t
                        t ^= d
                        v = -_eval(Q, P + CB[d], q, p | d, -b, depth - 1)
                        if v > best:
                            best = v
                return s * best
            if not inter:
                return s * (-0.8 if n2 else -0.98)
            penalty = 3.0

    # Quiet position.
    n0 = bs.count(0)
    n1 = bs.count(1)
    o1 = bs.count(8)
    own_alive = n0 + n1 + n2
    opp_alive = n0 + o1 + o2
    if not own_alive and not opp_alive:
        return 0.0
    free = _FULL ^ occ
    mask = _M0[free & 16383] | _M1[(free >> 14) & 16383] | _M2[free >> 28]
    acc = sum(map(getitem, _TABS, bs)) & mask
    g = max(acc.to_bytes(36, 'little'))
    score = (n1 - o1) + 3.0 * (n2 - o2) + 0.5 * g - penalty
    empties = bin(free).count('1')
    v = tanh((_UNIT * score + _BIAS * b) * _SCALE[empties])
    if v > 0.0:
        if not own_alive:
            v = 0.0
        elif v > 0.95:
            v = 0.95
    else:
        if not opp_alive:
            v = 0.0
        elif v < -0.95:
            v = -0.95
    return s * v


def value(state):
    x, o, mover, _ = state
    if mover < 0:
        return model.returns(state)
    X = _T0[x & 16383] + _T1[(x >> 14) & 16383] + _T2[x >> 28]
    O = _T0[o & 16383] + _T1[(o >> 14) & 16383] + _T2[o >> 28]
    if mover == 0:
        v = _eval(X, O, x, o, 1, 1)
        return [v, -v]
    v = _eval(O, X, o, x, -1, 1)
    return [-v, v]
