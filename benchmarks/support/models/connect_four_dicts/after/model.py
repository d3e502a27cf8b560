"""Connect four, written for speed.

A state is a tuple (player, legal, heights, x, o):
  player   0 or 1, the player to act; -4 where the game is over
  legal    tuple of the columns that are not full, ascending
  heights  number of stones of each column, 3 bits per column;
           where the game is over: the result (0 draw, 1 x has won, 2 o has won)
  x, o     the stones of each player, a set of bits (see _BIT)
"""

NUM_PLAYERS = 2
NUM_DISTINCT_ACTIONS = 7
MAX_CHANCE_OUTCOMES = 0
MAX_GAME_LENGTH = 42
MIN_UTILITY = -1.0
MAX_UTILITY = 1.0


def _make_bits():
    # Any one-to-one numbering of the cells would do. This one gives the low bits to
    # cells that are part of many lines, which spreads the hashes of the patterns.
    bits = [[0] * 7 for _ in range(6)]
    number = 0
    for group in ((2, 4), (3, 1, 5), (0, 6)):
        for height in range(6):
            for column in group:
                bits[height][column] = 1 << number
                number += 1
    return tuple(tuple(row) for row in bits)


# _BIT[height][column]; height 0 is the bottom row
_BIT = _make_bits()


def _patterns(height, column, directions):
    """Mask of the cells that matter, and the set of masked stones that win,
    for a stone that has just landed on the cell."""
    lines = []
    for up, right in directions:
        # nothing lies above the last stone of a column
        starts = (-3,) if right == 0 else (-3, -2, -1, 0)
        for start in starts:
            line = 0
            inside = True
            for i in range(start, start + 4):
                h = height + i * up
                c = column + i * right
                if not (0 <= h < 6 and 0 <= c < 7):
                    inside = False
                    break
                if i != 0:
                    line |= _BIT[h][c]
            if inside:
                lines.append(line)
    mask = 0
    for line in lines:
        mask |= line
    wins = []
    subset = mask
    while subset:
        for line in lines:
            if subset & line == line:
                wins.append(subset)
                break
        subset = (subset - 1) & mask
    return mask, frozenset(wins)


def _make_cells():
    columns = []
    for column in range(7):
        cells = []
        for height in range(6):
            mask1, wins1 = _patterns(height, column, ((0, 1), (1, 0)))
            mask2, wins2 = _patterns(height, column, ((1, 1), (1, -1)))
            cells.append((_BIT[height][column], 1 << (3 * column), height == 5,
                          mask1, wins1, mask2, wins2))
        columns.append(tuple(cells))
    return tuple(columns)


# _CELLS[column][height]: (bit, growth of heights, fills the column?,
#                          mask and wins of row and column, mask and wins of diagonals)
_CELLS = _make_cells()


def _make_legal():
    legal = []
    for mask in range(128):
        legal.append(tuple([column for column in range(7) if mask >> column & 1]))
    without = []
    for column in range(7):
        table = {}
        for mask in range(128):
            if mask >> column & 1:
                table[legal[mask]] = legal[mask ^ (1 << column)]
        without.append(table)
    return legal[127], tuple(without)


# _WITHOUT[column][legal]: the legal columns once the column is full
_ALL_COLUMNS, _WITHOUT = _make_legal()

_INITIAL = (0, _ALL_COLUMNS, 0, 0, 0)


def initial_state():
    return _INITIAL


def current_player(state):
    return state[0]


def legal_actions(state):
    return [*state[1]]


def chance_outcomes(state):
    return []


def apply_action(state, action):
    player, legal, heights, x, o = state
    bit, grow, top, mask1, wins1, mask2, wins2 = _CELLS[action][heights >> 3 * action & 7]
    if player:
        o |= bit
        if o & mask1 in wins1 or o & mask2 in wins2:
            if top:
                legal = _WITHOUT[action][legal]
            return (-4, legal, 2, x, o)
        if top:
            legal = _WITHOUT[action][legal]
            if not legal:
                return (-4, legal, 0, x, o)
        return (0, legal, heights + grow, x, o)
    x |= bit
    if x & mask1 in wins1 or x & mask2 in wins2:
        if top:
            legal = _WITHOUT[action][legal]
        return (-4, legal, 1, x, o)
    if top:
        legal = _WITHOUT[action][legal]
        if not legal:
            return (-4, legal, 0, x, o)
    return (1, legal, heights + grow, x, o)


def returns(state):
    if state[0] < 0:
        result = state[2]
        if result == 1:
            return [1.0, -1.0]
        if result == 2:
            return [-1.0, 1.0]
    return [0.0, 0.0]


def action_name(state, action):
    player = state[0]
    if player < 0:
        player = bin(state[3] | state[4]).count("1") & 1
    return "xo"[player] + str(action)


def observation(state, player):
    x = state[3]
    o = state[4]
    board = []
    for height in (5, 4, 3, 2, 1, 0):
        row = ""
        for bit in _BIT[height]:
            if x & bit:
                row += "x"
            elif o & bit:
                row += "o"
            else:
                row += "."
        board.append(row)
    return {"board": board}
