"""Old names of modules lead to the modules that have moved."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NAMES = {
    "games.boards": "games.openspiel_views.board_drawings",
    "games.hidden_information": "games.hidden.hidden_information",
    "games.named_history": "games.seeing.named_history",
    "games.pictures": "games.seeing.pictures",
    "games.rulebook": "games.seeing.rulebook",
    "games.views": "games.seeing.views",
}
COMMANDS = [
    "games.fps_arena.animate",
    "games.micro_rts.animate",
    "games.micro_rts.compare",
    "games.micro_rts.replay",
    "games.wrestle.draw",
    "games.wrestle.replay",
]


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=120,
    )


def test_each_door_has_a_name_here():
    doors = {f"games.{path.stem}" for path in (ROOT / "games" / "doors").glob("*.py")}
    assert doors == {*NAMES, "games.__init__"}


@pytest.mark.parametrize("old, new", NAMES.items())
def test_both_names_are_the_same_module(old, new):
    assert importlib.import_module(old) is importlib.import_module(new)


@pytest.mark.parametrize("order", ["old, new", "new, old"])
def test_it_does_not_matter_which_name_comes_first(order):
    first, second = (
        {"old": "games.views", "new": "games.seeing.views"}[name.strip()] for name in order.split(",")
    )
    program = (
        f"import {first}; import {second}; import games; from games import views\n"
        "assert games.views is games.seeing.views is views; print(views.__name__)"
    )
    assert python("-c", program).stdout.strip() == "games.seeing.views"


@pytest.mark.parametrize("command", COMMANDS)
def test_documented_commands_show_their_help(command):
    shown = python("-m", command, "--help")
    # absl leaves with 1 after --help.
    assert shown.returncode == 1, shown.stderr
    assert f"python -m {command}" in shown.stdout and "Traceback" not in shown.stderr
