"""Budgets, final choice, reported statistics and refusals of `ismcts.search`."""

from __future__ import annotations

import json
import math
from collections import Counter
from types import SimpleNamespace

import pytest

from cwm.worker.search import ismcts


def _guess(**replaced):
    """A coin is tossed, which player 0 does not see; 0 then 1, who sees all, say a number."""
    functions = dict(
        NUM_PLAYERS=2,
        current_player=lambda state: (-1, 0, 1, -4)[len(state)],
        legal_actions=lambda state: [0, 1],
        chance_outcomes=lambda state: [(0, 0.5), (1, 0.5)],
        apply_action=lambda state, action: state + (action,),
        returns=lambda state: [float(state[0] == state[1]), float(state[0] == state[2])],
        information_state=lambda state, player: state[1:] if player == 0 else state,
    )
    functions.update(replaced)
    return SimpleNamespace(**functions)


def _coin(rng):
    return (int(rng() * 2),)


@pytest.mark.parametrize("simulations", [1, 2, 7, 100])
def test_simulations_are_counted(simulations):
    root = ismcts.search(_guess(), _coin, 0, simulations=simulations)
    # The first simulation makes the root, each other one tries an action.
    assert root.visits == sum(edge.visits for edge in root.edges) == simulations - 1
    assert sorted(edge.action for edge in root.edges) == [0, 1]


def _clock(monkeypatch, step):
    now = [100.0]

    def perf_counter():
        now[0] += step
        return now[0]

    monkeypatch.setattr(ismcts, "perf_counter", perf_counter)


def test_seconds_end_the_search(monkeypatch):
    _clock(monkeypatch, 0.125)
    assert ismcts.search(_guess(), _coin, 0, seconds=1.0).visits == 8


def test_seconds_and_simulations_whichever_comes_first(monkeypatch):
    _clock(monkeypatch, 0.125)
    assert ismcts.search(_guess(), _coin, 0, seconds=1.0, simulations=5).visits == 4
    assert ismcts.search(_guess(), _coin, 0, seconds=1.0, simulations=50).visits == 8


def test_one_action_is_tried_even_if_time_is_up_at_once(monkeypatch):
    _clock(monkeypatch, 10.0)
    assert ismcts.search(_guess(), _coin, 0, seconds=1.0).visits == 1


def test_real_clock_is_used():
    assert 1 < ismcts.search(_guess(), _coin, 0, seconds=0.05).visits < 1_000_000


def test_a_single_legal_action_is_returned_at_once():
    game = _guess(legal_actions=lambda state: [6], apply_action=lambda state, action: 1 / 0)
    root = ismcts.search(game, _coin, 0, simulations=10**9)
    assert ismcts.best_action(root) == 6
    assert ismcts.root_statistics(root) == [{"action": 6, "visits": 0, "value": None}]


def test_choice_after_one_simulation_is_uniform():
    game = _guess(legal_actions=lambda state: [2, 5, 7])
    draws = 1800
    counts = Counter(
        ismcts.best_action(ismcts.search(game, _coin, 0, simulations=1, seed=seed)) for seed in range(draws)
    )
    assert all(abs(counts[action] - draws / 3) < 5 * math.sqrt(draws * 2 / 9) for action in (2, 5, 7))


def test_it_learns_what_can_be_known_and_not_more():
    # The caller cannot know the coin: each guess is worth 1/2. Who sees it gets 1.
    blind = ismcts.root_statistics(ismcts.search(_guess(), _coin, 0, simulations=20_000))
    assert all(abs(row["value"] - 0.5) < 5 * 0.5 / math.sqrt(row["visits"]) for row in blind)
    seeing = ismcts.search(_guess(), lambda rng: (1, 0), 1, simulations=1000)
    assert ismcts.best_action(seeing) == 1
    assert {row["action"]: row["value"] for row in ismcts.root_statistics(seeing)} == {0: 0.0, 1: 1.0}


