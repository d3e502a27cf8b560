"""The knowledge that a soldier of fps_arena has of the cells around it, as inputs of networks.

Everything comes from the soldier's observation: the map, enemies in view, and enemies remembered.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from games.fps_arena.rules import weapons
from games.fps_arena.rules.maps import Arena
from games.fps_arena.rules.orders import DIRECTIONS
from games.fps_arena.rules.terrain import LOW

_FAR, _REMEMBERED, _RECENT = 18.0, 4, 12
"""The cells that distances are shares of; the number of remembered enemies that count; the number of recent
ticks.
"""
CELL_FEATURES = (
    "steps",
    "fire",
    "fire_in_view",
    "fire_remembered",
    "fire_on_way",
    "fire_in_view_on_way",
    "fire_remembered_on_way",
    "lines",
    "covered",
    "distance_to_visible",
    "distance_to_remembered",
    "open_neighbours",
    "distance_to_place",
    "seen_from_place",
    "health",
    "visible_enemies",
    "remembered_enemies",
    "hit_recently",
)
"""The features of a cell: `fire` is the damage in a tick that enemies in view would do there on average, as a
share of full health; `in_view` counts those only that look there now; `on_way` sums it over the steps to the
cell. `place` is the task's parameter.
"""


class Near(NamedTuple):
    """The cells within some steps of a cell, in the order of their distance.

    Attributes:
      cells: numbers; the first one is the cell itself.
      steps, moves, parents: for each the steps to it, the first move of a shortest way, and the position
        here of the cell before it on that way.
      levels: the slice of the cells that are 1, 2, ... steps away.
      xs, ys, open: coordinates, and the share of neighbours that can be entered.
    """

    cells: np.ndarray
    steps: np.ndarray
    moves: np.ndarray
    parents: np.ndarray
    levels: tuple[slice, ...]
    xs: np.ndarray
    ys: np.ndarray
    open: np.ndarray


_known: weakref.WeakKeyDictionary[Arena, dict[Any, Any]] = weakref.WeakKeyDictionary()


def near(arena: Arena, cell: int, reach: int) -> Near:
    """Returns the cells within `reach` steps; computed once for each map."""
    table = _known.setdefault(arena, {})
    if (cell, reach) not in table:
        table[cell, reach] = _near(arena, cell, reach)
    return table[cell, reach]


def _near(arena: Arena, cell: int, reach: int) -> Near:
    cells, moves, parents, levels = [cell], [0], [0], []
    reached, start = {cell}, 0
    for _ in range(reach):
        end = len(cells)
        for position in range(start, end):
            for move, there in enumerate(arena.neighbours[cells[position]]):
                if there >= 0 and there not in reached:
                    reached.add(there)
                    cells.append(there)
                    moves.append(moves[position] or move)
                    parents.append(position)
        levels.append(slice(end, len(cells)))
        start = end
    steps = np.zeros(len(cells))
    for number, level in enumerate(levels, start=1):
        steps[level] = number
    found = np.array(cells)
    free = np.array([sum(there >= 0 for there in arena.neighbours[each]) - 1 for each in cells]) / 8
    return Near(
        found,
        steps,
        np.array(moves),
        np.array(parents),
        tuple(levels),
        found % arena.size,
        found // arena.size,
        free,
    )


def _heights(arena: Arena) -> np.ndarray:
    table = _known.setdefault(arena, {})
    if "heights" not in table:
        table["heights"] = np.frombuffer(arena.heights, np.uint8)
    return table["heights"]


_BESIDE = np.array(DIRECTIONS)


def _fire(seen: Any, around: Near, cell: int, weapon: int) -> tuple[np.ndarray, ...]:
    """Returns (line, fire, covered, distance) of each cell for an enemy that stands in `cell`: whether it has
    a line to it, the mean damage in a tick there, whether low cover helps, and how far it is.
    """
    size, rules = seen.rules.size, seen.rules
    dx, dy = cell % size - around.xs, cell // size - around.ys
    distance = np.sqrt(dx * dx + dy * dy)
    kind = rules.weapons[weapon]
    width = math.tan(math.radians(min(89.9, kind.spread * rules.target_spread)))
    chance = np.minimum(1.0, weapons.HALF_WIDTH / np.maximum(1e-3, distance * width))
    chance[distance > kind.range] = 0
    towards = np.rint(np.arctan2(dx, -dy) / (math.pi / 4)).astype(int) % 8
    beside = around.cells + _BESIDE[towards, 1] * size + _BESIDE[towards, 0]
    covered = (_heights(seen.arena)[beside] == LOW) & (np.maximum(abs(dx), abs(dy)) > rules.cover_distance)
    view = np.frombuffer(seen.arena.view(seen.arena.nearest_floor(cell)), np.uint8)[around.cells]
    line = view != 0
    damage = kind.damage * kind.pellets / kind.cooldown / rules.health
    return view, line * chance * np.where(covered, 1 - rules.cover, 1.0) * damage, covered & line, distance


def _on_way(around: Near, here: np.ndarray) -> np.ndarray:
    """Sums over the cells of the way to each cell, itself included, the first one not."""
    total = np.zeros(len(here))
    for level in around.levels:
        total[level] = total[around.parents[level]] + here[level]
    return total


def cell_rows(seen: Any, around: Near, place: int) -> np.ndarray:
    """Returns `CELL_FEATURES` of the cells around, shape (cells, features).

    Args:
      seen: the observation.
      around: the surroundings of the soldier's own cell.
      place: the parameter of the task.
    """
    count = len(around.cells)
    rows = np.zeros((count, len(CELL_FEATURES)))
    fire, looking, remembered, lines, cover = np.zeros((5, count))
    nearest, nearest_remembered = np.full(count, _FAR), np.full(count, _FAR)
    for enemy in seen.visible_enemies:
        view, rate, covered, distance = _fire(seen, around, enemy.cell, enemy.weapon)
        fire += rate
        looking += rate * (view >> enemy.facing & 1)
        lines += view != 0
        cover += covered
        nearest = np.minimum(nearest, distance)
    told: Sequence[Any] = seen.remembered_enemies[:_REMEMBERED]
    for enemy in told:
        view, rate, covered, distance = _fire(seen, around, enemy.cell, weapons.RIFLE)
        fresh = 1 - enemy.age / (seen.rules.memory_ticks + 1)
        remembered += fresh * rate
        lines += fresh * (view != 0)
        nearest_remembered = np.minimum(nearest_remembered, distance)
    size = seen.rules.size
    seen_from = np.frombuffer(seen.arena.view(seen.arena.nearest_floor(place)), np.uint8)[around.cells]
    hurt = seen.hurt
    columns = (
        around.steps / 8,
        10 * fire,
        10 * looking,
        10 * remembered,
        _on_way(around, 10 * fire),
        _on_way(around, 10 * looking),
        _on_way(around, 10 * remembered),
        lines,
        cover,
        nearest / _FAR,
        nearest_remembered / _FAR,
        around.open,
        np.hypot(place % size - around.xs, place // size - around.ys) / _FAR,
        seen_from != 0,
        seen.health / seen.max_health,
        len(seen.visible_enemies) / 4,
        len(told) / 4,
        hurt is not None and hurt.age <= _RECENT,
    )
    for number, column in enumerate(columns):
        rows[:, number] = column
    return rows
