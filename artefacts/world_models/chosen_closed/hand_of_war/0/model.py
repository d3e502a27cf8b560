_LETTERS = ("A", "K", "Q", "J")
_RANK = {"A": 0, "K": 1, "Q": 2, "J": 3}

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 4
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 12
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# Multisets of cards are packed into one int, one octal digit per rank.
_U = (512, 64, 8, 1)
_UL = {"A": 512, "K": 64, "Q": 8, "J": 1}
_UNIT_RANK = {512: 0, 64: 1, 8: 2, 1: 3}
_FULL = 4 * (512 + 64 + 8 + 1)
_END = 28

_PLAY_NAMES = ("play A", "play K", "play Q", "play J")
_DRAW_NAMES = ("draw A", "draw K", "draw Q", "draw J")

_PAIRS = tuple(tuple((a, b) for b in _LETTERS) for a in _LETTERS)


def _build_code_tables():
    fact = (1, 1, 2, 6, 24)
    hands = []
    legal = []
    chance = []
    invf = []
    for code in range(4096):
        c = ((code >> 9) & 7, (code >> 6) & 7, (code >> 3) & 7, code & 7)
        if max(c) > 4:
            hands.append(())
            legal.append(())
            chance.append(())
            invf.append(0.0)
            continue
        total = sum(c)
        letters = []
        for r in range(4):
            letters.extend([_LETTERS[r]] * c[r])
        hands.append(tuple(letters))
        legal.append(tuple(r for r in range(4) if c[r]))
        chance.append(tuple((r, c[r] / total) for r in range(4) if c[r]))
        invf.append(1.0 / (fact[c[0]] * fact[c[1]] * fact[c[2]] * fact[c[3]]))
    return tuple(hands), tuple(legal), tuple(chance), tuple(invf)


_HANDS, _LEGAL, _CHANCE, _INVF = _build_code_tables()


