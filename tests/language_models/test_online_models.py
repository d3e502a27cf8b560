"""The online backends against a server on loopback that answers, throttles, fails and lies."""

import base64
import datetime
import email.utils
import json
import os
import subprocess
import sys

import pytest

from language_models import (
    BadReply,
    Image,
    LanguageModelError,
    Message,
    RateLimited,
    Request,
    RetryPolicy,
    Transient,
    can_score,
    from_spec,
    score,
)
from language_models.grammars import Characters, Json, OneOf, Sequence

ONCE = RetryPolicy(attempts=1)
HELLO = Request((Message("user", "hello"),))


def ask(api, request=HELLO, **options):
    options.setdefault("retry", ONCE)
    return from_spec(api.spec, **options).complete(request)


def test_answer(api, server):
    server.script = [api.reply("good day")]
    [completion] = ask(api)
    assert completion.text == "good day"
    assert completion.finish_reason == "stop"
    assert completion.prompt_tokens == api.prompt_tokens
    assert completion.completion_tokens == api.completion_tokens
    assert completion.model == api.model


def test_several_completions_in_one_call(api, server):
    server.script = [api.reply("a", "b", "c")]
    completions = ask(api, Request((Message("user", "x"),), n=3))
    assert [completion.text for completion in completions] == ["a", "b", "c"]
    assert len(server.requests) == 1
    assert sum(completion.prompt_tokens for completion in completions) == api.prompt_tokens


def test_server_that_ignores_n_is_asked_again_with_other_seeds(api, server):
    server.script = [api.reply("a"), api.reply("b"), api.reply("c")]
    completions = ask(api, Request((Message("user", "x"),), n=3, seed=40))
    assert [completion.text for completion in completions] == ["a", "b", "c"]
    bodies = [body for _, _, body in server.requests]
    assert [body.get("generationConfig", body)["seed"] for body in bodies] == [40, 41, 42]


def test_gemini_that_refuses_several_candidates_is_asked_one_by_one(gemini, server):
    refusal = gemini.failure(400, "Multiple candidates is not enabled for this model")
    server.script = [refusal, gemini.reply("a"), gemini.reply("b")]
    completions = ask(gemini, Request((Message("user", "x"),), n=2))
    assert [completion.text for completion in completions] == ["a", "b"]
    assert len(server.requests) == 3


def test_openai_server_that_refuses_n_is_asked_one_by_one(openai, server):
    """As llama.cpp's does; another refusal stays one."""
    refusal = openai.failure(400, "Field 'n': Value must be between 1 <= value <= 1, but got 2")
    server.script = [refusal, openai.reply("a"), openai.reply("b"), openai.failure(400, "no such model")]
    two = Request((Message("user", "x"),), n=2, seed=7)
    model = from_spec(openai.spec, retry=ONCE)
    assert [completion.text for completion in model.complete(two)] == ["a", "b"]
    assert [body["seed"] for _, _, body in server.requests] == [7, 7, 8]
    with pytest.raises(LanguageModelError, match="no such model"):
        model.complete(two)


def test_too_many_completions(api, server):
    server.script = [api.reply("a", "b")]
    with pytest.raises(BadReply, match="2 completions: expected 1"):
        ask(api)


@pytest.mark.parametrize("status", [400, 401, 403, 404])
def test_refusals_are_not_retried(api, server, status):
    server.script = [api.failure(status, "because of that")]
    with pytest.raises(LanguageModelError, match=f"{status}.*because of that") as caught:
        ask(api, retry=RetryPolicy(attempts=3, first_delay=0))
    assert not isinstance(caught.value, Transient)
    assert len(server.requests) == 1


@pytest.mark.parametrize("status", [500, 502, 503, 504])
def test_failures_are_retried(api, server, status):
    server.script = [api.failure(status), api.failure(status), api.reply("at last")]
    [completion] = ask(api, retry=RetryPolicy(attempts=3, first_delay=0))
    assert completion.text == "at last"
    assert len(server.requests) == 3


def test_one_attempt_is_one_http_request(api, server):
    """The packages have retries of their own, which no budget would see."""
    server.script = [api.failure(500)]
    with pytest.raises(Transient, match="HTTP 500"):
        ask(api)
    assert len(server.requests) == 1


def test_throttled_with_seconds(api, server):
    server.script = [api.failure(429, headers={"Retry-After": "17"})]
    with pytest.raises(RateLimited) as caught:
        ask(api)
    assert caught.value.retry_after == 17


