"""The backend `openai:` against a real OpenAI-compatible server, that of llama.cpp, with the real small model."""

import http.server
import json
import os
import signal
import subprocess
import sys
import threading
import urllib.request
from pathlib import Path

import pytest

from language_models import LanguageModelError, Message, Request, RetryPolicy, Transient, from_spec
from language_models.backends.local import serve
from language_models.grammars import OneOf

ONCE = RetryPolicy(attempts=1)
COLOURS = Request((Message("user", "Name three colours."),), max_tokens=6, temperature=0, seed=1)
LONG = Request((Message("user", "Write a story."),), max_tokens=400, temperature=0)


class Server:
    def __init__(self, path):
        settings = {"path": str(path), "host": "127.0.0.1", "context": 512, "slots": 1, "threads": 1}
        self.process = subprocess.Popen(
            [sys.executable, "-P", str(Path(serve.__file__)), json.dumps(settings)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        self.url = self.process.stdout.readline().strip()

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdin.close()
        self.process.stdout.close()


@pytest.fixture(scope="module")
def server(small_model):
    made = Server(small_model)
    yield made
    made.close()


@pytest.fixture(autouse=True)
def environment(monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def model(url, **options):
    options.setdefault("retry", ONCE)
    return from_spec(f"openai:smollm2@{url}/v1", **options)


def test_an_answer(server):
    request = Request(COLOURS.messages, max_tokens=6, temperature=0, top_logprobs=2)
    [completion] = model(server.url).complete(request)
    assert completion.text.startswith("1") and completion.finish_reason == "length"
    assert completion.completion_tokens == 6 and 10 < completion.prompt_tokens < 60
    assert len(completion.logprobs) == 6 and all(len(step["top"]) == 2 for step in completion.logprobs)
    assert completion.model.endswith(".gguf")


def test_several_answers_and_stops(server):
    request = Request(COLOURS.messages, n=2, max_tokens=6, temperature=0, stop=("Red",), seed=1)
    completions = model(server.url).complete(request)
    assert [(completion.text, completion.finish_reason) for completion in completions] == [("1. ", "stop")] * 2


def test_json_and_choices(server):
    schema = {
        "type": "object",
        "required": ["a"],
        "properties": {"a": {"type": "integer"}},
        "additionalProperties": False,
    }
    [completion] = model(server.url).complete(
        Request(COLOURS.messages, json_schema=schema, max_tokens=40, seed=1)
    )
    assert isinstance(json.loads(completion.text)["a"], int)
    [completion] = model(server.url).complete(
        Request(COLOURS.messages, form=OneOf("xyzzy"), max_tokens=40, seed=1)
    )
    assert completion.text == "xyzzy"


def test_too_long_for_the_context(server):
    with pytest.raises(LanguageModelError, match="HTTP 400: .*exceeds the available context size") as caught:
        model(server.url).complete(Request((Message("user", "word " * 600),)))
    assert not isinstance(caught.value, Transient)


def test_no_answer_in_time(server):
    with pytest.raises(Transient, match="did not answer in time"):
        model(server.url, timeout=0.3).complete(LONG)
    assert model(server.url).complete(COLOURS)  # the server has given the story up


class Throttle:
    """A proxy that answers 429 with Retry-After first, and then passes everything on."""

    def __init__(self, url):
        self.arrived = 0
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                proxy.arrived += 1
                if proxy.arrived == 1:
                    data, status = b'{"error": {"message": "slow down"}}', 429
                else:
                    request = urllib.request.Request(
                        url + self.path, body, {"Content-Type": "application/json"}
                    )
                    with urllib.request.urlopen(request) as reply:
                        data, status = reply.read(), reply.status
                self.send_response(status)
                if status == 429:
                    self.send_header("Retry-After", "0.2")
                self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


def test_throttled_and_answered(server):
    proxy = Throttle(server.url)
    waits = RetryPolicy(attempts=2, first_delay=0)
    try:
        throttled = model(proxy.url, retry=waits).complete(COLOURS)
    finally:
        proxy.close()
    assert proxy.arrived == 2
    assert [c.text for c in throttled] == [c.text for c in model(server.url).complete(COLOURS)]


def test_killed_in_the_middle_of_an_answer(small_model):
    server = Server(small_model)
    try:
        threading.Timer(1.0, os.kill, (server.process.pid, signal.SIGKILL)).start()
        with pytest.raises(Transient, match="could not be reached, or the connection broke"):
            model(server.url).complete(LONG)
        with pytest.raises(Transient, match="could not be reached"):
            model(server.url).complete(COLOURS)
    finally:
        server.close()
