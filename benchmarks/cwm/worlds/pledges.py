"""Pledges: a card game of our own with hidden hands and half-hidden pledges, written as a world model (`cwm.contract`).

The game was made up for experiments, so that nobody can remember it; its rules as text are
`benchmarks/cwm/texts/full/pledges.md`.
"""

NUM_PLAYERS = 2
VALUES = 5
CARDS = 2 * VALUES
HAND = 3
TURNS = 12
CANCEL = 6

NUM_DISTINCT_ACTIONS = 2 * CARDS + 4
MAX_CHANCE_OUTCOMES = CARDS
MAX_GAME_LENGTH = TURNS
MIN_UTILITY = -3.0
MAX_UTILITY = 3.0

PLEDGE, SWAP = 0, CARDS
DRAW, LIFT, CALL, WAIT = 2 * CARDS, 2 * CARDS + 1, 2 * CARDS + 2, 2 * CARDS + 3
DEALT = 2 * HAND + 1
_NAMES = tuple("rb"[card // VALUES] + str(card % VALUES + 1) for card in range(CARDS))
_COLOURS = ("red", "blue")
_WORDS = ("draw", "lift", "call", "wait")


def initial_state():
    """(cards dealt, turns taken, hands, market, pledges, draws now, caller, cards in the deck, last action)."""
    return (0, 0, ((), ()), -1, (-1, -1), False, -1, tuple(range(CARDS)), None)


def current_player(state):
    dealt, turn, _, _, _, draws, caller, _, _ = state
    if dealt < DEALT or draws:
        return -1
    return -4 if caller >= 0 or turn == TURNS else turn % 2


def legal_actions(state):
    _, turn, hands, market, pledges, _, _, deck, _ = state
    player = turn % 2
    hand, own = hands[player], pledges[player]
    found = []
    if own < 0:
        found += [PLEDGE + card for card in hand]
    found += [SWAP + card for card in hand if _fits(card, market)]
    if deck and len(hand) < HAND:
        found.append(DRAW)
    if own >= 0 and own % VALUES == market % VALUES:
        found.append(LIFT)
    if own >= 0 and pledges[1 - player] >= 0:
        found.append(CALL)
    return found or [WAIT]


def _fits(card, market):
    return card // VALUES == market // VALUES or abs(card % VALUES - market % VALUES) == 1


def chance_outcomes(state):
    if current_player(state) != -1:
        return []
    deck = state[7]
    return [(card, 1.0 / len(deck)) for card in deck]


def apply_action(state, action):
    dealt, turn, hands, market, pledges, draws, caller, deck, last = state
    if dealt < DEALT or draws:
        return _after_deal(state, action)
    player = turn % 2
    hand, pledged = list(hands[player]), list(pledges)
    turn += 1
    if action < SWAP:
        hand.remove(action)
        pledged[player] = action
        last = "pledge"
    elif action < DRAW:
        card = action - SWAP
        hand.remove(card)
        hand = sorted(hand + [market])
        market = card
        last = "swap " + _NAMES[card]
    else:
        last = _WORDS[action - DRAW]
        draws = action == DRAW
        if action == LIFT:
            hand = sorted(hand + [pledged[player]])
            pledged[player] = -1
        elif action == CALL:
            caller = player
    return (dealt, turn, _with(hands, player, hand), market, tuple(pledged), draws, caller, deck, last)


def _after_deal(state, card):
    dealt, turn, hands, market, pledges, draws, caller, deck, last = state
    deck = tuple(other for other in deck if other != card)
    if draws:
        player = (turn - 1) % 2
        hands = _with(hands, player, sorted(hands[player] + (card,)))
        return (dealt, turn, hands, market, pledges, False, caller, deck, last)
    if dealt < 2 * HAND:
        player = dealt // HAND
        hands = _with(hands, player, sorted(hands[player] + (card,)))
    else:
        market = card
    return (dealt + 1, turn, hands, market, pledges, False, caller, deck, last)


def _with(hands, player, hand):
    return (tuple(hand), hands[1]) if player == 0 else (hands[0], tuple(hand))


def _scores(state):
    _, _, hands, market, pledges, _, _, _, _ = state
    colour = market // VALUES
    values = [0 if card < 0 else card % VALUES + 1 for card in pledges]
    if min(values) > 0 and sum(values) == CANCEL:
        values = [0, 0]
    scores = []
    for player in range(2):
        value = values[player]
        if pledges[player] >= 0 and pledges[player] // VALUES == colour:
            value *= 2
        scores.append(value + sum(card // VALUES == colour for card in hands[player]))
    return scores


def returns(state):
    if current_player(state) != -4:
        return [0.0, 0.0]
    caller = state[6]
    first, second = _scores(state)
    if caller < 0:
        ahead = (first > second) - (first < second)
        return [float(ahead), float(-ahead)]
    won = (first > second) if caller == 0 else (second > first)
    gain = 2.0 if won else -3.0
    return [gain, -gain] if caller == 0 else [-gain, gain]


def action_name(state, action):
    if current_player(state) == -1:
        return "deal " + _NAMES[action]
    if action >= DRAW:
        return _WORDS[action - DRAW]
    return ("pledge " if action < SWAP else "swap ") + _NAMES[action % CARDS]


def observation(state, player):
    dealt, turn, hands, market, pledges, _, _, deck, last = state
    over = current_player(state) == -4
    shown = []
    for seat in range(2):
        card = pledges[seat]
        shown.append(None if card < 0 else _NAMES[card] if over or seat == player else _COLOURS[card // VALUES])
    return {
        "hand": [_NAMES[card] for card in hands[player]],
        "other_hand": [_NAMES[card] for card in hands[1 - player]] if over else len(hands[1 - player]),
        "market": None if market < 0 else _NAMES[market],
        "pledges": shown,
        "deck": len(deck) if dealt == DEALT else None,
        "turns": turn,
        "last": last,
    }
