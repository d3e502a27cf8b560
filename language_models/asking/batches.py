"""Many requests at once, answers in order."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from typing import TypeVar

from language_models.types import Completion, LanguageModel, Request

_Item = TypeVar("_Item")
_Answer = TypeVar("_Answer")


def complete_many(
    model: LanguageModel, requests: Sequence[Request], max_concurrency: int = 8
) -> list[list[Completion]]:
    """Completes all requests: as one batch where the model takes batches, else in threads.

    Args:
      model: any model; `complete_batch` is used where it has one.
      requests: the requests, of any number, none included.
      max_concurrency: the most calls at once, at least 1; with 1 they are made in order. Not used
        for a batch.

    Returns:
      For each request, in order, its completions.

    Raises:
      The first error in time, after the requests that were not yet begun were dropped. Calls under
      way are not waited for (nor after Ctrl-C).
    """
    if max_concurrency < 1:
        raise ValueError(f"complete_many has max_concurrency={max_concurrency}: expected 1 or more.")
    if not requests:
        return []
    batch = getattr(model, "complete_batch", None)
    if batch is not None:
        return batch(list(requests))
    if max_concurrency == 1:
        return [model.complete(request) for request in requests]
    return in_threads(model.complete, requests, max_concurrency)


def in_threads(call: Callable[[_Item], _Answer], items: Sequence[_Item], threads: int) -> list[_Answer]:
    """Calls `call` on each item, at most `threads` at once, and returns the answers in order.

    Raises:
      The first error in time, as `complete_many`.
    """
    todo: queue.SimpleQueue[int] = queue.SimpleQueue()
    for index in range(len(items)):
        todo.put(index)
    done: queue.SimpleQueue[tuple[int, _Answer | BaseException]] = queue.SimpleQueue()
    stopped = threading.Event()

    def work() -> None:
        while not stopped.is_set():
            try:
                index = todo.get_nowait()
            except queue.Empty:
                return
            try:
                done.put((index, call(items[index])))
            except BaseException as error:  # handed to the caller, who raises it
                stopped.set()
                done.put((index, error))

    # Not an executor: its threads would keep a stopped program alive until slow servers answer.
    for _ in range(min(threads, len(items))):
        threading.Thread(target=work, daemon=True).start()
    answers: dict[int, _Answer] = {}
    try:
        while len(answers) < len(items):
            index, answer = done.get()
            if isinstance(answer, BaseException):
                raise answer
            answers[index] = answer
    finally:
        stopped.set()
    return [answers[index] for index in range(len(items))]


class OneByOne:
    """A model that gets each request by itself, all at the same time: who answers one sees no other.

    Args:
      model: the model that answers.
    """

    def __init__(self, model: LanguageModel):
        self.model = model

    @property
    def name(self) -> str:
        return self.model.name

    def complete(self, request: Request) -> list[Completion]:
        """Completes as `LanguageModel.complete`."""
        return self.model.complete(request)

    def complete_batch(self, requests: Sequence[Request]) -> list[list[Completion]]:
        """Completes all requests; the answers are in their order."""
        return in_threads(self.model.complete, list(requests), max(1, len(requests)))
