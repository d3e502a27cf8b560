NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 6
MAX_GAME_LENGTH = 8
MIN_UTILITY = -13.0
MAX_UTILITY = 13.0

_FOLD = 0
_CALL = 1
_RAISE = 2

_CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
_CARD_OBS = _CARDS + (None,)  # index -1 gives None: card not dealt yet
_CARD_INDEX = {"Js": 0, "Jh": 1, "Qs": 2, "Qh": 3, "Ks": 4, "Kh": 5, None: -1}
_DEAL_NAMES = tuple("deal " + c for c in _CARDS)
_ACTION_NAMES = ("fold", "call", "raise")

# State: (node, card of player 0, card of player 1, public card); -1: not dealt.
# A node stands for one public history:
#   node 0: the card of player 0 is to be dealt
#   node 1: the card of player 1 is to be dealt
#   node 2: the first betting decision; the others follow.


def _build():
    nodes = []

    def new(player, rnd, b1, b2, chips):
        nodes.append({
            "player": player, "round": rnd, "b1": b1, "b2": b2, "chips": chips,
            "legal": (), "next": (-1, -1, -1), "deal": -1,
            "ret": None, "stake": 0,
        })
        return len(nodes) - 1

    def bet(rnd, b1, b2, chips, raises):
        cur = b1 if rnd == 1 else b2
        p = len(cur) % 2
        top = max(chips)
        i = new(p, rnd, b1, b2, chips)
        legal = []
        if chips[p] < top:
            legal.append(_FOLD)
        legal.append(_CALL)
        if raises < 2:
            legal.append(_RAISE)
        nxt = [-1, -1, -1]
        for a in legal:
            if rnd == 1:
                n1, n2 = b1 + (a,), b2
            else:
                n1, n2 = b1, b2 + (a,)
            if a == _FOLD:
                t = new(-4, rnd, n1, n2, chips)
                lost = float(chips[p])
                nodes[t]["ret"] = (-lost, lost) if p == 0 else (lost, -lost)
                nxt[a] = t
                continue
            put = list(chips)
            put[p] = top + (2 * rnd if a == _RAISE else 0)
            put = tuple(put)
            if a == _RAISE:
                nxt[a] = bet(rnd, n1, n2, put, raises + 1)
            elif not cur:
                # the first action of the round is a check: the other may act
                nxt[a] = bet(rnd, n1, n2, put, raises)
            elif rnd == 1:
                c = new(-1, 2, n1, n2, put)
                nodes[c]["deal"] = bet(2, n1, (), put, 0)
                nxt[a] = c
            else:
                t = new(-4, rnd, n1, n2, put)
                nodes[t]["stake"] = put[0]
                nxt[a] = t
        nodes[i]["legal"] = tuple(legal)
        nodes[i]["next"] = tuple(nxt)
        return i

    a = new(-1, 1, (), (), (1, 1))
    b = new(-1, 1, (), (), (1, 1))
    start = bet(1, (), (), (1, 1), 0)
    nodes[a]["deal"] = b
    nodes[b]["deal"] = start
    return nodes


_NODES = _build()
_PLAYER = tuple(n["player"] for n in _NODES)
_ROUND = tuple(n["round"] for n in _NODES)
_CHIPS = tuple(n["chips"] for n in _NODES)
_LEGAL = tuple(n["legal"] for n in _NODES)
_NEXT = tuple(n["next"] for n in _NODES)
_DEAL = tuple(n["deal"] for n in _NODES)
_RET = tuple(n["ret"] for n in _NODES)
_STAKE = tuple(float(n["stake"]) for n in _NODES)
_ACTS1 = tuple(n["b1"] for n in _NODES)
_ACTS2 = tuple(n["b2"] for n in _NODES)
_BETS1 = tuple(tuple(_ACTION_NAMES[a] for a in n["b1"]) for n in _NODES)
_BETS2 = tuple(tuple(_ACTION_NAMES[a] for a in n["b2"]) for n in _NODES)


