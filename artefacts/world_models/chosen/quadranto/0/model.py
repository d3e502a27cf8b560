NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 5
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 20
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_ACTION_NAMES = ("up", "down", "left", "right", "stay")
_STEPS = ((-1, 0), (1, 0), (0, -1), (0, 1), (0, 0))
_QUADRANTS = ("top left", "top right", "bottom left", "bottom right")
_QUADRANT_INDEX = {"top left": 0, "top right": 1, "bottom left": 2, "bottom right": 3}
_WIN_CODE = 7


def _build_tables():
    # cell = quadrant * 4 + place within the quadrant (row by row)
    rc = []
    at = [[0] * 4 for _ in range(4)]
    for cell in range(16):
        q = cell >> 2
        i = cell & 3
        r = (q >> 1) * 2 + (i >> 1)
        c = (q & 1) * 2 + (i & 1)
        rc.append((r, c))
        at[r][c] = cell
    dest = []
    legal = []
    move = [-1] * 256
    for cell in range(16):
        r, c = rc[cell]
        row = []
        can = []
        for a in range(5):
            r2 = r + _STEPS[a][0]
            c2 = c + _STEPS[a][1]
            if 0 <= r2 < 4 and 0 <= c2 < 4:
                target = at[r2][c2]
                row.append(target)
                can.append(a)
                move[cell * 16 + target] = a
            else:
                row.append(-1)
        dest.append(tuple(row))
        legal.append(tuple(can))
    trans = []
    for q1 in range(4):
        for q2 in range(4):
            rows = []
            for j in range(4):
                weights = []
                for i in range(4):
                    c1 = q1 * 4 + i
                    c2 = q2 * 4 + j
                    if move[c1 * 16 + c2] >= 0:
                        weights.append(1.0 / len(legal[c1]))
                    else:
                        weights.append(0.0)
                rows.append(tuple(weights))
            trans.append(tuple(rows))
    names = tuple("start at %d,%d" % p for p in rc)
    return (tuple(rc), tuple(tuple(x) for x in at), tuple(dest), tuple(legal),
            tuple(move), tuple(trans), names)


# _RC[cell] = (row, column); _AT[row][column] = cell; _DEST[cell][action] = cell or -1;
# _MOVE[cell1 * 16 + cell2] = action or -1;
# _TRANS[q1 * 4 + q2][j][i] = probability of going from place i of q1 to place j of q2
_RC, _AT, _DEST, _LEGAL, _MOVE, _TRANS, _START_NAMES = _build_tables()

# state = (who acts, cell of player 0, cell of player 1, moves, winner or -1,
#          information of player 0, information of player 1)
_INITIAL = (-1, -1, -1, 0, -1, 2, 3)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    return list(_LEGAL[state[1 + state[0]]])


def chance_outcomes(state):
    if state[0] != -1:
        return []
    return [(0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25)]


def apply_action(state, action):
    who, p0, p1, moves, winner, i0, i1 = state
    if who == 0:
        cell = _DEST[p0][action]
        if cell < 0:
            raise ValueError("illegal action")
        moves += 1
        i0 = (i0 << 3) | action
        i1 = (i1 << 3) | (cell >> 2)
        if cell == p1:
            return (-4, cell, p1, moves, 0, (i0 << 3) | _WIN_CODE, (i1 << 3) | _WIN_CODE)
        return (1 if moves < 20 else -4, cell, p1, moves, -1, i0, i1)
    if who == 1:
        cell = _DEST[p1][action]
        if cell < 0:
            raise ValueError("illegal action")
        moves += 1
        i0 = (i0 << 3) | (cell >> 2)
        i1 = (i1 << 3) | action
        if cell == p0:
            return (-4, p0, cell, moves, 1, (i0 << 3) | _WIN_CODE, (i1 << 3) | _WIN_CODE)
        return (0 if moves < 20 else -4, p0, cell, moves, -1, i0, i1)
    if who == -1:
        if not 0 <= action < 4:
            raise ValueError("illegal chance outcome")
        if p0 < 0:
            return (-1, action, -1, 0, -1, (i0 << 3) | action, i1 << 3)
        return (0, p0, 12 + action, 0, -1, i0 << 3, (i1 << 3) | action)
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
        if state[1] < 0:
            return _START_NAMES[action]
        return _START_NAMES[12 + action]
    return _ACTION_NAMES[action]


def observation(state, player):
    own = state[1 + player]
    other = state[2 - player]
    winner = state[4]
    return {
        "cell": list(_RC[own]) if own >= 0 else None,
        "opponent_quadrant": _QUADRANTS[other >> 2] if other >= 0 else None,
        "moves": state[3],
        "winner": winner if winner >= 0 else None,
    }


