"""Mixtures of trees: a tree drawn for each match, so that the mean score is a target (dynamic difficulty,
PORTAL, section 4.4).

A file (JSON) holds the texts of the trees and the share of matches that each plays:

    {"format": "mixture of trees", "version": 1, "game": "fps_arena",
     "parts": [{"name": "fps_basic", "share": 0.25, "tree": "selector:..."}, ...]}
"""

from __future__ import annotations

import json
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from bt_policies.trees.dsl import parse
from bt_policies.trees.vocabularies import vocabulary_of
from bt_policies.trees.vocabulary import check

FORMAT, VERSION = "mixture of trees", 1
_STREAM = 60_013


@dataclass(frozen=True)
class Part:
    """A tree of a mixture: its name, its text, and the share of matches that it plays."""

    name: str
    tree: str
    share: float


@dataclass(frozen=True)
class Mixture:
    """The trees for a game, with shares that add up to 1."""

    game: str
    parts: tuple[Part, ...]

    def draw(self, seed: int) -> Part:
        """Returns the part that plays the match with this seed."""
        at = np.random.default_rng([_STREAM, seed]).random()
        for part in self.parts:
            at -= part.share
            if at < 0:
                return part
        return self.parts[-1]

    def to_json(self) -> str:
        """Returns the text of a file."""
        parts = [{"name": part.name, "share": part.share, "tree": part.tree} for part in self.parts]
        return (
            json.dumps({"format": FORMAT, "version": VERSION, "game": self.game, "parts": parts}, indent=1)
            + "\n"
        )


def read_mixture(path: str | os.PathLike[str], game: str) -> Mixture:
    """Returns the mixture in a file.

    Raises:
      ValueError: the file cannot be read, is no mixture, or is one for another game.
    """
    try:
        with open(path, encoding="utf-8") as file:
            record = json.load(file)
        if record["format"] != FORMAT or record["version"] != VERSION or record["game"] != game:
            raise ValueError(f"it is a {record['format']!r}, version {record['version']}, for {record['game']}")
        parts = tuple(Part(str(part["name"]), part["tree"], float(part["share"])) for part in record["parts"])
        if (
            not parts
            or min(part.share for part in parts) < 0
            or not math.isclose(sum(part.share for part in parts), 1.0, abs_tol=1e-9)
        ):
            raise ValueError("its shares are not 0 or more with the sum 1")
        for part in parts:
            check(parse(part.tree), vocabulary_of(game))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise ValueError(
            f"mixture {path}: {error or type(error).__name__}; expected a file that python -m "
            f"bt_policies.evaluate --target has written for {game}"
        ) from error
    return Mixture(game, parts)


def shares(scores: Mapping[str, float], target: float) -> dict[str, float]:
    """Returns how often each tree is to play so that the mean score is the target.

    At most two trees have a share: of all pairs with one on each side of the target, the two whose scores
    are closest to each other, so that matches are as even as they can be. Beyond the best or the worst
    score that tree plays alone.

    Args:
      scores: the scores of each tree alone, at least one.
      target: in [0, 1].

    Raises:
      ValueError: the target is out of range, or there is no tree.
    """
    if not 0 <= target <= 1 or not scores:
        raise ValueError(
            f"target: expected a score from 0 to 1 and at least one tree, found {target} and "
            f"{len(scores)} trees"
        )
    below = max(
        (name for name in scores if scores[name] <= target), key=lambda name: scores[name], default=None
    )
    above = min(
        (name for name in scores if scores[name] >= target), key=lambda name: scores[name], default=None
    )
    if below is None or above is None or below == above or scores[below] == scores[above]:
        return {below or above: 1.0}
    share = (target - scores[below]) / (scores[above] - scores[below])
    return {below: 1 - share, above: share}
