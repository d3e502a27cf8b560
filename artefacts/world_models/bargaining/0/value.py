import math
import model

_INST = model._INSTANCES
_OFFERS = model._OFFERS
_AGREE = model._AGREE
_N = len(_INST)
_LAST = model._MAX_OFFERS - 1  # 9: player 1 can only agree or end with nothing

_exp = math.exp

# steepness of the acceptance decision per number of offers made
_SCALE = [0.2 + 0.03 * max(0, 8 - n) for n in range(_LAST + 1)]
_INV = [1.0 / s for s in _SCALE]
_BIAS = [0.5 * s for s in _SCALE]
_TEMP = 0.1
_ZERO_ACCEPT = 0.05


def _accept(n, amount, cont):
    # probability that the player to act after n offers agrees
    if n >= _LAST:
        return 1.0 if amount > 0 else _ZERO_ACCEPT
    z = (amount - cont + _BIAS[n]) * _INV[n]
    if z > 30.0:
        return 1.0
    if z < -30.0:
        return 0.0
    return 1.0 / (1.0 + _exp(-z))


def _solve():
    # cont[n][i]: returns in instance i if the player to act after n offers
    #             makes an offer (does not agree)
    # own[n][i]:  what the player to act expects of that, knowing only the own type
    cont = [None] * (_LAST + 1)
    own = [None] * (_LAST + 1)
    cont[_LAST] = [(0.0, 0.0)] * _N
    own[_LAST] = [0.0] * _N
    for n in range(_LAST - 1, -1, -1):
        m = n & 1
        r = 1 - m
        nxt = cont[n + 1]
        thr = own[n + 1]
        cur = [(0.0, 0.0)] * _N
        exp_own = [0.0] * _N
        for key, members in model._FITTING[m].items():
            pool, v = key
            k = len(members)
            rows = []
            evs = []
            for a in model._POOL_LEGAL[pool]:
                b, h, s = _OFFERS[a]
                x = v[0] * b + v[1] * h + v[2] * s
                total = 0.0
                row = []
                for i in members:
                    w = _INST[i][1 + r]
                    y = 10 - (w[0] * b + w[1] * h + w[2] * s)
                    p = _accept(n + 1, y, thr[i])
                    c = nxt[i]
                    q = 1.0 - p
                    mv = p * x + q * c[m]
                    ov = p * y + q * c[r]
                    row.append((mv, ov))
                    total += mv
                rows.append(row)
                evs.append(total / k)
            best = max(evs)
            weights = [_exp((e - best) / _TEMP) for e in evs]
            norm = 1.0 / sum(weights)
            mean = 0.0
            for j in range(k):
                sm = 0.0
                so = 0.0
                for t in range(len(rows)):
                    wt = weights[t]
                    if wt > 1e-9:
                        pair = rows[t][j]
                        sm += wt * pair[0]
                        so += wt * pair[1]
                sm *= norm
                so *= norm
                mean += sm
                if m == 0:
                    cur[members[j]] = (sm, so)
                else:
                    cur[members[j]] = (so, sm)
            mean /= k
            for i in members:
                exp_own[i] = mean
        cont[n] = cur
        own[n] = exp_own
    return cont, own


_CONT, _OWN = _solve()

_START = [min(10.0, max(0.0, sum(c[0] for c in _CONT[0]) / _N)),
          min(10.0, max(0.0, sum(c[1] for c in _CONT[0]) / _N))]


def value(state):
    i, acts = state
    if i < 0:
        return list(_START)
    n = len(acts)
    if n == 0:
        c = _CONT[0][i]
        x = c[0]
        y = c[1]
    else:
        a = acts[-1]
        if a == _AGREE or n > _LAST:
            return model.returns(state)
        b, h, s = _OFFERS[a]
        inst = _INST[i]
        v = inst[1]
        w = inst[2]
        x = v[0] * b + v[1] * h + v[2] * s
        y = w[0] * b + w[1] * h + w[2] * s
        if n & 1:
            # player 0 made the offer, player 1 is to act
            y = 10 - y
            p = _accept(n, y, _OWN[n][i])
        else:
            x = 10 - x
            p = _accept(n, x, _OWN[n][i])
        q = 1.0 - p
        c = _CONT[n][i]
        x = p * x + q * c[0]
        y = p * y + q * c[1]
    if x < 0.0:
        x = 0.0
    elif x > 10.0:
        x = 10.0
    if y < 0.0:
        y = 0.0
    elif y > 10.0:
        y = 10.0
    return [float(x), float(y)]
