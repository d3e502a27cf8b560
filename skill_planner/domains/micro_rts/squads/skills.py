"""Skills that command squads, and standing orders for workers and makers.

Each is an option: it may begin where `available` says so, its policy is `act`, and it ends with the plan (or, where
it says so, before). A unit belongs to the first line that wants it. Whatever a squad does, a member first hits an
enemy in range if a hit will find it there.
"""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import Any

from games.micro_rts.bots import fighting
from games.micro_rts.rules.engine import State, Unit
from games.micro_rts.rules.orders import PRODUCE
from games.micro_rts.rules.unit_tables import BARRACKS, BASE, WORKER
from language_models.grammars import Form, OneOf
from language_models.grammars import Sequence as TextSequence
from skill_planner.domains.micro_rts import parameters
from skill_planner.domains.micro_rts.parameters import BUILDINGS, ENEMIES, MOBILE, NAMES
from skill_planner.domains.micro_rts.skills import is_blocked
from skill_planner.domains.micro_rts.squads import who
from skill_planner.domains.micro_rts.squads.turn import HARVESTERS, SQUAD, SquadTurn
from skill_planner.planning.skills import Step

_TARGETS = ("nearest", "harvesters", *(NAMES[kind] for kind in ENEMIES))
_SITE = "site"
"""The key of a step's memory for the cell where it builds."""
_GUARD = 3
"""The number of steps from a guarded place within which enemies are met, where the line says no other."""
_NEAR = 2
"""The number of steps from a guarded place within which guards stand."""


class _Standing:
    """A skill that ends with its plan."""

    def done(self, turn: SquadTurn, step: Step) -> bool:
        return False


class Harvest(_Standing):
    """Workers carry resources from the nearest field to the nearest base. Others take the places of those that
    die. Available with a base, and a field or something carried."""

    name = "Harvest"
    signature = "(number)"
    description = (
        "Keep that many workers harvesting: the mineral field nearest to your base, your nearest base."
    )

    def read(self, words: Sequence[str], state: State, player: int) -> tuple[int]:
        """Returns (number of workers,)."""
        parameters.count(words, 1, self.signature)
        return (who.number(words[0], 1),)

    def form(self, state: State, player: int) -> Form:
        """A number."""
        return OneOf("1", "2", "3", "4")

    def available(self, turn: SquadTurn, step: Step) -> bool:
        bases = [unit for unit in turn.own if unit.type == BASE]
        workers = [unit for unit in turn.own if unit.type == WORKER and (turn.fields or unit.carried) and bases]
        workers.sort(key=lambda unit: (not unit.carried, _least(turn, unit, turn.fields)))
        found = turn.command(step, workers, step.parameters[0])
        step.memory[HARVESTERS] = step.memory[SQUAD]
        turn.harvesting.update(step.memory[SQUAD])
        return found

    def act(self, turn: SquadTurn, step: Step) -> None:
        bases = [unit for unit in turn.own if unit.type == BASE]
        for worker in turn.members(step):
            if turn.is_free(worker) and not fighting.strike(turn, worker):
                turn.harvest(worker, turn.fields, bases)


class Train(_Standing):
    """A base or barracks makes units until there are enough. Active while there are too few; without money it keeps
    what there is from the lines below."""

    name = "Train"
    signature = "(unit_type, number)"
    description = (
        'Whenever you have fewer than that number of the type (those in the making count), a free base makes a "worker", '
        'or free barracks a "light", "heavy" or "ranged", on the side of the enemy.'
    )

    def read(self, words: Sequence[str], state: State, player: int) -> tuple[int, int]:
        """Returns (type, number)."""
        parameters.count(words, 2, self.signature)
        return parameters.unit_type(words[0], MOBILE), who.number(words[1], 1)

    def form(self, state: State, player: int) -> Form:
        """A type and a number."""
        return TextSequence(
            parameters.unit_type_form(MOBILE), ", ", OneOf("1", "2", "3", "4", "5", "6", "8", "99")
        )

    def available(self, turn: SquadTurn, step: Step) -> bool:
        return _missing(turn, step) > 0 and bool(self._makers(turn, step.parameters[0]))

    def act(self, turn: SquadTurn, step: Step) -> None:
        kind, missing = step.parameters[0], _missing(turn, step)
        for maker in self._makers(turn, kind):
            if missing <= 0:
                return
            if turn.state.table[kind].cost > turn.money:
                turn.money -= turn.state.table[kind].cost
                return
            missing -= turn.train(maker, kind, turn.nearest(maker, turn.enemies))

    def _makers(self, turn: SquadTurn, kind: int) -> list[Unit]:
        return [unit for unit in turn.free(*BUILDINGS) if kind in turn.state.table[unit.type].makes]


