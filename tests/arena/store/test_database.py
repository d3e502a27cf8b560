from __future__ import annotations

import dataclasses
import itertools
import json
import math
import sqlite3

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.matches.match import play_match
from arena.matches.records import FORFEIT_KINDS, ForfeitRecord, MatchRecord, Move
from arena.store import schema
from arena.store.database import Database, DifferentMatch
from arena.store.results import Results

RECORD = MatchRecord(
    game="g(path=/a b/ü)",
    seats=("x(y=1)", "random"),
    seed=2**63 - 1,
    opening_plies=1,
    move_seconds=0.5,
    opening_length=1,
    moves=(Move(-1, 3), Move(0, 1, 0.25, {"value": [1, None]}), Move(1, 0, 0.0)),
    returns=(-1.0, 1.0),
    forfeit=ForfeitRecord(0, "crash", 'E: "quoted"'),
    versions={"python": "3"},
    ended=1.7e9,
)


def same(a: Results, b: Results) -> bool:
    def equal(x, y):
        if isinstance(x, tuple):
            return x == y
        return x.dtype == y.dtype and np.array_equal(x, y, equal_nan=x.dtype.kind == "f")

    return all(equal(getattr(a, f.name), getattr(b, f.name)) for f in dataclasses.fields(Results))


texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)  # whole characters
notes = st.dictionaries(
    texts, st.none() | st.integers() | st.text(max_size=8) | st.lists(st.booleans()), max_size=2
)
moves = st.builds(
    Move,
    st.integers(-1, 3),
    st.integers(0, 2**62),
    st.none() | st.integers(0, 10**9).map(lambda n: round(n / 1e6, 6)),
    st.none() | notes,
)
finite = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def match_records(draw):
    players = draw(st.integers(1, 4))
    return MatchRecord(
        game=draw(st.sampled_from(["chess", "go(board_size=9)"])),
        seats=tuple(
            draw(st.lists(st.sampled_from(["a", 'b(c="d")', "ä"]), min_size=players, max_size=players))
        ),
        seed=draw(st.integers(0, 2**63 - 1)),
        opening_plies=draw(st.integers(0, 9)),
        move_seconds=draw(st.none() | st.floats(0.1, 9)),
        opening_length=draw(st.integers(0, 3)),
        moves=tuple(draw(st.lists(moves, max_size=6))),
        returns=tuple(draw(st.lists(finite, min_size=players, max_size=players))),
        forfeit=draw(
            st.none()
            | st.builds(
                ForfeitRecord,
                st.integers(0, players - 1),
                st.sampled_from(FORFEIT_KINDS),
                texts,
                st.none() | notes,
            )
        ),
        versions=draw(st.dictionaries(texts, texts, max_size=2)),
        ended=draw(st.none() | finite),
    )


@pytest.fixture(scope="module")
def shared(tmp_path_factory):
    """A database and fresh configurations for experiments in it: to make a file takes longer."""
    with Database(tmp_path_factory.mktemp("db") / "m.db") as database:
        yield database, itertools.count()


@settings(max_examples=60, deadline=None)
@given(records=st.lists(match_records(), max_size=6, unique_by=lambda r: (r.game, r.seats, r.seed)))
def test_records_and_columns_survive_the_file(shared, records):
    database, numbers = shared
    experiment = database.experiment({"number": next(numbers)})
    assert [database.add(experiment, record) for record in records] == database.match_ids(experiment)
    assert list(database.records(experiment)) == records
    assert same(database.results(experiment), Results.from_records(records))


def test_played_matches_and_experiments(tmp_path):
    first = [play_match("leduc_poker", ["random", "mcts(simulations=3,peek=true)"], n) for n in range(3)]
    second = [play_match("kuhn_poker(players=3)", ["random"] * 3, 1), first[0]]
    with Database(tmp_path / "m.db") as database:
        a = database.experiment({"name": "a", "seed": 1})
        b = database.experiment({"name": "b"})
        assert database.experiment({"seed": 1, "name": "a"}) == a
        assert database.add_all(a, first) == 3
        assert database.add_all(b, second) == 2
        assert database.add_all(b, second) == 0
    with Database(tmp_path / "m.db", must_exist=True) as database:
        assert list(database.records(a)) == first
        assert list(database.records()) == first + second
        assert database.match(database.match_ids(b)[1]) == first[0]
        for chosen, records in ((a, first), (b, second), (None, first + second)):
            assert same(database.results(chosen), Results.from_records(records))
        assert [(e.id, e.config, e.matches) for e in database.experiments()] == [
            (a, {"name": "a", "seed": 1}, 3),
            (b, {"name": "b"}, 2),
        ]
        with pytest.raises(ValueError, match="has no match 77"):
            database.match(77)
        with pytest.raises(ValueError, match="JSON-able"):
            database.experiment({"x": math.nan})


