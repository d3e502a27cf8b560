NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 12
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 12
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# A state is a tuple (actor, drawn, own0, own1)
# actor: 0 / 1 player to act, -4 game over
# drawn: bit a set = line a has been drawn (0..5 horizontal, 6..11 vertical)
# ownP:  bit 2*r + c set = box (r, c) belongs to player P

_INITIAL = (0, 0, 0, 0)
_ALL = (1 << 12) - 1


def _make_boxes():
    per_line = [[] for _ in range(12)]
    for r in range(2):
        for c in range(2):
            lines = (r * 2 + c, (r + 1) * 2 + c,
                     6 + r * 3 + c, 6 + r * 3 + c + 1)
            mask = 0
            for a in lines:
                mask |= 1 << a
            for a in lines:
                per_line[a].append((mask, 1 << (r * 2 + c)))
    return tuple(tuple(x) for x in per_line)


# for each line: (mask of the four sides, bit of the box) of its boxes
_BOXES = _make_boxes()

_LEGAL = tuple(
    tuple(a for a in range(12) if not (m >> a) & 1) for m in range(4096)
)

_COUNT = tuple(bin(m).count("1") for m in range(16))


def _make_names():
    plain = []
    for r in range(3):
        for c in range(2):
            plain.append("(h,%d,%d)" % (r, c))
    for r in range(2):
        for c in range(3):
            plain.append("(v,%d,%d)" % (r, c))
    return (tuple("P1" + s for s in plain), tuple("P2" + s for s in plain))


_NAMES = _make_names()

# ---------------------------------------------------------------- drawing


def _make_horizontal():
    drawn = "\u2500\u2500\u2500"
    undrawn = "\u2574 \u2576"
    corners = (
        ("\u250c", "\u252c", "\u2510"),
        ("\u251c", "\u253c", "\u2524"),
        ("\u2514", "\u2534", "\u2518"),
    )
    res = []
    for left, mid, right in corners:
        row = []
        for m in range(4):
            row.append(left + (drawn if m & 1 else undrawn) + mid
                       + (drawn if m & 2 else undrawn) + right + "\n")
        res.append(tuple(row))
    return tuple(res)


def _make_vertical():
    # index: lines (3 bits) + 8 * own0 (2 bits) + 32 * own1 (2 bits)
    res = []
    for i in range(128):
        lines = i & 7
        a = (i >> 3) & 3
        b = (i >> 5) & 3
        text = ""
        for c in range(3):
            text += "\u2502" if (lines >> c) & 1 else " "
            if c < 2:
                if (a >> c) & 1:
                    text += " 1 "
                elif (b >> c) & 1:
                    text += " 2 "
                else:
                    text += "   "
        res.append(text + "\n")
    return tuple(res)


_H0, _H1, _H2 = _make_horizontal()
_V = _make_vertical()


# -------------------------------------------------------------- functions

def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    return list(_LEGAL[state[1]])


def chance_outcomes(state):
    return []


def apply_action(state, action):
    p, drawn, own0, own1 = state
    drawn |= 1 << action
    won = 0
    for mask, bit in _BOXES[action]:
        if (drawn & mask) == mask:
            won |= bit
    if won:
        if p == 0:
            own0 |= won
        else:
            own1 |= won
        if drawn == _ALL:
            return (-4, drawn, own0, own1)
        return (p, drawn, own0, own1)
    return (1 - p, drawn, own0, own1)


def returns(state):
    if state[0] != -4:
        return [0.0, 0.0]
    a = _COUNT[state[2]]
    b = _COUNT[state[3]]
    if a > b:
        return [1.0, -1.0]
    if a < b:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _NAMES[1 if state[0] == 1 else 0][action]


def observation(state, player):
    _p, m, a, b = state
    text = (
        _H0[m & 3]
        + _V[((m >> 6) & 7) | ((a & 3) << 3) | ((b & 3) << 5)]
        + _H1[(m >> 2) & 3]
        + _V[((m >> 9) & 7) | ((a >> 2) << 3) | ((b >> 2) << 5)]
        + _H2[(m >> 4) & 3]
    )
    return {"observation": text}
