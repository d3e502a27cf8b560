"""A client of a language model: asks for each distinct request once, and counts its requests."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from language_models.asking.batches import complete_many
from language_models.backends.auto import Auto
from language_models.backends.recorded import Recorded
from language_models.layers.budget import usage_of
from language_models.layers.wrapper import find_layer
from language_models.types import Completion, LanguageModel, RecordingMiss, Request


@dataclasses.dataclass
class Tally:
    """Counts of the requests of a client or a task.

    Attributes:
      calls: number of requests sent to the model, or read from its recording.
      hits: number of requests that had been asked before.
      misses: number of requests that a recording does not hold, and that were skipped.
      prompt_tokens, completion_tokens: number of tokens of the calls; estimated where the model gives no counts.
      seconds: time spent waiting for batches.
      batches: number of batches sent; for one task, of those that held its requests.
    """

    calls: int = 0
    hits: int = 0
    misses: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    seconds: float = 0.0
    batches: int = 0

    def __iadd__(self, other: Tally) -> Tally:
        for field in dataclasses.fields(other):
            setattr(self, field.name, getattr(self, field.name) + getattr(other, field.name))
        return self

    def to_json(self) -> dict[str, Any]:
        """All fields by name, seconds to the millisecond."""
        return {**dataclasses.asdict(self), "seconds": round(self.seconds, 3)}


class Ask(NamedTuple):
    """Requests that a task waits for.

    Attributes:
      requests: the requests, of any number.
      tally: counts them besides the client's own one; None for no other.
      client: the client that answers; None for the client of the run (see `lockstep.run`).
    """

    requests: Sequence[Request]
    tally: Tally | None = None
    client: Client | None = None


Answers = list[list[Completion] | None]
"""The completions of each request of an `Ask`, in the same order; None for a miss."""


class Client:
    """Asks a language model for many tasks, and counts.

    Attributes:
      model: the model as given.
      tally: the tally of all calls.

    Args:
      model: the model that answers; None for tasks that must not ask.
      remembers: whether a request is sent once only, and later ones equal to it get the same answer; else
        equal requests are independent samples.
      skips_misses: whether a request that `model`, which only replays, does not hold is answered by None and
        counted; else it is an error.
    """

    def __init__(self, model: LanguageModel | None, *, remembers: bool = True, skips_misses: bool = False):
        self.model = model
        self._remembers = remembers
        self._skips = skips_misses and model is not None and find_layer(model, (Recorded, Auto)) is not None
        self._known: dict[Request, list[Completion] | None] = {}
        self.tally = Tally()

    @property
    def name(self) -> str:
        """The name of the model; "none" without one."""
        return "none" if self.model is None else self.model.name

    def knows(self, ask: Ask) -> bool:
        """Whether all its answers are there already."""
        return all(request in self._known for request in ask.requests)

    def answer(self, asks: Sequence[Ask]) -> list[Answers]:
        """The answers to all of them; unknown ones are asked for as one batch.

        Raises:
          ValueError: there is no model to ask.
          RecordingMiss: the recording lacks a request, and misses are not skipped.
          LanguageModelError: the model failed.
        """
        new: list[tuple[Request, Tally]] = []
        listed: set[Request] = set()
        for ask in asks:
            tally = Tally() if ask.tally is None else ask.tally
            for request in ask.requests:
                if self._remembers and (request in self._known or request in listed):
                    tally.hits += 1
                    self.tally.hits += 1
                else:
                    new.append((request, tally))
                    listed.add(request)
        found = self._ask(new) if new else []
        if self._remembers:
            self._known.update(zip((request for request, _ in new), found))
            return [[self._known[request] for request in ask.requests] for ask in asks]
        answers = iter(found)
        return [[next(answers) for _ in ask.requests] for ask in asks]

    def _ask(self, new: Sequence[tuple[Request, Tally]]) -> Answers:
        start = time.monotonic()
        answers = self._complete([request for request, _ in new])
        seconds = time.monotonic() - start
        for (request, tally), answer in zip(new, answers, strict=True):
            usage = None if answer is None else usage_of(request, answer, None)
            for counted in (tally, self.tally):
                counted.calls += answer is not None
                counted.misses += answer is None
                if usage is not None:
                    counted.prompt_tokens += usage.prompt_tokens
                    counted.completion_tokens += usage.completion_tokens
        for tally in [*{id(tally): tally for _, tally in new}.values(), self.tally]:
            tally.seconds += seconds
            tally.batches += 1
        return answers

    def _complete(self, requests: list[Request]) -> Answers:
        if self.model is None:
            raise ValueError(f"a language model is needed for {requests[0].purpose!r}; give one with llm")
        if not self._skips:
            return list(complete_many(self.model, requests))
        answers: Answers = []
        for request in requests:
            try:
                answers.append(self.model.complete(request))
            except RecordingMiss:
                answers.append(None)
        return answers
