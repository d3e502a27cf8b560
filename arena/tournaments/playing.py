"""How the matches of a tournament get played: by which executor, kept where, and no match twice."""

from __future__ import annotations

import concurrent.futures
import itertools
import os
import queue
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from tqdm import tqdm

from arena.matches.match import play_match
from arena.matches.records import MatchRecord
from arena.store.claims import Claims, Taken
from arena.store.database import Database, DifferentMatch, Key
from arena.store.results import Results
from runs.executors import InlineExecutor

if TYPE_CHECKING:
    from arena.tournaments.schedule import Tournament

_TASK_SECONDS = 0.1
_MOST_IN_TASK = 256
"""Matches claimed, or handed to a worker, at a time."""
_MOST_FATAL = 5
"""Matches that may end their worker processes before the others are given up too."""
_POLL_SECONDS = 0.5


class StoredMatches(Sequence[MatchRecord]):
    """Records that stay in their file and are read one by one.

    Args:
      path: of the database.
      experiment: that all of them belong to.
      ids: of the matches, in the order of the sequence.
    """

    def __init__(self, path: Path, experiment: int, ids: Sequence[int]):
        self._path = path
        self._experiment = experiment
        self._ids = ids

    def results(self) -> Results:
        """The same matches as columns, without reading their moves."""
        with Database(self._path, must_exist=True) as database:
            rows = np.searchsorted(database.match_ids(self._experiment), self._ids)
            return database.results(self._experiment).where(rows)

    def __len__(self) -> int:
        return len(self._ids)

    def __getitem__(self, index):
        chosen = self._ids[index]
        if isinstance(index, slice):
            return StoredMatches(self._path, self._experiment, chosen)
        with Database(self._path, must_exist=True) as database:
            return database.match(chosen)

    def __iter__(self) -> Iterator[MatchRecord]:
        with Database(self._path, must_exist=True) as database:
            for number in self._ids:
                yield database.match(number)


class _Memory:
    """Where the records of a tournament go that is not to last."""

    def __init__(self) -> None:
        self._records: dict[Key, MatchRecord] = {}

    def known(self) -> set[Key]:
        """The matches that are there already."""
        return set()

    def take(self, keys: Sequence[Key]) -> Taken:
        """See `arena.store.claims.Claims.take`."""
        return Taken(list(keys), {}, [])

    def owners(self, keys: Sequence[Key]) -> list[str]:
        """See `arena.store.claims.Claims.owners`."""
        return []

    def keep(self, record: MatchRecord) -> None:
        """Adds a record."""
        self._records[record.seats, record.seed] = record

    def record(self, key: Key) -> MatchRecord:
        """One that is there."""
        return self._records[key]

    def matches(self, keys: Sequence[Key]) -> Sequence[MatchRecord]:
        """The records of these matches."""
        return [self._records[key] for key in keys]


class _File:
    """The same for a database, which other processes may be adding to."""

    def __init__(self, path: str | Path, tournament: Tournament, stack: ExitStack):
        self._database = stack.enter_context(Database(path))
        self._game = tournament.game
        self._experiment = self._database.experiment(tournament.config())
        self._database.plan(self._experiment, tournament.plan())
        self._ids = self._database.stored(self._experiment, self._game)
        self._claims = stack.enter_context(Claims(self._database, self._experiment, self._game))
        self.owners = self._claims.owners

    def known(self) -> set[Key]:
        return set(self._ids)

    def take(self, keys: Sequence[Key]) -> Taken:
        taken = self._claims.take(keys)
        self._ids.update(taken.stored)
        return taken

    def keep(self, record: MatchRecord) -> None:
        key = record.seats, record.seed
        try:
            self._ids[key] = self._database.add(self._experiment, record)
        except DifferentMatch:  # played elsewhere while this process seemed dead; the first one counts
            self._ids[key] = self._database.find(self._experiment, self._game, key)

    def record(self, key: Key) -> MatchRecord:
        return self._database.match(self._ids[key])

    def matches(self, keys: Sequence[Key]) -> Sequence[MatchRecord]:
        return StoredMatches(self._database.path, self._experiment, [self._ids[key] for key in keys])


