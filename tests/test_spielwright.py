"""One import registers everything, whatever else lies on the path."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import spielwright_packages

CODE = "import spielwright, pyspiel, games; print(games.__file__); pyspiel.load_game('gen_chess')"


def run(code, cwd, *flags):
    return subprocess.run(
        [sys.executable, *flags, "-c", code],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={"PYTHONPATH": str(Path(spielwright_packages.__file__).parent), "PATH": "/usr/bin:/bin"},
        timeout=120,
    )


def foreign_games(tmp_path):
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "__init__.py").write_text("FOREIGN = True\n")
    return tmp_path


def test_one_import_registers_every_game_and_bot(tmp_path):
    done = run(
        "import spielwright, pyspiel, arena.registry as r\n"
        "names = pyspiel.registered_names()\n"
        "assert {'gen_tic_tac_toe', 'gen_chess', 'cwm'} <= set(names)\n"
        "assert {'cwm_mcts', 'gt_mcts', 'llm_policy', 'mcts', 'random'} <= set(r.bots())\n",
        tmp_path,
    )
    assert done.returncode == 0, done.stderr


def test_a_users_folder_of_the_same_name_does_not_get_in_the_way(tmp_path):
    done = run(CODE, foreign_games(tmp_path))
    assert done.returncode == 0, done.stderr
    assert Path(done.stdout.strip()) == Path(spielwright_packages.__file__).parent / "games/__init__.py"


def test_a_command_started_in_such_a_folder_works(tmp_path):
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "arena.tournament",
            "--game=gen_tic_tac_toe(size=3,length=3)",
            "--bots=random,mcts(simulations=5)",
            "--num_games=2",
        ],
        cwd=foreign_games(tmp_path),
        capture_output=True,
        text=True,
        timeout=120,
        env={"PYTHONPATH": str(Path(spielwright_packages.__file__).parent), "PATH": "/usr/bin:/bin"},
    )
    assert done.returncode == 0, done.stderr
    assert "2 matches" in done.stdout


def test_a_foreign_package_imported_before_is_named(tmp_path):
    done = run("import games\nassert games.FOREIGN\nimport spielwright", foreign_games(tmp_path))
    assert done.returncode == 1
    last = done.stderr.strip().splitlines()[-1]
    assert "'games' was already imported from" in last and str(tmp_path) in last
