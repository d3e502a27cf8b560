"""The commands that measure load and agree with the game; what they measure is not tested."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

from cwm.worker.native import compiling

ROOT = Path(__file__).parents[2]

CODE = """
import benchmarks.arena, benchmarks.figure2, benchmarks.search, benchmarks.synthesis, benchmarks.games.wrestle
from arena.registry.games import load_game
from cwm.contract import manifest, model_folders
from cwm.worker.simulator import Simulator
from games.seeing import views
game = load_game("backgammon")
for state in benchmarks.search.positions(game, 3):
    again = game.new_initial_state()
    for name in benchmarks.search.names_of(state):
        again.apply_action(views.action_from_name(again, name))
    assert str(again) == str(state) and state.current_player() >= 0
for name in benchmarks.search.HIDDEN_GAMES:
    states = benchmarks.search.hidden_positions(load_game(name), 3)
    assert all(state.current_player() >= 0 for state in states)
    decisions = [sum(move.player >= 0 for move in state.full_history()) for state in states]
    assert decisions == sorted(decisions) and decisions[0] == 0 < decisions[1]
    loaded = manifest.load(model_folders.resolve(f"{name}/0"))
    with Simulator(loaded.source) as simulator:
        assert benchmarks.search.sealed_seen_search(simulator, states)(10, 1) == 30
    assert benchmarks.search.information_set_search(states)(10, 1) == 30
print(len(list(benchmarks.synthesis.recorded_runs())))
"""

LINE_GAME = """
import sys
import benchmarks.search
from arena.registry.games import load_game
from cwm.trust import held_out as heldout, trajectories
for size in (4, 8):
    games = list(trajectories.collect(load_game(f"gen_tic_tac_toe(size={size},length=4)"), 10, 0))
    source = benchmarks.search.LINE_GAME.read_text().replace("SIZE = 6", f"SIZE = {size}", 1)
    print(heldout.evaluate(source, games).accuracy)
"""


ARENA = """
import sys
from pathlib import Path
from benchmarks.arena import overhead, synthetic_database
folder = Path(sys.argv[1])
figures = overhead("benchmark_random", 4, 1, folder)
assert set(figures["ms_per_match"]) == {"evaluate_bots", "arena", "arena --db"} and figures["moves"] > 20
made = synthetic_database(300, 1, folder / "s.db")
assert made["added"] == made["results"]["matches"] == 300 and made["bytes"] > 30_000
"""


VECTOR_ENVIRONMENTS = """
from unittest import mock
from benchmarks.support import contestants, vector_environments
with (
    mock.patch.multiple(contestants, WARM_UP_SECONDS=0.0, ROUND_SECONDS=0.01),
    mock.patch.multiple(vector_environments, AT_ONCE=(1, 3), _STEPS={1: 30, 3: 30}),
):
    rates = vector_environments.measure(3)
print(vector_environments.table(rates))
assert set(rates) == {"connect_four", "leduc_poker"}
for by_count in rates.values():
    assert set(by_count) == {"1", "3"}
    assert all(len(one) == 3 and min(one.values()) > 0 for one in by_count.values())
"""


def test_vector_environments_are_measured():
    if compiling.missing() is not None:
        pytest.skip(str(compiling.missing()))
    done = subprocess.run(
        [sys.executable, "-c", VECTOR_ENVIRONMENTS], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    assert [line.split("  ")[0] for line in done.stdout.splitlines()[2:]] == [
        "ground truth, SyncVectorEnv",
        "ours, time steps",
        "ours, arrays",
    ]


def test_the_arena_is_measured(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", ARENA, tmp_path], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr


def test_histories_by_name_lead_back_to_their_states():
    done = subprocess.run([sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "31"


def test_a_peer_that_is_not_installed_is_named_with_its_command():
    if importlib.util.find_spec("mctx"):
        pytest.skip("mctx is installed")
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.mctx"], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 2 and done.stderr.splitlines()[-1].endswith("pip install pgx mctx")


def test_the_hand_written_model_is_the_game_that_it_is_measured_against():
    done = subprocess.run(
        [sys.executable, "-c", LINE_GAME], cwd=ROOT, capture_output=True, text=True, timeout=120
    )
    assert done.stdout.split() == ["1.0", "1.0"], done.stderr
