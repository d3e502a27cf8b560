"""The board of `connect_four`, and one move of it in the making."""

from __future__ import annotations

from collections.abc import Iterator

import pyspiel

DISCS = "xo"
"""Player -> its disc in OpenSpiel's drawings."""
LINE = 4
DIRECTIONS = {"horizontal": ((0, 1),), "vertical": ((1, 0),), "diagonal": ((1, 1), (1, -1))}
"""Name -> steps (rows upwards, columns to the right)."""


class Move:
    """The move of one turn (a `skills.Turn`): the first column that a skill proposes.

    Attributes:
      state, player: the state and the player of the move.
      rows: the board, the lowest row first; `.` is empty.
      column: the column proposed, None for none yet.
    """

    def __init__(self, state: pyspiel.State, player: int):
        self.state, self.player = state, player
        lines = str(state).splitlines()
        self.rows = [line for line in lines if line and set(line) <= set("." + DISCS)][::-1]
        self.column: int | None = None

    def legal(self) -> list[int]:
        """Returns the columns with room."""
        return [column for column, top in enumerate(self.rows[-1]) if top == "."]

    def propose(self, column: int) -> bool:
        """Takes the column if nothing is proposed yet and it has room; False where it does not."""
        if self.column is not None or column not in self.legal():
            return False
        self.column = column
        return True

    def landing(self, column: int) -> int:
        """Returns the row where a disc in this column comes to lie."""
        return next(row for row, cells in enumerate(self.rows) if cells[column] == ".")

    def completes(self, column: int, player: int) -> bool:
        """Returns whether a disc of the player in this column makes four in a row."""
        return any(
            count == LINE - 1
            for step in sum(DIRECTIONS.values(), ())
            for count in self.lines(column, player, step)
        )

    def lines(self, column: int, player: int, step: tuple[int, int]) -> Iterator[int]:
        """Returns for each four cells in a row through the landing cell of the column that hold no disc of the
        other player the number of the player's discs that they hold.
        """
        row = self.landing(column)
        for shift in range(LINE):
            cells = [
                (row + (place - shift) * step[0], column + (place - shift) * step[1]) for place in range(LINE)
            ]
            if all(0 <= y < len(self.rows) and 0 <= x < len(self.rows[0]) for y, x in cells):
                held = [self.rows[y][x] for y, x in cells]
                if DISCS[1 - player] not in held:
                    yield held.count(DISCS[player])
