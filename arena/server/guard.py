"""Which requests are answered at all: an ASGI application around another one.

* The `Host` header must be one by which this server is called; so a page elsewhere whose name is made to point here
  (DNS rebinding) is refused.
* A POST must hold JSON and, where a browser sends it, come from a page of this server (`Origin`, `Sec-Fetch-Site`); so
  a form or a script elsewhere is refused.
* With a token, every address below /api/ asks for it; it is compared in constant time.
* Addresses and bodies have a largest size.

Every answer carries a policy by which the browser loads, runs and sends nothing but from and to this server.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable, Collection, MutableMapping
from typing import Any

MOST_BODY = 64 * 1024
MOST_ADDRESS = 2048
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"x-frame-options", b"DENY"),
)

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]


class Guard:
    """Args:
    app: what is guarded.
    hosts: values of `Host` by which the server is called, in lower case, such as `localhost:8000`.
    token: what visitors must know; None for no token.
    """

    def __init__(self, app: App, hosts: Collection[str], token: str | None = None):
        self._app = app
        self._hosts = frozenset(hosts)
        self._origins = frozenset(f"{kind}://{host}" for host in hosts for kind in ("http", "https"))
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return  # there are no web sockets
        sentence, status = self._refusal(scope)
        if sentence:
            await _refuse(send, status, sentence)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), *HEADERS]
            await send(message)

        if scope["method"] == "POST":
            body = await _body(receive)
            if body is None:
                await _refuse(send, 413, f"a request's body has at most {MOST_BODY} bytes")
                return
            receive = _given(body, receive)
        await self._app(scope, receive, with_headers)

    def _refusal(self, scope: Scope) -> tuple[str, int]:
        """Why a request is not answered, in one sentence, and the status; an empty sentence where it is."""
        headers: dict[bytes, bytes] = {}
        for name, value in scope["headers"]:
            if name in (b"host", b"origin", b"content-length", b"authorization") and name in headers:
                return "a header stands twice", 400
            headers[name] = value
        host = headers.get(b"host", b"").decode("latin-1").lower()
        if host not in self._hosts:
            return (
                f"this server is not called {host[:80]!r}; expected one of {', '.join(sorted(self._hosts))}",
                421,
            )
        if len(scope.get("raw_path") or b"") + len(scope.get("query_string", b"")) > MOST_ADDRESS:
            return f"an address has at most {MOST_ADDRESS} characters", 414
        method, path = scope["method"], scope["path"]
        if method not in ("GET", "HEAD", "POST"):
            return "expected GET, HEAD or POST", 405
        site = headers.get(b"sec-fetch-site", b"same-origin").decode("latin-1")
        if path.startswith("/api/") and site not in ("same-origin", "none"):
            return "the page that asks belongs to another server", 403
        if method == "POST":
            origin = headers.get(b"origin")
            if origin is not None and origin.decode("latin-1").lower() not in self._origins:
                return "the page that sends this belongs to another server", 403
            kind = headers.get(b"content-type", b"").partition(b";")[0].strip().lower()
            if kind != b"application/json":
                return "expected a body of the type application/json", 415
            length = headers.get(b"content-length", b"0")
            if not length.isdigit() or int(length) > MOST_BODY:
                return f"a request's body has at most {MOST_BODY} bytes", 413
        if self._token is not None and path.startswith("/api/"):
            given = headers.get(b"authorization", b"")
            if not hmac.compare_digest(given, b"Bearer " + self._token.encode()):
                return "expected the token that the server showed when it started", 401
        return "", 200


async def _body(receive: Receive) -> bytes | None:
    """The body of a request, whether or not its length was said; None where it is too large."""
    body = b""
    while True:
        message = await receive()
        body += message.get("body", b"")
        if len(body) > MOST_BODY:
            return None
        if message["type"] != "http.request" or not message.get("more_body"):
            return body


def _given(body: bytes, receive: Receive) -> Receive:
    """Hands out a body that has been read, and then what else comes."""
    waiting = [{"type": "http.request", "body": body, "more_body": False}]

    async def received() -> Message:
        return waiting.pop() if waiting else await receive()

    return received


async def _refuse(send: Send, status: int, sentence: str) -> None:
    body = json.dumps({"error": sentence}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode()), *HEADERS]
    if status in (413, 421):
        headers.append((b"connection", b"close"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
