"""The sums over the matches of one game, for each two bots and each seat, with bootstrap resamples.

Elo and Bradley-Terry are functions of such sums, so their intervals come from the same functions of
resampled sums. What is resampled are the blocks: all matches with one seed share their opening and their
dice, whoever plays them, so a mirrored pair stays together, and so do the matches that different
bots played from one deal (a paired bootstrap). Means have intervals of their own, in `arena.rating.means`.
"""

from __future__ import annotations

import warnings
from dataclasses import dataclass

import numpy as np
from scipy import special  # scipy.stats has the same quantiles, and takes most of a second to import
from scipy.sparse import csr_matrix

from arena.rating.evidence import evidence  # noqa: F401  (its documented place)
from arena.rating.intervals import Estimates
from arena.store.results import Results

_BATCH = 4_000_000
"""Numbers held at a time while resampling: 32 MB of each of a few arrays."""


class NoFigure(ValueError):
    """These matches do not have a figure; the message says why."""


def _quantiles(samples: np.ndarray, parts: np.ndarray) -> np.ndarray:
    """The quantile of each figure, (r, ...), at its own part, (...); NaN are left out."""
    found = np.full(parts.shape, np.nan)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "All-NaN slice", RuntimeWarning)
        for part in np.unique(parts):
            found = np.where(parts == part, np.nanquantile(samples, part, axis=0), found)
    return found


def percentiles(
    samples: np.ndarray, openings: np.ndarray | int, reliable: np.ndarray | bool = True
) -> Estimates:
    """The figure of the matches themselves, `samples[0]`, with the expanded percentile interval of the
    resamples, `samples[1:]`; those where it is NaN are left out.

    Source: T. Hesterberg, What teachers should know about the bootstrap, The American Statistician 69
    (2015), 371-386, section 5.3.

    Args:
      samples: (1 + resamples, ...).
      openings: number of openings that bear on each figure, in a shape that broadcasts to (...). With one there
        is no interval.
      reliable: likewise, whether the interval is reliable.
    """
    count = np.maximum(np.broadcast_to(openings, samples[0].shape), 2)
    # Expanded: a bootstrap of n blocks spreads by the root of (n - 1) / n too little, and knows no Student.
    outside = special.ndtr(-np.sqrt(count / (count - 1)) * special.stdtrit(count - 1, 0.975))
    low, high = (_quantiles(samples[1:], part) for part in (outside, 1 - outside))
    known = (np.asarray(openings) > 1) & ~np.isnan(samples[0])
    low, high = (np.where(known, end, np.nan) for end in (low, high))
    return Estimates(samples[0], low, high, known & reliable)


@dataclass(frozen=True)
class Tally:
    """Sums over the matches of one game of p players between b bots.

    The first axis of the arrays numbers samples: the matches themselves, then the resamples.

    Attributes:
      bots: their specs, in alphabetical order.
      openings: number of different seeds.
      seat_matches, seat_returns: (1 + resamples, b, p), matches and sum of returns of a bot by seat.
      bot_openings: (b,), openings from which a bot played.
      seat_openings: (b, p), those from which it played in a seat.
      matches, wins, draws, returns: (1 + resamples, b, b), of the row against the column in either
        seat; `returns` are the row's. b is 0 here unless p is 2.
      pair_openings: (b, b), openings from which the two met.
    """

    bots: tuple[str, ...]
    openings: int
    seat_matches: np.ndarray
    seat_returns: np.ndarray
    bot_openings: np.ndarray
    seat_openings: np.ndarray
    matches: np.ndarray
    wins: np.ndarray
    draws: np.ndarray
    returns: np.ndarray
    pair_openings: np.ndarray

    def scores(self) -> np.ndarray:
        """(1 + resamples, b, b): mean score of the row against the column, a win being 1 and a draw
        1/2; NaN where they did not meet."""
        return _ratio(self.wins + self.draws / 2, self.matches)

    def bot_scores(self) -> np.ndarray:
        """(1 + resamples, b): mean score of each bot over all its matches."""
        return _ratio((self.wins + self.draws / 2).sum(axis=-1), self.matches.sum(axis=-1))

    def mean_returns_against(self) -> np.ndarray:
        """(1 + resamples, b, b): mean return of the row against the column."""
        return _ratio(self.returns, self.matches)

    def mean_returns(self) -> np.ndarray:
        """(1 + resamples, b): mean return of each bot over all its matches."""
        return _ratio(self.seat_returns.sum(axis=-1), self.seat_matches.sum(axis=-1))

    def mean_returns_by_seat(self) -> np.ndarray:
        """(1 + resamples, b, p): mean return of each bot in each seat."""
        return _ratio(self.seat_returns, self.seat_matches)


