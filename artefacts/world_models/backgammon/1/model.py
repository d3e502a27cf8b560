"""Backgammon (no cube, no gammons) as a pure, immutable-state simulator.

State: (cur, x, o, mover, hi, lo, half, turns)
  cur    player to act: 0, 1, -1 (chance), -4 (over)
  x, o   tuples of 26 counts in the player's own numbering:
         [0] = off, [1]..[24] = points, [25] = bar
  mover  whose turn it is (at a chance node: who gets the throw; -1 = opening throw)
  hi, lo the dice (0, 0 if there are none)
  half   True from the first to the second play of a double
  turns  number of completed turns

Action: 26 * a + b, where a is the start of the move made with the higher die,
b the start of the move made with the lower die, 0 = die not used, 25 = bar.
For doubles, and if both moves bear off, the higher start comes first.
"""

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 676
MAX_CHANCE_OUTCOMES = 30
MAX_GAME_LENGTH = 1001
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_TURN_LIMIT = 500

_PAIRS = [(h, l) for l in range(1, 6) for h in range(l + 1, 7)]
_ROLLS = tuple(_PAIRS + [(d, d) for d in range(1, 7)])

_FIRST_OUTCOMES = tuple((i, 1.0 / 30.0) for i in range(30))
_ROLL_OUTCOMES = tuple((i, (2.0 / 36.0) if i < 15 else (1.0 / 36.0)) for i in range(21))

_ROLL_NAMES = tuple("%d-%d" % r for r in _ROLLS)
_FIRST_NAMES = tuple(
    ("x starts " if (i & 1) == 0 else "o starts ") + _ROLL_NAMES[i >> 1] for i in range(30)
)

_POINT_NAMES = tuple(["Off"] + [str(p) for p in range(1, 25)] + ["Bar"])

_POINTS = tuple(range(1, 25))


def _start_position():
    pos = [0] * 26
    pos[24] = 2
    pos[13] = 5
    pos[8] = 3
    pos[6] = 5
    return tuple(pos)


