from itertools import combinations_with_replacement, product

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 4
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 12
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# ---------------------------------------------------------------- tables

_LETTERS = "AKQJ"                      # rank 0 is the highest
_RIDX = {"A": 0, "K": 1, "Q": 2, "J": 3}
_UNIT = (1, 8, 64, 512)                # packed counts, 3 bits per rank
_RANK_OF_UNIT = {1: 0, 8: 1, 64: 2, 512: 3}
_FULL = 4 * (1 + 8 + 64 + 512)
_PLAY_NAMES = tuple("play " + c for c in _LETTERS)
_DRAW_NAMES = tuple("draw " + c for c in _LETTERS)

_END = 28                              # number of events in a whole game

# kinds of events
_LEAD, _FOLLOW, _DRAW0, _DRAW1, _OVER, _DEAL0, _DEAL1 = 0, 1, 2, 3, 4, 5, 6


def _make_kinds():
    kinds = []
    for t in range(_END):
        if t < 3:
            kinds.append(_DEAL0)
        elif t < 6:
            kinds.append(_DEAL1)
        else:
            kinds.append((t - 6) % 4)
    kinds.append(_OVER)
    return tuple(kinds)


_KIND = _make_kinds()


def _make_piles():
    piles = []
    a, b = 8, 8
    for t in range(_END + 1):
        piles.append((a, b))
        k = _KIND[t]
        if k == _DRAW0 or k == _DEAL0:
            a -= 1
        elif k == _DRAW1 or k == _DEAL1:
            b -= 1
    return tuple(piles)


_PILES = _make_piles()


def _make_hands():
    letters, legal, code_of = {}, {}, {}
    for n in range(4):
        for ranks in combinations_with_replacement(range(4), n):
            code = sum(_UNIT[r] for r in ranks)
            text = "".join(_LETTERS[r] for r in ranks)
            letters[code] = tuple(text)
            legal[code] = tuple(sorted(set(ranks)))
            code_of[text] = code
    return letters, legal, code_of


_HAND_LETTERS, _LEGAL, _CODE = _make_hands()


def _make_chances():
    table = {}
    for counts in product(range(5), repeat=4):
        total = sum(counts)
        code = sum(c * u for c, u in zip(counts, _UNIT))
        table[code] = tuple((r, counts[r] / total) for r in range(4) if counts[r])
    return table


_CHANCES = _make_chances()

# tables for resampling: "rem" is what is left of a hand of three after a play
_BIN = ((1, 0, 0, 0), (1, 1, 0, 0), (1, 2, 1, 0), (1, 3, 3, 1), (1, 4, 6, 4))


def _make_resampling():
    rems = list(combinations_with_replacement(range(4), 2))
    index = {rem: i for i, rem in enumerate(rems)}
    codes = tuple(sum(_UNIT[r] for r in rem) for rem in rems)
    counts = tuple(tuple(rem.count(r) for r in range(4)) for rem in rems)
    trans = []
    first = []
    for p in range(4):
        rows = []
        firsts = []
        for rem in rems:
            row = []
            for d in range(4):
                hand = list(rem) + [d]
                if p in hand:
                    inv = 1.0 / len(set(hand))
                    hand.remove(p)
                    row.append((d, rem.count(d), inv, index[tuple(sorted(hand))]))
            rows.append(tuple(row))
            hand = list(rem) + [p]
            firsts.append((hand.count(0), hand.count(1), hand.count(2),
                           hand.count(3), 1.0 / len(set(hand))))
        trans.append(tuple(rows))
        first.append(tuple(firsts))
    return codes, counts, tuple(trans), tuple(first)


_REM_CODE, _REM_COUNTS, _TRANS, _FIRST = _make_resampling()
_ONES = (1.0,) * 10

# ---------------------------------------------------------------- the game
# state: (t, stock, hand0, hand1, leader, led, battles, taken0, taken1,
#         info0, info1)
# led is -1 if there is none; battles is a tuple of pairs of ranks;
# info is () until the first hand is complete, then
# (first hand, later draw, later draw, ...)


def initial_state():
    return (0, _FULL, 0, 0, 0, -1, (), 0, 0, (), ())


def current_player(state):
    k = _KIND[state[0]]
    if k == 0:
        return state[4]
    if k == 1:
        return 1 - state[4]
    if k == 4:
        return -4
    return -1


def legal_actions(state):
    who = state[4]
    if _KIND[state[0]] == 1:
        who = 1 - who
    return list(_LEGAL[state[2 + who]])


