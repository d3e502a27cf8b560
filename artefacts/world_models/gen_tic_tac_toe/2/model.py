NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 36
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 36
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_ROWS = 6
_COLS = 6
_K = 4
_FULL = (1 << (_ROWS * _COLS)) - 1


def _build_lines():
    """For each cell, the masks of all lines of _K cells that contain it."""
    per_cell = [[] for _ in range(_ROWS * _COLS)]
    for r in range(_ROWS):
        for c in range(_COLS):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                er = r + dr * (_K - 1)
                ec = c + dc * (_K - 1)
                if not (0 <= er < _ROWS and 0 <= ec < _COLS):
                    continue
                cells = [(r + dr * i) * _COLS + (c + dc * i) for i in range(_K)]
                mask = 0
                for cell in cells:
                    mask |= 1 << cell
                for cell in cells:
                    per_cell[cell].append(mask)
    return tuple(tuple(masks) for masks in per_cell)


def _build_free(base):
    """For each occupancy of 12 cells starting at `base`, the list of empty cells."""
    return tuple(
        [base + i for i in range(12) if not (occ >> i) & 1]
        for occ in range(4096)
    )


def _build_row_strings():
    """Row string, indexed by (x bits of the row) << 6 | (o bits of the row)."""
    table = []
    for xb in range(64):
        for ob in range(64):
            table.append("".join(
                "x" if (xb >> c) & 1 else ("o" if (ob >> c) & 1 else ".")
                for c in range(_COLS)
            ))
    return tuple(table)


_LINES = _build_lines()
_BIT = tuple(1 << i for i in range(_ROWS * _COLS))
_FREE0 = _build_free(0)
_FREE1 = _build_free(12)
_FREE2 = _build_free(24)
_ROW_STR = _build_row_strings()
_NAMES = tuple(
    tuple("%s(%d,%d)" % (s, i // _COLS, i % _COLS) for i in range(_ROWS * _COLS))
    for s in ("x", "o")
)

# state: (x bits, o bits, player to act or -4, result: 0 none/draw, 1 x won, 2 o won)
_INITIAL = (0, 0, 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[2]


def legal_actions(state):
    occ = state[0] | state[1]
    return _FREE0[occ & 4095] + _FREE1[(occ >> 12) & 4095] + _FREE2[occ >> 24]


def chance_outcomes(state):
    return []


def apply_action(state, action):
    x, o, player, _ = state
    if player == 0:
        x |= _BIT[action]
        for m in _LINES[action]:
            if x & m == m:
                return (x, o, -4, 1)
        if x | o == _FULL:
            return (x, o, -4, 0)
        return (x, o, 1, 0)
    if player == 1:
        o |= _BIT[action]
        for m in _LINES[action]:
            if o & m == m:
                return (x, o, -4, 2)
        if x | o == _FULL:
            return (x, o, -4, 0)
        return (x, o, 0, 0)
    raise ValueError("the game is over")


def returns(state):
    res = state[3]
    if res == 0:
        return [0.0, 0.0]
    if res == 1:
        return [1.0, -1.0]
    return [-1.0, 1.0]


def action_name(state, action):
    return _NAMES[1 if state[2] == 1 else 0][action]


def observation(state, player):
    x = state[0]
    o = state[1]
    t = _ROW_STR
    return {"board": [
        t[(x & 63) << 6 | (o & 63)],
        t[(x >> 6 & 63) << 6 | (o >> 6 & 63)],
        t[(x >> 12 & 63) << 6 | (o >> 12 & 63)],
        t[(x >> 18 & 63) << 6 | (o >> 18 & 63)],
        t[(x >> 24 & 63) << 6 | (o >> 24 & 63)],
        t[(x >> 30 & 63) << 6 | (o >> 30 & 63)],
    ]}
