"""The hand-written Leduc poker is OpenSpiel's, in every state, and knows what its players know."""

from __future__ import annotations

import importlib.util
from collections import Counter, defaultdict
from pathlib import Path

import pyspiel
import pytest

from cwm import contract
from games.seeing import views


@pytest.fixture(scope="module")
def everything():
    """All pairs of (state of the model, state of OpenSpiel), by walking both games in step."""
    path = Path(__file__).parents[2] / "models" / "leduc.py"
    spec = importlib.util.spec_from_file_location("model_leduc", path)
    model = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(model)
    pairs, pending = [], [(model.initial_state(), pyspiel.load_game("leduc_poker").new_initial_state())]
    while pending:
        state, truth = pending.pop()
        pairs.append((state, truth))
        if not truth.is_terminal():
            pending += [
                (model.apply_action(state, action), truth.child(action)) for action in truth.legal_actions()
            ]
    return model, pairs


def test_constants_and_contract(everything):
    leduc, pairs = everything
    game = pairs[0][1].get_game()
    assert (game.num_players(), game.num_distinct_actions(), game.max_chance_outcomes()) == (
        leduc.NUM_PLAYERS,
        leduc.NUM_DISTINCT_ACTIONS,
        leduc.MAX_CHANCE_OUTCOMES,
    )
    assert (game.min_utility(), game.max_utility()) == (leduc.MIN_UTILITY, leduc.MAX_UTILITY)
    assert game.max_game_length() == leduc.MAX_GAME_LENGTH
    with open(leduc.__file__, encoding="utf-8") as file:
        assert contract.breaches(file.read()) == []


def test_every_state_equals_openspiel(everything):
    model, pairs = everything
    for state, truth in pairs:
        assert model.current_player(state) == truth.current_player()
        assert list(model.returns(state)) == truth.returns()
        for seat in range(2):
            assert model.observation(state, seat) == views.view(truth, seat).data
        if truth.is_chance_node():
            assert list(model.chance_outcomes(state)) == truth.chance_outcomes()
        elif not truth.is_terminal():
            assert list(model.legal_actions(state)) == truth.legal_actions()
        for action in truth.legal_actions():
            assert model.action_name(state, action) == views.action_name(truth, action)


def test_information_states_are_those_of_openspiel(everything):
    model, pairs = everything
    own, theirs = defaultdict(set), defaultdict(set)
    for state, truth in pairs:
        player = model.current_player(state)
        if player >= 0:
            key = (player, model.information_state(state, player))
            string = (player, truth.information_state_string(player))
            own[key].add(string)
            theirs[string].add(key)
    assert all(len(strings) == 1 for strings in own.values())
    assert all(len(keys) == 1 for keys in theirs.values())


def test_resampling_gives_each_state_that_fits_equally_often(everything):
    model, pairs = everything
    fits = defaultdict(set)
    for state, truth in pairs:
        if not truth.is_terminal() and not truth.is_chance_node():
            for seat in range(2):
                fits[seat, truth.information_state_string(seat)].add(state)
    marks = [(number + 0.5) / 60 for number in range(60)]  # 60 is a multiple of 4 and 5 cards
    for (seat, _), states in fits.items():
        for state in list(states)[:2]:
            drawn = Counter(model.resample(state, seat, lambda: mark) for mark in marks)
            assert set(drawn) == states
            assert set(drawn.values()) == {60 // len(states)}