def test_throttled_with_a_date(api, server):
    date = datetime.datetime.now(datetime.UTC) + datetime.timedelta(seconds=90)
    header = email.utils.format_datetime(date, usegmt=True)
    server.script = [api.failure(429, headers={"Retry-After": header})]
    with pytest.raises(RateLimited) as caught:
        ask(api)
    assert 60 < caught.value.retry_after <= 90


def test_gemini_says_when_to_retry_in_the_body(gemini, server):
    status, headers, body = gemini.failure(429)
    body["error"]["details"] = [{"@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "34.5s"}]
    server.script = [(status, headers, body)]
    with pytest.raises(RateLimited) as caught:
        ask(gemini)
    assert caught.value.retry_after == 34.5


def test_server_that_hangs(api, server):
    server.script = [server.hang]
    with pytest.raises(Transient, match="in time"):
        ask(api, timeout=0.2)
    assert len(server.requests) == 1


def test_body_cut_off(api, server):
    server.script = [server.cut_off]
    with pytest.raises(Transient, match="connection broke"):
        ask(api)


def test_nobody_there(api, server):
    server.close()
    with pytest.raises(Transient, match="could not be reached"):
        ask(api)


@pytest.mark.parametrize("kind", ["text/html", "application/json"])
@pytest.mark.parametrize(
    "body",
    [
        b"<html>Welcome to the hotel's network</html>",
        b"",
        b"\xff\xfe\x00",
        b'{"candidates": [',
        b"null",
        b"[]",
        b"3",
        b"{}",
        b'{"candidates": "x", "choices": "x"}',
        b'{"candidates": [], "choices": []}',
        b'{"candidates": [3], "choices": [3]}',
        b'{"choices": [{"message": {"content": [1]}}]}',
    ],
)
def test_replies_that_are_none(api, server, kind, body):
    server.script = [(200, {"Content-Type": kind}, body)]
    with pytest.raises(BadReply, match="test") as caught:
        ask(api, retry=RetryPolicy(attempts=3, first_delay=0))
    assert "\n" not in str(caught.value)
    assert len(server.requests) == 1


def test_out_of_tokens(api, server):
    server.script = [api.out_of_tokens]
    [completion] = ask(api)
    assert (completion.text, completion.finish_reason) == ("", "length")
    assert completion.completion_tokens in (64, 12)


def test_blocked(api, server):
    server.script = [api.blocked]
    [completion] = ask(api)
    assert (completion.text, completion.finish_reason) == ("", "blocked")


def test_gemini_does_not_continue_by_itself(gemini, server):
    """A continuation is another billed request; the package makes it unless told not to."""
    status, headers, body = gemini.reply("first part", finish="CONTINUATION")
    body["candidates"][0]["continuationToken"] = base64.b64encode(b"go on").decode()
    body["continuationToken"] = base64.b64encode(b"go on").decode()
    server.script = [(status, headers, body), gemini.reply("second part")]
    [completion] = ask(gemini)
    assert (completion.text, completion.finish_reason) == ("first part", "length")
    assert len(server.requests) == 1


def test_gemini_thoughts_are_no_answer(gemini, server):
    status, headers, body = gemini.reply("answer")
    body["candidates"][0]["content"]["parts"].insert(0, {"text": "hm", "thought": True})
    server.script = [(status, headers, body)]
    assert ask(gemini)[0].text == "answer"


FULL = Request(
    (
        Message("system", "be brief"),
        Message("user", "look", (Image(b"\x89PNG picture", "image/png"),)),
        Message("assistant", "I see"),
        Message("user", "what?"),
    ),
    temperature=0.5,
    max_tokens=99,
    stop=("END",),
    json_schema={"type": "object", "properties": {"a": {"type": "integer"}}},
    top_logprobs=2,
    seed=7,
)


def test_what_gemini_is_sent(gemini, server, secret):
    server.script = [gemini.reply("{}")]
    ask(gemini, FULL)
    [(path, headers, body)] = server.requests
    assert path.endswith("/models/gemini-test:generateContent")
    assert {name.lower(): value for name, value in headers.items()}["x-goog-api-key"] == secret
    assert body["systemInstruction"]["parts"][0]["text"] == "be brief"
    contents = body["contents"]
    assert [content["role"] for content in contents] == ["user", "model", "user"]
    assert contents[0]["parts"][0]["text"] == "look"
    image = contents[0]["parts"][1]["inlineData"]
    # JSON of protocol buffers may spell a field either way.
    assert (image.get("mimeType") or image.get("mime_type")) == "image/png"
    assert base64.urlsafe_b64decode(image["data"]) == b"\x89PNG picture"
    config = body["generationConfig"]
    assert config["temperature"] == 0.5
    assert config["maxOutputTokens"] == 99
    assert config["stopSequences"] == ["END"]
    assert config["responseMimeType"] == "application/json"
    assert config["responseJsonSchema"] == FULL.json_schema
    assert (config["responseLogprobs"], config["logprobs"]) == (True, 2)
    assert config["seed"] == 7


def test_what_openai_servers_are_sent(openai, server, secret):
    server.script = [openai.reply("{}")]
    ask(openai, FULL)
    [(path, headers, body)] = server.requests
    assert path == "/v1/chat/completions"
    assert {name.lower(): v for name, v in headers.items()}["authorization"] == f"Bearer {secret}"
    assert [message["role"] for message in body["messages"]] == ["system", "user", "assistant", "user"]
    text, image = body["messages"][1]["content"]
    assert text == {"type": "text", "text": "look"}
    header, data = image["image_url"]["url"].split(",")
    assert header == "data:image/png;base64"
    assert base64.b64decode(data) == b"\x89PNG picture"
    assert body["temperature"] == 0.5
    assert body["max_tokens"] == 99
    assert body["stop"] == ["END"]
    assert body["response_format"]["json_schema"]["schema"] == FULL.json_schema
    assert (body["logprobs"], body["top_logprobs"]) == (True, 2)
    assert body["seed"] == 7
    assert "n" not in body


CHOICE = Request(HELLO.messages, form=Sequence("ACTION: ", OneOf("fold", "call")))
FORMED = Request(HELLO.messages, form=Json({"type": "object"}))
SPELLED = Request(HELLO.messages, form=Characters("0-9"))


def test_gemini_is_held_to_forms_that_it_has_a_mode_for(gemini, server):
    server.script = [gemini.reply("ACTION: fold"), gemini.reply("{}"), gemini.reply("3")]
    assert ask(gemini, CHOICE)[0].text == "ACTION: fold"
    ask(gemini, FORMED), ask(gemini, SPELLED)
    choice, formed, spelled = [body.get("generationConfig", {}) for _, _, body in server.requests]
    assert choice["responseMimeType"] == "text/x.enum"
    assert choice["responseSchema"] == {"type": "STRING", "enum": ["ACTION: fold", "ACTION: call"]}
    assert formed == {"responseMimeType": "application/json", "responseJsonSchema": {"type": "object"}}
    assert spelled == {}


def test_openai_servers_are_held_to_forms_as_json(openai, server):
    """A choice is a field of an object, because servers take objects only; the reply is unwrapped."""
    server.script = [openai.reply('{"choice": "ACTION: fold"}'), openai.reply("{}"), openai.reply("3")]
    assert ask(openai, CHOICE)[0].text == "ACTION: fold"
    ask(openai, FORMED), ask(openai, SPELLED)
    choice, formed, spelled = [body.get("response_format") for _, _, body in server.requests]
    field = choice["json_schema"]["schema"]["properties"]["choice"]
    assert field == {"type": "string", "enum": ["ACTION: fold", "ACTION: call"]}
    assert formed["json_schema"]["schema"] == {"type": "object"} and spelled is None


@pytest.mark.parametrize("reply", ['{"choice": "ACT', "fold", '{"choice": 3}', "[1]"])
def test_a_choice_that_is_none_is_given_as_it_is(openai, server, reply):
    server.script = [openai.reply(reply)]
    assert ask(openai, CHOICE)[0].text == reply


def test_continuations_are_refused(api, server):
    model = from_spec(api.spec)
    with pytest.raises(LanguageModelError, match="no log-probabilities of given continuations"):
        score(model, HELLO, ["a"])
    with pytest.raises(LanguageModelError, match="no log-probabilities of given continuations"):
        model.complete(Request(HELLO.messages, continuations=("a",)))
    assert not can_score(model) and not server.requests


def test_defaults_are_left_to_the_model(api, server):
    server.script = [api.reply("x")]
    ask(api)
    body = server.requests[0][2]
    assert not set(body.get("generationConfig", {}))
    assert not set(body) - {"model", "messages", "contents", "generationConfig"}


def test_gemini_logprobs(gemini, server):
    status, headers, body = gemini.reply("ab")
    body["candidates"][0]["logprobsResult"] = {
        "chosenCandidates": [{"token": "a", "logProbability": -0.25}, {"token": "b", "logProbability": -1.5}],
        "topCandidates": [
            {"candidates": [{"token": "a", "logProbability": -0.25}]},
            {"candidates": [{"token": "c", "logProbability": -1.0}, {"token": "b", "logProbability": -1.5}]},
        ],
    }
    server.script = [(status, headers, body)]
    assert ask(gemini)[0].logprobs == [
        {"token": "a", "logprob": -0.25, "top": [{"token": "a", "logprob": -0.25}]},
        {
            "token": "b",
            "logprob": -1.5,
            "top": [{"token": "c", "logprob": -1.0}, {"token": "b", "logprob": -1.5}],
        },
    ]


def test_openai_logprobs(openai, server):
    status, headers, body = openai.reply("a")
    body["choices"][0]["logprobs"] = {
        "content": [
            {
                "token": "a",
                "logprob": -0.25,
                "bytes": [97],
                "top_logprobs": [{"token": "b", "logprob": -2.0, "bytes": None}],
            }
        ]
    }
    server.script = [(status, headers, body)]
    assert ask(openai)[0].logprobs == [
        {"token": "a", "logprob": -0.25, "top": [{"token": "b", "logprob": -2.0}]}
    ]


def test_secret_is_nowhere(api, server, secret, tmp_path, caplog):
    """Not in messages, recordings or logs, even where the server echoes the key."""
    caplog.set_level("DEBUG")
    server.script = [
        api.failure(503, f"overloaded, {secret}"),
        api.reply("fine"),
        api.failure(400, f"API key not valid: {secret}"),
        (200, {"Content-Type": "text/html"}, f"<html>{secret}</html>".encode()),
    ]
    model = from_spec(
        api.spec,
        record_to=tmp_path / "record.jsonl",
        log_to=tmp_path / "log.jsonl",
        retry=RetryPolicy(attempts=2, first_delay=0),
    )
    model.complete(HELLO)
    for error in (LanguageModelError, BadReply):
        with pytest.raises(error) as caught:
            model.complete(HELLO)
        assert secret not in str(caught.value)
        assert caught.value.__suppress_context__
    log = (tmp_path / "log.jsonl").read_text()
    assert "[key]" in log
    assert secret not in log + (tmp_path / "record.jsonl").read_text() + model.name
    # The packages' own debug output quotes what servers send, and is theirs to keep.
    assert secret not in "\n".join(
        record.getMessage() for record in caplog.records if record.levelname != "DEBUG"
    )


@pytest.mark.parametrize(
    "spec, variable", [("gemini:gemini-2.5-flash", "GEMINI_API_KEY"), ("openai:some-model", "OPENAI_API_KEY")]
)
def test_missing_key(monkeypatch, spec, variable):
    for name in ("GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(LanguageModelError, match=variable):
        from_spec(spec)


def test_local_server_needs_no_key(openai, server, monkeypatch):
    monkeypatch.delenv("OPENAI_API_KEY")
    server.script = [openai.reply("free")]
    assert ask(openai)[0].text == "free"


def test_google_key_serves_gemini(gemini, server, monkeypatch):
    monkeypatch.delenv("GEMINI_API_KEY")
    monkeypatch.setenv("GOOGLE_API_KEY", "other")
    server.script = [gemini.reply("x")]
    ask(gemini)
    headers = {name.lower(): value for name, value in server.requests[0][1].items()}
    assert headers["x-goog-api-key"] == "other"


@pytest.mark.parametrize(
    "spec, command",
    [
        ("gemini:m", "pip install google-genai"),
        ("openai:m@http://localhost:1/v1", "pip install 'spielwright[openai]'"),
    ],
)
def test_missing_package_names_the_command(environment, monkeypatch, spec, command):
    package = "openai" if spec.startswith("openai") else "google"
    monkeypatch.setitem(sys.modules, package, None)
    with pytest.raises(LanguageModelError) as caught:
        from_spec(spec)
    assert command in str(caught.value)


def test_importing_the_room_imports_no_backend():
    program = (
        "import json, sys, language_models; "
        "print(json.dumps([m for m in sys.modules if m.split('.')[0] in ('google', 'openai')]))"
    )
    out = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        check=True,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(p for p in sys.path if p)},
    ).stdout
    assert not [m for m in json.loads(out) if m.startswith(("google.genai", "openai"))]
