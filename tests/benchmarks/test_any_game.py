"""The table of OpenSpiel's games: a row for each kind of game, and for processes that die or never end."""

from __future__ import annotations

import csv
from pathlib import Path

from benchmarks import any_game

TABLE = Path(__file__).parents[2] / "docs" / "results" / "tables" / "any_game.csv"


def test_each_row_says_yes_with_figures_or_no_with_a_sentence(monkeypatch):
    monkeypatch.syspath_prepend(TABLE.parents[3])  # for the processes, which import the benchmark anew
    taken = any_game.apart("kuhn_poker", 0.02, 60.0)
    assert (taken["verdict"], taken["sentence"]) == ("yes", "")
    assert taken["test_players"] == "random, ismcts(simulations=25)" and "transitions" in taken["held_out_test"]
    at_once = any_game.apart("matrix_rps", 0.02, 60.0)
    assert (at_once["verdict"], at_once["test_players"]) == ("yes", "random, smcts(simulations=25)")
    refused = any_game.apart("mfg_garnet", 0.02, 60.0)
    assert refused["verdict"] == "no" and "mean-field" in refused["sentence"]


def test_a_process_that_does_not_end_is_a_defect():
    row = any_game.apart("kuhn_poker", 0.02, 0.01)
    assert row["verdict"] == any_game.DEFECT and row["sentence"] == "took longer than 0.01 s"


def test_the_table_has_all_games_of_openspiel():
    with TABLE.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["game"] for row in rows] == any_game.names()
    assert {row["verdict"] for row in rows} == {"yes", "no"}
    for row in rows:
        assert bool(row["sentence"]) == (row["verdict"] == "no") == (not row["test_players"])
        assert "\n" not in row["sentence"] and "Traceback" not in row["sentence"]