def information_state(state, player):
    return state[5 + player]


def _pick(a, b, c, d, rand):
    x = rand() * (a + b + c + d)
    if x < a:
        return 0
    x -= a
    if x < b:
        return 1
    x -= b
    if x < c:
        return 2
    if d > 0.0:
        return 3
    # only reached through rounding: the last possible one
    if c > 0.0:
        return 2
    if b > 0.0:
        return 1
    return 0


def _draw_cells(player, history, rand):
    """For a history of at least 3 states: the player's own cells after 0, 1, ... moves
    of both together, and a drawn list of the opponent's cells: its start, then
    its cell after each of its own moves."""
    start = history[2][0]["cell"]
    own_cells = [_AT[start[0]][start[1]]]
    q = 3 if player == 0 else 0
    b = [1.0, 1.0, 1.0, 1.0]
    beliefs = []
    mover = 0
    for k in range(3, len(history)):
        obs = history[k][0]
        if mover != player:
            beliefs.append((q, b))
            q2 = _QUADRANT_INDEX[obs["opponent_quadrant"]]
            b0, b1, b2, b3 = b
            b = [b0 * w[0] + b1 * w[1] + b2 * w[2] + b3 * w[3]
                 for w in _TRANS[q * 4 + q2]]
            q = q2
        place = obs["cell"]
        cell = _AT[place[0]][place[1]]
        own_cells.append(cell)
        if cell >> 2 == q:
            i = cell & 3
            if obs["winner"] is None:
                b[i] = 0.0
            else:
                kept = b[i]
                b = [0.0, 0.0, 0.0, 0.0]
                b[i] = kept
        mover = 1 - mover
    i = _pick(b[0], b[1], b[2], b[3], rand)
    opp_cells = [q * 4 + i]
    for t in range(len(beliefs) - 1, -1, -1):
        q1, b = beliefs[t]
        w = _TRANS[q1 * 4 + q][i]
        i = _pick(b[0] * w[0], b[1] * w[1], b[2] * w[2], b[3] * w[3], rand)
        q = q1
        opp_cells.append(q * 4 + i)
    opp_cells.reverse()
    return own_cells, opp_cells


def resample_history(player, history, rand):
    n = len(history)
    if n < 2:
        return []
    if n == 2:
        if player == 0:
            place = history[1][0]["cell"]
            return [_AT[place[0]][place[1]] & 3]
        return [_pick(1.0, 1.0, 1.0, 1.0, rand)]
    own_cells, opp_cells = _draw_cells(player, history, rand)
    if player == 0:
        actions = [own_cells[0] & 3, opp_cells[0] & 3]
    else:
        actions = [opp_cells[0] & 3, own_cells[0] & 3]
    t = 0
    mover = 0
    for m in range(1, n - 2):
        if mover == player:
            actions.append(_MOVE[own_cells[m - 1] * 16 + own_cells[m]])
        else:
            t += 1
            actions.append(_MOVE[opp_cells[t - 1] * 16 + opp_cells[t]])
        mover = 1 - mover
    return actions


def resample_state(player, history, rand):
    n = len(history)
    if n < 3:
        state = _INITIAL
        for action in resample_history(player, history, rand):
            state = apply_action(state, action)
        return state
    own_cells, opp_cells = _draw_cells(player, history, rand)
    own = own_cells[0]
    opp = opp_cells[0]
    if player == 0:
        own_info = (2 << 6) | ((own & 3) << 3)
        opp_info = (3 << 6) | (opp & 3)
    else:
        own_info = (3 << 6) | (own & 3)
        opp_info = (2 << 6) | ((opp & 3) << 3)
    t = 0
    mover = 0
    for m in range(1, n - 2):
        if mover == player:
            cell = own_cells[m]
            own_info = (own_info << 3) | _MOVE[own * 16 + cell]
            opp_info = (opp_info << 3) | (cell >> 2)
            own = cell
        else:
            t += 1
            cell = opp_cells[t]
            own_info = (own_info << 3) | (cell >> 2)
            opp_info = (opp_info << 3) | _MOVE[opp * 16 + cell]
            opp = cell
        mover = 1 - mover
    moves = n - 3
    winner = -1
    who = mover
    if moves > 0 and own == opp:
        winner = 1 - mover
        who = -4
        own_info = (own_info << 3) | _WIN_CODE
        opp_info = (opp_info << 3) | _WIN_CODE
    elif moves >= 20:
        who = -4
    if player == 0:
        return (who, own, opp, moves, winner, own_info, opp_info)
    return (who, opp, own, moves, winner, opp_info, own_info)
