import model
from math import tanh

_STEPS = (
    ((0, 1), (0, -1), (-1, 0), (1, 0), (-2, 0), (2, 0)),
    ((0, 1), (0, 2), (-1, 1), (1, 1), (0, -1)),
    ((3, 0), (2, 1), (1, 2), (0, 3)),
)

_CODES = 75
_BIT = tuple(1 << (code // 3) for code in range(_CODES))
_FLIP = tuple((4 - cell // 5) * 5 + cell % 5 for cell in range(25))


def _targets(player, code):
    cell, kind = divmod(code, 3)
    row, col = divmod(cell, 5)
    sign = 1 if player == 0 else -1
    out = []
    for dc, dr in _STEPS[kind]:
        c = col + dc
        r = row + sign * dr
        if 0 <= c < 5 and 0 <= r < 5:
            out.append(r * 5 + c)
    out.sort()
    return tuple(out)


_TGT = tuple(tuple(_targets(p, code) for code in range(_CODES))
             for p in range(2))


def _mask(cells):
    m = 0
    for c in cells:
        m |= 1 << c
    return m


# _ATT[player][code]: mask of the cells attacked by the piece
_ATT = tuple(tuple(_mask(_TGT[p][code]) for code in range(_CODES))
             for p in range(2))


def _build_checks():
    # [player][code][cell of the enemy general]:
    #   ((bit of the target, attack mask from there), ...)
    result = []
    for p in range(2):
        per_code = []
        for code in range(_CODES):
            kind = code % 3
            per_gen = []
            for g in range(25):
                found = []
                if kind != 0:
                    for t in _TGT[p][code]:
                        if t == g:
                            continue
                        na = _ATT[p][t * 3 + kind]
                        if (na >> g) & 1:
                            found.append((1 << t, na))
                per_gen.append(tuple(found))
            per_code.append(tuple(per_gen))
        result.append(tuple(per_code))
    return tuple(result)


_CHK = _build_checks()

_INF_ROW = (1.0, 1.08, 1.12, 1.0, 0.7)
_INF_COL = (-0.1, 0.0, 0.03, 0.0, -0.1)


def _build_values():
    base = []
    full = []
    for p in range(2):
        vals = []
        for code in range(_CODES):
            cell, kind = divmod(code, 3)
            row, col = divmod(cell, 5)
            rel = row if p == 0 else 4 - row
            if kind == 0:
                v = 100.0
            elif kind == 1:
                v = _INF_ROW[rel] + _INF_COL[col]
            else:
                first = _TGT[p][code]
                second = set()
                for t in first:
                    second.update(_TGT[p][t * 3 + 2])
                v = 0.08 + 0.13 * len(first) + 0.03 * len(second)
            vals.append(v)
        base.append(tuple(vals))
        per_code = []
        for code in range(_CODES):
            cell, kind = divmod(code, 3)
            if kind == 0:
                per_code.append((0.0,) * 25)
                continue
            dist = [99] * 25
            dist[cell] = 0
            queue = [cell]
            for c in queue:
                for t in _TGT[p][c * 3 + kind]:
                    if dist[t] == 99:
                        dist[t] = dist[c] + 1
                        queue.append(t)
            line = []
            for g in range(25):
                d = dist[g]
                if kind == 1:
                    if d <= 1:
                        b = 0.1
                    elif d == 2:
                        b = 0.12
                    elif d == 3:
                        b = 0.05
                    elif d == 4:
                        b = 0.0
                    else:
                        b = -0.05
                else:
                    b = 0.1 if d <= 2 else 0.0
                line.append(vals[code] + b)
            per_code.append(tuple(line))
        full.append(tuple(per_code))
    return tuple(base), tuple(full)


_VAL, _PV = _build_values()


def _build_ending(kind):
    # General and one piece (moving as player 0) against the bare general.
    # Index: (general * 25 + piece) * 25 + weak general.
    # tw: plies to the win, strong side to move (0 = no win)
    # tl: plies to the loss, weak side to move (0 = no loss)
    gt = [_TGT[0][c * 3] for c in range(25)]
    gm = [_ATT[0][c * 3] for c in range(25)]
    xm = [_ATT[0][c * 3 + kind] for c in range(25)]
    pre = [[] for _ in range(25)]
    for x in range(25):
        for t in _TGT[0][x * 3 + kind]:
            pre[t].append(x)
    tw = [0] * 15625
    tl = [0] * 15625
    cand = []
    for s in range(25):
        for x in range(25):
            if x == s:
                continue
            att = gm[s] | xm[x]
            base = (s * 25 + x) * 25
            for w in range(25):
                if w == s or w == x:
                    continue
                cand.append(base + w)
                if (att >> w) & 1:
                    tw[base + w] = 1
    d = 1
    while cand:
        lost = []
        for i in cand:
            if tl[i]:
                continue
            s = i // 625
            x = i // 25 % 25
            w = i % 25
            if (gm[s] >> w) & 1:
                continue
            base = i - w
            for t in gt[w]:
                if t == x:
                    if not (gm[s] >> x) & 1:
                        break
                elif not tw[base + t]:
                    break
            else:
                tl[i] = d + 1
                lost.append(i)
        d += 2
        nxt = set()
        for i in lost:
            s = i // 625
            x = i // 25 % 25
            w = i % 25
            prev = [(sp, x) for sp in gt[s] if sp != x and sp != w]
            prev += [(s, xp) for xp in pre[x] if xp != s and xp != w]
            for s2, x2 in prev:
                base = (s2 * 25 + x2) * 25
                if not tw[base + w]:
                    tw[base + w] = d
                    for t in gt[w]:
                        if t != s2 and t != x2:
                            nxt.add(base + t)
        cand = sorted(nxt)
    return tw, tl


_END = (None, _build_ending(1), _build_ending(2))

_FLIGHT = (0.35, 0.15, 0.05, 0.0, -0.02, -0.03, -0.04)


def _see(v, a, i, d, j):
    # gain of the side with the attackers a[i:] on a piece worth v
    if i >= len(a):
        return 0.0
    r = v - _see(a[i], d, j, a, i + 1)
    return r if r > 0.0 else 0.0


def _exchange(code, b, att_pieces, att_tab, att_val,
              def_pieces, def_tab, def_val):
    a = [att_val[c] for c in att_pieces if att_tab[c] & b]
    d = [def_val[c] for c in def_pieces if def_tab[c] & b]
    a.sort()
    d.sort()
    return _see(def_val[code], a, 0, d, 0)


def _probe(pieces, tab, chk, g, ok, gen_att, occ):
    # -1: a move that mates exists; otherwise the number of safe checks
    checks = 0
    for c in pieces:
        for tb, na in chk[c][g]:
            if tb & ok:
                cover = na
                for e in pieces:
                    if e != c:
                        cover |= tab[e]
                fl = gen_att & ~cover & ~(occ & ~tb)
                if not fl:
                    return -1
                if not fl & tb:
                    checks += 1
    return checks


def value(state):
    res = state[0]
    if res:
        if res == 1:
            return [1.0, -1.0]
        if res == 2:
            return [-1.0, 1.0]
        return [0.0, 0.0]
    plies = state[1]
    me = plies & 1
    he = 1 - me
    own = state[2 + me]
    opp = state[3 - me]
    A = _ATT[me]
    B = _ATT[he]
    bits = _BIT

    own_occ = 0
    own_ng = 0
    og = 0
    own_live = 0
    own_inf = 0
    for c in own:
        own_occ |= bits[c]
        k = c % 3
        if k == 0:
            og = c
        else:
            m = A[c]
            if m:
                own_ng |= m
                own_live += 1
                if k == 1:
                    own_inf += 1
    opp_occ = 0
    opp_ng = 0
    pg = 0
    opp_live = 0
    opp_inf = 0
    for c in opp:
        opp_occ |= bits[c]
        k = c % 3
        if k == 0:
            pg = c
        else:
            m = B[c]
            if m:
                opp_ng |= m
                opp_live += 1
                if k == 1:
                    opp_inf += 1

    og_bit = bits[og]
    pg_bit = bits[pg]
    own_g = A[og]
    opp_g = B[pg]
    own_att = own_ng | own_g
    opp_att = opp_ng | opp_g

    # capture of the general at once
    if own_att & pg_bit:
        return [-1.0, 1.0] if me else [1.0, -1.0]
    rem = 100 - plies
    if rem <= 1:
        return [0.0, 0.0]

    esc = own_g & ~own_occ & ~opp_att
    in_check = opp_att & og_bit
    abit = 0
    can_cap = 0
    if in_check:
        n = 0
        for c in opp:
            if B[c] & og_bit:
                n += 1
                abit = bits[c]
        if n == 1:
            can_cap = own_ng & abit
        else:
            abit = 0
        if not esc and not can_cap:
            return [1.0, -1.0] if me else [-1.0, 1.0]
    elif not esc:
        if not own_ng & ~own_occ and own_g & ~own_occ:
            # only suicidal moves of the general
            return [1.0, -1.0] if me else [-1.0, 1.0]
    if rem == 2:
        return [0.0, 0.0]

    ogc = og // 3
    pgc = pg // 3

    # mate in one
    ok = ~own_occ & ~opp_ng
    if in_check:
        ok &= abit
    checks = 0
    if ok:
        checks = _probe(own, A, _CHK[me], pgc, ok, opp_g, opp_occ)
        if checks < 0:
            return [-0.998, 0.998] if me else [0.998, -0.998]
    if rem == 3:
        return [0.0, 0.0]

    # small endings
    n_own = len(own)
    n_opp = len(opp)
    total = n_own + n_opp
    if total <= 3:
        if total == 2:
            return [0.0, 0.0]
        if n_own == 2:
            strong = me
            x = own[0] if own[1] == og else own[1]
            sc = ogc
            wc = pgc
        else:
            strong = he
            x = opp[0] if opp[1] == pg else opp[1]
            sc = pgc
            wc = ogc
        xc, kind = divmod(x, 3)
        if strong:
            sc = _FLIP[sc]
            wc = _FLIP[wc]
            xc = _FLIP[xc]
        table = _END[kind][0 if strong == me else 1]
        d = table[(sc * 25 + xc) * 25 + wc]
        if d and d <= rem:
            v = 1.0 - 0.002 * d
            return [-v, v] if strong else [v, -v]
        return [0.0, 0.0]

    # material and placement
    score = 0.08
    pv = _PV[me]
    for c in own:
        score += pv[c][pgc]
    pv = _PV[he]
    for c in opp:
        score -= pv[c][ogc]

    # exchanges
    own_val = _VAL[me]
    opp_val = _VAL[he]
    best = 0.0
    if in_check:
        targets = esc & opp_occ
        if can_cap:
            targets |= abit
    else:
        targets = own_att & opp_occ
    if targets:
        for c in opp:
            b = bits[c]
            if b & targets:
                if not b & opp_att:
                    gain = opp_val[c]
                elif b & own_ng:
                    gain = _exchange(c, b, own, A, own_val,
                                     opp, B, opp_val)
                else:
                    continue
                if gain > best:
                    best = gain
    t1 = 0.0
    t2 = 0.0
    targets = opp_att & own_occ & ~og_bit
    if targets:
        for c in own:
            b = bits[c]
            if b & targets:
                if not b & own_att:
                    loss = own_val[c]
                elif b & opp_ng:
                    loss = _exchange(c, b, opp, B, opp_val,
                                     own, A, own_val)
                else:
                    continue
                if loss > t1:
                    t2 = t1
                    t1 = loss
                elif loss > t2:
                    t2 = loss

    own_fl = bin(esc).count("1")
    opp_fl = bin(opp_g & ~opp_occ & ~own_att).count("1")

    if in_check:
        score += 0.85 * (best - 0.8 * t1)
        score -= 0.15
        if own_fl + (1 if can_cap else 0) <= 1:
            score -= 0.12
    else:
        threat = 0
        ok = ~opp_occ & ~own_ng
        if opp_live:
            threat = _probe(opp, B, _CHK[he], ogc, ok, own_g, own_occ)
        if threat < 0:
            score -= 0.35
            best *= 0.5
        else:
            score -= 0.05 * (threat if threat < 3 else 3)
        first = best - 0.7 * t1
        other = -t2 - 0.1 * t1
        score += 0.9 * (first if first > other else other)

    score += 0.06 * (checks if checks < 3 else 3)

    # safety of the generals
    score += _FLIGHT[opp_fl] - _FLIGHT[own_fl]
    score += 0.05 * (bin(own_ng & (opp_g | pg_bit)).count("1")
                     - bin(opp_ng & (own_g | og_bit)).count("1"))

    # mobility
    score += 0.02 * (bin(own_att & ~own_occ).count("1")
                     - bin(opp_att & ~opp_occ).count("1"))

    # attacking potential
    if not own_inf and not opp_inf:
        score *= 0.6
    if not opp_live:
        if own_inf:
            score += 0.4
        if score < -0.05:
            score = -0.05
    if not own_live:
        if opp_inf:
            score -= 0.4
        if score > 0.05:
            score = 0.05

    v = tanh(0.7 * score * rem / (rem + 5.0))
    if v > 0.97:
        v = 0.97
    elif v < -0.97:
        v = -0.97
    return [-v, v] if me else [v, -v]
