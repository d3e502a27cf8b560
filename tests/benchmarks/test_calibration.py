"""How good priors are: what is right in a state, and what is made of probabilities."""

from types import SimpleNamespace

import numpy as np
import pytest

from arena.registry.games import load_game
from benchmarks.games import calibration
from benchmarks.games.calibration import Judged
from benchmarks.support import adventure_states
from language_models import Completion
from language_models.asking.client import Client
from mcdml.asking.priors import make_prior


def _start(size="small"):
    return load_game(f"text_adventure(layout_seed=3000,size={size},max_moves=400)").new_initial_state()


def test_the_planner_leads_to_the_most_points_in_as_many_moves_as_it_says():
    state = _start()
    left = adventure_states.moves_left(state)
    for _ in range(left):
        state.apply_action(state.string_to_action(state.engine.advice(state.snapshot)))
    assert state.score() == state.max_score() and adventure_states.moves_left(state) == 0


def test_what_the_planner_advises_is_right_and_what_undoes_it_is_not():
    state = _start()
    right = adventure_states.right_actions(state)
    names = list(state.valid_actions())
    advised = state.engine.advice(state.snapshot)
    assert right[names.index(advised)] and not right.all()
    for name, is_right in zip(names, right):
        after = state.clone()
        after.apply_action(after.string_to_action(name))
        left = adventure_states.moves_left(after)
        assert is_right == (left is not None and left == adventure_states.moves_left(state) - 1)


def test_states_can_be_solved_and_leave_a_choice():
    for layout in (3000, 3001):
        states = list(adventure_states.states_of(layout, "small", 6, 3))
        assert len(states) >= 4 and len({str(state) for state in states}) == len(states)
        assert all(len(state.legal_actions()) > 1 and adventure_states.moves_left(state) for state in states)
        again = adventure_states.states_of(layout, "small", 6, 3)
        assert [str(state) for state in again] == [str(state) for state in states]


def test_cases_of_one_adventure_are_far_apart():
    cases = [SimpleNamespace(layout=layout) for layout in (1, 1, 1, 2, 2, 3)]
    assert calibration.apart(cases) == [0, 3, 5, 1, 4, 2]


def test_figures_of_a_prior_that_is_known():
    # .7 on the right one of three, then all on a wrong one of two.
    judged = [
        Judged(1, np.array([0.7, 0.2, 0.1]), np.array([True, False, False])),
        Judged(2, np.array([0.0, 1.0]), np.array([True, False])),
    ]
    row = calibration.row_of("prior", judged, 0)
    assert row["on_right"] == pytest.approx(0.35) and row["first_is_right"] == 0.5
    assert row["brier"] == pytest.approx(((0.09 + 0.04 + 0.01) / 3 + 1.0) / 2)
    assert sum(one["actions"] for one in row["curve"]) == 5
    assert row["curve"][-1] == {"probability": 1.0, "right": 0.0, "actions": 1}


def test_of_equal_probabilities_each_is_a_little_the_first():
    assert Judged(1, np.full(4, 0.25), np.array([True, False, False, False])).first_is_right == 0.25


class _Planner:
    """A language model that always writes down the action it is told for a state, with probability .9."""

    name = "planner"

    def __init__(self, cases):
        prior = make_prior("verbalized")
        self._named = {prior.request(case.query): int(np.argmax(case.right)) + 1 for case in cases}

    def complete(self, request):
        text = f'{{"actions": [{{"number": {self._named[request]}, "probability": 0.9}}]}}'
        return [Completion(text, "stop", 0, 0, None, self.name)]


def test_a_model_that_knows_beats_the_nulls():
    cases = calibration.cases_of(range(3000, 3004), "small", 4, 3, 1)
    rows = calibration.measure(Client(_Planner(cases)), cases, ["verbalized"], [1.0, 5.0])
    uniform, first, sharp, flat = rows
    assert sharp["first_is_right"] == flat["first_is_right"] == 1.0
    assert sharp["on_right"] > flat["on_right"] > uniform["on_right"]
    assert sharp["brier"] < flat["brier"] < min(uniform["brier"], first["brier"])
    assert sharp["log"] > flat["log"] > uniform["log"] > first["log"]
