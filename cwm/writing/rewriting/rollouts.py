"""Rollout functions: one call that plays a random game to its end, checked move for move, then raced.

Most of a search's time goes into random games, and most of a random game's into making states that
nobody keeps. So the language model is asked for a function that plays such a game on local variables.
It takes its random numbers exactly as a game played move by move does; therefore it can be checked for
equality, not for likeness, and the search with it finds the same tree.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass

from cwm import contract
from cwm.contract import manifest, model_folders
from cwm.trust.checks import same_data
from cwm.worker import speed
from cwm.worker.simulator import Simulator
from cwm.writing import prompting
from cwm.writing.candidates import ask_each, candidate_request, fastest
from language_models import LanguageModel, Request
from sandbox import SandboxError

MIN_MOVES = 100_000
"""Least number of moves, chance included, of the rollouts that are compared."""
ROLLOUTS_PER_CALL = 500
SEED_OFFSET = 800
"""Offset within a run's request seeds: rollout functions come after optimizations."""


@dataclass(frozen=True)
class Candidate:
    """One rollout function and its fate.

    Attributes:
      index: 0, 1, ... within the model.
      accepted: whether it is used.
      reason: the reason why it was refused or accepted.
      moves: number of moves of the rollouts that agreed.
      rates: simulations per second by interpreter, without it and with it.
    """

    index: int
    accepted: bool
    reason: str
    moves: int = 0
    rates: dict[str, dict[str, float | None]] | None = None


class Disagreement(Exception):
    """Raised with a sentence on the place where a rollout function and the model differ."""


def request(loaded: manifest.Model, index: int) -> Request:
    """The request for rollout function number `index` of a model."""
    prompt = prompting.rollout(loaded.source)
    return candidate_request(loaded, prompt, "rollout function", SEED_OFFSET, index)


def compare(source: str, rollout: str, moves: int = MIN_MOVES) -> int:
    """Plays the same rollouts with a rollout function and move by move, each in a worker of its own.

    A rollout starts from each state of random games. The returns, the count of random numbers that were taken,
    and the next random number are compared.

    Returns:
      The number of moves of the rollouts that agreed, at least `moves`.

    Raises:
      Disagreement: the first difference, or the function's failure.
    """
    checked = number = 0
    with Simulator(source) as plain:
        try:
            fast = Simulator(source, rollout_source=rollout)
        except SandboxError as error:
            raise Disagreement(f"it does not load: {error}") from error
        with fast:
            while checked < moves:
                wanted = plain.call("random_rollouts", number, ROLLOUTS_PER_CALL, False)
                try:
                    found = fast.call("random_rollouts", number, ROLLOUTS_PER_CALL, True)
                except SandboxError as error:
                    raise Disagreement(
                        f"rollouts {number} to {number + ROLLOUTS_PER_CALL - 1}: it failed ({error})"
                    ) from error
                for index, (here, there) in enumerate(zip(wanted, found)):
                    if not same_data(here, there):
                        raise Disagreement(
                            f"rollout {number + index}: it returns {there[0]} after {there[1]} random "
                            f"numbers, move by move the game returns {here[0]} after {here[1]}"
                        )
                    checked += here[1]
                number += ROLLOUTS_PER_CALL
    return checked


def add(
    folder: str,
    model: LanguageModel,
    count: int,
    moves: int = MIN_MOVES,
    progress: Callable[[str], None] = lambda line: None,
) -> list[Candidate]:
    """Asks for `count` rollout functions of the model in `folder` and keeps the fastest right one.

    Writes `rollout.py` beside the model where one is accepted, and the verdicts into its manifest.
    Answers are kept in `rollout_attempts.jsonl`, so that a run that was killed asks for none twice.
    """
    loaded = manifest.load(folder)
    model_folders.check_in_turn(loaded, "python -m cwm.optimize")
    replies = ask_each(
        os.path.join(folder, "rollout_attempts.jsonl"),
        [request(loaded, index) for index in range(count)],
        model,
    )
    best, verdicts = fastest(
        replies,
        lambda index, source: judge(index, loaded.source, source, moves, progress),
        "rollout function",
        progress,
    )
    if best is not None:
        manifest.write_text(os.path.join(folder, "rollout.py"), best)
    manifest.write_json(
        os.path.join(folder, "manifest.json"),
        dict(
            loaded.manifest,
            rollout={
                "accepted": best is not None,
                "llm_calls": len(replies),
                "candidates": [asdict(verdict) for verdict in verdicts],
            },
            interpreter=speed.interpreter_report(loaded.source, best, loaded.native_source),
        ),
    )
    return verdicts


def judge(
    index: int, program: str, source: str | None, moves: int, progress: Callable[[str], None]
) -> tuple[Candidate, float]:
    """The verdict on one candidate, and its simulations a second where it is accepted, else 0."""
    if source is None:
        return Candidate(index, False, "the answer held no program"), 0.0
    refusal = contract.extension_breach(source, contract.ROLLOUT_FUNCTION)
    if refusal:
        return Candidate(index, False, refusal), 0.0
    progress(f"rollout function {index + 1}: rollouts of {moves} moves")
    try:
        agreed = compare(program, source, moves)
    except Disagreement as difference:
        return Candidate(index, False, str(difference)), 0.0
    by_name, after, ratio = speed.compare((program, None), (program, source))
    if ratio <= 1.0:
        return Candidate(
            index,
            False,
            f"agrees on {agreed} moves but searches are not faster with it ({ratio:.2f} times the speed)",
            agreed,
            by_name,
        ), 0.0
    return Candidate(
        index, True, f"agrees on {agreed} moves and makes searches {ratio:.2f} times as fast", agreed, by_name
    ), after
