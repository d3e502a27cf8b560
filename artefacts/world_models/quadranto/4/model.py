NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 5
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 20
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_SIZE = 4
_NUM_CELLS = _SIZE * _SIZE
_NAMES = ("up", "down", "left", "right", "stay")
_ACTION_ID = {"up": 0, "down": 1, "left": 2, "right": 3, "stay": 4}
_DELTAS = ((-1, 0), (1, 0), (0, -1), (0, 1), (0, 0))

_QUAD_NAMES = ("top left", "top right", "bottom left", "bottom right")
_QUAD_ID = {"top left": 0, "top right": 1, "bottom left": 2, "bottom right": 3}

# quadrant of each cell, index of the cell within its quadrant (row by row)
_QUAD = tuple((c // 4 // 2) * 2 + (c % 4) // 2 for c in range(_NUM_CELLS))
_LOCAL = tuple((c // 4 % 2) * 2 + (c % 4) % 2 for c in range(_NUM_CELLS))
# cells of each quadrant, row by row
_CELLS = tuple(tuple(c for c in range(_NUM_CELLS) if _QUAD[c] == q) for q in range(4))
# quadrant where each player starts
_START_QUAD = (0, 3)


def _make_next():
    table = []
    for c in range(_NUM_CELLS):
        r, k = divmod(c, _SIZE)
        row = []
        for dr, dk in _DELTAS:
            r2 = r + dr
            k2 = k + dk
            if 0 <= r2 < _SIZE and 0 <= k2 < _SIZE:
                row.append(r2 * _SIZE + k2)
            else:
                row.append(-1)
        table.append(tuple(row))
    return tuple(table)


# _NEXT[cell][action]: the cell after the action, -1 if illegal
_NEXT = _make_next()
_LEGAL = tuple(tuple(a for a in range(5) if _NEXT[c][a] >= 0) for c in range(_NUM_CELLS))


def _make_step():
    table = []
    for c in range(_NUM_CELLS):
        row = [-1] * _NUM_CELLS
        for a in _LEGAL[c]:
            row[_NEXT[c][a]] = a
        table.append(tuple(row))
    return tuple(table)


# _STEP[cell][cell2]: the action that leads from cell to cell2, -1 if none
_STEP = _make_step()


def _make_trans():
    table = []
    for qa in range(4):
        line = []
        for qb in range(4):
            matrix = []
            for b in _CELLS[qb]:
                matrix.append(tuple(
                    1.0 / len(_LEGAL[a]) if _STEP[a][b] >= 0 else 0.0
                    for a in _CELLS[qa]))
            line.append(tuple(matrix))
        table.append(tuple(line))
    return tuple(table)


# _TRANS[qa][qb][kb][ka]: probability that a player who chooses uniformly goes
# from cell ka of quadrant qa to cell kb of quadrant qb
_TRANS = _make_trans()

_START_NAMES = tuple(
    tuple("start at %d,%d" % (c // 4, c % 4) for c in _CELLS[_START_QUAD[p]])
    for p in range(2))

# State: (to_act, cell0, cell1, moves, winner, h0, h1)
# cell -1: not placed yet; winner -1: nobody; h0, h1: coded histories, 4 bits
# for each step, below a leading 1 (player 0) or 2 (player 1).
_INITIAL = (-1, -1, -1, 0, -1, 1, 2)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    return list(_LEGAL[state[1 + state[0]]])


def chance_outcomes(state):
    return [(0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25)]


def apply_action(state, action):
    cur, c0, c1, moves, winner, h0, h1 = state
    if cur == 0:
        n = _NEXT[c0][action]
        if n < 0:
            raise ValueError("illegal action")
        moves += 1
        if n == c1:
            return (-4, n, c1, moves, 0,
                    h0 << 4 | 8 | action, h1 << 4 | 8 | _QUAD[n])
        return (1 if moves < 20 else -4, n, c1, moves, -1,
                h0 << 4 | action, h1 << 4 | _QUAD[n])
    if cur == 1:
        n = _NEXT[c1][action]
        if n < 0:
            raise ValueError("illegal action")
        moves += 1
        if n == c0:
            return (-4, c0, n, moves, 1,
                    h0 << 4 | 8 | _QUAD[n], h1 << 4 | 8 | action)
        return (0 if moves < 20 else -4, c0, n, moves, -1,
                h0 << 4 | _QUAD[n], h1 << 4 | action)
    if cur == -1:
        if c0 < 0:
            return (-1, _CELLS[0][action], -1, 0, -1, h0 << 4 | action, h1 << 4)
        return (0, c0, _CELLS[3][action], 0, -1, h0 << 4, h1 << 4 | action)
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
    return _NAMES[action]


def observation(state, player):
    own = state[1 + player]
    opp = state[2 - player]
    winner = state[4]
    return {
        "cell": [own // 4, own % 4] if own >= 0 else None,
        "opponent_quadrant": _QUAD_NAMES[_QUAD[opp]] if opp >= 0 else None,
        "moves": state[3],
        "winner": winner if winner >= 0 else None,
    }


def information_state(state, player):
    return state[5 + player]


def _draw(a, b, c, d, r):
    s = a + b
    t = s + c
    r *= t + d
    if r < a:
        return 0
    if r < s:
        return 1
    if r < t:
        return 2
    if d > 0.0:
        return 3
    if c > 0.0:
        return 2
    if b > 0.0:
        return 1
    return 0


def _sample_path(player, history, rand):
    # The cells of the opponent: its start and its cell after each of its moves.
    q = _START_QUAD[1 - player]
    alpha = [1.0, 1.0, 1.0, 1.0]
    alphas = []
    quads = []
    for i in range(3, len(history)):
        obs = history[i][0]
        if (i - 3) & 1 != player:
            alphas.append(alpha)
            quads.append(q)
            nq = _QUAD_ID[obs["opponent_quadrant"]]
            a0, a1, a2, a3 = alpha
            alpha = [a0 * w0 + a1 * w1 + a2 * w2 + a3 * w3
                     for w0, w1, w2, w3 in _TRANS[q][nq]]
            q = nq
        cell = obs["cell"]
        own = cell[0] * 4 + cell[1]
        if _QUAD[own] == q:
            k = _LOCAL[own]
            if obs["winner"] is None:
                alpha[k] = 0.0
            else:
                x = alpha[k]
                alpha = [0.0, 0.0, 0.0, 0.0]
                alpha[k] = x
    k = _draw(alpha[0], alpha[1], alpha[2], alpha[3], rand())
    path = [_CELLS[q][k]]
    for j in range(len(alphas) - 1, -1, -1):
        a0, a1, a2, a3 = alphas[j]
        pq = quads[j]
        w0, w1, w2, w3 = _TRANS[pq][q][k]
        k = _draw(a0 * w0, a1 * w1, a2 * w2, a3 * w3, rand())
        q = pq
        path.append(_CELLS[q][k])
    path.reverse()
    return path


def resample_history(player, history, rand):
    n = len(history)
    if n < 2:
        return []
    path = _sample_path(player, history, rand)
    opp_start = _LOCAL[path[0]]
    if n == 2:
        if player == 0:
            cell = history[1][0]["cell"]
            return [_LOCAL[cell[0] * 4 + cell[1]]]
        return [opp_start]
    cell = history[2][0]["cell"]
    own_start = _LOCAL[cell[0] * 4 + cell[1]]
    if player == 0:
        out = [own_start, opp_start]
    else:
        out = [opp_start, own_start]
    k = 0
    for i in range(3, n):
        if (i - 3) & 1 == player:
            out.append(_ACTION_ID[history[i - 1][1]])
        else:
            out.append(_STEP[path[k]][path[k + 1]])
            k += 1
    return out


def resample_state(player, history, rand):
    n = len(history)
    if n < 3:
        state = _INITIAL
        for action in resample_history(player, history, rand):
            state = apply_action(state, action)
        return state
    path = _sample_path(player, history, rand)
    cell = history[2][0]["cell"]
    own = cell[0] * 4 + cell[1]
    opp = path[0]
    if player == 0:
        # own placement first, then the opponent's
        hp = (1 << 4 | _LOCAL[own]) << 4
        ho = 2 << 8 | _LOCAL[opp]
    else:
        # the opponent's placement first, then the own one
        hp = 2 << 8 | _LOCAL[own]
        ho = (1 << 4 | _LOCAL[opp]) << 4
    k = 0
    winner = None
    for i in range(3, n):
        obs = history[i][0]
        winner = obs["winner"]
        win = 0 if winner is None else 8
        if (i - 3) & 1 == player:
            action = _ACTION_ID[history[i - 1][1]]
            own = _NEXT[own][action]
            hp = hp << 4 | win | action
            ho = ho << 4 | win | _QUAD[own]
        else:
            k += 1
            new = path[k]
            hp = hp << 4 | win | _QUAD[new]
            ho = ho << 4 | win | _STEP[opp][new]
            opp = new
    moves = n - 3
    if winner is not None:
        cur = -4
    else:
        winner = -1
        cur = moves & 1 if moves < 20 else -4
    if player == 0:
        return (cur, own, opp, moves, winner, hp, ho)
    return (cur, opp, own, moves, winner, ho, hp)
