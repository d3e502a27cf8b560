from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import pyspiel
import pytest
from open_spiel.python.algorithms import expected_game_score

from arena.bots.policies import exploitability
from arena.matches.responses import Batch, SampledTree, Watched, information_states, learners, play_batch
from arena.rating.adversaries import Adversary, adversaries_text
from arena.rating.lower_bounds import lower_bound
from arena.registry.games import load_game

registry = importlib.import_module("arena.registry.bots")

ROOT = Path(__file__).parents[3]
KUHN = "kuhn_poker"
SMALL = {"training_matches": 600, "num_games": 600, "seed": 3}
SAMPLED = {**SMALL, "max_states": 0}  # so that no game is small enough to be walked


# Against uniform play, whose NashConv is 11/12 by OpenSpiel's exploitability_test.py, the best responses return 1/2 and
# 5/12, as tests/arena/bots/test_policies.py has them too.
@pytest.mark.parametrize("max_states", [100, 0])
@pytest.mark.parametrize("seat, value", [(0, 1 / 2), (1, 5 / 12)])
def test_the_response_to_random_moves_in_kuhn_poker_is_the_best_one(max_states, seat, value):
    game = load_game(KUHN)
    learner = learners(game, max_states)[seat]
    for match in play_batch(Batch(KUHN, "random", seat, {}, 1.0, range(800), True)):
        learner.watch(match)
    response = {key: [(action, 1.0)] for key, action in learner.response().items()}
    table = pyspiel.TabularPolicy(pyspiel.UniformRandomPolicy(game).policy_table() | response)
    assert expected_game_score.policy_value(game.new_initial_state(), [table, table])[seat] == pytest.approx(
        value
    )


@pytest.mark.parametrize("how, learner", [(SMALL, "model"), (SAMPLED, "sampled tree")])
def test_random_moves_in_kuhn_poker_are_exploited_nearly_whole(how, learner):
    found = lower_bound("uniform_random", KUHN, **how)
    assert found.learner == learner and found.matches == 600 and found.training_matches == 600
    assert found.gain.low <= 11 / 12 and found.gain.high > 0.8
    assert found.nash_conv == found.gain.low > 0.6
    assert found.exploitability == found.nash_conv / 2
    assert found.gain.mean == pytest.approx(sum(own.mean for own in found.response_returns))
    assert found.infostates <= 12


def test_the_bound_is_seldom_above_the_exact_value():
    # By its confidence in 2.5 % of the cases: three of five have a chance of .00015.
    found = [
        lower_bound("random", KUHN, training_matches=200, num_games=200, seed=seed).nash_conv
        for seed in range(5)
    ]
    assert sum(bound > 11 / 12 for bound in found) < 3
    assert max(found) > 0.5


def test_a_bot_that_always_bets_is_found_out():
    # In either seat it pays 2 to the king, nothing on the mean to the queen, and 1 to get rid of the jack: 1/3.
    exact = 2 / 3
    found = lower_bound("fixed_action_preference(actions=1:0)", KUHN, **SMALL)
    assert found.gain.low <= exact <= found.gain.high
    assert found.nash_conv > 0.4


def test_an_equilibrium_is_not_exploited():
    exact = exploitability("cfr(iterations=1000)", load_game(KUHN)).nash_conv
    for how in (SMALL, SAMPLED):
        found = lower_bound("cfr(iterations=1000)", KUHN, **how)
        assert found.gain.low <= exact < 0.005
        assert found.nash_conv == max(0.0, found.gain.low)


def test_a_search_is_exploited_and_the_same_command_says_the_same():
    found = [lower_bound("ismcts(simulations=10,reproducible=true)", KUHN, **SMALL) for _ in range(2)]
    assert found[0] == found[1]
    assert found[0].nash_conv > 0.05
    other = lower_bound("ismcts(simulations=10,reproducible=true)", KUHN, **{**SMALL, "seed": 4})
    assert other.gain.mean != found[0].gain.mean


def test_general_sum_subtracts_what_the_bot_gets_by_itself():
    # Random prisoners get 4; who defects against one gets (10 + 1) / 2 = 5.5, so that NashConv is 3.
    found = lower_bound("random", "matrix_pd", **SMALL)
    assert found.learner == "sampled tree" and found.exploitability is None
    assert found.matches == 900  # each of 300 deals once in either seat, and once by itself
    assert found.gain.low <= 3 <= found.gain.high
    assert found.response_returns[0].low <= 5.5 <= found.response_returns[0].high
    # The sum of the responses' returns alone would be 11.
    assert found.nash_conv > 2.3


def test_three_players():
    game = load_game("kuhn_poker(players=3)")
    exact = pyspiel.nash_conv(game, pyspiel.UniformRandomPolicy(game))
    found = lower_bound("random", str(game), training_matches=900, num_games=900)
    assert len(found.response_returns) == 3 and found.exploitability is None
    assert 0.5 * exact < found.nash_conv <= exact
    assert found.gain.low <= exact


