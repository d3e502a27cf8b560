"""Two distributions of other people, one sound and one broken, are installed and played with."""

from __future__ import annotations

import importlib
import importlib.metadata
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pyspiel
import pytest

import arena.list as listing
import spielwright_packages
from arena import registry
from arena.registry import games as game_loading
from arena.registry import plugins

THIRD_PARTY = Path(__file__).with_name("third_party")
ROOT = Path(spielwright_packages.__file__).parent
REGISTRY = importlib.import_module("arena.registry.bots")


def _setuptools_builds_wheels() -> bool:
    try:
        return tuple(map(int, importlib.metadata.version("setuptools").split(".")[:2])) >= (70, 1)
    except importlib.metadata.PackageNotFoundError:
        return False


@pytest.fixture(scope="module")
def installed(tmp_path_factory):
    """Installs the named distributions into a folder and returns it."""
    if not _setuptools_builds_wheels():
        pytest.skip("installing the example needs setuptools of 70.1 or later: pip install 'spielwright[test]'")
    made = {}

    def install(*names):
        if names not in made:
            sources = tmp_path_factory.mktemp("sources")
            for name in names:  # copied, since building leaves files behind
                shutil.copytree(THIRD_PARTY / name, sources / name)
            made[names] = target = tmp_path_factory.mktemp("installed")
            subprocess.run(
                [
                    sys.executable,
                    "-m",
                    "pip",
                    "install",
                    "--quiet",
                    "--no-index",
                    "--no-deps",
                    "--no-build-isolation",
                    "--disable-pip-version-check",
                    "--target",
                    str(target),
                    *(str(sources / name) for name in names),
                ],
                check=True,
                timeout=120,
            )
        return made[names]

    return install


def run(module, *arguments, path):
    return subprocess.run(
        [sys.executable, "-m", module, *arguments],
        cwd=path,
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(path), str(ROOT)])},
    )


def test_an_installed_game_and_bot_play_in_a_tournament(installed):
    path = installed("subtraction_game")
    done = run(
        "arena.tournament",
        "--game=subtraction(heap=5)",
        "--bots=counting(patience=2),random",
        "--num_games=4",
        "--opening_plies=0",
        "--json=result.json",
        path=path,
    )
    assert done.returncode == 0, done.stderr
    assert "warning" not in done.stderr
    result = json.loads((path / "result.json").read_text())
    # Who leaves a multiple of four wins (Bouton's theory for this heap): from 5 the first player can.
    assert result["forfeits"] == []
    assert result["per_bot"]["counting(patience=2)"]["wins"] >= 2
    assert result["game"] == "subtraction(heap=5)"


def test_the_list_tells_where_they_come_from(installed):
    path = installed("subtraction_game")
    done = run("arena.list", "--grep=subtraction", "--json=list.json", path=path)
    assert done.returncode == 0, done.stderr
    listed = json.loads((path / "list.json").read_text())
    [game], [bot] = listed["games"], listed["bots"]
    assert game["plugin"] == {
        "distribution": "subtraction-game",
        "version": "1.2",
        "module": "subtraction_game.game",
    }
    assert game["parameters"] == [{"name": "heap", "type": "int", "required": False, "default": 21}]
    assert bot["plugin"] == {**game["plugin"], "module": "subtraction_game.bots"}
    assert bot["parameters"] == [
        {"name": "patience", "type": "int", "optional": False, "required": False, "default": 1}
    ]
    assert listed["left_out"] == []
    assert "subtraction-game 1.2; patience: int = 1" in done.stdout
    assert "subtraction-game 1.2; heap: int = 21" in done.stdout


def test_a_broken_plugin_is_left_out_and_all_else_goes_on(installed):
    path = installed("subtraction_game", "broken_bots")
    done = run(
        "arena.tournament",
        "--game=subtraction(heap=5)",
        "--bots=counting,random",
        "--num_games=2",
        "--opening_plies=0",
        "--executor=processes:2",
        path=path,
    )
    assert done.returncode == 0, done.stderr
    warnings = [line for line in done.stderr.splitlines() if line.startswith("warning: ")]
    assert len(warnings) == 3  # one for each plug-in, although the worker processes look for them too
    for warning, (name, reason) in zip(
        warnings,
        [
            ("conqueror", "game name 'connect_four' is already registered by OpenSpiel"),
            ("needy", "ModuleNotFoundError: No module named 'a_package_that_nobody_has'"),
            ("usurper", "bot name 'random' is already registered by arena.bots.reference"),
        ],
        strict=True,
    ):
        assert warning.startswith(f"warning: the plug-in '{name}' of broken-bots 0.1 is left out: ")
        assert reason in warning
        assert warning.endswith("or remove it with: pip uninstall broken-bots")


@pytest.mark.parametrize(
    "flag, part",
    [
        (
            "--bots=needy,random",
            "error: bot 'needy' is not there, since the plug-in 'needy' of broken-bots "
            "0.1 is left out: ModuleNotFoundError",
        ),
        ("--bots=heir,random", "error: bot 'heir' is not there, since the plug-in 'usurper'"),
        ("--bots=ghost,random", "(plug-ins left out, since they are broken: 'conqueror' of broken-bots 0.1"),
        ("--bots=mtcs,random", "did you mean mcts"),
        ("--game=conqueror", "error: game 'conqueror' is not there, since the plug-in 'conqueror'"),
    ],
)
def test_what_a_broken_plugin_offered_has_its_reason(installed, flag, part):
    arguments = ["--game=tic_tac_toe", "--bots=random,mcts", flag]  # the last of two flags counts
    done = run("arena.tournament", *arguments, path=installed("subtraction_game", "broken_bots"))
    assert done.returncode == 2
    assert part in done.stderr.splitlines()[-1]


