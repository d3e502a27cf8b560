"""Budgets, leaf evaluation, reported statistics and refusals of `uct.search`."""

from __future__ import annotations

import json
import math
from collections import Counter
from types import SimpleNamespace

import pytest

from cwm.worker.search import uct


def _walk(**replaced):
    """One player walks 50 steps, choosing 0 or 1 each time; pays the share of ones."""
    functions = dict(
        NUM_PLAYERS=1,
        MIN_UTILITY=0.0,
        MAX_UTILITY=1.0,
        current_player=lambda state: 0 if len(state) < 50 else -4,
        legal_actions=lambda state: [0, 1],
        chance_outcomes=lambda state: [],
        apply_action=lambda state, action: state + (action,),
        returns=lambda state: [sum(state) / 50],
    )
    functions.update(replaced)
    return SimpleNamespace(**functions)


@pytest.mark.parametrize("simulations", [1, 2, 7, 100])
def test_simulations_are_counted(model, simulations):
    game = model("connect_four")
    root = uct.search(game, game.initial_state(), simulations=simulations)
    assert root.visits == simulations
    # The first simulation evaluates the root, each other one goes through one child.
    assert sum(child.visits for child in root.children) == simulations - 1


def _clock(monkeypatch, step):
    now = [100.0]

    def perf_counter():
        now[0] += step
        return now[0]

    monkeypatch.setattr(uct, "perf_counter", perf_counter)


def test_seconds_end_the_search(model, monkeypatch):
    game = model("connect_four")
    _clock(monkeypatch, 0.125)
    assert uct.search(game, game.initial_state(), seconds=1.0).visits == 8


def test_seconds_and_simulations_whichever_comes_first(model, monkeypatch):
    game = model("connect_four")
    _clock(monkeypatch, 0.125)
    assert uct.search(game, game.initial_state(), seconds=1.0, simulations=5).visits == 5
    assert uct.search(game, game.initial_state(), seconds=1.0, simulations=50).visits == 8


def test_one_simulation_even_if_time_is_up_at_once(model, monkeypatch):
    game = model("connect_four")
    _clock(monkeypatch, 10.0)
    root = uct.search(game, game.initial_state(), seconds=1.0)
    assert root.visits == 1
    assert uct.best_action(root) in range(7)


def test_real_clock_is_used(model):
    game = model("connect_four")
    root = uct.search(game, game.initial_state(), seconds=0.05)
    assert 1 < root.visits < 1_000_000


def test_choice_after_one_simulation_is_uniform(model):
    game = model("tic_tac_toe")
    draws = 1800
    counts = Counter(
        uct.best_action(uct.search(game, game.initial_state(), simulations=1, seed=seed))
        for seed in range(draws)
    )
    spread = math.sqrt(draws * (1 / 9) * (8 / 9))
    assert all(abs(counts[action] - draws / 9) < 5 * spread for action in range(9))


def test_chance_outcomes_are_sampled_by_their_probabilities():
    weights = [0.5, 0.0, 0.3, 0.2, 0.0]
    game = SimpleNamespace(
        NUM_PLAYERS=1,
        MIN_UTILITY=0.0,
        MAX_UTILITY=1.0,
        current_player=lambda state: (0, -1, 0, 0, 0, -4)[len(state)],
        legal_actions=lambda state: [0, 1],
        chance_outcomes=lambda state: list(enumerate(weights)),
        apply_action=lambda state, action: state + (action,),
        returns=lambda state: [0.5],
    )
    root = uct.search(game, (), simulations=6000, solve=False)
    for child in root.children:
        drawn = [0 if node is None else node.visits for node in child.children]
        total = child.visits - 1
        assert sum(drawn) == total
        for weight, count in zip(weights, drawn):
            assert abs(count - weight * total) <= 5 * math.sqrt(weight * (1 - weight) * total)


@pytest.mark.parametrize("number", [0.0, 1.0 - 2.0**-53])
@pytest.mark.parametrize("max_rollout_length", [1, None])
def test_impossible_outcomes_are_not_drawn_by_extreme_numbers(monkeypatch, number, max_rollout_length):
    drawn = set()

    def apply_action(state, action):
        if len(state) == 1:
            drawn.add(action)
        return state + (action,)

    # Ten times 0.1 is less than 1 in floating point, and equal to the largest number drawn.
    outcomes = [(0, 0.0)] + [(i, 0.1) for i in range(1, 11)] + [(11, 0.0)]
    game = _walk(
        current_player=lambda state: (0, -1, -4)[len(state)],
        apply_action=apply_action,
        chance_outcomes=lambda state: outcomes,
        returns=lambda state: [0.5],
    )
    monkeypatch.setattr(
        uct, "random", SimpleNamespace(Random=lambda seed: SimpleNamespace(random=lambda: number))
    )
    uct.search(game, (), simulations=10, max_rollout_length=max_rollout_length, solve=False)
    assert drawn and drawn <= set(range(1, 11))


def test_value_function_takes_the_place_of_rollouts():
    stepped = []

    def apply_action(state, action):
        stepped.append(state)
        return state + (action,)

    root = uct.search(
        _walk(apply_action=apply_action), (), simulations=64, value=lambda state: [state[0] if state else 0.0]
    )
    assert len(stepped) == 63  # one new state for each simulation but the first
    assert {row["action"]: row["value"] for row in uct.root_statistics(root)} == {0: 0.0, 1: 1.0}


