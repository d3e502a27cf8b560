NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 6
MAX_GAME_LENGTH = 8
MIN_UTILITY = -13.0
MAX_UTILITY = 13.0

_CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
_ACTIONS = ("fold", "call", "raise")
_DEALS = tuple("deal " + c for c in _CARDS)
_FOLD, _CALL, _RAISE = 0, 1, 2

_CARD_INDEX = {c: i for i, c in enumerate(_CARDS)}
_CARD_INDEX[None] = -1
_ACTION_INDEX = {a: i for i, a in enumerate(_ACTIONS)}
# indexed with a card, -1 (not dealt) gives the last entry, None
_CARD_NAME = _CARDS + (None,)


def _build_tree():
    """All nodes of the public tree (deals and betting, without the cards).

    Node 0: the card of player 0 is dealt; node 1: the card of player 1 is
    dealt; node 2: start of the first round of betting.
    """
    actor = []    # player to act, -1 chance, -4 end
    legal = []    # tuple of legal actions (empty if no player acts)
    follow = []   # chance: next node; player: next node by action (-1 illegal)
    rounds = []   # 1 or 2
    bets = []     # (actions of round 1, actions of round 2), names
    chips = []    # (chips of player 0, chips of player 1)
    folder = []   # player who folded, or -1

    def new(who, rnd, b1, b2, ch, fold_by):
        actor.append(who)
        legal.append(())
        follow.append(())
        rounds.append(rnd)
        bets.append((b1, b2))
        chips.append(ch)
        folder.append(fold_by)
        return len(actor) - 1

    def extended(rnd, b1, b2, name):
        if rnd == 1:
            return b1 + (name,), b2
        return b1, b2 + (name,)

    def paid(ch, who, amount):
        if who == 0:
            return (ch[0] + amount, ch[1])
        return (ch[0], ch[1] + amount)

    def betting(rnd, b1, b2, ch):
        seq = b1 if rnd == 1 else b2
        who = len(seq) % 2
        missing = ch[1 - who] - ch[who]
        node = new(who, rnd, b1, b2, ch, -1)
        nxt = [-1, -1, -1]
        # fold
        if missing > 0:
            n1, n2 = extended(rnd, b1, b2, "fold")
            nxt[_FOLD] = new(-4, rnd, n1, n2, ch, who)
        # call
        n1, n2 = extended(rnd, b1, b2, "call")
        after = paid(ch, who, missing)
        if not seq:
            # the first check of the round: the other player is still to act
            nxt[_CALL] = betting(rnd, n1, n2, after)
        elif rnd == 1:
            deal = new(-1, 2, n1, n2, after, -1)
            nxt[_CALL] = deal
            follow[deal] = betting(2, n1, n2, after)
        else:
            nxt[_CALL] = new(-4, rnd, n1, n2, after, -1)
        # raise
        if seq.count("raise") < 2:
            n1, n2 = extended(rnd, b1, b2, "raise")
            size = 2 if rnd == 1 else 4
            nxt[_RAISE] = betting(rnd, n1, n2, paid(ch, who, missing + size))
        follow[node] = tuple(nxt)
        legal[node] = tuple(a for a in range(3) if nxt[a] >= 0)
        return node

    first = new(-1, 1, (), (), (1, 1), -1)
    second = new(-1, 1, (), (), (1, 1), -1)
    follow[first] = second
    follow[second] = betting(1, (), (), (1, 1))
    return (tuple(actor), tuple(legal), tuple(follow), tuple(rounds),
            tuple(bets), tuple(chips), tuple(folder))


(_ACTOR, _LEGAL, _FOLLOW, _ROUND, _BETS, _CHIPS, _FOLDER) = _build_tree()


def _build_lookup():
    """Node by (actions of round 1, actions of round 2, public card dealt)."""
    table = {}
    for node in range(2, len(_ACTOR)):
        if _ACTOR[node] == -1:
            # end of round 1, the public card is still to be dealt
            dealt = False
            table[(_BETS[node][0], _BETS[node][1], dealt)] = node
        else:
            dealt = _ROUND[node] == 2
            table[(_BETS[node][0], _BETS[node][1], dealt)] = node
    return table


