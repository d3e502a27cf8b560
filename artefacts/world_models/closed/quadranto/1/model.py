NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 5
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 20
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_SIZE = 4
_CELLS = 16
_NONE = 16                      # stands for "no cell" in the table of allowed cells
_LAST_PLY = MAX_GAME_LENGTH + 2  # two chance placements come first

_ACTION_NAMES = ("up", "down", "left", "right", "stay")
_STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1), (0, 0))
_QUADRANT_NAMES = ("top left", "top right", "bottom left", "bottom right")
_QUADRANT_INDEX = {"top left": 0, "top right": 1, "bottom left": 2, "bottom right": 3}

# quadrant of each cell
_QUAD = tuple((c // _SIZE // 2) * 2 + (c % _SIZE) // 2 for c in range(_CELLS))
_QUAD_NAME = tuple(_QUADRANT_NAMES[q] for q in _QUAD)

# start cells of the two players, row by row
_STARTS = ((0, 1, 4, 5), (10, 11, 14, 15))
# chance outcome that leads to a start cell
_START_INDEX = tuple(((c // _SIZE) % 2) * 2 + (c % _SIZE) % 2 for c in range(_CELLS))
_START_NAMES = tuple(
    tuple("start at %d,%d" % (c // _SIZE, c % _SIZE) for c in cells) for cells in _STARTS
)
_CHANCE = tuple((k, 0.25) for k in range(4))


def _destination(cell, step):
    r = cell // _SIZE + step[0]
    c = cell % _SIZE + step[1]
    if 0 <= r < _SIZE and 0 <= c < _SIZE:
        return r * _SIZE + c
    return None


# _DEST[cell][action]: the new cell, None if the step leaves the grid
_DEST = tuple(tuple(_destination(c, s) for s in _STEPS) for c in range(_CELLS))
_LEGAL = tuple(
    tuple(a for a in range(5) if _DEST[c][a] is not None) for c in range(_CELLS)
)
# cells that can be reached in one move (the own cell included), and 1 / their number
_NEXT = tuple(tuple(_DEST[c][a] for a in _LEGAL[c]) for c in range(_CELLS))
_INV = tuple(1.0 / len(_NEXT[c]) for c in range(_CELLS))
# _ACT[x][y]: the action that leads from x to y
_ACT = tuple({_DEST[c][a]: a for a in _LEGAL[c]} for c in range(_CELLS))

# _ALLOWED[q][a][b]: the cells of quadrant q other than a and b
_ALLOWED = tuple(
    tuple(
        tuple(
            tuple(x for x in range(_CELLS) if _QUAD[x] == q and x != a and x != b)
            for b in range(_CELLS + 1)
        )
        for a in range(_CELLS + 1)
    )
    for q in range(4)
)

# A state is (ply, cell of player 0, cell of player 1, winner, info of 0, info of 1).
# ply: number of actions so far, the two chance outcomes included.
# cells are -1 before the placement, winner is -1 while nobody has won.
# Player 0 comes to a (new) cell at the plies 1, 3, 5, ..., player 1 at 2, 4, 6, ...
# info: own cells (4 bits each) and quadrants of the opponent (2 bits each), in order.

_INITIAL = (0, -1, -1, -1, 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    ply = state[0]
    if state[3] >= 0 or ply >= _LAST_PLY:
        return -4
    if ply < 2:
        return -1
    return ply & 1


def legal_actions(state):
    return list(_LEGAL[state[1 + (state[0] & 1)]])


def chance_outcomes(state):
    return list(_CHANCE)


def apply_action(state, action):
    ply, c0, c1, winner, i0, i1 = state
    if ply & 1:
        if ply == 1:
            c1 = _STARTS[1][action]
        else:
            c1 = _DEST[c1][action]
        if c1 == c0:
            winner = 1
        return (ply + 1, c0, c1, winner, (i0 << 2) | _QUAD[c1], (i1 << 4) | c1)
    if ply == 0:
        c0 = _STARTS[0][action]
    else:
        c0 = _DEST[c0][action]
    if c0 == c1:
        winner = 0
    return (ply + 1, c0, c1, winner, (i0 << 4) | c0, (i1 << 2) | _QUAD[c0])


def returns(state):
    winner = state[3]
    if winner < 0:
        return [0.0, 0.0]
    if winner == 0:
        return [1.0, -1.0]
    return [-1.0, 1.0]


def action_name(state, action):
    ply = state[0]
    if ply < 2:
        return _START_NAMES[ply][action]
    return _ACTION_NAMES[action]


def observation(state, player):
    ply = state[0]
    own = state[1 + player]
    other = state[2 - player]
    winner = state[3]
    return {
        "cell": [own >> 2, own & 3] if own >= 0 else None,
        "opponent_quadrant": _QUAD_NAME[other] if other >= 0 else None,
        "moves": ply - 2 if ply > 2 else 0,
        "winner": winner if winner >= 0 else None,
    }


def information_state(state, player):
    return (player, state[0], state[3], state[4 + player])


def _draw_cells(player, history, rand):
    """List whose item k (1 <= k < len(history)) is the cell on which the player who
    was placed or moved by the k-th action then stood."""
    last = len(history) - 1
    seq = [_NONE] * (last + 2)
    for k in range(player + 1, last + 1, 2):
        cell = history[k][0]["cell"]
        seq[k] = cell[0] * 4 + cell[1]
    first = 2 - player
    if last < first:
        return seq
    top = last - ((last - first) & 1)

    # backward: weight of all that is still to come, for each cell of the opponent
    end = history[last][0]
    weights = [0.0] * _CELLS
    if end["winner"] is not None:
        cell = end["cell"]
        weights[cell[0] * 4 + cell[1]] = 1.0
    else:
        q = _QUADRANT_INDEX[history[top][0]["opponent_quadrant"]]
        for x in _ALLOWED[q][seq[top - 1]][seq[top + 1]]:
            weights[x] = 1.0
    tables = [weights]
    for k in range(top - 2, first - 1, -2):
        q = _QUADRANT_INDEX[history[k][0]["opponent_quadrant"]]
        earlier = [0.0] * _CELLS
        for x in _ALLOWED[q][seq[k - 1]][seq[k + 1]]:
            s = 0.0
            for y in _NEXT[x]:
                s += weights[y]
            earlier[x] = s * _INV[x]
        weights = earlier
        tables.append(weights)

    # forward: draw the opponent's cells one after the other
    cells = _STARTS[1 - player]
    for k in range(first, top + 1, 2):
        weights = tables.pop()
        total = 0.0
        for y in cells:
            total += weights[y]
        r = rand() * total
        chosen = -1
        for y in cells:
            w = weights[y]
            if w > 0.0:
                chosen = y
                if r < w:
                    break
                r -= w
        if chosen < 0:
            raise ValueError("no game fits this history")
        seq[k] = chosen
        cells = _NEXT[chosen]
    return seq


def resample_history(player, history, rand):
    seq = _draw_cells(player, history, rand)
    actions = []
    for k in range(1, len(history)):
        if k <= 2:
            actions.append(_START_INDEX[seq[k]])
        else:
            actions.append(_ACT[seq[k - 2]][seq[k]])
    return actions


def resample_state(player, history, rand):
    seq = _draw_cells(player, history, rand)
    last = len(history) - 1
    c0 = c1 = -1
    i0 = i1 = 0
    for k in range(1, last + 1):
        if k & 1:
            c0 = seq[k]
            i0 = (i0 << 4) | c0
            i1 = (i1 << 2) | _QUAD[c0]
        else:
            c1 = seq[k]
            i0 = (i0 << 2) | _QUAD[c1]
            i1 = (i1 << 4) | c1
    winner = history[last][0]["winner"]
    return (last, c0, c1, -1 if winner is None else winner, i0, i1)
