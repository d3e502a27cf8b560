import math
import model

_W = 7                      # padded row width
_N = 6
_SH = 42                    # bits of the padded board


def _build_pad():
    out = []
    for b in range(4096):
        out.append((b & 63) | ((b >> 6) << 7))
    return tuple(out)


_PAD = _build_pad()
_PFULL = _PAD[4095] | (_PAD[4095] << 14) | (_PAD[4095] << 28)

# ---------------------------------------------------------------- static tables

_EMPTY_W = 0.13
_MINE = (0.0, 1.2, 5.0, 8.0, 20.0)
_THEIRS = (0.0, 1.0, 3.6, 6.0, 20.0)


def _window_score(vals):
    nm = vals.count(1)
    no = vals.count(2)
    if nm and no:
        return 0.0
    if nm:
        return _MINE[nm]
    if no:
        return -_THEIRS[no]
    return _EMPTY_W


def _build_tables():
    lines = []
    for r in range(_N):
        lines.append([(r, c) for c in range(_N)])
    for c in range(_N):
        lines.append([(r, c) for r in range(_N)])
    for k in range(-(_N - 1), _N):
        cells = [(r, r - k) for r in range(_N) if 0 <= r - k < _N]
        if len(cells) >= 4:
            lines.append(cells)
    for k in range(2 * _N - 1):
        cells = [(r, k - r) for r in range(_N) if 0 <= k - r < _N]
        if len(cells) >= 4:
            lines.append(cells)
    tabs = []
    for cells in lines:
        bits = [1 << (r * _W + c) for r, c in cells]
        mask = 0
        for b in bits:
            mask |= b
        n = len(bits)
        table = {}
        for code in range(3 ** n):
            vals = []
            key = 0
            x = code
            for i in range(n):
                v = x % 3
                x //= 3
                vals.append(v)
                if v == 1:
                    key |= bits[i]
                elif v == 2:
                    key |= bits[i] << _SH
            s = 0.0
            for i in range(n - 3):
                s += _window_score(vals[i:i + 4])
            table[key] = s
        tabs.append((mask | (mask << _SH), table))
    return tuple(tabs)


_TABS = _build_tables()
_SCALE = tuple(
    1.0 / (13.0 + (0.8 * (26 - n) if n < 26 else 0.0)) for n in range(37)
)
_tanh = math.tanh


def _score(me, op):
    k = me | (op << 42)
    s = 0.0
    for m, t in _TABS:
        s += t[k & m]
    return s


# ---------------------------------------------------------------- tactics

def _wins(b):
    """Cells that complete a four for b (to be masked with the empty cells)."""
    w = 0
    p = b & (b << 1)
    if p:
        w = ((p << 1) & ((b << 3) | (b >> 1))) | ((p >> 2) & ((b << 1) | (b >> 3)))
    p = b & (b << 7)
    if p:
        w |= ((p << 7) & ((b << 21) | (b >> 7))) | ((p >> 14) & ((b << 7) | (b >> 21)))
    p = b & (b << 8)
    if p:
        w |= ((p << 8) & ((b << 24) | (b >> 8))) | ((p >> 16) & ((b << 8) | (b >> 24)))
    p = b & (b << 6)
    if p:
        w |= ((p << 6) & ((b << 18) | (b >> 6))) | ((p >> 12) & ((b << 6) | (b >> 18)))
    return w


