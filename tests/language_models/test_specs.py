"""Spec strings, and many requests at once."""

import os
import subprocess
import sys
import threading
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from language_models import (
    Budgeted,
    CallLogged,
    Completion,
    LanguageModelError,
    Message,
    Recorded,
    Recorder,
    Request,
    Retrying,
    Spool,
    UnknownBackend,
    complete_many,
    find_layer,
    from_spec,
)

names = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,20}", fullmatch=True)


@settings(max_examples=20, deadline=None, database=None)
@given(names)
def test_gemini_names(name):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GEMINI_API_KEY", "k")
        assert from_spec(f"gemini:{name}").name == f"gemini:{name}"


@settings(max_examples=20, deadline=None, database=None)
@given(st.lists(names, min_size=1, max_size=3), st.integers(1, 65535))
def test_openai_names_hold_colons_and_slashes(parts, port):
    """As Ollama (`qwen3:8b`) and vLLM (`org/model`) write them."""
    for model in (":".join(parts), "/".join(parts)):
        spec = f"openai:{model}@http://localhost:{port}/v1"
        assert from_spec(spec).name == spec


@settings(max_examples=20, deadline=None, database=None)
@given(st.text())
def test_any_other_text_is_one_sentence(text):
    if text.partition(":")[0] in ("gemini", "openai", "recorded", "spool"):
        return
    with pytest.raises(UnknownBackend) as caught:
        from_spec(text)
    assert str(caught.value).isprintable()


@pytest.mark.parametrize(
    "spec, words",
    [
        ("gemni:x", "did you mean gemini:MODEL"),
        ("Gemini:x", "did you mean gemini:MODEL"),
        ("open-ai:x", "did you mean openai:MODEL@BASE_URL"),
        ("record:x", "did you mean recorded"),
        ("spol:x", "did you mean spool:DIR"),
        ("claude", "expected gemini:MODEL, openai"),
        ("", "expected gemini:MODEL, openai"),
        ("gemini", "incomplete: expected gemini:MODEL"),
        ("gemini:", "incomplete"),
        ("gemini: x", "incomplete"),
        ("gemini:a b", "malformed name 'a b'"),
        ("gemini:x@http://localhost", "malformed name"),
        ("openai:", "incomplete"),
        ("openai:@http://localhost/v1", "malformed"),
        ("openai:x@", "malformed"),
        ("openai:x@localhost:8000", "malformed"),
        ("openai:x@ftp://localhost", "malformed"),
        ("openai:x@http://localhost/v1?a=b", "malformed"),
        ("recorded:", "incomplete"),
        ("spool", "incomplete"),
        ("local:", "incomplete"),
        ("auto:x", "incomplete"),
        ("random:", "incomplete"),
        ("random:x", "has the seed 'x': expected random or random:SEED"),
        ("constant", "incomplete: expected constant:FILE"),
        ("locl", "did you mean local"),
    ],
)
def test_malformed_specs(spec, words):
    with pytest.raises(UnknownBackend, match=words):
        from_spec(spec)


def test_password_in_a_url_is_refused_and_not_echoed():
    with pytest.raises(UnknownBackend, match="OPENAI_API_KEY") as caught:
        from_spec("openai:x@http://me:hunter2@localhost/v1")
    assert "hunter2" not in str(caught.value)


def test_what_is_around_a_model(environment, tmp_path):
    model = from_spec("gemini:m", budget="calls=1", record_to=tmp_path / "r.jsonl", log_to=tmp_path / "l.jsonl")
    layers = []
    while hasattr(model, "model"):
        layers.append(type(model))
        model = model.model
    assert layers == [Retrying, Budgeted, CallLogged, Recorder]


def test_offline_models_cost_nothing_and_are_not_retried(tmp_path):
    model = from_spec(f"spool:{tmp_path}", budget="usd=1")
    assert find_layer(model, Retrying) is None
    assert isinstance(find_layer(model, Spool), Spool)


def test_recordings_are_not_recorded(tmp_path):
    with pytest.raises(LanguageModelError, match="drop --record"):
        from_spec("recorded", record_to=tmp_path / "r.jsonl")
    assert not (tmp_path / "r.jsonl").exists()


def test_bare_recorded_is_the_shipped_folder():
    assert from_spec("recorded").name == "recorded"
    assert find_layer(from_spec("recorded"), Recorded) is not None


def requests(count):
    return [Request((Message("user", str(index)),)) for index in range(count)]


def answer(request):
    return [Completion(request.messages[0].content, "stop", None, None, None, "m")]


def texts(answers):
    return [completion.text for [completion] in answers]


class Function:
    name = "function"

    def __init__(self, function):
        self.complete = function


def test_order_is_kept_whoever_is_first():
    """Every call waits for the one after it, so that they end in reverse order."""
    done = [threading.Event() for _ in range(6)] + [threading.Event()]
    done[6].set()

    def complete(request):
        index = int(request.messages[0].content)
        assert done[index + 1].wait(5)
        done[index].set()
        return answer(request)

    assert texts(complete_many(Function(complete), requests(6), 6)) == list("012345")


def test_no_more_at_once_than_allowed():
    lock, now, most = threading.Lock(), 0, 0
    both = threading.Barrier(2, timeout=5)

    def complete(request):
        nonlocal now, most
        with lock:
            now += 1
            most = max(most, now)
        both.wait()
        with lock:
            now -= 1
        both.wait()
        return answer(request)

    assert texts(complete_many(Function(complete), requests(8), 2)) == list("01234567")
    assert most == 2


def test_one_at_a_time_is_in_order_and_in_this_thread():
    asked = []

    def complete(request):
        asked.append((request.messages[0].content, threading.current_thread()))
        return answer(request)

    complete_many(Function(complete), requests(4), 1)
    assert asked == [(str(index), threading.main_thread()) for index in range(4)]


def test_first_error_drops_the_rest_and_waits_for_nobody():
    asked = []
    release = threading.Event()

    def complete(request):
        asked.append(request)
        if request.messages[0].content == "1":
            raise LanguageModelError("the second")
        release.wait(20)
        return answer(request)

    start = time.monotonic()
    with pytest.raises(LanguageModelError, match="the second"):
        complete_many(Function(complete), requests(50), 2)
    assert time.monotonic() - start < 10
    assert len(asked) == 2
    release.set()


def test_batches_are_used_where_there_are_any():
    model = Function(None)
    model.complete_batch = lambda batch: [answer(request) for request in batch]
    assert texts(complete_many(model, requests(3), 8)) == list("012")
    assert complete_many(Function(None), []) == []
    with pytest.raises(ValueError, match="max_concurrency=0"):
        complete_many(model, requests(1), 0)


def test_stopped_program_does_not_wait_for_slow_servers():
    program = """
import threading
from language_models import Message, Request, complete_many

class Model:
    name = "m"
    def complete(self, request):
        if request.messages[0].content == "1":
            raise KeyboardInterrupt
        threading.Event().wait(60)

complete_many(Model(), [Request((Message("user", str(i)),)) for i in range(4)], 2)
"""
    path = os.pathsep.join(entry for entry in sys.path if entry)
    result = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=30,
        env={**os.environ, "PYTHONPATH": path},
    )
    assert "KeyboardInterrupt" in result.stderr
