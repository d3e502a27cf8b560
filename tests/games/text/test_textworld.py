"""Generated games: against TextWorld's own environment, which knows the rules and prints the texts."""

import importlib.util
import pickle
import random

import pyspiel
import pytest

from games.seeing import views
from games.text import textworld_make
from games.text.jericho_worker import tidy
from games.text.textworld_game import TextWorld, generated_world

needs_textworld = pytest.mark.skipif(
    importlib.util.find_spec("textworld") is None or importlib.util.find_spec("jericho") is None,
    reason="textworld and jericho are not installed; pip install 'spielwright[text]'",
)


@pytest.fixture(scope="module")
def cache(tmp_path_factory):
    """A folder for generated games; the one game is made once."""
    yield str(tmp_path_factory.mktemp("generated"))
    generated_world.cache_clear()


def load(cache, **parameters):
    return pyspiel.load_game(
        "textworld", {"kind": "simple", "level": 1, "seed": 7, "cache": cache, **parameters}
    )


@needs_textworld
def test_it_is_textworlds_game(cache):
    """Random play beside TextWorld's own environment: the same commands, texts, points and ends."""
    import textworld

    game = load(cache)
    theirs = textworld.start(
        game.engine._story,
        textworld.EnvInfos(
            admissible_commands=True, score=True, won=True, lost=True, inventory=True, description=True
        ),
    )
    for seed in range(3):
        rng = random.Random(seed)
        state, shown = game.new_initial_state(), theirs.reset()
        while not state.is_terminal() and state.moves < 15:
            changing = {
                name
                for name in shown["admissible_commands"]
                if not name.startswith(("examine", "look", "inventory"))
            }
            assert set(state.valid_actions()) == changing
            assert state.inventory() == tidy(shown["inventory"])
            assert state.look() == tidy(shown["description"])
            command = rng.choice(state.valid_actions())
            state.apply_action(views.action_from_name(state, command))
            shown, score, done = theirs.step(command)
            assert state.observation() == tidy(shown["feedback"])
            assert (state.score(), state.is_terminal()) == (score, done)
            assert state.failed() == bool(shown["lost"])


@needs_textworld
def test_the_walkthrough_wins(cache):
    game = load(cache)
    state = game.new_initial_state()
    for command in game.walkthrough():
        assert not state.is_terminal()
        state.apply_action(views.action_from_name(state, command))
    assert state.is_terminal() and not state.failed() and state.score() == game.max_utility()


@needs_textworld
def test_eating_what_was_to_be_cooked_fails(cache):
    game = load(cache)
    state = game.new_initial_state()
    for command in game.walkthrough():
        food = [name for name in state.valid_actions() if name == "eat apple"]
        state.apply_action(views.action_from_name(state, food[0] if food else command))
        if food:
            break
    assert state.is_terminal() and state.failed()


@needs_textworld
def test_the_game(cache):
    game = load(cache, max_moves=10)
    pyspiel.random_sim_test(game, num_sims=2, serialize=True, verbose=False)
    state = game.new_initial_state()
    state.apply_action(0)
    again = pickle.loads(pickle.dumps(state))
    assert again.world_key() == state.world_key() != game.new_initial_state().world_key()
    assert state.clone().snapshot is state.snapshot


@needs_textworld
def test_a_game_is_made_once(cache, monkeypatch):
    load(cache)
    monkeypatch.setattr(textworld_make, "__file__", "/nowhere")
    generated_world.cache_clear()
    load(cache)
    with pytest.raises((ValueError, pyspiel.SpielError), match="seed 8 cannot be made, choose others"):
        load(cache, seed=8)


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"kind": "chess"}, "kind must be one of simple, coin_collector, .*, got 'chess'"),
        ({"level": 0}, "level of simple must be from 1 to 3, got 0"),
        ({"kind": "treasure_hunter", "level": 31}, "level of treasure_hunter must be from 1 to 30, got 31"),
        ({"seed": -1}, "seed must be from 0 to 2147483647, got -1"),
    ],
)
def test_a_bad_parameter_is_one_sentence(parameters, message):
    with pytest.raises((ValueError, pyspiel.SpielError), match=message):
        load("", **parameters)


def test_without_textworld_there_is_the_command_to_install_it(tmp_path, monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"textworld is not installed; pip install 'spielwright\[text\]'"):
        TextWorld("simple", 1, 0, str(tmp_path))
