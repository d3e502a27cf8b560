from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import arena.list as listing
import spielwright_packages
from arena import registry
from tests.runs import warm

# What OpenSpiel 2.0 has without importing anything.
CPP_GAMES = subprocess.run(
    [sys.executable, "-c", "import pyspiel; print(*pyspiel.registered_names())"],
    capture_output=True,
    text=True,
    check=True,
).stdout.split()


def run(*arguments, cwd):
    return warm.run("arena.list", *arguments, cwd=cwd)


@pytest.fixture(scope="module")
def everything(tmp_path_factory):
    """What the command prints, and its JSON, in a process of its own: tests here register games too."""
    folder = tmp_path_factory.mktemp("list")
    done = run("--json=list.json", cwd=folder)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout, json.loads((folder / "list.json").read_text())


def test_every_game_is_listed_as_openspiel_describes_it(everything):
    listed = {game["name"]: game for game in everything[1]["games"]}
    sources = {name: listed[name]["source"] for name in listed}
    assert {name for name, source in sources.items() if source == "OpenSpiel C++"} == set(CPP_GAMES)
    assert sources["python_tic_tac_toe"] == sources["python_kuhn_poker"] == "OpenSpiel Python"
    assert sources["gen_chess"] == sources["gen_tic_tac_toe"] == sources["quadranto"] == "spielwright"
    assert sources["cwm"] == "spielwright"  # which needs parameters to be loaded
    assert set(sources.values()) == {"OpenSpiel C++", "OpenSpiel Python", "spielwright"}
    assert listed["connect_four"] == {
        "name": "connect_four",
        "title": "Connect Four",
        "players": [2, 2],
        "dynamics": "sequential",
        "chance": "deterministic",
        "information": "perfect_information",
        "utility": "zero_sum",
        "default_loadable": True,
        "source": "OpenSpiel C++",
        "plugin": None,
        "parameters": [
            {"name": "columns", "type": "int", "required": False, "default": 7},
            {"name": "egocentric_obs_tensor", "type": "bool", "required": False, "default": False},
            {"name": "rows", "type": "int", "required": False, "default": 6},
            {"name": "x_in_row", "type": "int", "required": False, "default": 4},
        ],
    }
    assert listed["misere"]["parameters"] == [{"name": "game", "type": "game", "required": True}]


def test_every_bot_is_listed_with_the_parameters_of_its_factory():
    listed = {bot["name"]: bot for bot in listing.all_bots()}
    assert list(listed) == sorted(registry.bots())
    for name, bot in listed.items():
        signature = inspect.signature(registry.bots()[name].factory)
        keyword_only = [p for p in signature.parameters.values() if p.kind is p.KEYWORD_ONLY]
        assert [p["name"] for p in bot["parameters"]] == [p.name for p in keyword_only]
        for described, declared in zip(bot["parameters"], keyword_only, strict=True):
            assert described["required"] is (declared.default is declared.empty)
            assert described.get("default", declared.empty) == declared.default
    assert listed["mcts"]["source"] == "OpenSpiel C++ or Python"
    assert listed["random"]["source"] == "spielwright"


def test_the_table_fits_100_columns_and_names_everything(everything):
    printed, listed = everything
    lines = printed.splitlines()
    assert max(map(len, lines)) <= 100
    assert listed["left_out"] == [] and len(listed["games"]) > 130
    starts = {line.split()[0] for line in lines if line and not line.startswith(" ")}
    assert {item["name"] for kind in ("bots", "games", "models") for item in listed[kind]} <= starts


def test_world_models_are_listed(everything):
    models = {model["name"]: model for model in everything[1]["models"]}
    assert models["connect_four/0"]["game"] == "connect_four"
    assert models["connect_four/0"]["rungs"]["contract"] == "passed"
    assert "leduc_poker" in models["chosen/leduc_poker/0"]["summary"]
    shipped = Path(spielwright_packages.__file__).parent / "artefacts" / "world_models"
    assert set(models) == {
        path.parent.relative_to(shipped).as_posix() for path in shipped.rglob("manifest.json")
    }


