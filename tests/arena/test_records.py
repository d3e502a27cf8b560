from __future__ import annotations

import dataclasses
import json

import pytest

from arena.match import play_match
from arena.records import ForfeitRecord, MatchRecord, Move, RecordsFile, record_from_json

RECORD = MatchRecord(
    game="g(path=/a b/ü)", seats=("x(y=1)", "random"), seed=2**52, opening_plies=1, move_seconds=0.5,
    opening_length=1, moves=(Move(-1, 3), Move(0, 1, 0.25, {"value": [1, None]}), Move(1, 0, 0.0)),
    returns=(-1.0, 1.0), forfeit=ForfeitRecord(0, "crash", "E: \"quoted\""), versions={"python": "3"})


def test_json_keeps_every_field():
    line = RECORD.to_json()
    assert "\n" not in line
    assert record_from_json(line) == RECORD
    assert set(json.loads(line)) == {field.name for field in dataclasses.fields(MatchRecord)}


def test_played_matches_survive_the_file(tmp_path):
    records = [play_match("leduc_poker", ["random", "mcts(simulations=3,peek=true)"], seed)
               for seed in range(3)]
    with RecordsFile(tmp_path / "m.jsonl") as file:
        assert file.found == ()
        for record in records:
            file.append(record)
    with RecordsFile(tmp_path / "m.jsonl") as file:
        assert list(file.found) == records


def test_a_record_is_in_the_file_before_the_next_match_starts(tmp_path):
    with RecordsFile(tmp_path / "m.jsonl") as file:
        file.append(RECORD)
        assert record_from_json((tmp_path / "m.jsonl").read_text(encoding="utf-8")) == RECORD


def test_score_compares_returns():
    for returns, scores in (((3, 1), (1, 0)), ((2, 2), (0.5, 0.5)), ((-1, 1), (0, 1))):
        record = dataclasses.replace(RECORD, returns=returns)
        assert (record.score(0), record.score(1)) == scores


@pytest.mark.parametrize("kept", [1, 8, 9, 40, -1])
def test_an_unfinished_last_line_is_dropped(tmp_path, kept):
    path = tmp_path / "m.jsonl"
    path.write_text(RECORD.to_json() + "\n" + RECORD.to_json()[:kept], encoding="utf-8")
    with RecordsFile(path) as file:
        assert file.found == (RECORD,)
        file.append(RECORD)
    with RecordsFile(path) as file:
        assert file.found == (RECORD, RECORD)


@pytest.mark.parametrize("text, part", [
    ("{}\n", "line 1"),
    ("[]\n", "line 1"),
    ("null\n", "line 1"),
    (RECORD.to_json() + "\nnonsense\n", "line 2"),
    (RECORD.to_json().replace('"seed"', '"sead"') + "\n", "sead"),
    ("\n", "line 1"),
    ("my diary", "last line"),
])
def test_other_files_are_refused_and_left_alone(tmp_path, text, part):
    path = tmp_path / "m.jsonl"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ValueError) as caught:
        RecordsFile(path)
    assert part in str(caught.value) and str(path) in str(caught.value)
    assert path.read_text(encoding="utf-8") == text
