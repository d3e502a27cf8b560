"""A world model as an OpenSpiel game, in OpenSpiel's own tools, against OpenSpiel's own game."""

from __future__ import annotations

import json
import pickle

import numpy as np
import pyspiel
import pytest
from open_spiel.python.algorithms import mcts, minimax

from cwm.contract import manifest, model_folders
from cwm.trust import checks, trajectories
from games.seeing import views


def load(folder, trusted=False):
    return pyspiel.load_game(f"cwm(model={folder},trusted={str(trusted).lower()})")


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize(
    "name, properties",
    [
        ("tic_tac_toe", {}),
        ("connect_four", {}),
        ("pig", {"players": 3, "chance": True, "zero_sum": False}),
        ("three_heaps", {"players": 3, "zero_sum": False, "terminal_rewards": False}),
    ],
)
def test_random_sim_test(folder_of, name, properties, trusted):
    pyspiel.random_sim_test(load(folder_of(name, **properties), trusted), 3, True, False)


def test_the_type_is_the_models_own(folder_of):
    game = load(folder_of("pig", players=3, chance=True, zero_sum=False))
    kind = game.get_type()
    assert kind.chance_mode == pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC
    assert kind.utility == pyspiel.GameType.Utility.GENERAL_SUM and game.num_players() == 3
    two = load(folder_of("tic_tac_toe"))
    assert two.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM and two.utility_sum() == 0


def test_the_bounds_are_the_models_own(folder_of, leduc):
    two = load(folder_of("tic_tac_toe"))
    assert (two.num_distinct_actions(), two.max_game_length()) == (9, 9)
    assert (two.min_utility(), two.max_utility(), two.max_chance_outcomes()) == (-1, 1, 0)
    assert two.get_type().chance_mode == pyspiel.GameType.ChanceMode.DETERMINISTIC
    pig = load(folder_of("pig", players=3, chance=True, zero_sum=False))
    assert pig.max_chance_outcomes() == 6
    assert pig.get_type().max_num_players == pig.get_type().min_num_players == 3
    hidden, real = load(leduc), pyspiel.load_game("leduc_poker")
    assert (hidden.min_utility(), hidden.max_utility(), hidden.num_distinct_actions()) == (
        real.min_utility(),
        real.max_utility(),
        real.num_distinct_actions(),
    )
    assert hidden.get_type().provides_information_state_tensor
    assert not two.get_type().provides_information_state_tensor


def test_it_plays_like_the_real_game(folder_of):
    model, real = load(folder_of("connect_four")), pyspiel.load_game("connect_four")
    rng = np.random.default_rng(0)
    for _ in range(5):
        ours, theirs = model.new_initial_state(), real.new_initial_state()
        while not theirs.is_terminal():
            assert not ours.is_terminal() and ours.current_player() == theirs.current_player()
            names = views.actions_by_name(theirs)
            assert views.actions_by_name(ours).keys() == names.keys()
            assert ours.observation(0) == views.view(theirs, 0).data
            name = str(rng.choice(list(names)))
            ours.apply_action(views.action_from_name(ours, name))
            theirs.apply_action(names[name])
        assert ours.is_terminal() and ours.returns() == theirs.returns()


def test_states_clone_pickle_and_stay_apart(folder_of):
    state = load(folder_of("tic_tac_toe")).new_initial_state()
    state.apply_action(4)
    clone = state.clone()
    clone.apply_action(0)
    again = pickle.loads(pickle.dumps(clone))
    assert state.history() == [4] and again.history() == [4, 0] and str(again) == str(clone)
    again.apply_action(1)
    assert str(again) != str(clone)


