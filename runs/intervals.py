"""Confidence intervals: Wilson's for a rate, Student's for a mean, the bootstrap over clusters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

RESAMPLES = 2000
"""The number of bootstrap resamples; the end points of an interval then move by about a percent of its
width.
"""


def wilson_interval(score: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """Returns Wilson's score interval for a rate, without continuity correction.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference,
    Journal of the American Statistical Association 22 (1927), 209-212.

    Args:
      score: the sum of the scores of n matches, in [0, n]. Draws enter as halves; the interval is
        then wider than needed, as a draw varies less than a win or a loss.
      n: the number of matches, above 0.
      confidence: the confidence, in (0, 1).

    Returns:
      (low, high), within [0, 1].

    Raises:
      ValueError: an argument is out of range.
    """
    if not n > 0 or not 0 <= score <= n:
        raise ValueError(
            f"Wilson interval: expected 0 <= score <= n with n above 0, found score {score} and n {n}"
        )
    if not 0 < confidence < 1:
        raise ValueError(f"Wilson interval: expected a confidence in (0, 1), found {confidence}")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    p = score / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    # At p of 0 and 1 the interval reaches the end exactly, but not in floating point.
    return (0.0 if score == 0 else max(0.0, centre - half), 1.0 if score == n else min(1.0, centre + half))


def mean_interval(values: Sequence[float], confidence: float = 0.95) -> tuple[float, float]:
    """Returns Student's interval for the mean of independent values: Student, The probable error of a mean, Biometrika 6
    (1908), 1-25.

    Args:
      values: the values; fewer than two leave the mean without bounds.
      confidence: the confidence, in (0, 1).
    """
    count = len(values)
    if count < 2:
        return -math.inf, math.inf
    half = special.stdtrit(count - 1, (1 + confidence) / 2) * np.std(values, ddof=1) / math.sqrt(count)
    mean = float(np.mean(values))
    return mean - float(half), mean + float(half)


def bootstrap_interval(
    clusters: ArrayLike, rng: np.random.Generator, confidence: float = 0.95
) -> tuple[float, float] | None:
    """Returns the percentile bootstrap interval for the mean score, resampling whole clusters.

    Args:
      clusters: (k, 2), the sum of scores and the number of matches of each group of matches that
        share their opening and dice. A mirrored pair is such a group.
      rng: random numbers for the resampling.
      confidence: the confidence, in (0, 1).

    Returns:
      (low, high), or None with fewer than two clusters, which say nothing about their spread. Where
      all clusters agree the interval is a point: trust Wilson's then.
    """
    count = len(clusters)
    if count < 2:
        return None
    scores, sizes = np.array(clusters, dtype=float).T
    batch = max(1, 1_000_000 // count)  # resamples at once: speed for few clusters, memory for many
    means = np.concatenate(
        [
            scores[chosen].sum(axis=1) / sizes[chosen].sum(axis=1)
            for start in range(0, RESAMPLES, batch)
            for chosen in [rng.integers(count, size=(min(batch, RESAMPLES - start), count))]
        ]
    )
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)