def test_the_matrix_says_yes_or_why_not(tmp_path):
    done = run(
        "matrix",
        "--bots=random,cfr,mcts,smcts,uci",
        "--games=tic_tac_toe(),matrix_rps,kuhn_poker(players=3)",
        "--json=matrix.json",
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    cells = json.loads((tmp_path / "matrix.json").read_text())["matrix"]
    reasons = {(cell["bot"], cell["game"]): cell["reason"] for cell in cells}
    yes = {key for key, reason in reasons.items() if reason is None}
    assert len(reasons) == 15 and yes == {
        ("random", "tic_tac_toe()"),
        ("random", "matrix_rps"),
        ("random", "kuhn_poker(players=3)"),
        ("cfr", "matrix_rps"),
        ("cfr", "kuhn_poker(players=3)"),
        ("mcts", "tic_tac_toe()"),
        ("mcts", "kuhn_poker(players=3)"),
        ("smcts", "matrix_rps"),
    }
    assert "cfr, tic_tac_toe(): " + reasons["cfr", "tic_tac_toe()"] in done.stdout.splitlines()
    assert "more than 500,000 histories" in reasons["cfr", "tic_tac_toe()"]
    assert "needs the parameter 'command'" in reasons["uci", "matrix_rps"]
    row = next(line for line in done.stdout.splitlines() if line.startswith("mcts "))
    assert row.split() == ["mcts", "yes", "no", "yes"]


@pytest.mark.parametrize(
    "chosen, seen", [("", False), ("greedy-bots", True), ("other,greedy-bots", True), (None, True)]
)
def test_the_environment_chooses_among_installed_plugins(tmp_path, chosen, seen):
    (tmp_path / "greedy.py").write_text(
        "from arena import register_bot\n\n\n@register_bot('greedy', summary='')\ndef make(game, player_id, seed): ...\n"
    )
    info = tmp_path / "greedy_bots-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: greedy-bots\nVersion: 0.1\n")
    (info / "entry_points.txt").write_text("[spielwright.bots]\ngreedy = greedy\n")
    environment = {key: value for key, value in os.environ.items() if key != "SPIELWRIGHT_PLUGINS"}
    root = str(Path(spielwright_packages.__file__).parent)
    environment["PYTHONPATH"] = os.pathsep.join([root, str(tmp_path)])
    if chosen is not None:
        environment["SPIELWRIGHT_PLUGINS"] = chosen
    done = subprocess.run(
        [sys.executable, "-m", "arena.list", "bots", "--grep=^greedy$"],
        text=True,
        capture_output=True,
        timeout=60,
        env=environment,
        cwd=tmp_path,
    )
    assert done.returncode == 0 and ("greedy-bots 0.1" in done.stdout) is seen


def test_long_names_and_defaults_keep_the_columns():
    game = {
        **listing.all_games()[0],
        "name": "g" * 60,
        "source": "a-distribution 1.0",
        "parameters": [{"name": "p", "type": "str", "required": False, "default": "x y" * 60}],
    }
    lines = listing.games_text([game]).splitlines()
    assert max(map(len, lines)) <= 100
    assert lines[2] == "g" * 60
    assert lines[3].split()[0] == "1"


@pytest.mark.parametrize(
    "arguments, inside, outside",
    [
        (["bots", "--grep=MONTE-carlo"], "mcts", "kuhn_poker"),
        (["games", "--grep=^kuhn"], "kuhn_poker", "leduc_poker"),
    ],
)
def test_grep(arguments, inside, outside, tmp_path):
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    names = [line.split()[0] for line in done.stdout.splitlines() if line and line[0] != " "]
    assert inside in names and outside not in names


@pytest.mark.parametrize(
    "arguments, part",
    [
        (["bot"], "unexpected argument 'bot', expected bots or games or models or matrix, once, and flags"),
        (["bots", "games"], "unexpected argument 'games'"),
        (["games", "--bots=mcts"], "--bots is for the matrix"),
        (["matrix", "--games=chesss", "--bots=mcts"], "unknown game 'chesss'"),
        (["--grep=("], "--grep: expected a regular expression, found '('"),
        (["--json=missing/list.json"], "--json: the folder missing"),
    ],
)
def test_bad_input_is_one_sentence(arguments, part, tmp_path):
    done = run(*arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert part in done.stderr and done.stderr.count("\n") == 1
