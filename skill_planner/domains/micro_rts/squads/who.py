"""The units that a line speaks of: "worker", "3 light", "soldiers", "all", "#17 #21"."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from games.micro_rts.rules.engine import State, Unit
from games.micro_rts.rules.unit_tables import HEAVY, LIGHT, RANGED
from language_models.grammars import Form, OneOf
from language_models.grammars import Sequence as TextSequence
from skill_planner.domains.micro_rts.parameters import MOBILE, NAMES

GROUPS = {**{NAMES[kind]: (kind,) for kind in MOBILE}, "soldiers": (LIGHT, HEAVY, RANGED), "all": MOBILE}
"""Word -> the types that it stands for."""
MOST = 99
SIGNATURE = "who"
DESCRIPTION = (
    'who: "worker", "light", "heavy", "ranged", "soldiers" (light, heavy and ranged) or "all", with a number before '
    'it for at most so many ("2 light"), or units by their numbers ("#17 #21")'
)


class Who(NamedTuple):
    """Units that are meant.

    Attributes:
      types: their types; empty where ids say who.
      most: at most so many; None for all.
      ids: ids of units.
    """

    types: tuple[int, ...]
    most: int | None
    ids: tuple[int, ...]

    def of(self, units: Sequence[Unit]) -> list[Unit]:
        """Returns those of the units that are meant, however many."""
        return [unit for unit in units if unit.id in self.ids or unit.type in self.types]


def read(words: Sequence[str], state: State, player: int) -> tuple[Who, Sequence[str]]:
    """Returns who is meant by the first words, and the words behind them.

    Raises:
      ValueError: nobody is.
    """
    ids = []
    while len(ids) < len(words) and words[len(ids)].startswith("#"):
        ids.append(words[len(ids)])
    if ids:
        numbers = tuple(_id(word, state, player) for word in ids)
        return Who((), None, numbers), words[len(ids) :]
    most = None
    if words and words[0].isascii() and words[0].isdigit():
        most, words = number(words[0], 1), words[1:]
    word = words[0] if words else ""
    kinds = GROUPS.get(word) or GROUPS.get(word.removesuffix("s"))
    if kinds is None:
        raise ValueError(f"expected who ({', '.join(GROUPS)}, or #number), found {word[:20]!r}")
    return Who(kinds, most, ()), words[1:]


def number(word: str, least: int) -> int:
    """Returns the number, from `least` to `MOST`."""
    if not (word.isascii() and word.isdigit() and len(word) < 4 and least <= int(word) <= MOST):
        raise ValueError(f"expected a number from {least} to {MOST}, found {word[:20]!r}")
    return int(word)


def form() -> Form:
    """The texts that `read` takes, but for units by number."""
    return TextSequence(OneOf("", number_form()), OneOf(*GROUPS))


def number_form() -> Form:
    """Small numbers, with a space behind them."""
    return OneOf(*(f"{number} " for number in (1, 2, 3, 4, 5, 6, 8)))


def _id(word: str, state: State, player: int) -> int:
    digits = word[1:]
    if not (digits.isascii() and digits.isdigit() and len(digits) < 7):
        raise ValueError(f"expected the number of a unit such as #17, found {word[:20]!r}")
    unit = state.units.get(int(digits))
    if unit is None or unit.player != player or unit.type not in MOBILE:
        raise ValueError(f"you have no unit {word} that moves")
    return unit.id
