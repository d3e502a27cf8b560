import itertools

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 300
MAX_CHANCE_OUTCOMES = 720
MAX_GAME_LENGTH = 112
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# State: (who, aux, board, pos)
#   who   : -1 chance, 0 / 1 player to act, -4 game over
#   aux   : chance: 0 place black, 1 place white, 2 roll for black, 3 roll for white
#           player: the die roll 1..6
#           over:   the winner
#   board : 25 ints, 0 empty, 1..6 black cubes, 7..12 white cubes
#   pos   : 12 ints, square of cube v at index v - 1, or -1

_PERMS = tuple(itertools.permutations((1, 2, 3, 4, 5, 6)))
_BLACK_START = (0, 1, 2, 5, 6, 10)
_WHITE_START = (14, 18, 19, 22, 23, 24)

# directions: 0 diag, 1 down, 2 right (black); 3 up, 4 diag, 5 left (white)
_DROW = (1, 1, 0, -1, -1, 0)
_DCOL = (1, 0, 1, 0, -1, -1)
_DIRNAME = ("diag", "down", "right", "up", "diag", "left")

_FROM = tuple(a // 12 for a in range(300))


def _make_targets():
    res = []
    for a in range(300):
        sq = a // 12
        d = (a % 12) // 2
        r = sq // 5 + _DROW[d]
        c = sq % 5 + _DCOL[d]
        if 0 <= r < 5 and 0 <= c < 5:
            res.append(r * 5 + c)
        else:
            res.append(-1)
    return tuple(res)


_TO = _make_targets()


def _make_moves():
    both = []
    for p in range(2):
        rows = []
        for sq in range(25):
            lst = []
            for d in range(3 * p, 3 * p + 3):
                a = sq * 12 + d * 2
                if _TO[a] >= 0:
                    lst.append((a, _TO[a]))
            rows.append(tuple(lst))
        both.append(tuple(rows))
    return tuple(both)


_MOVES = _make_moves()

_SUFFIX = tuple("-" + _DIRNAME[k // 2] + ("*" if k % 2 else "") for k in range(12))
_CUBE = ("",) + tuple("B%d" % k for k in range(1, 7)) + tuple("W%d" % k for k in range(1, 7))
_CELL = ("|__|",) + tuple("|b%d|" % k for k in range(1, 7)) + tuple("|w%d|" % k for k in range(1, 7))

_PLACE_OUTCOMES = tuple((k, 1.0 / 720.0) for k in range(720))
_ROLL_OUTCOMES = tuple((k, 1.0 / 6.0) for k in range(6))

_INITIAL = (-1, 0, (0,) * 25, (-1,) * 12)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    p, d, board, pos = state
    moves = _MOVES[p]
    first = 6 * p
    i = first + d - 1
    s = pos[i]
    if s >= 0:
        return [a + 1 if board[t] else a for a, t in moves[s]]
    low = -1
    j = i - 1
    while j >= first:
        if pos[j] >= 0:
            low = pos[j]
            break
        j -= 1
    high = -1
    j = i + 1
    end = first + 6
    while j < end:
        if pos[j] >= 0:
            high = pos[j]
            break
        j += 1
    if low < 0:
        return [a + 1 if board[t] else a for a, t in moves[high]]
    if high < 0:
        return [a + 1 if board[t] else a for a, t in moves[low]]
    if low > high:
        low, high = high, low
    res = [a + 1 if board[t] else a for a, t in moves[low]]
    res += [a + 1 if board[t] else a for a, t in moves[high]]
    return res


def chance_outcomes(state):
    if state[0] != -1:
        return []
    if state[1] < 2:
        return list(_PLACE_OUTCOMES)
    return list(_ROLL_OUTCOMES)


def apply_action(state, action):
    who, aux, board, pos = state
    if who >= 0:
        s = _FROM[action]
        t = _TO[action]
        v = board[s]
        w = board[t]
        b = list(board)
        b[s] = 0
        b[t] = v
        p = list(pos)
        p[v - 1] = t
        won = False
        if w:
            p[w - 1] = -1
            if who == 0:
                if w > 6 and max(p[6:]) < 0:
                    won = True
            elif w < 7 and max(p[:6]) < 0:
                won = True
        if t == (0 if who else 24):
            won = True
        if won:
            return (-4, who, tuple(b), tuple(p))
        return (-1, 3 - who, tuple(b), tuple(p))
    if aux >= 2:
        return (aux - 2, action + 1, board, pos)
    perm = _PERMS[action]
    b = list(board)
    p = list(pos)
    if aux == 0:
        for k in range(6):
            v = perm[k]
            sq = _BLACK_START[k]
            b[sq] = v
            p[v - 1] = sq
        return (-1, 1, tuple(b), tuple(p))
    for k in range(6):
        v = perm[k] + 6
        sq = _WHITE_START[k]
        b[sq] = v
        p[v - 1] = sq
    return (-1, 3, tuple(b), tuple(p))


def returns(state):
    if state[0] == -4:
        if state[1] == 0:
            return [1.0, -1.0]
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    if state[0] == -1:
        aux = state[1]
        if aux == 0:
            return "Placing black cubes on the board - action %d" % action
        if aux == 1:
            return "Placing white cubes on the board - action %d" % action
        return "roll %d" % (action + 1)
    return _CUBE[state[2][_FROM[action]]] + _SUFFIX[action % 12]


def observation(state, player):
    c = [_CELL[v] for v in state[2]]
    return {"observation": "".join(c[0:5]) + "\n" + "".join(c[5:10]) + "\n"
            + "".join(c[10:15]) + "\n" + "".join(c[15:20]) + "\n"
            + "".join(c[20:25]) + "\n"}
