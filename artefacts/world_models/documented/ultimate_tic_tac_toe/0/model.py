NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 9
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 162
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_LINES = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8),
    (0, 3, 6), (1, 4, 7), (2, 5, 8),
    (0, 4, 8), (2, 4, 6),
)
_LINE_MASKS = tuple(sum(1 << k for k in line) for line in _LINES)


def _has_line(mask):
    for line in _LINE_MASKS:
        if (mask & line) == line:
            return True
    return False


_WIN = tuple(_has_line(mask) for mask in range(512))
# cells that are not in the mask
_FREE = tuple(
    tuple(k for k in range(9) if not (mask >> k) & 1) for mask in range(512)
)


def _row_text(x, o):
    out = ""
    for k in range(3):
        if (x >> k) & 1:
            out += "x"
        elif (o >> k) & 1:
            out += "o"
        else:
            out += "."
    return out


# text of three cells, by (bits of x) * 8 + (bits of o)
_ROW = tuple(_row_text(i >> 3, i & 7) for i in range(64))

_CHOOSE_NAMES = tuple("Choose local board %d" % k for k in range(9))
_MARK_NAMES = tuple(
    tuple(
        tuple(
            "Local board %d: %s(%d,%d)" % (b, mark, c // 3, c % 3)
            for c in range(9)
        )
        for b in range(9)
    )
    for mark in ("x", "o")
)

_TAILS = tuple(
    tuple(
        "\nCurrent player: %d\nForced board: %s"
        % (p, "any" if f < 0 else str(f))
        for f in range(-1, 9)
    )
    for p in range(2)
)

# State: (to act (-4: over), selected board (-1: none), player of the last or
#         the coming action, marks of x per board, marks of o per board,
#         boards won by 0, boards won by 1, finished boards, winner (-1: none))
_INITIAL = (0, -1, 0, (0,) * 9, (0,) * 9, 0, 0, 0, -1)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    if state[0] < 0:
        return []
    forced = state[1]
    if forced < 0:
        return list(_FREE[state[7]])
    return list(_FREE[state[3][forced] | state[4][forced]])


def chance_outcomes(state):
    return []


def apply_action(state, action):
    who, forced, _, xs, os, m0, m1, fin, _ = state
    if forced < 0:
        return (who, action, who, xs, os, m0, m1, fin, -1)
    bit = 1 << action
    after = forced + 1
    if who == 0:
        mine = xs[forced] | bit
        full = mine | os[forced]
        xs = xs[:forced] + (mine,) + xs[after:]
        if _WIN[mine]:
            fin |= 1 << forced
            m0 |= 1 << forced
            if _WIN[m0]:
                return (-4, action, who, xs, os, m0, m1, fin, 0)
        elif full == 511:
            fin |= 1 << forced
    else:
        mine = os[forced] | bit
        full = mine | xs[forced]
        os = os[:forced] + (mine,) + os[after:]
        if _WIN[mine]:
            fin |= 1 << forced
            m1 |= 1 << forced
            if _WIN[m1]:
                return (-4, action, who, xs, os, m0, m1, fin, 1)
        elif full == 511:
            fin |= 1 << forced
    if fin == 511:
        return (-4, action, who, xs, os, m0, m1, fin, -1)
    who = 1 - who
    if fin & bit:
        action = -1
    return (who, action, who, xs, os, m0, m1, fin, -1)


def returns(state):
    winner = state[8]
    if winner == 0:
        return [1.0, -1.0]
    if winner == 1:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    forced = state[1]
    if forced < 0:
        return _CHOOSE_NAMES[action]
    return _MARK_NAMES[state[2]][forced][action]


def observation(state, player):
    xs = state[3]
    os = state[4]
    row = _ROW
    lines = []
    for top in (0, 3, 6):
        xa = xs[top]
        xb = xs[top + 1]
        xc = xs[top + 2]
        oa = os[top]
        ob = os[top + 1]
        oc = os[top + 2]
        for shift in (0, 3, 6):
            lines.append(
                row[((xa >> shift) & 7) * 8 + ((oa >> shift) & 7)] + " "
                + row[((xb >> shift) & 7) * 8 + ((ob >> shift) & 7)] + " "
                + row[((xc >> shift) & 7) * 8 + ((oc >> shift) & 7)]
            )
        lines.append("")
    return {"observation": "\n".join(lines) + _TAILS[state[2]][state[1] + 1]}
