NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 4
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 12
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# ---------------------------------------------------------------------------
# Tables
# ---------------------------------------------------------------------------
_LETTERS = ("A", "K", "Q", "J")            # rank 0 is the highest
_IDX = {"A": 0, "K": 1, "Q": 2, "J": 3}
_PLAY = tuple("play " + c for c in _LETTERS)
_DRAW = tuple("draw " + c for c in _LETTERS)
_END = 28

# A hand is an int: the counts of the ranks in base 4 (at most 3 cards).
_HW = (64, 16, 4, 1)
_LW = {"A": 64, "K": 16, "Q": 4, "J": 1}   # letter -> weight in a hand
_W2R = {64: 0, 16: 1, 4: 2, 1: 3}          # weight -> rank
# The undrawn cards are an int: the counts of the ranks in base 5.
_DW = (125, 25, 5, 1)
_FULL = 624


def _hand_counts(h):
    return (h // 64, (h // 16) % 4, (h // 4) % 4, h % 4)


_COUNTS = tuple(_hand_counts(h) for h in range(256))
_CARDS = tuple(tuple(r for r in range(4) for _ in range(n[r])) for n in _COUNTS)
_SHOWN = tuple(tuple(_LETTERS[r] for r in c) for c in _CARDS)
_LEGAL = tuple(tuple(r for r in range(4) if n[r]) for n in _COUNTS)
_H2D = tuple(sum(n[r] * _DW[r] for r in range(4)) for n in _COUNTS)


def _make_chance():
    table = []
    for d in range(625):
        n = (d // 125, (d // 25) % 5, (d // 5) % 5, d % 5)
        total = sum(n)
        table.append(tuple((r, n[r] / total) for r in range(4) if n[r]))
    return tuple(table)


_CHANCE = _make_chance()


def _make_actor():
    table = []
    for t in range(_END + 1):
        if t == _END:
            table.append((-4, -4))
        elif t < 6:
            table.append((-1, -1))
        else:
            phase = (t - 6) & 3
            if phase == 0:
                table.append((0, 1))
            elif phase == 1:
                table.append((1, 0))
            else:
                table.append((-1, -1))
    return tuple(table)


_ACTOR = _make_actor()                     # [t][leader]


def _make_piles():
    table = []
    p0 = 8
    p1 = 8
    for t in range(_END + 1):
        table.append((p0, p1))
        if t < 3:
            p0 -= 1
        elif t < 6:
            p1 -= 1
        else:
            phase = (t - 6) & 3
            if phase == 2:
                p0 -= 1
            elif phase == 3:
                p1 -= 1
    return tuple(table)


_PILES = _make_piles()

_PAIR = tuple(tuple((a, b) for b in _LETTERS) for a in _LETTERS)

# Tables for resampling. Hands of two cards (left after a play) are numbered.
_G2 = tuple(_HW[a] + _HW[b] for a in range(4) for b in range(a, 4))
_GI = {g: i for i, g in enumerate(_G2)}
_COMB = ((1, 0, 0, 0), (1, 1, 0, 0), (1, 2, 1, 0), (1, 3, 3, 1), (1, 4, 6, 4))


def _make_first():
    # [played rank][two cards left] -> (6 / number of legal plays, counts)
    table = []
    for o in range(4):
        rows = []
        for g in _G2:
            h = g + _HW[o]
            rows.append((6 // len(_LEGAL[h]),
                         tuple((r, _COUNTS[h][r]) for r in _LEGAL[h])))
        table.append(tuple(rows))
    return tuple(table)


def _make_trans():
    # [played rank][two cards left] -> (6 / number of legal plays,
    #   ((drawn rank, two cards held before the draw, count of it in them), ..))
    table = []
    for o in range(4):
        rows = []
        for g in _G2:
            h = g + _HW[o]
            preds = tuple((c, _GI[h - _HW[c]], _COUNTS[h][c] - 1)
                          for c in _LEGAL[h])
            rows.append((6 // len(_LEGAL[h]), preds))
        table.append(tuple(rows))
    return tuple(table)


_FIRST = _make_first()
_TRANS = _make_trans()

# ---------------------------------------------------------------------------
# The game
# state = (t, hand0, hand1, undrawn, leader, led, battles, taken0, taken1,
#          known0, known1)
# known: () until the first hand is complete, then (first hand, draw, draw, ..)
# ---------------------------------------------------------------------------
_INITIAL = (0, 0, 0, _FULL, 0, -1, (), 0, 0, (), ())


def initial_state():
    return _INITIAL


def current_player(state):
    return _ACTOR[state[0]][state[4]]


def legal_actions(state):
    return list(_LEGAL[state[1 + _ACTOR[state[0]][state[4]]]])


def chance_outcomes(state):
    return list(_CHANCE[state[3]])


def apply_action(state, action):
    t, h0, h1, deck, leader, led, battles, k0, k1, known0, known1 = state
    if t < 6:
        if t < 3:
            h0 += _HW[action]
            if t == 2:
                known0 = (h0,)
        else:
            h1 += _HW[action]
            if t == 5:
                known1 = (h1,)
        return (t + 1, h0, h1, deck - _DW[action], leader, led, battles,
                k0, k1, known0, known1)
    phase = (t - 6) & 3
    if phase == 0:
        if leader == 0:
            h0 -= _HW[action]
        else:
            h1 -= _HW[action]
        return (t + 1, h0, h1, deck, leader, action, battles,
                k0, k1, known0, known1)
    if phase == 1:
        if leader == 0:
            h1 -= _HW[action]
            c0 = led
            c1 = action
        else:
            h0 -= _HW[action]
            c0 = action
            c1 = led
        if c0 < c1:
            k0 += 2
            leader = 0
        elif c1 < c0:
            k1 += 2
            leader = 1
        return (t + 1, h0, h1, deck, leader, -1, battles + (_PAIR[c0][c1],),
                k0, k1, known0, known1)
    if phase == 2:
        return (t + 1, h0 + _HW[action], h1, deck - _DW[action], leader, led,
                battles, k0, k1, known0 + (action,), known1)
    return (t + 1, h0, h1 + _HW[action], deck - _DW[action], leader, led,
            battles, k0, k1, known0, known1 + (action,))


def returns(state):
    if state[0] == _END:
        a = state[7]
        b = state[8]
        if a > b:
            return [1.0, -1.0]
        if b > a:
            return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    if _ACTOR[state[0]][state[4]] >= 0:
        return _PLAY[action]
    return _DRAW[action]


def observation(state, player):
    t = state[0]
    if player == 0:
        hand = list(_SHOWN[state[1]]) if t >= 3 else []
    else:
        hand = list(_SHOWN[state[2]]) if t >= 6 else []
    led = state[5]
    return {
        "hand": hand,
        "piles": list(_PILES[t]),
        "leader": state[4],
        "led": _LETTERS[led] if led >= 0 else None,
        "battles": [list(b) for b in state[6]],
        "taken": [state[7], state[8]],
    }


def information_state(state, player):
    return (state[0], player, state[9 + player], state[6], state[5])


# ---------------------------------------------------------------------------
# Resampling
# ---------------------------------------------------------------------------
def _pick(weights, rand):
    x = rand() * sum(weights)
    last = 0
    for i, w in enumerate(weights):
        if w > 0:
            x -= w
            last = i
            if x < 0:
                return i
    return last


def _shuffled(cards, rand):
    cards = list(cards)
    for i in range(len(cards) - 1, 0, -1):
        j = int(rand() * (i + 1))
        if j > i:
            j = i
        cards[i], cards[j] = cards[j], cards[i]
    return cards


def _early(player, history, rand):
    # Before both first hands are complete: nobody has played a card.
    t = len(history) - 1
    pool = [4, 4, 4, 4]
    acts = []
    if player == 0 and t >= 3:
        acts = _shuffled([_IDX[c] for c in history[t][0]["hand"]], rand)
        for c in acts:
            pool[c] -= 1
    while len(acts) < t:
        c = _pick(pool, rand)
        pool[c] -= 1
        acts.append(c)
    return acts


def _sample(player, history, rand):
    # Both first hands are complete (t >= 6).
    # Returns (known cards of player, cards not drawn by player (counts),
    #          first hand of the other, draws of the other, plays of the other)
    t = len(history) - 1
    last = history[t][0]
    opp = 1 - player
    mine = []
    theirs = []
    for b in last["battles"]:
        mine.append(_IDX[b[player]])
        theirs.append(_IDX[b[opp]])
    led = last["led"]
    if led is not None:
        if last["leader"] == player:
            mine.append(_IDX[led])
        else:
            theirs.append(_IDX[led])

    # what the player has drawn
    a, b, c = history[6 if player else 3][0]["hand"]
    full = _LW[a] + _LW[b] + _LW[c]
    known = [full]
    n = _COUNTS[full]
    rest = [4 - n[0], 4 - n[1], 4 - n[2], 4 - n[3]]
    i = 9 + player
    j = 0
    while i <= t:
        a, b, c = history[i][0]["hand"]
        new_full = _LW[a] + _LW[b] + _LW[c]
        r = _W2R[new_full - full + _HW[mine[j]]]
        rest[r] -= 1
        known.append(r)
        full = new_full
        i += 4
        j += 1

    num_draws = (t - 5 - opp) // 4
    k = len(theirs)
    if k == 0:
        pool = rest[:]
        h = 0
        for _ in range(3):
            r = _pick(pool, rand)
            pool[r] -= 1
            h += _HW[r]
        return known, rest, h, [], theirs

    # forward: weights of the two cards left after each play
    o = theirs[0]
    alpha = []
    for m, parts in _FIRST[o]:
        for r, cnt in parts:
            m *= _COMB[rest[r]][cnt]
        alpha.append(m)
    q = rest[:]
    q[o] -= 1
    alphas = [alpha]
    qs = [q]
    for i in range(1, k):
        o = theirs[i]
        nxt = []
        for m, preds in _TRANS[o]:
            s = 0
            for c, g, cnt in preds:
                s += alpha[g] * (q[c] - cnt)
            nxt.append(s * m)
        alpha = nxt
        q = q[:]
        q[o] -= 1
        alphas.append(alpha)
        qs.append(q)

    # backward: draw what the other player held
    gi = _pick(alpha, rand)
    extra = -1
    if num_draws == k:
        n = _COUNTS[_G2[gi]]
        extra = _pick([q[0] - n[0], q[1] - n[1], q[2] - n[2], q[3] - n[3]], rand)
    draws = []
    for i in range(k - 1, 0, -1):
        preds = _TRANS[theirs[i]][gi][1]
        if len(preds) == 1:
            p = preds[0]
        else:
            al = alphas[i - 1]
            qq = qs[i - 1]
            p = preds[_pick([al[g] * (qq[c] - cnt) for c, g, cnt in preds], rand)]
        draws.append(p[0])
        gi = p[1]
    draws.reverse()
    if extra >= 0:
        draws.append(extra)
    return known, rest, _G2[gi] + _HW[theirs[0]], draws, theirs


def resample_history(player, history, rand):
    if len(history) < 7:
        return _early(player, history, rand)
    known, rest, first, draws, theirs = _sample(player, history, rand)
    other = [first] + draws
    if player == 0:
        known0 = known
        known1 = other
    else:
        known0 = other
        known1 = known
    acts = _shuffled(_CARDS[known0[0]], rand)
    acts += _shuffled(_CARDS[known1[0]], rand)
    last = history[-1][0]
    leader = 0
    n0 = len(known0)
    n1 = len(known1)
    i = 0
    for b in last["battles"]:
        i += 1
        c0 = _IDX[b[0]]
        c1 = _IDX[b[1]]
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
        if i < n0:
            acts.append(known0[i])
        if i < n1:
            acts.append(known1[i])
    led = last["led"]
    if led is not None:
        acts.append(_IDX[led])
    return acts


def resample_state(player, history, rand):
    if len(history) < 7:
        state = _INITIAL
        for c in _early(player, history, rand):
            state = apply_action(state, c)
        return state
    known, rest, first, draws, theirs = _sample(player, history, rand)
    last = history[-1][0]
    own = 0
    for c in last["hand"]:
        own += _LW[c]
    other = first
    deck = (rest[0] * 125 + rest[1] * 25 + rest[2] * 5 + rest[3]) - _H2D[first]
    for r in draws:
        other += _HW[r]
        deck -= _DW[r]
    for r in theirs:
        other -= _HW[r]
    led = last["led"]
    led = -1 if led is None else _IDX[led]
    battles = tuple([(b[0], b[1]) for b in last["battles"]])
    k0, k1 = last["taken"]
    t = len(history) - 1
    if player == 0:
        return (t, own, other, deck, last["leader"], led, battles, k0, k1,
                tuple(known), (first,) + tuple(draws))
    return (t, other, own, deck, last["leader"], led, battles, k0, k1,
            (first,) + tuple(draws), tuple(known))
