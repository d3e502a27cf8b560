"""The view of `micro_rts` for prompts, trees and policies: units, jobs, banks, terrain, free units."""

from __future__ import annotations

from typing import Any

import pyspiel

from games.micro_rts.openspiel.game import MicroRTSGame, MicroRTSState
from games.micro_rts.openspiel.observer import board_text, order_text, rows
from games.micro_rts.openspiel.turns import CHANCE, Node
from games.micro_rts.rules import orders
from games.micro_rts.rules.unit_tables import NAMES, RESOURCE, UnitType
from games.micro_rts.rules.units import Unit
from games.seeing.views import GameView, register_view

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
    """The view of `micro_rts`: the board as rows, units as objects; the opponent's list stays hidden."""

    def data(self, state: MicroRTSState, player: int) -> dict[str, Any]:
        """Returns the view of `player`; see `describe`."""
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
        """Returns the observation string, which holds all that matters of the past."""
        return board_text(state.node, player)

    def noticed(self, state: MicroRTSState, action: int, player: int) -> str | None:
        """Returns the player's own actions and the draws of chance, and at the end of a tick the opponent's
        list and the tick that the game has come to.
        """
        node, child = state.node, state.node.child(action)
        mover = node.mover
        said = []
        if mover in (player, CHANCE):
            said += self.action_names(state, mover, [action])
        if child.past is not node.past:
            past = child.past
            said.append(
                f"opponent: {order_text(node, past.lists[1 - player])}; now tick {child.position.clock}"
            )
        return "; ".join(said) or None

    def describe(self, game: pyspiel.Game) -> str:
        """Returns the meaning of the fields."""
        return _FIELDS

    def terms(self, game: MicroRTSGame) -> dict[str, Any]:
        """Returns the size of the board, and the unit table as texts."""
        return {
            "width": game.board.width,
            "height": game.board.height,
            "units": [_row(kind) for kind in game.start.position.table],
        }


def _row(kind: UnitType) -> dict[str, str]:
    """Returns a row of the unit table; "-" for actions that the type does not have."""
    low, high = kind.damage
    fights = kind.range > 0
    return {
        "name": kind.name,
        "cost": str(kind.cost) if kind.type != RESOURCE else "-",
        "hp": str(kind.hp) if kind.type != RESOURCE else "-",
        "damage": "-" if not fights else str(low) if low == high else f"{low} to {high}, each as likely",
        "range": str(kind.range) if fights else "-",
        "build": str(kind.build_time) if kind.type != RESOURCE else "-",
        "move": str(kind.move_time) if kind.can_move else "-",
        "attack": str(kind.attack_time) if fights else "-",
        "harvest": str(kind.harvest_time) if kind.can_harvest else "-",
        "makes": ", ".join(NAMES[made] for made in kind.makes) or "-",
    }


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
