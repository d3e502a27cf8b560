"""gen_tic_tac_toe against OpenSpiel's own tic_tac_toe and m,n,k-game, and line by line."""

from __future__ import annotations

import pickle
import random

import numpy as np
import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import games  # noqa: F401, registers the game


def lockstep(ours: pyspiel.State, theirs: pyspiel.State, rng: random.Random) -> None:
    """Plays one random game on both, comparing everything that both offer."""
    while True:
        assert ours.current_player() == theirs.current_player()
        assert ours.is_terminal() == theirs.is_terminal()
        assert ours.returns() == theirs.returns()
        assert ours.legal_actions() == theirs.legal_actions()
        if ours.is_terminal():
            return
        action = rng.choice(ours.legal_actions())
        ours.apply_action(action)
        theirs.apply_action(action)


def test_three_in_a_row_is_tic_tac_toe_on_every_state():
    ours = pyspiel.load_game("gen_tic_tac_toe(size=3,length=3)")
    theirs = pyspiel.load_game("tic_tac_toe")
    assert ours.max_game_length() == theirs.max_game_length()
    assert ours.observation_tensor_shape() == theirs.observation_tensor_shape()
    seen = set()
    stack = [(ours.new_initial_state(), theirs.new_initial_state())]
    while stack:
        a, b = stack.pop()
        assert str(a) == str(b)
        assert a.observation_string(0) == b.observation_string(0)
        assert a.returns() == b.returns()
        assert a.current_player() == b.current_player()
        assert a.legal_actions() == b.legal_actions()
        np.testing.assert_array_equal(a.observation_tensor(0), b.observation_tensor(0))
        for action in a.legal_actions():
            assert a.action_to_string(action) == b.action_to_string(action)
            child = a.child(action)
            if str(child) not in seen:
                seen.add(str(child))
                stack.append((child, b.child(action)))
    # 5,478 positions are known to be reachable (OEIS A008907), the empty board among them.
    assert len(seen) + 1 == 5478


@pytest.mark.parametrize("size, length", [(6, 4), (5, 5), (4, 2), (7, 3)])
def test_equals_the_mnk_game(size, length):
    ours = pyspiel.load_game(f"gen_tic_tac_toe(size={size},length={length})")
    theirs = pyspiel.load_game(f"mnk(m={size},n={size},k={length})")
    rng = random.Random(size)
    for _ in range(30):
        lockstep(ours.new_initial_state(), theirs.new_initial_state(), rng)


def all_lines(size: int, length: int) -> list[list[int]]:
    """Lists every line of `length` cells by trying all cell sets spanned by two corners."""
    lines = []
    for first in range(size * size):
        for last in range(first + 1, size * size):
            rows, cols = last // size - first // size, last % size - first % size
            if max(rows, abs(cols)) == length - 1 and (rows == 0 or cols == 0 or rows == abs(cols)):
                lines.append(list(np.linspace(first, last, length).round().astype(int)))
    return lines


@pytest.mark.parametrize("winner", [0, 1])
def test_every_line_wins(winner):
    game = pyspiel.load_game("gen_tic_tac_toe")
    lines = all_lines(6, 4)
    assert len(lines) == 6 * 3 * 2 + 3 * 3 * 2  # 3 windows per row and column, 3x3 per diagonal
    rng = random.Random(winner)
    for line in lines:
        rng.shuffle(line)
        # The other player's stones stand apart, so they cannot make four in a row.
        spare = [cell for cell in (0, 2, 7, 9, 17, 28, 30, 32) if cell not in line]
        state = game.new_initial_state()
        if winner == 1:
            state.apply_action(spare.pop())
        for number, cell in enumerate(line):
            assert not state.is_terminal()
            state.apply_action(int(cell))
            if number < 3:
                state.apply_action(spare.pop())
        assert state.is_terminal()
        assert state.returns() == ([1.0, -1.0] if winner == 0 else [-1.0, 1.0])


def test_a_line_may_be_longer_than_needed():
    state = pyspiel.load_game("gen_tic_tac_toe(size=5,length=3)").new_initial_state()
    for action in (0, 5, 1, 7, 3, 14, 4, 16):
        state.apply_action(action)
    assert not state.is_terminal()
    state.apply_action(2)  # x now has five in the top row at once
    assert state.returns() == [1.0, -1.0]


@pytest.mark.parametrize("parameters", ["", "(size=3,length=3)", "(size=1,length=1)", "(length=1)"])
def test_openspiel_random_simulations(parameters):
    game = pyspiel.load_game("gen_tic_tac_toe" + parameters)
    pyspiel.random_sim_test(game, num_sims=5, serialize=True, verbose=False)


@settings(deadline=None, max_examples=30)
@given(size=st.integers(-3, 30), length=st.integers(-3, 30), seed=st.integers(0, 99))
def test_parameters_are_refused_or_play_to_the_end(size, length, seed):
    string = f"gen_tic_tac_toe(size={size},length={length})"
    if not (1 <= size <= 26 and 1 <= length <= size):
        with pytest.raises(ValueError, match="must be from 1 to"):
            pyspiel.load_game(string)
        return
    game = pyspiel.load_game(string)
    state, rng, plies = game.new_initial_state(), random.Random(seed), 0
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
        plies += 1
    assert min(plies, 2 * length - 1) == 2 * length - 1 or plies == size * size
    assert plies <= game.max_game_length()


def test_clones_and_pickles_are_equal_and_independent():
    state = pyspiel.load_game("gen_tic_tac_toe").new_initial_state()
    for action in (14, 15, 20):
        state.apply_action(action)
    drawn = str(state)
    for copy in (state.clone(), pickle.loads(pickle.dumps(state))):
        assert str(copy) == drawn
        assert copy.legal_actions() == state.legal_actions()
        copy.apply_action(0)
        assert str(copy) != drawn
        assert str(state) == drawn
