NUM_PLAYERS = 4
NUM_DISTINCT_ACTIONS = 66
MAX_CHANCE_OUTCOMES = 52
MAX_GAME_LENGTH = 56
MIN_UTILITY = -290.0
MAX_UTILITY = 230.0

_RANKS = "23456789TJQKA"
_SUITS = "CDHS"
_NAMES = tuple(
    [_SUITS[c // 13] + _RANKS[c % 13] for c in range(52)]
    + ["Nil"]
    + [str(b) for b in range(1, 14)]
)
_NUMBER = dict((name, i) for i, name in enumerate(_NAMES))
_SUIT = tuple(c // 13 for c in range(52))
_BIT = tuple(1 << c for c in range(52))
_SUIT_MASK = tuple(8191 << (13 * s) for s in range(4))
_ALL = (1 << 52) - 1
_NOT_SPADES = _ALL & ~_SUIT_MASK[3]


def _build_tables():
    ranks = []
    sets = []
    for mask in range(8192):
        bits = [r for r in range(13) if (mask >> r) & 1]
        sets.append(bits)
        ranks.append("".join(_RANKS[r] for r in reversed(bits)))
    cards = tuple(
        tuple(tuple(13 * s + r for r in bits) for bits in sets)
        for s in range(4)
    )
    lines = tuple(
        tuple(_SUITS[s] + " " + (text or "none") + "\n" for text in ranks)
        for s in range(4)
    )
    return tuple(ranks), cards, lines


_RANK_TEXT, _CARDS, _LINE = _build_tables()
_CARDS_C, _CARDS_D, _CARDS_H, _CARDS_S = _CARDS
_LINE_C, _LINE_D, _LINE_H, _LINE_S = _LINE

_HEADER = "North East  South  West        "
_PLAY_HEADER = "N  E  S  W  N  E  S"
_BID_TEXT = tuple("%-6s" % _NAMES[52 + b] for b in range(14))
_TRICK_TEXT = tuple("%-6d" % n for n in range(14))
_CARD_TEXT = tuple(_NAMES[c] + " " for c in range(52))
_LEAD_TEXT = tuple("\n" + "   " * p for p in range(4))
# legal bids by the partner's bid (0 if there is none yet): the partners' sum
# may not exceed the 13 tricks
_BIDS = tuple(tuple(range(52, 66 - b)) for b in range(14))
_INV_FACT = [1.0]
for _k in range(1, 14):
    _INV_FACT.append(_INV_FACT[-1] / _k)
_INV_FACT = tuple(_INV_FACT)

# State: (to act, number of events so far (deals, bids, plays), hands as masks,
#         cards of each player in the order dealt (text), bids and plays (text),
#         bids, tricks taken, suit led (-1: none), best card of the trick,
#         its player, text of the play, mask of the cards not dealt)
_INITIAL = (
    -1, 0, (0, 0, 0, 0), ("", "", "", ""), "", (), (0, 0, 0, 0),
    -1, -1, -1, "", _ALL,
)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def _card_list(mask):
    return list(
        _CARDS_C[mask & 8191] + _CARDS_D[(mask >> 13) & 8191]
        + _CARDS_H[(mask >> 26) & 8191] + _CARDS_S[mask >> 39]
    )


def legal_actions(state):
    who = state[0]
    if who < 0:
        return []
    n = state[1]
    if n < 56:
        if n >= 54:
            return list(_BIDS[state[5][n - 54]])
        return list(_BIDS[0])
    hand = state[2][who]
    led = state[7]
    if led >= 0:
        follow = hand & _SUIT_MASK[led]
        if follow:
            hand = follow
    else:
        # spades may be led only by a player who has nothing else, even if
        # spades have been played before
        other = hand & _NOT_SPADES
        if other:
            hand = other
    return _card_list(hand)


def chance_outcomes(state):
    if state[0] != -1:
        return []
    p = 1.0 / (52 - state[1])
    return [(c, p) for c in _card_list(state[11])]


def apply_action(state, action):
    (who, n, hands, deals, acts, bids, tricks,
     led, best, best_player, text, undealt) = state
    if n < 52:
        p = n & 3
        bit = _BIT[action]
        q = p + 1
        hands = hands[:p] + (hands[p] | bit,) + hands[q:]
        deals = deals[:p] + (deals[p] + chr(action),) + deals[q:]
        return (
            0 if n == 51 else -1, n + 1, hands, deals, acts, bids, tricks,
            led, best, best_player, text, undealt & ~bit,
        )
    acts += chr(action)
    if n < 56:
        return (
            (who + 1) & 3, n + 1, hands, deals, acts, bids + (action - 52,),
            tricks, led, best, best_player, text, undealt,
        )
    hands = hands[:who] + (hands[who] & ~_BIT[action],) + hands[who + 1:]
    suit = _SUIT[action]
    if led < 0:
        led = suit
        best = action
        best_player = who
        text += _LEAD_TEXT[who] + _CARD_TEXT[action]
    else:
        text += _CARD_TEXT[action]
        best_suit = _SUIT[best]
        if suit == best_suit:
            if action > best:
                best = action
                best_player = who
        elif suit == 3:
            best = action
            best_player = who
    n += 1
    if n & 3:
        who = (who + 1) & 3
    else:
        who = best_player
        tricks = tricks[:who] + (tricks[who] + 1,) + tricks[who + 1:]
        led = -1
        best = -1
        best_player = -1
        if n == 108:
            who = -4
    return (
        who, n, hands, deals, acts, bids, tricks,
        led, best, best_player, text, undealt,
    )


def _side_score(b1, b2, t1, t2):
    contract = b1 + b2
    taken = t1 + t2
    if taken >= contract:
        bags = taken - contract
        score = 10 * contract + bags
        if bags >= 10:
            score -= 100
    else:
        score = -10 * contract
    if b1 == 0:
        score += 100 if t1 == 0 else -100
    if b2 == 0:
        score += 100 if t2 == 0 else -100
    return score


def _scores(state):
    b = state[5]
    t = state[6]
    return (
        _side_score(b[0], b[2], t[0], t[2]),
        _side_score(b[1], b[3], t[1], t[3]),
    )


def returns(state):
    if state[0] != -4:
        return [0.0, 0.0, 0.0, 0.0]
    x, y = _scores(state)
    x = float(x)
    y = float(y)
    return [x, y, x, y]


def action_name(state, action):
    return _NAMES[action]


def _deal_text(deals):
    cols = []
    for p in range(4):
        mask = 0
        for ch in deals[p]:
            mask |= 1 << ord(ch)
        cols.append([
            _SUITS[s] + " " + _RANK_TEXT[(mask >> (13 * s)) & 8191]
            for s in range(4)
        ])
    pad = "        "
    out = []
    for s in (3, 2, 1, 0):
        out.append(pad + cols[0][s] + "\n")
    for s in (3, 2, 1, 0):
        out.append("%-8s" % cols[3][s] + pad + cols[1][s] + "\n")
    for s in (3, 2, 1, 0):
        out.append(pad + cols[2][s] + "\n")
    return "".join(out)


def observation(state, player):
    n = state[1]
    over = state[0] == -4
    if over:
        out = _deal_text(state[3])
    else:
        hand = state[2][player]
        out = (
            _LINE_S[hand >> 39] + _LINE_H[(hand >> 26) & 8191]
            + _LINE_D[(hand >> 13) & 8191] + _LINE_C[hand & 8191]
        )
    if n > 52:
        out += "\n" + _HEADER + "\n"
        for b in state[5]:
            out += _BID_TEXT[b]
        if n < 56 and state[0] == player:
            # the query of the last bidder stands on a line of its own
            out += "\n?" if n == 55 else "?"
        if n > 56:
            t = state[6]
            out += (
                "\n\n" + _PLAY_HEADER + state[10]
                + "\n\nTricks taken:\n\nNorth East  South  West\n"
                + _TRICK_TEXT[t[0]] + _TRICK_TEXT[t[1]]
                + _TRICK_TEXT[t[2]] + _TRICK_TEXT[t[3]] + "\n"
            )
            if over:
                out += "\nScore: N/S %d E/W %d" % _scores(state)
    return {"observation": out}


def information_state(state, player):
    return (player, state[1], state[3][player], state[4])


def _shuffle(items, rand):
    for i in range(len(items) - 1, 0, -1):
        j = int(rand() * (i + 1))
        items[i], items[j] = items[j], items[i]


def _pick(weights, rand):
    r = rand() * sum(weights)
    last = 0
    for i, w in enumerate(weights):
        if w > 0.0:
            last = i
            r -= w
            if r < 0.0:
                return i
    return last


def _deal_unseen(player, plays, left, unseen, rand):
    """Cards that each of the others still holds, given all plays."""
    others = [q for q in range(4) if q != player]
    held = [[], [], [], []]
    if not unseen:
        return held
    if not any(q != player for q, _ in plays):
        _shuffle(unseen, rand)
        at = 0
        for q in others:
            held[q] = unseen[at:at + left[q]]
            at += left[q]
        return held
    # the suit to follow at each play (-1: a lead)
    kinds = []
    led = -1
    for i, (q, c) in enumerate(plays):
        if i & 3 == 0:
            led = _SUIT[c]
            kinds.append(-1)
        else:
            kinds.append(led)
    count = [[0, 0, 0, 0] for _ in range(4)]
    size = list(left)
    follow = [[[], [], [], []] for _ in range(4)]
    void = [[False] * 4 for _ in range(4)]
    leads = [[], [], [], []]
    for i in range(len(plays) - 1, -1, -1):
        q, c = plays[i]
        if q == player:
            continue
        s = _SUIT[c]
        kind = kinds[i]
        count[q][s] += 1
        size[q] += 1
        if kind >= 0:
            if s == kind:
                follow[q][s].append(count[q][s])
            else:
                void[q][kind] = True
        elif s == 3:
            # a spade is led only from a hand of nothing but spades
            void[q][0] = void[q][1] = void[q][2] = True
        else:
            # chosen among the cards that are not spades
            leads[q].append(size[q] - count[q][3])
    by_suit = [[], [], [], []]
    for c in unseen:
        by_suit[_SUIT[c]].append(c)
    options = []
    for s in range(4):
        n = len(by_suit[s])
        tables = []
        for q in others:
            top = 0 if void[q][s] else min(n, left[q])
            known = follow[q][s]
            table = []
            for u in range(top + 1):
                w = _INV_FACT[u]
                for k in known:
                    w /= k + u
                if s == 3:
                    for h in leads[q]:
                        w /= h - u
                table.append(w)
            tables.append(table)
        ga, gb, gc = tables
        la = len(ga) - 1
        lb = len(gb) - 1
        lc = len(gc) - 1
        opts = []
        for a in range(max(0, n - lb - lc), min(la, n) + 1):
            wa = ga[a]
            m = n - a
            for b in range(max(0, m - lc), min(lb, m) + 1):
                opts.append((a * 64 + b, wa * gb[b] * gc[m - b]))
        options.append(opts)
    order = sorted(range(4), key=lambda s: len(options[s]))
    s1 = order[0]
    s2 = order[3]
    s3 = order[1]
    s4 = order[2]
    first = options[s1]
    second = options[s2]
    third = options[s3]
    fourth = options[s4]
    table = [0.0] * 2600
    for k1, w1 in first:
        for k2, w2 in second:
            table[k1 + k2] += w1 * w2
    goal = left[others[0]] * 64 + left[others[1]]
    weights = []
    for k3, w3 in third:
        base = goal - k3
        x = 0.0
        for k4, w4 in fourth:
            x += w4 * table[base - k4]
        weights.append(w3 * x)
    k3 = third[_pick(weights, rand)][0]
    base = goal - k3
    weights = [w4 * table[base - k4] for k4, w4 in fourth]
    k4 = fourth[_pick(weights, rand)][0]
    base -= k4
    lookup = dict(second)
    weights = [w1 * lookup.get(base - k1, 0.0) for k1, w1 in first]
    k1 = first[_pick(weights, rand)][0]
    k2 = base - k1
    for s, key in ((s1, k1), (s2, k2), (s3, k3), (s4, k4)):
        cards = by_suit[s]
        _shuffle(cards, rand)
        a = key >> 6
        ab = a + (key & 63)
        held[others[0]].extend(cards[:a])
        held[others[1]].extend(cards[a:ab])
        held[others[2]].extend(cards[ab:])
    return held


def _draw(player, history, rand):
    """(cards of each player in the order dealt, bids, plays) of a game that
    fits the history."""
    total = len(history) - 1
    dealt = min(total, 52)
    own = []
    for t in range(player, dealt, 4):
        before = history[t][0]["observation"].split("\n", 4)
        after = history[t + 1][0]["observation"].split("\n", 4)
        for i in range(4):
            if before[i] != after[i]:
                old = before[i][2:]
                for ch in after[i][2:]:
                    if ch not in old:
                        own.append(_NUMBER[_SUITS[3 - i] + ch])
                        break
                break
    bids = []
    plays = []
    if total > 52:
        lines = history[-1][0]["observation"].split("\n")
        i = lines.index(_HEADER) + 1
        while i < len(lines) and lines[i]:
            for word in lines[i].replace("?", " ").split():
                bids.append(_NUMBER[word])
            i += 1
        bids = bids[:4]
        if total > 56:
            i = lines.index(_PLAY_HEADER) + 1
            while i < len(lines) and lines[i]:
                line = lines[i]
                q = (len(line) - len(line.lstrip(" "))) // 3
                for word in line.split():
                    plays.append((q & 3, _NUMBER[word]))
                    q += 1
                i += 1
    gone = set(own)
    played = [[], [], [], []]
    for q, c in plays:
        gone.add(c)
        played[q].append(c)
    unseen = [c for c in range(52) if c not in gone]
    left = [len(range(q, dealt, 4)) - len(played[q]) for q in range(4)]
    left[player] = 0
    held = _deal_unseen(player, plays, left, unseen, rand)
    deals = []
    for q in range(4):
        if q == player:
            deals.append(own)
        else:
            cards = held[q] + played[q]
            _shuffle(cards, rand)
            deals.append(cards)
    return deals, bids, plays


def resample_history(player, history, rand):
    deals, bids, plays = _draw(player, history, rand)
    dealt = min(len(history) - 1, 52)
    out = [deals[t & 3][t >> 2] for t in range(dealt)]
    out.extend(bids)
    out.extend([c for _, c in plays])
    return out


def resample_state(player, history, rand):
    deals, bids, plays = _draw(player, history, rand)
    n = len(history) - 1
    hands = [0, 0, 0, 0]
    undealt = _ALL
    for p in range(4):
        mask = 0
        for c in deals[p]:
            mask |= _BIT[c]
        hands[p] = mask
        undealt &= ~mask
    tricks = [0, 0, 0, 0]
    led = best = best_player = -1
    text = []
    who = 0
    for i, (q, c) in enumerate(plays):
        hands[q] &= ~_BIT[c]
        s = _SUIT[c]
        if led < 0:
            led = s
            best = c
            best_player = q
            text.append(_LEAD_TEXT[q])
        elif s == _SUIT[best]:
            if c > best:
                best = c
                best_player = q
        elif s == 3:
            best = c
            best_player = q
        text.append(_CARD_TEXT[c])
        if i & 3 == 3:
            who = best_player
            tricks[who] += 1
            led = best = best_player = -1
        else:
            who = (q + 1) & 3
    if n < 52:
        who = -1
    elif n < 56:
        who = n - 52
    elif n >= 108:
        who = -4
    return (
        who, n, tuple(hands),
        tuple("".join([chr(c) for c in cards]) for cards in deals),
        "".join([chr(a) for a in bids]) + "".join([chr(c) for _, c in plays]),
        tuple(b - 52 for b in bids), tuple(tricks),
        led, best, best_player, "".join(text), undealt,
    )