def _ratio(sums: np.ndarray, counts: np.ndarray) -> np.ndarray:
    return np.divide(sums, counts, out=np.full(sums.shape, np.nan), where=counts > 0)


def _different(cluster: np.ndarray, column: np.ndarray, columns: int) -> np.ndarray:
    """The number of different clusters in each column."""
    return np.bincount(np.unique(cluster * columns + column) % columns, minlength=columns)


def _sampled_sums(
    cluster: np.ndarray,
    column: np.ndarray,
    values: np.ndarray,
    columns: int,
    rng: np.random.Generator,
    resamples: int,
) -> np.ndarray:
    """(1 + resamples, columns, v): sums of values by column, over all clusters and over resamples of
    as many clusters, drawn with replacement.

    Args:
      cluster: (n,), numbers from 0 to the number of clusters.
      column: (n,), in [0, columns).
      values: (n, v).
    """
    width = values.shape[1]
    clusters = int(cluster.max()) + 1
    target = (column[:, None] * width + np.arange(width)).ravel()
    matrix = csr_matrix(
        (values.ravel(), (target, np.repeat(cluster, width))), shape=(columns * width, clusters)
    )
    matrix.eliminate_zeros()
    sums = np.empty((1 + resamples, columns * width))
    sums[0] = matrix @ np.ones(clusters)
    batch = max(1, _BATCH // clusters)
    for start in range(0, resamples, batch):
        size = min(batch, resamples - start)
        drawn = rng.integers(clusters, size=(size, clusters)) + clusters * np.arange(size)[:, None]
        counts = np.bincount(drawn.ravel(), minlength=size * clusters).reshape(size, clusters)
        sums[1 + start : 1 + start + size] = (matrix @ np.ascontiguousarray(counts.T, float)).T
    return sums.reshape(1 + resamples, columns, width)


def tally(results: Results, rng: np.random.Generator, resamples: int) -> Tally:
    """Sums up the matches of one game, as `arena.rating.evidence.evidence` gives them.

    Between two players, a match of a bot against itself tells nothing and must not be there.

    Args:
      results: those of at least one match.
      rng: random numbers for the resampling.
      resamples: number of resamples of the openings, at least 1. With one opening they all equal the matches
        themselves.
    """
    n, players = results.seats.shape
    bots = len(results.bots)
    seeds, cluster = np.unique(results.seed, return_inverse=True)
    seats = results.seats.astype(np.int64)
    clusters = np.repeat(cluster, players)
    bot_openings = _different(clusters, seats.ravel(), bots)
    in_seat = (seats * players + np.arange(players)).ravel()
    seat_openings = _different(clusters, in_seat, bots * players).reshape(bots, players)
    if players != 2:
        values = np.stack([np.ones(n * players), results.returns.ravel()], axis=1)
        sums = _sampled_sums(clusters, in_seat, values, bots * players, rng, resamples)
        by_seat = sums.reshape(1 + resamples, bots, players, 2)
        none = np.zeros((1 + resamples, 0, 0))
        return Tally(
            results.bots,
            len(seeds),
            by_seat[..., 0],
            by_seat[..., 1],
            bot_openings,
            seat_openings,
            none,
            none,
            none,
            none,
            np.zeros((0, 0), int),
        )
    first, second = results.returns.T
    values = np.stack([np.ones(n), first > second, first == second, first, second], axis=1)
    sums = _sampled_sums(cluster, seats[:, 0] * bots + seats[:, 1], values, bots * bots, rng, resamples)
    # From here on by the bot in the first seat (rows) and the bot in the second (columns).
    matches, wins, draws, first_returns, second_returns = np.moveaxis(
        sums.reshape(1 + resamples, bots, bots, 5), -1, 0
    )

    def either_seat(as_first: np.ndarray, as_second: np.ndarray) -> np.ndarray:
        return as_first + as_second.swapaxes(-1, -2)

    low, high = seats.min(axis=1), seats.max(axis=1)
    pair_openings = _different(cluster, low * bots + high, bots * bots).reshape(bots, bots)
    return Tally(
        results.bots,
        len(seeds),
        seat_matches=np.stack([matches.sum(axis=-1), matches.sum(axis=-2)], axis=-1),
        seat_returns=np.stack([first_returns.sum(axis=-1), second_returns.sum(axis=-2)], axis=-1),
        bot_openings=bot_openings,
        seat_openings=seat_openings,
        matches=either_seat(matches, matches),
        wins=either_seat(wins, matches - wins - draws),
        draws=either_seat(draws, draws),
        returns=either_seat(first_returns, second_returns),
        pair_openings=pair_openings + pair_openings.T,
    )
