"""The view of `micro_rts` for prompts, trees and policies: units, jobs, banks, terrain, what is free."""
from __future__ import annotations

from typing import Any

import pyspiel

from games.micro_rts import orders
from games.micro_rts.engine import Unit
from games.micro_rts.game import MicroRTSState
from games.micro_rts.observer import board_text, order_text, rows
from games.micro_rts.turns import CHANCE, Node
from games.micro_rts.unit_tables import NAMES
from games.views import GameView, register_view

_FIELDS = """\
- `tick`, `max_cycles`: ticks played, and at how many the game is a draw.
- `board`: the rows of the board as a list of strings, the top row first: `B` base, `K` barracks, \
`W` worker, `L` light, `H` heavy, `R` ranged of player 0, in lower case of player 1; `$` resource field, \
`#` wall, `.` nothing.
- `bank`, `opponent_bank`: resources owned by the player and by the opponent.
- `units`: all units in the order of the engine's list, each an object with `id`; `type` (Resource, Base, \
Barracks, Worker, Light, Heavy, Ranged); `owner` (own, opponent, or null for resource fields); `x` (from 0 \
at the left) and `y` (from 0 at the top); `hp`; `carried` (of a resource field: what is left); `order`, \
what it is doing in words, or null; `ticks_left`, until that takes effect, or null.
- `free`: ids of the player's units that have neither a job nor an order in the list.
- `listed`: the orders that the player has listed in this tick, in words, as `[id, order]`."""


class MicroRTSView(GameView):
    """`micro_rts`: the board as rows, and all units as objects; the opponent's list stays hidden."""

    def data(self, state: MicroRTSState, player: int) -> dict[str, Any]:
        """What `player` sees; see `describe`."""
        node = state.node
        position, listed = node.position, node.lists[player]
        width = position.map.width
        ordered = {unit_id for unit_id, _ in listed}
        return {
            "tick": position.clock,
            "max_cycles": node.settings.max_cycles,
            "board": rows(node),
            "bank": position.banks[player],
            "opponent_bank": position.banks[1 - player],
            "units": [_unit(node, unit, player) for unit in position.units.values()],
            "free": [unit.id for unit in position.free_units(player) if unit.id not in ordered],
            "listed": [[unit_id, orders.describe(order, width)] for unit_id, order in listed],
        }

    def text(self, state: MicroRTSState, player: int) -> str:
        """The observation string, which holds all that matters of what went before."""
        return board_text(state.node, player)

    def noticed(self, state: MicroRTSState, action: int, player: int) -> str | None:
        """The player's own actions and the draws of chance, and at the end of a tick the opponent's
        list and the tick that the game has come to."""
        node, child = state.node, state.node.child(action)
        mover = node.mover
        said = []
        if mover == player or mover == CHANCE:
            said += self.action_names(state, mover, [action])
        if child.past is not node.past:
            past = child.past
            said.append(f"opponent: {order_text(node, past.lists[1 - player])}; "
                        f"now tick {child.position.clock}")
        return "; ".join(said) or None

    def describe(self, game: pyspiel.Game) -> str:
        """What the fields mean."""
        return _FIELDS


def _unit(node: Node, unit: Unit, player: int) -> dict[str, Any]:
    position = node.position
    x, y = position.map.positions[unit.cell]
    job = position.jobs.get(unit.id)
    return {
        "id": unit.id,
        "type": NAMES[unit.type],
        "owner": None if unit.player < 0 else "own" if unit.player == player else "opponent",
        "x": x,
        "y": y,
        "hp": unit.hp,
        "carried": unit.carried,
        "order": job and orders.describe(job.order, position.map.width),
        "ticks_left": job and job.due - position.clock,
    }


register_view("micro_rts", MicroRTSView())
