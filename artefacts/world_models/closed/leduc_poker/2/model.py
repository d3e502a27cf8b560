NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 6
MAX_GAME_LENGTH = 8
MIN_UTILITY = -13.0
MAX_UTILITY = 13.0

_CHANCE = -1
_OVER = -4

_FOLD, _CALL, _RAISE = 0, 1, 2
_ACTIONS = ("fold", "call", "raise")
_ACTION_ID = {"fold": 0, "call": 1, "raise": 2}

_CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
_CARD_ID = {"Js": 0, "Jh": 1, "Qs": 2, "Qh": 3, "Ks": 4, "Kh": 5, None: -1}
# name of a card by its number; number -1 (not dealt) is the last entry
_CARD_NAME = _CARDS + (None,)
_DEAL_NAMES = tuple("deal " + c for c in _CARDS)

# Cards that are left without cards a and b (-1, the last entry: none)
_IDS = (0, 1, 2, 3, 4, 5, -1)
_LEFT = tuple(
    tuple(tuple(c for c in range(6) if c != a and c != b) for b in _IDS)
    for a in _IDS
)
_OUTCOMES = tuple(
    tuple(tuple((c, 1.0 / len(left)) for c in left) for left in row)
    for row in _LEFT
)

# Worth of a hand: _WORTH[card][public card]
_WORTH = tuple(
    tuple(c // 2 + (3 if c // 2 == p // 2 else 0) for p in range(6))
    for c in range(6)
)


def _build():
    """The tree of everything public except which cards are dealt.

    Node 0: before the first card, node 1: before the second card,
    node 2: start of the first round of betting.
    """
    nodes = []

    def new(player, round_no, first, second, chips, loser):
        # player, legal, next, round, first, second, chips, loser
        nodes.append([player, (), [-1, -1, -1], round_no, first, second,
                      chips, loser])
        return len(nodes) - 1

    def betting(round_no, first, second, chips):
        seq = first if round_no == 1 else second
        player = len(seq) % 2
        node = new(player, round_no, first, second, chips, -1)
        most = max(chips)
        legal = []
        if chips[player] < most:
            legal.append(_FOLD)
        legal.append(_CALL)
        if seq.count("raise") < 2:
            legal.append(_RAISE)
        nodes[node][1] = tuple(legal)
        for a in legal:
            longer = seq + (_ACTIONS[a],)
            if round_no == 1:
                f, s = longer, second
            else:
                f, s = first, longer
            if a == _FOLD:
                child = new(_OVER, round_no, f, s, chips, player)
            else:
                paid = list(chips)
                paid[player] = most
                if a == _RAISE:
                    paid[player] += 2 if round_no == 1 else 4
                paid = tuple(paid)
                if a == _RAISE or not seq:
                    child = betting(round_no, f, s, paid)
                elif round_no == 1:
                    child = new(_CHANCE, 2, f, s, paid, -1)
                    start = betting(2, f, s, paid)
                    nodes[child][2] = [start, start, start]
                else:
                    child = new(_OVER, 2, f, s, paid, -1)
            nodes[node][2][a] = child
        return node

    new(_CHANCE, 1, (), (), (1, 1), -1)
    new(_CHANCE, 1, (), (), (1, 1), -1)
    betting(1, (), (), (1, 1))

    fixed = []
    stake = []
    lookup = {}
    for i, n in enumerate(nodes):
        player, round_no, chips, loser = n[0], n[3], n[6], n[7]
        stake.append(float(chips[0]))
        if player != _OVER:
            fixed.append((0.0, 0.0))
        elif loser == 0:
            fixed.append((-float(chips[0]), float(chips[0])))
        elif loser == 1:
            fixed.append((float(chips[1]), -float(chips[1])))
        else:
            fixed.append(None)  # showdown
        if i >= 2:
            dealt = round_no == 2 and player != _CHANCE
            lookup[(n[4], n[5], dealt)] = i
    return (
        tuple(n[0] for n in nodes),
        tuple(n[1] for n in nodes),
        tuple(tuple(n[2]) for n in nodes),
        tuple(n[3] for n in nodes),
        tuple(n[4] for n in nodes),
        tuple(n[5] for n in nodes),
        tuple(n[6] for n in nodes),
        tuple(fixed),
        tuple(stake),
        lookup,
    )


(_PLAYER, _LEGAL, _NEXT, _ROUND, _FIRST, _SECOND, _CHIPS, _FIXED, _STAKE,
 _LOOKUP) = _build()


# A state is (card of player 0, card of player 1, public card, node).

def initial_state():
    return (-1, -1, -1, 0)


def current_player(state):
    return _PLAYER[state[3]]


def legal_actions(state):
    return list(_LEGAL[state[3]])


def chance_outcomes(state):
    if _PLAYER[state[3]] != _CHANCE:
        return []
    return list(_OUTCOMES[state[0]][state[1]])


def apply_action(state, action):
    c0, c1, pub, node = state
    who = _PLAYER[node]
    if who >= 0:
        child = _NEXT[node][action]
        if child < 0:
            raise ValueError("illegal action")
        return (c0, c1, pub, child)
    if who == _OVER:
        raise ValueError("the game is over")
    if node == 0:
        return (action, -1, -1, 1)
    if action == c0 or action == c1:
        raise ValueError("this card is already dealt")
    if node == 1:
        return (c0, action, -1, 2)
    return (c0, c1, action, _NEXT[node][0])


def returns(state):
    c0, c1, pub, node = state
    fixed = _FIXED[node]
    if fixed is not None:
        return list(fixed)
    w0 = _WORTH[c0][pub]
    w1 = _WORTH[c1][pub]
    if w0 == w1:
        return [0.0, 0.0]
    stake = _STAKE[node]
    if w0 > w1:
        return [stake, -stake]
    return [-stake, stake]


def action_name(state, action):
    if _PLAYER[state[3]] == _CHANCE:
        return _DEAL_NAMES[action]
    return _ACTIONS[action]


def observation(state, player):
    node = state[3]
    return {
        "card": _CARD_NAME[state[player]],
        "public_card": _CARD_NAME[state[2]],
        "round": _ROUND[node],
        "bets": [list(_FIRST[node]), list(_SECOND[node])],
        "chips": list(_CHIPS[node]),
    }


def information_state(state, player):
    # The node is public; it also fixes the number of states so far.
    return (player, state[player], state[2], state[3])


def resample_history(player, history, rand):
    n = len(history) - 1
    if n <= 0:
        return []
    obs = history[-1][0]
    own = _CARD_ID[obs["card"]]
    if n == 1:
        if player == 0:
            return [own]
        return [int(rand() * 6)]
    pub = _CARD_ID[obs["public_card"]]
    left = _LEFT[own][pub]
    other = left[int(rand() * len(left))]
    if player == 0:
        game = [own, other]
    else:
        game = [other, own]
    bets = obs["bets"]
    for name in bets[0]:
        game.append(_ACTION_ID[name])
    if pub >= 0:
        game.append(pub)
        for name in bets[1]:
            game.append(_ACTION_ID[name])
    return game


def resample_state(player, history, rand):
    n = len(history) - 1
    if n <= 0:
        return (-1, -1, -1, 0)
    obs = history[-1][0]
    own = _CARD_ID[obs["card"]]
    if n == 1:
        if player == 0:
            return (own, -1, -1, 1)
        return (int(rand() * 6), -1, -1, 1)
    pub = _CARD_ID[obs["public_card"]]
    left = _LEFT[own][pub]
    other = left[int(rand() * len(left))]
    bets = obs["bets"]
    node = _LOOKUP[(tuple(bets[0]), tuple(bets[1]), pub >= 0)]
    if player == 0:
        return (own, other, pub, node)
    return (other, own, pub, node)
