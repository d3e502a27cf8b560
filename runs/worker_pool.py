"""A pool of processes in which the death of one costs no more than the task it was at.

Why not `ProcessPoolExecutor`: when one of its processes dies (a crash in compiled code, a lack of
memory), it gives up all tasks without saying which one was at fault; and its processes wait for ever
when the parent is killed.
"""

from __future__ import annotations

import atexit
import concurrent.futures
import multiprocessing
import pickle
import queue
import signal
import threading
import traceback
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any

ATTEMPTS = 2
"""The number of processes that a task may end before it is given up: something else may have ended the
first.
"""
_LOOK_SECONDS = 0.5

_CONTEXT = multiprocessing.get_context("spawn")  # inherits neither threads nor sandboxes of this process


class WorkerDied(ChildProcessError):
    """A task ended the process that worked at it, each time it was tried."""


def _serve(connection: Connection) -> None:
    """Lives the life of a worker: tasks in, outcomes out, until the parent has no more or is dead."""
    # Ctrl-C reaches all processes of a terminal. The parent lets running matches end after the
    # first one; the second one is for the workers too.
    signal.signal(signal.SIGINT, lambda *_: signal.signal(signal.SIGINT, signal.SIG_DFL))
    while True:
        try:
            message = connection.recv_bytes()
        except (EOFError, OSError):
            return
        try:
            fn, args, kwargs = pickle.loads(message)
            outcome = True, fn(*args, **kwargs)
        except BaseException as error:  # whatever it is, it is the caller's to see
            error.add_note(f"In a worker process:\n{traceback.format_exc()}")
            outcome = False, error
        try:
            connection.send(outcome)
        except OSError:  # the parent is dead
            return
        except Exception as error:  # the outcome cannot be pickled
            connection.send(
                (False, TypeError(f"a worker process cannot send back {outcome[1]!r:.200}: {error}"))
            )


class _Worker:
    """One process, and this side of the pipe to it."""

    def __init__(self) -> None:
        self.connection, theirs = _CONTEXT.Pipe()
        self.process = _CONTEXT.Process(target=_serve, args=(theirs,))
        self.process.start()
        theirs.close()  # so that the pipe ends when the process does

    def run(self, task: tuple) -> tuple[bool, Any]:
        """Returns the outcome of a task: (True, result) or (False, exception).

        Raises:
          EOFError, OSError: the process is dead.
        """
        self.connection.send(task)
        while not self.connection.poll(_LOOK_SECONDS):
            # The pipe ends with the process, unless one that the process has forked holds its end too.
            if not self.process.is_alive() and not self.connection.poll():
                raise EOFError("no outcome")
        return self.connection.recv()

    def end(self) -> int | None:
        """Lets the process end, and returns its exit code: that of a signal is negative."""
        self.connection.close()
        self.process.join()
        return self.process.exitcode


class WorkerPool(concurrent.futures.Executor):
    """An executor that runs tasks in spawned processes. A process that dies is replaced, and its task is tried
    again.

    Args:
      workers: the number of processes, at least 1; each is started with its first task.
    """

    deaths = (WorkerDied,)

    def __init__(self, workers: int):
        self.workers = workers
        self._tasks: queue.SimpleQueue = queue.SimpleQueue()
        self._shut = threading.Event()
        # Each thread feeds one process. As daemons they do not keep the program from ending.
        self._threads = [threading.Thread(target=self._feed, daemon=True) for _ in range(workers)]
        for thread in self._threads:
            thread.start()
        atexit.register(self.shutdown)

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> concurrent.futures.Future:
        if self._shut.is_set():
            raise RuntimeError("this pool has been shut down, expected no further task")
        future: concurrent.futures.Future = concurrent.futures.Future()
        self._tasks.put((future, (fn, args, kwargs)))
        return future

    def _feed(self) -> None:
        worker: _Worker | None = None
        while (item := self._tasks.get()) is not None:
            future, task = item
            if not future.set_running_or_notify_cancel():
                continue
            for attempt in range(1, ATTEMPTS + 1):
                try:
                    worker = worker or _Worker()
                    succeeded, value = worker.run(task)
                except (EOFError, OSError) as error:
                    code, worker = worker.end() if worker else None, None
                    interrupted = code == -signal.SIGINT
                    if attempt == ATTEMPTS or interrupted:
                        how = (
                            "Ctrl-C"
                            if interrupted
                            else f"{ATTEMPTS} times, the last time with exit code {code}"
                        )
                        future.set_exception(WorkerDied(f"the worker process died: {how} ({error!r})"))
                        break
                except Exception as error:  # the task cannot be pickled, or its outcome not unpickled
                    future.set_exception(error)
                    break
                else:
                    (future.set_result if succeeded else future.set_exception)(value)
                    break
        if worker is not None:
            worker.end()

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Ends the processes once they have done what was submitted."""
        self._shut.set()
        atexit.unregister(self.shutdown)
        if cancel_futures:
            while True:
                try:
                    future, _ = self._tasks.get_nowait() or (None, None)
                except queue.Empty:
                    break
                if future is not None:
                    future.cancel()
        for _ in self._threads:
            self._tasks.put(None)
        if wait:
            for thread in self._threads:
                thread.join()
