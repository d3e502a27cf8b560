"""Many matches in lockstep: each runs until it waits for a language model, then all are asked at once.

A task is a function that plays a match; in place of each language model it uses the one that `gathered`
gives it for that. Only one task runs at a time, each in a thread of its own. When all that are left wait
for an answer, the requests of each channel go out as one batch, in the order of the tasks and all channels
at once, so that a run repeats itself whatever the threads do.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from language_models import (
    Completion,
    LanguageModel,
    Recorded,
    RecordingMiss,
    Request,
    complete_many,
    find_layer,
    in_threads,
)


class Channel:
    """Requests that may share a batch: those of one variant to one model.

    Attributes:
        name: for messages.
        model: answers.
        requests, batches, seconds: what has been asked so far, and how long the batches took.
    """

    def __init__(self, name: str, model: LanguageModel):
        self.name, self.model = name, model
        self.requests, self.batches, self.seconds = 0, 0, 0.0

    def complete(self, requests: Sequence[Request]) -> list[list[Completion]]:
        """Completes one batch."""
        start = time.monotonic()
        answers = complete_many(self.model, requests)
        self.seconds += time.monotonic() - start
        self.requests += len(requests)
        self.batches += 1
        return answers


Task = Callable[[Callable[[Channel], LanguageModel]], Any]
"""`task(gathered)`: plays a match, asking `gathered(channel)` where it would ask the channel's model."""


class Ask(NamedTuple):
    """A request that a task waits for.

    Attributes:
        task: its index.
        channel: where it goes.
        request: what is asked.
        first: whether the task has asked nothing of this channel before.
    """

    task: int
    channel: Channel
    request: Request
    first: bool


@dataclass
class _Waiting:
    ask: Ask
    answer: list[Completion] | None = None


class _Stopped(BaseException):
    """Ends a task whose run is over; no Exception, so that no match takes it for a bot's failure."""


class _Gathered:
    """The model of one channel as one task sees it."""

    def __init__(self, run: _Run, task: int, channel: Channel):
        self._run, self._task, self._channel = run, task, channel
        self._asked = False

    @property
    def name(self) -> str:
        return self._channel.model.name

    def complete(self, request: Request) -> list[Completion]:
        ask = Ask(self._task, self._channel, request, not self._asked)
        self._asked = True
        return self._run.ask(ask)


@dataclass
class _Run:
    """What the tasks' threads and the main thread share, under one lock."""

    tasks: Sequence[Task]
    changed: threading.Condition = field(default_factory=threading.Condition)
    turn: threading.Lock = field(default_factory=threading.Lock)  # held by the one task that runs
    busy: int = 0  # tasks that do not wait for an answer
    waiting: list[_Waiting] = field(default_factory=list)
    ended: list[tuple[int, Any]] = field(default_factory=list)
    error: BaseException | None = None
    stopped: bool = False

    def start(self) -> None:
        self.busy = len(self.tasks)
        for index in range(len(self.tasks)):
            # Daemons, so that a stopped program does not wait for them.
            threading.Thread(target=self._work, args=(index,), daemon=True).start()

    def _work(self, index: int) -> None:
        result, error = None, None
        with self.turn:
            try:
                if not self.stopped:
                    result = self.tasks[index](lambda channel: _Gathered(self, index, channel))
            except _Stopped:
                return
            except BaseException as raised:  # handed to the main thread, which raises it
                error = raised
        with self.changed:
            self.busy -= 1
            self.error = self.error or error
            if error is None:
                self.ended.append((index, result))
            self.changed.notify_all()

    def ask(self, ask: Ask) -> list[Completion]:
        entry = _Waiting(ask)
        self.turn.release()
        try:
            with self.changed:
                self.waiting.append(entry)
                self.busy -= 1
                self.changed.notify_all()
                self.changed.wait_for(lambda: entry.answer is not None or self.stopped)
        finally:
            self.turn.acquire()
        if entry.answer is None:
            raise _Stopped
        return entry.answer

    def stop(self) -> None:
        with self.changed:
            self.stopped = True
            self.changed.notify_all()


def run(
    tasks: Sequence[Task], check: Callable[[Sequence[Ask]], None] = lambda asks: None
) -> Iterator[tuple[int, Any]]:
    """Runs all tasks; yields (index, result) of each as it ends.

    Args:
        tasks: any number.
        check: called with the requests of all channels before they go out; what it raises ends the run.

    Raises:
        The first error of a task, of `check` or of a model; tasks that had not ended are given up.
    """
    shared = _Run(tasks)
    shared.start()
    try:
        while True:
            with shared.changed:
                shared.changed.wait_for(lambda: shared.busy == 0 or shared.error or shared.ended)
                ended, shared.ended = shared.ended, []
                error = shared.error
                waiting = []
                if shared.busy == 0:
                    waiting = sorted(shared.waiting, key=lambda entry: entry.ask.task)
                    shared.waiting = []
            yield from ended
            if error:
                raise error
            if not waiting:
                if not ended and shared.busy == 0:
                    return
                continue
            check([entry.ask for entry in waiting])
            answers = _answers(waiting)
            with shared.changed:
                for entry, answer in zip(waiting, answers, strict=True):
                    entry.answer = answer
                shared.busy += len(waiting)
                shared.changed.notify_all()
    finally:
        shared.stop()


def _answers(waiting: Sequence[_Waiting]) -> list[list[Completion]]:
    """One batch for each channel, all at once."""
    batches: dict[Channel, list[int]] = {}
    for index, entry in enumerate(waiting):
        batches.setdefault(entry.ask.channel, []).append(index)
    answered = in_threads(
        lambda batch: batch[0].complete([waiting[index].ask.request for index in batch[1]]),
        list(batches.items()),
        len(batches),
    )
    found: dict[int, list[Completion]] = {}
    for indices, answers in zip(batches.values(), answered, strict=True):
        found.update(zip(indices, answers, strict=True))
    return [found[index] for index in range(len(waiting))]


class Continued:
    """A model whose recording was begun by an earlier run: what it holds is not asked again.

    Args:
        model: answers what the recording does not hold, and may be recording to the same file.
        recorded: the recording as it was before.
    """

    def __init__(self, model: LanguageModel, recorded: Recorded):
        self.model = model
        self._recorded = recorded
        recorded.unused()  # reads the file now, before `model` adds to it

    @property
    def name(self) -> str:
        return self.model.name

    def complete(self, request: Request) -> list[Completion]:
        """As `LanguageModel.complete`."""
        return self.complete_batch([request])[0]

    def complete_batch(self, requests: Sequence[Request]) -> list[list[Completion]]:
        """As `complete_many`; what is missing goes to the model as one batch."""
        found: dict[int, list[Completion]] = {}
        for index, request in enumerate(requests):
            try:
                found[index] = self._recorded.complete(request)
            except RecordingMiss:
                continue
        missing = [index for index in range(len(requests)) if index not in found]
        found.update(
            zip(missing, complete_many(self.model, [requests[index] for index in missing]), strict=True)
        )
        return [found[index] for index in range(len(requests))]


def recorded_keys(model: LanguageModel) -> set[str] | None:
    """The keys of all requests that a model which only replays can answer still; None for other models."""
    recorded = find_layer(model, Recorded)
    return None if recorded is None else {line.key for line in recorded.unused()}
