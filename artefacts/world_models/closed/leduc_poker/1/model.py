NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 6
MAX_GAME_LENGTH = 8
MIN_UTILITY = -13.0
MAX_UTILITY = 13.0

_CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
_CARD_INDEX = {name: i for i, name in enumerate(_CARDS)}
_DEAL_NAMES = tuple("deal " + name for name in _CARDS)
_ACTIONS = ("fold", "call", "raise")
_FOLD, _CALL, _RAISE = 0, 1, 2


def _build():
    players = []   # player to act, -1 chance, -4 game over
    legals = []    # tuple of legal actions
    nexts = []     # dict action -> node; for the public deal {-1: node}
    rounds = []
    bets1 = []     # tuples of action numbers
    bets2 = []
    chips_at = []
    results = []   # tuple of returns, or None at a showdown
    keys = {}      # (names round 1, names round 2, number of deals) -> node

    def add(who, legal, rnd, b1, b2, chips, result, deals):
        idx = len(players)
        players.append(who)
        legals.append(tuple(legal))
        nexts.append({})
        rounds.append(rnd)
        bets1.append(b1)
        bets2.append(b2)
        chips_at.append(chips)
        results.append(result)
        keys[(tuple(_ACTIONS[a] for a in b1),
              tuple(_ACTIONS[a] for a in b2), deals)] = idx
        return idx

    zero = (0.0, 0.0)

    def grow(rnd, b1, b2, chips, actor, raises, calls):
        top = max(chips)
        legal = []
        if chips[actor] < top:
            legal.append(_FOLD)
        legal.append(_CALL)
        if raises < 2:
            legal.append(_RAISE)
        deals = 2 if rnd == 1 else 3
        idx = add(actor, legal, rnd, b1, b2, chips, zero, deals)
        other = 1 - actor
        for a in legal:
            if rnd == 1:
                nb1, nb2 = b1 + (a,), b2
            else:
                nb1, nb2 = b1, b2 + (a,)
            if a == _FOLD:
                lost = float(chips[actor])
                result = (-lost, lost) if actor == 0 else (lost, -lost)
                child = add(-4, (), rnd, nb1, nb2, chips, result, deals)
            elif a == _CALL:
                new = list(chips)
                new[actor] = top
                new = tuple(new)
                needed = 1 if raises else 2
                if calls + 1 < needed:
                    child = grow(rnd, nb1, nb2, new, other, raises, calls + 1)
                elif rnd == 1:
                    child = add(-1, (), 2, nb1, nb2, new, zero, 2)
                    nexts[child][-1] = grow(2, nb1, nb2, new, 0, 0, 0)
                else:
                    child = add(-4, (), 2, nb1, nb2, new, None, 3)
            else:
                new = list(chips)
                new[actor] = top + (2 if rnd == 1 else 4)
                child = grow(rnd, nb1, nb2, tuple(new), other, raises + 1, 0)
            nexts[idx][a] = child
        return idx

    add(-1, (), 1, (), (), (1, 1), zero, 0)   # node 0: card of player 0
    add(-1, (), 1, (), (), (1, 1), zero, 1)   # node 1: card of player 1
    grow(1, (), (), (1, 1), 0, 0, 0)          # node 2: first action
    return (tuple(players), tuple(legals), tuple(nexts), tuple(rounds),
            tuple(bets1), tuple(bets2), tuple(chips_at), tuple(results), keys)


(_PLAYER, _LEGAL, _NEXT, _ROUND, _BETS1, _BETS2, _CHIPS, _RESULT,
 _KEYS) = _build()

_NAMES1 = tuple(tuple(_ACTIONS[a] for a in b) for b in _BETS1)
_NAMES2 = tuple(tuple(_ACTIONS[a] for a in b) for b in _BETS2)


def _outcome_table():
    # key: (card0, card1), -1 for a card that is not dealt yet
    table = {}
    for x in range(-1, 6):
        for y in range(-1, 6):
            left = [c for c in range(6) if c != x and c != y]
            p = 1.0 / len(left)
            table[(x, y)] = tuple((c, p) for c in left)
    return table


_OUTCOMES = _outcome_table()

# cards that are neither x nor y (-1: no card)
_UNSEEN = {k: tuple(c for c, _p in v) for k, v in _OUTCOMES.items()}

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
    return list(_OUTCOMES[(state[1], state[2])])


def apply_action(state, action):
    node, c0, c1, pub = state
    if _PLAYER[node] >= 0:
        return (_NEXT[node][action], c0, c1, pub)
    if node == 0:
        return (1, action, -1, -1)
    if node == 1:
        return (2, c0, action, -1)
    return (_NEXT[node][-1], c0, c1, action)


def returns(state):
    node, c0, c1, pub = state
    result = _RESULT[node]
    if result is not None:
        return list(result)
    r0 = c0 >> 1
    r1 = c1 >> 1
    if r0 == r1:
        return [0.0, 0.0]
    rp = pub >> 1
    stake = float(_CHIPS[node][0])
    if r0 == rp:
        first = True
    elif r1 == rp:
        first = False
    else:
        first = r0 > r1
    if first:
        return [stake, -stake]
    return [-stake, stake]


def action_name(state, action):
    if _PLAYER[state[0]] == -1:
        return _DEAL_NAMES[action]
    return _ACTIONS[action]


def observation(state, player):
    node = state[0]
    own = state[1 + player]
    pub = state[3]
    return {
        "card": _CARDS[own] if own >= 0 else None,
        "public_card": _CARDS[pub] if pub >= 0 else None,
        "round": _ROUND[node],
        "bets": [list(_NAMES1[node]), list(_NAMES2[node])],
        "chips": list(_CHIPS[node]),
    }


def information_state(state, player):
    return (player, state[0], state[1 + player], state[3])


def _draw(player, history, rand):
    obs = history[-1][0]
    b1, b2 = obs["bets"]
    deals = len(history) - 1 - len(b1) - len(b2)
    node = _KEYS[(tuple(b1), tuple(b2), deals)]
    card = obs["card"]
    public = obs["public_card"]
    own = -1 if card is None else _CARD_INDEX[card]
    pub = -1 if public is None else _CARD_INDEX[public]
    if deals == 0:
        return _INITIAL
    if deals == 1 and player == 0:
        return (node, own, -1, -1)
    unseen = _UNSEEN[(own, pub)]
    n = len(unseen)
    i = int(rand() * n)
    if i >= n:
        i = n - 1
    if player == 0:
        return (node, own, unseen[i], pub)
    return (node, unseen[i], own, pub)


def resample_history(player, history, rand):
    node, c0, c1, pub = _draw(player, history, rand)
    actions = []
    if c0 >= 0:
        actions.append(c0)
    if c1 >= 0:
        actions.append(c1)
    actions.extend(_BETS1[node])
    if pub >= 0:
        actions.append(pub)
    actions.extend(_BETS2[node])
    return actions


def resample_state(player, history, rand):
    return _draw(player, history, rand)
