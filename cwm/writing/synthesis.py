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
from cwm.trust import held_out
from cwm.trust.trajectories import CHANCE, TERMINAL, Trajectory
from cwm.worker import speed
from cwm.worker.simulator import Simulator
from cwm.writing import selection
from cwm.writing.refiners import METHODS, Attempt, judged_by
from cwm.writing.tasks import HiddenLesson, Lesson
from language_models import LanguageModel, find_layer
from language_models.asking.questions import Question, ask
from language_models.backends.auto import Auto
from runs import json_lines

ATTEMPTS = "attempts.jsonl"
MAX_WALKED_OUTCOMES = 60
"""Most outcomes at a chance node of a game that is walked whole."""


class RunError(ValueError):
    """Raised where the run cannot start: the folder is taken, or was begun with other settings."""


@dataclass(frozen=True)
class Settings:
    """The settings of a run; a resumed run must have the same.

    Attributes:
      game: the OpenSpiel game string, or the name that the user's own game goes by.
      method: "tree_search" or "conversation".
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
      The outcome. A run whose best program still fails tests is an outcome too; its manifest says so.

    Raises:
      RunError: the folder holds a finished model or another run.
      language_models.LanguageModelError: the language model gave up; attempts made are kept.
    """
    attempts = _open(folder, settings)
    if attempts:
        progress(f"going on after {len(attempts)} attempt(s) found in {folder}")
        if (auto := find_layer(model, Auto)) is not None:
            auto.decision.go_on_with(attempts[-1].model)
    refiner = METHODS[settings.method](
        lesson, settings.seed, f"cwm synthesis of {settings.game}, run {settings.seed}"
    )
    while len(attempts) < settings.max_calls and not (attempts and attempts[-1].perfect):
        request, parent = refiner.next_request(attempts)
        start = time.monotonic()
        reply = ask(model, Question(request, judged_by(lesson)))
        attempt = replace(
            Attempt.of_reply(len(attempts), parent, reply),
            seconds=time.monotonic() - start,
            prompt_tokens=reply.completion.prompt_tokens,
            completion_tokens=reply.completion.completion_tokens,
        )
        json_lines.append(os.path.join(folder, ATTEMPTS), attempt.to_json())
        attempts.append(attempt)
        progress(describe(attempt))
    best = max(
        (attempt for attempt in attempts if attempt.source is not None),
        key=lambda attempt: (attempt.perfect, attempt.score, -attempt.index),
        default=None,
    )
    if tests is None and best is not None and ground_truth is not None:
        progress(f"held-out test: at least {test_transitions} transitions of {test_games} games")
        tests = list(
            held_out.reported(
                held_out.test_games(ground_truth, test_transitions, test_games), test_transitions, progress
            )
        )
    if settings.llm == "auto":
        settings = replace(settings, llm=model.name)
    content = _manifest(settings, lesson, attempts, best, ground_truth, tests, progress)
    if origin is not None:
        content["trajectories"] = origin
    if best is not None:
        if time_interpreters and best.perfect:
            content["interpreter"] = speed.interpreter_report(best.source)
            progress(f"searches run fastest on {content['interpreter']['chosen']}")
        manifest.write_text(os.path.join(folder, "model.py"), best.source)
    manifest.write_json(os.path.join(folder, "manifest.json"), content)
    return Outcome(folder, best, tuple(attempts), content)