def play_matches(
    game: str,
    keys: Sequence[Key],
    *,
    opening_plies: int,
    move_seconds: float | None,
    joint_openings: bool = False,
) -> tuple[list[MatchRecord], float]:
    """Plays several matches (see `arena.matches.match.play_match`), and says how many seconds each took in the
    mean. What executors run."""
    start = time.perf_counter()
    records = [
        play_match(
            game,
            seats,
            seed,
            opening_plies=opening_plies,
            move_seconds=move_seconds,
            joint_openings=joint_openings,
        )
        for seats, seed in keys
    ]
    return records, (time.perf_counter() - start) / len(keys)


class _Run:
    """The matches of a tournament on their way from the schedule into the store.

    Short matches go to workers several at a time, as to hand out one and to take it back costs up to
    some milliseconds: as many as take `_TASK_SECONDS` together.
    """

    def __init__(
        self,
        tournament: Tournament,
        keys: Sequence[Key],
        executor: concurrent.futures.Executor,
        store: _Memory | _File,
        arrived: Callable[[Key], None],
        say: Callable[[str], None],
    ):
        self._tournament = tournament
        self._executor = executor
        self._store = store
        self._arrived = arrived
        self._say = say
        # Two tasks for each worker, so that none waits for this process.
        inline = isinstance(executor, InlineExecutor)
        self._most_tasks = 1 if inline else 2 * getattr(executor, "workers", os.cpu_count() or 1)
        self._most_in_task = 1 if inline else _MOST_IN_TASK
        self._match_seconds = _TASK_SECONDS
        self._waiting = deque(keys)
        self._claimed: deque[Key] = deque()
        self._alone: deque[Key] = deque()  # claimed; to be played in a task of their own
        self._others: list[Key] = []
        self._pending: dict[concurrent.futures.Future, list[Key]] = {}
        self._ended: queue.SimpleQueue[concurrent.futures.Future] = queue.SimpleQueue()
        self._fatal: list[tuple[Key, BaseException]] = []

    def _short(self) -> int:
        """How many matches take `_TASK_SECONDS` together."""
        return max(1, min(_MOST_IN_TASK, int(_TASK_SECONDS / max(self._match_seconds, 1e-6))))

    def _claim(self, keys: Sequence[Key]) -> None:
        taken = self._store.take(keys)
        self._claimed.extend(taken.mine)
        self._others.extend(taken.others)
        for key in taken.stored:
            self._arrived(key)

    def _submit(self) -> None:
        if self._alone:
            keys = [self._alone.popleft()]
        else:
            most = min(len(self._claimed), self._short(), self._most_in_task)
            keys = [self._claimed.popleft() for _ in range(most)]
        future = self._executor.submit(
            play_matches,
            self._tournament.game,
            keys,
            opening_plies=self._tournament.opening_plies,
            move_seconds=self._tournament.move_seconds,
            joint_openings=self._tournament.joint_openings,
        )
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
                    "the executor gave up a match, expected its outcome; its workers may "
                    "be gone; with --db, the same command plays what is missing"
                )
            try:
                records, seconds = future.result()
            except getattr(self._executor, "deaths", ()) as error:
                self._died(keys, error)
                continue
            # The first match of a process is slow, as it loads everything.
            self._match_seconds = (self._match_seconds + seconds) / 2
            for key, record in zip(keys, records, strict=True):
                self._store.keep(record)
                self._arrived(key)

    def _died(self, keys: Sequence[Key], error: BaseException) -> None:
        if len(keys) > 1:  # one of them was it
            self._alone.extend(keys)
            return
        self._fatal.append((keys[0], error))
        if len(self._fatal) == _MOST_FATAL:
            self._report_fatal()

    def _report_fatal(self) -> None:
        if self._fatal:
            (seats, seed), error = self._fatal[0]
            more = f" (and {len(self._fatal) - 1} more)" if len(self._fatal) > 1 else ""
            raise ChildProcessError(
                f"the match of {' and '.join(seats)} with seed {seed}{more} ended each process that played "
                f"it ({error}), expected it to end by itself; a crash in compiled code or a lack of memory "
                "does this; with --db, the matches that ended are kept and the same command plays the "
                "others"
            ) from error

    def _wait_for_others(self) -> None:
        self._say(
            f"Waiting for {len(self._others)} matches that are being played by "
            f"{' and '.join(self._store.owners(self._others)) or 'another process'}."
        )
        while self._others and not self._claimed:
            time.sleep(_POLL_SECONDS)
            asked, self._others = self._others, []
            self._claim(asked)

    def play(self) -> None:
        """Plays, or waits for, all of them."""
        while self._waiting or self._claimed or self._alone or self._pending or self._others:
            room = self._most_tasks - len(self._pending)
            if self._waiting and not self._claimed and room > 0:
                most = min(len(self._waiting), self._short() * room)
                self._claim([self._waiting.popleft() for _ in range(most)])
            while (self._claimed or self._alone) and len(self._pending) < self._most_tasks:
                self._submit()
                self._harvest(block=False)
            if self._waiting and not self._claimed and len(self._pending) < self._most_tasks:
                continue
            if self._pending:
                self._harvest(block=True)
            elif self._others:
                self._wait_for_others()
        self._report_fatal()

    def finish(self) -> None:
        """Waits for what is in the middle of being played, and takes back the rest."""
        self._pending = {future: keys for future, keys in self._pending.items() if not future.cancel()}
        self._ended = queue.SimpleQueue()
        for future in self._pending:
            future.add_done_callback(self._ended.put)
        if self._pending:
            self._say("Waiting for the matches in progress; Ctrl-C again drops them.")
        while self._pending:
            self._harvest(block=True)

    def drop(self) -> None:
        """Takes back whatever has not begun."""
        for future in self._pending:
            future.cancel()


