from __future__ import annotations

import dataclasses
import json
import math
import re

import matplotlib.figure
import matplotlib.text
import numpy as np
import pytest
import scipy.stats
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.matches.records import ForfeitRecord, MatchRecord, Move
from arena.rating.bradley_terry import ELO_PER_NAT
from arena.rating.plot import draw
from arena.rating.rate import over_time, rate
from arena.rating.tables import ratings_text
from arena.store.database import Database
from arena.store.results import Results
from arena.tournaments.statistics import standing
from runs.intervals import wilson_interval
from tests.runs import warm

WIN, LOSS, DRAW = (1, -1), (-1, 1), (0, 0)


def record(seats, returns, course, seed, game="tic_tac_toe", ended=None, forfeit=None):
    return MatchRecord(
        game,
        tuple(seats),
        seed,
        0,
        None,
        0,
        (Move(0, course),),
        tuple(map(float, returns)),
        forfeit,
        ended=ended,
    )


def pairs(first, second, won, of, game="tic_tac_toe", start=0):
    """Mirrored pairs, of which `first` wins both matches of `won` and loses both of the others."""
    for index in range(of):
        result = WIN if index < won else LOSS
        yield record((first, second), result, 2 * (start + index), start + index, game)
        yield record((second, first), result[::-1], 2 * (start + index) + 1, start + index, game)


def rated(records, **arguments):
    ratings = rate(Results.from_records(records), **{"resamples": 100, **arguments})
    json.dumps(ratings, allow_nan=False)
    return ratings


def test_two_bots_by_hand():
    (game,) = rated(list(pairs("a", "b", 30, 40)))["games"]
    assert (game["matches"], game["unique_matches"], game["openings"]) == (80, 80, 40)
    assert game["bots"] == ["a", "b"] and game["notes"] == []
    a, b = (game["standings"]["bots"][bot] for bot in "ab")
    assert (a["wins"], a["draws"], a["losses"], a["score"]) == (60, 0, 20, 0.75)
    # Both matches of a pair end alike: 40 pieces of evidence, not 80.
    confidence = 2 * scipy.stats.norm.cdf(scipy.stats.t.ppf(0.975, 39)) - 1
    assert (a["wilson_low"], a["wilson_high"]) == pytest.approx(wilson_interval(30, 40, confidence))
    assert b["wilson_low"] == pytest.approx(1 - a["wilson_high"]) and a["reliable"]
    elo, strengths = game["elo"]["bots"], game["bradley_terry"]["bots"]
    assert elo["a"]["rating"] - elo["b"]["rating"] == pytest.approx(190.85, abs=0.1)
    assert strengths["a"]["strength"] - strengths["b"]["strength"] == pytest.approx(math.log(3))
    # With two bots Elo is a function of the score, of which the bootstrap has the quantiles of a binomial.
    for end, part in (("low", 0.025), ("high", 0.975)):
        score = scipy.stats.binom(40, 0.75).ppf(part) / 40
        assert elo["a"][end] == pytest.approx(200 * math.log10(score / (1 - score)), abs=20)
        assert strengths["a"][end] == pytest.approx(elo["a"][end] / ELO_PER_NAT)
    assert game["mean_returns"]["bots"]["a"]["mean"] == 0.5
    assert [seat["mean"] for seat in game["mean_returns"]["bots"]["b"]["by_seat"]] == [-0.5, -0.5]


records_of = st.lists(
    st.tuples(
        st.sampled_from(["ab", "ba", "ac", "ca", "bc", "cb"]),
        st.sampled_from([WIN, LOSS, DRAW]),
        st.integers(0, 5),
        st.sampled_from(["tic_tac_toe", "breakthrough"]),
    ),
    min_size=1,
    max_size=30,
)


def made(rows):
    # A course follows from what is the same in all its matches, so that results do not contradict.
    return [
        record(seats, returns, 3 * WIN_LOSS_DRAW.index(returns) + seed % 2, seed, game)
        for seats, returns, seed, game in rows
    ]


WIN_LOSS_DRAW = [WIN, LOSS, DRAW]


