"""Goofspiel with 4 cards and hidden bids, OpenSpiel's `goofspiel(imp_info=True,num_cards=4)`.

A point card is turned up; both players bid a card of their hand at once; the higher one takes the points, equal ones
take none. A player learns who took the points, not what the other one bid. The last card of all is bid by itself.
Source: S. Ross, Goofspiel - the game of pure strategy, 1971; OpenSpiel's goofspiel.cc.

state = (point cards in order, bids of player 0, bids of player 1), cards as 1 to 4
"""

import itertools

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 4
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 4
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_CARDS = (1, 2, 3, 4)


def _left(cards):
    return [card for card in _CARDS if card not in cards]


def _turned(points, *bids):
    """The state after a bid or a point card; the last card of each is played by itself."""
    if len(points) == len(bids[0]) == 3:
        return (points + tuple(_left(points)), *(own + tuple(_left(own)) for own in bids))
    return (points, *bids)


def initial_state():
    return ((), (), ())


def current_player(state):
    points, bids, _ = state
    if len(bids) == 4:
        return -4
    return -1 if len(points) == len(bids) else -2


def legal_actions(state):
    return []


def player_legal_actions(state, player):
    return [card - 1 for card in _left(state[1 + player])]


def chance_outcomes(state):
    left = _left(state[0])
    return [(card - 1, 1 / len(left)) for card in left]


def apply_action(state, action):
    points, first, second = state
    return (points + (action + 1,), first, second)


def apply_actions(state, actions):
    points, *bids = state
    return _turned(points, *(own + (action + 1,) for own, action in zip(bids, actions)))


def _wins(state):
    """Who took each point card: 0, 1, or -3 for nobody."""
    return [0 if mine > other else 1 if other > mine else -3 for mine, other in zip(state[1], state[2])]


def _points(state):
    wins = _wins(state)
    return [sum(card for card, winner in zip(state[0], wins) if winner == player) for player in (0, 1)]


def returns(state):
    if len(state[1]) < 4:
        return [0.0, 0.0]
    mine, other = _points(state)
    won = float((mine > other) - (mine < other))
    return [won, -won]


def action_name(state, action):
    return "Deal %d" % (action + 1)


def player_action_name(state, player, action):
    return "[P%d]Bid: %d" % (player, action + 1)


def observation(state, player):
    points, bids = state[0], state[1 + player]
    current = points[-1] if len(points) > len(bids) or len(bids) == 4 else 0
    lines = [
        "Current point card: %d" % current,
        "Remaining Point Cards: " + "".join(map(str, _left(points))),
        "Points: " + "".join("%d " % own for own in _points(state)),
        "P%d hand: " % player + "".join("%d " % card for card in _left(bids)),
        "Win sequence: " + "".join("%d " % winner for winner in _wins(state)),
    ]
    return {"observation": "\n".join(lines) + "\n"}


def information_state(state, player):
    return (state[0], state[1 + player], tuple(_wins(state)))


def _seen(player, history):
    """The point cards, the own bids and the winners that a player has met."""
    points, bids, wins = [], [], []
    for observed, action in history:
        lines = dict(line.split(": ", 1) for line in observed["observation"].splitlines() if ": " in line)
        wins = [int(winner) for winner in lines["Win sequence"].split()] if "Win sequence" in lines else wins
        card = int(lines["Current point card"])
        if card and card not in points:
            points.append(card)
        if action is not None:
            bids.append(int(action.split()[-1]))
    return points, bids, wins


def resample_state(player, history, rand):
    points, bids, wins = _seen(player, history)
    over = len(wins) == 4
    if over:
        points = (points + [card for card in _left(points) if card not in points])[:4]
        bids = bids + _left(bids)
    fitting = [
        others
        for others in itertools.permutations(_CARDS, len(wins))
        if all(
            winner == (player if own > other else 1 - player if other > own else -3)
            for own, other, winner in zip(bids, others, wins)
        )
    ]
    others = fitting[int(rand() * len(fitting))]
    both = (tuple(bids[: len(wins)]), others) if player == 0 else (others, tuple(bids[: len(wins)]))
    return (tuple(points), *both)


def resample_history(player, history, rand):
    points, *bids = resample_state(player, history, rand)
    moves = []
    for number, card in enumerate(points):
        if number == 3:  # the last card of each is played by itself
            break
        moves.append(card - 1)
        if number < len(bids[0]):
            moves.append((bids[0][number] - 1, bids[1][number] - 1))
    return moves
