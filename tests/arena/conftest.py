from __future__ import annotations

import itertools
import json
import shutil
import subprocess
import time

import pytest

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-port=0",
)
KEYS = {"ArrowLeft": 37, "ArrowRight": 39, "Home": 36, "End": 35, " ": 32}
SCREENS = {
    "desk": {"width": 1280, "height": 900, "mobile": False},
    "phone": {"width": 360, "height": 740, "mobile": True},
}


class Browser:
    """One tab of a browser, at the other end of a DevTools socket."""

    def __init__(self, socket):
        self._socket = socket
        self._numbers = itertools.count(1)
        self._session = {}
        self.events = []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = {"sessionId": attached["sessionId"]}
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def call(self, method, **parameters):
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": parameters, **self._session}))
        while (answer := json.loads(self._socket.recv(timeout=60))).get("id") != number:
            self.events.append(answer)
        assert "error" not in answer, answer["error"]
        return answer["result"]

    def open(self, url, screen="desk", scheme="light"):
        self.call("Emulation.setDeviceMetricsOverride", deviceScaleFactor=1, **SCREENS[screen])
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url="about:blank")
        self.events.clear()
        self.call("Page.navigate", url=url)
        while self.run("location.href + document.readyState") != f"{url}complete":
            time.sleep(0.02)

    def run(self, code):
        """The value of a JavaScript expression, once the page has unpacked the replay that it shows."""
        while self._value("!!document.querySelector('[aria-busy=true]')"):
            time.sleep(0.01)
        return self._value(code)

    def _value(self, code):
        answer = self.call("Runtime.evaluate", expression=code, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in answer, answer["exceptionDetails"]
        return answer["result"].get("value")

    def key(self, key):
        for kind in ("keyDown", "keyUp"):
            self.call(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                windowsVirtualKeyCode=KEYS[key],
                **({"text": " "} if key == " " and kind == "keyDown" else {}),
            )


@pytest.fixture(scope="session")
def browser(tmp_path_factory):
    """A tab of Chromium without a window, driven over its DevTools protocol."""
    client = pytest.importorskip("websockets.sync.client", reason="drives the browser: pip install websockets")
    program = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
    if program is None:
        pytest.skip("there is no Chromium here: apt-get install chromium")
    folder = tmp_path_factory.mktemp("browser")
    process = subprocess.Popen(
        [program, *FLAGS, f"--user-data-dir={folder}", "about:blank"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        port = folder / "DevToolsActivePort"
        deadline = time.monotonic() + 60
        while not (port.exists() and len(port.read_text().split()) == 2):
            assert process.poll() is None and time.monotonic() < deadline, "Chromium does not start"
            time.sleep(0.05)
        number, address = port.read_text().split()
        # No keepalive: between two tests that look at pages nobody reads, and an unread answer would end the connection.
        address = f"ws://127.0.0.1:{number}{address}"
        with client.connect(address, max_size=None, ping_interval=None) as socket:
            yield Browser(socket)
            socket.send(json.dumps({"id": 0, "method": "Browser.close"}))
            process.wait(timeout=30)
    finally:
        process.kill()
