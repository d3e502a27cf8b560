"""95 % intervals of means over blocks. A block is everything that was played with one seed: the same
opening and the same chance, with the seats exchanged. Blocks are independent, matches within one are not.

Means are ratios of sums over blocks, as a block may lack a match. Which estimator serves which figure was
chosen by the coverage that `benchmarks/coverage.py` simulates; docs/statistics.md has the reasons.

Scores in [0, 1]: Wilson's interval, with the number of matches divided by the design effect and Student's
quantile for the normal one. Where there are less than `FEW_EVENTS` wins or losses, it is joined with the
Clopper-Pearson interval over blocks, which is wider.

Returns: the means of the ends of Student's interval and of those of the bootstrap-t over blocks, which
follows skewness: in the simulation the one covers too little where returns are skewed, the other too much.
With fewer than `FEW_BLOCKS` blocks, or where they are all equal, neither knows the spread: then the betting
interval, which holds for whatever lies between the game's least and greatest utility.

Sources: E. B. Wilson, Journal of the American Statistical Association 22 (1927), 209-212. L. Kish, Survey
Sampling, 1965, section 8.2 (design effect). C. Clopper and E. Pearson, Biometrika 26 (1934), 404-413.
B. Efron and R. Tibshirani, An Introduction to the Bootstrap, 1993, section 12.5 (bootstrap-t).
W. G. Cochran, Sampling Techniques, 3rd ed., 1977, section 2.15 (skewness). I. Waudby-Smith and A. Ramdas,
Estimating means of bounded random variables by betting, Journal of the Royal Statistical Society B 86
(2024), 1-27 (first online 2023), section 4 and appendix B.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike
from scipy import special  # scipy.stats has the same quantiles, and takes most of a second to import
from scipy.sparse import csr_matrix

FEW_EVENTS = 4.0
"""Number of wins or losses, in effective matches, below which a score's interval is the Clopper-Pearson one too."""
FEW_BLOCKS = 20
"""Number of blocks below which the spread of returns is not estimated."""
ADJUSTED_BLOCKS = 50
"""Number of blocks below which an interval from the spread of luck-adjusted returns is not reliable: a rare blunder
is much of what they leave, and few blocks may hold none."""
RATING_BLOCKS = 100
RATING_EVENTS = 10.0
"""Number of blocks, and of wins or losses in effective matches, below which the percentile intervals of figures
that are made from scores, such as Elo, are not reliable."""
SKEW_BLOCKS = 10.0
"""Blocks times the square of the skewness of their sums that a mean's interval needs to be reliable."""
RESAMPLES = 999
"""Resamples of the bootstrap-t; with 999 the 2.5 % quantiles are the 25th numbers from either end."""
MOST_RESAMPLED = 2000
"""Most blocks for which the bootstrap-t is computed; beyond, it is Student's interval to three digits."""

_UNKNOWN_END = 1.5
"""Factor by which an end of Student's interval is moved out where the bootstrap-t's is infinite, since many
resamples consist of equal blocks."""
_LEVEL = 0.05
_GRID = 1000
"""Number of parts into which the range is divided, to look for the means that betting does not refute."""
_LEAST_SPREAD = 1e-12
"""Variance, relative to the square of the values, that counts as rounding."""


@dataclass(frozen=True)
class Estimates:
    """Figures with 95 % intervals: arrays of one shape. NaN where there is no figure, and in `low` and
    `high` where there is no interval. `reliable` is False where an interval may cover less than 93 %."""

    value: np.ndarray
    low: np.ndarray
    high: np.ndarray
    reliable: np.ndarray

    def exactly(self, exact: np.ndarray) -> Estimates:
        """The same, with the intervals of exactly known figures shrunk to them."""
        return Estimates(
            self.value,
            np.where(exact, self.value, self.low),
            np.where(exact, self.value, self.high),
            self.reliable | exact,
        )


