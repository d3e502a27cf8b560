NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 6
MAX_GAME_LENGTH = 8
MIN_UTILITY = -13.0
MAX_UTILITY = 13.0

_FOLD, _CALL, _RAISE = 0, 1, 2
_ACTION_NAMES = ("fold", "call", "raise")
_ACTION_INDEX = {"fold": 0, "call": 1, "raise": 2}
_CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
_CARD_INDEX = {"Js": 0, "Jh": 1, "Qs": 2, "Qh": 3, "Ks": 4, "Kh": 5}
# index -1 (not dealt yet) gives None
_CARD_NAMES = _CARDS + (None,)
_DEAL_NAMES = tuple("deal " + c for c in _CARDS)


def _build_tree():
    """All nodes of the betting: 0 = deal to player 0, 1 = deal to player 1,
    2 = first decision of round 1, then the others."""
    who_l, round_l, bets1_l, bets2_l, chips_l = [], [], [], [], []
    legal_l, child_l, fixed_l, stake_l = [], [], [], []
    lookup = {}

    def new(who, rnd, b1, b2, chips, public):
        idx = len(who_l)
        who_l.append(who)
        round_l.append(rnd)
        bets1_l.append(b1)
        bets2_l.append(b2)
        chips_l.append(chips)
        legal_l.append(())
        child_l.append({})
        fixed_l.append((0.0, 0.0))
        stake_l.append(0.0)
        if idx >= 2:
            lookup[(b1, b2, public)] = idx
        return idx

    def grow(rnd, b1, b2, chips, raises, pending, who):
        public = rnd == 2
        node = new(who, rnd, b1, b2, chips, public)
        top = max(chips)
        missing = top - chips[who]
        other = 1 - who
        legal = []
        children = {}

        def extended(name):
            if rnd == 1:
                return b1 + (name,), b2
            return b1, b2 + (name,)

        if missing > 0:
            legal.append(_FOLD)
            n1, n2 = extended("fold")
            end = new(-4, rnd, n1, n2, chips, public)
            lost = float(chips[who])
            fixed_l[end] = (-lost, lost) if who == 0 else (lost, -lost)
            children[_FOLD] = end

        legal.append(_CALL)
        n1, n2 = extended("call")
        paid = (top, chips[1]) if who == 0 else (chips[0], top)
        if pending > 1:
            children[_CALL] = grow(rnd, n1, n2, paid, raises, pending - 1, other)
        elif rnd == 1:
            chance = new(-1, 2, n1, n2, paid, False)
            children[_CALL] = chance
            child_l[chance] = {0: grow(2, n1, n2, paid, 0, 2, 0)}
        else:
            end = new(-4, 2, n1, n2, paid, True)
            fixed_l[end] = None
            stake_l[end] = float(paid[0])
            children[_CALL] = end

        if raises < 2:
            legal.append(_RAISE)
            n1, n2 = extended("raise")
            total = top + (2 if rnd == 1 else 4)
            paid = (total, chips[1]) if who == 0 else (chips[0], total)
            children[_RAISE] = grow(rnd, n1, n2, paid, raises + 1, 1, other)

        legal_l[node] = tuple(legal)
        child_l[node] = children
        return node

    new(-1, 1, (), (), (1, 1), False)
    new(-1, 1, (), (), (1, 1), False)
    grow(1, (), (), (1, 1), 0, 2, 0)
    return (tuple(who_l), tuple(round_l), tuple(bets1_l), tuple(bets2_l),
            tuple(chips_l), tuple(legal_l), tuple(child_l), tuple(fixed_l),
            tuple(stake_l), lookup)


(_WHO, _ROUND, _BETS1, _BETS2, _CHIPS, _LEGAL, _CHILD, _FIXED, _STAKE,
 _LOOKUP) = _build_tree()


def _build_winners():
    """Index c0 * 36 + c1 * 6 + public: 1 player 0 wins, -1 player 1, 0 shared."""
    table = []
    for c0 in range(6):
        for c1 in range(6):
            for pub in range(6):
                r0, r1, rp = c0 // 2, c1 // 2, pub // 2
                s0 = r0 + (3 if r0 == rp else 0)
                s1 = r1 + (3 if r1 == rp else 0)
                table.append(1 if s0 > s1 else (-1 if s0 < s1 else 0))
    return tuple(table)


