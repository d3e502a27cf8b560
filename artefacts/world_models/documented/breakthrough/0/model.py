import itertools

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 768
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 209
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

# A state is (current, black, white, winner). black and white are masks of the
# pawns of players 0 and 1, the cell row * 8 + column being the bit
# 1 << (cell + 1). winner is -1 while the game is running.

_INITIAL = (0, 0xFFFF << 1, 0xFFFF << 49, -1)

_DELTAS = ((1, -1), (1, 0), (1, 1), (-1, -1), (-1, 0), (-1, 1))


def _make_actions():
    info = []
    names = []
    for cell in range(64):
        row = cell // 8
        col = cell % 8
        for direction in range(6):
            dr, dc = _DELTAS[direction]
            r = row + dr
            c = col + dc
            for capture in range(2):
                if 0 <= r < 8 and 0 <= c < 8:
                    source = 1 << (cell + 1)
                    target = 1 << (r * 8 + c + 1)
                    goal = r == (7 if direction < 3 else 0)
                    info.append((source | target, target if capture else 0, goal))
                    names.append("abcdefgh"[col] + str(8 - row)
                                 + "abcdefgh"[c] + str(8 - r)
                                 + ("*" if capture else ""))
                else:
                    info.append(None)
                    names.append("")
    return tuple(info), tuple(names)


_ACTIONS, _NAMES = _make_actions()


def _make_moves(player):
    # Indexed by the bit length of the pawn's bit (cell + 2): a shift, which
    # brings the three cells in front of the pawn to the bits 0 to 2, and a
    # table of the legal actions, indexed by own pawns | enemy pawns << 3 there.
    nothing = (0, ((),) * 64)
    result = [nothing] * 66
    for cell in range(64):
        row = cell // 8
        col = cell % 8
        if player == 0:
            if row == 7:
                continue
            shift = cell + 8
            base = cell * 12
        else:
            if row == 0:
                continue
            shift = cell - 8
            base = cell * 12 + 6
        table = []
        for key in range(64):
            acts = []
            for d in range(3):
                if not 0 <= col + d - 1 < 8:
                    continue
                if (key >> d) & 1:
                    continue
                if (key >> (d + 3)) & 1:
                    if d != 1:
                        acts.append(base + 2 * d + 1)
                else:
                    acts.append(base + 2 * d)
            table.append(tuple(acts))
        result[cell + 2] = (shift, tuple(table))
    return tuple(result)


_MOVES0 = _make_moves(0)
_MOVES1 = _make_moves(1)


def _make_rows():
    result = {}
    for cells in itertools.product(".bw", repeat=8):
        key = 0
        for c in range(8):
            if cells[c] == "b":
                key |= 1 << c
            elif cells[c] == "w":
                key |= 256 << c
        result[key] = "".join(cells)
    return result


_ROWS = _make_rows()


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    if state[0] == 0:
        own = state[1]
        enemy = state[2]
        moves = _MOVES0
    else:
        own = state[2]
        enemy = state[1]
        moves = _MOVES1
    result = []
    rest = own
    while rest:
        low = rest & -rest
        rest ^= low
        shift, table = moves[low.bit_length()]
        result += table[((own >> shift) & 7) | (((enemy >> shift) & 7) << 3)]
    return result


def chance_outcomes(state):
    return []


def apply_action(state, action):
    cur, black, white, _ = state
    move, capture, goal = _ACTIONS[action]
    if cur == 0:
        black ^= move
        white ^= capture
        if goal or not white:
            return (-4, black, white, 0)
        return (1, black, white, -1)
    white ^= move
    black ^= capture
    if goal or not black:
        return (-4, black, white, 1)
    return (0, black, white, -1)


def returns(state):
    winner = state[3]
    if winner < 0:
        return [0.0, 0.0]
    if winner == 0:
        return [1.0, -1.0]
    return [-1.0, 1.0]


def action_name(state, action):
    return _NAMES[action]


def observation(state, player):
    b = state[1] >> 1
    w = state[2] >> 1
    rows = _ROWS
    lines = []
    for label in "87654321":
        lines.append(label + rows[(b & 255) | ((w & 255) << 8)])
        b >>= 8
        w >>= 8
    lines.append(" abcdefgh\n")
    return {"observation": "\n".join(lines)}
