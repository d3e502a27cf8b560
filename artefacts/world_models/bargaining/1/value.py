import math

import model

_INST = model._INSTANCES
_OFF = model._OFFERS
_N = len(_INST)
_LAST = model._MAX_OFFERS - 1  # 9: the offer made now can not be agreed to


def _dot_tables():
    t0 = []
    t1 = []
    for pool, v0, v1 in _INST:
        t0.append([float(o[0] * v0[0] + o[1] * v0[1] + o[2] * v0[2]) for o in _OFF])
        t1.append([float(o[0] * v1[0] + o[1] * v1[1] + o[2] * v1[2]) for o in _OFF])
    return t0, t1


# value of an offer (what its maker would get) by the values of player 0 / 1;
# the rest of the pool is worth 10 minus this number
_D0, _D1 = _dot_tables()

_TEMP = [0.2 + 0.02 * (_LAST - n) for n in range(_LAST + 1)]
_BIAS = 0.1
_TIE_AT_END = 0.15
_OFFER_TEMP = 0.09

_exp = math.exp


def _accept(n, share, cont):
    """Probability that the player to act after n offers agrees to get share,
    if going on is worth cont to this player."""
    if n >= _LAST:
        return 1.0 if share > 0.0 else _TIE_AT_END
    x = (share - cont + _BIAS) / _TEMP[n]
    if x > 30.0:
        return 1.0
    if x < -30.0:
        return 0.0
    return 1.0 / (1.0 + _exp(-x))


def _solve():
    W = [None] * (_LAST + 1)
    C = [None] * (_LAST + 1)
    W[_LAST] = [(0.0, 0.0)] * _N
    C[_LAST] = [0.0] * _N
    D = (_D0, _D1)
    for n in range(_LAST - 1, -1, -1):
        p = n & 1
        q = 1 - p
        Dp = D[p]
        Dq = D[q]
        Wn = W[n + 1]
        Cn = C[n + 1]
        cur = [(0.0, 0.0)] * _N
        cur_c = [0.0] * _N
        for ids in model._CANDIDATES[p].values():
            offers = model._LEGAL_FIRST[ids[0]]
            count = len(ids)
            evs = []
            rows = []
            for o in offers:
                total = 0.0
                row = []
                for i in ids:
                    sp = Dp[i][o]
                    sq = 10.0 - Dq[i][o]
                    a = _accept(n + 1, sq, Cn[i])
                    w = Wn[i]
                    rp = a * sp + (1.0 - a) * w[p]
                    rq = a * sq + (1.0 - a) * w[q]
                    total += rp
                    row.append((rp, rq))
                evs.append(total / count)
                rows.append(row)
            best = max(evs)
            weights = [_exp((e - best) / _OFFER_TEMP) for e in evs]
            norm = sum(weights)
            weights = [x / norm for x in weights]
            mean = 0.0
            for j in range(count):
                rp = 0.0
                rq = 0.0
                for x, row in zip(weights, rows):
                    if x > 1e-9:
                        r = row[j]
                        rp += x * r[0]
                        rq += x * r[1]
                mean += rp
                cur[ids[j]] = (rp, rq) if p == 0 else (rq, rp)
            mean /= count
            for i in ids:
                cur_c[i] = mean
        W[n] = cur
        C[n] = cur_c
    return W, C


# _W[n][instance]: returns if the player to act after n offers makes an offer
# _C[n][instance]: what this player expects of that, by the own information
_W, _C = _solve()

_ROOT = (sum(w[0] for w in _W[0]) / _N, sum(w[1] for w in _W[0]) / _N)


def _clip(x):
    if x < 0.0:
        return 0.0
    if x > 10.0:
        return 10.0
    return x


def value(state):
    i = state[0]
    if i < 0:
        return [_clip(_ROOT[0]), _clip(_ROOT[1])]
    offers = state[1]
    n = len(offers)
    if state[2] or n > _LAST:
        return model.returns(state)
    w = _W[n][i]
    if n == 0:
        return [_clip(w[0]), _clip(w[1])]
    o = offers[-1]
    if n & 1:
        # made by player 0, player 1 is to act
        r0 = _D0[i][o]
        r1 = 10.0 - _D1[i][o]
        a = _accept(n, r1, _C[n][i])
    else:
        r0 = 10.0 - _D0[i][o]
        r1 = _D1[i][o]
        a = _accept(n, r0, _C[n][i])
    b = 1.0 - a
    return [_clip(a * r0 + b * w[0]), _clip(a * r1 + b * w[1])]
