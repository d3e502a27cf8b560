from __future__ import annotations

from arena.matches.records import MatchRecord, Move
from arena.tournaments.schedule import Tournament
from arena.tournaments.summary import summarize
from arena.tournaments.text import crosstable_rows, standings_rows, tournament_text
from runs.tables import markdown_table, text_table

ROWS = [["bot", "score"], ["a long name", "1"], ["b|c", "0.25"]]


def _result():
    # a beats b twice and draws with c; c beats b.
    outcomes = {
        ("a", "b"): (1, -1),
        ("b", "a"): (-1, 1),
        ("a", "c"): (0, 0),
        ("c", "a"): (0, 0),
        ("b", "c"): (-1, 1),
        ("c", "b"): (1, -1),
    }
    records = [
        MatchRecord("tic_tac_toe", seats, 0, 0, None, 0, (Move(0, index),), returns)
        for index, (seats, returns) in enumerate(outcomes.items())
    ]
    return summarize(Tournament("tic_tac_toe", ("a", "b", "c"), 2, 0, 0), records)


def test_text_columns_are_aligned():
    assert text_table(ROWS) == (
        "bot          score\n-----------  -----\na long name      1\nb|c           0.25"
    )


def test_markdown_escapes_bars():
    assert markdown_table(ROWS) == ("| bot | score |\n| --- | ---: |\n| a long name | 1 |\n| b\\|c | 0.25 |")


def test_standings_are_ranked_by_score():
    header, *rows = standings_rows(_result())
    columns = {name: [row[index] for row in rows] for index, name in enumerate(header)}
    assert columns["score"] == ["0.750", "0.750", "0.000"]
    assert columns["bot"][2] == "b"
    assert columns["W-D-L"] == ["2-2-0", "2-2-0", "0-0-4"]
    assert columns["95%"] == ["-"] * 3  # one block only
    assert columns["illegal/timeout/crash"] == ["0/0/0"] * 3


def test_crosstable_reads_along_the_rows():
    assert crosstable_rows(_result()) == [
        ["W-D-L of the row", "a", "b", "c"],
        ["a", "", "2-0-0", "0-2-0"],
        ["b", "0-0-2", "", "0-0-2"],
        ["c", "0-2-0", "2-0-0", ""],
    ]


def test_tournament_text_names_game_and_seed():
    assert tournament_text(_result()).startswith(
        "tic_tac_toe: 6 matches, of which 6 count, seed 0; ranked by score, as a match is won, drawn or lost, "
        "and nothing else\n\nbot "
    )
