NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 9
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 17
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# State: (cur, tries, marks0, marks1, found0, found1, winner)
#   cur:     player to act, -4 when the game is over
#   tries:   all tries in order, cell + 9 * player
#   marksP:  bit mask of the true marks of player P
#   foundP:  bit mask of the marks of the opponent that player P has found
#   winner:  0 or 1, -1 if there is none

_LINES = (7, 56, 448, 73, 146, 292, 273, 84)


def _tables():
    win = []
    free = []
    bits = []
    quiet = [[] for _ in range(10)]
    for m in range(512):
        line = False
        for k in _LINES:
            if (m & k) == k:
                line = True
        win.append(line)
        free.append(tuple([c for c in range(9) if not (m >> c) & 1]))
        n = bin(m).count("1")
        bits.append(n)
        if not line:
            quiet[n].append(m)
    row = []
    for x in range(8):
        line = []
        for o in range(8):
            text = ""
            for c in range(3):
                if (x >> c) & 1:
                    text += "x"
                elif (o >> c) & 1:
                    text += "o"
                else:
                    text += "."
            line.append(text)
        row.append(tuple(line))
    return (tuple(win), tuple(free), tuple(bits),
            tuple([tuple(q) for q in quiet]), tuple(row))


# _WIN[mask]: has a line; _FREE[mask]: cells not in mask; _BITS[mask]: their
# number in mask; _QUIET[n]: masks of n cells without a line
_WIN, _FREE, _BITS, _QUIET, _ROW = _tables()
_NAMES = (
    tuple("x(%d,%d)" % (c // 3, c % 3) for c in range(9)),
    tuple("o(%d,%d)" % (c // 3, c % 3) for c in range(9)),
)
_START = (0, (), 0, 0, 0, 0, -1)


def initial_state():
    return _START


def current_player(state):
    return state[0]


def legal_actions(state):
    cur = state[0]
    if cur == 0:
        return list(_FREE[state[2] | state[4]])
    if cur == 1:
        return list(_FREE[state[3] | state[5]])
    return []


def chance_outcomes(state):
    return []


def apply_action(state, action):
    cur, tries, m0, m1, f0, f1, winner = state
    bit = 1 << action
    if cur == 0:
        if (m0 | f0) & bit:
            raise ValueError("illegal action")
        tries = tries + (action,)
        if m1 & bit:
            return (0, tries, m0, m1, f0 | bit, f1, -1)
        m0 |= bit
        if _WIN[m0]:
            return (-4, tries, m0, m1, f0, f1, 0)
        return (-4 if (m0 | m1) == 511 else 1, tries, m0, m1, f0, f1, -1)
    if cur == 1:
        if (m1 | f1) & bit:
            raise ValueError("illegal action")
        tries = tries + (action + 9,)
        if m0 & bit:
            return (1, tries, m0, m1, f0, f1 | bit, -1)
        m1 |= bit
        if _WIN[m1]:
            return (-4, tries, m0, m1, f0, f1, 1)
        return (-4 if (m0 | m1) == 511 else 0, tries, m0, m1, f0, f1, -1)
    raise ValueError("the game is over")


def returns(state):
    winner = state[6]
    if winner == 0:
        return [1.0, -1.0]
    if winner == 1:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _NAMES[1 if state[0] == 1 else 0][action]


def observation(state, player):
    if player == 0:
        x = state[2]
        o = state[4]
    else:
        x = state[5]
        o = state[3]
    return {"observation": _ROW[x & 7][o & 7] + "\n"
            + _ROW[(x >> 3) & 7][(o >> 3) & 7] + "\n"
            + _ROW[x >> 6][o >> 6]}


def information_state(state, player):
    # own tries at their places in the sequence, -1 for a try of the opponent
    # (a history has one entry for each of them), and the own view
    if player == 0:
        return (0, state[2], state[4], tuple([a if a < 9 else -1 for a in state[1]]))
    return (1, state[3], state[5], tuple([a if a > 8 else -1 for a in state[1]]))


# Drawing the opponent's tries. Every try, successful or not, takes one cell
# from the legal actions of the one who tries, so all sequences of the opponent
# that fit are equally likely. In each run of tries of the opponent all but the
# last fail. The failed ones hit any marks not hit before (as many ways,
# whatever the rest); the successful ones are cells that the player never took,
# without a line, those that the player found being made in time (as many
# orders for each set of cells).


def _draw(player, history, rand):
    shift = 9 * player
    other_shift = 9 - shift
    symbol = "xo"[player]
    last = len(history) - 1
    mine = 0
    known = 0
    n = 0
    deadlines = []
    plan = []          # own try: its cell; opponent: -1 failed, -2 successful
    for i in range(last):
        name = history[i][1]
        if name is None:
            if i + 1 < last and history[i + 1][1] is None:
                plan.append(-1)
            else:
                plan.append(-2)
                n += 1
        else:
            cell = 3 * int(name[2]) + int(name[4])
            plan.append(cell)
            if history[i + 1][0]["observation"][cell + cell // 3] == symbol:
                mine |= 1 << cell
            else:
                known |= 1 << cell
                deadlines.append((n, cell))

    order = [-1] * n
    fits = []
    if not (plan and plan[-1] == -2 and _BITS[mine] + n >= 9):
        fits = [m for m in _QUIET[n] if (m & known) == known and not m & mine]
    if fits:
        marks = fits[int(rand() * len(fits))]
        loose = marks & ~known
        places = list(range(n))
    else:
        # only possible if the opponent's last mark has ended the game
        pairs = []
        for m in _QUIET[n - 1]:
            if (m & known) == known and not m & mine:
                for c in _FREE[m | mine]:
                    if _WIN[m | (1 << c)] or (m | mine | (1 << c)) == 511:
                        pairs.append((m, c))
        marks, c = pairs[int(rand() * len(pairs))]
        loose = marks & ~known
        order[n - 1] = c
        marks |= 1 << c
        places = list(range(n - 1))
    placed = 0
    for limit, cell in deadlines:      # limits ascend
        order[places.pop(int(rand() * (limit - placed)))] = cell
        placed += 1
    for cell in _FREE[511 & ~loose]:
        order[places.pop(int(rand() * len(places)))] = cell

    tries = []
    own = 0
    hit = 0
    k = 0
    for step in plan:
        if step >= 0:
            tries.append(step + shift)
            if (mine >> step) & 1:
                own |= 1 << step
        elif step == -2:
            tries.append(order[k] + other_shift)
            k += 1
        else:
            cells = _FREE[511 & ~(own & ~hit)]
            cell = cells[int(rand() * len(cells))]
            hit |= 1 << cell
            tries.append(cell + other_shift)
    return plan, tries, mine, marks, known, hit


def resample_history(player, history, rand):
    tries = _draw(player, history, rand)[1]
    return [a % 9 for a in tries]


def resample_state(player, history, rand):
    plan, tries, mine, marks, known, hit = _draw(player, history, rand)
    winner = -1
    if _WIN[mine]:
        cur = -4
        winner = player
    elif _WIN[marks]:
        cur = -4
        winner = 1 - player
    elif (mine | marks) == 511:
        cur = -4
    elif not plan:
        cur = 0
    elif plan[-1] >= 0 and (mine >> plan[-1]) & 1:
        cur = 1 - player
    else:
        cur = player
    if player == 0:
        return (cur, tuple(tries), mine, marks, known, hit, winner)
    return (cur, tuple(tries), marks, mine, hit, known, winner)
