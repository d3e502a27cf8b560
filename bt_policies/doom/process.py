"""A process in which ViZDoom runs, see `worker`."""

from __future__ import annotations

import importlib.util
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

from bt_policies.doom.scenarios import Scenario
from runs.played_once import Unplayable

_HOST = (
    "-host 1 -deathmatch +sv_forcerespawn 1 +sv_noautoaim 1 +sv_respawnprotect 1 +sv_spawnfarthest 1 "
    "+sv_nocrouch 1 +viz_respawn_delay 0 -port {port}"
)
TICS = 4
"""Tics of the engine, of which a second has 35, in each decision."""
_LEAVES_SECONDS = 3


class Doom(AbstractContextManager["Doom"]):
    """One episode.

    Attributes:
      said: the last answer, see `worker`.

    Args:
      scenario: which.
      seed: of the engine's chance, in [0, 2**31).
      objects: whether answers hold all things in the level, for tests.

    Raises:
      Unplayable: ViZDoom is not installed, or its process ended.
    """

    def __init__(self, scenario: Scenario, seed: int, objects: bool = False):
        if importlib.util.find_spec("vizdoom") is None:
            raise Unplayable("vizdoom is not installed; pip install 'spielwright[vizdoom]'")
        self._folder = tempfile.TemporaryDirectory(prefix="vizdoom_")
        self._process = subprocess.Popen(
            [sys.executable, str(Path(__file__).with_name("worker.py"))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=self._folder.name,
            text=True,
            start_new_session=True,
        )
        hosted = scenario.bots > 0
        self._tell(
            {
                "config": scenario.config,
                "map": "map01",
                "arguments": _HOST.format(port=_free_port()) if hosted else "",
                "bots": scenario.bots,
                "seed": seed,
                "tics": scenario.tics,
                "each": TICS,
                "objects": objects,
            }
        )

    def step(self, order: dict[str, Any]) -> dict[str, Any]:
        """Does what the player wants and returns the answer."""
        self._tell(order)
        return self.said

    def _tell(self, line: dict[str, Any]) -> None:
        try:
            self._process.stdin.write(json.dumps(line) + "\n")
            self._process.stdin.flush()
            answer = self._process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            self.close()
            raise Unplayable(
                f"vizdoom: expected an answer, found that its process had ended with code {self._process.returncode}; "
                "run the command again"
            )
        self.said: dict[str, Any] = json.loads(answer)

    def close(self) -> None:
        """Ends the process, which ends the engine if it still listens."""
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        try:
            self._process.wait(_LEAVES_SECONDS)
        except subprocess.TimeoutExpired:
            pass
        # The engine is a child of the process.
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process.stdout.close()
        self._folder.cleanup()

    def __exit__(self, *_: object) -> None:
        self.close()


def _free_port() -> int:
    """Returns a port on which nothing listens, since each game with bots is a server of its own."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]
