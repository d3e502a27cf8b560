NUM_PLAYERS = 4
NUM_DISTINCT_ACTIONS = 31
MAX_CHANCE_OUTCOMES = 24
MAX_GAME_LENGTH = 29
MIN_UTILITY = -4.0
MAX_UTILITY = 4.0

# State:
#  0 who       player to act, -1 chance, -4 over
#  1 phase     0 dealer, 1 deal, 2 bidding, 3 discard, 4 alone?, 5 play, 6 over
#  2 dealer    -1 before it is chosen
#  3 deal      cards in the order dealt (20 hand cards, then the upcard)
#  4 hands     four bit masks (bit = card number)
#  5 npass     number of passes
#  6 declarer  -1 before
#  7 trump     -1 before
#  8 discard   -1 if none
#  9 alone     -1 undecided, 0, 1
# 10 plays     player * 32 + card, in order
# 11 n         cards in the current trick
# 12 led       suit led (-1)
# 13 best      player winning the current trick (-1)
# 14 bestv     strength of the winning card (0)
# 15 tricks    complete tricks
# 16 made      tricks taken by the makers
# 17 pts       points of the makers (at the end)

_FULL = (1 << 24) - 1
_SUITS = "CDHS"
_RANKCH = "9TJQKA"
_DIRS = "NESW"
_SUITNAMES = ("Clubs", "Diamonds", "Hearts", "Spades")
_SUITNO = {"Clubs": 0, "Diamonds": 1, "Hearts": 2, "Spades": 3}

_CARD = tuple(_SUITS[c & 3] + _RANKCH[c >> 2] for c in range(24))
_CARDSP = tuple(x + " " for x in _CARD)
_CARDNO = {_CARD[c]: c for c in range(24)}
_NAMES = _CARD + ("Pass",) + _SUITNAMES + ("Alone", "Partner")
_BIT = tuple(1 << c for c in range(24))

_LO = tuple([c for c in range(12) if m >> c & 1] for m in range(4096))
_HI = tuple([c + 12 for c in range(12) if m >> c & 1] for m in range(4096))


def _eff(t, c):
    if c >> 2 == 2 and c & 3 == 3 - t:
        return t
    return c & 3


def _strength(t, led, c):
    r = c >> 2
    s = c & 3
    if r == 2:
        if s == t:
            return 30
        if s == 3 - t:
            return 29
    if s == t:
        return 20 + r
    if s == led:
        return 1 + r
    return 0


_EFF = tuple(tuple(_eff(t, c) for c in range(24)) for t in range(4))
_SUITMASK = tuple(tuple(sum(1 << c for c in range(24) if _EFF[t][c] == s)
                        for s in range(4)) for t in range(4))
_STR = tuple(tuple(tuple(_strength(t, led, c) for c in range(24))
                   for led in range(4)) for t in range(4))

_COMB = []
for _n in range(25):
    _row = [1] + [0] * 24
    for _k in range(1, _n + 1):
        _row[_k] = _COMB[_n - 1][_k - 1] + _COMB[_n - 1][_k]
    _COMB.append(tuple(_row))
_COMB = tuple(_COMB)

_PAT = 0x111111
_RANKS = {}
_RANKS0 = {}
_LINEMASK = {}
for _x in range(64):
    _p = 0
    _t = ""
    for _r in range(5, -1, -1):
        if _x >> _r & 1:
            _p |= 1 << (4 * _r)
            _t += _RANKCH[_r]
    _RANKS[_p] = _t if _t else "none"
    _RANKS0[_p] = _t
    for _s in range(4):
        if _t:
            _LINEMASK[_SUITS[_s] + " " + _t] = _p << _s
        else:
            _LINEMASK[_SUITS[_s] + " none"] = 0
            _LINEMASK[_SUITS[_s]] = 0

# index -1 (no dealer yet) is the last entry
_DEALERTXT = tuple("Dealer: %s\n" % x for x in _DIRS) + ("Dealer: \n",)
_UPTXT = tuple("Upcard: %s\n" % x for x in _CARD)
_INDENT = tuple("\n" + "   " * q for q in range(4))
_ZEROPOINTS = "\n\nPoints:\nN: 0\nE: 0\nS: 0\nW: 0"
_ALONETXT = ("Declarer go alone: false\n", "Declarer go alone: true\n")


