NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 626
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 100
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_SIZE = 5
_CELLS = 25
_PASS = 625
_MAX_PLIES = 100
_CHARS = "GICgic"

# (steps forward, steps right) by kind: 0 general, 1 infantry, 2 cavalry
_STEPS = (
    ((1, 0), (-1, 0), (0, -1), (0, 1), (0, -2), (0, 2)),
    ((1, 0), (2, 0), (1, -1), (1, 1), (-1, 0)),
    ((0, 3), (1, 2), (2, 1), (3, 0)),
)


def _build_moves():
    # For each piece code: (mask of the targets, {own pieces on targets: actions})
    table = []
    for cell in range(_CELLS):
        row, col = divmod(cell, _SIZE)
        for player in range(2):
            sign = 1 if player == 0 else -1
            for kind in range(3):
                targets = []
                for fwd, right in _STEPS[kind]:
                    r = row + sign * fwd
                    c = col + right
                    if 0 <= r < _SIZE and 0 <= c < _SIZE:
                        targets.append(r * _SIZE + c)
                targets.sort()
                reach = 0
                for t in targets:
                    reach |= 1 << t
                by_blocked = {}
                for bits in range(1 << len(targets)):
                    blocked = 0
                    actions = []
                    for i, t in enumerate(targets):
                        if (bits >> i) & 1:
                            blocked |= 1 << t
                        else:
                            actions.append(cell * _CELLS + t)
                    by_blocked[blocked] = tuple(actions)
                table.append((reach, by_blocked))
    return tuple(table)


def _build_actions():
    # For each move: (start, target, bit of target, both bits, change of the code)
    table = []
    for start in range(_CELLS):
        for target in range(_CELLS):
            table.append((
                start,
                target,
                1 << target,
                (1 << start) | (1 << target),
                (target - start) * 6,
            ))
    return tuple(table)


def _build_names():
    cells = ["abcde"[i % _SIZE] + "12345"[i // _SIZE] for i in range(_CELLS)]
    names = [a + "-" + b for a in cells for b in cells]
    names.append("pass")
    return tuple(names)


_MOVES = _build_moves()
_ACTIONS = _build_actions()
_NAMES = _build_names()


def _build_initial():
    kinds = (2, 1, 0, 1, 2)
    first = tuple(c * 6 + kinds[c] for c in range(_SIZE))
    second = tuple((20 + c) * 6 + 3 + kinds[c] for c in range(_SIZE))
    # (player to act or -4, plies, pieces of the side whose turn it is by the
    #  number of plies, pieces of the other side, mask of the former, mask of
    #  the latter, result for player 0)
    return (0, 0, first, second, 0b11111, 0b11111 << 20, 0)


_INITIAL = _build_initial()


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    own = state[4]
    moves = _MOVES
    actions = []
    for p in state[2]:
        reach, by_blocked = moves[p]
        actions += by_blocked[own & reach]
    if not actions:
        actions.append(_PASS)
    return actions


def chance_outcomes(state):
    return []


def apply_action(state, action):
    _, plies, mine, theirs, my_mask, their_mask, _ = state
    plies += 1
    if action != _PASS:
        start, target, target_bit, both_bits, delta = _ACTIONS[action]
        mine = tuple(sorted([p + delta if p // 6 == start else p for p in mine]))
        my_mask ^= both_bits
        if their_mask & target_bit:
            their_mask ^= target_bit
            rest = []
            won = False
            for p in theirs:
                if p // 6 != target:
                    rest.append(p)
                elif p % 3 == 0:
                    won = True
            theirs = tuple(rest)
            if won:
                # after an odd number of plies, player 0 has just moved
                return (-4, plies, theirs, mine, their_mask, my_mask,
                        1 if plies & 1 else -1)
    return (plies & 1 if plies < _MAX_PLIES else -4,
            plies, theirs, mine, their_mask, my_mask, 0)


def returns(state):
    result = state[6]
    if result > 0:
        return [1.0, -1.0]
    if result < 0:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _NAMES[action]


def observation(state, player):
    cells = ["."] * _CELLS
    for p in state[2]:
        cells[p // 6] = _CHARS[p % 6]
    for p in state[3]:
        cells[p // 6] = _CHARS[p % 6]
    text = "".join(cells)
    return {
        "board": [text[20:25], text[15:20], text[10:15], text[5:10], text[0:5]],
        "plies": state[1],
    }
