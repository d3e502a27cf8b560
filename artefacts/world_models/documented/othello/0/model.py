# Othello.
# State: (black_bits, white_bits, player, legal_mask)
#   bit i of a mask is cell i = row * 8 + column
#   player: 0, 1 or -4 (game over)
#   legal_mask: cells where `player` may place; 0 with player >= 0 means: must pass

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 65
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 128
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_PASS = 64
_FULL = (1 << 64) - 1
_INNER = 0x7E7E7E7E7E7E7E7E  # columns b to g

_NAMES = tuple(
    ["abcdefgh"[i % 8] + str(i // 8 + 1) for i in range(64)] + ["pass"]
)


def _build_rays():
    table = []
    for cell in range(64):
        r0, c0 = divmod(cell, 8)
        rays = []
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                if dr == 0 and dc == 0:
                    continue
                bits = []
                r, c = r0 + dr, c0 + dc
                while 0 <= r < 8 and 0 <= c < 8:
                    bits.append(1 << (r * 8 + c))
                    r += dr
                    c += dc
                if len(bits) >= 2:
                    rays.append((bits[0], tuple(bits[1:])))
        table.append(tuple(rays))
    return tuple(table)


_RAYS = _build_rays()
_BIT = tuple(1 << i for i in range(64))


def _build_rows():
    table = {}
    for n in range(3 ** 8):
        key = 0
        chars = []
        v = n
        for c in range(8):
            v, d = divmod(v, 3)
            if d == 1:
                key |= 1 << c
                chars.append("x")
            elif d == 2:
                key |= 256 << c
                chars.append("o")
            else:
                chars.append("-")
        table[key] = " " + " ".join(chars) + " "
    return table


_ROWS = _build_rows()
_HEADER = "  a b c d e f g h  "


def _moves(own, opp):
    """Mask of the empty cells where the side `own` captures something."""
    m = opp & _INNER

    t = m & (own << 1)
    if t:
        t |= m & (t << 1)
        t |= m & (t << 1)
        t |= m & (t << 1)
        t |= m & (t << 1)
        t |= m & (t << 1)
    res = t << 1

    t = m & (own >> 1)
    if t:
        t |= m & (t >> 1)
        t |= m & (t >> 1)
        t |= m & (t >> 1)
        t |= m & (t >> 1)
        t |= m & (t >> 1)
        res |= t >> 1

    t = m & (own << 7)
    if t:
        t |= m & (t << 7)
        t |= m & (t << 7)
        t |= m & (t << 7)
        t |= m & (t << 7)
        t |= m & (t << 7)
        res |= t << 7

    t = m & (own >> 7)
    if t:
        t |= m & (t >> 7)
        t |= m & (t >> 7)
        t |= m & (t >> 7)
        t |= m & (t >> 7)
        t |= m & (t >> 7)
        res |= t >> 7

    t = m & (own << 9)
    if t:
        t |= m & (t << 9)
        t |= m & (t << 9)
        t |= m & (t << 9)
        t |= m & (t << 9)
        t |= m & (t << 9)
        res |= t << 9

    t = m & (own >> 9)
    if t:
        t |= m & (t >> 9)
        t |= m & (t >> 9)
        t |= m & (t >> 9)
        t |= m & (t >> 9)
        t |= m & (t >> 9)
        res |= t >> 9

    t = opp & (own << 8)
    if t:
        t |= opp & (t << 8)
        t |= opp & (t << 8)
        t |= opp & (t << 8)
        t |= opp & (t << 8)
        t |= opp & (t << 8)
        res |= t << 8

    t = opp & (own >> 8)
    if t:
        t |= opp & (t >> 8)
        t |= opp & (t >> 8)
        t |= opp & (t >> 8)
        t |= opp & (t >> 8)
        t |= opp & (t >> 8)
        res |= t >> 8

    return res & _FULL & ~(own | opp)


_START_X = (1 << 28) | (1 << 35)
_START_O = (1 << 27) | (1 << 36)
_INITIAL = (_START_X, _START_O, 0, _moves(_START_X, _START_O))


def initial_state():
    return _INITIAL


def current_player(state):
    return state[2]


def legal_actions(state):
    if state[2] < 0:
        return []
    m = state[3]
    if not m:
        return [_PASS]
    out = []
    while m:
        b = m & -m
        out.append(b.bit_length() - 1)
        m ^= b
    return out


def chance_outcomes(state):
    return []


def apply_action(state, action):
    x, o, p, _ = state
    if action == _PASS:
        if p == 0:
            return (x, o, 1, _moves(o, x))
        return (x, o, 0, _moves(x, o))

    if p == 0:
        own = x
        opp = o
    else:
        own = o
        opp = x

    flips = 0
    for first, rest in _RAYS[action]:
        if opp & first:
            f = first
            for bit in rest:
                if opp & bit:
                    f |= bit
                else:
                    if own & bit:
                        flips |= f
                    break

    own |= flips | _BIT[action]
    opp &= ~flips

    nxt = 1 - p
    mask = _moves(opp, own)
    if not mask and not _moves(own, opp):
        nxt = -4
    if p == 0:
        return (own, opp, nxt, mask)
    return (opp, own, nxt, mask)


def returns(state):
    if state[2] != -4:
        return [0.0, 0.0]
    a = bin(state[0]).count("1")
    b = bin(state[1]).count("1")
    if a > b:
        return [1.0, -1.0]
    if b > a:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _NAMES[action]


def observation(state, player):
    x, o, p, _ = state
    if p == 0:
        lines = ["Black (x) to play:", _HEADER]
    elif p == 1:
        lines = ["White (o) to play:", _HEADER]
    else:
        lines = ["Terminal State:", _HEADER]
    rows = _ROWS
    for label in "12345678":
        lines.append(label + rows[(x & 255) | ((o & 255) << 8)] + label)
        x >>= 8
        o >>= 8
    lines.append(_HEADER)
    return {"observation": "\n".join(lines)}
