"""Many tasks in lockstep: each goes on until it must wait for a language model, then all are asked at once.

A task is a generator that yields an `Ask` wherever it needs answers; `threaded` makes one of a function that
calls a model and waits, such as a match. Only one task runs at a time, and all in the order of their
numbers, so that a run repeats itself. A task whose answers its client knows goes on at once; when all that
are left wait, the new requests of each client go out as one batch, the batches of all clients at once.
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from language_models.asking.batches import in_threads
from language_models.asking.client import Answers, Ask, Client
from language_models.types import Completion, LanguageModel, Request

Result = TypeVar("Result")
Asking = Generator[Ask, Answers, Result]
"""A task: yields `Ask`, is sent the `Answers`, returns its result."""


def run(
    tasks: Sequence[Asking[Result]],
    client: Client | None = None,
    before: Callable[[Mapping[int, Ask]], None] = lambda waiting: None,
) -> Iterator[tuple[int, Result]]:
    """Runs all tasks in lockstep; yields (index, result) of each as it ends.

    Args:
      tasks: the tasks, of any number.
      client: the client that answers every `Ask` without a client of its own.
      before: a function that is called before requests go out, with the `Ask` of each waiting task, by its index;
        an error from it ends the run.

    Raises:
      The first error of a task, of a client or of `before`; the tasks that had not ended are closed.
    """
    waiting: dict[int, Ask] = {}

    def advance(index: int, answers: Answers | None) -> Iterator[tuple[int, Result]]:
        """Runs a task until it waits for an answer that its client does not know, or ends."""
        while True:
            try:
                ask = tasks[index].send(answers)
            except StopIteration as ended:
                yield index, ended.value
                return
            ask = _addressed(ask, client)
            if not ask.client.knows(ask):
                waiting[index] = ask
                return
            [answers] = ask.client.answer([ask])

    try:
        for index in range(len(tasks)):
            yield from advance(index, None)
        while waiting:
            before(waiting)
            answered = _answers(waiting)
            waiting.clear()
            for index, answers in answered.items():
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


def _addressed(ask: Ask, client: Client | None) -> Ask:
    if ask.client is None and client is None:
        raise ValueError("a task asks no client in particular; give one to the run")
    return ask if ask.client is not None else ask._replace(client=client)


def _answers(waiting: Mapping[int, Ask]) -> dict[int, Answers]:
    """The answers in the order of the tasks, asked for in one batch for each client, all at once."""
    tasks: dict[Client, list[int]] = {}
    for index, ask in waiting.items():
        tasks.setdefault(ask.client, []).append(index)

    def answer(client: Client) -> list[Answers]:
        return client.answer([waiting[index] for index in tasks[client]])

    clients = list(tasks)
    batches = [answer(clients[0])] if len(clients) == 1 else in_threads(answer, clients, threads=len(clients))
    found = {
        index: answers
        for client, batch in zip(clients, batches)
        for index, answers in zip(tasks[client], batch, strict=True)
    }
    return {index: found[index] for index in waiting}


WaitingTask = Callable[[Callable[[Client], LanguageModel]], Result]
"""`task(model_of)`: calls `model_of(client)` where it would call the client's model."""


def threaded(task: WaitingTask[Result]) -> Asking[Result]:
    """A function that waits for its answers, as a task.

    It has a thread of its own, which goes on only while `run` waits for it. Where the run ends before the
    task does, the call that it waits for raises an error that no `except Exception` catches.
    """
    return _Thread(task).steps()


class _Stopped(BaseException):
    """Ends a task whose run is over; no Exception, so that no match takes it for a bot's failure."""


@dataclass(frozen=True)
class _Ended:
    """The end of a thread's function."""

    result: Any = None
    error: BaseException | None = None


class _Thread:
    """A function and the run that drives it, of which one waits for the other."""

    def __init__(self, task: WaitingTask[Any]):
        self._task = task
        self._said: queue.SimpleQueue[Ask | _Ended] = queue.SimpleQueue()
        self._answers: queue.SimpleQueue[Answers | None] = queue.SimpleQueue()  # None: the run is over

    def steps(self) -> Asking[Any]:
        # A daemon, so that a stopped program does not wait for it.
        thread = threading.Thread(target=self._work, daemon=True)
        thread.start()
        try:
            while True:
                said = self._said.get()
                if isinstance(said, Ask):
                    self._answers.put((yield said))
                elif said.error is not None:
                    raise said.error
                else:
                    return said.result
        except GeneratorExit:
            self._answers.put(None)
            thread.join()  # it waited for answers: what it opened is closed before the run ends
            raise
        finally:
            self._answers.put(None)

    def ask(self, ask: Ask) -> Answers:
        """Hands a request to the run, from the thread, and waits for the answers."""
        self._said.put(ask)
        answers = self._answers.get()
        if answers is None:
            self._answers.put(None)  # for whatever the task asks on its way out
            raise _Stopped
        return answers

    def _work(self) -> None:
        try:
            ended = _Ended(self._task(lambda client: _ClientModel(self, client)))
        except BaseException as error:  # raised again by the run
            ended = _Ended(error=error)
        self._said.put(ended)


class _ClientModel:
    """The model of a client as a thread's function sees it."""

    def __init__(self, thread: _Thread, client: Client):
        self._thread, self._client = thread, client

    @property
    def name(self) -> str:
        return self._client.name

    def complete(self, request: Request) -> list[Completion]:
        [completions] = self._thread.ask(Ask([request], client=self._client))
        if completions is None:
            raise ValueError("a client that skips misses cannot stand for a model; make one that does not")
        return completions
