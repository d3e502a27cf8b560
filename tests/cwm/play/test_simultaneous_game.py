"""World models of games in which players choose at once, as games of OpenSpiel and as what a bot searches."""

from __future__ import annotations

import pickle
import statistics

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import exploitability
from open_spiel.python.policy import UniformRandomPolicy

from arena.bots.simultaneous.search import Search
from arena.matches.match import play_match
from arena.registry.bots import make_bot
from arena.registry.games import load_game
from cwm.contract import manifest
from cwm.trust import held_out, moves, online_accuracy
from cwm.worker import speed
from cwm.worker.simulator import Simulator
from tests.cwm import leaving_game  # noqa: F401  (registers a game)

TRUTH = {
    "matrix_rps": "matrix_rps",
    "oshi_zumo": "oshi_zumo(coins=6)",
    "goofspiel": "goofspiel(imp_info=True,num_cards=4)",
    "leaving": "test_leaving",
}
OPTIONS = {"simulations": 300, "rollouts": 1, "uct_c": 2.0, "exploration": 0.5}


@pytest.fixture
def wrapped(at_once_folder):
    return lambda name, **options: load_game(
        "cwm("
        + ",".join(f"{key}={value}" for key, value in {"model": at_once_folder(name), **options}.items())
        + ")"
    )


@pytest.mark.parametrize("name", TRUTH)
def test_the_game_passes_openspiels_own_test(wrapped, name):
    game = wrapped(name)
    assert game.get_type().dynamics == pyspiel.GameType.Dynamics.SIMULTANEOUS
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)
    pyspiel.random_sim_test(pyspiel.convert_to_turn_based(game), num_sims=5, serialize=False, verbose=False)


@pytest.mark.parametrize("name", TRUTH)
def test_both_games_go_side_by_side(wrapped, name):
    rng = np.random.default_rng(3)
    for _ in range(5):
        state, true = wrapped(name).new_initial_state(), load_game(TRUTH[name]).new_initial_state()
        while not true.is_terminal():
            assert state.current_player() == true.current_player()
            if true.is_simultaneous_node():
                assert moves.legal_names(state) == moves.legal_names(true)
            options = list(moves.every(true))
            made = moves.name_of(true, options[rng.integers(len(options))])
            for one in (state, true):
                moves.apply(one, moves.from_name(one, made))
            assert state.returns() == true.returns() and state.history() == true.history()
            for player in range(true.num_players()):
                assert state.observation(player) == {"observation": true.observation_string(player)}
        assert state.is_terminal()


def test_a_state_can_be_copied_and_pickled(wrapped):
    state = wrapped("oshi_zumo").new_initial_state()
    state.apply_actions([2, 3])
    for copy in (state.clone(), pickle.loads(pickle.dumps(state))):
        assert copy.history() == [2, 3] and copy.legal_actions(0) == [0, 1, 2, 3, 4]
        copy.apply_actions([3, 3])
        assert state.legal_actions(1) == [0, 1, 2, 3] and copy.legal_actions(1) == [0]


def test_in_turn_the_model_is_worth_what_the_game_is_worth(wrapped):
    """The same numbers from OpenSpiel's own game: best responses to uniform play, and information states."""
    found = []
    for game in (wrapped("goofspiel", trusted="true"), load_game(TRUTH["goofspiel"])):
        turned = pyspiel.convert_to_turn_based(game)
        result = exploitability.nash_conv(turned, UniformRandomPolicy(turned), return_only_nash_conv=False)
        found.append([float(gain) for gain in result.player_improvements])
    assert found[0] == pytest.approx(found[1]) and min(found[0]) > 0.1


def test_the_equilibrium_of_the_model_is_that_of_the_matrix(wrapped):
    """Rock, paper, scissors: a third each, of value 0 (a known equilibrium), found in the model by regret matching."""
    game = wrapped("matrix_rps")
    bot = make_bot("smcts(simulations=5000)", game, 0, 1)
    assert list(bot.policy(game.new_initial_state()).values()) == pytest.approx([1 / 3] * 3, abs=0.04)
    turned = load_game(f"turn_based_simultaneous_game(game={game})")
    result = exploitability.nash_conv(turned, UniformRandomPolicy(turned))
    assert result == pytest.approx(0, abs=1e-9)


