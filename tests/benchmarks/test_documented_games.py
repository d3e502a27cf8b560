"""The table of games without view code of ours."""

import re
from pathlib import Path

import pyspiel
import pytest

from benchmarks.games import documented_games

PERFECT_RUN = {"llm_calls": 2, "train_transition_accuracy": 1.0, "test": {"transitions": 400, "passed": 400}}


@pytest.mark.parametrize(
    "name, states",
    [
        ("tic_tac_toe", 5478),  # published: OEIS A008907 and many others
        ("matrix_pd", 5),  # the start and four outcomes
        (
            "kuhn_poker",
            58,
        ),  # the start, three first cards, and nine states of the betting for each of six deals
    ],
)
def test_states_of_small_games_are_counted(name, states):
    counted, all_of_them = documented_games.count_states(pyspiel.load_game(name))
    assert (counted, all_of_them) == (states, True)


def test_states_of_large_games_are_bounded_from_below(monkeypatch):
    monkeypatch.setattr(documented_games, "WALKED", 1_000)
    monkeypatch.setattr(documented_games, "STATES", 3_000)
    assert documented_games.count_states(pyspiel.load_game("oware")) == (3_000, False)
    # A game of fewer states than that ends the search all the same.
    monkeypatch.setattr(documented_games, "PLAYED", 5_000)
    counted, all_of_them = documented_games.count_states(pyspiel.load_game("tic_tac_toe"))
    assert counted < 5_478 and not all_of_them


def test_a_row_says_what_the_game_is_and_what_was_measured(tmp_path):
    row = documented_games.row("kuhn_poker(players=3)", None, str(tmp_path))
    assert (row["players"], row["moves"], row["information"]) == ("3", "in turn", "imperfect")
    assert (row["utility"], row["resamples"], row["miss"]) == ("zero sum", "yes", "no call was recorded")
    row = documented_games.row("matrix_pd", PERFECT_RUN, str(tmp_path))
    assert (row["moves"], row["utility"], row["states"]) == ("at once", "general sum", "5")
    assert (row["calls"], row["transitions"], row["wilson_low"], row["miss"]) == ("2", "1.0000", "0.9905", "")
    failed = {**PERFECT_RUN, "test": None, "test_failure": "the worker died"}
    assert documented_games.row("matrix_pd", failed, str(tmp_path))["miss"] == "the worker died"


def test_a_miss_is_named_by_its_smallest_counterexample(tmp_path):
    source = (Path(__file__).parents[1] / "cwm/models/tic_tac_toe.py").read_text(encoding="utf-8")
    assert "(0, 4, 8), " in source
    (tmp_path / "model.py").write_text(source.replace("(0, 4, 8), ", ""))
    miss = documented_games.smallest_failure("tic_tac_toe", str(tmp_path))
    # Five moves win at the earliest, on the diagonal that the model does not know.
    assert re.fullmatch(r"after 4 actions, x\((0,0|1,1|2,2)\): .*current_player after the action.*", miss), miss
