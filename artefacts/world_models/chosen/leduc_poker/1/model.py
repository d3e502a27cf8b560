NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 6
MAX_GAME_LENGTH = 8
MIN_UTILITY = -13.0
MAX_UTILITY = 13.0

_CHANCE = -1
_OVER = -4

_FOLD = 0
_CALL = 1
_RAISE = 2

_ACTION_NAMES = ("fold", "call", "raise")
_ACTION_ID = {"fold": 0, "call": 1, "raise": 2}
_CARDS = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
_CARD_ID = {_name: _i for _i, _name in enumerate(_CARDS)}
_DEAL_NAMES = tuple("deal " + _name for _name in _CARDS)
# index -1 (the last one) stands for a card that is not dealt yet
_CARD_OR_NONE = _CARDS + (None,)

_RAISE_SIZE = (2, 4)
_MAX_RAISES = 2

# A state is (player to act, card of player 0, card of player 1, public card,
# betting sequence); cards are 0..5, or -1 if not dealt yet. The betting
# sequence is a string of f, c, r; "/" follows the end of the first round.


def _build_tree():
    legal = {}    # sequence -> legal actions
    follow = {}   # sequence -> per action (player to act next, next sequence)
    info = {}     # sequence -> (round, bets 1, bets 2, chips 0, chips 1)
    actor = {}    # sequence -> player to act (public card dealt), or -4
    folder = {}   # finished sequence -> player who folded, or -1

    def note(seq, rnd, bets, chips, who):
        info[seq] = (rnd + 1, bets[0], bets[1], chips[0], chips[1])
        actor[seq] = who

    def expand(seq, rnd, who, raises, chips, bets):
        note(seq, rnd, bets, chips, who)
        top = max(chips)
        missing = top - chips[who]
        other = 1 - who
        acts = []
        steps = [None, None, None]

        def add_bet(name):
            new = list(bets)
            new[rnd] = bets[rnd] + (name,)
            return tuple(new)

        def pay(amount):
            new = list(chips)
            new[who] += amount
            return tuple(new)

        if missing > 0:
            acts.append(_FOLD)
            nxt = seq + "f"
            note(nxt, rnd, add_bet("fold"), chips, _OVER)
            folder[nxt] = who
            steps[_FOLD] = (_OVER, nxt)

        acts.append(_CALL)
        new_bets = add_bet("call")
        new_chips = pay(missing)
        if raises > 0 or who == 1:
            # the round is over
            if rnd == 0:
                nxt = seq + "c/"
                steps[_CALL] = (_CHANCE, nxt)
                expand(nxt, 1, 0, 0, new_chips, new_bets)
            else:
                nxt = seq + "c"
                note(nxt, rnd, new_bets, new_chips, _OVER)
                folder[nxt] = -1
                steps[_CALL] = (_OVER, nxt)
        else:
            nxt = seq + "c"
            steps[_CALL] = (other, nxt)
            expand(nxt, rnd, other, raises, new_chips, new_bets)

        if raises < _MAX_RAISES:
            acts.append(_RAISE)
            nxt = seq + "r"
            steps[_RAISE] = (other, nxt)
            expand(nxt, rnd, other, raises + 1,
                   pay(missing + _RAISE_SIZE[rnd]), add_bet("raise"))

        legal[seq] = tuple(acts)
        follow[seq] = tuple(steps)

    expand("", 0, 0, 0, (1, 1), ((), ()))
    return legal, follow, info, actor, folder


_LEGAL, _FOLLOW, _INFO, _ACTOR, _FOLDER = _build_tree()

# (actions of round 1, actions of round 2) -> betting sequence
_SEQ_OF_BETS = {(_v[1], _v[2]): _k for _k, _v in _INFO.items()}


def _build_outcomes():
    table = {}
    for a in range(-1, 6):
        for b in range(-1, 6):
            if a < 0 and b >= 0:
                continue
            if a >= 0 and a == b:
                continue
            left = [c for c in range(6) if c != a and c != b]
            prob = 1.0 / len(left)
            table[(a, b)] = tuple((c, prob) for c in left)
    return table


