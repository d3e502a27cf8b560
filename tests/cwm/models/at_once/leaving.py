"""Leaving: three players, who may leave a room at once with others, one after the other gone; the game `test_leaving`.

In each of two rounds those in the room stay or leave at once; who leaves in round r is paid r. Then the first player of
those who stayed, if there is one, takes 5, or gives 1 to each of those who left.

state = (round of leaving of each player, 0 if still in; number of rounds; choice at the end or -1)
"""

NUM_PLAYERS = 3
NUM_DISTINCT_ACTIONS = 2
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 3
MIN_UTILITY = 0.0
MAX_UTILITY = 5.0


def initial_state():
    return ((0, 0, 0), 0, -1)


def current_player(state):
    left, rounds, choice = state
    if all(left) or choice >= 0:
        return -4
    return -2 if rounds < 2 else left.index(0)


def legal_actions(state):
    return [0, 1]


def player_legal_actions(state, player):
    return [] if state[0][player] else [0, 1]


def chance_outcomes(state):
    return []


def apply_action(state, action):
    return (state[0], state[1], action)


def apply_actions(state, actions):
    left, rounds, _ = state
    now = tuple(rounds + 1 if action == 1 else before for before, action in zip(left, actions))
    return (now, rounds + 1, -1)


def returns(state):
    left, _, choice = state
    earned = [float(number) for number in left]
    if choice == 0:
        earned[left.index(0)] += 5.0
    elif choice == 1:
        earned = [amount + 1.0 if number else amount for amount, number in zip(earned, left)]
    return earned


def action_name(state, action):
    return ("take", "give")[action]


def player_action_name(state, player, action):
    return ("stay", "leave")[action]


def observation(state, player):
    return {"observation": "%s %d %d" % (list(state[0]), state[1], state[2])}
