import math
import model

_TAU = 0.35        # softness of the decision to agree
_SHIFT = 0.1       # slight leaning to agree when indifferent
_TEMP = 0.15       # softness of the choice among offers
_ZERO_AGREE = 0.15  # last decision, share worth nothing: chance to agree
_LAST = model._MAX_OFFERS - 1
_exp = math.exp


def _payoffs():
    tables = ([], [])
    offers = model._OFFERS
    for i in range(model._N):
        pb, ph, pk = model._POOL[i]
        v = (model._VALUES[0][i], model._VALUES[1][i])
        for p in (0, 1):
            mine = v[p]
            theirs = v[1 - p]
            d = {}
            for a in model._LEGAL_FIRST[i]:
                b, h, k = offers[a]
                own = float(b * mine[0] + h * mine[1] + k * mine[2])
                oth = float((pb - b) * theirs[0] + (ph - h) * theirs[1]
                            + (pk - k) * theirs[2])
                d[a] = (own, oth) if p == 0 else (oth, own)
            tables[p].append(d)
    return tables


# _PAY[proposer][instance][offer] = (return of player 0, return of player 1)
_PAY = _payoffs()


def _agree_prob(t, own, threshold):
    if t >= _LAST:
        return 1.0 if own > 0.0 else _ZERO_AGREE
    x = (own - threshold + _SHIFT) / _TAU
    if x > 30.0:
        return 1.0
    if x < -30.0:
        return 0.0
    return 1.0 / (1.0 + _exp(-x))


def _induction():
    n = model._N
    cont = [None] * (_LAST + 1)
    thr = [None] * (_LAST + 1)
    cont[_LAST] = [(0.0, 0.0)] * n
    thr[_LAST] = [0.0] * n
    for t in range(_LAST - 1, -1, -1):
        p = t & 1
        q = 1 - p
        nxt_c = cont[t + 1]
        nxt_t = thr[t + 1]
        cur_c = [(0.0, 0.0)] * n
        cur_t = [0.0] * n
        pay = _PAY[p]
        for group in model._CANDIDATES[p].values():
            ids = model._LEGAL_FIRST[group[0]]
            m = len(ids)
            quality = [0.0] * m
            rows = []
            for i in group:
                c0, c1 = nxt_c[i]
                th = nxt_t[i]
                table = pay[i]
                row = []
                for j in range(m):
                    r = table[ids[j]]
                    a = _agree_prob(t + 1, r[q], th)
                    val = (a * r[0] + (1.0 - a) * c0,
                           a * r[1] + (1.0 - a) * c1)
                    row.append(val)
                    quality[j] += val[p]
                rows.append(row)
            size = float(len(group))
            quality = [x / size for x in quality]
            best = max(quality)
            weights = [_exp((x - best) / _TEMP) for x in quality]
            total = sum(weights)
            weights = [w / total for w in weights]
            for i, row in zip(group, rows):
                s0 = 0.0
                s1 = 0.0
                for w, val in zip(weights, row):
                    s0 += w * val[0]
                    s1 += w * val[1]
                cur_c[i] = (min(10.0, max(0.0, s0)), min(10.0, max(0.0, s1)))
                cur_t[i] = best
        cont[t] = cur_c
        thr[t] = cur_t
    return cont, thr


# _CONT[t][instance]: returns if the player to act after t offers makes an offer
# _THR[t][instance]: what that player expects from making an offer
_CONT, _THR = _induction()

_ROOT = (
    sum(c[0] for c in _CONT[0]) / model._N,
    sum(c[1] for c in _CONT[0]) / model._N,
)


def value(state):
    inst, mover, acts = state
    if inst < 0:
        return [_ROOT[0], _ROOT[1]]
    if mover < 0:
        return model.returns(state)
    t = len(acts)
    c0, c1 = _CONT[t][inst]
    if t == 0:
        return [c0, c1]
    r0, r1 = _PAY[(t - 1) & 1][inst][acts[-1]]
    own = r1 if t & 1 else r0
    if t >= _LAST:
        a = 1.0 if own > 0.0 else _ZERO_AGREE
    else:
        x = (own - _THR[t][inst] + _SHIFT) / _TAU
        if x > 30.0:
            a = 1.0
        elif x < -30.0:
            a = 0.0
        else:
            a = 1.0 / (1.0 + _exp(-x))
    b = 1.0 - a
    x0 = a * r0 + b * c0
    x1 = a * r1 + b * c1
    if x0 > 10.0:
        x0 = 10.0
    if x1 > 10.0:
        x1 = 10.0
    return [x0, x1]
