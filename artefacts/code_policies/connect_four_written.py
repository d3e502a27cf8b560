# Connect four: bitboard PVS with iterative deepening and threat parity.
# Bit c*7+r is column c, row r (row 0 at the bottom); row 6 is a sentinel.

BOT = sum(1 << (7 * c) for c in range(7))
BOARD = BOT * 63
ODD = BOT * (1 | 4 | 16)      # rows 1, 3, 5 counted from 1
EVEN = BOT * (2 | 8 | 32)     # rows 2, 4, 6
COLS = [63 << (7 * c) for c in (3, 2, 4, 1, 5, 0, 6)]
WIN = 10000
WT = 9000
INF = 20000
BUDGET = 60000

LINES = [
    [3, 4, 5, 7, 5, 4, 3],
    [4, 6, 8, 10, 8, 6, 4],
    [5, 8, 11, 13, 11, 8, 5],
    [5, 8, 11, 13, 11, 8, 5],
    [4, 6, 8, 10, 8, 6, 4],
    [3, 4, 5, 7, 5, 4, 3],
]
W = {}
for _c in range(7):
    for _r in range(6):
        W[1 << (7 * _c + _r)] = LINES[_r][_c]

if hasattr(int, 'bit_count'):
    bc = int.bit_count
else:
    def bc(x):
        return bin(x).count('1')

TT = {}
CNT = 0


class Stop(Exception):
    pass


def wins(p, e):
    """Empty cells (within e) that complete four for the stones p."""
    global CNT
    CNT -= 1
    if CNT < 0:
        raise Stop()
    r = (p << 1) & (p << 2) & (p << 3)
    q = p & (p >> 7)
    if q:
        r |= ((p & (q >> 14)) << 7) | ((q & (p >> 21)) << 14)
        t = q & (q >> 7)
        if t:
            r |= (t << 21) | (t >> 7)
    q = p & (p >> 6)
    if q:
        r |= ((p & (q >> 12)) << 6) | ((q & (p >> 18)) << 12)
        t = q & (q >> 6)
        if t:
            r |= (t << 18) | (t >> 6)
    q = p & (p >> 8)
    if q:
        r |= ((p & (q >> 16)) << 8) | ((q & (p >> 24)) << 16)
        t = q & (q >> 8)
        if t:
            r |= (t << 24) | (t >> 8)
    return r & e


def threats(a, b):
    """Value of the open threats for x; a: winning cells of x, b: of o."""
    xo = a & ODD
    oe = b & EVEN
    if xo and oe:
        x2 = xo & ~((oe << 1) | (oe << 3))
        oe = oe & ~((xo << 1) | (xo << 3))
        xo = x2
    oo = b & ODD & ~a
    s = 6 * (bc(a) - bc(b))
    if xo:
        n = bc(xo)
        if not oo:
            s += 70 + 10 * n
        else:
            n -= bc(oo)
            if n > 0:
                s += 50
            elif n == 0:
                s += -15 if oe else 5
            else:
                s -= 30
    elif oe:
        s -= 60 + 8 * bc(oe)
    elif oo:
        s -= 12 * bc(oo)
    if a & (a >> 1):
        s += 60
    if b & (b >> 1):
        s -= 60
    return s


