from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from open_spiel.python.algorithms import elo as openspiel_elo

from arena.rating import bradley_terry as module
from arena.rating.bradley_terry import ELO_PER_NAT, bradley_terry, elo, elo_of_each, expected_score, groups
from arena.rating.tally import NoFigure

# A. Agresti, Categorical data analysis (1990), table 10.10: wins of the row over the column, American
# League 1987; the fit in H. Turner and D. Firth, Bradley-Terry models in R: the BradleyTerry2 package,
# Journal of Statistical Software 48 (2012), section 2.2, relative to Baltimore.
TEAMS = ("Milwaukee", "Detroit", "Toronto", "New York", "Boston", "Cleveland", "Baltimore")
WINS = np.array(
    [
        [0, 7, 9, 7, 7, 9, 11],
        [6, 0, 7, 5, 11, 9, 9],
        [4, 6, 0, 7, 7, 8, 12],
        [6, 8, 6, 0, 6, 7, 10],
        [6, 2, 6, 7, 0, 7, 12],
        [4, 4, 5, 6, 6, 0, 6],
        [2, 4, 1, 3, 1, 7, 0],
    ]
)
PUBLISHED = (1.5814, 1.4364, 1.2945, 1.2476, 1.1077, 0.6839, 0.0)


def none(table):
    return np.zeros_like(table)


def test_bradley_terry_against_a_published_fit():
    strengths = bradley_terry(WINS, none(WINS))
    assert strengths - strengths[-1] == pytest.approx(PUBLISHED, abs=5e-5)
    assert strengths.sum() == pytest.approx(0)


def test_two_bots_by_hand():
    wins = np.array([[0, 3], [1, 0]])
    strengths = bradley_terry(wins, none(wins))
    assert strengths[0] - strengths[1] == pytest.approx(math.log(3))
    ratings = elo(wins * 1000, none(wins))
    assert ratings[0] - ratings[1] == pytest.approx(190.85, abs=0.01)  # 400 log10 3
    # A draw is half a win of each: 2 wins and 2 draws of 4 are 3 to 1 as well.
    drawn = bradley_terry(np.array([[0, 2], [0, 0]]), np.array([[0, 2], [2, 0]]))
    assert drawn == pytest.approx(strengths)


# A. E. Elo, The rating of chessplayers (1978): ten to one for 400 points, three in four for 191.
@pytest.mark.parametrize(
    "difference, score", [(0, 0.5), (400, 10 / 11), (-400, 1 / 11), (190.85, 0.75), (200, 0.76)]
)
def test_elo_expects(difference, score):
    assert expected_score(difference) == pytest.approx(score, abs=5e-4)


tables = st.integers(2, 6).flatmap(
    lambda bots: st.lists(st.integers(1, 9), min_size=bots * bots, max_size=bots * bots).map(
        lambda counts: np.array(counts).reshape(bots, bots) * (1 - np.eye(bots, dtype=int))
    )
)


