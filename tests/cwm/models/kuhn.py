"""Kuhn poker for NUM_PLAYERS players, OpenSpiel's `kuhn_poker(players=3)` and the like.

One card of NUM_PLAYERS + 1 for each player, all of whom have put in 1 chip. They bet 1 chip more or pass in turn, until
all have passed, or each other player has answered the first bet. The highest card of those who have bet wins, or of all
where nobody has. Source: H. Kuhn, A simplified two-person poker, 1950; N. Abou Risk and D. Szafron, Using
counterfactual regret minimization to create competitive multiplayer poker agents, AAMAS 2010 (three players).

state = (cards, actions), 0 pass and 1 bet
"""

NUM_PLAYERS = 3
NUM_DISTINCT_ACTIONS = 2
MAX_CHANCE_OUTCOMES = NUM_PLAYERS + 1
MAX_GAME_LENGTH = 2 * NUM_PLAYERS - 1
MIN_UTILITY = -2.0
MAX_UTILITY = 2.0 * (NUM_PLAYERS - 1)

_CARDS = range(NUM_PLAYERS + 1)


def initial_state():
    return ((), ())


def _is_over(actions):
    if 1 in actions:
        return len(actions) == actions.index(1) + NUM_PLAYERS
    return len(actions) == NUM_PLAYERS


def current_player(state):
    cards, actions = state
    if len(cards) < NUM_PLAYERS:
        return -1
    return -4 if _is_over(actions) else len(actions) % NUM_PLAYERS


def legal_actions(state):
    return [0, 1]


def chance_outcomes(state):
    left = [card for card in _CARDS if card not in state[0]]
    return [(card, 1 / len(left)) for card in left]


def apply_action(state, action):
    cards, actions = state
    if len(cards) < NUM_PLAYERS:
        return (cards + (action,), actions)
    return (cards, actions + (action,))


def _chips(actions):
    return [2 if 1 in actions[player::NUM_PLAYERS] else 1 for player in range(NUM_PLAYERS)]


def returns(state):
    cards, actions = state
    if current_player(state) != -4:
        return [0.0] * NUM_PLAYERS
    chips = _chips(actions)
    winner = max(range(NUM_PLAYERS), key=lambda player: (chips[player], cards[player]))
    return [float(sum(chips) * (player == winner) - chips[player]) for player in range(NUM_PLAYERS)]


def action_name(state, action):
    return "Deal:%d" % action if len(state[0]) < NUM_PLAYERS else ("Pass", "Bet")[action]


def observation(state, player):
    cards, actions = state
    if player >= len(cards):
        return {"observation": ""}
    return {"observation": "%d%s" % (cards[player], "".join(map(str, _chips(actions))))}


def information_state(state, player):
    cards, actions = state
    return (cards[player] if player < len(cards) else None, len(cards), actions)


def resample_state(player, history, rand):
    chips = [pair[0]["observation"][1:] for pair in history[NUM_PLAYERS:]]
    actions = []
    for number, (before, after) in enumerate(zip(chips, chips[1:])):
        mover = number % NUM_PLAYERS
        actions.append(int(after[mover] != before[mover]))
    own = int(history[-1][0]["observation"][0])
    left = [card for card in _CARDS if card != own]
    cards = []
    for seat in range(NUM_PLAYERS):
        cards.append(own if seat == player else left.pop(int(rand() * len(left))))
    return (tuple(cards), tuple(actions))


def resample_history(player, history, rand):
    cards, actions = resample_state(player, history, rand)
    return list(cards + actions)
