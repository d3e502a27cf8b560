"""The main job as a newcomer starts it."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import spielwright_packages
from arena import quickstart as quickstart_module
from cwm.contract import manifest, model_folders
from cwm.worker import speed

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


def test_the_speed_of_a_model_in_c_is_told(tmp_path, monkeypatch):
    folder = shutil.copytree(model_folders.candidates("connect_four")[0], tmp_path / "connect_four")
    program, source = folder / "model.c", (folder / "model.py").read_text()
    program.write_text("int x;")
    content = json.loads((folder / "manifest.json").read_text())
    content["native"] = {"accepted": True, "of": manifest.hash_of(source, None)}
    content["interpreter"] = {"chosen": "native", "simulations_per_second": {"cpython": 10, "native": 120}}
    (folder / "manifest.json").write_text(json.dumps(content))
    monkeypatch.setattr(speed, "available_interpreters", lambda: ["cpython"])
    monkeypatch.setattr(speed, "why_not_native", lambda source, use_value: None)
    assert "runs on 'native'" in quickstart_module._speed_lines(str(folder))[0]
    monkeypatch.setattr(speed, "why_not_native", lambda source, use_value: "there is no compiler")
    slower, command = quickstart_module._speed_lines(str(folder))
    assert "runs on 'cpython'; in C it searched 12 times as fast" in slower
    assert "pip install '.[native]'" in command and "there is no compiler" in command
    content["native"]["accepted"] = False
    (folder / "manifest.json").write_text(json.dumps(content))
    assert quickstart_module._speed_lines(str(folder)) == []
    assert quickstart_module._speed_lines("no_such_game") == []


def test_a_function_is_shown_whole_up_to_40_lines():
    source = ["X = 1", "def f(a):", "    b = a", "", "    return b", "", "", "def g():", *["    pass"] * 41]
    assert quickstart_module._function(source, "f") == source[1:5]
    assert quickstart_module._function(source, "g") == [*source[7:47], "    ... 2 more lines"]
