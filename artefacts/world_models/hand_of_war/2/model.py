from math import comb

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 4
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 12
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# Ranks are 0 (A), 1 (K), 2 (Q), 3 (J).
# A multiset of cards is an int with 4 bits for the count of each rank.
_LETTERS = ("A", "K", "Q", "J")
_LED = ("A", "K", "Q", "J", None)          # index -1: nothing led
_UNIT = (1, 16, 256, 4096)
_FULL = 4 * sum(_UNIT)
_GUARD = 0x8888
_RANK = {"A": 0, "K": 1, "Q": 2, "J": 3}
_CODE = {"A": 1, "K": 16, "Q": 256, "J": 4096}
_RANK_OF = {1: 0, 16: 1, 256: 2, 4096: 3}
_PLAY_NAMES = tuple("play " + c for c in _LETTERS)
_DRAW_NAMES = tuple("draw " + c for c in _LETTERS)
_PAIRS = tuple((a, b) for a in _LETTERS for b in _LETTERS)

_END = 28

# Per number of actions so far: -1 chance, -4 end, 0 lead, 1 follow.
_WHO = []
# Per number of actions so far: the sizes of the piles.
_PILES = []
# Per number of actions so far: what happens there.
# 0: lead, 1: follow, 2: later draw of player 0, 3: later draw of player 1,
# 4: first hand of player 0, 5: its last card,
# 6: first hand of player 1, 7: its last card
_PHASE = []


def _build_schedule():
    p0 = 8
    p1 = 8
    for t in range(_END + 1):
        _PILES.append((p0, p1))
        if t == _END:
            _WHO.append(-4)
            _PHASE.append(-1)
        elif t < 3:
            _WHO.append(-1)
            _PHASE.append(5 if t == 2 else 4)
            p0 -= 1
        elif t < 6:
            _WHO.append(-1)
            _PHASE.append(7 if t == 5 else 6)
            p1 -= 1
        else:
            k = (t - 6) % 4
            _PHASE.append(k)
            if k < 2:
                _WHO.append(k)
            else:
                _WHO.append(-1)
                if k == 2:
                    p0 -= 1
                else:
                    p1 -= 1


_build_schedule()
_WHO = tuple(_WHO)
_PILES = tuple(_PILES)
_PHASE = tuple(_PHASE)

_RANKS = [()] * (_FULL + 1)     # ranks present, ascending
_CARDS = [()] * (_FULL + 1)     # ranks with repetition, ascending
_SHOW = [()] * (_FULL + 1)      # letters with repetition, the highest first
_OUT = [()] * (_FULL + 1)       # chance outcomes
_SIX = {}                       # 3-card hand: 6 / number of different ranks
_WITH = {1: [], 16: [], 256: [], 4096: []}   # 3-card hands with a rank
_WAYS = {}                      # pool: {3-card hand: number of ways}


def _build_tables():
    hands = []
    pools = []
    for a in range(5):
        for b in range(5):
            for c in range(5):
                for d in range(5):
                    counts = (a, b, c, d)
                    n = a + b + c + d
                    code = a + 16 * b + 256 * c + 4096 * d
                    present = tuple(r for r in range(4) if counts[r])
                    _RANKS[code] = present
                    cards = []
                    for r in range(4):
                        cards.extend([r] * counts[r])
                    _CARDS[code] = tuple(cards)
                    _SHOW[code] = tuple(_LETTERS[r] for r in cards)
                    if n:
                        _OUT[code] = tuple((r, counts[r] / n) for r in present)
                    if n == 3:
                        hands.append((code, counts))
                        _SIX[code] = 6 // len(present)
                        for r in present:
                            _WITH[_UNIT[r]].append(code)
                    if 8 <= n <= 13:
                        pools.append((code, counts))
    for pool, pc in pools:
        ways = {}
        for hand, hc in hands:
            w = 1
            for r in range(4):
                w *= comb(pc[r], hc[r])
            if w:
                ways[hand] = w
        _WAYS[pool] = ways


_build_tables()