def test_many_matches_are_stored_batch_by_batch(tmp_path, monkeypatch):
    monkeypatch.setattr("arena.store.database._BATCH", 3)
    monkeypatch.setattr("arena.store.rows.CHUNK", 4)
    records = [dataclasses.replace(RECORD, seed=seed) for seed in range(10)]
    with Database(tmp_path / "m.db") as database:
        experiment = database.experiment({})

        def breaks_off():
            yield from records[:5]
            raise OSError("the source is gone")

        with pytest.raises(OSError, match="the source is gone"):
            database.add_all(experiment, breaks_off())
        assert list(database.records()) == records[:3]
        assert database.add_all(experiment, iter(records)) == 7
        assert list(database.records()) == records
        assert same(database.results(), Results.from_records(records))


def test_plain_sql_sees_seats_and_moves(tmp_path):
    with Database(tmp_path / "m.db") as database:
        database.add(database.experiment({}), RECORD)
    plain = sqlite3.connect(tmp_path / "m.db")
    assert plain.execute("SELECT seat, bot, return, game FROM seat ORDER BY seat").fetchall() == [
        (0, "x(y=1)", -1.0, RECORD.game),
        (1, "random", 1.0, RECORD.game),
    ]
    rows = plain.execute("SELECT player, action, seconds, notes FROM move ORDER BY number").fetchall()
    assert rows == [
        (-1, 3, None, None),
        (0, 1, 0.25, json.dumps({"value": [1, None]}, separators=(",", ":"))),
        (1, 0, 0.0, None),
    ]


def test_a_match_is_stored_once(tmp_path):
    with Database(tmp_path / "m.db") as database:
        experiment = database.experiment({})
        number = database.add(experiment, RECORD)
        later = dataclasses.replace(RECORD, ended=2e9, versions={})  # only clocks differ
        assert database.add(experiment, later) == number
        assert list(database.records()) == [RECORD]
        with pytest.raises(DifferentMatch, match=f"match {number} of x.* went otherwise"):
            database.add(experiment, dataclasses.replace(RECORD, moves=RECORD.moves[:2]))
        assert list(database.records()) == [RECORD]
        assert database.add(database.experiment({"other": 1}), RECORD) != number


def test_other_databases_are_refused_and_left_alone(tmp_path):
    path = tmp_path / "m.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE diary (day TEXT)")
    other.close()
    before = path.read_bytes()
    with pytest.raises(ValueError, match="SQLite database of something else"):
        Database(path)
    assert path.read_bytes() == before
    with Database(tmp_path / "n.db"):
        pass
    newer = sqlite3.connect(tmp_path / "n.db")
    newer.execute(f"PRAGMA user_version = {schema.VERSION + 1}")
    newer.close()
    with pytest.raises(ValueError, match=f"format {schema.VERSION + 1}, expected {schema.VERSION}"):
        Database(tmp_path / "n.db")
    with pytest.raises(FileNotFoundError, match="does not exist"):
        Database(tmp_path / "o.db", must_exist=True)
    assert not (tmp_path / "o.db").exists()
    (tmp_path / "p.db").touch()
    with pytest.raises(ValueError, match="is empty"):
        Database(tmp_path / "p.db", must_exist=True)


class Interrupted(sqlite3.Connection):
    """Ctrl-C comes as soon as a transaction has begun, once."""

    armed = True

    def execute(self, sql, *parameters):
        cursor = super().execute(sql, *parameters)
        if sql.startswith("BEGIN") and self.armed:
            self.armed = False
            raise KeyboardInterrupt
        return cursor


def test_a_transaction_that_is_interrupted_at_its_beginning_leaves_none_open():
    connection = sqlite3.connect(":memory:", isolation_level=None, factory=Interrupted)
    connection.execute("CREATE TABLE t (x)")
    with pytest.raises(KeyboardInterrupt):
        with schema.writing(connection):
            pytest.fail("the block is not entered")
    assert not connection.in_transaction


def test_a_transaction_that_an_interrupt_left_open_is_rolled_back_by_the_next():
    connection = sqlite3.connect(":memory:", isolation_level=None)
    connection.execute("CREATE TABLE t (x)")
    connection.execute("BEGIN")
    connection.execute("INSERT INTO t VALUES (1)")
    with schema.writing(connection):
        connection.execute("INSERT INTO t VALUES (2)")
    assert connection.execute("SELECT x FROM t").fetchall() == [(2,)]
