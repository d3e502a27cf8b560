"""Where matches run: in this process, or in a pool of processes."""
from __future__ import annotations

import concurrent.futures
import multiprocessing
import signal
from collections.abc import Callable
from typing import Any


class InlineExecutor(concurrent.futures.Executor):
    """Runs each task at once, in the calling thread, before `submit` returns."""

    def submit(self, fn: Callable[..., Any], /, *args: Any,
               **kwargs: Any) -> concurrent.futures.Future:
        future: concurrent.futures.Future = concurrent.futures.Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:
            future.set_exception(error)
        return future


def _outlive_one_interrupt() -> None:
    # Ctrl-C reaches all processes of a terminal. The parent lets running matches end after the
    # first one; the second one is for the workers too.
    signal.signal(signal.SIGINT, lambda *_: signal.signal(signal.SIGINT, signal.SIG_DFL))


def make_executor(spec: str) -> concurrent.futures.Executor:
    """The executor that `spec` describes: `inline`, or `processes:N` with N of at least 1.

    The processes are spawned, so that they inherit neither threads nor sandboxes of this one.

    Raises:
      ValueError: the spec is neither.
    """
    kind, _, count = spec.partition(":")
    if spec == "inline":
        return InlineExecutor()
    if kind == "processes" and count.isdecimal() and int(count) > 0:
        return concurrent.futures.ProcessPoolExecutor(
            int(count), mp_context=multiprocessing.get_context("spawn"),
            initializer=_outlive_one_interrupt)
    raise ValueError(f"executor: expected inline or processes:N with N of 1 or more, found {spec!r}")
