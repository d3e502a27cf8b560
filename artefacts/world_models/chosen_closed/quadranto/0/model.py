NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 5
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 20
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# State: (current player, cell of player 0, cell of player 1, moves, winner,
#         history code of player 0, history code of player 1)
# Cells are row * 4 + column, -1 before the placement; winner is -1 for nobody.
# A history code starts as 2 (player 0) or 3 (player 1) and gets 4 bits for each
# event: own placement -> outcome, other's placement -> 0, own move -> action,
# other's move -> quadrant of the other afterwards; plus 8 if the move has won.

_NAMES = ("up", "down", "left", "right", "stay")
_ACTION_NUMBER = {"up": 0, "down": 1, "left": 2, "right": 3, "stay": 4}
_QUADRANT_NAMES = ("top left", "top right", "bottom left", "bottom right")
_QUADRANT_NUMBER = {"top left": 0, "top right": 1, "bottom left": 2, "bottom right": 3}
_DELTAS = ((-1, 0), (1, 0), (0, -1), (0, 1), (0, 0))


def _target(cell, action):
    row = cell // 4 + _DELTAS[action][0]
    col = cell % 4 + _DELTAS[action][1]
    if 0 <= row < 4 and 0 <= col < 4:
        return row * 4 + col
    return -1


# _NEXT[cell][action]: the cell after the action, -1 if it leaves the grid
_NEXT = tuple(tuple(_target(c, a) for a in range(5)) for c in range(16))
_LEGAL = tuple(tuple(a for a in range(5) if _NEXT[c][a] >= 0) for c in range(16))
_INV = tuple(1.0 / len(_LEGAL[c]) for c in range(16))
# cells reachable in one move; the relation is symmetric
_NEAR = tuple(frozenset(_NEXT[c][a] for a in _LEGAL[c]) for c in range(16))
# _ACT[cell][next cell]: the action between them, -1 if there is none
_ACT = tuple(
    tuple(_NEXT[c].index(d) if d in _NEAR[c] else -1 for d in range(16))
    for c in range(16)
)
_QUAD = tuple((c // 8) * 2 + (c % 4) // 2 for c in range(16))
# the last entry (index -1) is for a player who has not been placed
_QUAD_NAME = tuple(_QUADRANT_NAMES[_QUAD[c]] for c in range(16)) + (None,)
# _STEPS[cell][quadrant]: cells of the quadrant that are reachable in one move
_STEPS = tuple(
    tuple(tuple(d for d in sorted(_NEAR[c]) if _QUAD[d] == q) for q in range(4))
    for c in range(16)
)
_START = ((0, 1, 4, 5), (10, 11, 14, 15))
# the outcome of chance that places a player on the cell
_OUTCOME = tuple(((c // 4) % 2) * 2 + (c % 4) % 2 for c in range(16))
_PRIOR = (
    {0: 0.25, 1: 0.25, 4: 0.25, 5: 0.25},
    {10: 0.25, 11: 0.25, 14: 0.25, 15: 0.25},
)
_START_NAMES = tuple(
    tuple("start at %d,%d" % (c // 4, c % 4) for c in _START[p]) for p in range(2)
)

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
    cur, c0, c1, moves, winner, h0, h1 = state
    if cur == 0:
        c = _NEXT[c0][action]
        if c < 0:
            raise ValueError("illegal action")
        moves += 1
        if c == c1:
            return (-4, c, c1, moves, 0,
                    (h0 << 4) | action | 8, (h1 << 4) | _QUAD[c] | 8)
        return (1 if moves < 20 else -4, c, c1, moves, -1,
                (h0 << 4) | action, (h1 << 4) | _QUAD[c])
    if cur == 1:
        c = _NEXT[c1][action]
        if c < 0:
            raise ValueError("illegal action")
        moves += 1
        if c == c0:
            return (-4, c0, c, moves, 1,
                    (h0 << 4) | _QUAD[c] | 8, (h1 << 4) | action | 8)
        return (0 if moves < 20 else -4, c0, c, moves, -1,
                (h0 << 4) | _QUAD[c], (h1 << 4) | action)
    if cur == -1:
        if c0 < 0:
            return (-1, _START[0][action], -1, 0, -1, (h0 << 4) | action, h1 << 4)
        return (0, c0, _START[1][action], 0, -1, h0 << 4, (h1 << 4) | action)
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
    winner = state[4]
    return {
        "cell": [own // 4, own % 4] if own >= 0 else None,
        "opponent_quadrant": _QUAD_NAME[state[2 - player]],
        "moves": state[3],
        "winner": winner if winner >= 0 else None,
    }


def information_state(state, player):
    return state[5 + player]


def _draw_path(player, history, rand):
    # The cells of the opponent: where it was placed and after each of its moves.
    n = len(history)
    opp = 1 - player
    if n <= opp + 1:
        return []
    # Forward: weights of the opponent's cell given what was seen up to then.
    alpha = _PRIOR[opp]
    alphas = []
    for k in range(3, n):
        obs = history[k][0]
        row, col = obs["cell"]
        own = row * 4 + col
        if ((k - 1) & 1) == player:
            if obs["winner"] is None:
                if own in alpha:
                    alpha = {c: p for c, p in alpha.items() if c != own}
            else:
                alpha = {own: alpha[own]}
        else:
            alphas.append(alpha)
            new = {}
            if obs["winner"] is None:
                q = _QUADRANT_NUMBER[obs["opponent_quadrant"]]
                for c, p in alpha.items():
                    steps = _STEPS[c][q]
                    if steps:
                        p *= _INV[c]
                        for d in steps:
                            if d != own:
                                if d in new:
                                    new[d] += p
                                else:
                                    new[d] = p
            else:
                near = _NEAR[own]
                total = 0.0
                for c, p in alpha.items():
                    if c in near:
                        total += p * _INV[c]
                new[own] = total
            alpha = new
    # Backward: draw the last cell, then each cell given the one after it.
    total = 0.0
    cand = []
    for c, p in alpha.items():
        total += p
        cand.append((total, c))
    cell = cand[-1][1]
    if len(cand) > 1:
        r = rand() * total
        for t, c in cand:
            if r < t:
                cell = c
                break
    path = [cell]
    for alpha in reversed(alphas):
        near = _NEAR[cell]
        total = 0.0
        cand = []
        for c, p in alpha.items():
            if c in near:
                total += p * _INV[c]
                cand.append((total, c))
        cell = cand[-1][1]
        if len(cand) > 1:
            r = rand() * total
            for t, c in cand:
                if r < t:
                    cell = c
                    break
        path.append(cell)
    path.reverse()
    return path


def resample_history(player, history, rand):
    path = _draw_path(player, history, rand)
    actions = []
    i = 0
    for k in range(1, len(history)):
        if k < 3:
            if k - 1 == player:
                row, col = history[k][0]["cell"]
                actions.append(_OUTCOME[row * 4 + col])
            else:
                actions.append(_OUTCOME[path[0]])
        elif ((k - 1) & 1) == player:
            actions.append(_ACTION_NUMBER[history[k - 1][1]])
        else:
            actions.append(_ACT[path[i]][path[i + 1]])
            i += 1
    return actions


def resample_state(player, history, rand):
    n = len(history)
    if n < 3:
        state = _INITIAL
        for action in resample_history(player, history, rand):
            state = apply_action(state, action)
        return state
    path = _draw_path(player, history, rand)
    row, col = history[2][0]["cell"]
    own = row * 4 + col
    other = path[0]
    if player == 0:
        h_own = (2 << 8) | (_OUTCOME[own] << 4)
        h_other = (3 << 8) | _OUTCOME[other]
    else:
        h_own = (3 << 8) | _OUTCOME[own]
        h_other = (2 << 8) | (_OUTCOME[other] << 4)
    i = 0
    for k in range(3, n):
        if ((k - 1) & 1) == player:
            action = _ACTION_NUMBER[history[k - 1][1]]
            own = _NEXT[own][action]
            h_own = (h_own << 4) | action
            h_other = (h_other << 4) | _QUAD[own]
        else:
            i += 1
            cell = path[i]
            h_other = (h_other << 4) | _ACT[other][cell]
            h_own = (h_own << 4) | _QUAD[cell]
            other = cell
    moves = n - 3
    winner = history[-1][0]["winner"]
    if winner is None:
        winner = -1
        cur = (moves & 1) if moves < 20 else -4
    else:
        h_own |= 8
        h_other |= 8
        cur = -4
    if player == 0:
        return (cur, own, other, moves, winner, h_own, h_other)
    return (cur, other, own, moves, winner, h_other, h_own)
