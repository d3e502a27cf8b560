from operator import sub

NUM_PLAYERS = 2
MAX_CHANCE_OUTCOMES = 30
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_MAX_TURNS = 500
# The first turn is never a double (1 play), turns 2..500 have at most 2 plays,
# turn 501 has exactly one.
MAX_GAME_LENGTH = 1 + 2 * (_MAX_TURNS - 1) + 1

# ---------------------------------------------------------------------------
# Checker moves, in the order in which names are sorted:
# higher start first, of equal starts the higher end first.
# Start 25 is the bar, end 0 is off.
# ---------------------------------------------------------------------------


def _all_moves():
    res = []
    for s in range(25, 0, -1):
        for e in range(s - 1, max(s - 6, 0) - 1, -1):
            res.append((s, e))
    return tuple(res)


_MOVES = _all_moves()
_PASS = len(_MOVES)          # index of "no move"
_N = _PASS + 1
_PASS_ACTION = _PASS * _N + _PASS

NUM_DISTINCT_ACTIONS = _N * _N


def _move_name(s, e):
    return ("Bar" if s == 25 else str(s)) + "/" + ("Off" if e == 0 else str(e))


_MOVE_NAMES = tuple(_move_name(s, e) for s, e in _MOVES) + ("Pass",)


def _index_table():
    index = {}
    for i, m in enumerate(_MOVES):
        index[m] = i
    table = [()]
    for d in range(1, 7):
        row = [-1]
        for s in range(1, 26):
            row.append(index[(s, max(s - d, 0))])
        table.append(tuple(row))
    return tuple(table)


# _MID[d][s]: index of the move of a checker from s with die d
_MID = _index_table()

# ---------------------------------------------------------------------------
# Throws
# ---------------------------------------------------------------------------

_PAIRS = tuple((a, b) for a in range(1, 7) for b in range(a + 1, 7))
_ROLLS = _PAIRS + tuple((a, a) for a in range(1, 7))

_START_OUTCOMES = tuple((i, 1.0 / 30.0) for i in range(30))
_ROLL_OUTCOMES = tuple(
    (i, (2.0 / 36.0 if r[0] != r[1] else 1.0 / 36.0)) for i, r in enumerate(_ROLLS)
)

