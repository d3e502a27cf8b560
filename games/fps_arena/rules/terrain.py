"""Maps of `fps_arena` from a seed: floor, low cover and walls.

The games of PORTAL (Xu et al. 2025) are in three dimensions. Ours is seen from above, with heights: a wall
stops steps, sight and shots; low cover stops steps, and shots at a soldier that crouches behind it, see
`engine`.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Callable

import numpy as np

FLOOR, LOW, WALL = range(3)
"""The heights of a cell."""

_CENTRE_RADIUS = 3.6
"""Around the middle of the map all is floor, where the control point is."""
_SMALLEST_CAVE = 14
_LOW_COVER = {"rooms": 0.025, "corridors": 0.12, "caves": 0.025, "open": 0.05}
"""Pieces of low cover that are tried, for each cell of the map."""


def generate(kind: str, size: int, seed: int, symmetric: bool) -> np.ndarray:
    """Returns a map, connected, with walls around it.

    Args:
      kind: `rooms` (walls with doors), `corridors` (a maze with loops, 3 cells wide), `caves` (natural
        shapes), `open` (blocks and much low cover).
      size: length of a side in cells, at least 16.
      seed: 0 or more; the same map for the same arguments.
      symmetric: whether half a turn leaves the map as it is, so that it is fair to two teams.

    Returns:
      Heights, uint8 of shape (size, size), as [y, x].
    """
    rng = random.Random(f"{kind} {size} {seed} {symmetric}")
    heights = _KINDS[kind](size, rng)
    heights[[0, -1], :] = heights[:, [0, -1]] = WALL
    if symmetric:
        _mirror(heights)
    ys, xs = np.mgrid[:size, :size]
    middle = (size - 1) / 2
    heights[(xs - middle) ** 2 + (ys - middle) ** 2 <= _CENTRE_RADIUS**2] = FLOOR
    _connect(heights, rng, symmetric)
    _place_low_cover(heights, rng, _LOW_COVER[kind], symmetric)
    return heights


def _mirror(heights: np.ndarray) -> None:
    """Makes the second half the first one, turned by half a turn."""
    flat = heights.reshape(-1)
    half = flat.size // 2
    flat[flat.size - half :] = flat[:half][::-1]


def _rooms(size: int, rng: random.Random) -> np.ndarray:
    heights = np.full((size, size), FLOOR, np.uint8)
    areas = [(1, 1, size - 1, size - 1)]
    while areas:
        left, top, right, bottom = areas.pop()
        wide, high = right - left, bottom - top
        if max(wide, high) < 11 or (max(wide, high) < 14 and rng.random() < 0.3):
            continue
        across = wide > high if wide != high else rng.random() < 0.5
        low, high_end = (left, right) if across else (top, bottom)
        cut = rng.randrange(low + 4, high_end - 4)
        start, stop = (top, bottom) if across else (left, right)
        wall = heights[start:stop, cut] if across else heights[cut, start:stop]
        wall[:] = WALL
        for number in range(1 + (stop - start) // 9):
            width = rng.choice((2, 2, 3))
            door = rng.randrange(0, max(1, stop - start - width))
            wall[door : door + width] = FLOOR
        if across:
            areas += [(left, top, cut, bottom), (cut + 1, top, right, bottom)]
        else:
            areas += [(left, top, right, cut), (left, cut + 1, right, bottom)]
    return heights


def _corridors(size: int, rng: random.Random) -> np.ndarray:
    pitch = 5
    count = (size - 2) // pitch
    margin = (size - count * pitch) // 2
    heights = np.full((size, size), WALL, np.uint8)
    joined: set[tuple[tuple[int, int], tuple[int, int]]] = set()
    start = (rng.randrange(count), rng.randrange(count))
    seen, stack = {start}, [start]
    while stack:
        x, y = stack[-1]
        ways = [
            (x + dx, y + dy)
            for dx, dy in ((0, 1), (1, 0), (0, -1), (-1, 0))
            if 0 <= x + dx < count and 0 <= y + dy < count and (x + dx, y + dy) not in seen
        ]
        if not ways:
            stack.pop()
            continue
        there = rng.choice(ways)
        joined.add(((x, y), there))
        seen.add(there)
        stack.append(there)
    for x in range(count):
        for y in range(count):
            for there in ((x + 1, y), (x, y + 1)):
                if max(there) < count and rng.random() < 0.3:
                    joined.add(((x, y), there))
    for here, there in joined:
        (left, top), (right, bottom) = sorted((here, there))
        heights[
            margin + 1 + top * pitch : margin + 4 + bottom * pitch,
            margin + 1 + left * pitch : margin + 4 + right * pitch,
        ] = FLOOR
    return heights


def _caves(size: int, rng: random.Random) -> np.ndarray:
    rock = np.array([[rng.random() < 0.43 for _ in range(size)] for _ in range(size)])
    for _ in range(4):
        padded = np.pad(rock, 1, constant_values=True).astype(np.int8)
        around = sum(
            padded[1 + dy : 1 + dy + size, 1 + dx : 1 + dx + size] for dx in (-1, 0, 1) for dy in (-1, 0, 1)
        )
        rock = around >= 5
    return np.where(rock, WALL, FLOOR).astype(np.uint8)


def _open(size: int, rng: random.Random) -> np.ndarray:
    heights = np.full((size, size), FLOOR, np.uint8)
    for _ in range(size * size // 60):
        wide, high = rng.choice(((1, 1), (2, 2), (1, 3), (3, 1), (2, 3), (4, 1), (1, 4)))
        x, y = rng.randrange(2, size - wide - 1), rng.randrange(2, size - high - 1)
        heights[y : y + high, x : x + wide] = WALL
    return heights


_KINDS: dict[str, Callable[[int, random.Random], np.ndarray]] = {
    "rooms": _rooms,
    "corridors": _corridors,
    "caves": _caves,
    "open": _open,
}


def _component(heights: np.ndarray, x: int, y: int) -> set[tuple[int, int]]:
    """Returns the floor that can be reached from (x, y) without diagonal steps."""
    seen, queue = {(x, y)}, deque([(x, y)])
    while queue:
        x, y = queue.popleft()
        for cell in ((x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)):
            if heights[cell[1], cell[0]] == FLOOR and cell not in seen:
                seen.add(cell)
                queue.append(cell)
    return seen


def _connect(heights: np.ndarray, rng: random.Random, symmetric: bool) -> None:
    """Digs tunnels to the middle from large parts that are cut off, and fills small ones."""
    size = len(heights)
    middle = size // 2
    connected = _component(heights, middle, middle)
    for y in range(1, size - 1):
        for x in range(1, size - 1):
            if heights[y, x] != FLOOR or (x, y) in connected:
                continue
            part = _component(heights, x, y)
            if len(part) < _SMALLEST_CAVE:
                for cell in part:
                    _set(heights, *cell, WALL, symmetric)
                continue
            nearest = min(part, key=lambda cell: (abs(cell[0] - middle) + abs(cell[1] - middle), cell))
            _dig(heights, *nearest, across_first=rng.random() < 0.5, symmetric=symmetric)
            connected = _component(heights, middle, middle)


def _set(heights: np.ndarray, x: int, y: int, height: int, symmetric: bool) -> None:
    last = len(heights) - 1
    heights[y, x] = height
    if symmetric:
        heights[last - y, last - x] = height


def _dig(heights: np.ndarray, x: int, y: int, across_first: bool, symmetric: bool) -> None:
    """Digs a tunnel of width 2 from (x, y) to the middle, with one bend."""
    size = len(heights)
    middle = size // 2
    bend = (middle, y) if across_first else (x, middle)
    for (x1, y1), (x2, y2) in (((x, y), bend), (bend, (middle, middle))):
        for tx in range(min(x1, x2), max(x1, x2) + 2):
            for ty in range(min(y1, y2), max(y1, y2) + 2):
                if tx < size - 1 and ty < size - 1:
                    _set(heights, tx, ty, FLOOR, symmetric)


def _place_low_cover(heights: np.ndarray, rng: random.Random, share: float, symmetric: bool) -> None:
    """Puts pieces of low cover where all cells around them are floor, so that nothing is cut off."""
    size = len(heights)
    middle = (size - 1) / 2
    for _ in range(int(share * size * size)):
        wide, high = rng.choice(((1, 1), (2, 1), (1, 2), (3, 1), (1, 3)))
        x, y = rng.randrange(2, size - 1 - wide), rng.randrange(2, size - 1 - high)
        spot = (slice(y - 1, y + high + 1), slice(x - 1, x + wide + 1))
        near = any(
            (cx - middle) ** 2 + (cy - middle) ** 2 <= _CENTRE_RADIUS**2
            for cx in range(x, x + wide)
            for cy in range(y, y + high)
        )
        if near or (heights[spot] != FLOOR).any():
            continue
        before = heights.copy()
        for cx in range(x, x + wide):
            for cy in range(y, y + high):
                _set(heights, cx, cy, LOW, symmetric)
        # A piece and its mirror image may touch and close a gap between them.
        ring = heights[spot]
        if (ring[[0, -1], :] != FLOOR).any() or (ring[:, [0, -1]] != FLOOR).any():
            heights[:] = before
