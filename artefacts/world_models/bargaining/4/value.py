import math
import model

_INST = model._INSTANCES
_N = len(_INST)
_MAXO = model._MAX_OFFERS
_TAU_OFFER = 0.1


def _logistic(z):
    if z > 40.0:
        return 1.0
    if z < -40.0:
        return 0.0
    return 1.0 / (1.0 + math.exp(-z))


def _accept_prob(x, t):
    d = x - t
    a = 0.9 * _logistic((d + 0.25) / 0.25) + 0.1 * _logistic(d / 1.5)
    if x == 0 and a > 0.15:
        a = 0.15
    return a


def _share_tables():
    # by proposer, instance: list of (r0, r1) in order of the legal offers,
    # and a dictionary from the action to (r0, r1)
    lists = ([], [])
    dicts = ([], [])
    for i in range(_N):
        pool, v, w = _INST[i]
        acts = model._LEGAL_FIRST[i]
        l0 = []
        l1 = []
        d0 = {}
        d1 = {}
        for a in acts:
            b, h, k = model._OFFERS[a]
            v_own = b * v[0] + h * v[1] + k * v[2]
            w_own = b * w[0] + h * w[1] + k * w[2]
            v_tot = pool[0] * v[0] + pool[1] * v[1] + pool[2] * v[2]
            w_tot = pool[0] * w[0] + pool[1] * w[1] + pool[2] * w[2]
            r = (v_own, w_tot - w_own)
            s = (v_tot - v_own, w_own)
            l0.append(r)
            l1.append(s)
            d0[a] = r
            d1[a] = s
        lists[0].append(l0)
        lists[1].append(l1)
        dicts[0].append(d0)
        dicts[1].append(d1)
    return lists, dicts


_LISTS, _PAY = _share_tables()


def _solve():
    # cont[n][i]: outcome if the player to act after n offers proposes
    # acc[n][i][x]: probability that this player agrees to a share worth x
    cont = [None] * _MAXO
    acc = [None] * _MAXO
    last = [0.15] + [1.0] * 10
    cont[_MAXO - 1] = [(0.0, 0.0)] * _N
    acc[_MAXO - 1] = [last] * _N
    for n in range(_MAXO - 2, -1, -1):
        p = n & 1
        q = 1 - p
        acc_next = acc[n + 1]
        cont_next = cont[n + 1]
        cur = [None] * _N
        cur_acc = [None] * _N
        lists = _LISTS[p]
        for fit in model._FITS[p].values():
            m = len(lists[fit[0]])
            total = [0.0] * m
            rows = []
            for i in fit:
                ai = acc_next[i]
                c0, c1 = cont_next[i]
                row = []
                for r in lists[i]:
                    a = ai[r[q]]
                    row.append((c0 + a * (r[0] - c0), c1 + a * (r[1] - c1)))
                rows.append(row)
                for j in range(m):
                    total[j] += row[j][p]
            size = float(len(fit))
            qs = [t / size for t in total]
            best = max(qs)
            weights = [math.exp((x - best) / _TAU_OFFER) for x in qs]
            norm = sum(weights)
            weights = [x / norm for x in weights]
            used = [(j, x) for j, x in enumerate(weights) if x > 1e-7]
            table = [_accept_prob(x, best) for x in range(11)]
            for i, row in zip(fit, rows):
                e0 = 0.0
                e1 = 0.0
                for j, x in used:
                    e = row[j]
                    e0 += x * e[0]
                    e1 += x * e[1]
                cur[i] = (min(10.0, max(0.0, e0)), min(10.0, max(0.0, e1)))
                cur_acc[i] = table
        cont[n] = cur
        acc[n] = cur_acc
    return cont, acc


_CONT, _ACC = _solve()

_START = (sum(c[0] for c in _CONT[0]) / _N, sum(c[1] for c in _CONT[0]) / _N)


def value(state):
    i = state[1]
    if i < 0:
        return [_START[0], _START[1]]
    if state[0] < 0:
        return model.returns(state)
    offers = state[2]
    n = len(offers)
    c0, c1 = _CONT[n][i]
    if n == 0:
        return [c0, c1]
    p = n & 1
    r = _PAY[1 - p][i][offers[-1]]
    a = _ACC[n][i][r[p]]
    x = c0 + a * (r[0] - c0)
    y = c1 + a * (r[1] - c1)
    if x > 10.0:
        x = 10.0
    elif x < 0.0:
        x = 0.0
    if y > 10.0:
        y = 10.0
    elif y < 0.0:
        y = 0.0
    return [x, y]
