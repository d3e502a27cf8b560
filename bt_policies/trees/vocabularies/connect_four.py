"""Words for connect_four: columns by what playing them would do. Only the view's board is looked at."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import pyspiel

from bt_policies.trees.player import ViewBot, drawn
from bt_policies.trees.vocabulary import FAILURE, SUCCESS, Action, Condition, Key, Parameter, declare
from games.seeing.views import View

CONNECT = 4
_AXES = ((1, 0), (0, 1), (1, 1), (1, -1))


class Position:
    """A board as one player sees it; columns and rows count from 0, rows from the bottom.

    Args:
      rows: the board's rows, top row first, of `x`, `o` and `.`.
      own: `x` or `o`.
    """

    def __init__(self, rows: list[str], own: str):
        self.own, self.other = own, "o" if own == "x" else "x"
        self.columns = ["".join(reversed(column)) for column in zip(*rows)]
        self.height = len(rows)
        self.discs = sum(cell != "." for row in rows for cell in row)

    @cached_property
    def open(self) -> list[int]:
        """The columns that are not full, those nearest to the centre first."""
        middle = (len(self.columns) - 1) / 2
        return sorted(
            (index for index, column in enumerate(self.columns) if "." in column),
            key=lambda index: (abs(index - middle), index),
        )

    def level(self, column: int) -> int:
        """Returns the row where a disc would land; `height` for a full column."""
        return (self.columns[column] + ".").index(".")

    def line(self, column: int, row: int, disc: str) -> int:
        """Returns the length of the longest line through a cell if `disc` lay there, at most 4."""
        return min(
            CONNECT,
            max(
                1 + self._run(column, row, dx, dy, disc) + self._run(column, row, -dx, -dy, disc)
                for dx, dy in _AXES
            ),
        )

    def _run(self, column: int, row: int, dx: int, dy: int, disc: str) -> int:
        count = 0
        while True:
            column, row = column + dx, row + dy
            if not (
                0 <= column < len(self.columns) and 0 <= row < self.height and self.columns[column][row] == disc
            ):
                return count
            count += 1

    def wins(self, disc: str) -> list[int]:
        """Returns the columns in which `disc` would win at once."""
        return [column for column in self.open if self.line(column, self.level(column), disc) >= CONNECT]

    def after(self, column: int, disc: str) -> Position:
        """Returns the position with one more disc."""
        changed = list(self.columns)
        level = self.level(column)
        changed[column] = changed[column][:level] + disc + changed[column][level + 1 :]
        return Position(["".join(cells) for cells in zip(*changed)][::-1], self.own)

    @cached_property
    def safe(self) -> list[int]:
        """The open columns after which the opponent has no win at once."""
        return [column for column in self.open if not self.after(column, self.own).wins(self.other)]

    def doubles(self, disc: str) -> list[int]:
        """Returns the columns in which `disc` would make two wins at once."""
        return [column for column in self.open if len(self.after(column, disc).wins(disc)) > 1]


def _first(columns: list[int]) -> int | None:
    return columns[0] if columns else None


def _longest(position: Position, disc: str) -> int | None:
    return max(
        position.open, key=lambda column: position.line(column, position.level(column), disc), default=None
    )


def _drop(board: Any, column: int) -> int:
    position = board.seen
    if column not in position.open:
        return FAILURE
    board.choice = f"{position.own}{column}"
    return SUCCESS


def _drop_safely(board: Any, column: int) -> int:
    return _drop(board, column) if column in board.seen.safe else FAILURE


_SEEN = ("seen",)


def _condition(name: str, meaning: str, test: Any) -> Condition:
    return Condition(name, meaning, lambda board: test(board.seen), _SEEN)


def _column(name: str, meaning: str, find: Any) -> Parameter:
    return Parameter(name, "column", meaning, lambda board: find(board.seen), _SEEN)


VOCABULARY = declare(
    game="connect_four",
    scenario="Connect four: on a board of 7 columns and 6 rows two players in turn drop a disc into a "
    "column that is not full. Who first has four discs in a row, column or diagonal wins. The "
    "tree is asked once for each move; the first task that succeeds is the move. If none does, "
    "the open column nearest to the centre is played.",
    tactics="Win at once where possible, stop the opponent's wins, never hand the opponent a win, prepare "
    "two threats at the same time, and prefer the centre.",
    types={"column": "a column that is not full"},
    keys=(
        Key("seen", "the position, as the player to move sees it"),
        Key("choice", "the action chosen", each_tick=True),
    ),
    conditions=[
        _condition("is_first_player", "I play x and made the first move of the game", lambda p: p.own == "x"),
        _condition("is_opening", "fewer than 8 discs lie on the board", lambda p: p.discs < 8),
        _condition("is_endgame", "more than 28 of the 42 cells are taken", lambda p: p.discs > 28),
        _condition("centre_is_open", "the middle column is not full", lambda p: len(p.columns) // 2 in p.open),
        _condition("can_win", "I can win with this move", lambda p: bool(p.wins(p.own))),
        _condition(
            "opponent_threatens", "the opponent would win with the next move", lambda p: bool(p.wins(p.other))
        ),
        _condition(
            "can_make_double_threat",
            "a move of mine makes two threats at once",
            lambda p: bool(p.doubles(p.own)),
        ),
        _condition(
            "opponent_can_make_double_threat",
            "a move of the opponent would make two threats at once",
            lambda p: bool(p.doubles(p.other)),
        ),
        _condition(
            "has_safe_column", "some move leaves the opponent without a win at once", lambda p: bool(p.safe)
        ),
    ],
    actions=[
        Action("drop", "plays the column; fails if it is full", _drop, ("column",), _SEEN, ("choice",)),
        Action(
            "drop_safely",
            "plays the column; fails if it is full or if the opponent could then win at once",
            _drop_safely,
            ("column",),
            _SEEN,
            ("choice",),
        ),
    ],
    parameters=[
        _column("winning_column", "wins at once", lambda p: _first(p.wins(p.own))),
        _column("blocking_column", "stops a win of the opponent", lambda p: _first(p.wins(p.other))),
        _column("double_threat_column", "makes two threats of mine", lambda p: _first(p.doubles(p.own))),
        _column(
            "double_threat_block",
            "where the opponent would make two threats",
            lambda p: _first(p.doubles(p.other)),
        ),
        _column("longest_line_column", "makes my longest line", lambda p: _longest(p, p.own)),
        _column(
            "longest_line_block", "where the opponent's longest line would grow", lambda p: _longest(p, p.other)
        ),
        _column("centre_column", "the open one nearest to the centre", lambda p: _first(p.open)),
        _column("safe_column", "the safe one nearest to the centre", lambda p: _first(p.safe)),
        _column(
            "edge_column", "the open one farthest from the centre", lambda p: p.open[-1] if p.open else None
        ),
        Parameter(
            "random_column", "column", "any open one", lambda board: drawn(board.rng, board.seen.open), _SEEN
        ),
    ],
)


class ConnectFourBot(ViewBot):
    """A bot that plays connect_four with a tree."""

    def seen(self, view: View) -> Position:
        return Position(view.data["board"], view.legal[0][0])

    def default(self, seen: Position) -> str:
        return f"{seen.own}{seen.open[0]}"


def make_bot(game: pyspiel.Game, player_id: int, seed: int, make_player: Any) -> pyspiel.Bot:
    """Returns the bot of a tree."""
    return ConnectFourBot(game, player_id, seed, make_player)
