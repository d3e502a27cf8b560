"""Generalized tic-tac-toe: 6 by 6 board, 4 in a row.

State: (x_bits, o_bits, to_act, winner)
  x_bits, o_bits: bitboards, cell (r, c) is bit 7 * r + c; column 6 is padding, always 0
  to_act: 0, 1, or -4 when the game is over
  winner: 0, 1, or -1 for nobody (game running, or a draw)
"""

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 36
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 36
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_SIZE = 6
_STRIDE = 7
_TERMINAL = -4

# Bit of each action (action = 6 * row + column).
_BIT = tuple(1 << (_STRIDE * (a // _SIZE) + a % _SIZE) for a in range(_SIZE * _SIZE))

# All cells of the board.
_FULL = sum(_BIT)

# Names of the actions for each player.
_NAMES = tuple(
    tuple("%s(%d,%d)" % (stone, a // _SIZE, a % _SIZE) for a in range(_SIZE * _SIZE))
    for stone in "xo"
)


def _build_free_table(first_row):
    """Free actions of the rows first_row and first_row + 1, by their 14 occupancy bits."""
    table = [()] * (1 << (2 * _STRIDE))
    upper = []
    lower = []
    for pattern in range(1 << _SIZE):
        free = [c for c in range(_SIZE) if not (pattern >> c) & 1]
        upper.append(tuple(_SIZE * first_row + c for c in free))
        lower.append(tuple(_SIZE * (first_row + 1) + c for c in free))
    for high in range(1 << _SIZE):
        for low in range(1 << _SIZE):
            table[(high << _STRIDE) | low] = upper[low] + lower[high]
    return tuple(table)


_FREE0 = _build_free_table(0)
_FREE1 = _build_free_table(2)
_FREE2 = _build_free_table(4)


def _build_row_strings():
    """Text of one row, by (x pattern << 6) | o pattern."""
    rows = []
    for xp in range(1 << _SIZE):
        for op in range(1 << _SIZE):
            rows.append("".join(
                "x" if (xp >> c) & 1 else ("o" if (op >> c) & 1 else ".")
                for c in range(_SIZE)
            ))
    return tuple(rows)


_ROW_STRINGS = _build_row_strings()
_ROW_SHIFTS = tuple(_STRIDE * r for r in range(_SIZE))

_INITIAL = (0, 0, 0, -1)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[2]


def legal_actions(state):
    occupied = state[0] | state[1]
    return [
        *_FREE0[occupied & 16383],
        *_FREE1[(occupied >> 14) & 16383],
        *_FREE2[occupied >> 28],
    ]


def chance_outcomes(state):
    return []


def _has_line(b):
    """True if the bitboard b holds 4 or more stones side by side in one line."""
    t = b & (b >> 1)        # along a row
    if t & (t >> 2):
        return True
    t = b & (b >> 7)        # along a column
    if t & (t >> 14):
        return True
    t = b & (b >> 8)        # diagonal down to the right
    if t & (t >> 16):
        return True
    t = b & (b >> 6)        # diagonal down to the left
    if t & (t >> 12):
        return True
    return False


def apply_action(state, action):
    x, o, mover, _ = state
    if mover == 0:
        x |= _BIT[action]
        if _has_line(x):
            return (x, o, _TERMINAL, 0)
        if (x | o) == _FULL:
            return (x, o, _TERMINAL, -1)
        return (x, o, 1, -1)
    o |= _BIT[action]
    if _has_line(o):
        return (x, o, _TERMINAL, 1)
    if (x | o) == _FULL:
        return (x, o, _TERMINAL, -1)
    return (x, o, 0, -1)


def returns(state):
    winner = state[3]
    if winner == 0:
        return [1.0, -1.0]
    if winner == 1:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _NAMES[state[2]][action]


def observation(state, player):
    x = state[0]
    o = state[1]
    rows = _ROW_STRINGS
    return {
        "board": [rows[(((x >> s) & 63) << 6) | ((o >> s) & 63)] for s in _ROW_SHIFTS]
    }
