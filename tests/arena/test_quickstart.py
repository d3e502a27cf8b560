"""The main job as a newcomer starts it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import spielwright_packages
from arena import quickstart as quickstart_module

ENVIRONMENT = {"PYTHONPATH": str(Path(spielwright_packages.__file__).parent), "PATH": os.environ["PATH"]}


def quickstart(*flags, cwd):
    return subprocess.run(
        [sys.executable, "-m", "arena.quickstart", *flags],
        cwd=cwd,
        env=ENVIRONMENT,
        capture_output=True,
        text=True,
        timeout=180,
    )


def test_the_quickstart_works_twice_and_leaves_what_it_says(tmp_path):
    for _ in range(2):
        done = quickstart("--num_games=4", cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    folder = tmp_path / "spielwright_quickstart"
    result = json.loads((folder / "tournament.json").read_text())
    assert result["matches"] == 12 and result["online_transition_accuracy"] == 1.0
    assert json.loads((folder / "model" / "manifest.json").read_text())["test_transition_accuracy"] == 1
    assert (folder / "results.png").read_bytes().startswith(b"\x89PNG")
    assert "cwm_mcts" in done.stdout and "online transition accuracy: 1.0" in done.stdout


def test_a_folder_of_somebody_else_is_left_alone(tmp_path):
    (tmp_path / "spielwright_quickstart").mkdir()
    (tmp_path / "spielwright_quickstart" / "thesis.txt").write_text("important")
    done = quickstart(cwd=tmp_path)
    assert done.returncode == 2 and "was not made by the quickstart" in done.stderr
    assert (tmp_path / "spielwright_quickstart" / "thesis.txt").read_text() == "important"


def test_a_function_is_shown_whole_up_to_40_lines():
    source = ["X = 1", "def f(a):", "    b = a", "", "    return b", "", "", "def g():", *["    pass"] * 41]
    assert quickstart_module._function(source, "f") == source[1:5]
    assert quickstart_module._function(source, "g") == [*source[7:47], "    ... 2 more lines"]
