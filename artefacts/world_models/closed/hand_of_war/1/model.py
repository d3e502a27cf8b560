from itertools import product

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 4
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 12
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# Ranks: 0 = A, 1 = K, 2 = Q, 3 = J (a lower index is a higher rank).
# A multiset of cards is an int with 3 bits for the count of each rank.
_LETTERS = "AKQJ"
_RANK = {"A": 0, "K": 1, "Q": 2, "J": 3}
_U = (1, 8, 64, 512)
_RANK_OF_UNIT = {1: 0, 8: 1, 64: 2, 512: 3}
_FULL = 4 * (1 + 8 + 64 + 512)
_END = 28

_PLAY_NAMES = tuple("play " + c for c in _LETTERS)
_DRAW_NAMES = tuple("draw " + c for c in _LETTERS)

_CNT = {}          # multiset (every count 0..4) -> counts
_OUTCOMES = {}     # cards not drawn yet -> ((rank, probability), ...)
_HAND_LETTERS = {}  # hand -> letters, the highest first
_HAND_RANKS = {}   # hand -> ranks, the highest first
_HAND_CODE = {}    # joined letters -> hand
_LEGAL = {}        # hand -> distinct ranks
_ALL3 = []         # all hands of 3 cards

for _c in product(range(5), repeat=4):
    _code = _c[0] + 8 * _c[1] + 64 * _c[2] + 512 * _c[3]
    _n = sum(_c)
    _CNT[_code] = _c
    if _n:
        _OUTCOMES[_code] = tuple((_r, _c[_r] / _n) for _r in range(4) if _c[_r])
    else:
        _OUTCOMES[_code] = ()
    if _n <= 3:
        _ranks = tuple(_r for _r in range(4) for _i in range(_c[_r]))
        _HAND_RANKS[_code] = _ranks
        _HAND_LETTERS[_code] = tuple(_LETTERS[_r] for _r in _ranks)
        _HAND_CODE["".join(_HAND_LETTERS[_code])] = _code
        _LEGAL[_code] = tuple(_r for _r in range(4) if _c[_r])
        if _n == 3:
            _ALL3.append(_code)
_ALL3 = tuple(_ALL3)

# for each rank: the hands of 3 that contain it, as
# (hand, 1 / number of legal plays, hand without that card)
_CONTAIN = tuple(
    tuple((_h, 1.0 / len(_LEGAL[_h]), _h - _U[_r]) for _h in _ALL3 if _CNT[_h][_r])
    for _r in range(4)
)

# binomial coefficients n over k, n in 0..4, k in 0..3
_COMB = (
    (1, 0, 0, 0),
    (1, 1, 0, 0),
    (1, 2, 1, 0),
    (1, 3, 3, 1),
    (1, 4, 6, 4),
)

_PAIR = tuple((_LETTERS[_x >> 2], _LETTERS[_x & 3]) for _x in range(16))


def _make_kind(t):
    if t >= _END:
        return 6
    if t < 3:
        return 0        # first hand of player 0
    if t < 6:
        return 1        # first hand of player 1
    m = t % 4
    if m == 2:
        return 2        # the leader plays
    if m == 3:
        return 3        # the other player plays
    if m == 0:
        return 4        # player 0 draws
    return 5            # player 1 draws


_KIND = tuple(_make_kind(_t) for _t in range(_END + 1))


def _make_piles():
    a, b = 8, 8
    res = [(a, b)]
    for t in range(_END):
        k = _KIND[t]
        if k == 0 or k == 4:
            a -= 1
        elif k == 1 or k == 5:
            b -= 1
        res.append((a, b))
    return tuple(res)


