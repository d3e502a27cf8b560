"""The sealed list: which sentence of each text in `texts/wrong/` is false. Read only after the last answer.

Whether a run named the false sentence is for a blind reader to say; `likely_named` is a first look by words.
"""

from __future__ import annotations

import difflib
import json
import re
from collections.abc import Iterable
from importlib import resources
from typing import NamedTuple

LIKE = 0.6
"""Share of the false sentence's words, in order, from which on a sentence is taken for it."""


class FalseRule(NamedTuple):
    """What is false in a text.

    Attributes:
      true: the sentence of the full rules.
      false: what stands in its place.
      fault: the fault of `benchmarks.cwm.planted` that does what the false sentence says.
      witness: the moves of a game, chance's included, whose last one the false rule cannot explain.
    """

    true: str
    false: str
    fault: str
    witness: tuple[str, ...]


def sealed() -> dict[str, FalseRule]:
    """The list by game."""
    text = resources.files("benchmarks.cwm").joinpath("texts", "sealed.json").read_text("utf-8")
    return {
        game: FalseRule(row["true"], row["false"], row["fault"], tuple(row["witness"]))
        for game, row in json.loads(text).items()
    }


def likely_named(rule: FalseRule, sentences: Iterable[str]) -> bool:
    """Whether one of the sentences has most words of the false one, in order."""
    wanted = _words(rule.false)
    for sentence in sentences:
        blocks = difflib.SequenceMatcher(None, wanted, _words(sentence), autojunk=False).get_matching_blocks()
        if sum(block.size for block in blocks) >= LIKE * len(wanted):
            return True
    return False


def _words(text: str) -> list[str]:
    return re.findall(r"[a-z0-9]+", text.lower())
