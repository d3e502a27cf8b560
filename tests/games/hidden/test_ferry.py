"""ferry case by case, from the rules."""

from __future__ import annotations

import pyspiel
import pytest

from games.seeing import views

NOTHING = {
    "banks": [None, None], "looked": [[False, False], [False, False]],
    "doubled": [False, False], "turns": 0, "last_action": None, "opponent_tile": None,
}  # fmt: skip


def play(parameters: str, tiles: str, *names: str) -> pyspiel.State:
    """Deals the tiles (player 0, player 1, raft, left, right), then acts."""
    state = pyspiel.load_game("ferry" + parameters).new_initial_state()
    for name in [*(f"deal {tile}" for tile in tiles.split()), *names]:
        state.apply_action(views.action_from_name(state, name))
    return state


def test_the_deal():
    assert views.chance_distribution(play("", "")) == pytest.approx(
        {f"deal {tile}": 1 / 5 for tile in range(1, 6)}
    )
    assert views.chance_distribution(play("", "3 5 1 2")) == {"deal 4": 1}
    assert len(views.chance_distribution(play("(tiles=7)", "3 5 1 2"))) == 3
    assert views.view(play("", "3"), 0).data == {"tile": 3, "raft": None, **NOTHING}
    assert views.view(play("", "3"), 1).data == {"tile": None, "raft": None, **NOTHING}
    state = play("", "3 5 1 2 4")
    assert views.view(state, 1).data == {"tile": 5, "raft": 1, **NOTHING}
    assert views.view(state, 0).legal == ("keep", "swap", "look left", "look right", "double")


def test_looking_is_seen_and_the_tile_is_not():
    state = play("", "3 5 1 2 4", "look right")
    assert views.view(state, 0).data["banks"] == [None, 4]
    assert views.view(state, 1).data["banks"] == [None, None]
    assert views.view(state, 1).data["looked"] == [[False, True], [False, False]]
    assert views.view(state, 1).legal == ("keep", "swap", "look left", "look right", "double")
    state = play("", "3 5 1 2 4", "look right", "double")
    assert views.view(state, 0).legal == ("keep", "swap", "look left", "double")
    state = play("", "3 5 1 2 4", "look right", "double", "keep")
    assert views.view(state, 1).legal == ("keep", "swap", "look left", "look right")


def test_a_swap_tells_both_players_what_the_other_knows():
    state = play("", "3 5 1 2 4", "swap")
    assert [views.view(state, p).data["tile"] for p in range(2)] == [1, 5]
    assert [views.view(state, p).data["raft"] for p in range(2)] == [3, 3]
    # Player 1 knows all but the banks: player 0 holds the 1 that was on the raft.
    others = {state.resample_from_infostate(1, lambda: mark).position.tiles for mark in (0.1, 0.3, 0.6, 0.9)}
    assert others == {(0, 4, 2, 1, 3), (0, 4, 2, 3, 1)}


@pytest.mark.parametrize(
    "tiles, names, returns",
    [
        # 3 is between 2 and 4, and 5 is not: twice the stake.
        ("3 5 1 2 4", ("keep", "keep", "keep", "keep"), [2, -2]),
        ("5 3 1 4 2", ("double", "keep", "keep", "keep"), [-4, 4]),
        ("3 5 1 2 4", ("double", "double", "keep", "keep"), [8, -8]),
        # Both between 1 and 5, or neither between 2 and 3: the higher one.
        ("3 2 4 1 5", ("keep", "keep", "keep", "keep"), [1, -1]),
        ("1 5 4 2 3", ("keep", "double", "keep", "keep"), [-2, 2]),
        # Player 0 gets the 4, which is between 2 and 5, for the 1; the 3 is so, too.
        ("1 3 4 2 5", ("swap", "keep", "keep", "keep"), [1, -1]),
        # A tile as high as a bank's cannot be; the 1 is not between 2 and 3, nor is the 5.
        ("1 4 5 2 3", ("swap", "keep", "keep", "keep"), [1, -1]),
    ],
)
def test_scores(tiles, names, returns):
    state = play("", tiles, *names[:-1])
    assert not state.is_terminal() and state.returns() == [0, 0]
    state = play("", tiles, *names)
    assert state.is_terminal()
    assert state.returns() == returns


def test_the_end_shows_everything():
    state = play("", "3 5 1 2 4", "swap", "keep", "look left", "double")
    assert views.view(state, 1).data == {
        "tile": 5, "raft": 3, "banks": [2, 4], "looked": [[True, False], [False, False]],
        "doubled": [False, True], "turns": 4, "last_action": "double", "opponent_tile": 1,
    }  # fmt: skip
    assert state.information_state_string(1) == (
        "player 1: a tile dealt, got 5, raft 1, a tile dealt, a tile dealt, swap, raft 3, keep, "
        "look left, double, left 2, right 4, opponent 1"
    )


@pytest.mark.parametrize(
    "parameters, message",
    [("(tiles=4)", "tiles must be from 5 to 9, got 4"), ("(turns=7)", "turns must be from 1 to 6")],
)
def test_parameters_are_checked(parameters, message):
    with pytest.raises(ValueError, match=message):
        pyspiel.load_game("ferry" + parameters)
