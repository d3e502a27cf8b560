"""Intervals against what others computed: scipy's binomials and t, published values, closed forms."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.stats

from arena.rating import intervals
from arena.rating.intervals import (
    Blocks,
    betting,
    clopper_pearson,
    return_estimates,
    return_interval,
    score_estimates,
    score_interval,
)
from runs.intervals import wilson_interval


def blocks(sums, matches=1):
    """One figure, from the sums of its blocks."""
    sums = np.asarray(sums, float)
    places = np.repeat(np.arange(len(sums)), matches)
    values = np.repeat(sums / matches, matches)
    return Blocks.of(places, np.zeros(len(places), int), values, 1)


def ends(found):
    return found.low[0], found.high[0]


@pytest.mark.parametrize("wins, n", [(0, 12), (1, 29), (15, 148), (12, 12), (81, 263)])
def test_clopper_pearson_against_scipy(wins, n):
    theirs = scipy.stats.binomtest(wins, n).proportion_ci(0.95, method="exact")
    found = clopper_pearson(np.array([float(wins)]), np.array([n]))
    assert [float(end[0]) for end in found] == pytest.approx([theirs.low, theirs.high])


def test_the_interval_of_one_score_is_over_blocks():
    # Six matches of three openings, all lost: three draws, for which Wilson's end is t^2 / (n + t^2).
    low, high = score_interval([7, 7, 8, 8, 9, 9], [0.0] * 6)
    student = scipy.stats.t.ppf(0.975, 2)
    assert low == 0.0 and high == pytest.approx(student**2 / (3 + student**2))
    # The order of the matches has no influence, and neither has what the blocks are called.
    assert score_interval([3, 1, 2, 1], [1, 0, 0.5, 1]) == score_interval([20, 20, 30, 10], [1, 0, 0.5, 1])
    assert score_interval([5, 5], [1, 0]) == (0.0, 1.0)  # one block


def test_the_interval_of_one_mean_return_is_of_its_blocks():
    """Pairs that sum to nothing have a mean without spread, matches alone would not; one block says nothing."""
    rng = np.random.default_rng(5)
    values = rng.normal(size=60)
    mirrored = np.stack([values, -values], axis=1).ravel()
    low, high = return_interval(np.repeat(np.arange(60), 2), mirrored, -9, 9)
    alone = return_interval(np.arange(120), mirrored, -9, 9)
    assert low <= 0 <= high and alone[0] < -0.05 < 0.05 < alone[1]
    assert return_interval([4, 4], [3.0, -1.0], -9, 9) == (-9, 9)
    student = 2.0009953780882  # the .975 quantile of t with 59 degrees of freedom, from a table
    own = return_interval(np.arange(60), values, -9, 9)
    plain = student * values.std(ddof=1) / 60**0.5
    assert own == pytest.approx((values.mean() - plain, values.mean() + plain), abs=0.1 * plain)


def test_the_design_effect_of_pairs_that_end_alike_is_two():
    # 100 blocks of two equal matches: as much as 100 matches tell, the correction for the mean's loss apart.
    found = score_estimates(blocks([2.0] * 60 + [0.0] * 40, matches=2))
    confidence = 2 * scipy.stats.norm.cdf(scipy.stats.t.ppf(0.975, 99)) - 1
    assert ends(found) == pytest.approx(wilson_interval(60, 100, confidence), abs=1e-3)
    # Where the seat decides, each block comes to one of two: a pair tells more than two matches would.
    narrow = score_estimates(blocks([1.0] * 90 + [2.0] * 6 + [0.0] * 4, matches=2))
    low, high = wilson_interval(102, 200)
    assert low < ends(narrow)[0] < narrow.value[0] == 0.51 < ends(narrow)[1] < high


def test_few_wins_get_the_exact_interval_too():
    # One of 29 (Newcombe 1998): Wilson's low end 0.0061, Clopper and Pearson's 0.0009; both are covered.
    found = score_estimates(blocks([1.0] + [0.0] * 28))
    low, high = scipy.stats.binomtest(1, 29).proportion_ci(0.95, method="exact")
    assert ends(found)[0] == pytest.approx(low) and ends(found)[1] >= high
    nothing = score_estimates(blocks([0.0] * 20))
    assert ends(nothing)[0] == 0 and ends(nothing)[1] >= 1 - 0.025 ** (1 / 20)  # closed form
    assert np.isnan(ends(score_estimates(blocks([1.0])))[0])


def test_returns_without_skewness_are_students():
    values = np.tile([-1.0, 1.0, 0.0, 0.5, -0.5], 40)
    theirs = scipy.stats.t.interval(0.95, 199, values.mean(), scipy.stats.sem(values))
    found = return_estimates(blocks(values), -2, 2, np.random.default_rng(0))
    assert ends(found) == pytest.approx(theirs, abs=0.012) and found.reliable[0]


def test_blocks_of_different_sizes_are_a_ratio():
    # Cochran 1977, equation 2.39 for the ratio of sums: r = 7 / 6, e = y - r x.
    own = Blocks.of(np.array([0, 0, 1, 1, 1, 2]), np.zeros(6, int), np.array([1.0, 2, 0, 1, 1, 2]), 1)
    moments = intervals._moments(own)
    residual = np.array([3 - 14 / 6, 2 - 21 / 6, 2 - 7 / 6])
    assert moments.mean[0] == pytest.approx(7 / 6)
    assert moments.variance[0] == pytest.approx((residual**2).sum() * 3 / 2 / 36)


def test_skewed_returns_lean_to_their_tail_and_are_marked():
    rare = np.array([10.0] * 2 + [-1.0] * 98)
    found = return_estimates(blocks(rare), -1, 10, np.random.default_rng(0))
    low, high = ends(found)
    assert high - found.value[0] > found.value[0] - low and not found.reliable[0]
    # Skewness of two in a hundred is 6.9: 10 times its square are 475 blocks.
    many = np.array([10.0] * 10 + [-1.0] * 490)
    assert return_estimates(blocks(many), -1, 10, np.random.default_rng(0)).reliable[0]


def test_equal_blocks_say_nothing_of_rare_ones():
    found = return_estimates(blocks([1.0] * 50), -2, 2, np.random.default_rng(0))
    low, high = ends(found)
    assert -2 < low < 0.9 and 1 < high < 1.5
    unbounded = return_estimates(blocks([1.0] * 50), -np.inf, np.inf, np.random.default_rng(0))
    assert np.isnan(ends(unbounded)[0]) and not unbounded.reliable[0]
    exact = found.exactly(np.array([True]))
    assert ends(exact) == (1, 1) and exact.reliable[0]


def test_betting_covers_bernoulli_means():
    rng = np.random.default_rng(1)
    for mean in (0.05, 0.5, 0.9):
        missed = sum(
            not low <= mean <= high
            for _ in range(200)
            for low, high in [betting((rng.random(60) < mean).astype(float))]
        )
        assert missed <= 18  # of 200, where .05 of them are allowed; a binomial of .05 exceeds 18 once in 300


def test_a_confidence_sequence_covers_at_every_look():
    rng = np.random.default_rng(2)
    missed = 0
    for _ in range(100):
        values = (rng.random(200) < 0.4).astype(float)
        looks = [betting(values[:n], anytime=True) for n in range(10, 201, 10)]
        missed += any(not low <= 0.4 <= high for low, high in looks)
    assert missed <= 11
    # Looking at plain intervals all the time misses far more often: that is what it is for.
    wrong = 0
    for _ in range(100):
        values = (rng.random(200) < 0.4).astype(float)
        wrong += any(
            not low <= 0.4 <= high
            for n in range(10, 201, 10)
            for low, high in [wilson_interval(float(values[:n].sum()), n)]
        )
    assert wrong > 15


def test_a_sequence_only_shrinks():
    values = np.random.default_rng(3).random(300)
    widths = [np.diff(betting(values[:n], anytime=True))[0] for n in (20, 60, 300)]
    assert widths[0] > widths[1] > widths[2] and widths[2] < 0.2
