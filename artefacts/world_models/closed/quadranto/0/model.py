NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 5
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 20
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_SIZE = 4
_CHANCE = -1
_OVER = -4

_ACTION_NAMES = ("up", "down", "left", "right", "stay")
_ACTION_INDEX = {"up": 0, "down": 1, "left": 2, "right": 3, "stay": 4}
_DELTAS = ((-1, 0), (1, 0), (0, -1), (0, 1), (0, 0))

_QUAD_NAMES = ("top left", "top right", "bottom left", "bottom right")
_QUAD_INDEX = {"top left": 0, "top right": 1, "bottom left": 2, "bottom right": 3}

# quadrant of each cell, and index of each cell within its quadrant
_QUAD = tuple((c // 4 // 2) * 2 + (c % 4) // 2 for c in range(16))
_LOCAL = tuple((c // 4 % 2) * 2 + (c % 4) % 2 for c in range(16))
_CELL_QUAD_NAME = tuple(_QUAD_NAMES[q] for q in _QUAD)


def _make_quad_cells():
    cells = [[0, 0, 0, 0] for _ in range(4)]
    for c in range(16):
        cells[_QUAD[c]][_LOCAL[c]] = c
    return tuple(tuple(x) for x in cells)


_QUAD_CELLS = _make_quad_cells()


def _make_next():
    table = []
    for c in range(16):
        row, col = divmod(c, _SIZE)
        line = []
        for dr, dc in _DELTAS:
            r = row + dr
            k = col + dc
            if 0 <= r < _SIZE and 0 <= k < _SIZE:
                line.append(r * _SIZE + k)
            else:
                line.append(-1)
        table.append(tuple(line))
    return tuple(table)


_NEXT = _make_next()
_LEGAL = tuple(tuple(a for a in range(5) if _NEXT[c][a] >= 0) for c in range(16))


def _make_step():
    table = []
    for c in range(16):
        line = [-1] * 16
        for a in _LEGAL[c]:
            line[_NEXT[c][a]] = a
        table.append(tuple(line))
    return tuple(table)


# _STEP[a][b]: the action that leads from cell a to cell b, -1 if there is none
_STEP = _make_step()


def _make_trans():
    forward = []
    backward = []
    for qa in range(4):
        fline = []
        bline = []
        for qb in range(4):
            triples = []
            preds = [[], [], [], []]
            for i in range(4):
                a = _QUAD_CELLS[qa][i]
                weight = 1.0 / len(_LEGAL[a])
                for j in range(4):
                    b = _QUAD_CELLS[qb][j]
                    if _STEP[a][b] >= 0:
                        triples.append((i, j, weight))
                        preds[j].append((i, weight))
            fline.append(tuple(triples))
            bline.append(tuple(tuple(p) for p in preds))
        forward.append(tuple(fline))
        backward.append(tuple(bline))
    return tuple(forward), tuple(backward)


# _TRANS[qa][qb]: (index in qa, index in qb, probability of the step)
# _BACK[qa][qb][j]: (index in qa, probability of the step to index j in qb)
_TRANS, _BACK = _make_trans()

_START_NAMES = (
    tuple("start at %d,%d" % divmod(c, _SIZE) for c in _QUAD_CELLS[0]),
    tuple("start at %d,%d" % divmod(c, _SIZE) for c in _QUAD_CELLS[3]),
)

# state: (to act, cell of player 0, cell of player 1, moves, winner, seen0, seen1)
# cells are row * 4 + column, -1 before the placement; winner is -1 for nobody;
# seen0 and seen1 encode what each player has seen and done, in digits 1..7 of base 8
_INITIAL = (_CHANCE, -1, -1, 0, -1, 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    p = state[0]
    if p < 0:
        return []
    return list(_LEGAL[state[1 + p]])


def chance_outcomes(state):
    if state[0] != _CHANCE:
        return []
    return [(0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25)]


def apply_action(state, action):
    cur, c0, c1, moves, winner, h0, h1 = state
    if cur == 0:
        n = _NEXT[c0][action]
        if n < 0:
            raise ValueError("illegal action")
        moves += 1
        h0 = h0 * 8 + action + 1
        h1 = h1 * 8 + _QUAD[n] + 1
        if n == c1:
            return (_OVER, n, c1, moves, 0, h0, h1)
        return (1 if moves < MAX_GAME_LENGTH else _OVER, n, c1, moves, -1, h0, h1)
    if cur == 1:
        n = _NEXT[c1][action]
        if n < 0:
            raise ValueError("illegal action")
        moves += 1
        h0 = h0 * 8 + _QUAD[n] + 1
        h1 = h1 * 8 + action + 1
        if n == c0:
            return (_OVER, c0, n, moves, 1, h0, h1)
        return (0 if moves < MAX_GAME_LENGTH else _OVER, c0, n, moves, -1, h0, h1)
    if cur == _CHANCE:
        if not 0 <= action < 4:
            raise ValueError("illegal chance outcome")
        if c0 < 0:
            return (_CHANCE, _QUAD_CELLS[0][action], -1, 0, -1, action + 1, 1)
        return (0, c0, _QUAD_CELLS[3][action], 0, -1, h0 * 8 + 1, h1 * 8 + action + 1)
    raise ValueError("the game is over")


def returns(state):
    w = state[4]
    if w < 0:
        return [0.0, 0.0]
    if w == 0:
        return [1.0, -1.0]
    return [-1.0, 1.0]


def action_name(state, action):
    if state[0] == _CHANCE:
        return _START_NAMES[0 if state[1] < 0 else 1][action]
    return _ACTION_NAMES[action]


def observation(state, player):
    own = state[1 + player]
    opp = state[2 - player]
    w = state[4]
    return {
        "cell": [own // 4, own % 4] if own >= 0 else None,
        "opponent_quadrant": _CELL_QUAD_NAME[opp] if opp >= 0 else None,
        "moves": state[3],
        "winner": w if w >= 0 else None,
    }


def information_state(state, player):
    return (player, state[5 + player], state[4])


def _restrict(w, obs, q):
    # takes out the cells that the player's own cell (and the winner) rule out
    cell = obs["cell"]
    if cell is None:
        return
    c = cell[0] * 4 + cell[1]
    if obs["winner"] is None:
        if _QUAD[c] == q:
            w[_LOCAL[c]] = 0.0
    else:
        keep = _LOCAL[c] if _QUAD[c] == q else -1
        for i in range(4):
            if i != keep:
                w[i] = 0.0


def _opponent_path(player, history, rand):
    # The cells of the opponent: where placed, then after each of its moves.
    # The opponent's cell number t holds in the states first + 2t and first + 2t + 1.
    n = len(history)
    first = 2 - player
    if n <= first:
        return []
    layers = []
    quads = []
    pw = None
    pq = -1
    for k in range(first, n, 2):
        obs = history[k][0]
        q = _QUAD_INDEX[obs["opponent_quadrant"]]
        if pw is None:
            w = [1.0, 1.0, 1.0, 1.0]
        else:
            w = [0.0, 0.0, 0.0, 0.0]
            for i, j, f in _TRANS[pq][q]:
                w[j] += pw[i] * f
        _restrict(w, obs, q)
        if k + 1 < n:
            _restrict(w, history[k + 1][0], q)
        layers.append(w)
        quads.append(q)
        pw = w
        pq = q

    t = len(layers) - 1
    w = layers[t]
    total = w[0] + w[1] + w[2] + w[3]
    if total <= 0.0:
        raise ValueError("no game fits this history")
    x = rand() * total
    j = -1
    for i in range(4):
        f = w[i]
        if f > 0.0:
            j = i
            x -= f
            if x < 0.0:
                break
    path = [0] * (t + 1)
    q = quads[t]
    path[t] = _QUAD_CELLS[q][j]
    while t > 0:
        t -= 1
        w = layers[t]
        pq = quads[t]
        options = [(i, w[i] * f) for i, f in _BACK[pq][q][j] if w[i] > 0.0]
        if len(options) == 1:
            j = options[0][0]
        else:
            total = 0.0
            for i, f in options:
                total += f
            x = rand() * total
            for i, f in options:
                j = i
                x -= f
                if x < 0.0:
                    break
        q = pq
        path[t] = _QUAD_CELLS[q][j]
    return path


def resample_history(player, history, rand):
    path = _opponent_path(player, history, rand)
    n = len(history)
    acts = []
    t = 0
    for k in range(n - 1):
        if k < 2:
            if k == player:
                cell = history[k + 1][0]["cell"]
                acts.append(_LOCAL[cell[0] * 4 + cell[1]])
            else:
                acts.append(_LOCAL[path[0]])
        elif (k & 1) == player:
            acts.append(_ACTION_INDEX[history[k][1]])
        else:
            acts.append(_STEP[path[t]][path[t + 1]])
            t += 1
    return acts


def resample_state(player, history, rand):
    n = len(history)
    if n < 3:
        state = _INITIAL
        for a in resample_history(player, history, rand):
            state = apply_action(state, a)
        return state
    path = _opponent_path(player, history, rand)
    cell = history[2][0]["cell"]
    own = cell[0] * 4 + cell[1]
    opp = path[0]
    if player == 0:
        hown = (_LOCAL[own] + 1) * 8 + 1
        hopp = 8 + _LOCAL[opp] + 1
    else:
        hown = 8 + _LOCAL[own] + 1
        hopp = (_LOCAL[opp] + 1) * 8 + 1
    t = 0
    for k in range(2, n - 1):
        if (k & 1) == player:
            a = _ACTION_INDEX[history[k][1]]
            own = _NEXT[own][a]
            hown = hown * 8 + a + 1
            hopp = hopp * 8 + _QUAD[own] + 1
        else:
            t += 1
            new = path[t]
            hown = hown * 8 + _QUAD[new] + 1
            hopp = hopp * 8 + _STEP[opp][new] + 1
            opp = new
    moves = n - 3
    winner = history[n - 1][0]["winner"]
    if winner is None:
        winner = -1
    if winner >= 0 or moves >= MAX_GAME_LENGTH:
        cur = _OVER
    else:
        cur = moves & 1
    if player == 0:
        return (cur, own, opp, moves, winner, hown, hopp)
    return (cur, opp, own, moves, winner, hopp, hown)