def _build_piles():
    res = []
    for step in range(_END + 1):
        if step <= 3:
            res.append((8 - step, 8))
        elif step <= 6:
            res.append((5, 11 - step))
        else:
            res.append((5 - (step - 5) // 4, 5 - (step - 6) // 4))
    return tuple(res)


_PILES = _build_piles()

# The pairs of cards that can be left in a hand after a play.
_XCARDS = tuple((i, j) for i in range(4) for j in range(i, 4))
_X = tuple(_U[i] + _U[j] for i, j in _XCARDS)


def _build_pred():
    index = {}
    for i, code in enumerate(_X):
        index[code] = i
    res = []
    for code in _X:
        row = []
        for p in range(4):
            h = code + _U[p]
            row.append(tuple((r, index[h - _U[r]]) for r in _LEGAL[h]))
        res.append(tuple(row))
    return tuple(res)


# _PRED[x][p]: for the three cards x + p, each rank r that may have been drawn
# last, with the index of the pair that was in the hand before that draw.
_PRED = _build_pred()


def _build_g():
    # _G[t][q][x]: over all orders of draws that lead to the pair x after the
    # t plays with the code q (base 4), the sum of the products of
    # 1 / (number of legal plays) at each of the t plays.
    levels = [(tuple(1.0 if i == j else 2.0 for i, j in _XCARDS),)]
    for _ in range(6):
        cur = []
        for row in levels[-1]:
            for p in range(4):
                new = []
                for pred in _PRED:
                    opts = pred[p]
                    s = 0.0
                    for _r, y in opts:
                        s += row[y]
                    new.append(s / len(opts))
                cur.append(tuple(new))
        levels.append(tuple(cur))
    return tuple(levels)


_G = _build_g()

# State:
# 0 step, 1 actor, 2 leader, 3 led (-1: none), 4 hand of 0, 5 hand of 1,
# 6 cards not drawn yet, 7 taken by 0, 8 taken by 1, 9 battles,
# 10 what 0 drew, 11 what 1 drew (first hand as a multiset, then in order),
# 12 code of the finished battles
_INITIAL = (0, -1, 0, -1, 0, 0, _FULL, 0, 0, (), 0, 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[1]


def legal_actions(state):
    return list(_LEGAL[state[4 + state[1]]])


def chance_outcomes(state):
    return list(_CHANCE[state[6]])


def apply_action(state, action):
    step, actor, leader, led, h0, h1, rem, t0, t1, battles, v0, v1, pub = state
    u = _U[action]
    if actor < 0:
        rem -= u
        if step < 6:
            if step < 3:
                h0 += u
                if step == 2:
                    v0 = h0
            else:
                h1 += u
                if step == 5:
                    v1 = h1
                    actor = leader
        elif step & 3 == 0:
            h0 += u
            v0 = v0 * 4 + action
        else:
            h1 += u
            v1 = v1 * 4 + action
            actor = leader
        return (step + 1, actor, leader, led, h0, h1, rem, t0, t1, battles,
                v0, v1, pub)
    if actor == 0:
        h0 -= u
    else:
        h1 -= u
    if led < 0:
        return (step + 1, 1 - leader, leader, action, h0, h1, rem, t0, t1,
                battles, v0, v1, pub)
    if leader == 0:
        c0 = led
        c1 = action
    else:
        c0 = action
        c1 = led
    if c0 < c1:
        t0 += 2
        leader = 0
    elif c1 < c0:
        t1 += 2
        leader = 1
    step += 1
    return (step, -4 if step == _END else -1, leader, -1, h0, h1, rem, t0, t1,
            battles + (_PAIRS[c0][c1],), v0, v1, pub * 16 + c0 * 4 + c1)


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
    if state[1] < 0:
        return _DRAW_NAMES[action]
    return _PLAY_NAMES[action]


def observation(state, player):
    step = state[0]
    if player == 0:
        hand = list(_HANDS[state[4]]) if step >= 3 else []
    else:
        hand = list(_HANDS[state[5]]) if step >= 6 else []
    led = state[3]
    return {
        "hand": hand,
        "piles": list(_PILES[step]),
        "leader": state[2],
        "led": None if led < 0 else _LETTERS[led],
        "battles": [list(b) for b in state[9]],
        "taken": [state[7], state[8]],
    }


def information_state(state, player):
    return (player, state[0], state[10 + player], state[12], state[3])


def _random_draws(rem, count, rand):
    res = []
    for _ in range(count):
        u = rand()
        r = 0
        for r, p in _CHANCE[rem]:
            u -= p
            if u < 0.0:
                break
        res.append(r)
        rem -= _U[r]
    return res


def _own_draws(player, history, n, battles):
    # The own first hand (packed), the later draws in order, and all together.
    a, b, c = history[6 if player else 3][0]["hand"]
    first = cur = total = _UL[a] + _UL[b] + _UL[c]
    draws = []
    i = 0
    for s in range(9 + player, n + 1, 4):
        a, b, c = history[s][0]["hand"]
        new = _UL[a] + _UL[b] + _UL[c]
        d = new - cur + _UL[battles[i][player]]
        draws.append(_UNIT_RANK[d])
        total += d
        cur = new
        i += 1
    return first, draws, total


def _opponent_plays(player, obs):
    opp = 1 - player
    plays = [_RANK[b[opp]] for b in obs["battles"]]
    led = obs["led"]
    if led is not None and obs["leader"] == opp:
        plays.append(_RANK[led])
    return plays


def _has_extra_draw(player, n, m):
    # Has the other player drawn again since the last play? (m >= 1 plays)
    if player == 0:
        j = 3 + (n - 6) // 4
    else:
        j = 3 + (n - 5) // 4
    return j > m + 2


def _sample_opponent(plays, pool, extra, rand):
    # plays: the m >= 1 plays of the other player; pool: all cards that are
    # neither drawn by the player nor played by the other one.
    # Result: index of the pair left after the last play, index of the pair of
    # the first two cards drawn, the draws before each play, the extra draw
    # after the last play (or -1).
    m = len(plays)
    q = 0
    for p in plays:
        q = q * 4 + p
    w = [g * _INVF[pool - c] for g, c in zip(_G[m][q], _X)]
    u = rand() * sum(w)
    x = 0
    for i, v in enumerate(w):
        if v > 0.0:
            x = i
            if u < v:
                break
            u -= v
    last = -1
    if extra:
        u = rand()
        for last, v in _CHANCE[pool - _X[x]]:
            u -= v
            if u < 0.0:
                break
    draws = [0] * m
    y = x
    for t in range(m - 1, -1, -1):
        q >>= 2
        opts = _PRED[y][plays[t]]
        if len(opts) == 1:
            r, y = opts[0]
        else:
            row = _G[t][q]
            s = 0.0
            for r, z in opts:
                s += row[z]
            u = rand() * s
            for r, z in opts:
                u -= row[z]
                if u < 0.0:
                    break
            y = z
        draws[t] = r
    return x, y, draws, last


def resample_history(player, history, rand):
    n = len(history) - 1
    if n < (6 if player else 3):
        return _random_draws(_FULL, n, rand)
    obs = history[n][0]
    battles = obs["battles"]
    first, own, total = _own_draws(player, history, n, battles)
    cards = [_RANK[c] for c in _HANDS[first]]
    i = int(rand() * 3)
    cards[i], cards[2] = cards[2], cards[i]
    if rand() < 0.5:
        cards[0], cards[1] = cards[1], cards[0]
    mine = cards + own
    plays = _opponent_plays(player, obs)
    pool = _FULL - total
    if plays:
        for p in plays:
            pool -= _U[p]
        _x, y, draws, last = _sample_opponent(
            plays, pool, _has_extra_draw(player, n, len(plays)), rand)
        a, b = _XCARDS[y]
        if a != b and rand() < 0.5:
            a, b = b, a
        theirs = [a, b] + draws
        if last >= 0:
            theirs.append(last)
    else:
        theirs = _random_draws(pool, min(n - 3, 3), rand)
    if player == 0:
        d0 = mine
        d1 = theirs
    else:
        d0 = theirs
        d1 = mine
    acts = d0[:3] + d1[:3]
    leader = 0
    k = 3
    for b in battles:
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
        if len(d0) > k:
            acts.append(d0[k])
        if len(d1) > k:
            acts.append(d1[k])
        k += 1
    if obs["led"] is not None:
        acts.append(_RANK[obs["led"]])
    return acts


def resample_state(player, history, rand):
    n = len(history) - 1
    obs = history[n][0]
    plays = _opponent_plays(player, obs)
    if not plays:
        state = _INITIAL
        for a in resample_history(player, history, rand):
            state = apply_action(state, a)
        return state
    battles = obs["battles"]
    mine, own, total = _own_draws(player, history, n, battles)
    for r in own:
        mine = mine * 4 + r
    pool = _FULL - total
    for p in plays:
        pool -= _U[p]
    x, y, draws, last = _sample_opponent(
        plays, pool, _has_extra_draw(player, n, len(plays)), rand)
    theirs = _X[y] + _U[draws[0]]
    for i in range(1, len(draws)):
        theirs = theirs * 4 + draws[i]
    opp_hand = _X[x]
    if last >= 0:
        theirs = theirs * 4 + last
        opp_hand += _U[last]
    own_hand = 0
    for c in obs["hand"]:
        own_hand += _UL[c]
    pub = 0
    for b in battles:
        pub = pub * 16 + _RANK[b[0]] * 4 + _RANK[b[1]]
    leader = obs["leader"]
    led = obs["led"]
    k = n & 3
    if n == _END:
        actor = -4
    elif k == 2:
        actor = leader
    elif k == 3:
        actor = 1 - leader
    else:
        actor = -1
    taken = obs["taken"]
    if player == 0:
        h0 = own_hand
        h1 = opp_hand
        v0 = mine
        v1 = theirs
    else:
        h0 = opp_hand
        h1 = own_hand
        v0 = theirs
        v1 = mine
    return (n, actor, leader, -1 if led is None else _RANK[led], h0, h1,
            pool - opp_hand, taken[0], taken[1],
            tuple([(b[0], b[1]) for b in battles]), v0, v1, pub)