class _Point:
    """An entry point of a distribution that is nowhere installed."""

    def __init__(self, name, act):
        self.name = self.value = self.module = name
        self.dist = type("Distribution", (), {"name": "elsewhere", "version": "3"})
        self.load = act


@pytest.fixture
def entry_points(monkeypatch):
    """Sets the plug-ins of a fresh registry; all is undone after the test."""
    registry.bots()
    game_loading.import_games()
    monkeypatch.setattr(REGISTRY, "_entries", dict(REGISTRY._entries))
    monkeypatch.setattr(game_loading, "_plugin_games", {})
    monkeypatch.setattr(plugins, "_broken", {})

    def use(**acts):
        points = [_Point(name, act) for name, act in acts.items()]
        monkeypatch.setattr(importlib.metadata, "entry_points", lambda group: points)

    return use


def _register(name):
    registry.register_bot(name, summary="")(lambda game, player_id, seed: None)


def test_a_plugin_that_leaves_the_interpreter_does_not_end_it(entry_points, capsys):
    entry_points(quitter=lambda: sys.exit("I want to go home"), sound=lambda: _register("sound"))
    assert "sound" in registry.bots()
    assert registry.bots()["sound"].origin == plugins.Origin("elsewhere", "3", "sound")
    assert capsys.readouterr().err == (
        "warning: the plug-in 'quitter' of elsewhere 3 is left out: SystemExit: I want to go home; "
        "repair it, or remove it with: pip uninstall elsewhere\n"
    )


def test_plugins_are_imported_once(entry_points):
    calls = []
    entry_points(counted=lambda: calls.append(1))
    registry.bots()
    registry.bots()
    assert calls == [1]


def test_a_plugin_may_ask_for_the_bots_itself(entry_points):
    seen = []
    entry_points(curious=lambda: seen.extend(registry.bots()))
    assert "random" in registry.bots() and "random" in seen


def test_ctrl_c_passes_through_a_plugin(entry_points):
    def interrupted():
        raise KeyboardInterrupt

    entry_points(slow=interrupted)
    with pytest.raises(KeyboardInterrupt):
        registry.bots()


def test_two_plugins_with_one_name(entry_points, capsys):
    entry_points(a=lambda: _register("twin"), b=lambda: _register("twin"))
    assert registry.bots()["twin"].origin.module == "a"
    assert "'b' of elsewhere 3 is left out: ValueError: bot name 'twin'" in capsys.readouterr().err


def test_games_are_guarded_while_bots_are_imported_and_not_afterwards(entry_points, capsys):
    register = pyspiel.register_game
    game_type = pyspiel.load_game("connect_four").get_type()
    entry_points(bad=lambda: pyspiel.register_game(game_type, object))
    registry.bots()
    assert "game name 'connect_four' is already registered" in capsys.readouterr().err
    assert pyspiel.register_game is register
    assert pyspiel.load_game("connect_four").num_distinct_actions() == 7


def test_a_broken_plugin_called_like_a_game_does_not_hide_it(entry_points):
    """The name of an entry point is free; a bot that was registered says nothing of a game either."""

    def fail():
        _register("kuhn_poker")
        raise RuntimeError("no")

    entry_points(connect_four=fail)
    game_loading.import_games()
    registry.bots()
    assert {name for plugin in plugins.broken() for name in plugin.registered} == {(plugins.BOTS, "kuhn_poker")}
    assert game_loading.load_game("connect_four") and game_loading.load_game("kuhn_poker")
    with pytest.raises(ValueError, match="bot 'connect_four' is not there, since the plug-in 'connect_four'"):
        registry.resolve("connect_four")
    with pytest.raises(ValueError, match="bot 'kuhn_poker' is not there"):
        registry.resolve("kuhn_poker")


def test_a_game_that_a_broken_plugin_left_behind_is_not_there(entry_points, capsys):
    whole = pyspiel.load_game("tic_tac_toe").get_type()
    mine = pyspiel.GameType(**{**_fields(whole), "short_name": "arena_test_left_behind"})

    def fail():
        pyspiel.register_game(mine, lambda params=None: None)
        raise RuntimeError("too late")

    entry_points(late=fail)
    for _ in range(2):
        with pytest.raises(ValueError, match="game 'arena_test_left_behind' is not there.*too late"):
            game_loading.load_game("arena_test_left_behind")
    assert "arena_test_left_behind" in pyspiel.registered_names()
    assert "arena_test_left_behind" not in [game["name"] for game in listing.all_games()]


def _fields(game_type):
    names = (
        "short_name",
        "long_name",
        "dynamics",
        "chance_mode",
        "information",
        "utility",
        "reward_model",
        "max_num_players",
        "min_num_players",
        "provides_information_state_string",
        "provides_information_state_tensor",
        "provides_observation_string",
        "provides_observation_tensor",
        "parameter_specification",
    )
    return {**{name: getattr(game_type, name) for name in names}, "default_loadable": False}


def test_a_bot_registered_before_anybody_looked_for_plugins_has_its_origin(entry_points, monkeypatch):
    _register("early")
    module = REGISTRY._entries["early"].factory.__module__

    def already_imported():
        pass

    entry_points(**{module: already_imported})
    assert registry.bots()["early"].origin.distribution == "elsewhere"
    assert registry.bots()["random"].origin is None
