"""Asking once, in lockstep, from recordings, with what is missing."""

from __future__ import annotations

import pytest

from language_models import Message, Recorded, Recorder, RecordingMiss, Request, from_spec
from mcdml.asking.client import Ask, Client, Tally, result_of, run


def request(text):
    return Request((Message("user", text),), purpose="test")


def task(*rounds, tally=None):
    """Asks for each of the rounds (lists of texts) in turn; returns all answers."""
    found = []
    for texts in rounds:
        answers = yield Ask([request(text) for text in texts], tally or Tally())
        found += [completions and completions[0].text for completions in answers]
    return found


def test_requests_of_all_tasks_share_a_batch_and_are_asked_once(kit):
    model = kit.Stub(str.upper)
    tallies = [Tally(), Tally(), Tally()]
    tasks = [
        task(["a", "b"], ["c"], tally=tallies[0]),
        task(["a"], ["b"], ["d"], tally=tallies[1]),
        task([], ["a"], tally=tallies[2]),
    ]
    seen = []
    client = Client(model)
    results = dict(run(tasks, client, lambda waiting, requests: seen.append((waiting, requests))))
    assert results == {0: ["A", "B", "C"], 1: ["A", "B", "D"], 2: ["A"]}
    # The second task needs no batch for "b", which the first one asked.
    assert model.batches == [2, 2] and seen == [(3, 4), (2, 2)]
    assert [(tally.calls, tally.hits) for tally in tallies] == [(3, 0), (1, 2), (0, 1)]
    assert (client.tally.calls, client.tally.hits, client.distinct) == (4, 3, 4)
    assert client.tally.prompt_tokens == 400 and tallies[0].completion_tokens == 30


def test_an_error_ends_all_tasks(kit):
    closed = []

    def watched():
        try:
            yield from task(["a"], ["b"])
        finally:
            closed.append(True)

    with pytest.raises(ValueError, match="the stub is tired"):
        list(run([watched(), watched()], Client(kit.Stub(str, calls=1))))
    assert closed == [True, True]


def test_without_a_model():
    with pytest.raises(ValueError, match="a language model is needed for 'test'"):
        result_of(task(["a"]), Client(None))
    with pytest.raises(ValueError, match="on_miss: expected one of error, uniform"):
        Client(None, on_miss="ignore")


def test_what_was_recorded_is_not_asked_again(kit, tmp_path):
    path = tmp_path / "run.jsonl"
    result_of(task(["a"], ["b"]), Client(Recorder(kit.Stub(str.upper), path)))
    model = kit.Stub(str.upper)
    client = Client(Recorder(model, path), recorded=Recorded(path))
    assert result_of(task(["a", "c"], ["b"]), client) == ["A", "C", "B"]
    assert [request.messages[0].content for request in model.requests] == ["c"]
    replay = Client(from_spec(f"recorded:{path}"))
    assert result_of(task(["c", "b", "a"]), replay) == ["C", "B", "A"] and replay.tally.calls == 3


def test_a_miss_is_an_error_or_counted(kit, tmp_path):
    path = tmp_path / "run.jsonl"
    result_of(task(["a"]), Client(Recorder(kit.Stub(str.upper), path)))
    with pytest.raises(RecordingMiss, match="was never recorded"):
        result_of(task(["a", "x"]), Client(from_spec(f"recorded:{path}")))
    client = Client(from_spec(f"recorded:{path}"), on_miss="uniform")
    tally = Tally()
    assert result_of(task(["a", "x"], ["x"], tally=tally), client) == ["A", None, None]
    assert (tally.misses, tally.calls, tally.hits) == (1, 1, 1)