def test_what_is_hidden_is_drawn_by_the_model(wrapped):
    state = wrapped("goofspiel").new_initial_state()
    state.apply_action(2)
    state.apply_actions([3, 1])
    state.apply_action(0)
    assert [pair[1] for pair in state.seen_history(0)] == [None, "[P0]Bid: 4", None, None]
    rng = np.random.default_rng(0)
    drawn = [state.resample_from_infostate(0, rng.random).history() for _ in range(300)]
    assert {tuple(history[:2]) for history in drawn} == {(2, 3)} and {history[3] for history in drawn} == {0}
    counts = [sum(history[2] == bid for history in drawn) for bid in range(4)]
    assert counts[3] == 0 and all(70 < count < 130 for count in counts[:3])  # a lower bid than 4, any alike
    one, other = (state.resample_from_infostate(0, rng.random) for _ in range(2))
    assert one.information_state_string(0) == other.information_state_string(0)


@pytest.mark.parametrize("rule", ["uct", "regret_matching"])
def test_the_search_in_the_worker_is_the_search_on_the_game(at_once_folder, rule):
    model = manifest.load(at_once_folder("oshi_zumo"))
    game = load_game(TRUTH["oshi_zumo"])
    state = game.new_initial_state()
    state.apply_actions([2, 1])
    with Simulator(model.source) as simulator:
        for player in range(2):
            names = ['["[P0]Bid: 2", "[P1]Bid: 1"]']
            options = {**OPTIONS, "rule": rule, "seed": 7 + player}
            found = simulator.search_at_once(names, player, options)
            policy = Search(7 + player, rule=rule, **OPTIONS).policy(state, player)
            assert [chance for _, chance in found["policy"]] == list(policy.values())
            assert [name for name, _ in found["policy"]] == [
                state.action_to_string(player, action) for action in policy
            ]


def test_the_bot_plays_by_names_and_beats_random_play(at_once_folder):
    spec = f"cwm_smcts(model={at_once_folder('oshi_zumo')},simulations=100,interpreter=cpython)"
    records = [play_match(TRUTH["oshi_zumo"], [spec, "random"], seed) for seed in range(60)]
    assert all(record.forfeit is None for record in records)
    returns = [record.returns[0] for record in records]
    assert statistics.mean(returns) > 1.96 * statistics.stdev(returns) / len(returns) ** 0.5
    move = next(move for move in records[0].moves if move.player == 0)
    assert move.notes["simulations"] == 100 and sum(move.notes["policy"].values()) == pytest.approx(1, abs=0.01)
    figures = online_accuracy.audit(records)
    assert figures["online_transition_accuracy"] == 1.0
    assert figures["online_transitions"] == sum(len(record.moves) for record in records) / 2


def test_the_bot_plays_where_some_do_not_choose_and_one_chooses_alone(at_once_folder):
    """Who is left in the room after two rounds and chooses first takes 5, more than any round of leaving pays."""
    spec = f"cwm_smcts(model={at_once_folder('leaving')},simulations=500,interpreter=cpython)"
    records = [play_match("test_leaving", [spec, "random", "random"], seed) for seed in range(20)]
    assert all(record.forfeit is None for record in records)
    assert statistics.mean(record.returns[0] for record in records) > 4
    assert online_accuracy.audit(records)["online_transition_accuracy"] == 1.0


def test_a_model_that_does_not_know_a_move_forfeits(at_once_folder, tmp_path):
    folder = at_once_folder("oshi_zumo")
    path = tmp_path / "oshi_zumo" / "model.py"
    path.write_text(path.read_text().replace("range(state[player] + 1)", "range(min(3, state[player] + 1))"))
    game = load_game(TRUTH["oshi_zumo"])
    bot = make_bot(f"cwm_smcts(model={folder},simulations=2,interpreter=cpython)", game, 0, 0)
    state = game.new_initial_state()
    state.apply_actions([6, 6])
    with pytest.raises(Exception, match=r"does not know the move \[.*Bid: 6.* number 1"):
        bot.step(state)


