"""The view of a player of MicroRTS, as tensors and as text.

Both players see the whole board, both banks and all jobs; the orders that the opponent has listed in
the present tick are hidden. The planes are the 27 of gym-microrts, as in table III of "Empowering LLMs
with Parameterized Skills for Adversarial Long-Horizon Planning" (Cui et al.), but owners are "mine,
nobody's, the opponent's" for either player, and neutral fields are nobody's.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
import pyspiel

from games.micro_rts.openspiel.turns import Node, Orders
from games.micro_rts.rules import orders
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.maps import Map
from games.micro_rts.rules.orders import WAIT
from games.micro_rts.rules.unit_tables import NAMES
from games.micro_rts.rules.units import Job, Unit
from games.seeing.observers import pieces_of_tensor, require_one_player

PLANES = 27
_HP, _CARRIED, _OWNER, _TYPE, _ORDER = 0, 5, 10, 13, 21
_MOST = 4
_EMPTY = np.zeros(PLANES, np.float32)
"""The planes of a cell without a unit."""
_EMPTY[[_HP, _CARRIED, _OWNER + 1, _TYPE, _ORDER]] = 1
LETTERS = "$BKWLHR"
"""Type -> its letter in drawings; lower case for player 1."""


class Observable(Protocol):
    """The part of a state that an observer reads; see `game.MicroRTSState`."""

    node: Node


class Observer:
    """The view of one player, as OpenSpiel's PyObserver (see its `observation.py`).

    `dict` holds these pieces, of which `tensor` is the same memory, flat:

    * `player`: (2,), one-hot, the player that looks.
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

    def __init__(
        self, board: Map, iig_obs_type: pyspiel.IIGObservationType, params: Mapping[str, Any] | None = None
    ) -> None:
        """Raises as `require_one_player`."""
        require_one_player(iig_obs_type, params)
        self._recalls = iig_obs_type.perfect_recall
        self.tensor, self.dict = None, {}
        if self._recalls:
            return
        self.tensor, self.dict = _pieces(board)
        self._views = [_View(board, player) for player in (0, 1)]

    def set_from(self, state: Observable, player: int) -> None:
        """Updates `tensor` and `dict` to the view that `player` has of `state`."""
        node, view = state.node, self._views[player]
        view.update(node.position, node.lists[player])
        np.copyto(self.tensor, view.tensor)

    def string_from(self, state: Observable, player: int) -> str:
        """Returns the view of `player`, or with perfect recall its information state, as a string."""
        return information_state(state.node, player) if self._recalls else board_text(state.node, player)


class _View:
    """The tensor of `Observer` as one player sees it.

    Between two decisions of one tick one order is listed more, and from one tick to the next few cells change, so that
    what has been written is kept, apart from the tensor that users see and may overwrite.

    Attributes:
      tensor: flat.
    """

    def __init__(self, board: Map, player: int):
        self.tensor, pieces = _pieces(board)
        self._player = player
        self._cells = pieces["planes"].reshape(-1, PLANES)
        self._ticks_left = pieces["ticks_left"].reshape(-1)
        self._due = np.zeros_like(
            self._ticks_left
        )  # the clock at which the order of the unit there takes effect
        self._banks, self._clock = pieces["banks"], pieces["clock"]
        pieces["player"][player] = 1
        self._cells[:] = _EMPTY
        self._position: State | None = None
        self._listed: Orders = ()

    def update(self, position: State, listed: Orders) -> None:
        """Writes what has changed: the position, which is another object then, and the player's own list."""
        known = len(self._listed)
        if position is self._position and listed[:known] == self._listed:
            self._list(listed[known:])
        else:
            self._move(position, listed)
        self._listed = listed

    def _move(self, position: State, listed: Orders) -> None:
        units, jobs = position.units, position.jobs
        was_units, was_jobs = (self._position.units, self._position.jobs) if self._position else ({}, {})
        relisted = {unit_id for unit_id, _ in self._listed}
        cells, due = self._cells, self._due
        for unit_id, was in was_units.items():
            if unit_id not in units or units[unit_id].cell != was.cell:
                cells[was.cell], due[was.cell] = _EMPTY, 0
        flat = cells.reshape(-1)
        for unit_id, unit in units.items():
            # Units and jobs do not change, but are replaced.
            job, was_job, cell = jobs.get(unit_id), was_jobs.get(unit_id), unit.cell
            if unit is not was_units.get(unit_id) or unit_id in relisted:
                cells[cell] = _row(unit, job, self._player)
            elif job is was_job:
                continue
            else:
                base = cell * PLANES + _ORDER
                flat[base + (was_job.order.kind if was_job else WAIT)] = 0
                flat[base + (job.order.kind if job else WAIT)] = 1
            due[cell] = job.due if job else 0
        self._position = position
        self._banks[:] = position.banks[self._player], position.banks[1 - self._player]
        self._clock[0] = position.clock
        np.subtract(due, position.clock, out=self._ticks_left)
        np.maximum(self._ticks_left, 0, out=self._ticks_left)
        self._list(listed)

    def _list(self, listed: Orders) -> None:
        """Shows orders that are listed beside those that run."""
        for unit_id, order in listed:
            shown = self._cells[self._position.units[unit_id].cell]
            shown[_ORDER:] = 0
            shown[_ORDER + order.kind] = 1


