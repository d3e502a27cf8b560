from __future__ import annotations

import doctest
import random

import pyspiel
import pytest

from games.openspiel_views import board_drawings
from games.seeing import views
from games.seeing.views import GameView

DRAWN = [
    "tic_tac_toe",
    "gen_tic_tac_toe",
    "phantom_ttt",
    "mnk",
    "connect_four",
    "chess",
    "dark_chess",
    "kriegspiel",
    "rbc",
    "antichess",
    "gen_chess",
    "go(board_size=9)",
    "go(board_size=19)",
    "phantom_go",
    "cursor_go(board_size=9)",
    "gomoku",
    "othello",
    "hex(board_size=5)",
    "dark_hex(board_size=3)",
    "y(board_size=12)",
    "havannah(board_size=4)",
    "breakthrough",
    "breakthrough(rows=6,columns=5)",
    "lines_of_action",
    "clobber",
    "checkers",
    "amazons",
]


def random_states(game, seed, most=150):
    """(who moved, state before, state after) along a random game."""
    rng = random.Random(seed)
    state = pyspiel.load_game(game).new_initial_state()
    for _ in range(most):
        if state.is_terminal():
            return
        before = state.clone()
        state.apply_action(rng.choice(state.legal_actions()))
        yield before.current_player(), before, state


@pytest.mark.parametrize("game", DRAWN)
def test_what_appears_on_a_board_belongs_to_the_mover_or_to_nobody(game):
    shapes = set()
    for mover, before, after in random_states(game, seed=1):
        old, new = board_drawings.board(before), board_drawings.board(after)
        shapes.add((new.shape, new.columns, new.ranks, tuple(map(len, new.rows))))
        for row, (old_row, new_row) in enumerate(zip(old.rows, new.rows)):
            for column, (was, now) in enumerate(zip(old_row, new_row)):
                if was != now and now in new.pieces and mover >= 0:
                    assert new.pieces[now].player in (mover, None), (row, column, str(before), str(after))
    assert len(shapes) == 1


@pytest.mark.parametrize(
    "game, planes, upwards",
    [
        # The observation tensors' planes, as OpenSpiel's sources order them; some count rows from below.
        ("tic_tac_toe", {".": 0, "o": 1, "x": 2}, False),
        ("connect_four", {"x": 0, "o": 1, ".": 2}, True),
        ("breakthrough", {"b": 0, "w": 1, ".": 2}, False),
        ("clobber", {"o": 0, "x": 1, ".": 2}, False),
    ],
)
def test_rows_are_the_planes_of_the_observation_tensor(game, planes, upwards):
    shape = pyspiel.load_game(game).observation_tensor_shape()
    for _, _, state in random_states(game, seed=2, most=12):
        rows = board_drawings.board(state).rows
        tensor = state.observation_tensor(0)
        for i, row in enumerate(reversed(rows) if upwards else rows):
            for j, cell in enumerate(row):
                for symbol, plane in planes.items():
                    value = tensor[(plane * shape[1] + i) * shape[2] + j]
                    assert (value == 1) == (cell == symbol), (i, j, cell, str(state))


def test_go_is_the_struct_of_openspiel():
    names = {"EMPTY": "+", "B": "X", "W": "O"}
    for _, _, state in random_states("go(board_size=13)", seed=3, most=80):
        grid = views.view(state, 0).data["board_grid"]  # row 1 first
        expected = ["".join(names[value] for cell in row for value in cell.values()) for row in grid]
        drawn = board_drawings.board(state)
        assert list(drawn.rows) == expected[::-1]
        assert drawn.ranks[0] == "13" and drawn.columns == tuple("abcdefghjklmn")


@pytest.mark.parametrize("seed", range(6))
def test_players_of_hex_connect_the_edges_of_their_colour(seed):
    *_, (_, _, state) = random_states("hex(board_size=6)", seed)
    assert state.is_terminal()
    drawn = board_drawings.board(state)
    # Where each cell is drawn, in half cells from the left.
    cells = {
        (i, len(row) - len(row.lstrip()) + 2 * j): cell
        for i, row in enumerate(drawn.rows)
        for j, cell in enumerate(row.lstrip())
    }
    beside = [(0, -2), (0, 2), (-1, -1), (-1, 1), (1, -1), (1, 1)]

    def connects(symbol, start, end):
        seen = {place for place in start if cells[place] == symbol}
        open_ends = list(seen)
        while open_ends:
            i, x = open_ends.pop()
            near = {(i + di, x + dx) for di, dx in beside} & cells.keys()
            fresh = {place for place in near - seen if cells[place] == symbol}
            seen |= fresh
            open_ends += fresh
        return bool(seen & set(end))

    rows = [sorted(place for place in cells if place[0] == i) for i in range(6)]
    top_and_bottom = rows[0], rows[-1]
    left_and_right = [row[0] for row in rows], [row[-1] for row in rows]
    for symbol, piece in drawn.pieces.items():
        sides = [top_and_bottom, left_and_right][drawn.edges.index(piece.colour)]
        assert connects(symbol, *sides) == (state.returns()[piece.player] == 1)


