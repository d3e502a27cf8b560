"""One synthesis run: from rules and recorded games to a checked model in a folder.

The folder holds `run.json` (what was asked for), `attempts.jsonl` (every call and its verdict,
appended as it ends) and, when the run is over, `model.py` and `manifest.json`. A run that was killed
goes on from `attempts.jsonl`.
"""

from __future__ import annotations

import json
import os
import platform
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyspiel

from cwm.contract import manifest
from cwm.trust import exact_equality, held_out
from cwm.trust.game_properties import properties_in, properties_of
from cwm.trust.players import players_of
from cwm.trust.trajectories import Trajectory
from cwm.worker import speed
from cwm.writing import selection
from cwm.writing.hypotheses.oracle import GameOracle, Oracle
from cwm.writing.hypotheses.search import HypothesisSearch, named_contradictions
from cwm.writing.refiners import METHODS as REFINERS
from cwm.writing.refiners import Attempt, Refiner
from cwm.writing.tasks import HiddenLesson, Lesson
from cwm.writing.training import LearntFrom
from language_models import LanguageModel, find_layer
from language_models.asking.questions import Question, ask
from language_models.backends.auto import Auto
from runs import json_lines

ATTEMPTS, SETTINGS = "attempts.jsonl", "run.json"
HYPOTHESES = "hypotheses"
METHODS = (*REFINERS, HYPOTHESES)
"""Refiners by the name that `--method` takes."""


class RunError(ValueError):
    """Raised where the run cannot start: the folder is taken, or was begun with other settings."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run; a resumed run must have the same.

    Attributes:
      game: the OpenSpiel game string, or the name that the user's own game goes by.
      method: one of `METHODS`.
      llm: the language model's spec string.
      seed: tells independent runs apart.
      max_calls: most calls of the language model.
      training: hash of the rules and the recorded games.
      deck: "open" or "closed" for a game with hidden information, else None.
    """

    game: str
    method: str
    llm: str
    seed: int
    max_calls: int
    training: str
    deck: str | None = None

    def identity(self) -> dict[str, Any]:
        """The settings that must agree for a run to be resumed; the backend and the budget may change."""
        deck = {} if self.deck is None else {"deck": self.deck}
        return {"game": self.game, "method": self.method, "seed": self.seed, "training": self.training, **deck}


@dataclass(frozen=True)
class Outcome:
    """A finished run: its folder, the best attempt, all attempts, and the manifest's content."""

    folder: str
    best: Attempt | None
    attempts: tuple[Attempt, ...]
    manifest: dict[str, Any]

    @property
    def test_failure(self) -> str | None:
        """The reason for which the held-out test ended early, in words; None where it did not."""
        return self.manifest.get("test_failure")


