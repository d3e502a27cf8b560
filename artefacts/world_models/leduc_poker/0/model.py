NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 6
MAX_GAME_LENGTH = 8          # call, raise, raise, call in both rounds
MIN_UTILITY = -13.0          # ante 1 + 2 * 2 + 2 * 4
MAX_UTILITY = 13.0

_FOLD, _CALL, _RAISE = 0, 1, 2
_ACTION_NAMES = ("fold", "call", "raise")
_CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
_DEAL_NAMES = tuple("deal " + _name for _name in _CARDS)
_CARD_OR_NONE = _CARDS + (None,)            # index -1: not dealt
_CARD_INDEX = {"Js": 0, "Jh": 1, "Qs": 2, "Qh": 3, "Ks": 4, "Kh": 5, None: -1}
_RAISE_SIZE = (0, 2, 4)                     # by round
_MAX_RAISES = 2

# A state is (node, card of player 0, card of player 1, public card);
# a card is 0..5, or -1 if not dealt.  A node is a place in the betting tree:
# node 0: the first card is to be dealt, node 1: the second card,
# node 2: the first decision of player 0, and so on.


def _build_tree():
    actor = []       # who acts: 0, 1, -1 (chance), -4 (end)
    nxt = []         # dict action -> node, for decisions
    after_deal = []  # node after the deal, for chance nodes
    bets1 = []
    bets2 = []
    chips = []
    rounds = []
    fixed = []       # result that does not depend on the cards
    stake = []       # chips of each player at a showdown, else 0.0

    def add(who, b1, b2, paid, rnd, result=(0.0, 0.0), at_stake=0.0):
        actor.append(who)
        nxt.append({})
        after_deal.append(-1)
        bets1.append(b1)
        bets2.append(b2)
        chips.append(paid)
        rounds.append(rnd)
        fixed.append(result)
        stake.append(at_stake)
        return len(actor) - 1

    def betting(b1, b2, paid, rnd, player, raises, pending):
        # `pending`: how many players still have to call to end the round
        node = add(player, b1, b2, paid, rnd)
        missing = max(paid) - paid[player]
        for action in (_FOLD, _CALL, _RAISE):
            if action == _FOLD and missing == 0:
                continue
            if action == _RAISE and raises >= _MAX_RAISES:
                continue
            n1, n2 = b1, b2
            if rnd == 1:
                n1 = b1 + (_ACTION_NAMES[action],)
            else:
                n2 = b2 + (_ACTION_NAMES[action],)
            if action == _FOLD:
                loss = float(paid[player])
                result = (-loss, loss) if player == 0 else (loss, -loss)
                child = add(-4, n1, n2, paid, rnd, result)
            else:
                new = list(paid)
                new[player] += missing
                if action == _RAISE:
                    new[player] += _RAISE_SIZE[rnd]
                new = tuple(new)
                if action == _RAISE:
                    child = betting(n1, n2, new, rnd, 1 - player,
                                    raises + 1, 1)
                elif pending > 1:
                    child = betting(n1, n2, new, rnd, 1 - player,
                                    raises, pending - 1)
                elif rnd == 1:
                    child = add(-1, n1, n2, new, 2)
                    following = betting(n1, n2, new, 2, 0, 0, 2)
                    after_deal[child] = following
                else:
                    child = add(-4, n1, n2, new, 2, (0.0, 0.0),
                                float(new[0]))
            nxt[node][action] = child
        return node

    add(-1, (), (), (1, 1), 1)
    add(-1, (), (), (1, 1), 1)
    after_deal[0] = 1
    first = betting((), (), (1, 1), 1, 0, 0, 2)
    after_deal[1] = first

    legal = tuple(tuple(sorted(d)) for d in nxt)
    lookup = {}
    for node in range(2, len(actor)):
        public = rounds[node] == 2 and actor[node] != -1
        lookup[(bets1[node], bets2[node], public)] = node
    return (tuple(actor), tuple(nxt), tuple(after_deal), tuple(bets1),
            tuple(bets2), tuple(chips), tuple(rounds), tuple(fixed),
            tuple(stake), legal, lookup)


(_ACTOR, _NEXT, _AFTER_DEAL, _BETS1, _BETS2, _CHIPS, _ROUND, _FIXED,
 _STAKE, _LEGAL, _LOOKUP) = _build_tree()


