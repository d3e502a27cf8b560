"""The ladder of trust as one verification leaves it: the rungs tested now, and counterexamples of those that fail."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import pyspiel

from cwm import contract
from cwm.contract import manifest
from cwm.contract.manifest import Rung
from cwm.trust import checks, exact_equality, held_out, inference
from cwm.trust.players import at_once, hides
from cwm.trust.trajectories import Trajectory
from cwm.trust.verification import counterexamples, directed
from cwm.trust.verification.counterexamples import Counterexample
from cwm.writing import tasks
from cwm.writing.tasks import HiddenLesson, OpenLesson
from cwm.writing.training import LearntFrom

NOW = "tested now"
NOT_TRIED = "not tried"


@dataclass
class Ladder:
    """The rungs of one model.

    Attributes:
      model: the model as it was loaded.
      game: the ground truth.
      rungs: the rungs by name; those of the manifest until they are tested.
      now: names of the rungs that were tested now.
      examples: the counterexamples of failed rungs by name, where there is one.
    """

    model: manifest.Model
    game: pyspiel.Game
    rungs: dict[str, Rung]
    now: set[str] = field(default_factory=set)
    examples: dict[str, Counterexample] = field(default_factory=dict)

    @classmethod
    def of(cls, model: manifest.Model, game: pyspiel.Game) -> Ladder:
        """The ladder as the manifest has it. A manifest that was verified for another program than the one
        beside it says nothing of this one."""
        rungs = manifest.new_rungs(hidden=hides(game))
        rungs.update({name: Rung(name) for name in manifest.VERIFY_RUNGS})
        verified = model.manifest.get("verified", {}).get("program")
        if verified in (None, manifest.program_hash(model.source)):
            rungs.update({row["rung"]: Rung(**row) for row in model.manifest["rungs"] if row["rung"] in rungs})
        return cls(model, game, rungs)

    def settle(self, name: str, holds: bool, example: Counterexample | None, /, **figures: Any) -> None:
        """Records the verdict on a rung that was tested now."""
        manifest.settle(self.rungs, name, holds, **figures)
        self.now.add(name)
        if not holds and example is not None:
            self.examples[name] = example

    def origin(self, name: str) -> str:
        """The origin of a rung's verdict."""
        if name in self.now:
            return NOW
        if self.rungs[name].status == NOT_TRIED:
            return NOT_TRIED
        date = self.rungs[name].date
        return f"from the manifest of {date}" if date else "from the manifest, which has no date"

    @property
    def failed(self) -> list[str]:
        """Names of the rungs that failed, now or by the manifest."""
        return [name for name in manifest.RUNGS if name in self.rungs and self.rungs[name].status == "failed"]

    @property
    def contradicted(self) -> list[str]:
        """Names of the rungs that failed now although the manifest says that they passed."""
        passed = {row["rung"] for row in self.model.manifest["rungs"] if row["status"] == "passed"}
        return [name for name in self.failed if name in self.now and name in passed]

    def to_json(self) -> list[dict[str, Any]]:
        """The rungs in order, each with `origin` and, where one was found, `counterexample`."""
        return [
            {
                **self.rungs[name].to_json(),
                "origin": self.origin(name),
                **({"counterexample": self.examples[name].to_json()} if name in self.examples else {}),
            }
            for name in manifest.RUNGS
            if name in self.rungs
        ]

    # --- the tests -----------------------------------------------------------------------------------

    def test_contract(self) -> bool:
        """Reads the program without running it."""
        found = contract.breaches(self.model.source, hides(self.game), at_once(self.game))
        example = counterexamples.of_failure(checks.Failure(-1, -1, (), breach="; ".join(found)))
        self.settle("contract", not found, example)
        return not found

    def test_training(self, lesson: OpenLesson | HiddenLesson | None) -> None:
        """Tests the material that the model was learnt from; leaves the manifest's verdict where it cannot be had."""
        if lesson is None:
            return
        if lesson.trajectories:
            report = checks.run(self.model.source, lesson.trajectories, hidden=hides(self.game))
            self.settle(
                "training_transitions",
                report.passed == report.transitions,
                self._smallest(report.failures),
                transitions=report.transitions,
                passed=report.passed,
                games=len(lesson.trajectories),
            )
        else:
            self.rungs["training_transitions"] = Rung(
                "training_transitions", figures={"reason": "with a closed deck no game is shown whole"}
            )
        if isinstance(lesson, HiddenLesson):
            self._test_training_inference(lesson)

    def _test_training_inference(self, lesson: HiddenLesson) -> None:
        holder = checks.Holder(self.model.source)
        try:
            found = inference.check(holder.call, lesson.seen, lesson.truths())
        finally:
            holder.close()
        self.settle(
            "training_inference",
            found.passed == found.tests,
            counterexamples.of_inference(found.failed),
            tests=found.tests,
            passed=found.passed,
            games=len(lesson.seen),
        )

    def test_random_play(self, games: int) -> None:
        """Plays inside the model, looking for breaches of the contract."""
        report = checks.run(self.model.source, [], random_games=games, max_actions=tasks.MAX_ACTIONS)
        self.settle(
            "random_play",
            report.breaches == 0,
            self._smallest(report.failures),
            games=report.random_games,
            breaches=report.breaches,
        )

    def test_held_out(self, tests: Sequence[Trajectory], known: LearntFrom | None) -> held_out.HeldOutResult:
        """Compares every transition of held-out games, and tests inference where information is hidden.

        Args:
          tests: the held-out games.
          known: the games that the model was learnt from; None where they are not known.
        """
        games, seen = (None, ()) if known is None else (known.games, known.seen)
        result = held_out.evaluate(self.model.source, tests, games, seen=seen)
        self.settle(
            "heldout_transitions",
            result.passed == result.transitions,
            self._smallest(result.failures),
            **result.to_json(),
        )
        if hides(self.game):
            found = held_out.evaluate_inference(self.model.source, tests)
            self.settle(
                "heldout_inference",
                found.passed == found.tests,
                counterexamples.of_inference(found.failures),
                **found.to_json(),
            )
        return result

    def test_directed(self, found: directed.Directed) -> None:
        """Records the result of the search for counterexamples."""
        self.settle(
            "directed_transitions", not found.failures, self._smallest(found.failures), **found.figures()
        )

    def test_exact_equality(self, paths: Sequence[Trajectory] | None) -> None:
        """Compares every transition of a small game, on the paths of `exact_equality.walk`."""
        result = exact_equality.settle(self.rungs, self.model.source, paths)
        if result is not None:
            self.now.add("exact_equality")
            example = self._smallest(result.failures)
            if example is not None:
                self.examples["exact_equality"] = example

    def _smallest(self, failures: Sequence[checks.Failure]) -> Counterexample | None:
        return counterexamples.smallest(self.game, self.model.source, failures)
