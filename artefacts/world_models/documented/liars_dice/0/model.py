NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 13
MAX_CHANCE_OUTCOMES = 6
MAX_GAME_LENGTH = 13
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_LIAR = 12
_NAMES = tuple("%d-%d" % (q, f) for q in (1, 2) for f in range(1, 7)) + ("Liar",)
_NUMBER = {name: i for i, name in enumerate(_NAMES)}
_SUFFIX = tuple(" " + name for name in _NAMES)
_ROLLS = tuple("Roll %d" % f for f in range(1, 7))
_OUTCOMES = tuple((i, 1.0 / 6.0) for i in range(6))
_LEGAL = tuple(tuple(range(b + 1, 13)) for b in range(12))
_FIRST = tuple(range(12))
_FACE = ("1", "2", "3", "4", "5", "6", "-1")   # index -1: not yet rolled


def _truth_table():
    # _TRUE[bid][die of 0][die of 1]: is the bid true?
    table = []
    for bid in range(12):
        q = bid // 6 + 1
        f = bid % 6
        table.append(tuple(
            tuple((int(a == f or a == 5) + int(b == f or b == 5)) >= q for b in range(6))
            for a in range(6)))
    return tuple(table)


_TRUE = _truth_table()

# A state: (die of 0, die of 1, actions so far, their text); dice 0..5, -1 not yet rolled


def initial_state():
    return (-1, -1, (), "")


def current_player(state):
    if state[1] < 0:
        return -1
    moves = state[2]
    if moves and moves[-1] == 12:
        return -4
    return len(moves) & 1


def legal_actions(state):
    moves = state[2]
    if not moves:
        return list(_FIRST)
    last = moves[-1]
    if last == 12:
        return []
    return list(_LEGAL[last])


def chance_outcomes(state):
    if state[1] < 0:
        return list(_OUTCOMES)
    return []


def apply_action(state, action):
    d0, d1, moves, text = state
    if d1 < 0:
        if d0 < 0:
            return (action, -1, moves, text)
        return (d0, action, moves, text)
    return (d0, d1, moves + (action,), text + _SUFFIX[action])


def returns(state):
    moves = state[2]
    if not moves or moves[-1] != 12:
        return [0.0, 0.0]
    bidder = len(moves) & 1          # len - 2 has the same parity
    winner = bidder if _TRUE[moves[-2]][state[0]][state[1]] else 1 - bidder
    return [-1.0, 1.0] if winner else [1.0, -1.0]


def action_name(state, action):
    if state[1] < 0:
        return _ROLLS[action]
    return _NAMES[action]


def observation(state, player):
    return {"information_state": _FACE[state[1 if player else 0]] + state[3]}


def information_state(state, player):
    if player:
        return (1, state[1], state[0] >= 0, state[2])
    return (0, state[0], state[1] >= 0, state[2])


def resample_history(player, history, rand):
    parts = history[-1][0]["information_state"].split()
    mine = int(parts[0]) - 1
    other = int(rand() * 6)
    acts = [other, mine] if player else [mine, other]
    for name in parts[1:]:
        acts.append(_NUMBER[name])
    return acts


def resample_state(player, history, rand):
    text = history[-1][0]["information_state"]
    mine = int(text[0]) - 1
    other = int(rand() * 6)
    number = _NUMBER
    moves = tuple([number[name] for name in text[1:].split()])
    if player:
        return (other, mine, moves, text[1:])
    return (mine, other, moves, text[1:])