def run(
    folder: str,
    settings: Settings,
    lesson: Lesson,
    model: LanguageModel,
    *,
    ground_truth: pyspiel.Game | None = None,
    test_transitions: int = 10_000,
    test_games: int = 100,
    tests: Sequence[Trajectory] | None = None,
    time_interpreters: bool = False,
    origin: dict[str, Any] | None = None,
    progress: Callable[[str], None] = lambda line: None,
) -> Outcome:
    """Synthesizes a world model into `folder`.

    Args:
      folder: a folder, which is made; it may hold an unfinished run with the same settings, which then goes on.
      settings: identity and limits of the run.
      lesson: the rules and the recorded games, the training set.
      model: the language model that writes the programs.
      ground_truth: the game itself where there is one, for the held-out rungs.
      test_transitions, test_games: least size of the held-out test set.
      tests: the held-out games, where they were collected before; None to collect them.
      time_interpreters: whether to time searches of the model on each interpreter of this machine
        and to write into the manifest which one is the fastest.
      origin: the origin of the recorded games, for the manifest: {"protocol": "random"}, or "recorded"
        for a user's own, or `selection.Selection.figures`.
      progress: a function that is told the events, one line at a time.

    Returns:
      The outcome. A run whose best program still fails tests is an outcome too, and so is one whose held-out test
      could not be made; its manifest says so.

    Raises:
      RunError: the folder holds a finished model or another run.
      language_models.LanguageModelError: the language model gave up; attempts made are kept.
    """
    attempts = _open(folder, settings)
    if attempts:
        progress(f"going on after {len(attempts)} attempt(s) found in {folder}")
        if (auto := find_layer(model, Auto)) is not None:
            auto.decision.go_on_with(attempts[-1].model)
    refiner = refiner_of(
        settings.method,
        lesson,
        settings.seed,
        purpose(settings.game, settings.seed),
        None if ground_truth is None else GameOracle(ground_truth),
    )
    while len(attempts) < settings.max_calls and not refiner.done(attempts):
        request, parent = refiner.next_request(attempts)
        start = time.monotonic()
        reply = ask(model, Question(request, refiner.check(attempts)))
        attempt = replace(
            Attempt.of_reply(len(attempts), parent, reply),
            seconds=time.monotonic() - start,
            prompt_tokens=reply.completion.prompt_tokens,
            completion_tokens=reply.completion.completion_tokens,
        )
        json_lines.append(os.path.join(folder, ATTEMPTS), attempt.to_json())
        attempts.append(attempt)
        progress(describe(attempt))
    best = refiner.best(attempts)

    def collected() -> Sequence[Trajectory]:
        if tests is not None:
            return tests
        progress(f"held-out test: at least {test_transitions} transitions of {test_games} games")
        games = held_out.test_games(ground_truth, test_transitions, test_games)
        return list(held_out.reported(games, test_transitions, progress))

    if best is not None:
        manifest.write_text(os.path.join(folder, "model.py"), best.source)
    if settings.llm == "auto":
        settings = replace(settings, llm=model.name)
    content = _manifest(settings, lesson, attempts, best, ground_truth, collected, progress)
    content.update(refiner.figures())
    if named := named_contradictions(best):
        content["contradictions"] = named
    if origin is not None:
        content["trajectories"] = origin
    # Searches where players choose at once are timed when the model is written in C.
    in_turn = not (content["properties"] or {}).get("simultaneous")
    if best is not None and time_interpreters and best.perfect and in_turn:
        _time_interpreters(content, best.source, progress)
    manifest.write_json(os.path.join(folder, "manifest.json"), content)
    return Outcome(folder, best, tuple(attempts), content)


def refiner_of(method: str, lesson: Lesson, seed: int, purpose: str, oracle: Oracle | None = None) -> Refiner:
    """The refiner of a name in `METHODS`.

    Args:
      method: its name.
      lesson: rules, recorded games and tests.
      seed: tells independent runs apart.
      purpose: the purpose of the requests.
      oracle: the game that hypothesis search may ask for short games; None for none.
    """
    if method == HYPOTHESES:
        return HypothesisSearch(lesson, seed, purpose, oracle)
    return REFINERS[method](lesson, seed, purpose)


def purpose(game: str, seed: int) -> str:
    """The purpose of a run's requests, as recordings name it."""
    return f"cwm synthesis of {game}, run {seed}"


def _time_interpreters(content: dict[str, Any], source: str, progress: Callable[[str], None]) -> None:
    """Notes the fastest interpreter; a program that cannot be timed keeps the default one."""
    try:
        content["interpreter"] = speed.interpreter_report(source)
        progress(f"searches run fastest on {content['interpreter']['chosen']}")
    except Exception as error:  # the program's own code runs here, and all else of the run is done
        progress(f"interpreters: not timed ({type(error).__name__}: {' '.join(str(error).split())})")


def begun_in(folder: str) -> dict[str, Any] | None:
    """The settings (`Settings.identity`) of the run that a folder holds, finished or not; None where it holds none."""
    path = os.path.join(folder, SETTINGS)
    if not os.path.exists(path):
        return None
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def is_finished(folder: str, settings: Settings) -> bool:
    """Whether the folder holds the finished model of this very run."""
    made = all(os.path.exists(os.path.join(folder, name)) for name in ("manifest.json", "model.py"))
    return made and begun_in(folder) == settings.identity()


