"""Views that are grids of characters, as SVG: floors and walls as cells, everything that stands on them as a sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from xml.sax.saxutils import escape

CELL = 16


def grid_svg(
    rows: Sequence[str],
    colours: Mapping[str, str],
    signs: Mapping[str, tuple[str, str]] | None = None,
    *,
    ground: str = "#f4f1ea",
    caption: str = "",
) -> str:
    """Returns a grid as the text of an SVG.

    Args:
      rows: the rows, the top one first, a character for each cell.
      colours: character -> colour of its cell; any other cell has the colour of the ground.
      signs: character -> (shape or letter, colour) of what stands in the cell; the shapes are disc and ring.
      ground: a colour.
      caption: a line of text above.
    """
    width, head = max(map(len, rows)) * CELL, 22 if caption else 0
    parts = [f'<rect y="{head}" width="{width}" height="{len(rows) * CELL}" fill="{ground}"/>']
    if caption:
        parts.append(
            "<style>text.c{fill:#5d6772}@media (prefers-color-scheme:dark){text.c{fill:#a0a8b2}}</style>"
            f'<text class="c" x="2" y="15" font-size="13" font-family="system-ui,sans-serif">{escape(caption)}</text>'
        )
    for number, row in enumerate(rows):
        top, left = head + number * CELL, 0
        for character, run in groupby(row):
            length = len(list(run))
            if character in colours:
                parts.append(
                    f'<rect x="{left * CELL}" y="{top}" width="{length * CELL}" height="{CELL}" '
                    f'fill="{colours[character]}"/>'
                )
            for place in range(left, left + length) if signs and character in signs else ():
                parts.append(_sign(*signs[character], (place + 0.5) * CELL, top + CELL / 2))
            left += length
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {head + len(rows) * CELL}' width='{width}' "
        f"height='{head + len(rows) * CELL}' shape-rendering='crispEdges'>{''.join(parts)}</svg>"
    )


def _sign(sign: str, colour: str, x: float, y: float) -> str:
    if sign == "disc":
        return f'<circle cx="{x:g}" cy="{y:g}" r="{0.42 * CELL:g}" fill="{colour}"/>'
    if sign == "ring":
        return f'<circle cx="{x:g}" cy="{y:g}" r="{0.34 * CELL:g}" fill="none" stroke="{colour}" stroke-width="3"/>'
    return (
        f'<text x="{x:g}" y="{y + 0.34 * CELL:g}" font-size="{0.95 * CELL:g}" text-anchor="middle" font-weight="700" '
        f'font-family="system-ui,sans-serif" fill="{colour}">{escape(sign)}</text>'
    )
