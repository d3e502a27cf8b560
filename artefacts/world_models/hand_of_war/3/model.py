from itertools import product
from operator import mul

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 4
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 12
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# Ranks: 0 = A, 1 = K, 2 = Q, 3 = J (0 is the highest).
# Hand code: 2 bits per rank.  Deck code (cards not drawn yet): 3 bits per rank.
#
# State: (who, rem, h0, h1, p0, p1, leader, led, battles, t0, t1, d0, d1)
#   who      player to act, -1 chance, -4 end
#   rem      deck code of the cards that were not drawn yet
#   h0, h1   hand codes
#   p0, p1   cards left in the piles
#   leader   who leads this battle or the next one
#   led      rank led, -1 if none
#   battles  tuple of (card of player 0, card of player 1)
#   t0, t1   cards taken
#   d0, d1   0 until the first hand is complete; then its hand code, followed
#            by two bits for each card drawn later

_LETTERS = "AKQJ"
_RANK = {"A": 0, "K": 1, "Q": 2, "J": 3}
_HB = (1, 4, 16, 64)
_RB = (1, 8, 64, 512)
_HB_RANK = {1: 0, 4: 1, 16: 2, 64: 3}
_FULL = 4 * (1 + 8 + 64 + 512)
_PLAY_NAMES = tuple("play " + c for c in _LETTERS)
_DRAW_NAMES = tuple("draw " + c for c in _LETTERS)
_LED_NAMES = ("A", "K", "Q", "J", None)  # index -1 gives None


def _make_hand_tables():
    legal = []
    ranks = []
    names = []
    to_rem = []
    code_of = {}
    for code in range(256):
        counts = [(code >> (2 * r)) & 3 for r in range(4)]
        legal.append([r for r in range(4) if counts[r]])
        rk = []
        for r in range(4):
            rk.extend([r] * counts[r])
        ranks.append(tuple(rk))
        nm = [_LETTERS[r] for r in rk]
        names.append(nm)
        to_rem.append(sum(counts[r] * _RB[r] for r in range(4)))
        if len(rk) <= 3:
            code_of["".join(nm)] = code
    return tuple(legal), tuple(ranks), tuple(names), tuple(to_rem), code_of


_LEGAL, _HRANKS, _HNAMES, _H2R, _CODE = _make_hand_tables()

# the 10 hands of two cards
_TWO = tuple(code for code in range(256) if len(_HRANKS[code]) == 2)
_IDX2 = {code: i for i, code in enumerate(_TWO)}


def _make_deck_tables():
    chance = [None] * 4096
    bag = [None] * 4096
    weight = [None] * 4096
    for counts in product(range(5), repeat=4):
        code = sum(counts[r] * _RB[r] for r in range(4))
        total = sum(counts)
        if total:
            chance[code] = [(r, counts[r] / total) for r in range(4) if counts[r]]
        else:
            chance[code] = []
        cards = []
        for r in range(4):
            cards.extend([r] * counts[r])
        bag[code] = tuple(cards)
        row = []
        for h in _TWO:
            a, b = _HRANKS[h]
            if a == b:
                row.append(counts[a] * (counts[a] - 1))
            else:
                row.append(counts[a] * counts[b])
        weight[code] = tuple(row)
    return tuple(chance), tuple(bag), tuple(weight)


_CHANCE, _BAG, _W2 = _make_deck_tables()


def _make_path_tables():
    # _P3[hand of three] = for each rank that may have been drawn last:
    # (rank, hand of two before the draw, its index)
    pred = [None] * 256
    for code in range(256):
        if len(_HRANKS[code]) == 3:
            pred[code] = tuple(
                (r, code - _HB[r], _IDX2[code - _HB[r]]) for r in _LEGAL[code]
            )
    # table[sequence of plays][i]: sum over all orders of draws that leave the
    # hand _TWO[i] after these plays of the probability of the plays.
    # A sequence is coded in base 4 with a leading 1.
    table = [None] * 8192
    steps = []
    for c in range(4):
        row = []
        for h in _TWO:
            opts = pred[h + _HB[c]]
            row.append((1.0 / len(opts), tuple(o[2] for o in opts)))
        steps.append(row)
    for c in range(4):
        row = []
        for h in _TWO:
            n = len(pred[h + _HB[c]])
            orders = (0, 1, 3, 6)[n]
            row.append(orders / n)
        table[4 + c] = tuple(row)
    for length in range(2, 7):
        start = 4 ** length
        for code in range(start, 2 * start):
            before = table[code >> 2]
            row = []
            for inv, idxs in steps[code & 3]:
                v = 0.0
                for i in idxs:
                    v += before[i]
                row.append(v * inv)
            table[code] = tuple(row)
    return tuple(pred), tuple(table)


