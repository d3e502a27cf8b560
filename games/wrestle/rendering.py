"""The view of a player of wrestle: 40x40 pixels that turn with its disc.

A pixel is 5x5 units. The view reaches 160 ahead of the own centre, 40 behind and 100 to each side; row 0 is
farthest ahead, column 0 leftmost. Below, *ahead* and *left* are coordinates of that frame, with the own
centre at (0, 0); pixel (i, j) is sampled at ahead = 157.5 - 5i, left = 97.5 - 5j.

One deviation from the engine: it draws a line from the end that CPython's hash order puts first, this module
from the end met first on the way around the view. By that 33 of the 304 views in the recorded games differ, in
8 pixels of 1600 on average, and none by anything else.

Plain Python 3.9 without imports beyond the standard library, so that PyPy runs it too.
"""

from __future__ import annotations

import math

from games.wrestle.physics import CENTRE, DISC_RADIUS, RING_RADIUS, World

SIZE = 40
"""The number of rows and of columns of a view."""
EMPTY, RING, GREY, BLUE, RED = 0, 1, 4, 8, 10
"""The codes of a view's pixels. The platform's sky blue, 2, does not occur in this game."""
DISC_CODES = (RED, BLUE)
"""The codes of the discs of player 0 (`team_0`) and player 1 (`team_1`)."""

_PIXEL = 5.0
_FIRST_AHEAD = 157.5
_FIRST_LEFT = 97.5
_LAST = 195.0
"""The place where the last column is sampled, in units to the right of column 0."""
_LINE = 2.5
"""Half the width of a ring's line."""
_INNER_RADIUS = 50.0
_REACH = 100 * math.sqrt(2)
_CULLING_AHEAD = 80.0
"""The engine leaves out things far from a point this far ahead, though the view's centre is at 60: so things
near a rear corner can be missing."""
_FRONT, _REAR, _SIDE = 160.0, -40.0, 100.0
_SIDES = (
    ((_REAR, -_SIDE), (0.0, 2 * _SIDE)),
    ((_REAR, _SIDE), (_FRONT - _REAR, 0.0)),
    ((_FRONT, _SIDE), (0.0, -2 * _SIDE)),
    ((_FRONT, -_SIDE), (_REAR - _FRONT, 0.0)),
)
"""The view's sides as (corner, vector), in coordinates (ahead, right)."""
_CROSS = ((140.0, 350.0, 460.0, 350.0), (300.0, 190.0, 300.0, 510.0))
_LAST_ROW = SIZE * (SIZE - 1)
_RUNS = {code: bytes([code]) * SIZE for code in (RING, GREY, BLUE, RED)}
_TO_TEXT = bytes.maketrans(bytes((EMPTY, RING, GREY, BLUE, RED)), b".148a")
_FROM_TEXT = bytes.maketrans(b".148a", bytes((EMPTY, RING, GREY, BLUE, RED)))

_Point = tuple[float, float]


def _fill(view: bytearray, row: int, start: float, end: float, code: int) -> None:
    """Fills the pixels of a row whose sampled points lie from `start` to `end`, in units to the right of
    column 0. Some of the row must lie there."""
    first, last = math.ceil(start / _PIXEL), math.floor(end / _PIXEL) + 1
    if first < 0:
        first = 0
    if last > SIZE:
        last = SIZE
    if first < last:
        view[row * SIZE + first : row * SIZE + last] = _RUNS[code][: last - first]


def _disc(view: bytearray, ahead: float, left: float, code: int) -> None:
    """Fills the pixels whose sampled point lies in the disc with this centre."""
    middle = _FIRST_LEFT - left
    if not -DISC_RADIUS <= middle <= _LAST + DISC_RADIUS:
        return
    top = max(math.ceil((_FIRST_AHEAD - ahead - DISC_RADIUS) / _PIXEL), 0)
    bottom = min(math.floor((_FIRST_AHEAD - ahead + DISC_RADIUS) / _PIXEL), SIZE - 1)
    for row in range(top, bottom + 1):
        away = _FIRST_AHEAD - _PIXEL * row - ahead
        half = math.sqrt(max(DISC_RADIUS * DISC_RADIUS - away * away, 0.0))
        _fill(view, row, middle - half, middle + half, code)


def _circle(view: bytearray, ahead: float, left: float, radius: float, code: int) -> None:
    """Fills the pixels whose sampled point lies on the line of this circle."""
    outer, inner = radius + _LINE, radius - _LINE
    outer2, inner2 = outer * outer, inner * inner
    middle = _FIRST_LEFT - left
    widest = max(abs(middle), abs(middle - _LAST))
    inside2 = inner2 - widest * widest
    top = max(math.ceil((_FIRST_AHEAD - ahead - outer) / _PIXEL), 0)
    bottom = min(math.floor((_FIRST_AHEAD - ahead + outer) / _PIXEL), SIZE - 1)
    for row in range(top, bottom + 1):
        away = _FIRST_AHEAD - _PIXEL * row - ahead
        away2 = away * away
        if away2 < inside2:
            continue  # the whole row is inside
        high = math.sqrt(max(outer2 - away2, 0.0))  # rounding at the edge
        if middle + high < 0 or middle - high > _LAST:
            continue
        if away2 >= inner2:
            _fill(view, row, middle - high, middle + high, code)
            continue
        low = math.sqrt(inner2 - away2)
        if middle - low >= 0:
            _fill(view, row, middle - high, middle - low, code)
        if middle + low <= _LAST:
            _fill(view, row, middle + low, middle + high, code)


