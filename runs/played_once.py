"""Matches played once and kept: an executor plays those that a store lacks, and the store keeps each as it ends.

A match has a key, by which a store knows its outcome. `play` takes the keys and matches that are wanted, plays those
that are missing, and returns all outcomes in order, so that the result depends neither on the executor nor on how
often the run was stopped.
"""

from __future__ import annotations

import concurrent.futures
import json
import os
import queue
import sys
import time
from collections import deque
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, Protocol, TypeVar

from tqdm import tqdm

from runs import json_lines
from runs.executors import InlineExecutor

Key = TypeVar("Key")
Match = TypeVar("Match")
Outcome = TypeVar("Outcome")

_TASK_SECONDS = 0.1
_MOST_IN_TASK = 256
"""The number of matches claimed, or handed to a worker, at a time."""
_MOST_FATAL = 5
"""The number of matches that may end their worker processes before the others are given up too."""
_POLL_SECONDS = 0.5


class Unplayable(ValueError):
    """Raised where a match cannot be played for want of something around it (a recording, an interpreter, a
    package, a key), through no fault of a player; the message is one sentence that says what to do. The match is
    void: it has no outcome and is stored nowhere."""


@dataclass(frozen=True)
class Void:
    """The place of an outcome for a match that was `Unplayable`: the reason."""

    reason: str


@dataclass(frozen=True)
class Taken(Generic[Key]):
    """The fates of the matches that were asked for.

    Attributes:
      mine: claimed for the caller, to be played.
      stored: those that somebody has played, each with the name by which the store knows it.
      others: those that a living process is playing.
    """

    mine: list[Key]
    stored: dict[Key, Any]
    others: list[Key]


class Store(Protocol[Key, Outcome]):
    """The place where outcomes are kept.

    Attributes:
      advice: the part of an error's sentence that tells the fate of the matches that ended.
    """

    advice: str

    def known(self) -> Collection[Key]:
        """Returns the matches whose outcomes are there."""

    def take(self, keys: Sequence[Key]) -> Taken[Key]:
        """Claims those of the matches that nobody has played and no other process is playing."""

    def owners(self, keys: Sequence[Key]) -> list[str]:
        """Returns the other processes that are playing these matches, in words."""

    def keep(self, key: Key, outcome: Outcome) -> None:
        """Adds the outcome of a match."""

    def outcome(self, key: Key) -> Outcome:
        """Returns the outcome of a match that is there."""

    def outcomes(self, keys: Sequence[Key]) -> Sequence[Outcome]:
        """Returns the outcomes of matches that are there, in order."""


class MemoryStore(Generic[Key, Outcome]):
    """A store that keeps outcomes as long as this process lasts; see `Store`."""

    def __init__(self, advice: str = "nothing was kept"):
        self.advice = advice
        self._outcomes: dict[Key, Outcome] = {}

    def known(self) -> Collection[Key]:
        return self._outcomes.keys()

    def take(self, keys: Sequence[Key]) -> Taken[Key]:
        return Taken(list(keys), {}, [])

    def owners(self, keys: Sequence[Key]) -> list[str]:
        return []

    def keep(self, key: Key, outcome: Outcome) -> None:
        self._outcomes[key] = outcome

    def outcome(self, key: Key) -> Outcome:
        return self._outcomes[key]

    def outcomes(self, keys: Sequence[Key]) -> Sequence[Outcome]:
        return [self.outcome(key) for key in keys]

    def once(self, key: Key, make: Callable[[], Outcome]) -> Outcome:
        """Returns the outcome of `key`, made by `make` and kept if it is not there."""
        if key not in self._outcomes:
            self.keep(key, make())
        return self.outcome(key)


class JsonLinesStore(MemoryStore[str, dict[str, Any]]):
    """A store that keeps outcomes in a JSON Lines file too: each line is an object with the fields of an
    outcome and its `key`.

    Args:
      path: read now and added to; an unfinished last line is cut off.
      header: the first line, an object that says which experiment the matches belong to; None for a file without one.

    Raises:
      ValueError: the file is damaged, or has another header.
    """

    def __init__(self, path: Path, header: Mapping[str, Any] | None = None):
        super().__init__(f"those that ended are kept in {path}, and the same command plays the others")
        self._path = path
        lines = json_lines.resume(path)
        if header is not None:
            wanted = json.loads(json.dumps(header))
            if not lines:
                json_lines.append(path, wanted)
            elif lines.pop(0) != wanted:
                found = json_lines.read(path)[0]
                raise ValueError(
                    f"{path}, line 1: expected the header of this experiment, {wanted}, found {found}; "
                    "name another file"
                )
        for line in lines:
            if not isinstance(line, dict) or "key" not in line:
                raise ValueError(f"{path}: expected lines with a key, found {line!r:.80}; name another file")
            self._outcomes[line.pop("key")] = line

    def keep(self, key: str, outcome: dict[str, Any]) -> None:
        json_lines.append(self._path, {"key": key, **outcome})
        super().keep(key, json.loads(json.dumps(outcome)))  # as a later run will read it


