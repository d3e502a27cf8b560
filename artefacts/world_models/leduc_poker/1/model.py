NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 6
MAX_GAME_LENGTH = 8
MIN_UTILITY = -13.0
MAX_UTILITY = 13.0

_ACTIONS = ("fold", "call", "raise")
_ACTION_ID = {"fold": 0, "call": 1, "raise": 2}
_CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
# index -1 (card not dealt) gives None
_CARD_NAME = _CARDS + (None,)
_CARD_ID = {"Js": 0, "Jh": 1, "Qs": 2, "Qh": 3, "Ks": 4, "Kh": 5, None: -1}
_DEAL_NAME = tuple("deal " + c for c in _CARDS)


def _build():
    """The tree of everything public.

    Node 0: the card of player 0 is to be dealt; node 1: the card of player 1;
    node 2: the first player acts. The other nodes follow.
    """
    who = []
    legal = []
    nxt = []
    rounds = []
    bets_of = []
    chips_of = []
    folded_of = []
    seen_public = []

    def new(actor, acts, rnd, bets, chips, folded, public):
        who.append(actor)
        legal.append(tuple(acts))
        nxt.append(None)
        rounds.append(rnd)
        bets_of.append(bets)
        chips_of.append(chips)
        folded_of.append(folded)
        seen_public.append(public)
        return len(who) - 1

    def grow(rnd, bets, chips, raises, actor, calls):
        top = max(chips)
        acts = []
        if chips[actor] < top:
            acts.append(0)
        acts.append(1)
        if raises < 2:
            acts.append(2)
        public = rnd == 2
        idx = new(actor, acts, rnd, bets, chips, -1, public)
        children = [-1, -1, -1]
        for a in acts:
            if rnd == 1:
                nb = (bets[0] + (_ACTIONS[a],), bets[1])
            else:
                nb = (bets[0], bets[1] + (_ACTIONS[a],))
            if a == 0:
                children[a] = new(-4, (), rnd, nb, chips, actor, public)
                continue
            put = top
            if a == 2:
                put = top + (2 if rnd == 1 else 4)
            nc = (put, chips[1]) if actor == 0 else (chips[0], put)
            if a == 2:
                children[a] = grow(rnd, nb, nc, raises + 1, 1 - actor, 0)
                continue
            needed = 2 if raises == 0 else 1
            if calls + 1 < needed:
                children[a] = grow(rnd, nb, nc, raises, 1 - actor, calls + 1)
            elif rnd == 1:
                c = new(-1, (), 2, nb, nc, -1, False)
                children[a] = c
                nxt[c] = grow(2, nb, nc, 0, 0, 0)
            else:
                children[a] = new(-4, (), 2, nb, nc, -1, True)
        nxt[idx] = tuple(children)
        return idx

    empty = ((), ())
    new(-1, (), 1, empty, (1, 1), -1, False)
    new(-1, (), 1, empty, (1, 1), -1, False)
    nxt[0] = 1
    nxt[1] = 2
    grow(1, empty, (1, 1), 0, 0, 0)

    index = {}
    for i in range(2, len(who)):
        index[(bets_of[i][0], bets_of[i][1], seen_public[i])] = i
    return (tuple(who), tuple(legal), tuple(nxt), tuple(rounds),
            tuple(bets_of), tuple(chips_of), tuple(folded_of), index)


(_WHO, _LEGAL, _NEXT, _ROUND, _BETS, _CHIPS, _FOLDED, _NODE_OF) = _build()


def _deal_table(gone):
    left = [c for c in range(6) if c not in gone]
    p = 1.0 / len(left)
    return tuple((c, p) for c in left)


_DEAL_FIRST = _deal_table(())
_DEAL_SECOND = tuple(_deal_table((i,)) for i in range(6))
_DEAL_PUBLIC = tuple(tuple(_deal_table((i, j)) for j in range(6))
                     for i in range(6))

