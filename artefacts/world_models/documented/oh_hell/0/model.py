import bisect
import math

NUM_PLAYERS = 3
NUM_DISTINCT_ACTIONS = 70
MAX_CHANCE_OUTCOMES = 52
MAX_GAME_LENGTH = 54
MIN_UTILITY = 0.0
MAX_UTILITY = 27.0

# A state is the tuple
# (current player, phase, T, dealer, dealt, trump, bids, hands, won, plays, leaders)
#   phase: 0 number of tricks, 1 dealer, 2 deal, 3 bidding, 4 play, 5 over
#   dealt: cards dealt to the players in order (card i went to player i % 3)
#   trump: the trump card or -1
#   bids: per player, -1 where not yet made
#   hands: per player, bit mask of the cards still held
#   won: tricks won per player
#   plays: all cards played, in order
#   leaders: leader of every trick that has begun or is about to begin

_RANKS = "23456789TJQKA"
_SUITS = "CDSH"
_CARD = tuple(s + r for r in _RANKS for s in _SUITS)
_CARD_SP = tuple(c + " " for c in _CARD)
_CARD_ID = {name: i for i, name in enumerate(_CARD)}
_RANK_ID = {r: i for i, r in enumerate(_RANKS)}
_FULL = (1 << 52) - 1
_SUIT_MASK = tuple(sum(1 << (4 * r + s) for r in range(13)) for s in range(4))
_NEXT = (1, 2, 0)
_PAD = ("", "   ", "      ")
_COMB = tuple(tuple(math.comb(n, k) for k in range(n + 1)) for n in range(14))
_CHANCE_T = tuple((t, 1.0 / 17) for t in range(1, 18))
_CHANCE_DEALER = tuple((p, 1.0 / 3) for p in range(3))


def _chunk_tables():
    tables = []
    for k in range(4):
        base = 13 * k
        rows = [()]
        for x in range(1, 8192):
            low = x & -x
            rows.append((base + low.bit_length() - 1,) + rows[x ^ low])
        tables.append(tuple(rows))
    return tables


_B0, _B1, _B2, _B3 = _chunk_tables()


def _bits(h):
    """List of the cards of a bit mask, ascending."""
    return [*_B0[h & 8191], *_B1[(h >> 13) & 8191],
            *_B2[(h >> 26) & 8191], *_B3[(h >> 39) & 8191]]


_INITIAL = (-1, 0, 0, -1, (), -1, (-1, -1, -1), (0, 0, 0), (0, 0, 0), (), ())


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    if state[1] == 4:
        h = state[7][state[0]]
        plays = state[9]
        k = len(plays) % 3
        if k:
            f = h & _SUIT_MASK[plays[-k] & 3]
            if f:
                h = f
        return _bits(h)
    if state[1] == 3:
        T = state[2]
        acts = list(range(52, 53 + T))
        if state[0] == state[3]:
            # the dealer bids last; his own entry is still -1
            bad = T - (sum(state[6]) + 1)
            if 0 <= bad <= T:
                del acts[bad]
        return acts
    return []


def chance_outcomes(state):
    phase = state[1]
    if phase == 2:
        h = state[7]
        cards = _bits(_FULL & ~(h[0] | h[1] | h[2]))
        p = 1.0 / len(cards)
        return [(c, p) for c in cards]
    if phase == 0:
        return list(_CHANCE_T)
    if phase == 1:
        return list(_CHANCE_DEALER)
    return []


def _winner_offset(c0, c1, c2, ts):
    """0, 1 or 2: which of the three cards wins; ts is the trump suit."""
    best = c0
    w = 0
    if (c1 ^ best) & 3 == 0:
        if c1 > best:
            best = c1
            w = 1
    elif c1 & 3 == ts:
        best = c1
        w = 1
    if (c2 ^ best) & 3 == 0:
        if c2 > best:
            w = 2
    elif c2 & 3 == ts:
        w = 2
    return w


