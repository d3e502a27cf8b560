NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 6
MAX_GAME_LENGTH = 8
MIN_UTILITY = -13.0
MAX_UTILITY = 13.0

_FOLD = 0
_CALL = 1
_RAISE = 2

_ACTION_NAMES = ("fold", "call", "raise")
_ACTION_INDEX = {"fold": 0, "call": 1, "raise": 2}

# Index -1 (not dealt) gives the last entry, None.
_CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh", None)
_CARD_INDEX = {"Js": 0, "Jh": 1, "Qs": 2, "Qh": 3, "Ks": 4, "Kh": 5, None: -1}
_DEAL_NAMES = tuple("deal " + _c for _c in _CARDS[:6])

_RAISE_SIZE = (0, 2, 4)  # by round
_MAX_RAISES = 2

# State: (card of player 0, card of player 1, public card, node); -1: not dealt.
# Node 0: before the first card, node 1: before the second card,
# node 2: the first betting decision; the others follow.


def _build_tree():
    who = []        # player to act, -1 chance, -4 end
    legal = []      # tuple of legal actions
    nxt = []        # child nodes: by action; for chance nodes (child,)
    bets = []       # (names of round 1, names of round 2)
    chips = []      # (chips of player 0, chips of player 1)
    rounds = []     # 1 or 2
    fold_ret = []   # returns if the game ended by a fold, else None

    def new(p, acts, b1, b2, c, r, fr):
        who.append(p)
        legal.append(acts)
        nxt.append(())
        bets.append((b1, b2))
        chips.append(c)
        rounds.append(r)
        fold_ret.append(fr)
        return len(who) - 1

    def betting(b1, b2, r, p, c, raises, calls):
        top = max(c)
        missing = top - c[p]
        acts = []
        if missing > 0:
            acts.append(_FOLD)
        acts.append(_CALL)
        if raises < _MAX_RAISES:
            acts.append(_RAISE)
        node = new(p, tuple(acts), b1, b2, c, r, None)
        children = [-1, -1, -1]
        for a in acts:
            name = _ACTION_NAMES[a]
            if r == 1:
                n1, n2 = b1 + (name,), b2
            else:
                n1, n2 = b1, b2 + (name,)
            if a == _FOLD:
                lost = float(c[p])
                fr = (-lost, lost) if p == 0 else (lost, -lost)
                child = new(-4, (), n1, n2, c, r, fr)
            elif a == _CALL:
                cc = (top, c[1]) if p == 0 else (c[0], top)
                done = calls + 1
                if done >= (1 if raises else 2):
                    if r == 1:
                        child = new(-1, (), n1, n2, cc, 2, None)
                        nxt[child] = (betting(n1, n2, 2, 0, cc, 0, 0),)
                    else:
                        child = new(-4, (), n1, n2, cc, r, None)
                else:
                    child = betting(n1, n2, r, 1 - p, cc, raises, done)
            else:
                total = top + _RAISE_SIZE[r]
                cc = (total, c[1]) if p == 0 else (c[0], total)
                child = betting(n1, n2, r, 1 - p, cc, raises + 1, 0)
            children[a] = child
        nxt[node] = tuple(children)
        return node

    first = new(-1, (), (), (), (1, 1), 1, None)
    second = new(-1, (), (), (), (1, 1), 1, None)
    nxt[first] = (second,)
    start = betting((), (), 1, 0, (1, 1), 0, 0)
    nxt[second] = (start,)
    return (tuple(who), tuple(legal), tuple(nxt), tuple(bets), tuple(chips),
            tuple(rounds), tuple(fold_ret))


(_WHO, _LEGAL, _NEXT, _BETS, _CHIPS, _ROUND, _FOLD_RET) = _build_tree()


def _build_node_index():
    # (bets of round 1, bets of round 2, is the public card dealt) -> node
    index = {}
    for node in range(2, len(_WHO)):
        b1, b2 = _BETS[node]
        dealt = _ROUND[node] == 2 and _WHO[node] != -1
        index[(b1, b2, dealt)] = node
    return index


_NODE_INDEX = _build_node_index()


