"""Conditions of lines: "money >= 5", "enemy ranged >= 2 and strength < 1.5".

A condition is a comparison of a quantity with a number, or several joined by "and". All quantities are in the view
of the player; in MicroRTS it sees everything.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable

from games.micro_rts.rules.unit_tables import BARRACKS, BASE
from language_models.grammars import Form, OneOf, Repeated
from language_models.grammars import Sequence as TextSequence
from skill_planner.domains.micro_rts.squads.turn import SquadTurn
from skill_planner.domains.micro_rts.squads.who import GROUPS

_COUNTED = {**GROUPS, "base": (BASE,), "barracks": (BARRACKS,)}
_OPERATORS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt, "=": operator.eq}
_COMPARISON = re.compile(r"([a-z ]+?)\s*(>=|<=|==|=|>|<)\s*(\d{1,5}(?:\.\d{1,3})?)")
_FAR = 99.0


def strength(turn: SquadTurn) -> float:
    """Returns the strength of the own fighters that do not harvest, in units of that of all enemy fighters; 99 where
    there are none of these."""
    enemies = turn.force(1 - turn.player)
    return min(turn.force(turn.player) / enemies, _FAR) if enemies else _FAR


def distance(turn: SquadTurn) -> float:
    """Returns the steps from the nearest enemy fighter to an own building (or unit, without buildings); 99 where
    there is none."""
    fighters = [unit for unit in turn.enemies if turn.state.kind(unit).range]
    homes = [unit for unit in turn.own if unit.type in (BASE, BARRACKS)] or turn.own
    return min((turn.distance(enemy, home) for enemy in fighters for home in homes), default=_FAR)


QUANTITIES: dict[str, Callable[[SquadTurn], float]] = {
    "tick": lambda turn: turn.state.clock,
    "money": lambda turn: turn.state.banks[turn.player],
    "enemy money": lambda turn: turn.state.banks[1 - turn.player],
    "minerals": lambda turn: sum(field.carried for field in turn.fields),
    "strength": strength,
    "distance": distance,
    **{
        f"own {word}": lambda turn, kinds=kinds: turn.count(turn.player, kinds)
        for word, kinds in _COUNTED.items()
    },
    **{
        f"enemy {word}": lambda turn, kinds=kinds: turn.count(1 - turn.player, kinds)
        for word, kinds in _COUNTED.items()
    },
}
"""Quantity -> its value in a turn."""


class MicroRTSConditions:
    """See `skills.Conditions`."""

    description = (
        'A line may begin with a condition, and counts only in ticks in which it holds: "when strength >= 1.5: '
        '[Attack](all, nearest)". A condition compares a quantity with a number (>=, <=, >, <, =); several are joined '
        'by "and". Quantities: tick; money; enemy money; minerals (left on the map); own TYPE and enemy TYPE (the number '
        "of worker, light, heavy, ranged, soldiers, all, base, barracks); strength (hit points times damage of your "
        "fighters that do not harvest, ranged ones twice, divided by that of all the enemy's fighters, workers included); "
        "distance (steps from the nearest enemy fighter to your nearest building)."
    )

    def read(self, text: str) -> Callable[[SquadTurn], bool]:
        """See `skills.Conditions.read`."""
        tests = [_comparison(part.strip()) for part in re.split(r"\band\b", text)]
        return lambda turn: all(test(turn) for test in tests)

    def form(self) -> Form:
        """One comparison or two, with numbers that are often of use."""
        numbers = OneOf("0.5", "1", "1.2", "1.5", "2", "3", "4", "5", "6", "8", "10", "200", "400", "800")
        comparison = TextSequence(OneOf(*QUANTITIES), OneOf(" >= ", " <= ", " < "), numbers)
        return Repeated(comparison, 1, 2, between=" and ")


def _comparison(text: str) -> Callable[[SquadTurn], bool]:
    found = _COMPARISON.fullmatch(text)
    if found is None:
        raise ValueError(f'expected a condition such as "enemy ranged >= 2", found {text[:40]!r}')
    name, sign, number = " ".join(found[1].split()), found[2], float(found[3])
    quantity = QUANTITIES.get(name) or QUANTITIES.get(name.removesuffix("s"))
    if quantity is None:
        raise ValueError(f"no such quantity {name[:30]!r}; expected one of {', '.join(QUANTITIES)}")
    compare = _OPERATORS["=" if sign == "==" else sign]
    return lambda turn: compare(quantity(turn), number)
