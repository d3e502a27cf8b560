NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 5
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 20
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_N = 4
_ACTIONS = ("up", "down", "left", "right", "stay")
_DIRS = ((-1, 0), (1, 0), (0, -1), (0, 1), (0, 0))
_QNAMES = ("top left", "top right", "bottom left", "bottom right")
_QINDEX = {"top left": 0, "top right": 1, "bottom left": 2, "bottom right": 3}

# quadrant of a cell, and index of the cell within its quadrant (row by row)
_QUAD = tuple((c // _N // 2) * 2 + (c % _N) // 2 for c in range(16))
_LOCAL = tuple((c // _N % 2) * 2 + (c % _N) % 2 for c in range(16))
# _CELL[quadrant][local index]
_CELL = tuple(
    tuple(((q // 2) * 2 + j // 2) * _N + (q % 2) * 2 + j % 2 for j in range(4))
    for q in range(4)
)


def _make_steps():
    table = []
    for c in range(16):
        r, k = divmod(c, _N)
        row = []
        for dr, dk in _DIRS:
            nr, nk = r + dr, k + dk
            if 0 <= nr < _N and 0 <= nk < _N:
                row.append(nr * _N + nk)
            else:
                row.append(-1)
        table.append(tuple(row))
    return tuple(table)


_STEP = _make_steps()
_LEGAL = tuple(tuple(a for a in range(5) if _STEP[c][a] >= 0) for c in range(16))
# action by difference of the cells
_ACT = {-4: 0, 4: 1, -1: 2, 1: 3, 0: 4}

# 1 / number of legal actions, _WEIGHT[quadrant][local index]
_WEIGHT = tuple(tuple(1.0 / len(_LEGAL[c]) for c in _CELL[q]) for q in range(4))

# _PREDS[from quadrant][to quadrant][local index in "to"]: local indices in "from"
_PREDS = tuple(
    tuple(
        tuple(
            tuple(i for i in range(4) if _CELL[t][j] in _STEP[_CELL[f][i]])
            for j in range(4)
        )
        for t in range(4)
    )
    for f in range(4)
)

_START_QUAD = (0, 3)
_CHANCE = tuple((i, 0.25) for i in range(4))
_CHANCE_NAMES = tuple(
    tuple("start at %d,%d" % (c // _N, c % _N) for c in _CELL[q]) for q in _START_QUAD
)

# state: (to act, moves, cell of 0, cell of 1, winner or -1, info of 0, info of 1)
_INITIAL = (-1, 0, -1, -1, -1, 2, 3)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    if state[0] < 0:
        return []
    return list(_LEGAL[state[2 + state[0]]])


def chance_outcomes(state):
    if state[0] != -1:
        return []
    return list(_CHANCE)


def apply_action(state, action):
    cur, moves, c0, c1, winner, i0, i1 = state
    if cur == 0:
        n = _STEP[c0][action]
        if n < 0:
            raise ValueError("illegal action")
        moves += 1
        if n == c1:
            return (-4, moves, n, c1, 0,
                    (i0 << 4) | action | 8, (i1 << 4) | _QUAD[n] | 8)
        return (1 if moves < 20 else -4, moves, n, c1, -1,
                (i0 << 4) | action, (i1 << 4) | _QUAD[n])
    if cur == 1:
        n = _STEP[c1][action]
        if n < 0:
            raise ValueError("illegal action")
        moves += 1
        if n == c0:
            return (-4, moves, c0, n, 1,
                    (i0 << 4) | _QUAD[n] | 8, (i1 << 4) | action | 8)
        return (0 if moves < 20 else -4, moves, c0, n, -1,
                (i0 << 4) | _QUAD[n], (i1 << 4) | action)
    if cur == -1:
        if c0 < 0:
            return (-1, 0, _CELL[0][action], -1, -1, (i0 << 4) | action, i1 << 4)
        return (0, 0, c0, _CELL[3][action], -1, (i0 << 4) | 3, (i1 << 4) | action)
    raise ValueError("the game is over")


def returns(state):
    w = state[4]
    if w < 0:
        return [0.0, 0.0]
    if w == 0:
        return [1.0, -1.0]
    return [-1.0, 1.0]


def action_name(state, action):
    if state[0] == -1:
        return _CHANCE_NAMES[0 if state[2] < 0 else 1][action]
    return _ACTIONS[action]


def observation(state, player):
    own = state[2 + player]
    opp = state[3 - player]
    w = state[4]
    return {
        "cell": None if own < 0 else [own >> 2, own & 3],
        "opponent_quadrant": None if opp < 0 else _QNAMES[_QUAD[opp]],
        "moves": state[1],
        "winner": None if w < 0 else w,
    }


def information_state(state, player):
    return state[5 + player]


def _draw_paths(player, history, rand):
    """Cells of player 0 and of player 1 (start, then after each own move).

    Needs a history in which both players are placed (3 pairs or more)."""
    cell = history[2][0]["cell"]
    me = cell[0] * 4 + cell[1]
    mine = [me]
    q = 3 if player == 0 else 0
    alpha = [1.0, 1.0, 1.0, 1.0]
    layers = []
    for k in range(3, len(history)):
        o = history[k][0]
        if (k + 1) & 1 == player:
            cell = o["cell"]
            me = cell[0] * 4 + cell[1]
            mine.append(me)
        else:
            w = _WEIGHT[q]
            b0 = alpha[0] * w[0]
            b1 = alpha[1] * w[1]
            b2 = alpha[2] * w[2]
            b3 = alpha[3] * w[3]
            layers.append((q, (b0, b1, b2, b3)))
            nq = _QINDEX[o["opponent_quadrant"]]
            if nq == q:
                alpha = [b0 + b1 + b2, b0 + b1 + b3, b0 + b2 + b3, b1 + b2 + b3]
            else:
                d = nq - q
                if d == 2:        # down
                    alpha = [b2, b3, 0.0, 0.0]
                elif d == -2:     # up
                    alpha = [0.0, 0.0, b0, b1]
                elif d == 1:      # right
                    alpha = [b1, 0.0, b3, 0.0]
                else:             # left
                    alpha = [0.0, b0, 0.0, b2]
                q = nq
        if _QUAD[me] == q:
            i = _LOCAL[me]
            if o["winner"] is None:
                alpha[i] = 0.0
            else:
                x = alpha[i]
                alpha = [0.0, 0.0, 0.0, 0.0]
                alpha[i] = x
    # the opponent's last cell, then backward
    x = rand() * (alpha[0] + alpha[1] + alpha[2] + alpha[3])
    j = 0
    for i in (0, 1, 2, 3):
        w = alpha[i]
        if w > 0.0:
            j = i
            x -= w
            if x < 0.0:
                break
    theirs = [_CELL[q][j]]
    for pq, b in reversed(layers):
        cand = _PREDS[pq][q][j]
        if len(cand) == 1:
            j = cand[0]
        else:
            x = 0.0
            for i in cand:
                x += b[i]
            x *= rand()
            for i in cand:
                w = b[i]
                if w > 0.0:
                    j = i
                    x -= w
                    if x < 0.0:
                        break
        q = pq
        theirs.append(_CELL[q][j])
    theirs.reverse()
    if player == 0:
        return mine, theirs
    return theirs, mine


def resample_history(player, history, rand):
    n = len(history)
    if n <= 1:
        return []
    if n == 2:
        if player == 0:
            cell = history[1][0]["cell"]
            return [_LOCAL[cell[0] * 4 + cell[1]]]
        return [int(rand() * 4)]
    paths = _draw_paths(player, history, rand)
    result = [_LOCAL[paths[0][0]], _LOCAL[paths[1][0]]]
    for m in range(n - 3):
        path = paths[m & 1]
        i = m >> 1
        result.append(_ACT[path[i + 1] - path[i]])
    return result


def resample_state(player, history, rand):
    n = len(history)
    if n < 3:
        state = _INITIAL
        for action in resample_history(player, history, rand):
            state = apply_action(state, action)
        return state
    a, b = _draw_paths(player, history, rand)
    c0 = a[0]
    c1 = b[0]
    i0 = (2 << 8) | (_LOCAL[c0] << 4) | 3
    i1 = (3 << 8) | _LOCAL[c1]
    moves = n - 3
    for m in range(moves):
        if m & 1:
            t = b[(m >> 1) + 1]
            i0 = (i0 << 4) | _QUAD[t]
            i1 = (i1 << 4) | _ACT[t - c1]
            c1 = t
        else:
            t = a[(m >> 1) + 1]
            i0 = (i0 << 4) | _ACT[t - c0]
            i1 = (i1 << 4) | _QUAD[t]
            c0 = t
    w = history[-1][0]["winner"]
    if w is not None:
        return (-4, moves, c0, c1, w, i0 | 8, i1 | 8)
    return (moves & 1 if moves < 20 else -4, moves, c0, c1, -1, i0, i1)
