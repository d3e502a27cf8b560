"""Match records in one SQLite file, which several processes may read and write at a time.

    with Database("matches.db") as database:
        experiment = database.experiment({"game": "connect_four", "seed": 1})
        database.add(experiment, play_match("connect_four", ["random", "mcts"], 1))
        results = database.results()

`arena.store.schema` describes the tables. A record comes back equal to what was added, with times of moves
to the microsecond. Within an experiment a match is known by its game, seats and seed: everything but
clocks follows from these, so it is stored once.
"""

from __future__ import annotations

import itertools
import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from arena.matches.records import ForfeitRecord, MatchRecord
from arena.store import plans, rows, schema
from arena.store.results import Results

_COLUMNS = (
    "experiment",
    "game",
    "seats",
    "seed",
    "returns",
    "course",
    "dealt",
    "forfeit_seat",
    "forfeit_kind",
    "forfeit_reason",
    "opening_plies",
    "opening_length",
    "move_seconds",
    "versions",
    "ended",
)
_INSERT_MATCH = f"INSERT INTO match ({', '.join(_COLUMNS)}) VALUES ({', '.join('?' * len(_COLUMNS))})"
_SELECT_RECORD = (
    f"SELECT id, {', '.join(_COLUMNS)}, players, actions, microseconds, notes "
    "FROM match JOIN moves ON match.id = moves.match"
)
_IS_KEY = "experiment = ? AND game = ? AND seats = ? AND seed = ?"
_BATCH = 10_000
"""Matches written in one transaction."""

Key = tuple[tuple[str, ...], int]
"""A pair (canonical specs by seat, seed), which tells apart the matches of a game within an experiment."""

_NOT_A_RECORD = (ValueError, TypeError, KeyError, IndexError, AttributeError, OverflowError, RecursionError)
"""Exceptions that decoding may raise where the file's pages are in order but their contents are not."""


class DifferentMatch(ValueError):
    """Raised where the experiment holds a match of the same game, seats and seed that went otherwise."""


@dataclass(frozen=True)
class Experiment:
    """Matches that belong together.

    Attributes:
      id: its number in this file.
      config: the configuration that was asked for, JSON-able.
      matches: number of matches stored.
      first_ended, last_ended: times of the first and last end in seconds since 1970 UTC; None where nobody noted it.
    """

    id: int
    config: Mapping[str, object]
    matches: int
    first_ended: float | None
    last_ended: float | None


