"""World models as games, by the rules that OpenSpiel has for all games, for one shipped model of each game."""

from __future__ import annotations

import functools
import re

import pyspiel
import pytest
from absl import flags
from open_spiel.python.algorithms import generate_playthrough

from cwm.contract.listing import shipped_models
from cwm.play import features
from tests.cwm.play import openspiel_rules

SHIPPED = sorted(name for name in (row["name"] for row in shipped_models()) if re.fullmatch(r"\w+/0", name))


def load(name):
    return pyspiel.load_game("cwm", {"model": name, "trusted": True})


@pytest.fixture(autouse=True)
def short_vocabulary(monkeypatch):
    """The columns of gin rummy's tensors take 500 games; which ones there are does not matter here."""
    monkeypatch.setattr(features, "found_codec", functools.partial(features.found_codec, games=5))


def test_a_model_of_every_game_is_there():
    names = [row["name"] for row in shipped_models() if not row["name"].startswith("documented/")]
    families = {name.split("/")[-2] for name in names} - {"optimized"}
    assert {name.removesuffix("/0") for name in SHIPPED} == families and "gin_rummy/0" in SHIPPED


@pytest.mark.parametrize("name", SHIPPED)
def test_a_shipped_model_keeps_the_rules(name):
    game = load(name)
    openspiel_rules.check(game)
    pyspiel.random_sim_test(game, 1, False, False)


@pytest.mark.parametrize("name", ["tic_tac_toe/0", "leduc_poker/0", "bargaining/0", "ferry/0"])
def test_a_playthrough_reads_the_same_when_played_again(name, tmp_path):
    if not flags.FLAGS.is_parsed():
        flags.FLAGS.mark_as_parsed()
    text = generate_playthrough.playthrough(f"cwm(model={name})", [], seed=0)
    (tmp_path / "playthrough.txt").write_text(text, encoding="utf-8")
    original, new = generate_playthrough.replay(str(tmp_path / "playthrough.txt"))
    assert original == new and text.count("\naction: ") > 3
    assert "PublicObservationString" not in text
    size = (
        load(name).get_type().provides_information_state_tensor and load(name).information_state_tensor_size()
    )
    assert (f"InformationStateTensorSize() = {size}\n" in text) == bool(size)


POINTS = """
NUM_PLAYERS, NUM_DISTINCT_ACTIONS, MAX_CHANCE_OUTCOMES, MAX_GAME_LENGTH = 2, 2, 2, 3
MIN_UTILITY, MAX_UTILITY = 0.0, 4.0

def initial_state():
    return ()

def current_player(state):
    return -4 if len(state) == 5 else (0, -1, 0, -1, 1)[len(state)]

def legal_actions(state):
    return [0, 1]

def chance_outcomes(state):
    return [(0, 0.5), (1, 0.5)]

def apply_action(state, action):
    return (*state, action)

def returns(state):
    return [float(sum(state[:4])), float(sum(state[4:]))]

def action_name(state, action):
    return "take" if action else "leave"

def observation(state, player):
    return {"so far": list(state)}
"""


def test_what_is_earned_before_and_at_a_chance_node_is_paid_after_it(folder_of):
    folder = folder_of("tic_tac_toe", chance=True, zero_sum=False, terminal_rewards=False)
    with open(folder + "/model.py", "w") as file:
        file.write(POINTS)
    game = load(folder)
    state = game.new_initial_state()
    for action in (1, 1):
        state.apply_action(action)
    assert state.rewards() == [2, 0] == state.returns()
    for action in (0, 1, 1):
        state.apply_action(action)
    assert state.rewards() == [0, 1] and state.returns() == [3, 1]
    pyspiel.random_sim_test(game, 5, True, False)
    openspiel_rules.check(game)


SETS = """
def information_state(state, player):
    return (player, frozenset(8 * action for action in state))

def resample_history(player, history, rand):
    return []

def resample_state(player, history, rand):
    return ()
"""


def test_information_states_that_hold_equal_sets_read_the_same(folder_of):
    """The order in which Python lists a set depends on how it was made: here on which of 0 and 8 came first."""
    folder = folder_of("tic_tac_toe", chance=True, perfect_information=False)
    with open(folder + "/model.py", "w") as file:
        file.write(POINTS + SETS)
    texts = set()
    for first in (0, 1):
        state = load(folder).new_initial_state()
        state.apply_action(first)
        state.apply_action(1 - first)
        texts.add(state.information_state_string())
    assert texts == {"0 (0, {0, 8})"}