_START = _start_position()
_INITIAL = (-1, _START, _START, -1, 0, 0, False, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def _sources(me, op, d):
    """Starts from which die d can be played; the mover has nobody on the bar."""
    res = [s for s in range(d + 1, 25) if me[s] and op[25 - s + d] < 2]
    if not any(me[7:]):
        if me[d]:
            res.append(d)
        else:
            for s in (6, 5, 4, 3, 2, 1):
                if me[s]:
                    if s < d:
                        res.append(s)
                    break
    return res


def _late_actions(me, op, hi, lo):
    """Bar empty and at most one checker outside the home."""
    res = set()
    high = _sources(me, op, hi)
    if hi == lo:
        for a in high:
            after = list(me)
            after[a] -= 1
            if a > hi:
                after[a - hi] += 1
            for b in _sources(after, op, lo):
                if a >= b:
                    res.add(a * 26 + b)
                else:
                    res.add(b * 26 + a)
        if res:
            return sorted(res)
        if high:
            return sorted([a * 26 for a in high])
        return [0]

    for a in high:
        after = list(me)
        after[a] -= 1
        if a > hi:
            after[a - hi] += 1
        for b in _sources(after, op, lo):
            if a < b and a <= hi and b <= lo:
                res.add(b * 26 + a)
            else:
                res.add(a * 26 + b)
    low = _sources(me, op, lo)
    for b in low:
        after = list(me)
        after[b] -= 1
        if b > lo:
            after[b - lo] += 1
        for a in _sources(after, op, hi):
            if a < b and a <= hi and b <= lo:
                res.add(b * 26 + a)
            else:
                res.add(a * 26 + b)
    if res:
        return sorted(res)
    if high:
        return sorted([a * 26 for a in high])
    if low:
        return sorted(low)
    return [0]


def legal_actions(state):
    cur, x, o, mover, hi, lo, half, turns = state
    if cur == 0:
        me = x
        op = o
    else:
        me = o
        op = x

    bar = me[25]
    if bar:
        can_high = op[hi] < 2
        can_low = op[lo] < 2
        if bar > 1:
            if can_high:
                return [675] if can_low else [650]
            return [25] if can_low else [0]
        # exactly one checker on the bar
        res = []
        if can_low and hi != lo:
            for s in _POINTS:
                if s > hi and me[s] and op[25 - s + hi] < 2:
                    res.append(s * 26 + 25)
            e = 25 - lo
            if not me[e] and op[hi + lo] < 2:
                res.append(e * 26 + 25)
        if can_high:
            for s in _POINTS:
                if s > lo and me[s] and op[25 - s + lo] < 2:
                    res.append(650 + s)
            e = 25 - hi
            if not me[e] and op[hi + lo] < 2:
                res.append(650 + e)
        if res:
            res.sort()
            return res
        if can_high:
            return [650]
        if can_low:
            return [25]
        return [0]

    if sum(me[7:25]) < 2:
        return _late_actions(me, op, hi, lo)

    # Nobody on the bar, and no checker can be borne off during this play.
    starts = [s for s in _POINTS if me[s]]
    high = [s for s in starts if s > hi and op[25 - s + hi] < 2]
    res = []
    if hi == lo:
        for i, a in enumerate(high):
            base = a * 26
            for b in high[:i]:
                res.append(base + b)
            if me[a] > 1:
                res.append(base + a)
            m = a - hi
            if m > hi and not me[m] and op[25 - m + hi] < 2:
                res.append(base + m)
        if res:
            res.sort()
            return res
        if high:
            return [a * 26 for a in high]
        return [0]

    low = [s for s in starts if s > lo and op[25 - s + lo] < 2]
    for a in high:
        base = a * 26
        for b in low:
            if a != b or me[a] > 1:
                res.append(base + b)
        m = a - hi
        if m > lo and not me[m] and op[25 - m + lo] < 2:
            res.append(base + m)
    for b in low:
        m = b - lo
        if m > hi and not me[m] and op[25 - m + hi] < 2:
            res.append(m * 26 + b)
    if res:
        res.sort()
        return res
    if high:
        return [a * 26 for a in high]
    if low:
        return low
    return [0]


def chance_outcomes(state):
    if state[3] < 0:
        return list(_FIRST_OUTCOMES)
    return list(_ROLL_OUTCOMES)


def apply_action(state, action):
    cur, x, o, mover, hi, lo, half, turns = state
    if cur < 0:
        if cur == -4:
            raise ValueError("the game is over")
        if mover < 0:
            h, l = _ROLLS[action >> 1]
            p = action & 1
            return (p, x, o, p, h, l, False, 0)
        h, l = _ROLLS[action]
        return (mover, x, o, mover, h, l, False, turns)

    a = action // 26
    b = action - 26 * a
    won = False
    if action:
        if cur == 0:
            me = list(x)
            op = o
        else:
            me = list(o)
            op = x
        if a:
            me[a] -= 1
            e = a - hi
            if e > 0:
                me[e] += 1
                if op[25 - e]:
                    op = list(op)
                    op[25 - e] = 0
                    op[25] += 1
            else:
                me[0] += 1
        if b:
            me[b] -= 1
            e = b - lo
            if e > 0:
                me[e] += 1
                if op[25 - e]:
                    op = list(op)
                    op[25 - e] = 0
                    op[25] += 1
            else:
                me[0] += 1
        won = me[0] == 15
        if cur == 0:
            x = tuple(me)
            o = tuple(op)
        else:
            o = tuple(me)
            x = tuple(op)

    over = won or turns >= _TURN_LIMIT
    if hi == lo and not half and a and b:
        if over:
            return (-4, x, o, mover, hi, lo, True, turns)
        return (cur, x, o, mover, hi, lo, True, turns)
    if over:
        return (-4, x, o, mover, 0, 0, False, turns)
    return (-1, x, o, 1 - cur, 0, 0, False, turns + 1)


def returns(state):
    if state[1][0] == 15:
        return [1.0, -1.0]
    if state[2][0] == 15:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    if state[0] < 0:
        if state[3] < 0:
            return _FIRST_NAMES[action]
        return _ROLL_NAMES[action]
    if action == 0:
        return "Pass"
    hi = state[4]
    lo = state[5]
    a = action // 26
    b = action - 26 * a
    moves = []
    if a:
        moves.append((a, a - hi if a > hi else 0))
    if b:
        moves.append((b, b - lo if b > lo else 0))
    moves.sort(reverse=True)
    parts = [_POINT_NAMES[s] + "/" + _POINT_NAMES[e] for s, e in moves]
    if len(parts) == 1:
        parts.append("Pass")
    return " ".join(parts)


def observation(state, player):
    x = state[1]
    o = state[2]
    hi = state[4]
    return {
        "points": [p - q for p, q in zip(x[24:0:-1], o[1:25])],
        "bar": {"x": x[25], "o": o[25]},
        "off": {"x": x[0], "o": o[0]},
        "dice": [state[5], hi] if hi else [],
        "second_half_of_double": state[6],
    }