@settings(max_examples=15, deadline=None)
@given(records_of, st.randoms())
def test_neither_order_nor_repetition_matters(rows, random):
    records = made(rows)
    wanted = rated(records, resamples=20)
    shuffled = random.sample(records, len(records))
    assert rated(shuffled, resamples=20) == wanted
    results = Results.from_records(records)
    order = random.sample(range(len(results.bots)), len(results.bots))
    place = np.argsort(order).astype(np.int32)
    renumbered = dataclasses.replace(
        results, bots=tuple(results.bots[bot] for bot in order), seats=place[results.seats]
    )
    assert rate(renumbered, resamples=20) == wanted

    again = rated(records + random.sample(records, len(records) // 2 + 1), resamples=20)
    for game in (*again["games"], *wanted["games"]):
        del game["matches"], game["notes"]
    assert again == wanted


@settings(max_examples=15, deadline=None)
@given(records_of)
def test_the_crosstable_is_antisymmetric_and_agrees_with_the_standings(rows):
    records = made(rows)
    for game in rated(records, resamples=5)["games"]:
        table = game["crosstable"]
        scores = np.array(table["score"], float)
        low, high = (np.array(table[f"wilson_{end}"], float) for end in ("low", "high"))
        np.testing.assert_allclose(low, 1 - high.T)
        np.testing.assert_allclose(scores, 1 - scores.T)
        assert np.array_equal(np.isnan(scores), np.array(table["matches"]) == 0)
        wins = np.array(table["wins"])
        assert np.array_equal(wins + wins.T + table["draws"], table["matches"])
        returns = np.array(table["mean_return"], float)
        np.testing.assert_allclose(returns, -returns.T)
        own = Results.from_records([r for r in records if r.game == game["game"]])
        for bot in game["bots"]:
            theirs = standing(own, bot, np.random.default_rng(0))
            mine = game["standings"]["bots"][bot]
            assert (mine["wins"], mine["draws"], mine["losses"], mine["matches"]) == (
                theirs.wins,
                theirs.draws,
                theirs.losses,
                theirs.unique_matches,
            )
            assert mine["reliable"] == theirs.reliable
            assert mine["score"] == pytest.approx(theirs.score)
            assert (mine["wilson_low"], mine["wilson_high"]) == (theirs.wilson_low, theirs.wilson_high)
            assert game["mean_returns"]["bots"][bot]["mean"] == pytest.approx(theirs.mean_return)
            assert game["forfeits"][bot] == theirs.forfeits


def test_the_seed_decides_the_resampling():
    records = list(pairs("a", "b", 13, 30))
    assert rated(records, seed=1) == rated(records, seed=1)
    first, second = (rated(records, seed=seed)["games"][0]["elo"]["bots"] for seed in (1, 2))
    assert first["a"]["rating"] == second["a"]["rating"]
    assert (first["a"]["low"], first["a"]["high"]) != (second["a"]["low"], second["a"]["high"])


def test_a_game_is_not_changed_by_others():
    alone = rated(list(pairs("a", "b", 13, 30)))["games"]
    beside = rated([*pairs("a", "c", 3, 9, "breakthrough"), *pairs("a", "b", 13, 30)])["games"]
    assert beside[1:] == alone


def test_clocks_and_unfinished_order_have_no_say():
    records = list(pairs("a", "b", 13, 30))
    later = [dataclasses.replace(r, ended=float(number)) for number, r in enumerate(records[::-1])]
    assert rated(records) == rated(later)


def test_general_sum_games_have_returns_and_no_elo():
    # a defects: 10 to 0 against b, which always cooperates (5 to 5 with itself).
    (game,) = rated(
        [
            record("ab", (10, 0), 0, 1, "matrix_pd"),
            record("ba", (0, 10), 1, 1, "matrix_pd"),
            record("ab", (1, 1), 2, 2, "matrix_pd"),
            record("bb", (5, 5), 3, 2, "matrix_pd"),
        ]
    )["games"]
    assert game["utility"] == "general-sum" and game["matches"] == 4 and game["unique_matches"] == 3
    alone, few = game["notes"]
    assert alone == "matches of a bot against itself, which do not count: 1"
    assert few.startswith("only 2 blocks")
    a = game["mean_returns"]["bots"]["a"]
    assert a["mean"] == 7 and [seat["mean"] for seat in a["by_seat"]] == [5.5, 10]
    assert [seat["low"] for seat in a["by_seat"]] == [0, None]  # two blocks, which say little, and one
    assert game["crosstable"]["mean_return"] == [[None, 7], [1 / 3, None]]
    assert "score" not in game["crosstable"]
    for name in ("standings", "elo", "bradley_terry", "alpha_rank", "nash_averaging"):
        assert "matrix_pd is a general-sum game" in game[name]["absent"]
    text = ratings_text({"games": [game], "mean_over_games": None})
    assert "no scores or Elo or Bradley-Terry or alpha-rank or Nash averaging: matrix_pd" in text


def test_a_paired_bootstrap_of_returns():
    # The deal decides: whoever sits first gets what the deal is worth, in both matches of a pair.
    records = []
    for seed in range(40):
        worth = (seed % 7, 6 - seed % 7)
        records += [
            record("ab", worth, 2 * seed, seed, "matrix_pd"),
            record("ba", worth, 2 * seed + 1, seed, "matrix_pd"),
        ]
    a = rated(records)["games"][0]["mean_returns"]["bots"]["a"]
    # No spread in a pair's mean; yet of 40 like it nobody knows what a rare one would pay.
    assert a["mean"] == 3 and 2 < a["low"] < 3 < a["high"] < 4.5
    assert a["by_seat"][0]["low"] < a["by_seat"][0]["mean"] < a["by_seat"][0]["high"]


def test_three_players_have_returns_by_seat():
    (game,) = rated(
        [
            record("abc", (2, -1, -1), 0, 1, "kuhn_poker(players=3)"),
            record("cab", (-1, 2, -1), 1, 1, "kuhn_poker(players=3)"),
            record("bca", (4, -2, -2), 2, 2, "kuhn_poker(players=3)"),
        ]
    )["games"]
    assert game["utility"] == "constant-sum" and game["players"] == 3
    assert game["mean_returns"]["bots"]["a"]["mean"] == pytest.approx(2 / 3)
    assert [seat["mean"] for seat in game["mean_returns"]["bots"]["b"]["by_seat"]] == [4, -1, -1]
    assert all("has 3 players" in game[name]["absent"] for name in ("elo", "crosstable"))


def test_mean_over_games_counts_each_game_the_same():
    ratings = rated(
        [
            *pairs("a", "b", 30, 40),
            *pairs("a", "b", 1, 4, "breakthrough"),
            *pairs("a", "c", 1, 2, "breakthrough"),
            *pairs("a", "b", 1, 4, "matrix_pd"),
        ]
    )
    mean = ratings["mean_over_games"]
    assert mean["games"] == ["breakthrough", "tic_tac_toe"] and mean["left_out"] == ["c"]
    assert mean["bots"]["a"]["score"] == pytest.approx((0.75 + 2 / 6) / 2)
    assert mean["bots"]["b"]["score"] == pytest.approx((0.25 + 0.75) / 2)
    assert mean["bots"]["b"]["low"] < 0.5 < mean["bots"]["b"]["high"]
    assert "not in all of these games: c" in ratings_text(ratings)


def test_a_fit_that_does_not_converge_is_said(monkeypatch):
    monkeypatch.setattr("arena.rating.bradley_terry._STEPS", 1)
    (game,) = rated([*pairs("a", "b", 2, 3)])["games"]
    assert "do not converge" in game["elo"]["absent"] and "bots" in game["standings"]


def test_who_cannot_be_compared_is_said():
    (game,) = rated([*pairs("a", "b", 2, 2), *pairs("b", "c", 1, 2, start=5), *pairs("x", "y", 1, 3, start=9)])[
        "games"
    ]
    few, apart, beaten = game["notes"]
    assert few.startswith("only 7 blocks of matches")
    assert apart.endswith("only inside a group: a, b, c | x, y")
    assert beaten.endswith("its 0.01 added wins: a | b, c | x, y")
    assert game["bradley_terry"]["bots"]["a"] == {
        "strength": None,
        "low": None,
        "high": None,
        "reliable": False,
        "group": 0,
    }
    b, c = (game["bradley_terry"]["bots"][bot] for bot in "bc")
    # Around their own mean; b has more blocks than c, and is less expanded.
    assert b["low"] == pytest.approx(-c["high"], abs=0.01) and b["low"] < b["high"]
    assert game["elo"]["bots"]["a"]["rating"] > 500
    assert [game["elo"]["bots"][bot]["group"] for bot in "abcxy"] == [0, 0, 0, 1, 1]
    for name in ("alpha_rank", "nash_averaging"):
        assert "a and c have not met" in game[name]["absent"]


def test_one_opening_gives_no_bootstrap_and_no_match_no_rating():
    (game,) = rated([record("ab", WIN, 0, 1), record("ba", WIN, 1, 1)])["games"]
    assert "no intervals" in game["notes"][0]
    assert game["standings"]["bots"]["a"]["wilson_low"] is None
    elo = {"rating": pytest.approx(0), "low": None, "high": None, "reliable": False, "group": 0}
    assert game["elo"]["bots"]["a"] == elo
    alone = rated([record("aa", WIN, 0, 1)])
    assert alone["games"][0]["mean_returns"] == {"absent": "no two bots have met in tic_tac_toe"}
    assert "no two bots have met" in ratings_text(alone)
    with pytest.raises(ValueError, match="at least one match, found none"):
        rate(Results.from_records([]))
    with pytest.raises(ValueError, match="unknown game 'tictactoe'"):
        rated([record("ab", WIN, 0, 1, "tictactoe")])


def test_forfeits_are_by_bot():
    timeout, crash = (ForfeitRecord(1, kind, "") for kind in ("timeout", "crash"))
    (game,) = rated(
        [
            record("ab", WIN, 0, 1, forfeit=timeout),
            record("ba", WIN, 1, 1, forfeit=crash),
            record("ab", WIN, 2, 2, forfeit=timeout),
        ]
    )["games"]
    assert game["forfeits"] == {
        "a": {"illegal": 0, "timeout": 0, "crash": 1},
        "b": {"illegal": 0, "timeout": 2, "crash": 0},
    }


def test_over_time_follows_the_clock():
    # In the order of the clock a scores three of four, then one of four.
    outcomes = [WIN, WIN, DRAW, DRAW, WIN, LOSS, LOSS, LOSS]
    records = [
        record("ab", outcome, number, 100 - number, ended=float(number))
        for number, outcome in enumerate(outcomes)
    ]
    (history,) = over_time(Results.from_records(records[::-1]), points=2)
    assert (history["game"], history["figure"]) == ("tic_tac_toe", "elo")
    assert history["matches"] == [4, 8] and history["ended"] == [3.0, 7.0]
    first, last = history["bots"]["a"]
    assert first == pytest.approx(200 * math.log10(3), abs=2) and last == pytest.approx(0, abs=1e-6)
    assert len(over_time(Results.from_records(records), points=20)[0]["matches"]) == 8

    final = rated(records)["games"][0]["elo"]["bots"]["a"]["rating"]
    assert last == pytest.approx(final, abs=1e-3)


def test_over_time_of_returns():
    records = [
        record("abc", (6, 0, 0), 0, 1, "kuhn_poker(players=3)", ended=1.0),
        record("abd", (0, 3, 0), 1, 2, "kuhn_poker(players=3)"),
    ]  # the clock was not noted
    (history,) = over_time(Results.from_records(records), points=2)
    assert history["figure"] == "mean_return" and history["ended"] == [1.0, None]
    assert history["bots"] == {"a": [6, 3], "b": [0, 1.5], "c": [0, 0], "d": [None, 0]}
    assert over_time(Results.from_records([record("aa", WIN, 0, 1)])) == []


def test_text_ranks_the_best_first():
    ratings = rated(
        [*pairs("weak", "a(b=1,c=2)", 5, 20), *pairs("weak", "m", 8, 20), *pairs("m", "a(b=1,c=2)", 8, 20)]
    )
    lines = ratings_text(ratings).splitlines()
    assert lines[0] == (
        "tic_tac_toe: 2 players, constant-sum, 120 matches, of which 120 count, in 20 blocks; "
        "ranked by Elo, as a match is won, drawn or lost, and nothing else"
    )
    assert [line.split()[0] for line in lines[4:7]] == ["a(b=1,c=2)", "m", "weak"]
    assert re.search(r"^1 a\(b=1,c=2\) +0.600 \[\S+, \S+\] +0.750 \[", "\n".join(lines), re.MULTILINE)


@pytest.fixture
def drawn(monkeypatch):
    """The texts of the figure that was saved last."""
    texts = []
    save = matplotlib.figure.Figure.savefig

    def savefig(figure, *arguments, **options):
        texts[:] = [text.get_text() for text in figure.findobj(matplotlib.text.Text)]
        save(figure, *arguments, **options)

    monkeypatch.setattr(matplotlib.figure.Figure, "savefig", savefig)
    return texts


def test_the_picture_names_bots_and_figures(tmp_path, drawn):
    ratings = rated(
        [
            *pairs("a" * 60, "b", 5, 20),
            *pairs("b", "c", 5, 20, "matrix_pd"),
            record("abc", (2, -1, -1), 0, 1, "kuhn_poker(players=3)"),
        ]
    )
    draw(ratings, tmp_path / "r.png")
    assert (tmp_path / "r.png").read_bytes().startswith(b"\x89PNG\r\n\x1a\n")
    assert [path.name for path in tmp_path.iterdir()] == ["r.png"]
    for text in (
        "b  1",
        "a" * 20 + "..." + "a" * 20 + "  2",
        "0.75",
        "0.25",
        "c  1",
        "0.50",
        "a",
        "Elo, 95 %",
        "tic_tac_toe: 40 matches",
    ):
        assert text in drawn
    with pytest.raises(ValueError, match="nothing to draw"):
        draw(rated([record("aa", WIN, 0, 1)]), tmp_path / "s.png")
    with pytest.raises(OSError):
        draw(ratings, tmp_path / "nowhere" / "r.png")


def _run(*arguments):
    return warm.run("arena.ratings", *arguments)


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    path = tmp_path_factory.mktemp("ratings") / "m.db"
    with Database(path) as file:
        file.add_all(file.experiment({"n": 1}), pairs("a", "b", 30, 40))
        file.add_all(file.experiment({"n": 2}), pairs("a", "b", 1, 4, "breakthrough"))
    return path


def test_command(database, tmp_path):
    done = _run(
        f"--db={database}",
        "--experiment=1",
        "--seed=7",
        f"--json={tmp_path / 'r.json'}",
        f"--plot={tmp_path / 'r.png'}",
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("tic_tac_toe: 2 players, constant-sum, 80 matches")
    found = json.loads((tmp_path / "r.json").read_text())
    assert found.pop("over_time")[0]["matches"][-1] == 80 and found.pop("nash_conv") == {}
    assert found == rate(Results.from_records(list(pairs("a", "b", 30, 40))), seed=7)
    assert (tmp_path / "r.png").read_bytes().startswith(b"\x89PNG")
    other = _run(f"--db={database}", "--game=breakthrough")
    assert other.stdout.startswith("breakthrough: 2 players, constant-sum, 8 matches")


@pytest.mark.parametrize(
    "arguments, part",
    [
        (["--db={}", "--game=tictactoe"], "did you mean tic_tac_toe"),
        (["--db={}", "--experiment=3"], "expected one of 1, 2"),
        (["--db=/nowhere/m.db"], "/nowhere/m.db"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(database, arguments, part):
    done = _run(*(argument.format(database) for argument in arguments))
    assert done.returncode == 2, done.stderr
    assert part in done.stderr and done.stdout == ""
    assert done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
