"""The five skills of the paper's table I.

A skill claims its unit when it first becomes active, the nearest one that is left, and keeps it; Attack
Enemy commands all units that no other step has claimed. Money is spent in the order of the plan: a step
that waits for money keeps what there is from those behind it.
"""

from __future__ import annotations

from collections.abc import Sequence

from games.micro_rts.rules import orders
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.unit_tables import BASE, RESOURCE, WORKER
from language_models.grammars import Form
from language_models.grammars import Sequence as TextSequence
from skill_planner.domains.micro_rts import parameters
from skill_planner.domains.micro_rts.parameters import BUILDINGS, ENEMIES, MOBILE
from skill_planner.domains.micro_rts.turn import SkillTurn
from skill_planner.planning.skills import Step


class DeployUnit:
    """One unit walks to a place, and stands there (move, NOOP). Ends when the unit has died."""

    name = "Deploy Unit"
    signature = "(unit_type, (x, y))"
    description = (
        'One unit of the type ("worker", "light", "heavy" or "ranged") goes to the location and holds it.'
    )

    def read(self, words: Sequence[str], state: State, player: int) -> tuple[int, int]:
        """Returns (type, cell)."""
        parameters.count(words, 3, self.signature)
        return parameters.unit_type(words[0], MOBILE), parameters.cell(words[1:], state)

    def form(self, state: State, player: int) -> Form:
        """A type and a cell."""
        return _pair(parameters.unit_type_form(MOBILE), parameters.cell_form(state))

    def available(self, turn: SkillTurn, step: Step) -> bool:
        kind, cell = step.parameters
        return turn.claim(step, kind, lambda unit: turn.steps_to(unit, cell)) is not None

    def act(self, turn: SkillTurn, step: Step) -> None:
        unit = turn.claimant(step)
        if turn.is_free(unit):
            turn.step(unit, turn.way(unit, step.parameters[1].__eq__))

    def done(self, turn: SkillTurn, step: Step) -> bool:
        return "unit" in step.memory and turn.claimant(step) is None


class HarvestMineral:
    """One worker carries resources from a field to the nearest base, over and over (move, harvest,
    return). Ends when the field is gone and the worker has delivered; another worker takes the place of
    one that dies."""

    name = "Harvest Mineral"
    signature = "(x, y)"
    description = (
        "One worker keeps harvesting the mineral field at the location and returning to your nearest base."
    )

    def read(self, words: Sequence[str], state: State, player: int) -> tuple[int]:
        """Returns (cell of the field,)."""
        parameters.count(words, 2, self.signature)
        cell = parameters.cell(words, state)
        if not _is_field(state, cell):
            raise ValueError(f"there is no mineral field at ({', '.join(words)})")
        return (cell,)

    def form(self, state: State, player: int) -> Form | None:
        """The cell of a field."""
        return parameters.cell_form(state, lambda cell: _is_field(state, cell))

    def available(self, turn: SkillTurn, step: Step) -> bool:
        if not any(unit.type == BASE for unit in turn.own):
            turn.release(step)
            return False
        cell = step.parameters[0]
        return (
            turn.claim(step, WORKER, lambda unit: 0 if unit.carried else turn.steps_to(unit, cell)) is not None
        )

    def act(self, turn: SkillTurn, step: Step) -> None:
        worker = turn.claimant(step)
        if turn.is_free(worker):
            turn.harvest(
                worker,
                [field for field in turn.fields if field.cell == step.parameters[0]],
                [unit for unit in turn.own if unit.type == BASE],
            )

    def done(self, turn: SkillTurn, step: Step) -> bool:
        worker = turn.claimant(step)
        return not _is_field(turn.state, step.parameters[0]) and not (worker and worker.carried)


class BuildBuilding:
    """One worker builds beside itself, after going there (move, produce). Ends when the building stands,
    when something else does that stays, or when another unit is building there."""

    name = "Build Building"
    signature = "(building_type, (x, y))"
    description = 'One worker builds a "base" or "barracks" on the free cell (x, y).'

    def read(self, words: Sequence[str], state: State, player: int) -> tuple[int, int]:
        """Returns (type, cell)."""
        parameters.count(words, 3, self.signature)
        kind, cell = parameters.unit_type(words[0], BUILDINGS), parameters.cell(words[1:], state)
        if is_blocked(state, cell):
            there = parameters.NAMES[state.unit_at(cell).type]
            raise ValueError(f"({', '.join(words[1:])}) is taken by a {there}")
        return kind, cell

    def form(self, state: State, player: int) -> Form | None:
        """A type and a cell where nothing stands for good."""
        free = parameters.cell_form(state, lambda cell: not is_blocked(state, cell))
        return None if free is None else _pair(parameters.unit_type_form(BUILDINGS), free)

    def available(self, turn: SkillTurn, step: Step) -> bool:
        cell = step.parameters[1]
        return turn.claim(step, WORKER, lambda unit: turn.steps_to(unit, cell)) is not None

    def act(self, turn: SkillTurn, step: Step) -> None:
        worker, (kind, cell) = turn.claimant(step), step.parameters
        if _is_making(turn.state, worker.id, kind):
            return
        cost = turn.state.table[kind].cost
        before = turn.money
        if turn.is_free(worker) and cost <= turn.money:
            turn.build(worker, kind, cell)
        # On the way, or without the money yet: nobody behind in the plan spends it.
        turn.money = before - cost

    def done(self, turn: SkillTurn, step: Step) -> bool:
        cell, state = step.parameters[1], turn.state
        return is_blocked(state, cell) or any(
            job.order.kind == orders.PRODUCE and job.cell == cell and unit != step.memory.get("unit")
            for unit, job in state.jobs.items()
        )


