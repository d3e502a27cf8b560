"""Programs of other people: our own stand-ins that follow the protocols or break them, and real engines
where they are installed."""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path

import pytest

from arena.matches.match import play_match
from arena.registry.bots import make_bot
from arena.registry.games import load_game

ENGINES = Path(__file__).with_name("engines")
BRIDGE = "bridge(use_double_dummy_result=false)"


def command(program, *arguments):
    return " ".join([sys.executable, str(ENGINES / program), *map(str, arguments)])


UCI = f"uci(command={command('uci_engine.py')},answer_seconds=20)"
GTP = f"gtp(command={command('gtp_engine.py')},answer_seconds=20)"
BLUECHIP = f"bluechip(command={command('bluechip_client.py', '{port}')},answer_seconds=20)"


def _children():
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()


@pytest.fixture(autouse=True)
def no_program_is_left_behind():
    before = _children()
    yield
    assert _children() == before


def _first_moves(record, player):
    """The moves of a player after the opening, and the legal ones before each."""
    state = load_game(record.game).new_initial_state()
    for index, move in enumerate(record.moves):
        if move.player == player and index >= record.opening_length:
            yield move, state.clone()
        state.apply_action(move.action)


@pytest.mark.parametrize("seat", [0, 1])
def test_uci_follows_the_game_after_a_random_opening(seat):
    seats = ["random", "random"]
    seats[seat] = f"uci(command={command('uci_engine.py', '--last')},answer_seconds=20)"
    record = play_match("chess", seats, 4)
    assert record.forfeit is None
    moves = list(_first_moves(record, seat))
    assert len(moves) > 10
    for move, state in moves:  # the engine is OpenSpiel on its own side of the pipe
        assert move.action == state.legal_actions()[-1]
        assert move.notes == {"depth": 7, "nodes": 123, "score_cp": -45}


