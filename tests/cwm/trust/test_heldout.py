"""The purposeful player of gin_twist: it ends games as random ones hardly do, knowing what it sees."""

from __future__ import annotations

import numpy as np
import pytest

from arena.registry.games import load_game
from cwm.trust import players
from cwm.trust.trajectories import choose_randomly, collect
from games.seeing import views


@pytest.fixture(scope="module")
def game():
    return load_game("gin_twist")


def test_games_with_a_purpose_are_called_games(game):
    """Against a random player, more than twice as often as between random players."""
    called = [
        sum(
            trajectory.steps[-1].observations[0]["caller"] is not None
            for trajectory in collect(game, 30, 9, choosers)
        )
        for choosers in ((choose_randomly,), (choose_randomly, players.lower_deadwood))
    ]
    assert 2 * called[0] < called[1]


def test_it_chooses_by_what_its_player_sees(game):
    """In every state that its player cannot tell from this one it does the same."""
    compared = 0
    for trajectory in collect(game, 4, 2, (players.lower_deadwood, choose_randomly)):
        state, rng = game.new_initial_state(), np.random.default_rng(1)
        for number, step in enumerate(trajectory.steps[:-1]):
            if step.player >= 0 and number % 5 == 0:
                other = state.resample_from_infostate(step.player, rng.random)
                choices = [players.lower_deadwood(one, np.random.default_rng(number)) for one in (state, other)]
                assert choices[0] == choices[1] and choices[0] in state.legal_actions()
                compared += str(other) != str(state)
            state.apply_action(views.action_from_name(state, step.action))
    assert compared > 20
