"""The fields of a view, and conditions on them: "round = 2 and card.0 is k"."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from language_models.grammars import Form, OneOf, Repeated
from language_models.grammars import Sequence as TextSequence
from skill_planner.domains.any_game.choice import Choice, stands_in, words_of

_OPERATORS = {">=": operator.ge, "<=": operator.le, ">": operator.gt, "<": operator.lt}
_NUMBER = re.compile(r"-?\d{1,9}(?:\.\d{1,6})?")
_COMPARISON = re.compile(r"(count )?([a-z_][\w.]*)\s*(>=|<=|==|=|>|<|\bis not\b|\bis\b|\bhas\b)\s*(.+)")
_NUMBERS = ("0", "1", "2", "3", "5", "10", "20", "50")


class FieldConditions:
    """Conditions on what the player sees; see `skills.Conditions`.

    Args:
      fields: the names of the fields of the view's data.
    """

    description = (
        'A line may begin with a condition, and counts only in moves in which it holds: "when round = 2: [Prefer](call)". '
        "Conditions speak of the fields of what you see: FIELD >= NUMBER (also <=, >, <); FIELD is TEXT, FIELD is not TEXT "
        "(also =, for numbers too); FIELD has TEXT (in a list or string); count FIELD >= NUMBER (entries of a list); "
        "can ACTION (an action with these words is legal); chance NUMBER (holds at random with this probability, from 0 to "
        "1). A point leads to a part: bets.0 is the first entry of bets, card.0 the first character of card, "
        "visible_enemies.0.distance a field of the first entry; TEXT may be a field too: card.0 is public_card.0. Several "
        'conditions are joined by "and".'
    )

    def __init__(self, fields: Sequence[str]):
        self._fields = tuple(fields)

    def read(self, text: str) -> Callable[[Choice], bool]:
        """See `skills.Conditions.read`."""
        tests = [self._test(part.strip()) for part in re.split(r"\band\b", text)]
        return lambda turn: all(test(turn) for test in tests)

    def _test(self, text: str) -> Callable[[Choice], bool]:
        verb, _, rest = text.partition(" ")
        if verb == "chance" and _NUMBER.fullmatch(rest.strip()):
            share = float(rest)
            return lambda turn: turn.rng.random() < share
        if verb == "can" and words_of(rest):
            words = words_of(rest)
            return lambda turn: any(stands_in(words, words_of(name)) for name in turn.actions)
        found = _COMPARISON.fullmatch(text)
        if found is None:
            raise ValueError(f'expected a condition such as "round = 2", found {text[:40]!r}')
        counts, path, sign, value = bool(found[1]), found[2], found[3], found[4].strip()
        if path.partition(".")[0] not in self._fields:
            raise ValueError(f"no such field {path[:30]!r}; expected one of {', '.join(self._fields)}")
        if sign in _OPERATORS or counts:
            return _of_numbers(path, counts, sign, value)
        return self._of_texts(path, sign, value)

    def _of_texts(self, path: str, sign: str, value: str) -> Callable[[Choice], bool]:
        is_field = value.partition(".")[0] in self._fields

        def holds(turn: Choice) -> bool:
            there = at(turn.seen.data, path)
            wanted = at(turn.seen.data, value) if is_field else value.strip("\"'")
            if sign == "has":
                return _has(there, wanted)
            return _same(there, wanted) != (sign == "is not")

        return holds

    def form(self) -> Form:
        """One comparison or two with a field."""
        comparison = OneOf(
            TextSequence(OneOf(*self._fields), OneOf(" >= ", " <= ", " = "), OneOf(*_NUMBERS)),
            TextSequence("count ", OneOf(*self._fields), OneOf(" >= ", " <= "), OneOf(*_NUMBERS)),
            TextSequence("chance ", OneOf("0.1", "0.3", "0.5")),
        )
        return Repeated(comparison, 1, 2, between=" and ")


def _of_numbers(path: str, counts: bool, sign: str, value: str) -> Callable[[Choice], bool]:
    if not _NUMBER.fullmatch(value):
        raise ValueError(f"expected a number after {sign!r}, found {value[:30]!r}")
    if sign in ("is", "is not", "has"):
        raise ValueError(f"expected >=, <=, =, > or < between a count and a number, found {sign!r}")
    compare, number = _OPERATORS.get(sign, operator.eq), float(value)

    def holds(turn: Choice) -> bool:
        there = at(turn.seen.data, path)
        if counts:
            return isinstance(there, list | dict | str) and compare(len(there), number)
        there = _number(there)
        return there is not None and compare(there, number)

    return holds


def at(data: Any, path: str) -> Any:
    """Returns the part of a view's data that a path leads to; None where there is none."""
    for key in path.split("."):
        if isinstance(data, dict):
            data = data.get(key)
        elif isinstance(data, list | str) and key.isascii() and key.isdigit() and int(key) < len(data):
            data = data[int(key)]
        else:
            return None
    return data


def _number(value: Any) -> float | None:
    """Returns a number, or the number that a text is; None for what is none."""
    if isinstance(value, str):
        return float(value) if _NUMBER.fullmatch(value) else None
    return value if isinstance(value, int | float) else None


def _same(one: Any, other: Any) -> bool:
    return _plain(one) == _plain(other)


def _has(whole: Any, part: Any) -> bool:
    if isinstance(whole, str):
        return _plain(part) in whole.lower()
    return any(_same(entry, part) for entry in _entries(whole))


def _entries(data: Any) -> Iterator[Any]:
    """Returns all that lies in lists and objects, at any depth."""
    if isinstance(data, dict | list):
        for entry in data.values() if isinstance(data, dict) else data:
            yield from _entries(entry)
    else:
        yield data


def _plain(value: Any) -> str:
    """Returns a value as a plan says it: numbers without ".0", the words of JSON for true, false and null."""
    if isinstance(value, bool) or value is None:
        return {True: "true", False: "false", None: "null"}[value]
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    text = str(value).lower()
    return str(int(float(text))) if _NUMBER.fullmatch(text) and float(text).is_integer() else text
