"""Leduc poker for two players: rules, observations and resampling.

A state is a tuple (node, card0, card1, public):
  node   - index of a node of the betting tree (tables below); nodes 0 and 1
           are the deals of the private cards, node 2 the first bet
  card0, card1, public - 0..5 (Js, Jh, Qs, Qh, Ks, Kh), -1 while not dealt
"""

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 6
MAX_GAME_LENGTH = 8
MIN_UTILITY = -13.0
MAX_UTILITY = 13.0

_FOLD = 0
_CALL = 1
_RAISE = 2

_ACTIONS = ("fold", "call", "raise")
_ACTION_INDEX = {"fold": 0, "call": 1, "raise": 2}
_CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
_DEALS = tuple("deal " + c for c in _CARDS)
# index -1 (not dealt) gives None
_CARD_OR_NONE = _CARDS + (None,)
# None (not dealt) gives -1
_CARD_INDEX = {"Js": 0, "Jh": 1, "Qs": 2, "Qh": 3, "Ks": 4, "Kh": 5, None: -1}


def _build_tree():
    player_of = []   # 0, 1, -1 chance, -4 over
    legal_of = []    # tuple of legal actions
    next_of = []     # players: tuple of 3 nodes (-1 illegal); chance: one node
    round_of = []
    bets_of = []     # pair of tuples of action names
    chips_of = []
    folded_of = []   # the player who folded, -1 if nobody
    index = {}       # (bets 1, bets 2, public card dealt) -> node

    def add(who, rnd, bets, chips, folded, dealt, keyed):
        node = len(player_of)
        player_of.append(who)
        legal_of.append(())
        next_of.append(None)
        round_of.append(rnd)
        bets_of.append(bets)
        chips_of.append(chips)
        folded_of.append(folded)
        if keyed:
            index[(bets[0], bets[1], dealt)] = node
        return node

    def extend(bets, rnd, name):
        if rnd == 1:
            return (bets[0] + (name,), bets[1])
        return (bets[0], bets[1] + (name,))

    def pay(chips, who, total):
        if who == 0:
            return (total, chips[1])
        return (chips[0], total)

    def play(rnd, bets, chips, who, raises, open_calls):
        dealt = rnd == 2
        node = add(who, rnd, bets, chips, -1, dealt, True)
        most = max(chips)
        children = [-1, -1, -1]
        legal = []
        if most > chips[who]:
            legal.append(_FOLD)
            children[_FOLD] = add(-4, rnd, extend(bets, rnd, "fold"), chips,
                                  who, dealt, True)
        legal.append(_CALL)
        new_bets = extend(bets, rnd, "call")
        new_chips = pay(chips, who, most)
        if open_calls > 1:
            children[_CALL] = play(rnd, new_bets, new_chips, 1 - who, raises,
                                   open_calls - 1)
        elif rnd == 1:
            between = add(-1, 2, new_bets, new_chips, -1, False, True)
            children[_CALL] = between
            next_of[between] = play(2, new_bets, new_chips, 0, 0, 2)
        else:
            children[_CALL] = add(-4, 2, new_bets, new_chips, -1, True, True)
        if raises < 2:
            legal.append(_RAISE)
            step = 2 if rnd == 1 else 4
            children[_RAISE] = play(rnd, extend(bets, rnd, "raise"),
                                    pay(chips, who, most + step), 1 - who,
                                    raises + 1, 1)
        legal_of[node] = tuple(legal)
        next_of[node] = tuple(children)
        return node

    empty = ((), ())
    first = add(-1, 1, empty, (1, 1), -1, False, False)
    second = add(-1, 1, empty, (1, 1), -1, False, False)
    next_of[first] = second
    next_of[second] = play(1, empty, (1, 1), 0, 0, 2)
    return (tuple(player_of), tuple(legal_of), tuple(next_of),
            tuple(round_of), tuple(bets_of), tuple(chips_of),
            tuple(folded_of), index)


(_PLAYER, _LEGAL, _NEXT, _ROUND, _BETS, _CHIPS, _FOLDED,
 _NODE_INDEX) = _build_tree()


