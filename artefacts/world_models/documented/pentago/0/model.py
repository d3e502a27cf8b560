NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 288
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 36
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# Internal layout of a 36-bit board: quadrant * 9 + 3 * local row + local column,
# quadrants: 0 top left, 1 top right, 2 bottom right, 3 bottom left.


def _bit_index(row, col):
    if row < 3:
        quad = 0 if col < 3 else 1
    else:
        quad = 3 if col < 3 else 2
    return quad * 9 + 3 * (row % 3) + (col % 3)


_FULL = (1 << 36) - 1
_CELL_BIT = tuple(1 << _bit_index(i // 6, i % 6) for i in range(36))
_ACTION_BIT = tuple(_CELL_BIT[a >> 3] for a in range(288))


def _make_rotation(clockwise):
    move = [0] * 9
    for r in range(3):
        for c in range(3):
            if clockwise:
                nc, nr = 2 - r, c
            else:
                nc, nr = r, 2 - c
            move[3 * r + c] = 3 * nr + nc
    table = []
    for bits in range(512):
        out = 0
        for i in range(9):
            if bits >> i & 1:
                out |= 1 << move[i]
        table.append(bits ^ out)
    return tuple(table)


# difference (old xor new) of a quadrant for each pattern
_CCW = _make_rotation(False)
_CW = _make_rotation(True)
_ROT = tuple(_CW if r & 1 else _CCW for r in range(8))
_SHIFT = tuple(9 * (r >> 1) for r in range(8))


def _make_lines():
    lines = []
    for r in range(6):
        for c in range(6):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                er, ec = r + 4 * dr, c + 4 * dc
                if 0 <= er < 6 and 0 <= ec < 6:
                    m = 0
                    for k in range(5):
                        m |= 1 << _bit_index(r + k * dr, c + k * dc)
                    lines.append(m)
    return lines


def _make_line_tables():
    lines = _make_lines()
    tables = []
    for quad in range(4):
        need = [(m >> (9 * quad)) & 511 for m in lines]
        table = []
        for bits in range(512):
            v = 0
            for i, w in enumerate(need):
                if w & bits == w:
                    v |= 1 << i
            table.append(v)
        tables.append(tuple(table))
    return tables


# for each quadrant and pattern: the set of lines whose cells there are all taken
_L0, _L1, _L2, _L3 = _make_line_tables()


def _make_row_actions():
    rows = []
    for row in range(6):
        table = []
        for key in range(64):
            acts = []
            for col in range(6):
                if not key >> col & 1:
                    base = (row * 6 + col) * 8
                    acts.extend(range(base, base + 8))
            table.append(tuple(acts))
        rows.append(tuple(table))
    return rows


_R0, _R1, _R2, _R3, _R4, _R5 = _make_row_actions()

_NAMES = tuple("abcdef"[(a >> 3) % 6] + str((a >> 3) // 6 + 1) + "stuvwxyz"[a & 7]
               for a in range(288))


def _make_segments():
    out = []
    for key in range(64):
        a, b = key & 7, key >> 3
        chars = []
        for i in range(3):
            if a >> i & 1:
                chars.append("O")
            elif b >> i & 1:
                chars.append("@")
            else:
                chars.append(".")
        out.append(" ".join(chars))
    return tuple(out)


# text of three neighbouring cells, by (bits of player 0) + 8 * (bits of player 1)
_SEG = _make_segments()

_INITIAL = (0, 0, 0, 0)
_ZERO = (0.0, 0.0)


# state: (player to act or -4, stones of player 0, stones of player 1, result)
# result: 1 player 0 has won, -1 player 1 has won, 0 otherwise


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    if state[0] < 0:
        return []
    occ = state[1] | state[2]
    if not occ:
        return list(range(288))
    out = list(_R0[(occ & 7) | (occ >> 6 & 56)])
    out += _R1[(occ >> 3 & 7) | (occ >> 9 & 56)]
    out += _R2[(occ >> 6 & 7) | (occ >> 12 & 56)]
    out += _R3[(occ >> 27 & 7) | (occ >> 15 & 56)]
    out += _R4[(occ >> 30 & 7) | (occ >> 18 & 56)]
    out += _R5[(occ >> 33 & 7) | (occ >> 21 & 56)]
    return out


def chance_outcomes(state):
    return []


def apply_action(state, action):
    cur, p0, p1, _ = state
    if cur:
        p1 |= _ACTION_BIT[action]
    else:
        p0 |= _ACTION_BIT[action]
    r = action & 7
    sh = _SHIFT[r]
    rot = _ROT[r]
    p0 ^= rot[p0 >> sh & 511] << sh
    p1 ^= rot[p1 >> sh & 511] << sh
    w0 = _L0[p0 & 511] & _L1[p0 >> 9 & 511] & _L2[p0 >> 18 & 511] & _L3[p0 >> 27]
    w1 = _L0[p1 & 511] & _L1[p1 >> 9 & 511] & _L2[p1 >> 18 & 511] & _L3[p1 >> 27]
    if w0:
        return (-4, p0, p1, 0 if w1 else 1)
    if w1:
        return (-4, p0, p1, -1)
    if p0 | p1 == _FULL:
        return (-4, p0, p1, 0)
    return (1 - cur, p0, p1, 0)


def returns(state):
    res = state[3]
    if res > 0:
        return [1.0, -1.0]
    if res < 0:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _NAMES[action]


def observation(state, player):
    a = state[1]
    b = state[2]
    seg = _SEG
    text = (
        "    > t     u <\n    a b c d e f\nv 1 "
        + seg[(a & 7) | (b & 7) << 3] + " "
        + seg[(a >> 9 & 7) | (b >> 9 & 7) << 3]
        + " v\ns 2 "
        + seg[(a >> 3 & 7) | (b >> 3 & 7) << 3] + " "
        + seg[(a >> 12 & 7) | (b >> 12 & 7) << 3]
        + " v\n  3 "
        + seg[(a >> 6 & 7) | (b >> 6 & 7) << 3] + " "
        + seg[(a >> 15 & 7) | (b >> 15 & 7) << 3]
        + "  \n  4 "
        + seg[(a >> 27 & 7) | (b >> 27 & 7) << 3] + " "
        + seg[(a >> 18 & 7) | (b >> 18 & 7) << 3]
        + "  \nz 5 "
        + seg[(a >> 30 & 7) | (b >> 30 & 7) << 3] + " "
        + seg[(a >> 21 & 7) | (b >> 21 & 7) << 3]
        + " w\n^ 6 "
        + seg[(a >> 33 & 7) | (b >> 33 & 7) << 3] + " "
        + seg[(a >> 24 & 7) | (b >> 24 & 7) << 3]
        + " ^\n    > y     x <\n"
    )
    return {"observation": text}
