from __future__ import annotations

import itertools
import math

import choix
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import minimize

from arena.matches.records import MatchRecord, Move
from arena.rating.bradley_terry import bradley_terry
from arena.rating.plackett_luce import ahead, plackett_luce, resampled
from arena.rating.rate import rate
from arena.rating.tables import ratings_text
from arena.store.results import Results

NAMES = "abcdef"


def record(seats, returns, seed=0, game="kuhn_poker(players=3)"):
    # Dealt, so that no match is a repetition of another one.
    moves = (Move(-1, 0), Move(0, seed))
    return MatchRecord(game, tuple(seats), seed, 0, None, 0, moves, tuple(map(float, returns)))


def strengths(records):
    """By bot."""
    results = Results.from_records(records)
    found, group = plackett_luce(results)
    return dict(zip(results.bots, found)), dict(zip(results.bots, group))


def drawn(rng, players, matches, truth, lowest_tie=False):
    """Rankings drawn from the model, by Gumbel variables."""
    records = []
    for seed in range(matches):
        bots = rng.choice(len(truth), players, replace=False)
        places = np.argsort(np.argsort(truth[bots] + rng.gumbel(size=players)))
        records.append(
            record([NAMES[bot] for bot in bots], np.maximum(places, 1) if lowest_tie else places, seed)
        )
    return records


TRUTH = np.array([1.0, 0.5, 0.0, 0.0, -0.5, -1.0])


@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_without_ties_choix_finds_the_same(players):
    records = drawn(np.random.default_rng(players), players, 400, TRUTH)
    rankings = [
        [NAMES.index(one.seats[seat]) for seat in np.argsort(np.negative(one.returns))] for one in records
    ]
    wanted = choix.ilsr_rankings(6, rankings, tol=1e-12)
    found, group = strengths(records)
    assert [found[name] for name in NAMES] == pytest.approx(wanted - wanted.mean(), abs=1e-8)
    assert set(group.values()) == {0}
    assert [found[name] for name in NAMES] == pytest.approx(TRUTH, abs=0.5)


def test_three_matches_of_three_by_hand():
    # At the maximum each bot is expected to be chosen as often as it was.
    found, _ = strengths(
        [record("abc", (2, 1, 0)), record("bca", (2, 1, 0)), record("cab", (2, 1, 0)), record("abc", (2, 1, 0))]
    )
    a, b, c = (math.exp(found[bot]) for bot in "abc")
    together = a + b + c
    # a: two times of four out of all, not out of c and a, and out of a and b.
    assert 4 * a / together + a / (c + a) + a / (a + b) == pytest.approx(2 + 0 + 1)
    # b: once out of all, both times out of b and c, and not out of a and b.
    assert 4 * b / together + 2 * b / (b + c) + b / (a + b) == pytest.approx(1 + 2 + 0)


def test_a_cycle_makes_equals():
    found, _ = strengths([record("abc", (2, 1, 0)), record("bca", (2, 1, 0)), record("cab", (2, 1, 0))])
    assert list(found.values()) == pytest.approx([0, 0, 0], abs=1e-9)


outcomes = st.lists(
    st.tuples(
        st.permutations("abcd").map(lambda names: names[:3]),
        st.lists(st.integers(0, 2), min_size=3, max_size=3),
    ),
    min_size=1,
    max_size=12,
)


def orders(names, returns):
    """All orders in which the ties of a match can be broken."""
    for order in itertools.permutations(range(len(names))):
        if all(returns[one] >= returns[other] for one, other in itertools.pairwise(order)):
            yield [names[seat] for seat in order]


def log_likelihood(theta, rows):
    """The definition: the mean over the orders of each match."""
    total = 0.0
    for names, returns in rows:
        means = []
        for order in orders(names, returns):
            values = [theta["abcd".index(name)] for name in order]
            means.append(sum(values[i] - np.logaddexp.reduce(values[i:]) for i in range(len(values))))
        total += np.mean(means)
    return total


@settings(max_examples=25, deadline=None)
@given(outcomes, st.randoms())
def test_ties_are_the_mean_over_the_orders_that_break_them(rows, random):
    # Every bot finishes level with every other one once, so that there is a maximum.
    rows = [*rows, *((pair, (0, 0)) for pair in itertools.combinations("abcd", 2))]
    records = [record(names, returns, seed) for seed, (names, returns) in enumerate(rows)]
    found, _ = strengths(records)
    best = np.array([found[name] for name in "abcd"])
    top = log_likelihood(best, rows)
    numeric = minimize(lambda theta: -log_likelihood([*theta, 0.0], rows), np.zeros(3), tol=1e-10).x
    assert best - best[3] == pytest.approx([*numeric, 0.0], abs=1e-4)
    assert top >= log_likelihood([*numeric, 0.0], rows) - 1e-9
    again, _ = strengths(random.sample(records, len(records)))
    assert [again[name] for name in "abcd"] == pytest.approx(best, abs=1e-12)


