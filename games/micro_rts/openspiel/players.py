"""Bots that decide all orders of a tick at once, as OpenSpiel bots that are asked for one at a time.

class Guard(Script):
    def orders(self, state, player):
        return [(unit.id, wait()) for unit in state.free_units(player)]

bot = ScriptBot(game, player_id=0, script=Guard())
"""

from __future__ import annotations

from typing import Protocol

import pyspiel

from games.micro_rts.openspiel.actions import DONE
from games.micro_rts.openspiel.game import MicroRTSGame, MicroRTSState
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.legal import is_legal
from games.micro_rts.rules.orders import Order, describe


class Script(Protocol):
    """A script: it decides the orders of a player.

    A script may remember things; `restart` forgets them before a game. Its chance comes from a seed given
    when it is made.
    """

    def restart(self) -> None: ...

    def orders(self, state: State, player: int) -> list[tuple[int, Order]]:
        """Returns the player's list for this tick: (unit id, order), each a free unit and an order from its
        legal list; units left out stay free. `state` is the script's own, to do with as it likes.
        """
        ...


class ScriptBot(pyspiel.Bot):
    """A bot that asks its script once a tick, and plays the list one action at a time.

    Raises:
      ValueError: the game is not `micro_rts`.
    """

    def __init__(self, game: pyspiel.Game, player_id: int, script: Script):
        check_game(game)
        super().__init__()
        self._player_id = player_id
        self._script = script
        self.restart()

    def restart(self) -> None:
        self._clock = -1
        self._list: list[tuple[int, Order]] = []
        self._script.restart()

    def restart_at(self, state: pyspiel.State) -> None:
        self.restart()

    def step(self, state: MicroRTSState) -> int:
        """Returns the next order of the script's list, or done.

        Raises:
          ValueError: the script's list holds an order that is no legal action here, such as one for a
            unit that has a job.
        """
        position, listed = state.node.position, state.listed(self._player_id)
        if position.clock != self._clock or not listed:
            self._clock = position.clock
            given = {unit_id for unit_id, _ in listed}
            self._list = [
                (unit_id, order)
                for unit_id, order in self._script.orders(state.position(), self._player_id)
                if unit_id not in given
            ]
            self._done = len(listed)
        entry = len(listed) - self._done
        if entry >= len(self._list):
            return DONE
        unit_id, order = self._list[entry]
        unit = position.units.get(unit_id)
        # Not by the list of legal actions, which takes long to make.
        if unit not in state.node.units or not is_legal(position, unit, order):
            raise ValueError(
                f"the script gives unit {unit_id} the order "
                f"{describe(order, position.map.width)!r} at tick {position.clock}, expected a "
                "free unit of its own, once, and an order from that unit's legal list"
            )
        return state.action_of(unit, order)


def check_game(game: pyspiel.Game) -> None:
    """Raises ValueError where a game is not one that these bots play."""
    if not isinstance(game, MicroRTSGame):
        raise ValueError(f"this bot plays micro_rts only, found {game}")
    if game.settings.any_orders:
        raise ValueError(f"this bot lists each free unit once and {game} has any_orders=true; leave that out")