def _bandit(*amounts):
    """One player, one choice, these returns."""
    return SimpleNamespace(
        NUM_PLAYERS=1,
        current_player=lambda state: 0 if state is None else -4,
        legal_actions=lambda state: range(len(amounts)),
        chance_outcomes=lambda state: [],
        apply_action=lambda state, action: action,
        returns=lambda state: [amounts[state]],
        information_state=lambda state, player: state,
    )


def test_actions_within_the_tolerance_of_openspiel_are_equally_good():
    # After three tries the next one is random among those less than 1e-5 below the best.
    draws, counts = 400, Counter()
    for seed in range(draws):
        root = ismcts.search(
            _bandit(0.5, 0.5 - 9e-6, 0.5 - 2e-5), lambda rng: None, 0, simulations=5, seed=seed
        )
        counts[max(root.edges, key=lambda edge: edge.visits).action] += 1
    assert set(counts) == {0, 1}
    assert abs(counts[0] - draws / 2) < 5 * math.sqrt(draws / 4)


def test_the_most_visited_action_is_chosen_then_the_one_with_most_return():
    for seed in range(20):
        few = ismcts.search(_bandit(0.1, 0.3, 0.2), lambda rng: None, 0, simulations=4, seed=seed)
        assert [edge.visits for edge in few.edges] == [1, 1, 1]
        assert ismcts.best_action(few) == 1
    root = ismcts.search(_bandit(2.0, 1.0), lambda rng: None, 0, simulations=3)
    for edge in root.edges:
        edge.visits += edge.action  # the action of less return is visited more often
    assert ismcts.best_action(root) == 1


def test_rollouts_are_averaged():
    lengths = []

    def returns(state):
        lengths.append(len(state))
        return [0.25, 0.75]

    root = ismcts.search(_guess(returns=returns), _coin, 0, simulations=2, rollouts=5)
    assert lengths == [3] * 5
    assert sum(edge.total for edge in root.edges) == 0.25


def test_statistics_are_json_for_every_legal_action():
    rows = json.loads(
        json.dumps(
            ismcts.root_statistics(ismcts.search(_bandit(0.5, 0.25, 0.75), lambda rng: None, 0, simulations=3)),
            allow_nan=False,
        )
    )
    assert [row["action"] for row in rows] == [0, 1, 2]
    assert sorted(row["visits"] for row in rows) == [0, 1, 1]
    assert all((row["value"] is None) == (row["visits"] == 0) for row in rows)


def test_the_model_s_own_lists_are_not_changed():
    actions = [0, 1]
    ismcts.search(_guess(legal_actions=lambda state: actions), _coin, 0, simulations=50)
    assert actions == [0, 1]


@pytest.mark.parametrize("number", [0.0, 1.0 - 2.0**-53])
def test_impossible_outcomes_are_not_drawn_by_extreme_numbers(monkeypatch, number):
    drawn = set()

    def apply_action(state, action):
        drawn.update([action] if len(state) == 1 else [])
        return state + (action,)

    # Ten times 0.1 is less than 1 in floating point, and equal to the largest number drawn.
    game = _guess(
        current_player=lambda state: (0, -1, 1, -4)[len(state)],
        apply_action=apply_action,
        chance_outcomes=lambda state: [(0, 0.0)] + [(i, 0.1) for i in range(1, 11)] + [(11, 0.0)],
    )
    monkeypatch.setattr(
        ismcts, "random", SimpleNamespace(Random=lambda seed: SimpleNamespace(random=lambda: number))
    )
    ismcts.search(game, lambda rng: (), 0, simulations=10)
    assert drawn and drawn <= set(range(1, 11))


# --- refusals ---------------------------------------------------------------------------------------