def test_uci_is_told_its_limit_its_options_and_the_moves(tmp_path):
    log = tmp_path / "log"
    bot = make_bot(
        f"uci(command={command('uci_engine.py', '--log', log)},depth=3,options=Skill Level=5;Hash=16)",
        load_game("chess"),
        0,
        0,
    )
    state = load_game("chess").new_initial_state()
    for move in ("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "g8f6"):
        state.apply_action(state.parse_move_to_action(move))
    bot.restart_at(state)
    bot.step(state)
    castles = state.parse_move_to_action("e1g1")
    state.apply_action(castles)
    bot.step(state)
    bot.close()
    bot.close()
    start = "position fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves"
    moves = "e2e4 e7e5 g1f3 b8c6 f1c4 g8f6"
    assert log.read_text().splitlines() == [
        "uci",
        "setoption name Skill Level value 5",
        "setoption name Hash value 16",
        "ucinewgame",
        "isready",
        "ucinewgame",
        "isready",
        f"{start} {moves}",
        "go depth 3",
        f"{start} {moves} e1g1",
        "go depth 3",
        "quit",
    ]


@pytest.mark.parametrize(
    "arguments, seconds, kind, part",
    [
        # Starting Python may take a while on a busy machine: hence the long seconds.
        (["--die", 1], 20, "crash", "the program of bot 'uci' ended with exit code 3"),
        (["--hang", 1], 3, "timeout", "the program of bot 'uci' did not answer within 3 s"),
        (["--answer", "e2e5"], 20, "illegal", "'bestmove e2e5 ponder a1a1', expected a legal move such as"),
    ],
)
def test_what_an_engine_does_wrong_is_its_forfeit(arguments, seconds, kind, part):
    spec = f"uci(command={command('uci_engine.py', *arguments)},answer_seconds={seconds})"
    record = play_match("chess", [spec, "random"], 1)
    assert (record.forfeit.player, record.forfeit.kind) == (0, kind)
    assert part in record.forfeit.reason


def test_a_program_that_only_talks_is_stopped():
    start = time.monotonic()
    with pytest.raises(ValueError, match="did not answer within 0.5 s, expected it to speak UCI: yes"):
        make_bot("uci(command=yes,answer_seconds=0.5)", load_game("chess"), 0, 0)
    assert time.monotonic() - start < 10


@pytest.mark.parametrize(
    "spec, game, part",
    [
        ("uci(command=a-program-that-nobody-has)", "chess", "cannot be started: No such file or directory"),
        ("uci(command=/)", "chess", "cannot be started: Permission denied"),
        ("uci(command='')", "chess", "cannot be started: it is empty"),
        ("uci(command=true)", "chess", "ended with exit code 0, expected it to speak UCI: true"),
        ("uci(command=x)", "go", "plays chess by the usual rules only, found go;"),
        ("uci(command=x)", "chess(chess960=true)", "plays chess by the usual rules only"),
        ("uci(command=x,nodes=1,depth=1)", "chess", "at most one of nodes, depth and movetime"),
        ("uci(command=x,nodes=0)", "chess", "at least 1, found {'nodes': 0}"),
        ("uci(command=x,options=Hash)", "chess", "expected name=value"),
        ("uci(command=x,answer_seconds=0)", "chess", "'answer_seconds': expected more than 0"),
        ("uci", "chess", "needs the parameter 'command'"),
        ("gtp(command=true)", "go", "expected it to speak GTP: true"),
        ("gtp(command=x)", "backgammon", "and backgammon is none"),
        ("gtp(command=x)", "go(handicap=2)", "use handicap=0"),
        ("gtp(command=x)", "amazons", "end with a vertex such as a1"),
        ("bluechip(command=x {port})", "bridge", "plays bridge(use_double_dummy_result=false) only"),
        ("bluechip(command=x)", BRIDGE, "expected {port}"),
    ],
)
def test_what_cannot_be_is_refused_in_one_sentence(spec, game, part):
    with pytest.raises(ValueError) as caught:
        make_bot(spec, load_game(game), 0, 0)
    assert part in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("seat", [0, 1])
def test_gtp_follows_the_game_after_a_random_opening(seat):
    record = play_match("hex(board_size=5)", [GTP if seat == player else "random" for player in range(2)], 3)
    assert record.forfeit is None
    moves = list(_first_moves(record, seat))
    assert len(moves) > 3
    for move, state in moves:  # in Hex no stone is ever taken: the lowest free point it is
        assert move.action == state.legal_actions()[0]


def test_gtp_passes_and_resigns(tmp_path):
    log = tmp_path / "log"
    passing = f"gtp(command={command('gtp_engine.py', '--pass', '--log', log)})"
    record = play_match("go(board_size=5)", [passing, passing], 0, opening_plies=1)
    assert record.forfeit is None and len(record.moves) == 3
    assert {"boardsize 5", "komi 7.5", "clear_board", "genmove w"} <= set(log.read_text().splitlines())
    resigning = f"gtp(command={command('gtp_engine.py', '--resign')})"
    record = play_match("go(board_size=5)", [resigning, "random"], 0)
    assert (record.forfeit.player, record.forfeit.reason) == (0, "the engine resigned")


def test_gtp_is_brought_to_a_position(tmp_path):
    log = tmp_path / "log"
    game = load_game("go(board_size=5)")
    state = game.new_initial_state()
    for vertex in ("B c3", "W b2", "B PASS"):
        state.apply_action(state.string_to_action(vertex))
    bot = make_bot(f"gtp(command={command('gtp_engine.py', '--log', log)})", game, 1, 0)
    bot.restart_at(state)
    assert state.action_to_string(bot.step(state)) == "W a1"
    bot.close()
    assert log.read_text().splitlines()[-5:] == ["play b c3", "play w b2", "play b pass", "genmove w", "quit"]


def test_programs_play_bridge_in_all_seats():
    passes = "fixed_action_preference(actions=52:" + ":".join(map(str, range(52))) + ")"
    for seats in ([BLUECHIP] * 4, [passes, BLUECHIP, passes, BLUECHIP]):
        record = play_match(BRIDGE, seats, 3, opening_plies=0)
        assert record.forfeit is None
        assert len(record.moves) >= 52 + 4 + 52  # the deal, the auction, the cards
    record = play_match(BRIDGE, [BLUECHIP, passes, passes, passes], 3, opening_plies=1)
    assert record.forfeit.player == 0 and "use opening_plies=0" in record.forfeit.reason


def test_a_bridge_program_that_does_not_come():
    record = play_match(
        BRIDGE, ["bluechip(command=true {port})", "random", "random", "random"], 0, opening_plies=0
    )
    assert record.forfeit.kind == "crash"
    assert "ended with exit code 0 before it connected" in record.forfeit.reason


@pytest.mark.skipif(
    shutil.which("stockfish") is None, reason="Stockfish is not installed: apt install stockfish"
)
def test_stockfish_beats_random():
    for seats, won in (
        (["uci(command=stockfish,nodes=500)", "random"], 1),
        (["random", "uci(command=stockfish,nodes=500)"], -1),
    ):
        record = play_match("chess", seats, 1)
        assert record.forfeit is None and record.returns[0] == won
        again = play_match("chess", seats, 1)
        assert again.actions() == record.actions()


@pytest.mark.skipif(shutil.which("gnugo") is None, reason="GNU Go is not installed: apt install gnugo")
def test_gnugo_beats_random():
    spec = "gtp(command=gnugo --mode gtp --level 1)"
    for seats, won in (([spec, "random"], 1), (["random", spec], -1)):
        record = play_match("go(board_size=7)", seats, 1)
        assert record.forfeit is None and record.returns[0] == won
