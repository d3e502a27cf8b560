NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 5
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 20
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_NAMES = ("up", "down", "left", "right", "stay")
_ACTION_ID = {"up": 0, "down": 1, "left": 2, "right": 3, "stay": 4}
_DELTAS = ((-1, 0), (1, 0), (0, -1), (0, 1), (0, 0))
_QUAD_NAMES = ("top left", "top right", "bottom left", "bottom right")
_QUAD_ID = {"top left": 0, "top right": 1, "bottom left": 2, "bottom right": 3}


def _make_step():
    table = []
    for cell in range(16):
        r, c = divmod(cell, 4)
        row = []
        for dr, dc in _DELTAS:
            r2 = r + dr
            c2 = c + dc
            if 0 <= r2 < 4 and 0 <= c2 < 4:
                row.append(4 * r2 + c2)
            else:
                row.append(None)
        table.append(tuple(row))
    return tuple(table)


# _STEP[cell][action]: the cell reached, None where the step leaves the grid
_STEP = _make_step()
_LEGAL = tuple(tuple(a for a in range(5) if _STEP[cell][a] is not None)
               for cell in range(16))
# quadrant of a cell, and the index of the cell within its quadrant (row by row)
_QUAD = tuple((cell // 4 // 2) * 2 + (cell % 4) // 2 for cell in range(16))
_LOC = tuple((cell // 4 % 2) * 2 + (cell % 4) % 2 for cell in range(16))
_QCELLS = tuple(tuple(cell for cell in range(16) if _QUAD[cell] == q)
                for q in range(4))
_START0 = _QCELLS[0]
_START1 = _QCELLS[3]
_START_NAMES = tuple(
    tuple("start at %d,%d" % (cell // 4, cell % 4) for cell in cells)
    for cells in (_START0, _START1))
# index -1 (not placed yet) gives None
_QUAD_NAME_OF = tuple(_QUAD_NAMES[_QUAD[cell]] for cell in range(16)) + (None,)

# probability of each single legal action, by quadrant and index in the quadrant
_WEIGHT = tuple(tuple(1.0 / len(_LEGAL[cell]) for cell in _QCELLS[q])
                for q in range(4))
# _PREV[q][q2][j]: pairs (i, action) that lead from cell i of q to cell j of q2
_PREV = tuple(
    tuple(
        tuple(
            tuple((_LOC[c1], a) for c1 in _QCELLS[q] for a in _LEGAL[c1]
                  if _STEP[c1][a] == c2)
            for c2 in _QCELLS[q2])
        for q2 in range(4))
    for q in range(4))

# who acts after n actions (chance included) if nobody has won
_TURN = (-1, -1) + tuple(n & 1 for n in range(2, 22)) + (-4,)
_MOVES = (0, 0) + tuple(range(21))

_CHANCE = ((0, 0.25), (1, 0.25), (2, 0.25), (3, 0.25))

# state: (n, cell of player 0, cell of player 1, winner, h0, h1)
#   n: number of actions so far, the two chance outcomes included
#   cells: 4 * row + column, -1 before the placement
#   winner: 0, 1, or -1 while nobody has won
#   h0, h1: what player 0 / player 1 has seen and done, digits in base 8:
#   own start, then for each move the own action or the opponent's quadrant
_INITIAL = (0, -1, -1, -1, 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    if state[3] >= 0:
        return -4
    return _TURN[state[0]]


def legal_actions(state):
    n = state[0]
    return list(_LEGAL[state[2] if n & 1 else state[1]])


def chance_outcomes(state):
    if state[0] < 2:
        return list(_CHANCE)
    return []


def apply_action(state, action):
    n, c0, c1, w, h0, h1 = state
    if n >= 2:
        if n & 1:
            c = _STEP[c1][action]
            return (n + 1, c0, c, 1 if c == c0 else -1,
                    h0 << 3 | _QUAD[c], h1 << 3 | action)
        c = _STEP[c0][action]
        return (n + 1, c, c1, 0 if c == c1 else -1,
                h0 << 3 | action, h1 << 3 | _QUAD[c])
    if n == 0:
        return (1, _START0[action], -1, -1, action, 0)
    return (2, c0, _START1[action], -1, h0, action)


def returns(state):
    w = state[3]
    if w < 0:
        return [0.0, 0.0]
    if w == 0:
        return [1.0, -1.0]
    return [-1.0, 1.0]


def action_name(state, action):
    n = state[0]
    if n < 2:
        return _START_NAMES[n][action]
    return _NAMES[action]


def observation(state, player):
    if player == 0:
        own = state[1]
        other = state[2]
    else:
        own = state[2]
        other = state[1]
    w = state[3]
    return {
        "cell": [own >> 2, own & 3] if own >= 0 else None,
        "opponent_quadrant": _QUAD_NAME_OF[other],
        "moves": _MOVES[state[0]],
        "winner": w if w >= 0 else None,
    }


def information_state(state, player):
    return (player, state[0], state[3], state[4 + player])


def resample_history(player, history, rand):
    n, c0, c1, w, h0, h1 = resample_state(player, history, rand)
    if n == 0:
        return []
    if n == 1:
        return [h0]
    top = 3 * (n - 2)
    result = [h0 >> top, h1 >> top]
    shift = top - 3
    for k in range(2, n):
        result.append(((h1 if k & 1 else h0) >> shift) & 7)
        shift -= 3
    return result


def resample_state(player, history, rand):
    n = len(history) - 1
    if n < 2:
        if n < 1:
            return _INITIAL
        if player == 0:
            r, c = history[1][0]["cell"]
            return apply_action(_INITIAL, _LOC[4 * r + c])
        return apply_action(_INITIAL, int(rand() * 4))

    r, c = history[2][0]["cell"]
    own = 4 * r + c
    hp = _LOC[own]          # what the player has seen and done
    hq = 0                  # the same of the opponent, own digits still 0
    q = 3 if player == 0 else 0     # quadrant of the opponent
    alpha = [1.0, 1.0, 1.0, 1.0]    # weights of the cells of that quadrant
    stages = []
    for k in range(2, n):
        obs = history[k + 1][0]
        if (k & 1) == player:
            r, c = obs["cell"]
            own = 4 * r + c
            hp = hp << 3 | _ACTION_ID[history[k][1]]
            hq = hq << 3 | _QUAD[own]
        else:
            q2 = _QUAD_ID[obs["opponent_quadrant"]]
            v = _WEIGHT[q]
            b0 = alpha[0] * v[0]
            b1 = alpha[1] * v[1]
            b2 = alpha[2] * v[2]
            b3 = alpha[3] * v[3]
            b = (b0, b1, b2, b3)
            prev = _PREV[q][q2]
            stages.append((b, prev))
            if q2 == q:
                alpha = [b0 + b1 + b2, b0 + b1 + b3,
                         b0 + b2 + b3, b1 + b2 + b3]
            else:
                alpha = [b[p[0][0]] if p else 0.0 for p in prev]
                q = q2
            hp = hp << 3 | q2
            hq <<= 3
        if _QUAD[own] == q:
            j = _LOC[own]
            if obs["winner"] is None:
                # nobody has won: the opponent is not on the player's cell
                alpha[j] = 0.0
            else:
                # somebody has won: both are on the same cell
                keep = alpha[j]
                alpha = [0.0, 0.0, 0.0, 0.0]
                alpha[j] = keep

    # the cell of the opponent at the end
    x = rand() * (alpha[0] + alpha[1] + alpha[2] + alpha[3])
    j = 0
    for i in range(4):
        weight = alpha[i]
        if weight > 0.0:
            j = i
            if x < weight:
                break
            x -= weight
    other = _QCELLS[q][j]

    # the way there, backwards
    shift = 3 if ((n - 1) & 1) == player else 0
    for b, prev in reversed(stages):
        cand = prev[j]
        if len(cand) == 1:
            j, a = cand[0]
        else:
            x = 0.0
            for i, act in cand:
                x += b[i]
            x *= rand()
            a = 4
            for i, act in cand:
                weight = b[i]
                if weight > 0.0:
                    j = i
                    a = act
                    if x < weight:
                        break
                    x -= weight
        hq |= a << shift
        shift += 6
    hq |= j << (3 * (n - 2))

    w = history[n][0]["winner"]
    if w is None:
        w = -1
    if player == 0:
        return (n, own, other, w, hp, hq)
    return (n, other, own, w, hq, hp)
