"""Every OpenSpiel bot plays by name, on a game that fits it, and refuses others in one sentence."""

from __future__ import annotations

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import evaluate_bots, exploitability

from arena import registry
from arena.bots import solvers as solver_bots
from arena.bots.policies import policy_from_bot
from arena.matches.match import play_match
from arena.registry import openspiel_bots
from arena.registry.bots import make_bot
from arena.registry.games import load_game

RPS = "repeated_game(stage_game=matrix_rps(),num_repetitions={})"
FITTING = {
    "mcts(simulations=5)": "connect_four",
    "ismcts(simulations=20)": "kuhn_poker",
    "ismcts(simulations=20,sample=true)": "kuhn_poker",
    "ismcts(simulations=100,sample=true,reproducible=true)": "leduc_poker",
    "uniform_random": "goofspiel",
    "fixed_action_preference(actions=4:0:8:1:2:3:5:6:7)": "tic_tac_toe",
    "uniform_restricted_actions": "universal_poker",
    "uniform_restricted_actions(policy_name=HalfCallHalfRaise)": "leduc_poker",
    "openspiel(name=uniform_random)": "python_tic_tac_toe",
    "openspiel(name=fixed_action_preference(actions=6:5:4:3:2:1:0))": "connect_four",
    "openspiel(name=uniform_restricted_actions(policy_name=AlwaysFold))": "universal_poker",
    "minimax(depth=2)": "breakthrough(rows=4,columns=4)",
    "simple_gin_rummy": "gin_rummy",
    "roshambo(name=iocainebot)": RPS.format(20),
    "cfr(iterations=5)": "kuhn_poker",
    "cfr_plus(iterations=5)": "python_kuhn_poker",
    "mccfr(iterations=50)": "leduc_poker",
    "mccfr(iterations=50,sampling=outcome)": "liars_dice",
}

UNREPEATABLE = ("ismcts(simulations=20)", "ismcts(simulations=20,sample=true)")
"""OpenSpiel's C++ IS-MCTS draws in the order of hash tables."""


@pytest.mark.parametrize("spec", FITTING)
def test_each_plays_a_match_that_can_be_repeated(spec):
    game = FITTING[spec]
    for seats in ([spec, "random"], ["random", spec]):
        first, again = (play_match(game, seats, 5) for _ in range(2))
        assert first.forfeit is None and again.forfeit is None
        assert first.actions() == again.actions() or spec in UNREPEATABLE


@pytest.mark.parametrize("spec", FITTING)
def test_each_plays_in_both_of_openspiels_loops(spec):
    game = load_game(FITTING[spec])
    bots = [make_bot(spec, game, 0, 3), make_bot("random", game, 1, 4)]
    for _ in range(2):  # twice with the same bots: they can be restarted
        assert len(pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)) == 2
        if game.get_type().dynamics != pyspiel.GameType.Dynamics.SIMULTANEOUS:
            evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(1))


def test_none_is_forgotten():
    # Tested with the other programs of other people, and with the method whose prior they search with.
    made_elsewhere = {"bluechip", "llm_mcts", "llm_ismcts"}
    ours = {name for name, entry in registry.bots().items() if (entry.source or "").startswith("OpenSpiel")}
    assert ours - made_elsewhere == {spec.partition("(")[0] for spec in FITTING}
    registered = {
        spec[len("openspiel(name=") :].rstrip(")").partition("(")[0]
        for spec in FITTING
        if spec.startswith("openspiel(")
    }
    assert registered == set(openspiel_bots.own_registered_bots())


@pytest.mark.parametrize(
    "spec, game, part",
    [
        ("openspiel(name=uniform_rnadom)", "tic_tac_toe", "did you mean uniform_random"),
        ("openspiel(name=uniform_restricted_actions)", "tic_tac_toe", "cannot play tic_tac_toe"),
        ("uniform_restricted_actions", "backgammon", "cannot play backgammon"),
        ("uniform_restricted_actions(policy_name=HalfCallHalfRaise)", "kuhn_poker", "cannot be made with"),
        ("uniform_restricted_actions(policy_name=AlwaysWin)", "universal_poker", "cannot be made with"),
        ("fixed_action_preference(actions=4:9)", "tic_tac_toe", "numbers from 0 to 8"),
        ("fixed_action_preference(actions=a)", "tic_tac_toe", "numbers from 0 to 8"),
        ("ismcts", "goofspiel", "at once; choose smcts"),
        ("ismcts", "phantom_ttt", "does not resample"),
        ("ismcts", "python_kuhn_poker", "does not resample"),
        ("ismcts(simulations=1)", "kuhn_poker", "'simulations': expected at least 2"),
        ("ismcts", "tic_tac_toe", "has none; choose mcts"),
        ("ismcts", "hearts", "does not resample"),
        ("mcts", "hearts", "does not resample"),
        ("minimax", "kuhn_poker", "and kuhn_poker is none"),
        ("minimax", "goofspiel", "is none"),
        ("minimax(depth=0)", "tic_tac_toe", "'depth': expected at least 1"),
        ("simple_gin_rummy", "tic_tac_toe", "found tic_tac_toe;"),
        ("simple_gin_rummy", "gin_rummy(num_ranks=8,hand_size=7)", "with 52 cards"),
        ("roshambo(name=greenburg)", RPS.format(9), "did you mean greenberg"),
        ("roshambo(name=greenberg)", "matrix_rps", "found matrix_rps"),
        (
            "roshambo(name=greenberg)",
            "repeated_game(stage_game=matrix_pd(),num_repetitions=9)",
            "found repeated",
        ),
        ("cfr", "connect_four", "more than 500,000 histories"),
        ("cfr", "goofspiel", "more than 500,000 histories"),
        ("cfr_plus", "backgammon", "is none"),
        ("cfr(iterations=-1)", "kuhn_poker", "'iterations': expected 0 to"),
        ("mccfr(sampling=robust)", "kuhn_poker", "expected external or outcome"),
        ("mccfr(training_seed=-1)", "kuhn_poker", "'training_seed': expected 0 to"),
    ],
)
def test_what_does_not_fit_is_refused_in_one_sentence(spec, game, part, capfd):
    with pytest.raises(ValueError) as caught:
        make_bot(spec, load_game(game), 0, 0)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""


