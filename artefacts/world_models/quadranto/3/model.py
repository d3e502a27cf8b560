NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 5
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 20
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_NAMES = ("up", "down", "left", "right", "stay")
_ACTION_INDEX = {_n: _i for _i, _n in enumerate(_NAMES)}
_QUAD_NAMES = ("top left", "top right", "bottom left", "bottom right")
_QUAD_INDEX = {_n: _i for _i, _n in enumerate(_QUAD_NAMES)}


def _dest(cell, a):
    r, c = cell >> 2, cell & 3
    if a == 0:
        r -= 1
    elif a == 1:
        r += 1
    elif a == 2:
        c -= 1
    elif a == 3:
        c += 1
    if 0 <= r < 4 and 0 <= c < 4:
        return r * 4 + c
    return None


# _DEST[cell][action]: the cell reached, None where the step leaves the grid
_DEST = tuple(tuple(_dest(_x, _a) for _a in range(5)) for _x in range(16))
_LEGAL = tuple(tuple(_a for _a in range(5) if _dest(_x, _a) is not None)
               for _x in range(16))
_INV = tuple(1.0 / len(_l) for _l in _LEGAL)
# quadrant of a cell, and index of the cell inside its quadrant
_QUAD = tuple((_x >> 3) * 2 + ((_x & 3) >> 1) for _x in range(16))
_IDX = tuple(((_x >> 2) & 1) * 2 + (_x & 1) for _x in range(16))
_QNAME = tuple(_QUAD_NAMES[_q] for _q in _QUAD)


def _quad_cells(q):
    return tuple(x for x in range(16) if _QUAD[x] == q)


_QCELLS = tuple(_quad_cells(_q) for _q in range(4))
_START = (_QCELLS[0], _QCELLS[3])
_START_NAMES = tuple(tuple("start at %d,%d" % (_x >> 2, _x & 3) for _x in _s)
                     for _s in _START)


def _near(x, q):
    return tuple(_DEST[x][a] for a in _LEGAL[x] if _QUAD[_DEST[x][a]] == q)


# _NEAR[x][q]: the cells of quadrant q that one move from x can reach
_NEAR = tuple(tuple(_near(_x, _q) for _q in range(4)) for _x in range(16))


def _action_table():
    rows = []
    for x in range(16):
        row = [None] * 16
        for a in _LEGAL[x]:
            row[_DEST[x][a]] = a
        rows.append(tuple(row))
    return tuple(rows)


# _ACT[x][y]: the action that leads from x to y
_ACT = _action_table()


def _mask_of(q):
    m = 0
    for x in _QCELLS[q]:
        m |= 1 << x
    return m


_QMASK = tuple(_mask_of(_q) for _q in range(4))
# cells of quadrant q without cell o / only cell o, as bit masks
_FREE = tuple(tuple(_QMASK[_q] & ~(1 << _o) for _o in range(16))
              for _q in range(4))
_HIT = tuple(tuple(_QMASK[_q] & (1 << _o) for _o in range(16))
             for _q in range(4))


def _mask_cells():
    table = {}
    for q in range(4):
        for s in range(16):
            cells = tuple(_QCELLS[q][i] for i in range(4) if (s >> i) & 1)
            m = 0
            for x in cells:
                m |= 1 << x
            table[m] = cells
    return table


_CELLS = _mask_cells()

# State: (t, c0, c1, winner, h0, h1)
_INITIAL = (-2, -1, -1, -1, 1, 1)


def initial_state():
    return _INITIAL


def current_player(state):
    t = state[0]
    if t < 0:
        return -1
    if state[3] >= 0 or t >= 20:
        return -4
    return t & 1


def legal_actions(state):
    return list(_LEGAL[state[1 + (state[0] & 1)]])


def chance_outcomes(state):
    if state[0] >= 0:
        return []
    return [(0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25)]


def apply_action(state, action):
    t, c0, c1, w, h0, h1 = state
    if t >= 0:
        if t & 1:
            c1 = _DEST[c1][action]
            return (t + 1, c0, c1, 1 if c1 == c0 else -1,
                    h0 * 4 + _QUAD[c1], h1 * 8 + action)
        c0 = _DEST[c0][action]
        return (t + 1, c0, c1, 0 if c1 == c0 else -1,
                h0 * 8 + action, h1 * 4 + _QUAD[c0])
    if t == -2:
        return (-1, _START[0][action], -1, -1, 4 + action, h1)
    return (0, c0, _START[1][action], -1, h0, 4 + action)


