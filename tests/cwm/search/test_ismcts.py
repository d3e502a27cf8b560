"""`ismcts.search`: it never peeks, is the same everywhere, keeps its budgets, and refuses nonsense."""
from __future__ import annotations

import ast
import json
import math
import os
import shutil
import subprocess
import sys
from collections import Counter, defaultdict
from pathlib import Path
from types import SimpleNamespace

import pytest

from cwm.search import ismcts
from sandbox import Worker

LEDUC = Path(__file__).parents[1] / "models" / "leduc.py"
NEEDS_PYPY = pytest.mark.skipif(shutil.which("pypy3") is None,
                                reason="pypy3 is not on PATH (apt install pypy3)")


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
        results = {json.dumps([[edge.action, edge.visits, edge.total.hex()] for edge in
                               _search(leduc, state, simulations=30, seed=number).edges])
                   for state in states}
        assert len(results) == 1


def test_a_sampler_that_peeks_is_told_apart_by_the_same_test(model):
    leduc = model("leduc")
    states = [_play(leduc, 3, card, 1, 2) for card in (0, 1, 2, 4, 5)]
    results = {json.dumps(ismcts.root_statistics(
        ismcts.search(leduc, lambda rng: state, 0, simulations=200))) for state in states}
    assert len(results) > 1


def test_only_the_player_to_move_is_asked_for_what_is_known(model):
    leduc = model("leduc")
    asked = set()

    def information_state(state, player):
        asked.add((leduc.current_player(state), player))
        return leduc.information_state(state, player)
    state = _play(leduc, 3, 4, 1)
    ismcts.search(leduc, lambda rng: leduc.resample(state, 1, rng), 1, simulations=300,
                  information_state=information_state)
    assert asked == {(0, 0), (1, 1)}


# --- the same everywhere ----------------------------------------------------------------------------

PROGRAM = '''
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
'''


def _run(interpreter, hash_seed):
    environment = dict(os.environ, PYTHONHASHSEED=hash_seed)
    return subprocess.run([interpreter, "-c", PROGRAM, ismcts.__file__, str(LEDUC)], check=True,
                          capture_output=True, text=True, env=environment, timeout=120).stdout


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
        assert searches[start:start + 2] == searches[start + 4:start + 6]


@pytest.mark.parametrize("interpreter", ["cpython", pytest.param("pypy", marks=NEEDS_PYPY)])
def test_it_runs_in_a_sealed_worker_with_the_same_result(model, interpreter):
    leduc = model("leduc")
    play = ("import ismcts, model\n"
            "def play(state, player, simulations):\n"
            "    state = tuple(state)\n"
            "    sample = lambda rng: model.resample(state, player, rng)\n"
            "    root = ismcts.search(model, sample, player, simulations=simulations)\n"
            "    return ismcts.root_statistics(root)\n")
    state = _play(leduc, 3, 0, 2)
    with Worker({"model": LEDUC.read_text(encoding="utf-8"),
                 "ismcts": Path(ismcts.__file__).read_text(encoding="utf-8"), "play": play},
                interpreter=interpreter) as worker:
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
    imported = {alias.name for node in ast.walk(tree) if isinstance(node, ast.Import)
                for alias in node.names}
    imported |= {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)}
    assert imported <= {"__future__", "math", "random", "time", "typing"}


# --- budgets and choice -----------------------------------------------------------------------------

def _guess(**replaced):
    """A coin is tossed, which player 0 does not see; 0 then 1, who sees all, say a number."""
    functions = dict(
        NUM_PLAYERS=2,
        current_player=lambda state: (-1, 0, 1, -4)[len(state)],
        legal_actions=lambda state: [0, 1],
        chance_outcomes=lambda state: [(0, 0.5), (1, 0.5)],
        apply_action=lambda state, action: state + (action,),
        returns=lambda state: [float(state[0] == state[1]), float(state[0] == state[2])],
        information_state=lambda state, player: state[1:] if player == 0 else state)
    functions.update(replaced)
    return SimpleNamespace(**functions)


def _coin(rng):
    return (int(rng() * 2),)


@pytest.mark.parametrize("simulations", [1, 2, 7, 100])
def test_simulations_are_counted(model, simulations):
    leduc = model("leduc")
    root = _search(leduc, _play(leduc, 3, 0), simulations=simulations)
    # The first simulation makes the root, each other one tries an action.
    assert root.visits == sum(edge.visits for edge in root.edges) == simulations - 1
    assert sorted(edge.action for edge in root.edges) == [1, 2]


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
    root = ismcts.search(game, _coin, 0, simulations=10 ** 9)
    assert ismcts.best_action(root) == 6
    assert ismcts.root_statistics(root) == [{"action": 6, "visits": 0, "value": None}]


def test_choice_after_one_simulation_is_uniform():
    game = _guess(legal_actions=lambda state: [2, 5, 7])
    draws = 1800
    counts = Counter(ismcts.best_action(ismcts.search(game, _coin, 0, simulations=1, seed=seed))
                     for seed in range(draws))
    assert all(abs(counts[action] - draws / 3) < 5 * math.sqrt(draws * 2 / 9) for action in (2, 5, 7))