# State: (number of actions so far, hand 0, hand 1, cards not drawn yet,
#         leader, led rank or -1, finished battles (4 * card 0 + card 1),
#         taken 0, taken 1, draws seen by player 0, draws seen by player 1)
# The draws seen are 0 until the first hand is complete, then its code,
# then 4 * before + rank for each later draw.
_START = (0, 0, 0, _FULL, 0, -1, (), 0, 0, 0, 0)


def initial_state():
    return _START


def current_player(state):
    w = _WHO[state[0]]
    return w if w < 0 else state[4] ^ w


def legal_actions(state):
    return list(_RANKS[state[1 + (state[4] ^ _WHO[state[0]])]])


def chance_outcomes(state):
    if _WHO[state[0]] != -1:
        return []
    return list(_OUT[state[3]])


def apply_action(state, action):
    t, h0, h1, rem, leader, led, battles, k0, k1, s0, s1 = state
    u = _UNIT[action]
    phase = _PHASE[t]
    if phase == 0:
        if leader:
            h1 -= u
        else:
            h0 -= u
        return (t + 1, h0, h1, rem, leader, action, battles, k0, k1, s0, s1)
    if phase == 1:
        if leader:
            h0 -= u
            c0 = action
            c1 = led
        else:
            h1 -= u
            c0 = led
            c1 = action
        if c0 < c1:
            k0 += 2
            leader = 0
        elif c1 < c0:
            k1 += 2
            leader = 1
        return (t + 1, h0, h1, rem, leader, -1, battles + (c0 * 4 + c1,),
                k0, k1, s0, s1)
    rem -= u
    if phase == 2:
        h0 += u
        s0 = s0 * 4 + action
    elif phase == 3:
        h1 += u
        s1 = s1 * 4 + action
    elif phase < 6:
        h0 += u
        if phase == 5:
            s0 = h0
    else:
        h1 += u
        if phase == 7:
            s1 = h1
    return (t + 1, h0, h1, rem, leader, led, battles, k0, k1, s0, s1)


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
    if _WHO[state[0]] == -1:
        return _DRAW_NAMES[action]
    return _PLAY_NAMES[action]


def observation(state, player):
    t = state[0]
    if player:
        hand = list(_SHOW[state[2]]) if t >= 6 else []
    else:
        hand = list(_SHOW[state[1]]) if t >= 3 else []
    return {
        "hand": hand,
        "piles": list(_PILES[t]),
        "leader": state[4],
        "led": _LED[state[5]],
        "battles": [list(_PAIRS[b]) for b in state[6]],
        "taken": [state[7], state[8]],
    }


def information_state(state, player):
    return (player, state[0], state[10] if player else state[9],
            state[6], state[5])


def _order(code, rand):
    """The three cards of a hand in a random order."""
    cards = list(_CARDS[code])
    j = int(rand() * 3)
    cards[j], cards[2] = cards[2], cards[j]
    j = int(rand() * 2)
    cards[j], cards[1] = cards[1], cards[j]
    return cards


def _early(player, history, rand):
    """The actions of a game in which the first hands are not complete."""
    t = len(history) - 1
    acts = []
    rem = _FULL
    if player == 0 and t >= 3:
        hand = history[3][0]["hand"]
        code = _CODE[hand[0]] + _CODE[hand[1]] + _CODE[hand[2]]
        acts = _order(code, rand)
        rem -= code
    while len(acts) < t:
        cards = _CARDS[rem]
        r = cards[int(rand() * len(cards))]
        acts.append(r)
        rem -= _UNIT[r]
    return acts


