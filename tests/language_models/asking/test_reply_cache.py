"""Replies are kept by key: a killed run asks nothing twice, and files of earlier versions are read."""

from __future__ import annotations

import json
import threading

import pytest

from language_models import LanguageModelError, Recorded, Recorder, RecordingMiss
from language_models.asking.reply_cache import ReplyCache
from runs import json_lines


def texts(answers):
    return [completion.text for [completion] in answers]


def lines(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_killed_run_asks_nothing_twice(kit, tmp_path):
    path, requests = tmp_path / "calls.jsonl", [kit.request(name) for name in "abcd"]
    cache = ReplyCache(kit.OneByOne(fail_at=3), path)
    with pytest.raises(LanguageModelError, match="no more"):
        for request in requests:
            cache.complete(request)
    path.write_bytes(path.read_bytes()[:-9])  # killed while it wrote the third line
    model = kit.OneByOne()
    assert texts(ReplyCache(model, path).complete(request) for request in requests) == ["A", "B", "C", "D"]
    assert model.prompts == ["c", "d"]
    assert [line["key"] for line in lines(path)] == [request.key() for request in requests]
    again = kit.OneByOne(fail_at=0)
    assert texts(ReplyCache(again, path).complete_batch(requests)) == ["A", "B", "C", "D"]


@pytest.mark.parametrize("kind", ["OneByOne", "Batched"])
def test_known_and_new_requests_mix_in_a_batch_and_answers_keep_their_order(kit, tmp_path, kind):
    path = tmp_path / "calls.jsonl"
    ReplyCache(getattr(kit, kind)(), path).complete_batch([kit.request(name) for name in "bd"])
    model = getattr(kit, kind)()
    cache = ReplyCache(model, path)
    asked = [kit.request(name) for name in "abcdea"]
    assert texts(cache.complete_batch(asked)) == ["A", "B", "C", "D", "E", "A"]
    assert sorted(model.prompts) == ["a", "c", "e"] and len(lines(path)) == 5
    if kind == "Batched":
        assert model.batches == [["a", "c", "e"]]


def test_of_calls_in_threads_those_that_were_answered_are_kept(kit, tmp_path, monkeypatch):
    kept, append = threading.Event(), json_lines.append

    def noticed(path, row):
        append(path, row)
        kept.set()

    class FailsLast(kit.OneByOne):
        """The request "bad" fails when another one is on the disk."""

        def complete(self, request):
            if request.messages[0].content == "bad":
                kept.wait(timeout=30)
                raise LanguageModelError("no more")
            return super().complete(request)

    monkeypatch.setattr(json_lines, "append", noticed)
    path = tmp_path / "calls.jsonl"
    with pytest.raises(LanguageModelError):
        ReplyCache(FailsLast(), path).complete_batch([kit.request("bad"), kit.request("good")])
    assert [line["reply"] for line in lines(path)] == ["GOOD"]


def test_a_recording_miss_ends_the_run_and_keeps_what_there_is(kit, tmp_path):
    recording, path = tmp_path / "short.jsonl", tmp_path / "calls.jsonl"
    Recorder(kit.OneByOne(), recording).complete(kit.request("a"))
    cache = ReplyCache(Recorded(recording), path)
    cache.complete(kit.request("a"))
    with pytest.raises(RecordingMiss):
        cache.complete(kit.request("b"))
    assert [line["reply"] for line in lines(path)] == ["A"]


def test_a_line_says_who_answered_and_for_what(kit, tmp_path):
    path = tmp_path / "calls.jsonl"
    [first] = ReplyCache(kit.OneByOne(), path).complete(kit.request("a"))
    assert lines(path) == [
        {
            "key": kit.request("a").key(),
            "purpose": "test",
            "reply": "A",
            "model": "stub",
            "prompt_tokens": 100,
            "completion_tokens": 10,
        }
    ]
    assert ReplyCache(kit.OneByOne(fail_at=0), path).complete(kit.request("a")) == [first]


def test_files_of_earlier_versions_are_read(kit, tmp_path):
    path = tmp_path / "value_attempts.jsonl"
    path.write_text(json.dumps({"key": kit.request("a").key(), "reply": "kept"}) + "\n")
    [completion] = ReplyCache(kit.OneByOne(fail_at=0), path).complete(kit.request("a"))
    assert (completion.text, completion.prompt_tokens) == ("kept", None)


def test_a_strict_cache_refuses_another_run(kit, tmp_path):
    path = tmp_path / "calls.jsonl"
    ReplyCache(kit.OneByOne(), path, strict=True).complete_batch([kit.request("a"), kit.request("b")])
    with pytest.raises(
        ValueError, match=r"calls.jsonl, line 2: expected the run's request for 'test', found another"
    ):
        cache = ReplyCache(kit.OneByOne(), path, strict=True)
        cache.complete(kit.request("a"))
        cache.complete(kit.request("c"))
    model = kit.OneByOne()
    longer = ReplyCache(model, path, strict=True)
    assert texts(longer.complete(kit.request(name)) for name in "abc") == ["A", "B", "C"]
    assert model.prompts == ["c"]


def test_damaged_files_and_several_completions_are_refused(kit, tmp_path):
    path = tmp_path / "calls.jsonl"
    path.write_text('{"key": "k", "reply": "r"}\n{"key": "k"}\n')
    with pytest.raises(ValueError, match="calls.jsonl, line 2: expected a reply with its key"):
        ReplyCache(kit.OneByOne(), path)
    with pytest.raises(ValueError, match="found a request for 2"):
        ReplyCache(kit.OneByOne(), tmp_path / "new.jsonl").complete(kit.request("a", n=2))