def _bidding_text(dealer, npass, trump):
    if npass == 0 and trump < 0:
        return ""
    text = "\nBidding:\nNorth    East     South    West\n"
    text += " " * (9 * ((dealer + 1) % 4))
    for i in range(npass):
        text += "Pass     "
        if (dealer + 1 + i) % 4 == 3:
            text += "\n"
    if trump >= 0:
        if npass < 3:
            text += "Order up!"
        elif npass == 4:
            text += "Pick up! "
        else:
            text += _SUITNAMES[trump].ljust(9)
        if (dealer + 1 + npass) % 4 == 3:
            text += "\n"
    return text + "\n"


_BIDTXT = tuple(tuple(tuple(_bidding_text(d, n, t) for t in range(-1, 4))
                      for n in range(9)) for d in range(4))

_BID1 = tuple((24, 25 + u) for u in range(4))
_BID2 = tuple((24,) + tuple(25 + s for s in range(4) if s != u) for u in range(4))
_BID3 = tuple(tuple(25 + s for s in range(4) if s != u) for u in range(4))

_DEALER_OUTCOMES = ((0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25))

_INITIAL = (-1, 0, -1, (), (0, 0, 0, 0), 0, -1, -1, -1, -1, (),
            0, -1, -1, 0, 0, 0, 0)


def _bits(m):
    return _LO[m & 4095] + _HI[m >> 12]


def _score(made, alone):
    if made == 0:
        return -4
    if made < 3:
        return -2
    if made < 5:
        return 1
    return 4 if alone == 1 else 2


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    phase = state[1]
    if phase == 5:
        m = state[4][state[0]]
        if state[11]:
            f = m & _SUITMASK[state[7]][state[12]]
            if f:
                m = f
        return _LO[m & 4095] + _HI[m >> 12]
    if phase == 2:
        u = state[3][20] & 3
        n = state[5]
        if n < 4:
            return list(_BID1[u])
        if n < 7:
            return list(_BID2[u])
        return list(_BID3[u])
    if phase == 3:
        m = state[4][state[2]] & ~_BIT[state[3][20]]
        return _LO[m & 4095] + _HI[m >> 12]
    if phase == 4:
        return [29, 30]
    return []


def chance_outcomes(state):
    phase = state[1]
    if phase == 0:
        return list(_DEALER_OUTCOMES)
    if phase == 1:
        a, b, c, d = state[4]
        p = 1.0 / (24 - len(state[3]))
        return [(x, p) for x in _bits(_FULL & ~(a | b | c | d))]
    return []


def apply_action(state, action):
    (who, phase, dealer, deal, hands, npass, declarer, trump, discard, alone,
     plays, n, led, best, bestv, tricks, made, pts) = state
    if phase == 5:
        h = list(hands)
        h[who] &= ~_BIT[action]
        hands = tuple(h)
        plays = plays + (who << 5 | action,)
        if n == 0:
            led = _EFF[trump][action]
            best = who
            bestv = _STR[trump][led][action]
        else:
            v = _STR[trump][led][action]
            if v > bestv:
                bestv = v
                best = who
        n += 1
        if n == 4 - alone:
            if not (best - declarer) & 1:
                made += 1
            tricks += 1
            if tricks == 5:
                return (-4, 6, dealer, deal, hands, npass, declarer, trump,
                        discard, alone, plays, 0, -1, -1, 0, 5, made,
                        _score(made, alone))
            return (best, 5, dealer, deal, hands, npass, declarer, trump,
                    discard, alone, plays, 0, -1, -1, 0, tricks, made, 0)
        who = (who + 1) & 3
        if alone and who == (declarer + 2) & 3:
            who = (who + 1) & 3
        return (who, 5, dealer, deal, hands, npass, declarer, trump,
                discard, alone, plays, n, led, best, bestv, tricks, made, 0)
    if phase == 1:
        k = len(deal)
        deal = deal + (action,)
        if k < 20:
            h = list(hands)
            h[(dealer + k) & 3] |= _BIT[action]
            hands = tuple(h)
        else:
            who = (dealer + 1) & 3
            phase = 2
    elif phase == 2:
        if action == 24:
            npass += 1
            who = (who + 1) & 3
        else:
            trump = action - 25
            declarer = who
            if npass < 4:
                h = list(hands)
                h[dealer] |= _BIT[deal[20]]
                hands = tuple(h)
                phase = 3
                who = dealer
            else:
                phase = 4
    elif phase == 3:
        h = list(hands)
        h[dealer] &= ~_BIT[action]
        hands = tuple(h)
        discard = action
        phase = 4
        who = declarer
    elif phase == 4:
        alone = 1 if action == 29 else 0
        phase = 5
        who = (dealer + 1) & 3
        if alone and who == (declarer + 2) & 3:
            who = (who + 1) & 3
    elif phase == 0:
        dealer = action
        phase = 1
    return (who, phase, dealer, deal, hands, npass, declarer, trump, discard,
            alone, plays, n, led, best, bestv, tricks, made, pts)


