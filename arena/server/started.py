"""Tournaments and leagues that the page has started: each is a process and a folder, and outlives the server.

A folder holds `run.json` (what was asked for), `process.json` (the process that plays, if any), `matches.db` and
`log.txt`. The process is the command that a user would type, so that it can be stopped, and goes on when it is started
again; the command itself sees to it that no match is played twice.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from arena.server.tables import Refused
from arena.store.claims import started
from runs import cli

MOST_RUNNING = 4
_KILL_SECONDS = 20.0
"""Seconds that a process has to end its match before it is killed."""
_LOG_CHARACTERS = 4000


@dataclass(frozen=True)
class Asked:
    """What was asked for: a title, the module, and its flags."""

    title: str
    module: str
    flags: Mapping[str, object]


class Run:
    """One folder. Its methods may be called from any thread.

    Args:
      folder: the folder, with its run.json.
    """

    def __init__(self, folder: Path):
        self.folder = folder
        self.id = folder.name
        content = json.loads((folder / "run.json").read_text("utf-8"))
        self.asked = Asked(content["title"], content["module"], content["flags"])
        self.created = float(content["created"])
        self._lock = threading.Lock()
        self._child: subprocess.Popen | None = None

    @property
    def database(self) -> Path:
        return self.folder / "matches.db"

    def _process(self) -> int | None:
        """The id of the process that plays, None where none does."""
        if self._child is not None and self._child.poll() is not None:
            self._child = None
        try:
            noted = json.loads((self.folder / "process.json").read_text("utf-8"))
            # A later process may have the same id, which its start tells apart.
            return noted["pid"] if started(noted["pid"]) == noted["started"] else None
        except (OSError, ValueError, KeyError):
            return None

    def running(self) -> bool:
        """Whether a process plays it."""
        return self._process() is not None

    def command(self) -> list[str]:
        """The command line, as a user would type it."""
        given = {**self.asked.flags, "db": str(self.database)}
        if self.asked.module == "arena.league":
            given["output"] = str(self.folder / "league.html")
        return [sys.executable, "-m", self.asked.module, *(f"--{key}={value}" for key, value in given.items())]

    def resume(self) -> None:
        """Starts the process unless it runs.

        Raises:
          OSError: it cannot be started.
        """
        with self._lock:
            if self.running():
                return
            with open(self.folder / "log.txt", "ab") as log:
                self._child = subprocess.Popen(
                    self.command(),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,  # so that the end of the server is not its end
                )
            noted = {"pid": self._child.pid, "started": started(self._child.pid)}
            cli.write_text(self.folder / "process.json", json.dumps(noted) + "\n")

    def stop(self) -> None:
        """Lets the process end its match and stop, as Ctrl-C does; after some seconds it is killed."""
        process = self._process()
        if process is None:
            return
        os.kill(process, signal.SIGINT)

        def insist() -> None:
            deadline = time.monotonic() + _KILL_SECONDS
            while time.monotonic() < deadline:
                if self._process() != process:
                    return
                time.sleep(0.2)
            if self._process() == process:
                os.kill(process, signal.SIGKILL)

        threading.Thread(target=insist, daemon=True).start()

    def log(self) -> str:
        """The end of what the command has said, without its progress bars."""
        try:
            text = (self.folder / "log.txt").read_bytes()[-_LOG_CHARACTERS:].decode("utf-8", "replace")
        except OSError:
            return ""
        return "\n".join(line.rpartition("\r")[2] for line in text.split("\n")).strip()

    def told(self) -> dict[str, object]:
        """What the page shows: JSON-able."""
        return {
            "id": self.id,
            "title": self.asked.title,
            "command": " ".join(["spielwright", self.asked.module.removeprefix("arena."), *self.command()[3:]]),
            "created": self.created,
            "running": self.running(),
            "log": self.log(),
        }


class Runs:
    """All folders of a server.

    Args:
      folder: the folder that holds them.
    """

    def __init__(self, folder: Path):
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self._lock = threading.Lock()
        found = [path.parent for path in folder.glob("*/run.json")]
        self._runs = {path.name: Run(path) for path in found}

    def all(self) -> list[Run]:
        """Every run, the newest first."""
        return sorted(self._runs.values(), key=lambda run: -run.created)

    def find(self, number: str) -> Run:
        """The run of this id.

        Raises:
          KeyError: there is none.
        """
        return self._runs[number]

    def add(self, asked: Asked) -> Run:
        """Makes a folder and starts the process.

        Raises:
          Refused: too many are running.
        """
        with self._lock:
            if sum(run.running() for run in self._runs.values()) >= MOST_RUNNING:
                raise Refused(f"{MOST_RUNNING} tournaments are running, which is the most; stop one first")
            stem = re.sub(r"[^a-z0-9]+", "-", asked.title.lower()).strip("-")[:40] or "run"
            folder = next(
                path
                for path in (self._folder / f"{stem}-{number}" for number in range(1, 10**6))
                if not path.exists()
            )
            folder.mkdir()
            content = {
                "title": asked.title,
                "module": asked.module,
                "flags": dict(asked.flags),
                "created": time.time(),
            }
            cli.write_text(folder / "run.json", json.dumps(content, indent=1) + "\n")
            run = self._runs[folder.name] = Run(folder)
        run.resume()
        return run


def tournament(
    game: str, bots: Sequence[str], *, num_games: int | None, seed: int, opening_plies: int
) -> Asked:
    """A tournament as the page's form asks for it."""
    flags: dict[str, object] = {
        "game": game,
        "bots": ",".join(bots),
        "seed": seed,
        "opening_plies": opening_plies,
    }
    if num_games is not None:
        flags["num_games"] = num_games
    return Asked(game, "arena.tournament", flags)


def league(config: str | None) -> Asked:
    """A league, the one that ships where there is no configuration."""
    return Asked(
        "League" if config is None else f"League {Path(config).stem}",
        "arena.league",
        {} if config is None else {"config": os.path.abspath(config)},
    )
