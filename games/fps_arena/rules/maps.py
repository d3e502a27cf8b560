"""Tables of a map, computed once: neighbours, lines of sight, walking distances, bases and pick-ups.

Lines run from the middle of a cell to the middle of another; a wall blocks a line that passes through its
inside (touching a corner does not count), so that sight is mutual. All tables are filled on first use.
"""

from __future__ import annotations

import array
import functools
import math
import random
from typing import NamedTuple

import numpy as np

from games.fps_arena.rules import terrain
from games.fps_arena.rules.orders import DIRECTIONS
from games.fps_arena.rules.parameters import Rules

FAR = 1 << 13
"""A number of steps that is larger than any on a map."""

PICKUP_KINDS = ("health", "ammo", "shotgun", "sniper")
_PICKUP_CYCLE = ("health", "ammo", "shotgun", "health", "ammo", "sniper")
_BASE_CELLS = 8
_NEAR = 1.5
"""The distance in cells within which soldiers notice others, in whatever direction they look."""


class PickupSpot(NamedTuple):
    """A place where something can be picked up: its cell and kind, one of `PICKUP_KINDS`."""

    cell: int
    kind: str


class _Rays(NamedTuple):
    """The offsets within sight: all cells that lines to them pass, and the facings in which they are in
    view.
    """

    targets: np.ndarray  # (offsets,), flat offsets in a padded map
    passed: np.ndarray  # (offsets, longest line), the same, 0 where the line is shorter
    cones: np.ndarray  # (offsets,), a bit for each facing


def line(dx: int, dy: int) -> list[tuple[int, int]]:
    """Returns the offsets of the cells whose inside the line from (0, 0) to (dx, dy) passes, both ends left
    out.
    """
    wide, high = abs(dx), abs(dy)
    step_x, step_y = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
    x = y = 0
    passed = []
    while x < wide or y < high:
        # Where the line leaves the cell: at the side, at the top, or exactly in the corner.
        side, top = (2 * x + 1) * high, (2 * y + 1) * wide
        x, y = x + (side <= top), y + (top <= side)
        passed.append((x * step_x, y * step_y))
    return passed[:-1]


def direction(dx: float, dy: float) -> int:
    """Returns the direction, 0 to 7, nearest to an offset; 0 for no offset."""
    return round(math.atan2(dx, -dy) / (math.pi / 4)) % 8


@functools.lru_cache(maxsize=8)
def _rays(sight: int, fov: int, width: int) -> _Rays:
    """Returns the rays on maps that are padded to `width` cells a row."""
    targets, lines, cones = [], [], []
    for dy in range(-sight, sight + 1):
        for dx in range(-sight, sight + 1):
            distance = math.hypot(dx, dy)
            if distance > sight:
                continue
            bits = 0
            for facing in range(8):
                off = abs((math.degrees(math.atan2(dx, -dy)) - 45 * facing + 180) % 360 - 180)
                bits |= (distance < _NEAR or off <= fov / 2 + 1e-9) << facing
            targets.append(dy * width + dx)
            lines.append([y * width + x for x, y in line(dx, dy)])
            cones.append(bits)
    passed = np.zeros((len(lines), max(1, max(map(len, lines)))), np.int32)
    for row, cells in zip(passed, lines):
        row[: len(cells)] = cells
    return _Rays(np.array(targets, np.int32), passed, np.array(cones, np.uint8))


class Field:
    """The ways to one cell.

    Attributes:
      steps: number of steps from each cell; `FAR` where there is no way.
      moves: for each cell the move, 0 to 8, that leads to it; 0 in the cell itself and without a way.
    """

    __slots__ = ("moves", "steps")

    def __init__(self, steps: np.ndarray, moves: np.ndarray) -> None:
        self.steps = array.array("H", steps.astype(np.uint16).tobytes())
        self.moves = moves.tobytes()


