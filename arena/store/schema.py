"""The file format of `arena.store.database`: an SQLite database, its tables, and its possible faults.

Why these tables. Ratings read a few numbers of every match and none of its moves, so the moves are
in a table of their own: a million rows of `match` are 62 MB, and reading them touches nothing else.
Within a match the moves are parallel JSON arrays: of 20 to 40 moves 296 bytes, where a row for each
move would be 438, and one row to write. Texts that recur (games, specs, versions) are stored once. The
views `seat` and `move` spread it all out again for questions in plain SQL:

    SELECT bot, avg(return) FROM seat GROUP BY bot;
    SELECT number, player, action, seconds FROM move WHERE match = 7;
    SELECT sum(json_extract(notes, '$.completion_tokens')) FROM move;   -- slow: reads every move
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

APPLICATION_ID = 0x53505752
"""The file's id in its header, "SPWR". It tells such a file from an SQLite database of something else."""
VERSION = 1
"""The version of the tables, in the file's header."""
BUSY_SECONDS = 30.0
"""Seconds to wait for another process that holds a lock on the file."""
_SMALLEST = 512
"""Size in bytes of the smallest database; SQLite takes anything shorter for an empty file."""
_CACHE_KIB = 65536
"""Size of the cache in KiB; SQLite's own 2 MiB are less than the index of a million matches, whose seeds fall
anywhere in it."""
_MOST_SAID = 150
"""Most characters of SQLite's own words that are said, as it may quote whole tables."""

TABLES = """
CREATE TABLE experiment (
  id INTEGER PRIMARY KEY,
  config TEXT NOT NULL UNIQUE      -- canonical JSON
);
CREATE TABLE game (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE        -- game string
);
CREATE TABLE bot (
  id INTEGER PRIMARY KEY,
  spec TEXT NOT NULL UNIQUE        -- canonical spec
);
CREATE TABLE versions (
  id INTEGER PRIMARY KEY,
  programs TEXT NOT NULL UNIQUE    -- JSON object, program: version
);
CREATE TABLE match (
  id INTEGER PRIMARY KEY,
  experiment INTEGER NOT NULL REFERENCES experiment,
  game INTEGER NOT NULL REFERENCES game,
  seats TEXT NOT NULL,             -- JSON array of bot.id by seat
  seed INTEGER NOT NULL,
  returns TEXT NOT NULL,           -- JSON array by seat
  course INTEGER NOT NULL,         -- digest of the moves, arena.matches.records.MatchRecord.course
  dealt INTEGER NOT NULL,          -- whether chance took part
  forfeit_seat INTEGER,            -- NULL where nobody forfeited
  forfeit_kind TEXT,
  forfeit_reason TEXT,
  opening_plies INTEGER NOT NULL,
  opening_length INTEGER NOT NULL,
  move_seconds REAL,
  versions INTEGER NOT NULL REFERENCES versions,
  ended REAL,                      -- seconds since 1970 UTC
  UNIQUE (experiment, game, seats, seed)
);
CREATE TABLE moves (
  match INTEGER PRIMARY KEY REFERENCES match,
  players TEXT NOT NULL,           -- JSON arrays of equal length; -1 for chance
  actions TEXT NOT NULL,
  microseconds TEXT NOT NULL,      -- null for chance and openings
  notes TEXT                       -- JSON object by number of the move, that of a forfeit after the
                                   -- last one; NULL where there are none
);
CREATE TABLE owner (               -- a process that plays
  id INTEGER PRIMARY KEY AUTOINCREMENT,   -- never used again, so that no claim changes hands by it
  place TEXT NOT NULL,             -- the machine, as one start of its operating system sees it
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,           -- tells a process from a later one with the same pid
  heartbeat REAL NOT NULL          -- seconds since 1970 UTC
);
CREATE TABLE claim (               -- a match that its owner is playing
  experiment INTEGER NOT NULL,
  game INTEGER NOT NULL,
  seats TEXT NOT NULL,
  seed INTEGER NOT NULL,
  owner INTEGER NOT NULL REFERENCES owner,
  PRIMARY KEY (experiment, game, seats, seed)
) WITHOUT ROWID;
CREATE VIEW seat AS
  SELECT match.id AS match, s.key AS seat, bot.spec AS bot,
         json_extract(match.returns, '$[' || s.key || ']') AS return,
         game.name AS game, match.seed AS seed, match.experiment AS experiment
  FROM match, json_each(match.seats) AS s JOIN bot ON bot.id = s.value JOIN game ON game.id = match.game;
CREATE VIEW move AS
  SELECT moves.match AS match, a.key AS number,
         json_extract(moves.players, '$[' || a.key || ']') AS player, a.value AS action,
         json_extract(moves.microseconds, '$[' || a.key || ']') / 1e6 AS seconds,
         json_extract(moves.notes, '$."' || a.key || '"') AS notes
  FROM moves, json_each(moves.actions) AS a;
"""


def _foreign(path: Path) -> ValueError:
    return ValueError(
        f"{path} is not a database of matches; expected a file that arena.tournament --db "
        "has written, so name another file"
    )


