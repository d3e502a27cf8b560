"""The tools that scripts share: one player's list in the making, ways, and distances.

A `Turn` keeps account of cells and money that running jobs and the list so far have claimed, so that no order
that it accepts clashes with the player's own orders.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from games.micro_rts.rules import orders
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.legal import in_range
from games.micro_rts.rules.orders import Order
from games.micro_rts.rules.units import EMPTY, Unit

_STEPS = (orders.LEFT, orders.UP, orders.DOWN, orders.RIGHT)
"""The directions in which a way may start, in the order that agrees best with the real engine's bots: which of
several shortest ways is taken decides games between deterministic players.
"""


class Way(NamedTuple):
    """A shortest way: the direction of its first step (-1: there already), its length in cells, and the
    cell where it ends."""

    direction: int
    length: int
    end: int


class Turn:
    """One player's list of orders for one tick.

    Attributes:
      state: the state that the orders are for.
      player: the player whose list it is.
      own, enemies, fields: the units of the player, of the opponent, and the resource fields.
      claimed: the cells that running jobs and the list's orders will occupy.
      money: money that the player may still spend.
      listed: the list so far.
    """

    def __init__(self, state: State, player: int):
        self.state, self.player = state, player
        self.own, self.enemies = state.units_of(player), state.units_of(1 - player)
        self.fields = state.units_of(-1)
        self.claimed = {job.cell for job in state.jobs.values() if job.cell >= 0}
        self.money = state.banks[player] - sum(
            job.cost for unit_id, job in state.jobs.items() if state.units[unit_id].player == player
        )
        self.listed: list[tuple[int, Order]] = []
        self._ordered: set[int] = set()

    def free(self, *types: int) -> list[Unit]:
        """Returns own units without job or order, of these types, or of all for none."""
        jobs, ordered = self.state.jobs, self._ordered
        return [
            unit
            for unit in self.own
            if unit.id not in jobs and unit.id not in ordered and (not types or unit.type in types)
        ]

    def distance(self, one: Unit, other: Unit) -> int:
        """Returns the steps between two units if nothing is in the way."""
        return self.state.map.steps(one.cell, other.cell)

    def nearest(self, unit: Unit, others: Iterable[Unit]) -> Unit | None:
        """Returns the one with the least distance, the first in the list among equals; None for none."""
        return min(others, key=lambda other: self.distance(unit, other), default=None)

    def give(self, unit: Unit, order: Order) -> None:
        """Appends an order, and claims the cell and the money that it will take."""
        self.listed.append((unit.id, order))
        self._ordered.add(unit.id)
        if order.kind in (orders.MOVE, orders.PRODUCE):
            self.claimed.add(self.state.map.neighbours[unit.cell][order.arg])
        if order.kind == orders.PRODUCE:
            self.money -= self.state.table[order.type].cost

    def wait_all(self, ticks: int = orders.DEFAULT_WAIT) -> None:
        """Lets all units wait that have no order yet."""
        for unit in self.free():
            self.give(unit, orders.wait(ticks))

    def can_enter(self, cell: int) -> bool:
        """Says whether the cell is free and no unit is on the way to it."""
        return self.state.at[cell] == EMPTY and cell not in self.claimed

    def way(self, unit: Unit, is_end: Callable[[int], bool]) -> Way | None:
        """Returns a shortest way around walls, units and claimed cells to a cell that `is_end`; None for
        none.
        """
        if is_end(unit.cell):
            return Way(-1, 0, unit.cell)
        at, neighbours, claimed = self.state.at, self.state.map.neighbours, self.claimed
        seen = {unit.cell}
        edge = []
        for direction in _STEPS:
            cell = neighbours[unit.cell][direction]
            if at[cell] == EMPTY and cell not in claimed:
                if is_end(cell):
                    return Way(direction, 1, cell)
                seen.add(cell)
                edge.append((cell, direction))
        length = 1
        while edge:
            length += 1
            further = []
            for cell, direction in edge:
                for other in neighbours[cell]:
                    if at[other] == EMPTY and other not in seen and other not in claimed:
                        if is_end(other):
                            return Way(direction, length, other)
                        seen.add(other)
                        further.append((other, direction))
            edge = further
        return None

    def way_beside(self, unit: Unit, others: Iterable[Unit]) -> Way | None:
        """Returns a shortest way to a cell next to one of these units."""
        around = {cell for other in others for cell in self.state.map.neighbours[other.cell]}
        return self.way(unit, around.__contains__)

    def way_in_range(self, unit: Unit, target: Unit) -> Way | None:
        """Returns a shortest way to a cell from which the unit can attack where the target is now."""
        reach = self.state.kind(unit).range ** 2
        positions = self.state.map.positions
        x, y = positions[target.cell]

        def hits(cell: int) -> bool:
            other_x, other_y = positions[cell]
            return (x - other_x) ** 2 + (y - other_y) ** 2 <= reach

        return self.way(unit, hits)

    def step(self, unit: Unit, way: Way | None) -> bool:
        """Orders the first step of a way; False where there is none to take."""
        if way is None or way.direction < 0:
            return False
        self.give(unit, orders.move(way.direction))
        return True

    def direction_of(self, unit: Unit, cell: int) -> int:
        """Returns the direction of a neighbouring cell; -1 if it is none."""
        around = self.state.map.neighbours[unit.cell]
        return around.index(cell) if cell in around else -1

    def attack(self, unit: Unit, target: Unit) -> bool:
        """Attacks, or goes to where it can; False where it cannot."""
        if in_range(self.state, unit, target.cell):
            self.give(unit, orders.attack(target.cell))
            return True
        return self.step(unit, self.way_in_range(unit, target))

    def harvest(self, unit: Unit, fields: Iterable[Unit], stores: Iterable[Unit]) -> bool:
        """Brings the worker's load to the nearest of the stores, or fetches from the nearest of the
        fields, or from any other where there is no way to that one; False where it cannot."""
        goals = list(stores if unit.carried else fields)
        nearest = self.nearest(unit, goals)
        if nearest is None:
            return False
        direction = self.direction_of(unit, nearest.cell)
        if direction >= 0:
            self.give(unit, orders.deliver(direction) if unit.carried else orders.harvest(direction))
            return True
        return self.step(unit, self.way_beside(unit, [nearest])) or self.step(
            unit, self.way_beside(unit, goals)
        )

    def train(self, maker: Unit, unit_type: int, towards: Unit | None = None) -> bool:
        """Makes a unit beside its maker, on the side nearest to `towards`; False without money or room."""
        if self.state.table[unit_type].cost > self.money:
            return False
        positions, around = self.state.map.positions, self.state.map.neighbours[maker.cell]
        rooms = [direction for direction in range(4) if self.can_enter(around[direction])]
        if not rooms:
            return False
        if towards is not None:
            x, y = positions[towards.cell]
            rooms.sort(
                key=lambda direction: (
                    abs(positions[around[direction]][0] - x) + abs(positions[around[direction]][1] - y)
                )
            )
        self.give(maker, orders.produce(rooms[0], unit_type))
        return True

    def build(self, worker: Unit, unit_type: int, site: int) -> bool:
        """Builds on a cell, or goes beside it; False without money or way."""
        if self.state.table[unit_type].cost > self.money:
            return False
        direction = self.direction_of(worker, site)
        if direction >= 0:
            if not self.can_enter(site):
                return False
            self.give(worker, orders.produce(direction, unit_type))
            return True
        beside = set(self.state.map.neighbours[site])
        return self.step(worker, self.way(worker, beside.__contains__))

    def site(self, worker: Unit) -> int | None:
        """Returns the first free cell of the smallest square around the worker that has one, row by row from
        the top; None for none. (Where the rushes of the real engine build, as recorded games show.)
        """
        board = self.state.map
        x, y = board.positions[worker.cell]
        for radius in range(1, max(board.width, board.height)):
            for cell_y in range(y - radius, y + radius + 1):
                for cell_x in range(x - radius, x + radius + 1):
                    cell = board.cell(cell_x, cell_y)
                    if max(abs(cell_x - x), abs(cell_y - y)) == radius and self.can_enter(cell):
                        return cell
        return None
