NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 5
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 20
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# ---------------------------------------------------------------------------
# Tables. A cell is 4 * row + column, -1 while the player is not placed.
# A quadrant is 2 * (bottom) + (right).
# ---------------------------------------------------------------------------

_ACTION_NAMES = ("up", "down", "left", "right", "stay")
_DELTAS = ((-1, 0), (1, 0), (0, -1), (0, 1), (0, 0))
_QUAD_NAMES = ("top left", "top right", "bottom left", "bottom right")
_QUAD_INDEX = {"top left": 0, "top right": 1, "bottom left": 2, "bottom right": 3}


def _make_step():
    table = []
    for cell in range(16):
        row, col = cell >> 2, cell & 3
        line = []
        for dr, dc in _DELTAS:
            r, c = row + dr, col + dc
            if 0 <= r < 4 and 0 <= c < 4:
                line.append(4 * r + c)
            else:
                line.append(-1)
        table.append(tuple(line))
    return tuple(table)


_STEP = _make_step()                       # _STEP[cell][action] -> cell or -1
_LEGAL = tuple([tuple([a for a in range(5) if line[a] >= 0]) for line in _STEP])
_DEGREE = tuple([float(len(acts)) for acts in _LEGAL])
_INV_DEGREE = tuple([1.0 / d for d in _DEGREE])
_QUAD = tuple([2 * (c >> 3) + ((c & 3) >> 1) for c in range(16)])
_QUAD_CELLS = tuple([tuple([c for c in range(16) if _QUAD[c] == q]) for q in range(4)])
# index -1 (not placed) gives the last entry, None
_QUAD_NAME_OF = tuple([_QUAD_NAMES[_QUAD[c]] for c in range(16)] + [None])
_HOME = (_QUAD_CELLS[0], _QUAD_CELLS[3])   # start cells of the players
_LOCAL = tuple([2 * ((c >> 2) & 1) + (c & 1) for c in range(16)])
_START_NAMES = tuple([
    tuple(["start at %d,%d" % (c >> 2, c & 3) for c in home]) for home in _HOME
])


def _make_action_between():
    table = {}
    for cell in range(16):
        for a in _LEGAL[cell]:
            table[(cell, _STEP[cell][a])] = a
    return table


_ACTION_BETWEEN = _make_action_between()   # (from, to) -> action

# _SOURCES[q][c]: the cells of quadrant q from which one move leads to c
_SOURCES = tuple([
    tuple([
        tuple([d for d in _QUAD_CELLS[q] if c in _STEP[d]])
        for c in range(16)
    ])
    for q in range(4)
])

# _FREE[q][17 * (a + 1) + b + 1]: the cells of quadrant q other than a and b
_FREE = tuple([
    tuple([
        tuple([c for c in _QUAD_CELLS[q] if c != a and c != b])
        for a in range(-1, 16) for b in range(-1, 16)
    ])
    for q in range(4)
])

# What the players note of an event
_CELL_CH = "abcdefghijklmnop"              # own event, no win
_CELL_WIN = "ABCDEFGHIJKLMNOP"             # own winning move
_QUAD_CH = tuple(["0123"[_QUAD[c]] for c in range(16)])    # opponent's event
_QUAD_WIN = tuple(["4567"[_QUAD[c]] for c in range(16)])   # opponent's winning move
_PREFIX = ("0", "1")

# who acts after n events (two placements, then moves), if nobody has won
_NEXT = (-1, -1) + (0, 1) * 10 + (-4,)

_CHANCE = ((0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25))

# (to act, events, cell of 0, cell of 1, winner or -1, info of 0, info of 1)
_INITIAL = (-1, 0, -1, -1, -1, _PREFIX[0], _PREFIX[1])


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
    if state[0] != -1:
        return []
    return list(_CHANCE)


def apply_action(state, action):
    p, n, c0, c1, w, i0, i1 = state
    n += 1
    if p == 0:
        c = _STEP[c0][action]
        if c < 0:
            raise ValueError("illegal action")
        if c == c1:
            return (-4, n, c, c1, 0, i0 + _CELL_WIN[c], i1 + _QUAD_WIN[c])
        return (_NEXT[n], n, c, c1, -1, i0 + _CELL_CH[c], i1 + _QUAD_CH[c])
    if p == 1:
        c = _STEP[c1][action]
        if c < 0:
            raise ValueError("illegal action")
        if c == c0:
            return (-4, n, c0, c, 1, i0 + _QUAD_WIN[c], i1 + _CELL_WIN[c])
        return (_NEXT[n], n, c0, c, -1, i0 + _QUAD_CH[c], i1 + _CELL_CH[c])
    if p == -1:
        if n == 1:
            c = _HOME[0][action]
            return (-1, 1, c, -1, -1, i0 + _CELL_CH[c], i1 + _QUAD_CH[c])
        c = _HOME[1][action]
        return (0, 2, c0, c, -1, i0 + _QUAD_CH[c], i1 + _CELL_CH[c])
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
        return _START_NAMES[state[1]][action]
    return _ACTION_NAMES[action]


