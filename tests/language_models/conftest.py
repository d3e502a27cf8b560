"""A scripted HTTP server on loopback that plays the part of a language model's API."""

import http.server
import importlib.util
import json
import threading

import pytest

from language_models.backends.local.models import DEFAULT_MODEL, KNOWN_MODELS

SECRET = "sk-test-0123456789-do-not-print"


class ApiServer:
    """Answers the k-th POST with the k-th entry of `script` (the last one for ever).

    An entry is `(status, headers, body)`, with body bytes or a JSON-able object, or a function of
    the request handler. `requests` holds (path, headers, decoded body) of all that arrived.
    """

    def __init__(self):
        self.script = []
        self.requests = []
        self.release = threading.Event()
        lock = threading.Lock()
        api = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                with lock:
                    entry = api.script[min(len(api.requests), len(api.script) - 1)]
                    api.requests.append((self.path, dict(self.headers), body))
                if callable(entry):
                    entry(self)
                    return
                status, headers, data = entry
                if not isinstance(data, bytes):
                    data = json.dumps(data).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                if "Content-Type" not in headers:
                    self.send_header("Content-Type", "application/json")
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._server.block_on_close = False
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    def hang(self, handler):
        """Never answers, until the test is over."""
        self.release.wait(30)

    @staticmethod
    def cut_off(handler):
        """Promises more bytes than it sends."""
        handler.send_response(200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", "1000")
        handler.end_headers()
        handler.wfile.write(b'{"candidates": [{"con')
        handler.wfile.flush()
        handler.close_connection = True

    def close(self):
        self.release.set()
        self._server.shutdown()
        self._server.server_close()


class GeminiApi:
    """How the Gemini API words its replies (ai.google.dev/api/generate-content)."""

    spec = "gemini:gemini-test"

    @staticmethod
    def reply(*texts, finish="STOP"):
        return (
            200,
            {},
            {
                "candidates": [
                    {"content": {"role": "model", "parts": [{"text": text}]}, "finishReason": finish}
                    for text in texts
                ],
                "usageMetadata": {
                    "promptTokenCount": 11,
                    "candidatesTokenCount": 7,
                    "thoughtsTokenCount": 5,
                    "totalTokenCount": 23,
                },
                "modelVersion": "gemini-test-001",
            },
        )

    @staticmethod
    def failure(status, message="no", headers=None):
        return (status, headers or {}, {"error": {"code": status, "message": message, "status": "SOME_STATUS"}})

    out_of_tokens = (
        200,
        {},
        {
            "candidates": [{"finishReason": "MAX_TOKENS"}],
            "usageMetadata": {"promptTokenCount": 11, "thoughtsTokenCount": 64},
        },
    )
    blocked = (
        200,
        {},
        {"promptFeedback": {"blockReason": "PROHIBITED_CONTENT"}, "usageMetadata": {"promptTokenCount": 11}},
    )
    prompt_tokens, completion_tokens, model = 11, 12, "gemini-test-001"


class OpenAIApi:
    """How OpenAI-compatible servers word theirs (platform.openai.com/docs/api-reference/chat)."""

    @staticmethod
    def _body(choices):
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": "test-001",
            "choices": choices,
            "usage": {"prompt_tokens": 11, "completion_tokens": 12, "total_tokens": 23},
        }

    @classmethod
    def reply(cls, *texts, finish="stop"):
        return (
            200,
            {},
            cls._body(
                [
                    {
                        "index": index,
                        "message": {"role": "assistant", "content": text},
                        "finish_reason": finish,
                        "logprobs": None,
                    }
                    for index, text in enumerate(texts)
                ]
            ),
        )

    @staticmethod
    def failure(status, message="no", headers=None):
        return (
            status,
            headers or {},
            {"error": {"message": message, "type": "some_type", "param": None, "code": None}},
        )

    prompt_tokens, completion_tokens, model = 11, 12, "test-001"

    def __init__(self, url):
        self.spec = f"openai:test@{url}/v1"
        self.out_of_tokens = self.reply(None, finish="length")
        self.blocked = self.reply(None, finish="content_filter")


@pytest.fixture
def server():
    api = ApiServer()
    yield api
    api.close()


@pytest.fixture
def secret():
    return SECRET


@pytest.fixture
def environment(monkeypatch, server):
    """Keys and addresses that lead to the scripted server."""
    for name in ("GOOGLE_API_KEY", "OPENAI_BASE_URL", "GOOGLE_GENAI_USE_VERTEXAI"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    monkeypatch.setenv("GEMINI_API_KEY", SECRET)
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.setenv("GEMINI_BASE_URL", server.url)


@pytest.fixture(params=["gemini", "openai"])
def api(request, environment, server):
    """Either API: its spec, and functions that word its replies."""
    return GeminiApi() if request.param == "gemini" else OpenAIApi(server.url)


@pytest.fixture
def gemini(environment):
    return GeminiApi()


@pytest.fixture
def openai(environment, server):
    return OpenAIApi(server.url)


@pytest.fixture(scope="session")
def small_model():
    """The file of the real small model; tests that need it skip where it, or what runs it, is missing."""
    if importlib.util.find_spec("xllamacpp") is None:
        pytest.skip("the package xllamacpp is missing: run pip install '.[local]'")
    model = KNOWN_MODELS[DEFAULT_MODEL]
    if not model.path.is_file():
        pytest.skip(f"the small model is missing: run {model.command}")
    return model.path