def returns(state):
    if state[1] != 6:
        return [0.0, 0.0, 0.0, 0.0]
    x = float(state[17])
    if state[6] & 1:
        return [-x, x, -x, x]
    return [x, -x, x, -x]


def action_name(state, action):
    if state[1] == 0:
        return _DIRS[action]
    return _NAMES[action]


def _play_text(plays, active, out):
    parts = ["\nTricks:\nN  E  S  W  N  E  S"]
    i = 0
    for x in plays:
        q = x >> 5
        if i % active == 0:
            parts.append(_INDENT[q])
        parts.append(_CARDSP[x & 31])
        if (q + 1) & 3 == out:
            parts.append("   ")
        i += 1
    return "".join(parts)


def _deal_masks(dealer, deal):
    res = [0, 0, 0, 0]
    for k in range(20):
        res[(dealer + k) & 3] |= _BIT[deal[k]]
    return tuple(res)


def _final_text(state):
    dealer = state[2]
    deal = state[3]
    north, east, south, west = _deal_masks(dealer, deal)
    parts = [_DEALERTXT[dealer], "\n"]
    pad = "        "
    for s in (3, 2, 1, 0):
        parts.append(pad + _SUITS[s] + " " + _RANKS0[north >> s & _PAT] + "\n")
    for s in (3, 2, 1, 0):
        w = _SUITS[s] + " " + _RANKS0[west >> s & _PAT]
        parts.append(w.ljust(8) + pad + _SUITS[s] + " " + _RANKS0[east >> s & _PAT] + "\n")
    for s in (3, 2, 1, 0):
        parts.append(pad + _SUITS[s] + " " + _RANKS0[south >> s & _PAT] + "\n")
    parts.append("\nUpcard: " + _CARD[deal[20]])
    parts.append(_BIDTXT[dealer][state[5]][state[7] + 1])
    if state[8] >= 0:
        parts.append("\nDealer discard: " + _CARD[state[8]] + "\n")
    alone = state[9]
    parts.append("\n" + _ALONETXT[alone])
    out = (state[6] + 2) & 3 if alone else -1
    parts.append(_play_text(state[10], 4 - alone, out))
    x = state[17]
    if state[6] & 1:
        x = -x
    parts.append("\n\nPoints:\nN: %d\nE: %d\nS: %d\nW: %d" % (x, -x, x, -x))
    return "".join(parts)


def observation(state, player):
    if state[1] == 6:
        return {"observation": _final_text(state)}
    dealer = state[2]
    deal = state[3]
    text = _DEALERTXT[dealer]
    if len(deal) == 21:
        text += _UPTXT[deal[20]]
    m = state[4][player]
    text += ("Hand:\nS " + _RANKS[m >> 3 & _PAT] + "\nH " + _RANKS[m >> 2 & _PAT]
             + "\nD " + _RANKS[m >> 1 & _PAT] + "\nC " + _RANKS[m & _PAT] + "\n")
    text += _BIDTXT[dealer][state[5]][state[7] + 1]
    alone = state[9]
    if alone >= 0:
        text += _ALONETXT[alone]
        if state[10]:
            out = (state[6] + 2) & 3 if alone else -1
            text += _play_text(state[10], 4 - alone, out) + _ZEROPOINTS
    return {"observation": text}


