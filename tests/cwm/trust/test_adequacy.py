"""Adequacy: published exploitabilities, a right model, and models each broken in one way."""

from __future__ import annotations

import json
from pathlib import Path

import pyspiel
import pytest

from arena.registry.games import load_game
from benchmarks import adequacy as command
from cwm.trust import adequacy

ITERATIONS = 10


@pytest.fixture(scope="module")
def truth():
    return adequacy.Yardstick(load_game("leduc_poker"), ITERATIONS)


@pytest.fixture
def measured(truth, folder_of, source_of):
    """Adequacy of the hand-written model of Leduc poker with one piece of its text changed."""

    def measure(old="", new=""):
        source = source_of("leduc")
        assert old in source
        folder = folder_of("leduc", chance=True, perfect_information=False)
        Path(folder, "model.py").write_text(source.replace(old, new, 1) if old else source)
        return truth.measure(pyspiel.load_game("cwm", {"model": folder, "trusted": True}))

    return measure


def test_kuhn_poker_is_adequate_for_itself():
    game = load_game("kuhn_poker")
    found = adequacy.Yardstick(game, 200).measure(game)
    assert found.equal and found.infostates == 12 and found.histories == 58
    assert found.uniform == pytest.approx(11 / 12, abs=1e-9)  # OpenSpiel's exploitability_test.py
    assert found.cfr_carried < 0.1


def test_equal_histories_have_equal_numbers():
    memories = adequacy.Memories()
    first = memories.after(0, ["saw", 1])
    second = memories.after(first, ["did", "Bet"])
    again = memories.after(0, ["saw", 1])
    assert [type(number) for number in (first, second, again)] == [int] * 3
    assert again == first and len({0, first, second, memories.after(0, ["did", "Bet"])}) == 4


def test_a_right_model_is_equal(measured):
    found = measured()
    assert found.equal and found.unmatched == found.ambiguous == 0
    assert found.uniform == pytest.approx(4.7472222222, abs=1e-9)  # OpenSpiel's exploitability_test.py
    assert found.cfr_inside == pytest.approx(found.cfr_truth, abs=1e-9)


def test_a_wrong_payoff_shows_in_the_uniform_policy_and_in_what_is_learned(measured):
    found = measured("10 if card // 2 == public // 2", "-1 if card // 2 == public // 2")
    assert not found.equal and found.unmatched == 0 and found.histories == found.truth_histories
    assert abs(found.uniform - found.truth_uniform) > 0.01
    assert found.cfr_inside == pytest.approx(found.cfr_truth, abs=1)
    assert found.cfr_carried > found.cfr_truth + 1


def test_an_information_state_that_peeks_is_ambiguous(measured):
    found = measured("return (state[0], state[1 + player], state[3])", "return state")
    assert not found.equal and found.ambiguous == found.truth_infostates
    assert found.infostates > found.truth_infostates


def test_an_information_state_that_forgets_costs_exploitability(measured):
    found = measured("return (state[0], state[1 + player], state[3])", "return (state[0], state[3])")
    assert not found.equal and found.infostates < found.truth_infostates
    assert found.cfr_carried > found.cfr_truth + 0.1


def test_what_the_model_does_not_know_is_counted(measured):
    found = measured('"round": _ROUND[line]', '"round": 1')
    assert found.unmatched == found.truth_infostates - 6 * 6  # those after a public card


def test_an_action_of_another_name_is_not_carried_over(measured):
    found = measured("return _NAMES[action] if", 'return ("fold", "check", "raise")[action] if')
    # Own calls are part of what a player remembers: only before the first one do the games agree.
    assert 0 < found.unmatched < found.truth_infostates and not found.equal


def test_a_game_that_is_too_large_is_one_sentence():
    with pytest.raises(ValueError, match="more than 50 histories"):
        adequacy.Yardstick(load_game("kuhn_poker"), 1, max_histories=50)


def test_a_simultaneous_game_is_refused():
    with pytest.raises(ValueError, match="players move in turn"):
        adequacy.Yardstick(load_game("goofspiel(num_cards=3)"), 1)


SETTINGS = {"iterations": ITERATIONS, "max_histories": 20_000, "decisions": 3, "samples": 100, "seed": 0}


def test_the_command_measures_each_model_once_and_says_what_failed(truth, folder_of, tmp_path):
    folder = folder_of("leduc", chance=True, perfect_information=False)
    source = Path(folder, "model.py").read_text()
    Path(folder, "model.py").write_text(
        source.replace(
            "    if _PLAYER[line] >= 0:", "    if line > 9:\n        1 / 0\n    if _PLAYER[line] >= 0:", 1
        )
    )
    row = command.measure(folder, load_game("leduc_poker"), truth, SETTINGS)
    assert "ZeroDivisionError" in row["failed"] and "adequacy" not in row and "\n" not in row["failed"]
    path = tmp_path / "row.json"
    assert command.known(path, SETTINGS) is None
    path.write_text(json.dumps(row))
    assert command.known(path, SETTINGS) == row and command.known(path, dict(SETTINGS, seed=1)) is None
    lines = command.table([row])
    assert lines[1] == [folder, *["-"] * (len(lines[0]) - 1)]


def test_a_game_that_is_too_large_has_a_posterior_only():
    game = load_game("quadranto")
    row = command.measure("quadranto/0", game, command.yardstick(game, 1, 100), SETTINGS)
    assert "more than 100 histories" in row["not_walked"] and row["posterior"]["decisions"] == 3
    assert len(command.table([row])[1]) == len(command.table([row])[0])


def test_all_shipped_models_of_a_game_are_measured():
    models = command.shipped_models("leduc_poker")
    assert len(models) == 8 and "closed/leduc_poker/2" in models
    assert command.by_game([*models, "ferry/0"]) == {"leduc_poker": models, "ferry": ["ferry/0"]}
