NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 9
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 17
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# Cells are bits 1 << (row * 3 + column).
# A state is (current, black, white, found0, found1, info0, info1, winner):
#   black, white: masks of the true stones of players 0 and 1
#   found0: white stones that player 0 has bumped into; found1: black stones
#   that player 1 has bumped into
#   info0, info1: what each player has lived through, an int with 5 bits for
#   each attempt: own success = cell, own rejection = 9 + cell, opponent's
#   attempt = 18; with a leading 1 (player 0) or 2 (player 1)
#   winner: -1 while the game is running

_OPP = 18


def _make_neighbours():
    result = []
    for r in range(3):
        for c in range(3):
            m = 0
            for dr, dc in ((-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)):
                rr = r + dr
                cc = c + dc
                if 0 <= rr < 3 and 0 <= cc < 3:
                    m |= 1 << (rr * 3 + cc)
            result.append(m)
    return tuple(result)


_NEIGHBOURS = _make_neighbours()


def _joined(mask, start, goal):
    group = mask & start
    while True:
        grown = group
        for cell in range(9):
            if (group >> cell) & 1:
                grown |= _NEIGHBOURS[cell] & mask
        if grown == group:
            break
        group = grown
    return (group & goal) != 0


_NORTH = 0b000000111
_SOUTH = 0b111000000
_WEST = 0b001001001
_EAST = 0b100100100

_WIN0 = tuple(_joined(_m, _NORTH, _SOUTH) for _m in range(512))
_WIN1 = tuple(_joined(_m, _WEST, _EAST) for _m in range(512))
_WIN = (_WIN0, _WIN1)

# cells of a mask, ascending; cells not in a mask, ascending
_CELLS = tuple(tuple(c for c in range(9) if (_m >> c) & 1) for _m in range(512))
_FREE = tuple([c for c in range(9) if not (_m >> c) & 1] for _m in range(512))


def _make_subsets():
    result = []
    for u in range(512):
        by_size = [[] for _ in range(10)]
        s = u
        while True:
            by_size[len(_CELLS[s])].append(s)
            if s == 0:
                break
            s = (s - 1) & u
        result.append(tuple(tuple(x) for x in by_size))
    return tuple(result)


# _SUBSETS[mask][size]: the submasks with that many cells
_SUBSETS = _make_subsets()


def _make_rows():
    result = []
    for key in range(64):
        x = key & 7
        o = key >> 3
        text = ""
        for c in range(3):
            if (x >> c) & 1:
                text += "x"
            elif (o >> c) & 1:
                text += "o"
            else:
                text += "."
        result.append(text)
    return tuple(result)


_ROWS = _make_rows()

