"""The play of a tournament's matches: by an executor, into a store, and no match twice."""

from __future__ import annotations

import concurrent.futures
import functools
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING

from tqdm import tqdm

from arena.matches.match import play_match
from arena.matches.records import MatchRecord
from arena.store.database import Database, Key
from arena.store.match_store import DatabaseStore
from runs import played_once

if TYPE_CHECKING:
    from arena.tournaments.schedule import Tournament


def play_key(key: Key, game: str, **rules: object) -> MatchRecord:
    """Plays the match of a key, (specs by seat, seed); see `arena.matches.match.play_match`. Executors run it."""
    seats, seed = key
    return play_match(game, seats, seed, **rules)


def described(key: Key) -> str:
    """A match in words, for errors."""
    seats, seed = key
    return f"the match of {' and '.join(seats)} with seed {seed}"


def play(
    tournament: Tournament,
    *,
    executor: concurrent.futures.Executor | None = None,
    db: str | Path | None = None,
    observers: Sequence[Callable[[MatchRecord], None]] = (),
    progress: bool = False,
) -> Sequence[MatchRecord]:
    """Plays the missing matches of a tournament.

    Several processes may play the same tournament into the same file at a time: each match is played
    by one of them, and each returns when all matches are there.

    Args:
      tournament: one that was made by `Tournament.checked`.
      executor: runs `play_key`, which is picklable; None plays in this process. It is left open.
      db: the database (see `arena.store.database`) where each record is added as its match ends, and that
        is looked into first; None keeps them in memory.
      observers: each is called in this process, once per match, with matches of an earlier run
        first; an exception from one ends the tournament.
      progress: whether to show a progress bar and messages on stderr.

    Returns:
      The records in the order of the schedule, so that the result does not depend on the executor.
      With `db` they stay in the file and are read from it as they are asked for.

    Raises:
      KeyboardInterrupt, ChildProcessError, ConnectionError, Unplayable: see `runs.played_once.play`.
      ValueError, OSError: the file is damaged, holds something else, or cannot be written; or as
        `play_match`.
    """
    rules = {name: getattr(tournament, name) for name in ("opening_plies", "move_seconds", "joint_openings")}
    with ExitStack() as stack:
        store = played_once.MemoryStore(
            "with --db, those that ended are kept and the same command plays the others"
        )
        if db is not None:
            database = stack.enter_context(Database(db))
            experiment = database.experiment(tournament.config())
            database.plan(experiment, tournament.plan())
            store = stack.enter_context(DatabaseStore(database, experiment, tournament.game))
        schedule = {key: key for key in tournament.schedule()}
        known = [key for key in schedule if key in store.known()]
        bar = tqdm(total=len(schedule), initial=len(known), unit="match", disable=not progress)
        stack.enter_context(bar)

        def observe(key: Key) -> None:
            record = store.outcome(key) if observers else None
            for observer in observers:
                observer(record)

        for key in known:
            observe(key)
        return played_once.play(
            schedule,
            functools.partial(play_key, game=tournament.game, **rules),
            store,
            executor,
            arrived=observe,
            bar=bar,
            describe=described,
        )
