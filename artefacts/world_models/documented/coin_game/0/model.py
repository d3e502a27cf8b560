NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 5
MAX_CHANCE_OUTCOMES = 64
MAX_GAME_LENGTH = 20
MIN_UTILITY = -144.0
MAX_UTILITY = 144.0

# A state is the tuple
# (n, pref0, pref1, setup, pos0, pos1, grid, k0, k1, h0, h1)
#   n       number of events so far (16 of chance, then 20 moves)
#   pref0/1 preferred colours (0 while not yet assigned)
#   setup   squares chosen by chance so far, as digits in base 64
#   pos0/1  index of the player in the text grid (0 while not yet placed)
#   grid    the text of the grid with its border
#   k0, k1  coins collected by player 0, 1: digits in base 5 (a, b, c)
#   h0, h1  what player 0, 1 did and saw of the moves, digits in base 5

_SETUP = 16
_END = 36

_BORDER = "+--------+\n"
_EMPTY = _BORDER + "|        |\n" * 8 + _BORDER
_POS = tuple(12 + 11 * (s // 8) + s % 8 for s in range(64))
_DELTA = (-11, 11, -1, 1, 0)
_DIR = {-11: 0, 11: 1, -1: 2, 1: 3, 0: 4}
_NAMES = ("up", "down", "left", "right", "stand")
_ACTION = {name: i for i, name in enumerate(_NAMES)}
_COIN = {"a": 25, "b": 5, "c": 1}
_FREE = " abc"
# what is put down by the event with number n
_PIECE = "  01aaaabbbbcccc"

_HEAD = tuple("%d\n        a b c \n" % c for c in range(3))
_LINE0 = tuple("player0 %d %d %d \n" % (k // 25, k // 5 % 5, k % 5)
               for k in range(125))
_LINE1 = tuple("player1 %d %d %d \n" % (k // 25, k // 5 % 5, k % 5)
               for k in range(125))
_COUNT0 = {line: k for k, line in enumerate(_LINE0)}
_COUNT1 = {line: k for k, line in enumerate(_LINE1)}

# offsets in the text of an observation
_OFF_LINE0 = 17
_OFF_LINE1 = 32
_OFF_GRID = 47
_OFF_ROWS = 58
_SQUARE = {_OFF_GRID + p: s for s, p in enumerate(_POS)}

_PLAYER = tuple([-1] * _SETUP + [0, 1] * 10 + [-4])


def _make_returns():
    table = []
    for bad in range(3):
        row = []
        for k in range(125):
            counts = (k // 25, k // 5 % 5, k % 5)
            v = 0
            for c in range(3):
                if c == bad:
                    v -= counts[c] * counts[c]
                else:
                    v += counts[c] * counts[c]
            row.append(float(v))
        table.append(tuple(row))
    return tuple(table)


# _RETURN[colour of nobody][coins of each colour collected by both]
_RETURN = _make_returns()

_OTHERS = ((1, 2), (0, 2), (0, 1))
_THIRD = 1.0 / 3.0

_INITIAL = (0, 0, 0, 0, 0, 0, _EMPTY, 0, 0, 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return _PLAYER[state[0]]


def legal_actions(state):
    return [0, 1, 2, 3, 4]


def chance_outcomes(state):
    n = state[0]
    if n >= _SETUP:
        return []
    if n == 0:
        return [(0, _THIRD), (1, _THIRD), (2, _THIRD)]
    if n == 1:
        return [(c, 0.5) for c in _OTHERS[state[1]]]
    grid = state[6]
    p = 1.0 / (66 - n)
    return [(s, p) for s in range(64) if grid[_POS[s]] == " "]


def apply_action(state, action):
    n, pref0, pref1, setup, pos0, pos1, grid, k0, k1, h0, h1 = state
    if n >= _SETUP:
        if n & 1:
            here = pos1
        else:
            here = pos0
        there = here + _DELTA[action]
        ch = grid[there]
        if ch in _FREE:
            seen = action
            if here < there:
                grid = (grid[:here] + " " + grid[here + 1:there]
                        + grid[here] + grid[there + 1:])
            else:
                grid = (grid[:there] + grid[here] + grid[there + 1:here]
                        + " " + grid[here + 1:])
            if n & 1:
                pos1 = there
                if ch != " ":
                    k1 += _COIN[ch]
            else:
                pos0 = there
                if ch != " ":
                    k0 += _COIN[ch]
        else:
            seen = 4
        if n & 1:
            return (n + 1, pref0, pref1, setup, pos0, pos1, grid, k0, k1,
                    h0 * 5 + seen, h1 * 5 + action)
        return (n + 1, pref0, pref1, setup, pos0, pos1, grid, k0, k1,
                h0 * 5 + action, h1 * 5 + seen)
    if n == 0:
        return (1, action, pref1, setup, pos0, pos1, grid, k0, k1, h0, h1)
    if n == 1:
        return (2, pref0, action, setup, pos0, pos1, grid, k0, k1, h0, h1)
    p = _POS[action]
    grid = grid[:p] + _PIECE[n] + grid[p + 1:]
    if n == 2:
        pos0 = p
    elif n == 3:
        pos1 = p
    return (n + 1, pref0, pref1, setup * 64 + action, pos0, pos1, grid,
            k0, k1, h0, h1)


def returns(state):
    if state[0] < _END:
        return [0.0, 0.0]
    # at most 4 coins of a colour in all: the digits never carry
    v = _RETURN[3 - state[1] - state[2]][state[7] + state[8]]
    return [v, v]


def action_name(state, action):
    if state[0] < _SETUP:
        return str(action)
    return _NAMES[action]


def observation(state, player):
    return {"observation": _HEAD[state[1 + player]] + _LINE0[state[7]]
            + _LINE1[state[8]] + state[6]}


def information_state(state, player):
    return (player, state[0], state[1 + player], state[3], state[9 + player])


def _draw(player, history, rand):
    """Work out a game that fits: (texts, n, pref0, pref1, squares, moves,
    seen); seen[i] is move i as the player who did not make it saw it."""
    texts = [pair[0]["observation"] for pair in history]
    n = len(texts) - 1

    # preferences
    pref0 = 0
    pref1 = 0
    own = int(texts[n][0])
    if player == 0:
        if n >= 1:
            pref0 = own
        if n >= 2:
            pref1 = _OTHERS[own][int(rand() * 2)]
    else:
        if n >= 2:
            pref1 = own
            pref0 = _OTHERS[own][int(rand() * 2)]
        elif n == 1:
            pref0 = int(rand() * 3)

    # places, all of them seen by both players
    squares = []
    known = set()
    for i in range(2, n if n < _SETUP else _SETUP):
        text = texts[i + 1]
        ch = _PIECE[i]
        p = text.find(ch, _OFF_ROWS)
        while p in known:
            p = text.find(ch, p + 1)
        known.add(p)
        squares.append(_SQUARE[p])

    # moves
    moves = []
    seen = []
    if n > _SETUP:
        text = texts[_SETUP]
        other_ch = "10"[player]
        other = text.find(other_ch, _OFF_ROWS)
        for i in range(_SETUP, n):
            after = texts[i + 1]
            if (i & 1) == player:
                a = _ACTION[history[i][1]]
                moves.append(a)
                seen.append(4 if after == text else a)
            elif after == text:
                # stood still, or walked against the border or the player
                fits = [d for d in (0, 1, 2, 3)
                        if text[other + _DELTA[d]] not in _FREE]
                fits.append(4)
                if len(fits) > 1:
                    moves.append(fits[int(rand() * len(fits))])
                else:
                    moves.append(4)
                seen.append(4)
            else:
                p = after.find(other_ch, _OFF_ROWS)
                a = _DIR[p - other]
                other = p
                moves.append(a)
                seen.append(a)
            text = after
    return texts, n, pref0, pref1, squares, moves, seen


def resample_history(player, history, rand):
    texts, n, pref0, pref1, squares, moves, seen = _draw(player, history, rand)
    result = []
    if n >= 1:
        result.append(pref0)
    if n >= 2:
        result.append(pref1)
    result.extend(squares)
    result.extend(moves)
    return result


def resample_state(player, history, rand):
    texts, n, pref0, pref1, squares, moves, seen = _draw(player, history, rand)
    last = texts[n]
    setup = 0
    for s in squares:
        setup = setup * 64 + s
    h0 = 0
    h1 = 0
    mover = 0
    for a, e in zip(moves, seen):
        if mover:
            h0 = h0 * 5 + e
            h1 = h1 * 5 + a
            mover = 0
        else:
            h0 = h0 * 5 + a
            h1 = h1 * 5 + e
            mover = 1
    pos0 = last.find("0", _OFF_ROWS) - _OFF_GRID if n >= 3 else 0
    pos1 = last.find("1", _OFF_ROWS) - _OFF_GRID if n >= 4 else 0
    return (n, pref0, pref1, setup, pos0, pos1, last[_OFF_GRID:],
            _COUNT0[last[_OFF_LINE0:_OFF_LINE1]],
            _COUNT1[last[_OFF_LINE1:_OFF_GRID]], h0, h1)
