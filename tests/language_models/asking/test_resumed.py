"""A recording that an earlier run began: what it holds is not asked again."""

from __future__ import annotations

import pytest

from language_models import CallLogged, LanguageModelError, Recorded, Recorder, find_layer, from_spec
from language_models.asking.resumed import Resumed


def test_what_is_missing_goes_out_as_one_batch_and_answers_keep_their_order(kit, tmp_path):
    path = tmp_path / "begun.jsonl"
    Recorder(kit.OneByOne(), path).complete(kit.request("b"))
    model = kit.Batched()
    resumed = Resumed(Recorder(model, path), Recorded(path))
    answers = resumed.complete_batch([kit.request(name) for name in "abc"])
    assert [completion.text for [completion] in answers] == ["A", "B", "C"] and model.batches == [["a", "c"]]
    # A record answers once: the same request again is another sample.
    assert resumed.complete(kit.request("b"))[0].text == "B" and model.batches[-1] == ["b"]


def test_a_damaged_recording_is_refused_before_anything_is_asked(kit, tmp_path):
    path = tmp_path / "begun.jsonl"
    Recorder(kit.OneByOne(), path).complete(kit.request("b"))
    path.write_text(path.read_text() + "[]\n")
    with pytest.raises(LanguageModelError, match="line 3, is malformed"):
        Resumed(kit.OneByOne(), Recorded(path))


def test_a_spec_resumes_a_recording_that_was_begun(tmp_path):
    path = tmp_path / "begun.jsonl"
    spec = f"spool:{tmp_path}/spool"
    new = from_spec(spec, record_to=path, resume=True)
    assert not isinstance(new, Resumed)  # there was nothing to resume
    again = from_spec(spec, record_to=path, resume=True)
    assert isinstance(again, Resumed) and again.name == new.name
    assert find_layer(again, CallLogged) is not None and find_layer(again, Recorded) is None
    assert not isinstance(from_spec(spec, record_to=path), Resumed)
