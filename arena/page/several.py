"""The part of a report about games of more than two players that is beside their mean returns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from arena.page.charts import number
from arena.page.page import Ratings

_MEANING = (
    " Plackett-Luce: strength in nats from the places of the returns in each match, with its bootstrap interval "
    "over openings; a difference of 0.69 is a chance of two to one to finish ahead."
)


def with_strengths(board: Ratings, rated: Mapping[str, object]) -> Ratings:
    """The table of ratings with the strengths of Plackett-Luce as its second figure.

    Args:
      board: a table that has none.
      rated: figures by `arena.rating.rate.rate`, for a game of more than two players.
    """
    found = rated["plackett_luce"]
    if "absent" in found:
        return replace(board, meaning=f"{board.meaning} No Plackett-Luce: {found['absent']}.")
    lines = []
    for line in board.lines:
        own = found["bots"][line.name]
        figures = [
            "" if own[key] is None else number(round(own[key], 3)) for key in ("strength", "low", "high")
        ]
        lines.append(replace(line, other=figures[0] or "–", other_low=figures[1], other_high=figures[2]))
    return replace(board, meaning=board.meaning + _MEANING, other="Plackett-Luce", lines=lines)
