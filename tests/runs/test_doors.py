"""Doors: an old name of a module imports, and runs, the one that has moved."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def _run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Runs Python where a package `house` has the module `house.rooms.hall` and a door `house.hall` to it."""
    (folder / "house" / "rooms").mkdir(parents=True)
    (folder / "house" / "doors").mkdir()
    (folder / "house" / "__init__.py").write_text(
        'import os\n__path__.append(os.path.join(os.path.dirname(__file__), "doors"))\n'
    )
    (folder / "house" / "doors" / "hall.py").write_text(
        'from runs.doors import open_door\nopen_door(__name__, "house.rooms.hall")\n'
    )
    (folder / "house" / "doors" / "cellar.py").write_text(
        'from runs.doors import open_door\nopen_door(__name__, "house.rooms.cellar")\n'
    )
    (folder / "house" / "rooms" / "hall.py").write_text(
        "import sys\nCOUNT = []\n"
        "if __name__ == '__main__':\n    print(sys.argv[0].endswith('hall.py'), sys.argv[1:])\n    sys.exit(3)\n"
    )
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}"},
        text=True,
        capture_output=True,
        timeout=60,
    )


def test_both_names_are_one_module(tmp_path):
    program = (
        "import house.hall, house.rooms.hall as new, sys\n"
        "house.hall.COUNT.append(1)\n"
        "print(house.hall is new is sys.modules['house.hall'], new.COUNT, new.__name__)"
    )
    assert _run(tmp_path, "-c", program).stdout == "True [1] house.rooms.hall\n"


def test_the_old_name_runs_the_command(tmp_path):
    done = _run(tmp_path, "-m", "house.hall", "a", "b")
    assert (done.stdout, done.returncode, done.stderr) == ("True ['a', 'b']\n", 3, "")


def test_a_door_to_nowhere_names_what_is_missing(tmp_path):
    done = _run(tmp_path, "-c", "import house.cellar")
    assert done.returncode == 1 and "No module named 'house.rooms.cellar'" in done.stderr