class ProduceUnit:
    """A base or barracks makes one unit (produce), on another side where the one asked for is taken. Ends
    when that has begun."""

    name = "Produce Unit"
    signature = "(unit_type, direction)"
    description = (
        'Make one unit: a base makes a "worker", barracks make a "light", "heavy" or "ranged"; '
        'it appears to the "north", "east", "south" or "west" of its maker. One line per unit.'
    )

    def read(self, words: Sequence[str], state: State, player: int) -> tuple[int, int]:
        """Returns (type, direction)."""
        parameters.count(words, 2, self.signature)
        return parameters.unit_type(words[0], MOBILE), parameters.direction(words[1])

    def form(self, state: State, player: int) -> Form:
        """A type and a direction."""
        return _pair(parameters.unit_type_form(MOBILE), parameters.direction_form())

    def available(self, turn: SkillTurn, step: Step) -> bool:
        return any(self._makes(turn, unit.type, step) and turn.is_free(unit) for unit in turn.own)

    def act(self, turn: SkillTurn, step: Step) -> None:
        kind, wanted = step.parameters
        makers = [unit for unit in turn.own if self._makes(turn, unit.type, step) and turn.is_free(unit)]
        cost = turn.state.table[kind].cost
        if not makers:
            return
        if cost > turn.money:
            turn.money -= cost
            return
        for direction in (wanted, *(other for other in range(4) if other != wanted)):
            for maker in makers:
                if turn.can_enter(turn.state.map.neighbours[maker.cell][direction]):
                    turn.give(maker, orders.produce(direction, kind))
                    step.memory.update(maker=maker.id, begun=turn.state.clock)
                    return

    def done(self, turn: SkillTurn, step: Step) -> bool:
        state, kind = turn.state, step.parameters[0]
        begun = step.memory.get("begun")
        # An order that clashed with another has become a wait: then it has to be given again.
        return begun is not None and (
            _is_making(state, step.memory["maker"], kind) or state.clock - begun >= state.table[kind].build_time
        )

    def _makes(self, turn: SkillTurn, maker: int, step: Step) -> bool:
        return step.parameters[0] in turn.state.table[maker].makes


class AttackEnemy:
    """All units of a type that no other step has claimed go for the nearest enemy of a type, and hit
    whatever comes in range (move, attack). Where no way leads to one they go for the nearest enemy of any
    type. Ends with the plan: while there is no such enemy it is not active."""

    name = "Attack Enemy"
    signature = "(unit_type, enemy_type)"
    description = (
        'All your units of the type ("worker", "light", "heavy" or "ranged") that no other line '
        'needs attack the nearest enemies of that type ("worker", "light", "heavy", "ranged", '
        '"base" or "barracks"). Of several such lines for one unit_type the first whose '
        "enemy_type exists counts."
    )

    def read(self, words: Sequence[str], state: State, player: int) -> tuple[int, int]:
        """Returns (own type, enemy's type)."""
        parameters.count(words, 2, self.signature)
        return parameters.unit_type(words[0], MOBILE), parameters.unit_type(words[1], ENEMIES)

    def form(self, state: State, player: int) -> Form:
        """The own type and the enemy's."""
        return _pair(parameters.unit_type_form(MOBILE), parameters.unit_type_form(ENEMIES))

    def available(self, turn: SkillTurn, step: Step) -> bool:
        own, enemy = step.parameters
        return any(unit.type == own for unit in turn.own) and any(unit.type == enemy for unit in turn.enemies)

    def act(self, turn: SkillTurn, step: Step) -> None:
        own, enemy = step.parameters
        wanted = turn.cells_in_range(own, [unit for unit in turn.enemies if unit.type == enemy])
        for unit in turn.free(own):
            if unit.id in turn.claimed_units or turn.strike(unit, enemy) or turn.expects(unit):
                continue
            way = turn.way(unit, wanted.__contains__) or turn.way(
                unit, turn.cells_in_range(own, turn.enemies).__contains__
            )
            # Where the last move was cancelled, because an enemy wanted the same cell, let it come: two who
            # repeat themselves would stand there for ever.
            tried = step.memory.pop(unit.id, None)
            if way is None or tried == (unit.cell, way.direction):
                continue
            if turn.step(unit, way):
                step.memory[unit.id] = unit.cell, way.direction

    def done(self, turn: SkillTurn, step: Step) -> bool:
        return False


SKILLS = (DeployUnit(), HarvestMineral(), BuildBuilding(), ProduceUnit(), AttackEnemy())


def _pair(first: Form, second: Form) -> Form:
    return TextSequence(first, ", ", second)


def _is_field(state: State, cell: int) -> bool:
    unit = state.unit_at(cell)
    return unit is not None and unit.type == RESOURCE


def is_blocked(state: State, cell: int) -> bool:
    """Returns whether something stands there that does not move."""
    unit = state.unit_at(cell)
    return unit is not None and not state.table[unit.type].can_move


def _is_making(state: State, unit_id: int, kind: int) -> bool:
    job = state.jobs.get(unit_id)
    return job is not None and job.order.kind == orders.PRODUCE and job.order.type == kind
