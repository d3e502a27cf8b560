import math

import model

_INST = model._INSTANCES
_OFF = model._OFFERS
_LEGAL = model._LEGAL_FIRST
_TYPE = model._TYPE
_N = len(_INST)
_LAST = model._MAX_OFFERS - 1  # stage at which player 1 can only agree or end with 0

_T_ACC = 0.2     # softness of accepting
_BIAS = 0.1      # ties are rather accepted
_T_OFF = 0.1     # softness of the choice of an offer
_ZERO_LAST = 0.04   # acceptance of a worthless share at the very end
_ZERO = 0.15        # factor on the acceptance of a worthless share before

_exp = math.exp


def _accept(stage, a, thr):
    # probability that the player to act at `stage` agrees to a share worth a,
    # when going on is worth thr to that player
    if stage >= _LAST:
        return 1.0 if a > 0 else _ZERO_LAST
    p = 1.0 / (1.0 + _exp((thr - a - _BIAS) / _T_ACC))
    if a <= 0:
        p *= _ZERO
    return p


def _clamp(x):
    if x < 0.0:
        return 0.0
    if x > 10.0:
        return 10.0
    return x


def _build():
    # values of all offers (as the own share) for both players
    val = ([], [])
    for i in range(_N):
        acts = _LEGAL[i]
        for pl in (0, 1):
            v = _INST[i][1 + pl]
            val[pl].append(
                [
                    _OFF[o][0] * v[0] + _OFF[o][1] * v[1] + _OFF[o][2] * v[2]
                    for o in acts
                ]
            )
    groups = []
    for pl in (0, 1):
        g = {}
        for i in range(_N):
            g.setdefault(_TYPE[pl][i], []).append(i)
        groups.append([g[t] for t in sorted(g)])

    cont = [None] * (_LAST + 1)  # cont[k] = (returns of 0, returns of 1) by instance
    thr = [None] * (_LAST + 1)   # thr[k] = what going on is worth to the mover, by instance
    cont[_LAST] = ([0.0] * _N, [0.0] * _N)
    thr[_LAST] = [0.0] * _N

    for k in range(_LAST - 1, -1, -1):
        m = k & 1
        q = 1 - m
        next_c = cont[k + 1]
        next_t = thr[k + 1]
        now = ([0.0] * _N, [0.0] * _N)
        now_t = [0.0] * _N
        for members in groups[m]:
            vm = val[m][members[0]]
            no = len(vm)
            total = [0.0] * no
            results = []
            for i in members:
                vq = val[q][i]
                t = next_t[i]
                cm = next_c[m][i]
                cq = next_c[q][i]
                xs = []
                ys = []
                for j in range(no):
                    a = 10 - vq[j]
                    p = _accept(k + 1, a, t)
                    r = 1.0 - p
                    x = p * vm[j] + r * cm
                    xs.append(x)
                    ys.append(p * a + r * cq)
                    total[j] += x
                results.append((i, xs, ys))
            cnt = float(len(members))
            best = max(total)
            w = [_exp((s - best) / cnt / _T_OFF) for s in total]
            z = sum(w)
            w = [u / z for u in w]
            mean = 0.0
            for i, xs, ys in results:
                ex = 0.0
                ey = 0.0
                for j in range(no):
                    u = w[j]
                    ex += u * xs[j]
                    ey += u * ys[j]
                ex = _clamp(ex)
                ey = _clamp(ey)
                now[m][i] = ex
                now[q][i] = ey
                mean += ex
            mean /= cnt
            for i in members:
                now_t[i] = mean
        cont[k] = now
        thr[k] = now_t
    return cont, thr


_CONT, _THR = _build()
_C0 = tuple(tuple(c[0]) for c in _CONT)
_C1 = tuple(tuple(c[1]) for c in _CONT)
_THR = tuple(tuple(t) for t in _THR)
_ROOT = (_clamp(sum(_C0[0]) / _N), _clamp(sum(_C1[0]) / _N))


def value(state):
    inst, moves, cur = state
    if cur < 0:
        if cur == -1:
            return [_ROOT[0], _ROOT[1]]
        return model.returns(state)
    n = len(moves)
    if n == 0:
        return [_C0[0][inst], _C1[0][inst]]
    b, h, k = _OFF[moves[-1]]
    pool, v0, v1 = _INST[inst]
    x0 = b * v0[0] + h * v0[1] + k * v0[2]
    x1 = b * v1[0] + h * v1[1] + k * v1[2]
    # the whole pool is worth 10 to either player
    if cur == 0:
        x0 = 10 - x0
        a = x0
    else:
        x1 = 10 - x1
        a = x1
    if n >= _LAST:
        if a > 0:
            return [float(x0), float(x1)]
        return [_ZERO_LAST * x0, _ZERO_LAST * x1]
    p = 1.0 / (1.0 + _exp((_THR[n][inst] - a - _BIAS) / _T_ACC))
    if a <= 0:
        p *= _ZERO
    r = 1.0 - p
    y0 = p * x0 + r * _C0[n][inst]
    y1 = p * x1 + r * _C1[n][inst]
    if y0 > 10.0:
        y0 = 10.0
    if y1 > 10.0:
        y1 = 10.0
    return [y0, y1]