two = st.lists(
    st.tuples(st.sampled_from(["ab", "ba", "ac", "cb"]), st.sampled_from([(1, -1), (-1, 1), (0, 0)])),
    min_size=1,
    max_size=30,
)


@settings(max_examples=30, deadline=None)
@given(two)
def test_with_two_players_it_is_bradley_terry(rows):
    records = [record(seats, returns, seed, "tic_tac_toe") for seed, (seats, returns) in enumerate(rows)]
    results = Results.from_records(records)
    found, _ = plackett_luce(results)
    wins, draws = ahead(results)
    wanted = bradley_terry(wins, draws)
    np.testing.assert_allclose(found, wanted, atol=1e-8)
    (rated,) = rate(results, resamples=20)["games"]
    by_rate = [rated["bradley_terry"]["bots"][bot]["strength"] for bot in results.bots]
    np.testing.assert_allclose(found, np.array(by_rate, float), atol=1e-8)


def test_two_wins_of_three_are_a_strength_of_two():
    found, _ = strengths([record("ab", (1, -1)), record("ba", (-1, 1)), record("ab", (-1, 1))])
    assert found["a"] - found["b"] == pytest.approx(math.log(2), abs=1e-9)


def test_a_bot_in_two_seats_competes_for_both():
    # With x = s_b / s_a the likelihood is x / (2 + x), b being first, times 1 / (2 + x) and x / (1 + x), one a
    # being first and b second: its logarithm rises up to the root of 4 + 2 x - x^2.
    found, _ = strengths([record("aab", (0, 0, 1)), record("aba", (2, 1, 0))])
    assert found["b"] - found["a"] == pytest.approx(math.log(1 + math.sqrt(5)), abs=1e-9)


def test_groups_where_one_side_is_always_ahead():
    records = [record("abc", (2, 1, 0)), record("bac", (2, 1, 0)), record("cab", (0, 2, 1))]
    found, group = strengths(records)
    assert group == {"a": 0, "b": 0, "c": 1} and math.isnan(found["c"])
    assert found["a"] - found["b"] == pytest.approx(math.log(2))  # ahead of b in two of three
    (rated,) = rate(Results.from_records(records), resamples=20)["games"]
    assert rated["plackett_luce"]["bots"]["c"] == {
        "strength": None,
        "low": None,
        "high": None,
        "reliable": False,
        "group": 1,
    }
    assert any("one side finished ahead in every match" in note for note in rated["notes"])
    assert any(note.endswith("a, b | c") for note in rated["notes"])


@settings(max_examples=15, deadline=None)
@given(st.randoms())
def test_the_order_of_records_has_no_influence_to_the_last_bit(random):
    records = drawn(np.random.default_rng(1), 3, 60, TRUTH[:4], lowest_tie=True)
    wanted = rate(Results.from_records(records), resamples=20)
    assert rate(Results.from_records(random.sample(records, 60)), resamples=20) == wanted
    assert rate(Results.from_records(records[::-1]), resamples=20) == wanted


def test_intervals_come_from_whole_blocks():
    rng = np.random.default_rng(3)
    records = drawn(rng, 3, 60, TRUTH[:4])
    results = Results.from_records(records)
    found, group = plackett_luce(results)
    samples = resampled(results, group, np.random.default_rng(0), 500)
    # Six copies of each match within its block are no more evidence, and six blocks more of each are.
    copies = Results.from_records([one for one in records for _ in range(6)])
    again = resampled(copies, group, np.random.default_rng(0), 500)
    assert again.std(axis=0) == pytest.approx(samples.std(axis=0), rel=0.05)
    blocks = Results.from_records(
        [MatchRecord(**{**vars(one), "seed": 60 * copy + one.seed}) for one in records for copy in range(6)]
    )
    finer = resampled(blocks, group, np.random.default_rng(0), 500)
    assert finer.std(axis=0) == pytest.approx(samples.std(axis=0) / math.sqrt(6), rel=0.2)
    figures = rate(results, resamples=200)["games"][0]["plackett_luce"]["bots"]
    for bot, value in zip(results.bots, found):
        assert figures[bot]["strength"] == pytest.approx(value)
        assert figures[bot]["low"] < value < figures[bot]["high"]


def test_one_block_gives_no_interval():
    one = [record("abc", (2, 1, 0)), record("bca", (2, 1, 0)), record("cab", (2, 1, 0))]
    (rated,) = rate(Results.from_records(one), resamples=20)["games"]
    assert all(own["low"] is own["high"] is None for own in rated["plackett_luce"]["bots"].values())


def test_the_text_shows_strengths_and_says_who_sits_twice():
    text = ratings_text(rate(Results.from_records([record("aab", (0, 0, 1), 1), record("baa", (0, 1, 1), 2)])))
    assert "Plackett-Luce" in text and "a bot has several seats" in text and "no Elo" not in text
