"""Elo and Bradley-Terry ratings from a table of wins and draws.

Model: i scores against j with probability s_i / (s_i + s_j), a draw counting as half a win of each.
Elo writes the strengths s as 400 log10 s, Bradley-Terry as ln s; only differences have a meaning.
`pyspiel.elo` finds the maximum of the likelihood by Hunter's MM algorithm. Where bots are far apart it
stops short of it (ten bots each of which beats the next ones always), so its result is checked; what
it does not reach, and the many tables of a bootstrap, Newton's method finds.

Sources: D. R. Hunter, MM algorithms for generalized Bradley-Terry models, The Annals of Statistics 32
(2004), 384-406. T. Sun and Q. Tran-Dinh, Generalized self-concordant functions: a recipe for
Newton-type methods, Mathematical Programming 178 (2019), 145-213 (the length of the steps).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import numpy as np
import pyspiel
from scipy.sparse.csgraph import connected_components
from scipy.special import expit

from arena.rating.tally import NoFigure

ELO_PER_NAT = 400 / math.log(10)
"""Elo points for a difference of 1 in ln s."""
SMOOTHING = pyspiel.elo.DEFAULT_SMOOTHING_FACTOR
"""Wins that OpenSpiel's Elo adds to each side of each two bots, so that all ratings are finite."""

_TOLERANCE = 1e-6
"""Largest difference in wins between an expected and an actual score at OpenSpiel's maximum."""
_STEPS = 1000
"""Most steps of Newton's method; it takes a few, unless bots are many thousands of points apart."""
_BATCH = 500_000
"""Numbers in the tables that are fitted at a time: 4 MB of each of a few arrays."""
_LAST_STEP = 1e-8
"""Size in nats below which a step is the last one."""


def expected_score(difference: float | np.ndarray) -> float | np.ndarray:
    """The mean score in [0, 1] that Elo expects of a bot rated `difference` points above another."""
    return expit(np.asarray(difference) / ELO_PER_NAT)  # 1 / (1 + 10^(-difference / 400))


def groups(wins: np.ndarray, draws: np.ndarray, *, mutual: bool) -> np.ndarray:
    """Groups, (b,) int: equal for bots that a chain of matches links, numbered from 0 by first appearance.

    Args:
      wins, draws: (b, b), those of the row against the column; draws are symmetric.
      mutual: whether the chain must lead from the one to the other and back, each step going from a
        bot to one that took a win or a draw from it. Bradley-Terry strengths are finite within such
        a group and not beyond (Ford 1957; Hunter's assumption 1).
    """
    _, labels = connected_components(wins + draws > 0, directed=True, connection="strong" if mutual else "weak")
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]


def _table(wins: np.ndarray, draws: np.ndarray, smoothing: float) -> np.ndarray:
    """(..., b, b) scores of the row against the column, added wins included."""
    return (wins + draws / 2 + smoothing) * (1 - np.eye(wins.shape[-1]))


Derivatives = Callable[[np.ndarray, np.ndarray], tuple[np.ndarray, np.ndarray]]
"""A function from (a, b) strengths in nats and the (a,) numbers of their likelihoods to the gradients, (a, b),
and minus the second derivatives, (a, b, b), which the caller does not need any more."""


def maximum(start: np.ndarray, derivatives: Derivatives) -> np.ndarray:
    """(r, b) strengths in nats at the maxima of r log-likelihoods, each with mean 0, by Newton's method.

    The log-likelihoods are sums of differences, and of minus the logarithms of sums of exponentials, of
    strengths: those of Bradley-Terry and Plackett-Luce. They have a finite maximum, and equal shifts of all
    strengths leave them as they are.

    Args:
      start: (r, b), any strengths.
      derivatives: those of the log-likelihoods.

    Raises:
      NoFigure: the steps do not converge.
    """
    strengths = start.copy()
    active = np.arange(len(start))
    for _ in range(_STEPS):
        gradient, curvature = derivatives(strengths[active], active)
        # The null space of the second derivatives, equal shifts of all, is filled up.
        curvature += np.einsum("rii->ri", curvature).mean(axis=1)[:, None, None]
        step = np.linalg.solve(curvature, gradient[:, :, None])[:, :, 0]
        length = np.ptp(step, axis=1)
        # A step cut to this length is known to raise the likelihood; a whole one may overshoot.
        damping = np.log1p(length) / np.maximum(length, 1e-300)
        strengths[active] += np.where(length < _LAST_STEP, 1.0, damping)[:, None] * step
        active = active[length >= _LAST_STEP]
        if not len(active):
            return strengths - strengths.mean(axis=1, keepdims=True)
    raise NoFigure(
        f"the ratings of {start.shape[1]} bots do not converge in {_STEPS} steps of Newton's "
        "method, expected a few; bots that hardly ever meet or win need more matches"
    )


