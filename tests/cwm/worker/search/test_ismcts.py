"""`ismcts.search` never peeks, and gives the same result in every process and interpreter."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

import pytest

from cwm.worker.search import ismcts
from sandbox import Worker

LEDUC = Path(__file__).parents[2] / "models" / "leduc.py"
NEEDS_PYPY = pytest.mark.skipif(
    shutil.which("pypy3") is None, reason="pypy3 is not on PATH (apt install pypy3)"
)


def _play(model, *actions):
    state = model.initial_state()
    for action in actions:
        state = model.apply_action(state, action)
    return state


def _search(model, state, **options):
    """Searches what the player to move in `state` knows, by the model's own resampling."""
    player = model.current_player(state)
    return ismcts.search(model, lambda rng: model.resample(state, player, rng), player, **options)


# --- no peeking -------------------------------------------------------------------------------------


def _information_states(model):
    """All decision states, by (player to move, what that player knows)."""
    groups, pending = defaultdict(list), [model.initial_state()]
    while pending:
        state = pending.pop()
        player = model.current_player(state)
        if player >= 0:
            groups[player, model.information_state(state, player)].append(state)
            actions = model.legal_actions(state)
        else:
            actions = [] if player == -4 else [card for card, _ in model.chance_outcomes(state)]
        pending += [model.apply_action(state, action) for action in actions]
    return groups


def test_other_hidden_cards_leave_every_result_the_same_to_the_bit(model):
    leduc = model("leduc")
    groups = _information_states(leduc)
    assert len(groups) == 936  # as OpenSpiel's integration_tests/api_test.py has it
    for number, states in enumerate(groups.values()):
        assert len(states) in (4, 5)
        results = {
            json.dumps(
                [
                    [edge.action, edge.visits, edge.total.hex()]
                    for edge in _search(leduc, state, simulations=30, seed=number).edges
                ]
            )
            for state in states
        }
        assert len(results) == 1


def test_a_sampler_that_peeks_is_told_apart_by_the_same_test(model):
    leduc = model("leduc")
    states = [_play(leduc, 3, card, 1, 2) for card in (0, 1, 2, 4, 5)]
    results = {
        json.dumps(ismcts.root_statistics(ismcts.search(leduc, lambda rng: state, 0, simulations=200)))
        for state in states
    }
    assert len(results) > 1


def test_only_the_player_to_move_is_asked_for_what_is_known(model):
    leduc = model("leduc")
    asked = set()

    def information_state(state, player):
        asked.add((leduc.current_player(state), player))
        return leduc.information_state(state, player)

    state = _play(leduc, 3, 4, 1)
    ismcts.search(
        leduc,
        lambda rng: leduc.resample(state, 1, rng),
        1,
        simulations=300,
        information_state=information_state,
    )
    assert asked == {(0, 0), (1, 1)}


# --- the same everywhere ----------------------------------------------------------------------------

PROGRAM = """
import importlib.util, json, sys

def load(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

ismcts, model = load(sys.argv[1], "ismcts"), load(sys.argv[2], "model")
out = []
for actions in ((3, 0), (0, 4, 1, 2), (1, 4, 1, 2, 1, 5, 2)):
    state = model.initial_state()
    for action in actions:
        state = model.apply_action(state, action)
    player = model.current_player(state)
    for options in ({}, {"rollouts": 3, "uct_c": 0.7},
                    {"information_state": lambda state, player: str(state[0]) + str(state[1 + player])
                     + str(state[3])}):
        for seed in (0, 20260101):
            root = ismcts.search(model, lambda rng: model.resample(state, player, rng), player,
                                 simulations=2000, seed=seed, **options)
            out.append([[[edge.action, edge.visits, edge.total.hex()] for edge in root.edges],
                        ismcts.best_action(root), ismcts.root_statistics(root)])
print(json.dumps(out))
"""


def _run(interpreter, hash_seed):
    environment = dict(os.environ, PYTHONHASHSEED=hash_seed)
    return subprocess.run(
        [interpreter, "-c", PROGRAM, ismcts.__file__, str(LEDUC)],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
    ).stdout


@pytest.fixture(scope="module")
def here():
    return _run(sys.executable, "0")


def test_same_result_in_another_process(here):
    assert _run(sys.executable, "12345") == here


@NEEDS_PYPY
def test_same_result_under_pypy(here):
    assert _run("pypy3", "0") == here


def test_seeds_differ_and_the_form_of_the_key_does_not_matter(here):
    searches = json.loads(here)
    assert all(first[0] != second[0] for first, second in zip(searches[::2], searches[1::2]))
    for start in range(0, len(searches), 6):
        assert searches[start : start + 2] == searches[start + 4 : start + 6]


@pytest.mark.parametrize("interpreter", ["cpython", pytest.param("pypy", marks=NEEDS_PYPY)])
def test_it_runs_in_a_sealed_worker_with_the_same_result(model, interpreter):
    leduc = model("leduc")
    play = (
        "import ismcts, model\n"
        "def play(state, player, simulations):\n"
        "    state = tuple(state)\n"
        "    sample = lambda rng: model.resample(state, player, rng)\n"
        "    root = ismcts.search(model, sample, player, simulations=simulations)\n"
        "    return ismcts.root_statistics(root)\n"
    )
    state = _play(leduc, 3, 0, 2)
    with Worker(
        {
            "model": LEDUC.read_text(encoding="utf-8"),
            "ismcts": Path(ismcts.__file__).read_text(encoding="utf-8"),
            "play": play,
        },
        interpreter=interpreter,
    ) as worker:
        rows = worker.call("play.play", list(state), 1, 500)
    assert rows == ismcts.root_statistics(_search(leduc, state, simulations=500))


def test_global_randomness_is_neither_used_nor_disturbed(model):
    import random

    leduc = model("leduc")
    state = _play(leduc, 3, 0)
    random.seed(7)
    before = random.getstate()
    first = ismcts.root_statistics(_search(leduc, state, simulations=300, seed=5))
    assert random.getstate() == before
    random.seed(8)
    assert ismcts.root_statistics(_search(leduc, state, simulations=300, seed=5)) == first


def test_source_is_python_3_9_and_imports_what_a_worker_has():
    tree = ast.parse(Path(ismcts.__file__).read_text(encoding="utf-8"), feature_version=(3, 9))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= {"__future__", "math", "random", "time", "typing"}
