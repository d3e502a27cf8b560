"""The parameter spaces of the skills: from words to types, directions and cells."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.micro_rts.rules.engine import WALL, State
from games.micro_rts.rules.unit_tables import BARRACKS, BASE, HEAVY, LIGHT, RANGED, RESOURCE, WORKER
from language_models.grammars import Form, OneOf

NAMES = {
    RESOURCE: "mineral field",
    BASE: "base",
    BARRACKS: "barracks",
    WORKER: "worker",
    LIGHT: "light",
    HEAVY: "heavy",
    RANGED: "ranged",
}
"""The types by the names that prompts and plans give them."""
MOBILE = (WORKER, LIGHT, HEAVY, RANGED)
BUILDINGS = (BASE, BARRACKS)
ENEMIES = (*MOBILE, *BUILDINGS)
"""Types that can be attacked."""
COMPASS = ("north", "east", "south", "west")
"""Direction -> its name; y grows to the south."""
SIDES = ("BLUE", "RED")
"""Player -> the name of its side."""
_ALIASES = {"barrack": "barracks"}


def count(words: Sequence[str], expected: int, signature: str) -> None:
    """Raises ValueError where a line has another number of parameters."""
    if len(words) != expected:
        raise ValueError(f"expected the parameters {signature}, found {len(words)} instead of {expected}")


def unit_type(word: str, allowed: Sequence[int]) -> int:
    """Returns the type of this name, one of `allowed`."""
    word = _ALIASES.get(word, word)
    for kind in allowed:
        if NAMES[kind] == word:
            return kind
    raise ValueError(f"expected one of {', '.join(NAMES[kind] for kind in allowed)}, found {word[:20]}")


def direction(word: str) -> int:
    """Returns the direction of this name."""
    if word not in COMPASS:
        raise ValueError(f"expected one of {', '.join(COMPASS)}, found {word[:20]}")
    return COMPASS.index(word)


def cell(words: Sequence[str], state: State) -> int:
    """Returns the cell x y, on the map and no wall."""
    if not all(word.isascii() and word.removeprefix("-").isdigit() and len(word) < 6 for word in words):
        raise ValueError(f"expected a location (x, y) of whole numbers, found ({', '.join(words)[:20]})")
    x, y = map(int, words)
    found = state.map.cell(x, y)
    if found < 0:
        raise ValueError(f"({x}, {y}) is off the map of {state.map.width} x {state.map.height} cells")
    if state.at[found] == WALL:
        raise ValueError(f"({x}, {y}) is a wall")
    return found


def unit_type_form(allowed: Sequence[int]) -> Form:
    """The texts that `unit_type` reads."""
    return OneOf(*(NAMES[kind] for kind in allowed))


def direction_form() -> Form:
    """The texts that `direction` reads."""
    return OneOf(*COMPASS)


def cell_form(state: State, wanted: Callable[[int], bool] = lambda cell: True) -> Form | None:
    """The texts that `cell` reads, of the cells that are `wanted`; None where there are none."""
    cells = [
        f"({x}, {y})"
        for cell, (x, y) in enumerate(state.map.positions)
        if state.at[cell] != WALL and wanted(cell)
    ]
    return OneOf(*cells) if cells else None