def test_backgammon_always_has_its_thirty_checkers():
    for _, _, state in random_states("backgammon", seed=4):
        points, bar, off, dice = (list(map(int, row.split())) for row in board_drawings.board(state).rows)
        assert len(points) == 24 and len(dice) in (0, 2)
        for player, sign in enumerate((1, -1)):
            assert sum(max(0, sign * n) for n in points) + bar[player] + off[player] == 15


def test_a_player_sees_only_the_own_stones_of_a_phantom_game():
    state = pyspiel.load_game("phantom_ttt").new_initial_state()
    for action in (4, 0):
        state.apply_action(action)
    assert board_drawings.board(state).rows == ("o..", ".x.", "...")
    assert board_drawings.board(state, 0).rows == ("...", ".x.", "...")
    assert board_drawings.board(state, 1).rows == ("o..", "...", "...")


def test_kings_beside_row_numbers_that_look_like_them():
    style = board_drawings._BOARDS["checkers"]
    text = "8........\n7........\n6.....8..\n5........\n4........\n3..*.....\n2.+......\n1o.......\n abcdefgh\n"
    assert style.board(text).rows[2] == ".....8.." and style.board(text).rows[7] == "o......."
    assert style.board(text.replace("8........", "88......8")).rows[0] == "8......8"


def test_a_registered_view_with_rows_is_drawn(monkeypatch):
    class Rows(GameView):
        def data(self, state, player):
            return {"board": ["x.G", "..o"]}

    state = pyspiel.load_game("pentago").new_initial_state()
    assert board_drawings.board(state) is None
    monkeypatch.setitem(views._VIEWS, "pentago", Rows())
    drawn = board_drawings.board(state)
    assert (drawn.shape, drawn.rows) == ("squares", ("x.G", "..o"))
    assert {symbol: piece.sign for symbol, piece in drawn.pieces.items()} == {
        "x": "cross",
        "o": "ring",
        "G": "G",
    }


@pytest.mark.parametrize("rows", [None, "x.o", ["x.", "x"], [1, 2], ["", ""]])
def test_other_data_of_a_view_is_no_board(monkeypatch, rows):
    class Strange(GameView):
        def data(self, state, player):
            return {"board": rows}

    monkeypatch.setitem(views._VIEWS, "pentago", Strange())
    assert board_drawings.board(pyspiel.load_game("pentago").new_initial_state()) is None


def test_the_rows_of_a_hidden_game_are_shown_to_their_player_only(monkeypatch):
    class Hand(GameView):
        def data(self, state, player):
            return {"board": ["xx", "o."] if player else ["..", ".."]}

    monkeypatch.setitem(views._VIEWS, "leduc_poker", Hand())
    state = pyspiel.load_game("leduc_poker").new_initial_state()
    assert board_drawings.board(state) is None
    assert board_drawings.board(state, 1).rows == ("xx", "o.")


def test_a_game_of_ones_own_is_drawn_by_its_function_and_registered_once(monkeypatch):
    monkeypatch.setattr(board_drawings, "_BOARDS", {})
    state = pyspiel.load_game("pig").new_initial_state()
    board_drawings.register_board(
        "pig", lambda state, player: board_drawings.Board("squares", (str(player),), {})
    )
    assert board_drawings.board(state, 1).rows == ("1",) and board_drawings.board(state).rows == ("None",)
    with pytest.raises(ValueError, match="'pig' has a board already"):
        board_drawings.register_board("pig", board_drawings.BoardStyle("drop", {}))


def test_an_unknown_shape_is_refused():
    with pytest.raises(ValueError, match="expected one of squares, .*, found 'round'"):
        board_drawings.Board("round", (), {})


def test_a_hunter_sees_only_the_quadrant_of_the_other():
    state = pyspiel.load_game("quadranto").new_initial_state()
    assert board_drawings.board(state, 0).rows == ("....",) * 4
    for cell in (1, 14):  # row 0, column 1; row 3, column 2
        state.apply_action(cell)
    assert board_drawings.board(state).rows == (".x..", "....", "....", "..o.")
    assert board_drawings.board(state, 0).rows == (".x..", "....", "..??", "..??")
    assert board_drawings.board(state, 1).rows == ("??..", "??..", "....", "..o.")
    state.apply_action(views.action_from_name(state, "right"))
    assert board_drawings.board(state, 1).rows == ("..??", "..??", "....", "..o.")


def test_the_example_of_the_module():
    assert doctest.testmod(board_drawings).failed == 0