def _world(player, history, rand):
    """What is known and a random choice of what is hidden; only from the
    time on when both first hands are complete."""
    code_of = _CODE
    t = len(history) - 1
    last = history[t][0]
    battles = last["battles"]

    # the player's own draws
    hand = history[6 if player else 3][0]["hand"]
    first = code = code_of[hand[0]] + code_of[hand[1]] + code_of[hand[2]]
    pool = _FULL - first
    own = []
    i = 10 if player else 9
    for battle in battles:
        if i > t:
            break
        hand = history[i][0]["hand"]
        now = code_of[hand[0]] + code_of[hand[1]] + code_of[hand[2]]
        d = now - code + code_of[battle[player]]
        own.append(_RANK_OF[d])
        pool -= d
        code = now
        i += 4

    # the other player's plays and number of later draws
    other = 1 - player
    plays = [code_of[battle[other]] for battle in battles]
    if last["led"] is not None and last["leader"] == other:
        plays.append(code_of[last["led"]])
    m = len(plays)
    draws = (t - (10 if other else 9)) // 4 + 1

    left = pool + _GUARD
    lefts = []
    for p in plays:
        lefts.append(left)
        left -= p

    # Backwards: weight of the plays from the k-th on, given the hand before.
    guard = _GUARD
    six = _SIX
    tables = [None] * m
    following = None
    for k in range(m - 1, -1, -1):
        p = plays[k]
        base = lefts[k]
        table = {}
        if following is None:
            for h in _WITH[p]:
                if (base - h) & guard == guard:
                    table[h] = six[h]
        else:
            get = following.get
            for h in _WITH[p]:
                q = base - h
                if q & guard == guard:
                    e = h - p
                    g = ((q & 7) * get(e + 1, 0)
                         + ((q >> 4) & 7) * get(e + 16, 0)
                         + ((q >> 8) & 7) * get(e + 256, 0)
                         + ((q >> 12) & 7) * get(e + 4096, 0))
                    if g:
                        table[h] = six[h] * g
        tables[k] = following = table

    # Forwards: the first hand of the other player, then the later draws.
    ways = _WAYS[pool]
    if m:
        choices = [(h, w * ways[h]) for h, w in tables[0].items()]
    else:
        choices = list(ways.items())
    total = 0
    for pair in choices:
        total += pair[1]
    x = rand() * total
    h = 0
    for h, w in choices:
        if x < w:
            break
        x -= w
    start = h
    got = []
    for k in range(draws):
        q = lefts[k] - h
        e = h - plays[k]
        c0 = q & 7
        c1 = (q >> 4) & 7
        c2 = (q >> 8) & 7
        c3 = (q >> 12) & 7
        if k + 1 < m:
            get = tables[k + 1].get
            c0 *= get(e + 1, 0)
            c1 *= get(e + 16, 0)
            c2 *= get(e + 256, 0)
            c3 *= get(e + 4096, 0)
        c1 += c0
        c2 += c1
        x = rand() * (c2 + c3)
        if x < c0:
            r = 0
        elif x < c1:
            r = 1
        elif x < c2:
            r = 2
        else:
            r = 3
        got.append(r)
        h = e + _UNIT[r]
    if m > draws:
        h -= plays[m - 1]
    return t, last, first, own, start, got, h, left - guard - h


def resample_history(player, history, rand):
    if len(history) < 7:
        return _early(player, history, rand)
    t, last, first, own, start, got, h, rem = _world(player, history, rand)
    mine = _order(first, rand)
    theirs = _order(start, rand)
    if player:
        acts = theirs + mine
        d0 = got
        d1 = own
    else:
        acts = mine + theirs
        d0 = own
        d1 = got
    n0 = len(d0)
    n1 = len(d1)
    leader = 0
    j = 0
    for battle in last["battles"]:
        c0 = _RANK[battle[0]]
        c1 = _RANK[battle[1]]
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
        if j < n0:
            acts.append(d0[j])
        if j < n1:
            acts.append(d1[j])
        j += 1
    if last["led"] is not None:
        acts.append(_RANK[last["led"]])
    return acts


def resample_state(player, history, rand):
    if len(history) < 7:
        state = _START
        for a in _early(player, history, rand):
            state = apply_action(state, a)
        return state
    t, last, first, own, start, got, h, rem = _world(player, history, rand)
    s = first
    for r in own:
        s = s * 4 + r
    z = start
    for r in got:
        z = z * 4 + r
    mine = 0
    for c in last["hand"]:
        mine += _CODE[c]
    led = last["led"]
    led = -1 if led is None else _RANK[led]
    rank = _RANK
    battles = tuple([rank[b[0]] * 4 + rank[b[1]] for b in last["battles"]])
    taken = last["taken"]
    if player:
        return (t, h, mine, rem, last["leader"], led, battles,
                taken[0], taken[1], z, s)
    return (t, mine, h, rem, last["leader"], led, battles,
            taken[0], taken[1], s, z)
