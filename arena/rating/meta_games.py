"""Ratings of the game between the bots: alpha-rank and Nash averaging, through OpenSpiel.

The table of results makes a symmetric zero-sum game: each side picks a bot, and wins what its bot scores
above one half, times two; or, where returns have sizes, what its bot gains in the mean. Both ratings see
cycles, which no number for each bot can show. They need a table without gaps, take its means for the truth,
and come without intervals: no coverage is claimed for them.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Sequence

import numpy as np
import pyspiel

from arena.rating.tally import NoFigure
from runs.suggestions import required


def payoffs(scores: np.ndarray, bots: Sequence[str]) -> np.ndarray:
    """Payoffs, (b, b), antisymmetric: the row's gain over the column. For scores this is twice the row's
    surplus above one half, in [-1, 1]; for half the mean returns of a constant-sum game, the mean of what the
    row gains and the column loses.

    Args:
      scores: (b, b), mean scores of the row against the column in [0, 1], or half the mean returns, NaN
        where they never met.
      bots: their names, for the error.

    Raises:
      NoFigure: two bots never met.
    """
    gaps = np.argwhere(np.triu(np.isnan(scores), 1))
    if len(gaps):
        first, second = (bots[bot] for bot in gaps[0])
        raise NoFigure(
            f"{first} and {second} have not met, expected matches between each two bots; "
            f"{len(gaps)} pairs are missing"
        )
    scores = np.where(np.eye(len(scores), dtype=bool), 0.0, scores)  # cancels
    return scores - scores.T


def alpha_rank(payoff: np.ndarray) -> np.ndarray:
    """(b,) the mass of each bot in alpha-rank's stationary distribution: the share of the time that a
    population of bots that switch to better responses spends at it.

    Selection is infinitely strong: any positive payoff counts as better. The noise that keeps the
    chain irreducible is halved until the masses settle.

    Source: S. Omidshafiei et al., alpha-rank: multi-agent evaluation by evolution, Scientific Reports
    9 (2019), 9937; the noise: M. Rowland et al., Multiagent evaluation under incomplete information,
    NeurIPS 2019.

    Args:
      payoff: the payoffs from `payoffs`.

    Raises:
      ImportError: a package of the extra `ratings` is missing.
      NoFigure: OpenSpiel finds no stationary distribution.
    """
    alpharank = required("open_spiel.python.egt.alpharank", "alpha-rank", "ratings")
    if len(payoff) == 1:
        return np.ones(1)  # where the sweep would go on forever
    try:
        with contextlib.redirect_stdout(io.StringIO()):  # it prints each of its own retries
            return np.asarray(alpharank.sweep_pi_vs_epsilon([payoff]))
    except RuntimeError as error:
        raise NoFigure(f"alpha-rank of {len(payoff)} bots: {error}") from error


def nash_averaging(payoff: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The Nash equilibrium of maximum entropy, and each bot's mean payoff against it.

    Unlike a mean over the opponents, neither changes when copies of a bot are added: they share its
    mass. A bot of the equilibrium gets 0, any other at most that.

    Source: D. Balduzzi et al., Re-evaluating evaluation, NeurIPS 2018, section 4. There the payoffs
    are log-odds of wins; here they are differences of scores, as log-odds of 0 and 1 are infinite.

    Args:
      payoff: the payoffs from `payoffs`.

    Returns:
      (b,) masses that sum to 1, and (b,) payoffs in [-1, 0]; both exact to about five digits.

    Raises:
      ImportError: a package of the extra `ratings` is missing.
      NoFigure: the solver fails.
    """
    solver = required("open_spiel.python.algorithms.nash_averaging", "Nash averaging", "ratings")
    cvxpy = required("cvxpy", "Nash averaging", "ratings")
    try:
        mixture, ratings = solver.nash_averaging(pyspiel.create_matrix_game(payoff, -payoff))
    except (cvxpy.error.SolverError, AttributeError) as error:  # without a solution its value is None
        raise NoFigure(
            f"Nash averaging of {len(payoff)} bots: the solver found no equilibrium ({error})"
        ) from error
    return mixture.ravel(), np.ravel(ratings)
