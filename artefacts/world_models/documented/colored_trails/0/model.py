from itertools import combinations_with_replacement, product

NUM_PLAYERS = 3
NUM_DISTINCT_ACTIONS = 93123
MAX_CHANCE_OUTCOMES = 10
MAX_GAME_LENGTH = 3
MIN_UTILITY = -400.0
MAX_UTILITY = 150.0

_DEAL0 = 93120
_DEAL1 = 93121
_PASS = 93122          # of a proposer: empty trade; of the responder: no deal
_DEALS = (_DEAL0, _DEAL1)
_COLORS = "ABCDE"

# cells, hands of players 0, 1, 2, positions of players 0, 1, 2 and the flag
_BOARD_LINES = (
    "DEADCACCADBDBECC BCD BDDDD AAABCC 4 5 15 12",   # 0: recorded
    "BADCEABDCCEADBEA ABCE CDDE ABBDE 0 6 9 15",     # 1: NOT KNOWN, made up
    "CDEABBACDEACEBDD AACD BDEE BCCDE 3 8 5 14",     # 2: NOT KNOWN, made up
    "ACEBDCABEDDACBEC BDDE AACC ABCEE 12 1 10 7",    # 3: NOT KNOWN, made up
    "DBACCEDAABECBDAE ACDE BBCE ABDDE 2 13 4 11",    # 4: NOT KNOWN, made up
    "EADBCBCEADABDECC BCE AADD ABCDE 15 9 2 4",      # 5: NOT KNOWN, made up
    "EBCCDDBAEADEEDDE CCD ABDD ACEE 5 7 0 8",        # 6: recorded
    "BCEDAADCEBCADEBA CDE ABBC AADEE 6 12 3 9",      # 7: NOT KNOWN, made up
    "EEEAEBDBEDCEDBCE ABCCDE DDD BEEE 8 7 10 2",     # 8: recorded
    "CBADEDCABAECDCEB ADE BCCD ABBCE 11 0 14 5",     # 9: NOT KNOWN, made up
)


# ---------------------------------------------------------------- trades

def _make_trades():
    """The texts of all proper trades, in the order of their numbers."""
    combos = sorted("".join(c) for n in range(1, 9)
                    for c in combinations_with_replacement(_COLORS, n))
    rank = {s: i for i, s in enumerate(combos)}
    by_mask = {}
    for s in combos:
        mask = 0
        for ch in s:
            mask |= 1 << _COLORS.index(ch)
        padded = [rank["A" * k + s] for k in range(9 - len(s))]
        by_mask.setdefault(mask, []).append((s, len(s), padded))
    found = []
    for mg, gs in by_mask.items():
        only_a = mg == 1
        for mr, rs in by_mask.items():
            if mg & mr:
                continue
            for g, lg, pg in gs:
                start = g + " for "
                for r, lr, pr in rs:
                    if only_a:
                        k = 0
                    else:
                        k = 8 - (lg if lg > lr else lr)
                    found.append((pg[k] * 2048 + pr[k], start + r))
    found.sort()
    return [text for _, text in found]


_TEXT = _make_trades()
_ID = {text: i for i, text in enumerate(_TEXT)}
_ID["Pass trade."] = _PASS


def _trade_text(t):
    return "Pass trade." if t == _PASS else _TEXT[t]


def _chips(counts):
    return "".join(c * n for c, n in zip(_COLORS, counts))


def _counts(chips):
    return tuple(chips.count(c) for c in _COLORS)


# ---------------------------------------------------------------- scores

def _make_neighbours():
    result = []
    for c in range(16):
        row, col = divmod(c, 4)
        near = []
        if row > 0:
            near.append(c - 4)
        if row < 3:
            near.append(c + 4)
        if col > 0:
            near.append(c - 1)
        if col < 3:
            near.append(c + 1)
        result.append(tuple(near))
    return tuple(result)


_NEAR = _make_neighbours()


