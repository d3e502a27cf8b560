"""Paired differences between two players of the same matches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from bt_policies.measuring.metrics import Figures
from runs.intervals import mean_interval


@dataclass(frozen=True)
class Gain:
    """The mean of a difference over matches.

    Attributes:
      differences: the difference in each match.
    """

    differences: tuple[float, ...]

    @property
    def games(self) -> int:
        """Matches."""
        return len(self.differences)

    @property
    def mean(self) -> float:
        """The mean difference; 0 without a match."""
        return float(np.mean(self.differences)) if self.differences else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The 95 % interval of the mean by Student's t; without bounds for fewer than two matches."""
        return mean_interval(self.differences)


def gain(metrics: Sequence[str], own: Sequence[Figures], others: Sequence[Figures]) -> Gain:
    """Returns how much better one player does than another in the same matches, averaged over metrics.

    Args:
      metrics: names of rewards (`metrics.METRICS`).
      own, others: figures of each match, in the same order. A metric that a match has no value of counts as level.

    Raises:
      ValueError: the numbers of matches differ.
    """
    if len(own) != len(others):
        raise ValueError(f"gain: expected figures of the same matches, found {len(own)} and {len(others)}")
    return Gain(
        tuple(
            sum(_difference(one[name], other[name]) for name in metrics) / len(metrics)
            for one, other in zip(own, others)
        )
    )


def _difference(own: tuple[float, float], other: tuple[float, float]) -> float:
    if not own[1] or not other[1]:
        return 0.0
    return own[0] / own[1] - other[0] / other[1]


def points(gain: Gain) -> str:
    """Returns a difference of rewards in hundredths, with its interval, as text."""
    low, high = gain.interval
    return f"{100 * gain.mean:+.1f} points ({100 * low:+.1f} to {100 * high:+.1f}; {gain.games} matches)"