def observation(state, player):
    own = state[2 + player]
    n = state[1]
    w = state[4]
    return {
        "cell": [own >> 2, own & 3] if own >= 0 else None,
        "opponent_quadrant": _QUAD_NAME_OF[state[3 - player]],
        "moves": n - 2 if n > 2 else 0,
        "winner": w if w >= 0 else None,
    }


def information_state(state, player):
    return state[5 + player]


# ---------------------------------------------------------------------------
# Resampling
# ---------------------------------------------------------------------------

def _own_cells(history):
    own = []
    for pair in history:
        rc = pair[0]["cell"]
        own.append(-1 if rc is None else 4 * rc[0] + rc[1])
    return own


def _pick(cells, weights, rand):
    """One of the cells, with probability proportional to its weight."""
    total = 0.0
    for x in weights:
        total += x
    if total <= 0.0:
        raise ValueError("no game fits the history")
    r = rand() * total
    chosen = -1
    for c, x in zip(cells, weights):
        if x > 0.0:
            chosen = c
            if r < x:
                return c
            r -= x
    return chosen


def _draw_path(player, history, own, rand):
    """The opponent's cells: the start, then the cell after each of its moves."""
    last = len(history) - 1
    s = 2 - player                  # first state in which the opponent is placed
    if s > last:
        return []
    won = history[last][0]["winner"] is not None
    quads = []
    layers = []                     # weight of a cell, times 1 / its legal actions
    v = None
    q = 0
    cells = ()
    inv = _INV_DEGREE
    while s <= last:
        prev_q = q
        q = _QUAD_INDEX[history[s][0]["opponent_quadrant"]]
        # The opponent stands still in the states s and s + 1.
        if s + 1 >= last and won:
            cells = (own[last],)
        elif s < last:
            cells = _FREE[q][17 * own[s] + own[s + 1] + 18]
        else:
            cells = _FREE[q][18 * own[s] + 18]
        new = [0.0] * 16
        if v is None:
            for c in cells:
                new[c] = inv[c]
        else:
            sources = _SOURCES[prev_q]
            for c in cells:
                t = 0.0
                for d in sources[c]:
                    t += v[d]
                new[c] = t * inv[c]
        v = new
        quads.append(q)
        layers.append(v)
        s += 2
    c = _pick(cells, [v[d] * _DEGREE[d] for d in cells], rand)
    k = len(layers) - 1
    path = [c] * (k + 1)
    while k > 0:
        k -= 1
        cands = _SOURCES[quads[k]][c]
        if len(cands) == 1:
            c = cands[0]
        else:
            v = layers[k]
            c = _pick(cands, [v[d] for d in cands], rand)
        path[k] = c
    return path


def resample_history(player, history, rand):
    own = _own_cells(history)
    path = _draw_path(player, history, own, rand)
    result = []
    for e in range(len(history) - 1):
        # event e (placement or move) is one of player e & 1
        if e & 1 == player:
            if e < 2:
                result.append(_LOCAL[own[e + 1]])
            else:
                result.append(_ACTION_BETWEEN[(own[e], own[e + 1])])
        else:
            t = e >> 1
            if e < 2:
                result.append(_LOCAL[path[t]])
            else:
                result.append(_ACTION_BETWEEN[(path[t - 1], path[t])])
    return result


def resample_state(player, history, rand):
    own = _own_cells(history)
    path = _draw_path(player, history, own, rand)
    last = len(history) - 1
    other = 1 - player
    own_seq = own[player + 1::2]    # own cells after the own events
    mine = [""] * last
    theirs = [""] * last
    mine[player::2] = [_CELL_CH[c] for c in own_seq]
    mine[other::2] = [_QUAD_CH[c] for c in path]
    theirs[player::2] = [_QUAD_CH[c] for c in own_seq]
    theirs[other::2] = [_CELL_CH[c] for c in path]
    my_cell = own[last]
    other_cell = path[-1] if path else -1
    win = history[last][0]["winner"]
    if win is None:
        win = -1
        to_act = _NEXT[last]
    else:
        to_act = -4
        if win == player:
            mine[-1] = _CELL_WIN[my_cell]
            theirs[-1] = _QUAD_WIN[my_cell]
        else:
            mine[-1] = _QUAD_WIN[other_cell]
            theirs[-1] = _CELL_WIN[other_cell]
    my_info = _PREFIX[player] + "".join(mine)
    other_info = _PREFIX[other] + "".join(theirs)
    if player == 0:
        return (to_act, last, my_cell, other_cell, win, my_info, other_info)
    return (to_act, last, other_cell, my_cell, win, other_info, my_info)
