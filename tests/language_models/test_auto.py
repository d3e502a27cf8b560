"""`auto` decides at a run's first request, and a run never mixes models."""

import json

import pytest

from language_models import (
    CallLogged,
    Completion,
    LanguageModelError,
    Message,
    Recorded,
    Recorder,
    RecordingMiss,
    Request,
    complete_many,
    find_layer,
    from_spec,
    score,
)
from language_models.asking.client import Ask, Client
from language_models.asking.reply_cache import ReplyCache
from language_models.backends import auto
from language_models.backends.auto import Auto, Decision
from language_models.backends.local.backend import Local
from language_models.backends.local.options import LocalOptions


def request(text):
    return Request((Message("user", text),), max_tokens=2, seed=1, purpose=f"asks {text}")


class Fake:
    name = "fake"

    def complete(self, request):
        return [Completion("recorded", "stop", 1, 1, None, "fake-1")] * request.n


@pytest.fixture
def recorded(tmp_path):
    """Holds the requests a and b, and a scored one."""
    path = tmp_path / "known.jsonl"
    model = Recorder(Fake(), path)
    for text in "ab":
        model.complete(request(text))
    return lambda: Recorded(path)


@pytest.fixture
def no_local(monkeypatch):
    monkeypatch.setattr(auto, "local_is_there", lambda: False)


def test_recorded_where_the_first_request_was(recorded, no_local):
    model = Auto(recorded())
    assert model.name == "auto" and model.undecided
    assert model.complete(request("a"))[0].text == "recorded"
    assert model.name.startswith("recorded:") and find_layer(model, Recorded) is not None
    assert model.complete(request("b"))[0].text == "recorded"


def test_a_later_miss_ends_the_run_with_the_ways_on(recorded, monkeypatch):
    """Also where there is a local model: a run never mixes models."""
    monkeypatch.setattr(auto, "local_is_there", lambda: True)
    model = Auto(recorded())
    model.complete(request("a"))
    for _ in range(2):
        with pytest.raises(RecordingMiss) as caught:
            model.complete(request("c"))
        for way in (
            "pip install 'spielwright[local]' && python -m language_models.fetch_model",
            "GEMINI_API_KEY",
            "--llm=spool:DIR",
            "does not go on with another model's",
        ):
            assert way in str(caught.value)
        assert "\n" not in str(caught.value)


def test_nobody_can_answer(recorded, no_local):
    model = Auto(recorded())
    with pytest.raises(LanguageModelError, match="'asks c' was never recorded, and there is no local model"):
        model.complete(request("c"))
    # Nothing was decided, so what was recorded can still be asked.
    assert model.complete(request("a"))[0].text == "recorded"


def test_what_is_replayed_is_not_recorded(tmp_path):
    model = from_spec("auto", record_to=tmp_path / "r.jsonl")
    auto_model = find_layer(model, Auto)
    known = next(iter(sorted(Recorded().unused())))
    with open(known.path, "rb") as file:
        file.seek(known.offset)
        fields = json.loads(file.readline())["request"]
    fields["messages"] = tuple(Message(**message) for message in fields["messages"])
    with pytest.raises(LanguageModelError, match="drop --record, or name a live model"):
        model.complete(Request(**fields))
    assert auto_model.undecided and (tmp_path / "r.jsonl").read_text() == ""
    assert from_spec("auto").complete(Request(**fields))


def test_a_live_run_is_recorded_under_the_models_name(small_model, recorded, tmp_path):
    path = tmp_path / "r.jsonl"
    options = LocalOptions(threads=1, context=200)
    model = Recorder(Auto(recorded(), options, recording=str(path)), path, note="of a test")
    answer = model.complete(request("c"))
    assert find_layer(model, Local) is not None and model.name == "local:smollm2-135m"
    scored = score(model, request("a"), ["x", "y"])
    # What was recorded elsewhere is asked of the local model too: a run never mixes models.
    assert model.complete(request("a"))[0].text != "recorded"
    find_layer(model, Local).process.close()
    header = json.loads(path.read_text().splitlines()[0])["header"]
    assert (header["model"], header["note"]) == ("local:smollm2-135m", "of a test")
    replayed = Recorded(path)
    assert replayed.complete(request("c")) == answer and score(replayed, request("a"), ["x", "y"]) == scored


def test_a_recording_of_another_model_is_not_continued(small_model, recorded, tmp_path):
    path = tmp_path / "r.jsonl"
    Recorder(Fake(), path)
    model = Recorder(Auto(recorded(), LocalOptions(threads=1, context=200)), path)
    with pytest.raises(
        LanguageModelError, match="holds answers of 'fake' and cannot be continued with 'local:smo"
    ):
        model.complete(request("c"))
    find_layer(model, Local).process.close()