def apply_action(state, action):
    cur, phase, T, dealer, dealt, trump, bids, hands, won, plays, leaders = state
    if phase == 4:
        bit = 1 << action
        h0, h1, h2 = hands
        if cur == 0:
            hands = (h0 & ~bit, h1, h2)
        elif cur == 1:
            hands = (h0, h1 & ~bit, h2)
        else:
            hands = (h0, h1, h2 & ~bit)
        k = len(plays) % 3
        new_plays = plays + (action,)
        if k != 2:
            return (_NEXT[cur], 4, T, dealer, dealt, trump, bids, hands, won,
                    new_plays, leaders)
        w = (leaders[-1] + _winner_offset(plays[-2], plays[-1], action, trump & 3)) % 3
        w0, w1, w2 = won
        if w == 0:
            won = (w0 + 1, w1, w2)
        elif w == 1:
            won = (w0, w1 + 1, w2)
        else:
            won = (w0, w1, w2 + 1)
        if len(new_plays) == 3 * T:
            return (-4, 5, T, dealer, dealt, trump, bids, hands, won,
                    new_plays, leaders)
        return (w, 4, T, dealer, dealt, trump, bids, hands, won,
                new_plays, leaders + (w,))
    if phase == 3:
        b = list(bids)
        b[cur] = action - 52
        nxt = _NEXT[cur]
        if cur == dealer:
            return (nxt, 4, T, dealer, dealt, trump, tuple(b), hands, won,
                    (), (nxt,))
        return (nxt, 3, T, dealer, dealt, trump, tuple(b), hands, won, (), ())
    if phase == 2:
        n = len(dealt)
        if n < 3 * T:
            h = list(hands)
            h[n % 3] |= 1 << action
            return (-1, 2, T, dealer, dealt + (action,), trump, bids, tuple(h),
                    won, plays, leaders)
        return (_NEXT[dealer], 3, T, dealer, dealt, action, bids, hands, won,
                plays, leaders)
    if phase == 1:
        return (-1, 2, T, action, dealt, trump, bids, hands, won, plays, leaders)
    if phase == 0:
        return (-1, 1, action, dealer, dealt, trump, bids, hands, won, plays, leaders)
    return state


def returns(state):
    if state[1] != 5:
        return [0.0, 0.0, 0.0]
    bids = state[6]
    won = state[8]
    return [float(won[p] + 10 if won[p] == bids[p] else won[p]) for p in range(3)]


def action_name(state, action):
    phase = state[1]
    if phase == 4 or phase == 2:
        return _CARD[action]
    if phase == 3:
        return str(action - 52)
    return str(action)


def _hand_text(mask):
    t = ["", "", "", ""]
    for c in reversed(_bits(mask)):
        t[c & 3] += _RANKS[c >> 2]
    return "    C: %s\n    D: %s\n    S: %s\n    H: %s\n" % (t[0], t[1], t[2], t[3])


def _tricks_text(plays, leaders):
    parts = ["Tricks:\n0  1  2  0  1  \n"]
    n = len(plays)
    i = 0
    for lead in leaders:
        if i >= n:
            break
        parts.append(_PAD[lead])
        for c in plays[i:i + 3]:
            parts.append(_CARD_SP[c])
        parts.append("\n")
        i += 3
    return "".join(parts)


def observation(state, player):
    cur, phase, T, dealer, dealt, trump, bids, hands, won, plays, leaders = state
    if phase == 0:
        return {"information_state": ""}
    if phase == 1:
        return {"information_state": "Num Total Tricks: %d\n" % T}
    tail = "\nBids:        %d %d %d \nTricks Won:    %d %d %d \n" % (bids + won)
    if phase == 5:
        parts = ["Phase: GameOver\nNum Total Tricks: %d\nDealer: %d\n" % (T, dealer)]
        for p in range(3):
            mask = 0
            for c in dealt[p::3]:
                mask |= 1 << c
            parts.append("Player: %d\n" % p)
            parts.append(_hand_text(mask))
            parts.append("\n")
        parts.append("Trump: %s\n\n" % _CARD[trump])
        parts.append(_tricks_text(plays, leaders))
        parts.append(tail)
        parts.append("Score:        %d %d %d \n" % tuple(
            won[p] + 10 if won[p] == bids[p] else won[p] for p in range(3)))
        return {"information_state": "".join(parts)}
    if trump >= 0:
        head = "Num Total Tricks: %d\nDealer: %d\nNum Cards Dealt: %d\nTrump: %s\nPlayer: %d\n" % (
            T, dealer, len(dealt) + 1, _CARD[trump], player)
    else:
        head = "Num Total Tricks: %d\nDealer: %d\nNum Cards Dealt: %d\nPlayer: %d\n" % (
            T, dealer, len(dealt), player)
    text = head + _hand_text(hands[player]) + "\n"
    if plays:
        text += _tricks_text(plays, leaders)
    return {"information_state": text + tail}


def information_state(state, player):
    dealt = state[4]
    return (player, state[2], state[3], len(dealt), dealt[player::3], state[5],
            state[6], state[9])


