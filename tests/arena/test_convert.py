from __future__ import annotations

import csv
import dataclasses
import json
from pathlib import Path

import pyspiel
import pytest

import spielwright  # noqa: F401  (registers every game)
from arena import convert
from arena.matches import histories
from arena.matches.match import play_match
from arena.matches.records import ForfeitRecord, Move
from arena.store.database import Database
from tests.runs import warm

EPISODES = Path(__file__).parent / "matches" / "episodes"


def played(game, seed=1):
    return play_match(game, ["random"] * pyspiel.load_game(game).num_players(), seed, opening_plies=2)


@pytest.fixture
def records():
    matches = [
        played("tic_tac_toe", 2),
        played("tic_tac_toe", 5),
        played("kuhn_poker(players=3)", 1),
        played("goofspiel(num_cards=3)", 1),
    ]
    notes = {"model_calls": 1, "completion_tokens": 7, "usd": None}
    moves = (*matches[0].moves[:3], Move(1, 8, 0.25, notes))
    matches[0] = dataclasses.replace(
        matches[0],
        moves=moves,
        returns=(1.0, -1.0),
        forfeit=ForfeitRecord(1, "illegal", 'played "x",\nand so on', {"model_calls": 2}),
    )
    return matches


@pytest.fixture
def database(tmp_path, records):
    with Database(tmp_path / "m.db") as opened:
        first, second = opened.experiment({"name": "one"}), opened.experiment({"name": "two"})
        opened.add_all(first, records[:2])
        opened.add_all(second, records[2:])
    return tmp_path / "m.db"


def test_json_lines_and_databases_keep_everything(tmp_path, database, records):
    convert.write(tmp_path / "m.jsonl", convert.read(database))
    for number, source in enumerate([database, tmp_path / "m.jsonl"]):
        target = tmp_path / f"copy{number}.db"
        assert convert.write(target, convert.read(source)) == 4
        assert convert.write(target, convert.read(source)) == 0
        with Database(target) as copied:
            assert list(copied.records()) == records
    with Database(tmp_path / "copy0.db") as copied, Database(database) as own:
        assert copied.experiments() == own.experiments()


def test_csv_has_a_row_for_each_seat(tmp_path, database, records):
    convert.write(tmp_path / "m.csv", convert.read(database))
    with open(tmp_path / "m.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    assert [(row["match"], row["seat"]) for row in rows] == [
        ("1", "0"),
        ("1", "1"),
        ("2", "0"),
        ("2", "1"),
        ("3", "0"),
        ("3", "1"),
        ("3", "2"),
        ("4", "0"),
        ("4", "1"),
    ]
    quitter = rows[1]
    assert quitter["forfeit"] == "illegal" and quitter["reason"] == records[0].forfeit.reason
    assert (quitter["own_moves"], quitter["seconds"], quitter["model_calls"]) == ("1", "0.25", "3")
    assert (quitter["completion_tokens"], quitter["usd"], quitter["simulations"]) == ("7", "", "")
    assert rows[0]["forfeit"] == "" and float(rows[0]["return"]) == 1.0
    assert json.loads(rows[4]["experiment"]) == {"name": "two"}


@pytest.mark.parametrize(
    "game",
    [
        "connect_four",
        "backgammon",
        "kuhn_poker(players=3)",
        "battleship",
        "goofspiel(num_cards=3)",
        "oshi_zumo(coins=4)",
        "gen_tic_tac_toe",
        "python_iterated_prisoners_dilemma",
        "python_tic_tac_toe",
    ],
)
def test_openspiel_reads_its_histories(tmp_path, game):
    record = played(game, 7)
    convert.write(tmp_path / "m.openspiel.jsonl", [convert.Found(5, {}, record)])
    line = json.loads((tmp_path / "m.openspiel.jsonl").read_text())
    loaded, state = pyspiel.deserialize_game_and_state(line["serialized"])
    assert str(loaded) == str(pyspiel.load_game(game)) and state.is_terminal()
    assert tuple(state.returns()) == record.returns == tuple(line["returns"])
    assert line["match"] == 5
    [found] = convert.read(tmp_path / "m.openspiel.jsonl")
    assert found.record == dataclasses.replace(
        record, moves=tuple(Move(m.player, m.action) for m in record.moves), versions={}, ended=None
    )


def test_pickles_are_not_loaded():
    text = histories.serialized(played("python_tic_tac_toe", 1))
    assert "__dict__=" in text
    evil = text[: text.index("__dict__=")] + "__dict__=Y29zCnN5c3RlbQooUydleGl0IDEnCnRSLg==\n"
    assert histories.read_serialized(evil) == histories.read_serialized(text)


@pytest.mark.parametrize(
    "text, part", [("x", "sections"), ("[Game]\ntic_tac_toe()\n[State]\nfour\n", "one action to a line")]
)
def test_other_texts_are_refused(text, part):
    with pytest.raises(ValueError, match=part):
        histories.read_serialized(text)


@pytest.mark.parametrize(
    "game, actions, part",
    [
        ("tic_tac_toe", [4, 4], "action number 1: 4 is not among the 8 legal ones of player 1"),
        ("tic_tac_toe", [0, 3, 1, 4, 2, 5], "the game has ended, found 1 more"),
        ("goofspiel(num_cards=3,points_order=descending)", [0, 1, 1], "expected actions of 2 players, found 1"),
    ],
)
def test_impossible_histories_are_refused(game, actions, part):
    with pytest.raises(ValueError, match=part):
        histories.moves_of(pyspiel.load_game(game), actions)


def run(*flags):
    return warm.run("arena.convert", *flags)


def test_command_gathers_what_it_is_given(tmp_path, database):
    target = tmp_path / "all.db"
    done = run(f"--input={database},{EPISODES}", f"--output={target}")
    assert done.returncode == 0, done.stderr
    assert done.stdout == f"{target}: 11 matches, 11 of them new\n"
    again = run(f"--input={EPISODES}", f"--output={target}")
    assert again.stdout == f"{target}: 7 matches, 0 of them new\n"


@pytest.mark.parametrize(
    "flags, part",
    [
        (["--output=m.db"], "--input is missing"),
        (["--input={db}", "--output={db}"], "expected different files"),
        (["--input={dir}/bad.jsonl", "--output={dir}/m.csv"], "bad.jsonl, line 1"),
    ],
)
def test_bad_input_is_one_sentence(tmp_path, database, flags, part):
    (tmp_path / "bad.jsonl").write_text("{}\n")
    done = run(*(flag.format(db=database, dir=tmp_path) for flag in flags))
    assert done.returncode == 2 and part in done.stderr.splitlines()[-1]
    assert "Traceback" not in done.stderr and not (tmp_path / "m.csv").exists()


def test_what_is_no_input_or_output(tmp_path, database):
    (tmp_path / "bad.openspiel.jsonl").write_text("{}\n")
    (tmp_path / "empty").mkdir()
    for name, part in (
        ("bad.openspiel.jsonl", "bad.openspiel.jsonl, line 1"),
        ("empty", "holds no .json files"),
        ("m.csv", "none of the endings .db, "),
    ):
        with pytest.raises(ValueError, match=part):
            list(convert.read(tmp_path / name))
    with pytest.raises(ValueError, match="none of the endings .db, .openspiel.jsonl, .jsonl, .csv"):
        convert.write(tmp_path / "m.xls", convert.read(database))
