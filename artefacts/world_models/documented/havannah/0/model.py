# Havannah, 8 cells on each side.
# State: (player, bits0, bits1, groups0, groups1, empties, last, winner, text)
#   player: 0, 1 or -4 (game over)
#   bits0, bits1: masks of the stones of each player (bit = cell number x + 15*y)
#   groups0, groups1: tuples of masks, one for each group of the player
#   empties: str, the characters' codes are the numbers of the empty cells, ascending
#   last: number of the last cell played, -1 at the start
#   winner: 0, 1 or -1
#   text: the board as text, without the mark of the last move

_N = 8
_D = 2 * _N - 1

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = _D * _D
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 3 * _N * (_N - 1) + 1
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_DIRS = ((-1, -1), (0, -1), (1, 0), (1, 1), (0, 1), (-1, 0))


def _on(x, y):
    return 0 <= x < _D and 0 <= y < _D and -_N < x - y < _N


_CELLS = tuple(
    x + _D * y for y in range(_D) for x in range(_D) if _on(x, y)
)
_NAMES = tuple(
    chr(97 + i % _D) + str(i // _D + 1) for i in range(_D * _D)
)
_BIT = tuple(1 << i for i in range(_D * _D))
_CHR = tuple(chr(i) for i in range(_D * _D))


def _build_neighbours():
    nbd = []    # per cell: neighbour in each direction, or -1
    nbm = []    # per cell: mask of the neighbours
    for i in range(_D * _D):
        y, x = divmod(i, _D)
        row = []
        mask = 0
        for dx, dy in _DIRS:
            if _on(x, y) and _on(x + dx, y + dy):
                j = x + dx + _D * (y + dy)
                row.append(j)
                mask |= 1 << j
            else:
                row.append(-1)
        nbd.append(tuple(row))
        nbm.append(mask)
    return tuple(nbd), tuple(nbm)


_NBD, _NBM = _build_neighbours()


def _build_need():
    """Per cell: own neighbours (mask) -> number; a ring through the cell is
    possible only if this number is greater than the number of groups touched."""
    table = []
    for i in range(_D * _D):
        entry = {}
        if _NBM[i]:
            nb = _NBD[i]
            for pat in range(1, 64):
                mask = 0
                ok = True
                for d in range(6):
                    if pat >> d & 1:
                        if nb[d] < 0:
                            ok = False
                            break
                        mask |= 1 << nb[d]
                if not ok:
                    continue
                runs = 0
                three = False
                for d in range(6):
                    here = pat >> d & 1
                    before = pat >> ((d + 5) % 6) & 1
                    after = pat >> ((d + 1) % 6) & 1
                    if here and not before:
                        runs += 1
                    if here and before and after:
                        three = True
                entry[mask] = 100 if three else runs
        table.append(entry)
    return tuple(table)


_NEED = _build_need()


def _build_steps():
    start = []
    nxt = []
    for i in range(_D * _D):
        first = []
        for d in range(4):
            j = _NBD[i][d]
            if j >= 0:
                first.append((j * 6 + d, 1 << j))
        start.append(tuple(first))
        for d in range(6):
            steps = []
            for e in (d - 1, d, d + 1):
                e %= 6
                j = _NBD[i][e]
                if j >= 0:
                    steps.append((j * 6 + e, 1 << j))
            nxt.append(tuple(steps))
    return tuple(start), tuple(nxt)


_START, _NEXT = _build_steps()


def _mask_of(cells):
    m = 0
    for x, y in cells:
        m |= 1 << (x + _D * y)
    return m


_M = _N - 1
_L = _D - 1
_CORNERS = _mask_of(
    ((0, 0), (_M, 0), (_L, _M), (_L, _L), (_M, _L), (0, _M))
)
_EDGES = (
    _mask_of([(x, 0) for x in range(1, _M)]),
    _mask_of([(x, x - _M) for x in range(_M + 1, _L)]),
    _mask_of([(_L, y) for y in range(_M + 1, _L)]),
    _mask_of([(x, _L) for x in range(_M + 1, _L)]),
    _mask_of([(x, x + _M) for x in range(1, _M)]),
    _mask_of([(0, y) for y in range(1, _M)]),
)
_E0, _E1, _E2, _E3, _E4, _E5 = _EDGES
_BORDER = _CORNERS | _E0 | _E1 | _E2 | _E3 | _E4 | _E5


def _build_text():
    text = " " * (_N + 3)
    for x in range(_N):
        text += " " + chr(97 + x)
    text += "\n"
    pos = [-1] * (_D * _D)
    tail = [0] * (_D * _D)   # where the text goes on after the mark "]"
    for y in range(_D):
        text += " " * (abs(_N - 1 - y) + 1 + (1 if y + 1 < 10 else 0))
        text += str(y + 1)
        x0 = 0 if y < _N else y - _N + 1
        x1 = _N + y if y < _N else _D
        for x in range(x0, x1):
            text += " "
            i = x + _D * y
            pos[i] = len(text)
            tail[i] = len(text) + (2 if x < x1 - 1 else 1)
            text += "."
        if y < _N - 1:
            text += " " + chr(97 + _N + y)
        text += "\n"
    return text, tuple(pos), tuple(tail)


_TEXT, _POS, _TAIL = _build_text()

_INITIAL = (
    0, 0, 0, (), (), "".join([chr(i) for i in _CELLS]), -1, -1, _TEXT
)


def _ring(cell, group):
    """Is there a walk from `cell` through `group` (which contains it) back to
    `cell` that takes no sharp turn?"""
    home = _BIT[cell]
    stack = [key for key, bit in _START[cell] if group & bit]
    seen = set(stack)
    nxt = _NEXT
    while stack:
        for key, bit in nxt[stack.pop()]:
            if group & bit and key not in seen:
                if bit == home:
                    return True
                seen.add(key)
                stack.append(key)
    return False


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    if state[0] < 0:
        return []
    return list(state[5].encode("latin-1"))


def chance_outcomes(state):
    return []


def apply_action(state, action):
    p, bits0, bits1, groups0, groups1, empties, _, _, text = state
    bit = _BIT[action]
    near = _NBM[action]
    if p == 0:
        touch = near & bits0
        groups = groups0
    else:
        touch = near & bits1
        groups = groups1

    won = False
    if touch:
        merged = bit
        rest = []
        for g in groups:
            if g & near:
                merged |= g
            else:
                rest.append(g)
        count = len(groups) - len(rest)
        rest.append(merged)
        groups = tuple(rest)
        if merged & _BORDER:
            c = merged & _CORNERS
            if c & (c - 1) if c else 0:
                won = True
            else:
                n = 0
                if merged & _E0:
                    n += 1
                if merged & _E1:
                    n += 1
                if merged & _E2:
                    n += 1
                if merged & _E3:
                    n += 1
                if merged & _E4:
                    n += 1
                if merged & _E5:
                    n += 1
                won = n >= 3
        if not won and _NEED[action][touch] > count:
            won = _ring(action, merged)
    else:
        groups = groups + (bit,)

    empties = empties.replace(_CHR[action], "")
    i = _POS[action]
    if won:
        nxt = -4
        winner = p
    else:
        nxt = 1 - p if empties else -4
        winner = -1
    if p == 0:
        return (nxt, bits0 | bit, bits1, groups, groups1, empties, action,
                winner, text[:i] + "O" + text[i + 1:])
    return (nxt, bits0, bits1 | bit, groups0, groups, empties, action,
            winner, text[:i] + "@" + text[i + 1:])


def returns(state):
    w = state[7]
    if w == 0:
        return [1.0, -1.0]
    if w == 1:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _NAMES[action]


def observation(state, player):
    text = state[8]
    last = state[6]
    if last >= 0:
        i = _POS[last]
        text = text[:i - 1] + "[" + text[i] + "]" + text[_TAIL[last]:]
    return {"observation": text}