def _refusal(words, game, sample=_coin, player=0, **options):
    options = options or {"simulations": 50}
    with pytest.raises(ValueError, match=words) as caught:
        ismcts.search(game, sample, player, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "options, words",
    [
        ({"seed": 1}, "simulations nor seconds"),
        ({"simulations": 0}, "simulations is 0"),
        ({"seconds": 0}, "seconds is 0"),
        ({"simulations": 5, "rollouts": 0}, "rollouts is 0"),
    ],
)
def test_options_out_of_range_are_refused(options, words):
    _refusal(words, _guess(), **options)


@pytest.mark.parametrize("player", [-1, 2])
def test_a_player_that_the_game_does_not_have_is_refused(player):
    _refusal("player is %d, expected 0 to NUM_PLAYERS - 1 = 1" % player, _guess(), player=player)


def test_a_model_without_information_states_is_refused():
    _refusal("information_state", _guess(information_state=None))


@pytest.mark.parametrize("state, mover", [((), -1), ((0, 0), 1), ((0, 0, 0), -4)])
@pytest.mark.parametrize("at", [0, 1, 5])
def test_a_sample_that_is_not_the_player_s_to_move_is_refused_whenever_it_comes(state, mover, at):
    drawn = []

    def sample(rng):
        drawn.append(None)
        return state if len(drawn) == at + 1 else (0,)

    _refusal(r"current_player\(\) is %d, expected the searching player 0" % mover, _guess(), sample)


def test_a_sample_of_another_information_state_is_refused(model):
    leduc = model("leduc")
    states = [(2, 3, 0, -1), (2, 4, 0, -1)]  # after the deal, with another card of the searcher's
    _refusal("all samples must be what the player cannot tell apart", leduc, lambda rng: states[int(rng() * 2)])


def test_samples_that_differ_in_the_player_s_legal_actions_are_refused():
    _refusal("must know the own legal actions", _guess(legal_actions=lambda state: [0, 1 + state[0]]))


@pytest.mark.parametrize("length", [1, 2])
def test_missing_actions_are_named_wherever_they_are_met(length):
    _refusal(
        r"legal_actions\(\) is empty",
        _guess(legal_actions=lambda state: [] if len(state) == length else [0, 1]),
    )


@pytest.mark.parametrize("simulations", [2, 50])
def test_an_unknown_player_is_named(simulations):
    _refusal(
        r"current_player\(\) is -3",
        _guess(current_player=lambda state: (-1, 0, -3)[len(state)]),
        simulations=simulations,
    )
    _refusal(
        r"current_player\(\) is -3",
        _guess(current_player=lambda state: (-1, 0, 1, -3)[len(state)]),
        simulations=simulations,
    )


@pytest.mark.parametrize("result", [[], [0.0], [1.0, 0.0, 0.0]])
def test_returns_of_the_wrong_length_are_refused(result):
    _refusal(r"returns\(\)", _guess(returns=lambda state: result))


@pytest.mark.parametrize("amount", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("simulations", [2, 3, 50])
def test_returns_that_are_not_finite_are_refused(amount, simulations):
    _refusal("expected finite numbers", _guess(returns=lambda state: [amount, 0.0]), simulations=simulations)


def test_returns_of_the_opponent_that_are_not_finite_are_refused():
    _refusal("returns of player 1 after action .* add up to nan", _guess(returns=lambda state: [0.0, math.nan]))


@pytest.mark.parametrize("outcomes, words", [([(0, 0.5), (1, 0.4)], "sum to 0.9"), ([], "sum to 0")])
def test_wrong_probabilities_are_refused(outcomes, words):
    game = _guess(
        current_player=lambda state: (0, -1, 1, -4)[len(state)], chance_outcomes=lambda state: outcomes
    )
    _refusal(words, game, lambda rng: ())


def test_errors_of_the_model_and_of_the_sampler_pass_through():
    def broken(*_):
        return (0, 1)[2]

    with pytest.raises(IndexError):
        ismcts.search(_guess(apply_action=broken), _coin, 0, simulations=5)
    with pytest.raises(IndexError):
        ismcts.search(_guess(), broken, 0, simulations=5)
