"""Games in the real engine, told in the format of recorded games (see `replay`).

engine = RealEngine(maps.load("basesWorkers8x8"))
engine.issue(0, [[6, 4, 0, 0, 0, 3], ...])      # [unit id, code, parameter, x, y, type]
engine.issue(1, [])
engine.advance()
engine.snapshot()                               # {"t": 1, "res": [5, 5], "units": [...], "jobs": [...]}
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from games.micro_rts.java import jvm
from games.micro_rts.java.mirror import Fields, RealGame, action_fields, list_fields
from games.micro_rts.rules.maps import Map

Orders = Sequence[Sequence[int]]
"""A player's list: [unit id, code, parameter, x, y, type] for each order."""

Legal = list[tuple[int, int, bool, list[Fields]]]
"""The units of both players, each as its id, its player, whether it has no job, and its legal orders."""


class RealEngine:
    """A game in the real engine. Chance and unit ids are common to all games of a process: play one game
    after the other.

    Args:
      board: the map to start from.
      unit_table: 1, 2 or 3.
      policy: 1, 2 or 3.
      seed: seed of chance (policy 2, table 3).
      jar: see `jvm.start`, also for the errors that it raises.
    """

    def __init__(
        self, board: Map, unit_table: int = 2, policy: int = 1, *, seed: int = 0, jar: str | None = None
    ):
        self.library = jvm.start(jar)
        self.board, self._table, self._policy, self._seed = board, unit_table, policy, seed
        self.library.seed_rules(seed)
        self.game = RealGame(self.library, board, unit_table, policy)
        self.over = False

    @property
    def clock(self) -> int:
        return self.game.state.getTime()

    @property
    def winner(self) -> int:
        """The winner: 0, 1, or -1 for nobody."""
        return self.game.state.winner()

    def ask(self, ai: Any, player: int) -> list[list[int]]:
        """Returns the list of a bot of the engine. Ask both players' before either's is issued."""
        return list_fields(ai.getAction(player, self.game.state))

    def issue(self, player: int, orders: Orders) -> None:
        """Gives a player's list through the engine's checked entry point.

        Raises:
          ValueError: a unit does not exist or is not the player's.
        """
        listed = self.library.PlayerAction()
        for unit_id, *fields in orders:
            unit = self.game.state.getUnit(unit_id)
            if unit is None or unit.getPlayer() != player:
                raise ValueError(
                    f"orders of player {player} at tick {self.clock}: expected units of this "
                    f"player, found unit {unit_id}"
                )
            listed.addUnitAction(unit, self.game.action(fields))
        self.game.state.issueSafe(listed)

    def advance(self) -> None:
        """Plays one tick."""
        self.over = bool(self.game.state.cycle())

    def jobs(self) -> list[list[int]]:
        """Returns the running orders: [unit id, *fields, issued at]."""
        return [
            [job.unit.getID(), *action_fields(job.action), job.time]
            for job in self.game.state.getUnitActions().values()
        ]

    def snapshot(self) -> dict[str, Any]:
        """Returns clock, banks, units and running orders, as a recorded tick has them."""
        units = [
            [
                unit.getID(),
                unit.getType().ID,
                unit.getPlayer(),
                unit.getX(),
                unit.getY(),
                unit.getHitPoints(),
                unit.getResources(),
            ]
            for unit in self.game.units
        ]
        return {"t": self.clock, "res": self.game.banks, "units": units, "jobs": self.jobs()}

    def legal(self) -> Legal:
        """Returns the legal orders of all players' units, in the order of the unit list."""
        state = self.game.state
        return [
            (
                unit.getID(),
                unit.getPlayer(),
                state.getActionAssignment(unit) is None,
                [action_fields(action) for action in unit.getUnitActions(state)],
            )
            for unit in self.game.units
            if unit.getPlayer() >= 0
        ]

    def header(self, bots: Sequence[str], max_cycles: int) -> dict[str, Any]:
        """Returns the first line of a recording of this game."""
        writer = self.library.StringWriter()
        self.game.types.toJSON(writer)
        return {
            "kind": "header",
            "schema": 1,
            "map": self.board.name,
            "utt_version": self._table,
            "conflict_policy": self._policy,
            "bots": list(bots),
            "seed": self._seed,
            "max_cycles": max_cycles,
            "width": self.board.width,
            "height": self.board.height,
            "terrain": "".join(str(int(wall)) for wall in self.board.walls),
            "utt": json.loads(str(writer)),
        }


Chooser = Callable[[RealEngine, Legal], tuple[Orders, Orders]]
"""A function from a game and `RealEngine.legal()` to both players' lists."""


def record(engine: RealEngine, choose: Chooser, bots: Sequence[str], max_cycles: int) -> list[dict[str, Any]]:
    """Plays a game to its end, or to the clock `max_cycles`, and returns the lines of its recording."""
    lines = [engine.header(bots, max_cycles)]
    while not engine.over and engine.clock < max_cycles:
        legal = engine.legal()
        line = {
            "kind": "tick",
            **engine.snapshot(),
            "legal": [[unit, orders] for unit, _, idle, orders in legal if idle],
        }
        for player, orders in enumerate(choose(engine, legal)):
            line[f"a{player}"] = [list(order) for order in orders]
        for player in (0, 1):
            engine.issue(player, line[f"a{player}"])
        line["issued"] = engine.jobs()
        lines.append(line)
        engine.advance()
    lines.append({"kind": "end", **engine.snapshot(), "gameover": engine.over, "winner": engine.winner})
    return lines
