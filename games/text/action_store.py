"""Lists of valid commands on the disk, by world: a list that was found once is not searched for again."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path

_BUSY_SECONDS = 30.0


class ActionStore:
    """A file with lists of commands, which any number of processes may use at the same time.

    Args:
      path: the file; it is made where there is none, its folder too.

    Raises:
      OSError: the folder cannot be made.
      ValueError: the file is there, but is no such store.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self._open()

    def _open(self) -> None:
        # Each statement is a transaction of its own: a list is there as a whole or not at all.
        self._owner = os.getpid()
        self._connection = sqlite3.connect(self.path, timeout=_BUSY_SECONDS, isolation_level=None)
        try:
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=NORMAL")
            self._connection.execute("CREATE TABLE IF NOT EXISTS lists (world BLOB PRIMARY KEY, commands TEXT)")
        except sqlite3.DatabaseError as error:
            raise ValueError(
                f"the cache of valid commands {self.path} cannot be used: {error}; "
                "delete it or name another folder"
            ) from error

    @property
    def _database(self) -> sqlite3.Connection:
        # A forked process must not use its parent's connection.
        if self._owner != os.getpid():
            self._open()
        return self._connection

    def get(self, world: bytes) -> tuple[str, ...] | None:
        """Returns the commands that are valid in a world; None if they are not known."""
        row = self._database.execute("SELECT commands FROM lists WHERE world = ?", (world,)).fetchone()
        return None if row is None else tuple(json.loads(row[0]))

    def put(self, world: bytes, commands: Sequence[str]) -> None:
        """Keeps the commands that are valid in a world."""
        self._database.execute("INSERT OR IGNORE INTO lists VALUES (?, ?)", (world, json.dumps(list(commands))))

    def __len__(self) -> int:
        return self._database.execute("SELECT COUNT(*) FROM lists").fetchone()[0]

    def close(self) -> None:
        """Closes the file."""
        self._connection.close()


def cache_folder() -> Path:
    """Returns the user's folder for results that can be found again: `spielwright` in `~/.cache` or
    XDG_CACHE_HOME.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    return Path(base if os.path.isabs(base) else Path.home() / ".cache") / "spielwright"