class Build(_Standing):
    """A worker builds until there are enough buildings. Active while there are too few and a worker lives; without
    money it keeps what there is from the lines below."""

    name = "Build"
    signature = "(building_type, number) or (building_type, number, (x, y))"
    description = (
        'Whenever you have fewer than that number of the type ("base" or "barracks"), the worker nearest to the place '
        "builds one: at (x, y), or on a free cell at home that is in nobody's way."
    )

    def read(self, words: Sequence[str], state: State, player: int) -> tuple[int, int, int | None]:
        """Returns (type, number, cell or None)."""
        if len(words) not in (2, 4):
            parameters.count(words, 2, self.signature)
        kind, number = parameters.unit_type(words[0], BUILDINGS), who.number(words[1], 1)
        return kind, number, parameters.cell(words[2:], state) if len(words) == 4 else None

    def form(self, state: State, player: int) -> Form:
        """A type and a number."""
        return TextSequence(parameters.unit_type_form(BUILDINGS), ", ", OneOf("1", "2"))

    def available(self, turn: SquadTurn, step: Step) -> bool:
        workers = [unit for unit in turn.own if unit.type == WORKER]
        if not workers or _missing(turn, step) <= 0:
            step.memory.pop(SQUAD, None)
            return False
        # Until there is the money the builder does the work of the lines below.
        can_pay = turn.state.table[step.parameters[0]].cost <= turn.money
        turn.command(step, self._builders(turn, step, workers) if can_pay else [], 1)
        return True

    def act(self, turn: SquadTurn, step: Step) -> None:
        kind = step.parameters[0]
        before, cost = turn.money, turn.state.table[kind].cost
        if _missing(turn, step) <= 0:
            return
        if cost <= before:
            self._build(turn, step)
        # On the way, or without the money yet: nobody below in the plan spends it.
        turn.money = before - cost

    def _build(self, turn: SquadTurn, step: Step) -> None:
        cell = self._cell(turn, step)
        for worker in turn.members(step):
            if cell is not None and turn.is_free(worker):
                turn.build(worker, step.parameters[0], cell)

    def _builders(self, turn: SquadTurn, step: Step, workers: Sequence[Unit]) -> list[Unit]:
        """Returns those of the workers that could build, best first: not those that build already, or are free
        and find no way to the place."""
        cell = self._cell(turn, step)
        if cell is None:
            return []
        beside = set(turn.state.map.neighbours[cell])
        found = []
        for worker in workers:
            job = turn.state.jobs.get(worker.id)
            if turn.way(worker, beside.__contains__) if job is None else job.order.kind != PRODUCE:
                found.append(worker)
        return sorted(found, key=lambda unit: (unit.carried, turn.steps_to(unit, cell)))

    def _cell(self, turn: SquadTurn, step: Step) -> int | None:
        """Returns the cell to build on; None where none is free."""
        cell = step.parameters[2]
        if cell is None or is_blocked(turn.state, cell):
            cell = step.memory.get(_SITE)
        if cell is None or not turn.can_enter(cell):
            cell = step.memory[_SITE] = _site(turn)
        return cell


