from itertools import product
from operator import mul

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 4
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 12
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# Ranks are 0 (A, highest) .. 3 (J, lowest).
# A multiset of cards is an int with 3 bits for the count of each rank.
_LETTERS = ("A", "K", "Q", "J")
_RANK = {"A": 0, "K": 1, "Q": 2, "J": 3}
_ONE = (1, 8, 64, 512)
_VALUE = {"A": 1, "K": 8, "Q": 64, "J": 512}
_RANK_OF = {1: 0, 8: 1, 64: 2, 512: 3}
_FULL = 4 * (1 + 8 + 64 + 512)
_END = 28

_DRAW_NAMES = tuple("draw " + c for c in _LETTERS)
_PLAY_NAMES = tuple("play " + c for c in _LETTERS)
_PAIR = tuple(tuple((a, b) for b in _LETTERS) for a in _LETTERS)
_READY = (3, 6)

# pairs of cards (what is left of a hand of three after a play)
_TWO = tuple((i, j) for i in range(4) for j in range(i, 4))
_TWO_CODE = tuple(_ONE[i] + _ONE[j] for i, j in _TWO)
_TWO_INDEX = {c: n for n, c in enumerate(_TWO_CODE)}


def _build_multisets():
    size = 4096
    chance = [()] * size
    legal = [()] * size
    names = [()] * size
    expand = [()] * size
    pairw = [None] * size
    digits = [0] * size
    code_of = {}
    for cnt in product(range(5), repeat=4):
        code = sum(n * o for n, o in zip(cnt, _ONE))
        total = sum(cnt)
        cards = tuple(r for r in range(4) for _ in range(cnt[r]))
        if total:
            chance[code] = tuple((r, cnt[r] / total) for r in range(4) if cnt[r])
        legal[code] = tuple(r for r in range(4) if cnt[r])
        names[code] = tuple(_LETTERS[r] for r in cards)
        expand[code] = cards
        pairw[code] = tuple(
            cnt[i] * cnt[j] if i != j else cnt[i] * (cnt[i] - 1) for i, j in _TWO
        )
        if total == 3:
            digits[code] = ((cards[0] + 1) << 6) | ((cards[1] + 1) << 3) | (cards[2] + 1)
        if total <= 3:
            code_of["".join(names[code])] = code
    return (tuple(chance), tuple(legal), tuple(names), tuple(expand),
            tuple(pairw), tuple(digits), code_of)


(_CHANCE, _LEGAL, _NAMES, _EXPAND, _PAIRW, _DIGITS, _CODE_OF) = _build_multisets()


def _build_timeline():
    # kinds: 0 draw of player 0, 1 draw of player 1, 2 lead, 3 follow, 4 over
    kind = []
    for t in range(_END):
        if t < 3:
            kind.append(0)
        elif t < 6:
            kind.append(1)
        else:
            kind.append((2, 3, 0, 1)[(t - 6) % 4])
    kind.append(4)
    cur = []
    for k in kind:
        if k < 2:
            cur.append((-1, -1))
        elif k == 2:
            cur.append((0, 1))
        elif k == 3:
            cur.append((1, 0))
        else:
            cur.append((-4, -4))
    piles = []
    a, b = 8, 8
    for k in kind:
        piles.append((a, b))
        if k == 0:
            a -= 1
        elif k == 1:
            b -= 1
    return tuple(kind), tuple(cur), tuple(piles)


_KIND, _CUR, _PILES = _build_timeline()


def _build_back():
    # _TRIPLE[r][p]: the hand of three that left the pair r when p was played
    # _BACK[r][p]: (last card drawn, pair before that draw) for that hand
    triple = []
    back = []
    for code in _TWO_CODE:
        trow = []
        brow = []
        for p in range(4):
            hand = code + _ONE[p]
            trow.append(hand)
            brow.append(tuple((d, _TWO_INDEX[hand - _ONE[d]]) for d in _LEGAL[hand]))
        triple.append(tuple(trow))
        back.append(tuple(brow))
    return tuple(triple), tuple(back)


_TRIPLE, _BACK = _build_back()


