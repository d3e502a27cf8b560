N = 6
FULL = (1 << 36) - 1
LINES = []
for _r in range(N):
    for _c in range(N):
        for _dr, _dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
            _er, _ec = _r + 3 * _dr, _c + 3 * _dc
            if 0 <= _er < N and 0 <= _ec < N:
                _m = 0
                for _k in range(4):
                    _m |= 1 << ((_r + _k * _dr) * N + _c + _k * _dc)
                LINES.append(_m)
LINES = tuple(LINES)
THRU = {}
for _i in range(36):
    THRU[1 << _i] = tuple(l for l in LINES if l >> _i & 1)

TWO = set()
THREE = set()
W = {}    # evaluation of a line owned by one side
AW = {}   # move ordering: own lines
DW = {}   # move ordering: opponent's lines
for _l in LINES:
    _s = _l
    while True:
        _n = bin(_s).count("1")
        W[_s] = (0, 1, 5, 14, 50)[_n]
        AW[_s] = (1, 4, 8, 50, 0)[_n]
        DW[_s] = (1, 3, 6, 40, 0)[_n]
        if _n == 2:
            TWO.add(_s)
        elif _n == 3:
            THREE.add(_s)
        if _s == 0:
            break
        _s = (_s - 1) & _l

VC = {}
TT = {}
B = [0]
NO = (0, 0)
INF = 99999


class Stop(Exception):
    pass


def comps(m, P, O):
    """cells that complete a line of P through the stone m"""
    r = 0
    for l in THRU[m]:
        if not l & O:
            a = l & P
            if a in THREE:
                r |= l ^ a
    return r


def vcf(A, D, must):
    """A to move wins by continuous threes? returns (zone, move)"""
    key = (A, D)
    v = VC.get(key)
    if v is not None:
        return v
    B[0] -= 1
    if B[0] < 0:
        raise Stop
    g = {}
    for l in LINES:
        if not l & D:
            a = l & A
            if a in TWO:
                e = l ^ a
                lo = e & -e
                hi = e ^ lo
                g[lo] = g.get(lo, 0) | hi
                g[hi] = g.get(hi, 0) | lo
    if must:
        if must in g:
            g = {must: g[must]}
        else:
            g = {}
    res = NO
    for m, r in g.items():
        if r & (r - 1):
            res = (m | r, m)
            break
    else:
        for m, r in g.items():
            A2 = A | m
            D2 = D | r
            c = comps(r, D2, A2)
            if c & (c - 1):
                continue
            z = vcf(A2, D2, c)[0]
            if z:
                z |= m | r
                for l in THRU[r]:
                    if not l & A2:
                        b = l & D2
                        if b in TWO:
                            z |= l ^ b
                res = (z, m)
                break
    VC[key] = res
    return res


def gains(P, O):
    c = 0
    for l in LINES:
        if not l & O:
            a = l & P
            if a in TWO:
                c |= l ^ a
    return c


def order(P, O, c, tm):
    L = []
    while c:
        m = c & -c
        c ^= m
        if m == tm:
            L.append((INF, m))
            continue
        s = 0
        for l in THRU[m]:
            a = l & P
            b = l & O
            if not b:
                s += AW[a]
            elif not a:
                s += DW[b]
        L.append((s, m))
    L.sort(reverse=True)
    return [x[1] for x in L]


def evaluate(P, O):
    s = 4
    for l in LINES:
        a = l & P
        b = l & O
        if not b:
            s += W[a]
        elif not a:
            s -= W[b]
    return s


def search(P, O, must, n, depth, alpha, beta, att):
    """P to move, P has no immediate win; must = the one cell where O would win, or 0.
    att: 0 normal search, 1 P is the attacker of a threat search, -1 P defends."""
    if n >= 36:
        return 0
    B[0] -= 2
    if B[0] < 0:
        raise Stop
    key = (P, O, att)
    t = TT.get(key)
    tm = 0
    if t is not None:
        d, f, v, tm = t
        if d >= depth or (v > 9000 and f != 1) or (v < -9000 and f != -1):
            if f == 0 or (f < 0 and v >= beta) or (f > 0 and v <= alpha):
                return v
    if vcf(P, O, must)[0]:
        return 9997 - n
    if must:
        moves = [must]
        cost = 0
    else:
        if depth <= 0 and att >= 0:
            if att:
                return 0
            return evaluate(P, O)
        z = vcf(O, P, 0)[0]
        E = FULL ^ P ^ O
        B[0] -= 2
        if z:
            moves = order(P, O, (z & E) | gains(P, O), tm)
            cost = 1
        else:
            if att < 0:
                return 0
            moves = order(P, O, E, tm)[:(14 if att else 10)]
            cost = 2
        if att > 0:
            cost = 2
        elif att < 0:
            cost = 0
    best = -INF
    bm = 0
    a0 = alpha
    for m in moves:
        P2 = P | m
        R = comps(m, P2, O)
        if R & (R - 1):
            v = 9997 - n
        elif att or not bm or beta - alpha <= 1:
            v = -search(O, P2, R, n + 1, depth - cost, -beta, -alpha, -att)
        else:
            v = -search(O, P2, R, n + 1, depth - cost, -alpha - 1, -alpha, 0)
            if alpha < v < beta:
                v = -search(O, P2, R, n + 1, depth - cost, -beta, -alpha, 0)
        if v > best:
            best = v
            bm = m
            if v > alpha:
                alpha = v
                if v >= beta:
                    break
    if best >= beta:
        f = -1
    elif best > a0:
        f = 0
    else:
        f = 1
    TT[key] = (depth, f, best, bm)
    return best


