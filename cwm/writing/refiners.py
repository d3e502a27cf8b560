"""The two refiners of the paper: a conversation, and a tree search over programs (REx).

A refiner decides which request comes next, given all attempts so far; it holds no state of its own,
so a run that was killed goes on from its attempts.

Tree search follows REx (Tang et al. 2024, as used in the paper's section 4.1 and appendix): every
program is an arm of a bandit with the prior Beta(1 + C h, 1 + C (1 - h) + n), where h is the share of
unit tests that it passes and n how often it was refined already; Thompson sampling picks the program
to refine, and the prompt holds that program and one of its failing traces.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, NamedTuple, Protocol

import numpy as np

from cwm.writing.tasks import Lesson, Verdict
from language_models import Message, Request, program_of
from language_models.asking import conversation
from language_models.asking.questions import Checked, Reply

REX_C = 20.0
"""REx's constant C: the strength with which the share of tests passed shapes the prior."""
CALLS_PER_RUN = 1_000
"""Number of request seeds of a run: different runs have different ones, so that equal prompts are asked anew."""

NO_PROGRAM = (
    "The answer held no complete block that starts with ```python and ends with ```, so "
    "there is no module to test."
)


class Judged(NamedTuple):
    """The program in a reply, None where there is none, and its results in the tests."""

    source: str | None
    verdict: Verdict


def judged_by(lesson: Lesson) -> Callable[[str], Checked[Judged]]:
    """The check of replies by a lesson's tests; without a program none of them passes."""

    def check(text: str) -> Checked[Judged]:
        source = program_of(text)
        if source is None:
            transitions, inferences = lesson.counts()
            verdict = Verdict(transitions, 0, inferences, 0, 0, 0, (NO_PROGRAM,))
        else:
            verdict = lesson.judge(source)
        return Checked(Judged(source, verdict), next(iter(verdict.failures), None))

    return check


@dataclass(frozen=True)
class Attempt:
    """One call of the language model and its outcome.

    Attributes:
      index: 0, 1, ... within the run.
      parent: index of the attempt that was refined, None for one from scratch.
      key: the request's key.
      reply: the completion's text as it came.
      source: the program in it, None where there was none.
      passed, transitions: numbers of unit tests of recorded transitions passed, and tried.
      random_games, breaches: numbers of games of random play, and of those that broke the contract.
      score: share of all unit tests passed, 0 .. 1.
      failures: descriptions of failed tests, as they go into a prompt.
      inferences, inferred: numbers of inference tests tried and passed, of games with hidden information.
      seconds: time from request to verdict.
      prompt_tokens, completion_tokens: numbers of tokens as the backend counted, None where it does not.
      model: the model that answered, as it calls itself; empty in older files.
    """

    index: int
    parent: int | None
    key: str
    reply: str
    source: str | None
    passed: int
    transitions: int
    random_games: int
    breaches: int
    score: float
    failures: tuple[str, ...]
    seconds: float
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    inferences: int = 0
    inferred: int = 0
    model: str = ""

    @property
    def perfect(self) -> bool:
        return (
            self.source is not None
            and self.transitions + self.inferences > 0
            and (self.passed == self.transitions and self.inferred == self.inferences and self.breaches == 0)
        )

    @property
    def accuracy(self) -> float:
        """Training transition accuracy."""
        return self.passed / self.transitions if self.transitions else 0.0

    @classmethod
    def of(cls, index: int, judged: Judged) -> Attempt:
        """The attempt for a program that no model was asked for, such as the one to revise."""
        return cls(
            index=index,
            parent=None,
            key="",
            reply="",
            source=judged.source,
            score=judged.verdict.score,
            seconds=0.0,
            **asdict(judged.verdict),
        )

    @classmethod
    def of_reply(cls, index: int, parent: int | None, reply: Reply[Judged]) -> Attempt:
        """The attempt for a checked reply, without its time and its tokens."""
        return replace(
            cls.of(index, reply.value),
            parent=parent,
            key=reply.request.key(),
            reply=reply.text,
            model=reply.completion.model,
        )

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> Attempt:
        return cls(**{**row, "failures": tuple(row["failures"])})


