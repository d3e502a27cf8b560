"""The adventure: every map can be won, darkness kills, the lantern saves."""

import copy
import hashlib
import pickle
import random

import hypothesis
import pyspiel
import pytest
from hypothesis import strategies as st

import games
from games.seeing import views
from games.text.adventure_engine import CARRIED, adventure
from games.text.adventure_layout import SIZES, make_layout


def load(**parameters):
    inside = ",".join(f"{name}={value}" for name, value in parameters.items())
    return pyspiel.load_game(f"text_adventure({inside})")


def play(state, *commands):
    for command in commands:
        state.apply_action(views.action_from_name(state, command))
    return state


def lit_and_down(game):
    lantern = game.engine.layout.items[0]
    return play(game.bottleneck_state(), f"take {lantern}", f"light {lantern}", "go down")


@pytest.mark.parametrize("size, most", [("small", 30), ("medium", 50), ("large", 80)])
def test_the_walkthrough_of_every_map_reaches_the_maximum(size, most):
    for seed in range(50):
        game = load(size=size, layout_seed=seed)
        commands = game.walkthrough()
        state = game.new_initial_state()
        rewards = []
        for command in commands:
            assert not state.is_terminal()
            play(state, command)
            rewards += state.rewards()
        assert state.is_terminal() and not state.failed()
        assert state.score() == state.max_score() == game.max_utility() == sum(rewards)
        assert len(commands) <= most


@pytest.mark.parametrize("size, points", [("small", 50), ("medium", 55), ("large", 60)])
def test_sizes(size, points):
    game = load(size=size)
    assert game.max_utility() == points
    assert len(game.engine.layout.rooms) == sum(SIZES[size]) + 1


@pytest.mark.parametrize("size", SIZES)
def test_there_are_six_to_twelve_commands_on_average(size):
    """Along the walkthroughs, as in table 6 of the paper."""
    lengths = []
    for seed in range(20):
        game = load(size=size, layout_seed=seed)
        state = game.new_initial_state()
        for command in game.walkthrough():
            lengths.append(len(state.legal_actions()))
            play(state, command)
    assert 6 <= sum(lengths) / len(lengths) <= 12


def test_texts_are_frozen():
    """Recordings of language models depend on them byte for byte: no other value may come to stand here."""
    digest = hashlib.sha256()
    for size in sorted(SIZES):
        for seed in (0, 1):
            game = load(size=size, layout_seed=seed)
            state = game.new_initial_state()
            for command in game.walkthrough():
                digest.update(repr((views.view(state, 0).text, views.view(state, 0).legal)).encode())
                play(state, command)
    assert digest.hexdigest() == "8f067f5982e2db50ed8b92a31538087f8b45a0b19654dc17f4f26f36720f0a09"


def test_maps_differ_by_seed_and_are_equal_by_seed():
    assert make_layout("medium", 4) == make_layout("medium", 4)
    assert len({make_layout("medium", seed) for seed in range(30)}) == 30


@pytest.mark.parametrize("size", SIZES)
def test_passages_lead_back_except_hatch_and_shaft(size):
    back = {"north": "south", "south": "north", "east": "west", "west": "east"}
    for seed in range(50):
        layout = make_layout(size, seed)
        one_way = []
        for room, ways in enumerate(layout.exits):
            for way in ways:
                if way.side in back:
                    assert any(
                        other.side == back[way.side] and other.target == room
                        for other in layout.exits[way.target]
                    )
                else:
                    one_way.append((way.side, layout.rooms[room].dark, layout.rooms[way.target].dark))
        assert sorted(one_way) == [("down", False, True), ("up", True, False)]
        assert len({room.name for room in layout.rooms}) == len(layout.rooms)
        assert len(set(layout.items)) == len(layout.items)


