"""Old names still work: all that the documents named before the folders were sorted, and every door."""

from __future__ import annotations

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from runs import doors
from spielwright_packages import PACKAGES

ROOT = Path(doors.__file__).parents[1]
NAMES = Path(__file__).with_name("documented_names.txt").read_text("utf-8").split()
"""Modules, and names in modules, of README.md, CHANGELOG.md, BUILD_NOTES.md, docs/ and the packages' READMEs at the
time when the packages were flat."""
LATER = ("games.",)
"""Names of packages whose doors are not there yet."""


def found(name):
    """The object of a dotted name: the longest module in it, then attributes."""
    parts = name.split(".")
    for length in range(len(parts), 0, -1):
        try:
            module = importlib.import_module(".".join(parts[:length]))
        except ModuleNotFoundError as error:
            assert name.startswith(error.name), (
                error
            )  # a part of the name, not something that the module imports
            continue
        for attribute in parts[length:]:
            module = getattr(module, attribute)
        return module


def all_doors():
    for package in PACKAGES:
        for path in sorted((ROOT / package).rglob("doors/**/*.py")):
            if path.name != "__init__.py":
                above = next(folder for folder in path.parents if folder.name == "doors").parent
                yield ".".join([*above.relative_to(ROOT).parts, path.stem]), path


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(LATER)])
def test_a_documented_name_is_importable(name):
    assert found(name) is not None


@pytest.mark.parametrize(("name", "path"), list(all_doors()))
def test_a_door_is_the_module_that_it_leads_to(name, path):
    target = re.search(r'^open_door\(__name__, "([\w.]+)"', path.read_text("utf-8"), re.MULTILINE)[1]
    assert not (ROOT / target.replace(".", "/")).is_relative_to(path.parent)
    assert importlib.import_module(name) is importlib.import_module(target)


def test_the_modules_of_a_package_behind_a_door_are_not_loaded_twice():
    assert importlib.import_module("cwm.search.uct") is importlib.import_module("cwm.worker.search.uct")


def test_the_old_registry_is_a_package_with_the_same_names():
    from arena.registry import bots, canonical, make_bot, register_bot
    from arena.registry.bots import bots as own

    assert bots is own and "random" in bots()
    assert canonical("mcts( simulations=5 )") == "mcts(simulations=5)"
    assert callable(make_bot) and callable(register_bot)


def test_a_package_that_was_a_module_has_no_other_names():
    with pytest.raises(AttributeError, match=r"module 'mcdml.agents' has no attribute 'Nobody'"):
        importlib.import_module("mcdml.agents").Nobody  # noqa: B018


def test_a_door_runs_the_command_with_its_own_words_first(tmp_path):
    target = tmp_path / "target.py"
    target.write_text(
        "import sys\nprint(__name__, sys.modules['__main__'].__file__, sys.argv[1:])\nsys.exit(3)\n"
    )
    (tmp_path / "old.py").write_text(
        "from runs.doors import open_door\n\nopen_door(__name__, 'target', '--first=1')\n"
    )
    done = subprocess.run(
        [sys.executable, "-m", "old", "--second=2"],
        cwd=tmp_path,
        env={"PYTHONPATH": f"{ROOT}:{tmp_path}", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 3, done.stderr
    assert done.stdout == f"__main__ {target} ['--first=1', '--second=2']\n"
