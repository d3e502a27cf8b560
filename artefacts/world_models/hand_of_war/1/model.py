from itertools import combinations_with_replacement

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 4
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 12
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# ---------------------------------------------------------------------------
# Tables
# ---------------------------------------------------------------------------
# Ranks are 0..3 (A, K, Q, J). A multiset of cards is packed in one int, three
# bits per rank.
_NAMES = ("A", "K", "Q", "J")
_RANK = {"A": 0, "K": 1, "Q": 2, "J": 3}
_UNIT = (1, 8, 64, 512)
_UNIT_RANK = {1: 0, 8: 1, 64: 2, 512: 3}
_FULL = 4 * (1 + 8 + 64 + 512)
_PLAY_NAMES = tuple("play " + _c for _c in _NAMES)
_DRAW_NAMES = tuple("draw " + _c for _c in _NAMES)
_END = 28  # number of actions (chance included) of a whole game


def _counts(code):
    return (code & 7, (code >> 3) & 7, (code >> 6) & 7, (code >> 9) & 7)


def _make_hands():
    hands = [None] * (_FULL + 1)
    legal = [None] * (_FULL + 1)
    cards = [None] * (_FULL + 1)
    codes = {}
    for size in range(4):
        for combo in combinations_with_replacement(range(4), size):
            code = sum(_UNIT[r] for r in combo)
            hands[code] = tuple(_NAMES[r] for r in combo)
            legal[code] = tuple(sorted(set(combo)))
            cards[code] = combo
            codes["".join(hands[code])] = code
    return tuple(hands), tuple(legal), tuple(cards), codes


_HAND_NAMES, _LEGAL, _CARDS, _CODE = _make_hands()


def _make_chance():
    table = [()] * (_FULL + 1)
    for code in range(_FULL + 1):
        cs = _counts(code)
        if max(cs) > 4:
            continue
        total = sum(cs)
        if total:
            table[code] = tuple((r, cs[r] / total) for r in range(4) if cs[r])
    return tuple(table)


_CHANCE = _make_chance()


def _make_course():
    # the player who draws at step n (-1: no draw), and the piles at step n
    drawer = []
    piles = []
    p = [8, 8]
    for n in range(_END + 1):
        piles.append(tuple(p))
        if n < 3:
            d = 0
        elif n < 6:
            d = 1
        elif n < _END and (n & 3) < 2:
            d = n & 3
        else:
            d = -1
        drawer.append(d)
        if d >= 0:
            p[d] -= 1
    return tuple(drawer), tuple(piles)


_DRAWER, _PILES = _make_course()

_PAIRS = tuple((_NAMES[_i >> 2], _NAMES[_i & 3]) for _i in range(16))


