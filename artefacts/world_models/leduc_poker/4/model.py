NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 6
MAX_GAME_LENGTH = 8
MIN_UTILITY = -13.0
MAX_UTILITY = 13.0

_CHANCE = -1
_TERMINAL = -4

_FOLD = 0
_CALL = 1
_RAISE = 2

_ACTION_NAMES = ("fold", "call", "raise")
_CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
_DEAL_NAMES = tuple("deal " + c for c in _CARDS)
_CARD_ID = {c: i for i, c in enumerate(_CARDS)}
# index -1 (not dealt yet) gives the last entry, None
_CARD_NAME = _CARDS + (None,)

_NO_END = -1
_SHOWDOWN = 2


def _build_tables():
    """The tree of all betting sequences, as parallel tuples indexed by node.

    Node 0: nothing dealt; node 1: player 0 has a card; node 2: first decision.
    Each end of the first round is a chance node, followed by a node of its own
    for the start of the second round.
    """
    cur = []      # who acts
    legal = []    # legal actions
    nxt = []      # [after fold, after call, after raise]; chance: index 1
    rounds = []   # 1 or 2
    bets = []     # (actions of round 1, actions of round 2)
    chips_at = []  # chips put in by each player
    ends = []     # _NO_END, winner after a fold, or _SHOWDOWN

    def new(who, acts, rnd, b1, b2, chips, end):
        cur.append(who)
        legal.append(tuple(acts))
        nxt.append([-1, -1, -1])
        rounds.append(rnd)
        bets.append((b1, b2))
        chips_at.append(chips)
        ends.append(end)
        return len(cur) - 1

    def betting(rnd, b1, b2, chips, raises):
        seq = b1 if rnd == 1 else b2
        p = len(seq) % 2
        other = 1 - p
        most = max(chips)
        missing = most - chips[p]
        acts = []
        if missing > 0:
            acts.append(_FOLD)
        acts.append(_CALL)
        if raises < 2:
            acts.append(_RAISE)
        node = new(p, acts, rnd, b1, b2, chips, _NO_END)

        def extended(a):
            if rnd == 1:
                return b1 + (a,), b2
            return b1, b2 + (a,)

        if missing > 0:
            n1, n2 = extended(_FOLD)
            nxt[node][_FOLD] = new(_TERMINAL, (), rnd, n1, n2, chips, other)

        n1, n2 = extended(_CALL)
        if len(seq) >= 1:
            # either a raise has been matched or both have checked
            after = (most, most)
            if rnd == 1:
                deal = new(_CHANCE, (), 2, n1, n2, after, _NO_END)
                nxt[node][_CALL] = deal
                nxt[deal][_CALL] = betting(2, n1, n2, after, 0)
            else:
                nxt[node][_CALL] = new(_TERMINAL, (), 2, n1, n2, after, _SHOWDOWN)
        else:
            nxt[node][_CALL] = betting(rnd, n1, n2, chips, raises)

        if raises < 2:
            n1, n2 = extended(_RAISE)
            put = most + (2 if rnd == 1 else 4)
            after = (put, chips[1]) if p == 0 else (chips[0], put)
            nxt[node][_RAISE] = betting(rnd, n1, n2, after, raises + 1)
        return node

    new(_CHANCE, (), 1, (), (), (1, 1), _NO_END)
    new(_CHANCE, (), 1, (), (), (1, 1), _NO_END)
    betting(1, (), (), (1, 1), 0)
    return (tuple(cur), tuple(legal), tuple(tuple(x) for x in nxt),
            tuple(rounds), tuple(bets), tuple(chips_at), tuple(ends))


(_CUR, _LEGAL, _NEXT, _ROUND, _BETS, _CHIPS, _END) = _build_tables()

_NAMES1 = tuple(tuple(_ACTION_NAMES[a] for a in b[0]) for b in _BETS)
_NAMES2 = tuple(tuple(_ACTION_NAMES[a] for a in b[1]) for b in _BETS)