def _pieces(board: Map) -> tuple[np.ndarray, dict[str, np.ndarray]]:
    """Returns an `Observer`'s tensor of zeros, but for the walls, and its pieces."""
    grid = (board.height, board.width)
    tensor, pieces = pieces_of_tensor(
        {
            "player": (2,),
            "planes": (*grid, PLANES),
            "walls": grid,
            "ticks_left": grid,
            "banks": (2,),
            "clock": (1,),
        }
    )
    pieces["walls"][:] = np.reshape(board.walls, grid)
    return tensor, pieces


def _row(unit: Unit, job: Job | None, player: int) -> np.ndarray:
    """Returns the planes of the cell of a unit as a player sees it."""
    hp, carried = min(unit.hp, _MOST), min(unit.carried, _MOST)
    owner = 1 if unit.player < 0 else 0 if unit.player == player else 2
    return _one_hot(hp, carried, owner, unit.type, job.order.kind if job else 0)


@functools.cache
def _one_hot(hp: int, carried: int, owner: int, kind: int, order: int) -> np.ndarray:
    row = np.zeros(PLANES, np.float32)
    row[[_HP + hp, _CARRIED + carried, _OWNER + owner, _TYPE + 1 + kind, _ORDER + order]] = 1
    return row


def write_planes(state: State, player: int, planes: np.ndarray) -> None:
    """Writes the 27 planes of `Observer` as `player` sees them, with nothing listed.

    Args:
      state: the position.
      player: the player that looks, 0 or 1.
      planes: C-contiguous, (height, width, 27), of any type of number; overwritten.
    """
    cells = planes.reshape(-1, PLANES)
    cells[:] = _EMPTY
    for unit in state.units.values():
        cells[unit.cell] = _row(unit, state.jobs.get(unit.id), player)


def write_both_planes(state: State, planes: np.ndarray) -> None:
    """Writes the planes of `write_planes` for player 0 and for player 1, with nothing listed.

    Args:
      state: the position.
      planes: C-contiguous, (2, height, width, 27); overwritten.
    """
    write_planes(state, 0, planes[0])
    np.copyto(planes[1], planes[0])
    planes[1, :, :, _OWNER] = planes[0, :, :, _OWNER + 2]
    planes[1, :, :, _OWNER + 2] = planes[0, :, :, _OWNER]


def order_text(node: Node, listed: Orders) -> str:
    """Returns a list of orders in words."""
    width = node.position.map.width
    return ", ".join(f"{unit}: {orders.describe(order, width)}" for unit, order in listed) or "nothing"


def information_state(node: Node, player: int) -> str:
    """Returns all lists of the past, which are public, and the player's own one of the present tick."""
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
    """Returns the board as rows of characters, the top row first: `LETTERS`, `#` wall, `.` nothing."""
    position = node.position
    cells = ["#" if wall else "." for wall in position.map.walls]
    for unit in position.units.values():
        letter = LETTERS[unit.type]
        cells[unit.cell] = letter.lower() if unit.player == 1 else letter
    width = position.map.width
    return ["".join(cells[start : start + width]) for start in range(0, len(cells), width)]


def board_text(node: Node, player: int | None) -> str:
    """Returns the board, the banks, the units with their orders, and the orders listed by `player`; for None
    those of both, and the player to decide.
    """
    position = node.position
    names = {0: "player 0", 1: "player 1", -1: "nobody"}
    lines = [
        f"tick {position.clock} of {node.settings.max_cycles}",
        f"banks: player 0 {position.banks[0]}, player 1 {position.banks[1]}",
        *rows(node),
    ]
    for unit in position.units.values():
        x, y = position.map.positions[unit.cell]
        job = position.jobs.get(unit.id)
        doing = (
            ""
            if unit.player < 0
            else "free"
            if job is None
            else (f"{orders.describe(job.order, position.map.width)}, {job.due - position.clock} ticks left")
        )
        lines.append(
            f"{unit.id} {NAMES[unit.type]} of {names[unit.player]} at ({x}, {y}), hp {unit.hp}, "
            f"carries {unit.carried}{doing and ': '}{doing}"
        )
    for seat in (0, 1) if player is None else (player,):
        lines.append(f"listed by player {seat}: {order_text(node, node.lists[seat])}")
    if player is None:
        waiting = "" if node.waiting is None else f", for how long unit {node.waiting} waits"
        lines.append(f"to move: {node.mover}{waiting}")
    return "\n".join(lines)
