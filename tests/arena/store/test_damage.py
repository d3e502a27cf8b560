"""What can be wrong with a database: one clear sentence each, and nothing lost."""

from __future__ import annotations

import functools
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from arena.matches.match import play_match
from arena.store import schema
from arena.store.claims import Claims
from arena.store.database import Database
from tests.runs import warm

ROOT = Path(__file__).parents[3]
RECORDS = [play_match("tic_tac_toe", ["random", "mcts(simulations=2)"], seed) for seed in range(8)]
RECORDS.append(play_match("leduc_poker", ["random", "random"], 1))


@functools.cache
def valid_file():
    """Its bytes; no fixture, so that hypothesis does not print them."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "m.db"
        with Database(path) as database:
            database.add_all(database.experiment({}), RECORDS[1:])
            with database.transaction() as run:  # of a process on another machine
                run("INSERT INTO owner VALUES (1, 'elsewhere', 77, '1', 9e9)")
                run(
                    "INSERT INTO claim VALUES (?, ?, ?, ?, 1)",
                    database.row_key(1, "tic_tac_toe", (("random", "random"), 7)),
                )
        assert not Path(f"{path}-wal").exists()
        return path.read_bytes()


def use_all_of(path):
    with Database(path, must_exist=True) as database:
        database.experiments()
        for number in database.match_ids():
            database.match(number)
        list(database.records())
        database.results()
        database.stored(1, "tic_tac_toe")
        with Claims(database, 1, "tic_tac_toe") as claims:
            claims.take([(("random", "random"), 7)])
        database.add(database.experiment({}), RECORDS[0])


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 2**20), st.integers(0, 255)), max_size=40),
    st.none() | st.integers(0, 2**20),
)
@example([], None)
@example([], 0)
@example([(18, 1)], None)  # the version of the format
@example([(68, 0)], None)  # the application
def test_a_damaged_file_never_gives_a_traceback(tmp_path_factory, changes, length):
    content = valid_file()
    damaged = bytearray(content if length is None else content[: length % len(content)])
    for place, value in changes:
        if damaged:
            damaged[place % len(damaged)] = value
    path = tmp_path_factory.mktemp("db") / "m.db"
    path.write_bytes(damaged)
    try:
        use_all_of(path)
    except (ValueError, OSError) as error:
        assert type(error) in (ValueError, FileNotFoundError, PermissionError, OSError)
        assert str(path) in str(error) and "\n" not in str(error)
    else:
        assert changes or length is None


def test_the_valid_file_can_be_used(tmp_path):
    path = tmp_path / "m.db"
    path.write_bytes(valid_file())
    use_all_of(path)
    with Database(path) as database:
        with Claims(database, 1, "tic_tac_toe") as claims:
            assert claims.take([(("random", "random"), 7)]).others
        assert list(database.records()) == RECORDS[1:] + RECORDS[:1]


@pytest.mark.parametrize(
    "other", [b"my diary\n" * 1000, b"\0" * 5000, b"x", b"SQLite format 3\0" + b"\xff" * 4096]
)
def test_foreign_files_are_refused_and_left_alone(tmp_path, other):
    path = tmp_path / "m.db"
    path.write_bytes(other)
    for must_exist in (True, False):
        with pytest.raises(ValueError, match="is not a database of matches"):
            Database(path, must_exist=must_exist)
    assert path.read_bytes() == other


def test_moves_that_were_altered_are_noticed(tmp_path):
    with Database(tmp_path / "m.db") as database:
        number = database.add(database.experiment({}), RECORDS[0])
        with database.transaction() as run:
            run("UPDATE moves SET actions = replace(actions, '[', '[9,')")
        with pytest.raises(ValueError, match=f"match {number}: damaged"):
            database.match(number)
        with database.transaction() as run:
            run("UPDATE moves SET actions = replace(actions, '[9,', '[')")
            run("UPDATE match SET course = course + 1")
        with pytest.raises(ValueError, match="not those that were stored"):
            database.match(number)


def test_a_locked_file_is_waited_for_and_then_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(schema, "BUSY_SECONDS", 0.1)
    path = tmp_path / "m.db"
    with Database(path) as database:
        experiment = database.experiment({})
        database.add(experiment, RECORDS[0])
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(TimeoutError, match=r"m\.db has been locked by another process for 0\.1 s"):
            database.add(experiment, RECORDS[1])
        assert list(database.records()) == RECORDS[:1]  # readers are not kept out
        other.execute("COMMIT")
        database.add(experiment, RECORDS[1])
    other.execute("PRAGMA locking_mode = EXCLUSIVE")
    other.execute("UPDATE match SET ended = 1 WHERE 0")
    other.execute("BEGIN EXCLUSIVE")
    for must_exist in (True, False):
        with pytest.raises(TimeoutError, match="locked by another process"):
            Database(path, must_exist=must_exist)
    other.close()
    with Database(path) as database:
        assert list(database.records()) == RECORDS[:2]


LIMITED = """
import resource, runpy, sys
resource.setrlimit(resource.RLIMIT_FSIZE, (300_000, 300_000))
sys.argv = ["arena.tournament", *sys.argv[1:]]
runpy.run_module("arena.tournament", run_name="__main__")
"""


def test_a_full_disk_costs_no_match_that_is_in_the_file(tmp_path):
    path = tmp_path / "m.db"
    flags = [
        "--game=tic_tac_toe",
        "--bots=random,mcts(simulations=2)",
        "--num_games=200",
        f"--db={path}",
        "--seed=4",
    ]
    full = subprocess.run(
        [sys.executable, "-c", LIMITED, *flags], cwd=ROOT, capture_output=True, text=True, timeout=60
    )
    last = full.stderr.splitlines()[-1]
    assert full.returncode == 2 and last.startswith("error: ") and str(path) in last
    assert "full" in last and "Traceback" not in full.stderr
    with Database(path, must_exist=True) as database:
        kept = list(database.records())
    assert 0 < len(kept) < 200
    again = warm.run("arena.tournament", *flags)
    assert again.returncode == 0, again.stderr
    with Database(path, must_exist=True) as database:
        records = list(database.records())
    assert len(records) == 200 and records[: len(kept)] == kept


def test_a_file_that_may_not_be_written_is_read(tmp_path, monkeypatch):
    path = tmp_path / "m.db"
    with Database(path) as database:
        database.add(database.experiment({}), RECORDS[0])
    monkeypatch.setattr("arena.store.schema.os.access", lambda *_: False)  # tests may run as root
    with Database(path, must_exist=True) as database:
        assert list(database.records()) == RECORDS[:1]
        with pytest.raises(PermissionError, match="expected permission to write"):
            database.add(1, RECORDS[1])
    assert [file.name for file in tmp_path.iterdir()] == ["m.db"]
    (tmp_path / "m.db-wal").write_bytes(b"matches")
    with pytest.raises(PermissionError, match="m.db-wal beside it holds matches"):
        Database(path, must_exist=True)
