"""Same seed, same tree, to the bit: in every process and under every interpreter."""

from __future__ import annotations

import ast
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cwm.worker.search import uct

PROGRAM = """
import importlib.util, json, sys

def load(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module

def tree(node):
    return [node.action, node.visits, node.total.hex(),
            None if node.outcome is None else [number.hex() for number in node.outcome],
            [None if child is None else tree(child) for child in node.children or ()]]

uct = load(sys.argv[1], "uct")
out = []
for path in sys.argv[2:]:
    model = load(path, "model")
    state = model.initial_state()
    while model.current_player(state) == -1:
        state = model.apply_action(state, model.chance_outcomes(state)[0][0])
    for options in ({"rollouts": 1}, {"rollouts": 3, "uct_c": 0.7, "solve": False},
                    {"max_rollout_length": 4, "rollouts": 2}, {"value": model.returns},
                    {"value": lambda state: [0.1] * model.NUM_PLAYERS, "max_rollout_length": 3}):
        for seed in (0, 20260101):
            root = uct.search(model, state, simulations=400, seed=seed, **options)
            out.append([tree(root), uct.best_action(root), uct.root_statistics(root)])
print(json.dumps(out))
"""

MODELS = sorted((Path(__file__).parents[2] / "models").glob("*.py"))


def _run(interpreter: str, hash_seed: str) -> str:
    environment = dict(os.environ, PYTHONHASHSEED=hash_seed)
    return subprocess.run(
        [interpreter, "-c", PROGRAM, uct.__file__, *map(str, MODELS)],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
        timeout=120,
    ).stdout


@pytest.fixture(scope="module")
def here() -> str:
    return _run(sys.executable, "0")


def test_same_tree_in_another_process(here):
    assert _run(sys.executable, "12345") == here


@pytest.mark.skipif(shutil.which("pypy3") is None, reason="pypy3 is not on PATH (apt install pypy3)")
def test_same_tree_under_pypy(here):
    assert _run("pypy3", "0") == here


def test_seeds_differ(here):
    searches = json.loads(here)
    assert all(first[0] != second[0] for first, second in zip(searches[::2], searches[1::2]))


def test_global_randomness_is_neither_used_nor_disturbed(model):
    import random

    game = model("pig")
    random.seed(7)
    before = random.getstate()
    first = uct.root_statistics(uct.search(game, game.initial_state(), simulations=300, seed=5))
    assert random.getstate() == before
    random.seed(8)
    assert uct.root_statistics(uct.search(game, game.initial_state(), simulations=300, seed=5)) == first


def test_source_is_python_3_9_and_imports_what_a_worker_has():
    tree = ast.parse(Path(uct.__file__).read_text(encoding="utf-8"), feature_version=(3, 9))
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import) for alias in node.names}
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= {"__future__", "bisect", "math", "random", "time", "typing"}
