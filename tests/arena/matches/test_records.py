from __future__ import annotations

import dataclasses
import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arena.matches.records import ForfeitRecord, MatchRecord, Move, read_records, record_from_json
from arena.store.database import Database

RECORD = MatchRecord(
    game="g(path=/a b/ü)",
    seats=("x(y=1)", "random"),
    seed=2**52,
    opening_plies=1,
    move_seconds=0.5,
    opening_length=1,
    moves=(Move(-1, 3), Move(0, 1, 0.25, {"value": [1, None]}), Move(1, 0, 0.0)),
    returns=(-1.0, 1.0),
    forfeit=ForfeitRecord(0, "crash", 'E: "quoted"', {"prompt": "?"}),
    versions={"python": "3"},
    ended=1.7e9,
)


def test_json_keeps_every_field():
    line = RECORD.to_json()
    assert "\n" not in line
    assert record_from_json(line) == RECORD
    assert set(json.loads(line)) == {field.name for field in dataclasses.fields(MatchRecord)}


def test_score_compares_returns():
    for returns, scores in (((3, 1), (1, 0)), ((2, 2), (0.5, 0.5)), ((-1, 1), (0, 1))):
        record = dataclasses.replace(RECORD, returns=returns)
        assert (record.score(0), record.score(1)) == scores


@pytest.mark.parametrize(
    "text, part",
    [
        ("{}\n", "line 1"),
        ("[]\n", "line 1"),
        ("null\n", "line 1"),
        (RECORD.to_json() + "\nnonsense\n", "line 2"),
        (RECORD.to_json() + "\n" + RECORD.to_json()[:40], "line 2"),
        (RECORD.to_json().replace('"seed"', '"sead"') + "\n", "sead"),
        ("\n", "line 1"),
        ("my diary", "line 1"),
    ],
)
def test_other_files_are_refused(tmp_path, text, part):
    path = tmp_path / "m.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError) as caught:
        list(read_records(path))
    assert part in str(caught.value) and str(path) in str(caught.value)


JUNK = (
    st.none()
    | st.booleans()
    | st.integers(-2, 2**64)
    | st.floats()
    | st.text(max_size=3)
    | st.just([])
    | st.just({})
    | st.just([[]])
    | st.just([{"player": 0, "action": 1, "seconds": -1}])
)


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    with Database(tmp_path_factory.mktemp("db") / "m.db") as opened:
        yield opened


@settings(max_examples=150, deadline=None)
@given(
    name=st.sampled_from([field.name for field in dataclasses.fields(MatchRecord)]),
    junk=JUNK,
    part=st.sampled_from([None, "player", "action", "seconds", "notes", "kind", "reason"]),
)
def test_what_is_read_can_be_stored(database, name, junk, part):
    """A field of a wrong form gives a sentence, and whatever does not fits into a database."""
    value = json.loads(RECORD.to_json())
    if part in ("kind", "reason"):
        value["forfeit"][part] = junk
    elif part is not None:
        value["moves"][1][part] = junk
    else:
        value[name] = junk
    try:
        record = record_from_json(json.dumps(value))
    except ValueError as error:
        assert "\n" not in str(error)
    else:
        experiment = database.experiment({"value": json.dumps(value)})
        assert database.match(database.add(experiment, record)).actions() == record.actions()
