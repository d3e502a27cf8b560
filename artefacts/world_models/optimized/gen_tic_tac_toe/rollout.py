import math

import model


def _build_segments(offset):
    # Index: 12 bits of the empty cells; value: for each empty cell, in
    # ascending order, the set of the segments through it.
    table = [[]]
    for i in range(12):
        last = [model._MOVES[offset + i][4]]
        table = table + [entry + last for entry in table]
    return tuple(table)


_SEGMENTS_A = _build_segments(0)
_SEGMENTS_B = _build_segments(12)
_SEGMENTS_C = _build_segments(24)

# Index: number of empty cells with x to move; value: the numbers of empty
# cells before each following move of x and the move of o after it.
_PAIRS = tuple(
    tuple((k, k - 1) for k in range(n, 0, -2))
    for n in range(model._CELLS + 1)
)

# The same result for numbers >= 0; floor is the cheaper call on CPython.
_INDEX = math.floor if repr(list.append).startswith("<method") else int


def rollout(state, rand):
    player, ea, eb, ec, _, x1, x2, o1, o2 = state
    segments = _SEGMENTS_A[ea] + _SEGMENTS_B[eb] + _SEGMENTS_C[ec]
    n = len(segments)
    pop = segments.pop
    index = _INDEX
    if player:
        seg = pop(index(rand() * n))
        carry = seg & o1
        if carry & o2:
            return [-1.0, 1.0]
        o1 ^= seg
        o2 ^= carry
        n -= 1
    for n, m in _PAIRS[n]:
        seg = pop(index(rand() * n))
        carry = seg & x1
        if carry & x2:
            return [1.0, -1.0]
        x1 ^= seg
        x2 ^= carry

        seg = pop(index(rand() * m))
        carry = seg & o1
        if carry & o2:
            return [-1.0, 1.0]
        o1 ^= seg
        o2 ^= carry
    return [0.0, 0.0]
