"""A turn as squads see it: who harvests, how strong either side is, what is being made."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property

from games.micro_rts.bots.fighting import strength
from games.micro_rts.bots.turn import Way
from games.micro_rts.rules.engine import State, Unit
from games.micro_rts.rules.orders import PRODUCE
from games.micro_rts.rules.unit_tables import BASE, WORKER
from skill_planner.domains.micro_rts.turn import SkillTurn
from skill_planner.planning.skills import Step

SQUAD, HARVESTERS = "squad", "harvesters"
"""Keys of a step's memory: the ids of the units that it commanded last; those of them that harvest."""


class SquadTurn(SkillTurn):
    """A `SkillTurn` in which a step commands several units.

    Units belong to the first line that wants them, line by line in each turn anew; a line prefers those that it
    commanded last, so that squads do not swap their members.

    Attributes:
      harvesting: the ids of the own workers that a line has had harvest.
    """

    def __init__(self, state: State, player: int, steps: Sequence[Step]):
        super().__init__(state, player, steps)
        self._steps, self._commanded = steps, set[int]()
        self.harvesting = {
            unit for step in steps for unit in step.memory.get(HARVESTERS, ()) if unit in state.units
        }

    def members(self, step: Step) -> list[Unit]:
        """Returns the living units that the step commands in this turn."""
        return [self.state.units[unit] for unit in step.memory.get(SQUAD, ()) if unit in self.state.units]

    def command(self, step: Step, wanted: Iterable[Unit], most: int | None) -> bool:
        """Claims the first `most` of the wanted units (None: all) that no line above has, those that the step
        commanded last before others; says whether there is one."""
        self._commanded.add(id(step))
        last = set(step.memory.get(SQUAD, ()))
        units = [unit for unit in wanted if unit.id not in self.claimed_units]
        units.sort(key=lambda unit: unit.id not in last)
        step.memory[SQUAD] = [unit.id for unit in units[:most]]
        self.claimed_units.update(step.memory[SQUAD])
        return bool(units)

    @cached_property
    def lanes(self) -> set[int]:
        """The cells of the shortest ways between each own base and the mineral field nearest to it, while own workers
        harvest."""
        cells, steps = set[int](), self.state.map.steps
        for base in (unit for unit in self.own if unit.type == BASE and self.harvesting and self.fields):
            field = self.nearest(base, self.fields)
            length = self.distance(base, field)
            cells |= {
                cell
                for cell in range(len(self.state.map.positions))
                if steps(cell, base.cell) + steps(cell, field.cell) == length
            }
        return cells

    def next(self, unit: Unit, way: Way) -> int:
        """Returns the cell that a way leads to first; the unit's own where it is there already."""
        return unit.cell if way.direction < 0 else self.state.map.neighbours[unit.cell][way.direction]

    def make_way(self) -> None:
        """Lets free units that have no order, and do not harvest, step out of the harvesters' ways."""
        for unit in self.free():
            if unit.cell in self.lanes and self.state.kind(unit).can_move and unit.id not in self.harvesting:
                self.step(unit, self.way(unit, lambda cell: cell not in self.lanes))

    def end(self) -> None:
        """Lets the harvesters of lines that did not count in this turn no longer pass for such."""
        for step in self._steps:
            if id(step) not in self._commanded:
                step.memory.pop(HARVESTERS, None)

    def count(self, player: int, types: Sequence[int]) -> int:
        """Returns the number of a player's units of these types."""
        return sum(unit.type in types for unit in (self.own if player == self.player else self.enemies))

    def making(self, kind: int) -> int:
        """Returns the number of units of the type that the player is making, orders of this turn included."""
        state = self.state
        running = (
            job.order
            for unit, job in state.jobs.items()
            if job.cost and state.units[unit].player == self.player
        )
        return sum(
            order.type == kind and order.kind == PRODUCE
            for order in (*running, *(order for _, order in self.listed))
        )

    def force(self, player: int) -> int:
        """Returns the strength of a player's fighters, see `fighting.strength`; own workers that harvest do not
        count."""
        units = self.own if player == self.player else self.enemies
        return sum(strength(self.state, unit) for unit in units if unit.id not in self.harvesting)

    def enemy_harvesters(self) -> list[Unit]:
        """Returns the enemy's workers that carry something or stand beside a mineral field."""
        beside = {cell for field in self.fields for cell in self.state.map.neighbours[field.cell]}
        return [unit for unit in self.enemies if unit.type == WORKER and (unit.carried or unit.cell in beside)]

    def under_fire(self, margin: int, but: Unit | None = None) -> set[int]:
        """Returns the cells from which an enemy fighter other than `but` is at most its range and `margin` steps
        away."""
        positions, cells = self.state.map.positions, set()
        for enemy in self.enemies:
            reach = self.state.kind(enemy).range
            if reach and enemy is not but:
                x, y = positions[enemy.cell]
                cells |= {
                    cell
                    for cell, (other_x, other_y) in enumerate(positions)
                    if abs(other_x - x) + abs(other_y - y) <= reach + margin
                }
        return cells

    def way_around(self, unit: Unit, is_end: Callable[[int], bool], avoided: set[int]) -> Way | None:
        """Returns a shortest way that enters none of the avoided cells before its end; None for none."""
        claimed = self.claimed
        self.claimed = claimed | {cell for cell in avoided if not is_end(cell)}
        try:
            return self.way(unit, is_end)
        finally:
            self.claimed = claimed