def test_it_learns_what_can_be_known_and_not_more():
    # The caller cannot know the coin: each guess is worth 1/2. Who sees it gets 1.
    blind = ismcts.root_statistics(ismcts.search(_guess(), _coin, 0, simulations=20_000))
    assert all(abs(row["value"] - 0.5) < 5 * 0.5 / math.sqrt(row["visits"]) for row in blind)
    seeing = ismcts.search(_guess(), lambda rng: (1, 0), 1, simulations=1000)
    assert ismcts.best_action(seeing) == 1
    assert {row["action"]: row["value"] for row in ismcts.root_statistics(seeing)} == {0: 0.0, 1: 1.0}


def test_rollouts_are_averaged():
    lengths = []

    def returns(state):
        lengths.append(len(state))
        return [0.25, 0.75]
    root = ismcts.search(_guess(returns=returns), _coin, 0, simulations=2, rollouts=5)
    assert lengths == [3] * 5
    assert sum(edge.total for edge in root.edges) == 0.25


def test_statistics_are_json_for_every_legal_action(model):
    leduc = model("leduc")
    rows = json.loads(json.dumps(ismcts.root_statistics(
        _search(leduc, _play(leduc, 3, 0, 1, 2), simulations=3)), allow_nan=False))
    assert [row["action"] for row in rows] == [0, 1, 2]
    assert sorted(row["visits"] for row in rows) == [0, 1, 1]
    assert all((row["value"] is None) == (row["visits"] == 0) for row in rows)


def test_the_model_s_own_lists_are_not_changed():
    actions = [0, 1]
    ismcts.search(_guess(legal_actions=lambda state: actions), _coin, 0, simulations=50)
    assert actions == [0, 1]


@pytest.mark.parametrize("number", [0.0, 1.0 - 2.0 ** -53])
def test_impossible_outcomes_are_not_drawn_by_extreme_numbers(monkeypatch, number):
    drawn = set()

    def apply_action(state, action):
        drawn.update([action] if len(state) == 1 else [])
        return state + (action,)
    # Ten times 0.1 is less than 1 in floating point, and equal to the largest number drawn.
    game = _guess(current_player=lambda state: (0, -1, 1, -4)[len(state)], apply_action=apply_action,
                  chance_outcomes=lambda state: [(0, 0.0)] + [(i, 0.1) for i in range(1, 11)] + [
                      (11, 0.0)])
    monkeypatch.setattr(ismcts, "random", SimpleNamespace(
        Random=lambda seed: SimpleNamespace(random=lambda: number)))
    ismcts.search(game, lambda rng: (), 0, simulations=10)
    assert drawn and drawn <= set(range(1, 11))


# --- refusals ---------------------------------------------------------------------------------------

def _refusal(words, game, sample=_coin, player=0, **options):
    options = options or {"simulations": 50}
    with pytest.raises(ValueError, match=words) as caught:
        ismcts.search(game, sample, player, **options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("options, words", [
    ({"seed": 1}, "simulations nor seconds"), ({"simulations": 0}, "simulations is 0"),
    ({"seconds": 0}, "seconds is 0"), ({"simulations": 5, "rollouts": 0}, "rollouts is 0")])
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
    states = [_play(leduc, 3, 0), _play(leduc, 4, 0)]
    _refusal("all samples must be what the player cannot tell apart", leduc,
             lambda rng: states[int(rng() * 2)])


def test_samples_that_differ_in_the_player_s_legal_actions_are_refused():
    _refusal("must know the own legal actions",
             _guess(legal_actions=lambda state: [0, 1 + state[0]]))


@pytest.mark.parametrize("length", [1, 2])
def test_missing_actions_are_named_wherever_they_are_met(length):
    _refusal(r"legal_actions\(\) is empty",
             _guess(legal_actions=lambda state: [] if len(state) == length else [0, 1]))


@pytest.mark.parametrize("simulations", [2, 50])
def test_an_unknown_player_is_named(simulations):
    _refusal(r"current_player\(\) is -2", _guess(current_player=lambda state: (-1, 0, -2)[len(state)]),
             simulations=simulations)
    _refusal(r"current_player\(\) is -2",
             _guess(current_player=lambda state: (-1, 0, 1, -2)[len(state)]), simulations=simulations)


@pytest.mark.parametrize("result", [[], [0.0], [1.0, 0.0, 0.0]])
def test_returns_of_the_wrong_length_are_refused(result):
    _refusal(r"returns\(\)", _guess(returns=lambda state: result))


@pytest.mark.parametrize("amount", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("simulations", [2, 3, 50])
def test_returns_that_are_not_finite_are_refused(amount, simulations):
    _refusal("expected finite numbers", _guess(returns=lambda state: [amount, 0.0]),
             simulations=simulations)


@pytest.mark.parametrize("outcomes, words", [
    ([(0, 0.5), (1, 0.4)], "sum to 0.9"), ([], "sum to 0")])
def test_wrong_probabilities_are_refused(outcomes, words):
    game = _guess(current_player=lambda state: (0, -1, 1, -4)[len(state)],
                  chance_outcomes=lambda state: outcomes)
    _refusal(words, game, lambda rng: ())


def test_errors_of_the_model_and_of_the_sampler_pass_through():
    def broken(*_):
        return (0, 1)[2]
    with pytest.raises(IndexError):
        ismcts.search(_guess(apply_action=broken), _coin, 0, simulations=5)
    with pytest.raises(IndexError):
        ismcts.search(_guess(), broken, 0, simulations=5)
