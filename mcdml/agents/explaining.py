"""What the bots of MC-DML have to say of a move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from arena.matches import heads


def searched(notes: Mapping[str, Any]) -> list[heads.Panel]:
    """The panels of a search: visits, value and prior of each action, and the reflections.

    Args:
      notes: the bot's notes of the move, with `rows`; nothing is said where there was no choice.
    """
    rows = notes.get("rows") or []
    most = max((row["visits"] for row in rows), default=0)
    panels = []
    if rows:
        nodes = [
            heads.node(row["action"], [row["visits"], row["q"], row["prior"]], best=row["visits"] == most)
            for row in rows
        ]
        panels.append(
            heads.search(nodes, ["visits", "value", "prior"], title="Search with a language model's prior")
        )
    reflections = [str(one) for one in notes.get("reflections") or []]
    if reflections:
        panels.append(
            {"kind": "lines", "title": "Reflections", "lines": [{"text": one} for one in reflections]}
        )
    return panels