def information_state(state, player):
    phase = state[1]
    dealer = state[2]
    deal = state[3]
    if dealer < 0:
        return (player, phase)
    declarer = state[6]
    trump = state[7]
    if declarer >= 0 and state[5] == 4 and player != declarer:
        trump = -2
    own = deal[(player - dealer) & 3:20:4]
    up = deal[20] if len(deal) == 21 else -1
    discard = state[8]
    if phase == 6:
        return (player, 6, dealer, 21, own, up, state[5], declarer, trump, discard,
                state[9], state[10], _deal_masks(dealer, deal), state[17])
    if player != dealer:
        discard = -1
    return (player, phase, dealer, len(deal), own, up, state[5], declarer, trump,
            discard, state[9], state[10])


# ---------------------------------------------------------------- resampling


def _shuffle(cards, rand):
    for i in range(len(cards) - 1, 0, -1):
        j = int(rand() * (i + 1))
        cards[i], cards[j] = cards[j], cards[i]


def _choose(weights, rand):
    x = rand() * sum(weights)
    pick = -1
    for i in range(len(weights)):
        w = weights[i]
        if w > 0:
            pick = i
            if x < w:
                return i
            x -= w
    return pick


def _take(cards, r, rand):
    """Mask of r cards drawn uniformly; changes the list `cards`."""
    n = len(cards)
    m = 0
    for x in range(r):
        y = x + int(rand() * (n - x))
        m |= _BIT[cards[y]]
        cards[y] = cards[x]
    return m


def _winner(trump, trick):
    strength = _STR[trump][_EFF[trump][trick[0][1]]]
    best = -1
    bestv = 0
    for q, c in trick:
        v = strength[c]
        if v > bestv:
            bestv = v
            best = q
    return best


def _fits(trump, tricks, active, player, declarer, alone, points):
    """Do the leaders (and the final points) agree with this trump suit?"""
    made = 0
    last = len(tricks) - 1
    for i in range(last + 1):
        trick = tricks[i]
        if len(trick) < active:
            break
        w = _winner(trump, trick)
        if not (w - declarer) & 1:
            made += 1
        if i < last:
            if tricks[i + 1][0][0] != w:
                return False
        elif points is None and w != player:
            return False
    return points is None or points == _score(made, alone)


def _analyse(trump, tricks, player, held):
    """What the plays tell, with this trump suit: (constant factor, for every
    player and suit the numbers of known cards at the times of following, the
    suits (bits) that each player is void of), or None if impossible."""
    eff = _EFF[trump]
    masks = _SUITMASK[trump]
    cnt = []
    for q in range(4):
        h = held[q]
        if h:
            cnt.append([bin(h & m).count("1") for m in masks])
        else:
            cnt.append([0, 0, 0, 0])
    ks = [[[], [], [], []] for _ in range(4)]
    void = [0, 0, 0, 0]
    const = 1.0
    for i in range(len(tricks) - 1, -1, -1):
        trick = tricks[i]
        led = eff[trick[0][1]]
        for j in range(len(trick)):
            q, c = trick[j]
            s = eff[c]
            row = cnt[q]
            row[s] += 1
            if j:
                if s == led:
                    if q != player:
                        ks[q][s].append(row[s])
                        const /= row[s]
                else:
                    if row[led]:
                        return None
                    if q != player:
                        void[q] |= 1 << led
                        const /= 5 - i
    return const, ks, void