class _Squad(_Standing, abc.ABC):
    """A skill for units that `who` names; the other parameters follow."""

    rest = ""

    @property
    def signature(self) -> str:
        return f"({who.SIGNATURE}{', ' if self.rest else ''}{self.rest})"

    def read(self, words: Sequence[str], state: State, player: int) -> tuple[Any, ...]:
        """Returns (who, the other parameters...)."""
        units, words = who.read(words, state, player)
        return units, *self.read_rest(words, state)

    def form(self, state: State, player: int) -> Form:
        """Who, and the others."""
        return TextSequence(who.form(), ", ", self.form_rest(state))

    @abc.abstractmethod
    def read_rest(self, words: Sequence[str], state: State) -> tuple[Any, ...]:
        """Returns the other parameters; raises ValueError as `read`."""

    @abc.abstractmethod
    def form_rest(self, state: State) -> Form:
        """The texts that `read_rest` takes."""

    def wanted(self, turn: SquadTurn, step: Step) -> list[Unit]:
        """Returns the units that the line wants, best first."""
        return step.parameters[0].of(turn.own)

    def available(self, turn: SquadTurn, step: Step) -> bool:
        return turn.command(step, self.wanted(turn, step), step.parameters[0].most)

    def free_members(self, turn: SquadTurn, step: Step) -> list[Unit]:
        """Returns the members that wait for an order."""
        return [unit for unit in turn.members(step) if turn.is_free(unit)]


class Attack(_Squad):
    """The squad goes for enemies; no member steps into the reach of a stronger group, but with `boldly`."""

    name = "Attack"
    rest = "target) or (who, target, boldly"
    description = (
        'The squad goes for the nearest enemy of the target: "nearest" (any), "harvesters" (workers at their minerals), '
        '"worker", "light", "heavy", "ranged", "base", "barracks", or who stands next to (x, y); where there is none, for '
        "the nearest of all. Members do not step within reach of a stronger group unless the line says boldly."
    )

    def read_rest(self, words: Sequence[str], state: State) -> tuple[str | int, bool]:
        """Returns (target's word or cell, whether boldly)."""
        boldly = bool(words) and words[-1] == "boldly"
        words = words[: len(words) - boldly]
        if len(words) == 2:
            return parameters.cell(words, state), boldly
        if len(words) != 1 or words[0] not in _TARGETS:
            found = " ".join(words)[:20]
            raise ValueError(f"expected a target ({', '.join(_TARGETS)}, or (x, y)), found {found!r}")
        return words[0], boldly

    def form_rest(self, state: State) -> Form:
        """A target, and how."""
        return TextSequence(OneOf(*_TARGETS), OneOf("", ", boldly"))

    def act(self, turn: SquadTurn, step: Step) -> None:
        target, boldly = step.parameters[1:]
        kind, targets = _KINDS.get(target, -1), _targets(turn, target)
        for unit in self.free_members(turn, step):
            if not fighting.strike(turn, unit, kind):
                _approach(turn, unit, turn.nearest(unit, targets), set(), boldly)


class Flank(Attack):
    """The squad goes for enemies by ways that keep out of the reach of enemy fighters, as far as there are some."""

    name = "Flank"
    rest = "target"
    description = (
        "As Attack, boldly, by a way on which no enemy fighter other than the target can hit or meet the squad; straight "
        "where there is none."
    )

    def read_rest(self, words: Sequence[str], state: State) -> tuple[str | int, bool]:
        """Returns (target's word or cell, True)."""
        target, boldly = super().read_rest(words, state)
        if boldly:
            raise ValueError("expected no more than a target, found 'boldly': a flank is bold anyway")
        return target, True

    def form_rest(self, state: State) -> Form:
        """A target."""
        return OneOf(*_TARGETS)

    def act(self, turn: SquadTurn, step: Step) -> None:
        target, boldly = step.parameters[1:]
        kind, targets, danger = _KINDS.get(target, -1), _targets(turn, target), turn.under_fire(1)
        for unit in self.free_members(turn, step):
            goal = turn.nearest(unit, targets)
            if not (unit.cell in danger and fighting.strike(turn, unit, kind)):
                _approach(turn, unit, goal, turn.under_fire(1, goal), boldly)


