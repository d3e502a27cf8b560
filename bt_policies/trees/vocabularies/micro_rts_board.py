"""The position that the words of micro_rts look at: a view of the game, read into units, places and ways."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

import pyspiel

from games.micro_rts.rules.orders import DIRECTIONS, OFFSETS
from games.seeing.views import View, view_of

_HARMLESS = ("Base", "Barracks", "Resource")


class Kind(NamedTuple):
    """A type of unit as the game's unit table has it: its cost, hit points, and range of attack (0 for
    none).
    """

    cost: int
    hp: int
    range: int


def kinds_of(game: pyspiel.Game) -> dict[str, Kind]:
    """Returns by name the types of units that can be made, from the game's rules as its view tells them."""
    return {
        row["name"]: Kind(int(row["cost"]), int(row["hp"]), 0 if row["range"] == "-" else int(row["range"]))
        for row in view_of(game).terms(game)["units"]
        if row["name"] != "Resource"
    }


class Unit:
    """A unit of the view: `id`, `type`, `owner`, `x`, `y`, `hp`, `carried` and `order` as the view has
    them."""

    __slots__ = ("id", "type", "owner", "x", "y", "hp", "carried", "order")

    def __init__(self, seen: dict[str, Any]):
        for field in self.__slots__:
            setattr(self, field, seen[field])

    @property
    def label(self) -> str:
        """The name that actions give it."""
        return f"{self.type} ({self.x}, {self.y})"


class Battle:
    """One tick as one player sees it.

    Attributes:
      me: the unit that is asked; set by `ask`.
      money: own resources that no order of this tick's list has spent yet.
      legal: names of the legal actions.
      kinds: the game's types of units, see `kinds_of`.
      tick, max_cycles: as in the view.

    Args:
      view: the view of the player to move.
      kinds: see above.
    """

    def __init__(self, view: View, kinds: Mapping[str, Kind]):
        self.kinds = kinds
        data = view.data
        self.tick, self.max_cycles, self.legal = data["tick"], data["max_cycles"], frozenset(view.legal)
        self._units = {unit["id"]: Unit(unit) for unit in data["units"]}
        self._rows = data["board"]
        self._orders = [(self._units[unit_id], order) for unit_id, order in data["listed"]]
        self.money = data["bank"] - sum(
            kinds[order.split()[1]].cost for _, order in self._orders if order.startswith("produce")
        )
        self.me: Any = None

    def ask(self, unit_id: int) -> None:
        """Makes this unit the one that is asked."""
        self.me = self._units[unit_id]
        self.__dict__.pop("_steps", None)

    def mine(self, *kinds: str) -> list[Unit]:
        """Returns own units of these types, or all of them, the oldest first."""
        return self._of("own", kinds)

    def enemies(self, *kinds: str) -> list[Unit]:
        """Returns the opponent's units of these types, or all of them."""
        return self._of("opponent", kinds)

    def fields(self) -> list[Unit]:
        """Returns the resource fields."""
        return self._of(None, ())

    def _of(self, owner: str | None, kinds: tuple[str, ...]) -> list[Unit]:
        return [
            unit for unit in self._units.values() if unit.owner == owner and (not kinds or unit.type in kinds)
        ]

    def making(self, kind: str) -> int:
        """Returns the number of units of a type that are being made, or ordered in this tick, by own units."""
        jobs = [unit.order or "" for unit in self.mine()] + [order for _, order in self._orders]
        return sum(order.startswith(f"produce {kind} ") for order in jobs)

    def in_range(self, unit: Unit, other: Unit) -> bool:
        """Returns whether `unit` could hit `other` where both stand."""
        reach = self.kinds[unit.type].range
        return 0 < (unit.x - other.x) ** 2 + (unit.y - other.y) ** 2 <= reach * reach

    @staticmethod
    def distance(unit: Unit, other: Unit) -> int:
        """Returns the steps between two units if nothing is in the way."""
        return abs(unit.x - other.x) + abs(unit.y - other.y)

    def near(self, unit: Unit, steps: int) -> bool:
        """Returns whether an enemy that can fight is that near."""
        return any(
            self.distance(unit, enemy) <= steps for enemy in self.enemies() if enemy.type not in _HARMLESS
        )

    def nearest(self, units: Iterable[Unit]) -> Unit | None:
        """Returns the one nearest to me, the oldest of several; None for none."""
        return min(units, key=lambda unit: (self.distance(self.me, unit), unit.id), default=None)

    def intruder(self) -> Unit | None:
        """Returns the enemy that can fight and is nearest to one of my bases; None without base or enemy."""
        bases = self.mine("Base")
        fighters = [enemy for enemy in self.enemies() if enemy.type not in _HARMLESS]
        return (
            min(
                fighters,
                key=lambda enemy: (min(self.distance(base, enemy) for base in bases), enemy.id),
                default=None,
            )
            if bases
            else None
        )

    def side(self, other: Unit) -> str | None:
        """Returns the direction in which `other` is my neighbour, or None."""
        offset = (other.x - self.me.x, other.y - self.me.y)
        return DIRECTIONS[OFFSETS.index(offset)] if offset in OFFSETS else None

    @cached_property
    def _taken(self) -> set[tuple[int, int]]:
        """The cells that jobs or orders of this tick's list will fill."""
        orders = [(unit, unit.order) for unit in self._units.values() if unit.order] + self._orders
        taken = set()
        for unit, order in orders:
            kind, *_, last = order.split()
            if kind in ("move", "produce"):
                dx, dy = OFFSETS[DIRECTIONS.index(last)]
                taken.add((unit.x + dx, unit.y + dy))
        return taken

    def _free(self, x: int, y: int) -> bool:
        return 0 <= y < len(self._rows) and 0 <= x < len(self._rows[0]) and self._rows[y][x] == "."

    @cached_property
    def _steps(self) -> dict[str, tuple[int, int]]:
        """The directions that I can step into, with the cell there."""
        cells = {
            direction: (self.me.x + dx, self.me.y + dy) for direction, (dx, dy) in zip(DIRECTIONS, OFFSETS)
        }
        return {
            direction: cell
            for direction, cell in cells.items()
            if self._free(*cell) and cell not in self._taken
        }

    def open_sides(self) -> list[str]:
        """Returns the directions of free cells beside me, those farthest from resource fields first: what is
        made must not stand in the harvesters' way.
        """
        fields = self.fields()

        def room(direction: str) -> int:
            x, y = self._steps[direction]
            return -min((abs(field.x - x) + abs(field.y - y) for field in fields), default=0)

        return sorted(self._steps, key=room)

    def step_beside(self, target: Unit) -> str | None:
        """Returns the move on a shortest free way to a cell beside the target, as an order's words; None for
        none.
        """
        goals = {(target.x + dx, target.y + dy) for dx, dy in OFFSETS}
        starts = [(cell, direction) for direction, cell in self._steps.items()]
        reached = {cell for cell, _ in starts}
        queue = deque(starts)
        while queue:
            (x, y), direction = queue.popleft()
            if (x, y) in goals:
                return f"move {direction}"
            for dx, dy in OFFSETS:
                cell = (x + dx, y + dy)
                if cell not in reached and self._free(*cell):
                    reached.add(cell)
                    queue.append((cell, direction))
        return None

    def step_away(self, target: Unit) -> str | None:
        """Returns the move that brings most distance from the target, as an order's words; None where none
        does.
        """
        now = self.distance(self.me, target)
        far = {direction: abs(x - target.x) + abs(y - target.y) for direction, (x, y) in self._steps.items()}
        best = max(far, key=far.__getitem__, default=None)
        return f"move {best}" if best is not None and far[best] > now else None
