"""Quadranto: two players hunt each other on a small grid, knowing only the other's quadrant.

The game is one of the unpublished ones of "Code World Models for General Game Playing"
(https://arxiv.org/abs/2510.04542): a 4x4 grid, player 0 placed by chance in the top left quadrant
and player 1 in the bottom right one, steps up, down, left, right or stay, a player that moves onto the
other wins, a draw after 20 moves in all, and each player sees the own cell and the other's quadrant.
The points that it leaves open are settled here as follows:

* Chance places player 0 first; every cell of the quadrant is equally likely.
* Player 0 moves first; a step must not leave the grid; staying is always possible.
* A player sees at any time in which quadrant the other is then, and so notices at once when the
  other changes quadrants; the steps themselves are never shown.
* `size` and `max_moves` are parameters.

    >>> import pyspiel, games
    >>> state = pyspiel.load_game("quadranto").new_initial_state()
    >>> for cell in (5, 10):
    ...     state.apply_action(cell)
    >>> state.seen(1)
    {'cell': [2, 2], 'opponent_quadrant': 'top left', 'moves': 0, 'winner': None}
"""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from games.hidden.dynamics import CHANCE, TERMINAL, Position
from games.hidden.hidden_information import register
from games.hidden.rules import Rules

QUADRANTS = ("top left", "top right", "bottom left", "bottom right")
STEPS = {"up": (-1, 0), "down": (1, 0), "left": (0, -1), "right": (0, 1), "stay": (0, 0)}
"""The change of row and column of each action, in the order of its number."""

_NAMES = tuple(STEPS)
_MAX_SIZE = 10
_NOWHERE, _NOBODY = -1, -1
_HOME_QUADRANTS = (0, 3)