# the cards that the other player may hold, by own card and public card (-1: none)
_REST = {(i, j): tuple(c for c in range(6) if c != i and c != j)
         for i in range(6) for j in range(-1, 6) if i != j}


def _winner(c0, c1, pub):
    """0 or 1, or -1 if the hands are equal."""
    r0 = c0 // 2
    r1 = c1 // 2
    if r0 == r1:
        return -1
    rp = pub // 2
    if r0 == rp:
        return 0
    if r1 == rp:
        return 1
    return 0 if r0 > r1 else 1


_WINNER = tuple(tuple(tuple(_winner(i, j, k) for k in range(6))
                      for j in range(6)) for i in range(6))


def initial_state():
    return (0, -1, -1, -1)


def current_player(state):
    return _WHO[state[0]]


def legal_actions(state):
    return list(_LEGAL[state[0]])


def chance_outcomes(state):
    node, c0, c1, pub = state
    if _WHO[node] != -1:
        return []
    if node == 0:
        return list(_DEAL_FIRST)
    if node == 1:
        return list(_DEAL_SECOND[c0])
    return list(_DEAL_PUBLIC[c0][c1])


def apply_action(state, action):
    node, c0, c1, pub = state
    if _WHO[node] >= 0:
        return (_NEXT[node][action], c0, c1, pub)
    if node == 0:
        return (1, action, -1, -1)
    if node == 1:
        return (2, c0, action, -1)
    return (_NEXT[node], c0, c1, action)


def returns(state):
    node, c0, c1, pub = state
    if _WHO[node] != -4:
        return [0.0, 0.0]
    folded = _FOLDED[node]
    if folded >= 0:
        win = 1 - folded
    else:
        win = _WINNER[c0][c1][pub]
        if win < 0:
            return [0.0, 0.0]
    amount = float(_CHIPS[node][1 - win])
    if win == 0:
        return [amount, -amount]
    return [-amount, amount]


def action_name(state, action):
    if _WHO[state[0]] == -1:
        return _DEAL_NAME[action]
    return _ACTIONS[action]


def observation(state, player):
    node = state[0]
    first, second = _BETS[node]
    return {
        "card": _CARD_NAME[state[1 + player]],
        "public_card": _CARD_NAME[state[3]],
        "round": _ROUND[node],
        "bets": [list(first), list(second)],
        "chips": list(_CHIPS[node]),
    }


def information_state(state, player):
    # The node tells the number of cards dealt and all bets.
    return (state[0], state[1 + player], state[3])


def resample_history(player, history, rand):
    n = len(history) - 1
    if n <= 0:
        return []
    obs = history[-1][0]
    own = _CARD_ID[obs["card"]]
    if n == 1:
        if own >= 0:
            return [own]
        return [int(rand() * 6)]
    pub = _CARD_ID[obs["public_card"]]
    rest = _REST[(own, pub)]
    other = rest[int(rand() * len(rest))]
    if player == 0:
        result = [own, other]
    else:
        result = [other, own]
    first, second = obs["bets"]
    for name in first:
        result.append(_ACTION_ID[name])
    if pub >= 0:
        result.append(pub)
        for name in second:
            result.append(_ACTION_ID[name])
    return result


def resample_state(player, history, rand):
    n = len(history) - 1
    if n <= 0:
        return (0, -1, -1, -1)
    obs = history[-1][0]
    own = _CARD_ID[obs["card"]]
    if n == 1:
        if own >= 0:
            return (1, own, -1, -1)
        return (1, int(rand() * 6), -1, -1)
    pub = _CARD_ID[obs["public_card"]]
    rest = _REST[(own, pub)]
    other = rest[int(rand() * len(rest))]
    first, second = obs["bets"]
    node = _NODE_OF[(tuple(first), tuple(second), pub >= 0)]
    if player == 0:
        return (node, own, other, pub)
    return (node, other, own, pub)
