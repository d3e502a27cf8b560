NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 4
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 12
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# Ranks are 0..3 for A, K, Q, J.  A multiset of cards is a base-5 number with
# one digit per rank.
#
# State:
# (t, leader, led, undrawn, hand0, hand1, log0, log1, pub, taken0, taken1)
#   t       number of actions (chance included) so far, 0..28
#   led     rank led in this battle, -1 if none
#   logP    0 until the first hand of P is complete, then the code of the first
#           hand, followed (base 4) by each later draw
#   pub     finished battles, base 16: 4 * card of player 0 + card of player 1

_LETTERS = ("A", "K", "Q", "J")
_LED = ("A", "K", "Q", "J", None)          # index -1 gives None
_RANK = {"A": 0, "K": 1, "Q": 2, "J": 3}
_UNIT = (1, 5, 25, 125)
_RANK_OF_UNIT = {1: 0, 5: 1, 25: 2, 125: 3}
_FULL = 624
_END = 28

_PLAY_NAMES = ("play A", "play K", "play Q", "play J")
_DRAW_NAMES = ("draw A", "draw K", "draw Q", "draw J")


def _build_times():
    kind = []      # 0 draw of player 0, 1 draw of player 1, 2 lead, 3 follow, 4 over
    pile0 = []
    pile1 = []
    finished = []
    for t in range(_END + 1):
        if t < 3:
            kind.append(0)
        elif t < 6:
            kind.append(1)
        elif t == _END:
            kind.append(4)
        else:
            kind.append((2, 3, 0, 1)[(t - 6) % 4])
        if t < 6:
            pile0.append(8 - min(t, 3))
            pile1.append(8 - max(0, t - 3))
            finished.append(0)
        else:
            pile0.append(5 - (t - 5) // 4)
            pile1.append(5 - (t - 6) // 4)
            finished.append((t - 4) // 4)
    return tuple(kind), tuple(pile0), tuple(pile1), tuple(finished)


_KIND, _PILE0, _PILE1, _FINISHED = _build_times()


def _build_sets():
    cards = []       # all ranks, with repetition, the highest first
    distinct = []    # the different ranks
    letters = []
    chance = []
    code_of = {}
    for code in range(625):
        counts = (code % 5, code // 5 % 5, code // 25 % 5, code // 125)
        lst = []
        for r in range(4):
            lst.extend([r] * counts[r])
        total = len(lst)
        cards.append(tuple(lst))
        distinct.append(tuple([r for r in range(4) if counts[r]]))
        names = tuple([_LETTERS[r] for r in lst])
        letters.append(names)
        chance.append(tuple([(r, counts[r] / total)
                             for r in range(4) if counts[r]]))
        if total <= 3:
            code_of["".join(names)] = code
    return tuple(cards), tuple(distinct), tuple(letters), tuple(chance), code_of


_CARDS, _DISTINCT, _HAND, _CHANCE, _CODE = _build_sets()


def _build_filter():
    # the ten multisets of two cards that can be left after a play
    rem = []
    for a in range(4):
        for b in range(a, 4):
            rem.append(_UNIT[a] + _UNIT[b])
    index = {}
    for i in range(len(rem)):
        index[rem[i]] = i

    # _PRED[c][j]: the (remainder before, card drawn) pairs that lead to the
    # remainder j after c was played
    pred = []
    steps = []
    for c in range(4):
        rows = []
        srow = []
        for j in range(10):
            hand = rem[j] + _UNIT[c]
            opts = tuple([(index[hand - _UNIT[x]], x) for x in _DISTINCT[hand]])
            rows.append(opts)
            srow.append((1.0 / len(opts), tuple([o[0] for o in opts])))
        pred.append(tuple(rows))
        steps.append(tuple(srow))

    # filt[code][j]: weighted number of draw sequences that agree with the plays
    # in code (a 1, then one base-4 digit for each play) and leave remainder j
    filt = [None] * (2 * 4 ** 6)
    for c in range(4):
        row = []
        for j in range(10):
            d = len(_DISTINCT[rem[j] + _UNIT[c]])
            orders = (0, 1, 3, 6)[d]
            row.append(orders / d)
        filt[4 + c] = tuple(row)
    for k in range(2, 7):
        for code in range(4 ** k, 2 * 4 ** k):
            p = filt[code >> 2]
            filt[code] = tuple([inv * sum([p[i] for i in idx])
                                for inv, idx in steps[code & 3]])

    # poolw[pool][j]: number of ways to take remainder j, in order, from the pool
    poolw = []
    for pool in range(625):
        counts = (pool % 5, pool // 5 % 5, pool // 25 % 5, pool // 125)
        row = []
        for j in range(10):
            left = list(counts)
            w = 1
            for r in _CARDS[rem[j]]:
                w *= left[r]
                left[r] -= 1
            row.append(w)
        poolw.append(tuple(row))
    return tuple(rem), tuple(pred), tuple(filt), tuple(poolw)


_REM, _PRED, _FILTER, _POOLW = _build_filter()

_START = (0, 0, -1, _FULL, 0, 0, 0, 0, 0, 0, 0)


def initial_state():
    return _START


def current_player(state):
    k = _KIND[state[0]]
    if k == 2:
        return state[1]
    if k == 3:
        return 1 - state[1]
    if k == 4:
        return -4
    return -1


def legal_actions(state):
    k = _KIND[state[0]]
    if k == 2:
        return list(_DISTINCT[state[4 + state[1]]])
    if k == 3:
        return list(_DISTINCT[state[5 - state[1]]])
    return []


def chance_outcomes(state):
    if _KIND[state[0]] < 2:
        return list(_CHANCE[state[3]])
    return []


def apply_action(state, action):
    t, leader, led, und, h0, h1, l0, l1, pub, t0, t1 = state
    k = _KIND[t]
    u = _UNIT[action]
    if k == 2:
        if leader == 0:
            h0 -= u
        else:
            h1 -= u
        return (t + 1, leader, action, und, h0, h1, l0, l1, pub, t0, t1)
    if k == 3:
        if leader == 0:
            h1 -= u
            c0 = led
            c1 = action
        else:
            h0 -= u
            c0 = action
            c1 = led
        if c0 < c1:
            t0 += 2
            leader = 0
        elif c1 < c0:
            t1 += 2
            leader = 1
        return (t + 1, leader, -1, und, h0, h1, l0, l1,
                pub * 16 + c0 * 4 + c1, t0, t1)
    if k == 0:
        h0 += u
        if t > 2:
            l0 = l0 * 4 + action
        elif t == 2:
            l0 = h0
        return (t + 1, leader, led, und - u, h0, h1, l0, l1, pub, t0, t1)
    if k == 1:
        h1 += u
        if t > 5:
            l1 = l1 * 4 + action
        elif t == 5:
            l1 = h1
        return (t + 1, leader, led, und - u, h0, h1, l0, l1, pub, t0, t1)
    raise ValueError("the game is over")


def returns(state):
    if state[0] == _END:
        a = state[9]
        b = state[10]
        if a > b:
            return [1.0, -1.0]
        if b > a:
            return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    if _KIND[state[0]] < 2:
        return _DRAW_NAMES[action]
    return _PLAY_NAMES[action]


def observation(state, player):
    t = state[0]
    if player == 0:
        hand = list(_HAND[state[4]]) if t >= 3 else []
    else:
        hand = list(_HAND[state[5]]) if t >= 6 else []
    pub = state[8]
    battles = []
    for s in range(4 * _FINISHED[t] - 4, -1, -4):
        b = pub >> s
        battles.append([_LETTERS[(b >> 2) & 3], _LETTERS[b & 3]])
    return {
        "hand": hand,
        "piles": [_PILE0[t], _PILE1[t]],
        "leader": state[1],
        "led": _LED[state[2]],
        "battles": battles,
        "taken": [state[9], state[10]],
    }


def information_state(state, player):
    return (player, state[0], state[6 + player], state[8], state[2])


def _shuffled(code, rand):
    cards = list(_CARDS[code])
    for i in range(len(cards) - 1, 0, -1):
        j = int(rand() * (i + 1))
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def _hidden(player, history, rand):
    # For a history of at least six actions: own first hand, own later draws,
    # and, drawn at random, the other player's first hand, later draws and
    # hand now, and the cards that are not drawn yet.
    t = len(history) - 1
    obs = history[t][0]
    opp = 1 - player
    code_of = _CODE

    if player == 0:
        own_first = code_of["".join(history[3][0]["hand"])]
        start = 9
        opp_draw_count = (t - 6) // 4
    else:
        own_first = code_of["".join(history[6][0]["hand"])]
        start = 10
        opp_draw_count = (t - 5) // 4
    pool = _FULL - own_first
    own_draws = []
    for i in range(start, t + 1, 4):
        diff = (code_of["".join(history[i][0]["hand"])]
                - code_of["".join(history[i - 1][0]["hand"])])
        pool -= diff
        own_draws.append(_RANK_OF_UNIT[diff])

    code = 1
    plays = 0
    for b in obs["battles"]:
        c = _RANK[b[opp]]
        code = code * 4 + c
        pool -= _UNIT[c]
        plays += 1
    if obs["led"] is not None and obs["leader"] == opp:
        c = _RANK[obs["led"]]
        code = code * 4 + c
        pool -= _UNIT[c]
        plays += 1

    opp_draws = []
    if plays == 0:
        opp_first = 0
        for _ in range(3):
            lst = _CARDS[pool]
            u = _UNIT[lst[int(rand() * len(lst))]]
            pool -= u
            opp_first += u
        return own_first, own_draws, opp_first, opp_draws, opp_first, pool

    # the two cards left after the last play
    weights = [a * b for a, b in zip(_FILTER[code], _POOLW[pool])]
    u = rand() * sum(weights)
    j = 0
    for i in range(10):
        w = weights[i]
        if w > 0.0:
            j = i
            u -= w
            if u < 0.0:
                break
    opp_hand = _REM[j]
    pool -= opp_hand

    # the card drawn after the last play, if there is one
    if opp_draw_count == plays:
        lst = _CARDS[pool]
        x = lst[int(rand() * len(lst))]
        pool -= _UNIT[x]
        opp_hand += _UNIT[x]
        opp_draws.append(x)

    # backwards through the earlier draws
    while code >= 16:
        opts = _PRED[code & 3][j]
        code >>= 2
        if len(opts) == 1:
            j, x = opts[0]
        else:
            f = _FILTER[code]
            total = 0.0
            for o in opts:
                total += f[o[0]]
            u = rand() * total
            for o in opts:
                u -= f[o[0]]
                if u < 0.0:
                    break
            j, x = o
        opp_draws.append(x)
    opp_draws.reverse()
    opp_first = _REM[j] + _UNIT[code & 3]
    return own_first, own_draws, opp_first, opp_draws, opp_hand, pool


def resample_history(player, history, rand):
    t = len(history) - 1
    if t < 6:
        actions = []
        pool = _FULL
        if player == 0 and t >= 3:
            own_first = _CODE["".join(history[3][0]["hand"])]
            actions = _shuffled(own_first, rand)
            pool -= own_first
        while len(actions) < t:
            lst = _CARDS[pool]
            x = lst[int(rand() * len(lst))]
            pool -= _UNIT[x]
            actions.append(x)
        return actions

    own_first, own_draws, opp_first, opp_draws, _, _ = _hidden(player, history, rand)
    if player == 0:
        actions = _shuffled(own_first, rand)
        actions.extend(_shuffled(opp_first, rand))
        draws0 = own_draws
        draws1 = opp_draws
    else:
        actions = _shuffled(opp_first, rand)
        actions.extend(_shuffled(own_first, rand))
        draws0 = opp_draws
        draws1 = own_draws

    obs = history[t][0]
    n0 = len(draws0)
    n1 = len(draws1)
    leader = 0
    i = 0
    for b in obs["battles"]:
        c0 = _RANK[b[0]]
        c1 = _RANK[b[1]]
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
        if i < n0:
            actions.append(draws0[i])
        if i < n1:
            actions.append(draws1[i])
        i += 1
    if obs["led"] is not None:
        actions.append(_RANK[obs["led"]])
    return actions


def resample_state(player, history, rand):
    t = len(history) - 1
    if t < 6:
        state = _START
        for a in resample_history(player, history, rand):
            state = apply_action(state, a)
        return state

    own_first, own_draws, opp_first, opp_draws, opp_hand, pool = _hidden(
        player, history, rand)
    obs = history[t][0]
    own_log = own_first
    for x in own_draws:
        own_log = own_log * 4 + x
    opp_log = opp_first
    for x in opp_draws:
        opp_log = opp_log * 4 + x
    pub = 0
    for b in obs["battles"]:
        pub = pub * 16 + _RANK[b[0]] * 4 + _RANK[b[1]]
    led = obs["led"]
    led = -1 if led is None else _RANK[led]
    own_hand = _CODE["".join(obs["hand"])]
    taken = obs["taken"]
    if player == 0:
        return (t, obs["leader"], led, pool, own_hand, opp_hand,
                own_log, opp_log, pub, taken[0], taken[1])
    return (t, obs["leader"], led, pool, opp_hand, own_hand,
            opp_log, own_log, pub, taken[0], taken[1])
