from operator import add

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 6
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 1000
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# A state is (turn, score 0, score 1, board, seen, legal):
#   turn: the player to move (it alternates after the last move too)
#   board: seeds of the 12 houses
#   seen: frozenset of board + (turn,) for the states since the last capture
#         (the scores do not change between captures)
#   legal: tuple of the legal actions, empty exactly when the game is over

_UPPER = "ABCDEF"
_LOWER = "abcdef"
_EMPTY = (0,) * 12
_NOTHING = frozenset()


def _build_sowing():
    """_SOW[house][seeds] = (change of each of the 12 houses, last house)."""
    table = []
    for h in range(12):
        rows = []
        for n in range(49):
            inc = [0] * 12
            pos = h
            for _ in range(n):
                pos = (pos + 1) % 12
                if pos == h:
                    pos = (pos + 1) % 12
                inc[pos] += 1
            inc[h] = -n
            rows.append((tuple(inc), pos))
        table.append(tuple(rows))
    return tuple(table)


_SOW = _build_sowing()


def _moves(board, turn):
    if turn == 0:
        if any(board[6:]):
            return tuple([a for a in range(6) if board[a]])
        return tuple([a for a in range(6) if board[a] > 5 - a])
    if any(board[:6]):
        return tuple([a for a in range(6) if board[6 + a]])
    return tuple([a for a in range(6) if board[6 + a] > 5 - a])


_START_BOARD = (4,) * 12
_START = (0, 0, 0, _START_BOARD, frozenset((_START_BOARD + (0,),)),
          (0, 1, 2, 3, 4, 5))


def initial_state():
    return _START


def current_player(state):
    return state[0] if state[5] else -4


def legal_actions(state):
    return list(state[5])


def chance_outcomes(state):
    return []


def apply_action(state, action):
    turn, s0, s1, board, seen, legal = state
    house = action + 6 if turn else action
    inc, last = _SOW[house][board[house]]
    board = tuple(map(add, board, inc))
    captured = 0
    # the opponent's row is low .. low + 5
    low = 0 if turn else 6
    if low <= last < low + 6 and 2 <= board[last] <= 3:
        i = last
        while i >= low and 2 <= board[i] <= 3:
            captured += board[i]
            i -= 1
        if captured == sum(board[low:low + 6]):
            captured = 0                      # grand slam: nothing is captured
        else:
            board = board[:i + 1] + _EMPTY[:last - i] + board[last + 1:]
            if turn:
                s1 += captured
            else:
                s0 += captured
    nxt = 1 - turn
    key = board + (nxt,)
    if captured:
        over = s0 > 24 or s1 > 24 or s0 + s1 == 48
        seen = frozenset((key,))
    else:
        over = key in seen
        if not over:
            seen = seen.union((key,))
    if not over:
        legal = _moves(board, nxt)
        if legal:
            return (nxt, s0, s1, board, seen, legal)
    return (nxt, s0 + sum(board[:6]), s1 + sum(board[6:]), _EMPTY, _NOTHING, ())


def returns(state):
    if state[5]:
        return [0.0, 0.0]
    s0 = state[1]
    s1 = state[2]
    if s0 > s1:
        return [1.0, -1.0]
    if s1 > s0:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _LOWER[action] if state[0] else _UPPER[action]


def observation(state, player):
    return {"observation": "%d | %d %d | %d %d %d %d %d %d %d %d %d %d %d %d"
            % (state[:3] + state[3])}