def _make_steps():
    twos = list(combinations_with_replacement(range(4), 2))
    code2 = [_UNIT[a] + _UNIT[b] for a, b in twos]
    index = {c: i for i, c in enumerate(code2)}
    steps = []
    threes = []
    for p in range(4):
        row = []
        row3 = []
        for c2 in code2:
            c3 = c2 + _UNIT[p]
            cs = _counts(c3)
            trans = []
            for r in range(4):
                if cs[r]:
                    trans.append((r, index[c3 - _UNIT[r]], cs[r] - 1))
            row.append((6 // len(trans), tuple(trans)))
            row3.append(c3)
        steps.append(tuple(row))
        threes.append(tuple(row3))
    return (tuple(steps), tuple(threes), tuple(_counts(c) for c in code2))


# _STEP[p][h]: h is the two-card hand that is left after rank p was played;
# (6 / number of legal actions, ((last drawn rank, two-card hand before that
# draw, number of cards of the rank in that hand), ...))
# _THREE[p][h]: code of the hand before the play.
_STEP, _THREE, _TWO_COUNTS = _make_steps()


def _make_init():
    comb = ((1, 0, 0, 0), (1, 1, 0, 0), (1, 2, 1, 0), (1, 3, 3, 1), (1, 4, 6, 4))
    three_codes = [sum(_UNIT[r] for r in combo)
                   for combo in combinations_with_replacement(range(4), 3)]
    three_info = [(c, _counts(c), 6 // len(_LEGAL[c])) for c in three_codes]
    table = [None] * (_FULL + 1)
    for code in range(_FULL + 1):
        a = _counts(code)
        if max(a) > 4:
            continue
        c0, c1, c2, c3 = comb[a[0]], comb[a[1]], comb[a[2]], comb[a[3]]
        w = {}
        for c, k, mult in three_info:
            w[c] = mult * c0[k[0]] * c1[k[1]] * c2[k[2]] * c3[k[3]]
        table[code] = tuple(tuple(w[c] for c in _THREE[p]) for p in range(4))
    return tuple(table)


# _INIT[available cards][p]: weights of the ten two-card hands after the first
# hand was drawn from the available cards and p was played from it.
_INIT = _make_init()

# ---------------------------------------------------------------------------
# The game
# ---------------------------------------------------------------------------
# State: (actor, n, leader, led, hand0, hand1, undrawn, seq0, seq1, battles,
#         taken0, taken1)
# n: number of actions so far; led: rank or -1; seq: 0 until the first hand is
# complete, then its code, followed by two bits for each later draw; battles:
# tuple of 4 * rank of player 0 + rank of player 1.
_INITIAL = (-1, 0, 0, -1, 0, 0, _FULL, 0, 0, (), 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    return list(_LEGAL[state[4 + state[0]]])


def chance_outcomes(state):
    if state[0] != -1:
        return []
    return list(_CHANCE[state[6]])


def apply_action(state, action):
    actor, n, leader, led, h0, h1, und, s0, s1, battles, t0, t1 = state
    u = _UNIT[action]
    if actor >= 0:
        if led < 0:
            if actor == 0:
                return (1, n + 1, leader, action, h0 - u, h1, und, s0, s1,
                        battles, t0, t1)
            return (0, n + 1, leader, action, h0, h1 - u, und, s0, s1,
                    battles, t0, t1)
        if actor == 0:
            h0 -= u
            c0 = action
            c1 = led
        else:
            h1 -= u
            c0 = led
            c1 = action
        if c0 < c1:
            leader = 0
            t0 += 2
        elif c1 < c0:
            leader = 1
            t1 += 2
        n += 1
        return (-4 if n == _END else -1, n, leader, -1, h0, h1, und, s0, s1,
                battles + (4 * c0 + c1,), t0, t1)
    # a draw
    if _DRAWER[n] == 0:
        h0 += u
        if n > 2:
            s0 = 4 * s0 + action
        elif n == 2:
            s0 = h0
        return (-1, n + 1, leader, led, h0, h1, und - u, s0, s1, battles, t0, t1)
    h1 += u
    if n > 5:
        s1 = 4 * s1 + action
    elif n == 5:
        s1 = h1
    n += 1
    return (leader if (n & 3) == 2 else -1, n, leader, led, h0, h1, und - u,
            s0, s1, battles, t0, t1)


def returns(state):
    if state[0] == -4:
        t0 = state[10]
        t1 = state[11]
        if t0 > t1:
            return [1.0, -1.0]
        if t0 < t1:
            return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    if state[0] == -1:
        return _DRAW_NAMES[action]
    return _PLAY_NAMES[action]


def observation(state, player):
    n = state[1]
    led = state[3]
    if n >= (6 if player else 3):
        hand = list(_HAND_NAMES[state[4 + player]])
    else:
        hand = []
    return {
        "hand": hand,
        "piles": list(_PILES[n]),
        "leader": state[2],
        "led": _NAMES[led] if led >= 0 else None,
        "battles": [list(_PAIRS[b]) for b in state[9]],
        "taken": [state[10], state[11]],
    }


def information_state(state, player):
    return (player, state[1], state[7 + player], state[3], state[9])


# ---------------------------------------------------------------------------
# Resampling
# ---------------------------------------------------------------------------
def _pick(weights, rand):
    x = rand() * sum(weights)
    last = 0
    i = 0
    for w in weights:
        if w > 0:
            last = i
            x -= w
            if x < 0:
                return i
        i += 1
    return last


def _shuffled(code, rand):
    cards = list(_CARDS[code])
    for i in range(len(cards) - 1, 0, -1):
        j = int(rand() * (i + 1))
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def _deal_actions(player, history, rand):
    # a history that ends before both first hands are complete
    n = len(history) - 1
    rem = [4, 4, 4, 4]
    actions = []
    if player == 0 and n >= 3:
        actions = _shuffled(_CODE["".join(history[3][0]["hand"])], rand)
        for r in actions:
            rem[r] -= 1
    while len(actions) < n:
        r = _pick(rem, rand)
        rem[r] -= 1
        actions.append(r)
    return actions


def _sample_draws(player, history, rand):
    # For histories with both first hands complete. Returns
    # (first hand, later draws, all drawn cards, hand) of the player, the same
    # of the opponent, the battles as pairs of ranks, and led (-1: none).
    n = len(history) - 1
    obs = history[n][0]
    opp = 1 - player
    unit = _UNIT
    rank = _RANK
    battles = [(rank[b[0]], rank[b[1]]) for b in obs["battles"]]

    # what the player knows of the own cards
    first = _CODE["".join(history[6][0]["hand"])]
    hand = first
    drawn = first
    draws = []
    i = 9 + player
    for b in battles:
        hand -= unit[b[player]]
        if i <= n:
            code = _CODE["".join(history[i][0]["hand"])]
            diff = code - hand
            draws.append(_UNIT_RANK[diff])
            drawn += diff
            hand = code
        i += 4
    plays = [b[opp] for b in battles]
    led = obs["led"]
    if led is None:
        led = -1
    else:
        led = rank[led]
        if obs["leader"] == player:
            hand -= unit[led]
        else:
            plays.append(led)

    # the opponent's cards
    avail = _FULL - drawn
    rem = list(_counts(avail))
    m = len(plays)
    k = (n - 5 - opp) // 4  # number of later draws of the opponent
    odraws = []
    if m == 0:
        ofirst = 0
        for _ in range(3):
            r = _pick(rem, rand)
            rem[r] -= 1
            ofirst += unit[r]
    else:
        p = plays[0]
        f = _INIT[avail][p]
        rem[p] -= 1
        layers = [f]
        rems = [rem]
        for t in range(1, m):
            p = plays[t]
            g = []
            for mult, trans in _STEP[p]:
                w = 0
                for r, q, c in trans:
                    x = f[q]
                    if x:
                        w += x * (rem[r] - c)
                g.append(mult * w)
            f = g
            rem = rem[:]
            rem[p] -= 1
            layers.append(f)
            rems.append(rem)
        h = _pick(f, rand)
        if k >= m:
            cs = _TWO_COUNTS[h]
            odraws.append(_pick([rem[0] - cs[0], rem[1] - cs[1],
                                 rem[2] - cs[2], rem[3] - cs[3]], rand))
        for t in range(m - 1, 0, -1):
            trans = _STEP[plays[t]][h][1]
            if len(trans) == 1:
                choice = trans[0]
            else:
                f = layers[t - 1]
                rem = rems[t - 1]
                choice = trans[_pick([f[q] * (rem[r] - c) for r, q, c in trans],
                                     rand)]
            odraws.append(choice[0])
            h = choice[1]
        odraws.reverse()
        ofirst = _THREE[plays[0]][h]
    odrawn = ofirst
    for r in odraws:
        odrawn += unit[r]
    ohand = odrawn
    for r in plays:
        ohand -= unit[r]
    return ((first, draws, drawn, hand), (ofirst, odraws, odrawn, ohand),
            battles, led)


def resample_history(player, history, rand):
    n = len(history) - 1
    if n < 6:
        return _deal_actions(player, history, rand)
    own, other, battles, led = _sample_draws(player, history, rand)
    if player == 0:
        a, b = own, other
    else:
        a, b = other, own
    actions = _shuffled(a[0], rand) + _shuffled(b[0], rand)
    draws0 = a[1]
    draws1 = b[1]
    leader = 0
    for i, (c0, c1) in enumerate(battles):
        if leader == 0:
            actions.append(c0)
            actions.append(c1)
        else:
            actions.append(c1)
            actions.append(c0)
        if c0 < c1:
            leader = 0
        elif c1 < c0:
            leader = 1
        if i < len(draws0):
            actions.append(draws0[i])
        if i < len(draws1):
            actions.append(draws1[i])
    if led >= 0:
        actions.append(led)
    return actions


def resample_state(player, history, rand):
    n = len(history) - 1
    if n < 6:
        state = _INITIAL
        for action in _deal_actions(player, history, rand):
            state = apply_action(state, action)
        return state
    own, other, battles, led = _sample_draws(player, history, rand)
    if player == 0:
        a, b = own, other
    else:
        a, b = other, own
    s0 = a[0]
    for r in a[1]:
        s0 = 4 * s0 + r
    s1 = b[0]
    for r in b[1]:
        s1 = 4 * s1 + r
    obs = history[n][0]
    leader = obs["leader"]
    if n == _END:
        actor = -4
    else:
        phase = n & 3
        if phase == 2:
            actor = leader
        elif phase == 3:
            actor = 1 - leader
        else:
            actor = -1
    taken = obs["taken"]
    return (actor, n, leader, led, a[3], b[3], _FULL - a[2] - b[2], s0, s1,
            tuple([4 * c0 + c1 for c0, c1 in battles]), taken[0], taken[1])