def _build_chances():
    """Index (c0 + 1) * 7 + (c1 + 1): the cards that are left, with probability."""
    table = []
    for c0 in range(-1, 6):
        for c1 in range(-1, 6):
            left = [c for c in range(6) if c != c0 and c != c1]
            p = 1.0 / len(left)
            table.append(tuple((c, p) for c in left))
    return tuple(table)


def _build_hidden():
    """(own card, public card or None) -> (own, public or -1, unseen cards)."""
    table = {}
    for own in range(6):
        for pub in range(-1, 6):
            if pub == own:
                continue
            table[(_CARD_NAMES[own], _CARD_NAMES[pub])] = (
                own, pub,
                tuple(c for c in range(6) if c != own and c != pub))
    return table


_WINNER = _build_winners()
_CHANCES = _build_chances()
_HIDDEN = _build_hidden()
_INITIAL = (-1, -1, -1, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return _WHO[state[3]]


def legal_actions(state):
    return list(_LEGAL[state[3]])


def chance_outcomes(state):
    if _WHO[state[3]] != -1:
        return []
    return list(_CHANCES[(state[0] + 1) * 7 + state[1] + 1])


def apply_action(state, action):
    c0, c1, pub, node = state
    if _WHO[node] >= 0:
        return (c0, c1, pub, _CHILD[node][action])
    if node == 0:
        return (action, -1, -1, 1)
    if node == 1:
        return (c0, action, -1, 2)
    return (c0, c1, action, _CHILD[node][0])


def returns(state):
    node = state[3]
    fixed = _FIXED[node]
    if fixed is not None:
        return [fixed[0], fixed[1]]
    w = _WINNER[state[0] * 36 + state[1] * 6 + state[2]]
    if w == 0:
        return [0.0, 0.0]
    stake = _STAKE[node]
    if w > 0:
        return [stake, -stake]
    return [-stake, stake]


def action_name(state, action):
    if _WHO[state[3]] == -1:
        return _DEAL_NAMES[action]
    return _ACTION_NAMES[action]


def observation(state, player):
    node = state[3]
    return {
        "card": _CARD_NAMES[state[player]],
        "public_card": _CARD_NAMES[state[2]],
        "round": _ROUND[node],
        "bets": [list(_BETS1[node]), list(_BETS2[node])],
        "chips": list(_CHIPS[node]),
    }


def information_state(state, player):
    return (player, state[player], state[2], state[3])


def resample_history(player, history, rand):
    steps = len(history) - 1
    if steps <= 0:
        return []
    obs = history[-1][0]
    own_name = obs["card"]
    if steps == 1:
        if player == 0:
            return [_CARD_INDEX[own_name]]
        return [int(rand() * 6)]
    own, pub, unseen = _HIDDEN[(own_name, obs["public_card"])]
    other = unseen[int(rand() * len(unseen))]
    result = [own, other] if player == 0 else [other, own]
    bets = obs["bets"]
    for name in bets[0]:
        result.append(_ACTION_INDEX[name])
    if pub >= 0:
        result.append(pub)
        for name in bets[1]:
            result.append(_ACTION_INDEX[name])
    return result


def resample_state(player, history, rand):
    steps = len(history) - 1
    if steps <= 0:
        return _INITIAL
    obs = history[-1][0]
    own_name = obs["card"]
    if steps == 1:
        if player == 0:
            return (_CARD_INDEX[own_name], -1, -1, 1)
        return (int(rand() * 6), -1, -1, 1)
    own, pub, unseen = _HIDDEN[(own_name, obs["public_card"])]
    other = unseen[int(rand() * len(unseen))]
    bets = obs["bets"]
    node = _LOOKUP[(tuple(bets[0]), tuple(bets[1]), pub >= 0)]
    if player == 0:
        return (own, other, pub, node)
    return (other, own, pub, node)
