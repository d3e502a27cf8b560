"""The lines and conditions of a model that the tests never reached.

A rule that no test reaches may be wrong although every test passes: models with a transition accuracy of 1 have
lost by such rules (arXiv:2607.14169 on code world models). What was compared with the ground truth is replayed
in the copy with probes (`cwm.trust.verification.probes`), which runs in a sealed worker of its own. Play inside
the model alone does not count, since it is compared with nothing.

The worker could forge the report: it is the program's claim, and no rung is settled by it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from cwm.trust import checks, inference
from cwm.trust.inference import Seen
from cwm.trust.trajectories import Trajectory
from cwm.trust.verification.probes import Probed, with_probes

_TRANSITIONS_PER_CALL = 300
"""Number of transitions in one call, which keeps it below the time limit of the tests."""
_HISTORIES_PER_CALL = 10


@dataclass(frozen=True)
class UnreachedLines:
    """Lines of one function ("" at the module's top level) that never ran. `guard`: they do nothing but raise."""

    first: int
    last: int
    function: str
    guard: bool

    def describe(self) -> str:
        """One line about it."""
        where = f"line {self.first}" if self.first == self.last else f"lines {self.first}-{self.last}"
        return f"{where}, in {self.function or 'the module'}: never run"


@dataclass(frozen=True)
class OneSided:
    """A condition that was evaluated and never came out as `never`. `guard`: it leads to a raised error."""

    line: int
    function: str
    condition: str
    never: bool
    guard: bool

    def describe(self) -> str:
        """One line about it."""
        return (
            f"line {self.line}, in {self.function or 'the module'}: `{self.condition}` was never "
            f"{str(self.never).lower()}"
        )


@dataclass(frozen=True)
class Reached:
    """The parts of a program that the tests reached, as its worker claims.

    Attributes:
      lines, lines_reached: number of lines that hold statements, and of those that ran.
      outcomes, outcomes_reached: number of outcomes, two for each condition, and of those that came about.
      never_run: the lines that did not run.
      one_sided: the conditions that were evaluated and always came out alike.
      problem: the reason why there is no report, in one sentence; None where there is one.
    """

    lines: int = 0
    lines_reached: int = 0
    outcomes: int = 0
    outcomes_reached: int = 0
    never_run: tuple[UnreachedLines, ...] = ()
    one_sided: tuple[OneSided, ...] = ()
    problem: str | None = None

    def items(self) -> list[UnreachedLines | OneSided]:
        """All that was not reached, in the order of the program, the guards of errors last. Lines that
        follow at once on a condition that was never true are left out: it says the same."""
        untrue = {(one.function, one.line + 1) for one in self.one_sided if one.never}
        found: list[UnreachedLines | OneSided] = [
            *self.one_sided,
            *(one for one in self.never_run if (one.function, one.first) not in untrue),
        ]
        return sorted(
            found, key=lambda one: (one.guard, one.first if isinstance(one, UnreachedLines) else one.line)
        )

    def to_json(self) -> dict[str, Any]:
        return {"claimed_by": "the model's own worker, which could forge it", **asdict(self)}


class Recorder:
    """Replays tests in the copy with probes and keeps the probes that they reach.

    Args:
      source: text of the model's module.
    """

    def __init__(self, source: str):
        self._holder: checks.Holder | None = None
        self._hits: set[int] = set()
        self._problem: str | None = None
        try:
            self._probed = with_probes(source)
        except (SyntaxError, ValueError, RecursionError) as error:
            self._probed = Probed("", (), ())
            self._problem = f"the program cannot be given probes: {error}"
            return
        self._holder = checks.Holder(self._probed.source)

    def replay(self, trajectories: Iterable[Trajectory]) -> None:
        """Replays recorded games."""
        batch: list[list[str]] = []
        for trajectory in trajectories:
            batch.append(trajectory.actions)
            if sum(map(len, batch)) >= _TRANSITIONS_PER_CALL:
                self._call("replayed", batch)
                batch = []
        if batch:
            self._call("replayed", batch)

    def infer(self, games: Iterable[Seen]) -> None:
        """Draws from histories of players, as the inference tests do."""
        seeds = list(range(inference.SEEDS_PER_DECISION))
        for seen in games:
            states = seen.tested_states()
            for start in range(0, len(states), _HISTORIES_PER_CALL):
                batch = states[start : start + _HISTORIES_PER_CALL]
                pairs = [list(pair) for pair in zip(seen.observations[: batch[-1] + 1], seen.actions)]
                self._call("inferred", seen.player, pairs, batch, seeds)

    def _call(self, function: str, *args: Any) -> None:
        if self._problem is not None:
            return
        reply = self._holder.call(f"coverage_driver.{function}", *args)
        if not isinstance(reply, str) or len(reply) != self._probed.size or set(reply) - {"0", "1"}:
            detail = reply["error"]["message"] if isinstance(reply, dict) and "error" in reply else "no report"
            self._problem = f"the copy with probes failed: {detail}"
            return
        self._hits.update(place for place, hit in enumerate(reply) if hit == "1")

    def result(self) -> Reached:
        """The parts reached so far."""
        if self._problem is not None:
            return Reached(problem=self._problem)
        return report(self._probed, self._hits)

    def close(self) -> None:
        if self._holder is not None:
            self._holder.close()


def report(probed: Probed, hits: set[int]) -> Reached:
    """The parts of a program that were reached, by the numbers of the probes hit."""
    run = {line for place, block in enumerate(probed.blocks) if place in hits for line in block.lines}
    every = {line for block in probed.blocks for line in block.lines}
    first = len(probed.blocks)
    one_sided, reached = [], 0
    for number, condition in enumerate(probed.conditions):
        outcomes = [first + 2 * number + outcome in hits for outcome in (0, 1)]
        reached += sum(outcomes)
        if sum(outcomes) == 1:
            never = outcomes[0]
            one_sided.append(
                OneSided(condition.line, condition.function, condition.text, never, condition.guard)
            )
    return Reached(
        len(every),
        len(run),
        2 * len(probed.conditions),
        reached,
        tuple(_ranges(probed, sorted(every), run)),
        tuple(one_sided),
    )


def _ranges(probed: Probed, every: Sequence[int], run: set[int]) -> list[UnreachedLines]:
    """The lines that never ran, neighbours of one function put together."""
    about = {line: (block.function, block.raises) for block in probed.blocks for line in block.lines}
    # Lines without a statement, such as `else:`, do not part what stands around them.
    position = {line: number for number, line in enumerate(every)}
    missing = [line for line in every if line not in run]
    found = []
    for _, group in itertools.groupby(
        missing, key=lambda line: (position[line] - missing.index(line), about[line][0])
    ):
        lines = list(group)
        found.append(
            UnreachedLines(lines[0], lines[-1], about[lines[0]][0], all(about[line][1] for line in lines))
        )
    return found
