"""Bridge programs as bots: `bluechip`, through the BlueChip protocol that WBridge5 and others speak."""

from __future__ import annotations

import contextlib
import socket
import subprocess
import time

import pyspiel
from open_spiel.python.bots import bluechip_bridge

from arena.bots import engine_process
from arena.matches.forfeit import Forfeit
from arena.registry.bots import register_bot


class _Table:
    """The table manager's side of one connection, which OpenSpiel's bot calls a controller."""

    def __init__(self, command: str, answer_seconds: float):
        self._answer_seconds = answer_seconds
        self._unread = b""
        with socket.create_server(("127.0.0.1", 0)) as server:
            self._process = engine_process.start(
                "bluechip",
                "command",
                command.replace("{port}", str(server.getsockname()[1])),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
            )
            try:
                self._socket = self._accepted(server)
            except Forfeit:
                engine_process.end(self._process)
                raise

    def _accepted(self, server: socket.socket) -> socket.socket:
        server.settimeout(0.1)
        deadline = time.monotonic() + self._answer_seconds
        while time.monotonic() < deadline:
            with contextlib.suppress(TimeoutError):
                return server.accept()[0]
            if self._process.poll() is not None:
                raise Forfeit(
                    "crash",
                    f"the bridge program ended with exit code {self._process.returncode} before it connected",
                )
        raise Forfeit("timeout", f"the bridge program did not connect within {self._answer_seconds:g} s")

    def read_line(self) -> str:
        deadline = time.monotonic() + self._answer_seconds
        while b"\n" not in self._unread:
            self._socket.settimeout(max(0.001, deadline - time.monotonic()))
            try:
                chunk = self._socket.recv(4096)
            except TimeoutError as error:
                raise Forfeit(
                    "timeout", f"the bridge program did not answer within {self._answer_seconds:g} s"
                ) from error
            if not chunk:
                raise Forfeit("crash", "the bridge program closed the conversation")
            self._unread += chunk
        line, _, self._unread = self._unread.partition(b"\n")
        return " ".join(line.decode(errors="replace").split())

    def send_line(self, line: str) -> None:
        self._socket.sendall(line.encode() + b"\r\n")

    def terminate(self) -> None:
        self._socket.close()
        engine_process.end(self._process)


class BluechipBot(pyspiel.Bot):
    """OpenSpiel's `BlueChipBridgeBot` with a program of its own for every match.

    Args:
      game: bridge(use_double_dummy_result=false).
      player_id: its seat, North, East, South, West.
      command: the command that starts the program; `{port}` stands for the port of this machine to connect to.
      answer_seconds: most seconds that the program may take for each of its lines.
    """

    def __init__(self, game: pyspiel.Game, player_id: int, command: str, answer_seconds: float):
        super().__init__()
        self._game = game
        self._player_id = player_id
        self._command = command
        self._answer_seconds = answer_seconds
        self._tables = contextlib.ExitStack()
        self.restart()

    def _table(self) -> _Table:
        table = _Table(self._command, self._answer_seconds)
        self._tables.callback(table.terminate)
        return table

    def restart(self) -> None:
        self.close()
        self._bot = bluechip_bridge.BlueChipBridgeBot(self._game, self._player_id, self._table)

    def restart_at(self, state: pyspiel.State) -> None:
        if state.history():
            raise ValueError(
                "bot 'bluechip': expected to start before the deal, found "
                f"{len(state.history())} actions played"
            )
        self.restart()

    def inform_action(self, state: pyspiel.State, player_id: int, action: int) -> None:
        if player_id == self._player_id:
            raise Forfeit(
                "crash",
                "bot 'bluechip' chooses its calls and cards by itself and cannot be "
                "told them; use opening_plies=0",
            )
        self._bot.inform_action(state, player_id, action)

    def step(self, state: pyspiel.State) -> int:
        return self._bot.step(state)

    def close(self) -> None:
        self._tables.close()


@register_bot(
    "bluechip",
    summary="bridge only: a program that speaks the BlueChip protocol, as in "
    "bluechip(command=program --port {port})",
    source="OpenSpiel Python",
)
def _bluechip(
    game: pyspiel.Game, player_id: int, seed: int, *, command: str, answer_seconds: float = 60.0
) -> pyspiel.Bot:
    """See `BluechipBot`. It cannot follow a random opening."""
    del seed
    if str(game) != bluechip_bridge.GAME_STR:
        raise ValueError(
            "bot 'bluechip' plays bridge(use_double_dummy_result=false) only, found "
            f"{game}; choose another bot, e.g. random"
        )
    if "{port}" not in command:
        raise ValueError(
            "bot 'bluechip', parameter 'command': expected {port} where the program takes "
            f"the port to connect to, found {command!r}"
        )
    if not answer_seconds > 0:
        raise ValueError(
            f"bot 'bluechip', parameter 'answer_seconds': expected more than 0, found {answer_seconds:g}"
        )
    return BluechipBot(game, player_id, command, answer_seconds)
