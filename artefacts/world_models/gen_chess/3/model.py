NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 626
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 100
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_N = 5
_CELLS = 25
_PASS = 625
_MAX_PLIES = 100

# kinds: 0 general, 1 infantry, 2 cavalry
# steps: (forward, right)
_STEPS = (
    ((1, 0), (-1, 0), (0, -1), (0, 1), (0, -2), (0, 2)),
    ((1, 0), (2, 0), (1, -1), (1, 1), (-1, 0)),
    ((0, 3), (1, 2), (2, 1), (3, 0)),
)

_LETTERS = ("GIC", "gic")


def _cell_name(cell):
    return "abcde"[cell % _N] + "12345"[cell // _N]


def _build_names():
    names = []
    for s in range(_CELLS):
        for t in range(_CELLS):
            names.append(_cell_name(s) + "-" + _cell_name(t))
    names.append("pass")
    return tuple(names)


_NAMES = _build_names()


def _build_tables():
    # tables[player][piece code] = (mask of targets,
    #     {own-occupied part of the mask: tuple of legal actions})
    tables = []
    for player in (0, 1):
        forward = 1 if player == 0 else -1
        table = []
        for cell in range(_CELLS):
            row, col = divmod(cell, _N)
            for kind in range(3):
                targets = []
                for df, dr in _STEPS[kind]:
                    r = row + df * forward
                    c = col + dr
                    if 0 <= r < _N and 0 <= c < _N:
                        targets.append(r * _N + c)
                targets.sort()
                mask = 0
                for t in targets:
                    mask |= 1 << t
                by_blocked = {}
                sub = mask
                while True:
                    by_blocked[sub] = tuple(
                        [cell * _CELLS + t for t in targets
                         if not (sub >> t) & 1])
                    if sub == 0:
                        break
                    sub = (sub - 1) & mask
                table.append((mask, by_blocked))
        tables.append(tuple(table))
    return tuple(tables)


_TABLES = _build_tables()

_RETURNS = ((0.0, 0.0), (1.0, -1.0), (-1.0, 1.0))


def _build_initial():
    kinds = (2, 1, 0, 1, 2)
    first = tuple([c * 3 + kinds[c] for c in range(_N)])
    second = tuple([(20 + c) * 3 + kinds[c] for c in range(_N)])
    bits0 = 31
    bits1 = 31 << 20
    return (0, first, second, bits0, bits1, 0, 0)


# A state is
# (player to act or -4,
#  pieces of the player whose turn it is by parity of plies (sorted codes),
#  pieces of the other player (sorted codes),
#  occupancy bits of the former, occupancy bits of the latter,
#  plies, result: 0 none or draw, 1 player 0 won, 2 player 1 won)
_INITIAL = _build_initial()


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    player = state[0]
    if player < 0:
        return []
    table = _TABLES[player]
    bits = state[3]
    out = []
    for p in state[1]:
        mask, by_blocked = table[p]
        out += by_blocked[bits & mask]
    if not out:
        out.append(_PASS)
    return out


def chance_outcomes(state):
    return []


def apply_action(state, action):
    player, mine, his, my_bits, his_bits, plies, result = state
    plies += 1
    following = 1 - player if plies < _MAX_PLIES else -4
    if action == _PASS:
        return (following, his, mine, his_bits, my_bits, plies, 0)
    start, target = divmod(action, _CELLS)
    delta = (target - start) * 3
    moved = [p + delta if p // 3 == start else p for p in mine]
    moved.sort()
    target_bit = 1 << target
    my_bits ^= (1 << start) | target_bit
    if his_bits & target_bit:
        his_bits ^= target_bit
        if target * 3 in his:
            result = player + 1
            following = -4
        his = tuple([p for p in his if p // 3 != target])
    return (following, his, tuple(moved), his_bits, my_bits, plies, result)


def returns(state):
    return list(_RETURNS[state[6]])


def action_name(state, action):
    return _NAMES[action]


def observation(state, player):
    plies = state[5]
    cells = ["."] * _CELLS
    side = plies & 1
    letters = _LETTERS[side]
    for p in state[1]:
        cells[p // 3] = letters[p % 3]
    letters = _LETTERS[1 - side]
    for p in state[2]:
        cells[p // 3] = letters[p % 3]
    text = "".join(cells)
    return {
        "board": [text[20:25], text[15:20], text[10:15], text[5:10], text[0:5]],
        "plies": plies,
    }
