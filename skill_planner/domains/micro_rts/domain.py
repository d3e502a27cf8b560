"""MicroRTS as a `Domain`: the words of the prompt, and turns for the skills."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from games.micro_rts.openspiel.game import MicroRTSGame
from games.micro_rts.rules.engine import State, Unit
from games.micro_rts.rules.orders import ATTACK, HARVEST, MOVE, PRODUCE, RETURN, Order
from games.micro_rts.rules.unit_tables import BASE, RESOURCE
from skill_planner.domains.micro_rts import opponent_model
from skill_planner.domains.micro_rts.parameters import COMPASS, MOBILE, NAMES, SIDES
from skill_planner.domains.micro_rts.skills import SKILLS
from skill_planner.domains.micro_rts.turn import SkillTurn
from skill_planner.planning import planner
from skill_planner.planning.planner import INTERVAL, render
from skill_planner.planning.skills import Conditions, Skill, Step

_PROMPTS = Path(planner.__file__).parent / "prompts"


class MicroRTSDomain:
    """The domain of MicroRTS, see `skills.Domain`. States are those of the engine
    (`games.micro_rts.rules.engine.State`).

    Args:
      game: the game that is played; its unit table and its limit of ticks stand in the prompt.
      more_skills: beyond the five, such as those of a `coded.CodedLibrary`.
    """

    name = "MicroRTS"
    unit_of_time = "ticks"
    interval = INTERVAL
    conditions: Conditions | None = None
    library: tuple[Skill, ...] = SKILLS
    words = "micro_rts"
    """The folder of prompts with what depends on the library: sharing.j2, tips.txt, example1.txt, example2.txt."""

    def __init__(self, game: MicroRTSGame, more_skills: Sequence[Skill] = ()):
        self.skills = (*self.library, *more_skills)
        self._max_cycles = game.max_cycles
        self._table = game.start.position.table
        self.examples = tuple(
            (_PROMPTS / f"{self.words}/example{number}.txt").read_text(encoding="utf-8").strip()
            for number in (1, 2)
        )
        self.tips = tuple((_PROMPTS / f"{self.words}/tips.txt").read_text(encoding="utf-8").splitlines())

    def clock(self, state: State) -> int:
        return state.clock

    def instruction(self) -> str:
        return render("micro_rts/instruction.j2")

    def manual(self) -> str:
        return render(
            "micro_rts/manual.j2",
            table=self._table,
            names=NAMES,
            mobile=MOBILE,
            max_cycles=self._max_cycles,
            sharing=render(f"{self.words}/sharing.j2"),
        )

    def sample_plan(self) -> tuple[str, ...]:
        return "[Harvest Mineral](0, 0)", "[Produce Unit](worker, east)"

    def situation(self, state: State, player: int) -> str:
        board, own = state.map, state.units_of(player)
        fields = sorted(
            ((_distance(state, field, own), field) for field in state.units_of(-1)), key=lambda entry: entry[0]
        )
        rows = [board.walls[start : start + board.width] for start in range(0, len(board.walls), board.width)]
        origin = "base" if any(unit.type == BASE for unit in own) else "units"
        return render(
            "micro_rts/situation.j2",
            origin=origin,
            clock=state.clock,
            max_cycles=self._max_cycles,
            width=board.width,
            height=board.height,
            walls=["".join(".#"[wall] for wall in row) for row in rows],
            has_walls=any(board.walls),
            fields=[(_place(state, field), field.carried, distance) for distance, field in fields],
            side=SIDES[player],
            bank=state.banks[player],
            own=self._lines(state, own),
            other=SIDES[1 - player],
            other_bank=state.banks[1 - player],
            enemies=self._lines(state, state.units_of(1 - player)),
        )

    def _lines(self, state: State, units: Sequence[Unit]) -> list[str]:
        """Returns a line for each unit, buildings first."""
        return [self._line(state, unit) for unit in sorted(units, key=lambda unit: unit.type)]

    def _line(self, state: State, unit: Unit) -> str:
        carries = ", carries 1" if unit.carried and unit.type != RESOURCE else ""
        return f"{NAMES[unit.type]} {_place(state, unit)}, {unit.hp} hp{carries}: {_doing(state, unit)}"

    def report(self, before: State, state: State, player: int) -> str:
        return ""

    def opponent(self, state: State, player: int) -> str:
        return opponent_model.describe(state, player)

    def closing(self, state: State, player: int) -> str:
        return render("micro_rts/closing.j2", side=SIDES[player])

    def turn(self, state: State, player: int, steps: Sequence[Step]) -> SkillTurn:
        return SkillTurn(state, player, steps)

    def finish(self, turn: SkillTurn) -> None:
        """Lets free units that no skill has given an order hit an enemy in range; others stay free."""
        for unit in turn.free(*MOBILE):
            turn.strike(unit)

    def actions(self, turn: SkillTurn) -> list[tuple[int, Order]]:
        return turn.listed


def _place(state: State, unit: Unit) -> str:
    x, y = state.map.positions[unit.cell]
    return f"({x}, {y})"


def _distance(state: State, field: Unit, own: Sequence[Unit]) -> int:
    """Returns the steps from the field to the nearest own base, or else own unit."""
    goals = [unit for unit in own if unit.type == BASE] or own
    return min((state.map.steps(field.cell, unit.cell) for unit in goals), default=0)


def _doing(state: State, unit: Unit) -> str:
    job = state.jobs.get(unit.id)
    if job is None:
        return "idle"
    order = job.order
    if order.kind == ATTACK:
        x, y = state.map.positions[order.arg]
        return f"attacks ({x}, {y})"
    if order.kind == PRODUCE:
        x, y = state.map.positions[job.cell]
        return f"makes {NAMES[order.type]} at ({x}, {y}), {job.due - state.clock} ticks left"
    if order.kind in (MOVE, HARVEST, RETURN):
        verb = {MOVE: "moves", HARVEST: "harvests", RETURN: "delivers"}[order.kind]
        return f"{verb} {COMPASS[order.arg]}"
    return "idle"
