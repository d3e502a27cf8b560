"""Oshi-Zumo with 6 coins, OpenSpiel's `oshi_zumo(coins=6)`: both players bid coins at once to push a wrestler.

The wrestler stands on one of 7 fields in the middle of 9; the higher bid, which is paid like the lower one, pushes
him one field away from its bidder. The game ends when he is off the 7 fields, when both have no coins, or after 1,000
bids; who has him on the other half has won. Source: M. Buro, Solving the Oshi-Zumo game, 2004; OpenSpiel's
oshi_zumo.cc.

state = (coins of player 0, coins of player 1, place of the wrestler, number of bids)
"""

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 7
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 1000
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_SIZE = 3
_FIELDS = 2 * _SIZE + 3


def initial_state():
    return (6, 6, _SIZE + 1, 0)


def _is_over(state):
    first, second, place, bids = state
    return place in (0, _FIELDS - 1) or bids >= MAX_GAME_LENGTH or first == second == 0


def current_player(state):
    return -4 if _is_over(state) else -2


def legal_actions(state):
    return []


def player_legal_actions(state, player):
    return list(range(state[player] + 1))


def chance_outcomes(state):
    return []


def apply_action(state, action):
    raise ValueError("nobody acts in turn")


def apply_actions(state, actions):
    first, second, place, bids = state
    mine, other = actions
    return (first - mine, second - other, place + (mine > other) - (mine < other), bids + 1)


def returns(state):
    if not _is_over(state):
        return [0.0, 0.0]
    middle = _SIZE + 1
    won = float((state[2] > middle) - (state[2] < middle))
    return [won, -won]


def action_name(state, action):
    raise ValueError("nobody acts in turn")


def player_action_name(state, player, action):
    return "[P%d]Bid: %d" % (player, action)


def observation(state, player):
    first, second, place, _ = state
    fields = "".join("#" if at in (0, _FIELDS - 1) else "." for at in range(_FIELDS))
    return {"observation": "Coins: %d %d, Field: %sW%s\n" % (first, second, fields[:place], fields[place + 1 :])}
