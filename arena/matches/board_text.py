"""A state as a person reads it in a terminal: one player's view, drawn where it can be."""

from __future__ import annotations

import re

import pyspiel

from games.seeing import views

_FEN = re.compile(r"^[A-Za-z0-9?+]+(?:/[A-Za-z0-9?+]+){4,}(?= |$)", re.MULTILINE)
"""Rows of a board in the notation of Forsyth and Edwards, also with shogi's promoted pieces (`+P`) and
squares that are not seen (`?`); at least five rows, since dates and fractions look alike."""


def board_text(state: pyspiel.State, player: int) -> str:
    """The view that `player` has of a state, as text.

    It is the view's text (`games.seeing.views`), with two changes: a board in Forsyth-Edwards notation is drawn,
    and in a game without secrets one line that stands for more is replaced by the state's own text.
    """
    text = views.view(state, player).text.strip("\n")
    rows = _FEN.search(text)
    board = _drawn(rows[0]) if rows else None
    if board is not None:
        return f"{text[: rows.start()]}{board}\n{text[rows.end() :].strip()}".rstrip("\n")
    if state.get_game().get_type().information != pyspiel.GameType.Information.IMPERFECT_INFORMATION:
        whole = str(state).strip("\n")
        if "\n" not in text and "\n" in whole:
            return whole
    return text


def _drawn(fen: str) -> str | None:
    """The rows of a board, one line each; None if they are not equally long."""
    rows: list[list[str]] = []
    for row in fen.split("/"):
        cells: list[str] = []
        for number, piece in re.findall(r"(\d+)|(\+?[A-Za-z?])", row):
            cells += ["."] * int(number) if number else [piece]
        rows.append(cells)
    if len({len(row) for row in rows}) > 1:
        return None
    width = max(len(cell) for row in rows for cell in row)
    lines = [" ".join(cell.rjust(width) for cell in row) for row in rows]
    if len(rows) == len(rows[0]) == 8:  # chess and its kin, whose squares have names
        lines = [f"{8 - index} {line}" for index, line in enumerate(lines)]
        lines.append("  " + " ".join("abcdefgh"))
    return "\n".join(lines)
