NUM_PLAYERS = 2
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 100
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_SIZE = 5
_CELLS = _SIZE * _SIZE
_MAX_PLIES = 100

# kinds of pieces
_GENERAL = 0
_INFANTRY = 1
_CAVALRY = 2

# results: 0 = still running, 1 = player 0 has won, 2 = player 1 has won, 3 = draw
_DRAW = 3

# (columns to the right, rows forward) for each kind
_STEPS = (
    ((0, 1), (0, -1), (-1, 0), (1, 0), (-2, 0), (2, 0)),
    ((0, 1), (0, 2), (-1, 1), (1, 1), (0, -1)),
    ((3, 0), (2, 1), (1, 2), (0, 3)),
)

_LETTERS = ("GIC", "gic")


def _build():
    # targets[player][cell * 3 + kind] = ascending list of target cells
    targets = []
    pairs = set()
    for player in range(2):
        sign = 1 if player == 0 else -1
        per_code = []
        for cell in range(_CELLS):
            row, col = divmod(cell, _SIZE)
            for kind in range(3):
                found = []
                for dc, dr in _STEPS[kind]:
                    c = col + dc
                    r = row + sign * dr
                    if 0 <= c < _SIZE and 0 <= r < _SIZE:
                        t = r * _SIZE + c
                        found.append(t)
                        pairs.add((cell, t))
                found.sort()
                per_code.append(found)
        targets.append(per_code)
    ordered = sorted(pairs)
    number = {}
    for i, pair in enumerate(ordered):
        number[pair] = i
    moves = []
    for player in range(2):
        per_code = []
        for code in range(_CELLS * 3):
            start = code // 3
            per_code.append(tuple(
                (1 << t, number[(start, t)]) for t in targets[player][code]))
        moves.append(tuple(per_code))
    cell_names = ["abcde"[cell % _SIZE] + "12345"[cell // _SIZE]
                  for cell in range(_CELLS)]
    names = tuple([cell_names[s] + "-" + cell_names[t] for s, t in ordered]
                  + ["pass"])
    return tuple(moves), tuple(ordered), names


# _MOVES[player][code]: tuple of (bit of the target, action), ascending
# _PAIRS[action]: (start, target)
_MOVES, _PAIRS, _NAMES = _build()

_PASS = len(_PAIRS)
NUM_DISTINCT_ACTIONS = _PASS + 1

_BIT = tuple(1 << (code // 3) for code in range(_CELLS * 3))

_ROW_KINDS = (_CAVALRY, _INFANTRY, _GENERAL, _INFANTRY, _CAVALRY)

_INITIAL = (
    0,
    0,
    tuple(col * 3 + kind for col, kind in enumerate(_ROW_KINDS)),
    tuple((20 + col) * 3 + kind for col, kind in enumerate(_ROW_KINDS)),
)


def initial_state():
    return _INITIAL


def current_player(state):
    if state[0]:
        return -4
    return state[1] & 1


def legal_actions(state):
    player = state[1] & 1
    own = state[2 + player]
    mask = 0
    for code in own:
        mask |= _BIT[code]
    table = _MOVES[player]
    out = []
    for code in own:
        for bit, number in table[code]:
            if not mask & bit:
                out.append(number)
    if not out:
        out.append(_PASS)
    return out


def chance_outcomes(state):
    return []


def apply_action(state, action):
    plies = state[1]
    player = plies & 1
    plies += 1
    result = _DRAW if plies >= _MAX_PLIES else 0
    if action == _PASS:
        return (result, plies, state[2], state[3])
    start, target = _PAIRS[action]
    shift = 3 * (target - start)
    own = [code + shift if code // 3 == start else code
           for code in state[2 + player]]
    own.sort()
    opp = state[3 - player]
    for code in opp:
        if code // 3 == target:
            if code % 3 == _GENERAL:
                result = player + 1
            opp = tuple([other for other in opp if other != code])
            break
    if player:
        return (result, plies, opp, tuple(own))
    return (result, plies, tuple(own), opp)


def returns(state):
    result = state[0]
    if result == 1:
        return [1.0, -1.0]
    if result == 2:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _NAMES[action]


def observation(state, player):
    cells = ["."] * _CELLS
    for code in state[2]:
        cells[code // 3] = _LETTERS[0][code % 3]
    for code in state[3]:
        cells[code // 3] = _LETTERS[1][code % 3]
    text = "".join(cells)
    return {
        "board": [text[20:25], text[15:20], text[10:15], text[5:10], text[0:5]],
        "plies": state[1],
    }
