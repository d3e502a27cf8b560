"""Generalized chess "army5x5a": two small armies of leaping pieces on a 5x5 board.

The game is one of the unpublished ones of "Code World Models for General Game Playing"
(https://arxiv.org/abs/2510.04542), which gives the moves of the three kinds of piece and how to
win. The points that it leaves open are settled here as in the public re-implementation
https://github.com/JaviMaligno/code-world-models, and most of it is a parameter:

* Each army fills its home row: cavalry, infantry, general, infantry, cavalry (`start_row=CIGIC`).
* The offsets are read as written, (steps forward, steps towards column e). `mirror=true` turns
  "forward" round for the second player; left and right stay where they are, so that the cavalry of
  both players moves towards column e only.
* Pieces leap: nothing between start and target matters.
* A player whose pieces have no move passes; that is the one case in which passing is legal.
* After `max_plies=100` plies (moves and passes of both players) the game is a draw.

There is no check: a general may be left or put under attack, and capturing it wins at once.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from games.registration import board_game_info, board_game_type, register_once, returns_of
from games.seeing.observers import observes_moment, pieces_of_tensor, refuse_parameters

SIZE = 5
NUM_CELLS = SIZE * SIZE
PASS = NUM_CELLS * NUM_CELLS
OFFSETS: dict[str, tuple[tuple[int, int], ...]] = {
    "G": ((1, 0), (-1, 0), (0, 1), (0, -1), (0, 2), (0, -2)),
    "I": ((1, 0), (2, 0), (1, -1), (1, 1), (-1, 0)),
    "C": ((0, 3), (1, 2), (2, 1), (3, 0)),
}
"""The leaps of each kind of piece (General, Infantry, Cavalry), (steps forward, steps right)."""

_EMPTY = "."
_PIECES = "GICgic"
_DEFAULTS = {"max_plies": 100, "start_row": "CIGIC", "mirror": True}

_GAME_TYPE = board_game_type("gen_chess", "Generalized Chess (army5x5a)", _DEFAULTS)


def cell_name(cell: int) -> str:
    """Returns e.g. `c1` for cell 2: cells are numbered row by row, from `a1` at white's left."""
    row, col = divmod(cell, SIZE)
    return f"{'abcde'[col]}{row + 1}"


def _targets(mirror: bool) -> dict[str, tuple[tuple[int, ...], ...]]:
    """Returns for each piece letter and each cell the cells it leaps to, in ascending order."""
    table = {}
    for piece in _PIECES:
        forward = -1 if mirror and piece.islower() else 1
        table[piece] = tuple(
            tuple(
                sorted(
                    (row + forward * ahead) * SIZE + col + right
                    for ahead, right in OFFSETS[piece.upper()]
                    if 0 <= row + forward * ahead < SIZE and 0 <= col + right < SIZE
                )
            )
            for row in range(SIZE)
            for col in range(SIZE)
        )
    return table


# Made once, not held by states: a clone deep-copies what its state holds.
_TARGETS = {mirror: _targets(mirror) for mirror in (False, True)}


