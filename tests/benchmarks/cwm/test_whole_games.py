"""Whole games of named players, and what a wrong rule costs in them."""

from __future__ import annotations

import subprocess
import sys

from arena.registry.games import load_game
from benchmarks.cwm import planted, whole_games
from benchmarks.cwm.cells import game_of
from cwm.contract import manifest, model_folders


def test_a_right_model_has_no_difference_in_games_of_good_players():
    model = manifest.load(model_folders.resolve("connect_four/0"))
    found = whole_games.measure(
        model.source, load_game("connect_four"), ["random", "mcts(simulations=20)"], 6, 3
    )
    assert (found["games"], found["exact_games"], found["wrong"], found["failures"]) == (6, 6, 0, [])
    assert found["transitions"] >= 6 * 7  # no game of connect_four is shorter


def test_a_wrong_rule_is_counted_and_shown():
    wrong = planted.wrong_program("pledges", planted.fault_named("pledges", "pledges cancel at 7"))
    found = whole_games.measure(wrong, game_of("pledges"), ["random"], 12, 0)
    right = whole_games.measure(planted.right_program("pledges"), game_of("pledges"), ["random"], 12, 0)
    assert right["wrong"] == 0 and right["exact_games"] == 12
    assert found["transitions"] == right["transitions"]
    assert found["wrong"] > 0 and found["exact_games"] == 12 - len(found["failures"]) < 12


def test_the_command_says_it_in_a_sentence_and_by_its_exit_code():
    command = [
        sys.executable,
        "-m",
        "benchmarks.cwm.whole_games",
        "--game=tic_tac_toe",
        "--model=tic_tac_toe/0",
    ]
    done = subprocess.run([*command, "--games=3"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("3 of 3 games without a difference")
