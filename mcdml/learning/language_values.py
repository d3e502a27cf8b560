"""Language action values: what actions of like words were worth elsewhere, as a reason to explore (MC-LAVE).

Jang, Seo, Lee and Kim (2021), Monte-Carlo Planning and Learning with Language Action Value Estimates, ICLR. The search selects
the action of the highest Q(s, a) + (c_puct p(a | s) + c_lave Q_L(a)) sqrt(N(s)) / (1 + N(s, a)), where Q_L(a) is the average value
of actions whose vectors lie near that of a. Different from the paper: vectors by letters (`words.embedding`) for word vectors,
the searches' own Q for those of a network, and the plain mean for one that leans to the high values.
"""

from __future__ import annotations

import collections
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from mcdml.learning.words import embedding
from mcdml.search.decision import Row
from mcdml.search.search import Search
from mcdml.search.tree import Node


class LanguageValues:
    """The Q of the actions that were tried at the roots of searches, and Q_L, their mean over near actions.

    Args:
      c_lave: weight of Q_L in the selection, without a unit, at least 0; 1 goes with a c_puct of 50 points.
      distance: the cosine distance, 1 minus the cosine, below which two actions are near; from 0 to 1. At .6 short names of one
        verb are near ("take key", "take lamp").

    Raises:
      ValueError: a value is out of range.
    """

    def __init__(self, c_lave: float = 1.0, distance: float = 0.6):
        if not 0 <= c_lave < math.inf:
            raise ValueError(f"mc_lave, c_lave: expected a number of 0 or more, found {c_lave}")
        if not 0 < distance <= 1:
            raise ValueError(f"mc_lave, distance: expected a number above 0 and at most 1, found {distance}")
        self._c_lave, self._distance = c_lave, distance
        self._found: dict[str, list[float]] = collections.defaultdict(list)
        self._known: dict[str, float] = {}
        self._vectors = np.zeros((0, 0))
        self._sums = self._counts = np.zeros(0)

    def learn(self, rows: Sequence[Row]) -> None:
        """Takes the findings of a search on the actions of its root into account; those without a visit tell nothing."""
        for row in rows:
            if row.visits:
                self._found[row.action].append(row.q)
        self._known = {}

    def value(self, name: str) -> float:
        """Returns Q_L, in points: the mean Q of near actions, those of the same name included; 0 where none is near."""
        if not self._found:
            return 0.0
        if not self._known:
            self._vectors = np.array([embedding(other) for other in self._found])
            self._sums = np.array([math.fsum(values) for values in self._found.values()])
            self._counts = np.array([len(values) for values in self._found.values()])
        if name not in self._known:
            near = 1.0 - self._vectors @ embedding(name) < self._distance
            count = int(self._counts[near].sum())
            self._known[name] = float(self._sums[near].sum()) / count if count else 0.0
        return self._known[name]

    def bonus(self, names: Sequence[str]) -> list[float] | None:
        """Returns c_lave Q_L of each action; None before anything was learnt."""
        return [self._c_lave * self.value(name) for name in names] if self._found else None


class LanguageValueSearch(Search):
    """The search with language action values in the selection.

    Args:
      values: the values of actions by their words.
      given: see `Search`.
    """

    def __init__(self, values: LanguageValues, *given: Any):
        super().__init__(*given)
        self._values = values

    def _has_prior(self, node: Node) -> bool:
        if node.bonus is None:
            node.bonus = self._values.bonus(node.names)
        return super()._has_prior(node)