def _build_showdown():
    # sign of the result of player 0, by c0 * 36 + c1 * 6 + public
    table = []
    for c0 in range(6):
        for c1 in range(6):
            for pub in range(6):
                v0 = c0 // 2
                v1 = c1 // 2
                vp = pub // 2
                if v0 == vp:
                    v0 += 10
                if v1 == vp:
                    v1 += 10
                table.append(1 if v0 > v1 else (-1 if v0 < v1 else 0))
    return tuple(table)


_SHOWDOWN = _build_showdown()

_CHANCE_FIRST = tuple((_c, 1.0 / 6.0) for _c in range(6))
_CHANCE_SECOND = tuple(
    tuple((_c, 0.2) for _c in range(6) if _c != _a) for _a in range(6))
_CHANCE_PUBLIC = tuple(
    tuple(
        tuple((_c, 0.25) for _c in range(6) if _c != _a and _c != _b)
        for _b in range(6))
    for _a in range(6))


def _build_rest():
    # _REST[own][public]: cards that the other player can hold;
    # public -1 (the last entry): no public card yet.
    rows = []
    for own in range(6):
        row = []
        for pub in range(6):
            row.append(tuple(c for c in range(6) if c != own and c != pub))
        row.append(tuple(c for c in range(6) if c != own))
        rows.append(tuple(row))
    return tuple(rows)


_REST = _build_rest()

_INITIAL = (-1, -1, -1, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return _WHO[state[3]]


def legal_actions(state):
    return list(_LEGAL[state[3]])


def chance_outcomes(state):
    c0, c1, pub, node = state
    if _WHO[node] != -1:
        return []
    if node == 0:
        return list(_CHANCE_FIRST)
    if node == 1:
        return list(_CHANCE_SECOND[c0])
    return list(_CHANCE_PUBLIC[c0][c1])


def apply_action(state, action):
    c0, c1, pub, node = state
    if _WHO[node] >= 0:
        return (c0, c1, pub, _NEXT[node][action])
    if node == 0:
        return (action, -1, -1, 1)
    if node == 1:
        return (c0, action, -1, 2)
    return (c0, c1, action, _NEXT[node][0])


def returns(state):
    c0, c1, pub, node = state
    if _WHO[node] != -4:
        return [0.0, 0.0]
    fr = _FOLD_RET[node]
    if fr is not None:
        return [fr[0], fr[1]]
    sign = _SHOWDOWN[c0 * 36 + c1 * 6 + pub]
    if sign == 0:
        return [0.0, 0.0]
    amount = float(_CHIPS[node][0])
    if sign > 0:
        return [amount, -amount]
    return [-amount, amount]


def action_name(state, action):
    if _WHO[state[3]] == -1:
        return _DEAL_NAMES[action]
    return _ACTION_NAMES[action]


def observation(state, player):
    node = state[3]
    b1, b2 = _BETS[node]
    return {
        "card": _CARDS[state[player]],
        "public_card": _CARDS[state[2]],
        "round": _ROUND[node],
        "bets": [list(b1), list(b2)],
        "chips": list(_CHIPS[node]),
    }


def information_state(state, player):
    # The node tells the number of cards dealt and all bets.
    return (player, state[3], state[player], state[2])


def resample_state(player, history, rand):
    obs = history[-1][0]
    length = len(history)
    if length < 3:
        # Before both players have their cards.
        if length < 2:
            return _INITIAL
        if player == 0:
            return (_CARD_INDEX[obs["card"]], -1, -1, 1)
        return (int(rand() * 6), -1, -1, 1)
    own = _CARD_INDEX[obs["card"]]
    pub = _CARD_INDEX[obs["public_card"]]
    b1, b2 = obs["bets"]
    node = _NODE_INDEX[(tuple(b1), tuple(b2), pub >= 0)]
    rest = _REST[own][pub]
    other = rest[int(rand() * len(rest))]
    if player == 0:
        return (own, other, pub, node)
    return (other, own, pub, node)


def resample_history(player, history, rand):
    c0, c1, pub, node = resample_state(player, history, rand)
    result = []
    if c0 >= 0:
        result.append(c0)
    if c1 >= 0:
        result.append(c1)
    b1, b2 = _BETS[node]
    for name in b1:
        result.append(_ACTION_INDEX[name])
    if pub >= 0:
        result.append(pub)
    for name in b2:
        result.append(_ACTION_INDEX[name])
    return result
