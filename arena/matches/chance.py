"""The chance of a match: all outcomes follow from the match's seed alone."""

from __future__ import annotations

import functools

import numpy as np
import pyspiel

from runs.seeds import CHANCE_STREAM


def chance_outcome(state: pyspiel.State, uniform: float) -> int:
    """The outcome at a chance node that `uniform`, in [0, 1), falls on: outcomes in ascending order,
    inverse of their cumulative distribution."""
    outcomes = sorted((action, p) for action, p in state.chance_outcomes() if p > 0)
    reached = 0.0
    for action, probability in outcomes:
        reached += probability
        if uniform < reached:
            return action
    return outcomes[-1][0]  # the probabilities sum to 1 only up to rounding


class Dice:
    """Uniform numbers by index, drawn as far as they are asked for."""

    def __init__(self, seed: int):
        self._seed = seed
        self._drawn: list[float] = []

    @functools.cached_property
    def _rng(self) -> np.random.Generator:
        # Made when it is needed: a tenth of a millisecond that most games can do without.
        return np.random.default_rng([self._seed, CHANCE_STREAM])

    def __getitem__(self, index: int) -> float:
        while len(self._drawn) <= index:
            self._drawn.append(float(self._rng.random()))
        return self._drawn[index]
