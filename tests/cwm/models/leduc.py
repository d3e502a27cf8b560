"""Leduc poker for two players, OpenSpiel's `leduc_poker`, as a world model of a game with secrets.

Six cards (0 and 1 jacks, 2 and 3 queens, 4 and 5 kings): one for each player and, after a first
round of betting, a public one. Raises are 2 chips, then 4, at most two a round; a pair wins, then
the higher card. Rules: Southey et al. 2005, "Bayes' Bluff: Opponent Modelling in Poker".

state = (line, card of player 0, card of player 1, public card), -1 for a card not dealt yet. `line`
numbers what everybody has seen apart from the cards: 0 and 1 are the deals to the players, 2 is the
start of the betting; all that does not depend on the cards is looked up by it.

Beside the contract's functions: `information_state` and `resample`, for information-set search.
"""

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 3
MAX_CHANCE_OUTCOMES = 6
MAX_GAME_LENGTH = 8
MIN_UTILITY = -13.0
MAX_UTILITY = 13.0

_CHANCE, _TERMINAL = -1, -4
_FOLD, _CALL, _RAISE = 0, 1, 2
_NAMES = ("fold", "call", "raise")
_CARD_NAMES = ("Js", "Jh", "Qs", "Qh", "Ks", "Kh")
_RAISE_CHIPS = (2, 4)
_MAX_RAISES = 2
_CARDS = range(6)

# By line:
_PLAYER = [_CHANCE, _CHANCE]  # to act
_BETS = [((), ()), ((), ())]  # of both rounds
_LEGAL = [(), ()]
_NEXT = [(1,), (2,)]  # line after each action; after a card the only entry
_ROUND = [1, 1]
_CHIPS = [(1, 1), (1, 1)]  # of each player in the pot
_FOLDED = [-1, -1]  # who has


def _add_line(first, second):
    """Adds the line of these actions of the two rounds (`second` None before the public card) and
    all lines that follow it; returns its number."""
    chips = [1, 1]
    folded = -1
    for number, actions in enumerate((first, second or ())):
        player, calls, raises = 0, 0, 0
        for action in actions:
            if action == _FOLD:
                folded = player
            elif action == _CALL:
                chips[player] = max(chips)
                calls += 1
            else:
                chips[player] = max(chips) + _RAISE_CHIPS[number]
                raises += 1
                calls = 0
            player = 1 - player
        if second is None:
            break
    closed = calls == (1 if raises else 2)

    line = len(_PLAYER)
    legal, to_act = (), player
    if folded >= 0 or closed and second is not None:
        to_act = _TERMINAL
    elif closed:
        to_act = _CHANCE
    else:
        legal = tuple(action for action, allowed in (
            (_FOLD, chips[player] < max(chips)), (_CALL, True), (_RAISE, raises < _MAX_RAISES))
            if allowed)
    _PLAYER.append(to_act)
    _BETS.append((first, second or ()))
    _LEGAL.append(legal)
    _NEXT.append(None)
    _ROUND.append(1 if second is None and not closed else 2)
    _CHIPS.append(tuple(chips))
    _FOLDED.append(folded)
    if to_act == _CHANCE:
        _NEXT[line] = (_add_line(first, ()),)
    elif second is None:
        _NEXT[line] = tuple(_add_line(first + (action,), None) if action in legal else None
                            for action in range(3))
    else:
        _NEXT[line] = tuple(_add_line(first, second + (action,)) if action in legal else None
                            for action in range(3))
    return line


_add_line((), None)

# By the cards of the players: what is left in the deck.
_DECK = {(a, b): tuple((card, 1.0 / (6 - (a >= 0) - (b >= 0))) for card in _CARDS
                       if card != a and card != b)
         for a in range(-1, 6) for b in range(-1, 6)}

# By card and public card: the worth of the hand.
_HAND = [[10 if card // 2 == public // 2 else card // 2 for public in _CARDS] for card in _CARDS]

# By chips of the loser: returns when player 0 wins, and when player 1 wins.
_WON = [(float(chips), -float(chips)) for chips in range(14)]
_LOST = [(-float(chips), float(chips)) for chips in range(14)]


def initial_state():
    return (0, -1, -1, -1)


def current_player(state):
    return _PLAYER[state[0]]


def legal_actions(state):
    return _LEGAL[state[0]]


def chance_outcomes(state):
    return _DECK[state[1], state[2]]


def apply_action(state, action):
    line, card, other, public = state
    if _PLAYER[line] >= 0:
        return (_NEXT[line][action], card, other, public)
    if line == 0:
        return (1, action, -1, -1)
    if line == 1:
        return (2, card, action, -1)
    return (_NEXT[line][0], card, other, action)


def returns(state):
    line, card, other, public = state
    if _PLAYER[line] != _TERMINAL:
        return (0.0, 0.0)
    folded = _FOLDED[line]
    if folded >= 0:
        return (_LOST if folded == 0 else _WON)[_CHIPS[line][folded]]
    hand, other_hand = _HAND[card][public], _HAND[other][public]
    if hand == other_hand:
        return (0.0, 0.0)
    return (_WON if hand > other_hand else _LOST)[_CHIPS[line][0]]


def action_name(state, action):
    return _NAMES[action] if _PLAYER[state[0]] >= 0 else "deal " + _CARD_NAMES[action]


def observation(state, player):
    line, card, public = state[0], state[1 + player], state[3]
    return {"card": _CARD_NAMES[card] if card >= 0 else None,
            "public_card": _CARD_NAMES[public] if public >= 0 else None,
            "round": _ROUND[line],
            "bets": [[_NAMES[bet] for bet in bets] for bets in _BETS[line]],
            "chips": list(_CHIPS[line])}


def information_state(state, player):
    """All that `player` knows: the line (so the betting, too), the own card and the public one."""
    return (state[0], state[1 + player], state[3])


def resample(state, player, rng):
    """A state drawn from those that fit what `player` knows, equally likely.

    `rng()` gives random numbers in [0, 1).
    """
    line, card, other, public = state
    own, hidden = (card, other) if player == 0 else (other, card)
    if hidden < 0:
        return state
    unseen = [card for card in _CARDS if card != own and card != public]
    hidden = unseen[int(rng() * len(unseen))]
    return (line, own, hidden, public) if player == 0 else (line, hidden, own, public)
