"""Speaks to the process that holds an interpreter (`jericho_worker`); kills it when it does not answer."""

from __future__ import annotations

import importlib.util
import itertools
import os
import queue
import subprocess
import sys
import warnings
import weakref
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection, Pipe
from typing import Any

from games.text import jericho_worker

_START_SECONDS = 60.0
_CHUNK = 512
_SHARED_CHUNK = 64
"""Chunks differ in cost: with small ones all interpreters are done at about the same time. Smaller ones
still would cost more in messages than that wins."""
INSTALL = (
    "pip install 'spielwright[text]', for which make and a C compiler are needed (apt install build-essential)"
)


def require_jericho() -> None:
    """Raises ImportError, with the command to install it, where Jericho is missing."""
    if importlib.util.find_spec("jericho") is None:
        raise ImportError(f"jericho: the package jericho is not installed; {INSTALL}")


class InterpreterLost(Exception):
    """An exception raised where the interpreter did not live to answer; a new one is there."""


class InterpreterProcess:
    """An interpreter in a process of its own; one that hangs or crashes is replaced.

    Args:
      rom: path of the story.
      seed: see `jericho_worker.Interpreter`.
      seconds: time in which an answer must come.
      text_only: whether any story will do, for its text alone.
      interpreters: number of interpreters that look for valid commands side by side; all but this one are
        started when there is work to share.

    Raises:
      ImportError: Jericho is not installed.
      ValueError: the story is not one that can be played.
    """

    def __init__(
        self, rom: str, seed: int, seconds: float, *, text_only: bool = False, interpreters: int = 1
    ) -> None:
        require_jericho()
        self._arguments = [rom, str(seed), *(["text"] if text_only else [])]
        self._rom, self._seed, self._seconds = rom, seed, seconds
        self._interpreters = interpreters
        self._twins: list[InterpreterProcess] = []
        self._connection: Connection | None = None
        self._owner = 0
        self.about: dict[str, Any] = self._start()

    def call(self, operation: str, *arguments: Any) -> Any:
        """Calls the method of `jericho_worker.Interpreter` of this name, and returns its result.

        Raises:
          InterpreterLost: the interpreter crashed, or took too long and was killed.
        """
        if self._connection is None or self._owner != os.getpid():
            # A forked process must not speak to its parent's interpreter.
            self._start()
        try:
            self._connection.send((operation, arguments))
            if self._connection.poll(self._seconds):
                return self._connection.recv()
            reason = f"did not answer within {self._seconds:g} s"
        except (EOFError, OSError):
            reason = "crashed"
        self._close_own()
        raise InterpreterLost(reason)

    def valid_commands(self, state: jericho_worker.State, pairs: bool, most: int) -> list[str]:
        """Returns the valid commands, sorted; those that the interpreter does not survive are not among them.

        Args:
          state: state of the interpreter; the story is not over.
          pairs: whether to try commands that name two objects.
          most: the most commands; those with the most usual verbs are kept.

        Raises:
          InterpreterLost: not even the objects in sight can be found out.
        """
        candidates = self.call("candidates", state, pairs)
        size = _CHUNK if self._interpreters == 1 else _SHARED_CHUNK
        chunks = [candidates[start : start + size] for start in range(0, len(candidates), size)]
        if self._interpreters == 1:
            effects = [self._effects(state, chunk) for chunk in chunks]
        else:
            effects = self._shared_effects(state, chunks)
        return self.call("choose", list(itertools.chain.from_iterable(effects)), most)

    def close(self) -> None:
        """Ends the process and its twins; the next call starts new ones."""
        self._close_own()
        for twin in self._twins:
            twin.close()

    def _effects(self, state: jericho_worker.State, commands: Sequence[str]) -> list[tuple[str, bytes]]:
        try:
            return self.call("effects", state, commands)
        except InterpreterLost:
            if len(commands) == 1:
                return []
        middle = len(commands) // 2
        return self._effects(state, commands[:middle]) + self._effects(state, commands[middle:])

    def _shared_effects(
        self, state: jericho_worker.State, chunks: Sequence[Sequence[str]]
    ) -> list[list[tuple[str, bytes]]]:
        """Returns the effects of each chunk, in their order, whichever interpreter tried it."""
        # The last one in is the first one out: no twin is started while one that runs has nothing to do.
        idle: queue.LifoQueue[InterpreterProcess | None] = queue.LifoQueue()
        for interpreter in (*[None] * (self._interpreters - 1 - len(self._twins)), *self._twins, self):
            idle.put(interpreter)

        def effects(chunk: Sequence[str]) -> list[tuple[str, bytes]]:
            # Twins are started here, each in its thread, so that nobody waits for another's start.
            interpreter = idle.get() or self._new_twin()
            try:
                return interpreter._effects(state, chunk)
            finally:
                idle.put(interpreter)

        # The threads end with this call: kept ones would be missing in a forked process.
        with ThreadPoolExecutor(self._interpreters) as pool:
            return list(pool.map(effects, chunks))

    def _new_twin(self) -> InterpreterProcess:
        twin = InterpreterProcess(self._rom, self._seed, self._seconds)
        self._twins.append(twin)
        return twin

    def _start(self) -> dict[str, Any]:
        ours, theirs = Pipe()
        process = subprocess.Popen(
            [sys.executable, "-P", jericho_worker.__file__, str(theirs.fileno()), *self._arguments],
            pass_fds=[theirs.fileno()],
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
        theirs.close()
        self._connection, self._owner = ours, os.getpid()
        self._end = weakref.finalize(self, _end, ours, process, self._owner)
        try:
            about = ours.recv() if ours.poll(_START_SECONDS) else "the interpreter does not start"
        except (EOFError, OSError):
            about = "the interpreter crashes on this file"
        if isinstance(about, str):
            self._close_own()
            raise ValueError(f"jericho: {self._rom} cannot be played: {about}")
        if about.get("slow"):
            warnings.warn(
                f"jericho: valid commands are searched with Jericho's own loop, at half the speed: {about['slow']}",
                stacklevel=2,
            )
        return about

    def _close_own(self) -> None:
        if self._connection is not None:
            self._end()
            self._connection = None


def _end(connection: Connection, process: subprocess.Popen, owner: int) -> None:
    connection.close()
    if os.getpid() == owner:
        process.kill()
        process.wait()