def play(
    tournament: Tournament,
    *,
    executor: concurrent.futures.Executor | None = None,
    db: str | Path | None = None,
    observers: Sequence[Callable[[MatchRecord], None]] = (),
    progress: bool = False,
) -> Sequence[MatchRecord]:
    """Plays what is missing of a tournament.

    Several processes may play the same tournament into the same file at a time: each match is played
    by one of them, and each returns when all matches are there.

    Args:
      tournament: made by `Tournament.checked`.
      executor: runs `play_matches`, which is picklable; None plays in this process. It is left open.
      db: the database (see `arena.store.database`) where each record is added as its match ends, and that
        is looked into first; None keeps them in memory.
      observers: each is called in this process, once per match, with matches of an earlier run
        first; an exception from one ends the tournament.
      progress: whether to show a progress bar and messages on stderr.

    Returns:
      The records in the order of the schedule, so that the result does not depend on the executor.
      With `db` they stay in the file and are read from it as they are asked for.

    Raises:
      KeyboardInterrupt: after Ctrl-C, once the matches that other processes are in the middle of
        have ended.
      ChildProcessError: a match ended the processes that played it; all others have been played,
        unless too many did so.
      ValueError, OSError: the file is damaged, holds something else, or cannot be written; or as
        `play_match`.
    """
    with ExitStack() as stack:
        store = _Memory() if db is None else _File(db, tournament, stack)
        schedule = list(tournament.schedule())
        known = store.known()
        missing = [key for key in schedule if key not in known]
        bar = stack.enter_context(
            tqdm(total=len(schedule), initial=len(schedule) - len(missing), unit="match", disable=not progress)
        )

        def observe(key: Key) -> None:
            record = store.record(key) if observers else None
            for observer in observers:
                observer(record)

        def arrived(key: Key) -> None:
            bar.update()
            observe(key)

        def say(text: str) -> None:
            if progress:
                bar.write(text, file=sys.stderr)

        for key in itertools.filterfalse(set(missing).__contains__, schedule):
            observe(key)
        run = _Run(tournament, missing, executor or InlineExecutor(), store, arrived, say)
        stack.callback(run.drop)
        try:
            run.play()
        except KeyboardInterrupt:
            run.finish()
            raise
        return store.matches(schedule)