# (card of player 0, card of player 1) -> outcomes of the next deal
_OUTCOMES = _build_outcomes()

# (own card, public card or -1) -> cards that the other player may hold
_REST = {
    (_a, _b): tuple(_c for _c in range(6) if _c != _a and _c != _b)
    for _a in range(6)
    for _b in range(-1, 6)
    if _a != _b
}

_INITIAL = (_CHANCE, -1, -1, -1, "")


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    return list(_LEGAL[state[4]])


def chance_outcomes(state):
    return list(_OUTCOMES[(state[1], state[2])])


def apply_action(state, action):
    who, c0, c1, pub, seq = state
    if who >= 0:
        step = _FOLLOW[seq][action]
        if step is None:
            raise ValueError("illegal action")
        return (step[0], c0, c1, pub, step[1])
    if who != _CHANCE:
        raise ValueError("the game is over")
    if c0 < 0:
        return (_CHANCE, action, -1, -1, "")
    if c1 < 0:
        return (0, c0, action, -1, "")
    return (0, c0, c1, action, seq)


def returns(state):
    who, c0, c1, pub, seq = state
    if who != _OVER:
        return [0.0, 0.0]
    loser = _FOLDER[seq]
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
    info = _INFO[seq]
    if loser == 0:
        amount = float(info[3])
        return [-amount, amount]
    amount = float(info[4])
    return [amount, -amount]


def action_name(state, action):
    if state[0] == _CHANCE:
        return _DEAL_NAMES[action]
    return _ACTION_NAMES[action]


def observation(state, player):
    rnd, bets1, bets2, chips0, chips1 = _INFO[state[4]]
    return {
        "card": _CARD_OR_NONE[state[1 + player]],
        "public_card": _CARD_OR_NONE[state[3]],
        "round": rnd,
        "bets": [list(bets1), list(bets2)],
        "chips": [chips0, chips1],
    }


def information_state(state, player):
    c0 = state[1]
    c1 = state[2]
    dealt = 2 if c1 >= 0 else (1 if c0 >= 0 else 0)
    return (player, dealt, c1 if player else c0, state[3], state[4])


def resample_history(player, history, rand):
    count = len(history) - 1
    obs = history[-1][0]
    if count <= 0:
        return []
    if count == 1:
        if player == 0:
            return [_CARD_ID[obs["card"]]]
        # player 1 has no card yet: only player 0 has one, and it is unknown...
        return [int(rand() * 6)]
    own = _CARD_ID[obs["card"]]
    pub_name = obs["public_card"]
    pub = -1 if pub_name is None else _CARD_ID[pub_name]
    rest = _REST[(own, pub)]
    other = rest[int(rand() * len(rest))]
    result = [own, other] if player == 0 else [other, own]
    bets = obs["bets"]
    for name in bets[0]:
        result.append(_ACTION_ID[name])
    if pub >= 0:
        result.append(pub)
        for name in bets[1]:
            result.append(_ACTION_ID[name])
    return result


def resample_state(player, history, rand):
    count = len(history) - 1
    if count < 2:
        state = _INITIAL
        for action in resample_history(player, history, rand):
            state = apply_action(state, action)
        return state
    obs = history[-1][0]
    own = _CARD_ID[obs["card"]]
    pub_name = obs["public_card"]
    pub = -1 if pub_name is None else _CARD_ID[pub_name]
    rest = _REST[(own, pub)]
    other = rest[int(rand() * len(rest))]
    bets = obs["bets"]
    seq = _SEQ_OF_BETS[(tuple(bets[0]), tuple(bets[1]))]
    if pub < 0 and obs["round"] == 2:
        who = _CHANCE
    else:
        who = _ACTOR[seq]
    if player == 0:
        return (who, own, other, pub, seq)
    return (who, other, own, pub, seq)