_ROLL_NAMES = tuple("%d-%d" % (b, a) for a, b in _ROLLS)
_START_NAMES = tuple(
    ("x starts " if i % 2 == 0 else "o starts ") + _ROLL_NAMES[i // 2] for i in range(30)
)

# ---------------------------------------------------------------------------
# State:
# (acting, mover, x board, o board, lower die, higher die, second half, turns, winner)
#   acting: 0, 1, -1 (chance), -4 (over)
#   mover:  whose turn it is (or is next, if a throw is due); -1 before the first throw
#   boards: 26 counts in the player's own numbering; 0 = off, 25 = bar
#   turns:  number of turns whose first play has been made
#   winner: 0, 1 or -1
# ---------------------------------------------------------------------------


def _start_board():
    b = [0] * 26
    b[24] = 2
    b[13] = 5
    b[8] = 3
    b[6] = 5
    return tuple(b)


_START = _start_board()
_INITIAL = (-1, -1, _START, _START, 0, 0, False, 0, -1)

_DOWN = tuple(range(24, 0, -1))


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def _sources(own, opp, d):
    """Points from which a checker may move with die d (no checker on the bar)."""
    res = []
    top = 0
    for s in _DOWN:
        if own[s]:
            if not top:
                top = s
            e = s - d
            if e > 0:
                if opp[25 - e] < 2:
                    res.append(s)
            elif top <= 6 and (e == 0 or s == top):
                res.append(s)
    return res


def _legal_near_home(own, opp, lo, hi):
    """No checker on the bar, at most one outside the home: try everything."""
    board = list(own)
    found = set()
    orders = ((hi, lo),) if lo == hi else ((hi, lo), (lo, hi))
    for d1, d2 in orders:
        m1 = _MID[d1]
        m2 = _MID[d2]
        for s in _sources(board, opp, d1):
            e = s - d1
            if e < 0:
                e = 0
            board[s] -= 1
            board[e] += 1
            a = m1[s]
            for t in _sources(board, opp, d2):
                b = m2[t]
                if a <= b:
                    found.add(a * _N + b)
                else:
                    found.add(b * _N + a)
            board[s] += 1
            board[e] -= 1
    if found:
        return sorted(found)
    for d in (hi, lo):
        src = _sources(own, opp, d)
        if src:
            m = _MID[d]
            return sorted(m[s] * _N + _PASS for s in src)
    return [_PASS_ACTION]


def legal_actions(state):
    if state[0] == 0:
        own = state[2]
        opp = state[3]
    else:
        own = state[3]
        opp = state[2]
    lo = state[4]
    hi = state[5]
    n = _N
    bar = own[25]

    if bar:
        # Entering with die d: the target is the opponent's point d.
        # The index of the move Bar/(25-d) is d - 1.
        open_lo = opp[lo] < 2
        open_hi = opp[hi] < 2
        if bar > 1:
            if open_hi:
                if open_lo:
                    return [(lo - 1) * n + hi - 1]
                return [(hi - 1) * n + _PASS]
            if open_lo:
                return [(lo - 1) * n + _PASS]
            return [_PASS_ACTION]
        res = []
        if open_lo:
            base = (lo - 1) * n
            m = _MID[hi]
            entered = 25 - lo
            for s in _DOWN:
                if s <= hi:
                    break
                if (own[s] or s == entered) and opp[25 - s + hi] < 2:
                    res.append(base + m[s])
        if open_hi and lo != hi:
            base = (hi - 1) * n
            m = _MID[lo]
            entered = 25 - hi
            for s in _DOWN:
                if s <= lo:
                    break
                if (own[s] or s == entered) and opp[25 - s + lo] < 2:
                    res.append(base + m[s])
        if res:
            res.sort()
            return res
        if open_hi:
            return [(hi - 1) * n + _PASS]
        if open_lo:
            return [(lo - 1) * n + _PASS]
        return [_PASS_ACTION]

    if sum(own[7:25]) < 2:
        return _legal_near_home(own, opp, lo, hi)

    # No checker on the bar, and bearing off is impossible in the whole play.
    src = [s for s in _DOWN if own[s]]
    mh = _MID[hi]
    k = 25 + hi
    first = [s for s in src if s > hi and opp[k - s] < 2]
    res = []

    if lo == hi:
        i = 0
        for s in first:
            base = mh[s] * n
            if own[s] > 1:
                res.append(base + mh[s])
            i += 1
            for t in first[i:]:
                res.append(base + mh[t])
            e = s - hi
            # if own[e], this name is among the pairs above already
            if e > hi and not own[e] and opp[k - e] < 2:
                res.append(base + mh[e])
        if res:
            res.sort()
            return res
        if first:
            return [mh[s] * n + _PASS for s in first]
        return [_PASS_ACTION]

    ml = _MID[lo]
    j = 25 + lo
    second = [s for s in src if s > lo and opp[j - s] < 2]
    for s in first:
        a = mh[s]
        for t in second:
            if s != t or own[s] > 1:
                b = ml[t]
                if a < b:
                    res.append(a * n + b)
                else:
                    res.append(b * n + a)
        e = s - hi
        if e > lo and not own[e] and opp[j - e] < 2:
            res.append(a * n + ml[e])
    for t in second:
        e = t - lo
        if e > hi and not own[e] and opp[k - e] < 2:
            res.append(ml[t] * n + mh[e])
    if res:
        res.sort()
        return res
    if first:
        return [mh[s] * n + _PASS for s in first]
    if second:
        return [ml[s] * n + _PASS for s in second]
    return [_PASS_ACTION]


def chance_outcomes(state):
    if state[1] < 0:
        return list(_START_OUTCOMES)
    return list(_ROLL_OUTCOMES)


def apply_action(state, action):
    cur, mover, xb, ob, lo, hi, half, turns, winner = state
    if cur < 0:
        if mover < 0:
            lo, hi = _PAIRS[action >> 1]
            mover = action & 1
        else:
            lo, hi = _ROLLS[action]
        return (mover, mover, xb, ob, lo, hi, False, turns, -1)

    i, j = divmod(action, _N)
    both = False
    won = False
    if i != _PASS:
        if cur == 0:
            own = list(xb)
            opp = ob
        else:
            own = list(ob)
            opp = xb
        s, e = _MOVES[i]
        own[s] -= 1
        own[e] += 1
        if e and opp[25 - e] == 1:
            tmp = list(opp)
            tmp[25 - e] = 0
            tmp[25] += 1
            opp = tuple(tmp)
        if j != _PASS:
            both = True
            s, e = _MOVES[j]
            own[s] -= 1
            own[e] += 1
            if e and opp[25 - e] == 1:
                tmp = list(opp)
                tmp[25 - e] = 0
                tmp[25] += 1
                opp = tuple(tmp)
        won = own[0] == 15
        if cur == 0:
            xb = tuple(own)
            ob = opp
        else:
            ob = tuple(own)
            xb = opp

    if half:
        again = False
    else:
        turns += 1
        again = both and lo == hi

    if won or turns > _MAX_TURNS:
        win = cur if won else -1
        if again:
            return (-4, cur, xb, ob, lo, hi, True, turns, win)
        return (-4, cur, xb, ob, 0, 0, False, turns, win)
    if again:
        return (cur, cur, xb, ob, lo, hi, True, turns, -1)
    return (-1, 1 - cur, xb, ob, 0, 0, False, turns, -1)


def returns(state):
    w = state[8]
    if w < 0:
        return [0.0, 0.0]
    if w == 0:
        return [1.0, -1.0]
    return [-1.0, 1.0]


def action_name(state, action):
    if state[0] < 0:
        if state[1] < 0:
            return _START_NAMES[action]
        return _ROLL_NAMES[action]
    i, j = divmod(action, _N)
    if i == _PASS:
        return "Pass"
    return _MOVE_NAMES[i] + " " + _MOVE_NAMES[j]


def observation(state, player):
    xb = state[2]
    ob = state[3]
    lo = state[4]
    return {
        "points": list(map(sub, xb[24:0:-1], ob[1:25])),
        "bar": {"x": xb[25], "o": ob[25]},
        "off": {"x": xb[0], "o": ob[0]},
        "dice": [lo, state[5]] if lo else [],
        "second_half_of_double": state[6],
    }
