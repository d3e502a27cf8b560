"""Recording, replaying, and recordings that were cut off, damaged or edited."""

import json
import logging
import shutil
from types import SimpleNamespace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language_models import (
    Completion,
    Image,
    LanguageModelError,
    Message,
    Recorded,
    Recorder,
    RecordingMiss,
    Request,
    find_layer,
    from_spec,
    read_header,
)
from language_models.layers import recorder


class Scripted:
    """A model whose answers are numbered in the order of asking."""

    name = "scripted"

    def __init__(self):
        self.asked = 0

    def complete(self, request):
        completions = []
        for _ in range(request.n):
            self.asked += 1
            text = f"answer {self.asked} \u2028\u00fc\n"
            completions.append(Completion(text, "stop", 3, 4, None, "scripted-1"))
        return completions


class ScriptedBatches(Scripted):
    def complete_batch(self, requests):
        return [self.complete(request) for request in requests]


def prompt(text, **options):
    return Request((Message("system", "s"), Message("user", text)), **options)


@pytest.fixture
def recording(tmp_path):
    """Three questions, the first asked twice."""
    path = tmp_path / "r.jsonl"
    model = Recorder(Scripted(), path, note="a test")
    for text in ("one", "two", "one", "three"):
        model.complete(prompt(text, purpose=f"test/{text}"))
    return path


def texts(model, text, times=1):
    return [model.complete(prompt(text))[0].text.split()[1] for _ in range(times)]


def test_round_trip(tmp_path):
    image = Image(b"picture")
    asked = [
        prompt("a", n=3, temperature=0.7, seed=1),
        Request((Message("user", "b", (image,)),), json_schema={"type": "object"}),
    ]
    recorder = Recorder(Scripted(), tmp_path / "r.jsonl")
    answers = [recorder.complete(request) for request in asked]
    replay = Recorded(tmp_path / "r.jsonl")
    assert [replay.complete(request) for request in asked] == answers
    assert b"picture" not in (tmp_path / "r.jsonl").read_bytes()


@settings(max_examples=40, deadline=None, database=None)
@given(content=st.text(), text=st.text())
def test_round_trip_of_any_text(tmp_path_factory, content, text):
    class Echo:
        name = "echo"

        def complete(self, request):
            return [Completion(text, "stop", None, None, None, "echo")]

    path = tmp_path_factory.mktemp("echo") / "r.jsonl"
    Recorder(Echo(), path).complete(prompt(content))
    assert Recorded(path).complete(prompt(content))[0].text == text


def test_latencies_are_in_seconds_to_the_millisecond(tmp_path, monkeypatch):
    clock = SimpleNamespace(monotonic=iter([10.0, 12.34567]).__next__)
    model = Recorder(Scripted(), tmp_path / "r.jsonl")
    monkeypatch.setattr(recorder, "time", clock)
    model.complete(prompt("one"))
    line = json.loads((tmp_path / "r.jsonl").read_text().splitlines()[1])
    assert line["latency_seconds"] == 2.346


def test_header_and_lines(recording):
    lines = [json.loads(line) for line in recording.read_text().splitlines()]
    assert lines[0]["header"]["model"] == "scripted"
    assert lines[0]["header"]["note"] == "a test"
    assert read_header(recording) == lines[0]["header"]
    assert len(lines) == 5
    assert set(lines[1]) == {"key", "purpose", "request", "completions", "latency_seconds", "time"}
    assert lines[1]["purpose"] == "test/one"
    assert lines[1]["request"]["messages"][1] == {"role": "user", "content": "one"}


def test_each_line_is_there_at_once(tmp_path):
    model = Recorder(Scripted(), tmp_path / "r.jsonl")
    model.complete(prompt("a"))
    assert len((tmp_path / "r.jsonl").read_text().splitlines()) == 2


def test_repeated_requests_get_their_records_in_order(recording):
    model = Recorded(recording)
    assert texts(model, "one", 2) == ["1", "3"]
    with pytest.raises(RecordingMiss, match="used all 2 recorded answers"):
        model.complete(prompt("one"))
    assert texts(Recorded(recording), "one") == ["1"]


def test_miss_says_what_and_how(recording):
    long = "never asked before " * 20
    with pytest.raises(RecordingMiss) as caught:
        Recorded(recording).complete(prompt(long, purpose="cwm/refine"))
    message = str(caught.value)
    assert "cwm/refine" in message and "--llm=spool:DIR" in message and "--record=F" in message
    assert long[:80].strip() in message and long[:90] not in message
    assert "\n" not in message


def test_served_and_unused(recording):
    model = Recorded(recording)
    assert [line.line for line in model.unused()] == [2, 3, 4, 5]
    texts(model, "one")
    texts(model, "three")
    assert model.served == {prompt("one").key(): 1, prompt("three").key(): 1}
    assert [(line.line, line.purpose) for line in model.unused()] == [(3, "test/two"), (4, "test/one")]
    with pytest.raises(RecordingMiss):
        model.complete(prompt("else"))
    assert len(model.served) == 2