def _exact(models, unseen, rand):
    """Draw (trump, hands, rest) exactly, by counting."""
    solved = []
    weights = []
    for trump, limit, const, plan in models:
        masks = _SUITMASK[trump]
        tied = [e for e in plan if e[2] != unseen or e[4]]
        free = [e for e in plan if e[2] == unseen and not e[4]]
        sizes = []
        tabs = []
        for q, r, allowed, cn, fl in tied:
            sizes.append(r)
            row = []
            for sm in masks:
                if allowed & sm:
                    tab = [1.0] * (r + 1)
                    for m, tb in fl:
                        if m == sm:
                            tab = tb
                    row.append(tab)
                else:
                    row.append([1.0])
            tabs.append(row)
        while len(sizes) < 3:
            sizes.append(0)
            tabs.append([[1.0]] * 4)
        levels = [{tuple(sizes): 1.0}]
        options = []
        for s in range(4):
            n = bin(unseen & masks[s]).count("1")
            t0 = tabs[0][s]
            t1 = tabs[1][s]
            t2 = tabs[2][s]
            opts = []
            for a in range(min(n, len(t0) - 1) + 1):
                wa = _COMB[n][a] * t0[a]
                for b in range(min(n - a, len(t1) - 1) + 1):
                    wb = wa * _COMB[n - a][b] * t1[b]
                    for c in range(min(n - a - b, len(t2) - 1) + 1):
                        opts.append((a, b, c, wb * _COMB[n - a - b][c] * t2[c]))
            options.append(opts)
            nxt = {}
            for (x, y, z), g in levels[s].items():
                for a, b, c, w in opts:
                    if a <= x and b <= y and c <= z:
                        key = (x - a, y - b, z - c)
                        nxt[key] = nxt.get(key, 0.0) + g * w
            levels.append(nxt)
        total = levels[4].get((0, 0, 0), 0.0) * const
        n = bin(unseen).count("1") - sum(sizes)
        for e in free:
            total *= _COMB[n][e[1]]
            n -= e[1]
        weights.append(total)
        solved.append((trump, masks, tied, free, levels, options))
    trump, masks, tied, free, levels, options = solved[_choose(weights, rand)]
    got = [0, 0, 0, 0]
    pool = unseen
    cx = cy = cz = 0
    for s in (3, 2, 1, 0):
        level = levels[s]
        cand = []
        ws = []
        for a, b, c, w in options[s]:
            g = level.get((cx + a, cy + b, cz + c))
            if g:
                cand.append((a, b, c))
                ws.append(g * w)
        abc = cand[_choose(ws, rand)]
        cx += abc[0]
        cy += abc[1]
        cz += abc[2]
        cards = _bits(unseen & masks[s])
        _shuffle(cards, rand)
        at = 0
        for j in range(len(tied)):
            q = tied[j][0]
            for c in cards[at:at + abc[j]]:
                got[q] |= _BIT[c]
                pool ^= _BIT[c]
            at += abc[j]
    for e in free:
        m = _take(_bits(pool), e[1], rand)
        got[e[0]] = m
        pool ^= m
    return trump, got, pool


def _hidden(models, unseen, rand):
    """Draw (trump, hands, rest): first by a few quick tries with the right
    acceptance, else by exact counting (the distribution is the same)."""
    single = len(models) == 1
    if not single:
        limits = [m[1] for m in models]
    for _ in range(50):
        model = models[0] if single else models[_choose(limits, rand)]
        u = rand()
        acc = 1.0
        pool = unseen
        got = [0, 0, 0, 0]
        for q, r, allowed, cn, fl in model[3]:
            if r == 0:
                continue
            cards = _bits(allowed & pool)
            n = len(cards)
            if n < r:
                break
            acc *= _COMB[n][r] / cn
            m = _take(cards, r, rand)
            for sm, tab in fl:
                acc *= tab[bin(m & sm).count("1")]
            if u >= acc:
                break
            got[q] = m
            pool ^= m
        else:
            return model[0], got, pool
    return _exact(models, unseen, rand)