def _build_alpha():
    # For each sequence of ranks played (base 4 with a leading 1) and each pair
    # left after the last of these plays: the sum over all sequences of draws
    # of the product of 6 / (number of legal plays).
    alpha = [None] * 8192
    orderings = (0, 1, 3, 6)
    for p in range(4):
        alpha[4 + p] = tuple(
            orderings[len(_BACK[r][p])] * (6 // len(_BACK[r][p])) for r in range(10)
        )
    lo = 4
    for _ in range(5):
        for c in range(lo, 2 * lo):
            prev = alpha[c]
            for p in range(4):
                row = []
                for r in range(10):
                    opts = _BACK[r][p]
                    s = 0
                    for o in opts:
                        s += prev[o[1]]
                    row.append(s * (6 // len(opts)))
                alpha[4 * c + p] = tuple(row)
        lo *= 4
    return tuple(alpha)


_ALPHA = _build_alpha()

# state: (t, undrawn, hand0, hand1, leader, led or -1, info0, info1,
#         taken0, taken1, battles)
# info codes: one octal digit per event behind a leading 1 (player 0) or
# 2 (player 1); 0 is an event whose card the player does not see. When the
# first hand is complete, its cards replace the digits, the highest first.
_INITIAL = (0, _FULL, 0, 0, 0, -1, 1, 2, 0, 0, ())


def initial_state():
    return _INITIAL


def current_player(state):
    return _CUR[state[0]][state[4]]


def legal_actions(state):
    p = _CUR[state[0]][state[4]]
    if p < 0:
        return []
    return list(_LEGAL[state[2 + p]])


def chance_outcomes(state):
    if _KIND[state[0]] > 1:
        return []
    return list(_CHANCE[state[1]])


def apply_action(state, action):
    t, und, h0, h1, leader, led, i0, i1, k0, k1, battles = state
    kind = _KIND[t]
    if kind == 2:
        d = action + 1
        if leader:
            h1 -= _ONE[action]
        else:
            h0 -= _ONE[action]
        return (t + 1, und, h0, h1, leader, action,
                (i0 << 3) | d, (i1 << 3) | d, k0, k1, battles)
    if kind == 3:
        d = action + 1
        if leader:
            h0 -= _ONE[action]
            c0 = action
            c1 = led
        else:
            h1 -= _ONE[action]
            c0 = led
            c1 = action
        if c0 < c1:
            k0 += 2
            leader = 0
        elif c1 < c0:
            k1 += 2
            leader = 1
        return (t + 1, und, h0, h1, leader, -1,
                (i0 << 3) | d, (i1 << 3) | d, k0, k1,
                battles + (_PAIR[c0][c1],))
    one = _ONE[action]
    if kind == 0:
        h0 += one
        if t > 2:
            i0 = (i0 << 3) | (action + 1)
        elif t == 2:
            i0 = (1 << 9) | _DIGITS[h0]
        else:
            i0 <<= 3
        return (t + 1, und - one, h0, h1, leader, led, i0, i1 << 3, k0, k1, battles)
    if kind == 1:
        h1 += one
        if t > 5:
            i1 = (i1 << 3) | (action + 1)
        elif t == 5:
            i1 = (2 << 18) | _DIGITS[h1]
        else:
            i1 <<= 3
        return (t + 1, und - one, h0, h1, leader, led, i0 << 3, i1, k0, k1, battles)
    raise ValueError("the game is over")


def returns(state):
    if state[0] == _END:
        a = state[8]
        b = state[9]
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
    led = state[5]
    return {
        "hand": list(_NAMES[state[2 + player]]) if t >= _READY[player] else [],
        "piles": list(_PILES[t]),
        "leader": state[4],
        "led": None if led < 0 else _LETTERS[led],
        "battles": [list(b) for b in state[10]],
        "taken": [state[8], state[9]],
    }


def information_state(state, player):
    return state[6 + player]


def _own_cards(player, history, t):
    """First hand (as a multiset) and later draws of the player; t >= 6."""
    first = _CODE_OF["".join(history[_READY[player]][0]["hand"])]
    draws = []
    for i in range(9 + player, t + 1, 4):
        diff = (_CODE_OF["".join(history[i][0]["hand"])]
                - _CODE_OF["".join(history[i - 1][0]["hand"])])
        draws.append(_RANK_OF[diff])
    return first, draws


def _other_cards(player, obs, rand):
    """Draw what the other player has drawn; at least 6 events have happened.

    Gives the first hand (multiset), the later draws, the hand now (multiset)
    and the multiset of the cards that nobody has drawn yet.
    """
    opp = 1 - player
    rest = _FULL - _CODE_OF["".join(obs["hand"])]
    prefix = 1
    plays = []
    for b in obs["battles"]:
        rest -= _VALUE[b[0]] + _VALUE[b[1]]
        c = _RANK[b[opp]]
        plays.append(c)
        prefix = prefix * 4 + c
    led = obs["led"]
    if led is not None:
        rest -= _VALUE[led]
        if obs["leader"] == opp:
            c = _RANK[led]
            plays.append(c)
            prefix = prefix * 4 + c
    m = len(plays)
    draws = []
    if m == 0:
        first = 0
        for _ in range(3):
            cards = _EXPAND[rest]
            one = _ONE[cards[int(rand() * len(cards))]]
            first += one
            rest -= one
        return first, draws, first, rest

    # the pair left after the last play
    weights = list(map(mul, _ALPHA[prefix], _PAIRW[rest]))
    x = rand() * sum(weights)
    r = -1
    for i, w in enumerate(weights):
        if w:
            r = i
            x -= w
            if x < 0:
                break
    hand = _TWO_CODE[r]
    rest -= hand

    # backwards through the draws
    for j in range(m - 1, 0, -1):
        prefix >>= 2
        opts = _BACK[r][plays[j]]
        if len(opts) == 1:
            d, r = opts[0]
        else:
            alpha = _ALPHA[prefix]
            s = 0
            for o in opts:
                s += alpha[o[1]]
            x = rand() * s
            for o in opts:
                x -= alpha[o[1]]
                if x < 0:
                    break
            d, r = o
        draws.append(d)
    draws.reverse()
    first = _TRIPLE[r][plays[0]]

    # a draw after the last play
    if 5 - obs["piles"][opp] == m:
        cards = _EXPAND[rest]
        d = cards[int(rand() * len(cards))]
        draws.append(d)
        rest -= _ONE[d]
        hand += _ONE[d]
    return first, draws, hand, rest


def _shuffled(code, rand):
    cards = list(_EXPAND[code])
    for i in range(len(cards) - 1, 0, -1):
        j = int(rand() * (i + 1))
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def _resample_deal(player, history, rand, t):
    """Fewer than 6 events so far: only draws."""
    acts = []
    pool = _FULL
    if player == 0 and t >= 3:
        code = _CODE_OF["".join(history[t][0]["hand"])]
        acts = _shuffled(code, rand)
        pool -= code
    while len(acts) < t:
        cards = _EXPAND[pool]
        d = cards[int(rand() * len(cards))]
        acts.append(d)
        pool -= _ONE[d]
    return acts


def resample_history(player, history, rand):
    t = len(history) - 1
    if t < 6:
        return _resample_deal(player, history, rand, t)
    obs = history[t][0]
    own_first, own_draws = _own_cards(player, history, t)
    opp_first, opp_draws, _hand, _rest = _other_cards(player, obs, rand)
    if player == 0:
        d0, d1 = own_draws, opp_draws
        acts = _shuffled(own_first, rand) + _shuffled(opp_first, rand)
    else:
        d0, d1 = opp_draws, own_draws
        acts = _shuffled(opp_first, rand) + _shuffled(own_first, rand)
    n0 = len(d0)
    n1 = len(d1)
    leader = 0
    for b, pair in enumerate(obs["battles"]):
        c0 = _RANK[pair[0]]
        c1 = _RANK[pair[1]]
        if leader:
            acts.append(c1)
            acts.append(c0)
        else:
            acts.append(c0)
            acts.append(c1)
        if c0 < c1:
            leader = 0
        elif c1 < c0:
            leader = 1
        if b < n0:
            acts.append(d0[b])
        if b < n1:
            acts.append(d1[b])
    if obs["led"] is not None:
        acts.append(_RANK[obs["led"]])
    return acts


def resample_state(player, history, rand):
    t = len(history) - 1
    if t < 6:
        state = _INITIAL
        for a in _resample_deal(player, history, rand, t):
            state = apply_action(state, a)
        return state
    obs = history[t][0]
    own_first, own_draws = _own_cards(player, history, t)
    opp_first, opp_draws, opp_hand, rest = _other_cards(player, obs, rand)
    own_hand = _CODE_OF["".join(obs["hand"])]
    if player == 0:
        f0, f1, d0, d1, h0, h1 = own_first, opp_first, own_draws, opp_draws, own_hand, opp_hand
    else:
        f0, f1, d0, d1, h0, h1 = opp_first, own_first, opp_draws, own_draws, opp_hand, own_hand
    i0 = ((1 << 9) | _DIGITS[f0]) << 9
    i1 = (2 << 18) | _DIGITS[f1]
    n0 = len(d0)
    n1 = len(d1)
    leader = 0
    battles = []
    for b, pair in enumerate(obs["battles"]):
        c0 = _RANK[pair[0]]
        c1 = _RANK[pair[1]]
        battles.append(_PAIR[c0][c1])
        if leader:
            two = ((c1 + 1) << 3) | (c0 + 1)
        else:
            two = ((c0 + 1) << 3) | (c1 + 1)
        i0 = (i0 << 6) | two
        i1 = (i1 << 6) | two
        if c0 < c1:
            leader = 0
        elif c1 < c0:
            leader = 1
        if b < n0:
            i0 = (i0 << 3) | (d0[b] + 1)
            i1 <<= 3
        if b < n1:
            i0 <<= 3
            i1 = (i1 << 3) | (d1[b] + 1)
    led = -1
    if obs["led"] is not None:
        led = _RANK[obs["led"]]
        i0 = (i0 << 3) | (led + 1)
        i1 = (i1 << 3) | (led + 1)
    taken = obs["taken"]
    return (t, rest, h0, h1, leader, led, i0, i1, taken[0], taken[1], tuple(battles))
