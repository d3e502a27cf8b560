"""Which ends count as failures, so that they are reflected upon."""

from __future__ import annotations

import pyspiel
import pytest

from mcdml.asking.failed_trajectories import failed


def ended(name: str, *actions: int) -> pyspiel.State:
    state = pyspiel.load_game(name).new_initial_state()
    if state.is_simultaneous_node():
        state.apply_actions(list(actions))
    else:
        for action in actions:
            state.apply_action(action)
    assert state.is_terminal()
    return state


@pytest.mark.parametrize(
    "name, actions, returns, failures",
    [
        ("tic_tac_toe", (0, 3, 1, 4, 2), [1, -1], [False, True]),
        ("tic_tac_toe", (0, 4, 8, 1, 7, 6, 2, 5, 3), [0, 0], [False, False]),
        # Nobody loses anything, and yet one has less than the other.
        ("matrix_bos", (0, 0), [3, 2], [False, True]),
        ("matrix_bos", (1, 1), [2, 3], [True, False]),
        ("matrix_bos", (0, 1), [0, 0], [False, False]),
        ("matrix_coordination", (0, 0), [1, 1], [False, False]),
        # There is nobody else, and yet it is lost: the ball falls in the first column, the paddle stays.
        ("catch", (0, *[1] * 9), [-1], [True]),
        ("catch", (2, *[1] * 9), [1], [False]),
    ],
)
def test_a_failure_is_a_negative_return_or_less_than_another_has(name, actions, returns, failures):
    state = ended(name, *actions)
    assert state.returns() == returns
    assert [failed(state, player) for player in range(state.num_players())] == failures


def test_a_text_game_says_itself_whether_it_failed(kit):
    game = kit.TreeGame({"leap": (5, "dead"), "leave": (-3, "won")})
    ends = {}
    for name in ("leap", "leave"):
        state = game.new_initial_state()
        state.apply_action(state.valid_actions().index(name))
        ends[name] = (state.returns(), failed(state, 0))
    assert ends == {"leap": ([5.0], True), "leave": ([-3.0], False)}
