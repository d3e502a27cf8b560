"""The parent's side of the zygotes: one per process, interpreter and set of preloaded modules."""

from __future__ import annotations

import atexit
import collections
import importlib.util
import json
import os
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Deque, Dict, List, Optional, Tuple

from sandbox import protocol
from sandbox.errors import InterpreterMissing, SandboxError, WorkerTimeout

DEFAULT_PRELOAD: Tuple[str, ...] = (
    "__future__",
    "abc",
    "array",
    "bisect",
    "collections",
    "copy",
    "dataclasses",
    "enum",
    "fractions",
    "functools",
    "heapq",
    "itertools",
    "json",
    "linecache",
    "math",
    "numbers",
    "operator",
    "random",
    "re",
    "statistics",
    "string",
    "time",
    "traceback",
    "typing",
)
"""The modules that a program may import. A sealed worker can open no file, so nothing else can be
imported once it runs: **a prompt that asks for a program has to name these**, or the program will
fail on import."""

# -I would do, but it also ignores PYTHONHASHSEED, and without that the order of sets, and so the
# outcome of a search, would differ from run to run. -s -S and a cleaned path (child.py) isolate as
# well.
_FLAGS = ("-s", "-S", "-B")
_ENVIRONMENT = {"PYTHONHASHSEED": "0"}


class ZygoteDied(SandboxError):
    """The zygote is gone or does not answer; a new one may do better."""


def find_interpreter(name: str) -> str:
    """Returns the executable for "cpython" (this one, outside its virtual environment), "pypy" or a path.

    Raises:
      InterpreterMissing: it is not on this machine.
    """
    if name == "cpython":
        if sys.implementation.name != "cpython":
            raise InterpreterMissing(
                "interpreter 'cpython' means the one that runs this process, which is "
                f"{sys.implementation.name}; pass the path of a CPython executable"
            )
        return getattr(sys, "_base_executable", None) or sys.executable
    if name == "pypy":
        found = shutil.which("pypy3") or shutil.which("pypy")
        if found is None:
            raise InterpreterMissing(
                "interpreter 'pypy' needs pypy3 on the PATH, which has none; install it "
                "(apt install pypy3, or conda install -c conda-forge pypy) or use interpreter=cpython"
            )
        return found
    if os.sep not in name:
        raise ValueError(f"interpreter: expected 'cpython', 'pypy' or a path, found {name!r}")
    if not os.access(name, os.X_OK) or os.path.isdir(name):
        raise InterpreterMissing(
            f"interpreter {name!r} is not an executable file; pass the path of a Python 3.9+"
        )
    return os.path.abspath(name)


def _import_folders(executable: str, preload: Sequence[str]) -> List[str]:
    """Returns the folders where this process finds those of `preload` that are not in the standard library.

    Raises:
      SandboxError: there is no such module, or it is one of ours and the interpreter is another.
    """
    folders: List[str] = []
    for name in preload:
        top = name.partition(".")[0]
        if top in sys.stdlib_module_names or top in sys.builtin_module_names:
            continue
        if executable != find_interpreter("cpython"):
            raise SandboxError(
                f"preload: module {top!r} is installed for the interpreter of this process, not for {executable!r}; "
                "leave it out or use interpreter='cpython'"
            )
        spec = importlib.util.find_spec(top)
        if spec is None or not spec.origin:
            raise SandboxError(f"preload: no module named {top!r} can be found; install it or leave it out")
        origin = Path(spec.origin)
        folder = str(origin.parent.parent if spec.submodule_search_locations else origin.parent)
        if folder not in folders:
            folders.append(folder)
    return folders


