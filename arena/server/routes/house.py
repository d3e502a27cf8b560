"""All that a server holds."""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from arena.server import started
from arena.server.heads import Heads
from arena.server.permissions import Permissions
from arena.server.tables import Tables
from arena.server.watching import Watch
from runs.worker_pool import WorkerPool

PLAYED = "played"
"""The database of the matches that were played at tables."""


@dataclass
class House:
    """All that a server holds.

    Attributes:
      tables, runs: what is played.
      permissions: what visitors may name.
      databases: further databases to look at, by id.
      prepares: whether what the first page shows is found when the server starts, and not when it is asked for.
      league: configuration of the league that can be started; None for the one that ships.
    """

    tables: Tables
    runs: started.Runs
    permissions: Permissions
    databases: Mapping[str, Path]
    league: str | None = None
    pool: concurrent.futures.Executor = field(default_factory=lambda: WorkerPool(2))
    prepares: bool = True
    heads: Heads = field(default_factory=Heads)
    watches: dict[Path, Watch] = field(default_factory=dict)
    told: dict[str, asyncio.Future] = field(default_factory=dict)
    streams: int = 0

    async def ask(self, fn: Callable[..., Any], *arguments: object) -> Any:
        """The result of a function that runs in a process beside."""
        return await asyncio.wrap_future(self.pool.submit(fn, *arguments))

    async def once(self, name: str, fn: Callable[..., Any], *arguments: object) -> Any:
        """As `ask`, but a result that does not change is kept."""
        if name not in self.told or (self.told[name].done() and self.told[name].exception()):
            if len(self.told) > 200:
                self.told.clear()
            self.told[name] = asyncio.ensure_future(self.ask(fn, *arguments))
        return await asyncio.shield(self.told[name])

    def database(self, number: str) -> Path:
        """The file of a database by its id.

        Raises:
          KeyError: there is none.
        """
        if number == PLAYED:
            return self.tables.database
        if number in self.databases:
            return self.databases[number]
        return self.runs.find(number).database

    def watch(self, number: str) -> Watch:
        path = self.database(number)
        return self.watches.setdefault(path, Watch(path))

    def close(self) -> None:
        self.heads.close()
        self.tables.close()
        self.pool.shutdown(wait=False, cancel_futures=True)
