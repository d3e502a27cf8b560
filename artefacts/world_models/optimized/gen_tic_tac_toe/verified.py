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

_BIT = tuple(1 << i for i in range(_CELLS))

_NAMES_X = tuple("x(%d,%d)" % divmod(i, _SIZE) for i in range(_CELLS))
_NAMES_O = tuple("o(%d,%d)" % divmod(i, _SIZE) for i in range(_CELLS))


def _build_lines():
    per_cell = [[] for _ in range(_CELLS)]
    for r in range(_SIZE):
        for c in range(_SIZE):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                er = r + dr * (_NEED - 1)
                ec = c + dc * (_NEED - 1)
                if not (0 <= er < _SIZE and 0 <= ec < _SIZE):
                    continue
                cells = [(r + dr * k) * _SIZE + (c + dc * k) for k in range(_NEED)]
                mask = 0
                for cell in cells:
                    mask |= 1 << cell
                for cell in cells:
                    per_cell[cell].append(mask)
    return tuple(tuple(masks) for masks in per_cell)


# For every cell: the masks of all four-cell segments through it.
_LINES = _build_lines()


def _build_chunk(offset):
    # Index: 12 bits of the empty cells; value: the action numbers.
    return tuple(
        tuple(offset + i for i in range(12) if (bits >> i) & 1)
        for bits in range(4096)
    )


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

_INITIAL = (0, 0, 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[2]


def legal_actions(state):
    if state[2] < 0:
        return []
    empty = _FULL ^ (state[0] | state[1])
    return [
        *_ACTIONS_A[empty & 4095],
        *_ACTIONS_B[(empty >> 12) & 4095],
        *_ACTIONS_C[empty >> 24],
    ]


def chance_outcomes(state):
    return []


def apply_action(state, action):
    xb, ob, player, _ = state
    if player == 0:
        xb |= _BIT[action]
        for mask in _LINES[action]:
            if xb & mask == mask:
                return (xb, ob, -4, 1)
        if xb | ob == _FULL:
            return (xb, ob, -4, 0)
        return (xb, ob, 1, 0)
    ob |= _BIT[action]
    for mask in _LINES[action]:
        if ob & mask == mask:
            return (xb, ob, -4, 2)
    if xb | ob == _FULL:
        return (xb, ob, -4, 0)
    return (xb, ob, 0, 0)


def returns(state):
    result = state[3]
    if result == 0:
        return [0.0, 0.0]
    if result == 1:
        return [1.0, -1.0]
    return [-1.0, 1.0]


def action_name(state, action):
    if state[2] == 1:
        return _NAMES_O[action]
    return _NAMES_X[action]


def observation(state, player):
    xb = state[0]
    ob = state[1]
    return {
        "board": [
            _ROWS[(((xb >> s) & 63) << 6) | ((ob >> s) & 63)] for s in _SHIFTS
        ]
    }