def describe(attempt: Attempt) -> str:
    """One line about an attempt, for progress."""
    origin = "from scratch" if attempt.parent is None else f"refines call {attempt.parent + 1}"
    counts = (
        (attempt.passed, attempt.transitions, "transitions"),
        (attempt.inferred, attempt.inferences, "inferences"),
    )
    verdict = ", ".join(f"{passed}/{tests} {what}" for passed, tests, what in counts if tests)
    if attempt.breaches:
        verdict += f", {attempt.breaches} of {attempt.random_games} random games broke the contract"
    if attempt.source is None:
        verdict = "no program in the answer"
    return f"call {attempt.index + 1} ({origin}): {verdict}"


def _open(folder: str, settings: Settings) -> list[Attempt]:
    """Makes the folder, or finds the attempts of the same run in it."""
    path = os.path.join(folder, SETTINGS)
    if os.path.exists(os.path.join(folder, "manifest.json")):
        raise RunError(
            f"{folder}: already holds a finished model; choose another --output_dir or remove this one"
        )
    found = begun_in(folder)
    if found is not None:
        attempts = [Attempt.from_json(row) for row in json_lines.resume(os.path.join(folder, ATTEMPTS))]
        if found != settings.identity() and attempts:
            flags = {"training": "other rules or recorded games"}
            changed = [
                flags.get(key, f"--{key}={found[key]}")
                for key in sorted(found)
                if found[key] != settings.identity().get(key)
            ]
            raise RunError(
                f"{folder}: holds an unfinished run with {' and '.join(changed)}; give the "
                f"same flags to go on with it, or choose another --output_dir"
            )
        if found != settings.identity():
            manifest.write_json(path, settings.identity())  # nothing was asked yet: nothing is lost
        return attempts
    check_free(folder)
    try:
        os.makedirs(folder, exist_ok=True)
        manifest.write_json(path, settings.identity())
    except OSError as error:
        raise RunError(
            f"{folder}: cannot be made or written to ({error.strerror}); choose another --output_dir"
        ) from error
    return []


def check_free(folder: str) -> None:
    """Makes sure that a new run may begin in a folder: there is none, or it holds chosen games at most.

    Raises:
      RunError: there is something else.
    """
    if os.path.exists(folder) and (not os.path.isdir(folder) or set(os.listdir(folder)) - {selection.FILE}):
        raise RunError(f"{folder}: exists and holds no synthesis run; choose another --output_dir or remove it")


