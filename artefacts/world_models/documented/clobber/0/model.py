NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 120
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 29
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_ROWS = 5
_COLS = 6
# bit boards with an empty column after each row: bit = row * 7 + column, row 0 at the top
_DIRS = ((-1, 0), (0, 1), (1, 0), (0, -1))     # up, right, down, left


def _square(r, c):
    return "abcdef"[c] + str(_ROWS - r)


def _tables():
    start = [0] * 120
    end = [0] * 120
    names = [""] * 120
    for r in range(_ROWS):
        for c in range(_COLS):
            for d in range(4):
                i = (r * _COLS + c) * 4 + d
                r2 = r + _DIRS[d][0]
                c2 = c + _DIRS[d][1]
                if 0 <= r2 < _ROWS and 0 <= c2 < _COLS:
                    start[i] = 1 << (r * 7 + c)
                    end[i] = 1 << (r2 * 7 + c2)
                    names[i] = _square(r, c) + _square(r2, c2)
    return tuple(start), tuple(end), tuple(names)


_FROM, _TO, _NAMES = _tables()
# first action number of the cell with a given bit length of its bit
_BASE = (0,) + tuple(((b // 7) * _COLS + b % 7) * 4 for b in range(_ROWS * 7))


def _row_texts():
    # index: o cells (6 bits) * 64 + x cells (6 bits)
    table = [""] * 4096
    for o in range(64):
        for x in range(64):
            if not o & x:
                table[o * 64 + x] = "".join(
                    "o" if o >> c & 1 else ("x" if x >> c & 1 else ".") for c in range(_COLS))
    return tuple(table)


_ROW = _row_texts()


def _start():
    o = x = 0
    for r in range(_ROWS):
        for c in range(_COLS):
            if (r + c) % 2 == 0:
                o |= 1 << (r * 7 + c)
            else:
                x |= 1 << (r * 7 + c)
    return (0, o, x, False)


# A state: (player to move, cells of o, cells of x, is the game over)
_INITIAL = _start()


def initial_state():
    return _INITIAL


def current_player(state):
    if state[3]:
        return -4
    return state[0]


def legal_actions(state):
    if state[3]:
        return []
    if state[0]:
        own = state[2]
        opp = state[1]
    else:
        own = state[1]
        opp = state[2]
    up = own & (opp << 7)
    right = own & (opp >> 1)
    down = own & (opp >> 7)
    left = own & (opp << 1)
    cells = up | right | down | left
    out = []
    add = out.append
    base = _BASE
    while cells:
        b = cells & -cells
        cells ^= b
        i = base[b.bit_length()]
        if up & b:
            add(i)
        if right & b:
            add(i + 1)
        if down & b:
            add(i + 2)
        if left & b:
            add(i + 3)
    return out


def chance_outcomes(state):
    return []


def apply_action(state, action):
    player, o, x, _ = state
    f = _FROM[action]
    t = _TO[action]
    if player:
        x ^= f | t
        o ^= t
    else:
        o ^= f | t
        x ^= t
    return (1 - player, o, x, not (o & ((x << 7) | (x >> 7) | (x << 1) | (x >> 1))))


def returns(state):
    if not state[3]:
        return [0.0, 0.0]
    # the player who would be to move has lost
    return [1.0, -1.0] if state[0] else [-1.0, 1.0]


def action_name(state, action):
    return _NAMES[action]


def observation(state, player):
    o = state[1]
    x = state[2]
    row = _ROW
    return {"observation": "5%s\n4%s\n3%s\n2%s\n1%s\n abcdef\n" % (
        row[(o & 63) << 6 | (x & 63)],
        row[(o >> 7 & 63) << 6 | (x >> 7 & 63)],
        row[(o >> 14 & 63) << 6 | (x >> 14 & 63)],
        row[(o >> 21 & 63) << 6 | (x >> 21 & 63)],
        row[(o >> 28 & 63) << 6 | (x >> 28 & 63)])}