@dataclasses.dataclass(frozen=True)
class QuadrantoRules(Rules):
    """The rules of `quadranto(size=4,max_moves=20)`.

    A position is (cell of player 0, cell of player 1, moves made, winner), -1 for no cell and no
    winner. Cells are numbered row by row from the top left. Events: being placed on a cell; a step
    of one's own; seeing the opponent in a quadrant, after the opponent was placed or has moved;
    having won; having lost.

    Parameters:
      size: rows, and columns, of the grid; even, 2 to 10.
      max_moves: number of moves of both players together after which the game is a draw; at least 1.

    Raises:
      ValueError: if a parameter is out of range.
    """

    size: int = 4
    max_moves: int = 20

    num_actions = len(STEPS)
    utilities = (-1.0, 1.0)
    max_chance_nodes = 2

    def __post_init__(self) -> None:
        if not (2 <= self.size <= _MAX_SIZE and self.size % 2 == 0):
            raise ValueError(f"quadranto: size must be even and from 2 to {_MAX_SIZE}, got {self.size}.")
        if self.max_moves < 1:
            raise ValueError(f"quadranto: max_moves must be 1 or more, got {self.max_moves}.")

    @property
    def num_outcomes(self) -> int:
        return self.size**2

    @property
    def max_decisions(self) -> int:
        return self.max_moves

    @property
    def num_events(self) -> int:
        return self._won + 2

    @property
    def max_events(self) -> int:
        return 3 + self.max_moves

    @property
    def pieces(self) -> dict[str, tuple[int, ...]]:
        return {
            "cell": (self.size, self.size),
            "opponent_quadrant": (len(QUADRANTS),),
            "moves": (self.max_moves + 1,),
            "winner": (2,),
        }

    # The numbers of the first event of each kind; placements are numbered like cells.

    @property
    def _stepped(self) -> int:
        return self.size**2

    @property
    def _saw(self) -> int:
        return self._stepped + len(STEPS)

    @property
    def _won(self) -> int:
        return self._saw + len(QUADRANTS)

    def start(self) -> Position:
        return (_NOWHERE, _NOWHERE, 0, _NOBODY)

    def to_move(self, position: Position) -> int:
        _, second, moves, winner = position
        if second == _NOWHERE:
            return CHANCE
        if winner != _NOBODY or moves == self.max_moves:
            return TERMINAL
        return moves % 2

    def legal(self, position: Position) -> list[int]:
        row, col = divmod(position[position[2] % 2], self.size)
        return [
            action
            for action, (d_row, d_col) in enumerate(STEPS.values())
            if 0 <= row + d_row < self.size and 0 <= col + d_col < self.size
        ]

    def chances(self, position: Position) -> list[tuple[int, float]]:
        home = _HOME_QUADRANTS[0 if position[0] == _NOWHERE else 1]
        cells = [cell for cell in range(self.size**2) if self.quadrant(cell) == home]
        return [(cell, 1 / len(cells)) for cell in cells]

    def after(self, position: Position, action: int) -> Position:
        first, second, moves, winner = position
        if first == _NOWHERE:
            return (action, _NOWHERE, 0, _NOBODY)
        if second == _NOWHERE:
            return (first, action, 0, _NOBODY)
        mover = moves % 2
        d_row, d_col = STEPS[_NAMES[action]]
        cells = [first, second]
        cells[mover] += d_row * self.size + d_col
        if cells[0] == cells[1]:
            winner = mover
        return (cells[0], cells[1], moves + 1, winner)

    def quadrant(self, cell: int) -> int:
        """Returns the number of the cell's quadrant in `QUADRANTS`."""
        row, col = divmod(cell, self.size)
        half = self.size // 2
        return 2 * (row >= half) + (col >= half)

    def returns(self, position: Position) -> list[float]:
        return {0: [1.0, -1.0], 1: [-1.0, 1.0]}.get(position[3], [0.0, 0.0])

    def action_name(self, action: int) -> str:
        return _NAMES[action]

    def outcome_name(self, outcome: int) -> str:
        """Returns e.g. `start at 1,0`: row and column from 0."""
        return "start at {},{}".format(*divmod(outcome, self.size))

    def noticed(self, position: Position, action: int, after: Position, player: int) -> tuple[int, ...]:
        if position[1] == _NOWHERE:
            mover = 0 if position[0] == _NOWHERE else 1
            return (action,) if mover == player else (self._saw + self.quadrant(action),)
        mover = position[2] % 2
        if mover == player:
            events = (self._stepped + action,)
        else:
            events = (self._saw + self.quadrant(after[mover]),)
        return events + ((self._won + (mover != player),) if after[3] != _NOBODY else ())

    def event_name(self, event: int) -> str:
        if event < self._stepped:
            return self.outcome_name(event)
        if event < self._saw:
            return self.action_name(event - self._stepped)
        if event < self._won:
            return f"opponent {QUADRANTS[event - self._saw]}"
        return "won" if event == self._won else "lost"

    def seen(self, position: Position, player: int) -> dict[str, Any]:
        cell, other, moves, winner = position[player], position[1 - player], *position[2:]
        return {
            "cell": None if cell == _NOWHERE else list(divmod(cell, self.size)),
            "opponent_quadrant": None if other == _NOWHERE else QUADRANTS[self.quadrant(other)],
            "moves": moves,
            "winner": None if winner == _NOBODY else winner,
        }

    def write(self, position: Position, player: int, pieces: dict[str, np.ndarray]) -> None:
        cell, other, moves, winner = position[player], position[1 - player], *position[2:]
        if cell != _NOWHERE:
            pieces["cell"].flat[cell] = 1
        if other != _NOWHERE:
            pieces["opponent_quadrant"][self.quadrant(other)] = 1
        pieces["moves"][moves] = 1
        if winner != _NOBODY:
            pieces["winner"][winner] = 1


register(
    QuadrantoRules,
    "quadranto",
    "Quadranto",
    "- `cell`: row and column of the player's own cell, both counted from 0, rows from the top and "
    "columns from the left; null before the player is placed.\n"
    "- `opponent_quadrant`: where the opponent is at this moment: `top left`, `top right`, "
    "`bottom left` or `bottom right`; null before the opponent is placed.\n"
    "- `moves`: how many moves both players together have made.\n"
    "- `winner`: the number of the player who has won; null while nobody has.",
)
