"""Skills that a language model wrote as code, run in a sealed worker (beyond the paper; its future work).

A module defines

    SKILLS = [{"name": "Guard Base", "parameters": ["unit_type", "location"], "description": "..."}]

    def act(name, parameters, situation):    # {unit id: order} for free units
    def done(name, parameters, situation):   # whether the skill has ended

with parameters of the kinds in `KINDS`. `situation` is what `situation_of` makes; an order is one of the
names that it lists for a free unit. Workers compute and answer, and can do nothing else (see `sandbox`).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from absl import logging

from games.micro_rts.rules import orders
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.orders import MOVE, PRODUCE, Order
from sandbox import Limits, SandboxError, Worker
from skill_planner.domains.micro_rts import parameters
from skill_planner.domains.micro_rts.parameters import COMPASS, ENEMIES, MOBILE, NAMES
from skill_planner.domains.micro_rts.skills import SKILLS
from skill_planner.domains.micro_rts.turn import SkillTurn
from skill_planner.planning.skills import Step

LIMITS = Limits(memory_bytes=256 << 20, call_seconds=1.0)
MOST_SKILLS = 8
_NAME = re.compile(r"[A-Z][A-Za-z]*( [A-Z][A-Za-z]*){0,3}")


Offers = dict[int, dict[str, Order]]
"""The orders that may be given: unit id -> name -> order."""


class Kind(NamedTuple):
    """A kind of parameter: how many words it takes, how signatures show it, and its value in JSON."""

    words: int
    shown: str
    read: Callable[[Sequence[str], State], Any]


def _location(words: Sequence[str], state: State) -> list[int]:
    return list(state.map.positions[parameters.cell(words, state)])


KINDS = {
    "unit_type": Kind(1, "unit_type", lambda words, state: NAMES[parameters.unit_type(words[0], MOBILE)]),
    "enemy_type": Kind(1, "enemy_type", lambda words, state: NAMES[parameters.unit_type(words[0], ENEMIES)]),
    "location": Kind(2, "(x, y)", _location),
    "direction": Kind(1, "direction", lambda words, state: COMPASS[parameters.direction(words[0])]),
}


# `SKILLS` is data; a function says it, as calls are all that a worker answers.
_DRIVER = """
import skills

def declared():
    return skills.SKILLS

def act(*call):
    return skills.act(*call)

def done(*call):
    return skills.done(*call)
