NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 5
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 20
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_SIZE = 4
_NUM_CELLS = _SIZE * _SIZE
_ACTION_NAMES = ("up", "down", "left", "right", "stay")
_ACTION_INDEX = {"up": 0, "down": 1, "left": 2, "right": 3, "stay": 4}
_DELTAS = ((-1, 0), (1, 0), (0, -1), (0, 1), (0, 0))
_QUADRANT_NAMES = ("top left", "top right", "bottom left", "bottom right")
_QUADRANT_INDEX = {"top left": 0, "top right": 1, "bottom left": 2, "bottom right": 3}


def _make_steps():
    table = []
    for cell in range(_NUM_CELLS):
        row, col = divmod(cell, _SIZE)
        targets = []
        for dr, dc in _DELTAS:
            r = row + dr
            c = col + dc
            if 0 <= r < _SIZE and 0 <= c < _SIZE:
                targets.append(r * _SIZE + c)
            else:
                targets.append(-1)
        table.append(tuple(targets))
    return tuple(table)


# cell -> quadrant index
_QUAD = tuple(
    (2 if cell // _SIZE >= 2 else 0) + (1 if cell % _SIZE >= 2 else 0)
    for cell in range(_NUM_CELLS)
)
# cell -> action -> target cell, or -1 if the step would leave the grid
_STEP = _make_steps()
# cell -> legal actions
_LEGAL = tuple(
    tuple(a for a in range(NUM_DISTINCT_ACTIONS) if _STEP[cell][a] >= 0)
    for cell in range(_NUM_CELLS)
)
# cell -> probability of each legal action under uniform choice
_WEIGHT = tuple(1.0 / len(_LEGAL[cell]) for cell in range(_NUM_CELLS))
# cell -> cells reachable in one move (itself included); this relation is symmetric
_NEAR = tuple(
    tuple(_STEP[cell][a] for a in _LEGAL[cell]) for cell in range(_NUM_CELLS)
)
# cell -> quadrant -> cells of that quadrant reachable in one move
_INTO = tuple(
    tuple(tuple(t for t in _NEAR[cell] if _QUAD[t] == q) for q in range(4))
    for cell in range(_NUM_CELLS)
)
# cell -> {target cell: action}
_ACTION_TO = tuple(
    {_STEP[cell][a]: a for a in _LEGAL[cell]} for cell in range(_NUM_CELLS)
)
# player -> start cells in the order of the outcomes
_START = (
    tuple(cell for cell in range(_NUM_CELLS) if _QUAD[cell] == 0),
    tuple(cell for cell in range(_NUM_CELLS) if _QUAD[cell] == 3),
)
_START_INDEX = (
    {cell: i for i, cell in enumerate(_START[0])},
    {cell: i for i, cell in enumerate(_START[1])},
)
_START_NAMES = tuple(
    tuple("start at %d,%d" % divmod(cell, _SIZE) for cell in _START[p])
    for p in range(2)
)
_CHANCE = tuple((i, 0.25) for i in range(4))

# A state is
# (player to act, cell of player 0, cell of player 1, moves, winner,
#  record of player 0, record of player 1)
# with -1 for "not placed" and "no winner". A record is an int with one digit
# of 5 bits for each transition, after a leading digit 1 (player 0) or 2 (player 1).
_INITIAL = (-1, -1, -1, 0, -1, 1, 2)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    return list(_LEGAL[state[1 + state[0]]])


def chance_outcomes(state):
    return list(_CHANCE)


def apply_action(state, action):
    cur, c0, c1, moves, winner, h0, h1 = state
    if cur == 0:
        t = _STEP[c0][action]
        if t < 0:
            raise ValueError("illegal action")
        moves += 1
        if t == c1:
            return (-4, t, c1, moves, 0,
                    h0 << 5 | action | 8, h1 << 5 | _QUAD[t] | 8)
        return (1 if moves < 20 else -4, t, c1, moves, -1,
                h0 << 5 | action, h1 << 5 | _QUAD[t])
    if cur == 1:
        t = _STEP[c1][action]
        if t < 0:
            raise ValueError("illegal action")
        moves += 1
        if t == c0:
            return (-4, c0, t, moves, 1,
                    h0 << 5 | _QUAD[t] | 8, h1 << 5 | action | 8)
        return (0 if moves < 20 else -4, c0, t, moves, -1,
                h0 << 5 | _QUAD[t], h1 << 5 | action)
    if cur == -1:
        if c0 < 0:
            return (-1, _START[0][action], -1, 0, -1, h0 << 5 | action, h1 << 5)
        return (0, c0, _START[1][action], 0, -1, h0 << 5, h1 << 5 | action)
    raise ValueError("the game is over")


def returns(state):
    winner = state[4]
    if winner < 0:
        return [0.0, 0.0]
    if winner == 0:
        return [1.0, -1.0]
    return [-1.0, 1.0]


def action_name(state, action):
    if state[0] == -1:
        return _START_NAMES[0 if state[1] < 0 else 1][action]
    return _ACTION_NAMES[action]


def observation(state, player):
    own = state[1 + player]
    other = state[2 - player]
    winner = state[4]
    return {
        "cell": [own // _SIZE, own % _SIZE] if own >= 0 else None,
        "opponent_quadrant": _QUADRANT_NAMES[_QUAD[other]] if other >= 0 else None,
        "moves": state[3],
        "winner": winner if winner >= 0 else None,
    }


def information_state(state, player):
    return state[5 + player]


def _draw_path(player, history, rand):
    """The opponent's cells: at the start and after each of its moves."""
    n = len(history)
    if n < 3 - player:
        return []  # the opponent has not been placed yet
    layer = {cell: 1.0 for cell in _START[1 - player]}
    layers = []
    my_move = player == 0
    for k in range(3, n):
        obs = history[k][0]
        row, col = obs["cell"]
        cell = row * _SIZE + col
        if not my_move:
            q = _QUADRANT_INDEX[obs["opponent_quadrant"]]
            before = {}
            after = {}
            for p, w in layer.items():
                w *= _WEIGHT[p]
                before[p] = w
                for t in _INTO[p][q]:
                    if t in after:
                        after[t] += w
                    else:
                        after[t] = w
            layers.append(before)
            layer = after
        if obs["winner"] is None:
            layer.pop(cell, None)
        else:
            layer = {cell: layer[cell]}
        my_move = not my_move

    # the last cell, then backwards
    cur = -1
    if len(layer) == 1:
        for cur in layer:
            pass
    else:
        x = rand() * sum(layer.values())
        for cur, w in layer.items():
            if x < w:
                break
            x -= w
    path = [cur]
    for before in reversed(layers):
        candidates = [p for p in _NEAR[cur] if p in before]
        if len(candidates) == 1:
            cur = candidates[0]
        else:
            total = 0.0
            for p in candidates:
                total += before[p]
            x = rand() * total
            for cur in candidates:
                w = before[cur]
                if x < w:
                    break
                x -= w
        path.append(cur)
    path.reverse()
    return path


def _own_start(player, history):
    row, col = history[1 + player][0]["cell"]
    return row * _SIZE + col


def _path_to_actions(player, history, path):
    n = len(history)
    other = 1 - player
    result = []
    for k in range(min(2, n - 1)):
        # transition k places player k
        if k == player:
            result.append(_START_INDEX[player][_own_start(player, history)])
        else:
            result.append(_START_INDEX[other][path[0]])
    j = 0
    for k in range(2, n - 1):
        if (k & 1) == player:
            result.append(_ACTION_INDEX[history[k][1]])
        else:
            result.append(_ACTION_TO[path[j]][path[j + 1]])
            j += 1
    return result


def resample_history(player, history, rand):
    return _path_to_actions(player, history, _draw_path(player, history, rand))


def resample_state(player, history, rand):
    path = _draw_path(player, history, rand)
    n = len(history)
    if n < 3:
        state = _INITIAL
        for action in _path_to_actions(player, history, path):
            state = apply_action(state, action)
        return state

    other = 1 - player
    own = _own_start(player, history)
    opp = path[0]
    own_start = _START_INDEX[player][own]
    opp_start = _START_INDEX[other][opp]
    if player == 0:
        own_h = (1 << 5 | own_start) << 5
        opp_h = 2 << 10 | opp_start
    else:
        own_h = 2 << 10 | own_start
        opp_h = (1 << 5 | opp_start) << 5
    j = 0
    for k in range(2, n - 1):
        if (k & 1) == player:
            action = _ACTION_INDEX[history[k][1]]
            own = _STEP[own][action]
            own_h = own_h << 5 | action
            opp_h = opp_h << 5 | _QUAD[own]
        else:
            j += 1
            t = path[j]
            opp_h = opp_h << 5 | _ACTION_TO[opp][t]
            own_h = own_h << 5 | _QUAD[t]
            opp = t
    moves = n - 3
    winner = history[-1][0]["winner"]
    if winner is None:
        winner = -1
        cur = (moves & 1) if moves < 20 else -4
    else:
        cur = -4
        own_h |= 8
        opp_h |= 8
    if player == 0:
        return (cur, own, opp, moves, winner, own_h, opp_h)
    return (cur, opp, own, moves, winner, opp_h, own_h)