def _sentence(path: Path, error: Exception) -> Exception:
    """The error that tells the user the meaning of an SQLite error on this file."""
    said = " ".join(str(error).split())[:_MOST_SAID]
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return TimeoutError(
            f"{path} has been locked by another process for {BUSY_SECONDS:g} s, expected "
            "short locks only; wait until that process is done or end it, and run the "
            "same command again"
        )
    if code == sqlite3.SQLITE_FULL:
        return OSError(
            f"no room to write {path}: the disk or quota is full; the matches in the file "
            "are kept, so make room and run the same command again"
        )
    if code in (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_PERM, sqlite3.SQLITE_CANTOPEN):
        return PermissionError(
            f"{path} cannot be opened for writing ({said}); expected permission to "
            "write the file and its folder"
        )
    if code == sqlite3.SQLITE_IOERR:
        return OSError(
            f"reading or writing {path} failed ({said}), as a failing or "
            "full disk or a limit on file sizes makes it; the matches in the file are kept"
        )
    if code == sqlite3.SQLITE_NOTADB:
        return _foreign(path)
    return ValueError(
        f"{path} is damaged ({said}), expected a database of matches; restore a copy, or "
        "recover its tables with SQLite's command line tool (.recover)"
    )


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Turns SQLite's errors into one sentence about this file: OSError or ValueError."""
    try:
        yield
    except sqlite3.ProgrammingError:  # a defect of the caller's, such as use after close
        raise
    except (sqlite3.Error, UnicodeDecodeError) as error:
        raise _sentence(path, error) from error


@contextmanager
def writing(connection: sqlite3.Connection) -> Iterator[None]:
    """A transaction that may write: it is there as a whole or not at all.

    Ctrl-C may come between the beginning of a transaction and its block, where no `except` sees it yet; what it
    leaves open is rolled back before the next one, so that a run that is stopped can still give back its claims.
    """
    try:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:  # SQLite has rolled back already after some errors
            connection.execute("ROLLBACK")
        raise


def _is_new(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the file has no tables yet.

    Raises:
      ValueError: it holds something else than this version's tables.
    """
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    if application == version == tables == 0:
        return True
    if application != APPLICATION_ID:
        raise ValueError(
            f"{path} is an SQLite database of something else, expected a file that "
            "arena.tournament --db has written; name another file"
        )
    if version != VERSION:
        raise ValueError(
            f"{path} has format {version}, expected {VERSION}; use the version of "
            "spielwright that wrote it to export it as JSON Lines, and import that"
        )
    return False


def _check_length(connection: sqlite3.Connection, path: Path) -> None:
    """Raises ValueError for a file that ends too early, which SQLite notices only where it reads."""
    (pages,) = connection.execute("PRAGMA page_count").fetchone()
    (page_size,) = connection.execute("PRAGMA page_size").fetchone()
    log = Path(f"{path}-wal")
    if log.exists() and log.stat().st_size:
        return  # the missing pages may be there
    if (length := path.stat().st_size) < pages * page_size:
        raise ValueError(
            f"{path} is truncated: expected {pages * page_size} bytes, found {length}; "
            "restore a copy, or recover its tables with SQLite's command line tool (.recover)"
        )


def _create(connection: sqlite3.Connection, path: Path) -> None:
    with writing(connection):
        if _is_new(connection, path):  # nobody else was faster
            for statement in TABLES.split(";\n"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {VERSION}")


def connect(path: Path, must_exist: bool) -> sqlite3.Connection:
    """Opens a database of matches, making an empty one where there is none.

    A file that may not be written is opened for reading, if nothing is left in its write-ahead log.

    Args:
      path: the file.
      must_exist: whether to refuse to make one.

    Raises:
      ValueError: the file holds something else, or is damaged.
      OSError: it does not exist but must, or cannot be opened.
    """
    if must_exist and not path.exists():
        raise FileNotFoundError(
            f"{path} does not exist, expected a file that arena.tournament --db has written"
        )
    if path.is_file() and 0 < path.stat().st_size < _SMALLEST:
        raise _foreign(path)
    mode = "rw" if must_exist else "rwc"
    if must_exist and not (os.access(path, os.W_OK) and os.access(path.parent, os.W_OK)):
        log = Path(f"{path}-wal")
        if log.exists() and log.stat().st_size:
            raise PermissionError(
                f"{path} may not be written, and {log.name} beside it holds matches that "
                "are still to be merged into it; open it once where writing is allowed"
            )
        mode = "ro&immutable=1"
    with explained(path):
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}", uri=True, timeout=BUSY_SECONDS, isolation_level=None
        )
        try:
            new = _is_new(connection, path)
            if new and must_exist:
                raise ValueError(f"{path} is empty, expected a file that arena.tournament --db has written")
            _check_length(connection, path)
            if mode == "rwc" or new:
                connection.execute("PRAGMA journal_mode = WAL")
                # Survives the death of the process; a power failure may cost the last few matches,
                # which are then played again, and never the file.
                connection.execute("PRAGMA synchronous = NORMAL")
                connection.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
            if new:
                _create(connection, path)
        except BaseException:
            connection.close()
            raise
    return connection