def test_openspiels_own_search_plays_on_it(folder_of):
    """x to move completes the row: both the Python bot and a solver must see it."""
    game = load(folder_of("tic_tac_toe"), trusted=True)
    state = game.new_initial_state()
    for action in (0, 3, 1, 4):
        state.apply_action(action)
    bot = mcts.MCTSBot(
        game,
        2.0,
        200,
        mcts.RandomRolloutEvaluator(1, np.random.RandomState(0)),
        random_state=np.random.RandomState(0),
    )
    assert bot.step(state) == 2
    assert minimax.alpha_beta_search(game, state=state, maximizing_player_id=0) == (1.0, 2)


def test_uniform_play_is_worth_the_same_as_in_the_real_game(folder_of):
    """An exact check of a whole subtree: after four moves of tic-tac-toe."""
    ours = load(folder_of("tic_tac_toe"), trusted=True)
    real = pyspiel.load_game("tic_tac_toe")
    prefix = (0, 1, 4, 8)
    values = []
    for game in (ours, real):
        state = game.new_initial_state()
        for action in prefix:
            state.apply_action(action)
        values.append(uniform_value(state))
    assert values[0] == pytest.approx(values[1])


def uniform_value(state):
    """Expected return of player 0 under uniform play, by walking the whole tree."""
    if state.is_terminal():
        return state.returns()[0]
    actions = state.legal_actions()
    return sum(uniform_value(state.child(action)) for action in actions) / len(actions)


def test_forgotten_states_are_forgotten_in_the_worker(folder_of):
    game = load(folder_of("tic_tac_toe"))
    for _ in range(50):
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(state.legal_actions()[0])
    assert game.served_states() < 30


@pytest.mark.parametrize(
    "text, expected",
    [("cwm", "the parameter model is missing"), ("cwm(model=nowhere/at/all)", "no such folder")],
)
def test_bad_models_are_one_sentence(text, expected):
    with pytest.raises((ValueError, pyspiel.SpielError), match=expected):
        pyspiel.load_game(text)


def test_a_damaged_manifest_is_one_sentence(folder_of):
    folder = folder_of("tic_tac_toe")
    with open(folder + "/manifest.json", "w") as file:
        file.write("{")
    with pytest.raises(manifest.ManifestError, match="cannot be read"):
        manifest.load(folder)


def test_a_folder_of_models_is_all_that_survive(folder_of, tmp_path):
    folder_of("tic_tac_toe")
    folder_of("connect_four")
    bad = json.loads((tmp_path / "connect_four" / "manifest.json").read_text())
    bad["rungs"][1]["status"] = "failed"
    (tmp_path / "connect_four" / "manifest.json").write_text(json.dumps(bad))
    assert model_folders.candidates(str(tmp_path)) == [str(tmp_path / "tic_tac_toe")]


def test_a_model_is_exact_about_itself(folder_of):
    """A user's own game has no other ground truth; every tool must agree that the model equals it."""
    folder = folder_of("three_heaps", players=3, zero_sum=False, terminal_rewards=False)
    game = load(folder)
    games = list(trajectories.collect(game, 5, 0))
    assert games[0].steps[0].observations[0] == {"heaps": [3, 4, 2], "points": [0, 0, 0]}
    assert checks.run(manifest.load(folder).source, games).perfect


HIDDEN = {"chance": True, "perfect_information": False}


@pytest.fixture
def leduc(folder_of, source_of):
    from tests.cwm.trust.test_inference import INFERENCE

    folder = folder_of("leduc", **HIDDEN)
    with open(folder + "/model.py", "a") as file:
        file.write(INFERENCE)
    return folder


def test_a_hidden_game_passes_openspiels_own_tests(leduc):
    game = load(leduc)
    assert game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    pyspiel.random_sim_test(game, 3, True, False)


def test_a_resampled_state_looks_the_same_to_its_player_and_not_always_to_the_other(leduc):
    game, rng = load(leduc), np.random.default_rng(0)
    differing = 0
    for _ in range(30):
        state = game.new_initial_state()
        while state.is_chance_node() or rng.random() < 0.5:
            actions = state.legal_actions()
            if state.is_terminal():
                break
            state.apply_action(int(rng.choice(actions)))
        if state.is_terminal():
            continue
        player = state.current_player()
        other = state.resample_from_infostate(player, rng.random)
        assert other.information_state_string(player) == state.information_state_string(player)
        assert other.observation(player) == state.observation(player)
        assert other.legal_actions() == state.legal_actions()
        differing += other.observation(1 - player) != state.observation(1 - player)
    assert differing > 5


