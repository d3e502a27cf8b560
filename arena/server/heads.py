"""What the bots of a stored match thought: the match is played once more by its moves, and each bot is asked again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping

from arena.server.table_process import Running, Task

MOST_KEPT = 8
"""Matches whose heads are kept."""

Key = tuple[str, int]


class Heads:
    """Finds and keeps what bots had to say in stored matches. Used by any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: OrderedDict[Key, dict[str, object]] = OrderedDict()
        self._running: set[Running] = set()

    def of(self, key: Key, task: Mapping[str, object]) -> dict[str, object]:
        """What the bots had to say.

        Args:
          key: tells matches apart.
          task: `arena.server.routes.catalogue.match_task` of the match.

        Returns:
          `heads`, a list of panels (`arena.matches.heads`) by the number of the move, as text; `differs`, the numbers
          of moves for which a bot that was asked again answered otherwise; `error`, why there is no more, or None.
        """
        with self._lock:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
        found = self._asked(Task(**{**task, "audiences": (), "until": True}))
        with self._lock:
            self._kept[key] = found
            while len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
        return found

    def _asked(self, task: Task) -> dict[str, object]:
        heads: dict[str, list[dict[str, object]]] = {}
        differs: list[int] = []
        said: dict[int, tuple[list[dict[str, object]], int]] = {}
        error: list[str] = []
        made = 0

        def hear(message: tuple) -> None:
            nonlocal made
            kind, *rest = message
            if kind == "head":
                seat, panels, action = rest
                said[seat] = panels, action
            elif kind == "void":
                error.append(rest[0])
            elif kind == "moves":
                for player, action in rest[0]:
                    if player in said:
                        panels, own = said.pop(player)
                        heads[str(made)] = panels
                        if own != action:
                            differs.append(made)
                    made += 1

        running = Running(task, hear)
        with self._lock:
            self._running.add(running)
        try:
            running.listen()
        finally:
            with self._lock:
                self._running.discard(running)
        return {"heads": heads, "differs": differs, "error": error[0] if error else None}

    def close(self) -> None:
        """Ends what is being asked."""
        with self._lock:
            for running in self._running:
                running.end()