def choose(P, O, n):
    E = FULL ^ P ^ O
    for l in LINES:
        if not l & O and (l & P) in THREE:
            return l ^ (l & P)
    for l in LINES:
        if not l & P and (l & O) in THREE:
            return l ^ (l & O)
    z = 0
    B[0] = 6000
    try:
        v = vcf(P, O, 0)
        if v[0]:
            return v[1]
        z = vcf(O, P, 0)[0]
    except Stop:
        pass
    if z:
        moves = order(P, O, (z & E) | gains(P, O), 0)
    else:
        moves = order(P, O, E, 0)[:20]
    if len(moves) == 1:
        return moves[0]

    # 1. my own win by threats
    B[0] = 10000
    try:
        for d in (2, 4, 6, 8):
            v = search(P, O, 0, n, d, 8999, 9000, 1)
            if v >= 9000:
                m = TT[(P, O, 1)][3]
                if m & E:
                    return m
                break
    except Stop:
        pass

    # 2. iterative deepening
    B[0] = 22000
    best = moves[0]
    score = 0
    lost = set()
    depth = 2
    while depth <= 2 * (36 - n) + 2:
        alpha = -INF
        cur = 0
        sc = {}
        i = 0
        try:
            for i, m in enumerate(moves):
                P2 = P | m
                R = comps(m, P2, O)
                if R & (R - 1):
                    return m
                if i == 0:
                    v = -search(O, P2, R, n + 1, depth - 2, -INF, INF, 0)
                else:
                    v = -search(O, P2, R, n + 1, depth - 2, -alpha - 1, -alpha, 0)
                    if v > alpha:
                        cur = m
                        v = -search(O, P2, R, n + 1, depth - 2, -INF, -alpha, 0)
                sc[m] = v
                if v < -9000:
                    lost.add(m)
                if v > alpha:
                    alpha = v
                    cur = m
                    if v > 9000:
                        return m
        except Stop:
            if cur and alpha > -9000:
                best = cur
            elif cur:
                best = moves[i]
            break
        if cur:
            best = cur
        score = alpha
        moves.sort(key=lambda q: (q != best, -sc.get(q, 0)))
        if score < -9000:
            return best
        depth += 2

    # 3. does the move allow a win by threats?
    cands = [best] + [q for q in moves if q != best and q not in lost]
    total = 12000
    for m in cands[:8]:
        if total < 300:
            return m
        P2 = P | m
        R = comps(m, P2, O)
        if R & (R - 1):
            return m
        give = min(4000, total)
        B[0] = give
        bad = False
        try:
            for d in (2, 4, 6):
                if search(O, P2, R, n + 1, d, 8999, 9000, 1) >= 9000:
                    bad = True
                    break
        except Stop:
            pass
        total -= give - max(0, B[0])
        if not bad:
            return m
    return best


def act(observation, memory):
    legal = observation["legal"]
    try:
        if len(TT) > 150000:
            TT.clear()
        if len(VC) > 200000:
            VC.clear()
        me = "xo"[observation["player"]]
        P = O = 0
        n = 0
        for r, row in enumerate(observation["data"]["board"]):
            for c, ch in enumerate(row):
                if ch == "x" or ch == "o":
                    n += 1
                    if ch == me:
                        P |= 1 << (r * N + c)
                    else:
                        O |= 1 << (r * N + c)
        try:
            m = choose(P, O, n)
        except Exception:
            m = order(P, O, FULL ^ P ^ O, 0)[0]
        i = m.bit_length() - 1
        name = "%s(%d,%d)" % (me, i // N, i % N)
        if name in legal:
            return name
    except Exception:
        pass
    return legal[0]