def test_uniform_policy_and_cfr_agree_with_the_ground_truth(leduc):
    """Exploitability of the uniform policy is OpenSpiel's published value; a few iterations of CFR inside
    the model give what they give in the real game."""
    from open_spiel.python import policy
    from open_spiel.python.algorithms import cfr, exploitability

    model, real = load(leduc, trusted=True), pyspiel.load_game("leduc_poker")
    uniform = exploitability.nash_conv(model, policy.UniformRandomPolicy(model))
    assert uniform == pytest.approx(4.7472222222, abs=1e-9)  # OpenSpiel's exploitability_test.py
    values = []
    for game in (model, real):
        solver = cfr.CFRSolver(game)
        for _ in range(2):
            solver.evaluate_and_update_policy()
        values.append(exploitability.nash_conv(game, solver.average_policy()))
    assert values[0] == pytest.approx(values[1], abs=1e-9)


def test_openspiels_python_ismcts_plays_on_the_model(leduc):
    from open_spiel.python.algorithms import ismcts

    game, rng = load(leduc), np.random.RandomState(0)
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1, rng), 2.0, 20, random_state=rng)
    bot.set_resampler(lambda state, player: state.resample_from_infostate(player, rng.uniform))
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(state.legal_actions()[0])
        else:
            state.apply_action(bot.step(state))
    assert sum(state.returns()) == 0


def dealt(game, *actions):
    state = game.new_initial_state()
    for action in actions:
        state.apply_action(action)
    return state


def test_algorithms_in_cpp_are_given_information_states_not_observations(leduc):
    """The cached tree asks through the observer of perfect recall."""
    tree = pyspiel.load_game_as_cached_tree("cwm", {"model": leduc})
    for actions in ((), (3,), (3, 1), (3, 1, 2, 1), (3, 1, 2, 1, 0)):
        for player in range(2):
            assert dealt(tree, *actions).information_state_string(player) == dealt(
                load(leduc), *actions
            ).information_state_string(player)


def test_a_model_without_information_states_gets_them_from_the_history(leduc):
    source = open(leduc + "/model.py").read()
    with open(leduc + "/model.py", "w") as file:
        file.write(source.replace("def information_state(", "def no_information_state("))
    game = load(leduc)
    seen = {}
    for deal in ((0, 2), (0, 4), (2, 0), (1, 2)):
        for bets in ((), (2,), (1, 2), (1, 1, 5), (1, 1, 4)):
            for player in range(2):
                text = dealt(game, *deal, *bets).information_state_string(player)
                # What Leduc's player knows: the own card, the bets and the public card.
                assert seen.setdefault(text, (player, deal[player], bets)) == (player, deal[player], bets)
    assert len(seen) == 5 * (3 + 3)
    raised, called = dealt(game, 0, 2, 2), dealt(game, 0, 2, 1)
    assert raised.information_state_string(0) != called.information_state_string(0)


def test_information_state_tensors_tell_apart_what_strings_do_and_nothing_more(leduc):
    game, rng = load(leduc), np.random.default_rng(0)
    size = game.information_state_tensor_size()
    texts, tensors = {}, {}
    for _ in range(150):
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.current_player() >= 0:
                for player in range(2):
                    tensor = tuple(state.information_state_tensor(player))
                    text = state.information_state_string(player)
                    assert len(tensor) == size
                    assert texts.setdefault(text, tensor) == tensor
                    assert tensors.setdefault(tensor, text) == text
            state.apply_action(int(rng.choice(state.legal_actions())))
    assert len(texts) > 100