class Arena:
    """A map with its tables; shared by all states, never changed but for what it has computed.

    Attributes:
      size: length of a side in cells; cell = y * size + x.
      heights: `bytes`, the height of each cell.
      floor: the cells that can be entered, in order.
      neighbours: for each cell the cell that each move leads to, -1 where there is no way; a diagonal
        step needs the floor on both its sides.
      zone: the cells of the control point, and `zone_centre`, one in its middle.
      bases: groups of cells where soldiers return; two with two teams, each team's own, and else at
        least as many as teams.
      pickups: the places where things can be picked up.
    """

    def __init__(self, rules: Rules) -> None:
        size = self.size = rules.size
        heights = terrain.generate(rules.map, size, rules.map_seed, rules.symmetric)
        self._sight, self._fov = rules.sight, rules.fov
        self.heights = heights.tobytes()
        passable = heights.reshape(-1) == terrain.FLOOR
        self.floor = tuple(np.flatnonzero(passable).tolist())
        self._index_neighbours(passable)
        self._walls = np.pad(heights == terrain.WALL, rules.sight, constant_values=True)
        self._views: list[bytes | None] = [None] * (size * size)
        self._fields: dict[int, Field] = {}
        middle = (size - 1) / 2
        near = [(math.hypot(cell % size - middle, cell // size - middle), cell) for cell in self.floor]
        self.zone = frozenset(cell for distance, cell in near if distance <= rules.zone_radius)
        self.zone_centre = min(near)[1]
        rng = random.Random(f"layout {rules.map} {size} {rules.map_seed} {rules.symmetric}")
        self.bases = self._two_bases(rng, rules) if rules.teams == 2 else self._many_bases(rng, rules.teams)
        self.pickups = self._place_pickups(rng, rules)

    def __deepcopy__(self, memo: object) -> Arena:
        return self

    def _index_neighbours(self, passable: np.ndarray) -> None:
        size = self.size
        cells = np.arange(size * size)
        table = np.full((size * size, 9), -1)
        table[:, 0] = cells
        for number, (dx, dy) in enumerate(DIRECTIONS):
            # The border is wall, so that no neighbour of a floor cell leaves the map.
            there, beside, below = (np.roll(passable, -offset) for offset in (dy * size + dx, dx, dy * size))
            table[:, number + 1] = np.where(passable & there & beside & below, cells + dy * size + dx, -1)
        self.neighbours = [tuple(row) for row in table.tolist()]
        self._allowed = [
            sum(1 << cell for cell in np.flatnonzero(table[:, move] >= 0).tolist()) for move in range(1, 9)
        ]
        # Where there is no way, the place after the last cell, which is worth nothing.
        self._to = np.where(table[:, 1:] >= 0, table[:, 1:], size * size).T.copy()
        self._xs, self._ys = cells % size, cells // size

    def view(self, cell: int) -> bytes:
        """Returns for each cell of the map a byte whose bit f says whether a soldier in `cell` that faces
        direction f sees it."""
        known = self._views[cell]
        if known is None:
            known = self._views[cell] = self._look_around(cell)
        return known

    def _look_around(self, cell: int) -> bytes:
        size, sight = self.size, self._sight
        width = size + 2 * sight
        rays = _rays(sight, self._fov, width)
        here = (cell // size + sight) * width + cell % size + sight
        walls = self._walls.reshape(-1)
        clear = ~walls[rays.passed + here].any(axis=1)
        seen = np.zeros(width * width, np.uint8)
        seen[rays.targets + here] = rays.cones * clear
        return seen.reshape(width, width)[sight:-sight, sight:-sight].tobytes()

    def field(self, target: int) -> Field:
        """Returns the ways to `target`, or to the nearest floor where it is none."""
        known = self._fields.get(target)
        if known is None:
            known = self._fields[target] = self._flood(self.nearest_floor(target))
        return known

    def nearest_floor(self, cell: int) -> int:
        """Returns the floor cell nearest to a cell, itself if it is floor; of several the first."""
        if self.heights[cell] == terrain.FLOOR:
            return cell
        size = self.size
        x, y = cell % size, cell // size
        return min(self.floor, key=lambda other: ((other % size - x) ** 2 + (other // size - y) ** 2, other))

    def _flood(self, target: int) -> Field:
        size, cells = self.size, self.size * self.size
        reached = wave = 1 << target
        waves = []
        while wave:
            waves.append(reached)
            following = 0
            for (dx, dy), allowed in zip(DIRECTIONS, self._allowed):
                shift = dy * size + dx
                moved = wave & allowed
                following |= moved << shift if shift > 0 else moved >> -shift
            wave = following & ~reached
            reached |= following
        row = (cells + 7) // 8
        bits = np.frombuffer(b"".join([known.to_bytes(row, "little") for known in waves]), np.uint8)
        within = np.add.reduce(
            np.unpackbits(bits.reshape(len(waves), row), axis=1, count=cells, bitorder="little"),
            axis=0,
            dtype=np.int32,
        )
        steps = len(waves) - within
        steps[within == 0] = FAR
        # Among the shortest ways the one that stays nearest to the straight line looks natural.
        dx, dy = self._xs - target % size, self._ys - target // size
        worth = np.empty(cells + 1, np.int32)
        np.add(steps * (2 * size * size), dx * dx + dy * dy, out=worth[:-1])
        worth[-1] = np.iinfo(np.int32).max
        moves = worth[self._to].argmin(axis=0).astype(np.uint8) + 1
        moves[(within == 0) | (within == len(waves))] = 0
        return Field(steps, moves)

    def _farthest(self, chosen: list[int]) -> int:
        """Returns the floor cell that is farthest, by steps, from all of `chosen`."""
        fields = [self.field(cell).steps for cell in chosen]
        return max(self.floor, key=lambda cell: (min(steps[cell] for steps in fields), -cell))

    def _around(self, cell: int) -> tuple[int, ...]:
        steps = self.field(cell).steps
        return tuple(sorted(self.floor, key=lambda other: (steps[other], other))[:_BASE_CELLS])

    def _two_bases(self, rng: random.Random, rules: Rules) -> tuple[tuple[int, ...], ...]:
        last = self.size * self.size - 1
        if not rules.symmetric:
            first = self._farthest([self.zone_centre])
            return self._around(first), self._around(self._farthest([first]))
        steps = self.field(self.zone_centre).steps
        remote = sorted(self.floor, key=lambda cell: (-steps[cell], cell))[: max(8, len(self.floor) // 6)]
        drawn = rng.sample(remote, 6)
        home = self._around(max(drawn, key=lambda cell: (self.field(last - cell).steps[cell], cell)))
        return home, tuple(last - cell for cell in home)

    def _many_bases(self, rng: random.Random, teams: int) -> tuple[tuple[int, ...], ...]:
        chosen = [self._farthest([rng.choice(self.floor)])]
        while len(chosen) < max(teams, 6):
            chosen.append(self._farthest(chosen))
        return tuple(map(self._around, chosen))

    def _place_pickups(self, rng: random.Random, rules: Rules) -> tuple[PickupSpot, ...]:
        last = self.size * self.size - 1
        homes = {cell for base in self.bases for cell in base}
        free = [cell for cell in self.floor if cell not in homes and cell not in self.zone]
        size = self.size

        def apart(cell: int) -> int:
            return min(
                (cell % size - other % size) ** 2 + (cell // size - other // size) ** 2
                for other in [spot.cell for spot in spots] + [base[0] for base in self.bases]
            )

        paired = rules.symmetric and rules.teams == 2
        spots: list[PickupSpot] = []
        while len(spots) < rules.pickups:
            if not free:
                raise ValueError(
                    f"fps_arena: pickups must be {len(spots)} or less on this map, which has "
                    f"no room for more, got {rules.pickups}."
                )
            cell = max(rng.sample(free, min(len(free), 12)), key=lambda one: (apart(one), one))
            kind = _PICKUP_CYCLE[(len(spots) // 2 if paired else len(spots)) % len(_PICKUP_CYCLE)]
            pair = paired and rules.pickups - len(spots) > 1
            for place in (cell, last - cell) if pair else (cell,):
                spots.append(PickupSpot(place, kind))
                free.remove(place)
        return tuple(spots)


@functools.lru_cache(maxsize=8)
def _arena(rules: Rules) -> Arena:
    return Arena(rules)


def arena_of(rules: Rules) -> Arena:
    """Returns the map of these rules; made once for all games that differ in other respects only."""
    keys = ("map", "size", "map_seed", "symmetric", "sight", "fov", "pickups", "zone_radius")
    parts = {key: getattr(rules, key) for key in keys}
    # The map depends on the number of teams, and not on the players.
    return _arena(Rules(**parts, players=rules.teams, teams=rules.teams))


def forget() -> None:
    """Drops all maps; see `setting.forget`."""
    _arena.cache_clear()
