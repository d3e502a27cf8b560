"""The command `games.check`."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def run(*words):
    return subprocess.run(
        [sys.executable, "-m", "games.check", *words], cwd=ROOT, capture_output=True, text=True, timeout=120
    )


def test_a_clean_game_and_its_bots(tmp_path):
    file = tmp_path / "leaks.json"
    done = run(
        "--game=kuhn_poker", "--num_games=10", "--bots=random,mcts(simulations=20,peek=true)", f"--json={file}"
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[0].split() == ["check", "beyond", "pairs", "differ", "to", "act", "grade"]
    assert done.stdout.splitlines()[-1].startswith("kuhn_poker(): clean: ")
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


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--game=liars_dice", "--bots=mcts"], "does not resample it"),
        (["--game=all", "--bots=random"], "--bots: expected one game with bots, found --game=all"),
    ],
)
def test_bad_input_is_answered_in_one_sentence(words, said):
    done = run(*words)
    assert done.returncode == 2 and done.stdout == ""
    assert said in done.stderr and done.stderr.count("\n") == 1, done.stderr
