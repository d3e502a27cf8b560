"""`spielwright new-game` writes a package whose own tests pass once it is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

import spielwright_packages
from games.packages import new_game

ROOT = Path(spielwright_packages.__file__).parent


def new(*words, cwd):
    return subprocess.run(
        [sys.executable, "-m", "runs.console", "new-game", *words],
        cwd=cwd,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize(("words", "tests"), [((), 3), (("--hidden",), 4)], ids=["open", "hidden"])
def test_the_skeletons_own_tests_pass_after_its_installation(tmp_path, words, tests):
    pytest.importorskip("setuptools", minversion="70.1", reason="building a wheel needs setuptools 70.1")
    done = new("red_nim", *words, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    written = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*") if path.is_file())
    assert [str(path) for path in written] == [
        "red_nim_game/pyproject.toml",
        "red_nim_game/red_nim_game/__init__.py",
        "red_nim_game/red_nim_game/game.py",
        "red_nim_game/red_nim_game/registration.py",
        "red_nim_game/red_nim_game/rules.md",
        "red_nim_game/tests/test_red_nim.py",
    ]
    text = "".join(path.read_text() for path in tmp_path.rglob("*.*") if path.is_file())
    assert not any(word in text for word in ("my_game", "MyGame", "My game", "my-package", "my_package"))
    assert 'name = "red-nim-game"' in text and ("class RedNimRules" if words else "class RedNimState") in text
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--target=site", "./red_nim_game"], cwd=tmp_path, check=True, timeout=120)
    tested = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=tmp_path / "red_nim_game",
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(tmp_path / "site"), str(ROOT)]),
            "SPIELWRIGHT_PLUGINS": "red-nim-game",
        },
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert tested.returncode == 0 and f"{tests} passed" in tested.stdout, tested.stdout + tested.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ((), "expected one name of a game, as in spielwright new-game nim21, found 0"),
        (("one", "two"), "found 2"),
        (("Nim",), "expected a name of lower-case letters"),
        (("nim-21",), "found 'nim-21'"),
        (("class",), "found 'class'"),
        (("go",), "the game 'go' is there already"),
        (("ferry",), "the game 'ferry' is there already"),
    ],
)
def test_a_wrong_name_is_one_sentence(tmp_path, words, said):
    done = new(*words, cwd=tmp_path)
    assert done.returncode == 2 and not list(tmp_path.iterdir())
    assert said in done.stderr and done.stderr.count("\n") == 1, done.stderr


def test_nothing_is_overwritten(tmp_path):
    folder = tmp_path / "nim21_game"
    folder.mkdir()
    new_game.write("nim21", str(folder))
    kept = (folder / "nim21_game" / "rules.md").read_text()
    with pytest.raises(ValueError, match="is there already and not empty"):
        new_game.write("nim21", str(folder), hidden=True)
    assert (folder / "nim21_game" / "rules.md").read_text() == kept
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="file: is there already and not empty"):
        new_game.write("nim21", str(tmp_path / "file"))
