import math

_tanh = math.tanh

_FULL = sum(1 << (r * 7 + c) for r in range(6) for c in range(6))

# shift, twice the shift, three times the shift
_DIRS = ((1, 2, 3), (7, 14, 21), (8, 16, 24), (6, 12, 18))

_BUDGET = 14      # nodes of the search for forcing threats
_K = 0.045        # scale of the heuristic
_TEMPO = 1.3      # weight of the potential of the side to move


def _wins(b, e):
    """Empty cells that complete a line of four for b."""
    l = b << 1
    r = b >> 1
    ll = l & (l << 1)
    rr = r & (r >> 1)
    w = (rr & (l | (b >> 3))) | (ll & (r | (b << 3)))
    l = b << 7
    r = b >> 7
    ll = l & (l << 7)
    rr = r & (r >> 7)
    w |= (rr & (l | (b >> 21))) | (ll & (r | (b << 21)))
    l = b << 8
    r = b >> 8
    ll = l & (l << 8)
    rr = r & (r >> 8)
    w |= (rr & (l | (b >> 24))) | (ll & (r | (b << 24)))
    l = b << 6
    r = b >> 6
    ll = l & (l << 6)
    rr = r & (r >> 6)
    w |= (rr & (l | (b >> 18))) | (ll & (r | (b << 18)))
    return w & e


def _threats(b, e):
    """(cells where a stone of b makes at least one winning cell,
    cells where it makes at least two different winning cells)."""
    ones = 0
    twos = 0
    for d, d2, d3 in _DIRS:
        b1 = b >> d
        e1 = e >> d
        ee = e & e1
        bb = b & b1
        be = b & e1
        eb = e & b1
        be2 = be >> d2
        eb2 = eb >> d2
        # completion is the neighbouring cell
        m = (ee & (bb >> d2)) | ((be & eb2) << d) | ((bb & (ee >> d2)) << d2)
        if m:
            twos |= ones & m
            ones |= m
            m <<= d
            twos |= ones & m
            ones |= m
        # completion is two steps away
        m = (eb & eb2) | ((be & be2) << d)
        if m:
            twos |= ones & m
            ones |= m
            m <<= d2
            twos |= ones & m
            ones |= m
        # completion is three steps away
        m = eb & be2
        if m:
            twos |= ones & m
            ones |= m
            m <<= d3
            twos |= ones & m
            ones |= m
    return ones, twos


def _forcing_win(b, o, e, ones, oones):
    """Does b, to move, win by a sequence of threats ending in a double one?
    Nobody has a winning cell and b has no double threat at once."""
    n = _BUDGET
    queue = [(b, o, e, ones, oones, 0)]
    for b, o, e, rest, oo, done in queue:
        while rest:
            p = rest & -rest
            rest ^= p
            n -= 1
            if n < 0:
                return False
            nb = b | p
            ne = e ^ p
            j = _wins(nb, ne)
            if not j:
                continue
            if j & (j - 1):
                return True
            no = o | j
            ne ^= j
            if j & oo:
                f = _wins(no, ne)
            else:
                f = 0
            if f:
                if not f & (f - 1):
                    on, tw = _threats(nb, ne)
                    if tw & f:
                        return True
                    if on & f:
                        queue.append((nb, no, ne, f, -1, done))
            else:
                on, tw = _threats(nb, ne)
                if tw:
                    return True
                on &= ~done
                if on:
                    queue.append((nb, no, ne, on, -1, done))
            done |= p
    return False


def _quiet(b, o, e):
    """Value for b, to move, when nobody has a winning cell."""
    ones, twos = _threats(b, e)
    if twos:
        return 0.99
    oones, otwos = _threats(o, e)
    if ones and _forcing_win(b, o, e, ones, oones):
        return 0.97

    adj = 0.0
    if otwos:
        # cells that parry every double threat of the opponent
        dset = e
        rest = otwos
        while rest:
            t = rest & -rest
            rest ^= t
            k = _wins(o | t, e ^ t)
            kk = k & (k - 1)
            if kk & (kk - 1):
                dset &= t
            else:
                dset &= t | k
            if not dset:
                break
        if not dset:
            if not ones:
                return -0.97
            return -0.75
        if dset & (dset - 1):
            adj = -0.2
        else:
            adj = -0.35

    # open windows by number of stones (at most two here)
    nb = b | e
    no = o | e
    opn = 0
    p1 = 0
    pa = 0
    q1 = 0
    qa = 0
    for d, d2, d3 in _DIRS:
        m = nb & (nb >> d)
        m &= m >> d2
        opn = (opn << 42) | m
        if m:
            s = b >> d
            x = b ^ s
            u = b | s
            p1 = (p1 << 42) | ((x ^ (x >> d2)) & m)
            pa = (pa << 42) | ((u | (u >> d2)) & m)
        m = no & (no >> d)
        m &= m >> d2
        if m:
            s = o >> d
            x = o ^ s
            u = o | s
            q1 = (q1 << 42) | ((x ^ (x >> d2)) & m)
            qa = (qa << 42) | ((u | (u >> d2)) & m)
    na = bin(pa).count("1")
    n0 = 0.3 * (bin(opn).count("1") - na)
    me = 3 * na - 2 * bin(p1).count("1") + n0
    op = 3 * bin(qa).count("1") - 2 * bin(q1).count("1") + n0
    v = _tanh(_K * (_TEMPO * me - op) + adj)
    if v > 0.9:
        return 0.9
    if v < -0.9:
        return -0.9
    return v


def value(state):
    xb, ob, who, won = state
    if who == 0:
        b = xb
        o = ob
        sign = 1.0
    elif who == 1:
        b = ob
        o = xb
        sign = -1.0
    else:
        if won == 0:
            return [1.0, -1.0]
        if won == 1:
            return [-1.0, 1.0]
        return [0.0, 0.0]
    e = _FULL ^ (xb | ob)
    if _wins(b, e):
        return [sign, -sign]
    while True:
        # b is to move and has no winning cell
        w = _wins(o, e)
        if not w:
            v = _quiet(b, o, e)
            break
        if w & (w - 1):
            v = -0.99
            break
        # the only winning cell of the opponent must be taken
        e ^= w
        if not e:
            v = 0.0
            break
        b, o = o, b | w
        sign = -sign
    v *= sign
    return [v, -v]