_P3, _GT = _make_path_tables()

_INITIAL = (-1, _FULL, 0, 0, 8, 8, 0, -1, (), 0, 0, 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    who = state[0]
    if who < 0:
        return []
    return _LEGAL[state[2 + who]][:]


def chance_outcomes(state):
    if state[0] != -1:
        return []
    return _CHANCE[state[1]][:]


def apply_action(state, action):
    who, rem, h0, h1, p0, p1, leader, led, battles, t0, t1, d0, d1 = state
    if who == -1:
        rem -= _RB[action]
        if p0 > 5 or p0 == p1:
            h0 += _HB[action]
            p0 -= 1
            if p0 < 5:
                d0 = (d0 << 2) | action
            elif p0 == 5:
                d0 = h0
            return (-1, rem, h0, h1, p0, p1, leader, led, battles, t0, t1, d0, d1)
        h1 += _HB[action]
        p1 -= 1
        if p1 < 5:
            d1 = (d1 << 2) | action
            who = leader
        elif p1 == 5:
            d1 = h1
            who = leader
        return (who, rem, h0, h1, p0, p1, leader, led, battles, t0, t1, d0, d1)
    if who == 0:
        h0 -= _HB[action]
    else:
        h1 -= _HB[action]
    if led < 0:
        return (1 - who, rem, h0, h1, p0, p1, leader, action, battles,
                t0, t1, d0, d1)
    if who == 0:
        c0 = action
        c1 = led
    else:
        c0 = led
        c1 = action
    if c0 < c1:
        t0 += 2
        leader = 0
    elif c1 < c0:
        t1 += 2
        leader = 1
    return (-1 if p0 else -4, rem, h0, h1, p0, p1, leader, -1,
            battles + ((c0, c1),), t0, t1, d0, d1)


def returns(state):
    if state[0] == -4:
        t0 = state[9]
        t1 = state[10]
        if t0 > t1:
            return [1.0, -1.0]
        if t1 > t0:
            return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    if state[0] < 0:
        return _DRAW_NAMES[action]
    return _PLAY_NAMES[action]


def observation(state, player):
    if state[4 + player] > 5:
        hand = []
    else:
        hand = _HNAMES[state[2 + player]][:]
    return {
        "hand": hand,
        "piles": [state[4], state[5]],
        "leader": state[6],
        "led": _LED_NAMES[state[7]],
        "battles": [[_LETTERS[a], _LETTERS[b]] for a, b in state[8]],
        "taken": [state[9], state[10]],
    }


def information_state(state, player):
    return (player, state[11 + player], state[4], state[5], state[7], state[8])


def _shuffled(code, rand):
    cards = list(_HRANKS[code])
    for i in range(len(cards) - 1, 0, -1):
        j = int(rand() * (i + 1))
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def _own_cards(player, history):
    """First hand (code) and the later draws of the player."""
    n = len(history) - 1
    obs = history[n][0]
    battles = obs["battles"]
    prev = first = _CODE["".join(history[6][0]["hand"])]
    draws = []
    for k in range(5 - obs["piles"][player]):
        i = 10 + 4 * k
        if i > n:
            i = n
        cur = _CODE["".join(history[i][0]["hand"])]
        draws.append(_HB_RANK[cur - prev + _HB[_RANK[battles[k][player]]]])
        prev = cur
    return first, draws


def _other_cards(player, obs, rand):
    """Draw the other player's cards: first hand (code), later draws, hand now
    (code), and the cards that nobody has drawn (deck code)."""
    opp = 1 - player
    battles = obs["battles"]
    led = obs["led"]
    rem = _FULL - _H2R[_CODE["".join(obs["hand"])]]
    seq = 1
    m = len(battles)
    for b in battles:
        c = _RANK[b[opp]]
        seq = seq * 4 + c
        rem -= _RB[c] + _RB[_RANK[b[player]]]
    if led is not None:
        c = _RANK[led]
        rem -= _RB[c]
        if obs["leader"] == opp:
            seq = seq * 4 + c
            m += 1
    if m == 0:
        h = 0
        for _ in range(3):
            bag = _BAG[rem]
            c = bag[int(rand() * len(bag))]
            h += _HB[c]
            rem -= _RB[c]
        return h, [], h, rem
    weights = list(map(mul, _GT[seq], _W2[rem]))
    x = rand() * sum(weights)
    pos = -1
    for i, v in enumerate(weights):
        if v > 0:
            pos = i
            if x < v:
                break
            x -= v
    h = _TWO[pos]
    rem -= _H2R[h]
    final = h
    draws = []
    if 5 - obs["piles"][opp] == m:
        bag = _BAG[rem]
        c = bag[int(rand() * len(bag))]
        rem -= _RB[c]
        final += _HB[c]
        draws.append(c)
    for _ in range(m - 1):
        opts = _P3[h + _HB[seq & 3]]
        seq >>= 2
        choice = opts[-1]
        if len(opts) > 1:
            g = _GT[seq]
            total = 0.0
            for o in opts:
                total += g[o[2]]
            x = rand() * total
            for o in opts:
                v = g[o[2]]
                if x < v:
                    choice = o
                    break
                x -= v
        draws.append(choice[0])
        h = choice[1]
    first = h + _HB[seq & 3]
    draws.reverse()
    return first, draws, final, rem


def _resample_deal(player, obs, rand):
    """Actions while the first hands are still being drawn."""
    piles = obs["piles"]
    todo = 16 - piles[0] - piles[1]
    rem = _FULL
    actions = []
    if player == 0 and piles[0] <= 5:
        code = _CODE["".join(obs["hand"])]
        actions = _shuffled(code, rand)
        rem -= _H2R[code]
    while len(actions) < todo:
        bag = _BAG[rem]
        c = bag[int(rand() * len(bag))]
        rem -= _RB[c]
        actions.append(c)
    return actions


def resample_history(player, history, rand):
    obs = history[-1][0]
    if len(history) < 7:
        return _resample_deal(player, obs, rand)
    own_first, own_draws = _own_cards(player, history)
    opp_first, opp_draws, _, _ = _other_cards(player, obs, rand)
    own_order = _shuffled(own_first, rand)
    opp_order = _shuffled(opp_first, rand)
    if player == 0:
        actions = own_order + opp_order
        draws0 = own_draws
        draws1 = opp_draws
    else:
        actions = opp_order + own_order
        draws0 = opp_draws
        draws1 = own_draws
    leader = 0
    k = 0
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
        if k < len(draws0):
            actions.append(draws0[k])
        if k < len(draws1):
            actions.append(draws1[k])
        k += 1
    if obs["led"] is not None:
        actions.append(_RANK[obs["led"]])
    return actions


def resample_state(player, history, rand):
    obs = history[-1][0]
    if len(history) < 7:
        state = _INITIAL
        for a in _resample_deal(player, obs, rand):
            state = apply_action(state, a)
        return state
    own_d, own_draws = _own_cards(player, history)
    for c in own_draws:
        own_d = (own_d << 2) | c
    opp_d, opp_draws, opp_hand, rem = _other_cards(player, obs, rand)
    for c in opp_draws:
        opp_d = (opp_d << 2) | c
    own_hand = _CODE["".join(obs["hand"])]
    p0, p1 = obs["piles"]
    t0, t1 = obs["taken"]
    leader = obs["leader"]
    battles = tuple([(_RANK[a], _RANK[b]) for a, b in obs["battles"]])
    led = obs["led"]
    if led is not None:
        led = _RANK[led]
        who = 1 - leader
    else:
        led = -1
        nb = len(battles)
        if nb == 6:
            who = -4
        elif p0 == p1 and p0 == 5 - nb:
            who = leader
        else:
            who = -1
    if player == 0:
        return (who, rem, own_hand, opp_hand, p0, p1, leader, led, battles,
                t0, t1, own_d, opp_d)
    return (who, rem, opp_hand, own_hand, p0, p1, leader, led, battles,
            t0, t1, opp_d, own_d)
