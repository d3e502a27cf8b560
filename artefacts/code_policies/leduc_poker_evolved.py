import random

P_RANDOM = 0.6               # belief that the opponent plays uniformly
Q_SMART = 1.0 - P_RANDOM     # belief that it is strategic
TREMBLE = 0.03               # reach kept for every action
KEEP = 1.0 - TREMBLE
FIRST, MORE, CAP = 130, 110, 1200
DROP = 0.08                  # smaller probabilities are not played
RANKS = "JQK"


def deal_weight(a, b, pub):
    left = [2, 2, 2]
    n = left[a]
    left[a] -= 1
    n *= left[b]
    left[b] -= 1
    n *= 4 if pub is None else left[pub]
    return n / 120.0


def improve(reg, strat, vals):
    """Predictive regret matching+ for one card; returns the value."""
    ev = 0.0
    for p, v in zip(strat, vals):
        ev += p * v
    nxt = []
    tot = 0.0
    i = 0
    for v in vals:
        d = v - ev
        t = reg[i] + d
        if t < 0.0:
            t = 0.0
        reg[i] = t
        t += d
        if t > 0.0:
            tot += t
            nxt.append(t)
        else:
            nxt.append(0.0)
        i += 1
    if tot > 1e-30:
        tot = 1.0 / tot
        strat[:] = [t * tot for t in nxt]
    return ev


class Leaf:
    """Payoffs to the hero, times the weight of the deal.
    Rows: the hero's card, columns: the other card."""
    __slots__ = ("m",)

    def __init__(self, pub, payoff):
        self.m = tuple(deal_weight(a, b, pub) * payoff(a, b)
                       for a in range(3) for b in range(3))

    def hero(self, x, y, z, u):
        u *= P_RANDOM
        x = x * Q_SMART + u
        y = y * Q_SMART + u
        z = z * Q_SMART + u
        a, b, c, d, e, f, g, h, i = self.m
        return (a * x + b * y + c * z,
                d * x + e * y + f * z,
                g * x + h * y + i * z)

    def foe(self, x, y, z, wt):
        a, b, c, d, e, f, g, h, i = self.m
        return (-a * x - d * y - g * z,
                -b * x - e * y - h * z,
                -c * x - f * y - i * z)


class Chance:
    __slots__ = ("kids",)

    def __init__(self, kids):
        self.kids = kids

    def hero(self, x, y, z, u):
        A = B = C = 0.0
        for kid in self.kids:
            a, b, c = kid.hero(x, y, z, u)
            A += a
            B += b
            C += c
        return A, B, C

    def foe(self, x, y, z, wt):
        A = B = C = 0.0
        for kid in self.kids:
            a, b, c = kid.foe(x, y, z, wt)
            A += a
            B += b
            C += c
        return A, B, C


class Spot:
    __slots__ = ("names", "kids", "strat", "reg", "avg", "low")

    def __init__(self, names, kids):
        k = len(names)
        self.names = names
        self.kids = kids
        self.low = TREMBLE / k
        self.strat = [[1.0 / k] * k for _ in range(3)]
        self.reg = [[0.0] * k for _ in range(3)]
        self.avg = [[0.0] * k for _ in range(3)]

    def learn(self, vals):
        v0, v1, v2 = zip(*vals)
        r0, r1, r2 = self.reg
        s0, s1, s2 = self.strat
        return (improve(r0, s0, v0),
                improve(r1, s1, v1),
                improve(r2, s2, v2))


class HeroSpot(Spot):
    """A decision of ours."""
    __slots__ = ()

    def hero(self, x, y, z, u):
        return self.learn([kid.hero(x, y, z, u) for kid in self.kids])

    def foe(self, x, y, z, wt):
        s0, s1, s2 = self.strat
        g0, g1, g2 = self.avg
        low = self.low
        A = B = C = 0.0
        i = 0
        for kid in self.kids:
            p = x * (s0[i] * KEEP + low)
            q = y * (s1[i] * KEEP + low)
            r = z * (s2[i] * KEEP + low)
            g0[i] += wt * p
            g1[i] += wt * q
            g2[i] += wt * r
            a, b, c = kid.foe(p, q, r, wt)
            A += a
            B += b
            C += c
            i += 1
        return A, B, C

    def plan(self, card):
        """The average strategy without the tremble."""
        k = len(self.names)
        row = self.avg[card]
        tot = sum(row)
        if tot > 1e-30:
            out = [(g / tot - self.low) / KEEP for g in row]
        else:
            out = list(self.strat[card])
        out = [p if p > DROP else 0.0 for p in out]
        tot = sum(out)
        if tot <= 0.0:
            return [1.0 / k] * k
        return [p / tot for p in out]


