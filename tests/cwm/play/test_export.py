"""World models as files of OpenSpiel's own: alone in a folder, against the ground truth, and altered."""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python import policy
from open_spiel.python.algorithms import exploitability, ismcts, mcts

import spielwright_packages
from cwm.contract import manifest, model_folders
from cwm.play.exporting import exporting
from cwm.trust import trajectories
from spielwright_packages import PACKAGES
from tests.cwm.play import openspiel_rules

ALONE = f"""
import runpy, sys

class Nothing:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {(*PACKAGES, "spielwright", "spielwright_packages")!r}:
            raise ImportError("the suite is not here: " + name)

sys.meta_path.insert(0, Nothing())
sys.path.insert(0, ".")
test = sys.argv.pop(1)
runpy.run_path(test, run_name="__main__")
"""
SHIPPED = ("tic_tac_toe", "connect_four", "backgammon", "leduc_poker", "bargaining")


def run_alone(file, folder, *names):
    """The exported game's own test, or those of these names in it, in a fresh interpreter that has OpenSpiel and nothing
    of the suite."""
    for path in exporting.paths(file):
        shutil.copy(path, folder)
    test = exporting.paths(file)[1].name
    return subprocess.run(
        [sys.executable, "-I", "-c", ALONE, test, *names],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )


def imported(path):
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = sys.modules[path.stem] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def export(tmp_path_factory):
    """Exports a shipped model, once for all tests, as `out_NAME`; returns the file."""
    folder = tmp_path_factory.mktemp("exported")

    @functools.cache
    def make(name):
        path = folder / f"out_{name}.py"
        exporting.export(manifest.load(model_folders.resolve(f"{name}/0")), path.stem, path)
        return path

    return make


@pytest.fixture
def loaded(export):
    """The exported game as it is without the worker: the file is imported here."""

    def load(name):
        imported(export(name))
        return pyspiel.load_game(export(name).stem)

    return load


@pytest.mark.parametrize("name", ("tic_tac_toe", "leduc_poker"))
def test_a_file_alone_passes_its_own_test(export, name, tmp_path):
    done = run_alone(export(name), tmp_path)
    assert done.returncode == 0, done.stderr
    assert f"Ran {8 if name == 'leduc_poker' else 5} tests" in done.stderr
    assert "exception" not in done.stderr.lower()


@pytest.mark.parametrize("name", SHIPPED)
def test_it_plays_like_the_ground_truth(loaded, name):
    """Every state of random games by the names of its actions: who moves, what is legal and likely, seen and earned."""
    game = loaded(name)
    for recorded in trajectories.collect(pyspiel.load_game(name), 2, 1):
        state = game.new_initial_state()
        for step in recorded.steps:
            assert state.current_player() == step.player and state.returns() == list(step.returns)
            seen = [json.loads(state.observation_string(player)) for player in range(game.num_players())]
            assert seen == list(step.observations)
            numbers = {state.action_to_string(action): action for action in state.legal_actions()}
            if step.legal is not None:
                assert numbers.keys() == set(step.legal)
            if step.chance is not None:
                chances = dict(state.chance_outcomes())
                assert {name: chances[numbers[name]] for name in numbers} == pytest.approx(step.chance)
            if step.action is not None:
                state.apply_action(numbers[step.action])


@pytest.mark.parametrize("name", SHIPPED)
def test_it_keeps_openspiels_rules(loaded, name):
    openspiel_rules.check(loaded(name))


class Leaning(policy.Policy):
    """Plays the later ones of the legal actions more often: twice, three times as often as the first."""

    def action_probabilities(self, state, player_id=None):
        actions = state.legal_actions()
        return {
            action: 2 * (place + 1) / len(actions) / (len(actions) + 1) for place, action in enumerate(actions)
        }


