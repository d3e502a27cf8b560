"""The hand-written models are the games they claim to be: compared with OpenSpiel, state by state."""

from __future__ import annotations

import random

import pytest


def _names(model, state, actions):
    return [model.action_name(state, action) for action in actions]


def _drawn(model, state, player):
    seen = model.observation(state, player)
    return seen["observation"] if "observation" in seen else "\n".join(seen["board"])


@pytest.mark.parametrize("name, games", [("tic_tac_toe", 60), ("connect_four", 40), ("pig", 40)])
def test_model_equals_openspiel_in_random_play(pair, name, games):
    rng = random.Random(name)
    for _ in range(games):
        both = pair(name)
        model, truth = both.model, both.truth
        assert truth.num_players() == model.NUM_PLAYERS
        assert (both.game.min_utility(), both.game.max_utility()) == (model.MIN_UTILITY, model.MAX_UTILITY)
        while True:
            state = both.state
            player = model.current_player(state)
            assert player == truth.current_player()
            assert list(model.returns(state)) == truth.returns()
            for seat in range(model.NUM_PLAYERS):
                assert _drawn(model, state, seat).strip() == truth.observation_string(seat).strip()
            if truth.is_terminal():
                break
            if truth.is_chance_node():
                assert list(model.chance_outcomes(state)) == truth.chance_outcomes()
                actions = [action for action, _ in truth.chance_outcomes()]
            else:
                actions = truth.legal_actions()
                assert list(model.legal_actions(state)) == actions
            expected = [truth.action_to_string(truth.current_player(), action) for action in actions]
            assert _names(model, state, actions) == expected
            both.apply(rng.choice(actions))
