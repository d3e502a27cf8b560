NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 1352
MAX_CHANCE_OUTCOMES = 30
# turn 1 is never a double: 1 play; turns 2..500: up to 2 plays; turn 501: 1 play
MAX_GAME_LENGTH = 1000
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_MAX_TURNS = 500
_F = 676
_BARBIT = 1 << 25

_BIT = tuple(1 << _i for _i in range(26))
_U = tuple(1 << (4 * _i) for _i in range(26))
_LE = tuple((1 << (_i + 1)) - 1 for _i in range(26))

# _GT[d]: bits d+1 .. 25 (starts from which die d does not leave the board)
_GT = tuple(((1 << 26) - 1) & ~((1 << (_d + 1)) - 1) for _d in range(7))


def _make_bits(offset):
    out = []
    for m in range(8192):
        out.append(tuple(offset + i for i in range(13) if (m >> i) & 1))
    return tuple(out)


_BL = _make_bits(0)
_BH = _make_bits(13)


def _make_bear():
    # _BEAR[d][occ]: mask of the points from which die d takes a checker off,
    # when all checkers are home (occ has only bits 1..6)
    out = []
    for d in range(7):
        row = []
        for occ in range(128):
            if occ == 0:
                row.append(0)
                continue
            h = occ.bit_length() - 1
            if h <= d:
                row.append(1 << h)
            else:
                row.append(occ & (1 << d))
        out.append(tuple(row))
    return tuple(out)


_BEAR = _make_bear()


def _encode(lo, s, u):
    # s is the start of the move with the lower die, u with the higher die
    if s >= u:
        return s * 26 + u
    if u <= lo:
        # both are taken off with either die: same name, one code
        return u * 26 + s
    return _F + u * 26 + s


# _ENC[lo][s][u]: s moves with the lower die, u with the higher one
_ENC = tuple(
    tuple(tuple(_encode(_lo, _s, _t) for _t in range(26)) for _s in range(26))
    for _lo in range(7)
)
# _ENCR[lo][s][u]: s moves with the higher die, u with the lower one
_ENCR = tuple(
    tuple(tuple(_encode(_lo, _t, _s) for _t in range(26)) for _s in range(26))
    for _lo in range(7)
)

# rolls: 15 pairs of different numbers, then 6 doubles
_ROLLS = tuple(
    [(_a, _b) for _a in range(1, 7) for _b in range(_a + 1, 7)]
    + [(_a, _a) for _a in range(1, 7)]
)
_ROLL_NAMES = tuple("%d-%d" % (_r[1], _r[0]) for _r in _ROLLS)
_START_NAMES = tuple(
    ("o" if _i & 1 else "x") + " starts " + _ROLL_NAMES[_i >> 1] for _i in range(30)
)
_START_OUTCOMES = tuple((_i, 1.0 / 30.0) for _i in range(30))
_ROLL_OUTCOMES = tuple(
    (_i, (1.0 / 18.0) if _i < 15 else (1.0 / 36.0)) for _i in range(21)
)


def _move_name(d, s):
    e = s - d
    return ("Bar" if s == 25 else str(s)) + "/" + (str(e) if e > 0 else "Off")


# _MOVE_NAMES[d][s]
_MOVE_NAMES = tuple(
    tuple(_move_name(_d, _s) for _s in range(26)) for _d in range(7)
)

_OBS_SHIFTS = tuple((4 * (24 - _i), 4 * (_i + 1)) for _i in range(24))

_START_COUNTS = 2 * _U[24] + 5 * _U[13] + 3 * _U[8] + 5 * _U[6]
_START_OCC = _BIT[24] | _BIT[13] | _BIT[8] | _BIT[6]
_START_BLK = _BIT[1] | _BIT[12] | _BIT[17] | _BIT[19]

# State:
#  0 cur     player to act, -1 chance, -4 over
#  1 who     player whose turn it is (at chance: who rolls; -1: opening throw)
#  2 turns   number of turns begun
#  3 lo, 4 hi   dice (0, 0 if there are none)
#  5 second  1 from the first to the second play of a double
#  6 c0, 7 c1   checkers, 4 bits per point in own numbering (0 off, 25 bar)
#  8 m0, 9 m1   occupied points (bits 1..25) in own numbering
# 10 b0, 11 b1  points with two or more checkers, in the opponent's numbering
_INITIAL = (
    -1, -1, 0, 0, 0, 0,
    _START_COUNTS, _START_COUNTS,
    _START_OCC, _START_OCC,
    _START_BLK, _START_BLK,
)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def _sources(occ, ok, d):
    if occ >= _BARBIT:
        return ok & _BARBIT
    if occ < 128:
        return (occ & ok) | _BEAR[d][occ]
    return occ & ok


