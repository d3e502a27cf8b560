"""A player's orders of one tick in the making, with the units that the plan's steps have claimed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from games.micro_rts.bots import fighting
from games.micro_rts.bots.turn import Turn
from games.micro_rts.rules.engine import State, Unit
from games.micro_rts.rules.legal import in_range
from games.micro_rts.rules.orders import MOVE, attack
from skill_planner.planning.skills import Step


class SkillTurn(Turn):
    """A `Turn` with claims: each claimed unit works for one step of the plan, until it dies, the step ends, or
    the next plan comes.

    Attributes:
      claimed_units: the ids of all living units that a step has claimed.
    """

    def __init__(self, state: State, player: int, steps: Sequence[Step]):
        super().__init__(state, player)
        self.claimed_units = {step.memory["unit"] for step in steps if step.memory.get("unit") in state.units}

    def claimant(self, step: Step) -> Unit | None:
        """Returns the unit that the step has claimed, while it lives."""
        return self.state.units.get(step.memory.get("unit"))

    def claim(self, step: Step, unit_type: int, distance: Callable[[Unit], int]) -> Unit | None:
        """Returns the unit that the step has claimed, or else the nearest one of the type that no step has,
        busy or not, which it now claims; None for none.
        """
        unit = self.claimant(step)
        if unit is None:
            unit = min(
                (unit for unit in self.own if unit.type == unit_type and unit.id not in self.claimed_units),
                key=distance,
                default=None,
            )
        if unit is not None:
            step.memory["unit"] = unit.id
            self.claimed_units.add(unit.id)
        return unit

    def release(self, step: Step) -> None:
        """Gives up the step's claim, so that others may command the unit."""
        self.claimed_units.discard(step.memory.pop("unit", None))

    def is_free(self, unit: Unit) -> bool:
        """Returns whether the unit has neither a job nor an order in this list."""
        return unit.id not in self.state.jobs and unit.id not in self._ordered

    def steps_to(self, unit: Unit, cell: int) -> int:
        """Returns the steps from the unit to the cell if nothing is in the way."""
        return self.state.map.steps(unit.cell, cell)

    def cells_in_range(self, unit_type: int, targets: Iterable[Unit]) -> set[int]:
        """Returns the cells from which a unit of the type hits one of the targets."""
        board, reach = self.state.map, self.state.table[unit_type].range
        around = range(-reach, reach + 1)
        offsets = [(dx, dy) for dx in around for dy in around if 0 < dx * dx + dy * dy <= reach * reach]
        cells = {
            board.cell(board.positions[target.cell][0] + dx, board.positions[target.cell][1] + dy)
            for target in targets
            for dx, dy in offsets
        }
        return cells - {-1}

    def strike(self, unit: Unit, wanted: int | None = None) -> bool:
        """Attacks an enemy in range that will still be there when the hit comes: one of the wanted type
        first, then one that is not being killed already, then one that the hit kills, then the one that
        hits hardest; False where there is none."""
        table = self.state.table
        ability = table[unit.type]
        if not ability.range:
            return False
        targets = [
            enemy
            for enemy in self.enemies
            if in_range(self.state, unit, enemy.cell) and fighting.stays(self.state, enemy, ability.attack_time)
        ]
        if not targets:
            return False
        damage = ability.damage[0]
        target = min(
            targets,
            key=lambda enemy: (
                fighting.coming(self, enemy.cell) >= enemy.hp,
                enemy.type != wanted,
                enemy.hp > damage,
                -table[enemy.type].damage[1],
            ),
        )
        self.give(unit, attack(target.cell))
        return True

    def expects(self, unit: Unit) -> bool:
        """Returns whether an enemy is about to step into the unit's range: a unit that waits then hits
        first.
        """
        return any(
            job.order.kind == MOVE
            and self.state.units[enemy].player == 1 - self.player
            and in_range(self.state, unit, job.cell)
            for enemy, job in self.state.jobs.items()
        )
