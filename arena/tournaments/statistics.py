"""Figures from results: pure functions, for games of two players.

Score. A win counts 1, a draw 1/2, a loss 0; who has the higher return wins, by whatever margin. A
forfeit is a loss of the one and a win of the other, and is counted again by its kind.

Identical matches count once. Where no chance takes part, two matches with the same bots in the same
seats and the same moves are one piece of evidence, however often it is repeated: deterministic
players would otherwise prove anything by repetition. A match with chance outcomes is a fresh deal
each time and always counts; leaving out its repetitions would also distort the chances.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np

from arena.matches.records import FORFEIT_KINDS
from arena.store.results import NO_SEAT, Results
from runs.intervals import bootstrap_interval, wilson_interval


def deduplicate(results: Results) -> Results:
    """The first of each set of identical matches (see the module's docstring), in order."""
    keys = (
        results.forfeit_kind,
        results.forfeit_seat,
        np.where(results.dealt, results.seed, 0),
        results.dealt,
        *results.seats.T,
        results.game,
        results.course,
    )
    order = np.lexsort(keys)  # stable, so that of equal rows the first stays first
    new = np.zeros(len(results), bool)
    new[:1] = True
    for key in keys:
        ordered = key[order]
        new[1:] |= ordered[1:] != ordered[:-1]
    return results.where(np.sort(order[new]))


@dataclass(frozen=True)
class SeatTally:
    """Results of one bot in one seat."""

    wins: int
    draws: int
    losses: int


@dataclass(frozen=True)
class Standing:
    """How one bot did in a set of matches, identical ones counted once.

    Attributes:
      matches: how many were played.
      unique_matches: how many count; wins, draws and losses sum to this.
      score: mean score in [0, 1].
      wilson_low, wilson_high: 95 % interval of the score over the unique matches.
      bootstrap_low, bootstrap_high: 95 % interval of the score over the openings, both None with
        fewer than two openings.
      mean_return: mean of the bot's returns, in utilities of the game.
      by_seat: results in seat 0 and in seat 1.
      forfeits: how many matches this bot forfeited, by kind.
      wins_by_forfeit: how many of its wins the other bots forfeited.
    """

    matches: int
    unique_matches: int
    wins: int
    draws: int
    losses: int
    score: float
    wilson_low: float
    wilson_high: float
    bootstrap_low: float | None
    bootstrap_high: float | None
    mean_return: float
    by_seat: tuple[SeatTally, SeatTally]
    forfeits: Mapping[str, int]
    wins_by_forfeit: int


def standing(results: Results, bot: str, rng: np.random.Generator) -> Standing:
    """The standing of `bot` (a canonical spec) in those of the matches where it has a seat.

    Matches that share a seed share their opening and dice, also when they are against different
    opponents: these are the clusters of the bootstrap.

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
    unique = deduplicate(own)
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
    _, first, cluster = np.unique(unique.seed, return_index=True, return_inverse=True)
    clusters = np.stack([np.bincount(cluster, scores), np.bincount(cluster)], axis=1)
    wilson = wilson_interval(float(scores.sum()), len(unique))
    # In the order of their first matches, on which the resampling depends.
    bootstrap = bootstrap_interval(clusters[np.argsort(first)], rng) or (None, None)
    return Standing(
        matches=len(own),
        unique_matches=len(unique),
        wins=sum(t.wins for t in by_seat),
        draws=sum(t.draws for t in by_seat),
        losses=sum(t.losses for t in by_seat),
        score=float(scores.mean()),
        wilson_low=wilson[0],
        wilson_high=wilson[1],
        bootstrap_low=bootstrap[0],
        bootstrap_high=bootstrap[1],
        mean_return=float(returns.mean()),
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