def _build_outcomes():
    # indexed by the two cards of the players; index 6 (that is, -1): not dealt
    table = []
    for c0 in range(7):
        row = []
        for c1 in range(7):
            left = [c for c in range(6) if c != c0 and c != c1]
            p = 1.0 / len(left)
            row.append(tuple((c, p) for c in left))
        table.append(tuple(row))
    return tuple(table)


def _build_comparison():
    # 1: player 0 wins, -1: player 1 wins, 0: equal hands
    def strength(card, public):
        rank = card // 2
        return rank + 3 if rank == public // 2 else rank

    table = []
    for c0 in range(6):
        plane = []
        for c1 in range(6):
            row = []
            for public in range(6):
                a = strength(c0, public)
                b = strength(c1, public)
                row.append((a > b) - (a < b))
            plane.append(tuple(row))
        table.append(tuple(plane))
    return tuple(table)


_OUTCOMES = _build_outcomes()
_COMPARE = _build_comparison()
_INITIAL = (0, -1, -1, -1)


def initial_state():
    return _INITIAL


def current_player(state):
    return _ACTOR[state[0]]


def legal_actions(state):
    return list(_LEGAL[state[0]])


def chance_outcomes(state):
    if _ACTOR[state[0]] != -1:
        return []
    return list(_OUTCOMES[state[1]][state[2]])


def apply_action(state, action):
    node, c0, c1, public = state
    if _ACTOR[node] == -1:
        if node == 0:
            return (1, action, -1, -1)
        if node == 1:
            return (_AFTER_DEAL[1], c0, action, -1)
        return (_AFTER_DEAL[node], c0, c1, action)
    return (_NEXT[node][action], c0, c1, public)


def returns(state):
    node, c0, c1, public = state
    at_stake = _STAKE[node]
    if at_stake:
        sign = _COMPARE[c0][c1][public]
        if sign > 0:
            return [at_stake, -at_stake]
        if sign < 0:
            return [-at_stake, at_stake]
        return [0.0, 0.0]
    return list(_FIXED[node])


def action_name(state, action):
    if _ACTOR[state[0]] == -1:
        return _DEAL_NAMES[action]
    return _ACTION_NAMES[action]


def observation(state, player):
    node = state[0]
    return {
        "card": _CARD_OR_NONE[state[1 + player]],
        "public_card": _CARD_OR_NONE[state[3]],
        "round": _ROUND[node],
        "bets": [list(_BETS1[node]), list(_BETS2[node])],
        "chips": list(_CHIPS[node]),
    }


def information_state(state, player):
    # The node stands for the number of deals and all bets, which are public.
    return (player, state[0], state[1 + player], state[3])


def _draw_cards(player, obs, steps, rand):
    # The cards of both players and the public card, -1 where not dealt;
    # `steps` is the number of actions so far, deals included.
    if steps == 0:
        return -1, -1, -1
    own = _CARD_INDEX[obs["card"]]
    public = _CARD_INDEX[obs["public_card"]]
    if steps == 1 and player == 0:
        return own, -1, -1
    unknown = [c for c in range(6) if c != own and c != public]
    other = unknown[int(rand() * len(unknown))]
    if steps == 1:
        return other, -1, -1
    if player == 0:
        return own, other, public
    return other, own, public


def resample_history(player, history, rand):
    obs = history[-1][0]
    steps = len(history) - 1
    c0, c1, public = _draw_cards(player, obs, steps, rand)
    if steps == 0:
        return []
    if steps == 1:
        return [c0]
    first, second = obs["bets"]
    index = _ACTION_NAMES.index
    result = [c0, c1]
    result.extend([index(name) for name in first])
    if public >= 0:
        result.append(public)
        result.extend([index(name) for name in second])
    return result


def resample_state(player, history, rand):
    obs = history[-1][0]
    steps = len(history) - 1
    c0, c1, public = _draw_cards(player, obs, steps, rand)
    if steps < 2:
        return (steps, c0, c1, public)
    first, second = obs["bets"]
    node = _LOOKUP[(tuple(first), tuple(second), public >= 0)]
    return (node, c0, c1, public)
