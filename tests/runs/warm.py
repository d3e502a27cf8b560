"""Commands in processes of their own, without the second that each would take to import the suite.

`run("arena.list", "bots")` is `subprocess.run([sys.executable, "-m", "arena.list", "bots"], capture_output=True,
text=True)`: the same streams, folder, environment and exit status. But from the second time on the process is forked
from one that has imported this command and nothing else. A test that presses Ctrl-C, kills, or is about how a
command starts makes its process itself.
"""

from __future__ import annotations

import array
import atexit
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
MOST_SERVERS = 4
"""A test file has few commands, and each server takes some 80 MB."""
SERVE = """
import array, gc, importlib, json, os, runpy, socket, sys

def become(told, streams):
    channel.close()
    for target, stream in enumerate(streams):
        os.dup2(stream, target)
        os.close(stream)
    os.chdir(told["folder"])
    sys.path[0] = told["folder"]
    sys.argv = [module, *told["flags"]]
    for name in names:  # it runs as __main__
        sys.modules.pop(name, None)
    runpy.run_module(module, run_name="__main__", alter_sys=True)

channel, module = socket.socket(fileno=int(sys.argv[1])), sys.argv[2]
names = {module}
try:
    names.add(importlib.import_module(module).__name__)  # another one where the module has moved
except Exception:
    pass  # the command itself will say so
gc.freeze()
while True:
    text, streams, _, _ = socket.recv_fds(channel, 1 << 20, 3)
    if not text:
        break
    child = os.fork()
    if child == 0:
        become(json.loads(text), streams)
        break
    for stream in streams:
        os.close(stream)
    channel.sendall(array.array("i", [child]).tobytes())
    channel.sendall(array.array("i", [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])]).tobytes())
"""


class _Server:
    """A process that has imported a command, in an environment; it ends with the process that asks it."""

    def __init__(self, module: str, environment: dict[str, str]):
        self._channel, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-c", SERVE, str(theirs.fileno()), module],
                stdin=subprocess.DEVNULL,
                env=environment,
                pass_fds=[theirs.fileno()],
            )

    def run(self, told: dict[str, object], streams: list[int], timeout: float) -> int:
        socket.send_fds(self._channel, [json.dumps(told).encode()], streams)
        child = self._number()
        self._channel.settimeout(timeout)
        try:
            return self._number()
        except TimeoutError:
            os.kill(child, signal.SIGKILL)
            self._channel.settimeout(None)
            self._number()
            raise subprocess.TimeoutExpired(str(told["flags"]), timeout) from None
        finally:
            self._channel.settimeout(None)

    def _number(self) -> int:
        answer = self._channel.recv(4, socket.MSG_WAITALL)
        assert len(answer) == 4, "the process that runs commands has ended"
        return array.array("i", answer)[0]

    def close(self) -> None:
        self._channel.close()
        self._process.wait()


_servers: dict[tuple[str, str], _Server] = {}


@atexit.register
def _close_servers(left: int = 0) -> None:
    while len(_servers) > left:
        _servers.pop(next(iter(_servers))).close()


def _server(module: str, environment: dict[str, str]) -> _Server:
    key = module, json.dumps(environment, sort_keys=True)
    if key not in _servers:
        _close_servers(MOST_SERVERS - 1)
        _servers[key] = _Server(module, environment)
    return _servers[key]


def run(module, *flags, cwd=ROOT, env=None, timeout=120.0, input="") -> subprocess.CompletedProcess[str]:
    """Runs a command of the suite as `python -m module flags` does.

    Args:
      env: the whole environment, by default that of the tests; PYTHONPATH leads to the suite in any case.
      input: what it can read.

    Raises:
      subprocess.TimeoutExpired: it had not ended after `timeout` seconds, and was killed.
    """
    environment = {**(os.environ if env is None else env), "PYTHONPATH": str(ROOT)}
    environment.pop("PYTEST_CURRENT_TEST", None)  # which changes with every test
    server = _server(module, environment)
    told = {"flags": [str(flag) for flag in flags], "folder": str(cwd)}
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        given.write(input.encode())
        given.seek(0)
        status = server.run(told, [given.fileno(), out.fileno(), err.fileno()], timeout)
        printed = []
        for file in (out, err):
            file.seek(0)
            printed.append(file.read().decode())
    return subprocess.CompletedProcess([module, *told["flags"]], status, *printed)
