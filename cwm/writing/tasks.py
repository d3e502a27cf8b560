"""Lessons: the material that teaches a language model a game, and that its programs are tested on.

A lesson holds the rules and the recorded games. It makes the prompts and judges programs by the same
material: an `OpenLesson` of a game without secrets by transitions; a `HiddenLesson` by transitions and
inference where the deck is open, by inference alone where it is closed. A closed lesson is made from
what single players saw (`cwm.trust.inference.Seen`), so that nothing hidden can be in a prompt or a test.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from cwm.trust import checks, inference
from cwm.trust.inference import Seen, seen_by
from cwm.trust.trajectories import Trajectory
from cwm.writing import prompting

RANDOM_GAMES = 20
"""Number of games of random play inside every candidate, looking for breaches of the contract."""
MAX_ACTIONS = 5_000
FAILURES_KEPT = 5
DECKS = ("open", "closed")


@dataclass(frozen=True)
class Verdict:
    """The results of a program in the tests of a lesson.

    Attributes:
      transitions, passed: numbers of recorded transitions tested, and passed.
      inferences, inferred: numbers of inference tests, and of those passed.
      random_games, breaches: numbers of games of random play, and of those that broke the contract.
      failures: descriptions of failed tests, as they go into a prompt, the most important ones first.
    """

    transitions: int
    passed: int
    inferences: int
    inferred: int
    random_games: int
    breaches: int
    failures: tuple[str, ...]

    @property
    def score(self) -> float:
        """Share of all unit tests passed, random games counted as one test each."""
        tests = self.transitions + self.inferences + self.random_games
        passed = self.passed + self.inferred + self.random_games - self.breaches
        return passed / tests if tests else 0.0


class Lesson(Protocol):
    """The material of a synthesis, with the methods that it needs."""

    deck: str | None

    def fingerprint(self) -> str:
        """Identifies the material."""

    def first_prompt(self) -> str:
        """Asks for a program."""

    def next_prompt(self, source: str | None, failure: str, passed: int, tests: int) -> str:
        """Asks for a better one; `source` None where the language model sees its last answer anyway."""

    def judge(self, source: str) -> Verdict:
        """Runs the tests."""

    def counts(self) -> tuple[int, int]:
        """The number of transitions and the number of inference tests."""


@dataclass(frozen=True)
class OpenLesson:
    """Rules and recorded games of a game without secrets."""

    rules: str
    trajectories: tuple[Trajectory, ...]
    deck = None

    def fingerprint(self) -> str:
        return _hash(self.rules, [trajectory.to_json() for trajectory in self.trajectories])

    def first_prompt(self) -> str:
        return prompting.synthesis(self.rules, self.trajectories)

    def next_prompt(self, source: str | None, failure: str, passed: int, tests: int) -> str:
        return prompting.refinement(self.rules, source, failure, passed, tests)

    def judge(self, source: str) -> Verdict:
        report = checks.run(source, self.trajectories, random_games=RANDOM_GAMES, max_actions=MAX_ACTIONS)
        return Verdict(
            report.transitions,
            report.passed,
            0,
            0,
            report.random_games,
            report.breaches,
            tuple(_texts(report))[:FAILURES_KEPT],
        )

    def counts(self) -> tuple[int, int]:
        return sum(len(trajectory.actions) for trajectory in self.trajectories), 0


@dataclass(frozen=True)
class HiddenLesson:
    """Rules and recorded games of a game with hidden information.

    Attributes:
      rules: the rules as text.
      seen: the games as their players saw them: each game by each player where the deck is open, by one
        player where it is closed.
      trajectories: the games whole where the deck is open, else empty.
    """

    rules: str
    seen: tuple[Seen, ...]
    trajectories: tuple[Trajectory, ...] = ()

    @classmethod
    def open(cls, rules: str, trajectories: Sequence[Trajectory]) -> HiddenLesson:
        """Makes a lesson with all cards on the table."""
        return cls(
            rules,
            tuple(
                seen_by(trajectory, player)
                for trajectory in trajectories
                for player in range(trajectory.num_players)
            ),
            tuple(trajectories),
        )

    @classmethod
    def closed(cls, rules: str, trajectories: Sequence[Trajectory]) -> HiddenLesson:
        """Makes a lesson in which each game is told as one player saw it, the players in turn."""
        return cls(
            rules,
            tuple(
                seen_by(trajectory, number % trajectory.num_players)
                for number, trajectory in enumerate(trajectories)
            ),
        )

    @property
    def deck(self) -> str:
        return "open" if self.trajectories else "closed"

    def fingerprint(self) -> str:
        return _hash(self.rules, [game.to_json() for game in (self.trajectories or self.seen)])

    def first_prompt(self) -> str:
        games = (
            prompting.show_hidden_games(self.trajectories)
            if self.trajectories
            else prompting.show_seen(self.seen)
        )
        return prompting.hidden_synthesis(self.rules, games, closed=not self.trajectories)

    def next_prompt(self, source: str | None, failure: str, passed: int, tests: int) -> str:
        return prompting.hidden_refinement(self.rules, source, failure, passed, tests)

    def judge(self, source: str) -> Verdict:
        report = checks.run(
            source, self.trajectories, random_games=RANDOM_GAMES, max_actions=MAX_ACTIONS, hidden=True
        )
        tests = self.counts()[1]
        texts = _texts(report)
        if any("breaks the contract" in text for text in texts):
            return Verdict(
                report.transitions, report.passed, tests, 0, report.random_games, report.breaches, tuple(texts)
            )
        holder = checks.Holder(source)
        try:
            inferred = inference.check(holder.call, self.seen, self.truths())
        finally:
            holder.close()
        return Verdict(
            report.transitions,
            report.passed,
            inferred.tests,
            inferred.passed,
            report.random_games,
            report.breaches,
            tuple(texts + inferred.failures)[:FAILURES_KEPT],
        )

    def truths(self) -> list[list[str]] | None:
        """The names of all actions of each game as seen, where the deck is open; see `inference.check`."""
        if not self.trajectories:
            return None
        return [trajectory.actions for trajectory in self.trajectories for _ in range(trajectory.num_players)]

    def counts(self) -> tuple[int, int]:
        return (
            sum(len(trajectory.actions) for trajectory in self.trajectories),
            sum(len(seen.tested_states()) for seen in self.seen),
        )


def read_rules(path: str) -> str:
    """The text of a file of rules, as --rules names it.

    Raises:
      ValueError: it cannot be read.
    """
    try:
        with open(path, encoding="utf-8") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(
            f"--rules: {path} cannot be read as a text file ({error}); expected the rules in plain words"
        ) from error


def _hash(rules: str, games: list[object]) -> str:
    return hashlib.sha256(json.dumps([rules, games]).encode()).hexdigest()


def _texts(report: checks.Report) -> list[str]:
    """Failed tests as text, contract breaches first: they keep the others from being meaningful."""
    ordered = sorted(report.failures, key=lambda failure: failure.game >= 0)
    return [prompting.show_failure(failure) for failure in ordered]