def _manifest(
    settings: Settings,
    lesson: Lesson,
    attempts: Sequence[Attempt],
    best: Attempt | None,
    ground_truth: pyspiel.Game | None,
    tests: Callable[[], Sequence[Trajectory]],
    progress: Callable[[str], None],
) -> dict[str, Any]:
    hidden = isinstance(lesson, HiddenLesson)
    rungs = manifest.new_rungs(hidden)
    result: held_out.HeldOutResult | None = None
    inferred: dict[str, Any] = {}
    if best is not None:
        fails_contract = any("breaks the contract" in text for text in best.failures)
        manifest.settle(rungs, "contract", not fails_contract)
        if lesson.trajectories:
            manifest.settle(
                rungs,
                "training_transitions",
                best.passed == best.transitions,
                transitions=best.transitions,
                passed=best.passed,
                games=len(lesson.trajectories),
            )
        if hidden:
            manifest.settle(
                rungs,
                "training_inference",
                best.inferred == best.inferences,
                tests=best.inferences,
                passed=best.inferred,
                games=len(lesson.seen),
            )
        manifest.settle(
            rungs, "random_play", best.breaches == 0, games=best.random_games, breaches=best.breaches
        )
    failure = None
    if best is not None and ground_truth is not None:
        result, inferred, failure = _held_out(rungs, best.source, lesson, ground_truth, tests, progress)
    deck = (
        {}
        if not hidden
        else {
            "deck": settings.deck,
            "train_inferences": best.inferences if best else 0,
            "train_inference_accuracy": best.inferred / best.inferences if best else 0.0,
            "inference_by_call": [attempt.inferred / attempt.inferences for attempt in attempts],
            "test_inference_accuracy": inferred.get("accuracy"),
            "test_inferences": inferred.get("tests"),
        }
    )
    tokens = [attempt.completion_tokens for attempt in attempts]
    return {
        "game": settings.game,
        "method": settings.method,
        "llm": settings.llm,
        "seed": settings.seed,
        "prompt_version": lesson.prompt_version,
        "llm_calls": len(attempts),
        "completion_tokens": sum(tokens) if all(count is not None for count in tokens) else None,
        "train_transition_accuracy": (None if not lesson.trajectories else best.accuracy if best else 0.0),
        "train_transitions": best.transitions if best else 0,
        "train_games": len(lesson.seen if settings.deck == "closed" else lesson.trajectories),
        **deck,
        "test_transition_accuracy": result.accuracy if result else None,
        "test_transitions": result.transitions if result else 0,
        "test": result.to_json() if result else None,
        **({"test_players": players_of(ground_truth).names} if result else {}),
        **({"test_failure": failure} if failure else {}),
        "accuracy_by_call": ([attempt.accuracy for attempt in attempts] if lesson.trajectories else None),
        "rungs": manifest.rungs_to_json(rungs),
        "value_function": {"accepted": False, "candidates": []},
        "properties": (
            {**properties_of(lesson.trajectories), **({"perfect_information": False} if hidden else {})}
            if lesson.trajectories
            else properties_in(best.source)
            if best
            else None
        ),
        "versions": {"python": platform.python_version(), "open_spiel": pyspiel.__version__},
    }


def _held_out(
    rungs: dict[str, manifest.Rung],
    source: str,
    lesson: Lesson,
    ground_truth: pyspiel.Game,
    tests: Callable[[], Sequence[Trajectory]],
    progress: Callable[[str], None],
) -> tuple[held_out.HeldOutResult | None, dict[str, Any], str | None]:
    """Tests a program against the ground truth and settles the rungs of that.

    The language model has been paid for by now. Whatever fails here, in a game's own code or in the program, costs
    these rungs and nothing else.

    Returns:
      The result of the transitions, None where the test failed before it; the figures of inference, empty in a
      game without secrets; and the failure in words, None where there was none.
    """
    result: held_out.HeldOutResult | None = None
    inferred: dict[str, Any] = {}
    try:
        games = tests()
        if isinstance(lesson, HiddenLesson):
            inferred = held_out.evaluate_inference(source, games).to_json()
            manifest.settle(rungs, "heldout_inference", inferred["passed"] == inferred["tests"], **inferred)
            progress(
                f"held-out test: inference accuracy {inferred['accuracy']:.4f} on {inferred['tests']} decisions"
            )
        known = LearntFrom.lesson(lesson)
        result = held_out.evaluate(source, games, known.games, seen=known.seen)
        manifest.settle(rungs, "heldout_transitions", result.accuracy == 1.0, **result.to_json())
        progress(
            f"held-out test: accuracy {result.accuracy:.4f} on {result.transitions} transitions "
            f"of {result.games} games, {result.distinct_states} distinct states"
        )
        exact_equality.settle(rungs, source, exact_equality.walk(ground_truth))
    except Exception as error:
        failure = f"{type(error).__name__}: {' '.join(str(error).split())}"
        for name in ("heldout_inference", "heldout_transitions", "exact_equality"):
            if name in rungs and rungs[name].status == "not tried":
                rungs[name].figures = {"reason": f"the test failed: {failure}"}
        progress(f"held-out test: failed ({failure})")
        return result, inferred, failure
    return result, inferred, None