def _walks(cells, start, flag):
    """Walks worth considering, best first: (chips needed, value), where
    value = -25 * distance left - 10 * steps."""
    fr, fc = divmod(flag, 4)
    dist = [abs(c // 4 - fr) + abs(c % 4 - fc) for c in range(16)]
    limit = 25 * dist[start]
    color = [_COLORS.index(ch) for ch in cells]
    best = {}
    stack = [(start, 1 << start, (0, 0, 0, 0, 0), 0)]
    while stack:
        pos, seen, cost, steps = stack.pop()
        value = -25 * dist[pos] - 10 * steps
        if cost not in best or best[cost] < value:
            best[cost] = value
        if pos == flag:
            continue
        for q in _NEAR[pos]:
            if seen >> q & 1:
                continue
            # even reaching the flag directly from there is no better than
            # not moving at all
            if 10 * (steps + 1 + dist[q]) >= limit:
                continue
            c = color[q]
            stack.append((q, seen | 1 << q,
                          cost[:c] + (cost[c] + 1,) + cost[c + 1:],
                          steps + 1))
    kept = []
    for cost, value in sorted(best.items(), key=lambda e: (-e[1], e[0])):
        for other, _ in kept:
            if (other[0] <= cost[0] and other[1] <= cost[1]
                    and other[2] <= cost[2] and other[3] <= cost[3]
                    and other[4] <= cost[4]):
                break
        else:
            kept.append((cost, value))
    return kept


def _score(hand, walks):
    a, b, c, d, e = hand
    for cost, value in walks:
        if (cost[0] <= a and cost[1] <= b and cost[2] <= c
                and cost[3] <= d and cost[4] <= e):
            return value + 10 * (a + b + c + d + e)
    return 0    # not reached: not moving needs no chips


# ---------------------------------------------------------------- boards

def _sub_hands(hand):
    return [s for s in product(*[range(n + 1) for n in hand]) if any(s)]


def _make_board(line):
    """(legal, outcome, heads, hands as texts, base observations)
    legal[p]: legal actions of proposer p
    outcome[p][trade]: gain of p, gain of the responder, both hands after"""
    parts = line.split()
    cells = parts[0]
    hand_texts = tuple(parts[1:4])
    hands = tuple(_counts(h) for h in hand_texts)
    places = tuple(int(x) for x in parts[4:8])
    flag = places[3]
    walks = [_walks(cells, places[p], flag) for p in range(3)]
    base = [_score(hands[p], walks[p]) for p in range(3)]
    responder = hands[2]
    receivings = _sub_hands(responder)
    legal = []
    outcome = []
    for p in range(2):
        hand = hands[p]
        table = {}
        for g in _sub_hands(hand):
            g_text = _chips(g) + " for "
            for r in receivings:
                if (g[0] and r[0] or g[1] and r[1] or g[2] and r[2]
                        or g[3] and r[3] or g[4] and r[4]):
                    continue
                t = _ID[g_text + _chips(r)]
                mine = tuple(hand[i] - g[i] + r[i] for i in range(5))
                theirs = tuple(responder[i] + g[i] - r[i] for i in range(5))
                table[t] = (float(_score(mine, walks[p]) - base[p]),
                            float(_score(theirs, walks[2]) - base[2]),
                            _chips(mine), _chips(theirs))
        legal.append(tuple(sorted(table)) + (_PASS,))
        outcome.append(table)
    rows = "".join(cells[i:i + 4] + "\n" for i in (0, 4, 8, 12))
    heads = tuple("%s\nPlayer: %d\nPos: %d %d %d %d\n" % ((rows, p) + places)
                  for p in range(3))
    texts = (
        heads[0] + "My chips: " + hand_texts[0]
        + "\nResponder chips: " + hand_texts[2] + "\n",
        heads[1] + "My chips: " + hand_texts[1]
        + "\nResponder chips: " + hand_texts[2] + "\n",
        heads[2] + "P0 chips: " + hand_texts[0]
        + "\nP1 chips: " + hand_texts[1] + "\n",
    )
    return tuple(legal), tuple(outcome), heads, hand_texts, texts


_BOARDS = tuple(_make_board(line) for line in _BOARD_LINES)
_LEGAL = tuple(b[0] for b in _BOARDS)
_OUTCOME = tuple(b[1] for b in _BOARDS)
_HEADS = tuple(b[2] for b in _BOARDS)
_HANDS = tuple(b[3] for b in _BOARDS)
_BASE = tuple(b[4] for b in _BOARDS)

_START = tuple(
    "@@@@\n@@@@\n@@@@\n@@@@\n\nPlayer: %d\nPos: -1 -1 -1 -1\n" % p
    + ("P0 chips: \nP1 chips: \n" if p == 2
       else "My chips: \nResponder chips: \n")
    for p in range(3))


def _make_views():
    """For each player: first observation of a board -> boards that fit."""
    views = []
    for p in range(3):
        table = {}
        for b in range(len(_BASE)):
            table.setdefault(_BASE[b][p], []).append(b)
        views.append({text: tuple(bs) for text, bs in table.items()})
    return tuple(views)


_VIEWS = _make_views()
# boards that look the same to a player have the same number here
_VIEW_ID = tuple(tuple(_VIEWS[p][_BASE[b][p]][0] for b in range(len(_BASE)))
                 for p in range(3))

_TURN = (-1, 0, 1, 2, -4)
_RESPONSES = {_DEAL0: "Deal: trade with proposer 0",
              _DEAL1: "Deal: trade with proposer 1",
              _PASS: "No Deal!"}
_RESPONSE_ID = {name: a for a, name in _RESPONSES.items()}


# ---------------------------------------------------------------- the game
# A state is the tuple of what happened: (board, trade of player 0,
# trade of player 1, response), as far as the game has come.

def initial_state():
    return ()


def current_player(state):
    return _TURN[len(state)]


def legal_actions(state):
    n = len(state)
    if n == 3:
        return [_DEAL0, _DEAL1, _PASS]
    return list(_LEGAL[state[0]][n - 1])


def chance_outcomes(state):
    if state:
        return []
    return [(i, 0.1) for i in range(10)]


def apply_action(state, action):
    return state + (action,)


def returns(state):
    if len(state) == 4:
        b, t0, t1, r = state
        if r == _DEAL0:
            if t0 != _PASS:
                e = _OUTCOME[b][0][t0]
                return [e[0], 0.0, e[1]]
        elif r == _DEAL1:
            if t1 != _PASS:
                e = _OUTCOME[b][1][t1]
                return [0.0, e[0], e[1]]
    return [0.0, 0.0, 0.0]


def action_name(state, action):
    n = len(state)
    if n == 0:
        return "Chance outcome %d" % action
    if n == 3:
        return _RESPONSES[action]
    return "Proposer %d: %s" % (n - 1, _trade_text(action))


def observation(state, player):
    n = len(state)
    if n == 0:
        return {"observation": _START[player]}
    b = state[0]
    if n == 3:
        if player == 2:
            return {"observation": "%sProposal 0: %s\nProposal 1: %s\n" % (
                _BASE[b][2], _trade_text(state[1]), _trade_text(state[2]))}
    elif n == 4:
        r = state[3]
        if r != _PASS:
            p = r - _DEAL0
            t = state[1 + p]
            if t != _PASS:
                e = _OUTCOME[b][p][t]
                hands = _HANDS[b]
                if player == 2:
                    if p == 0:
                        h0, h1 = e[2], hands[1]
                    else:
                        h0, h1 = hands[0], e[2]
                    return {"observation": "%sP0 chips: %s\nP1 chips: %s\n"
                            % (_HEADS[b][2], h0, h1)}
                own = e[2] if p == player else hands[player]
                return {"observation": "%sMy chips: %s\nResponder chips: %s\n"
                        % (_HEADS[b][player], own, e[3])}
    return {"observation": _BASE[b][player]}


def information_state(state, player):
    n = len(state)
    if n == 0:
        return (player, 0)
    view = _VIEW_ID[player][state[0]]
    if player == 2:
        if n < 3:
            return (2, n, view)
        return (2, n, view) + state[1:]
    if n < player + 2:
        return (player, n, view)
    own = state[1 + player]
    if n < 4:
        return (player, n, view, own)
    # what the final hands tell: the trade carried out, if any
    r = state[3]
    done = -1
    if r == _DEAL0:
        if state[1] != _PASS:
            done = state[1]
    elif r == _DEAL1:
        if state[2] != _PASS:
            done = NUM_DISTINCT_ACTIONS + state[2]
    return (player, n, view, own, done)


# ---------------------------------------------------------------- resampling

def _pick(items, weights, rand):
    total = 0.0
    for w in weights:
        total += w
    x = rand() * total
    chosen = None
    for item, w in zip(items, weights):
        if w > 0.0:
            chosen = item
            x -= w
            if x < 0.0:
                break
    return chosen


def _uniform(items, rand):
    n = len(items)
    if n == 1:
        return items[0]
    return items[int(rand() * n)]


def resample_state(player, history, rand):
    n = len(history) - 1
    if n == 0:
        return ()
    first = history[1][0]["observation"]
    boards = _VIEWS[player].get(first)
    if boards is None:
        raise ValueError("the board of this history is not in the database")

    if player == 2:
        if n < 3:
            b = _uniform(boards, rand)
            if n == 1:
                return (b,)
            return (b, _uniform(_LEGAL[b][0], rand))
        lines = history[3][0]["observation"].split("\n")
        t0 = _ID[lines[9][12:]]
        t1 = _ID[lines[10][12:]]
        if len(boards) == 1:
            b = boards[0]
        else:
            b = _pick(boards, [
                1.0 / (len(_LEGAL[c][0]) * len(_LEGAL[c][1]))
                if t0 in _LEGAL[c][0] and t1 in _LEGAL[c][1] else 0.0
                for c in boards], rand)
        if n == 3:
            return (b, t0, t1)
        return (b, t0, t1, _RESPONSE_ID[history[3][1]])

    other = 1 - player
    own = None
    if n >= player + 2:
        own = _ID[history[player + 1][1][12:]]

    if n < 4:
        b = _uniform(boards, rand)
        if n == 1:
            return (b,)
        if player == 0:
            if n == 2:
                return (b, own)
            return (b, own, _uniform(_LEGAL[b][1], rand))
        t0 = _uniform(_LEGAL[b][0], rand)
        if n == 2:
            return (b, t0)
        return (b, t0, own)

    last = history[4][0]["observation"]
    if last == first:
        # no deal, or an empty trade was accepted
        both = own == _PASS
        if len(boards) == 1:
            b = boards[0]
        else:
            weights = []
            for c in boards:
                m = len(_LEGAL[c][other])
                weights.append(((2 * m if both else m) + 1.0) / m)
            b = _pick(boards, weights, rand)
        legal = _LEGAL[b][other]
        m = len(legal)
        x = int(rand() * ((2 * m if both else m) + 1))
        if x < m:
            t = legal[x]
            r = _PASS
        elif both and x < 2 * m:
            t = legal[x - m]
            r = _DEALS[player]
        else:
            t = _PASS
            r = _DEALS[other]
    else:
        before = first.split("\n")
        after = last.split("\n")
        if before[7] != after[7]:
            # the own trade was carried out
            b = _uniform(boards, rand)
            t = _uniform(_LEGAL[b][other], rand)
            r = _DEALS[player]
        else:
            # the other's trade was carried out: the responder's chips tell it
            old = before[8][17:]
            new = after[8][17:]
            g = ""
            v = ""
            for c in _COLORS:
                d = new.count(c) - old.count(c)
                if d > 0:
                    g += c * d
                elif d < 0:
                    v += c * -d
            t = _ID[g + " for " + v]
            r = _DEALS[other]
            if len(boards) == 1:
                b = boards[0]
            else:
                b = _pick(boards, [
                    1.0 / len(_LEGAL[c][other])
                    if t in _LEGAL[c][other] else 0.0
                    for c in boards], rand)
    if player == 0:
        return (b, own, t, r)
    return (b, t, own, r)


def resample_history(player, history, rand):
    return list(resample_state(player, history, rand))