_NAMES = tuple("abc"[c % 3] + "123"[c // 3] for c in range(9))
_CELL_OF = {name: c for c, name in enumerate(_NAMES)}
# place of a cell in the text of a view
_PLACE = tuple((c // 3) * 4 + c % 3 for c in range(9))

_INITIAL = (0, 0, 0, 0, 0, 1, 2, -1)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    if state[0] == 0:
        return _FREE[state[1] | state[3]][:]
    return _FREE[state[2] | state[4]][:]


def chance_outcomes(state):
    return []


def apply_action(state, action):
    cur, black, white, found0, found1, info0, info1, _ = state
    bit = 1 << action
    if cur == 0:
        info1 = (info1 << 5) | 18
        if white & bit:
            return (0, black, white, found0 | bit, found1,
                    (info0 << 5) | (9 + action), info1, -1)
        black |= bit
        info0 = (info0 << 5) | action
        if _WIN0[black]:
            return (-4, black, white, found0, found1, info0, info1, 0)
        return (1, black, white, found0, found1, info0, info1, -1)
    info0 = (info0 << 5) | 18
    if black & bit:
        return (1, black, white, found0, found1 | bit,
                info0, (info1 << 5) | (9 + action), -1)
    white |= bit
    info1 = (info1 << 5) | action
    if _WIN1[white]:
        return (-4, black, white, found0, found1, info0, info1, 1)
    return (0, black, white, found0, found1, info0, info1, -1)


def returns(state):
    winner = state[7]
    if winner < 0:
        return [0.0, 0.0]
    if winner == 0:
        return [1.0, -1.0]
    return [-1.0, 1.0]


def action_name(state, action):
    return _NAMES[action]


def observation(state, player):
    if player == 0:
        x = state[1]
        o = state[3]
    else:
        x = state[4]
        o = state[2]
    return {"observation": _ROWS[(x & 7) | ((o & 7) << 3)] + "\n"
            + _ROWS[((x >> 3) & 7) | (o & 56)] + "\n"
            + _ROWS[(x >> 6) | ((o >> 6) << 3)]}


def information_state(state, player):
    return state[5 + player]


def _draw(player, history, rand):
    """Draws a game that fits. Gives (codes, stones, own, found, hit):
    codes: list of (who is own: bool, code) as in info0 and info1, stones: mask
    of the opponent's stones, own: mask of the player's stones, found: the
    opponent's stones known to the player, hit: the player's stones known to
    the opponent.

    Each attempt of the opponent, successful or not, takes one cell out of the
    opponent's legal actions, so all games that fit are equally likely. The
    opponent's rejections are on the player's stones, the successes elsewhere,
    hence both can be drawn separately."""
    n = len(history) - 1
    mark = "ox"[player == 0]
    own = 0
    found = 0
    run = 0
    runs = []       # turns of the opponent: (number of attempts, player's stones then)
    known = []      # (cell, number of opponent's stones at the time), times ascending
    seq = []        # own codes, -1 for an attempt of the opponent
    for i in range(n):
        name = history[i][1]
        if name is None:
            run += 1
            seq.append(-1)
        else:
            if run:
                runs.append((run, own))
                run = 0
            cell = _CELL_OF[name]
            if history[i + 1][0]["observation"][_PLACE[cell]] == mark:
                own |= 1 << cell
                seq.append(cell)
            else:
                found |= 1 << cell
                known.append((cell, len(runs)))
                seq.append(9 + cell)
    if run:
        runs.append((run, own))

    m = len(runs)
    codes = []
    stones = found
    hit = 0
    if m:
        wins = _WIN[1 - player]
        slots = [-1] * m
        choices = _SUBSETS[511 & ~(own | found)][m - len(known)]
        fitting = [s for s in choices if not wins[found | s]]
        if fitting:
            rest = fitting[int(rand() * len(fitting))]
            stones = found | rest
        else:
            # only possible if the opponent has just won with the last stone
            pairs = []
            for s in choices:
                full = found | s
                if wins[full]:
                    for e in _CELLS[s]:
                        if not wins[full ^ (1 << e)]:
                            pairs.append((s, e))
            rest, e = pairs[int(rand() * len(pairs))]
            stones = found | rest
            rest ^= 1 << e
            slots[m - 1] = e
        for cell, limit in known:
            free = [q for q in range(limit) if slots[q] < 0]
            slots[free[int(rand() * len(free))]] = cell
        if rest:
            pool = list(_CELLS[rest])
            for q in range(m):
                if slots[q] < 0:
                    slots[q] = pool.pop(int(rand() * len(pool)))
        for q in range(m):
            k, there = runs[q]
            if k > 1:
                pool = list(_CELLS[there & ~hit])
                for _ in range(k - 1):
                    c = pool.pop(int(rand() * len(pool)))
                    hit |= 1 << c
                    codes.append(9 + c)
            codes.append(slots[q])
    return seq, codes, stones, own, found, hit


def resample_history(player, history, rand):
    seq, codes, stones, own, found, hit = _draw(player, history, rand)
    result = []
    j = 0
    for code in seq:
        if code < 0:
            code = codes[j]
            j += 1
        result.append(code if code < 9 else code - 9)
    return result


def resample_state(player, history, rand):
    seq, codes, stones, own, found, hit = _draw(player, history, rand)
    mine = player + 1
    other = 2 - player
    j = 0
    for code in seq:
        if code < 0:
            mine = (mine << 5) | 18
            other = (other << 5) | codes[j]
            j += 1
        else:
            mine = (mine << 5) | code
            other = (other << 5) | 18
    winner = -1
    if _WIN[player][own]:
        cur = -4
        winner = player
    elif _WIN[1 - player][stones]:
        cur = -4
        winner = 1 - player
    elif not seq:
        cur = 0
    elif 0 <= seq[-1] < 9:
        cur = 1 - player
    else:
        cur = player
    if player == 0:
        return (cur, own, stones, found, hit, mine, other, winner)
    return (cur, stones, own, hit, found, other, mine, winner)