class GenChessGame(pyspiel.Game):
    """The game `gen_chess(max_plies=100,start_row=CIGIC,mirror=true)`.

    Parameters:
      max_plies: the game is a draw after this many plies; at least 1.
      start_row: the pieces of each home row from column a to e; five letters of G (general,
        exactly one), I (infantry), C (cavalry) and `.` (empty).
      mirror: whether the second player's pieces advance towards the first player's home row.

    Raises:
      ValueError: if a parameter is out of range.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        values = {**_DEFAULTS, **(params or {})}
        self.max_plies, self.start_row = values["max_plies"], values["start_row"]
        self.mirror = values["mirror"]
        if self.max_plies < 1:
            raise ValueError(f"gen_chess: max_plies must be 1 or more, got {self.max_plies}.")
        row = self.start_row
        if len(row) != SIZE or set(row) - set("GIC.") or row.count("G") != 1:
            raise ValueError(
                f"gen_chess: start_row must be five letters of G, I, C and '.' with exactly one G, got {row!r}."
            )
        super().__init__(_GAME_TYPE, board_game_info(PASS + 1, self.max_plies), params or {})

    def new_initial_state(self) -> GenChessState:
        """Returns both armies on their home rows with the first player to move."""
        return GenChessState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> BoardObserver | IIGObserverForPublicInfoGame:
        """Returns an object used for observing game state."""
        if observes_moment(iig_obs_type):
            return BoardObserver(self.max_plies, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class GenChessState(pyspiel.State):
    """A board, and the number of plies played, whose parity says which player moves.

    Every attribute is immutable, so the deep copy behind `clone()` copies references only.

    Attributes:
      board: 25 characters, from `a1` to `e1`, then `a2` to `e2` and so on; upper case for the
        first player's pieces, lower case for the second's, `.` for an empty cell.
      plies: moves and passes played so far, 0 to `max_plies`.
    """

    def __init__(self, game: GenChessGame) -> None:
        """Constructor; should only be called by `Game.new_initial_state`."""
        super().__init__(game)
        self._max_plies: int = game.max_plies
        self._mirror: bool = game.mirror
        middle = _EMPTY * (NUM_CELLS - 2 * SIZE)
        self.board: str = game.start_row + middle + game.start_row.lower()
        self.plies = 0
        self._winner: int | None = None

    def current_player(self) -> int:
        """Returns the player to move, or TERMINAL if the game is over."""
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self.plies % 2

    def _legal_actions(self, player: int) -> list[int]:
        """Returns the moves in ascending order, or only PASS if there is none."""
        board, targets = self.board, _TARGETS[self._mirror]
        is_own = str.isupper if player == 0 else str.islower
        moves = [
            start * NUM_CELLS + end
            for start, piece in enumerate(board)
            if is_own(piece)
            for end in targets[piece][start]
            if not is_own(board[end])
        ]
        return moves or [PASS]

    def _apply_action(self, action: int) -> None:
        """Moves a piece, captures what stands on its target, and counts the ply."""
        if action != PASS:
            start, end = divmod(action, NUM_CELLS)
            if self.board[end] in "Gg":
                self._winner = self.plies % 2
            cells = list(self.board)
            cells[end], cells[start] = cells[start], _EMPTY
            self.board = "".join(cells)
        self.plies += 1

    def _action_to_string(self, player: int, action: int) -> str:
        """Returns e.g. `c1-c2`, the start and the target of a move, or `pass`."""
        if action == PASS:
            return "pass"
        start, end = divmod(action, NUM_CELLS)
        return f"{cell_name(start)}-{cell_name(end)}"

    def is_terminal(self) -> bool:
        """Returns True if a general was captured or `max_plies` plies were played."""
        return self._winner is not None or self.plies >= self._max_plies

    def returns(self) -> list[float]:
        """Returns +1 and -1 for winner and loser, zeros in a draw or before the end."""
        return returns_of(self._winner)

    def __str__(self) -> str:
        """Draws the board with row 5 on top, then the plies and the player to move."""
        rows = [self.board[start : start + SIZE] for start in range(0, NUM_CELLS, SIZE)]
        lines = [f"{number} {rows[number - 1]}" for number in range(SIZE, 0, -1)]
        lines.append("  abcde")
        turn = "over" if self.is_terminal() else ("first" if self.plies % 2 == 0 else "second")
        lines.append(f"plies {self.plies}/{self._max_plies} to move: {turn}")
        return "\n".join(lines)


class BoardObserver:
    """The view of both players, the whole board, as OpenSpiel's PyObserver (see `observation.py`).

    `dict["board"]` has shape (7, 5, 5): planes of zeros and ones for empty cells, then the pieces
    G, I, C, g, i, c; indexed (plane, row - 1, column). `dict["plies"]` has shape (1,): the plies
    played as a fraction of `max_plies`. `dict["player"]` has shape (2,): one-hot, the player to move,
    zeros when the game is over. `tensor` is the same memory, flat, in that order.
    """

    def __init__(self, max_plies: int, params: dict[str, Any] | None) -> None:
        """Raises ValueError if there are observation parameters: there are none to choose."""
        refuse_parameters("gen_chess", params)
        self._max_plies = max_plies
        self.tensor, self.dict = pieces_of_tensor(
            {"board": (1 + len(_PIECES), SIZE, SIZE), "plies": (1,), "player": (2,)}
        )

    def set_from(self, state: GenChessState, player: int) -> None:
        """Updates `tensor` and `dict` to `state`; both players see the same."""
        board = np.frombuffer(state.board.encode("ascii"), np.uint8).reshape(SIZE, SIZE)
        for plane, piece in zip(self.dict["board"], _EMPTY + _PIECES):
            plane[:] = board == ord(piece)
        self.dict["plies"][0] = state.plies / self._max_plies
        self.dict["player"].fill(0)
        if not state.is_terminal():
            self.dict["player"][state.current_player()] = 1

    def string_from(self, state: GenChessState, player: int) -> str:
        """Returns the drawing of the board; both players see the same."""
        return str(state)


register_once(_GAME_TYPE, GenChessGame)
