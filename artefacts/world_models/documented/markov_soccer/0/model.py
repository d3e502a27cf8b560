NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 5
MAX_CHANCE_OUTCOMES = 4
MAX_GAME_LENGTH = 1000
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_HORIZON = 1000
_ACTIONS = ("up", "down", "left", "right", "stand")
_CHANCE = ("(A's action first)", "(B's action first)", "(ball at 1,2)", "(ball at 2,2)")
_INIT_OUTCOMES = ((0, 0.5), (1, 0.5))
_BALL_OUTCOMES = ((2, 0.5), (3, 0.5))

# squares: row * 5 + column
_ROWS = 4
_COLS = 5
_BALL_AT = {2: 7, 3: 12}


def _targets():
    table = []
    for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1), (0, 0)):
        row = []
        for p in range(20):
            r = p // 5 + dr
            c = p % 5 + dc
            row.append(r * 5 + c if 0 <= r < _ROWS and 0 <= c < _COLS else -1)
        table.append(tuple(row))
    return tuple(table)


_T = _targets()

# A state: (kind, square of A, square of B, ball, moves made, action of A, action of B, winner)
# kind: 0 the ball is to be placed, 1 both choose, 2 initiative, 3 over
# square -1: off the field, having scored
# ball: square of the loose ball, 20 A has it, 21 B has it, -1 not on the field
_INITIAL = (0, 11, 8, -1, 0, -1, -1, -1)


def initial_state():
    return _INITIAL


def current_player(state):
    kind = state[0]
    if kind == 1:
        return -2
    if kind == 3:
        return -4
    return -1


def legal_actions(state):
    return []


def chance_outcomes(state):
    kind = state[0]
    if kind == 2:
        return list(_INIT_OUTCOMES)
    if kind == 0:
        return list(_BALL_OUTCOMES)
    return []


def _resolve_a(a, b, ball, m):
    t = _T[m][a]
    if t < 0:
        if ball == 20 and m == 3 and (a == 9 or a == 14):
            return -1, b, -1
        return a, b, ball
    if t == a:
        return a, b, ball
    if t == b:
        return a, b, (21 if ball == 20 else ball)
    if t == ball:
        return t, b, 20
    return t, b, ball


def _resolve_b(a, b, ball, m):
    t = _T[m][b]
    if t < 0:
        if ball == 21 and m == 2 and (b == 5 or b == 10):
            return a, -1, -1
        return a, b, ball
    if t == b:
        return a, b, ball
    if t == a:
        return a, b, (20 if ball == 21 else ball)
    if t == ball:
        return a, t, 21
    return a, t, ball


def apply_action(state, action):
    kind, a, b, ball, n, ma, mb, winner = state
    if kind == 0:
        return (1, a, b, _BALL_AT[action], 0, -1, -1, -1)
    if action == 0:
        a, b, ball = _resolve_a(a, b, ball, ma)
        if a >= 0:
            a, b, ball = _resolve_b(a, b, ball, mb)
    else:
        a, b, ball = _resolve_b(a, b, ball, mb)
        if b >= 0:
            a, b, ball = _resolve_a(a, b, ball, ma)
    n += 1
    if a < 0:
        return (3, a, b, ball, n, -1, -1, 0)
    if b < 0:
        return (3, a, b, ball, n, -1, -1, 1)
    if n >= _HORIZON:
        return (3, a, b, ball, n, -1, -1, -1)
    return (1, a, b, ball, n, -1, -1, -1)


def returns(state):
    winner = state[7]
    if winner == 0:
        return [1.0, -1.0]
    if winner == 1:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    kind = state[0]
    if kind == 0 or kind == 2:
        return _CHANCE[action]
    return _ACTIONS[action]


def observation(state, player):
    kind, a, b, ball = state[:4]
    f = ["."] * 20
    if 0 <= ball < 20:
        f[ball] = "O"
    if a >= 0:
        f[a] = "A" if ball == 20 else "a"
    if b >= 0:
        f[b] = "B" if ball == 21 else "b"
    s = "".join(f)
    text = s[:5] + "\n" + s[5:10] + "\n" + s[10:15] + "\n" + s[15:] + "\n"
    if kind == 0 or kind == 2:
        text += "Chance Node"
    return {"observation": text}


def player_legal_actions(state, player):
    return [0, 1, 2, 3, 4]


def apply_actions(state, actions):
    return (2, state[1], state[2], state[3], state[4], actions[0], actions[1], -1)


def player_action_name(state, player, action):
    return _ACTIONS[action]