def _make_lookup():
    # (bets of round 1, bets of round 2, public card dealt) -> node, from node 2 on
    table = {}
    for i in range(2, len(_NODES)):
        # in round 2 the public card lies there, except where chance is to deal it
        dealt = _ROUND[i] == 2 and _PLAYER[i] != -1
        table[(_BETS1[i], _BETS2[i], dealt)] = i
    return table


_LOOKUP = _make_lookup()


def _make_chance():
    table = {}
    for c0 in range(-1, 6):
        for c1 in range(-1, 6):
            left = [c for c in range(6) if c != c0 and c != c1]
            prob = 1.0 / len(left)
            table[(c0, c1)] = tuple((c, prob) for c in left)
    return table


_CHANCE = _make_chance()


def _make_pool():
    # _POOL[own + 1][public + 1]: cards that the other player may hold
    rows = []
    for own in range(-1, 6):
        rows.append(tuple(
            tuple(c for c in range(6) if c != own and c != pub)
            for pub in range(-1, 6)))
    return tuple(rows)


_POOL = _make_pool()

_INITIAL = (0, -1, -1, -1)


def initial_state():
    return _INITIAL


def current_player(state):
    return _PLAYER[state[0]]


def legal_actions(state):
    return list(_LEGAL[state[0]])


def chance_outcomes(state):
    if _PLAYER[state[0]] != -1:
        return []
    return list(_CHANCE[(state[1], state[2])])


def apply_action(state, action):
    node, c0, c1, pub = state
    p = _PLAYER[node]
    if p >= 0:
        n = _NEXT[node][action]
        if n < 0:
            raise ValueError("illegal action")
        return (n, c0, c1, pub)
    if p == -4:
        raise ValueError("the game is over")
    if node == 0:
        return (1, action, -1, -1)
    if node == 1:
        return (2, c0, action, -1)
    return (_DEAL[node], c0, c1, action)


def returns(state):
    node, c0, c1, pub = state
    if _PLAYER[node] != -4:
        return [0.0, 0.0]
    ret = _RET[node]
    if ret is not None:
        return [ret[0], ret[1]]
    stake = _STAKE[node]
    r0 = c0 >> 1
    r1 = c1 >> 1
    if r0 == r1:
        return [0.0, 0.0]
    rp = pub >> 1
    if r0 == rp:
        return [stake, -stake]
    if r1 == rp:
        return [-stake, stake]
    if r0 > r1:
        return [stake, -stake]
    return [-stake, stake]


def action_name(state, action):
    if _PLAYER[state[0]] == -1:
        return _DEAL_NAMES[action]
    return _ACTION_NAMES[action]


def observation(state, player):
    node = state[0]
    return {
        "card": _CARD_OBS[state[1 + player]],
        "public_card": _CARD_OBS[state[3]],
        "round": _ROUND[node],
        "bets": [list(_BETS1[node]), list(_BETS2[node])],
        "chips": list(_CHIPS[node]),
    }


def information_state(state, player):
    return (player, state[0], state[1 + player], state[3])


def resample_state(player, history, rand):
    obs = history[-1][0]
    own = _CARD_INDEX[obs["card"]]
    pub = _CARD_INDEX[obs["public_card"]]
    n = len(history)
    if n <= 3:
        node = n - 1
        if node == 0:
            return _INITIAL
        if node == 1 and player == 0:
            return (1, own, -1, -1)
    else:
        b1, b2 = obs["bets"]
        node = _LOOKUP[(tuple(b1), tuple(b2), pub >= 0)]
    pool = _POOL[own + 1][pub + 1]
    hidden = pool[int(rand() * len(pool))]
    if player == 0:
        return (node, own, hidden, pub)
    return (node, hidden, own, pub)


def resample_history(player, history, rand):
    node, c0, c1, pub = resample_state(player, history, rand)
    result = []
    if c0 >= 0:
        result.append(c0)
    if c1 >= 0:
        result.append(c1)
    result.extend(_ACTS1[node])
    if pub >= 0:
        result.append(pub)
    result.extend(_ACTS2[node])
    return result