# (names of round 1, names of round 2, public card dealt?) -> node, from node 2 on
_NODE_OF = {
    (_NAMES1[n], _NAMES2[n], _ROUND[n] == 2 and _CUR[n] != _CHANCE): n
    for n in range(2, len(_CUR))
}

# _OTHERS[own][public]: cards the opponent may hold; public -1 is the last entry
_OTHERS = tuple(
    tuple(
        tuple(c for c in range(6) if c != own and c != pub)
        for pub in (0, 1, 2, 3, 4, 5, -1)
    )
    for own in range(6)
)


def _build_chance():
    table = {}
    for c0 in range(-1, 6):
        for c1 in range(-1, 6):
            rest = [c for c in range(6) if c != c0 and c != c1]
            pr = 1.0 / len(rest)
            table[(c0, c1)] = tuple((c, pr) for c in rest)
    return table


_CHANCE_TABLE = _build_chance()

_INITIAL = (-1, -1, -1, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return _CUR[state[3]]


def legal_actions(state):
    return list(_LEGAL[state[3]])


def chance_outcomes(state):
    if _CUR[state[3]] != _CHANCE:
        return []
    return list(_CHANCE_TABLE[(state[0], state[1])])


def apply_action(state, action):
    c0, c1, pub, node = state
    if _CUR[node] >= 0:
        child = _NEXT[node][action]
        if child < 0:
            raise ValueError("illegal action")
        return (c0, c1, pub, child)
    if node == 0:
        return (action, -1, -1, 1)
    if node == 1:
        return (c0, action, -1, 2)
    if _CUR[node] != _CHANCE:
        raise ValueError("the game is over")
    return (c0, c1, action, _NEXT[node][_CALL])


def returns(state):
    c0, c1, pub, node = state
    end = _END[node]
    if end < 0:
        return [0.0, 0.0]
    chips = _CHIPS[node]
    if end == _SHOWDOWN:
        r0 = c0 >> 1
        r1 = c1 >> 1
        if r0 == r1:
            return [0.0, 0.0]
        rp = pub >> 1
        if r0 == rp:
            end = 0
        elif r1 == rp:
            end = 1
        else:
            end = 0 if r0 > r1 else 1
    if end == 0:
        won = float(chips[1])
        return [won, -won]
    won = float(chips[0])
    return [-won, won]


def action_name(state, action):
    if _CUR[state[3]] == _CHANCE:
        return _DEAL_NAMES[action]
    return _ACTION_NAMES[action]


def observation(state, player):
    node = state[3]
    return {
        "card": _CARD_NAME[state[player]],
        "public_card": _CARD_NAME[state[2]],
        "round": _ROUND[node],
        "bets": [list(_NAMES1[node]), list(_NAMES2[node])],
        "chips": list(_CHIPS[node]),
    }


def information_state(state, player):
    # the node tells all actions and how many cards have been dealt
    return (player, state[player], state[2], state[3])


def resample_state(player, history, rand):
    n = len(history)
    if n < 3:
        # the deal is not complete yet
        if n < 2:
            return _INITIAL
        if player == 0:
            return (_CARD_ID[history[-1][0]["card"]], -1, -1, 1)
        return (int(rand() * 6), -1, -1, 1)
    obs = history[-1][0]
    own = _CARD_ID[obs["card"]]
    pub_name = obs["public_card"]
    b = obs["bets"]
    if pub_name is None:
        pub = -1
        node = _NODE_OF[(tuple(b[0]), tuple(b[1]), False)]
    else:
        pub = _CARD_ID[pub_name]
        node = _NODE_OF[(tuple(b[0]), tuple(b[1]), True)]
    cands = _OTHERS[own][pub]
    other = cands[int(rand() * len(cands))]
    if player == 0:
        return (own, other, pub, node)
    return (other, own, pub, node)


def resample_history(player, history, rand):
    c0, c1, pub, node = resample_state(player, history, rand)
    if node == 0:
        return []
    if node == 1:
        return [c0]
    b1, b2 = _BETS[node]
    result = [c0, c1]
    result.extend(b1)
    if pub >= 0:
        result.append(pub)
        result.extend(b2)
    return result
