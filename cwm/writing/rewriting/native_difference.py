"""A place where a program in C differs from the verified model, told so that whoever wrote it finds the cause."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

_MOST_CHARACTERS = 600


@dataclass(frozen=True)
class Difference:
    """Where a program in C and the verified one differ.

    Attributes:
      what: the function whose answers differ, or how the program failed.
      history: names of all actions from the start, chance included, up to the state at hand.
      expected: what the verified program says there, as JSON data.
      found: what the program in C says; None where it failed.
    """

    what: str
    history: tuple[str, ...] = ()
    expected: Any = None
    found: Any = None

    def __str__(self) -> str:
        where = f"after {len(self.history)} actions ({', '.join(self.history)}): " if self.history else ""
        if self.expected is None:
            return f"{where}{self.what}"
        path, expected, found = _narrowed(self.expected, self.found)
        inside = f" at {path}" if path else ""
        return f"{where}{self.what}{inside}: expected {_told(expected)}, found {_told(found)}"


def _narrowed(expected: Any, found: Any) -> tuple[str, Any, Any]:
    """The first part of nested data that differs, with its place as in "[1]['board'][3]", and both contents."""
    if isinstance(expected, dict) and isinstance(found, dict) and expected.keys() == found.keys():
        keys = [key for key in expected if expected[key] != found[key]]
    elif isinstance(expected, list) and isinstance(found, list) and len(expected) == len(found):
        keys = [index for index, pair in enumerate(zip(expected, found)) if pair[0] != pair[1]]
    else:
        return "", expected, found
    if not keys or (isinstance(expected, list) and not isinstance(expected[keys[0]], (dict, list))):
        return "", expected, found
    path, inner, other = _narrowed(expected[keys[0]], found[keys[0]])
    return f"[{keys[0]!r}]{path}", inner, other


def _told(value: Any) -> str:
    """Data as text; numbers, which are compared as text that begins with '#', as numbers."""
    text = json.dumps(_numbers(value))
    return text if len(text) <= _MOST_CHARACTERS else text[:_MOST_CHARACTERS] + "..."


def _numbers(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _numbers(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [_numbers(inner) for inner in value]
    if isinstance(value, str) and value.startswith("#"):
        try:
            number = float(value[1:])
        except ValueError:
            return value
        return int(number) if number.is_integer() else number
    return value