# ---------------------------------------------------------------- resampling

_EMPTY_LINES = ("    C: ", "    D: ", "    S: ", "    H: ")


def _known(player, history):
    """What the history tells: (T, dealer, number of cards dealt to players,
    own cards in the order dealt, trump, bids, won, plays, leaders)."""
    n = len(history)
    none = (-1, -1, -1)
    zero = (0, 0, 0)
    if n < 2:
        return (0, -1, 0, [], -1, none, zero, [], [])
    T = int(history[1][0]["information_state"][18:])
    if n < 3:
        return (T, -1, 0, [], -1, none, zero, [], [])
    text = history[2][0]["information_state"]
    i = text.index("Dealer: ") + 8
    dealer = int(text[i])
    nd = min(n - 3, 3 * T)
    own = []
    prev = _EMPTY_LINES
    for i in range(player + 3, nd + 3, 3):
        lines = history[i][0]["information_state"].split("\n", 8)[4:8]
        for s in range(4):
            a = lines[s]
            b = prev[s]
            if a != b:
                j = 7
                end = len(b)
                while j < end and a[j] == b[j]:
                    j += 1
                own.append(_RANK_ID[a[j]] * 4 + s)
                break
        prev = lines
    if n - 3 <= 3 * T:
        return (T, dealer, nd, own, -1, none, zero, [], [])
    last = history[-1][0]["information_state"]
    j = last.index("Trump: ") + 7
    trump = _CARD_ID[last[j:j + 2]]
    j = last.index("Bids:")
    k = last.index("\n", j)
    bids = tuple([int(x) for x in last[j + 5:k].split()])
    m = last.index("\n", k + 1)
    won = tuple([int(x) for x in last[k + 12:m].split()])
    plays = []
    leaders = []
    j = last.find("\nTricks:\n")
    if j >= 0:
        k = last.index("\n\n", j + 1)
        for row in last[j + 9:k].split("\n")[1:]:
            leaders.append((len(row) - len(row.lstrip())) // 3)
            for name in row.split():
                plays.append(_CARD_ID[name])
    return (T, dealer, nd, own, trump, bids, won, plays, leaders)


def _mix(cards, k, rand):
    """Partial shuffle in place: the first k entries become a random draw."""
    n = len(cards)
    for i in range(min(k, n - 1)):
        j = i + int(rand() * (n - i))
        if j != i:
            cards[i], cards[j] = cards[j], cards[i]


def _weights(void, events, top):
    if void:
        top = 0
    out = []
    for r in range(top + 1):
        x = 1.0
        for c in events:
            x /= r + c
        out.append(x)
    return out


def _convolve(f, g):
    h = {}
    get = h.get
    items = list(g.items())
    for e, w in f.items():
        for k, v in items:
            k += e
            h[k] = get(k, 0.0) + w * v
    return h


def _choose(f, g, target, rand):
    keys = []
    acc = []
    t = 0.0
    for e, w in f.items():
        v = g.get(target - e)
        if v:
            t += w * v
            keys.append(e)
            acc.append(t)
    i = bisect.bisect_right(acc, rand() * t)
    if i >= len(keys):
        i = len(keys) - 1
    return keys[i]


def _complete(player, known, rand):
    """Draws the hidden cards: (dealt cards in order, hands as bit masks)."""
    T, dealer, nd, own, trump, bids, won, plays, leaders = known
    pa = (player + 1) % 3
    pb = (player + 2) % 3
    hidden = _FULL
    own_mask = 0
    for c in own:
        own_mask |= 1 << c
    hidden &= ~own_mask
    if trump >= 0:
        hidden &= ~(1 << trump)
    played = ([], [], [])
    cnt = ([0] * 4, [0] * 4, [0] * 4)
    void = ([False] * 4, [False] * 4, [False] * 4)
    events = (([], [], [], []), ([], [], [], []), ([], [], [], []))
    constrained = False
    for t in range(len(leaders) - 1, -1, -1):
        who = leaders[t]
        trick = plays[3 * t:3 * t + 3]
        ls = trick[0] & 3
        first = True
        for c in trick:
            s = c & 3
            played[who].append(c)
            hidden &= ~(1 << c)
            cnt[who][s] += 1
            if first:
                first = False
            elif who != player:
                constrained = True
                if s == ls:
                    # he chose among all cards of this suit that he held then
                    events[who][s].append(cnt[who][s])
                else:
                    void[who][ls] = True
            who = _NEXT[who]
    for c in played[player]:
        own_mask &= ~(1 << c)
    na = (nd - pa + 2) // 3 - len(played[pa])
    nb = (nd - pb + 2) // 3 - len(played[pb])
    cards = _bits(hidden)
    if na + nb == 0:
        rest_a = []
        rest_b = []
    elif not constrained:
        _mix(cards, na + nb, rand)
        rest_a = cards[:na]
        rest_b = cards[na:na + nb]
    else:
        nu = len(cards) - na - nb
        suits = ([], [], [], [])
        for c in cards:
            suits[c & 3].append(c)
        opts = []
        for s in range(4):
            m = len(suits[s])
            wa = _weights(void[pa][s], events[pa][s], min(m, na))
            wb = _weights(void[pb][s], events[pb][s], min(m, nb))
            lb = len(wb)
            d = {}
            comb = _COMB[m]
            for a in range(len(wa)):
                x = wa[a] * comb[a]
                left = m - a
                row = _COMB[left]
                e = a << 6
                lo = left - nu
                if lo < 0:
                    lo = 0
                hi = left + 1
                if hi > lb:
                    hi = lb
                for b in range(lo, hi):
                    d[e + b] = x * row[b] * wb[b]
            opts.append(d)
        order = sorted(range(4), key=lambda s: len(opts[s]))
        s0, s2, s3, s1 = order
        f0 = opts[s0]
        f1 = opts[s1]
        f2 = opts[s2]
        f3 = opts[s3]
        target = (na << 6) + nb
        e01 = _choose(_convolve(f0, f1), _convolve(f2, f3), target, rand)
        e23 = target - e01
        e0 = _choose(f0, f1, e01, rand)
        e2 = _choose(f2, f3, e23, rand)
        rest_a = []
        rest_b = []
        for s, e in ((s0, e0), (s1, e01 - e0), (s2, e2), (s3, e23 - e2)):
            a = e >> 6
            b = e & 63
            lst = suits[s]
            if a + b:
                _mix(lst, a + b, rand)
                rest_a += lst[:a]
                rest_b += lst[a:a + b]
    hands = [0, 0, 0]
    hands[player] = own_mask
    mask = 0
    for c in rest_a:
        mask |= 1 << c
    hands[pa] = mask
    mask = 0
    for c in rest_b:
        mask |= 1 << c
    hands[pb] = mask
    full_a = played[pa] + rest_a
    full_b = played[pb] + rest_b
    _mix(full_a, len(full_a), rand)
    _mix(full_b, len(full_b), rand)
    dealt = [0] * nd
    dealt[player::3] = own
    dealt[pa::3] = full_a
    dealt[pb::3] = full_b
    return dealt, (hands[0], hands[1], hands[2])


def _actions_of(known, dealt):
    T, dealer, nd, own, trump, bids, won, plays, leaders = known
    if T == 0:
        return []
    acts = [T]
    if dealer < 0:
        return acts
    acts.append(dealer)
    acts += dealt
    if trump >= 0:
        acts.append(trump)
        for i in (1, 2, 3):
            b = bids[(dealer + i) % 3]
            if b >= 0:
                acts.append(52 + b)
        acts += plays
    return acts


def resample_history(player, history, rand):
    known = _known(player, history)
    dealt, hands = _complete(player, known, rand)
    return _actions_of(known, dealt)


def resample_state(player, history, rand):
    known = _known(player, history)
    dealt, hands = _complete(player, known, rand)
    T, dealer, nd, own, trump, bids, won, plays, leaders = known
    if trump < 0:
        state = _INITIAL
        for a in _actions_of(known, dealt):
            state = apply_action(state, a)
        return state
    dealt = tuple(dealt)
    made = 0
    for b in bids:
        if b >= 0:
            made += 1
    if made < 3:
        return ((dealer + 1 + made) % 3, 3, T, dealer, dealt, trump, bids, hands,
                won, (), ())
    n = len(plays)
    if n == 3 * T:
        return (-4, 5, T, dealer, dealt, trump, bids, hands, won,
                tuple(plays), tuple(leaders))
    k = n % 3
    if k:
        cur = (leaders[-1] + k) % 3
    else:
        if n:
            cur = (leaders[-1] + _winner_offset(plays[-3], plays[-2], plays[-1],
                                                trump & 3)) % 3
        else:
            cur = _NEXT[dealer]
        leaders = leaders + [cur]
    return (cur, 4, T, dealer, dealt, trump, bids, hands, won,
            tuple(plays), tuple(leaders))