def test_without_chance_a_deterministic_bot_is_measured_exactly():
    # It takes the last pile whole, so that the winner's way is to leave it one; nim's loser takes the last object.
    game = "nim(pile_sizes=2;2)"
    found = lower_bound("minimax(depth=1)", game, training_matches=400)
    assert found.matches == 2
    for own in (found.gain, *found.response_returns):
        assert own.low == own.mean == own.high and own.reliable
    assert found.response_returns[0].mean in (-1, 1)
    random = lower_bound("random", game, training_matches=400, num_games=40)
    assert random.matches == 40


def test_the_sampled_tree_takes_the_better_way_although_its_mean_is_worse():
    # After "a" a second decision is worth 2 or -4, so -1 on the mean and 2 at its best; "b" is worth 1 at once.
    learner = SampledTree(0)
    for _ in range(20):
        learner.watch(Watched((2.0, -2.0), ((0, "start", 0), (1, "theirs", 7), (0, "later", 0))))
        learner.watch(Watched((-4.0, 4.0), ((0, "start", 0), (1, "theirs", 7), (0, "later", 1))))
        learner.watch(Watched((1.0, -1.0), ((0, "start", 1),)))
    assert learner.response() == {"start": 0, "later": 0}


def test_information_states_that_come_again_end_the_sum():
    learner = SampledTree(0)
    learner.watch(Watched((1.0,), ((0, "here", 0), (0, "here", 1), (0, "here", 0))))
    assert set(learner.response()) == {"here"}


def test_the_information_states_of_small_games_are_counted():
    counts = [len(own) for own in information_states(load_game("leduc_poker"), 10_000)]
    assert counts == [468, 468]
    assert information_states(load_game("leduc_poker"), 1000) is None
    for sampled in ("python_kuhn_poker", "matrix_rps"):
        assert information_states(load_game(sampled), 10_000) is None


def test_a_python_game_is_sampled():
    found = lower_bound("random", "python_kuhn_poker", training_matches=400, num_games=100)
    assert found.learner == "sampled tree" and found.gain.low <= 11 / 12


def test_fresh_matches_have_the_same_deals_in_both_seats():
    game = load_game(KUHN)
    deals = []
    for seat in (0, 1):
        batch = Batch(KUHN, "random", seat, {}, 0.0, tuple(range(20)), True)
        deals.append([[d[1][0] for d in match.decisions[:2]] for match in play_batch(batch)])
    assert deals[0] == deals[1]
    assert game.num_players() == 2


@pytest.mark.parametrize(
    "bot, game, changes, part",
    [
        ("random", KUHN, {"num_games": 5}, "num_games: expected a multiple of 2 of at least 4"),
        ("random", KUHN, {"num_games": 2}, "num_games: expected a multiple of 2 of at least 4"),
        ("random", KUHN, {"training_matches": 19}, "training_matches: expected at least 20"),
        ("random", "phantom_ttt_no", {}, "phantom_ttt_no"),
        ("randon", KUHN, {}, "unknown bot 'randon'"),
        ("fixed_action_preference(actions=0)", "tic_tac_toe", {}, "forfeited a match of tic_tac_toe with seed"),
    ],
)
def test_errors(bot, game, changes, part):
    with pytest.raises(ValueError, match=part) as caught:
        lower_bound(bot, game, **{**SMALL, **changes})
    assert "\n" not in str(caught.value)


def test_command(tmp_path):
    bots = "cfr(iterations=100),ismcts(simulations=2,reproducible=true)"
    numbers = ("--training_matches=200", "--num_games=100", f"--json={tmp_path / 'e.json'}")
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "arena.exploitability",
            f"--game={KUHN}",
            f"--bots={bots}",
            "--estimate",
            *numbers,
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=100,
    )
    assert done.returncode == 0, done.stderr
    header, _, cfr, ismcts, *notes = done.stdout.splitlines()
    assert header.split()[:2] == ["bot", "NashConv"]
    assert cfr.split()[2] == "exact" and " at least " in ismcts
    assert "NashConv may be higher" in notes[0]
    value = json.loads((tmp_path / "e.json").read_text())["bots"]
    exact, bound = value.values()
    assert exact["kind"] == "exact" and bound["kind"] == "at least"
    assert exact["nash_conv"] == pytest.approx(exploitability("cfr(iterations=100)", load_game(KUHN)).nash_conv)
    assert bound["gain"]["low"] <= bound["gain"]["mean"] <= bound["gain"]["high"]
    assert bound["matches"] == 100 and bound["training_matches"] == 200


def test_tables_name_the_command_for_bots_that_cannot_be_read():
    found = Adversary("kuhn_poker", [("random", 11 / 12)], ["ismcts(simulations=50)", "mcts"])
    command = "python -m arena.exploitability --estimate --game=kuhn_poker --bots='ismcts(simulations=50),mcts'"
    assert command in adversaries_text([found])
    assert "--estimate" not in adversaries_text([Adversary("kuhn_poker", [("random", 11 / 12)], [])])