def is_finished(folder: str, settings: Settings) -> bool:
    """Whether the folder holds the finished model of this very run."""
    paths = [os.path.join(folder, name) for name in ("manifest.json", "run.json", "model.py")]
    if not all(map(os.path.exists, paths)):
        return False
    with open(paths[1], encoding="utf-8") as file:
        return json.load(file) == settings.identity()


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
    path = os.path.join(folder, "run.json")
    if os.path.exists(os.path.join(folder, "manifest.json")):
        raise RunError(
            f"{folder}: already holds a finished model; choose another --output_dir or remove this one"
        )
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
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
    tests: Sequence[Trajectory] | None,
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
    if best is not None and ground_truth is not None:
        if hidden:
            inferred = held_out.evaluate_inference(best.source, tests).to_json()
            manifest.settle(rungs, "heldout_inference", inferred["passed"] == inferred["tests"], **inferred)
            progress(
                f"held-out test: inference accuracy {inferred['accuracy']:.4f} on {inferred['tests']} decisions"
            )
        result = held_out.evaluate(best.source, tests, lesson.trajectories)
        manifest.settle(rungs, "heldout_transitions", result.accuracy == 1.0, **result.to_json())
        progress(
            f"held-out test: accuracy {result.accuracy:.4f} on {result.transitions} transitions "
            f"of {result.games} games, {result.distinct_states} distinct states"
        )
        settle_exact_equality(rungs, best.source, walk(ground_truth))
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
        "llm_calls": len(attempts),
        "completion_tokens": sum(tokens) if all(count is not None for count in tokens) else None,
        "train_transition_accuracy": (None if not lesson.trajectories else best.accuracy if best else 0.0),
        "train_transitions": best.transitions if best else 0,
        "train_games": len(lesson.seen if settings.deck == "closed" else lesson.trajectories),
        **deck,
        "test_transition_accuracy": result.accuracy if result else None,
        "test_transitions": result.transitions if result else 0,
        "test": result.to_json() if result else None,
        "accuracy_by_call": ([attempt.accuracy for attempt in attempts] if lesson.trajectories else None),
        "rungs": manifest.rungs_to_json(rungs),
        "value_function": {"accepted": False, "candidates": []},
        "properties": (
            properties_of(lesson.trajectories)
            if lesson.trajectories
            else properties_in(best.source)
            if best
            else None
        ),
        "versions": {"python": platform.python_version(), "open_spiel": pyspiel.__version__},
    }


def properties_of(trajectories: Sequence[Trajectory]) -> dict[str, Any]:
    """The properties of the game's type that recorded games show, for the OpenSpiel game made of the model."""
    steps = [step for trajectory in trajectories for step in trajectory.steps]
    ends = [trajectory.steps[-1] for trajectory in trajectories]
    return {
        "players": trajectories[0].num_players,
        "chance": any(step.player == CHANCE for step in steps),
        "perfect_information": all(
            step.observations.count(step.observations[0]) == len(step.observations) for step in steps
        ),
        "zero_sum": all(abs(sum(step.returns)) < 1e-9 for step in ends),
        "terminal_rewards": not any(any(step.returns) for step in steps if step.player != TERMINAL),
    }


def properties_in(source: str, games: int = 20) -> dict[str, Any]:
    """The properties of the game's type that random games inside a model show, where no game was seen whole."""
    with Simulator(source) as simulator:
        players = simulator.call("constants")["NUM_PLAYERS"]
        runs = [
            simulator.call("replay", simulator.call("random_play", seed, 5_000)["names"])["steps"]
            for seed in range(games)
        ]
    steps = [step for run_steps in runs for step in run_steps]
    return {
        "players": players,
        "chance": any(step["player"] == CHANCE for step in steps),
        "perfect_information": False,
        "zero_sum": all(abs(sum(run_steps[-1]["returns"])) < 1e-9 for run_steps in runs if run_steps),
        "terminal_rewards": not any(any(step["returns"]) for step in steps if step["player"] != TERMINAL),
    }


def walk(game: pyspiel.Game, limit: int = held_out.EXHAUSTIVE_LIMIT) -> list[Trajectory] | None:
    """Paths that take every transition of a small game (`held_out.every_transition`); None where it is large, of
    more than `limit` distinct states."""
    if game.max_game_length() > 20 or game.max_chance_outcomes() > MAX_WALKED_OUTCOMES:
        return None
    return held_out.every_transition(game, limit)


def settle_exact_equality(
    rungs: dict[str, manifest.Rung], source: str, paths: Sequence[Trajectory] | None
) -> held_out.HeldOutResult | None:
    """Compares every transition of a small game, on the paths of `walk`; leaves the rung untried and returns
    None where the game is large."""
    if paths is None:
        rungs["exact_equality"] = manifest.Rung(
            "exact_equality", figures={"reason": "the game is too large to walk whole"}
        )
        return None
    result = held_out.evaluate(source, paths)
    distinct = {
        (held_out.state_key(step), step.action)
        for path in paths
        for step in path.steps
        if step.action is not None
    }
    manifest.settle(
        rungs,
        "exact_equality",
        result.accuracy == 1.0,
        distinct_states=result.distinct_states,
        distinct_transitions=len(distinct),
        checked=result.transitions,
        passed=result.passed,
    )
    return result
