"""The size of an experiment is fixed when it starts; what was asked for later, and openings, are told apart."""

from __future__ import annotations

import sqlite3
from dataclasses import replace

import numpy as np
import pytest

from arena.rating.rate import rate
from arena.rating.tables import ratings_text
from arena.store.database import Database
from arena.tournaments.playing import play
from arena.tournaments.schedule import Tournament
from arena.tournaments.summary import summarize
from arena.tournaments.text import tournament_text
from arena.tournaments.until import parse_until, play_until, widest

BOTS = ["mcts(simulations=4)", "random"]


def tournament(**changes):
    return Tournament.checked(
        **{"game": "tic_tac_toe", "bots": BOTS, "num_games": 4, "seed": 3, "opening_plies": 0, **changes}
    )


def results(path):
    with Database(path, must_exist=True) as database:
        return database.results()


def test_an_extension_after_a_look_is_said_by_every_table(tmp_path):
    path = tmp_path / "m.db"
    play(tournament(), db=path)
    play(tournament(), db=path)  # the same again goes on, and is no extension
    assert results(path).extensions == ()
    play(tournament(bots=[*BOTS, "minimax(depth=1)"]), db=path)  # another bot does not let the others play on
    assert results(path).extensions == ()
    longer = tournament(num_games=10)
    records = play(longer, db=path)
    ((game, setting, sentence),) = results(path).extensions[:1]
    assert (game, setting) == ("tic_tac_toe", "")
    assert sentence.startswith("extended after a look: 4 \u2192 10 matches of each two bots (experiment 1)")
    ratings = rate(results(path))
    assert sentence in ratings["games"][0]["notes"] and sentence in ratings_text(ratings)
    assert "Extended after a look: 4 \u2192 10 matches" in tournament_text(summarize(longer, records))


def test_what_was_stopped_before_its_first_match_is_no_look(tmp_path):
    path = tmp_path / "m.db"
    with Database(path) as database:
        experiment = database.experiment(tournament().config())
        database.plan(experiment, tournament().plan())
    play(tournament(num_games=6), db=path)
    assert results(path).extensions == ()


def test_databases_of_earlier_versions_know_no_sizes(tmp_path):
    path = tmp_path / "m.db"
    play(tournament(), db=path)
    connection = sqlite3.connect(path)
    connection.execute("DROP TABLE plan")
    connection.commit()
    connection.close()
    assert results(path).extensions == () and len(rate(results(path))["games"][0]["bots"]) == 2
    play(tournament(num_games=6), db=path)
    assert len(results(path)) == 6


def test_other_openings_are_another_experiment_of_one_file(tmp_path):
    path = tmp_path / "m.db"
    for plies in (0, 2):
        play(tournament(num_games=20, opening_plies=plies), db=path)
    found = rate(results(path))["games"]
    assert [(game["setting"], game["matches"], game["unique_matches"]) for game in found] == [
        ("", 20, 20),
        ("2 random opening plies", 20, 20),
    ]
    assert results(path).extensions == ()


def test_small_games_keep_their_decisions():
    with pytest.raises(
        ValueError, match="kuhn_poker has at most 3 moves in a match, of which 2 would be random"
    ):
        tournament(game="kuhn_poker", bots=["random", "cfr(iterations=2)"], opening_plies=2)
    with pytest.raises(ValueError, match="expected at most 2, so that the bots decide"):
        tournament(opening_plies=3)
    assert tournament(opening_plies=2).opening_plies == 2


@pytest.mark.parametrize(
    "changes, expected",
    [
        ({"bots": ["minimax(depth=1)", "minimax(depth=2)"]}, True),
        ({"bots": ["minimax(depth=1)", "minimax(depth=2)"], "opening_plies": 2}, False),
        ({"bots": ["minimax(depth=1)", "random"]}, False),
        ({"game": "pig(players=2,winscore=20)", "bots": ["minimax(depth=1)", "minimax(depth=2)"]}, False),
    ],
)
def test_what_repeats_itself(changes, expected):
    assert tournament(**changes).repeats_itself() is expected


def test_play_ends_when_enough_is_known(tmp_path):
    wanted = tournament(num_games=2000, until=0.3)
    path = tmp_path / "m.db"
    records = play_until(wanted, db=path)
    assert 20 < len(records) < 2000 and widest(results(path)) <= 0.3
    fewer = results(path)
    assert widest(fewer.where(np.arange(20))) > 0.3
    # What was found is reported with intervals that hold at any time, and without the word extended.
    assert results(path).extensions == () and results(path).sequential == (("tic_tac_toe", ""),)
    result = summarize(wanted, records)
    own = result["per_bot"]["random"]
    assert own["wilson_high"] - own["wilson_low"] == pytest.approx(widest(results(path)))
    assert any("confidence sequences" in note for note in result["notes"])
    (game,) = rate(results(path))["games"]
    assert game["standings"]["bots"]["random"]["wilson_high"] == own["wilson_high"]
    # In memory the same matches, and the number of games ends it in any case.
    assert [r.actions() for r in play_until(replace(wanted, num_games=24))] == [
        r.actions() for r in records[:24]
    ]


@pytest.mark.parametrize("text", ["width", "width:x", "width:0", "width:-1", "games:3", "width:inf"])
def test_until_is_a_width(text):
    with pytest.raises(ValueError, match=r"--until: expected width: and a number above 0"):
        parse_until(text)


def test_until_reads_a_width():
    assert parse_until("width:.05") == 0.05
