from __future__ import annotations

from dataclasses import astuple

import numpy as np
import pytest
import scipy.stats

from arena.matches.records import MatchRecord, Move
from arena.rating.evidence import evidence
from arena.rating.tally import percentiles, tally
from arena.store.results import Results


def record(seats, returns, course, seed, ended=None, game="g"):
    return MatchRecord(
        game, tuple(seats), seed, 0, None, 0, (Move(0, course),), tuple(map(float, returns)), ended=ended
    )


def sums_of(records, resamples=200, seed=0, deterministic=()):
    return tally(evidence(Results.from_records(records), deterministic), np.random.default_rng(seed), resamples)


def test_sums_by_hand():
    sums = sums_of(
        [
            record("ba", (3, 1), 0, seed=1),  # b beats a
            record("ab", (4, 0), 1, seed=1),  # a beats b
            record("ab", (2, 2), 2, seed=2),
            record("ac", (0, 4), 3, seed=3),
            record("ac", (0, 4), 3, seed=4),  # again
        ],
        deterministic=("a", "c"),
    )
    assert sums.bots == ("a", "b", "c") and sums.openings == 3
    assert sums.matches[0].tolist() == [[0, 3, 1], [3, 0, 0], [1, 0, 0]]
    assert sums.wins[0].tolist() == [[0, 1, 0], [1, 0, 0], [1, 0, 0]]
    assert sums.draws[0].tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]
    assert sums.returns[0].tolist() == [[0, 7, 0], [5, 0, 0], [4, 0, 0]]
    assert sums.seat_matches[0].tolist() == [[3, 1], [1, 2], [0, 1]]
    assert sums.seat_returns[0].tolist() == [[6, 1], [3, 2], [0, 4]]
    assert sums.pair_openings.tolist() == [[0, 2, 1], [2, 0, 0], [1, 0, 0]]
    assert sums.bot_openings.tolist() == [3, 2, 1]
    assert sums.seat_openings.tolist() == [[3, 1], [1, 2], [0, 1]]
    nan = pytest.approx(float("nan"), nan_ok=True)
    assert sums.scores()[0].tolist() == [[nan, 0.5, 0], [0.5, nan, nan], [1, nan, nan]]
    assert sums.bot_scores()[0].tolist() == [1.5 / 4, 0.5, 1]
    assert sums.mean_returns()[0].tolist() == [7 / 4, 5 / 3, 4]
    assert sums.mean_returns_by_seat()[0].tolist() == [[2, 1], [3, 1], [nan, 4]]


def test_resamples_are_of_whole_openings():
    # Each opening: both pairs of bots meet in both seats, and the seat (or the bot) decides.
    records = []
    for seed in range(30):
        for first, second in ("ab", "ba", "ac", "ca"):
            winner = first if "c" not in (first, second) else ("c" if seed % 3 else "a")
            records.append(record((first, second), (1, -1) if winner == first else (-1, 1), len(records), seed))
    sums = sums_of(records)
    assert (sums.matches.sum(axis=(1, 2)) == 2 * len(records)).all()
    assert (sums.matches[:, 0, 1] == 60).all()  # as many openings each time
    assert (sums.scores()[:, 0, 1] == 0.5).all()
    assert (sums.scores()[:, 0, 2] + sums.scores()[:, 2, 0] == 1).all()
    assert len(np.unique(sums.scores()[:, 2, 0])) > 5
    # What c wins it wins in both matches of an opening: counts of openings, twice.
    assert (sums.wins[:, 2, 0] % 2 == 0).all()


def test_intervals_are_binomial_quantiles_and_do_not_depend_on_batches(monkeypatch):
    records = [record("ab", (1, -1) if seed % 5 < 3 else (-1, 1), seed, seed) for seed in range(100)]
    estimates = percentiles(sums_of(records, 4000).scores(), 100)
    exact = scipy.stats.binom(100, 0.6).ppf([0.025, 0.975]) / 100
    assert (estimates.low[0, 1], estimates.high[0, 1]) == pytest.approx(exact, abs=0.011)
    whole = sums_of(records)
    monkeypatch.setattr("arena.rating.tally._BATCH", 700)
    for some, other in zip(astuple(whole), astuple(sums_of(records)), strict=True):
        np.testing.assert_array_equal(some, other)


def test_estimates_leave_out_what_is_not_known():
    nan = np.nan
    samples = np.array([[1.0, nan, 3.0, 4.0], [0.0, nan, nan, 4.0], [2.0, 1.0, 5.0, 4.0]])
    estimates = percentiles(samples, np.array([2, 2, 2, 1]))
    np.testing.assert_array_equal(estimates.value, samples[0])
    # Of two blocks even the widest interval of resamples is too narrow.
    np.testing.assert_allclose(estimates.low, [0, nan, 5, nan], atol=1e-9)
    np.testing.assert_allclose(estimates.high, [2, nan, 5, nan])


def test_three_players_have_seats_only():
    sums = sums_of(
        [record("abc", (3, 0, -3), 0, 1), record("cab", (1, 1, -2), 1, 2), record("aab", (2, 0, -2), 2, 3)]
    )
    assert sums.seat_matches[0].tolist() == [[2, 2, 0], [0, 1, 2], [1, 0, 1]]
    assert sums.seat_returns[0].tolist() == [[5, 1, 0], [0, 0, -4], [1, 0, -3]]
    assert sums.bot_openings.tolist() == [3, 3, 2]
    assert sums.mean_returns()[0] == pytest.approx([6 / 4, -4 / 3, -1])
    assert sums.scores().shape == (201, 0, 0)


def test_evidence_has_an_order_of_its_own():
    records = [
        record("ba", (0, 1), 5, seed=9),
        record("ab", (1, 0), 4, seed=9, ended=5.0),
        record("ab", (1, 0), 7, seed=3),
        record("ab", (1, 0), 7, seed=2, ended=9.0),
        record("cb", (1, 0), 7, seed=2),
    ]
    other = [record("zz", (0, 0), 1, seed=1, game="h")]
    found = evidence(Results.from_records(records), ("a", "b"))
    assert found.bots == ("a", "b", "c")
    assert found.seed.tolist() == [2, 2, 3, 9, 9]  # a and b contradict themselves
    assert found.seats.tolist() == [[0, 1], [2, 1], [0, 1], [0, 1], [1, 0]]
    together = Results.from_records(other + records[::-1])
    again = evidence(together.where(together.game == 1), ("a", "b"))
    assert again.games == ("g",)
    for some, same in zip(astuple(found), astuple(again), strict=True):
        np.testing.assert_array_equal(some, same)