def chance_outcomes(state):
    return list(_CHANCES[state[1]])


def apply_action(state, action):
    t, stock, h0, h1, leader, led, battles, k0, k1, i0, i1 = state
    kind = _KIND[t]
    u = _UNIT[action]
    if kind == 0:
        if leader == 0:
            h0 -= u
        else:
            h1 -= u
        return (t + 1, stock, h0, h1, leader, action, battles, k0, k1, i0, i1)
    if kind == 1:
        if leader == 0:
            c0 = led
            c1 = action
            h1 -= u
        else:
            c0 = action
            c1 = led
            h0 -= u
        if c0 < c1:
            k0 += 2
            leader = 0
        elif c1 < c0:
            k1 += 2
            leader = 1
        return (t + 1, stock, h0, h1, leader, -1, battles + ((c0, c1),),
                k0, k1, i0, i1)
    if kind == 2:
        return (t + 1, stock - u, h0 + u, h1, leader, led, battles, k0, k1,
                i0 + (action,), i1)
    if kind == 3:
        return (t + 1, stock - u, h0, h1 + u, leader, led, battles, k0, k1,
                i0, i1 + (action,))
    if kind == 5:
        h0 += u
        if t == 2:
            i0 = (h0,)
        return (t + 1, stock - u, h0, h1, leader, led, battles, k0, k1, i0, i1)
    if kind == 6:
        h1 += u
        if t == 5:
            i1 = (h1,)
        return (t + 1, stock - u, h0, h1, leader, led, battles, k0, k1, i0, i1)
    raise ValueError("the game is over")


def returns(state):
    if state[0] == _END:
        k0 = state[7]
        k1 = state[8]
        if k0 > k1:
            return [1.0, -1.0]
        if k1 > k0:
            return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    if _KIND[state[0]] < 2:
        return _PLAY_NAMES[action]
    return _DRAW_NAMES[action]


def observation(state, player):
    t = state[0]
    led = state[5]
    if state[9 + player]:
        hand = list(_HAND_LETTERS[state[2 + player]])
    else:
        hand = []
    return {
        "hand": hand,
        "piles": list(_PILES[t]),
        "leader": state[4],
        "led": None if led < 0 else _LETTERS[led],
        "battles": [[_LETTERS[a], _LETTERS[b]] for a, b in state[6]],
        "taken": [state[7], state[8]],
    }


def information_state(state, player):
    return (player, state[0], state[5], state[6], state[9 + player])


# ---------------------------------------------------------------- resampling


def _pick(weights, rand):
    x = rand() * sum(weights)
    last = -1
    i = 0
    for w in weights:
        if w > 0:
            if x < w:
                return i
            x -= w
            last = i
        i += 1
    return last


def _shuffle3(cards, rand):
    cards = list(cards)
    j = int(rand() * 3)
    cards[2], cards[j] = cards[j], cards[2]
    j = int(rand() * 2)
    cards[1], cards[j] = cards[j], cards[1]
    return cards


