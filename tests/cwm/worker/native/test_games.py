"""Many games at once: random ones for statistics, and games side by side."""

from __future__ import annotations

import random

import pytest

from cwm.worker.search import uct
from sandbox import ProgramError


def _python_games(model, seed, count):
    rand, games = random.Random(seed).random, []
    for _ in range(count):
        state, plies = model.initial_state(), 0
        while model.current_player(state) != -4:
            if model.current_player(state) == -2:
                state = model.apply_actions(state, _joint_move(model, state, rand))
            elif model.current_player(state) >= 0:
                actions = model.legal_actions(state)
                state = model.apply_action(state, actions[int(rand() * len(actions))])
            else:
                state = model.apply_action(state, uct.sample(model.chance_outcomes(state), rand()))
            plies += 1
        games.append([[float(amount) for amount in model.returns(state)], plies])
    return games


@pytest.mark.parametrize("name", ["tic_tac_toe", "connect_four", "pig", "leduc", "three_heaps"])
def test_random_games_are_those_of_python(twins, name):
    pair = twins(name)
    played = pair.native.call("native_driver.play_games", 5, 200)
    assert played == _python_games(pair.python, 5, 200)


def _joint_move(model, state, rand):
    """A random action of each player who chooses, by one number each, in the order of seats."""
    legal = [model.player_legal_actions(state, player) for player in range(model.NUM_PLAYERS)]
    return tuple(own[int(rand() * len(own))] if own else -1 for own in legal)


@pytest.mark.parametrize("name", ["oshi_zumo", "goofspiel", "sowing"])
def test_random_games_with_choices_at_once_are_those_of_python(twins, name):
    pair = twins(f"at_once/{name}")
    played = pair.native.call("native_driver.play_games", 5, 200)
    assert played == _python_games(pair.python, 5, 200)


def test_the_fast_generator_plays_as_well_on_average(twins):
    pair = twins("tic_tac_toe")
    played = pair.native.call("native_driver.play_games", 5, 20_000, "fast")
    first = sum(returns[0] == 1.0 for returns, _ in played) / len(played)
    assert abs(first - 0.585) < 0.015  # known: of random games the first player wins .585


def test_games_side_by_side_follow_the_rules(twins):
    model = twins("connect_four").python
    call, rng, count = twins("connect_four").native.call, random.Random(1), 8
    rows = call("native_driver.start_games", count, 3)
    states, ended = [model.initial_state()] * count, 0
    for _ in range(120):
        assert rows["players"] == [model.current_player(state) for state in states]
        assert rows["legal"] == [list(model.legal_actions(state)) for state in states]
        seen = call("native_driver.game_observations")
        assert seen == [model.observation(state, model.current_player(state)) for state in states]
        actions = [rng.choice(legal) for legal in rows["legal"]]
        rows = call("native_driver.step_games", actions)
        states = [model.apply_action(state, action) for state, action in zip(states, actions)]
        assert rows["returns"] == [model.returns(state) for state in states]
        assert rows["over"] == [model.current_player(state) == -4 for state in states]
        ended += sum(rows["over"])
        states = [model.initial_state() if over else state for state, over in zip(states, rows["over"])]
    assert ended > count


def test_chance_is_played_between_the_steps(twins):
    call = twins("leduc").native.call
    rows = call("native_driver.start_games", 50, 3)
    assert rows["players"] == [0] * 50  # after both cards
    cards = {row["card"] for row in call("native_driver.game_observations")}
    assert len(cards) == 6
    rows = call("native_driver.step_games", [1] * 50)
    assert rows["players"] == [1] * 50 and rows["over"] == [False] * 50


def test_an_illegal_action_is_refused(twins):
    call = twins("tic_tac_toe").native.call
    call("native_driver.start_games", 3, 1)
    call("native_driver.step_games", [4, 4, 4])
    with pytest.raises(ProgramError, match="action 4 is not legal in game 1"):
        call("native_driver.step_games", [0, 4, 0])
    with pytest.raises(ProgramError, match="expected 3 actions, one for each game, found 1"):
        call("native_driver.step_games", [0])