def returns(state):
    w = state[3]
    if w < 0:
        return [0.0, 0.0]
    if w == 0:
        return [1.0, -1.0]
    return [-1.0, 1.0]


def action_name(state, action):
    t = state[0]
    if t < 0:
        return _START_NAMES[t + 2][action]
    return _NAMES[action]


def observation(state, player):
    t = state[0]
    w = state[3]
    if player == 0:
        own = state[1]
        opp = state[2]
    else:
        own = state[2]
        opp = state[1]
    return {
        "cell": None if own < 0 else [own >> 2, own & 3],
        "opponent_quadrant": None if opp < 0 else _QNAME[opp],
        "moves": t if t > 0 else 0,
        "winner": None if w < 0 else w,
    }


def information_state(state, player):
    return (player, state[0], state[3], state[4 + player])


def _draw_path(player, history, rand):
    """The opponent's cells: the start and the cell after each of its moves.

    Needs a history in which both players have been placed.
    """
    opp = 1 - player
    masks = []
    quads = []
    for i in range(2, len(history)):
        ob = history[i][0]
        cell = ob["cell"]
        o = cell[0] * 4 + cell[1]
        q = _QUAD_INDEX[ob["opponent_quadrant"]]
        if ob["winner"] is None:
            m = _FREE[q][o]
        else:
            m = _HIT[q][o]
        if i == 2 or ((i - 3) & 1) == opp:
            masks.append(m)
            quads.append(q)
        else:
            masks[-1] &= m
    # backward: probability of the rest of the history from each cell
    s = len(masks) - 1
    beta = [0.0] * 16
    for x in _CELLS[masks[s]]:
        beta[x] = 1.0
    betas = [beta]
    while s > 0:
        q = quads[s]
        s -= 1
        new = [0.0] * 16
        for x in _CELLS[masks[s]]:
            tot = 0.0
            for y in _NEAR[x][q]:
                tot += beta[y]
            new[x] = tot * _INV[x]
        beta = new
        betas.append(beta)
    # forward: draw the path
    path = []
    cells = _QCELLS[quads[0]]
    j = 0
    while True:
        beta = betas.pop()
        tot = 0.0
        for y in cells:
            tot += beta[y]
        r = rand() * tot
        x = -1
        for y in cells:
            p = beta[y]
            if p > 0.0:
                x = y
                if r < p:
                    break
                r -= p
        path.append(x)
        if not betas:
            return path
        j += 1
        cells = _NEAR[x][quads[j]]


def _first_placement(player, history, rand):
    """Outcome of the first chance event, for a history of two states."""
    if player == 0:
        cell = history[1][0]["cell"]
        return _IDX[cell[0] * 4 + cell[1]]
    k = int(rand() * 4)
    return k if k < 4 else 3


def resample_history(player, history, rand):
    n = len(history)
    if n <= 1:
        return []
    if n == 2:
        return [_first_placement(player, history, rand)]
    path = _draw_path(player, history, rand)
    cell = history[2][0]["cell"]
    own = _IDX[cell[0] * 4 + cell[1]]
    x = path[0]
    if player == 0:
        result = [own, _IDX[x]]
    else:
        result = [_IDX[x], own]
    j = 0
    for k in range(n - 3):
        if (k & 1) == player:
            result.append(_ACTION_INDEX[history[k + 2][1]])
        else:
            j += 1
            y = path[j]
            result.append(_ACT[x][y])
            x = y
    return result


def resample_state(player, history, rand):
    n = len(history)
    if n <= 1:
        return _INITIAL
    if n == 2:
        return apply_action(_INITIAL, _first_placement(player, history, rand))
    path = _draw_path(player, history, rand)
    ob = history[2][0]
    cell = ob["cell"]
    o = cell[0] * 4 + cell[1]
    x = path[0]
    h_own = 4 + _IDX[o]
    h_opp = 4 + _IDX[x]
    j = 0
    for k in range(n - 3):
        if (k & 1) == player:
            a = _ACTION_INDEX[history[k + 2][1]]
            o = _DEST[o][a]
            h_own = h_own * 8 + a
            h_opp = h_opp * 4 + _QUAD[o]
        else:
            j += 1
            y = path[j]
            h_opp = h_opp * 8 + _ACT[x][y]
            h_own = h_own * 4 + _QUAD[y]
            x = y
    w = history[n - 1][0]["winner"]
    if w is None:
        w = -1
    if player == 0:
        return (n - 3, o, x, w, h_own, h_opp)
    return (n - 3, x, o, w, h_opp, h_own)