def _draw(player, history, rand):
    last = len(history) - 1
    obs = history[last][0]["observation"]
    dealer = _DIRS.index(obs[8])
    own = []
    ownmask = 0
    for k in range((player - dealer) % 4 + 2, 22, 4):
        lines = history[k][0]["observation"].split("\n")
        m = (_LINEMASK[lines[2]] | _LINEMASK[lines[3]]
             | _LINEMASK[lines[4]] | _LINEMASK[lines[5]])
        own.append((m ^ ownmask).bit_length() - 1)
        ownmask = m
    upcard = _CARDNO[history[22][0]["observation"][18:20]]
    upbit = _BIT[upcard]
    over = obs[10] == "\n"

    # bidding
    npass = 0
    named = False
    trump = -1
    i = obs.find("West\n")
    if i >= 0:
        for word in obs[i + 5:].split(None, 9):
            if word == "Pass":
                npass += 1
                continue
            if word == "Order":
                named = True
                trump = upcard & 3
            elif word == "Pick":
                named = True
            elif word in _SUITNO:
                named = True
                trump = _SUITNO[word]
            break
    declarer = (dealer + 1 + npass) % 4 if named else -1
    if named and trump < 0 and declarer == player:
        trump = _SUITNO[history[22 + npass][1]]
    taken = named and npass < 4

    # going alone, tricks
    alone = -1
    tricks = []
    pm = [0, 0, 0, 0]
    pc = [0, 0, 0, 0]
    if named:
        j = obs.find("alone: ", i)
        if j >= 0:
            alone = 1 if obs[j + 7] == "t" else 0
            j = obs.find("Tricks:\n", j)
            if j >= 0:
                e = obs.index("\n\nPoints", j)
                for row in obs[j + 28:e].split("\n"):
                    trick = []
                    start = len(row) - len(row.lstrip())
                    for x in range(start, len(row), 3):
                        c = _CARDNO.get(row[x:x + 2], -1)
                        if c >= 0:
                            q = (x // 3) & 3
                            trick.append((q, c))
                            pm[q] |= _BIT[c]
                            pc[q] += 1
                    tricks.append(trick)
    active = 3 if alone == 1 else 4

    # the discard, where it is known
    discard = -1
    if taken:
        if over:
            j = obs.find("discard: ")
            discard = _CARDNO[obs[j + 9:j + 11]]
        elif player == dealer:
            k = npass + 23
            if k <= last and history[k][1] is not None:
                discard = _CARDNO[history[k][1]]

    # the suits that may be trumps
    if named and trump < 0:
        points = None
        if over:
            j = obs.rfind("N: ")
            points = int(obs[j + 3:obs.index("\n", j)])
            if declarer & 1:
                points = -points
        cands = [t for t in range(4) if t != upcard & 3
                 and _fits(t, tricks, active, player, declarer, alone, points)]
    else:
        cands = [trump]

    if over:
        lines = obs.split("\n")
        init = [0, 0, 0, 0]
        for x in range(4):
            init[0] |= _LINEMASK[lines[2 + x][8:].strip()]
            init[1] |= _LINEMASK[lines[6 + x][16:].strip()]
            init[2] |= _LINEMASK[lines[10 + x][8:].strip()]
            init[3] |= _LINEMASK[lines[6 + x][:8].strip()]
        hands = list(init)
        if taken:
            hands[dealer] = (hands[dealer] | upbit) & ~_BIT[discard]
        for q in range(4):
            hands[q] &= ~pm[q]
        if len(cands) > 1:
            weights = []
            for t in cands:
                res = _analyse(t, tricks, player, (0, 0, 0, 0))
                weights.append(0.0 if res is None else res[0])
            trump = cands[_choose(weights, rand)]
        else:
            trump = cands[0]
    else:
        hand = ownmask
        held = [0, 0, 0, 0]
        if taken:
            if player == dealer:
                hand |= upbit
                if discard >= 0:
                    hand &= ~_BIT[discard]
            elif not pm[dealer] & upbit:
                held[dealer] = upbit
        hand &= ~pm[player]
        held[player] = hand
        unseen = _FULL & ~(ownmask | upbit | pm[0] | pm[1] | pm[2] | pm[3])
        count = bin(unseen).count("1")
        models = []
        for t in cands:
            res = _analyse(t, tricks, player, held)
            if res is None:
                continue
            const, ks, void = res
            masks = _SUITMASK[t]
            order = []
            for q in range(4):
                if q == player:
                    continue
                r = 5 - pc[q]
                if held[q]:
                    r -= 1
                allowed = unseen
                fl = []
                v = void[q]
                kq = ks[q]
                for s in range(4):
                    if v >> s & 1:
                        allowed &= ~masks[s]
                    elif r and kq[s]:
                        tab = []
                        for a in range(r + 1):
                            f = 1.0
                            for k in kq[s]:
                                f *= k / (k + a)
                            tab.append(f)
                        fl.append((masks[s], tab))
                order.append((bin(allowed).count("1"), not fl, q, r, allowed, fl))
            order.sort()
            limit = const
            left = count
            plan = []
            possible = True
            for n, nofl, q, r, allowed, fl in order:
                if n > left:
                    n = left
                cn = _COMB[n][r]
                if not cn:
                    possible = False
                    break
                limit *= cn
                left -= r
                plan.append((q, r, allowed, cn, fl))
            if possible:
                models.append((t, limit, const, plan))
        trump, got, pool = _hidden(models, unseen, rand)
        if taken and player != dealer:
            rest = _bits(pool)
            discard = rest[int(rand() * len(rest))]
        init = [0, 0, 0, 0]
        hands = [0, 0, 0, 0]
        for q in range(4):
            if q == player:
                hands[q] = hand
            else:
                init[q] = (got[q] | pm[q]) & ~upbit
                hands[q] = got[q] | held[q]
        if taken and player != dealer:
            init[dealer] |= _BIT[discard]

    deal = [0] * 20
    for q in range(4):
        if q == player:
            cards = own
        else:
            cards = _bits(init[q])
            _shuffle(cards, rand)
        deal[(q - dealer) % 4::4] = cards
    return (dealer, deal, upcard, npass, declarer, trump, discard, alone,
            tricks, hands, over)


def resample_history(player, history, rand):
    (dealer, deal, upcard, npass, declarer, trump, discard, alone,
     tricks, hands, over) = _draw(player, history, rand)
    acts = [dealer] + deal + [upcard] + [24] * npass
    if declarer >= 0:
        acts.append(25 + trump)
        if discard >= 0:
            acts.append(discard)
        if alone >= 0:
            acts.append(29 if alone else 30)
            for trick in tricks:
                for q, c in trick:
                    acts.append(c)
    return acts


def resample_state(player, history, rand):
    (dealer, deal, upcard, npass, declarer, trump, discard, alone,
     tricks, hands, over) = _draw(player, history, rand)
    deal = tuple(deal) + (upcard,)
    hands = tuple(hands)
    if alone < 0:
        if declarer < 0:
            phase = 2
            who = (dealer + 1 + npass) & 3
        elif npass < 4 and discard < 0:
            phase = 3
            who = dealer
        else:
            phase = 4
            who = declarer
        return (who, phase, dealer, deal, hands, npass, declarer, trump, discard,
                -1, (), 0, -1, -1, 0, 0, 0, 0)
    out = (declarer + 2) & 3 if alone else -1
    active = 4 - alone
    who = (dealer + 1) & 3
    if who == out:
        who = (who + 1) & 3
    plays = []
    n = 0
    led = -1
    best = -1
    bestv = 0
    done = 0
    made = 0
    for trick in tricks:
        led = _EFF[trump][trick[0][1]]
        strength = _STR[trump][led]
        best = -1
        bestv = 0
        for q, c in trick:
            plays.append(q << 5 | c)
            v = strength[c]
            if v > bestv:
                bestv = v
                best = q
        n = len(trick)
        if n == active:
            done += 1
            if not (best - declarer) & 1:
                made += 1
            who = best
            n = 0
            led = -1
            best = -1
            bestv = 0
        else:
            who = (trick[-1][0] + 1) & 3
            if who == out:
                who = (who + 1) & 3
    if done == 5:
        return (-4, 6, dealer, deal, hands, npass, declarer, trump, discard,
                alone, tuple(plays), 0, -1, -1, 0, 5, made, _score(made, alone))
    return (who, 5, dealer, deal, hands, npass, declarer, trump, discard,
            alone, tuple(plays), n, led, best, bestv, done, made, 0)