_PILES = _make_piles()
_NUM_BATTLES = tuple(max(0, (_t - 4) // 4) for _t in range(_END + 1))

# State:
# 0 t       number of actions so far, chance included
# 1 cur     player to act, -1 chance, -4 over
# 2 deck    cards not drawn yet
# 3 h0      hand of player 0
# 4 h1      hand of player 1
# 5 leader
# 6 led     rank, or -1
# 7 tk0     cards taken by player 0
# 8 tk1     cards taken by player 1
# 9 bat     finished battles, 4 bits each
# 10 pv0    first hand and later draws of player 0 (0 until the hand is complete)
# 11 pv1    the same of player 1
_INITIAL = (0, -1, _FULL, 0, 0, 0, -1, 0, 0, 0, 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[1]


def legal_actions(state):
    return list(_LEGAL[state[4] if state[1] == 1 else state[3]])


def chance_outcomes(state):
    return list(_OUTCOMES[state[2]])


def apply_action(state, action):
    t, cur, deck, h0, h1, leader, led, tk0, tk1, bat, pv0, pv1 = state
    kind = _KIND[t]
    u = _U[action]
    if kind == 2:
        if cur == 0:
            return (t + 1, 1, deck, h0 - u, h1, leader, action, tk0, tk1, bat, pv0, pv1)
        return (t + 1, 0, deck, h0, h1 - u, leader, action, tk0, tk1, bat, pv0, pv1)
    if kind == 3:
        if cur == 0:
            h0 -= u
            c0 = action
            c1 = led
        else:
            h1 -= u
            c0 = led
            c1 = action
        if c0 < c1:
            tk0 += 2
            leader = 0
        elif c1 < c0:
            tk1 += 2
            leader = 1
        t += 1
        return (t, -4 if t == _END else -1, deck, h0, h1, leader, -1, tk0, tk1,
                bat * 16 + c0 * 4 + c1, pv0, pv1)
    if kind == 4:
        return (t + 1, -1, deck - u, h0 + u, h1, leader, led, tk0, tk1, bat,
                pv0 * 4 + action, pv1)
    if kind == 5:
        return (t + 1, leader, deck - u, h0, h1 + u, leader, led, tk0, tk1, bat,
                pv0, pv1 * 4 + action)
    if kind == 0:
        h0 += u
        if t == 2:
            pv0 = h0
        return (t + 1, -1, deck - u, h0, h1, leader, led, tk0, tk1, bat, pv0, pv1)
    if kind == 1:
        h1 += u
        if t == 5:
            pv1 = h1
            cur = leader
        return (t + 1, cur, deck - u, h0, h1, leader, led, tk0, tk1, bat, pv0, pv1)
    raise ValueError("the game is over")


def returns(state):
    if state[1] != -4:
        return [0.0, 0.0]
    a = state[7]
    b = state[8]
    if a > b:
        return [1.0, -1.0]
    if b > a:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    if state[1] == -1:
        return _DRAW_NAMES[action]
    return _PLAY_NAMES[action]


def observation(state, player):
    t = state[0]
    if player == 0:
        hand = list(_HAND_LETTERS[state[3]]) if t >= 3 else []
    else:
        hand = list(_HAND_LETTERS[state[4]]) if t >= 6 else []
    led = state[6]
    bat = state[9]
    return {
        "hand": hand,
        "piles": list(_PILES[t]),
        "leader": state[5],
        "led": None if led < 0 else _LETTERS[led],
        "battles": [list(_PAIR[(bat >> (4 * i)) & 15])
                    for i in range(_NUM_BATTLES[t] - 1, -1, -1)],
        "taken": [state[7], state[8]],
    }


def information_state(state, player):
    return (player, state[0], state[6], state[9], state[11] if player else state[10])


# ---------------------------------------------------------------- resampling

def _pick(weights, rand):
    x = rand() * sum(weights)
    last = 0
    i = 0
    for w in weights:
        if w > 0:
            if x < w:
                return i
            x -= w
            last = i
        i += 1
    return last


def _order(hand, rand):
    cards = list(_HAND_RANKS[hand])
    for i in range(len(cards) - 1, 0, -1):
        j = int(rand() * (i + 1))
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def _early(player, history, rand):
    # the first 6 draws are not finished yet
    t = len(history) - 1
    acts = []
    left = [4, 4, 4, 4]
    if player == 0 and t >= 3:
        acts = _order(_HAND_CODE["".join(history[3][0]["hand"])], rand)
        for r in acts:
            left[r] -= 1
    while len(acts) < t:
        r = _pick(left, rand)
        left[r] -= 1
        acts.append(r)
    return acts


def _sample(player, history, rand):
    # Returns: own first hand, own draws, the other's first hand, the other's
    # draws, the other's present hand, cards not drawn yet.
    obs = history[-1][0]
    opp = 1 - player
    piles = obs["piles"]
    code_of = _HAND_CODE

    # what the player knows of the own cards
    first = code_of["".join(history[6 if player else 3][0]["hand"])]
    pool = _FULL - first
    own = []
    idx = 8 + player
    for _ in range(5 - piles[player]):
        unit = (code_of["".join(history[idx + 1][0]["hand"])]
                - code_of["".join(history[idx][0]["hand"])])
        own.append(_RANK_OF_UNIT[unit])
        pool -= unit
        idx += 4

    # the plays of the other player
    plays = [_RANK[b[opp]] for b in obs["battles"]]
    led = obs["led"]
    if led is not None and obs["leader"] == opp:
        plays.append(_RANK[led])
    n = len(plays)
    d = 5 - piles[opp]

    avs = []
    left = pool
    for p in plays:
        avs.append(left)
        left -= _U[p]

    # backward: weight of all that follows, for each hand before each play
    cnt = _CNT
    tabs = [None] * n
    tab = None
    for j in range(n - 1, -1, -1):
        av = avs[j]
        cur = {}
        if tab is None:
            for h, inv, e in _CONTAIN[plays[j]]:
                if (av - h) in cnt:
                    cur[h] = inv
        else:
            get = tab.get
            for h, inv, e in _CONTAIN[plays[j]]:
                c = cnt.get(av - h)
                if c is not None:
                    s = (c[0] * get(e + 1, 0.0) + c[1] * get(e + 8, 0.0)
                         + c[2] * get(e + 64, 0.0) + c[3] * get(e + 512, 0.0))
                    if s > 0.0:
                        cur[h] = s * inv
        tabs[j] = cur
        tab = cur

    # forward: the first hand
    p0, p1, p2, p3 = cnt[pool]
    k0 = _COMB[p0]
    k1 = _COMB[p1]
    k2 = _COMB[p2]
    k3 = _COMB[p3]
    hands = []
    weights = []
    for h in (_ALL3 if tab is None else tab):
        c = cnt[h]
        w = k0[c[0]] * k1[c[1]] * k2[c[2]] * k3[c[3]]
        if w:
            hands.append(h)
            weights.append(w if tab is None else w * tab[h])
    hand = hands[_pick(weights, rand)]
    opp_first = hand
    deck = pool - hand

    # forward: the later draws
    draws = []
    for j in range(d):
        e = hand - _U[plays[j]]
        c = cnt[deck]
        if j + 1 < n:
            get = tabs[j + 1].get
            r = _pick((c[0] * get(e + 1, 0.0), c[1] * get(e + 8, 0.0),
                       c[2] * get(e + 64, 0.0), c[3] * get(e + 512, 0.0)), rand)
        else:
            r = _pick(c, rand)
        u = _U[r]
        hand = e + u
        deck -= u
        draws.append(r)
    if n > d:
        hand -= _U[plays[-1]]
    return first, own, opp_first, draws, hand, deck


def resample_history(player, history, rand):
    if len(history) < 7:
        return _early(player, history, rand)
    first, own, opp_first, draws, _hand, _deck = _sample(player, history, rand)
    if player == 0:
        acts = _order(first, rand) + _order(opp_first, rand)
        draws0 = own
        draws1 = draws
    else:
        acts = _order(opp_first, rand) + _order(first, rand)
        draws0 = draws
        draws1 = own
    obs = history[-1][0]
    leader = 0
    k = 0
    for b in obs["battles"]:
        c0 = _RANK[b[0]]
        c1 = _RANK[b[1]]
        if leader == 0:
            acts.append(c0)
            acts.append(c1)
        else:
            acts.append(c1)
            acts.append(c0)
        if c0 < c1:
            leader = 0
        elif c1 < c0:
            leader = 1
        if k < len(draws0):
            acts.append(draws0[k])
        if k < len(draws1):
            acts.append(draws1[k])
        k += 1
    if obs["led"] is not None:
        acts.append(_RANK[obs["led"]])
    return acts


def resample_state(player, history, rand):
    if len(history) < 7:
        state = _INITIAL
        for a in _early(player, history, rand):
            state = apply_action(state, a)
        return state
    first, own, opp_first, draws, hand, deck = _sample(player, history, rand)
    obs = history[-1][0]
    t = len(history) - 1
    leader = obs["leader"]
    kind = _KIND[t]
    if kind == 2:
        cur = leader
    elif kind == 3:
        cur = 1 - leader
    elif kind == 6:
        cur = -4
    else:
        cur = -1
    bat = 0
    for b in obs["battles"]:
        bat = bat * 16 + _RANK[b[0]] * 4 + _RANK[b[1]]
    own_pv = first
    for r in own:
        own_pv = own_pv * 4 + r
    opp_pv = opp_first
    for r in draws:
        opp_pv = opp_pv * 4 + r
    led = obs["led"]
    led = -1 if led is None else _RANK[led]
    taken = obs["taken"]
    own_hand = _HAND_CODE["".join(obs["hand"])]
    if player == 0:
        return (t, cur, deck, own_hand, hand, leader, led, taken[0], taken[1], bat,
                own_pv, opp_pv)
    return (t, cur, deck, hand, own_hand, leader, led, taken[0], taken[1], bat,
            opp_pv, own_pv)
