from bisect import bisect_right

import model


# ------------------------------------------------------------------ tables

def _popcounts():
    plus = bytes([min(i + 1, 255) for i in range(256)])
    tbl = b"\0"
    for _ in range(24):
        tbl = tbl + tbl.translate(plus)
    return tbl


# number of bits of every mask of 24 bits
_PC = _popcounts()

# r * (r - 1) / 2
_TRI = [_r * (_r - 1) // 2 for _r in range(26)]


def _positions(base):
    tbl = [()]
    for p in range(base, base + 12):
        c = (p,)
        tbl += [x + c for x in tbl]
    return tbl


# positions of the bits of a mask, ascending: lower and upper 12 bits
_P0 = _positions(0)
_P1 = _positions(12)


def _step(d, p):
    # start bit, the same for the opponent, start position,
    # landing bit, the same for the opponent, landing position
    b = 1 << p
    rb = (1 << (23 - p)) if p < 24 else 0
    q = p - d
    if q < 0:
        return (b, rb, p, 0, 0, 0)
    return (b, rb, p, 1 << q, 1 << (23 - q), q)


_ST = [None] + [[_step(_d, _p) for _p in range(25)] for _d in range(1, 7)]


def _rows(d, base, both, down):
    # rows of first starts: mask of lower points, points tested on their own,
    # the step
    tbl = [()]
    for p in range(base, base + 12):
        b = 1 << p
        g = b >> d
        if both:
            g |= b
        c = ((b - 1, g, _ST[d][p]),)
        if down:
            tbl += [c + x for x in tbl]
        else:
            tbl += [x + c for x in tbl]
    return tbl


def _pairs(lo, hi):
    low = [None] + _ST[lo]
    high = [None] + _ST[hi]
    if lo == hi:
        orders = ((low, low),)
    else:
        orders = ((low, high), (high, low))
    none = (None, None)
    out = []
    for one, two in orders:
        for a in one:
            for b in two:
                if a is None:
                    out.append(none)
                else:
                    out.append((a, b))
    return out


def _make_data():
    asc = [None] * 7
    desc = [None] * 7
    for d in range(1, 6):
        asc[d] = (_rows(d, 0, True, False), _rows(d, 12, True, False))
    for d in range(2, 7):
        desc[d] = (_rows(d, 0, False, True), _rows(d, 12, False, True))
    out = []
    for i in range(21):
        lo, hi = model._ROLLS[i]
        if lo == hi:
            r0 = _rows(lo, 0, True, True)
            r1 = _rows(lo, 12, True, True)
            a0, a1, d0, d1 = r0, r1, r0, r1
            dbl = 2
        else:
            a0, a1 = asc[lo]
            d0, d1 = desc[hi]
            dbl = 0
        out.append(
            (
                dbl, lo, hi, 64 << hi, a0, a1, d0, d1,
                _ST[lo], _ST[hi], model._OFF_ROLLS[i], _pairs(lo, hi),
            )
        )
    return out


_DATA = _make_data()


def _outcome(number, outcomes):
    i = 0
    for i in range(len(outcomes)):
        number -= outcomes[i][1]
        if number < 0:
            break
    return i


def _thresholds(outcomes):
    # entry i: the smallest number whose outcome comes after outcome i
    res = []
    for i in range(len(outcomes) - 1):
        a = 0.0
        b = 1.0
        while True:
            c = (a + b) * 0.5
            if c <= a or c >= b:
                break
            if _outcome(c, outcomes) > i:
                b = c
            else:
                a = c
        res.append(b)
    return res


_START = _thresholds(model._START_OUTCOMES)


def _buckets():
    # by int(36 x + 0.5): threshold, roll below it, roll from it on
    ths = _thresholds(model._ROLL_OUTCOMES)
    out = []
    for b in range(37):
        low = (b - 0.4) / 36.0
        high = (b + 0.4) / 36.0
        n = 0
        at = 2.0
        for v in ths:
            if v < low:
                n += 1
            elif v < high:
                at = v
        if at == 2.0:
            out.append((at, _DATA[n], _DATA[n]))
        else:
            out.append((at, _DATA[n], _DATA[n + 1]))
    return out


_BUCKETS = _buckets()


# ----------------------------------------------------------------- rollout

def rollout(state, rand):
    cur, key, rid, m, t, f, om, ot, of, xa, xb = state
    if cur == -4:
        return model.returns(state)
    pc = _PC
    p0 = _P0
    p1 = _P1
    tri = _TRI
    buckets = _BUCKETS
    near = model._near

    # left: turns that may follow the current one
    if cur >= 0:
        side = cur
        left = 501 - (key >> 2)
        data = _DATA[rid >> 1]
    elif key:
        side = key & 1
        left = 500 - (key >> 2)
        x = rand()
        at, data, alt = buckets[int(x * 36.0 + 0.5)]
        if x >= at:
            data = alt
    else:
        x = bisect_right(_START, rand())
        side = x & 1
        left = 500
        data = _DATA[x >> 1]
    dbl, lo, hi, far, ra0, ra1, rd0, rd1, sl, sh, off, moves = data
    if key & 2:
        dbl = 1
    par = side + left

    # checkers beyond the second, own numbering of each side, 24 is the bar
    ca = [0] * 25
    cb = [0] * 25
    if xa or xb:
        if side:
            c0 = cb
            t0 = ot
            c1 = ca
            t1 = t
        else:
            c0 = ca
            t0 = t
            c1 = cb
            t1 = ot
        for p in p0[t0 & 4095] + p1[t0 >> 12 & 4095]:
            x = p + p
            c0[p] = (xa >> x & 3) + 4 * (xb >> x & 3)
        for p in p0[t1 & 4095] + p1[t1 >> 12 & 4095]:
            x = 46 - p - p
            c1[p] = (xa >> x & 3) + 4 * (xb >> x & 3)
        if t0 > 16777215:
            c0[24] = (xa >> 48 & 3) + 4 * (xb >> 48 & 3)
        if t1 > 16777215:
            c1[24] = (xa >> 50 & 3) + 4 * (xb >> 50 & 3)

    while True:
        # ---- choose a play: first and then
        if m > 16777215:
            # on the bar
            okl = f << lo
            if dbl:
                if okl & 16777216:
                    first = sl[24]
                    if t > 16777215:
                        rand()
                        then = first
                    else:
                        x = (m ^ 16777216 | 16777216 >> lo) & okl
                        if x:
                            then = sl[(p0[x & 4095] + p1[x >> 12])[int(rand() * pc[x])]]
                        else:
                            rand()
                            then = None
                else:
                    rand()
                    first = None
                    then = None
            else:
                okh = f << hi
                if t > 16777215:
                    rand()
                    then = None
                    if okh & 16777216:
                        if okl & 16777216:
                            first = sl[24]
                            then = sh[24]
                        else:
                            first = sh[24]
                    elif okl & 16777216:
                        first = sl[24]
                    else:
                        first = None
                else:
                    x = 0
                    y = 0
                    if okl & 16777216:
                        x = (m ^ 16777216 | 16777216 >> lo) & okh
                    if okh & 16777216:
                        y = (m ^ 16777216 | 16777216 >> hi) & okl
                    c = pc[x]
                    n = c + pc[y]
                    if n:
                        k = int(rand() * n)
                        if k < c:
                            first = sl[24]
                            then = sh[(p0[x & 4095] + p1[x >> 12])[k]]
                        else:
                            first = sh[24]
                            then = sl[(p0[y & 4095] + p1[y >> 12])[k - c]]
                    else:
                        rand()
                        then = None
                        if okh & 16777216:
                            first = sh[24]
                        elif okl & 16777216:
                            first = sl[24]
                        else:
                            first = None

        elif m >= far or m > 63 and (t > 63 or m & (m - 64) > 63):
            # no bearing off in this play
            okl = f << lo
            srl = m & okl
            sg = m ^ t
            em = 16777215 ^ m
            if dbl:
                n = tri[pc[srl]] + pc[srl & t] + pc[srl >> lo & okl & em]
                if n:
                    j = n - int(rand() * n)
                    z = okl & (16777215 ^ sg)
                    for lt, pt, first in rd1[srl >> 12] + rd0[srl & 4095]:
                        x = srl & lt | z & pt
                        c = pc[x]
                        if j <= c:
                            then = sl[(p0[x & 4095] + p1[x >> 12])[c - j]]
                            break
                        j -= c
                else:
                    then = None
                    if srl:
                        first = sl[(p0[srl & 4095] + p1[srl >> 12])[int(rand() * pc[srl])]]
                    else:
                        rand()
                        first = None
            else:
                okh = f << hi
                srh = m & okh
                n = (
                    pc[srl] * pc[srh] - pc[srl & srh & sg]
                    + pc[srl >> lo & okh & em] + pc[srh >> hi & okl & em]
                )
                if n:
                    k = int(rand() * n)
                    j = n - k
                    if k < j:
                        z = okh & (16777215 ^ sg)
                        for lt, pt, first in ra0[srl & 4095] + ra1[srl >> 12]:
                            x = srh & lt | z & pt
                            c = pc[x]
                            if k < c:
                                then = sh[(p0[x & 4095] + p1[x >> 12])[k]]
                                break
                            k -= c
                        else:
                            for lt, pt, first in rd1[srh >> 12] + rd0[srh & 4095]:
                                x = srl & lt | okl & pt
                                c = pc[x]
                                if j <= c:
                                    then = sl[(p0[x & 4095] + p1[x >> 12])[c - j]]
                                    break
                                j -= c
                    else:
                        for lt, pt, first in rd1[srh >> 12] + rd0[srh & 4095]:
                            x = srl & lt | okl & pt
                            c = pc[x]
                            if j <= c:
                                then = sl[(p0[x & 4095] + p1[x >> 12])[c - j]]
                                break
                            j -= c
                        else:
                            z = okh & (16777215 ^ sg)
                            for lt, pt, first in ra0[srl & 4095] + ra1[srl >> 12]:
                                x = srh & lt | z & pt
                                c = pc[x]
                                if k < c:
                                    then = sh[(p0[x & 4095] + p1[x >> 12])[k]]
                                    break
                                k -= c
                else:
                    then = None
                    if srh:
                        first = sh[(p0[srh & 4095] + p1[srh >> 12])[int(rand() * pc[srh])]]
                    elif srl:
                        first = sl[(p0[srl & 4095] + p1[srl >> 12])[int(rand() * pc[srl])]]
                    else:
                        rand()
                        first = None

        elif m < 64 and f & 31 == 31:
            acts = off[m << 6 | t]
            first, then = moves[acts[int(rand() * len(acts))]]
        else:
            acts = near(m, t, f, lo, hi)
            first, then = moves[acts[int(rand() * len(acts))]]

        # ---- make the play
        if first:
            b, rb, p, e, re, q = first
            if t & b:
                c = ca[p]
                if c:
                    ca[p] = c - 1
                else:
                    t ^= b
                    of |= rb
            else:
                m ^= b
            if e:
                if m & e:
                    if t & e:
                        ca[q] += 1
                    else:
                        t |= e
                        of ^= re
                else:
                    m |= e
                    if om & re:
                        om ^= re
                        if om > 16777215:
                            if ot > 16777215:
                                cb[24] += 1
                            else:
                                ot |= 16777216
                        else:
                            om |= 16777216
            elif not m:
                if (par + left) & 1:
                    return [-1.0, 1.0]
                return [1.0, -1.0]

            if then:
                b, rb, p, e, re, q = then
                if t & b:
                    c = ca[p]
                    if c:
                        ca[p] = c - 1
                    else:
                        t ^= b
                        of |= rb
                else:
                    m ^= b
                if e:
                    if m & e:
                        if t & e:
                            ca[q] += 1
                        else:
                            t |= e
                            of ^= re
                    else:
                        m |= e
                        if om & re:
                            om ^= re
                            if om > 16777215:
                                if ot > 16777215:
                                    cb[24] += 1
                                else:
                                    ot |= 16777216
                            else:
                                om |= 16777216
                elif not m:
                    if (par + left) & 1:
                        return [-1.0, 1.0]
                    return [1.0, -1.0]

        # ---- second play of a double, end of the last turn
        if dbl:
            if dbl == 2 and then and left:
                dbl = 1
                continue
        if not left:
            return [0.0, 0.0]
        left -= 1

        # ---- the other side rolls
        m, om = om, m
        t, ot = ot, t
        f, of = of, f
        ca, cb = cb, ca
        x = rand()
        at, data, alt = buckets[int(x * 36.0 + 0.5)]
        if x >= at:
            data = alt
        dbl, lo, hi, far, ra0, ra1, rd0, rd1, sl, sh, off, moves = data
