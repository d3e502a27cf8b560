"""The command `games.check`."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

from tests.runs import warm

ROOT = Path(__file__).parents[2]


def run(*words):
    return warm.run("games.check", *words)


def test_a_clean_game_and_its_bots(tmp_path):
    file = tmp_path / "leaks.json"
    done = run(
        "--game=kuhn_poker", "--num_games=10", "--bots=random,mcts(simulations=20,peek=true)", f"--json={file}"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].split() == ["check", "beyond", "pairs", "differ", "to", "act", "grade"]
    assert done.stdout.splitlines()[-1].startswith("kuhn_poker: clean: ")
    assert "not tested: observation struct: the game has none;" in done.stdout
    (report,) = json.loads(file.read_text())
    rows = {row["tested"]: row for row in report["checks"]}
    assert rows["move of random"]["pairs"] > 0 and rows["move of random"]["differing"] == 0
    assert rows["move of mcts(simulations=20,peek=true)"]["remark"] == "declared to peek"


def test_a_leak_of_openspiel_is_found(tmp_path):
    """Resampling of colored_trails keeps the other proposer's proposal, which this proposer does not see."""
    table = tmp_path / "leaks.csv"
    done = run("--game=colored_trails", "--num_games=6", "--seconds=20", f"--output={table}")
    assert done.returncode == 1, done.stderr
    assert "leak: resampled: does not depend on what is hidden (to move)" in done.stdout
    assert "  - Proposal 0: " in done.stdout and "  + Proposal 0: " in done.stdout
    header, row = csv.reader(table.read_text().splitlines())
    assert dict(zip(header, row))["verdict"] == "leak"


def test_a_bot_that_refuses_the_game_is_named_in_one_sentence():
    done = run("--game=liars_dice", "--bots=mcts")
    assert done.returncode == 2 and done.stdout == ""
    assert "'mcts' cannot search liars_dice" in done.stderr and done.stderr.count("\n") == 1, done.stderr


def test_all_games_get_a_verdict_each(tmp_path):
    """Of two games, as all of them take minutes; one cannot be played by action numbers."""
    table = tmp_path / "leaks.csv"
    code = (
        "from games import check\nfrom runs import cli\n"
        "check._games = lambda: ['crossword', 'tic_tac_toe']\n"
        "check._define_flags()\ncli.run(check.main)"
    )
    words = ["--game=all", "--num_games=1", "--seconds=1", f"--output={table}"]
    done = subprocess.run([sys.executable, "-c", code, *words], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("2 games: 0 leak, 0 doubt, 0 fault, 0 clean, 1 not testable")
    rows = {row["game"]: row for row in csv.DictReader(table.read_text().splitlines())}
    assert rows["tic_tac_toe"]["verdict"] == "nothing to test"
    assert (
        rows["crossword"]["verdict"] == "not testable" and "action structs only" in rows["crossword"]["reason"]
    )
