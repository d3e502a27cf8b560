"""Views of the board games: the board as a list of rows, the top row first, as it is drawn."""

from __future__ import annotations

from typing import Any

import pyspiel

from games.seeing.views import GameView


class RowsView(GameView):
    """A game whose observation string is nothing but the rows of the board, top row first."""

    def data(self, state: pyspiel.State, player: int) -> dict[str, Any]:
        """Returns `{"board": rows}`; each row is a string with one character per cell."""
        return {"board": state.observation_string(player).split()}

    def describe(self, game: pyspiel.Game) -> str:
        """Returns the meaning of `board`."""
        return (
            "- `board`: the rows of the board as a list of strings, the top row first, each row "
            "from left to right; `x`, `o`, and `.` for an empty cell."
        )


class GenChessView(GameView):
    """The view of `gen_chess`: the rows of the board, and the plies played."""

    def data(self, state: pyspiel.State, player: int) -> dict[str, Any]:
        """Returns `{"board": rows, "plies": number}`."""
        *rows, _, counters = state.observation_string(player).splitlines()
        return {"board": [row.split()[1] for row in rows], "plies": int(counters.split()[1].split("/")[0])}

    def describe(self, game: pyspiel.Game) -> str:
        """Returns the meaning of `board` and `plies`."""
        return (
            "- `board`: five strings of five characters: row 5 first and row 1 last, each from "
            "column a to column e; `G`, `I`, `C` are the first player's general, infantry and "
            "cavalry, `g`, `i`, `c` the second player's, `.` is an empty cell.\n"
            "- `plies`: how many plies (moves and passes of both players) have been played."
        )
