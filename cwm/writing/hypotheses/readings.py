"""Readings: choices that a program leaves open, as constants with their alternatives.

    STACKING = "allowed"  # READING: "allowed" | "forbidden" | 2

A program with such lines stands for several; `with_choice` makes one of them of it.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from typing import NamedTuple

_LINE = re.compile(r"^([A-Za-z_]\w*)(\s*=\s*)([^#\n]+?)(\s*#\s*READING:\s*)(.+)$", re.MULTILINE)
MOST_READINGS = 6
MOST_TRIALS = 24
"""Most programs that are tried for one answer."""


class Reading(NamedTuple):
    """A choice that a program leaves open: the constant, its value in the program, and the alternatives, as they stand there."""

    name: str
    value: str
    others: tuple[str, ...]


def readings_in(source: str) -> list[Reading]:
    """The first `MOST_READINGS` choices of a program; alternatives that are no literals are left out."""
    found = []
    for match in _LINE.finditer(source):
        name, _, value, _, options = match.groups()
        texts = [option.strip() for option in options.split("|")]
        others = [text for text in dict.fromkeys(texts) if _is_literal(text) and text != value.strip()]
        if _is_literal(value) and others:
            found.append(Reading(name, value.strip(), tuple(others)))
    return found[:MOST_READINGS]


def _is_literal(text: str) -> bool:
    try:
        ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
        return False
    return True


def with_choice(source: str, name: str, value: str) -> str:
    """The program with another value of one such constant."""

    def chosen(match: re.Match[str]) -> str:
        if match[1] != name:
            return match[0]
        return f"{match[1]}{match[2]}{value}{match[4]}{match[5]}"

    return _LINE.sub(chosen, source)


def tried(source: str, failed: Callable[[str], int]) -> dict[str, int]:
    """Programs that one with readings stands for, with the number of tests that each fails.

    One choice is changed at a time, in the order of the program; where that is better it is kept, and the next ones are
    tried with it, twice over, up to `MOST_TRIALS` programs. The program as it is comes first.

    Args:
      source: the program.
      failed: the number of tests that a program fails.
    """
    found = {source: failed(source)}
    best = source
    for _ in range(2):
        for reading in readings_in(source):
            for value in (reading.value, *reading.others):
                other = with_choice(best, reading.name, value)
                if other not in found and len(found) < MOST_TRIALS:
                    found[other] = failed(other)
                if found.get(other, found[best]) < found[best]:
                    best = other
    return found
