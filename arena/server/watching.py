"""Watching databases of matches: one reader for each file, however many people watch it.

The reader looks at the file only while somebody watches, and takes at most a twentieth of the time: after a look that
took t seconds it rests for 20 t, and for a second at least. What it found is kept as bytes that all viewers share.
"""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path

import numpy as np

from arena.store.database import Database
from arena.store.results import NO_SEAT, Results
from arena.tournaments.schedule import Tournament
from runs.intervals import mean_interval, wilson_interval

REST = 20.0
LEAST_SECONDS = 1.0
RECENT = 30
"""Matches of the list of the latest ones."""


def standings(results: Results) -> list[dict[str, object]]:
    """For each game its bots with matches, score (of two players) or mean return, an interval, and forfeits, best
    first. Intervals take matches for independent; the report's are over blocks.
    """
    tables = []
    for number in np.unique(results.game):
        own = results.where(results.game == number)
        players = int((own.seats[0] != NO_SEAT).sum())
        seats, returns = own.seats[:, :players], own.returns[:, :players]
        culprits = seats[np.arange(len(own)), own.forfeit_seat][own.forfeit_seat != NO_SEAT]
        rows = []
        for bot in np.unique(seats):
            sat = seats == bot
            if players == 2:
                measured = _scores(returns[sat], returns[:, ::-1][sat])
            else:
                measured = _mean(returns[sat])
            row = {"bot": own.bots[bot], "matches": int(sat.any(axis=1).sum()), **measured}
            rows.append({**row, "forfeits": int((culprits == bot).sum())})
        tables.append(
            {
                "game": own.games[number],
                "matches": len(own),
                "measure": "score" if players == 2 else "mean return",
                "rows": sorted(rows, key=lambda row: -row["value"]),
            }
        )
    return sorted(tables, key=lambda table: table["game"])


def _scores(own: np.ndarray, others: np.ndarray) -> dict[str, float]:
    points = float((own > others).sum() + 0.5 * (own == others).sum())
    low, high = wilson_interval(points, len(own))
    return {"value": points / len(own), "low": low, "high": high}


def _mean(returns: np.ndarray) -> dict[str, float | None]:
    low, high = mean_interval(returns.tolist())
    return {
        "value": float(returns.mean()),
        "low": low if np.isfinite(low) else None,
        "high": high if np.isfinite(high) else None,
    }


def planned(config: Mapping[str, object], plan: Mapping[str, object], players: int) -> int | None:
    """The number of matches of a tournament's plan; None where it has no fixed size."""
    if "num_games" not in plan or "game" not in config:
        return None
    tournament = Tournament(
        str(config["game"]), tuple(plan["bots"]), int(plan["num_games"]), int(config["seed"]), players=players
    )
    return sum(1 for _ in tournament.schedule())


def look(path: str | Path) -> dict[str, object]:
    """What a watcher is shown of a database.

    Raises:
      ValueError, OSError: the file is not there, or holds something else.
    """
    with Database(path, must_exist=True) as database:
        results = database.results()
        ids = database.match_ids()[: len(results)]
        plans = dict(_plans(database))
        experiments = []
        for one in database.experiments():
            own = plans.get(one.id, {})
            players = _players(results, str(one.config.get("game")))
            experiments.append(
                {
                    "id": one.id,
                    "config": dict(one.config),
                    "matches": one.matches,
                    "planned": planned(one.config, own, players) if own and players else None,
                }
            )
    recent = []
    for row in range(len(results) - 1, max(-1, len(results) - 1 - RECENT), -1):
        seats = [bot for bot in results.seats[row] if bot != NO_SEAT]
        forfeit = int(results.forfeit_seat[row])
        ended = float(results.ended[row])
        recent.append(
            {
                "id": ids[row],
                "game": results.games[results.game[row]],
                "seats": [results.bots[bot] for bot in seats],
                "returns": results.returns[row][: len(seats)].tolist(),
                "forfeit": None if forfeit == NO_SEAT else forfeit,
                "ended": None if ended != ended else ended,
            }
        )
    return {"matches": len(results), "experiments": experiments, "tables": standings(results), "recent": recent}


def _players(results: Results, game: str) -> int:
    """The number of seats of a game, 0 where no match of it is stored."""
    rows = results.seats[[results.games[number] == game for number in results.game]]
    return int((rows[0] != NO_SEAT).sum()) if len(rows) else 0


def _plans(database: Database) -> list[tuple[int, Mapping[str, object]]]:
    with database.transaction() as run:
        if not run("SELECT 1 FROM sqlite_master WHERE name = 'plan'").fetchone():
            return []
        rows = run("SELECT experiment, plan FROM plan ORDER BY id").fetchall()
    return [(number, json.loads(text)) for number, text in rows]


class Watch:
    """The one reader of a file.

    Args:
      path: the database; it may come into being later.
    """

    def __init__(self, path: str | Path):
        self.path = Path(path)
        self._lock = threading.Lock()
        self._listeners: set[Callable[[], None]] = set()
        self._news = b""
        self._number = 0
        self._thread: threading.Thread | None = None
        self._seen: object = None

    def listen(self, listener: Callable[[], None]) -> None:
        """Calls `listener`, in some thread, when there is news; reads the file as long as somebody listens."""
        with self._lock:
            self._listeners.add(listener)
            if self._thread is None:
                self._thread = threading.Thread(target=self._read, daemon=True, name=f"watch {self.path.name}")
                self._thread.start()

    def forget(self, listener: Callable[[], None]) -> None:
        with self._lock:
            self._listeners.discard(listener)

    def news(self) -> tuple[int, bytes]:
        """The number of the newest look, 0 for none, and what it found as JSON."""
        return self._number, self._news

    def _stamp(self) -> object:
        """Changes whenever something is written."""
        found = []
        for path in (self.path, self.path.with_name(f"{self.path.name}-wal")):
            try:
                facts = path.stat()
                found.append((facts.st_mtime_ns, facts.st_size))
            except OSError:
                found.append(None)
        return tuple(found)

    def _read(self) -> None:
        while True:
            with self._lock:
                if not self._listeners:
                    self._thread = None
                    return
            start = time.thread_time()
            stamp = self._stamp()
            if stamp != self._seen or not self._number:
                try:
                    found: dict[str, object] = look(self.path)
                except (OSError, ValueError) as error:
                    found = {"error": str(error)}
                self._seen = stamp
                text = json.dumps(found, ensure_ascii=False, separators=(",", ":")).encode()
                if text != self._news:
                    self._news, self._number = text, self._number + 1
                    for listener in tuple(self._listeners):
                        listener()
            time.sleep(max(LEAST_SECONDS, REST * (time.thread_time() - start)))
