NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 14
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 1000
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# State: a tuple of 17 ints
#   [0..13] beans in the containers
#   [14]    player whose turn it is (or would be, when the game is over)
#   [15]    number of moves made
#   [16]    player to act, -4 when the game is over

_START = (0, 4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 0, 0, 0)
_STORE = (7, 0)
_PITS = ((1, 2, 3, 4, 5, 6), (8, 9, 10, 11, 12, 13))
_IS_OWN = (
    tuple(1 <= p <= 6 for p in range(14)),
    tuple(8 <= p <= 13 for p in range(14)),
)
_NAMES = tuple(str(p) for p in range(14))


def _build_paths():
    paths = []
    for player in (0, 1):
        skipped = 0 if player == 0 else 7
        rows = []
        for pit in range(14):
            row = []
            p = pit
            while len(row) < 52:
                p = (p + 1) % 14
                if p != skipped:
                    row.append(p)
            rows.append(tuple(row))
        paths.append(tuple(rows))
    return tuple(paths)


_PATHS = _build_paths()


def initial_state():
    return _START


def current_player(state):
    return state[16]


def legal_actions(state):
    player = state[16]
    if player < 0:
        return []
    return [p for p in _PITS[player] if state[p]]


def chance_outcomes(state):
    return []


def apply_action(state, action):
    player = state[16]
    if player < 0 or not _IS_OWN[player][action] or not state[action]:
        raise ValueError("illegal action")
    b = list(state)
    n = b[action]
    b[action] = 0
    path = _PATHS[player][action]
    for p in path[:n]:
        b[p] += 1
    last = path[n - 1]
    store = _STORE[player]
    if last == store:
        following = player
    else:
        following = 1 - player
        if b[last] == 1 and _IS_OWN[player][last]:
            opposite = 14 - last
            if b[opposite]:
                b[store] += b[opposite] + 1
                b[opposite] = 0
                b[last] = 0
    moves = b[15] + 1
    b[14] = following
    b[15] = moves
    if (moves >= MAX_GAME_LENGTH
            or not (b[1] or b[2] or b[3] or b[4] or b[5] or b[6])
            or not (b[8] or b[9] or b[10] or b[11] or b[12] or b[13])):
        b[16] = -4
    else:
        b[16] = following
    return tuple(b)


def returns(state):
    if state[16] != -4:
        return [0.0, 0.0]
    first = sum(state[1:8])
    second = sum(state[8:14]) + state[0]
    if first > second:
        return [1.0, -1.0]
    if first < second:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _NAMES[action]


def observation(state, player):
    text = "-%d-%d-%d-%d-%d-%d-\n%d-----------%d\n-%d-%d-%d-%d-%d-%d-\nCurrent player: %d\nMove number: %d" % (
        state[13], state[12], state[11], state[10], state[9], state[8],
        state[0], state[7],
        state[1], state[2], state[3], state[4], state[5], state[6],
        state[14], state[15])
    return {"observation": text}
