"""gen_chess against a second, deliberately different implementation, and case by case."""

from __future__ import annotations

import pickle
import random

import pyspiel
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games import gen_chess

COLUMNS = "abcde"


def load(parameters: str = "") -> pyspiel.State:
    return pyspiel.load_game("gen_chess" + parameters).new_initial_state()


def names(state: pyspiel.State) -> set[str]:
    return {state.action_to_string(action) for action in state.legal_actions()}


def play(state: pyspiel.State, *moves: str) -> pyspiel.State:
    for move in moves:
        by_name = {state.action_to_string(action): action for action in state.legal_actions()}
        state.apply_action(by_name[move])
    return state


# A position here is {cell name: (side, kind)}; whether a piece may go from one cell to another is
# decided by looking at the two cells, not by generating targets.


def start_position() -> dict[str, tuple[int, str]]:
    rows = {"1": 0, "5": 1}
    return {c + r: (side, k) for r, side in rows.items() for c, k in zip(COLUMNS, "CIGIC")}


def can_go(side: int, kind: str, start: str, end: str) -> bool:
    ahead = (int(end[1]) - int(start[1])) * (1 if side == 0 else -1)
    right = COLUMNS.index(end[0]) - COLUMNS.index(start[0])
    if kind == "G":
        return (abs(ahead) == 1 and right == 0) or (ahead == 0 and abs(right) in (1, 2))
    if kind == "I":
        return (right == 0 and ahead in (-1, 1, 2)) or (ahead == 1 and abs(right) == 1)
    return ahead >= 0 and right >= 0 and ahead + right == 3


def moves(position, side):
    cells = [c + r for c in COLUMNS for r in "12345"]
    found = {
        f"{start}-{end}"
        for start, (owner, kind) in position.items()
        for end in cells
        if owner == side and can_go(side, kind, start, end) and position.get(end, (None, ""))[0] != side
    }
    return found or {"pass"}


def after(position, move):
    if move == "pass":
        return position, None
    start, end = move.split("-")
    changed = dict(position)
    captured = changed.get(end)
    changed[end] = changed.pop(start)
    return changed, captured


def perft(position, side, depth):
    if depth == 0:
        return 1
    total = 0
    for move in moves(position, side):
        changed, captured = after(position, move)
        won = captured is not None and captured[1] == "G"
        total += 1 if won else perft(changed, 1 - side, depth - 1)
    return total


def perft_of_game(state, depth):
    if depth == 0 or state.is_terminal():
        return 1
    return sum(perft_of_game(state.child(action), depth - 1) for action in state.legal_actions())


@pytest.mark.parametrize("depth", [1, 2, 3])
def test_perft(depth):
    assert perft_of_game(load(), depth) == perft(start_position(), 0, depth)


def test_random_games_move_by_move():
    rng = random.Random(5)
    for _ in range(60):
        state, position, side = load(), start_position(), 0
        for ply in range(100):
            assert names(state) == moves(position, side)
            move = rng.choice(sorted(names(state)))
            play(state, move)
            position, captured = after(position, move)
            if captured is not None and captured[1] == "G":
                assert state.returns() == ([1.0, -1.0] if side == 0 else [-1.0, 1.0])
                break
            assert state.returns() == [0.0, 0.0]
            assert state.is_terminal() == (ply == 99)
            side = 1 - side


def test_moves_of_the_start():
    # By hand: every leap that stays on the board and leaves one's own home row.
    assert names(load()) == (
        {"a1-b3", "a1-c2", "a1-a4", "e1-e4", "c1-c2"}
        | {"b1-b2", "b1-b3", "b1-a2", "b1-c2"}
        | {"d1-d2", "d1-d3", "d1-c2", "d1-e2"}
    )


def test_the_second_player_is_mirrored():
    state = load()
    flip = str.maketrans("12345", "54321")
    first = {move.translate(flip) for move in names(state)}
    play(state, "c1-c2")
    assert names(state) == first


def test_without_mirror_both_advance_the_same_way():
    state = play(load("(mirror=false)"), "c1-c2")
    assert "b5-b4" in names(state) and "b5-b3" not in names(state)