class Database:
    """A file of match records. One object belongs to one thread.

    Attributes:
      path: path of the file.
    """

    def __init__(self, path: str | Path, *, must_exist: bool = False):
        """Opens a database, making an empty one where there is none.

        Args:
          path: the file; SQLite keeps two more with the endings -wal and -shm beside it while it is
            open. On a local disk: its locks do not work over network file systems.
          must_exist: whether to refuse to make one.

        Raises:
          ValueError: the file holds something else, or is damaged.
          OSError: it does not exist but must, or cannot be opened.
        """
        self.path = Path(path)
        self._connection = schema.connect(self.path, must_exist)
        self._games = rows.Texts(self._connection, "game", "name")
        self._bots = rows.Texts(self._connection, "bot", "spec")
        self._versions = rows.Texts(self._connection, "versions", "programs")
        self._configs = rows.Texts(self._connection, "experiment", "config")

    def close(self) -> None:
        """Closes the file."""
        with schema.explained(self.path):
            self._connection.close()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    @contextmanager
    def transaction(self) -> Iterator[Callable[..., sqlite3.Cursor]]:
        """Yields a function that executes SQL within one transaction, for modules beside this one."""
        with schema.explained(self.path):
            try:
                with schema.writing(self._connection):
                    yield self._connection.execute
            except BaseException:
                for texts in (self._games, self._bots, self._versions, self._configs):
                    texts.forget()
                raise

    @contextmanager
    def reading(self, what: str) -> Iterator[None]:
        """Turns whatever decoding raises into a sentence about the file, for modules beside this one."""
        with schema.explained(self.path):
            try:
                yield
            except _NOT_A_RECORD as error:
                raise ValueError(
                    f"{self.path}, {what}: damaged ({type(error).__name__}: {error}), "
                    "expected what arena.tournament --db writes; restore a copy of the file"
                ) from error

    def experiment(self, config: Mapping[str, object]) -> int:
        """The id of the experiment with this configuration, which is added if it is new.

        Args:
          config: JSON-able; equal ones, in whatever order of keys, are one experiment.

        Raises:
          ValueError: it is not JSON-able.
        """
        try:
            text = rows.canonical_json(dict(config))
        except (TypeError, ValueError) as error:
            raise ValueError(f"configuration of an experiment: expected JSON-able values, {error}") from error
        with schema.explained(self.path):
            found = self._configs.find(text)
        if found is None:
            with self.transaction():
                found = self._configs.id(text)
        return found

    def plan(self, experiment: int, plan: Mapping[str, object]) -> None:
        """Notes the planned size of an experiment, as play begins. The same plan again, such as by a
        run that goes on, is the same; another one is kept beside it, with the matches that were there."""
        text = rows.canonical_json(dict(plan))
        with self.transaction() as execute:
            execute(plans.TABLE)
            known = "SELECT 1 FROM plan WHERE experiment = ? AND plan = ?"
            if execute(known, (experiment, text)).fetchone() is None:
                (stored,) = execute("SELECT count(*) FROM match WHERE experiment = ?", (experiment,)).fetchone()
                execute(
                    "INSERT INTO plan (experiment, plan, matches) VALUES (?, ?, ?)", (experiment, text, stored)
                )

    def experiments(self) -> list[Experiment]:
        """All experiments, in order of id."""
        with self.reading("experiments"):
            rows = self._connection.execute(
                "SELECT experiment.id, config, count(match.id), min(ended), max(ended) FROM experiment "
                "LEFT JOIN match ON match.experiment = experiment.id "
                "GROUP BY experiment.id ORDER BY experiment.id"
            ).fetchall()
            return [
                Experiment(number, dict(json.loads(config)), matches, first, last)
                for number, config, matches, first, last in rows
            ]

    def row_key(self, experiment: int, game: str, key: Key) -> tuple[int, int, str, int]:
        """A match's unique columns experiment, game, seats and seed; within a transaction, as it adds
        names that are new."""
        seats, seed = key
        bots = [self._bots.id(spec) for spec in seats]
        return experiment, self._games.id(game), rows.canonical_json(bots), seed

    def find(self, experiment: int, game: str, key: Key) -> int | None:
        """The id of a match, or None where it is not stored."""
        with schema.explained(self.path):
            number, bots = self._games.find(game), [self._bots.find(spec) for spec in key[0]]
            if number is None or None in bots:
                return None
            row = self._connection.execute(
                f"SELECT id FROM match WHERE {_IS_KEY}", (experiment, number, rows.canonical_json(bots), key[1])
            ).fetchone()
        return row and row[0]

    def stored(self, experiment: int, game: str) -> dict[Key, int]:
        """The ids of the matches of one game in one experiment."""
        with self.reading("matches"):
            rows = self._connection.execute(
                "SELECT seats, seed, id FROM match WHERE experiment = ? AND game = ?",
                (experiment, self._games.find(game)),
            )
            lineups: dict[str, tuple[str, ...]] = {}
            found = {}
            for seats, seed, number in rows:
                if seats not in lineups:
                    lineups[seats] = tuple(map(self._bots.text, json.loads(seats)))
                found[lineups[seats], seed] = number
        return found

    def _insert(self, experiment: int, record: MatchRecord) -> int:
        forfeit = record.forfeit
        key = self.row_key(experiment, record.game, (record.seats, record.seed))
        number = self._connection.execute(
            _INSERT_MATCH,
            (
                *key,
                rows.canonical_json([float(value) for value in record.returns]),
                record.course,
                record.dealt,
                forfeit and forfeit.player,
                forfeit and forfeit.kind,
                forfeit and forfeit.reason,
                record.opening_plies,
                record.opening_length,
                record.move_seconds,
                self._versions.id(rows.canonical_json(dict(record.versions))),
                record.ended,
            ),
        ).lastrowid
        self._connection.execute(
            "INSERT INTO moves VALUES (?, ?, ?, ?, ?)", (number, *rows.encoded_moves(record))
        )
        self._connection.execute(f"DELETE FROM claim WHERE {_IS_KEY}", key)
        return number

    def _add(self, experiment: int, record: MatchRecord) -> tuple[int, bool]:
        number = self.find(experiment, record.game, (record.seats, record.seed))
        if number is None:
            return self._insert(experiment, record), True
        stored = self.match(number)
        if rows.outcome(stored) != rows.outcome(record):
            raise DifferentMatch(
                f"{self.path} holds match {number} of {' and '.join(record.seats)} with seed {record.seed}"
                ", which went otherwise than the one to be added; expected another seed, or another "
                "experiment"
            )
        return number, False

    def add(self, experiment: int, record: MatchRecord) -> int:
        """Stores a match, as a whole or not at all.

        Returns:
          Its id. A match that the experiment holds already is not stored again.

        Raises:
          DifferentMatch: the experiment holds one of the same game, seats and seed, but with other
            moves or another result; it stays.
          ValueError, OSError: the file is damaged or cannot be written.
        """
        with self.transaction():
            return self._add(experiment, record)[0]

    def add_all(self, experiment: int, records: Iterable[MatchRecord]) -> int:
        """Stores many matches, a batch at a time, each batch as a whole or not at all.

        Returns:
          Number of matches that were new.

        Raises:
          As `add`; the batches before the one that failed stay, and are skipped the next time.
        """
        added = 0
        records = iter(records)
        while batch := list(itertools.islice(records, _BATCH)):
            with self.transaction():
                added += sum(self._add(experiment, record)[1] for record in batch)
        return added

    def _record(self, row: Sequence) -> MatchRecord:
        number, _, game, seats, seed, returns, course, _, seat, kind, reason = row[:11]
        plies, length, move_seconds, versions, ended, *moves, notes = row[11:]
        with self.reading(f"match {number}"):
            noted = json.loads(notes) if notes is not None else {}
            moves = rows.decoded_moves(*moves, noted)
            record = MatchRecord(
                game=self._games.text(game),
                seats=tuple(self._bots.text(bot) for bot in json.loads(seats)),
                seed=seed,
                opening_plies=plies,
                move_seconds=move_seconds,
                opening_length=length,
                moves=moves,
                returns=tuple(map(float, json.loads(returns))),
                forfeit=None if seat is None else ForfeitRecord(seat, kind, reason, noted.get(str(len(moves)))),
                versions=dict(json.loads(self._versions.text(versions))),
                ended=ended,
            )
            if record.course != course:
                raise ValueError("its moves are not those that were stored")
        return record

    def records(self, experiment: int | None = None) -> Iterator[MatchRecord]:
        """All matches, or those of one experiment, in order of id, a few at a time in memory."""
        with schema.explained(self.path):
            # The plus sign keeps SQLite from looking up a whole experiment row by row in an index.
            for row in self._connection.execute(
                f"{_SELECT_RECORD} WHERE ?1 IS NULL OR +experiment = ?1 ORDER BY id", (experiment,)
            ):
                yield self._record(row)

    def match_ids(self, experiment: int | None = None) -> list[int]:
        """The ids of all matches, or of those of one experiment, in ascending order."""
        with self.reading("matches"):
            return [
                int(number)
                for (number,) in self._connection.execute(
                    "SELECT id FROM match WHERE ?1 IS NULL OR experiment = ?1 ORDER BY id", (experiment,)
                )
            ]

    def match(self, match_id: int) -> MatchRecord:
        """One match.

        Raises:
          ValueError: there is none with this id, or it is damaged.
        """
        with schema.explained(self.path):
            row = self._connection.execute(f"{_SELECT_RECORD} WHERE id = ?", (int(match_id),)).fetchone()
        if row is None:
            raise ValueError(f"{self.path} has no match {match_id}; ids are those of the table 'match'")
        return self._record(row)

    def results(self, experiment: int | None = None) -> Results:
        """All matches, or those of one experiment, as columns in order of id; moves are not read."""
        with self.reading("experiments"):
            configs = self._connection.execute(
                "SELECT id, config FROM experiment WHERE ?1 IS NULL OR id = ?1", (experiment,)
            )
            known = {number: json.loads(config) for number, config in configs}
            extensions, sequential = plans.marks(self._connection, known)
        joint = {number for number, config in known.items() if config.get("joint_openings")}
        with self.reading("matches"):
            return rows.results(
                self._connection.execute(
                    f"SELECT {rows.RESULT_COLUMNS} FROM match WHERE ?1 IS NULL OR +experiment = ?1 ORDER BY id",
                    (experiment,),
                ),
                self._games,
                self._bots,
                joint,
                extensions=extensions,
                sequential=sequential,
            )
