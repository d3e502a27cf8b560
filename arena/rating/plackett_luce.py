"""Plackett-Luce ratings of matches between any number of players, ranked by their returns in the match.

Model: the bots of a match finish as if first places were drawn one after the other, each time a bot of
strength s_i among those left with probability s_i / (the sum of their strengths). Strengths are written as
ln s, in nats; only differences have a meaning. With two players this is Bradley-Terry.

Ties. Bots with equal returns share a place. The log-likelihood of such a match is the mean over all orders
in which its ties can be broken, the linear extensions of the ranking: a tie is as good evidence for the one
order as for the other. With two players that counts a draw as half a win of each, as our Elo and
Bradley-Terry do. The mean has a closed form: when t bots tie and the bots R come after them, each set S of s
of the t is what is left of them in one of C(t, s) orders, so the tie adds

    sum over i of the tie of ln s_i  -  sum over S of ln(s(S) + s(R)) / C(t, s).

All of it depends on the matches through sums only, so that the order of the records has no influence. The
log-likelihood is concave; its maximum is finite inside groups of bots each of which finished ahead of, or
level with, each other one over a chain of matches, and by Luce's axiom the rankings within such a group are
all that bears on it (Hunter's assumption 1).

Sources: R. L. Plackett, The analysis of permutations, Applied Statistics 24 (1975), 193-202. R. D. Luce,
Individual choice behavior, Wiley 1959. D. R. Hunter, MM algorithms for generalized Bradley-Terry models, The
Annals of Statistics 32 (2004), section 5. Another likelihood of ties, with a parameter for each size of a
tie: D. Firth, I. Kosmidis and H. Turner, Davidson-Luce model for multi-item choice with ties, 2019,
arXiv:1909.07123; with two players its strengths differ from those where a draw is half a win.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import softmax

from arena.rating.bradley_terry import SMOOTHING, groups, maximum
from arena.store.results import NO_SEAT, Results

_BATCH = 500_000
"""Numbers in the tables that are fitted, or resampled, at a time."""


def ahead(results: Results) -> tuple[np.ndarray, np.ndarray]:
    """The number of times that bots finished ahead of each other in a match.

    Args:
      results: those of one game of p players between b bots.

    Returns:
      (b, b) counts of the row ahead of the column, and (b, b) of the two level, which is symmetric; as wins and
      draws for `arena.rating.bradley_terry.groups`. Seats of one bot are not compared.
    """
    bots = len(results.bots)
    wins, draws = np.zeros((bots, bots)), np.zeros((bots, bots))
    for one, other in itertools.permutations(range(results.seats.shape[1]), 2):
        rows, columns = results.seats[:, one], results.seats[:, other]
        met = (rows != columns) & (rows != NO_SEAT) & (columns != NO_SEAT)
        difference = results.returns[:, one] - results.returns[:, other]
        for table, chosen in ((wins, difference > 0), (draws, difference == 0)):
            np.add.at(table, (rows[chosen & met], columns[chosen & met]), 1)
    return wins, draws


@dataclass(frozen=True)
class Choices:
    """The data on which a Plackett-Luce likelihood of n matches between b bots depends: many matches end alike, and
    the terms of u different rankings are worked out once.

    Attributes:
      sets: (c, b) number of seats that each bot has among those left at a choice; all rows differ.
      made: (u, c) sparse, number of times that each choice was made in a ranking, in parts where there are ties.
      chosen: (u, b) sparse, number of times that each bot was chosen in a ranking: at most once for each seat.
      ranking: (n,) the number of each match's ranking, in [0, u).
    """

    sets: np.ndarray
    made: csr_matrix
    chosen: csr_matrix
    ranking: np.ndarray

    @classmethod
    def of(cls, results: Results, own: Sequence[int] | np.ndarray) -> Choices:
        """The choices in matches of one game among the bots `own`, given by number; others are left out of
        the rankings."""
        orders, ranking = _rankings(results, own)
        of_order = [(Counter(_chosen(order)), _choices(order, len(own))) for order in orders]
        columns: dict[tuple[int, ...], int] = {}
        made = [
            (row, columns.setdefault(left, len(columns)), weight)
            for row, (_, choices) in enumerate(of_order)
            for left, weight in choices.items()
        ]
        chosen = [(row, bot, count) for row, (bots, _) in enumerate(of_order) for bot, count in bots.items()]
        return cls(
            np.array(list(columns), float).reshape(len(columns), len(own)),
            _sparse(made, (len(orders), len(columns))),
            _sparse(chosen, (len(orders), len(own))),
            ranking,
        )

    def sums(self, cluster: np.ndarray, clusters: int) -> tuple[csr_matrix, csr_matrix]:
        """(clusters, c) and (clusters, b) sparse, `made` and `chosen` summed over the matches of each cluster.

        Args:
          cluster: (n,), in [0, clusters).
        """
        shape = (clusters, self.made.shape[0])
        counts = csr_matrix((np.ones(len(cluster)), (cluster, self.ranking)), shape=shape)
        return (counts @ self.made).tocsr(), (counts @ self.chosen).tocsr()


def _rankings(
    results: Results, own: Sequence[int] | np.ndarray
) -> tuple[list[tuple[tuple[int, ...], ...]], np.ndarray]:
    """The different rankings of the bots `own`, as places of bots, best first; and (n,) the number of each match."""
    place = np.full(len(results.bots) + 1, NO_SEAT)  # the last for NO_SEAT
    place[own] = np.arange(len(own))
    seats = place[results.seats]
    returns = np.where(seats == NO_SEAT, -np.inf, results.returns)
    ahead_of = (returns[:, :, None] < returns[:, None, :]).sum(axis=2)  # equal where returns are
    codes = np.sort(np.where(seats == NO_SEAT, NO_SEAT, ahead_of * len(own) + seats), axis=1)
    different, ranking = np.unique(codes, axis=0, return_inverse=True)
    orders = [
        tuple(
            tuple(code % len(own) for code in tied)
            for _, tied in itertools.groupby(
                (code for code in row if code != NO_SEAT), lambda code: code // len(own)
            )
        )
        for row in different.tolist()
    ]
    return orders, ranking.ravel()


def _sparse(entries: Sequence[tuple[int, int, float]], shape: tuple[int, int]) -> csr_matrix:
    rows, columns, values = zip(*entries) if entries else ((), (), ())
    return csr_matrix((np.array(values, float), (rows, columns)), shape=shape)


def _left(order: Sequence[Sequence[int]]) -> Iterator[tuple[tuple[int, ...], Sequence[int]]]:
    """The bots of each place with those of all places after it; places from which on one bot has all seats say
    nothing and are left out."""
    after: tuple[int, ...] = ()
    for place in reversed(order):
        if len({*place, *after}) > 1:
            yield after, place
        after = (*place, *after)


def _chosen(order: Sequence[Sequence[int]]) -> Iterator[int]:
    """The bots chosen one after the other."""
    for _, place in _left(order):
        yield from place


def _choices(order: Sequence[Sequence[int]], bots: int) -> Counter[tuple[int, ...]]:
    """The seats by bot left at each choice, and how often each choice was made: see the module's docstring."""
    found: Counter[tuple[int, ...]] = Counter()
    for after, place in _left(order):
        for size in range(1, len(place) + 1):
            for rest in itertools.combinations(place, size):
                seats = Counter((*rest, *after))
                found[tuple(seats[bot] for bot in range(bots))] += 1 / math.comb(len(place), size)
    return found