class Guard(_Squad):
    """The squad stays near a place, and meets enemies that come within some steps of it."""

    name = "Guard"
    rest = "place) or (who, place, steps"
    description = (
        'The squad stays at a place ("base", "barracks", "home" for all your buildings, those under construction too, or (x, y)) and meets enemies that '
        f"come within that many steps of it ({_GUARD} unless you say otherwise)."
    )
    _PLACES = {"base": (BASE,), "barracks": (BARRACKS,), "home": BUILDINGS}

    def read_rest(self, words: Sequence[str], state: State) -> tuple[str | int, int]:
        """Returns (place's word or cell, steps)."""
        if words and words[0] in self._PLACES:
            place, words = words[0], words[1:]
        else:
            place, words = parameters.cell(words[:2], state) if len(words) > 1 else None, words[2:]
        if place is None or len(words) > 1:
            raise ValueError(f"expected a place ({', '.join(self._PLACES)}, or (x, y)) and a number of steps")
        return place, who.number(words[0], 0) if words else _GUARD

    def form_rest(self, state: State) -> Form:
        """A place, and steps."""
        return TextSequence(OneOf(*self._PLACES, parameters.cell_form(state)), OneOf("", ", 2", ", 4", ", 6"))

    def act(self, turn: SquadTurn, step: Step) -> None:
        place, steps = step.parameters[1:]
        places = self._cells(turn, place)
        for unit in self.free_members(turn, step):
            if fighting.strike(turn, unit):
                continue
            cells = places or [unit.cell]
            enemies = [
                enemy for enemy in turn.enemies if min(turn.steps_to(enemy, cell) for cell in cells) <= steps
            ]
            if enemies:
                _approach(turn, unit, turn.nearest(unit, enemies), set(), False)
                continue
            home = min(cells, key=lambda cell: turn.steps_to(unit, cell))
            near = _NEAR if isinstance(place, str) else 0
            if turn.steps_to(unit, home) > near:
                ends = {home, *(turn.state.map.neighbours[home] if not turn.can_enter(home) else ())}
                way = turn.way(unit, ends.__contains__)
                # Who has just made way for harvesters does not step back into their way.
                if way and not (
                    turn.steps_to(unit, home) <= near + _NEAR and turn.next(unit, way) in turn.lanes
                ):
                    turn.step(unit, way)

    def _cells(self, turn: SquadTurn, place: str | int) -> list[int]:
        if isinstance(place, int):
            return [place]
        types = self._PLACES[place]
        rising = [
            cell
            for unit, job in turn.state.jobs.items()
            if job.order.type in types and turn.state.units[unit].player == turn.player
            for cell in (job.cell, turn.state.units[unit].cell)
        ]
        return [unit.cell for unit in turn.own if unit.type in types] + rising


class Retreat(_Squad):
    """Members that are hurt walk out of the enemy's reach, towards home. Available while one is hurt."""

    name = "Retreat"
    rest = "hp"
    description = (
        "Those of the squad with that many hit points or fewer leave the reach of enemy fighters, towards your nearest "
        "building. Put it above the line that sends them out."
    )

    def read_rest(self, words: Sequence[str], state: State) -> tuple[int]:
        """Returns (hit points,)."""
        parameters.count(words, 1, self.signature)
        return (who.number(words[0], 1),)

    def form_rest(self, state: State) -> Form:
        """Hit points."""
        return OneOf("1", "2", "3")

    def wanted(self, turn: SquadTurn, step: Step) -> list[Unit]:
        return [unit for unit in super().wanted(turn, step) if unit.hp <= step.parameters[1]]

    def act(self, turn: SquadTurn, step: Step) -> None:
        danger = turn.under_fire(1)
        homes = [unit for unit in turn.own if unit.type in BUILDINGS]
        for unit in self.free_members(turn, step):
            if unit.cell in danger:
                if not turn.step(unit, turn.way(unit, lambda cell: cell not in danger)):
                    fighting.strike(turn, unit)
            elif homes and _least(turn, unit, homes) > _NEAR:
                cells = {cell for home in homes for cell in turn.state.map.neighbours[home.cell]}
                turn.step(unit, turn.way_around(unit, cells.__contains__, danger))