def test_pieces_leap_over_others_and_capture():
    state = play(load(), "a1-a4", "c5-c4", "c1-c2", "e5-e2", "a4-d4", "c4-b4", "b1-b2", "b4-d4")
    rows = str(state).splitlines()[:5]
    assert rows == ["5 ci.i.", "4 ...g.", "3 .....", "2 .IG.c", "1 ...IC"]


def test_capturing_the_general_wins_at_once():
    assert play(load(), "b1-b3", "c5-c4", "b3-c4").returns() == [1.0, -1.0]
    state = play(load(), "c1-c2", "d5-d4", "c2-c3")
    assert not state.is_terminal()
    play(state, "d4-c3")
    assert state.is_terminal()
    assert state.legal_actions() == []
    assert state.returns() == [-1.0, 1.0]


def test_the_cap_is_a_draw():
    state = play(load("(max_plies=3)"), "c1-c2", "c5-c4", "c2-c1")
    assert state.is_terminal()
    assert state.returns() == [0.0, 0.0]
    assert pyspiel.load_game("gen_chess(max_plies=3)").max_game_length() == 3


def test_who_cannot_move_passes():
    # The first player walls in the own general at e5 with cavalry that has nowhere left to leap,
    # while the second player walks the other general out of the way.
    first = ["c1-d1", "d1-d2", "d2-d3", "d3-d4", "d4-e4", "e4-e5", "e1-e4", "a1-c2", "c2-c5", "b1-d2", "d2-d5"]
    second = ["c5-c4", "c4-b4", "b4-a4", "a4-a3", "a3-a4", "a4-a3", "a3-a4", "a4-a3", "a3-a4", "a4-a3", "a3-a4"]
    state = load("(start_row=CCG.C)")
    for pair in zip(first, second):
        assert "pass" not in names(state)
        play(state, *pair)
    before = str(state).splitlines()[:5]
    assert names(state) == {"pass"}
    play(state, "pass")
    assert str(state).splitlines()[:5] == before
    assert state.current_player() == 1
    assert "pass" not in names(state)


@pytest.mark.parametrize(
    "parameters", ["", "(max_plies=1)", "(start_row=G....,mirror=false)", "(start_row=.CGI.)"]
)
def test_openspiel_random_simulations(parameters):
    game = pyspiel.load_game("gen_chess" + parameters)
    pyspiel.random_sim_test(game, num_sims=3, serialize=True, verbose=False)


@settings(deadline=None, max_examples=40)
@given(
    row=st.text(alphabet="GIC.", min_size=5, max_size=5) | st.text(alphabet="GICX.", min_size=1, max_size=7),
    plies=st.integers(-2, 40),
)
def test_parameters_are_refused_or_play_to_the_end(row, plies):
    valid = len(row) == 5 and set(row) <= set("GIC.") and row.count("G") == 1 and plies >= 1
    if not valid:
        with pytest.raises(ValueError, match="gen_chess: (start_row|max_plies) must be"):
            # Straight to the class: OpenSpiel's parser takes a row of dots for a broken number.
            gen_chess.GenChessGame({"start_row": row, "max_plies": plies})
        return
    game = pyspiel.load_game(f"gen_chess(start_row={row},max_plies={plies})")
    state, rng = game.new_initial_state(), random.Random(0)
    while not state.is_terminal():
        assert state.move_number() < plies
        state.apply_action(rng.choice(state.legal_actions()))


def test_tensor_shows_the_board():
    state = play(load(), "a1-a4")
    tensor = state.observation_tensor(0)
    planes = [tensor[25 * i : 25 * i + 25] for i in range(7)]
    drawn = "".join(line[2:] for line in reversed(str(state).splitlines()[:5]))
    assert ["".join(".GICgic"[i] for i in range(7) if planes[i][cell]) for cell in range(25)] == (list(drawn))
    assert tensor[175:] == pytest.approx([0.01, 0, 1])


def test_clones_and_pickles_are_equal_and_independent():
    state = play(load(), "a1-a4", "c5-c4")
    drawn = str(state)
    for copy in (state.clone(), pickle.loads(pickle.dumps(state))):
        assert str(copy) == drawn
        assert copy.legal_actions() == state.legal_actions()
        copy.apply_action(copy.legal_actions()[0])
        assert str(state) == drawn != str(copy)
