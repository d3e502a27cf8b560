from itertools import compress

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 361
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 190
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_N = 19

# State: (labels, edges, last, player)
#   labels: str with one character per cell (190 cells, ascending action);
#           chr(0) = empty, otherwise the label of the group on that cell.
#           The label of a group is the number (1, 2, ...) of its latest move,
#           so odd labels belong to player 0 and even ones to player 1.
#   edges:  str, character number k holds the edge flags of the group labelled k
#   last:   last action, -1 at the start
#   player: player to act, -4 when the game is over


def _build():
    cells = []
    index = [-1] * (_N * _N)
    for y in range(_N):
        for x in range(_N - y):
            index[x + y * _N] = len(cells)
            cells.append(x + y * _N)
    neighbours = []
    flags = []
    names = [""] * (_N * _N)
    starts = []
    for y in range(_N):
        starts.append(index[y * _N])
    for a in cells:
        x = a % _N
        y = a // _N
        nb = []
        for u, v in ((x, y - 1), (x + 1, y - 1), (x - 1, y),
                     (x + 1, y), (x - 1, y + 1), (x, y + 1)):
            if u >= 0 and v >= 0 and u + v < _N:
                nb.append(index[u + v * _N])
        neighbours.append(tuple(nb))
        f = 0
        if x == 0:
            f |= 1
        if y == 0:
            f |= 2
        if x + y == _N - 1:
            f |= 4
        flags.append(f)
        names[a] = chr(97 + x) + str(y + 1)
    return (tuple(cells), tuple(index), tuple(neighbours), tuple(flags),
            tuple(names), tuple(starts))


_CELLS, _INDEX, _NEIGHBOURS, _FLAGS, _NAMES, _STARTS = _build()
_NUM_CELLS = len(_CELLS)
_EMPTY = chr(0)
_CHARS = tuple(chr(k) for k in range(256))
_OWN = (
    frozenset(chr(k) for k in range(2, 192, 2)),   # even move numbers: player 1
    frozenset(chr(k) for k in range(1, 192, 2)),   # odd move numbers: player 0
)
_IS_EMPTY = bytes([1] + [0] * 255)
_SYMBOLS = bytes([46] + [79 if k % 2 == 1 else 64 for k in range(1, 256)])
_HEADER = "  " + " ".join(chr(97 + x) for x in range(_N))
_PREFIX = tuple(" " * (y + (1 if y + 1 < 10 else 0)) + str(y + 1) for y in range(_N))
_START = (_EMPTY * _NUM_CELLS, _EMPTY, -1, 0)


def initial_state():
    return _START


def current_player(state):
    return state[3]


def legal_actions(state):
    if state[3] < 0:
        return []
    return list(compress(_CELLS, state[0].encode("latin-1").translate(_IS_EMPTY)))


def chance_outcomes(state):
    return []


def apply_action(state, action):
    labels, edges, last, player = state
    i = _INDEX[action]
    if player < 0 or i < 0 or labels[i] != _EMPTY:
        raise ValueError("illegal action")
    k = len(edges)
    c = _CHARS[k]
    own = _OWN[k & 1]
    flags = _FLAGS[i]
    labels = labels[:i] + c + labels[i + 1:]
    for j in _NEIGHBOURS[i]:
        other = labels[j]
        if other in own and other != c:
            flags |= ord(edges[ord(other)])
            labels = labels.replace(other, c)
    return (labels, edges + _CHARS[flags], action, -4 if flags == 7 else 1 - player)


def returns(state):
    if state[3] != -4:
        return [0.0, 0.0]
    # number of moves made: odd means that player 0 moved last and won
    if (len(state[1]) - 1) & 1:
        return [1.0, -1.0]
    return [-1.0, 1.0]


def action_name(state, action):
    return _NAMES[action]


def observation(state, player):
    symbols = state[0].encode("latin-1").translate(_SYMBOLS).decode("latin-1")
    last = state[2]
    lines = [_HEADER]
    for y in range(_N):
        s = _STARTS[y]
        lines.append(_PREFIX[y] + " " + " ".join(symbols[s:s + _N - y]))
    if last >= 0:
        x = last % _N
        y = last // _N
        line = lines[y + 1]
        p = len(_PREFIX[y]) + 2 * x
        lines[y + 1] = line[:p] + "[" + line[p + 1] + "]" + line[p + 3:]
    lines.append("")
    return {"observation": "\n".join(lines)}
