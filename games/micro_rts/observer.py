"""What a player sees of a game of MicroRTS, as tensors and as text.

Both players see the whole board, both banks and all jobs; the orders that the opponent has listed in
the present tick are hidden. The planes are the 27 of gym-microrts, as in table III of "Empowering LLMs
with Parameterized Skills for Adversarial Long-Horizon Planning" (Cui et al.), but owners are "mine,
nobody's, the opponent's" for either player, and neutral fields are nobody's.
"""
from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyspiel

from games.micro_rts import orders
from games.micro_rts.maps import Map
from games.micro_rts.turns import Node, Orders
from games.micro_rts.unit_tables import NAMES

if TYPE_CHECKING:
    from games.micro_rts.game import MicroRTSState

PLANES = 27
_HP, _CARRIED, _OWNER, _TYPE, _ORDER = 0, 5, 10, 13, 21
_MOST = 4
LETTERS = "$BKWLHR"
"""Type -> its letter in drawings; lower case for player 1."""


class Observer:
    """What one player sees, as OpenSpiel's PyObserver (see its `observation.py`).

    `dict` holds these pieces, of which `tensor` is the same memory, flat:

    * `player`: (2,), one-hot, who looks.
    * `planes`: (height, width, 27), 0 or 1. Hit points 0, 1, 2, 3, at least 4 (planes 0-4); resources
      likewise (5-9); owner: the player, nobody, the opponent (10-12); nothing, Resource, Base, Barracks,
      Worker, Light, Heavy, Ranged (13-20); order: none or wait, move, harvest, return, produce, attack
      (21-26), for own units also one that is listed only.
    * `walls`: (height, width), 0 or 1.
    * `ticks_left`: (height, width), ticks until the order of the unit there takes effect; 0 for none.
    * `banks`: (2,), the player's money and the opponent's.
    * `clock`: (1,), ticks played.

    With perfect recall there is a string and no tensor.
    """

    def __init__(self, board: Map, iig_obs_type: pyspiel.IIGObservationType,
                 params: dict | None = None) -> None:
        """Raises ValueError for parameters, and if it is not one player's knowledge that is asked."""
        if params:
            raise ValueError(f"observer: observations take no parameters, got {params!r}.")
        if not iig_obs_type.public_info or (
                iig_obs_type.private_info != pyspiel.PrivateInfoType.SINGLE_PLAYER):
            raise ValueError("observer: only all that one player knows can be observed (public_info=True, "
                             f"private_info=SINGLE_PLAYER), got {iig_obs_type}.")
        self._recalls = iig_obs_type.perfect_recall
        self.tensor, self.dict = None, {}
        if self._recalls:
            return
        grid = (board.height, board.width)
        shapes = {"player": (2,), "planes": (*grid, PLANES), "walls": grid, "ticks_left": grid,
                  "banks": (2,), "clock": (1,)}
        self.tensor = np.zeros(sum(int(np.prod(shape)) for shape in shapes.values()), np.float32)
        start = 0
        for name, shape in shapes.items():
            stop = start + int(np.prod(shape))
            self.dict[name] = self.tensor[start:stop].reshape(shape)
            start = stop
        self._empty = np.zeros((*grid, PLANES), np.float32)
        self._empty[:, :, (_HP, _CARRIED, _OWNER + 1, _TYPE, _ORDER)] = 1
        self.dict["walls"][:] = np.reshape(board.walls, grid)

    def set_from(self, state: MicroRTSState, player: int) -> None:
        """Updates `tensor` and `dict` to what `player` sees in `state`."""
        node = state.node
        position, listed = node.position, dict(node.lists[player])
        pieces, jobs = self.dict, position.jobs
        pieces["player"][:] = (player == 0, player == 1)
        pieces["banks"][:] = (position.banks[player], position.banks[1 - player])
        pieces["clock"][0] = position.clock
        ticks_left = pieces["ticks_left"].ravel()
        ticks_left.fill(0)
        pieces["planes"][:] = self._empty
        cleared, ones = [], []
        for unit in position.units.values():
            job = jobs.get(unit.id)
            order = listed.get(unit.id) or (job and job.order)
            if job:
                ticks_left[unit.cell] = job.due - position.clock
            base = unit.cell * PLANES
            cleared.append(base)
            owner = 1 if unit.player < 0 else 0 if unit.player == player else 2
            ones += (base + _HP + min(unit.hp, _MOST), base + _CARRIED + min(unit.carried, _MOST),
                     base + _OWNER + owner, base + _TYPE + 1 + unit.type,
                     base + _ORDER + (order.kind if order else 0))
        flat = pieces["planes"].reshape(-1)
        starts = np.array(cleared, np.intp)
        flat[starts[:, None] + np.arange(PLANES)] = 0
        flat[ones] = 1

    def string_from(self, state: MicroRTSState, player: int) -> str:
        """What `player` sees in `state`, or remembers, as a string."""
        return information_state(state.node, player) if self._recalls else board_text(state.node, player)


def order_text(node: Node, listed: Orders) -> str:
    """A list of orders in words."""
    width = node.position.map.width
    return ", ".join(f"{unit}: {orders.describe(order, width)}" for unit, order in listed) or "nothing"


def information_state(node: Node, player: int) -> str:
    """All lists of the past, which are public, and the player's own one of the present tick."""
    lines = [f"player {player}"]
    for past in node.past.ticks() if node.past else ():
        first, second = (order_text(node, listed) for listed in past.lists)
        drawn = f" | drawn {past.drawn}" if past.drawn else ""
        lines.append(f"tick {past.clock}: {first} | {second}{drawn}")
    lines.append(f"tick {node.position.clock}: {order_text(node, node.lists[player])}")
    if node.waiting is not None and node.mover == player:
        lines.append(f"{node.waiting}: wait")
    return "\n".join(lines)


def rows(node: Node) -> list[str]:
    """The board as rows of characters, the top row first: `LETTERS`, `#` wall, `.` nothing."""
    position = node.position
    cells = ["#" if wall else "." for wall in position.map.walls]
    for unit in position.units.values():
        letter = LETTERS[unit.type]
        cells[unit.cell] = letter.lower() if unit.player == 1 else letter
    width = position.map.width
    return ["".join(cells[start:start + width]) for start in range(0, len(cells), width)]


def board_text(node: Node, player: int | None) -> str:
    """The board, the banks, the units with their orders, and what is listed: by `player`; or for None by
    both, and who is to decide."""
    position = node.position
    names = {0: "player 0", 1: "player 1", -1: "nobody"}
    lines = [f"tick {position.clock} of {node.settings.max_cycles}",
             f"banks: player 0 {position.banks[0]}, player 1 {position.banks[1]}", *rows(node)]
    for unit in position.units.values():
        x, y = position.map.positions[unit.cell]
        job = position.jobs.get(unit.id)
        doing = "" if unit.player < 0 else "free" if job is None else (
            f"{orders.describe(job.order, position.map.width)}, {job.due - position.clock} ticks left")
        lines.append(f"{unit.id} {NAMES[unit.type]} of {names[unit.player]} at ({x}, {y}), hp {unit.hp}, "
                     f"carries {unit.carried}{doing and ': '}{doing}")
    for seat in (0, 1) if player is None else (player,):
        lines.append(f"listed by player {seat}: {order_text(node, node.lists[seat])}")
    if player is None:
        waiting = "" if node.waiting is None else f", for how long unit {node.waiting} waits"
        lines.append(f"to move: {node.mover}{waiting}")
    return "\n".join(lines)
