"""Generalized tic-tac-toe: a square board of any size, a line of any length wins.

Two players put a stone of their own on an empty cell in turn; `x`, player 0, starts. The player that is
first to have `length` or more of their own stones in an unbroken row, column or diagonal wins (+1, the
other player -1). A full board without such a line is a draw (0).

The default, four in a row on 6x6, is the game of "Code World Models for General Game Playing"
(https://arxiv.org/abs/2510.04542). With `size=3,length=3` it is OpenSpiel's `tic_tac_toe`: same
actions, same strings, same tensors.

    >>> import pyspiel, games
    >>> state = pyspiel.load_game("gen_tic_tac_toe(size=4,length=3)").new_initial_state()
    >>> state.apply_action(5)
    >>> str(state).split()
    ['....', '.x..', '....', '....']
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel
from open_spiel.python.observation import IIGObserverForPublicInfoGame

from games.registration import board_game_info, board_game_type, register_once, returns_of
from games.seeing.observers import observes_moment, pieces_of_tensor, refuse_parameters

_STONES = "xo"
_EMPTY = "."
_MIN_SIZE, _MAX_SIZE = 1, 26
_DIRECTIONS = ((0, 1), (1, 0), (1, 1), (1, -1))
_DEFAULTS = {"size": 6, "length": 4}

_GAME_TYPE = board_game_type("gen_tic_tac_toe", "Generalized Tic-Tac-Toe", _DEFAULTS)


class GenTicTacToeGame(pyspiel.Game):
    """The game `gen_tic_tac_toe(size=6,length=4)`.

    Parameters:
      size: rows, and columns, of the board; 1 to 26.
      length: number of stones in line that win; 1 to `size`.

    Raises:
      ValueError: if a parameter is out of range.
    """

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        values = {**_DEFAULTS, **(params or {})}
        self.size, self.length = values["size"], values["length"]
        if not _MIN_SIZE <= self.size <= _MAX_SIZE:
            raise ValueError(f"gen_tic_tac_toe: size must be from {_MIN_SIZE} to {_MAX_SIZE}, got {self.size}.")
        if not 1 <= self.length <= self.size:
            raise ValueError(
                f"gen_tic_tac_toe: length must be from 1 to size ({self.size}), got {self.length}."
            )
        super().__init__(_GAME_TYPE, board_game_info(self.size**2, self.size**2), params or {})

    def new_initial_state(self) -> GenTicTacToeState:
        """Returns the empty board with `x` to move."""
        return GenTicTacToeState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: dict[str, Any] | None = None
    ) -> BoardObserver | IIGObserverForPublicInfoGame:
        """Returns an object used for observing game state."""
        if observes_moment(iig_obs_type):
            return BoardObserver(self.size, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class GenTicTacToeState(pyspiel.State):
    """A board, and the player to move.

    Every attribute is immutable, so the deep copy behind `clone()` copies references only.

    Attributes:
      board: the cells row by row from the top, one character each of `x`, `o` and `.`.
      size: rows, and columns, of the board.
    """

    def __init__(self, game: GenTicTacToeGame) -> None:
        """Constructor; should only be called by `Game.new_initial_state`."""
        super().__init__(game)
        self.size: int = game.size
        self._length: int = game.length
        self.board: str = _EMPTY * (self.size * self.size)
        self._player = 0
        self._winner: int | None = None
        self._empty_cells = len(self.board)

    def current_player(self) -> int:
        """Returns the player to move, or TERMINAL if the game is over."""
        return pyspiel.PlayerId.TERMINAL if self.is_terminal() else self._player

    def _legal_actions(self, player: int) -> list[int]:
        """Returns the empty cells in ascending order."""
        return [cell for cell, stone in enumerate(self.board) if stone == _EMPTY]

    def _apply_action(self, action: int) -> None:
        """Puts a stone of the player to move on cell `action`."""
        stone = _STONES[self._player]
        self.board = self.board[:action] + stone + self.board[action + 1 :]
        self._empty_cells -= 1
        if self._completes_line(action, stone):
            self._winner = self._player
        self._player = 1 - self._player

    def _completes_line(self, cell: int, stone: str) -> bool:
        # Only lines through the new stone can be new.
        row, col = divmod(cell, self.size)
        for d_row, d_col in _DIRECTIONS:
            ahead = self._run(row, col, d_row, d_col, stone)
            behind = self._run(row, col, -d_row, -d_col, stone)
            if behind + 1 + ahead >= self._length:
                return True
        return False

    def _run(self, row: int, col: int, d_row: int, d_col: int, stone: str) -> int:
        """Counts the stones that continue a line from (row, col), itself not counted."""
        count = 0
        row, col = row + d_row, col + d_col
        while 0 <= row < self.size and 0 <= col < self.size and self.board[row * self.size + col] == stone:
            count += 1
            row, col = row + d_row, col + d_col
        return count

    def _action_to_string(self, player: int, action: int) -> str:
        """Returns e.g. `x(0,2)`: the stone, then row and column from 0, the top left cell's."""
        row, col = divmod(action, self.size)
        return f"{_STONES[player]}({row},{col})"

    def is_terminal(self) -> bool:
        """Returns True if a line is complete or the board is full."""
        return self._winner is not None or not self._empty_cells

    def returns(self) -> list[float]:
        """Returns +1 and -1 for winner and loser, zeros in a draw or before the end."""
        return returns_of(self._winner)

    def __str__(self) -> str:
        """Draws the board, one line per row."""
        cells, size = self.board, self.size
        return "\n".join(cells[start : start + size] for start in range(0, size * size, size))


class BoardObserver:
    """The view of both players, the whole board, as OpenSpiel's PyObserver (see `observation.py`).

    `dict["observation"]` has shape (3, size, size): planes of zeros and ones for empty cells, `o`
    and `x`, in that order; `tensor` is the same memory, flat.
    """

    def __init__(self, size: int, params: dict[str, Any] | None) -> None:
        """Raises ValueError if there are observation parameters: there are none to choose."""
        refuse_parameters("gen_tic_tac_toe", params)
        self.tensor, self.dict = pieces_of_tensor({"observation": (3, size, size)})

    def set_from(self, state: GenTicTacToeState, player: int) -> None:
        """Updates `tensor` and `dict` to `state`; both players see the same."""
        planes = self.dict["observation"].reshape(3, -1)
        board = np.frombuffer(state.board.encode("ascii"), np.uint8)
        for plane, stone in zip(planes, ".ox"):
            plane[:] = board == ord(stone)

    def string_from(self, state: GenTicTacToeState, player: int) -> str:
        """Returns the drawing of the board; both players see the same."""
        return str(state)


register_once(_GAME_TYPE, GenTicTacToeGame)
