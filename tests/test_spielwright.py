"""One import registers everything, whatever else lies on the path."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pyspiel
import pytest

import spielwright  # noqa: F401
import spielwright_packages
from games.registration import name_of

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


def test_the_bots_are_known_to_openspiel():
    game = pyspiel.load_game("tic_tac_toe")
    assert {"mcts", "uniform_random"} < set(pyspiel.registered_bots())
    assert pyspiel.is_bot_registered("mcts") and pyspiel.is_bot_registered("uniform_random")
    assert not pyspiel.is_bot_registered("nobody")
    moves = {
        pyspiel.load_bot(name, game, 0, params).step(game.new_initial_state())
        for name, params in (
            ("mcts(simulations=20)", {"seed": 3}),
            ("mcts", {"simulations": 20, "seed": 3}),
            ("mcts", {"simulations": "20", "seed": 3}),
        )
    }
    assert len(moves) == 1
    assert pyspiel.load_bot("uniform_random", game, 0).step(game.new_initial_state()) in range(9)
    with pytest.raises(ValueError, match="unknown bot 'mtcs'; did you mean"):
        pyspiel.load_bot("mtcs", game, 0)
    with pytest.raises(ValueError, match="'mcts' has no parameter 'depth'"):
        pyspiel.load_bot("mcts", game, 0, {"depth": 3})


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ferry", "ferry"),
        ("ferry()", "ferry"),
        ("ferry(tiles=6)", "ferry(tiles=6)"),
        ("turn_based_simultaneous_game(game=goofspiel())", "turn_based_simultaneous_game(game=goofspiel())"),
        ("cwm(model=a b)", "cwm(model=a b)"),
    ],
)
def test_text_of_a_game_has_one_name(text, name):
    assert name_of(text) == name
    if "model" not in text:
        assert (
            pyspiel.load_game(name_of(pyspiel.load_game(text))).get_type() == pyspiel.load_game(text).get_type()
        )


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("ferry", "ferry"),
        ("ferry(tiles=6)", "ferry(tiles=6)"),
        ("ferry(turns=2,tiles=6)", "ferry(tiles=6)"),
        ("connect_four(rows=6)", "connect_four"),
        ("kuhn_poker", "kuhn_poker"),
        ("turn_based_simultaneous_game(game=goofspiel(num_cards=3,players=2))", None),
    ],
)
def test_a_game_has_one_name(text, name):
    game = pyspiel.load_game(text)
    assert name_of(game) == (name or str(game))
    assert name_of(pyspiel.load_game(name_of(game))) == name_of(game)
    assert pyspiel.load_game(name_of(game)).num_distinct_actions() == game.num_distinct_actions()
