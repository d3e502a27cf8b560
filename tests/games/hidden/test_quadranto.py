"""quadranto case by case, from the rules."""

from __future__ import annotations

import pyspiel
import pytest

from games.seeing import views


def play(parameters: str, *names: str) -> pyspiel.State:
    state = pyspiel.load_game("quadranto" + parameters).new_initial_state()
    for name in names:
        state.apply_action(views.action_from_name(state, name))
    return state


def test_the_start():
    state = play("")
    top_left = {f"start at {row},{col}": 1 / 4 for row in (0, 1) for col in (0, 1)}
    assert views.chance_distribution(state) == top_left
    state = play("", "start at 0,1")
    bottom_right = {f"start at {row},{col}": 1 / 4 for row in (2, 3) for col in (2, 3)}
    assert views.chance_distribution(state) == bottom_right
    assert views.view(state, 0).data == {"cell": [0, 1], "opponent_quadrant": None, "moves": 0, "winner": None}
    assert views.view(state, 1).data == {
        "cell": None,
        "opponent_quadrant": "top left",
        "moves": 0,
        "winner": None,
    }


@pytest.mark.parametrize(
    "cell, steps",
    [
        ("0,0", ("down", "right", "stay")),
        ("0,1", ("down", "left", "right", "stay")),
        ("1,1", ("up", "down", "left", "right", "stay")),
    ],
)
def test_only_the_edge_limits_steps(cell, steps):
    state = play("", f"start at {cell}", "start at 2,2")
    assert state.current_player() == 0
    assert views.view(state, 0).legal == steps
    assert views.view(state, 1).legal == ()


def test_players_see_quadrants_only_and_win_by_stepping_onto_each_other():
    # Player 0 goes from 1,1 to the right into the quadrant at the top right; player 1 goes up from
    # 2,3 into the same quadrant and then to the left onto player 0.
    state = play("", "start at 1,1", "start at 2,3", "right")
    assert views.view(state, 0).data["cell"] == [1, 2]
    assert views.view(state, 1).data == {
        "cell": [2, 3],
        "opponent_quadrant": "top right",
        "moves": 1,
        "winner": None,
    }
    state = play("", "start at 1,1", "start at 2,3", "right", "up", "stay")
    assert state.returns() == [0, 0]
    state.apply_action(views.action_from_name(state, "left"))
    assert state.is_terminal()
    assert state.returns() == [-1, 1]
    assert state.information_state_string(0) == (
        "player 0: start at 1,1, opponent bottom right, right, opponent top right, stay, "
        "opponent top right, lost"
    )
    for player in range(2):
        assert views.view(state, player).data == {
            "cell": [1, 2],
            "opponent_quadrant": "top right",
            "moves": 4,
            "winner": 1,
        }


def test_player_0_can_win_too():
    state = play("", "start at 1,1", "start at 2,2", "down", "stay", "right")
    assert state.returns() == [1, -1]


def test_passing_by_is_no_win_and_the_last_move_may_win():
    start = ("(max_moves=2)", "start at 1,1", "start at 2,2")
    assert play(*start, "down", "up").returns() == [0, 0]
    assert play(*start, "down", "up").is_terminal()
    assert play(*start, "down", "left").returns() == [-1, 1]
    assert pyspiel.load_game("quadranto").max_game_length() == 20


def test_resampling_uses_what_the_unfinished_game_rules_out():
    # Player 0 at 1,1 steps down to 2,1 and right to 2,2 and does not win. Player 1, in the bottom
    # right quadrant all the time, has made one move in between, by chance `stay`.
    state = play("", "start at 1,1", "start at 3,3", "down", "stay", "right")
    marks = [(number + 0.5) / 64 for number in range(64)]
    cells = {state.resample_from_infostate(0, lambda: mark).position[1] for mark in marks}
    assert cells == {4 * 2 + 3, 4 * 3 + 2, 4 * 3 + 3}


@pytest.mark.parametrize(
    "parameters, message",
    [
        ("(size=5)", "size must be even and from 2 to 10, got 5"),
        ("(size=12)", "got 12"),
        ("(max_moves=0)", "max_moves must be 1 or more, got 0"),
    ],
)
def test_parameters_are_checked(parameters, message):
    with pytest.raises(ValueError, match=message):
        pyspiel.load_game("quadranto" + parameters)