def test_leduc_is_as_exploitable_as_the_ground_truth(export, loaded):
    """The file's own test holds the value of the uniform policy that OpenSpiel's exploitability_test.py has."""
    games = (loaded("leduc_poker"), pyspiel.load_game("leduc_poker"))
    ours, theirs = (exploitability.nash_conv(game, Leaning(game, [0, 1])) for game in games)
    assert ours == pytest.approx(theirs, abs=1e-9) and abs(ours - 4.7472222) > 0.1
    assert exporting.paths(export("leduc_poker"))[1].read_text().count("4.74722222") == 2


def test_openspiels_python_ismcts_resamples_by_itself(loaded):
    game, rng = loaded("leduc_poker"), np.random.RandomState(0)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 20, random_state=rng)
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(state.legal_actions()[0] if state.is_chance_node() else bot.step(state))
    assert sum(state.returns()) == 0


def test_a_resampled_state_differs_in_what_is_hidden(loaded):
    game, rng = loaded("leduc_poker"), random.Random(0)
    state = game.new_initial_state()
    for _ in range(2):
        state.apply_action(state.legal_actions()[0])
    others = {state.resample_from_infostate(0, rng.random).observation_string(1) for _ in range(50)}
    assert len(others) == 5  # the cards that player 0 does not hold


def test_tensors_are_those_of_the_wrapped_game(loaded):
    ours, theirs = loaded("leduc_poker"), pyspiel.load_game("cwm", {"model": "leduc_poker/0", "trusted": True})
    for state in openspiel_rules.random_game(ours, 3):
        other = theirs.new_initial_state()
        for action in state.history():
            other.apply_action(action)
        for player in range(2):
            assert state.information_state_tensor(player) == other.information_state_tensor(player)
            assert state.information_state_string(player) == other.information_state_string(player)


def test_the_tensor_of_a_board_shows_its_squares(loaded):
    game = loaded("connect_four")
    state = game.new_initial_state()
    state.apply_action(3)
    empty, now = game.new_initial_state().observation_tensor(0), state.observation_tensor(0)
    assert game.observation_tensor_size() == 2 + 42 * 3
    assert sum(now) == sum(empty) == 1 + 42 and sum(a != b for a, b in zip(empty, now)) == 2


def test_the_program_stands_in_the_file_unchanged(export):
    source = Path(model_folders.resolve("leduc_poker/0"), "model.py").read_text()
    text = export("leduc_poker").read_text()
    assert source.strip("\n") in text and manifest.program_hash(source) in text


ALTERED = {
    "leduc_poker": ("_RAISE_SIZE = (0, 2, 4)", "_RAISE_SIZE = (0, 2, 3)"),
    "connect_four": ("won = m & (m >> 2)", "won = 0"),  # nobody wins by a column
}


@pytest.mark.parametrize("name", ALTERED)
def test_an_altered_program_fails_the_playthrough(export, name, tmp_path):
    (tmp_path / "altered").mkdir()
    for path in exporting.paths(export(name)):
        shutil.copy(path, tmp_path)
    file = tmp_path / export(name).name
    old, new = ALTERED[name]
    assert file.read_text().count(old) == 1
    file.write_text(file.read_text().replace(old, new))
    (test,) = re.findall(r"class (\w+Test)\b", exporting.paths(file)[1].read_text())
    done = run_alone(file, tmp_path / "altered", f"{test}.test_playthrough")
    assert done.returncode == 1 and "FAIL: test_playthrough" in done.stderr


def folder_with(folder_of, change=lambda source: source, name="tic_tac_toe", **properties):
    folder = folder_of(name, **properties)
    path = Path(folder, "model.py")
    path.write_text(change(path.read_text()))
    return manifest.load(folder)