def _threats(b, e):
    """(cells that create at least one winning cell, cells that create two)."""
    one = 0
    two = 0
    # along rows, d = 1
    q1 = b & (b >> 1)
    q2 = b & (b >> 2)
    t = e & (e >> 1) & ((q1 >> 2) | (q1 << 2) | ((b & (b >> 3)) << 1))
    if t:
        one = t
        t <<= 1
        two = one & t
        one |= t
    if q2:
        t = e & (e >> 2) & ((q2 >> 1) | (q2 << 1))
        if t:
            two |= one & t
            one |= t
            t <<= 2
            two |= one & t
            one |= t
    if q1:
        t = e & (e >> 3) & (q1 >> 1)
        if t:
            two |= one & t
            one |= t
            t <<= 3
            two |= one & t
            one |= t
    # along columns, d = 7
    q1 = b & (b >> 7)
    q2 = b & (b >> 14)
    t = e & (e >> 7) & ((q1 >> 14) | (q1 << 14) | ((b & (b >> 21)) << 7))
    if t:
        two |= one & t
        one |= t
        t <<= 7
        two |= one & t
        one |= t
    if q2:
        t = e & (e >> 14) & ((q2 >> 7) | (q2 << 7))
        if t:
            two |= one & t
            one |= t
            t <<= 14
            two |= one & t
            one |= t
    if q1:
        t = e & (e >> 21) & (q1 >> 7)
        if t:
            two |= one & t
            one |= t
            t <<= 21
            two |= one & t
            one |= t
    # diagonal, d = 8
    q1 = b & (b >> 8)
    q2 = b & (b >> 16)
    t = e & (e >> 8) & ((q1 >> 16) | (q1 << 16) | ((b & (b >> 24)) << 8))
    if t:
        two |= one & t
        one |= t
        t <<= 8
        two |= one & t
        one |= t
    if q2:
        t = e & (e >> 16) & ((q2 >> 8) | (q2 << 8))
        if t:
            two |= one & t
            one |= t
            t <<= 16
            two |= one & t
            one |= t
    if q1:
        t = e & (e >> 24) & (q1 >> 8)
        if t:
            two |= one & t
            one |= t
            t <<= 24
            two |= one & t
            one |= t
    # other diagonal, d = 6
    q1 = b & (b >> 6)
    q2 = b & (b >> 12)
    t = e & (e >> 6) & ((q1 >> 12) | (q1 << 12) | ((b & (b >> 18)) << 6))
    if t:
        two |= one & t
        one |= t
        t <<= 6
        two |= one & t
        one |= t
    if q2:
        t = e & (e >> 12) & ((q2 >> 6) | (q2 << 6))
        if t:
            two |= one & t
            one |= t
            t <<= 12
            two |= one & t
            one |= t
    if q1:
        t = e & (e >> 18) & (q1 >> 6)
        if t:
            two |= one & t
            one |= t
            t <<= 18
            two |= one & t
            one |= t
    return one, two


def _vcf(me, op, e, one, bud):
    """Can the mover win by a chain of forcing threats, starting in `one`?
    Every cell of `one` creates exactly one winning cell."""
    while one:
        if bud[0] <= 0:
            return False
        bud[0] -= 1
        a = one & -one
        one ^= a
        m2 = me | a
        e2 = e ^ a
        f = _wins(m2) & e2
        o2 = op | f
        e2 &= ~f
        w = _wins(o2) & e2
        if w & (w - 1):
            continue
        one2, two2 = _threats(m2, e2)
        if w:
            if two2 & w:
                return True
            one2 &= w
        elif two2:
            return True
        if one2 and _vcf(m2, o2, e2, one2, bud):
            return True
    return False


def _q(me, op, e, depth, bud):
    """Value for the side to move (stones `me`)."""
    if not e:
        return 0.0
    if _wins(me) & e:
        return 1.0
    w = _wins(op) & e
    if w:
        if w & (w - 1):
            return -0.998
        return -_q(op, me | w, e ^ w, depth, bud)
    one, two = _threats(me, e)
    if two:
        return 0.995
    if one and _vcf(me, op, e, one, bud):
        return 0.985
    oone, otwo = _threats(op, e)
    if otwo:
        # The opponent threatens to make two winning cells at once.
        kill = e
        t = otwo
        while t:
            c = t & -t
            t ^= c
            f = _wins(op | c) & (e ^ c)
            g = f & (f - 1)
            if g & (g - 1):
                kill &= c
            else:
                kill &= c | f
            if not kill:
                break
        if not kill and not one:
            return -0.99
        if depth <= 0 or bud[1] <= 0:
            if not kill:
                return -0.8
            v = 0.9 * _tanh(_score(me, op) * _SCALE[bin(e).count("1")]) - 0.25
            return v if v > -0.9 else -0.9
        best = -0.985
        t = kill
        while t:
            c = t & -t
            t ^= c
            bud[1] -= 1
            v = -_q(op, me | c, e ^ c, depth - 1, bud)
            if v > best:
                best = v
                if best >= 0.9:
                    return best
        if best <= -0.9:
            t = one & ~kill
            while t:
                if bud[1] <= 0:
                    if best < -0.9:
                        best = -0.9
                    break
                c = t & -t
                t ^= c
                bud[1] -= 1
                v = -_q(op, me | c, e ^ c, depth - 1, bud)
                if v > best:
                    best = v
                    if best >= 0.9:
                        return best
        return best
    s = _score(me, op)
    if oone and _vcf(op, me, e, oone, bud):
        # The mover has to spend the move on defence.
        s -= 6.0
    return 0.9 * _tanh(s * _SCALE[bin(e).count("1")])


def value(state):
    xb, ob, player, _ = state
    if player < 0:
        return model.returns(state)
    pad = _PAD
    x = pad[xb & 4095] | (pad[(xb >> 12) & 4095] << 14) | (pad[xb >> 24] << 28)
    o = pad[ob & 4095] | (pad[(ob >> 12) & 4095] << 14) | (pad[ob >> 24] << 28)
    e = _PFULL ^ (x | o)
    if player == 0:
        v = _q(x, o, e, 3, [16, 12])
        return [v, -v]
    v = _q(o, x, e, 3, [16, 12])
    return [-v, v]