def _build_chance():
    # (card0, card1) -> outcomes of the next deal
    table = {}
    for c0 in range(-1, 6):
        for c1 in range(-1, 6):
            if c0 == -1 and c1 != -1:
                continue
            if c0 != -1 and c0 == c1:
                continue
            left = [c for c in range(6) if c != c0 and c != c1]
            p = 1.0 / len(left)
            table[(c0, c1)] = tuple((c, p) for c in left)
    return table


_CHANCE = _build_chance()


def _build_hidden():
    # (own card, public card or -1) -> cards that the other player may hold
    table = {}
    for own in range(6):
        for pub in range(-1, 6):
            if own != pub:
                table[(own, pub)] = tuple(
                    c for c in range(6) if c != own and c != pub)
    return table


_HIDDEN = _build_hidden()


def _build_showdown():
    # index card0 * 36 + card1 * 6 + public: 1 player 0 wins, -1 loses, 0 tie
    table = []
    for c0 in range(6):
        for c1 in range(6):
            for pub in range(6):
                r0 = c0 // 2
                r1 = c1 // 2
                rp = pub // 2
                if r0 == r1:
                    table.append(0)
                elif r0 == rp:
                    table.append(1)
                elif r1 == rp:
                    table.append(-1)
                elif r0 > r1:
                    table.append(1)
                else:
                    table.append(-1)
    return tuple(table)


_SHOWDOWN = _build_showdown()

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
    who = _PLAYER[node]
    if who >= 0:
        child = _NEXT[node][action]
        if child < 0:
            raise ValueError("illegal action")
        return (child, c0, c1, pub)
    if who != -1:
        raise ValueError("the game is over")
    if node == 0:
        return (1, action, -1, -1)
    if node == 1:
        return (2, c0, action, -1)
    return (_NEXT[node], c0, c1, action)


def returns(state):
    node, c0, c1, pub = state
    if _PLAYER[node] != -4:
        return [0.0, 0.0]
    folded = _FOLDED[node]
    chips = _CHIPS[node]
    if folded == 0:
        amount = float(chips[0])
        return [-amount, amount]
    if folded == 1:
        amount = float(chips[1])
        return [amount, -amount]
    result = _SHOWDOWN[c0 * 36 + c1 * 6 + pub]
    if result == 0:
        return [0.0, 0.0]
    amount = float(chips[0])
    if result > 0:
        return [amount, -amount]
    return [-amount, amount]


def action_name(state, action):
    if _PLAYER[state[0]] == -1:
        return _DEALS[action]
    return _ACTIONS[action]


def observation(state, player):
    node = state[0]
    bets = _BETS[node]
    return {
        "card": _CARD_OR_NONE[state[1 + player]],
        "public_card": _CARD_OR_NONE[state[3]],
        "round": _ROUND[node],
        "bets": [list(bets[0]), list(bets[1])],
        "chips": list(_CHIPS[node]),
    }


def information_state(state, player):
    # the node stands for the number of deals and all bets of both rounds
    return (player, state[1 + player], state[3], state[0])


def _draw_cards(player, history, rand):
    """(card0, card1, public) that fit the history, -1 where not dealt."""
    obs = history[-1][0]
    length = len(history)
    if length <= 1:
        return (-1, -1, -1)
    own = _CARD_INDEX[obs["card"]]
    if length == 2:
        if player == 0:
            return (own, -1, -1)
        return (int(rand() * 6), -1, -1)
    pub = _CARD_INDEX[obs["public_card"]]
    hidden = _HIDDEN[(own, pub)]
    other = hidden[int(rand() * len(hidden))]
    if player == 0:
        return (own, other, pub)
    return (other, own, pub)


def resample_history(player, history, rand):
    c0, c1, pub = _draw_cards(player, history, rand)
    if c0 < 0:
        return []
    if c1 < 0:
        return [c0]
    bets = history[-1][0]["bets"]
    actions = [c0, c1]
    for name in bets[0]:
        actions.append(_ACTION_INDEX[name])
    if pub >= 0:
        actions.append(pub)
        for name in bets[1]:
            actions.append(_ACTION_INDEX[name])
    return actions


def resample_state(player, history, rand):
    c0, c1, pub = _draw_cards(player, history, rand)
    if c0 < 0:
        return _INITIAL
    if c1 < 0:
        return (1, c0, -1, -1)
    bets = history[-1][0]["bets"]
    node = _NODE_INDEX[(tuple(bets[0]), tuple(bets[1]), pub >= 0)]
    return (node, c0, c1, pub)
