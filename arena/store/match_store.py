"""The matches of one game and one experiment in a database, as a store of `runs.played_once`."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

import numpy as np

from arena.matches.records import MatchRecord
from arena.store.claims import Claims
from arena.store.database import Database, DifferentMatch, Key
from arena.store.results import Results
from runs.played_once import Taken


class StoredMatches(Sequence[MatchRecord]):
    """Records that stay in their file and are read one by one.

    Args:
      path: path of the database.
      experiment: number of the experiment that all of them belong to.
      ids: ids of the matches, in the order of the sequence.
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


class DatabaseStore(Claims):
    """See `runs.played_once.Store`; other processes may be adding to the database. A context manager: on exit the
    claims are given back.

    Args:
      database: one that stays open as long as the store is used.
      experiment: its number.
      game: the game of the matches, an OpenSpiel game string.
    """

    def __init__(self, database: Database, experiment: int, game: str):
        self._ids = database.stored(experiment, game)
        self.advice = f"those that ended are kept in {database.path}, and the same command plays the others"
        super().__init__(database, experiment, game)

    def known(self) -> Collection[Key]:
        return self._ids.keys()

    def take(self, keys: Sequence[Key]) -> Taken[Key]:
        taken = super().take(keys)
        self._ids.update(taken.stored)
        return taken

    def keep(self, key: Key, outcome: MatchRecord) -> None:
        try:
            self._ids[key] = self._database.add(self._experiment, outcome)
        except DifferentMatch:  # played elsewhere while this process seemed dead; the first one counts
            self._ids[key] = self._database.find(self._experiment, self._game, key)

    def outcome(self, key: Key) -> MatchRecord:
        return self._database.match(self._ids[key])

    def outcomes(self, keys: Sequence[Key]) -> StoredMatches:
        return StoredMatches(self._database.path, self._experiment, [self._ids[key] for key in keys])
