"""Figures from match records: pure functions, for games of two players.

Score. A win counts 1, a draw 1/2, a loss 0; who has the higher return wins, by whatever margin. A
forfeit is a loss of the one and a win of the other, and is counted again by its kind.

Identical matches count once. Where no chance takes part, two matches with the same bots in the same
seats and the same moves are one piece of evidence, however often it is repeated: deterministic
players would otherwise prove anything by repetition. A match with chance outcomes is a fresh deal
each time and always counts; leaving out its repetitions would also distort the chances.
"""
from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist

import numpy as np

from arena.records import FORFEIT_KINDS, MatchRecord

RESAMPLES = 2000
"""Bootstrap resamples; the end points of an interval then move by about a percent of its width."""


def wilson_interval(score: float, n: float, confidence: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval for a rate, without continuity correction.

    Source: E. B. Wilson, Probable inference, the law of succession, and statistical inference,
    Journal of the American Statistical Association 22 (1927), 209-212.

    Args:
      score: the sum of the scores of n matches, in [0, n]. Draws enter as halves; the interval is
        then wider than needed, as a draw varies less than a win or a loss.
      n: how many matches, above 0.
      confidence: in (0, 1).

    Returns:
      (low, high), within [0, 1].

    Raises:
      ValueError: an argument is out of range.
    """
    if not n > 0 or not 0 <= score <= n:
        raise ValueError(f"Wilson interval: expected 0 <= score <= n with n above 0, found score "
                         f"{score} and n {n}")
    if not 0 < confidence < 1:
        raise ValueError(f"Wilson interval: expected a confidence in (0, 1), found {confidence}")
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    p = score / n
    centre = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    # At p of 0 and 1 the interval reaches the end exactly, but not in floating point.
    return (0.0 if score == 0 else max(0.0, centre - half),
            1.0 if score == n else min(1.0, centre + half))


def bootstrap_interval(clusters: Sequence[tuple[float, int]], rng: np.random.Generator,
                       confidence: float = 0.95) -> tuple[float, float] | None:
    """Percentile bootstrap interval for the mean score, resampling whole clusters.

    Args:
      clusters: (sum of scores, number of matches) of each group of matches that share their opening
        and dice. A mirrored pair is such a group.
      rng: for the resampling.
      confidence: in (0, 1).

    Returns:
      (low, high), or None with fewer than two clusters, which say nothing about their spread. Where
      all clusters agree the interval is a point: trust Wilson's then.
    """
    count = len(clusters)
    if count < 2:
        return None
    scores, sizes = (np.array(column, dtype=float) for column in zip(*clusters))
    batch = max(1, 1_000_000 // count)  # resamples at once: speed for few clusters, memory for many
    means = np.concatenate([
        scores[chosen].sum(axis=1) / sizes[chosen].sum(axis=1)
        for start in range(0, RESAMPLES, batch)
        for chosen in [rng.integers(count, size=(min(batch, RESAMPLES - start), count))]])
    low, high = np.quantile(means, [(1 - confidence) / 2, (1 + confidence) / 2])
    return float(low), float(high)


def deduplicate(records: Iterable[MatchRecord]) -> list[MatchRecord]:
    """The first of each set of identical matches (see the module's docstring), in order."""
    kept: dict[object, MatchRecord] = {}
    for record in records:
        actions = record.actions()
        dealt = record.seed if any(player < 0 for player, _ in actions) else None
        ended = record.forfeit and (record.forfeit.player, record.forfeit.kind)
        kept.setdefault((record.game, record.seats, actions, ended, dealt), record)
    return list(kept.values())


@dataclass
class SeatTally:
    """Results of one bot in one seat."""

    wins: int = 0
    draws: int = 0
    losses: int = 0


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


def standing(records: Sequence[MatchRecord], bot: str, rng: np.random.Generator) -> Standing:
    """The standing of `bot` (a canonical spec) in those of the records where it has a seat.

    Matches that share a seed share their opening and dice, also when they are against different
    opponents: these are the clusters of the bootstrap.

    Raises:
      ValueError: the bot plays in none of them, or a match is not between two different bots.
    """
    own = [record for record in records if bot in record.seats]
    if not own:
        raise ValueError(f"standing of {bot!r}: expected at least one match with it, found none")
    for record in own:
        if len(record.seats) != 2 or record.seats[0] == record.seats[1]:
            raise ValueError(f"standing of {bot!r}: expected matches between two different bots, "
                             f"found one of {' and '.join(record.seats)}")
    unique = deduplicate(own)
    by_seat = (SeatTally(), SeatTally())
    forfeits = dict.fromkeys(FORFEIT_KINDS, 0)
    clusters: dict[int, tuple[float, int]] = {}
    total = returns = 0.0
    wins_by_forfeit = 0
    for record in unique:
        seat = record.seats.index(bot)
        score = record.score(seat)
        tally = by_seat[seat]
        tally.wins += score == 1
        tally.draws += score == 0.5
        tally.losses += score == 0
        if record.forfeit is not None and record.forfeit.player == seat:
            forfeits[record.forfeit.kind] += 1
        wins_by_forfeit += record.forfeit is not None and record.forfeit.player != seat
        total += score
        returns += record.returns[seat]
        cluster_score, size = clusters.get(record.seed, (0.0, 0))
        clusters[record.seed] = cluster_score + score, size + 1
    wilson = wilson_interval(total, len(unique))
    bootstrap = bootstrap_interval(list(clusters.values()), rng) or (None, None)
    return Standing(
        matches=len(own), unique_matches=len(unique), wins=sum(t.wins for t in by_seat),
        draws=sum(t.draws for t in by_seat), losses=sum(t.losses for t in by_seat),
        score=total / len(unique), wilson_low=wilson[0], wilson_high=wilson[1],
        bootstrap_low=bootstrap[0], bootstrap_high=bootstrap[1],
        mean_return=returns / len(unique), by_seat=by_seat, forfeits=forfeits,
        wins_by_forfeit=wins_by_forfeit)


def standing_as_json(value: Standing) -> dict[str, object]:
    """The standing as JSON-able data with the attributes' names."""
    return asdict(value)