def test_the_way_down_pays_and_darkness_kills_after_a_warning():
    game = load(layout_seed=3)
    state = game.bottleneck_state()
    assert set(game.bottleneck_actions().values()) <= set(views.view(state, 0).legal)
    play(state, game.bottleneck_actions()["trap"])
    assert state.rewards() == [10.0] and "dark" in state.observation() and not state.is_terminal()
    state.apply_action(0)
    assert state.is_terminal() and state.failed() and state.rewards() == [-15.0] and state.returns() == [-5.0]
    assert game.min_utility() == -5.0
    assert state.valid_actions() == () and state.legal_actions() == []


def test_without_a_warning_darkness_kills_at_once():
    state = play(load(layout_seed=3, warning_turns=0).bottleneck_state(), "go down")
    assert state.failed() and state.rewards() == [-5.0]
    state = play(load(layout_seed=3, warning_turns=0, death=4).bottleneck_state(), "go down")
    assert state.failed() and state.rewards() == [6.0] and state.get_game().min_utility() == 0.0


def test_a_lantern_lit_in_the_dark_saves():
    game = load(layout_seed=3)
    lantern = game.engine.layout.items[0]
    state = play(game.bottleneck_state(), f"take {lantern}")
    assert state.rewards() == [0.0]
    play(state, "go down", f"light {lantern}")
    for _ in range(20):
        play(state, f"put out {lantern}", f"light {lantern}")
    assert not state.is_terminal()
    play(state, f"put out {lantern}")
    assert not state.is_terminal()
    state.apply_action(views.action_from_name(state, f"drop {lantern}"))
    assert state.failed()


def test_a_lit_lantern_on_the_floor_lights_its_room_only():
    game = load(layout_seed=3)
    state = play(lit_and_down(game), f"drop {game.engine.layout.items[0]}")
    assert game.engine.layout.rooms[game.engine.layout.landing].name in state.look()
    assert f"take {game.engine.layout.items[0]}" in state.valid_actions()
    away = next(name for name in state.valid_actions() if name.startswith("go "))
    assert "dark" in play(state, away).look()
    back = {"north": "south", "south": "north", "east": "west", "west": "east"}[away.removeprefix("go ")]
    assert "dark" not in play(state, f"go {back}").look() and not state.is_terminal()


def test_the_first_descent_alone_pays():
    game = load(layout_seed=3)
    state = lit_and_down(game)
    for command in game.engine.path(state.snapshot.world, game.engine.layout.hatch_room):
        play(state, command)
    before = state.score()
    play(state, "go down")
    assert (before, state.score(), state.rewards()) == (10, 10, [0.0])


def test_links_of_the_chain_are_closed_without_the_link_before():
    """Random play with the light on never turns the winch or opens the door without what it takes."""
    for seed in range(20):
        game = load(size="medium", layout_seed=seed, max_moves=300)
        rng, state = random.Random(seed), lit_and_down(game)
        layout = game.engine.layout
        while not state.is_terminal():
            world = state.snapshot.world
            carried = {layout.items[item] for item, place in enumerate(world.places) if place == CARRIED}
            for name in state.valid_actions():
                if " with " in name:
                    assert name.partition(" with ")[2] in carried
                if name.startswith("take "):
                    assert len(carried) < 4
            state.apply_action(rng.choice(state.legal_actions()))


def test_no_more_can_be_carried_than_allowed():
    game = load(layout_seed=3, carry_limit=2)
    state = game.bottleneck_state()
    for _ in range(2):
        play(state, next(name for name in state.valid_actions() if name.startswith("take ")))
    assert not [name for name in state.valid_actions() if name.startswith("take ")]
    assert state.inventory().endswith("You can carry no more.")
    assert play(game.new_initial_state(), *game.walkthrough()).score() == 50