def test_three_players_who_earn_during_play(folder_of, tmp_path):
    model = folder_with(folder_of, name="three_heaps", players=3, zero_sum=False, terminal_rewards=False)
    exporting.export(model, "out_heaps", tmp_path / "out_heaps.py")
    (tmp_path / "alone").mkdir()
    assert run_alone(tmp_path / "out_heaps.py", tmp_path / "alone").returncode == 0
    imported(tmp_path / "out_heaps.py")
    game = pyspiel.load_game("out_heaps")
    assert game.num_players() == 3 and game.get_type().reward_model == pyspiel.GameType.RewardModel.REWARDS
    openspiel_rules.check(game)


CLASHING = """from __future__ import annotations

import math as _columns
from collections import namedtuple

OutClashState = namedtuple("OutClashState", "cells")
_seen = _VALUES = _scalars = None
import random

random.was_here = True

"""


def test_names_of_the_program_come_first_and_the_export_does_not_run_it(folder_of, tmp_path, monkeypatch):
    monkeypatch.setattr(random, "was_here", False, raising=False)
    model = folder_with(folder_of, lambda source: CLASHING + source)
    exporting.export(model, "out_clash", tmp_path / "out_clash.py")
    assert not random.was_here
    (tmp_path / "alone").mkdir()
    done = run_alone(tmp_path / "out_clash.py", tmp_path / "alone")
    assert done.returncode == 0, done.stderr
    module = imported(tmp_path / "out_clash.py")
    assert random.was_here and module._VALUES is None and module.OutClashState(3).cells == 3
    game = pyspiel.load_game("out_clash")
    assert type(game.new_initial_state()).__name__ == "OpenSpielOutClashState"


WRONG = {
    "a name that OpenSpiel needs": ("json = None\n", {}, "defines json, which the exported file needs"),
    "a function of Python's": ("def len(things):\n    return 0\n", {}, "defines len, which"),
    "no contract": ("del returns\nreturns = None; import os\n", {}, "breaks the contract of world models"),
    "an error": ("def returns(state):\n    return 1 / 0\n", {}, "ZeroDivisionError"),
    "a wrong property": ("def returns(state):\n    return [1.0, 1.0]\n", {}, "OpenSpiel's tests fail on it"),
}


@pytest.mark.parametrize("case", WRONG)
def test_what_cannot_be_exported_is_one_sentence_and_writes_nothing(folder_of, tmp_path, case):
    source, properties, expected = WRONG[case]
    model = folder_with(folder_of, lambda before: before + "\n\n" + source, **properties)
    (tmp_path / "here").mkdir()
    with pytest.raises(ValueError, match=expected):
        exporting.export(model, "out_wrong", tmp_path / "here" / "out_wrong.py")
    assert not list((tmp_path / "here").iterdir())


@pytest.mark.parametrize(
    "name, file, expected",
    [
        ("tic_tac_toe", "mine.py", "the name 'tic_tac_toe' is a game's already"),
        ("My Game", "mine.py", "the name of the exported game: expected small letters"),
        ("mine", "2nd.py", "the file of the exported game: expected small letters"),
        ("mine", "class.py", "no word of Python's own, found 'class'"),
    ],
)
def test_bad_names_are_one_sentence(folder_of, tmp_path, name, file, expected):
    with pytest.raises(ValueError, match=expected):
        exporting.export(folder_with(folder_of), name, tmp_path / file)


@pytest.mark.parametrize(
    "flags, expected",
    [
        (
            ("--model=tic_tac_toe/0", "--output=mine.txt"),
            "--output: expected a name that ends in .py, found mine.txt",
        ),
        (("--model=tic_tac_toe", "--output=mine.py"), "holds several world models, expected one"),
        (("--model=tic_tac_toe/0", "--output=backgammon.py"), "give it with --name"),
    ],
)
def test_bad_input_of_the_command_is_one_sentence(tmp_path, flags, expected):
    done = subprocess.run(
        [sys.executable, "-m", "cwm.export", *flags],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(Path(spielwright_packages.__file__).parent)},
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 2 and expected in done.stderr and "Traceback" not in done.stderr
    assert not list(tmp_path.iterdir())
