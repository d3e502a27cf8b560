"""Mean returns and mean scores with their intervals, from the matches of one game that count."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from arena.rating import intervals
from arena.rating.intervals import Blocks, Estimates
from arena.store.results import Results


@dataclass(frozen=True)
class Rules:
    """The utilities that a game lets a match pay, and the way in which its matches came to be.

    Attributes:
      low, high: the least and the greatest utility.
      outcomes: whether a match is won, drawn or lost and nothing else: a game of two players whose
        utilities are -1, 0 and 1 and sum to 0.
      anytime: whether it was decided during play when to stop, so that the intervals must hold at any time.
      adjusted: whether the luck has been taken out of the returns; `low` and `high` are those of adjusted ones.
    """

    low: float
    high: float
    outcomes: bool
    anytime: bool = False
    adjusted: bool = False


@dataclass(frozen=True)
class Means:
    """Means of one game of p players between b bots, in the order of `Results.bots`.

    Attributes:
      returns: (b,), mean of a bot over all its matches.
      seat_returns: (b, p), mean of a bot in a seat.
      pair_returns: (b, b), mean of the row against the column; b is 0 here unless p is 2.
      scores, pair_scores: the same of scores, a win being 1 and a draw 1/2; None unless `Rules.outcomes`.
      reliable_ratings: (b,) whether an interval of a bot's rating by its outcomes is reliable.
    """

    returns: Estimates
    seat_returns: Estimates
    pair_returns: Estimates
    scores: Estimates | None
    pair_scores: Estimates | None
    reliable_ratings: np.ndarray


def _shaped(found: Estimates, shape: tuple[int, ...]) -> Estimates:
    return Estimates(*(part.reshape(shape) for part in (found.value, found.low, found.high, found.reliable)))


def means(results: Results, fixed: np.ndarray, rules: Rules, rng: np.random.Generator) -> Means:
    """The means of these matches.

    Args:
      results: those from `arena.rating.evidence.evidence`; between two players none of a bot against itself.
      fixed: (n,) the matches that could not have come out otherwise. A figure that rests on these alone is
        exact.
      rules: those of the game.
      rng: random numbers for the bootstrap.
    """
    matches, players = results.seats.shape
    bots = len(results.bots)
    block = np.repeat(np.unique(results.seed, return_inverse=True)[1], players)
    bot, value = results.seats.astype(np.int64).ravel(), results.returns.ravel()
    seat = np.tile(np.arange(players), matches)
    loose = np.repeat(~fixed, players)

    def estimated(
        figure: np.ndarray, values: np.ndarray, shape: tuple[int, ...], of: Callable[[Blocks], Estimates]
    ) -> Estimates:
        figures = int(np.prod(shape))
        found = of(Blocks.of(block, figure, values, figures))
        played = np.bincount(figure, minlength=figures) > 0
        exact = played & (np.bincount(figure, loose, figures) == 0)
        return _shaped(found.exactly(exact), shape)

    def of_returns(own: Blocks) -> Estimates:
        if rules.anytime:
            return intervals.sequence_estimates(own, rules.low, rules.high)
        return intervals.return_estimates(own, rules.low, rules.high, rng, adjusted=rules.adjusted)

    def of_scores(own: Blocks) -> Estimates:
        return intervals.sequence_estimates(own, 0.0, 1.0) if rules.anytime else intervals.score_estimates(own)

    pair_shape = (bots, bots) if players == 2 else (0, 0)
    by_pair = bot * bots + results.seats[:, ::-1].astype(np.int64).ravel() if players == 2 else bot[:0]
    returns = estimated(bot, value, (bots,), of_returns)
    seat_returns = estimated(bot * players + seat, value, (bots, players), of_returns)
    if players == 2:
        pair_returns = estimated(by_pair, value, pair_shape, of_returns)
    else:
        none = np.zeros((0, 0))
        pair_returns = Estimates(none, none, none, none.astype(bool))
    if not rules.outcomes:
        return Means(returns, seat_returns, pair_returns, None, None, np.zeros(bots, bool))
    ahead = (results.returns - results.returns[:, ::-1]).ravel()
    score = np.where(ahead == 0, 0.5, (ahead > 0).astype(float))
    own = Blocks.of(block, bot, score, bots)
    blocks = np.diff(own.counts.indptr)
    return Means(
        returns,
        seat_returns,
        pair_returns,
        estimated(bot, score, (bots,), of_scores),
        estimated(by_pair, score, pair_shape, of_scores),
        (intervals.events(own) >= intervals.RATING_EVENTS) & (blocks >= intervals.RATING_BLOCKS),
    )
