"""Online learning: a world model that is revised between games, from its player's views (the paper leaves
it as future work).

A *learner* is a folder. After each game the newest model is tested on it: in a game of perfect
information on every transition, in one with hidden information on what its player saw, by the inference
tests of a closed deck. A game that it mispredicts goes back to the language model through the refiner of
a synthesis (`cwm.writing.refiners`), at most `calls` times over all games. A revision is taken only if it passes
everything: this game, all games before, random play, and the recorded games that the first model was
learnt from.

    games.jsonl       one line for each game: what was seen, the model, tests passed, calls, what came of it
    attempts.jsonl    every answer of the language model and its verdict
    revision_1/, ...  the models taken, beside the first one and never over it, each with a manifest
    learner.json      of which model this is the learner

A line of games.jsonl is written last, so that a killed learner goes on where it stood.
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import pyspiel

from cwm.contract import manifest, model_folders
from cwm.trust import checks, inference
from cwm.trust.inference import Seen, seen_by
from cwm.trust.players import at_once, hides
from cwm.trust.trajectories import Trajectory, from_actions, from_names
from cwm.writing import refiners
from cwm.writing.refiners import Attempt, Judged, judged_by
from cwm.writing.tasks import HiddenLesson, Lesson, OpenLesson, Verdict
from cwm.writing.training import lesson_of, rules_of
from games.registration import name_of
from language_models import LanguageModel
from language_models.asking.questions import Question, ask
from runs import json_lines

SETTINGS, GAMES, ATTEMPTS = "learner.json", "games.jsonl", "attempts.jsonl"


class LearnerError(ValueError):
    """Raised where a learner's folder is taken, damaged, or belongs to another model."""


@dataclass(frozen=True)
class Learnt:
    """One game of a learner; a line of games.jsonl.

    Attributes:
      model: name of the model that played it.
      actions: names of all actions, in a game of perfect information; else empty.
      seen: the player's view, in a game with hidden information (`Seen.to_json`); else None.
      tests, passed: tests made of this game, and those that the model passed before it was revised.
      all_tests, before, after: tests of all games so far, and those passed by the model that played this
        one, and by the one taken after it.
      calls: calls of the language model after this game.
      revision: name of the model that was taken, or None.
    """

    model: str
    actions: tuple[str, ...]
    seen: dict[str, Any] | None
    tests: int
    passed: int
    all_tests: int
    before: int
    after: int
    calls: int
    revision: str | None


@dataclass(frozen=True)
class _OnlineLesson:
    """Games that were played, and the material that the first model was learnt from."""

    played: Lesson
    training: Lesson | None

    @property
    def deck(self) -> str | None:
        return self.played.deck

    @property
    def prompt_version(self) -> int:
        return self.played.prompt_version

    def first_prompt(self) -> str:
        return self.played.first_prompt()

    def next_prompt(self, source: str | None, failure: str, passed: int, tests: int) -> str:
        return self.played.next_prompt(source, failure, passed, tests)

    def judge(self, source: str) -> Verdict:
        played = self.played.judge(source)
        if self.training is None:
            return played
        trained = self.training.judge(source)
        counts = {
            name: getattr(played, name) + getattr(trained, name)
            for name in ("transitions", "passed", "inferences", "inferred", "random_games", "breaches")
        }
        return Verdict(**counts, failures=played.failures + trained.failures)

    def counts(self) -> tuple[int, int]:
        own, trained = self.played.counts(), self.training.counts() if self.training else (0, 0)
        return own[0] + trained[0], own[1] + trained[1]

    def fingerprint(self) -> str:
        return self.played.fingerprint()


