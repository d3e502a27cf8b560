"""Files of lines: what was finished is read, what was torn is cut off before more is added."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from runs import json_lines

ROWS = [{"move": 1}, [2, "two\nlines"], "ü", None]


def written(path):
    for row in ROWS:
        json_lines.append(path, row)
    return path


def test_what_was_added_is_read_and_nothing_where_there_is_no_file(tmp_path):
    assert json_lines.read(tmp_path / "none.jsonl") == [] == json_lines.resume(tmp_path / "none.jsonl")
    assert json_lines.read(written(tmp_path / "f.jsonl")) == ROWS


@settings(deadline=None)  # each line waits for the disk
@given(st.data())
def test_a_file_torn_anywhere_goes_on_with_its_finished_lines(tmp_path_factory, data):
    path = written(tmp_path_factory.mktemp("torn") / "f.jsonl")
    whole = path.read_bytes()
    length = data.draw(st.integers(0, len(whole)))
    path.write_bytes(whole[:length])
    finished = whole[:length].count(b"\n")
    assert json_lines.read(path) == ROWS[:finished]
    assert path.read_bytes() == whole[:length], "a reader must leave the file as it is"
    assert json_lines.resume(path) == ROWS[:finished]
    json_lines.append(path, "more")
    assert [json.loads(line) for line in path.read_text("utf-8").splitlines()] == [*ROWS[:finished], "more"]


def test_a_line_that_is_not_json_is_named(tmp_path):
    path = tmp_path / "f.jsonl"
    path.write_text('{"move": 1}\n{"move": \n')
    with pytest.raises(ValueError, match="f.jsonl, line 2: expected JSON as this run wrote it"):
        json_lines.read(path)
