from __future__ import annotations

import random

import pyspiel
import pytest

from arena.matches.board_text import board_text
from arena.registry.games import load_game
from games.openspiel_views import board_drawings
from games.openspiel_views.board_drawings import Board, Piece
from games.seeing import views


def _after_random_moves(game_string, seed, plies):
    state = load_game(game_string).new_initial_state()
    rng = random.Random(seed)
    for _ in range(plies):
        if not state.is_terminal():
            state.apply_action(rng.choice(state.legal_actions()))
    return state


@pytest.mark.parametrize("seed", range(8))
def test_a_chess_board_is_drawn_square_by_square(seed):
    """Against OpenSpiel's own board, asked square by square."""
    state = _after_random_moves("chess", seed, 30)
    lines = board_text(state, 0).splitlines()
    letters = {
        kind: letter
        for kind, letter in zip(
            (
                pyspiel.chess.PieceType.KING,
                pyspiel.chess.PieceType.QUEEN,
                pyspiel.chess.PieceType.ROOK,
                pyspiel.chess.PieceType.BISHOP,
                pyspiel.chess.PieceType.KNIGHT,
                pyspiel.chess.PieceType.PAWN,
            ),
            "kqrbnp",
        )
    }
    for rank in range(8):
        drawn = lines[7 - rank].split()
        assert drawn[0] == str(rank + 1)
        for file in range(8):
            piece = state.board().at(pyspiel.chess.Square(file, rank))
            letter = letters.get(piece.type, ".")
            assert drawn[1 + file] == (letter.upper() if piece.color == pyspiel.chess.WHITE else letter)
    assert lines[8].split() == list("abcdefgh")
    assert lines[9] == views.view(state, 0).text.partition(" ")[2]


def test_other_boards_in_this_notation():
    shogi = board_text(_after_random_moves("shogi", 3, 60), 0).splitlines()
    assert len({len(line) for line in shogi[:9]}) == 1
    assert "? ? ? ? ? ? ? ?" in board_text(load_game("dark_chess").new_initial_state(), 0)
    kriegspiel = board_text(load_game("kriegspiel").new_initial_state(), 0).splitlines()
    assert kriegspiel[0] == "P0" and kriegspiel[1].startswith("8 ")


@pytest.mark.parametrize("game", ["oware", "matrix_rps"])
def test_a_line_that_stands_for_more_gives_way_where_there_are_no_secrets(game):
    state = load_game(game).new_initial_state()
    assert board_text(state, 0) == str(state).strip("\n")


@pytest.mark.parametrize(
    "game",
    [
        "kuhn_poker",
        "battleship",
        "universal_poker",
        "connect_four",
        "gen_chess",
        "backgammon",
        "goofspiel(imp_info=true)",
    ],
)
def test_elsewhere_it_is_the_text_of_the_view(game):
    state = load_game(game).new_initial_state()
    while state.is_chance_node():
        state.apply_action(state.legal_actions()[0])
    for player in range(2):
        assert board_text(state, player) == views.view(state, player).text.strip("\n")


def test_what_is_no_board_is_left_alone():
    class Text(views.GameView):
        def text(self, state, player):
            return "8/7/6 is a date\n1/2/3"

    before = dict(views._VIEWS)
    views._VIEWS["tic_tac_toe"] = Text()
    try:
        assert board_text(load_game("tic_tac_toe").new_initial_state(), 0) == "8/7/6 is a date\n1/2/3"
    finally:
        views._VIEWS.clear()
        views._VIEWS.update(before)


def test_a_registered_board_follows_a_single_line(monkeypatch):
    def draw(state, player):
        cards = {"a": Piece("7", "plain"), "o": Piece("disc", "blue"), "x": Piece("cross", "red")}
        return Board("squares", ("ao.", "?xx"), cards)

    monkeypatch.setattr(board_drawings, "_BOARDS", {"kuhn_poker": draw, "tic_tac_toe": draw})
    state = load_game("kuhn_poker").new_initial_state()
    assert board_text(state, 0) == f"{views.view(state, 0).text}\n7 o .\n? x x"
    assert board_text(load_game("tic_tac_toe").new_initial_state(), 0) == "...\n...\n..."