def _fit(sets: np.ndarray, made: np.ndarray, chosen: np.ndarray, start: np.ndarray) -> np.ndarray:
    """(r, b) strengths in nats at the maximum of each of r likelihoods, with mean 0.

    Args:
      sets: (c, b), see `Choices`.
      made, chosen: (r, c) and (r, b), sums over matches.
      start: (r, b).
    """
    with np.errstate(divide="ignore"):
        seats = np.log(sets)  # minus infinity where a bot is not among those left

    def derivatives(strengths: np.ndarray, rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        chances = softmax(strengths[:, None, :] + seats, axis=2)
        weighted = made[rows][:, :, None] * chances
        expected = weighted.sum(axis=1)
        curvature = -np.swapaxes(weighted, 1, 2) @ chances
        np.einsum("rii->ri", curvature)[:] += expected
        return chosen[rows] - expected, curvature

    return maximum(start, derivatives)


def _smoothed(
    sets: np.ndarray, made: np.ndarray, chosen: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The arguments of `_fit` with `SMOOTHING` wins added to each side of each two bots, as for our Elo."""
    bots = sets.shape[1]
    pairs = np.zeros((bots * (bots - 1) // 2, bots))
    for row, pair in enumerate(itertools.combinations(range(bots), 2)):
        pairs[row, list(pair)] = 1
    added = np.full((len(made), len(pairs)), 2 * SMOOTHING)
    return (
        np.concatenate([sets, pairs]),
        np.concatenate([made, added], axis=1),
        chosen + SMOOTHING * (bots - 1),
    )


def _members(group: np.ndarray) -> Iterator[np.ndarray]:
    for number in range(group.max(initial=-1) + 1):
        if (group == number).sum() > 1:
            yield np.flatnonzero(group == number)


def plackett_luce(results: Results) -> tuple[np.ndarray, np.ndarray]:
    """Maximum-likelihood strengths from all matches of one game.

    Args:
      results: those of b bots, in any order, with any number of players.

    Returns:
      (b,) strengths ln s in nats, with mean 0 in each group, NaN for a bot alone in its group; and (b,) the
      groups, numbered as `arena.rating.bradley_terry.groups` does. Strengths of different groups cannot be
      compared. With two players, strengths are those of `bradley_terry` up to its tolerance.

    Raises:
      NoFigure: the fit does not converge.
    """
    group = groups(*ahead(results), mutual=True)
    strengths = np.full(len(results.bots), np.nan)
    for own in _members(group):
        choices = Choices.of(results, own)
        made, chosen = (part.toarray() for part in choices.sums(np.zeros(len(results), int), 1))
        strengths[own] = _fit(choices.sets, made, chosen, np.zeros((1, len(own))))[0]
    return strengths, group


def resampled(results: Results, group: np.ndarray, rng: np.random.Generator, resamples: int) -> np.ndarray:
    """(resamples, b) strengths from resamples of whole blocks, drawn with replacement: all matches with one
    seed share their deal, whoever plays them.

    In a resample a strength may have no finite maximum although it has one in all matches, so `SMOOTHING`
    wins are added to each side of each two bots of a group. NaN for a bot that a resample leaves out.

    Args:
      results: those of one game.
      group: the groups from `plackett_luce`.
      rng: random numbers for the resampling.
      resamples: their number, at least 1.

    Raises:
      NoFigure: a fit does not converge.
    """
    seeds, block = np.unique(results.seed, return_inverse=True)
    blocks = len(seeds)
    members = [(own, Choices.of(results, own)) for own in _members(group)]
    by_block = [choices.sums(block, blocks) for _, choices in members]
    strengths = np.full((resamples, len(results.bots)), np.nan)
    widest = max((choices.sets.size + len(own) ** 3 for own, choices in members), default=1)
    size = max(1, _BATCH // max(blocks, widest))
    for first in range(0, resamples, size):
        drawn = rng.integers(blocks, size=(min(size, resamples - first), blocks))
        counts = np.stack([np.bincount(row, minlength=blocks) for row in drawn]).astype(float)
        for (own, choices), (made_in, chosen_in) in zip(members, by_block):
            made, chosen = counts @ made_in, counts @ chosen_in
            fitted = _fit(*_smoothed(choices.sets, made, chosen), np.zeros((len(counts), len(own))))
            took_part = made @ (choices.sets > 0) > 0
            strengths[first : first + len(counts), own] = np.where(took_part, fitted, np.nan)
    return strengths
