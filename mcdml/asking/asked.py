"""What was asked in one game so far, and a prior by its words for states that are not asked."""

from __future__ import annotations

import collections
import math
from collections.abc import Sequence

import numpy as np

SHRINKAGE = 2.0
"""Weight of what is known of a verb against one answer on the very name; and of 0, nothing, against one on the verb."""


class Asked:
    """The requests for priors of one game and what their answers told of words.

    An action of the same name, or with the same first word, is seldom as good in one state as in the other; but where the model
    thinks little of every "drop ...", that is worth knowing in states that nobody can afford to ask about.

    Attributes:
      keys: of the requests that were made (`Request.key`).
    """

    def __init__(self) -> None:
        self.keys: set[str] = set()
        self._read: set[str] = set()
        self._names: dict[str, list[float]] = collections.defaultdict(list)
        self._verbs: dict[str, list[float]] = collections.defaultdict(list)

    def learn(self, key: str, names: Sequence[str], probabilities: np.ndarray) -> None:
        """Takes the prior over the valid actions `names` that a request gave into account, once for each request."""
        if key in self._read:
            return
        self._read.add(key)
        for name, probability in zip(names, probabilities.tolist()):
            # Relative to the uniform prior: .2 is much of twenty actions and little of two.
            log = math.log(probability * len(names))
            self._names[name].append(log)
            self._verbs[_verb(name)].append(log)

    def prior(self, names: Sequence[str]) -> np.ndarray:
        """Returns the prior over valid actions by their words: the softmax of the mean log-probability that the same name
        had so far, shrunk towards that of its first word, and this towards 0. Uniform before the first answer."""
        logs = np.array([self._log(name) for name in names])
        weights = np.exp(logs - logs.max())
        return weights / weights.sum()

    def _log(self, name: str) -> float:
        by_verb, by_name = self._verbs.get(_verb(name), ()), self._names.get(name, ())
        verb = math.fsum(by_verb) / (len(by_verb) + SHRINKAGE)
        return (math.fsum(by_name) + SHRINKAGE * verb) / (len(by_name) + SHRINKAGE)


def _verb(name: str) -> str:
    return name.partition(" ")[0]
