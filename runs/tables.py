"""Results as plain text and as Markdown."""

from __future__ import annotations

from collections.abc import Sequence


def text_table(rows: Sequence[Sequence[str]]) -> str:
    """Returns the columns aligned with blanks under a ruled header, which is the first row.

    The first column is flush left, the others flush right. All rows have the same length.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "  ".join(
            [row[0].ljust(widths[0]), *(cell.rjust(width) for cell, width in zip(row[1:], widths[1:]))]
        ).rstrip()
        for row in rows
    ]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def markdown_table(rows: Sequence[Sequence[str]]) -> str:
    """Returns a GitHub table; the first row is the header. Vertical bars in cells are escaped."""

    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    escaped = [[cell.replace("|", "\\|") for cell in row] for row in rows]
    return "\n".join(
        [line(escaped[0]), line(["---", *["---:"] * (len(escaped[0]) - 1)]), *map(line, escaped[1:])]
    )
