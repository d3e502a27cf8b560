"""Boards made of pieces, read from a game's own text: the form in which positions are drawn.

    >>> import pyspiel, games
    >>> from games.openspiel_views import board_drawings
    >>> state = pyspiel.load_game("connect_four").new_initial_state()
    >>> state.apply_action(3)
    >>> drawn = board_drawings.board(state)
    >>> drawn.shape, drawn.rows[-1], drawn.pieces["x"]
    ('drop', '...x...', Piece(sign='disc', colour='red', player=0))

A `Board` is the content of a drawing and leaves the drawing itself to the page that shows it. A game has one
where `register_board` was given a `BoardStyle` or a function of its own, or where a registered view
(see `games.seeing.views`) has data with `board`, rows of equal length with one character per cell. Any other
game is shown as text. A game that would rather draw itself has `games.seeing.pictures.register_picture`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import pyspiel

from games.openspiel_views import backgammon as backgammon_view
from games.seeing import views

SHAPES = ("squares", "checkered", "drop", "crossings", "hexagons", "backgammon")
"""squares: cells between lines. checkered: light and dark squares. drop: round holes, as in connect
four. crossings: lines with the pieces where they cross, as in go. hexagons: a blank before the first
cell of a row shifts it by half a cell. backgammon: see `Board.rows`."""

SIGNS = ("cross", "ring", "disc", "king", "block", "unknown")
"""Signs that are drawn as shapes; any other sign is a character. A king is a disc with a crown."""

COLOURS = ("red", "blue", "yellow", "white", "black", "plain")


@dataclass(frozen=True)
class Piece:
    """A piece on a cell: one of `SIGNS` or a character, one of `COLOURS`, and the player that it belongs to,
    None for nobody."""

    sign: str
    colour: str
    player: int | None = None


@dataclass(frozen=True)
class Board:
    """A position to be drawn.

    Attributes:
      shape: one of `SHAPES`.
      rows: the rows of cells, the top one first, one character per cell. For `backgammon`: the 24
        points as in the data of its view; bar of x and o; checkers off of x and o; dice; four
        rows of whole numbers with blanks between them.
      pieces: the piece that each character stands for; any other character is an empty cell.
      columns: labels of the columns, from left to right; empty for none.
      ranks: labels of the rows, from the top; empty for none.
      edges: for `hexagons`, the colours of the top and bottom and of the left and right edge, where
        players connect them; empty for none.
    """

    shape: str
    rows: tuple[str, ...]
    pieces: Mapping[str, Piece]
    columns: tuple[str, ...] = ()
    ranks: tuple[str, ...] = ()
    edges: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.shape not in SHAPES:
            raise ValueError(f"shape of a board: expected one of {', '.join(SHAPES)}, found {self.shape!r}")


Drawer = Callable[[pyspiel.State, int | None], Board | None]
"""A function from a state to its board as a player sees it, or as it is for None; None where there is none."""

Reader = Callable[[str, str], Sequence[str]]
"""A function from a game's text and the characters that cells may hold to the rows; empty where there are
none.
"""


@dataclass(frozen=True)
class BoardStyle:
    """The way in which a game's text becomes a board; a `Drawer`.

    Attributes:
      shape, pieces, edges: see `Board`.
      blank: the characters of empty cells in the text.
      read: finds the rows in the text.
      columns: "letters" from a, "go" for letters without i, "numbers" from 0, or "" for none.
      ranks: "up" for 1 at the bottom, "down" for 1 at the top, "numbers" for 0 at the top, or "".
    """

    shape: str
    pieces: Mapping[str, Piece]
    blank: str = "."
    read: Reader = field(default=lambda text, cells: plain_rows(text, cells))
    columns: str = ""
    ranks: str = ""
    edges: tuple[str, ...] = ()

    def __call__(self, state: pyspiel.State, player: int | None) -> Board | None:
        """Returns the board of the state string, or of the observation string of a game that hides things."""
        game_type = state.get_game().get_type()
        if player is None or _all_see_all(game_type):
            return self.board(str(state))
        return self.board(state.observation_string(player))

    def board(self, text: str) -> Board | None:
        """Returns the board in a state string or an observation string; None where none is found."""
        rows = tuple(self.read(text, self.blank + "".join(self.pieces)))
        if not rows:
            return None
        width = max(map(len, rows))
        return Board(
            self.shape,
            rows,
            self.pieces,
            _labels(self.columns, width),
            _labels(self.ranks, len(rows)),
            self.edges,
        )


def _labels(kind: str, count: int) -> tuple[str, ...]:
    letters = {"letters": string.ascii_lowercase, "go": string.ascii_lowercase.replace("i", "")}
    if kind in letters:
        return tuple(letters[kind][:count])
    numbers = {"": (), "numbers": range(count), "down": range(1, count + 1), "up": range(count, 0, -1)}
    return tuple(map(str, numbers[kind]))


def _first_block(bodies: Sequence[str | None]) -> list[str]:
    """Returns the first run of lines that are rows."""
    rows: list[str] = []
    for body in bodies:
        if body:
            rows.append(body)
        elif rows:
            break
    return rows


def plain_rows(text: str, cells: str) -> list[str]:
    """Returns the rows that hold nothing but cells."""
    lines = [line.replace(" ", "") for line in text.splitlines()]
    return _first_block([line if set(line) <= set(cells) else None for line in lines])


def numbered_rows(text: str, cells: str) -> list[str]:
    """Returns the rows that start with their number, whether or not blanks follow it: `8.+.+`, ` 9 ++X++`, `1
    - x - 1`.
    """
    rows = []
    for line in text.splitlines():
        match = re.fullmatch(rf"\s*(\d+?)((?: ?[{re.escape(cells)}])+)(?: \1)?\s*", line)
        rows.append(match and match[2].replace(" ", ""))
    return _first_block(rows)


def hex_rows(text: str, cells: str) -> list[str]:
    """Returns the rows that each lie half a cell further right than the one above, whatever blanks say."""
    return [" " * number + row for number, row in enumerate(plain_rows(text, cells))]


def slanted_rows(text: str, cells: str) -> list[str]:
    """Returns the rows each shifted by its leading blanks, perhaps numbered, with the last move in brackets
    and a column's letter behind: `  2 @ @[O]. e`. The blanks stay, as half cells, and the least are cut.
    """
    rows: list[str | None] = []
    cell = rf"(?:[{re.escape(cells)}]|\[[{re.escape(cells)}]\])"
    for line in text.splitlines():
        match = re.fullmatch(rf"(\s*?)((?:\d+)?)\s*((?:{cell}\s*)+)[a-z]?\s*", line)
        # A number of two digits starts one place further left.
        rows.append(
            match
            and " " * (len(match[1]) + len(match[2]) - (len(match[2]) > 0)) + re.sub(r"[\s\[\]]", "", match[3])
        )
    block = _first_block(rows)
    least = min((len(row) - len(row.lstrip()) for row in block), default=0)
    return [row[least:] for row in block]


def fen_rows(text: str, cells: str) -> list[str]:
    """Returns the ranks of the position in Forsyth-Edwards notation that the text starts with."""
    del cells
    placement = text.split()[0] if text.split() else ""
    return [re.sub(r"\d", lambda digit: "." * int(digit[0]), rank) for rank in placement.split("/")]


_BOARDS: dict[str, Drawer] = {}


def register_board(short_name: str, draw: Drawer) -> None:
    """Makes `draw`, such as a `BoardStyle`, draw the game with this OpenSpiel short name.

    Raises:
      ValueError: the game has another board already.
    """
    if _BOARDS.setdefault(short_name, draw) != draw:
        raise ValueError(f"register_board: {short_name!r} has a board already: register each game once")


def board(state: pyspiel.State, player: int | None = None) -> Board | None:
    """Returns the board of a state as `player` sees it, or as it is for None; None where there is none."""
    game = state.get_game()
    draw = _BOARDS.get(game.get_type().short_name)
    if draw is not None:
        return draw(state, player)
    view = views.view_of(game)
    if type(view) is views.GameView or (player is None and not _all_see_all(game.get_type())):
        return None
    return _viewed_board(view.data(state, player or 0))


def _all_see_all(game_type: pyspiel.GameType) -> bool:
    return game_type.information == pyspiel.GameType.Information.PERFECT_INFORMATION


def _viewed_board(data: Mapping[str, object]) -> Board | None:
    rows = data.get("board")
    if not isinstance(rows, list) or len(rows) < 2 or not all(isinstance(row, str) for row in rows):
        return None
    if len(set(map(len, rows))) != 1 or not rows[0]:
        return None
    symbols = set("".join(rows)) - set(" .-_+")
    pieces = {symbol: _MARKS.get(symbol.lower(), Piece(symbol, "plain")) for symbol in sorted(symbols)}
    return Board("squares", tuple(rows), pieces)


def _backgammon(state: pyspiel.State, player: int | None) -> Board:
    data = backgammon_view.BackgammonView().data(state, player or 0)
    rows = (data["points"], data["bar"].values(), data["off"].values(), data["dice"])
    return Board("backgammon", tuple(" ".join(map(str, row)) for row in rows), _DISCS)


def _quadranto(state: pyspiel.State, player: int | None) -> Board:
    """Returns both cells, or the player's own one and the quadrant in which the other is."""
    size = state.get_game().get_parameters()["size"]
    cells = [["."] * size for _ in range(size)]
    for seat in (0, 1) if player is None else (player,):
        seen = state.seen(seat)
        if player is not None and seen["opponent_quadrant"] is not None:
            vertical, horizontal = seen["opponent_quadrant"].split()
            for row in range(size // 2):
                for column in range(size // 2):
                    cells[row + size // 2 * (vertical == "bottom")][
                        column + size // 2 * (horizontal == "right")
                    ] = "?"
        if seen["cell"] is not None:
            row, column = seen["cell"]
            cells[row][column] = "xo"[seat]
    return Board(
        "squares",
        tuple(map("".join, cells)),
        {**_DISCS, "?": Piece("unknown", "plain")},
        _labels("numbers", size),
        _labels("numbers", size),
    )


def _sides(signs: Mapping[str, str], upper_player: int) -> dict[str, Piece]:
    """Returns white pieces by upper-case letter and black ones by lower-case letter."""
    return {
        **{key.upper(): Piece(sign, "white", upper_player) for key, sign in signs.items()},
        **{key: Piece(sign, "black", 1 - upper_player) for key, sign in signs.items()},
    }


def _two(sign: str, first: tuple[str, str], second: tuple[str, str]) -> dict[str, Piece]:
    return {first[0]: Piece(sign, first[1], 0), second[0]: Piece(sign, second[1], 1)}


_MARKS = {"x": Piece("cross", "red", 0), "o": Piece("ring", "blue", 1)}
_DISCS = _two("disc", ("x", "red"), ("o", "blue"))
# OpenSpiel's player 1 has the white pieces of chess and moves first.
_CHESS = {**_sides(dict(zip("kqrbnp", "♚♛♜♝♞♟")), 1), "?": Piece("unknown", "plain")}
_GO = BoardStyle("crossings", _two("disc", ("X", "black"), ("O", "white")), "+", numbered_rows, "go", "up")
_TIC_TAC_TOE = BoardStyle("squares", _MARKS, columns="numbers", ranks="numbers")
_CHESS_STYLE = BoardStyle("checkered", _CHESS, ".", fen_rows, "letters", "up")
_HEX = BoardStyle("hexagons", _DISCS, ".", hex_rows, edges=("red", "blue"))
_SLANTED = BoardStyle("hexagons", _two("disc", ("O", "red"), ("@", "blue")), ".", slanted_rows)

register_board("backgammon", _backgammon)
register_board("quadranto", _quadranto)
for _names, _style in {
    ("tic_tac_toe", "gen_tic_tac_toe", "phantom_ttt", "mnk"): _TIC_TAC_TOE,
    ("connect_four",): BoardStyle("drop", _two("disc", ("x", "red"), ("o", "yellow")), columns="numbers"),
    ("chess", "dark_chess", "kriegspiel", "rbc", "antichess"): _CHESS_STYLE,
    ("gen_chess",): BoardStyle(
        "checkered", _sides(dict(zip("gic", "♚♟♞")), 0), ".", numbered_rows, "letters", "up"
    ),
    ("go", "phantom_go", "cursor_go"): _GO,
    ("gomoku",): BoardStyle("crossings", _two("disc", ("b", "black"), ("w", "white"))),
    ("othello",): BoardStyle(
        "squares", _two("disc", ("x", "black"), ("o", "white")), "-", numbered_rows, "letters", "down"
    ),
    ("hex", "dark_hex"): _HEX,
    ("y", "havannah"): _SLANTED,
    ("breakthrough",): BoardStyle(
        "checkered", _two("disc", ("b", "black"), ("w", "white")), ".", numbered_rows, "letters", "up"
    ),
    ("lines_of_action",): BoardStyle(
        "checkered", _two("disc", ("x", "black"), ("o", "white")), ".", numbered_rows, "letters", "up"
    ),
    ("clobber",): BoardStyle(
        "checkered", _two("disc", ("o", "white"), ("x", "black")), ".", numbered_rows, "letters", "up"
    ),
    ("checkers",): BoardStyle(
        "checkered",
        {**_two("disc", ("o", "white"), ("+", "black")), **_two("king", ("8", "white"), ("*", "black"))},
        ".",
        numbered_rows,
        "letters",
        "up",
    ),
    ("micro_rts",): BoardStyle(
        "squares",
        {
            "$": Piece("$", "yellow"),
            "#": Piece("block", "plain"),
            **{letter: Piece(letter, "blue", 0) for letter in "BKWLHR"},
            **{letter.lower(): Piece(letter, "red", 1) for letter in "BKWLHR"},
        },
        columns="numbers",
        ranks="numbers",
    ),
    ("amazons",): BoardStyle(
        "checkered", {**_two("♛", ("X", "white"), ("O", "black")), "#": Piece("block", "plain")}
    ),
}.items():
    for _name in _names:
        register_board(_name, _style)
