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

    @property
    def perfect(self) -> bool:
        """Whether all tests are passed."""
        return self.passed == self.transitions and self.inferred == self.inferences and not self.breaches


class Lesson(Protocol):
    """The material of a synthesis, with the methods that it needs."""

    rules: str
    trajectories: tuple[Trajectory, ...]
    deck: str | None
    prompt_version: int

    @property
    def simultaneous(self) -> bool:
        """Whether players choose at once in the game."""

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
    """Rules and recorded games of a game without secrets; `prompt_version` is one of `prompting.VERSIONS`."""

    rules: str
    trajectories: tuple[Trajectory, ...]
    prompt_version: int = 1
    deck = None

    @property
    def simultaneous(self) -> bool:
        """Whether players choose at once in the game."""
        return any(trajectory.simultaneous for trajectory in self.trajectories)

    def fingerprint(self) -> str:
        games = [trajectory.to_json() for trajectory in self.trajectories]
        return _hash(self.rules, games, self.prompt_version)

    def first_prompt(self) -> str:
        return prompting.synthesis(self.rules, self.trajectories, self.prompt_version)

    def next_prompt(self, source: str | None, failure: str, passed: int, tests: int) -> str:
        return prompting.refinement(self.rules, source, failure, passed, tests, self.simultaneous)

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
      simultaneous: whether players choose at once in the game.
      prompt_version: one of `prompting.VERSIONS`.
    """

    rules: str
    seen: tuple[Seen, ...]
    trajectories: tuple[Trajectory, ...] = ()
    simultaneous: bool = False
    prompt_version: int = 1

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
            any(trajectory.simultaneous for trajectory in trajectories),
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
            simultaneous=any(trajectory.simultaneous for trajectory in trajectories),
        )

    @property
    def deck(self) -> str:
        return "open" if self.trajectories else "closed"

    def fingerprint(self) -> str:
        games = [game.to_json() for game in (self.trajectories or self.seen)]
        return _hash(self.rules, games, self.prompt_version)

    def first_prompt(self) -> str:
        return prompting.hidden_synthesis(
            self.rules, self.seen, self.trajectories, self.simultaneous, self.prompt_version
        )

    def next_prompt(self, source: str | None, failure: str, passed: int, tests: int) -> str:
        return prompting.hidden_refinement(self.rules, source, failure, passed, tests, self.simultaneous)

    def judge(self, source: str) -> Verdict:
        report = checks.run(
            source,
            self.trajectories,
            random_games=RANDOM_GAMES,
            max_actions=MAX_ACTIONS,
            hidden=True,
            simultaneous=self.simultaneous,
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


def _hash(rules: str, games: list[object], prompt_version: int) -> str:
    """The hash of the material; that of version 1 leaves the version out, as runs of before did."""
    version = [] if prompt_version == 1 else [prompt_version]
    return hashlib.sha256(json.dumps([rules, games, *version]).encode()).hexdigest()


def _texts(report: checks.Report) -> list[str]:
    """Failed tests as text, contract breaches first: they keep the others from being meaningful."""
    ordered = sorted(report.failures, key=lambda failure: failure.game >= 0)
    return [prompting.show_failure(failure) for failure in ordered]
