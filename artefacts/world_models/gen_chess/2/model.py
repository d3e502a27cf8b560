NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 626
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 100
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0

_PASS = 625
_OVER = -4

# Kinds of pieces
_GENERAL = 0
_INFANTRY = 1
_CAVALRY = 2

_LETTERS = ("GIC", "gic")

# Steps as (forward, right)
_STEPS = (
    # general
    ((1, 0), (-1, 0), (0, -1), (0, 1), (0, -2), (0, 2)),
    # infantry
    ((1, 0), (2, 0), (1, -1), (1, 1), (-1, 0)),
    # cavalry
    ((0, 3), (1, 2), (2, 1), (3, 0)),
)

_CELL_NAMES = tuple("abcde"[i % 5] + "12345"[i // 5] for i in range(25))

_NAMES = tuple(
    _CELL_NAMES[a // 25] + "-" + _CELL_NAMES[a % 25] for a in range(625)
) + ("pass",)


def _build_moves(player):
    """For each code cell * 3 + kind: (mask of the targets, dict that maps the
    set of the targets held by own pieces to the tuple of the actions)."""
    direction = 1 if player == 0 else -1
    table = []
    for code in range(75):
        cell, kind = divmod(code, 3)
        row, col = divmod(cell, 5)
        targets = []
        for forward, right in _STEPS[kind]:
            r = row + direction * forward
            c = col + right
            if 0 <= r < 5 and 0 <= c < 5:
                targets.append(r * 5 + c)
        targets.sort()
        mask = 0
        for t in targets:
            mask |= 1 << t
        by_blocked = {}
        n = len(targets)
        for subset in range(1 << n):
            blocked = 0
            acts = []
            for k in range(n):
                if subset >> k & 1:
                    blocked |= 1 << targets[k]
                else:
                    acts.append(cell * 25 + targets[k])
            by_blocked[blocked] = tuple(acts)
        table.append((mask, by_blocked))
    return tuple(table)


_MOVES0 = _build_moves(0)
_MOVES1 = _build_moves(1)

_SETUP = (_CAVALRY, _INFANTRY, _GENERAL, _INFANTRY, _CAVALRY)


def _build_initial():
    pieces0 = tuple(col * 3 + _SETUP[col] for col in range(5))
    pieces1 = tuple((20 + col) * 3 + _SETUP[col] for col in range(5))
    occ0 = 0
    for code in pieces0:
        occ0 |= 1 << (code // 3)
    occ1 = 0
    for code in pieces1:
        occ1 |= 1 << (code // 3)
    return (0, 0, -1, pieces0, pieces1, occ0, occ1)


# State: (plies, player to act or -4, winner or -1,
#         pieces of player 0, pieces of player 1,
#         occupancy of player 0, occupancy of player 1)
_INITIAL = _build_initial()


def initial_state():
    return _INITIAL


def current_player(state):
    return state[1]


def legal_actions(state):
    to_act = state[1]
    result = []
    if to_act == 0:
        own = state[5]
        for code in state[3]:
            mask, by_blocked = _MOVES0[code]
            result += by_blocked[own & mask]
    elif to_act == 1:
        own = state[6]
        for code in state[4]:
            mask, by_blocked = _MOVES1[code]
            result += by_blocked[own & mask]
    else:
        return result
    if not result:
        result.append(_PASS)
    return result


def chance_outcomes(state):
    return []


def apply_action(state, action):
    plies, to_act, winner, pieces0, pieces1, occ0, occ1 = state
    plies += 1
    if action != _PASS:
        start, target = divmod(action, 25)
        start_bit = 1 << start
        target_bit = 1 << target
        if to_act == 0:
            mine = pieces0
            theirs = pieces1
            my_occ = occ0
            their_occ = occ1
        else:
            mine = pieces1
            theirs = pieces0
            my_occ = occ1
            their_occ = occ0

        first = start * 3
        shift = (target - start) * 3
        moved = [
            code + shift if first <= code < first + 3 else code
            for code in mine
        ]
        moved.sort()
        mine = tuple(moved)
        my_occ = (my_occ ^ start_bit) | target_bit

        if their_occ & target_bit:
            their_occ ^= target_bit
            general = target * 3
            if general in theirs:
                winner = to_act
            theirs = tuple(
                [code for code in theirs
                 if not general <= code < general + 3]
            )

        if to_act == 0:
            pieces0 = mine
            pieces1 = theirs
            occ0 = my_occ
            occ1 = their_occ
        else:
            pieces1 = mine
            pieces0 = theirs
            occ1 = my_occ
            occ0 = their_occ

    if winner >= 0 or plies >= MAX_GAME_LENGTH:
        next_to_act = _OVER
    else:
        next_to_act = 1 - to_act
    return (plies, next_to_act, winner, pieces0, pieces1, occ0, occ1)


def returns(state):
    winner = state[2]
    if winner == 0:
        return [1.0, -1.0]
    if winner == 1:
        return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    return _NAMES[action]


def observation(state, player):
    cells = ["."] * 25
    for code in state[3]:
        cells[code // 3] = _LETTERS[0][code % 3]
    for code in state[4]:
        cells[code // 3] = _LETTERS[1][code % 3]
    text = "".join(cells)
    return {
        "board": [text[20:25], text[15:20], text[10:15], text[5:10], text[0:5]],
        "plies": state[0],
    }