class Kite(Attack):
    """Fighters that hit from afar keep their distance: they hit, and step back from who hits from near."""

    name = "Kite"
    description = (
        "As Attack, for ranged units: members step back from enemies that hit only from near and could reach them, and hit "
        "from the edge of their range."
    )

    def act(self, turn: SquadTurn, step: Step) -> None:
        target, boldly = step.parameters[1:]
        kind, targets = _KINDS.get(target, -1), _targets(turn, target)
        for unit in self.free_members(turn, step):
            reach = turn.state.kind(unit).range
            near = [
                enemy
                for enemy in turn.enemies
                if 0 < turn.state.kind(enemy).range < reach and turn.distance(unit, enemy) <= 2
            ]
            if near and self._step_back(turn, unit, near):
                continue
            if not fighting.strike(turn, unit, kind):
                _approach(turn, unit, turn.nearest(unit, targets), set(), boldly)

    def _step_back(self, turn: SquadTurn, unit: Unit, near: Sequence[Unit]) -> bool:
        """Steps to the cell beside that is farthest from them, where one still is in range; False where none is
        farther, or where the hit that is possible now ends the danger."""
        state = turn.state
        damage = state.kind(unit).damage[0]
        if (
            len(near) == 1
            and near[0].hp <= damage
            and fighting.stays(state, near[0], state.kind(unit).attack_time)
        ):
            return False

        def gap(cell: int) -> int:
            return min(turn.steps_to(enemy, cell) for enemy in near)

        cells = [cell for cell in state.map.neighbours[unit.cell] if cell >= 0 and turn.can_enter(cell)]
        best = max(cells, key=gap, default=None)
        if best is None or gap(best) <= gap(unit.cell):
            return False
        return turn.step(unit, turn.way(unit, best.__eq__))


SQUAD_SKILLS = (Harvest(), Train(), Build(), Attack(), Flank(), Kite(), Guard(), Retreat())

_KINDS = {NAMES[kind]: kind for kind in ENEMIES}


def _missing(turn: SquadTurn, step: Step) -> int:
    """Returns how many the player has fewer than the line asks for, those in the making counted."""
    kind, number = step.parameters[:2]
    return number - turn.count(turn.player, (kind,)) - turn.making(kind)


def _least(turn: SquadTurn, unit: Unit, others: Sequence[Unit]) -> int:
    return min((turn.distance(unit, other) for other in others), default=0)


def _targets(turn: SquadTurn, target: str | int) -> list[Unit]:
    """Returns the enemies that a target's word or cell stands for, or all where there are none."""
    if isinstance(target, int):
        found = [enemy for enemy in turn.enemies if turn.steps_to(enemy, target) <= 1]
    elif target == "harvesters":
        found = turn.enemy_harvesters()
    else:
        found = [enemy for enemy in turn.enemies if enemy.type == _KINDS.get(target)]
    return found or turn.enemies


def _approach(turn: SquadTurn, unit: Unit, goal: Unit | None, avoided: set[int], boldly: bool) -> None:
    """Takes a step to where the unit can hit the goal, unless an enemy is coming who would then hit first."""
    if goal is None or (not boldly and turn.expects(unit)):
        return
    hits: Callable[[int], bool] = turn.cells_in_range(unit.type, [goal]).__contains__
    way = (turn.way_around(unit, hits, avoided) if avoided else None) or turn.way(unit, hits)
    if way is None or way.direction < 0:
        return
    if boldly or not fighting.outnumbered(turn, unit, turn.next(unit, way)):
        turn.step(unit, way)


def _site(turn: SquadTurn) -> int | None:
    """Returns the free cell nearest to an own base (or unit) that is beside neither a mineral field nor a building,
    where the ways of harvesters and new units are; any free cell where there is none; None for no free cell."""
    board = turn.state.map
    kept_free = {
        cell
        for unit in (*turn.fields, *turn.own)
        if not turn.state.kind(unit).can_move
        for cell in board.neighbours[unit.cell]
    }
    homes = [unit for unit in turn.own if unit.type == BASE] or turn.own
    free = [cell for cell in range(len(board.positions)) if turn.can_enter(cell)]

    def order(cell: int) -> tuple[bool, int, int]:
        enemies = min((turn.steps_to(enemy, cell) for enemy in turn.enemies), default=0)
        return cell in kept_free, min(turn.steps_to(home, cell) for home in homes), -enemies

    return min(free, key=order, default=None)
