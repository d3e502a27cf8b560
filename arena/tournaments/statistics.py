"""Figures from results: pure functions, for games of two players.

Score. A win counts 1, a draw 1/2, a loss 0; the bot with the higher return wins, by whatever margin. A
forfeit is a loss of the one and a win of the other, and is counted again by its kind.

Repetitions count once, between bots that are deterministic: see `arena.rating.evidence`. Intervals are
over blocks, the matches with one seed: see `arena.rating.intervals`.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import asdict, dataclass

import numpy as np

from arena.matches.records import FORFEIT_KINDS
from arena.rating.evidence import deduplicate, fixed
from arena.rating.intervals import Blocks, Estimates, return_estimates, score_estimates, sequence_estimates
from arena.store.results import NO_SEAT, Results


@dataclass(frozen=True)
class SeatTally:
    """Results of one bot in one seat."""

    wins: int
    draws: int
    losses: int


@dataclass(frozen=True)
class Standing:
    """The results of one bot in a set of matches, repetitions counted once.

    Attributes:
      matches: number of matches played.
      unique_matches: number of matches that count; wins, draws and losses sum to this.
      score: mean score in [0, 1].
      wilson_low, wilson_high: 95 % interval of the score, both None with fewer than two blocks.
      reliable: whether the interval is reliable; otherwise it may cover less than 93 %.
      mean_return: mean of the bot's returns, in utilities of the game.
      return_low, return_high, return_reliable: the same for the mean return.
      exact: whether no match that counts could have come out otherwise, so that nothing is estimated.
      by_seat: results in seat 0 and in seat 1.
      forfeits: number of matches that this bot forfeited, by kind.
      wins_by_forfeit: number of its wins that the other bots forfeited.
    """

    matches: int
    unique_matches: int
    wins: int
    draws: int
    losses: int
    score: float
    wilson_low: float | None
    wilson_high: float | None
    reliable: bool
    mean_return: float
    return_low: float | None
    return_high: float | None
    return_reliable: bool
    exact: bool
    by_seat: tuple[SeatTally, SeatTally]
    forfeits: Mapping[str, int]
    wins_by_forfeit: int


def _ends(found: Estimates) -> tuple[float | None, float | None, bool]:
    low, high = (None if np.isnan(end[0]) else float(end[0]) for end in (found.low, found.high))
    return low, high, bool(found.reliable[0])


def standing(
    results: Results,
    bot: str,
    rng: np.random.Generator,
    *,
    bounds: tuple[float, float] = (-math.inf, math.inf),
    deterministic: Collection[str] | None = None,
    anytime: bool = False,
) -> Standing:
    """The standing of `bot` (a canonical spec) in those of the matches where it has a seat.

    Matches that share a seed share their opening and dice, also when they are against different
    opponents: these are the blocks of the intervals.

    Args:
      results: matches of one game.
      bot: the spec.
      rng: random numbers for the bootstrap of the mean return.
      bounds: the least and the greatest utility of the game; without them there is no interval of the mean
        return over few or equal blocks.
      deterministic: the deterministic bots; None for those that are declared so.
      anytime: whether the intervals are confidence sequences, as play was stopped by a look at them; needs
        bounds.

    Raises:
      ValueError: the bot plays in none of them, or a match is not between two different bots.
    """
    index = results.bots.index(bot) if bot in results.bots else len(results.bots)
    own = results.where((results.seats == index).any(axis=1))
    if not len(own):
        raise ValueError(f"standing of {bot!r}: expected at least one match with it, found none")
    strange = (own.seats != NO_SEAT).sum(axis=1) != 2
    if not strange.any():
        strange = own.seats[:, 0] == own.seats[:, 1]
    if strange.any():
        names = [own.bots[seat] for seat in own.seats[strange][0] if seat != NO_SEAT]
        raise ValueError(
            f"standing of {bot!r}: expected matches between two different bots, "
            f"found one of {' and '.join(names)}"
        )
    unique = deduplicate(own, deterministic)
    same = fixed(unique, deterministic)[0]
    rows = np.arange(len(unique))
    seat = (unique.seats[:, 1] == index).astype(int)
    returns, others = unique.returns[rows, seat], unique.returns[rows, 1 - seat]
    won, drawn = returns > others, returns == others
    scores = won + 0.5 * drawn
    by_seat = tuple(
        SeatTally(
            int(won[chosen].sum()),
            int(drawn[chosen].sum()),
            int(chosen.sum() - won[chosen].sum() - drawn[chosen].sum()),
        )
        for chosen in (seat == 0, seat == 1)
    )
    forfeited = unique.forfeit_seat == seat
    block = np.unique(unique.seed, return_inverse=True)[1]
    exact = np.array([same.all()])
    of_scores, of_returns = (
        Blocks.of(block, np.zeros(len(unique), int), part, 1) for part in (scores, returns)
    )
    if anytime:
        scored, paid = sequence_estimates(of_scores, 0.0, 1.0), sequence_estimates(of_returns, *bounds)
    else:
        scored, paid = score_estimates(of_scores), return_estimates(of_returns, *bounds, rng)
    low, high, reliable = _ends(scored.exactly(exact))
    return_low, return_high, return_reliable = _ends(paid.exactly(exact))
    return Standing(
        matches=len(own),
        unique_matches=len(unique),
        wins=sum(t.wins for t in by_seat),
        draws=sum(t.draws for t in by_seat),
        losses=sum(t.losses for t in by_seat),
        score=float(scores.mean()),
        wilson_low=low,
        wilson_high=high,
        reliable=reliable,
        mean_return=float(returns.mean()),
        return_low=return_low,
        return_high=return_high,
        return_reliable=return_reliable,
        exact=bool(exact[0]),
        by_seat=by_seat,
        forfeits={
            kind: int((forfeited & (unique.forfeit_kind == number)).sum())
            for number, kind in enumerate(FORFEIT_KINDS)
        },
        wins_by_forfeit=int(((unique.forfeit_seat != NO_SEAT) & ~forfeited).sum()),
    )


def standing_as_json(value: Standing) -> dict[str, object]:
    """The standing as JSON-able data with the attributes' names."""
    return asdict(value)