"""


class CodedLibrary:
    """The skills of one module, in a worker of its own.

    Attributes:
      skills: made from the module's `SKILLS`.

    Args:
      source: text of the module.

    Raises:
      ValueError: the module cannot be loaded, or breaks the contract; one sentence.
    """

    def __init__(self, source: str):
        self._sources = {"skills": source, "driver": _DRIVER}
        try:
            self._worker = Worker(self._sources, limits=LIMITS)
            declared = self._worker.call("declared")
        except SandboxError as error:
            raise ValueError(f"coded skills: the module cannot be loaded: {error}") from error
        self.skills = tuple(_skill(self, entry) for entry in _checked(declared))

    def call(self, function: str, *call: Any) -> Any:
        """Calls `act` or `done`; after a time-out or a crash the worker is made anew.

        Raises:
          SandboxError: the call failed.
        """
        try:
            return self._worker.call(function, *call)
        except SandboxError:
            if not self._worker.alive:
                self._worker = Worker(self._sources, limits=LIMITS)
            raise

    def close(self) -> None:
        """Ends the worker."""
        self._worker.close()


def _checked(declared: Any) -> list[dict[str, Any]]:
    if not isinstance(declared, list) or not 1 <= len(declared) <= MOST_SKILLS:
        raise ValueError(
            f"coded skills: expected SKILLS, a list of 1 to {MOST_SKILLS} skills, found {str(declared)[:80]!r}"
        )
    taken = {skill.name.lower() for skill in SKILLS}
    for entry in declared:
        fields = entry if isinstance(entry, dict) else {}
        name, kinds, description = (fields.get(key) for key in ("name", "parameters", "description"))
        if not (isinstance(name, str) and _NAME.fullmatch(name)) or name.lower() in taken:
            raise ValueError(
                "coded skills: expected names of one to four capitalized words, each used once "
                f"and by no skill of the library, found {str(name)[:40]!r}"
            )
        if not (isinstance(kinds, list) and all(isinstance(kind, str) and kind in KINDS for kind in kinds)):
            raise ValueError(
                f"coded skills: {name}: expected parameters from {', '.join(KINDS)}, found {str(kinds)[:80]!r}"
            )
        if not (isinstance(description, str) and 1 <= len(description) <= 300 and description.isprintable()):
            raise ValueError(
                f"coded skills: {name}: expected a description of one line, at most 300 characters"
            )
        taken.add(name.lower())
    return declared


def _skill(library: CodedLibrary, entry: dict[str, Any]) -> CodedSkill:
    return CodedSkill(library, entry["name"], tuple(entry["parameters"]), entry["description"])


class CodedSkill:
    """A skill of the module. It commands free units that no other step has claimed. A call that fails, or
    answers what is no order, ends its step; that is logged, and counted in `failures`."""

    def __init__(self, library: CodedLibrary, name: str, kinds: tuple[str, ...], description: str):
        self._library, self.kinds = library, kinds
        self.name, self.description = name, description
        self.signature = f"({', '.join(KINDS[kind].shown for kind in kinds)})"
        self.failures: list[str] = []

    def read(self, words: Sequence[str], state: State, player: int) -> tuple[Any, ...]:
        """Returns the parameters as the module gets them: names, and [x, y]."""
        parameters.count(words, sum(KINDS[kind].words for kind in self.kinds), self.signature)
        values, rest = [], list(words)
        for kind in self.kinds:
            values.append(KINDS[kind].read(rest[: KINDS[kind].words], state))
            rest = rest[KINDS[kind].words :]
        return tuple(values)

    def available(self, turn: SkillTurn, step: Step) -> bool:
        return any(unit.id not in turn.claimed_units for unit in turn.free())

    def act(self, turn: SkillTurn, step: Step) -> None:
        offered = offers(turn)
        found = self._call("act", turn, step, offered)
        if "failed" in step.memory:
            return
        if not isinstance(found, dict):
            self._fail(step, f"act answered {str(found)[:60]!r}, expected a dict of unit id and order")
            return
        for key, name in found.items():
            unit_id = int(key) if key.isascii() and key.isdigit() and len(key) < 9 else -1
            order = offered.get(unit_id, {}).get(name) if isinstance(name, str) else None
            if order is None:
                self._fail(
                    step,
                    f"act orders unit {key[:12]} to {str(name)[:40]!r}, expected an order "
                    "that situation['free'] offers to that unit",
                )
                return
            # Two orders of one answer may clash: the first one stands.
            if name in offers(turn).get(unit_id, {}):
                turn.give(turn.state.units[unit_id], order)

    def done(self, turn: SkillTurn, step: Step) -> bool:
        if "failed" in step.memory:
            return True
        found = self._call("done", turn, step, offers(turn))
        if "failed" not in step.memory and not isinstance(found, bool):
            self._fail(step, f"done answered {str(found)[:60]!r}, expected True or False")
        return found is True or "failed" in step.memory

    def _call(self, function: str, turn: SkillTurn, step: Step, offered: Offers) -> Any:
        try:
            return self._library.call(function, self.name, list(step.parameters), situation_of(turn, offered))
        except SandboxError as error:
            self._fail(step, f"{function} failed: {error}")
            return None

    def _fail(self, step: Step, reason: str) -> None:
        step.memory["failed"] = True
        self.failures.append(reason)
        logging.warning("coded skill [%s]: %s", self.name, reason)


def offers(turn: SkillTurn) -> Offers:
    """Returns for each free unit that no step has claimed, by id, the orders that clash with nothing, by
    name.
    """
    state, found = turn.state, {}
    for unit in turn.free():
        if unit.id in turn.claimed_units:
            continue
        found[unit.id] = {}
        for order in state.legal_orders(unit):
            cell = state.map.neighbours[unit.cell][order.arg] if order.kind in (MOVE, PRODUCE) else -1
            cost = state.table[order.type].cost if order.kind == PRODUCE else 0
            if cell not in turn.claimed and cost <= max(turn.money, 0):
                found[unit.id][orders.describe(order, state.map.width)] = order
    return found


def situation_of(turn: SkillTurn, offered: Offers) -> dict[str, Any]:
    """Returns the situation that a coded skill is told: plain data, the same words for either player."""
    state, board = turn.state, turn.state.map
    owners = {turn.player: "own", 1 - turn.player: "enemy", -1: "nobody"}
    units = []
    for unit in state.units.values():
        x, y = board.positions[unit.cell]
        job = state.jobs.get(unit.id)
        units.append(
            {
                "id": unit.id,
                "type": NAMES[unit.type],
                "owner": owners[unit.player],
                "x": x,
                "y": y,
                "hp": unit.hp,
                "carried": unit.carried,
                "order": job and orders.describe(job.order, board.width),
                "ticks_left": job and job.due - state.clock,
            }
        )
    return {
        "tick": state.clock,
        "width": board.width,
        "height": board.height,
        "walls": [list(board.positions[cell]) for cell, wall in enumerate(board.walls) if wall],
        "bank": turn.money,
        "units": units,
        "free": {str(unit): list(names) for unit, names in offered.items()},
    }
