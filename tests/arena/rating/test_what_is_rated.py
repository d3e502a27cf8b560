"""What the ranking is by follows from the game."""

from __future__ import annotations

import pytest

from arena.matches.records import MatchRecord, Move
from arena.rating.adversaries import beside
from arena.rating.rate import rate
from arena.rating.tables import ratings_text
from arena.store.results import Results

BETS = "uniform_restricted_actions(policy_name=AlwaysRaise)"


def record(seats, returns, course, seed, game):
    return MatchRecord(game, tuple(seats), seed, 0, None, 0, (Move(0, course),), tuple(map(float, returns)))


def poker(pots):
    """Mirrored matches of a bot against "b", which pay it these pots."""
    return [
        record(seats, (pot, -pot) if seats[0] == "a" else (-pot, pot), number, number // 2, "kuhn_poker")
        for number, pot in enumerate(pots)
        for seats in [("a", "b") if number % 2 == 0 else ("b", "a")]
    ]


def test_many_small_pots_do_not_rank_above_few_large_ones():
    # The second case: a wins three pots of four, and loses money: (1 + 1 + 1 - 2 * 2) / 4 of each five.
    (game,) = rate(Results.from_records(poker([1, 1, 1, -2, -2, 1, 1, 1, -2, -2] * 6)))["games"]
    assert game["ranked_by"]["figure"] == "mean_returns" and "from -2 to 2" in game["ranked_by"]["why"]
    own = game["mean_returns"]["bots"]
    assert own["a"]["mean"] == pytest.approx(-1 / 5) and own["b"]["mean"] == pytest.approx(1 / 5)
    for figure in ("elo", "bradley_terry", "standings"):
        assert "returns have sizes" in game[figure]["absent"]
    assert "score" not in game["crosstable"] and "wins" not in game["crosstable"]
    text = ratings_text({"games": [game], "mean_over_games": None})
    first = text.splitlines()
    assert "ranked by mean return" in first[0] and first[2].split()[:2] == ["bot", "matches"]
    assert first[4].split()[0] == "b" and "W-D-L" not in text


def test_meta_games_are_of_mean_payoffs():
    (game,) = rate(Results.from_records(poker([1, 1, 1, -2, -2, 1, 1, 1, -2, -2] * 6)))["games"]
    pytest.importorskip("networkx", reason="alpha-rank needs networkx: pip install 'spielwright[ratings]'")
    assert game["alpha_rank"]["bots"]["b"]["mass"] == pytest.approx(1, abs=1e-3)
    pytest.importorskip("cvxpy", reason="Nash averaging needs cvxpy: pip install 'spielwright[ratings]'")
    # The equilibrium between the two is to pick b, who gains in the mean; a pays the mean return to it.
    assert game["nash_averaging"]["bots"]["b"]["mass"] == pytest.approx(1, abs=1e-4)
    assert game["nash_averaging"]["bots"]["a"]["rating"] == pytest.approx(-1 / 5, abs=1e-4)


def test_wins_and_losses_are_rated_where_they_are_all_there_is():
    games = {
        "tic_tac_toe": "elo",
        "connect_four": "elo",
        "matrix_rps": "elo",
        "kuhn_poker": "mean_returns",
        "leduc_poker": "mean_returns",
        "matrix_pd": "mean_returns",
    }
    for name, figure in games.items():
        records = [record(seats, (1, -1), 0, 0, name) for seats in ("ab", "ba")]
        assert rate(Results.from_records(records))["games"][0]["ranked_by"]["figure"] == figure
    # By the records too: half a point is no outcome.
    odd = [record("ab", (0.5, -0.5), 0, 0, "tic_tac_toe"), record("ba", (1, -1), 1, 0, "tic_tac_toe")]
    assert rate(Results.from_records(odd))["games"][0]["ranked_by"]["figure"] == "mean_returns"


def test_a_general_sum_game_shows_no_wins_and_losses():
    records = [
        record(seats, (5, 0), number, number, "matrix_pd") for number, seats in enumerate(("ab", "ba") * 10)
    ]
    ratings = rate(Results.from_records(records))
    (game,) = ratings["games"]
    assert "general-sum game" in game["ranked_by"]["why"]
    assert "W-D-L" not in ratings_text(ratings) and "Elo" not in ratings_text(ratings).split("\n\n")[1]


def test_an_exploiter_leads_a_weak_pool_and_the_table_says_why():
    # Returns made up so that the bot that always bets leads; NashConv is the game's own.
    records = []
    for seed in range(30):
        for one, other, value in ((BETS, "random", 1.0), (BETS, "cfr(iterations=300)", 1.0)):
            records.append(record((one, other), (value, -value), 2 * seed, seed, "kuhn_poker"))
            records.append(record((other, one), (-value, value), 2 * seed + 1, seed, "kuhn_poker"))
        records.append(record(("cfr(iterations=300)", "random"), (1, -1), 99, seed, "kuhn_poker"))
    ratings = rate(Results.from_records(records))
    (found,) = beside(ratings)
    assert [bot for bot, _ in found.nash_conv] == ["cfr(iterations=300)", BETS, "random"]
    values = dict(found.nash_conv)
    # Against a bot that always bets, holding the queen best calls as well as folds, the king calls and the
    # jack folds: each seat loses 1/3 a match to it. Uniform play has 11/12 (OpenSpiel's own tests).
    assert values[BETS] == pytest.approx(2 / 3) and values["random"] == pytest.approx(11 / 12)
    assert 0 < values["cfr(iterations=300)"] < 0.02
    assert found.differs.startswith(f"{BETS} leads by mean return, cfr(iterations=300) by NashConv: ")
    assert beside(ratings, max_states=23) == []  # Kuhn poker has 6 deals of 4 decisions


def test_bots_that_cannot_be_made_are_left_unread():
    records = [record(seats, (1, -1), 0, 0, "kuhn_poker") for seats in (("gone", "random"), ("random", "gone"))]
    (found,) = beside(rate(Results.from_records(records)))
    assert found.unread == ["gone"] and [bot for bot, _ in found.nash_conv] == ["random"]
    assert found.differs == ""
