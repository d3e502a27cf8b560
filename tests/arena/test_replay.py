from __future__ import annotations

import dataclasses

import pyspiel
import pytest

import spielwright  # noqa: F401  (registers every game)
from arena.matches.match import play_match
from arena.matches.positions import check, positions, transcript
from arena.matches.records import ForfeitRecord, Move
from arena.store.database import Database
from tests.runs import warm

GAMES = [
    "tic_tac_toe",
    "backgammon",
    "leduc_poker",
    "kuhn_poker(players=3)",
    "goofspiel(num_cards=3)",
    "oshi_zumo(coins=4)",
    "python_iterated_prisoners_dilemma",
    "gen_tic_tac_toe",
    "battleship",
]


def played(game, seed=1, **changes):
    players = pyspiel.load_game(game).num_players()
    return dataclasses.replace(play_match(game, ["random"] * players, seed), **changes)


@pytest.mark.parametrize("game", GAMES)
def test_played_matches_agree_with_their_games(game):
    for seed in range(3):
        record = played(game, seed)
        check(record)
        *_, (last, nothing) = positions(pyspiel.load_game(game), record.moves)
        assert last.is_terminal() and nothing == () and tuple(last.returns()) == record.returns
        assert list(transcript(record))[-1] == f"returns: {list(record.returns)}"


RECORD = played("tic_tac_toe", 3)
DICE = played("pig(horizon=20)", 3)
JOINT = played("goofspiel(num_cards=3,points_order=descending)", 3)


def moved(record, number, **changes):
    moves = list(record.moves)
    moves[number] = dataclasses.replace(moves[number], **changes)
    return dataclasses.replace(record, moves=tuple(moves))


@pytest.mark.parametrize(
    "record, difference",
    [
        (
            moved(RECORD, 2, action=RECORD.moves[0].action),
            f"move 2: action {RECORD.moves[0].action} of player 0 is not among its 7 legal ones",
        ),
        (moved(RECORD, 3, player=0), "move 3: expected player 1 to act, found player 0"),
        (moved(RECORD, 3, player=-1), "move 3: expected player 1 to act, found chance"),
        (
            moved(DICE, next(n for n, m in enumerate(DICE.moves) if m.player == -1), action=77),
            "action 77 of chance is not among its 6 legal ones",
        ),
        (dataclasses.replace(RECORD, moves=RECORD.moves[:-1]), "without a forfeit, expected the game to have"),
        (dataclasses.replace(RECORD, moves=RECORD.moves + (Move(0, 0),)), "the game has ended, found 1 more"),
        (dataclasses.replace(JOINT, moves=JOINT.moves[:1]), "move 1: expected a move of player 1 at the same"),
        (dataclasses.replace(RECORD, returns=(0.5, -0.5)), r"returns are \[0.5, -0.5\], expected"),
        (dataclasses.replace(RECORD, forfeit=ForfeitRecord(0, "crash", "")), "has ended, expected no forfeit"),
        (
            dataclasses.replace(
                RECORD, moves=RECORD.moves[:3], returns=(0.0, 0.0), forfeit=ForfeitRecord(1, "crash", "")
            ),
            r"expected \[1.0, -1.0\]",
        ),
        (dataclasses.replace(RECORD, game="tictactoe"), "did you mean tic_tac_toe"),
        (dataclasses.replace(RECORD, seats=("random",) * 3), "number of players"),
    ],
)
def test_the_first_difference_is_told(record, difference):
    with pytest.raises(ValueError, match=difference):
        check(record)


def test_a_forfeited_match_agrees():
    check(
        dataclasses.replace(
            RECORD, moves=RECORD.moves[:3], returns=(1.0, -1.0), forfeit=ForfeitRecord(1, "crash", "")
        )
    )


def run(*flags):
    return warm.run("arena.replay", *flags)


def test_command_shows_and_checks(tmp_path):
    path = tmp_path / "m.db"
    noted = moved(played("tic_tac_toe", 4), 4, notes={"prompt": "Your move?"})
    noted = dataclasses.replace(
        noted,
        moves=noted.moves[:5],
        returns=(1.0, -1.0),
        forfeit=ForfeitRecord(1, "illegal", "played 99", {"reply": "castle"}),
    )
    with Database(path) as database:
        experiment = database.experiment({})
        database.add_all(experiment, [RECORD, noted])
    shown = run(f"--db={path}", "--match=2")
    assert shown.returncode == 0, shown.stderr
    state = pyspiel.load_game("tic_tac_toe").new_initial_state()
    for number, move in enumerate(noted.moves):
        assert str(state) in shown.stdout
        assert f"{number}. player {move.player}: {state.action_to_string(move.action)} " in shown.stdout
        state.apply_action(move.action)
    assert '{"prompt": "Your move?"}' in shown.stdout
    assert 'player 1 forfeits (illegal): played 99  {"reply": "castle"}' in shown.stdout

    good = run(f"--db={path}", "--check")
    assert (good.returncode, good.stdout) == (0, "2 of 2 matches agree with their games\n")
    with Database(path) as database:
        broken = dataclasses.replace(RECORD, seed=99, returns=RECORD.returns[::-1])
        number = database.add(experiment, broken)
    bad = run(f"--db={path}", "--check")
    assert bad.returncode == 1 and "2 of 3 matches agree" in bad.stdout
    assert f"match {number}: returns are {list(broken.returns)}" in bad.stdout
    assert run(f"--db={path}", "--check", "--match=1").returncode == 0


@pytest.mark.parametrize(
    "flags, part",
    [
        (["--db=/nowhere/m.db", "--match=1"], "/nowhere/m.db does not exist"),
        (["--db=m.db"], "neither --match nor --check"),
    ],
)
def test_bad_input_is_one_sentence(flags, part):
    done = run(*flags)
    assert done.returncode == 2 and part in done.stderr and done.stderr.count("\n") == 1