@hypothesis.settings(max_examples=40, deadline=None)
@hypothesis.given(st.integers(0, 10**9), st.sampled_from(sorted(SIZES)), st.randoms(use_true_random=False))
def test_every_valid_command_changes_the_world(seed, size, rng):
    state = load(layout_seed=seed, size=size, max_moves=40).new_initial_state()
    while not state.is_terminal():
        names = state.valid_actions()
        assert list(names) == sorted(set(names)) and 0 < len(names) <= state.num_distinct_actions()
        keys = {state.child(action).world_key() for action in state.legal_actions()}
        assert state.world_key() not in keys
        state.apply_action(rng.choice(state.legal_actions()))


@pytest.mark.parametrize("game_string", ["text_adventure", "text_adventure(size=large,warning_turns=0)"])
def test_random_simulation_with_serialization(game_string):
    pyspiel.random_sim_test(pyspiel.load_game(game_string), num_sims=3, serialize=True, verbose=False)


def test_clones_share_and_pickles_equal():
    game = load(layout_seed=5)
    state = lit_and_down(game)
    clone = state.clone()
    assert clone.snapshot is state.snapshot and clone.engine is state.engine is copy.deepcopy(state.engine)
    again = pickle.loads(pickle.dumps(state))
    assert again.world_key() == state.world_key() and str(again) == str(state)
    assert hash(again.world_key()) == hash(state.world_key())
    assert pickle.loads(pickle.dumps(game.engine)) is adventure("small", 5, 4, 1, 15)
    clone.apply_action(0)
    assert clone.moves == state.moves + 1


def test_equal_worlds_have_equal_keys_whatever_led_there():
    game = load(layout_seed=3)
    lantern = game.engine.layout.items[0]
    state = game.bottleneck_state()
    key = state.world_key()
    play(state, f"take {lantern}")
    assert state.world_key() != key
    assert play(state, f"drop {lantern}").world_key() == key


def test_the_moves_run_out():
    state = load(max_moves=2).new_initial_state()
    while not state.is_terminal():
        state.apply_action(0)
    assert state.moves == 2 and not state.failed()


def test_the_view():
    game = load(layout_seed=3)
    state = game.bottleneck_state()
    seen = views.view(state, 0)
    assert set(seen.data) == {"observation", "look", "inventory", "score", "max_score", "moves"}
    assert seen.data["score"] == 0 and seen.data["max_score"] == 50 and seen.data["moves"] == state.moves
    assert seen.legal == state.valid_actions()
    assert seen.text.count(seen.data["look"]) == 1
    assert state.observation_string(0) == seen.text
    for field in seen.data:
        assert f"`{field}`" in games.describe(game)


@pytest.mark.parametrize(
    "parameters, message",
    [
        ({"size": "huge"}, "size must be one of small, medium, large, got 'huge'"),
        ({"layout_seed": -1}, "layout_seed must be at least 0, got -1"),
        ({"carry_limit": 1}, "carry_limit must be at least 2, got 1"),
        ({"warning_turns": -1}, "warning_turns must be at least 0"),
        ({"max_moves": 0}, "max_moves must be from 1 to 100000, got 0"),
    ],
)
def test_a_bad_parameter_is_one_sentence(parameters, message):
    with pytest.raises((ValueError, pyspiel.SpielError), match=message):
        load(**parameters)


@pytest.mark.parametrize("size", SIZES)
def test_the_plan_holds_from_wherever_the_player_is(size):
    """After random commands it goes on with valid ones, to the maximum, to death in the dark, or it says no way."""
    ended = []
    for seed in range(20):
        rng = random.Random(seed)
        state = load(size=size, layout_seed=seed, max_moves=300).new_initial_state()
        for _ in range(30):
            if not state.is_terminal():
                state.apply_action(rng.choice(state.legal_actions()))
        if state.is_terminal():
            continue
        while not state.is_terminal() and (command := state.engine.advice(state.snapshot)) is not None:
            assert command in state.valid_actions()
            play(state, command)
        assert state.moves < 150
        ended.append(state.score() == state.max_score())
        assert ended[-1] or state.failed() or state.engine.advice(state.snapshot) is None
    assert sum(ended) >= 0.8 * len(ended) > 5