def test_all_roshambo_programs_play_short_matches_and_their_own_kind():
    # greenberg writes past its buffers, and ends the process, where they are made for fewer throws.
    for name in pyspiel.roshambo_bot_names():
        spec = f"roshambo(name={name})"
        first, again = (play_match(RPS.format(30), [spec, spec], 1) for _ in range(2))
        assert first.forfeit is None and first.actions() == again.actions()


def test_a_famous_program_beats_a_simple_one():
    """rockbot always plays rock, so whoever learns anything wins nearly all of 1,000 throws."""
    record = play_match(RPS.format(1000), ["roshambo(name=iocainebot)", "roshambo(name=rockbot)"], 2)
    assert record.returns[0] > 900


def test_minimax_is_right_where_the_answer_is_known():
    """Tic-tac-toe is a draw; who starts Nim with (1, 3, 5, 7), a zero position in misere play, loses."""
    assert play_match("tic_tac_toe", ["minimax(depth=9)"] * 2, 0, opening_plies=0).returns == (0, 0)
    nim = load_game("nim(pile_sizes=1;3;4)")
    bot = make_bot("minimax(depth=8)", nim, 0, 0)
    state = nim.new_initial_state()
    bot.step(state)
    assert bot.notes() == {"value": 1.0}  # 1 xor 3 xor 4 is not 0, and a pile is larger than 1: a win


def test_expectiminimax_counts_chance():
    """Pig at 5 of 6 points: holding wins at once, so the value of the move is 1."""
    game = load_game("pig(winscore=6,diceoutcomes=6)")
    state = game.new_initial_state()
    state.apply_action(0)  # roll
    state.apply_action(5)  # a six
    bot = make_bot("minimax(depth=2)", game, 0, 0)
    assert state.action_to_string(state.current_player(), bot.step(state)) == "stop"
    assert bot.notes() == {"value": 1.0}


@pytest.mark.parametrize("game_string, uniform", [("kuhn_poker", 11 / 24), ("leduc_poker", 2.3736)])
def test_solver_bots_say_a_policy_that_becomes_less_exploitable(game_string, uniform):
    """Checked by OpenSpiel's Python best response. The uniform policy's figures are well known."""
    game = load_game(game_string)
    figures = [
        exploitability.exploitability(game, policy_from_bot(spec, game))
        for spec in ("cfr(iterations=0)", "cfr_plus(iterations=30)")
    ]
    assert figures[0] == pytest.approx(uniform, abs=1e-4)
    assert figures[1] < uniform / 10


def test_registered_bots_give_their_policies():
    game = load_game("kuhn_poker")
    assert exploitability.exploitability(game, policy_from_bot("uniform_random", game)) == pytest.approx(
        11 / 24
    )
    bets = policy_from_bot("fixed_action_preference(actions=1)", game)
    assert (bets.action_probability_array[:, 1] == 1).all()


def test_solver_bots_play_what_they_say():
    game = load_game("kuhn_poker")
    state = game.new_initial_state()
    for action in (2, 0):  # the king for the first player
        state.apply_action(action)
    [(_, passes), (_, bets)] = make_bot("cfr(iterations=20)", game, 0, 0).get_policy(state)
    bot = make_bot("cfr(iterations=20)", game, 0, 0)
    drawn = sum(bot.step(state) for _ in range(2000))
    # Within five standard deviations: wrong once in a million seeds.
    assert abs(drawn - 2000 * bets) < 5 * np.sqrt(2000 * bets * passes) + 1e-9
    assert 0 < drawn < 2000


def test_a_policy_is_computed_once_and_does_not_depend_on_the_match():
    game = load_game("kuhn_poker")
    solver_bots._solved.cache_clear()
    policies = set()
    state = game.new_initial_state()
    for action in (0, 1):
        state.apply_action(action)
    for seed in range(5):
        bot = make_bot("mccfr(iterations=50,training_seed=3)", load_game("kuhn_poker"), 0, seed)
        policies.add(tuple(bot.get_policy(state)))
    assert len(policies) == 1
    assert solver_bots._solved.cache_info().misses == 1
    assert tuple(make_bot("mccfr(iterations=50,training_seed=4)", game, 0, 0).get_policy(state)) not in policies


def test_ties_of_an_information_set_search_are_broken_as_asked():
    """After two simulations a single action has a visit; with one more than there are actions all have one."""
    game = pyspiel.load_game("leduc_poker")
    state = game.new_initial_state()
    for action in (0, 2):
        state.apply_action(action)
    actions = state.legal_actions()
    simulations = len(actions) + 1

    def played(ties):
        return {
            make_bot(f"ismcts(simulations={simulations},reproducible=true,ties={ties})", game, 0, seed).step(
                state
            )
            for seed in range(40)
        }

    assert played("random") == set(actions) and played("lowest") < set(actions)
    with pytest.raises(ValueError, match="expected lowest or random, found 'first'"):
        make_bot("ismcts(ties=first)", game, 0, 0)
