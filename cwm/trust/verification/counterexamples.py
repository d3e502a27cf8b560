"""The smallest counterexample of a failed rung: where the model and the ground truth part, with as few actions
before it as can be found."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import pyspiel

from cwm.trust import checks
from cwm.trust.checks import Failure, Mismatch
from cwm.trust.inference import InferenceFailure
from cwm.trust.trajectories import from_names
from cwm.writing import prompting

SHRINK_SECONDS = 10.0
"""Seconds for finding a shorter counterexample."""


@dataclass(frozen=True)
class Counterexample:
    """A proof that a rung fails.

    Attributes:
      history: names of the actions before it; for an inference the pairs [observation, own action or None]
        of the player.
      action: the name of the action that is mispredicted, or None where there is none.
      differences: {"where", "expected", "found"} of each difference, and of two objects "fields", the two
        values of each field in which they differ by its name; empty where the model raised.
      error: the error that the model raised, {"call", "message", "lines"}, or None.
      text: the counterexample in words, as a language model is shown it.
      player: the player whose inference failed, or None.
    """

    history: tuple[Any, ...]
    action: str | None
    differences: tuple[dict[str, Any], ...]
    error: dict[str, Any] | None
    text: str
    player: int | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


def of_failure(failure: Failure) -> Counterexample:
    """The counterexample of a failed transition, or of a breach in random play."""
    differences = [asdict(mismatch) | _fields(mismatch) for mismatch in failure.mismatches]
    if failure.breach:
        differences.append({"where": "the contract", "expected": "no breach", "found": failure.breach})
    return Counterexample(
        failure.history, failure.action, tuple(differences), failure.error, prompting.show_failure(failure)
    )


def _fields(mismatch: Mismatch) -> dict[str, Any]:
    """The fields in which two objects differ; nothing of other data."""
    old, new = mismatch.expected, mismatch.found
    if not isinstance(old, dict) or not isinstance(new, dict):
        return {}
    names = [name for name in {**old, **new} if not checks.same_data(old.get(name), new.get(name))]
    return {"fields": {name: [old.get(name), new.get(name)] for name in names}}


def of_inference(failures: Sequence[InferenceFailure]) -> Counterexample | None:
    """The counterexample with the shortest history; None without failures."""
    if not failures:
        return None
    best = min(failures, key=lambda failure: (len(failure.history), len(failure.text)))
    difference = {"where": "inference", "expected": "what the player saw", "found": best.problem}
    return Counterexample(tuple(best.history), None, (difference,), None, best.text, best.player)


def smallest(
    game: pyspiel.Game, source: str, failures: Sequence[Failure], seconds: float = SHRINK_SECONDS
) -> Counterexample | None:
    """The shortest of several failures, made shorter by leaving out actions before it (delta debugging,
    Zeller and Hildebrandt 2002) as long as the rest is legal in the game and the model still fails.

    Args:
      game: the ground truth.
      source: text of the model's module.
      failures: failures at transitions of recorded games, or in random play.
      seconds: time for making it shorter.

    Returns:
      The counterexample; None without failures.
    """
    if not failures:
        return None
    best = min(failures, key=lambda failure: (len(failure.history), failure.game))
    if best.game < 0 or best.action is None:
        return of_failure(best)
    deadline = time.monotonic() + seconds
    holder = checks.Holder(source)
    try:
        length = max(1, len(best.history) // 2)
        while length and time.monotonic() < deadline:
            shorter = _without_some(game, holder, best, length, deadline)
            best = shorter or best
            # Players take turns, so that two actions can often go where one or three cannot.
            less = length // 2 if length > 4 else length - 1
            length = min(length, len(best.history)) if shorter else less
    finally:
        holder.close()
    return of_failure(best)


def _without_some(
    game: pyspiel.Game, holder: checks.Holder, failure: Failure, length: int, deadline: float
) -> Failure | None:
    """A failure of the same game without `length` actions in a row of its history; None if there is none."""
    names = [*failure.history, failure.action]
    for start in range(len(failure.history) - length + 1):
        if time.monotonic() > deadline:
            return None
        try:
            rest = from_names(game, names[:start] + names[start + length :])
        except ValueError:
            continue  # not legal in the game
        found = checks.check_game(holder, failure.game, rest)[1]
        if found is not None and len(found.history) < len(failure.history):
            return found
    return None
