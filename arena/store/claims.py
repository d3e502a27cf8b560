"""Claims of living processes on the matches of a database that they are playing.

Several processes may play one tournament into one file. Each claims matches before it plays them. The
claims of a dead process fall to whoever asks next: at once where it ran on this machine, where
everybody can see that it is dead, and otherwise after a lease that living owners renew.
"""

from __future__ import annotations

import os
import platform
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

from arena.store.database import Database, Key
from runs.played_once import Taken

LEASE_SECONDS = 60.0
"""Seconds by which the claims of a process on another machine outlive its last sign of life."""
RENEW_SECONDS = 15.0


def place() -> str:
    """This machine, as one start of its operating system and one space of process ids see it."""
    parts = [platform.node()]
    for path in ("/proc/sys/kernel/random/boot_id", "/proc/self/ns/pid"):
        try:
            parts.append(os.readlink(path) if path.endswith("pid") else Path(path).read_text().strip())
        except OSError:  # not Linux: the name has to do
            pass
    return " ".join(parts)


def started(pid: int) -> str | None:
    """A text that tells a living process of this machine from later ones with the same pid; None for a dead
    one. Empty where the system does not say."""
    try:
        # After the name in parentheses, which may hold anything: state, ..., start time in ticks.
        fields = Path(f"/proc/{pid}/stat").read_text(errors="replace").rpartition(")")[2].split()
        return None if fields[0] in "ZX" else fields[19]
    except OSError:
        pass
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return None
    except OSError:
        pass
    return ""


def _forget(run: Callable[..., object], owner: int) -> None:
    run("DELETE FROM claim WHERE owner = ?", (owner,))
    run("DELETE FROM owner WHERE id = ?", (owner,))


class Claims:
    """The claims of one player, which is this process, on matches of one game in one experiment.

    A context manager: on exit the claims are given back.
    """

    def __init__(self, database: Database, experiment: int, game: str):
        self._database = database
        self._experiment = experiment
        self._game = game
        self._place = place()
        with database.transaction() as run:
            with database.reading("owners"):
                for number, *owner in run("SELECT id, place, pid, started, heartbeat FROM owner").fetchall():
                    if not self._alive(*owner):
                        _forget(run, number)
            self._owner = run(
                "INSERT INTO owner (place, pid, started, heartbeat) VALUES (?, ?, ?, ?)",
                (self._place, os.getpid(), started(os.getpid()) or "", time.time()),
            ).lastrowid
        self._left = threading.Event()
        self._thread = threading.Thread(target=self._renew, daemon=True)
        self._thread.start()

    def __enter__(self) -> Claims:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._left.set()
        self._thread.join()
        try:
            with self._database.transaction() as run:
                _forget(run, self._owner)
        except (OSError, ValueError):
            if exc_info[0] is None:  # otherwise what went wrong before is what the user should read
                raise

    def _renew(self) -> None:
        while not self._left.wait(RENEW_SECONDS):
            try:
                with Database(self._database.path, must_exist=True) as database:
                    with database.transaction() as run:
                        run("UPDATE owner SET heartbeat = ? WHERE id = ?", (time.time(), self._owner))
            except (OSError, ValueError):
                pass  # the thread that plays meets the same trouble, and reports it

    def _alive(self, place_: str, pid: int, started_: str, heartbeat: float) -> bool:
        if place_ == self._place:
            return started(pid) == started_
        return time.time() - heartbeat < LEASE_SECONDS

    def take(self, keys: Sequence[Key]) -> Taken[Key]:
        """Claims the matches that are not stored and that no living process is playing; `Taken.stored` has the
        number of each match in the database."""
        taken = Taken([], {}, [])
        with self._database.transaction() as run:
            living: dict[int, bool] = {self._owner: True}
            for key in keys:
                number = self._database.find(self._experiment, self._game, key)
                if number is not None:
                    taken.stored[key] = number
                    continue
                row = self._database.row_key(self._experiment, self._game, key)
                claimed = run(
                    "SELECT owner FROM claim WHERE experiment = ? AND game = ? AND seats = ? AND seed = ?", row
                ).fetchone()
                if claimed is not None and claimed[0] != self._owner:
                    if claimed[0] not in living:
                        with self._database.reading("owners"):
                            owner = run(
                                "SELECT place, pid, started, heartbeat FROM owner WHERE id = ?", claimed
                            ).fetchone()
                            living[claimed[0]] = owner is not None and self._alive(*owner)
                    if living[claimed[0]]:
                        taken.others.append(key)
                        continue
                run("INSERT OR REPLACE INTO claim VALUES (?, ?, ?, ?, ?)", (*row, self._owner))
                taken.mine.append(key)
            for owner, lives in living.items():
                if not lives:
                    _forget(run, owner)
        return taken

    def owners(self, keys: Sequence[Key]) -> list[str]:
        """The processes that are playing these matches, in words."""
        found = []
        with self._database.transaction() as run:
            for key in keys:
                found += run(
                    "SELECT pid, place FROM owner JOIN claim ON owner.id = claim.owner WHERE "
                    "experiment = ? AND game = ? AND seats = ? AND seed = ?",
                    self._database.row_key(self._experiment, self._game, key),
                ).fetchall()
        return [f"process {pid} on {place_.partition(' ')[0]}" for pid, place_ in dict.fromkeys(found)]
