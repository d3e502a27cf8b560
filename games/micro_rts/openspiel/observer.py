"""The view of a player of MicroRTS, as tensors and as text.

Both players see the whole board, both banks and all jobs; the orders that the opponent has listed in
the present tick are hidden. The planes are the 27 of gym-microrts, as in table III of "Empowering LLMs
with Parameterized Skills for Adversarial Long-Horizon Planning" (Cui et al.), but owners are "mine,
nobody's, the opponent's" for either player, and neutral fields are nobody's.
"""

from __future__ import annotations

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
_ORDERS = PLANES - _ORDER
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
        shared = _Board(board)
        self._views = [_View(board, player, shared) for player in (0, 1)]

    def set_from(self, state: Observable, player: int) -> None:
        """Updates `tensor` and `dict` to the view that `player` has of `state`."""
        node, view = state.node, self._views[player]
        view.update(node.position, node.lists[player])
        np.copyto(self.tensor, view.tensor)

    def string_from(self, state: Observable, player: int) -> str:
        """Returns the view of `player`, or with perfect recall its information state, as a string."""
        return information_state(state.node, player) if self._recalls else board_text(state.node, player)


class _Board:
    """The tensor of `Observer` as player 0 sees it, with nothing listed; player 1's view is made from it.

    From one tick to the next few cells change, so that what has been written is kept.

    Attributes:
      tensor: flat.
      position: the position that it shows; None at first.
    """

    def __init__(self, board: Map):
        self.tensor, pieces = _pieces(board)
        self._cells = pieces["planes"].reshape(-1, PLANES)
        self._ticks_left = pieces["ticks_left"].reshape(-1)
        # The clock at which the order of the unit there takes effect.
        self._due = np.zeros_like(self._ticks_left)
        self._banks, self._clock = pieces["banks"], pieces["clock"]
        pieces["player"][0] = 1
        self._cells[:] = _EMPTY
        self.position: State | None = None

    def update(self, position: State) -> None:
        """Writes what differs from the position that was shown before."""
        units, jobs = position.units, position.jobs
        was_units, was_jobs = (self.position.units, self.position.jobs) if self.position else ({}, {})
        cells, due, was_unit, was_job = self._cells, self._due, was_units.get, was_jobs.get
        # Units and jobs do not change, but are replaced.
        moved = [unit for unit_id, unit in units.items() if was_unit(unit_id) is not unit]
        busy = [unit_id for unit_id, job in jobs.items() if was_job(unit_id) is not job]
        busy += was_jobs.keys() - jobs.keys()
        # All at once, since each access to an array costs as much as the rest of a unit's work.
        left = [was_units[unit_id].cell for unit_id in was_units.keys() - units.keys()]
        left += [was_unit(unit.id, unit).cell for unit in moved]
        cells[left] = _EMPTY
        due[left] = 0
        cells[[unit.cell for unit in moved]] = _ROWS[
            [_row_number(unit, jobs.get(unit.id), 0) for unit in moved]
        ]
        self._set_jobs({unit.id for unit in moved}, [unit_id for unit_id in busy if unit_id in units], position)
        self.position = position
        self._banks[:] = position.banks
        self._clock[0] = position.clock
        np.subtract(due, position.clock, out=self._ticks_left)
        np.maximum(self._ticks_left, 0, out=self._ticks_left)

    def _set_jobs(self, written: set[int], busy: list[int], position: State) -> None:
        """Writes the jobs of the units that have another one than before, but for the order of those in `written`."""
        units, jobs = position.units, position.jobs
        was_jobs = self.position.jobs if self.position else {}
        off, on = [], []
        for unit_id in busy:
            if unit_id not in written:
                base = units[unit_id].cell * PLANES + _ORDER
                was, job = was_jobs.get(unit_id), jobs.get(unit_id)
                off.append(base + (was.order.kind if was else WAIT))
                on.append(base + (job.order.kind if job else WAIT))
        flat = self._cells.reshape(-1)
        flat[off] = 0
        flat[on] = 1
        changed = [*written, *busy]
        self._due[[units[unit_id].cell for unit_id in changed]] = [
            jobs[unit_id].due if unit_id in jobs else 0 for unit_id in changed
        ]


class _View:
    """The tensor of `Observer` as one player sees it, apart from the one that users see and may overwrite.

    Attributes:
      tensor: flat.
    """

    def __init__(self, board: Map, player: int, shared: _Board):
        self.tensor, pieces = _pieces(board)
        self._player, self._shared = player, shared
        self._pieces = pieces
        self._cells = pieces["planes"].reshape(-1, PLANES)
        self._position: State | None = None
        self._listed: Orders = ()

    def update(self, position: State, listed: Orders) -> None:
        """Writes what has changed: the position, which is another object then, and the player's own list."""
        known = len(self._listed)
        if position is self._position and listed[:known] == self._listed:
            self._list(listed[known:])
        else:
            self._move(position)
            self._list(listed)
        self._listed = listed

    def _move(self, position: State) -> None:
        shared = self._shared
        if shared.position is not position:
            shared.update(position)
        np.copyto(self.tensor, shared.tensor)
        self._position = position
        if self._player == 1:
            cells = self._cells
            mine = cells[:, _OWNER + 2].copy()
            cells[:, _OWNER + 2] = cells[:, _OWNER]
            cells[:, _OWNER] = mine
            self._pieces["player"][:] = 0, 1
            self._pieces["banks"][:] = position.banks[1], position.banks[0]

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
    return _ROWS[_row_number(unit, job, player)]


def _row_number(unit: Unit, job: Job | None, player: int) -> int:
    """Returns the index in `_ROWS` of a unit as a player sees it."""
    hp = unit.hp if unit.hp < _MOST else _MOST
    carried = unit.carried if unit.carried < _MOST else _MOST
    owner = 1 if unit.player < 0 else 0 if unit.player == player else 2
    kind = job.order.kind if job else WAIT
    return (((hp * (_MOST + 1) + carried) * 3 + owner) * len(NAMES) + unit.type) * _ORDERS + kind


def _all_rows() -> np.ndarray:
    """Returns the planes of every cell that has a unit, in the order of `_row_number`."""
    numbers = np.indices((_MOST + 1, _MOST + 1, 3, len(NAMES), _ORDERS)).reshape(5, -1).T
    rows = np.zeros((len(numbers), PLANES), np.float32)
    for first, column in zip((_HP, _CARRIED, _OWNER, _TYPE + 1, _ORDER), numbers.T):
        rows[np.arange(len(rows)), first + column] = 1
    return rows


_ROWS = _all_rows()


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
