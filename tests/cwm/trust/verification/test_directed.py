"""Rare faults: found where play goes, or told as never reached. Counterexamples are as small as can be."""

from __future__ import annotations

import pyspiel
import pytest

from cwm.contract import manifest
from cwm.trust import checks, held_out
from cwm.trust.trajectories import collect, from_names
from cwm.trust.verification import counterexamples, directed
from cwm.trust.verification.reached import Recorder

END = "    return (following, heights, 1 - player if legal else -4, -1, legal)\n"
CORNER = "cell == 41 and cells[35] == mark"
"""The last stone of column 6 wins for who has the top of column 0 too: some six in a thousand random games."""


@pytest.fixture
def faulty(source_of):
    """Text of the model of connect four in which a stone also wins where a condition holds."""

    def make(condition):
        source = source_of("connect_four")
        assert source.count(END) == 1
        return source.replace(
            END, f"    if {condition}:\n        return (following, heights, -4, player, legal)\n{END}"
        )

    return make


@pytest.fixture
def game():
    return pyspiel.load_game("connect_four")


def model_of(folder_of, source):
    folder = folder_of("connect_four")
    with open(f"{folder}/model.py", "w", encoding="utf-8") as file:
        file.write(source)
    return manifest.load(folder)


def failing(source, games):
    return sum(failure is not None for _, _, failure in checks.tested_games(source, games))


def test_a_rule_that_held_out_games_do_not_show_is_found_by_search(folder_of, faulty, game):
    source = faulty(CORNER)
    assert 0 < failing(source, collect(game, 500, 5)) <= 5
    assert failing(source, held_out.test_games(game, 1, 200)) == 0
    model = model_of(folder_of, source)
    found = directed.search(model, game, directed.Settings(20, 30, 120.0, 1))
    assert found.failures and found.passed < found.transitions and not found.out_of_time
    example = counterexamples.smallest(game, source, found.failures)
    assert example.action[1] == "6" and len(example.history) >= 6
    wrong = {row["where"]: (row["expected"], row["found"]) for row in example.differences}
    mover = len(example.history) % 2
    assert wrong["current_player after the action"] == (1 - mover, -4)
    assert wrong["returns after the action"] == ([0.0, 0.0], [[1.0, -1.0], [-1.0, 1.0]][mover])


def test_a_right_model_has_no_counterexample(folder_of, source_of, game):
    model = model_of(folder_of, source_of("connect_four"))
    found = directed.search(model, game, directed.Settings(4, 10, 60.0, 1))
    assert not found.failures and found.passed == found.transitions > 200
    assert (found.searched, found.branched) == (4, 12) and found.lines > 100


def test_what_no_test_reaches_is_told(faulty, game):
    source = faulty(CORNER)
    recorder = Recorder(source)
    try:
        recorder.replay(held_out.test_games(game, 1, 20))
        told = [item.describe() for item in recorder.result().items()]
    finally:
        recorder.close()
    line = 1 + source.splitlines().index(f"    if {CORNER}:")
    assert f"line {line}, in apply_action: `cells[35] == mark` was never true" in told


def test_models_that_disagree_lead_to_the_one_that_is_wrong(folder_of, source_of, faulty, game):
    """The top of column 6 alone wins: right and wrong model part there, and the game says which is which."""
    right = source_of("connect_four")
    model = model_of(folder_of, faulty("cell == 41"))
    found = directed.search(
        model,
        game,
        directed.Settings(1, 5, 60.0, 3),
        others={"right": right},
        held_out=list(collect(game, 60, 4)),
    )
    states = found.disagreements.states
    assert states > 0 and found.around > 0
    assert found.disagreements.wrong["right"] == 0 < found.disagreements.wrong[model.path] <= states
    assert {"player, _, another player", "player, _, end"} >= set(found.disagreements.kinds)


def test_the_smallest_counterexample_has_no_action_too_many(source_of):
    """Nobody wins at tic-tac-toe before the fifth move, so a model without wins has none shorter."""
    game = pyspiel.load_game("tic_tac_toe")
    source = source_of("tic_tac_toe") + "\n\ndef returns(state):\n    return [0.0, 0.0]\n"
    names = ["x(0,0)", "o(0,1)", "x(1,2)", "o(2,1)", "x(1,0)", "o(0,2)", "x(2,0)"]
    ((_, _, failure),) = checks.tested_games(source, [from_names(game, names)])
    assert len(failure.history) == 6
    example = counterexamples.smallest(game, source, [failure])
    assert len(example.history) == 4
    (difference,) = example.differences
    assert difference["where"] == "returns after the action"
    assert (difference["expected"], difference["found"]) == ([1.0, -1.0], [0.0, 0.0])
    assert checks.check_game(checks.Holder(source), 0, from_names(game, [*example.history, example.action]))[1]
