"""A client asks each distinct request once, from recordings, with what is missing."""

from __future__ import annotations

import pytest

from language_models import LanguageModelError, Recorded, Recorder, RecordingMiss, from_spec
from language_models.asking.client import Ask, Client, Tally
from language_models.asking.lockstep import result_of
from language_models.asking.resumed import Resumed


@pytest.fixture
def task(kit):
    def make(*rounds, tally=None):
        found = []
        for texts in rounds:
            answers = yield Ask([kit.request(text) for text in texts], tally)
            found += [completions and completions[0].text for completions in answers]
        return found

    return make


def test_answers_are_in_the_order_of_the_requests_known_or_not(kit, task):
    model = kit.Batched()
    client = Client(model)
    assert result_of(task(["b", "a"]), client) == ["B", "A"]
    assert result_of(task(["c", "a", "d", "b", "c"]), client) == ["C", "A", "D", "B", "C"]
    assert model.batches == [["b", "a"], ["c", "d"]]


def test_without_a_model(task):
    with pytest.raises(ValueError, match="a language model is needed for 'test'"):
        result_of(task(["a"]), Client(None))
    assert Client(None).name == "none" and result_of(task([]), Client(None)) == []


def test_what_was_recorded_is_not_asked_again(kit, task, tmp_path):
    path = tmp_path / "run.jsonl"
    result_of(task(["a"], ["b"]), Client(Recorder(kit.Batched(), path)))
    model = kit.Batched()
    client = Client(Resumed(Recorder(model, path), Recorded(path)))
    assert result_of(task(["a", "c"], ["b"]), client) == ["A", "C", "B"]
    assert model.prompts == ["c"]
    replay = Client(from_spec(f"recorded:{path}"))
    assert result_of(task(["c", "b", "a"]), replay) == ["C", "B", "A"] and replay.tally.calls == 3


def test_a_miss_is_an_error_or_counted(kit, task, tmp_path):
    path = tmp_path / "run.jsonl"
    result_of(task(["a"]), Client(Recorder(kit.Batched(), path)))
    with pytest.raises(RecordingMiss, match="was never recorded"):
        result_of(task(["a", "x"]), Client(from_spec(f"recorded:{path}")))
    client = Client(from_spec(f"recorded:{path}"), skips_misses=True)
    tally = Tally()
    assert result_of(task(["a", "x"], ["x"], tally=tally), client) == ["A", None, None]
    assert (tally.misses, tally.calls, tally.hits) == (1, 1, 1)


def test_a_model_that_does_not_replay_misses_nothing_and_takes_one_batch(kit, task):
    model = kit.Batched(fail_at=1)
    client = Client(model, skips_misses=True)
    assert result_of(task(["a", "b"]), client) == ["A", "B"] and model.batches == [["a", "b"]]
    with pytest.raises(LanguageModelError, match="no more"):
        result_of(task(["c"]), client)
