"""The history of a match by names, of all kinds of games."""

from __future__ import annotations

import pyspiel
import pytest

from games import NamedHistory
from games.seeing import views


def _played(game, *decisions):
    state = game.new_initial_state()
    for decision in decisions:
        if state.is_simultaneous_node():
            state.apply_actions(list(decision))
        else:
            state.apply_action(decision)
    return state


def test_names_in_order_and_again_after_a_step_back():
    game = pyspiel.load_game("tic_tac_toe")
    history = NamedHistory(game)
    assert history.update(_played(game, 4, 0)) == ["x(1,1)", "o(0,0)"]
    assert history.update(_played(game, 4, 0, 8)) == ["x(1,1)", "o(0,0)", "x(2,2)"]
    assert history.update(_played(game, 3)) == ["x(1,0)"]


def test_moves_made_at_once_are_one_name():
    game = pyspiel.load_game("goofspiel(num_cards=3,points_order=descending)")
    state = _played(game, (0, 2), (1, 0))
    names = [
        [views.action_name(before, action, player) for player, action in enumerate(joint)]
        for before, joint in ((_played(game), (0, 2)), (_played(game, (0, 2)), (1, 0)))
    ]
    expected = [f"0: {first}, 1: {second}" for first, second in names]
    assert NamedHistory(game).update(state) == NamedHistory(game, 1).update(state) == expected


@pytest.mark.parametrize("player", [0, 1])
def test_where_things_are_hidden_a_player_knows_its_own_moves_made_at_once(player):
    game = pyspiel.load_game("goofspiel(num_cards=3,points_order=descending,imp_info=true)")
    state = _played(game, (0, 2), (2, 0))
    own = [(0, 2)[player], (2, 0)[player]]
    expected = [
        views.action_name(_played(game), own[0], player),
        views.action_name(_played(game, (0, 2)), own[1], player),
    ]
    assert NamedHistory(game, player).update(state) == expected
