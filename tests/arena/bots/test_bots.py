from __future__ import annotations

import numpy as np
import pyspiel
import pytest

from arena.registry.bots import make_bot
from arena.registry.games import is_cpp_game, load_game


def _after(game_string, actions):
    state = load_game(game_string).new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def test_random_is_uniform_and_seeded():
    game = load_game("tic_tac_toe")
    state = _after("tic_tac_toe", [0, 4])
    draws = [make_bot("random", game, 0, seed).step(state) for seed in range(1400)]
    again = [make_bot("random", game, 0, seed).step(state) for seed in range(1400)]
    assert draws == again
    counts = np.bincount(draws, minlength=9)
    assert counts[0] == counts[4] == 0
    # Pearson's statistic against 200 each, with 6 degrees of freedom: above 22.46 once in 1000.
    assert ((counts[counts > 0] - 200) ** 2 / 200).sum() < 22.46
    assert len(state.legal_actions()) == (counts > 0).sum()


def test_random_policy_is_what_it_plays():
    state = _after("tic_tac_toe", [0, 4])
    bot = make_bot("random", load_game("tic_tac_toe"), 0, 0)
    assert bot.provides_policy()
    assert dict(bot.get_policy(state)) == {a: 1 / 7 for a in state.legal_actions()}


@pytest.mark.parametrize("game_string", ["tic_tac_toe", "python_tic_tac_toe"])
@pytest.mark.parametrize(
    "moves, best",
    [
        ([0, 3, 1, 4], 2),  # completes the first row
        ([0, 4, 8, 1], 7),  # stops the middle column
    ],
)
def test_mcts_finds_forced_moves(game_string, moves, best):
    bot = make_bot("mcts(simulations=500)", load_game(game_string), 0, 5)
    assert bot.step(_after(game_string, moves)) == best


def test_mcts_is_openspiels_bot_with_the_same_seed():
    game = load_game("connect_four")
    ours = make_bot("mcts(simulations=60,rollouts=2,uct_c=1.5,solve=false)", game, 0, 9)
    theirs = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(2, 9), 1.5, 60, 1000, False, 9, False)
    state = game.new_initial_state()
    while not state.is_terminal():
        action = theirs.step(state)
        assert ours.step(state) == action
        assert ours.notes()["simulations"] == 60
        state.apply_action(action)


def test_mcts_stops_at_a_proven_root_only_when_it_may_solve():
    game, state = load_game("tic_tac_toe"), _after("tic_tac_toe", [0, 3, 1, 4])
    simulations = {}
    for solve in ("true", "false"):
        bot = make_bot(f"mcts(simulations=400,solve={solve})", game, 0, 1)
        bot.step(state)
        simulations[solve] = bot.notes()["simulations"]
    assert simulations["false"] == 400
    assert simulations["true"] < 400


@pytest.mark.parametrize(
    "game_string, cpp",
    [
        ("connect_four", True),
        ("misere(game=tic_tac_toe())", True),
        ("python_tic_tac_toe", False),
        ("misere(game=python_tic_tac_toe())", False),
        ("misere(game=misere(game=python_tic_tac_toe()))", False),
    ],
)
def test_python_games_are_recognised_inside_others(game_string, cpp):
    assert is_cpp_game(load_game(game_string)) is cpp


@pytest.mark.parametrize("game_string", ["connect_four", "python_tic_tac_toe", "pig"])
@pytest.mark.parametrize(
    "first, second", [("mcts(simulations=5)", "random"), ("random", "mcts(simulations=5)")]
)
def test_bots_play_in_both_of_openspiels_loops(game_string, first, second):
    from open_spiel.python.algorithms.evaluate_bots import evaluate_bots

    game = load_game(game_string)
    bots = [make_bot(spec, game, seat, 3) for seat, spec in enumerate((first, second))]
    assert sum(pyspiel.evaluate_bots(game.new_initial_state(), bots, 1)) == 0
    assert sum(evaluate_bots(game.new_initial_state(), bots, np.random.RandomState(1))) == 0


@pytest.mark.parametrize(
    "game_string, part",
    [
        ("goofspiel", "at once; choose smcts"),
        ("2048", "rewards come at the end"),
        ("phantom_ttt", "hides information"),
    ],
)
def test_mcts_refuses_games_it_cannot_or_must_not_play(game_string, part):
    with pytest.raises(ValueError, match=part):
        make_bot("mcts", load_game(game_string), 0, 0)


def test_mcts_peeks_only_when_asked_to():
    game = load_game("kuhn_poker")
    bot = make_bot("mcts(simulations=200,peek=true)", game, 1, 0)
    state = _after("kuhn_poker", [0, 1, 1])  # the opponent bets with the jack against the queen
    assert bot.step(state) == 1  # a search that sees the jack always calls


@pytest.mark.parametrize("simulations", [5, 50])
def test_mcts_does_not_peek_unless_asked_to(simulations):
    """Jack or king in the opponent's hand, the same bet seen: the move must be the same."""
    game = load_game("kuhn_poker")
    for seed in range(20):
        moves = {
            make_bot(f"mcts(simulations={simulations})", game, 1, seed).step(
                _after("kuhn_poker", [hidden, 1, 1])
            )
            for hidden in (0, 2)
        }
        assert len(moves) == 1


@pytest.mark.parametrize("parameter", ["simulations=1", "rollouts=0", "uct_c=-0.1"])
def test_mcts_refuses_values_out_of_range(parameter):
    with pytest.raises(ValueError, match=parameter.partition("=")[0]):
        make_bot(f"mcts({parameter})", load_game("tic_tac_toe"), 0, 0)


def test_unloadable_games_give_one_sentence_and_no_noise(capfd):
    for text, part in [
        ("conect_four", "did you mean connect_four"),
        ("connect_four(rows=x)", "cannot be loaded"),
        ("connect_four(rows=5", "cannot be loaded"),
        ("tic_tac_toe(foo=1)", "'tic_tac_toe' has no parameter 'foo'"),
        ("connect_four(rowz=5)", "no parameter 'rowz'; did you mean rows"),
        ("misere", "it needs parameters, see python -m arena.list games"),
        ("nfg_game", "cannot be loaded: IndexError"),
        ("crossword", "cannot be played: LegalActions unimplemented"),
    ]:
        with pytest.raises(ValueError) as caught:
            load_game(text)
        assert part in str(caught.value)
        assert "\n" not in str(caught.value)
    assert capfd.readouterr().err == ""
