"""What a server keeps of its tables in SQLite, so that they are there again when it was killed."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

TABLE = """
CREATE TABLE IF NOT EXISTS sitting (
  id TEXT PRIMARY KEY,
  created REAL NOT NULL,           -- seconds since 1970 UTC
  task TEXT NOT NULL,              -- JSON: game, seats, seed, pace
  keys TEXT NOT NULL,              -- JSON object: seat, the key of who sits there
  moves TEXT NOT NULL,             -- JSON array of [player, action]
  state TEXT NOT NULL,             -- playing, over, void or left
  reason TEXT,                     -- why it is void
  match INTEGER                    -- id of the match in the database beside, once it is over
)"""


@dataclass(frozen=True)
class Sitting:
    """A row of the file; see `TABLE`."""

    id: str
    created: float
    task: Mapping[str, object]
    keys: Mapping[int, str]
    moves: tuple[tuple[int, int], ...]
    state: str
    reason: str | None
    match: int | None


class Keeping:
    """The file of a server's tables. Used by any thread.

    Args:
      path: the file; it is made where there is none.
    """

    def __init__(self, path: Path):
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = NORMAL")
        self._connection.execute(TABLE)

    def close(self) -> None:
        with self._lock:
            self._connection.close()

    def _run(self, sql: str, values: tuple = ()) -> list[tuple]:
        with self._lock:
            return self._connection.execute(sql, values).fetchall()

    def add(self, sitting: Sitting) -> None:
        self._run(
            "INSERT INTO sitting VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                sitting.id,
                sitting.created,
                json.dumps(sitting.task),
                json.dumps(sitting.keys),
                json.dumps(sitting.moves),
                sitting.state,
                sitting.reason,
                sitting.match,
            ),
        )

    def moved(self, number: str, moves: list[tuple[int, int]]) -> None:
        self._run("UPDATE sitting SET moves = ? WHERE id = ?", (json.dumps(moves), number))

    def ended(self, number: str, state: str, reason: str | None = None, match: int | None = None) -> None:
        self._run(
            "UPDATE sitting SET state = ?, reason = ?, match = ? WHERE id = ?", (state, reason, match, number)
        )

    def all(self) -> list[Sitting]:
        """Every table, the newest first."""
        rows = self._run("SELECT * FROM sitting ORDER BY created DESC")
        return [
            Sitting(
                number,
                created,
                json.loads(task),
                {int(seat): key for seat, key in json.loads(keys).items()},
                tuple((player, action) for player, action in json.loads(moves)),
                state,
                reason,
                match,
            )
            for number, created, task, keys, moves, state, reason, match in rows
        ]