def _draw_hidden(player, history, rand):
    """For histories in which both first hands are complete.

    Gives (own info, all own draws packed, first hand of the other player,
    later draws of the other player, the other player's hand now)."""
    t = len(history) - 1
    last = history[t][0]
    opp = 1 - player

    # own draws
    first = _CODE["".join(history[6][0]["hand"])]
    own = first
    info = [first]
    i = 8 + player
    while i < t:
        u = (_CODE["".join(history[i + 1][0]["hand"])]
             - _CODE["".join(history[i][0]["hand"])])
        own += u
        info.append(_RANK_OF_UNIT[u])
        i += 4

    # plays of the other player
    plays = [_RIDX[b[opp]] for b in last["battles"]]
    led = last["led"]
    if led is not None and last["leader"] == opp:
        plays.append(_RIDX[led])
    m = len(plays)

    left = _FULL - own
    avail = [left & 7, (left >> 3) & 7, (left >> 6) & 7, (left >> 9) & 7]

    if m == 0:
        hand = 0
        for _ in range(3):
            d = _pick(avail, rand)
            avail[d] -= 1
            hand += _UNIT[d]
        return info, own, hand, [], hand

    # cards available without those that the other player has played so far
    after = []
    current = avail
    for p in plays:
        current = current[:]
        current[p] -= 1
        after.append(current)

    # backward: value of what is left in the hand after each play
    values = [_ONES] * m
    nxt_values = _ONES
    for k in range(m - 2, -1, -1):
        a = after[k]
        row_values = []
        for row in _TRANS[plays[k + 1]]:
            s = 0.0
            for d, rd, inv, nxt in row:
                s += (a[d] - rd) * inv * nxt_values[nxt]
            row_values.append(s)
        values[k] = row_values
        nxt_values = row_values

    # forward: the first hand
    b0 = _BIN[avail[0]]
    b1 = _BIN[avail[1]]
    b2 = _BIN[avail[2]]
    b3 = _BIN[avail[3]]
    v = values[0]
    weights = []
    i = 0
    for f0, f1, f2, f3, inv in _FIRST[plays[0]]:
        weights.append(b0[f0] * b1[f1] * b2[f2] * b3[f3] * inv * v[i])
        i += 1
    rem = _pick(weights, rand)
    opp_first = _REM_CODE[rem] + _UNIT[plays[0]]

    # forward: the later draws
    draws = []
    for k in range(m - 1):
        row = _TRANS[plays[k + 1]][rem]
        if len(row) == 1:
            choice = row[0]
        else:
            a = after[k]
            v = values[k + 1]
            choice = row[_pick([(a[d] - rd) * inv * v[nxt]
                                for d, rd, inv, nxt in row], rand)]
        draws.append(choice[0])
        rem = choice[3]

    hand = _REM_CODE[rem]
    # has the other player drawn since the last play?
    if (t - 5 - opp) // 4 >= m:
        a = after[m - 1]
        c = _REM_COUNTS[rem]
        d = _pick([a[0] - c[0], a[1] - c[1], a[2] - c[2], a[3] - c[3]], rand)
        draws.append(d)
        hand += _UNIT[d]
    return info, own, opp_first, draws, hand


def _resample_deal(player, history, rand):
    """The actions of a game whose first hands are not yet complete."""
    t = len(history) - 1
    stock = [4, 4, 4, 4]
    seq = []
    if player == 0 and t >= 3:
        seq = _shuffle3([_RIDX[c] for c in history[t][0]["hand"]], rand)
        for r in seq:
            stock[r] -= 1
    while len(seq) < t:
        d = _pick(stock, rand)
        stock[d] -= 1
        seq.append(d)
    return seq


def resample_history(player, history, rand):
    t = len(history) - 1
    if t < 6:
        return _resample_deal(player, history, rand)
    info, own, opp_first, draws, hand = _draw_hidden(player, history, rand)
    last = history[t][0]
    own_draws = _shuffle3([_RIDX[c] for c in _HAND_LETTERS[info[0]]], rand) + info[1:]
    opp_draws = _shuffle3([_RIDX[c] for c in _HAND_LETTERS[opp_first]], rand) + draws
    if player == 0:
        d0, d1 = own_draws, opp_draws
    else:
        d0, d1 = opp_draws, own_draws
    seq = d0[:3] + d1[:3]
    leader = 0
    n = 3
    for a, b in last["battles"]:
        c0 = _RIDX[a]
        c1 = _RIDX[b]
        if leader == 0:
            seq.append(c0)
            seq.append(c1)
        else:
            seq.append(c1)
            seq.append(c0)
        if c0 < c1:
            leader = 0
        elif c1 < c0:
            leader = 1
        if len(d0) > n:
            seq.append(d0[n])
        if len(d1) > n:
            seq.append(d1[n])
        n += 1
    if last["led"] is not None:
        seq.append(_RIDX[last["led"]])
    return seq


def resample_state(player, history, rand):
    t = len(history) - 1
    if t < 6:
        state = initial_state()
        for action in _resample_deal(player, history, rand):
            state = apply_action(state, action)
        return state
    info, own, opp_first, draws, opp_hand = _draw_hidden(player, history, rand)
    last = history[t][0]
    stock = _FULL - own - opp_first
    for d in draws:
        stock -= _UNIT[d]
    own_hand = _CODE["".join(last["hand"])]
    own_info = tuple(info)
    opp_info = (opp_first,) + tuple(draws)
    led = last["led"]
    led = -1 if led is None else _RIDX[led]
    battles = tuple([(_RIDX[a], _RIDX[b]) for a, b in last["battles"]])
    k0, k1 = last["taken"]
    if player == 0:
        return (t, stock, own_hand, opp_hand, last["leader"], led, battles,
                k0, k1, own_info, opp_info)
    return (t, stock, opp_hand, own_hand, last["leader"], led, battles,
            k0, k1, opp_info, own_info)
