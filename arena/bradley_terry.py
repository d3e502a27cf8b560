"""Elo and Bradley-Terry ratings from a table of wins and draws, by OpenSpiel's routine.

Model: i scores against j with probability s_i / (s_i + s_j), a draw counting as half a win of each.
Elo writes the strengths s as 400 log10 s, Bradley-Terry as ln s; only differences have a meaning.
`pyspiel.elo` finds the maximum of the likelihood by Hunter's MM algorithm. Source: D. R. Hunter, MM
algorithms for generalized Bradley-Terry models, The Annals of Statistics 32 (2004), 384-406.
"""
from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pyspiel
from scipy.sparse.csgraph import connected_components

from arena.tally import NoFigure

ELO_PER_NAT = 400 / math.log(10)
"""How many Elo points a difference of 1 in ln s is."""
SMOOTHING = pyspiel.elo.DEFAULT_SMOOTHING_FACTOR
"""Wins that OpenSpiel's Elo adds to each side of each two bots, so that all ratings are finite."""

_TOLERANCE = 1e-4
"""By how many wins a bot's expected and actual score may differ where a fit counts as done."""


def expected_score(difference: float | np.ndarray) -> float | np.ndarray:
    """The mean score in [0, 1] that Elo expects of a bot rated `difference` points above another."""
    return 1 / (1 + 10 ** (-np.asarray(difference) / 400))


def groups(wins: np.ndarray, draws: np.ndarray, *, mutual: bool) -> np.ndarray:
    """(b,) int: equal for bots that a chain of matches links, numbered from 0 by first appearance.

    Args:
      wins, draws: (b, b), of the row against the column; draws are symmetric.
      mutual: whether the chain must lead from the one to the other and back, each step going from a
        bot to one that took a win or a draw from it. Bradley-Terry strengths are finite within such
        a group and not beyond (Ford 1957; Hunter's assumption 1).
    """
    _, labels = connected_components(wins + draws > 0, directed=True,
                                     connection="strong" if mutual else "weak")
    _, first, inverse = np.unique(labels, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(first))[inverse]


def _fit(wins: np.ndarray, draws: np.ndarray, smoothing: float, *, exact: bool) -> np.ndarray:
    """OpenSpiel's ratings in Elo points, with mean 0."""
    options = pyspiel.elo.default_elo_options()
    options.smoothing_factor = smoothing
    if exact:
        # The default ends one of the weakest of many bots' fit about half a point too early.
        options.convergence_delta, options.max_iterations = 1e-14, 200_000
    ratings = np.array(pyspiel.elo.compute_ratings_from_matrices(
        np.rint(wins).astype(int).tolist(), np.rint(draws).astype(int).tolist(), options))
    if exact:
        scores = wins + draws / 2 + smoothing * (1 - np.eye(len(wins)))
        expected = (scores + scores.T) * expected_score(ratings[:, None] - ratings)
        error = np.abs(scores.sum(axis=1) - expected.sum(axis=1)).max()
        if error > _TOLERANCE:
            raise NoFigure(f"the ratings of {len(wins)} bots do not converge: after 200,000 steps an "
                           f"expected score is {error:.2g} wins off, expected {_TOLERANCE:g} at most; "
                           "bots that hardly ever meet or win need more matches")
    return ratings - ratings.mean()


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
      wins, draws: (b, b) whole numbers, of the row against the column; draws are symmetric.

    Raises:
      NoFigure: the fit does not converge.
    """
    ratings = np.full(len(wins), np.nan)
    for own in _members(groups(wins, draws, mutual=False)):
        block = np.ix_(own, own)
        ratings[own] = _fit(wins[block], draws[block], SMOOTHING, exact=True)
    return ratings


def elo_of_each(wins: np.ndarray, draws: np.ndarray, group: np.ndarray) -> np.ndarray:
    """(r, b) Elo ratings from each of r tables, from the matches inside the groups and with mean 0 in
    each; NaN for a bot that has none in a table.

    For many tables: fits end at OpenSpiel's own criterion, which may be half a point from the maximum for the weakest
    of bots that are thousands of points apart.

    Args:
      wins, draws: (r, b, b) whole numbers.
      group: (b,) as `groups` numbers them.
    """
    ratings = np.full(wins.shape[:2], np.nan)
    for own in _members(group):
        for number, (won, drawn) in enumerate(zip(wins[:, own[:, None], own], draws[:, own[:, None], own])):
            idle = (won + won.T + drawn).sum(axis=1) == 0
            ratings[number, own] = np.where(idle, np.nan, _fit(won, drawn, SMOOTHING, exact=False))
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
        strengths[own] = _fit(wins[block], draws[block], 0.0, exact=True) / ELO_PER_NAT
    return strengths