_NODE_OF = _build_lookup()

# _POOL[a][b]: the cards other than a and b; index -1 (last entry): no card
_POOL = tuple(
    tuple(
        tuple(c for c in range(6) if c != a and c != b)
        for b in (0, 1, 2, 3, 4, 5, -1)
    )
    for a in (0, 1, 2, 3, 4, 5, -1)
)

# the same with the probabilities
_OUTCOMES = tuple(
    tuple(
        tuple((c, 1.0 / len(pool)) for c in pool)
        for pool in row
    )
    for row in _POOL
)

_START = (0, -1, -1, -1)


def initial_state():
    return _START


def current_player(state):
    return _ACTOR[state[0]]


def legal_actions(state):
    return list(_LEGAL[state[0]])


def chance_outcomes(state):
    if _ACTOR[state[0]] != -1:
        return []
    return list(_OUTCOMES[state[1]][state[2]])


def apply_action(state, action):
    node, c0, c1, pub = state
    who = _ACTOR[node]
    if who >= 0:
        nxt = _FOLLOW[node][action]
        if nxt < 0:
            raise ValueError("illegal action")
        return (nxt, c0, c1, pub)
    if who == -1:
        if node == 0:
            return (1, action, -1, -1)
        if node == 1:
            return (2, c0, action, -1)
        return (_FOLLOW[node], c0, c1, action)
    raise ValueError("the game is over")


def returns(state):
    node, c0, c1, pub = state
    if _ACTOR[node] != -4:
        return [0.0, 0.0]
    chips = _CHIPS[node]
    loser = _FOLDER[node]
    if loser < 0:
        r0 = c0 >> 1
        r1 = c1 >> 1
        if r0 == r1:
            return [0.0, 0.0]
        rp = pub >> 1
        if r0 == rp:
            loser = 1
        elif r1 == rp:
            loser = 0
        elif r0 > r1:
            loser = 1
        else:
            loser = 0
    stake = float(chips[loser])
    if loser == 0:
        return [-stake, stake]
    return [stake, -stake]


def action_name(state, action):
    if _ACTOR[state[0]] == -1:
        return _DEALS[action]
    return _ACTIONS[action]


def observation(state, player):
    node = state[0]
    b1, b2 = _BETS[node]
    return {
        "card": _CARD_NAME[state[1 + player]],
        "public_card": _CARD_NAME[state[3]],
        "round": _ROUND[node],
        "bets": [list(b1), list(b2)],
        "chips": list(_CHIPS[node]),
    }


def information_state(state, player):
    return (player, state[0], state[1 + player], state[3])


def resample_history(player, history, rand):
    count = len(history)
    if count <= 1:
        return []
    obs = history[-1][0]
    own = _CARD_INDEX[obs["card"]]
    if count == 2 and player == 0:
        return [own]
    pub = _CARD_INDEX[obs["public_card"]]
    pool = _POOL[own][pub]
    other = pool[int(rand() * len(pool))]
    if count == 2:
        return [other]
    result = [own, other] if player == 0 else [other, own]
    b1, b2 = obs["bets"]
    for name in b1:
        result.append(_ACTION_INDEX[name])
    if pub >= 0:
        result.append(pub)
        for name in b2:
            result.append(_ACTION_INDEX[name])
    return result


def resample_state(player, history, rand):
    count = len(history)
    if count <= 1:
        return _START
    obs = history[-1][0]
    own = _CARD_INDEX[obs["card"]]
    if count == 2 and player == 0:
        return (1, own, -1, -1)
    pub = _CARD_INDEX[obs["public_card"]]
    pool = _POOL[own][pub]
    other = pool[int(rand() * len(pool))]
    if count == 2:
        return (1, other, -1, -1)
    b1, b2 = obs["bets"]
    node = _NODE_OF[(tuple(b1), tuple(b2), pub >= 0)]
    if player == 0:
        return (node, own, other, pub)
    return (node, other, own, pub)
