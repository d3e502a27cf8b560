from __future__ import annotations

import concurrent.futures
import contextlib
import http.client
import json
import socket
import threading
import time

import pytest

SECONDS = 120


class Site:
    """A server in a thread of this process, and what a visitor does with it."""

    def __init__(self, folder, *, token=None, remote=False, databases=None, offered=(), show_all=False):
        uvicorn = pytest.importorskip("uvicorn", reason="pip install 'spielwright[web]'")
        from arena.server.app import make_app
        from arena.server.guard import Guard
        from arena.server.permissions import Permissions
        from arena.server.routes.house import House
        from arena.server.started import Runs
        from arena.server.tables import Tables

        self.house = House(
            Tables(folder, show_all=show_all),
            Runs(folder / "runs"),
            Permissions(remote=remote, offered=offered),
            databases or {},
            # Threads, as this process has loaded all games already.
            pool=concurrent.futures.ThreadPoolExecutor(2),
            prepares=False,
        )
        listening = socket.create_server(("127.0.0.1", 0), backlog=512)
        self.port = listening.getsockname()[1]
        self.name = f"127.0.0.1:{self.port}"
        self.address = f"http://{self.name}"
        self.token = token
        app = Guard(make_app(self.house), [self.name, f"localhost:{self.port}"], token)
        config = uvicorn.Config(
            app, log_level="critical", lifespan="on", ws="none", timeout_graceful_shutdown=1
        )
        self._server = uvicorn.Server(config)
        self._thread = threading.Thread(target=self._server.run, kwargs={"sockets": [listening]}, daemon=True)
        self._thread.start()
        self.until(lambda: self._server.started)

    def close(self):
        self._server.should_exit = True
        self._thread.join(SECONDS)

    @staticmethod
    def until(true):
        deadline = time.monotonic() + SECONDS
        while not (found := true()):
            assert time.monotonic() < deadline, "it did not happen in time"
            time.sleep(0.01)
        return found

    def ask(self, method, path, body=None, headers=None):
        """(status, headers, content) of one request, which carries what a browser would send."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        given = {"Content-Type": "application/json"} if method == "POST" else {}
        if self.token:
            given["Authorization"] = f"Bearer {self.token}"
        with contextlib.closing(connection):
            connection.request(method, path, body, {**given, **(headers or {})})
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()

    def get(self, path, key=None):
        status, _, content = self.ask("GET", path, headers={"X-Key": key} if key else {})
        assert status == 200, content
        return json.loads(content)

    def post(self, path, value, key=None, status=(200, 201)):
        found, _, content = self.ask("POST", path, json.dumps(value), {"X-Key": key} if key else {})
        assert found in status, content
        return json.loads(content)

    def events(self, path, key=None):
        """The whole text of a stream that ends by itself."""
        status, _, content = self.ask("GET", path, headers={"X-Key": key} if key else {})
        assert status == 200, content
        return content.decode()


@pytest.fixture
def open_site(tmp_path):
    """Opens servers that end with the test."""
    with contextlib.ExitStack() as stack:

        def opened(**options):
            site = Site(options.pop("folder", tmp_path / "table"), **options)
            stack.callback(site.close)
            return site

        yield opened


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """One server for the tests of a module."""
    pytest.importorskip("starlette", reason="pip install 'spielwright[web]'")
    found = Site(tmp_path_factory.mktemp("site") / "table")
    yield found
    found.close()