def test_folders_are_read_in_the_order_of_paths(recording, tmp_path):
    (tmp_path / "folder" / "a").mkdir(parents=True)
    shutil.copy(recording, tmp_path / "folder" / "b.jsonl")
    other = Recorder(Scripted(), tmp_path / "folder" / "a" / "z.jsonl")
    other.complete(prompt("zero"))
    other.complete(prompt("two"))
    (tmp_path / "folder" / "README.md").write_text("no recording")
    model = Recorded(tmp_path / "folder")
    assert texts(model, "two", 2) == ["2", "2"]
    assert model.unused()[0].path.name == "z.jsonl"
    assert texts(model, "zero") == ["1"]


def test_batches_are_recorded_one_line_for_each_request(tmp_path):
    model = Recorder(ScriptedBatches(), tmp_path / "r.jsonl")
    answers = model.complete_batch([prompt("a"), prompt("b")])
    lines = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()[1:]]
    assert [line["batch_size"] for line in lines] == [2, 2]
    replay = Recorded(tmp_path / "r.jsonl")
    assert replay.complete_batch([prompt("b"), prompt("a")]) == answers[::-1]
    assert not hasattr(Recorder(Scripted(), tmp_path / "other.jsonl"), "complete_batch")


def test_unfinished_last_line_is_skipped_with_a_warning(recording, caplog):
    data = recording.read_bytes()
    recording.write_bytes(data[:-20])
    # By name: a game of OpenSpiel's (chat_game) turns absl's own logger down when it is loaded.
    with caplog.at_level(logging.WARNING, logger="absl"):
        model = Recorded(recording)
        assert texts(model, "one", 2) == ["1", "3"]
    assert "line 5 is unfinished" in caplog.text
    with pytest.raises(RecordingMiss):
        model.complete(prompt("three"))


def test_recording_goes_on_after_a_killed_run(recording):
    recording.write_bytes(recording.read_bytes()[:-20])
    Recorder(Scripted(), recording).complete(prompt("four"))
    model = Recorded(recording)
    assert texts(model, "four") == ["1"]
    assert texts(model, "one", 2) == ["1", "3"]


def test_complete_line_without_newline_is_kept(recording):
    """Editors that strip the last newline must not cost a record."""
    recording.write_bytes(recording.read_bytes()[:-1])
    assert texts(Recorded(recording), "three") == ["4"]
    Recorder(Scripted(), recording).complete(prompt("four"))
    assert texts(Recorded(recording), "three") == ["4"]


@pytest.mark.parametrize("line", ["{broken", "[1]", "3", "{}", '{"key": 1, "purpose": ""}'])
def test_malformed_line_is_named(recording, line):
    lines = recording.read_text().splitlines()
    lines[2] = line
    recording.write_text("\n".join(lines) + "\n")
    with pytest.raises(LanguageModelError, match=r"r\.jsonl', line 3, is malformed") as caught:
        Recorded(recording).complete(prompt("one"))
    assert "\n" not in str(caught.value)


def test_file_without_header(recording):
    recording.write_text("\n".join(recording.read_text().splitlines()[1:]) + "\n")
    with pytest.raises(LanguageModelError, match="line 1, is malformed.*header"):
        Recorded(recording).complete(prompt("one"))


def test_edited_prompt_no_longer_fits_its_key(recording):
    text = recording.read_text()
    recording.write_text(text.replace('"content": "two"', '"content": "too"'))
    model = Recorded(recording)
    with pytest.raises(LanguageModelError, match='line 3.*hash is its "key"'):
        model.complete(prompt("two"))


def test_record_with_too_few_completions(recording):
    lines = recording.read_text().splitlines()
    record = json.loads(lines[2])
    record["completions"] = []
    lines[2] = json.dumps(record)
    recording.write_text("\n".join(lines) + "\n")
    with pytest.raises(LanguageModelError, match="0 completions: expected 1"):
        Recorded(recording).complete(prompt("two"))


def test_another_model_does_not_continue_a_recording(recording):
    other = Scripted()
    other.name = "other"
    with pytest.raises(LanguageModelError, match="'scripted'.*'other'"):
        Recorder(other, recording)


def test_recorder_does_not_touch_other_files(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("my notes\n")
    with pytest.raises(LanguageModelError, match="no recording's header"):
        Recorder(Scripted(), path)
    assert path.read_text() == "my notes\n"


@pytest.mark.parametrize("name", ["missing/r.jsonl", "."])
def test_unwritable_recording(tmp_path, name):
    with pytest.raises(LanguageModelError, match="cannot be written"):
        Recorder(Scripted(), tmp_path / name)


def test_missing_recording(tmp_path):
    with pytest.raises(LanguageModelError, match="There is no recording"):
        from_spec(f"recorded:{tmp_path}/nothing")


def test_shipped_recordings_can_be_read():
    """Every shipped line parses, and its completions belong to its request."""
    model = from_spec("recorded")
    backend = find_layer(model, Recorded)
    for line in backend.unused():
        with open(line.path, "rb") as file:
            file.seek(line.offset)
            record = json.loads(file.readline())
        assert len(record["completions"]) == record["request"]["n"]
        read_header(line.path)