class FakeLocal:
    """Stands for the local model: answers everything, one by one."""

    def __init__(self, options, *, timeout):
        self.name = f"local:{options.model or 'smollm2-135m'}"

    def complete(self, request):
        return [Completion("live", "stop", 1, 1, None, "SmolLM2-135M-Instruct.Q4_1 (sha256 0, xllamacpp 1)")]


@pytest.fixture
def fake_local(monkeypatch):
    monkeypatch.setattr(auto, "local_is_there", lambda: True)
    monkeypatch.setattr(auto, "Local", FakeLocal)


def texts(answers):
    return [completions[0].text for completions in answers]


def test_the_first_request_of_a_batch_decides(recorded, fake_local):
    replayed, live = CallLogged(Auto(recorded())), CallLogged(Auto(recorded()))
    assert texts(complete_many(replayed, [request("a"), request("b")])) == ["recorded"] * 2
    assert texts(complete_many(live, [request("c"), request("a")])) == ["live"] * 2
    # Batches are for recorded answers; live ones are asked, and so kept, one by one.
    assert hasattr(replayed, "complete_batch") and not hasattr(live, "complete_batch")
    assert texts(complete_many(live, [request("a"), request("b")])) == ["live"] * 2


def test_the_models_of_one_run_share_the_decision(recorded, fake_local):
    decision = Decision()
    one, other = (Auto(recorded(), decision=decision) for _ in range(2))
    assert one.complete(request("c"))[0].text == "live" and decision.spec == "local"
    assert other.complete(request("a"))[0].text == "live"
    assert Auto(recorded()).complete(request("a"))[0].text == "recorded"


@pytest.mark.parametrize(
    "name, spec",
    [
        ("local:smollm2-135m", "local:smollm2-135m"),
        ("local:qwen2.5-coder-1.5b+cache=on", "local:qwen2.5-coder-1.5b+cache=on"),
        ("local", "local"),
        ("SmolLM2-135M-Instruct.Q4_1 (sha256 b179c9523d0e, xllamacpp 2026.10)", "local:smollm2-135m"),
        ("qwen2.5-coder-1.5b-instruct-q4_k_m (sha256 cc324af070c2, xllamacpp 1)", "local:qwen2.5-coder-1.5b"),
        ("large language model, through the spool backend", "recorded"),
        ("recorded", "recorded"),
        ("", None),
    ],
)
def test_a_stopped_run_goes_on_with_its_model(name, spec):
    decision = Decision()
    decision.go_on_with(name)
    assert decision.spec == spec


def test_a_kept_reply_decides(recorded, fake_local, tmp_path):
    """A run that began live does not go on with recorded answers, and the other way round."""
    live = ReplyCache(Auto(recorded()), tmp_path / "live.jsonl")
    live.complete(request("c"))
    again = ReplyCache(Auto(recorded()), tmp_path / "live.jsonl")
    assert again.complete(request("a"))[0].text == "live" and again.name == "local:smollm2-135m"
    ReplyCache(Auto(recorded()), tmp_path / "kept.jsonl").complete(request("a"))
    again = ReplyCache(Auto(recorded()), tmp_path / "kept.jsonl")
    with pytest.raises(RecordingMiss, match="does not go on with another model's"):
        again.complete(request("c"))


@pytest.mark.parametrize("resume", [False, True])
def test_a_begun_recording_decides(fake_local, tmp_path, resume):
    path = tmp_path / "r.jsonl"
    from_spec("auto", record_to=path).complete(request("c"))
    model = from_spec("auto", record_to=path, resume=resume)
    known = next(iter(sorted(Recorded().unused())))
    with open(known.path, "rb") as file:
        file.seek(known.offset)
        fields = json.loads(file.readline())["request"]
    fields["messages"] = tuple(Message(**message) for message in fields["messages"])
    # Recorded among what ships, and asked of the local model all the same.
    assert model.complete(Request(**fields))[0].text == "live" and model.name == "local:smollm2-135m"


def test_a_client_that_skips_misses_skips_those_of_auto(recorded, no_local):
    client = Client(Auto(recorded()), skips_misses=True)
    [answers] = client.answer([Ask([request("a"), request("c")])])
    assert answers[0][0].text == "recorded" and answers[1] is None and client.tally.misses == 1
    first = Client(Auto(recorded()), skips_misses=True)
    assert first.answer([Ask([request("c")])]) == [[None]]