def legal_actions(state):
    lo = state[3]
    hi = state[4]
    if state[0] == 0:
        c = state[6]
        occ = state[8]
        blk = state[11]
    else:
        c = state[7]
        occ = state[9]
        blk = state[10]
    BIT = _BIT
    BL = _BL
    BH = _BH
    okl = _GT[lo] & ~(blk << lo)
    srl = _sources(occ, okl, lo)

    if lo == hi:
        if not srl:
            return [0]
        acts = []
        for s in BL[srl & 8191] + BH[srl >> 13]:
            o = occ if (c >> (4 * s)) & 14 else occ ^ BIT[s]
            if s > lo:
                o |= BIT[s - lo]
            # every pair can be played with the higher start first
            nxt = _sources(o, okl, lo) & _LE[s]
            if nxt:
                base = s * 26
                for u in BL[nxt & 8191] + BH[nxt >> 13]:
                    acts.append(base + u)
        if acts:
            return acts
        return [s * 26 for s in BL[srl & 8191] + BH[srl >> 13]]

    okh = _GT[hi] & ~(blk << hi)
    srh = _sources(occ, okh, hi)
    found = set()
    add = found.add

    if srl:
        enc = _ENC[lo]
        for s in BL[srl & 8191] + BH[srl >> 13]:
            o = occ if (c >> (4 * s)) & 14 else occ ^ BIT[s]
            if s > lo:
                o |= BIT[s - lo]
            nxt = _sources(o, okh, hi)
            if nxt:
                row = enc[s]
                for u in BL[nxt & 8191] + BH[nxt >> 13]:
                    add(row[u])

    if srh:
        encr = _ENCR[lo]
        nobar = occ < _BARBIT
        for s in BL[srh & 8191] + BH[srh >> 13]:
            o = occ if (c >> (4 * s)) & 14 else occ ^ BIT[s]
            if s > hi:
                o |= BIT[s - hi]
            if nobar and o >= 128:
                # no bar, no bearing off: only the same checker moving on
                # can give something that the other order does not
                u = s - hi
                if (okl >> u) & 1:
                    add(encr[s][u])
            else:
                nxt = _sources(o, okl, lo)
                if nxt:
                    row = encr[s]
                    for u in BL[nxt & 8191] + BH[nxt >> 13]:
                        add(row[u])

    if found:
        return sorted(found)
    if srh:
        return [_F + s * 26 for s in BL[srh & 8191] + BH[srh >> 13]]
    if srl:
        return [s * 26 for s in BL[srl & 8191] + BH[srl >> 13]]
    return [0]


def chance_outcomes(state):
    if state[1] < 0:
        return list(_START_OUTCOMES)
    return list(_ROLL_OUTCOMES)


def apply_action(state, action):
    cur, who, turns, lo, hi, second, c0, c1, m0, m1, b0, b1 = state
    if cur < 0:
        if who < 0:
            lo, hi = _ROLLS[action >> 1]
            who = action & 1
            return (who, who, 1, lo, hi, 0, c0, c1, m0, m1, b0, b1)
        lo, hi = _ROLLS[action]
        return (who, who, turns + 1, lo, hi, 0, c0, c1, m0, m1, b0, b1)

    if cur == 0:
        c = c0
        m = m0
        b = b0
        oc = c1
        om = m1
    else:
        c = c1
        m = m1
        b = b1
        oc = c0
        om = m0

    if action >= _F:
        s1, s2 = divmod(action - _F, 26)
        moves = ((s1, hi), (s2, lo))
    else:
        s1, s2 = divmod(action, 26)
        moves = ((s1, lo), (s2, hi))

    BIT = _BIT
    U = _U
    for s, d in moves:
        if not s:
            break
        c -= U[s]
        n = (c >> (4 * s)) & 15
        if n == 0:
            m ^= BIT[s]
        elif n == 1:
            b &= ~BIT[25 - s]
        e = s - d
        if e > 0:
            c += U[e]
            n = (c >> (4 * e)) & 15
            if n == 1:
                m |= BIT[e]
                r = 25 - e
                if om & BIT[r]:
                    oc += U[25] - U[r]
                    om = (om ^ BIT[r]) | _BARBIT
            elif n == 2:
                b |= BIT[25 - e]
        else:
            c += 1

    over = m == 0 or turns > _MAX_TURNS
    if s2 and lo == hi and not second:
        nxt = -4 if over else cur
        second = 1
        who = cur
    else:
        nxt = -4 if over else -1
        second = 0
        lo = 0
        hi = 0
        who = 1 - cur

    if cur == 0:
        return (nxt, who, turns, lo, hi, second, c, oc, m, om, b, b1)
    return (nxt, who, turns, lo, hi, second, oc, c, om, m, b0, b)


def returns(state):
    if state[0] == -4:
        if state[8] == 0:
            return [1.0, -1.0]
        if state[9] == 0:
            return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    if state[0] < 0:
        if state[1] < 0:
            return _START_NAMES[action]
        return _ROLL_NAMES[action]
    if action >= _F:
        s1, s2 = divmod(action - _F, 26)
        d1 = state[4]
        d2 = state[3]
    else:
        s1, s2 = divmod(action, 26)
        d1 = state[3]
        d2 = state[4]
    if not s1:
        return "Pass"
    if not s2:
        return _MOVE_NAMES[d1][s1] + " Pass"
    return _MOVE_NAMES[d1][s1] + " " + _MOVE_NAMES[d2][s2]


def observation(state, player):
    c0 = state[6]
    c1 = state[7]
    return {
        "points": [((c0 >> i) & 15) - ((c1 >> j) & 15) for i, j in _OBS_SHIFTS],
        "bar": {"x": (c0 >> 100) & 15, "o": (c1 >> 100) & 15},
        "off": {"x": c0 & 15, "o": c1 & 15},
        "dice": [state[3], state[4]] if state[3] else [],
        "second_half_of_double": bool(state[5]),
    }
