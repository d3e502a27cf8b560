NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 300
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 110
MIN_UTILITY = -5.0
MAX_UTILITY = 5.0

_LENGTHS = (2, 3, 3, 4, 5)
_LETTERS = "abcde"
_PLACED = chr(300)
_REPEATED = chr(301)

_HEAD = "State of player's ships:\n"
_HEAD2 = "Player's shot outcomes:\n"
_EDGE = "+----------+\n"
_ROW = "|          |\n"
_GRID = _EDGE + _ROW * 10 + _EDGE
_BOARD0 = _HEAD + _GRID + "\n"
_TRIES0 = _HEAD2 + _GRID
_BOARD_LEN = len(_BOARD0)


def _positions(start):
    return tuple(
        start + len(_EDGE) + len(_ROW) * (c // 10) + 1 + c % 10
        for c in range(100)
    )


_BPOS = _positions(len(_HEAD))
_TPOS = _positions(len(_HEAD2))
_CELL_AT = dict((pos, cell) for cell, pos in enumerate(_BPOS))
_BIT = tuple(1 << c for c in range(100))
_ALL_SHOTS = tuple(range(100))


def _build():
    places = {}
    mask_of = {}
    action_of = {}
    spots = {}
    for length in (2, 3, 4, 5):
        rows = []
        table = {}
        for base, step in ((100, 1), (200, 10)):
            for cell in range(100):
                r, c = divmod(cell, 10)
                if (c if step == 1 else r) + length > 10:
                    continue
                cells = [cell + step * i for i in range(length)]
                mask = 0
                for x in cells:
                    mask |= 1 << x
                rows.append((base + cell, mask))
                table[base + cell] = mask
                action_of[mask] = base + cell
                spots[mask] = tuple(_BPOS[x] for x in cells)
        places[length] = tuple(rows)
        mask_of[length] = table
    return places, mask_of, action_of, spots


_PLACES, _MASK_OF, _ACTION_OF, _SPOTS = _build()
_MASKS = dict((n, tuple(m for _, m in _PLACES[n])) for n in _PLACES)


def _build_names(p):
    names = []
    for cell in range(100):
        names.append("Pl%d: shoot at (%d, %d)" % (p, cell // 10, cell % 10))
    for word in ("horizontally", "vertically"):
        for cell in range(100):
            names.append(
                "Pl%d: place ship %s with top-left corner in (%d, %d)"
                % (p, word, cell // 10, cell % 10)
            )
    return tuple(names)


_NAMES = (_build_names(0), _build_names(1))
_NUMBER = {}
for _names in _NAMES:
    for _i, _s in enumerate(_names):
        _NUMBER[_s] = _i


def _build_choices():
    choices = []
    members = []
    for ships in range(32):
        row = []
        for s in (4, 3, 2, 1, 0):
            if not (ships >> s) & 1:
                continue
            if s == 2 and ships & 2:
                continue  # ship 1 stands for both ships of length 3
            factor = 2 if (s == 1 and ships & 4) else 1
            row.append((s, ships & ~(1 << s), factor))
        choices.append(tuple(row))
        members.append(tuple(s for s in (4, 3, 2, 1, 0) if (ships >> s) & 1))
    return tuple(choices), tuple(members)


_CHOICES, _MEMBERS = _build_choices()

# State: (to act (-4: over), number of actions so far, side 0, side 1)
# Side: (masks of the ships, their union, mask of the cells shot at by this
#        player, all actions as this player has seen them, drawing of the own
#        board, drawing of the own shots)
_SIDE0 = ((), 0, 0, "", _BOARD0, _TRIES0)
_INITIAL = (0, 0, _SIDE0, _SIDE0)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    who = state[0]
    if who < 0:
        return []
    n = state[1]
    if n >= 10:
        return list(_ALL_SHOTS)
    occ = state[2 + who][1]
    return [a for a, m in _PLACES[_LENGTHS[n >> 1]] if not m & occ]


def chance_outcomes(state):
    return []


def apply_action(state, action):
    who, n, first, second = state
    if who == 0:
        ships, occ, shots, seen, board, tries = first
        o_ships, o_occ, o_shots, o_seen, o_board, o_tries = second
    else:
        ships, occ, shots, seen, board, tries = second
        o_ships, o_occ, o_shots, o_seen, o_board, o_tries = first
    nxt = 1 - who
    seen += chr(action)
    if n < 10:
        k = n >> 1
        mask = _MASK_OF[_LENGTHS[k]][action]
        letter = _LETTERS[k]
        for pos in _SPOTS[mask]:
            board = board[:pos] + letter + board[pos + 1:]
        ships = ships + (mask,)
        occ |= mask
        o_seen += _PLACED
    else:
        bit = _BIT[action]
        if shots & bit:
            o_seen += _REPEATED
        else:
            shots |= bit
            o_seen += chr(action)
            bp = _BPOS[action]
            tp = _TPOS[action]
            if o_occ & bit:
                tries = tries[:tp] + "#" + tries[tp + 1:]
                o_board = o_board[:bp] + o_board[bp].upper() + o_board[bp + 1:]
                if not o_occ & ~shots:
                    nxt = -4
            else:
                tries = tries[:tp] + "@" + tries[tp + 1:]
                o_board = o_board[:bp] + "*" + o_board[bp + 1:]
        if n == 109:
            nxt = -4
    me = (ships, occ, shots, seen, board, tries)
    other = (o_ships, o_occ, o_shots, o_seen, o_board, o_tries)
    if who == 0:
        return (nxt, n + 1, me, other)
    return (nxt, n + 1, other, me)


def returns(state):
    if state[0] != -4:
        return [0.0, 0.0]
    side0 = state[2]
    side1 = state[3]
    lost0 = 0
    open0 = ~side1[2]
    for ship in side0[0]:
        if not ship & open0:
            lost0 += 1
    lost1 = 0
    open1 = ~side0[2]
    for ship in side1[0]:
        if not ship & open1:
            lost1 += 1
    return [float(lost1 - lost0), float(lost0 - lost1)]


def action_name(state, action):
    return _NAMES[state[1] & 1][action]


def observation(state, player):
    side = state[2 + player]
    return {"observation": side[4] + side[5]}


def information_state(state, player):
    side = state[2 + player]
    return (player, side[3], side[2] & state[3 - player][1])


def _first_difference(a, b):
    lo = 0
    hi = len(a)
    while hi - lo > 1:
        mid = (lo + hi) >> 1
        if a[lo:mid] != b[lo:mid]:
            hi = mid
        else:
            lo = mid
    return lo


def _draw_fleet(hits, misses, rand):
    """Masks of the five ships, drawn with the probability they have when they
    are placed one by one uniformly, given that all of `hits` and none of
    `misses` is covered."""
    free_by = {}
    groups_by = {}
    biggest_by = {}
    through = {}
    for length in (2, 3, 4, 5):
        free = []
        patterns = {}
        for m in _MASKS[length]:
            if m & misses:
                continue
            pattern = m & hits
            if pattern:
                got = patterns.get(pattern)
                if got is None:
                    patterns[pattern] = [m]
                else:
                    got.append(m)
            else:
                free.append(m)
        groups = {}
        biggest = 0
        for pattern, masks in patterns.items():
            size = bin(pattern).count("1")
            if size > biggest:
                biggest = size
            entry = (pattern, size, masks)
            rest = pattern
            while rest:
                low = rest & -rest
                rest ^= low
                if low in groups:
                    groups[low].append(entry)
                else:
                    groups[low] = [entry]
                through[low] = through.get(low, 0) + len(masks)
        free_by[length] = free
        groups_by[length] = groups
        biggest_by[length] = biggest
    free_of = [free_by[n] for n in _LENGTHS]
    groups_of = [groups_by[n] for n in _LENGTHS]
    biggest_of = [biggest_by[n] for n in _LENGTHS]
    order = sorted(through, key=through.get)
    memo = {}

    # Number of ways to cover exactly the hits `rem` with some of `ships` and
    # to put the others anywhere off the hits (overlaps elsewhere allowed).
    def solve(ships, rem, left):
        key = (ships, rem)
        got = memo.get(key)
        if got is not None:
            return got
        options = []
        if not rem:
            total = 1
            for s in _MEMBERS[ships]:
                total *= len(free_of[s])
        else:
            total = 0
            room = 0
            for s in _MEMBERS[ships]:
                room += biggest_of[s]
            if room >= left:
                cell = 0
                for cell in order:
                    if rem & cell:
                        break
                for s, rest, factor in _CHOICES[ships]:
                    for pattern, size, masks in groups_of[s].get(cell, ()):
                        if (pattern & rem) == pattern:
                            sub = solve(rest, rem ^ pattern, left - size)
                            if sub[0]:
                                weight = sub[0] * factor * len(masks)
                                total += weight
                                options.append((weight, s, masks, sub))
        got = (total, options, ships)
        memo[key] = got
        return got

    root = solve(31, hits, bin(hits).count("1"))
    masks3 = _MASKS[3]
    masks4 = _MASKS[4]
    masks5 = _MASKS[5]
    while True:
        placed = [0, 0, 0, 0, 0]
        occ = 0
        node = root
        fits = True
        while node[1]:
            x = rand() * node[0]
            choice = None
            for choice in node[1]:
                x -= choice[0]
                if x < 0:
                    break
            masks = choice[2]
            m = masks[int(rand() * len(masks))]
            if occ & m:
                fits = False
                break
            occ |= m
            placed[choice[1]] = m
            node = choice[3]
        if not fits:
            continue
        for s in _MEMBERS[node[2]]:
            masks = free_of[s]
            m = masks[int(rand() * len(masks))]
            if occ & m:
                fits = False
                break
            occ |= m
            placed[s] = m
        if not fits:
            continue
        if rand() < 0.5:
            placed[1], placed[2] = placed[2], placed[1]
        # Accept in proportion to 1 / (number of legal placements) of each
        # ship; 36, 91, 136, 150 are lower bounds of these numbers.
        u = rand()
        occ = placed[0] | placed[1] | placed[2] | placed[3]
        u *= len([1 for m in masks5 if not m & occ]) / 36.0
        if u >= 1.0:
            continue
        occ = placed[0] | placed[1] | placed[2]
        u *= len([1 for m in masks4 if not m & occ]) / 91.0
        if u >= 1.0:
            continue
        occ = placed[0] | placed[1]
        u *= len([1 for m in masks3 if not m & occ]) / 136.0
        if u >= 1.0:
            continue
        occ = placed[0]
        u *= len([1 for m in masks3 if not m & occ]) / 150.0
        if u < 1.0:
            return placed


def _draw(player, history, rand):
    """All actions of a game that fits the history."""
    total = len(history) - 1
    foe = 1 - player
    acts = [0] * total
    for t in range(player, total, 2):
        acts[t] = _NUMBER[history[t][1]]
    seen = []
    for t in range(10 + foe, total, 2):
        before = history[t][0]["observation"]
        after = history[t + 1][0]["observation"]
        if before == after:
            acts[t] = seen[int(rand() * len(seen))]
        else:
            cell = _CELL_AT[_first_difference(before, after)]
            seen.append(cell)
            acts[t] = cell
    if total > 10 + player:
        last = history[-1][0]["observation"]
        hits = 0
        misses = 0
        for t in range(10 + player, total, 2):
            cell = acts[t]
            if last[_BOARD_LEN + _TPOS[cell]] == "#":
                hits |= _BIT[cell]
            else:
                misses |= _BIT[cell]
        fleet = _draw_fleet(hits, misses, rand)
        for k in range(5):
            acts[2 * k + foe] = _ACTION_OF[fleet[k]]
    else:
        occ = 0
        for t in range(foe, min(total, 10), 2):
            options = [
                pair for pair in _PLACES[_LENGTHS[t >> 1]] if not pair[1] & occ
            ]
            a, m = options[int(rand() * len(options))]
            occ |= m
            acts[t] = a
    return acts


def resample_history(player, history, rand):
    return _draw(player, history, rand)


def resample_state(player, history, rand):
    acts = _draw(player, history, rand)
    total = len(acts)
    foe = 1 - player
    ships = ([], [])
    occ = [0, 0]
    shots = [0, 0]
    seen = ([], [])
    targets = ([], [])
    for t in range(min(total, 10)):
        p = t & 1
        a = acts[t]
        mask = _MASK_OF[_LENGTHS[t >> 1]][a]
        ships[p].append(mask)
        occ[p] |= mask
        seen[p].append(chr(a))
        seen[1 - p].append(_PLACED)
    for t in range(10, total):
        p = t & 1
        a = acts[t]
        bit = _BIT[a]
        ch = chr(a)
        seen[p].append(ch)
        if shots[p] & bit:
            seen[1 - p].append(_REPEATED)
        else:
            shots[p] |= bit
            targets[p].append(a)
            seen[1 - p].append(ch)
    last = history[-1][0]["observation"]
    board = list(_BOARD0)
    for k, mask in enumerate(ships[foe]):
        letter = _LETTERS[k]
        for pos in _SPOTS[mask]:
            board[pos] = letter
    for cell in targets[player]:
        pos = _BPOS[cell]
        ch = board[pos]
        board[pos] = "*" if ch == " " else ch.upper()
    tries = list(_TRIES0)
    own = occ[player]
    for cell in targets[foe]:
        tries[_TPOS[cell]] = "#" if own & _BIT[cell] else "@"
    me = (
        tuple(ships[player]), occ[player], shots[player],
        "".join(seen[player]), last[:_BOARD_LEN], last[_BOARD_LEN:],
    )
    other = (
        tuple(ships[foe]), occ[foe], shots[foe],
        "".join(seen[foe]), "".join(board), "".join(tries),
    )
    who = total & 1
    if total >= 110:
        who = -4
    elif total > 10:
        if not occ[0] & ~shots[1] or not occ[1] & ~shots[0]:
            who = -4
    if player == 0:
        return (who, total, me, other)
    return (who, total, other, me)