def play_batch(
    play_one: Callable[[Match], Outcome], matches: Sequence[Match]
) -> tuple[list[Outcome | Void], float]:
    """Plays several matches for an executor, and returns the mean seconds of each too. A void match is the
    last of the outcomes: those after it are not played."""
    start = time.perf_counter()
    outcomes: list[Outcome | Void] = []
    for match in matches:
        try:
            outcomes.append(play_one(match))
        except Unplayable as error:
            outcomes.append(Void(str(error)))
            break
    return outcomes, (time.perf_counter() - start) / len(outcomes)


@dataclass
class _Run(Generic[Key, Match, Outcome]):
    """The missing matches on their way into the store.

    Short matches go to workers several at a time, as to hand out one and to take it back costs up to
    some milliseconds: as many as take `_TASK_SECONDS` together.
    """

    matches: Mapping[Key, Match]
    missing: Sequence[Key]
    play_one: Callable[[Match], Outcome]
    store: Store[Key, Outcome]
    executor: concurrent.futures.Executor
    arrived: Callable[[Key], None]
    say: Callable[[str], None]
    describe: Callable[[Match], str]

    def __post_init__(self) -> None:
        # Two tasks for each worker, so that none waits for this process.
        inline = isinstance(self.executor, InlineExecutor)
        self._most_tasks = 1 if inline else 2 * getattr(self.executor, "workers", os.cpu_count() or 1)
        self._most_in_task = 1 if inline else _MOST_IN_TASK
        self._match_seconds = _TASK_SECONDS
        self._waiting = deque(self.missing)
        self._claimed: deque[Key] = deque()
        self._alone: deque[Key] = deque()  # claimed; to be played in a task of their own
        self._others: list[Key] = []
        self._pending: dict[concurrent.futures.Future, list[Key]] = {}
        self._ended: queue.SimpleQueue[concurrent.futures.Future] = queue.SimpleQueue()
        self._fatal: list[tuple[Key, BaseException]] = []
        self._void: list[tuple[Key, Void]] = []

    def _short(self) -> int:
        """Returns the number of matches that take `_TASK_SECONDS` together."""
        return max(1, min(_MOST_IN_TASK, int(_TASK_SECONDS / max(self._match_seconds, 1e-6))))

    def _claim(self, keys: Sequence[Key]) -> None:
        taken = self.store.take(keys)
        self._claimed.extend(taken.mine)
        self._others.extend(taken.others)
        for key in taken.stored:
            self.arrived(key)

    def _submit(self) -> None:
        if self._alone:
            keys = [self._alone.popleft()]
        else:
            most = min(len(self._claimed), self._short(), self._most_in_task)
            keys = [self._claimed.popleft() for _ in range(most)]
        future = self.executor.submit(play_batch, self.play_one, [self.matches[key] for key in keys])
        self._pending[future] = keys
        future.add_done_callback(self._ended.put)

    def _harvest(self, block: bool) -> None:
        """Stores the matches that have ended, after waiting for some if asked to."""
        while self._pending:
            try:
                future = self._ended.get(block)
            except queue.Empty:
                return
            block = False
            keys = self._pending.pop(future)
            if future.cancelled():
                raise ConnectionError(
                    f"the executor gave up {self.describe(self.matches[keys[0]])}, expected its outcome; its "
                    f"workers may be gone; {self.store.advice}"
                )
            try:
                outcomes, seconds = future.result()
            except getattr(self.executor, "deaths", ()) as error:
                self._died(keys, error)
                continue
            # The first match of a process is slow, as it loads everything.
            self._match_seconds = (self._match_seconds + seconds) / 2
            for key, outcome in zip(keys, outcomes):  # after a void match the rest was not played
                if isinstance(outcome, Void):
                    self._void.append((key, outcome))
                    continue
                self.store.keep(key, outcome)
                self.arrived(key)

    def _died(self, keys: Sequence[Key], error: BaseException) -> None:
        if len(keys) > 1:  # one of them was it
            self._alone.extend(keys)
            return
        self._fatal.append((keys[0], error))
        if len(self._fatal) == _MOST_FATAL:
            self._report_fatal()

    def _report_fatal(self) -> None:
        if self._fatal:
            key, error = self._fatal[0]
            more = f" (and {len(self._fatal) - 1} more)" if len(self._fatal) > 1 else ""
            raise ChildProcessError(
                f"{self.describe(self.matches[key])}{more} ended each process that played it ({error}), "
                "expected it to end by itself; a crash in compiled code or a lack of memory does this; "
                f"{self.store.advice}"
            ) from error

    def _void_sentence(self) -> str:
        number = "1 match is" if len(self._void) == 1 else f"{len(self._void)} matches are"
        key, void = self._void[0]
        return (
            f"{number} void and stored nowhere, first {self.describe(self.matches[key])}: "
            f"{void.reason.rstrip('.')}; once this is put right: {self.store.advice}"
        )

    def _wait_for_others(self) -> None:
        self.say(
            f"Waiting for {len(self._others)} matches that are being played by "
            f"{' and '.join(self.store.owners(self._others)) or 'another process'}."
        )
        while self._others and not self._claimed:
            time.sleep(_POLL_SECONDS)
            asked, self._others = self._others, []
            self._claim(asked)

    def play(self) -> None:
        """Plays, or waits for, all of them; once one is void, those in progress are the last."""
        while not self._void and (
            self._waiting or self._claimed or self._alone or self._pending or self._others
        ):
            room = self._most_tasks - len(self._pending)
            if self._waiting and not self._claimed and room > 0:
                most = min(len(self._waiting), self._short() * room)
                self._claim([self._waiting.popleft() for _ in range(most)])
            while (self._claimed or self._alone) and len(self._pending) < self._most_tasks and not self._void:
                self._submit()
                self._harvest(block=False)
            if self._waiting and not self._claimed and len(self._pending) < self._most_tasks:
                continue
            if self._pending:
                self._harvest(block=True)
            elif self._others:
                self._wait_for_others()
        if self._void:
            self.finish()
            raise Unplayable(self._void_sentence())
        self._report_fatal()

    def finish(self) -> None:
        """Waits for the matches that are being played, and takes back the rest."""
        self._pending = {future: keys for future, keys in self._pending.items() if not future.cancel()}
        self._ended = queue.SimpleQueue()
        for future in self._pending:
            future.add_done_callback(self._ended.put)
        if self._pending:
            self.say("Waiting for the matches in progress; Ctrl-C again drops them.")
        while self._pending:
            self._harvest(block=True)

    def drop(self) -> None:
        """Takes back whatever has not begun."""
        for future in self._pending:
            future.cancel()