class FoeSpot(Spot):
    """A decision of the opponent: random or strategic."""
    __slots__ = ()

    def hero(self, x, y, z, u):
        s0, s1, s2 = self.strat
        low = self.low
        u /= len(self.kids)
        A = B = C = 0.0
        i = 0
        for kid in self.kids:
            a, b, c = kid.hero(x * (s0[i] * KEEP + low),
                               y * (s1[i] * KEEP + low),
                               z * (s2[i] * KEEP + low), u)
            A += a
            B += b
            C += c
            i += 1
        return A, B, C

    def foe(self, x, y, z, wt):
        return self.learn([kid.foe(x, y, z, wt) for kid in self.kids])


def fold_leaf(pub, amount):
    return Leaf(pub, lambda a, b: amount)


def show_leaf(pub, chips):
    def payoff(a, b):
        sa = 10 if a == pub else a
        sb = 10 if b == pub else b
        return chips * ((sa > sb) - (sa < sb))
    return Leaf(pub, payoff)


def grow(seat, rnd, pl, raises, moved, chips, pub):
    top = max(chips)
    names = []
    kids = []
    if chips[pl] < top:
        names.append("fold")
        lost = chips[pl]
        kids.append(fold_leaf(pub, -lost if pl == seat else lost))
    names.append("call")
    if not moved:
        kids.append(grow(seat, rnd, 1 - pl, raises, True, chips, pub))
    elif rnd == 1:
        kids.append(Chance([grow(seat, 2, 0, 0, False, (top, top), c)
                            for c in range(3)]))
    else:
        kids.append(show_leaf(pub, top))
    if raises < 2:
        names.append("raise")
        new = list(chips)
        new[pl] = top + (2 if rnd == 1 else 4)
        kids.append(grow(seat, rnd, 1 - pl, raises + 1, True,
                         tuple(new), pub))
    return HeroSpot(names, kids) if pl == seat else FoeSpot(names, kids)


SOLVED = {}     # seat -> [root, iterations done]


def solve(seat):
    entry = SOLVED.get(seat)
    if entry is None:
        entry = [grow(seat, 1, 0, 0, False, (1, 1), None), 0]
        SOLVED[seat] = entry
    root, t = entry
    if t < CAP:
        for _ in range(FIRST if t == 0 else MORE):
            t += 1
            root.hero(1.0, 1.0, 1.0, 1.0)
            root.foe(1.0, 1.0, 1.0, float(t * t))
        entry[1] = t
    return root


def locate(root, data):
    bets = data.get("bets") or []
    node = root
    for name in (bets[0] if len(bets) > 0 else []):
        node = node.kids[node.names.index(name)]
    if isinstance(node, Chance):
        node = node.kids[RANKS.index(data["public_card"][0])]
        for name in (bets[1] if len(bets) > 1 else []):
            node = node.kids[node.names.index(name)]
    return node


def simple(observation):
    """Plain rules, used only if the solver cannot answer."""
    legal = list(observation["legal"])
    try:
        data = observation["data"]
        own = data["card"][0]
        pub = data.get("public_card")
        facing = "fold" in legal
        if pub:
            pair = own == pub[0]
            if "raise" in legal and (pair or own == "K"):
                return "raise"
            if "raise" in legal and facing and own == "Q":
                return "raise"
            if facing and not pair and own != "K":
                return "fold"
        else:
            if "raise" in legal and own != "J":
                return "raise"
            if facing and own == "J":
                return "fold"
    except Exception:
        pass
    return "call" if "call" in legal else legal[0]


def act(observation, memory):
    legal = list(observation["legal"])
    if len(legal) == 1:
        return legal[0]
    try:
        data = observation["data"]
        node = locate(solve(observation["player"]), data)
        if not isinstance(node, HeroSpot):
            return simple(observation)
        own = data["card"][0]
        pub = data.get("public_card")
        pair = bool(pub) and pub[0] == own
        options = []
        for name, p in zip(node.names, node.plan(RANKS.index(own))):
            if p <= 0.0 or name not in legal:
                continue
            if pair and name == "fold":
                continue
            options.append((name, p))
        if not options:
            return simple(observation)
        x = random.random() * sum(p for _, p in options)
        for name, p in options:
            x -= p
            if x < 0.0:
                return name
        return options[-1][0]
    except Exception:
        return simple(observation)
