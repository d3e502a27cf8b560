"""The search of MC-DML with an adviser instead of a language model: what good advice is worth."""

import numpy as np
import pytest

from arena.registry.games import load_game
from benchmarks.games import adviser
from benchmarks.games.adviser import AdviserPrior, Case, Table


@pytest.fixture
def state():
    return load_game("text_adventure(layout_seed=1000)").bottleneck_state()


def test_the_planner_names_the_next_action_of_its_plan(state):
    names = state.valid_actions()
    prior = AdviserPrior("planner", 1.0).unasked(state, names)
    named = names[int(np.argmax(prior))]
    assert named == state.engine.advice(state.snapshot)
    assert prior.max() == pytest.approx(0.6) and prior.min() == pytest.approx(0.4 / (len(names) - 1))


def test_the_wrong_adviser_is_sure_of_another_action_and_always_the_same_one(state):
    names = state.valid_actions()
    wrong = AdviserPrior("wrong", 1.0)
    found = wrong.unasked(state, names)
    assert found.max() == pytest.approx(0.6) and names[int(np.argmax(found))] != state.engine.advice(
        state.snapshot
    )
    assert list(found) == list(wrong.unasked(state.clone(), names))


def test_no_adviser_is_uniform(state):
    names = state.valid_actions()
    assert list(AdviserPrior("none", 1.0).unasked(state, names)) == [1 / len(names)] * len(names)


def test_a_temperature_flattens_advice(state):
    names = state.valid_actions()
    flat, given = (AdviserPrior("planner", value).unasked(state, names).max() for value in (5.0, 1.0))
    assert 1 / len(names) < flat < given


def test_with_good_advice_the_search_finds_nearly_all_points():
    """At least 45 of 50 points over five layouts; the interval of the benchmark has more games."""
    case, table = Case("planner", 1.0, "rewards", 20.0), Table("small", 5, 1000, 1, 40, 20)
    shares = [adviser.play(case, table, layout, 0) for layout in range(1000, 1005)]
    assert np.mean(shares) >= 0.9


def test_rows_have_the_games_of_all_layouts():
    case = Case("none", 1.0, "rewards", 20.0)
    [row] = adviser.rows({case: [[1.0, 1.0], [0.0, 0.5]]})
    assert (
        row["games"] == 4
        and row["share"] == 0.625
        and row["low"] < 0.625 < row["high"]
        and row["adviser"] == "none"
    )