@dataclass(frozen=True)
class Blocks:
    """Sums of f figures over k blocks, in the order of the blocks' seeds.

    Attributes:
      sums: (f, k), those of the values.
      counts: (f, k) numbers of matches; 0 where a block has none for the figure.
    """

    sums: csr_matrix
    counts: csr_matrix

    @classmethod
    def of(cls, block: np.ndarray, figure: np.ndarray, value: np.ndarray, figures: int) -> Blocks:
        """Makes blocks from matches.

        Args:
          block, figure, value: (n,), one entry for each match.
          figures: the number f of figures.
        """
        shape = figures, int(block.max(initial=-1)) + 1
        made = (csr_matrix((data, (figure, block)), shape=shape) for data in (value, np.ones(len(value))))
        return cls(*made)


@dataclass(frozen=True)
class _Moments:
    """Moments of each figure: (f,) blocks, matches, mean, and variance and skewness of the mean's blocks."""

    blocks: np.ndarray
    matches: np.ndarray
    mean: np.ndarray
    variance: np.ndarray
    skewness: np.ndarray


def _moments(own: Blocks) -> _Moments:
    total, matches = (np.asarray(part.sum(axis=1)).ravel() for part in (own.sums, own.counts))
    mean = np.divide(total, matches, out=np.full(len(total), np.nan), where=matches > 0)
    present = own.counts.tocoo()
    residual = np.asarray(own.sums[present.row, present.col]).ravel() - mean[present.row] * present.data

    def summed(power: int) -> np.ndarray:
        return np.bincount(present.row, residual**power, minlength=len(total))

    blocks = np.bincount(present.row, minlength=len(total))
    squares, cubes = summed(2), summed(3)
    scale = np.bincount(present.row, (np.abs(mean[present.row]) * present.data) ** 2, minlength=len(total))
    squares[squares <= _LEAST_SPREAD * scale] = 0.0
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = np.where(blocks > 1, squares * blocks / (blocks - 1) / matches**2, np.nan)
        skewness = np.where(squares > 0, cubes / squares**1.5 * np.sqrt(blocks), 0.0)
    return _Moments(blocks, matches, mean, variance, skewness)


def variances(own: Blocks) -> np.ndarray:
    """(f,) the variance of each mean, estimated from the spread of the blocks; NaN with fewer than two."""
    return _moments(own).variance