def _newton(scores: np.ndarray, start: np.ndarray) -> np.ndarray:
    """(r, b) strengths in nats at the maximum of the likelihood, with mean 0, from any start.

    Args:
      scores: (r, b, b), which have a finite maximum.
      start: (r, b).
    """
    counts = scores + scores.swapaxes(1, 2)

    def derivatives(strengths: np.ndarray, chosen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        differences = strengths[:, :, None] - strengths[:, None, :]
        chances = expit(differences)
        gradient = (scores[chosen] - counts[chosen] * chances).sum(axis=2)
        curvature = -counts[chosen] * chances * expit(-differences)
        diagonal = np.einsum("rii->ri", curvature)
        diagonal -= curvature.sum(axis=2)
        return gradient, curvature

    return maximum(start, derivatives)


def _fit(wins: np.ndarray, draws: np.ndarray, smoothing: float) -> np.ndarray:
    """(b,) strengths in nats, with mean 0."""
    options = pyspiel.elo.default_elo_options()
    options.smoothing_factor = smoothing
    options.convergence_delta = 1e-14  # of a strength where all sum to 1; weak bots need it
    ratings = np.array(
        pyspiel.elo.compute_ratings_from_matrices(
            np.rint(wins).astype(int).tolist(), np.rint(draws).astype(int).tolist(), options
        )
    )
    scores = _table(wins, draws, smoothing)
    expected = (scores + scores.T) * expected_score(ratings[:, None] - ratings)
    if np.abs(scores.sum(axis=1) - expected.sum(axis=1)).max() > _TOLERANCE:
        return _newton(scores[None], np.zeros((1, len(scores))))[0]
    return (ratings - ratings.mean()) / ELO_PER_NAT


def _members(group: np.ndarray) -> Iterator[np.ndarray]:
    """The bots of each group of two or more."""
    for number in range(group.max(initial=-1) + 1):
        own = np.flatnonzero(group == number)
        if len(own) > 1:
            yield own


def elo(wins: np.ndarray, draws: np.ndarray) -> np.ndarray:
    """(b,) Elo ratings, with mean 0 in each group of bots that matches link; NaN for a bot without
    any match.

    `SMOOTHING` wins are added on both sides of each two bots of a group: the rating of a bot that
    won all its matches is finite, and says no more than that.

    Args:
      wins, draws: (b, b) whole numbers, those of the row against the column; draws are symmetric.

    Raises:
      NoFigure: the fit does not converge.
    """
    ratings = np.full(len(wins), np.nan)
    for own in _members(groups(wins, draws, mutual=False)):
        block = np.ix_(own, own)
        ratings[own] = _fit(wins[block], draws[block], SMOOTHING) * ELO_PER_NAT
    return ratings


def elo_of_each(wins: np.ndarray, draws: np.ndarray, group: np.ndarray) -> np.ndarray:
    """(r, b) Elo ratings from each of r tables, from the matches inside the groups and with mean 0 in
    each; NaN for a bot that has none in a table.

    Args:
      wins, draws: (r, b, b) whole numbers.
      group: (b,) as `groups` numbers them.

    Raises:
      NoFigure: a fit does not converge.
    """
    ratings = np.full(wins.shape[:2], np.nan)
    for own in _members(group):
        scores = _table(wins[:, own[:, None], own], draws[:, own[:, None], own], SMOOTHING)
        start = _newton(scores.mean(axis=0)[None], np.zeros((1, len(own))))
        size = max(1, _BATCH // len(own) ** 2)
        for first in range(0, len(scores), size):
            batch = scores[first : first + size]
            strengths = _newton(batch, np.repeat(start, len(batch), axis=0))
            # Added wins alone are less than half a win on either side of each two bots.
            idle = np.rint(batch + batch.swapaxes(1, 2)).sum(axis=2) == 0
            ratings[first : first + size, own] = np.where(idle, np.nan, strengths * ELO_PER_NAT)
    return ratings


def bradley_terry(wins: np.ndarray, draws: np.ndarray) -> np.ndarray:
    """(b,) maximum-likelihood strengths ln s in nats, with mean 0 in each group that is linked both
    ways (see `groups`, with mutual=True); NaN for a bot alone in its group, whose strength has no
    finite maximum. Strengths of different groups cannot be compared.

    Raises:
      NoFigure: the fit does not converge.
    """
    strengths = np.full(len(wins), np.nan)
    for own in _members(groups(wins, draws, mutual=True)):
        block = np.ix_(own, own)
        strengths[own] = _fit(wins[block], draws[block], 0.0)
    return strengths
