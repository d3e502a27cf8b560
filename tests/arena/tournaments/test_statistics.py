from __future__ import annotations

import numpy as np
import pytest
import scipy.stats
from hypothesis import given
from hypothesis import strategies as st

from arena.matches.records import ForfeitRecord, MatchRecord, Move
from arena.registry.games import is_constant_sum, load_game
from arena.store.results import Results
from arena.tournaments.statistics import standing
from runs.intervals import bootstrap_interval, wilson_interval


def record(seats, returns, actions=(), seed=0, forfeit=None, game="g"):
    return MatchRecord(
        game,
        tuple(seats),
        seed,
        0,
        None,
        0,
        tuple(Move(player, action) for player, action in actions),
        tuple(map(float, returns)),
        forfeit,
    )


@pytest.mark.parametrize(
    "game, constant",
    [
        ("tic_tac_toe", True),
        ("leduc_poker", True),
        ("kuhn_poker(players=3)", True),
        ("blotto", True),
        ("matrix_pd", False),
        ("matrix_coordination", False),
        ("negotiation", False),
    ],
)
def test_constant_sum_is_what_the_game_says(game, constant):
    assert is_constant_sum(load_game(game)) == constant


# Newcombe, Two-sided confidence intervals for the single proportion: comparison of seven methods,
# Statistics in Medicine 17 (1998), table I, method 3 (score, without continuity correction).
@pytest.mark.parametrize(
    "wins, n, low, high",
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0000, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_against_published_values(wins, n, low, high):
    assert wilson_interval(wins, n) == pytest.approx((low, high), abs=5e-5)


@given(
    st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))),
    st.sampled_from([0.8, 0.95, 0.99]),
)
def test_wilson_against_scipy(case, confidence):
    wins, n = case
    theirs = scipy.stats.binomtest(wins, n).proportion_ci(confidence, method="wilson")
    assert wilson_interval(wins, n, confidence) == pytest.approx((theirs.low, theirs.high), abs=1e-9)


@pytest.mark.parametrize("arguments", [(1, 0), (-1, 3), (4, 3), (float("nan"), 3), (1, 3, 1.0)])
def test_wilson_refuses_nonsense(arguments):
    with pytest.raises(ValueError, match="Wilson interval"):
        wilson_interval(*arguments)


def test_bootstrap_of_single_matches_is_a_binomial_quantile():
    clusters = [(1.0, 1)] * 60 + [(0.0, 1)] * 40
    low, high = bootstrap_interval(clusters, np.random.default_rng(0))
    exact = scipy.stats.binom(100, 0.6).ppf([0.025, 0.975]) / 100
    assert (low, high) == pytest.approx(exact, abs=0.011)


def test_bootstrap_resamples_whole_pairs():
    # In each pair the seat decides, so that every pair scores 1 of 2: no spread at all.
    assert bootstrap_interval([(1.0, 2)] * 30, np.random.default_rng(0)) == (0.5, 0.5)
    # In each pair the opening decides: the spread is that of 30 coins, not of 60.
    low, high = bootstrap_interval([(2.0, 2)] * 15 + [(0.0, 2)] * 15, np.random.default_rng(0))
    exact = scipy.stats.binom(30, 0.5).ppf([0.025, 0.975]) / 30
    assert (low, high) == pytest.approx(exact, abs=0.034)


def test_bootstrap_needs_two_clusters_and_repeats_with_its_generator():
    assert bootstrap_interval([(1.0, 2)], np.random.default_rng(0)) is None
    clusters = [(1.5, 2), (0.5, 2), (2.0, 2)]
    assert bootstrap_interval(clusters, np.random.default_rng(4)) == bootstrap_interval(
        clusters, np.random.default_rng(4)
    )


def test_standing_counts_by_seat_and_forfeits_by_kind():
    crash = ForfeitRecord(1, "crash", "")
    results = Results.from_records(
        [
            record("ab", (3, 1), [(0, 0)], seed=1),
            record("ba", (2, 2), [(0, 1)], seed=1),
            record("ab", (4, 0), [(0, 2)], seed=2, forfeit=crash),
            record("ba", (4, 0), [(0, 3)], seed=2, forfeit=crash),
            record("bc", (9, 0), [(0, 4)], seed=2),
        ]
    )
    a = standing(results, "a", np.random.default_rng(0))
    assert (a.matches, a.unique_matches, a.wins, a.draws, a.losses) == (4, 4, 2, 1, 1)
    assert a.score == 2.5 / 4
    assert a.mean_return == (3 + 2 + 4 + 0) / 4
    assert [(t.wins, t.draws, t.losses) for t in a.by_seat] == [(2, 0, 0), (0, 1, 1)]
    assert a.forfeits == {"illegal": 0, "timeout": 0, "crash": 1}
    assert a.wins_by_forfeit == 1
    # Blocks score 1.5 and 1 of 2: the mean's variance is (0.25^2 + 0.25^2) / 4^2 * 2 = 1 / 64, which a rate of
    # 5 / 8 has after 15 matches; Wilson's ends with them and Student's quantile for one degree of freedom,
    # and, as there are fewer than 4 effective matches lost or not, no less than Clopper and Pearson's.
    assert (a.mean_return, a.exact) == (2.25, False)
    assert standing(results, "b", np.random.default_rng(0)).matches == 5


def test_standing_of_nobody():
    with pytest.raises(ValueError, match="expected at least one match"):
        standing(Results.from_records([record("ab", (1, 0))]), "c", np.random.default_rng(0))


@pytest.mark.parametrize("seats", ["aa", "abc", "a"])
def test_standing_is_of_matches_between_two_bots(seats):
    results = Results.from_records([record("ab", (1, 0)), record(seats, range(len(seats)))])
    with pytest.raises(ValueError, match=f"two different bots, found one of {' and '.join(seats)}$"):
        standing(results, "a", np.random.default_rng(0))


@given(st.lists(st.tuples(st.booleans(), st.sampled_from([(1, -1), (0, 0), (-1, 1)])), min_size=1, max_size=12))
def test_wins_of_the_one_are_losses_of_the_other(outcomes):
    played = Results.from_records(
        [
            record("ab" if first else "ba", returns, [(0, index)], seed=index)
            for index, (first, returns) in enumerate(outcomes)
        ]
    )
    a, b = (standing(played, bot, np.random.default_rng(0), deterministic=()) for bot in "ab")
    assert (a.wins, a.draws, a.losses) == (b.losses, b.draws, b.wins)
    assert a.wins + a.draws + a.losses == len(outcomes)
    assert a.score + b.score == pytest.approx(1)
