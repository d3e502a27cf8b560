"""A prior that is fitted to what searches chose (the policy of PUCT-RL).

The probability of action a in state s is p(a | s) = exp(w . f(s, a)) / sum over valid b of exp(w . f(s, b)). The features f are
hashed (Weinberger et al. 2009, Feature Hashing for Large Scale Multitask Learning): each word of what is seen together with the
action's name, and each word of the action's name alone. Both groups have length 1, so that neither a long text nor a long name counts
for more. Jang et al. (2021) fit a recurrent network; this one is convex and needs no library for networks.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyspiel
from scipy import sparse

from language_models import Completion, Request
from mcdml.asking.priors import Query, Reading, UniformPrior, uniform
from mcdml.asking.situations import current
from mcdml.learning.words import hashes, words

BUCKETS = 2**18
"""Number of weights."""
_MULTIPLIER = np.uint64(0x9E3779B97F4A7C15)  # Fibonacci hashing (Knuth, volume 3, section 6.4)
_SHIFT = np.uint64(64 - 18)


class Example(NamedTuple):
    """One decision of a search, to learn from.

    Attributes:
      text: what the player saw (`situations.current`).
      names: the valid actions.
      target: the share of the root's visits of each of them, float64 of shape (number of names,), sum 1.
    """

    text: str
    names: tuple[str, ...]
    target: np.ndarray


def features(text: str, names: Sequence[str]) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Returns the features of every action in a state.

    Returns:
      Of each feature that is not 0 its action (place in `names`), its weight's place (0 to `BUCKETS` - 1), and its value.
    """
    seen = hashes([f"seen {word}" for word in words(text)])
    rows, columns, values = [], [], []
    for row, (name, number) in enumerate(zip(names, hashes(names).tolist())):
        alone = hashes([f"alone {word}" for word in words(name)])
        for group in (seen ^ np.uint64(number << 20), alone):
            rows.append(np.full(len(group), row))
            columns.append(group)
            values.append(np.full(len(group), 1.0 / math.sqrt(max(1, len(group)))))
    places = (np.concatenate(columns) * _MULTIPLIER) >> _SHIFT
    return np.concatenate(rows), places.astype(np.int64), np.concatenate(values)


class Fit:
    """The loss of weights on examples, and its gradient.

    Attributes:
      places: of the weights that the examples have features of, int64, ascending; the only ones that are fitted.

    Args:
      examples: at least one.
      decay: weight of half the squared length of the weights, which holds them near 0, the uniform prior.
    """

    def __init__(self, examples: Sequence[Example], decay: float):
        self._decay, self._count = decay, len(examples)
        sizes = np.array([len(example.names) for example in examples])
        self._starts = np.concatenate([[0], np.cumsum(sizes)[:-1]])
        self._of = np.repeat(np.arange(len(examples)), sizes)
        self._target = np.concatenate([example.target for example in examples])
        parts = [features(example.text, example.names) for example in examples]
        rows = np.concatenate([part[0] + start for part, start in zip(parts, self._starts)])
        columns, values = (np.concatenate([part[index] for part in parts]) for index in (1, 2))
        self.places, columns = np.unique(columns, return_inverse=True)
        shape = len(self._of), len(self.places)
        self._features = sparse.csr_matrix((values, (rows, columns)), shape=shape)
        self._transposed = self._features.T.tocsr()

    def _logs(self, weights: np.ndarray) -> np.ndarray:
        """The log-probabilities of all actions of all examples, one after the other."""
        scores = self._features @ weights
        scores -= np.maximum.reduceat(scores, self._starts)[self._of]
        return scores - np.log(np.add.reduceat(np.exp(scores), self._starts))[self._of]

    def loss(self, weights: np.ndarray) -> float:
        """Returns the mean cross-entropy of the prior with the targets, in nats, and the decay; weights in the order of `places`."""
        entropy = -float(self._target @ self._logs(weights)) / self._count
        return entropy + 0.5 * self._decay * float(weights @ weights)

    def gradient(self, weights: np.ndarray) -> np.ndarray:
        """Returns the gradient of `loss`, in the order of `places`: the mean over examples of the features, weighted by prior minus target, and the
        decay."""
        errors = np.exp(self._logs(weights)) - self._target
        return self._transposed @ errors / self._count + self._decay * weights


class LogLinearPrior(UniformPrior):
    """The prior over the valid actions that `learn` fits; uniform before. It asks nothing.

    Args:
      steps: gradient steps of one call of `learn`, at least 0.
      rate: length of a step, in units of the gradient, above 0.
      decay: see `Fit`, at least 0.
      floor: the share of the uniform prior that is mixed in after the first fit, from 0 to 1, so that an action that was never
        chosen elsewhere is still tried; Silver et al. (2017, AlphaGo Zero) mix noise into a quarter of the root's prior.

    Raises:
      ValueError: a value is out of range.
    """

    def __init__(self, *, steps: int = 200, rate: float = 1.0, decay: float = 1e-3, floor: float = 0.25):
        for name, value, valid, limit in (
            ("steps", steps, steps >= 0, "of 0 or more"),
            ("rate", rate, 0 < rate < math.inf, "above 0"),
            ("decay", decay, 0 <= decay < math.inf, "of 0 or more"),
            ("floor", floor, 0 <= floor <= 1, "from 0 to 1"),
        ):
            if not valid:
                raise ValueError(f"learnt prior, {name}: expected a number {limit}, found {value}")
        self._steps, self._rate, self._decay, self._floor = steps, rate, decay, floor
        self._weights: np.ndarray | None = None

    def learn(self, examples: Sequence[Example]) -> None:
        """Goes `steps` steps of gradient descent on all the examples, from where it stands."""
        if not examples or not self._steps:
            return
        fit = Fit(examples, self._decay)
        if self._weights is None:
            self._weights = np.zeros(BUCKETS)
        weights = self._weights[fit.places]
        for _ in range(self._steps):
            weights -= self._rate * fit.gradient(weights)
        self._weights[fit.places] = weights

    def read(self, query: Query, completions: Sequence[Completion] | None) -> Reading:
        return Reading(self.probabilities(query.situation.now, query.situation.actions), True)

    def request(self, query: Query) -> Request:
        raise ValueError("the learnt prior asks nothing; expected another one")

    def unasked(self, state: pyspiel.State, names: Sequence[str]) -> np.ndarray:
        if self._weights is None:
            return uniform(len(names))
        return self.probabilities(current(state, int(state.current_player())), names)

    def probabilities(self, text: str, names: Sequence[str]) -> np.ndarray:
        """Returns the prior over actions by what the player sees, float64 of shape (number of names,), sum 1."""
        if self._weights is None:
            return uniform(len(names))
        rows, places, values = features(text, names)
        scores = np.bincount(rows, self._weights[places] * values, minlength=len(names))
        chances = np.exp(scores - scores.max())
        return (1.0 - self._floor) * chances / chances.sum() + self._floor / len(names)
