"""Further items that `python -m arena.list` shows beside bots and games, such as the suite's world models.

The packages that have something to list register a function when their bots are imported.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from arena.registry.bots import bots

Listing = Callable[[], Sequence[Mapping[str, object]]]
"""A function that gives JSON-able items, each with `name`, `summary` (one line) and further facts."""

_listings: dict[str, Listing] = {}


def register_listing(kind: str, listing: Listing) -> None:
    """Registers the items to list under `kind`, a word for the command line."""
    _listings[kind] = listing


def listed(kind: str) -> list[Mapping[str, object]]:
    """The items of a kind by name; none where no package lists any."""
    bots()  # which imports the packages
    return sorted(_listings[kind](), key=lambda item: str(item["name"])) if kind in _listings else []