@settings(max_examples=40, deadline=None)
@given(tables)
def test_elo_is_openspiels_where_bots_are_close(wins):
    draws = np.triu(wins // 3, 1)
    draws = draws + draws.T
    theirs = openspiel_elo.compute_ratings_from_matrices(wins, draws, convergence_delta=1e-13)
    theirs -= theirs.mean()
    assert elo(wins, draws) == pytest.approx(theirs, abs=1e-5)
    assert elo_of_each(wins[None], draws[None], np.zeros(len(wins), int))[0] == pytest.approx(theirs, abs=1e-5)


@pytest.mark.parametrize("bots", [2, 10, 50])
def test_far_apart(bots):
    # Each won 100,000 of 100,001 matches against the next. A chain's links are independent, so that
    # they differ by ln 100,000 each, where OpenSpiel's routine stops after a few.
    wins = np.diag([100_000] * (bots - 1), 1) + np.diag([1] * (bots - 1), -1)
    assert -np.diff(bradley_terry(wins, none(wins))) == pytest.approx([math.log(100_000)] * (bots - 1))
    # Each won all 20 against all after it. At the maximum each bot is expected to score what it did,
    # added wins included; the ladder upside down is the same ladder.
    won = np.triu(np.full((bots, bots), 20), 1)
    ladder = elo(won, none(won))
    chances = 1 / (1 + 10 ** ((ladder - ladder[:, None]) / 400))
    np.fill_diagonal(chances, 0)
    assert (20.02 * chances).sum(axis=1) == pytest.approx((won + 0.01).sum(axis=1) - 0.01, abs=1e-6)
    assert (np.diff(ladder) < 0).all() and ladder == pytest.approx(-ladder[::-1])


@settings(max_examples=40, deadline=None)
@given(tables, st.randoms())
def test_expected_scores_are_those_that_were_made_and_the_order_of_bots_is_free(wins, random):
    bots = len(wins)
    strengths = bradley_terry(wins, none(wins))
    chances = 1 / (1 + np.exp(strengths - strengths[:, None]))  # the model, not our formula
    np.fill_diagonal(chances, 0)
    assert ((wins + wins.T) * chances).sum(axis=1) == pytest.approx(wins.sum(axis=1), abs=1e-5)
    order = random.sample(range(bots), bots)
    assert bradley_terry(wins[np.ix_(order, order)], none(wins)) == pytest.approx(strengths[order], abs=1e-5)


def test_a_bot_that_won_everything_has_no_strength_and_a_finite_elo():
    wins = np.array([[0, 5, 5], [0, 0, 3], [0, 1, 0]])
    strengths = bradley_terry(wins, none(wins))
    assert np.isnan(strengths[0])
    assert strengths[1] - strengths[2] == pytest.approx(math.log(3))
    assert groups(wins, none(wins), mutual=True).tolist() == [0, 1, 1]
    assert groups(wins, none(wins), mutual=False).tolist() == [0, 0, 0]
    ratings = elo(wins, none(wins))
    assert np.isfinite(ratings).all() and ratings.argmax() == 0
    # One draw is enough to bound it.
    assert np.isfinite(bradley_terry(wins, np.array([[0, 0, 1], [0, 0, 0], [1, 0, 0]]))).all()


def test_bots_that_never_meet_are_rated_apart():
    pair = np.array([[0, 3], [1, 0]])
    wins = np.zeros((5, 5), int)
    wins[np.ix_([0, 2], [0, 2])] = pair
    wins[np.ix_([1, 4], [1, 4])] = pair * 2
    assert groups(wins, none(wins), mutual=False).tolist() == [0, 1, 0, 2, 1]
    half = math.log(3) / 2
    assert bradley_terry(wins, none(wins)) == pytest.approx([half, half, -half, np.nan, -half], nan_ok=True)
    ratings = elo(wins, none(wins))
    assert np.isnan(ratings[3])
    assert ratings[0] == pytest.approx(half * ELO_PER_NAT, abs=1) == -ratings[2]


def test_tables_one_by_one():
    full = np.array([[0, 3, 1], [1, 0, 1], [1, 1, 0]])
    thin = np.array([[0, 3, 0], [1, 0, 0], [0, 0, 0]])
    first, second = elo_of_each(np.stack([full, thin]), np.zeros((2, 3, 3)), np.zeros(3, int))
    assert first == pytest.approx(elo(full, none(full)), abs=1e-3)
    assert np.isnan(second[2]) and second[0] > second[1]


def test_tables_that_contradict_each_other():
    # From the start that the others give, whole Newton steps would leave for infinity.
    wins = np.array([[[0, 10_000], [0, 0]]] * 3 + [[[0, 0], [5, 0]]])
    ratings = elo_of_each(wins, none(wins), np.zeros(2, int))
    assert ratings[:, 0] == pytest.approx([200 * math.log10(1_000_001)] * 3 + [-200 * math.log10(501)])


def test_a_fit_that_did_not_end_is_no_figure(monkeypatch):
    monkeypatch.setattr(module, "_STEPS", 1)
    wins = np.diag([100_000] * 6, 1) + np.diag([1] * 6, -1)
    with pytest.raises(NoFigure, match="7 bots do not converge"):
        elo(wins, none(wins))


def test_batches_do_not_matter(monkeypatch):
    wins = np.stack([WINS + number for number in range(5)]) * (1 - np.eye(7, dtype=int))
    whole = elo_of_each(wins, none(wins), np.zeros(7, int))
    monkeypatch.setattr(module, "_BATCH", 100)
    assert np.array_equal(whole, elo_of_each(wins, none(wins), np.zeros(7, int)))