def play(
    matches: Mapping[Key, Match],
    play_one: Callable[[Match], Outcome],
    store: Store[Key, Outcome],
    executor: concurrent.futures.Executor | None = None,
    *,
    arrived: Callable[[Key], None] = lambda key: None,
    bar: tqdm | None = None,
    describe: Callable[[Match], str] = "the match {}".format,
) -> Sequence[Outcome]:
    """Plays those of the matches that the store lacks, and keeps their outcomes as they end.

    Args:
      matches: the matches to be played, by key; picklable.
      play_one: a function from a match to its outcome, both picklable.
      store: the store that is looked into first; several processes may share one whose `take` claims matches.
      executor: see `runs.executors`; None plays in this process. It is left open.
      arrived: a function that is called in this process with the key of each match that was missing, once its
        outcome is in the store; an exception from it ends the run.
      bar: a progress bar, which is moved by one for each of these and shows messages.
      describe: a function that names a match in an error's sentence.

    Returns:
      The outcomes of all matches, in order.

    Raises:
      KeyboardInterrupt: after Ctrl-C, once the matches that other processes are in the middle of have ended and are kept.
      ChildProcessError: a match ended the processes that played it; all others have been played, unless too many did so.
      ConnectionError: the executor gave a match up.
      Unplayable: a match was void; those that were in progress have ended and are kept, and no other was begun.
      Exception: as `play_one` and the store raise.
    """
    known = store.known()
    missing = [key for key in matches if key not in known]

    def counted(key: Key) -> None:
        if bar is not None:
            bar.update()
        arrived(key)

    def say(text: str) -> None:
        if bar is not None and not bar.disable:
            bar.write(text, file=sys.stderr)

    run = _Run(matches, missing, play_one, store, executor or InlineExecutor(), counted, say, describe)
    try:
        run.play()
    except KeyboardInterrupt:
        run.finish()
        raise
    finally:
        run.drop()
    return store.outcomes(list(matches))