class Learner:
    """Revises a world model between the games of its player.

    Args:
      folder: folder of the learner; a new one is made, an old one goes on.
      game: the game played; no more of the ground truth is used than the player's view.
      model: the first model, which stays as it is.
      llm: the language model that writes the revisions.
      calls: most calls of the language model, over all games.
      seed: seed of the refiner.
      rules: the rules as text; None for those that ship or that the game's package brings.

    Raises:
      LearnerError: the folder is something else, or the learner of another model or seed.
      ValueError: no rules are given and none ship.
    """

    def __init__(
        self,
        folder: str,
        game: pyspiel.Game,
        model: manifest.Model,
        llm: LanguageModel,
        *,
        calls: int,
        seed: int = 0,
        rules: str | None = None,
    ):
        self._folder, self._game, self._first, self._llm = folder, game, model, llm
        self._calls, self._seed = calls, seed
        self._rules = rules_of(model, game, None) if rules is None else rules
        self._hides = hides(game)
        self._identity = {
            "game": name_of(game),
            "model": model_folders.name_of(model.path),
            "seed": seed,
            "source": hashlib.sha256(model.source.encode()).hexdigest(),
        }
        self._open()

    def current(self) -> manifest.Model:
        """The newest model."""
        taken = [row.revision for row in self.games() if row.revision]
        return manifest.load(os.path.join(self._folder, taken[-1])) if taken else self._first

    def _name_of(self, model: manifest.Model) -> str:
        return self._identity["model"] if model is self._first else os.path.basename(model.path)

    def games(self) -> list[Learnt]:
        """The games learnt from so far."""
        return [Learnt(**{**row, "actions": tuple(row["actions"])}) for row in self._rows(GAMES)]

    def observed(self, actions: Sequence[int], player: int) -> Trajectory | Seen:
        """The knowledge of a player about a game, which need not be over, from all its actions."""
        trajectory = from_actions(self._game, actions)
        return seen_by(trajectory, player) if self._hides else trajectory

    def score(self, source: str) -> tuple[int, int]:
        """The tests of all games so far, and the number of them that a program passes."""
        scores = [self._test(source, self._observed_in(row)) for row in self.games()]
        return sum(tests for tests, _ in scores), sum(passed for _, passed in scores)

    def _test(self, source: str, observed: Trajectory | Seen) -> tuple[int, int]:
        """The tests of one game, and the number of them that a program passes."""
        if isinstance(observed, Trajectory):
            report = checks.run(source, [observed])
            return report.transitions, report.passed
        holder = checks.Holder(source)
        try:
            inferred = inference.check(holder.call, [observed])
        finally:
            holder.close()
        return inferred.tests, inferred.passed

    def learn(self, observed: Trajectory | Seen) -> Learnt:
        """Tests the newest model on a game and revises it where it fails.

        Raises:
          language_models.LanguageModelError: the language model gave up; its answers so far are kept, and
            the next call with the same game goes on from them.
        """
        with self._locked():
            done, model = self.games(), self.current()
            tests, passed = self._test(model.source, observed)
            all_tests, before = tests, passed
            if done:
                all_tests, before = all_tests + done[-1].all_tests, before + done[-1].after
            calls, revision = 0, None
            if passed < tests:
                games = [*map(self._observed_in, done), observed]
                lesson = _OnlineLesson(self._lesson(games), self._training())
                *asked, best = self._refine(lesson, len(done), model)
                calls = len(asked)
                if asked and best.perfect:
                    revision = f"revision_{1 + sum(row.revision is not None for row in done)}"
                    self._take(revision, best, lesson, model, len(done))
            row = Learnt(
                model=self._name_of(model),
                actions=() if isinstance(observed, Seen) else tuple(observed.actions),
                seen=observed.to_json() if isinstance(observed, Seen) else None,
                tests=tests,
                passed=passed,
                all_tests=all_tests,
                before=before,
                after=all_tests if revision else before,
                calls=calls,
                revision=revision,
            )
            self._append(GAMES, asdict(row))
            return row

    def _refine(self, lesson: _OnlineLesson, number: int, model: manifest.Model) -> list[Attempt]:
        """The newest model and its revisions as attempts; the last one is perfect, or no calls are left."""
        attempts = [Attempt.of(0, Judged(model.source, lesson.judge(model.source)))]
        asked = self._rows(ATTEMPTS)
        left = self._calls - len(asked)
        # A language model that gave up has left answers, which are about the same games or about others.
        session = lesson.fingerprint()
        attempts += [Attempt.from_json(row["attempt"]) for row in asked if row["session"] == session]
        # The number of the game keeps the request seeds of different games apart.
        refiner = refiners.TreeSearch(
            lesson,
            1_000 * self._seed + number,
            f"cwm online {name_of(self._game)}, learner {self._seed}, game {number}",
        )
        while left > 0 and not attempts[-1].perfect:
            left -= 1
            request, parent = refiner.next_request(attempts)
            reply = ask(self._llm, Question(request, judged_by(lesson)))
            attempts.append(Attempt.of_reply(len(attempts), parent, reply))
            self._append(ATTEMPTS, {"session": session, "attempt": attempts[-1].to_json()})
        return attempts

    def _lesson(self, observed: Sequence[Trajectory | Seen]) -> Lesson:
        if self._hides:
            return HiddenLesson(self._rules, tuple(observed), simultaneous=at_once(self._game))
        return OpenLesson(self._rules, tuple(observed))

    def _observed_in(self, row: Learnt) -> Trajectory | Seen:
        return Seen.from_json(row.seen) if row.seen is not None else from_names(self._game, row.actions)

    def _training(self) -> Lesson | None:
        """The recorded games of the first model's synthesis; None where they cannot be had again."""
        return lesson_of(self._first, self._game, self._rules)

    def _take(
        self, name: str, best: Attempt, lesson: _OnlineLesson, model: manifest.Model, number: int
    ) -> None:
        """Writes a revision; its manifest makes no claims that only the first model's program has earned."""
        rungs = manifest.new_rungs(self._hides)
        manifest.settle(rungs, "contract", True)
        if best.transitions:
            manifest.settle(
                rungs, "training_transitions", True, transitions=best.transitions, passed=best.passed
            )
        if self._hides:
            manifest.settle(rungs, "training_inference", True, tests=best.inferences, passed=best.inferred)
        manifest.settle(rungs, "random_play", True, games=best.random_games, breaches=0)
        kept = {
            key: value
            for key, value in self._first.manifest.items()
            if not key.startswith(("test", "interpreter", "native", "rollout", "optimization", "posterior"))
        }
        content = {
            **kept,
            "rungs": manifest.rungs_to_json(rungs),
            "test_transition_accuracy": None,
            "test_transitions": 0,
            "test": None,
            "value_function": {"accepted": False, "candidates": []},
            "online": {
                **self._identity,
                "revises": self._name_of(model),
                "after_game": number,
                "calls": best.index,
                "tests": sum(lesson.counts()),
                "tested_on_training_games": lesson.training is not None,
            },
        }
        folder = os.path.join(self._folder, name)
        os.makedirs(folder, exist_ok=True)
        manifest.write_text(os.path.join(folder, "model.py"), best.source)
        manifest.write_json(os.path.join(folder, "manifest.json"), content)

    def _open(self) -> None:
        path = os.path.join(self._folder, SETTINGS)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                found = json.load(file)
            differing = [
                f"{name} {found.get(name)}"
                for name, value in self._identity.items()
                if found.get(name) != value and not (name == "game" and self._is_named(found.get(name)))
            ]
            if differing:
                raise LearnerError(
                    f"{self._folder}: is the learner of {', '.join(differing)}; expected "
                    f"that of {self._identity['model']} in {self._identity['game']}, seed "
                    f"{self._seed}; name another folder"
                )
            return
        if os.path.exists(self._folder) and (not os.path.isdir(self._folder) or os.listdir(self._folder)):
            raise LearnerError(f"{self._folder}: exists and is no learner; name another folder")
        os.makedirs(self._folder, exist_ok=True)
        manifest.write_json(path, self._identity)

    def _is_named(self, name: str) -> bool:
        """Whether a name is that of the game, which earlier versions wrote with every parameter."""
        return name in (str(self._game), name_of(self._game))

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Lets one learner work at a time, since matches that run in several processes may share the folder."""
        with open(os.path.join(self._folder, SETTINGS), encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield

    def _rows(self, name: str) -> list[dict[str, Any]]:
        # Not cut: an unfinished last line may be one that is being written by the owner of the lock.
        return json_lines.read(os.path.join(self._folder, name))

    def _append(self, name: str, row: dict[str, Any]) -> None:
        path = os.path.join(self._folder, name)
        if os.path.exists(path):
            json_lines.cut(path)
        json_lines.append(path, row)