def _tests(attempt: Attempt) -> tuple[int, int]:
    return attempt.passed + attempt.inferred, attempt.transitions + attempt.inferences


class Refiner(Protocol):
    """Decides the next request."""

    def next_request(self, attempts: Sequence[Attempt]) -> tuple[Request, int | None]:
        """The request that follows these attempts, and the index of the attempt it refines."""

    def check(self, attempts: Sequence[Attempt]) -> Callable[[str], Checked[Judged]]:
        """The check of the reply to the request that follows these attempts."""

    def done(self, attempts: Sequence[Attempt]) -> bool:
        """Whether there is nothing left to ask for."""

    def best(self, attempts: Sequence[Attempt]) -> Attempt | None:
        """The best program of these attempts with its results in the tests; None where there is no program."""

    def figures(self) -> dict[str, Any]:
        """What a manifest tells of the method besides."""


@dataclass(frozen=True)
class Task:
    """What a refiner works on, and how one that keeps to the recorded games ends and chooses its result.

    Attributes:
      lesson: rules, recorded games and tests.
      seed: tells independent runs apart.
      purpose: the purpose of the requests, as recordings name it.
    """

    lesson: Lesson
    seed: int
    purpose: str

    def request(self, messages: Sequence[Message], index: int) -> Request:
        """The request of call `index`, from 0."""
        return Request(
            messages=tuple(messages),
            seed=self.seed * CALLS_PER_RUN + index,
            purpose=f"{self.purpose}, call {index + 1}",
        )

    def first(self) -> Message:
        """The first prompt, which all refiners share."""
        return Message("user", self.lesson.first_prompt())

    def check(self, attempts: Sequence[Attempt]) -> Callable[[str], Checked[Judged]]:
        """See `Refiner.check`."""
        return judged_by(self.lesson)

    def done(self, attempts: Sequence[Attempt]) -> bool:
        """See `Refiner.done`."""
        return bool(attempts) and attempts[-1].perfect

    def best(self, attempts: Sequence[Attempt]) -> Attempt | None:
        """See `Refiner.best`."""
        return max(
            (attempt for attempt in attempts if attempt.source is not None),
            key=lambda attempt: (attempt.perfect, attempt.score, -attempt.index),
            default=None,
        )

    def figures(self) -> dict[str, Any]:
        """See `Refiner.figures`."""
        return {}


class TreeSearch(Task):
    """Thompson sampling over all programs so far."""

    def next_request(self, attempts: Sequence[Attempt]) -> tuple[Request, int | None]:
        index = len(attempts)
        programs = [attempt for attempt in attempts if attempt.source is not None]
        if not programs:
            return self.request([self.first()], index), None
        # Seeded by the attempt's number: a resumed run draws what an undisturbed one would.
        rng = np.random.default_rng([self.seed, index])
        refined = [sum(other.parent == attempt.index for other in attempts) for attempt in programs]
        draws = [
            rng.beta(1 + REX_C * attempt.score, 1 + REX_C * (1 - attempt.score) + count)
            for attempt, count in zip(programs, refined)
        ]
        chosen = programs[int(np.argmax(draws))]
        failure = chosen.failures[rng.integers(len(chosen.failures))]
        prompt = self.lesson.next_prompt(chosen.source, failure, *_tests(chosen))
        return self.request([Message("user", prompt)], index), chosen.index


class Conversation(Task):
    """One chat: every answer is followed by a failing test of it."""

    def next_request(self, attempts: Sequence[Attempt]) -> tuple[Request, int | None]:
        said = conversation.Conversation.begun(self.lesson.first_prompt())
        for attempt in attempts:
            feedback = self.lesson.next_prompt(None, attempt.failures[0], *_tests(attempt))
            said = said.continued(attempt.reply, feedback)
        return self.request(said.messages, len(attempts)), attempts[-1].index if attempts else None


METHODS = {"tree_search": TreeSearch, "conversation": Conversation}
"""Refiners by the name that `--method` takes."""