def _is_inside(point: _Point) -> bool:
    return _REAR < point[0] < _FRONT and -_SIDE < point[1] < _SIDE


def _clipped(start: _Point, end: _Point) -> list[_Point]:
    """Returns the ends of the part of a line that lies in the view: two points, one where it only touches, or
    none.
    """
    sx, sy = end[0] - start[0], end[1] - start[1]
    met: list[_Point] = []
    for corner, (rx, ry) in _SIDES:
        cross = rx * sy - ry * sx
        if cross == 0:
            continue
        qx, qy = start[0] - corner[0], start[1] - corner[1]
        t = (qx * sy - qy * sx) / cross
        if 0 <= t <= 1 and 0 <= (qx * ry - qy * rx) / cross <= 1:
            point = corner[0] + t * rx, corner[1] + t * ry
            if point not in met:
                met.append(point)
    inside = [point for point in (start, end) if _is_inside(point)]
    if len(met) > 2:
        return []  # a diagonal: the engine draws nothing
    if len(met) == 2:
        return met
    if met:
        return met + inside[:1]
    return inside if len(inside) == 2 else []


def _walk(view: bytearray, ends: list[_Point]) -> None:
    """Draws the line between the ends, both belonging to the view."""
    x, y = (ends[0][0] - _REAR) / _PIXEL - 0.5, (ends[0][1] + _SIDE) / _PIXEL - 0.5
    dx, dy = (ends[-1][0] - ends[0][0]) / _PIXEL, (ends[-1][1] - ends[0][1]) / _PIXEL
    length = max(abs(dx), abs(dy))
    if length == 0:
        # As in the engine: a lone pixel in the colour of the ring.
        view[_LAST_ROW - SIZE * int(x) + int(y)] = RING
        return
    dx /= length
    dy /= length
    for _ in range(int(length + 1)):
        view[_LAST_ROW - SIZE * int(x) + int(y)] = GREY
        x += dx
        y += dy


def _own_disc() -> list[tuple[int, int]]:
    """Returns the runs of pixels of the own disc, as (start, end)."""
    view = bytearray(SIZE * SIZE)
    _disc(view, 0.0, 0.0, RED)
    edges = [at for at in range(1, len(view)) if view[at] != view[at - 1]]
    return list(zip(edges[::2], edges[1::2]))


_OWN_DISC = _own_disc()


def render(world: World, player: int) -> bytearray:
    """Returns the codes of the view of `player`, row by row; 1600 bytes."""
    own, other = world.discs[player], world.discs[1 - player]
    angle = own.heading * math.pi / 180
    cos, sin = math.cos(angle), math.sin(angle)

    def seen(x: float, y: float) -> _Point:
        dx, dy = x - own.x, y - own.y
        return dx * cos + dy * sin, dy * cos - dx * sin  # ahead, right

    view = bytearray(SIZE * SIZE)
    # Painted from the back: the engine draws the circles last, but only where nothing is.
    ahead, right = seen(*CENTRE)
    distance = math.hypot(ahead - _CULLING_AHEAD, right)
    if distance <= _REACH + RING_RADIUS:
        _circle(view, ahead, -right, RING_RADIUS, RING)
    if distance <= _REACH + _INNER_RADIUS:
        _circle(view, ahead, -right, _INNER_RADIUS, GREY)
    horizontal = abs(own.y + _CULLING_AHEAD * sin - CENTRE[1])
    vertical = abs(own.x + _CULLING_AHEAD * cos - CENTRE[0])
    for away, (x0, y0, x1, y1) in zip((horizontal, vertical), _CROSS):
        if away <= _REACH:
            ends = _clipped(seen(x0, y0), seen(x1, y1))
            if ends:
                _walk(view, ends)
    ahead, right = seen(other.x, other.y)
    if math.hypot(ahead - _CULLING_AHEAD, right) <= _REACH + DISC_RADIUS:
        _disc(view, ahead, -right, DISC_CODES[1 - player])
    for start, end in _OWN_DISC:
        view[start:end] = _RUNS[DISC_CODES[player]][: end - start]
    return view


def to_text(view: bytearray) -> str:
    """Returns a view as 1600 characters: `.` for 0, `1`, `4`, `8`, `a` for 10."""
    return view.translate(_TO_TEXT).decode("ascii")


def to_rows(text: str) -> list[list[int]]:
    """Returns the 40 rows of codes that 1600 characters of `to_text` stand for."""
    codes = text.encode("ascii").translate(_FROM_TEXT)
    return [list(codes[start : start + SIZE]) for start in range(0, SIZE * SIZE, SIZE)]