@pytest.mark.parametrize("inference", ["history", "state"])
def test_the_search_of_what_is_hidden_plays_choices_made_at_once(at_once_folder, inference):
    spec = f"cwm_ismcts(model={at_once_folder('goofspiel')},simulations=200,uct_c=0.5,inference={inference},interpreter=cpython)"
    records = [
        play_match(TRUTH["goofspiel"], ["random", spec] if seed % 2 else [spec, "random"], seed)
        for seed in range(60)
    ]
    assert all(record.forfeit is None for record in records)
    returns = [record.returns[record.seed % 2] for record in records]
    assert statistics.mean(returns) > 1.96 * statistics.stdev(returns) / len(returns) ** 0.5
    figures = online_accuracy.audit(records)
    assert figures["online_transition_accuracy"] == figures["online_inference_accuracy"] == 1.0
    assert figures["online_inferences"] == 3 * len(records)


@pytest.mark.parametrize("player", [0, 1])
def test_the_search_of_what_is_hidden_finds_a_known_equilibrium(source_of, player):
    """Rock, paper, scissors, where decoupled UCT visits every action as often as the equilibrium plays it, a third; and
    without rock, where scissors dominate paper. (That it explores when the other one does keeps it from more.)"""
    inference = (
        "\n\ndef information_state(state, player):\n    return state\n"
        "\n\ndef resample_history(player, history, rand):\n    return []\n"
        "\n\ndef resample_state(player, history, rand):\n    return ()\n"
    )
    source = source_of("matrix_rps") + inference
    found = {}
    for name, text in {"fair": source, "no rock": source.replace("return [0, 1, 2]", "return [1, 2]")}.items():
        with Simulator(text) as simulator:
            history = [[{"observation": "Non-terminal"}, None]]
            options = {"simulations": 10_000, "seed": 3, "uct_c": 2.0}
            rows = simulator.search_seen(player, history, options)["actions"]
        total = sum(row["visits"] for row in rows)
        found[name] = {row["name"]: row["visits"] / total for row in rows}
    assert list(found["fair"].values()) == pytest.approx([1 / 3] * 3, abs=0.03)
    assert found["no rock"]["Scissors"] > 0.5


def test_the_search_of_what_is_hidden_is_the_same_on_all_interpreters(at_once_folder):
    game = load_game(TRUTH["goofspiel"])
    state = game.new_initial_state()
    state.apply_action(2)
    notes = []
    for interpreter in ("cpython", "pypy"):
        if interpreter not in speed.available_interpreters():
            pytest.skip(f"no {interpreter} here")
        spec = f"(model={at_once_folder('goofspiel')},simulations=200,interpreter={interpreter})"
        bot = make_bot(f"cwm_ismcts{spec}", game, 1, 4)
        notes.append((bot.step(state), bot.notes()["value"]))
    assert notes[0] == notes[1]


@pytest.mark.parametrize(
    "spec, game, said",
    [
        ("cwm_smcts", "tic_tac_toe", "in turn; choose cwm_mcts"),
        ("cwm_smcts", "goofspiel(imp_info=True,num_cards=4)", "hides a part"),
        (
            "cwm_smcts(rule=best)",
            "matrix_rps",
            "'cwm_smcts', parameter 'rule': expected uct or regret_matching",
        ),
        ("cwm_smcts(model=connect_four/0)", "matrix_rps", "expected one of matrix_rps"),
        ("cwm_mcts(model=connect_four/0)", "oshi_zumo(coins=6)", "cwm_smcts"),
    ],
)
def test_what_cannot_be_played_is_refused(spec, game, said):
    with pytest.raises(ValueError, match=said):
        make_bot(spec, load_game(game), 0, 0)


def test_a_model_learnt_in_one_form_is_tested_in_the_other(wrapped):
    """A model of choices made at once, turned into one played in turn, agrees with OpenSpiel's game so turned."""
    mine = pyspiel.convert_to_turn_based(wrapped("matrix_rps"))
    true = pyspiel.convert_to_turn_based(load_game("matrix_rps"))
    ends = [
        {tuple(path.actions): path.steps[-1].returns for path in held_out.every_transition(game)}
        for game in (mine, true)
    ]
    assert ends[0] == ends[1] and len(ends[0]) > 3
