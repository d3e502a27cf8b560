NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 5
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 20
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# ---------------------------------------------------------------------------
# Tables. A cell is 4 * row + column; quadrants: 0 top left, 1 top right,
# 2 bottom left, 3 bottom right.
# ---------------------------------------------------------------------------
_ACTION_NAMES = ("up", "down", "left", "right", "stay")
_ACTION_ID = {"up": 0, "down": 1, "left": 2, "right": 3, "stay": 4}
_DELTAS = ((-1, 0), (1, 0), (0, -1), (0, 1), (0, 0))

_QUAD_NAMES = ("top left", "top right", "bottom left", "bottom right")
_QUAD_ID = {"top left": 0, "top right": 1, "bottom left": 2, "bottom right": 3}
_QUAD = tuple((c // 8) * 2 + (c % 4) // 2 for c in range(16))
_QUAD_NAME_OF = tuple(("top left", "top right", "bottom left", "bottom right")[(c // 8) * 2 + (c % 4) // 2]
                      for c in range(16))


def _build_next():
    table = []
    for cell in range(16):
        r, c = divmod(cell, 4)
        row = []
        for dr, dc in _DELTAS:
            r2 = r + dr
            c2 = c + dc
            row.append(r2 * 4 + c2 if 0 <= r2 < 4 and 0 <= c2 < 4 else -1)
        table.append(tuple(row))
    return tuple(table)


_NEXT = _build_next()
_LEGAL = tuple(tuple(a for a in range(5) if row[a] >= 0) for row in _NEXT)
_DEG = tuple(float(len(acts)) for acts in _LEGAL)
_INV = tuple(1.0 / len(acts) for acts in _LEGAL)
# _STEP[a][b]: the action that leads from cell a to cell b
_STEP = tuple({row[a]: a for a in range(5) if row[a] >= 0} for row in _NEXT)


def _build_quad_cells():
    return tuple(tuple(c for c in range(16) if _QUAD[c] == q) for q in range(4))


_QUAD_CELLS = _build_quad_cells()


def _build_preds():
    # _PREDS[q][cell]: the cells of quadrant q from which one move leads to cell
    table = []
    for q in range(4):
        row = []
        for cell in range(16):
            row.append(tuple(o for o in _QUAD_CELLS[q] if cell in _STEP[o]))
        table.append(tuple(row))
    return tuple(table)


_PREDS = _build_preds()


def _build_trans():
    # _TRANS[qa][qb]: pairs (cell of qb, its predecessors in qa), if there are any
    table = []
    for qa in range(4):
        row = []
        for qb in range(4):
            row.append(tuple((cell, _PREDS[qa][cell]) for cell in _QUAD_CELLS[qb] if _PREDS[qa][cell]))
        table.append(tuple(row))
    return tuple(table)


_TRANS = _build_trans()

_START_QUAD = (0, 3)
_START_CELLS = (_QUAD_CELLS[0], _QUAD_CELLS[3])
_START_NAMES = (
    tuple("start at %d,%d" % (c // 4, c % 4) for c in _QUAD_CELLS[0]),
    tuple("start at %d,%d" % (c // 4, c % 4) for c in _QUAD_CELLS[3]),
)
# index of a cell within its quadrant, row by row
_START_INDEX = tuple(((c // 4) % 2) * 2 + c % 2 for c in range(16))


def _build_start_weights():
    table = []
    for p in range(2):
        row = [0.0] * 16
        for c in _START_CELLS[p]:
            row[c] = _INV[c]
        table.append(tuple(row))
    return tuple(table)


_START_WEIGHTS = _build_start_weights()
_ZEROS = (0.0,) * 16

# state: (to act, moves, cell of 0, cell of 1, winner, info of 0, info of 1)
_INITIAL = (-1, 0, -1, -1, -1, 1, 1)


# ---------------------------------------------------------------------------
# The game
# ---------------------------------------------------------------------------
def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    return list(_LEGAL[state[2 + state[0]]])


def chance_outcomes(state):
    return [(0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25)]


def apply_action(state, action):
    cur, moves, c0, c1, winner, i0, i1 = state
    if cur == 0:
        c0 = _NEXT[c0][action]
        if c0 < 0:
            raise ValueError("illegal action")
        i0 = i0 << 4 | action
        i1 = i1 << 4 | _QUAD[c0]
        moves += 1
        if c0 == c1:
            return (-4, moves, c0, c1, 0, i0 | 8, i1 | 8)
        return (1 if moves < 20 else -4, moves, c0, c1, -1, i0, i1)
    if cur == 1:
        c1 = _NEXT[c1][action]
        if c1 < 0:
            raise ValueError("illegal action")
        i0 = i0 << 4 | _QUAD[c1]
        i1 = i1 << 4 | action
        moves += 1
        if c0 == c1:
            return (-4, moves, c0, c1, 1, i0 | 8, i1 | 8)
        return (0 if moves < 20 else -4, moves, c0, c1, -1, i0, i1)
    if cur == -1:
        if c0 < 0:
            return (-1, 0, _START_CELLS[0][action], -1, -1, i0 << 4 | action, i1 << 4)
        return (0, 0, c0, _START_CELLS[1][action], -1, i0 << 4 | 3, i1 << 4 | action)
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
        return _START_NAMES[0 if state[2] < 0 else 1][action]
    return _ACTION_NAMES[action]


def observation(state, player):
    own = state[2 + player]
    other = state[3 - player]
    winner = state[4]
    return {
        "cell": [own >> 2, own & 3] if own >= 0 else None,
        "opponent_quadrant": _QUAD_NAME_OF[other] if other >= 0 else None,
        "moves": state[1],
        "winner": winner if winner >= 0 else None,
    }


def information_state(state, player):
    return (player, state[5 + player])


# ---------------------------------------------------------------------------
# Resampling
# ---------------------------------------------------------------------------
def _pick(cells, weights, rand):
    if len(cells) == 1:
        return cells[0]
    total = 0.0
    for o in cells:
        total += weights[o]
    r = rand() * total
    last = -1
    for o in cells:
        w = weights[o]
        if w > 0.0:
            if r < w:
                return o
            r -= w
            last = o
    if last < 0:
        raise ValueError("no game fits the history")
    return last


def _sample_path(player, history, rand):
    # The opponent's cells: the start and the cell after each of his moves.
    # Needs a history in which both players are placed (at least 3 pairs).
    # Weights are those of the cells times 1 / number of legal actions there.
    opp = 1 - player
    q = _START_QUAD[opp]
    quads = [q]
    b = list(_START_WEIGHTS[opp])
    layers = [b]
    cell = history[2][0]["cell"]
    c = cell[0] * 4 + cell[1]
    inv = _INV
    for i in range(3, len(history)):
        obs = history[i][0]
        if (i - 3) & 1 == player:
            # the player's own move: it met the opponent or it did not
            cell = obs["cell"]
            c = cell[0] * 4 + cell[1]
            if obs["winner"] is None:
                b[c] = 0.0
            else:
                w = b[c]
                b[:] = _ZEROS
                b[c] = w
        else:
            nq = _QUAD_ID[obs["opponent_quadrant"]]
            nb = [0.0] * 16
            if obs["winner"] is None:
                for o2, preds in _TRANS[q][nq]:
                    if o2 != c:
                        s = 0.0
                        for o in preds:
                            s += b[o]
                        nb[o2] = s * inv[o2]
            else:
                s = 0.0
                for o in _PREDS[q][c]:
                    s += b[o]
                nb[c] = s * inv[c]
            b = nb
            q = nq
            layers.append(b)
            quads.append(q)
    final = [0.0] * 16
    for o in _QUAD_CELLS[q]:
        final[o] = b[o] * _DEG[o]
    o = _pick(_QUAD_CELLS[q], final, rand)
    path = [o]
    for k in range(len(layers) - 2, -1, -1):
        o = _pick(_PREDS[quads[k]][o], layers[k], rand)
        path.append(o)
    path.reverse()
    return path


def _short_history(player, history, rand):
    # The actions of a history that ends before both players are placed.
    if len(history) < 2:
        return []
    if player == 0:
        cell = history[1][0]["cell"]
        return [_START_INDEX[cell[0] * 4 + cell[1]]]
    return [min(3, int(rand() * 4))]


def resample_history(player, history, rand):
    n = len(history)
    if n < 3:
        return _short_history(player, history, rand)
    path = _sample_path(player, history, rand)
    cell = history[2][0]["cell"]
    own = _START_INDEX[cell[0] * 4 + cell[1]]
    other = _START_INDEX[path[0]]
    actions = [own, other] if player == 0 else [other, own]
    k = 0
    for i in range(2, n - 1):
        if i & 1 == player:
            actions.append(_ACTION_ID[history[i][1]])
        else:
            actions.append(_STEP[path[k]][path[k + 1]])
            k += 1
    return actions


def resample_state(player, history, rand):
    n = len(history)
    if n < 3:
        state = _INITIAL
        for a in _short_history(player, history, rand):
            state = apply_action(state, a)
        return state
    path = _sample_path(player, history, rand)
    cell = history[2][0]["cell"]
    c = cell[0] * 4 + cell[1]
    o = path[0]
    if player == 0:
        own = (16 | _START_INDEX[c]) << 4 | 3
        other = 256 | _START_INDEX[o]
    else:
        own = 256 | _START_INDEX[c]
        other = (16 | _START_INDEX[o]) << 4 | 3
    k = 0
    for i in range(2, n - 1):
        if i & 1 == player:
            a = _ACTION_ID[history[i][1]]
            c = _NEXT[c][a]
            own = own << 4 | a
            other = other << 4 | _QUAD[c]
        else:
            k += 1
            o2 = path[k]
            own = own << 4 | _QUAD[o2]
            other = other << 4 | _STEP[o][o2]
            o = o2
    moves = n - 3
    winner = history[-1][0]["winner"]
    if winner is None:
        winner = -1
        cur = moves & 1 if moves < 20 else -4
    else:
        own |= 8
        other |= 8
        cur = -4
    if player == 0:
        return (cur, moves, c, o, winner, own, other)
    return (cur, moves, o, c, winner, other, own)