def test_cut_rollouts_are_continued_by_the_value_function():
    lengths = []

    def value(state):
        lengths.append(len(state))
        return [0.5]

    root = uct.search(_walk(), (), simulations=1, rollouts=4, max_rollout_length=10, value=value)
    assert lengths == [10] * 4
    assert root.total == 0.5


def test_rollout_that_ends_before_the_cut_counts_its_returns():
    game = _walk(returns=lambda state: [0.75])
    root = uct.search(game, (0,) * 45, simulations=1, max_rollout_length=5, value=lambda state: [0.0])
    assert root.total == 0.75


def test_cut_rollout_without_value_function_counts_rewards_so_far():
    root = uct.search(
        _walk(returns=lambda state: [len(state) / 100]), (), simulations=1, max_rollout_length=10, rollouts=3
    )
    assert root.total == pytest.approx(0.1)


def test_estimates_are_clamped_to_the_possible_utilities():
    high = uct.search(_walk(), (), simulations=9, value=lambda state: [7.5])
    low = uct.search(_walk(), (), simulations=9, value=lambda state: [-math.inf])
    assert (high.total, low.total) == (9.0, 0.0)


def test_statistics_are_json_for_every_legal_action(model):
    game = model("connect_four")
    state = game.initial_state()
    for action in (0, 0, 0, 0, 0, 0, 1, 2, 1, 2, 1, 2):  # column 0 is full, x has three on column 1
        state = game.apply_action(state, action)
    root = uct.search(game, state, simulations=4, seed=3)
    rows = json.loads(json.dumps(uct.root_statistics(root), allow_nan=False))
    assert [row["action"] for row in rows] == [1, 2, 3, 4, 5, 6]
    assert sorted(row["visits"] for row in rows) == [0, 0, 0, 1, 1, 1]
    assert all((row["value"] is None) == (row["visits"] == 0) for row in rows)
    rows = uct.root_statistics(uct.search(game, state, simulations=400))
    assert rows[0]["outcome"] == [1.0, -1.0]


def test_the_model_s_own_lists_are_not_changed():
    actions = [0, 1]
    uct.search(_walk(legal_actions=lambda state: actions), (), simulations=50)
    assert actions == [0, 1]


def test_index_drawn_from_a_random_number_stays_in_range():
    largest = 1.0 - 2.0**-53  # the largest number that Random.random() can return
    assert all(int(largest * length) == length - 1 for length in range(1, 100_000))


@pytest.mark.parametrize(
    "options, words",
    [
        ({}, "simulations nor seconds"),
        ({"simulations": 0}, "simulations is 0"),
        ({"seconds": 0}, "seconds is 0"),
        ({"simulations": 5, "rollouts": 0}, "rollouts is 0"),
        ({"simulations": 5, "max_rollout_length": 0}, "max_rollout_length is 0"),
    ],
)
def test_options_out_of_range_are_refused(options, words):
    with pytest.raises(ValueError, match=words):
        uct.search(_walk(), (), **options)


@pytest.mark.parametrize("player", [-4, -1])
def test_root_without_a_player_to_move_is_refused_in_one_sentence(player):
    with pytest.raises(ValueError, match="a player is to move") as caught:
        uct.search(_walk(current_player=lambda state: player), (), simulations=5)
    assert "\n" not in str(caught.value) and str(player) in str(caught.value)


@pytest.mark.parametrize("depth", [0, 1, 2, 20])
def test_missing_actions_are_named_wherever_they_are_met(depth):
    game = _walk(legal_actions=lambda state: [] if len(state) == depth else [0, 1])
    with pytest.raises(ValueError, match=r"legal_actions\(\) is empty"):
        uct.search(game, (), simulations=5)


def test_index_error_of_the_model_itself_passes_through():
    def apply_action(state, action):
        return state + ((0, 1)[len(state)],)

    with pytest.raises(IndexError):
        uct.search(_walk(apply_action=apply_action), (), simulations=5)


@pytest.mark.parametrize(
    "outcomes, words",
    [
        ([(0, 0.5), (1, 0.4)], "sum to 0.9"),
        ([(0, 3), (1, 2)], "sum to 5"),
        ([(0, 1.5), (1, -0.5)], "probability -0.5"),
        ([], "sum to 0"),
    ],
)
def test_wrong_probabilities_are_refused(outcomes, words):
    game = _walk(
        current_player=lambda state: -4 if len(state) > 4 else -1 if len(state) == 1 else 0,
        chance_outcomes=lambda state: outcomes,
    )
    with pytest.raises(ValueError, match=words):
        uct.search(game, (), simulations=10)


@pytest.mark.parametrize("estimate", [[], [0.5, 0.5], [math.nan]])
def test_wrong_estimates_are_refused(estimate):
    with pytest.raises(ValueError, match=r"value\(\) returned"):
        uct.search(_walk(), (), simulations=5, value=lambda state: estimate)


@pytest.mark.parametrize("result", [[], [math.nan], [1.0, 0.0]])
def test_wrong_returns_are_refused(result):
    with pytest.raises(ValueError, match=r"returns\(\) gave"):
        uct.search(_walk(returns=lambda state: result), (0,) * 49, simulations=5, value=lambda state: [0.0])


def test_unknown_player_in_a_rollout_is_refused():
    game = _walk(current_player=lambda state: 0 if len(state) < 5 else -2)
    with pytest.raises(ValueError, match="current_player\\(\\) is -2"):
        uct.search(game, (), simulations=5)
