"""Asks a language model once for each distinct request, for many searches at a time.

A search is a generator that yields an `Ask` wherever it needs answers. `run` drives any number of them in
lockstep: each goes on for as long as its requests are known; when all that are left wait, the distinct
requests that nobody has asked before go out as one batch.
"""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any, NamedTuple, TypeVar

from language_models import (
    Completion,
    LanguageModel,
    Recorded,
    RecordingMiss,
    Request,
    complete_many,
    find_layer,
)
from language_models.layers.budget import usage_of

ON_MISS = ("error", "uniform")


@dataclasses.dataclass
class Tally:
    """What was asked, for one move, one episode or all.

    Attributes:
        visits: how often the authors' scheme would have called the model: at every visit of a node.
        calls: requests sent to the model, or read from its recording.
        hits: requests that had been asked before.
        misses: requests that a recording does not hold, and that were gone without.
        unreadable: answers that named no valid action, in whose place the uniform prior stood.
        prompt_tokens, completion_tokens: of the calls; estimated where the model gives no counts.
        seconds: spent waiting for batches.
        batches: that held requests of this search.
    """

    visits: int = 0
    calls: int = 0
    hits: int = 0
    misses: int = 0
    unreadable: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    batches: int = 0

    def __iadd__(self, other: Tally) -> Tally:
        for field in dataclasses.fields(self):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))
        return self

    def to_json(self) -> dict[str, Any]:
        """All fields by name, seconds to the millisecond."""
        return {**dataclasses.asdict(self), "seconds": round(self.seconds, 3)}


class Ask(NamedTuple):
    """Requests that a search waits for, and who counts them. The answers come in the same order, each a
    list of completions, or None for a miss."""

    requests: Sequence[Request]
    tally: Tally


Answers = list[list[Completion] | None]
Result = TypeVar("Result")
Asking = Generator[Ask, Answers, Result]
"""A search, an episode or any other task that asks: yields `Ask`, is sent `Answers`."""


class Client:
    """Knows all answers that it ever got.

    Attributes:
        tally: of all calls.
        distinct: how many distinct requests were answered.
        name: of the model; "none" without one.

    Args:
        model: answers what is not known; None for tasks that must not ask.
        recorded: what an earlier run recorded; not asked again.
        on_miss: what happens where `model` only replays and lacks a request: "error", or "uniform": it is
            counted, and the caller goes on with the uniform prior or without the reflection.

    Raises:
        ValueError: on_miss is neither.
    """

    def __init__(
        self, model: LanguageModel | None, *, recorded: Recorded | None = None, on_miss: str = "error"
    ):
        if on_miss not in ON_MISS:
            raise ValueError(f"on_miss: expected one of {', '.join(ON_MISS)}, found {on_miss!r}")
        self._model, self._recorded, self._on_miss = model, recorded, on_miss
        self._replays = model is not None and find_layer(model, Recorded) is not None
        if recorded is not None:
            recorded.unused()  # reads the file now, before the model adds to it
        self._known: dict[Request, list[Completion] | None] = {}
        self.tally = Tally()
        self.distinct = 0

    @property
    def name(self) -> str:
        return "none" if self._model is None else self._model.name

    def knows(self, ask: Ask) -> bool:
        """Whether all its answers are there already."""
        return all(request in self._known for request in ask.requests)

    def answer(self, asks: Sequence[Ask]) -> list[Answers]:
        """The answers to all of them; what is not known is asked as one batch.

        Raises:
            ValueError: there is no model to ask.
            RecordingMiss: the recording lacks a request, and on_miss is "error".
            LanguageModelError: the model failed.
        """
        new: dict[Request, Tally] = {}
        for ask in asks:
            for request in ask.requests:
                if request in self._known or request in new:
                    ask.tally.hits += 1
                    self.tally.hits += 1
                else:
                    new[request] = ask.tally
        if new:
            self._ask(new)
        return [[self._known[request] for request in ask.requests] for ask in asks]

    def _ask(self, new: dict[Request, Tally]) -> None:
        start = time.monotonic()
        answers = self._complete(list(new))
        seconds = time.monotonic() - start
        for (request, tally), answer in zip(new.items(), answers, strict=True):
            self._known[request] = answer
            self.distinct += answer is not None
            usage = None if answer is None else usage_of(request, answer, None)
            for counted in (tally, self.tally):
                counted.calls += answer is not None
                counted.misses += answer is None
                if usage is not None:
                    counted.prompt_tokens += usage.prompt_tokens
                    counted.completion_tokens += usage.completion_tokens
        for tally in [*{id(tally): tally for tally in new.values()}.values(), self.tally]:
            tally.seconds += seconds
            tally.batches += 1

    def _complete(self, requests: list[Request]) -> Answers:
        answers: dict[int, list[Completion] | None] = {}
        if self._recorded is not None:
            for index, request in enumerate(requests):
                try:
                    answers[index] = self._recorded.complete(request)
                except RecordingMiss:
                    continue
        left = [index for index in range(len(requests)) if index not in answers]
        if left and self._model is None:
            raise ValueError(f"a language model is needed for {requests[left[0]].purpose!r}; give one with llm")
        if self._replays and self._on_miss == "uniform":
            for index in left:
                try:
                    answers[index] = self._model.complete(requests[index])
                except RecordingMiss:
                    answers[index] = None
        elif left:
            found = complete_many(self._model, [requests[index] for index in left])
            answers.update(zip(left, found, strict=True))
        return [answers[index] for index in range(len(requests))]


def run(
    tasks: Sequence[Asking[Result]],
    client: Client,
    waiting: Callable[[int, int], None] = lambda tasks, requests: None,
) -> Iterator[tuple[int, Result]]:
    """Runs all tasks in lockstep; yields (index, result) of each as it ends.

    Args:
        tasks: any number.
        client: answers.
        waiting: called before each batch with the number of tasks that wait and of their requests.

    Raises:
        The first error of a task or of the client; the tasks that had not ended are given up.
    """
    asks: dict[int, Ask] = {}

    def advance(index: int, answers: Answers | None) -> Iterator[tuple[int, Result]]:
        """Runs a task until it waits for what nobody knows, or ends."""
        while True:
            try:
                ask = tasks[index].send(answers)
            except StopIteration as ended:
                yield index, ended.value
                return
            if not client.knows(ask):
                asks[index] = ask
                return
            [answers] = client.answer([ask])

    try:
        for index in range(len(tasks)):
            yield from advance(index, None)
        while asks:
            pending, asks = asks, {}
            waiting(len(pending), sum(len(ask.requests) for ask in pending.values()))
            for index, answers in zip(pending, client.answer(list(pending.values())), strict=True):
                yield from advance(index, answers)
    finally:
        for task in tasks:
            task.close()


def result_of(task: Asking[Result], client: Client) -> Result:
    """The result of one task.

    Raises:
        As `run`.
    """
    [(_, result)] = run([task], client)
    return result