def search(p, o, wp, wo, e, depth, al, be, ply, ps):
    # p: stones of the side to move, o: of the other; wp, wo: winning cells
    # e: empty cells; ps: positional score for the side to move
    poss = e & ~(e << 1)
    if wp & poss:
        return WIN - ply - 1
    f = wo & poss
    if f:
        if f & (f - 1) or f & (wo >> 1):
            return ply + 2 - WIN
        ne = e ^ f
        np = p | f
        return -search(o, np, wo ^ f, wins(np, ne), ne, depth,
                       -be, -al, ply + 1, -ps - W[f])
    if not poss:
        return 0
    poss &= ~(wo >> 1)
    if not poss:
        return ply + 2 - WIN
    if depth <= 0:
        if wp or wo:
            if ply & 1:
                return ps - threats(wo, wp)
            return ps + threats(wp, wo)
        return ps
    mx = WIN - ply - 3
    if be > mx:
        be = mx
        if al >= be:
            return be
    key = p + (BOARD ^ e)
    hm = 0
    t = TT.get(key)
    if t is not None:
        d, fl, v, hm = t
        if d >= depth:
            if fl == 0:
                return v
            if fl == 1:
                if v >= be:
                    return v
            elif v <= al:
                return v
    al0 = al
    best = -INF
    bm = 0
    if depth == 1:
        for c in COLS:
            mv = poss & c
            if mv:
                np = p | mv
                ne = e ^ mv
                v = -search(o, np, wo & ne, wins(np, ne), ne, 0,
                            -be, -al, ply + 1, -ps - W[mv])
                if v > best:
                    best = v
                    bm = mv
                    if v > al:
                        al = v
                        if v >= be:
                            break
    else:
        lst = []
        for c in COLS:
            mv = poss & c
            if mv:
                np = p | mv
                nw = wins(np, e ^ mv)
                if mv == hm:
                    k = 100000
                else:
                    k = W[mv]
                    if nw:
                        k += 12 * bc(nw)
                lst.append((-k, mv, np, nw))
        if len(lst) > 1:
            lst.sort()
        nd = depth - 1
        first = True
        for k, mv, np, nw in lst:
            ne = e ^ mv
            nps = -ps - W[mv]
            if first:
                first = False
                v = -search(o, np, wo & ne, nw, ne, nd,
                            -be, -al, ply + 1, nps)
            else:
                v = -search(o, np, wo & ne, nw, ne, nd,
                            -al - 1, -al, ply + 1, nps)
                if al < v < be:
                    v = -search(o, np, wo & ne, nw, ne, nd,
                                -be, -al, ply + 1, nps)
            if v > best:
                best = v
                bm = mv
                if v > al:
                    al = v
                    if v >= be:
                        break
    if best >= be:
        fl = 1
    elif best > al0:
        fl = 0
    else:
        fl = 2
    d = depth
    if best > WT:
        if fl != 2:
            d = 99
    elif best < -WT:
        if fl != 1:
            d = 99
    TT[key] = (d, fl, best, bm)
    return best


def choose(p, o, ply):
    """Returns the bit of the chosen cell."""
    global CNT
    CNT = BUDGET
    e = BOARD ^ (p | o)
    wp = wins(p, e)
    wo = wins(o, e)
    poss = e & ~(e << 1)
    cand = [poss & c for c in COLS if poss & c]
    for mv in cand:
        if mv & wp:
            return mv
    for mv in cand:
        if mv & wo:
            return mv
    safe = [mv for mv in cand if not mv & (wo >> 1)]
    if not safe:
        return cand[0]
    if len(safe) == 1:
        return safe[0]
    ps = 0
    for b, w in W.items():
        if p & b:
            ps += w
        elif o & b:
            ps -= w
    info = {}
    for mv in safe:
        np = p | mv
        info[mv] = (np, wins(np, e ^ mv))
    order = sorted(safe, key=lambda m: -(W[m] + 12 * bc(info[m][1])))
    answer = order[0]
    left = 42 - ply
    for depth in range(1, left + 1):
        best = -INF
        bm = 0
        done = 0
        try:
            for mv in order:
                np, nw = info[mv]
                ne = e ^ mv
                nps = -ps - W[mv]
                if done == 0:
                    v = -search(o, np, wo & ne, nw, ne, depth - 1,
                                -INF, INF, ply + 1, nps)
                else:
                    v = -search(o, np, wo & ne, nw, ne, depth - 1,
                                -best - 1, -best, ply + 1, nps)
                    if v > best:
                        v = -search(o, np, wo & ne, nw, ne, depth - 1,
                                    -INF, -best, ply + 1, nps)
                done += 1
                if v > best:
                    best = v
                    bm = mv
        except Stop:
            if done:
                if best > -WT:
                    answer = bm
                elif done < len(order):
                    answer = order[done]
                else:
                    answer = bm
            break
        answer = bm
        order.remove(bm)
        order.insert(0, bm)
        if best > WT or best < -WT:
            break
    return answer


def act(observation, memory):
    legal = list(observation['legal'])
    bycol = {}
    for name in legal:
        bycol[int(name[1:])] = name
    if len(legal) == 1:
        return legal[0]
    try:
        if not memory.get('on'):
            memory['on'] = 1
            TT.clear()
        elif len(TT) > 150000:
            TT.clear()
        me = 'x' if observation['player'] == 0 else 'o'
        p = o = 0
        ply = 0
        rows = observation['data']['board']
        for i in range(6):
            row = rows[i]
            for c in range(7):
                ch = row[c]
                if ch == '.':
                    continue
                ply += 1
                b = 1 << (7 * c + 5 - i)
                if ch == me:
                    p |= b
                else:
                    o |= b
        mv = choose(p, o, ply)
        col = (mv.bit_length() - 1) // 7
        if col in bycol:
            return bycol[col]
    except Exception:
        pass
    for c in (3, 2, 4, 1, 5, 0, 6):
        if c in bycol:
            return bycol[c]
    return legal[0]