class Zygote:
    """A running zygote. Thread-safe; one request is in flight at a time.

    Args:
      executable: path of the interpreter.
      preload: names of the modules that workers may import.
      deadline: `time.monotonic()` time by which it has to be ready.

    Raises:
      SandboxError: a module could not be imported, or the interpreter does not start.
      WorkerTimeout: not ready in time.
    """

    def __init__(self, executable: str, preload: Sequence[str], deadline: float):
        self._lock = threading.Lock()
        self._closed = False
        self._abandoned: Deque[int] = collections.deque()
        paths = _import_folders(executable, preload)
        ours, theirs = socket.socketpair()
        command = [executable, *_FLAGS, str(Path(__file__).with_name("child.py"))]
        config = {
            "fd": theirs.fileno(),
            "parent": os.getpid(),
            "preload": list(preload),
            "paths": paths,
            "allowed": sorted(preload),
            "command": command,
        }
        self._socket = ours
        try:
            with theirs:
                self._process = subprocess.Popen(
                    [*command, json.dumps(config)],
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    env=_ENVIRONMENT,
                    cwd="/",
                    pass_fds=(theirs.fileno(),),
                    start_new_session=True,
                )
        except OSError as error:
            ours.close()
            raise SandboxError(f"interpreter {executable!r} could not be started: {error}") from None
        try:
            hello, _ = self._receive(deadline)
        except ZygoteDied:
            code = self._process.poll()
            raise SandboxError(
                f"interpreter {executable!r} ended with status {code} before it was ready; expected a Python 3.9+"
            ) from None
        if "error" in hello:
            self.close()
            raise SandboxError(
                f"the modules to preload could not be imported by {executable!r}: {hello['error']}"
            )

    @property
    def alive(self) -> bool:
        return not self._closed and self._process.poll() is None

    @property
    def pid(self) -> int:
        return self._process.pid

    def _receive(self, deadline: float) -> Tuple[Dict[str, Any], List[int]]:
        try:
            self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
            return protocol.receive_message(self._socket)
        except socket.timeout:
            self.close()
            raise WorkerTimeout(
                "the sandbox's zygote was not ready by the deadline; raise start_seconds"
            ) from None
        except (EOFError, OSError, protocol.FrameError) as error:
            self.close()
            raise ZygoteDied(f"the sandbox's zygote is gone: {error}") from None

    def _exchange(
        self, request: Dict[str, Any], fds: Tuple[int, ...], deadline: float
    ) -> Tuple[Dict[str, Any], List[int]]:
        with self._lock:
            if self._closed:
                raise ZygoteDied("the sandbox's zygote is gone: it was closed")
            try:
                self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
                protocol.send_message(self._socket, request, fds)
            except OSError as error:
                self.close()
                raise ZygoteDied(f"the sandbox's zygote is gone: {error}") from None
            try:
                return self._receive(deadline)
            except BaseException:
                self.close()  # after half an exchange (Ctrl-C, say) the next answer would be the last one's
                raise

    def spawn(self, channel: int, settings: Dict[str, Any], deadline: float) -> Tuple[int, Optional[int]]:
        """Forks a worker that talks over descriptor `channel`; its process id and, where there are
        any, pidfd."""
        answer, fds = self._exchange({"spawn": settings}, (channel,), deadline)
        return answer["pid"], fds[0] if fds else None

    def abandon(self, pid: int) -> None:
        """Notes a killed worker to be reaped with the next one. Takes no lock: garbage collection
        may call it in the middle of anything, an exchange with this zygote included."""
        self._abandoned.append(pid)

    def reap(self, pid: int, deadline: float) -> Optional[int]:
        """Returns the wait status of a worker that has been killed, or None if the zygote died first."""
        pids = []
        while self._abandoned:
            pids.append(self._abandoned.popleft())
        try:
            return self._exchange({"reap": [*pids, pid]}, (), deadline)[0]["status"]
        except (ZygoteDied, WorkerTimeout):
            return None

    def close(self) -> None:
        """Kills the zygote, and with it its workers."""
        if not self._closed:
            self._closed = True
            self._socket.close()
            self._process.kill()
            self._process.wait()


_zygotes: Dict[Tuple[int, str, Tuple[str, ...]], Zygote] = {}
_lock = threading.Lock()


def get_zygote(executable: str, preload: Tuple[str, ...], deadline: float) -> Zygote:
    """Returns this process's zygote for an interpreter and its modules, started (again) if need be."""
    key = (os.getpid(), executable, preload)
    with _lock:
        zygote = _zygotes.get(key)
        if zygote is None or not zygote.alive:
            zygote = Zygote(executable, preload, deadline)
            _zygotes[key] = zygote
        return zygote


def _forget_after_fork() -> None:
    # The zygotes belong to the process we were forked from; so may be the thread that held the
    # lock.
    global _lock
    _lock = threading.Lock()
    for zygote in _zygotes.values():
        zygote._socket.close()
    _zygotes.clear()


def close_all() -> None:
    """Ends this process's zygotes and all their workers."""
    with _lock:
        for (owner, _, _), zygote in list(_zygotes.items()):
            if owner == os.getpid():
                zygote.close()
        _zygotes.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_after_fork)
atexit.register(close_all)
