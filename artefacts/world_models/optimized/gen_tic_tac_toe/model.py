NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 36
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 36
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_SIZE = 6
_NEED = 4
_CELLS = _SIZE * _SIZE
_FULL = (1 << _CELLS) - 1

_NAMES_X = tuple("x(%d,%d)" % divmod(i, _SIZE) for i in range(_CELLS))
_NAMES_O = tuple("o(%d,%d)" % divmod(i, _SIZE) for i in range(_CELLS))

# A state of a running game:
#   (player, ea, eb, ec, xb, x1, x2, o1, o2)
#     player      0 (x) or 1 (o)
#     ea, eb, ec  empty cells 0..11, 12..23, 24..35, as 12 bits each
#     xb          cells of x, 36 bits
#     x1, x2      low and high bits of x's stone counts of all 54 segments
#     o1, o2      the same for o
# A state of a finished game:
#   (-4, 0, 0, 0, xb, ob, result, 0, 0)
#     result      0 draw, 1 x has won, 2 o has won


def _build_moves():
    through = [0] * _CELLS
    number = 0
    for r in range(_SIZE):
        for c in range(_SIZE):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                er = r + dr * (_NEED - 1)
                ec = c + dc * (_NEED - 1)
                if not (0 <= er < _SIZE and 0 <= ec < _SIZE):
                    continue
                for k in range(_NEED):
                    cell = (r + dr * k) * _SIZE + (c + dc * k)
                    through[cell] |= 1 << number
                number += 1
    moves = []
    for cell in range(_CELLS):
        bit = 1 << cell
        moves.append((
            bit & 4095,
            (bit >> 12) & 4095,
            bit >> 24,
            bit,
            through[cell],
        ))
    return tuple(moves)


# For every cell: its bit in each of the three chunks, its bit in the board,
# the set of the segments through it.
_MOVES = _build_moves()


def _build_chunk(offset):
    # Index: 12 bits of the empty cells; value: the action numbers.
    table = [[]]
    for i in range(12):
        last = [offset + i]
        table = table + [entry + last for entry in table]
    return tuple(table)


_ACTIONS_A = _build_chunk(0)
_ACTIONS_B = _build_chunk(12)
_ACTIONS_C = _build_chunk(24)


def _build_rows():
    # Index: (6 bits of x) << 6 | (6 bits of o); value: the row as a string.
    rows = []
    for xb in range(64):
        for ob in range(64):
            rows.append("".join(
                "x" if (xb >> c) & 1 else ("o" if (ob >> c) & 1 else ".")
                for c in range(_SIZE)
            ))
    return tuple(rows)


_ROWS = _build_rows()
_SHIFTS = tuple(range(0, _CELLS, _SIZE))

_INITIAL = (0, 4095, 4095, 4095, 0, 0, 0, 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    _, ea, eb, ec, _, _, _, _, _ = state
    return _ACTIONS_A[ea] + _ACTIONS_B[eb] + _ACTIONS_C[ec]


def chance_outcomes(state):
    return []


def apply_action(state, action):
    player, ea, eb, ec, xb, x1, x2, o1, o2 = state
    da, db, dc, bit, seg = _MOVES[action]
    ea -= da
    eb -= db
    ec -= dc
    if player:
        carry = seg & o1
        if carry & o2:
            # A segment with three stones of o got its fourth.
            ob = _FULL ^ (ea | (eb << 12) | (ec << 24)) ^ xb
            return (-4, 0, 0, 0, xb, ob, 2, 0, 0)
        if ea or eb or ec:
            return (0, ea, eb, ec, xb, x1, x2, o1 ^ seg, o2 ^ carry)
        return (-4, 0, 0, 0, xb, _FULL ^ xb, 0, 0, 0)
    carry = seg & x1
    if carry & x2:
        xb |= bit
        ob = _FULL ^ (ea | (eb << 12) | (ec << 24)) ^ xb
        return (-4, 0, 0, 0, xb, ob, 1, 0, 0)
    # x makes the odd moves of 36: the board cannot be full here.
    return (1, ea, eb, ec, xb | bit, x1 ^ seg, x2 ^ carry, o1, o2)


def returns(state):
    if state[0] < 0:
        result = state[6]
        if result == 1:
            return [1.0, -1.0]
        if result == 2:
            return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    if state[0] == 1:
        return _NAMES_O[action]
    return _NAMES_X[action]


def observation(state, player):
    xb = state[4]
    if state[0] < 0:
        ob = state[5]
    else:
        ob = _FULL ^ (state[1] | (state[2] << 12) | (state[3] << 24)) ^ xb
    return {
        "board": [
            _ROWS[(((xb >> s) & 63) << 6) | ((ob >> s) & 63)] for s in _SHIFTS
        ]
    }
