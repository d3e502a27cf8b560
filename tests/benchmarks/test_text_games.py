"""The command that measures text games: what it asks for and how it prints."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.games import text_games
from benchmarks.support.stories import find_rom

ROOT = Path(__file__).parents[2]


def test_a_story_is_found_by_its_name(tmp_path):
    (tmp_path / "zork1.z3").touch()
    assert find_rom(str(tmp_path), "zork1") == str(tmp_path / "zork1.z3")
    (tmp_path / "zork1.z5").touch()
    assert find_rom(str(tmp_path), "zork1") == str(tmp_path / "zork1.z5")
    with pytest.raises(ValueError, match="has no detective with one of the endings .z5 .z3 .z8 .z4; copy"):
        find_rom(str(tmp_path), "detective")


def test_the_tables():
    speed = text_games.speed_table(
        {"zork1": {"simulations": 750, "stock": 0.5, "cold": 5.0, "disk": 100.0, "equal": 29, "checked": 30}}
    )
    assert speed.splitlines()[-1].split() == [
        "zork1",
        "750",
        "0.50",
        "5.0",
        "100.0",
        "10.0",
        "200",
        "29",
        "of",
        "30",
    ]
    walked = text_games.walkthrough_table(
        {
            "pentari": {"score": 70, "max_score": 70, "steps": 49, "branching": 5.163},
            "tower": {"score": 1, "max_score": 2, "steps": 3, "branching": 4.0},
        }
    ).splitlines()
    assert walked[-2].split() == ["pentari", "70", "70", "70", "49", "49", "5.16", "5.16"]
    assert walked[-1].split() == ["tower", "1", "2", "3", "4.00"]


def test_without_roms_the_command_says_so():
    run = subprocess.run(
        [sys.executable, "-m", "benchmarks.games.text_games"], cwd=ROOT, capture_output=True, text=True
    )
    assert run.returncode == 2 and "--roms is missing" in run.stderr
