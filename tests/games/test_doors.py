"""Old names of modules of `games` lead to the modules that have moved, and documented commands still run."""

from __future__ import annotations

import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
COMMANDS = [
    "games.fps_arena.animate",
    "games.micro_rts.animate",
    "games.micro_rts.compare",
    "games.micro_rts.replay",
    "games.wrestle.draw",
    "games.wrestle.replay",
]


def doors() -> dict[str, str]:
    """The target of each door by the old name."""
    found = {}
    for path in sorted((ROOT / "games").rglob("doors/**/*.py")):
        if path.stem != "__init__":
            above = next(folder for folder in path.parents if folder.name == "doors").parent
            old = ".".join([*above.relative_to(ROOT).parts, path.stem])
            found[old] = re.search(r'^open_door\(__name__, "([\w.]+)"\)', path.read_text("utf-8"), re.M)[1]
    return found


def python(*arguments: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=120,
    )


def test_the_names_in_the_documents_have_doors():
    assert {
        "games.boards": "games.openspiel_views.board_drawings",
        "games.hidden_information": "games.hidden.hidden_information",
        "games.named_history": "games.seeing.named_history",
        "games.pictures": "games.seeing.pictures",
        "games.rulebook": "games.seeing.rulebook",
        "games.views": "games.seeing.views",
    }.items() <= doors().items()


@pytest.mark.parametrize("old, new", doors().items())
def test_both_names_are_the_same_module(old, new):
    assert old != new
    assert importlib.import_module(old) is importlib.import_module(new)


@pytest.mark.parametrize(
    "first, second", [("games.views", "games.seeing.views"), ("games.seeing.views", "games.views")]
)
def test_it_does_not_matter_which_name_comes_first(first, second):
    program = (
        f"import {first}; import {second}; import games; from games import views\n"
        "assert games.views is games.seeing.views is views; print(views.__name__)"
    )
    assert python("-c", program).stdout.strip() == "games.seeing.views"


def test_modules_are_attributes_of_the_package_as_before():
    program = "import games; print(games.views.__name__, games.caravan.__name__, games.leduc_view.__name__)"
    names = "games.seeing.views games.hidden.caravan.game games.openspiel_views.leduc_poker"
    assert python("-c", program).stdout.strip() == names


def test_a_package_that_was_a_module_has_its_names():
    from games.fps_arena.rules import Rules
    from games.fps_arena.rules.parameters import Rules as moved

    assert Rules is moved
    with pytest.raises(AttributeError, match="no attribute 'Nothing'"):
        importlib.import_module("games.fps_arena.rules").Nothing  # noqa: B018


def test_a_door_runs_a_command(tmp_path):
    (tmp_path / "old_replay.py").write_text(
        'from runs.doors import open_door\n\nopen_door(__name__, "games.wrestle.replay")\n'
    )
    trace = ROOT / "tests" / "games" / "wrestle" / "traces" / "03_headon_const200.jsonl.gz"
    done = python("-m", "old_replay", str(trace), folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1].startswith("1 of 1 games agree")


@pytest.mark.parametrize("command", COMMANDS)
def test_documented_commands_show_their_help(command):
    shown = python("-m", command, "--help")
    # absl leaves with 1 after --help.
    assert shown.returncode == 1, shown.stderr
    assert f"python -m {command}" in shown.stdout and "Traceback" not in shown.stderr
