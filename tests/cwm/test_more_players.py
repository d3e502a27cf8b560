"""World models of games of three and of five players: tests, synthesis, OpenSpiel's own searches, and matches."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import cfr, exploitability
from open_spiel.python.policy import UniformRandomPolicy

from arena.matches.match import play_match
from arena.registry.games import load_game
from cwm.contract import manifest
from cwm.trust import checks, exact_equality, online_accuracy, posterior, trajectories
from cwm.worker.simulator import Simulator
from cwm.writing import synthesis
from cwm.writing.tasks import HiddenLesson, OpenLesson

PLAYERS = (3, 5)


def truth(players):
    return load_game(f"kuhn_poker(players={players})")


@pytest.fixture
def source_for(source_of):
    return lambda players: source_of("kuhn").replace("NUM_PLAYERS = 3", f"NUM_PLAYERS = {players}")


@pytest.fixture
def kuhn_folder(tmp_path, scripted, answer, source_for):
    """The folder of a finished synthesis whose language model wrote a wrong program first, and then the right one."""

    def make(players, build=HiddenLesson.open):
        game, source = truth(players), source_for(players)
        wrong = source.replace("actions.index(1) + NUM_PLAYERS", "actions.index(1) + 2")
        lesson = build("Rules.", list(trajectories.collect(game, 6, 0)))
        name = f"kuhn_poker(players={players})"
        settings = synthesis.Settings(name, "tree_search", "scripted", 0, 3, lesson.fingerprint(), lesson.deck)
        folder = str(tmp_path / f"kuhn{players}")
        model = scripted(answer(wrong), answer(source))
        outcome = synthesis.run(
            folder, settings, lesson, model, ground_truth=game, test_transitions=200, test_games=20
        )
        assert len(outcome.attempts) == 2 and outcome.best.perfect and outcome.test_failure is None
        return folder

    return make


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("build", [HiddenLesson.open, HiddenLesson.closed])
def test_a_synthesis_ends_with_a_verified_model(kuhn_folder, players, build):
    content = manifest.load(kuhn_folder(players, build)).manifest
    assert content["properties"]["players"] == players and content["properties"]["zero_sum"]
    rungs = {row["rung"]: row["status"] for row in content["rungs"]}
    untried = {name for name, status in rungs.items() if status == "not tried"}
    too_large = {"exact_equality"} if players == 5 else set()
    not_shown = {"training_transitions"} if content["deck"] == "closed" else set()
    assert untried == {"heldout_play"} | too_large | not_shown
    assert "failed" not in rungs.values()


def test_every_transition_of_the_game_of_three_is_the_same(source_for):
    rungs = manifest.new_rungs(True)
    result = exact_equality.settle(rungs, source_for(3), exact_equality.walk(truth(3)))
    assert rungs["exact_equality"].status == "passed" and result.distinct_states > 300


@pytest.mark.parametrize(
    "old, new, expected",
    [
        ("key=lambda player: (chips[player], cards[player])", "key=lambda player: cards[player]", "returns"),
        ("else len(actions) % NUM_PLAYERS", "else len(actions) % 2", "current_player"),
        ("sum(chips) * (player == winner)", "2 * chips[winner] * (player == winner)", "returns"),
    ],
)
@pytest.mark.parametrize("players", PLAYERS)
def test_a_planted_error_is_found(source_for, players, old, new, expected):
    source = source_for(players)
    assert old in source
    report = checks.run(
        source.replace(old, new), list(trajectories.collect(truth(players), 40, 1)), hidden=True
    )
    assert any(expected in one.where for failure in report.failures for one in failure.mismatches)


def test_a_sampler_that_knows_the_last_players_card_alone_is_found(source_for):
    source = source_for(3).replace("left.pop(int(rand() * len(left)))", "left.pop(0)")
    games = list(trajectories.collect(truth(3), 8, 1))
    verdict = HiddenLesson.open("Rules.", games).judge(source)
    assert verdict.passed == verdict.transitions and verdict.inferred < verdict.inferences


@pytest.mark.parametrize("peeks", [False, True])
def test_samples_are_as_frequent_as_they_should_be(source_for, peeks):
    """Against the exact posterior of the game; a sampler that likes low cards is told apart."""
    source = source_for(3)
    if peeks:
        source = source.replace("int(rand() * len(left))", "int(rand() ** 2 * len(left))")
    found = posterior.distance(source, truth(3), decisions=12, samples=1_000, seed=0)
    assert found.decisions == 12
    assert (found.largest > 3 * found.largest_noise) == peeks


@pytest.mark.parametrize("players", PLAYERS)
def test_openspiel_solves_the_model_as_it_solves_the_game(kuhn_folder, players):
    """Best responses to uniform play are worth the same; for three players CFR finds the same policy."""
    games = [load_game(f"cwm(model={kuhn_folder(players)},trusted=true)"), truth(players)]
    if players == 3:
        found = []
        for game in games:
            result = exploitability.nash_conv(game, UniformRandomPolicy(game), return_only_nash_conv=False)
            found.append([float(gain) for gain in result.player_improvements])
        assert found[0] == pytest.approx(found[1]) and min(found[0]) > 0.05
        solved = [cfr.CFRSolver(game) for game in games]
        for solver in solved:
            for _ in range(3):
                solver.evaluate_and_update_policy()
        values = [
            sorted(map(tuple, np.round(solver.average_policy().action_probability_array, 9)))
            for solver in solved
        ]
        assert values[0] == values[1]
    pyspiel.random_sim_test(games[0], num_sims=5, serialize=True, verbose=False)


@pytest.mark.parametrize("players", PLAYERS)
def test_the_search_plays_matches_against_the_ground_truths_bots(kuhn_folder, players):
    own = f"cwm_ismcts(model={kuhn_folder(players)},simulations=30,interpreter=cpython)"
    rest = itertools.cycle(["random", "ismcts(simulations=20)"])
    records = []
    for seat in range(players):
        seats = [next(rest) for _ in range(players)]
        seats[seat] = own
        records += [play_match(str(truth(players)), seats, 10 * seat + number) for number in range(4)]
    assert all(record.forfeit is None and sum(record.returns) == pytest.approx(0) for record in records)
    figures = online_accuracy.audit(records)
    assert figures["online_transition_accuracy"] == figures["online_inference_accuracy"] == 1.0
    assert figures["online_inferences"] >= players * 4


def expected(state, choose):
    """The expected returns of a state when the player to move is told what to do."""
    if state.is_terminal():
        return np.array(state.returns())
    if state.is_chance_node():
        return sum(
            chance * expected(state.child(outcome), choose) for outcome, chance in state.chance_outcomes()
        )
    return choose(state, [expected(state.child(action), choose) for action in state.legal_actions()])


@pytest.mark.parametrize("seat", range(3))
def test_the_search_finds_the_best_answer_to_uniform_play(source_for, seat):
    """At the last decision of a game against players who have bet, the worth of an action is known exactly: it is the
    mean over the cards that the others can have."""
    path = {0: ["Pass", "Bet", "Bet"], 1: ["Pass", "Pass", "Bet", "Bet"], 2: ["Bet", "Bet"]}[seat]
    game = truth(3)
    for card in range(4):
        others = [one for one in range(4) if one != card][:2]
        cards = others[:seat] + [card] + others[seat:]
        one = trajectories.from_names(game, [f"Deal:{number}" for number in cards] + path)
        assert one.steps[-1].player == seat
        history = trajectories_seen(one, seat)
        worth = exact_worth(game, seat, card, path)
        with Simulator(source_for(3)) as simulator:
            found = simulator.search_seen(
                seat,
                history,
                {"simulations": 3000, "seed": card, "inference": "state", "uct_c": 2.0, "rollouts": 1},
            )
        values = {row["name"]: row["value"] for row in found["actions"]}
        assert values["Pass"] == pytest.approx(worth["Pass"], abs=0.05)
        assert values["Bet"] == pytest.approx(worth["Bet"], abs=0.3)
        assert abs(worth["Bet"] - worth["Pass"]) < 0.2 or found["name"] == max(worth, key=worth.get)


def trajectories_seen(one, seat):
    from cwm.trust.inference import seen_by

    return seen_by(one, seat).history(len(one.steps) - 1)


def exact_worth(game, seat, card, path):
    """The mean return of each action, over all cards of the others, at a decision that is the last of the game."""
    totals = {"Pass": [], "Bet": []}
    for others in itertools.permutations([one for one in range(4) if one != card], 2):
        cards = [*others[:seat], card, *others[seat:]]
        for name, found in totals.items():
            one = trajectories.from_names(game, [f"Deal:{number}" for number in cards] + path + [name])
            assert one.steps[-1].player == trajectories.TERMINAL
            found.append(one.steps[-1].returns[seat])
    return {name: float(np.mean(found)) for name, found in totals.items()}


HEAPS = Path(__file__).parent / "models" / "three_heaps.py"


def test_max_n_is_exhaustive_search_where_every_player_wants_the_most_for_itself(tmp_path, folder_of):
    """Three heaps, general sum: the search proves the value that backward induction in OpenSpiel's game of the model gives
    the player to move, where no other action is as good for anybody."""
    game = load_game(f"cwm(model={folder_of('three_heaps', players=3, zero_sum=False)},trusted=true)")

    def best(state, children):
        return max(children, key=lambda returns: returns[state.current_player()])

    rng, tried = np.random.default_rng(2), 0
    with Simulator(HEAPS.read_text()) as simulator:
        while tried < 12:
            state, names = game.new_initial_state(), []
            while not state.is_terminal() and len(names) < 3:
                action = int(rng.choice(state.legal_actions()))
                names.append(state.action_to_string(action))
                state.apply_action(action)
            mover = state.current_player()
            worth = {
                state.action_to_string(action): expected(state.child(action), best)[mover]
                for action in state.legal_actions()
            }
            ranked = sorted(worth.values())
            if len(ranked) < 2 or ranked[-1] - ranked[-2] < 1.5:
                continue
            tried += 1
            found = simulator.search_at(names, mover, {"simulations": 4000, "seed": tried, "solve": True})
            assert found["name"] == max(worth, key=worth.get)


def test_a_game_of_three_with_perfect_information_is_learnt_and_played(tmp_path, scripted, answer):
    """The language model gives the hand-written pig for two, and is told what is wrong for three."""
    pig = (Path(__file__).parent / "models" / "pig.py").read_text()
    name = "pig(players=3,winscore=20,horizon=40)"
    game = load_game(name)
    lesson = OpenLesson("Rules.", tuple(trajectories.collect(game, 3, 0)))
    wrong = pig.replace("NUM_PLAYERS = 3", "NUM_PLAYERS = 2")
    assert wrong != pig
    settings = synthesis.Settings(name, "tree_search", "scripted", 0, 3, lesson.fingerprint())
    folder = str(tmp_path / "pig")
    model = scripted(answer(wrong), answer(pig))
    outcome = synthesis.run(
        folder, settings, lesson, model, ground_truth=game, test_transitions=200, test_games=3
    )
    assert outcome.best.perfect, outcome.attempts[-1].failures
    assert len(model.requests) == 2
    assert json.loads((tmp_path / "pig" / "manifest.json").read_text())["test_transition_accuracy"] == 1.0
    own = f"cwm_mcts(model={folder},simulations=50,interpreter=cpython)"
    records = [
        play_match(name, [*["random", "mcts(simulations=20)"][:seat], own, *["random"] * (2 - seat)], seat)
        for seat in range(3)
    ]
    assert all(record.forfeit is None and len(record.returns) == 3 for record in records)
    assert online_accuracy.audit(records)["online_transition_accuracy"] == 1.0
