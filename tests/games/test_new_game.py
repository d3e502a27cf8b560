"""`spielwright new-game` writes a package that works by the commands that it prints."""

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


@pytest.fixture
def commands(tmp_path):
    """Gives a command in `tmp_path` as a user gives it; what pip installs goes to the folder `site` there."""
    (tmp_path / "bin").mkdir()
    for name, words in {"python": "", "pip": "-m pip"}.items():
        (tmp_path / "bin" / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {words} "$@"\n')
        (tmp_path / "bin" / name).chmod(0o755)
    (tmp_path / "site").mkdir()
    # A folder of PYTHONPATH is no site folder by itself, and an editable installation is a .pth file.
    (tmp_path / "site" / "sitecustomize.py").write_text(
        "import os, site\nsite.addsitedir(os.path.dirname(__file__))\n"
    )
    offline = {"PIP_NO_INDEX": "1", "PIP_NO_DEPS": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_QUIET": "1"}
    environment = {
        **os.environ,
        **offline,
        "PATH": f"{tmp_path / 'bin'}:{os.environ['PATH']}",
        "PIP_TARGET": str(tmp_path / "site"),
        "PYTHONPATH": os.pathsep.join([str(tmp_path / "site"), str(ROOT)]),
        "PYTEST_ADDOPTS": "-p no:cacheprovider",
        "SPIELWRIGHT_PLUGINS": "red-nim-game",
    }

    def give(command):
        return subprocess.run(
            ["bash", "-c", command], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=120
        )

    return give


@pytest.mark.parametrize("hidden", [False, True], ids=["open", "hidden"])
def test_a_package_is_called_by_its_names_everywhere(tmp_path, hidden):
    package = tmp_path / "red_nim_game"
    written = [Path(path) for path in new_game.write("red_nim", str(package), hidden=hidden)]
    assert sorted(written) == sorted(path for path in package.rglob("*") if path.is_file())
    assert sorted(str(path.relative_to(package)) for path in written) == [
        "pyproject.toml",
        "src/red_nim_game/__init__.py",
        "src/red_nim_game/game.py",
        "src/red_nim_game/registration.py",
        "src/red_nim_game/rules.md",
        "tests/test_red_nim.py",
    ]
    text = "".join(path.read_text() for path in written)
    assert not any(word in text for word in ("my_game", "MyGame", "My game", "my-package", "my_package"))
    assert 'name = "red-nim-game"' in text and ("class RedNimRules" if hidden else "class RedNimState") in text


def test_the_printed_commands_work_where_they_were_printed(tmp_path, commands):
    """Those of a game with hidden information stand in docs/your_own_game.md, whose test gives them."""
    pytest.importorskip("setuptools", minversion="70.1", reason="building a wheel needs setuptools 70.1")
    done = new("red_nim", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    printed = [line.strip() for line in done.stdout.splitlines() if line.startswith("  ")]
    assert len(printed) == 4 and printed[0].startswith("pip install ") and "pytest" in printed[1]
    installed = commands(printed[0])
    assert installed.returncode == 0, installed.stderr
    tested = commands(printed[1])
    assert tested.returncode == 0 and "3 passed" in tested.stdout, tested.stdout + tested.stderr
    # An edit is seen without another installation, and the tests name the mistake in it.
    with open(tmp_path / "red_nim_game" / "src" / "red_nim_game" / "registration.py", "a") as file:
        file.write("\nraise KeyError('colour')\n")
    tested = commands(printed[1])
    assert tested.returncode == 2 and "is left out: KeyError: 'colour'" in tested.stdout, tested.stdout


def test_the_command_takes_one_name(tmp_path):
    done = new(cwd=tmp_path)
    assert done.returncode == 2 and not list(tmp_path.iterdir())
    assert done.stderr.count("\n") == 1, done.stderr
    assert "expected one name of a game, as in spielwright new-game nim21, found 0" in done.stderr


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Nim", "expected a name of lower-case letters"),
        ("nim-21", "found 'nim-21'"),
        ("class", "found 'class'"),
        ("go", "the game 'go' is there already"),
        ("ferry", "the game 'ferry' is there already"),
    ],
)
def test_a_wrong_name_is_one_sentence(tmp_path, name, said):
    with pytest.raises(ValueError, match=said) as error:
        new_game.write(name, str(tmp_path / "folder"))
    assert "\n" not in str(error.value) and not list(tmp_path.iterdir())


def test_nothing_is_overwritten(tmp_path):
    folder = tmp_path / "nim21_game"
    folder.mkdir()
    new_game.write("nim21", str(folder))
    kept = (folder / "src" / "nim21_game" / "rules.md").read_text()
    with pytest.raises(ValueError, match="is there already and not empty"):
        new_game.write("nim21", str(folder), hidden=True)
    assert (folder / "src" / "nim21_game" / "rules.md").read_text() == kept
    (tmp_path / "file").write_text("")
    with pytest.raises(ValueError, match="file: is there already and not empty"):
        new_game.write("nim21", str(tmp_path / "file"))