def _wilson(score: np.ndarray, size: np.ndarray, quantile: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    squared = quantile**2
    centre = (score + squared / (2 * size)) / (1 + squared / size)
    half = quantile / (1 + squared / size) * np.sqrt(score * (1 - score) / size + squared / (4 * size**2))
    return centre - half, centre + half


def clopper_pearson(events: np.ndarray, size: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The ends of the Clopper-Pearson interval; `events` of `size` may be a fraction, as draws are."""
    with np.errstate(invalid="ignore"):
        low = np.where(events > 0, special.betaincinv(events, size - events + 1, _LEVEL / 2), 0.0)
        high = np.where(events < size, special.betaincinv(events + 1, size - events, 1 - _LEVEL / 2), 1.0)
    return low, high


def _effective(own: _Moments) -> np.ndarray:
    """The number of matches divided by the design effect; no fewer than there are blocks."""
    binomial = own.mean * (1 - own.mean)
    spread = np.nan_to_num(own.variance) > 0
    size = np.divide(binomial, own.variance, out=own.blocks.astype(float), where=spread)
    return np.maximum(np.maximum(size, own.blocks), 1.0)


def score_estimates(own: Blocks) -> Estimates:
    """Mean scores in [0, 1]. There is no interval with fewer than two blocks."""
    moments = _moments(own)
    with np.errstate(invalid="ignore"):
        size = _effective(moments)
        quantile = special.stdtrit(np.maximum(moments.blocks - 1, 1), 1 - _LEVEL / 2)
        low, high = _wilson(moments.mean, size, quantile)
        rare = np.minimum(moments.mean, 1 - moments.mean) * size < FEW_EVENTS
        wider = clopper_pearson(moments.mean * moments.blocks, moments.blocks)
    low, high = np.where(rare, np.fmin(low, wider[0]), low), np.where(rare, np.fmax(high, wider[1]), high)
    low, high = (np.where(moments.blocks > 1, np.clip(end, 0.0, 1.0), np.nan) for end in (low, high))
    # At 0 and 1 the interval reaches the end exactly, but not in floating point.
    low, high = np.where(moments.mean == 0, 0 * low, low), np.where(moments.mean == 1, 1 + 0 * high, high)
    return Estimates(moments.mean, low, high, moments.blocks > 1)


def score_interval(block: ArrayLike, score: ArrayLike) -> tuple[float, float]:
    """The 95 % interval of one mean score, see `score_estimates`.

    Args:
      block: (n,) of each match what names its block, such as its seed.
      score: (n,) in [0, 1].

    Returns:
      The ends; 0 and 1 with fewer than two blocks, which say nothing of their spread.
    """
    names = np.unique(block, return_inverse=True)[1]
    found = score_estimates(Blocks.of(names, np.zeros(len(names), int), np.asarray(score, float), 1))
    return float(np.nan_to_num(found.low[0], nan=0.0)), float(np.nan_to_num(found.high[0], nan=1.0))


def events(own: Blocks) -> np.ndarray:
    """(f,) the lesser of wins and losses in effective matches, by which the figures made from scores, such
    as Elo, are judged."""
    moments = _moments(own)
    return np.minimum(moments.mean, 1 - moments.mean) * _effective(moments)


def _bootstrap_t(own: Blocks, moments: _Moments, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """The 2.5 and 97.5 % quantiles of the studentized mean, (f,) each."""
    blocks = own.sums.shape[1]
    weights = rng.multinomial(blocks, np.full(blocks, 1 / blocks), size=RESAMPLES).T.astype(float)
    sums, counts = own.sums @ weights, own.counts @ weights
    squares = own.sums.multiply(own.sums).tocsr() @ weights
    crossed = own.sums.multiply(own.counts).tocsr() @ weights
    counted = own.counts.multiply(own.counts).tocsr() @ weights
    size = (own.counts > 0).astype(float) @ weights
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = sums / counts
        variance = (squares - 2 * mean * crossed + mean**2 * counted) * size / (size - 1) / counts**2
        ahead = mean - moments.mean[:, None]
        student = ahead / np.sqrt(np.maximum(variance, 0.0))
        # A resample of equal blocks is infinitely far off, unless it is where the mean is.
        student = np.where(np.isnan(student) & (counts > 0), np.where(ahead == 0, 0.0, np.inf * ahead), student)
    known = ~np.isnan(student)
    ordered = np.sort(np.where(known, student, np.inf), axis=1)
    number = known.sum(axis=1)
    places = [np.ceil(part * (number + 1)).astype(int) - 1 for part in (_LEVEL / 2, 1 - _LEVEL / 2)]
    return tuple(
        ordered[np.arange(len(ordered)), np.clip(place, 0, np.maximum(number - 1, 0))] for place in places
    )


def betting(values: np.ndarray, *, anytime: bool = False, level: float = _LEVEL) -> tuple[float, float]:
    """The hedged betting interval for the mean of independent values in [0, 1] of whatever distribution.

    Source: Waudby-Smith and Ramdas, theorem 3 and equation 26: all means that neither of two gamblers, who
    bet on more and on less, has become rich against.

    Args:
      values: (n,), in the order of the draws.
      anytime: whether the interval must hold after every draw at once (a confidence sequence), however it
        was decided to stop; else after all n.
      level: the chance to miss the mean.
    """
    means = np.linspace(0.0, 1.0, _GRID + 1)
    more, less = np.zeros(len(means)), np.zeros(len(means))
    kept = np.ones(len(means), bool)
    total, squares = 0.5, 0.25
    with np.errstate(divide="ignore"):
        most = 0.5 / means, 0.5 / (1 - means)
    for number, value in enumerate(values, start=1):
        share = number * math.log(number + 1) if anytime else len(values)
        bet = math.sqrt(2 * math.log(2 / level) / (squares / number * share))
        more += np.log1p(np.minimum(bet, most[0]) * (value - means))
        less += np.log1p(-np.minimum(bet, most[1]) * (value - means))
        kept &= np.maximum(more, less) < math.log(2 / level)
        total += value
        squares += (value - total / (number + 1)) ** 2
    # The true mean may lie between two points, one of which is refuted.
    places = np.flatnonzero(kept)
    if not len(places):  # only where the grid is too coarse for so many values
        middle = float(np.mean(values))
        return max(0.0, middle - 1 / _GRID), min(1.0, middle + 1 / _GRID)
    return max(0.0, float(means[places[0]]) - 1 / _GRID), min(1.0, float(means[places[-1]]) + 1 / _GRID)


def _bounded(own: Blocks, row: int, low: float, high: float, anytime: bool) -> tuple[float, float]:
    """The betting interval of one figure whose values lie in [low, high]."""
    counts = own.counts[row].tocoo()
    means = np.asarray(own.sums[np.full(counts.nnz, row), counts.col]).ravel() / counts.data
    order = np.argsort(counts.col, kind="stable")
    ends = betting(np.clip((means[order] - low) / (high - low), 0.0, 1.0), anytime=anytime)
    return low + ends[0] * (high - low), low + ends[1] * (high - low)


def return_interval(block: ArrayLike, value: ArrayLike, low: float, high: float) -> tuple[float, float]:
    """The 95 % interval of one mean return, see `return_estimates`.

    Args:
      block: (n,) of each match what names its block, such as its seed.
      value: (n,) in [low, high].
      low, high: the least and the greatest value that a match can have.

    Returns:
      The ends; `low` and `high` with fewer than two blocks, which say nothing of their spread.
    """
    names = np.unique(block, return_inverse=True)[1]
    own = Blocks.of(names, np.zeros(len(names), int), np.asarray(value, float), 1)
    found = return_estimates(own, low, high, np.random.default_rng(0))
    return float(np.nan_to_num(found.low[0], nan=low)), float(np.nan_to_num(found.high[0], nan=high))


def return_estimates(
    own: Blocks, low: float, high: float, rng: np.random.Generator, *, adjusted: bool = False
) -> Estimates:
    """Mean returns.

    Args:
      own: the figures.
      low, high: the least and the greatest utility of the game; where they are not finite, there is no
        interval with few or equal blocks.
      rng: random numbers for the bootstrap-t.
      adjusted: whether the luck has been taken out of the returns, see `ADJUSTED_BLOCKS`.
    """
    moments = _moments(own)
    ends = np.full((2, len(moments.mean)), np.nan)
    plain = (moments.blocks >= FEW_BLOCKS) & (moments.variance > 0)
    if plain.any():
        error = np.sqrt(moments.variance)
        student = special.stdtrit(np.maximum(moments.blocks - 1, 1), 1 - _LEVEL / 2)
        lower, upper = -student, student
        if own.sums.shape[1] <= MOST_RESAMPLED:
            skewed = _bootstrap_t(own, moments, rng)
            lower, upper = (
                np.where(np.isfinite(end), (own_end + end) / 2, _UNKNOWN_END * own_end)
                for own_end, end in zip((lower, upper), skewed)
            )
        with np.errstate(invalid="ignore"):
            ends[:, plain] = np.clip(
                np.stack([moments.mean - upper * error, moments.mean - lower * error]), low, high
            )[:, plain]
    bounded = ~plain & (moments.blocks > 1)
    if np.isfinite([low, high]).all() and high > low:
        for row in np.flatnonzero(bounded):
            found = _bounded(own, int(row), low, high, False)
            ends[:, row] = min(found[0], moments.mean[row]), max(found[1], moments.mean[row])
        enough = moments.blocks >= np.where(plain, SKEW_BLOCKS * moments.skewness**2, 2)
    else:
        enough = plain & (moments.blocks >= SKEW_BLOCKS * moments.skewness**2)
    if adjusted:
        enough &= ~plain | (moments.blocks >= ADJUSTED_BLOCKS)
    return Estimates(moments.mean, *ends, enough)


def sequence_estimates(own: Blocks, low: float, high: float) -> Estimates:
    """Means with confidence sequences, which hold whenever it is decided to stop; values in [low, high]."""
    moments = _moments(own)
    ends = np.full((2, len(moments.mean)), np.nan)
    for row in np.flatnonzero(moments.blocks > 0):
        ends[:, row] = _bounded(own, int(row), low, high, True)
    return Estimates(moments.mean, *ends, moments.blocks > 0)
