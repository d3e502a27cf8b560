"""The parent's side of one sealed worker."""

from __future__ import annotations

import math
import os
import secrets
import select
import socket
import sys
import threading
import time
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Optional, Tuple, Union

from sandbox import objects, protocol
from sandbox.errors import (
    ProgramError,
    ProtocolError,
    SandboxError,
    SandboxUnavailable,
    UnserialisableReply,
    WorkerDied,
    WorkerTimeout,
)
from sandbox.process import spawn
from sandbox.zygote import DEFAULT_PRELOAD, find_interpreter

_AWAKE_SECONDS = 0.001
"""For so long an answer is waited for awake, where the one before came as soon: to be woken takes longer than many
answers do."""
_CHUNK = 1 << 16
_MSG_NOSIGNAL = getattr(socket, "MSG_NOSIGNAL", 0)


@dataclass(frozen=True)
class Limits:
    """The resources that one worker may use.

    Attributes:
      memory_bytes: address space, interpreter included (CPython starts with 20 MB, with numpy 115 MB,
        PyPy with 77 MB).
      cpu_seconds: whole seconds of CPU over the worker's life, or None for no limit beyond the
        deadlines.
      call_seconds: wall-clock deadline of one call, in seconds.
      start_seconds: deadline for making the worker and loading the program.
      frame_bytes: largest request or reply as JSON, in bytes.
    """

    memory_bytes: int = 1 << 30
    cpu_seconds: Optional[int] = None
    call_seconds: float = 10.0
    start_seconds: float = 20.0
    frame_bytes: int = 1 << 20

    def __post_init__(self) -> None:
        for name, most in (("memory_bytes", 1 << 62), ("frame_bytes", 1 << 30)):
            value = getattr(self, name)
            if not isinstance(value, int) or not 1 << 16 <= value <= most:
                raise ValueError(f"Limits.{name}: expected bytes, from 65536 to {most}, found {value!r}")
        if self.cpu_seconds is not None and (not isinstance(self.cpu_seconds, int) or self.cpu_seconds < 1):
            raise ValueError(
                f"Limits.cpu_seconds: expected None or whole seconds from 1, found {self.cpu_seconds!r}"
            )
        for name in ("call_seconds", "start_seconds"):
            _check_seconds(f"Limits.{name}", getattr(self, name))


def _check_seconds(name: str, value: Any) -> None:
    if not isinstance(value, (int, float)) or not 0 < value < 1e6:
        raise ValueError(f"{name}: expected a positive number of seconds below 1e6, found {value!r}")


def _check_sources(source: Union[str, Mapping[str, str]], preload: Sequence[str]) -> Sequence[Tuple[str, str]]:
    sources = {"program": source} if isinstance(source, str) else dict(source)
    if not sources:
        raise ValueError("source: expected at least one module, found an empty mapping")
    for name, text in sources.items():
        if not isinstance(name, str) or not name.isidentifier():
            raise ValueError(f"source: expected a module name that is an identifier, found {name!r}")
        if name in sys.stdlib_module_names or name in preload or name.startswith("_sandbox_"):
            raise ValueError(f"source: module name {name!r} is taken by an importable module; choose another")
        if not isinstance(text, str):
            raise ValueError(f"source: expected the text of module {name!r}, found {type(text).__name__}")
    return list(sources.items())


def _printable(text: Any, limit: int) -> str:
    """Returns `text` from a worker, cut to `limit` and without codes that a terminal would obey."""
    if not isinstance(text, str):
        return ""
    return "".join(c if " " <= c <= "~" else " " if c in "\n\t" else "?" for c in text[:limit])


def _check_libraries(libraries: Mapping[str, str], names: Sequence[str], interpreter: str) -> None:
    if libraries and interpreter != "cpython":
        raise ValueError(f"libraries: expected interpreter='cpython' with libraries, found {interpreter!r}")
    for name, path in libraries.items():
        if not isinstance(name, str) or not name.isidentifier() or name in sys.stdlib_module_names:
            raise ValueError(f"libraries: expected a free name that is an identifier, found {name!r}")
        if name in names:
            raise ValueError(f"libraries: the name {name!r} is a module of source; choose another")
        objects.check(path, os.uname().machine, objects.PURE_IMPORTS)


def _check_compiled(
    compiled: Mapping[str, str], sources: Sequence[Tuple[str, str]], interpreter: str
) -> Sequence[Tuple[str, str]]:
    if not compiled:
        return []
    if interpreter != "cpython":
        raise ValueError(
            f"compiled: expected interpreter='cpython' with compiled modules, found {interpreter!r}"
        )
    names = [name for name, _ in sources]
    for name, path in compiled.items():
        if name not in names:
            raise ValueError(f"compiled: expected a module of source ({', '.join(names)}), found {name!r}")
        objects.check(path, os.uname().machine)
    return [(name, compiled[name]) for name in names if name in compiled]


class Worker:
    """One untrusted program in one sealed process.

    A worker can forge any reply: never let it grade itself, and give programs that oppose each
    other a worker each. Thread-safe (calls queue). Not for use in a process forked after it was
    made.

    Args:
      source: the text of one module, called "program", or an ordered mapping from module names to
        texts; each is executed in order, and later ones can import earlier ones.
      limits: see `Limits`.
      interpreter: "cpython" (the one that runs this process), "pypy" (pypy3 on the PATH; without
        numpy), or the path of an executable.
      unsafe: whether to run even where a mandatory layer is missing. All layers that there are still apply.
      preload: the modules that the program may import.
      compiled: absolute paths of shared objects by module name, made for the interpreter of this
        process, each a module's `PyInit_NAME`. They take the place of those modules' sources, of
        which only lines are quoted in errors. They are mapped before the seal and initialised after
        it, so they must hold no constructor; `report["compiled"]` names them.
      libraries: absolute paths of plain shared objects by name, which need no interpreter and call
        nothing but `objects.PURE_IMPORTS`. They are mapped before the seal; `import NAME` gives the
        program a module whose `library` is the `ctypes.CDLL`. `report["libraries"]` names them.

    Raises:
      ProgramError: the program could not be compiled, or raised while its modules were executed.
      SandboxUnavailable: a mandatory layer is missing and `unsafe` is False.
      InterpreterMissing: the interpreter is not on this machine.
      WorkerTimeout, WorkerDied, ProtocolError: as for `call`, under `limits.start_seconds`.
      ValueError: an argument is malformed.
    """

    def __init__(
        self,
        source: Union[str, Mapping[str, str]],
        *,
        limits: Limits = Limits(),
        interpreter: str = "cpython",
        unsafe: bool = False,
        preload: Sequence[str] = DEFAULT_PRELOAD,
        compiled: Mapping[str, str] = MappingProxyType({}),
        libraries: Mapping[str, str] = MappingProxyType({}),
    ):
        sources = _check_sources(source, preload)
        platform_check(unsafe)
        mapped = _check_compiled(compiled, sources, interpreter)
        _check_libraries(libraries, [name for name, _ in sources], interpreter)
        self.limits = limits
        self._lock = threading.RLock()
        self._gone: Optional[str] = None
        self._is_quick = True
        deadline = time.monotonic() + limits.start_seconds
        executable = find_interpreter(interpreter)
        self._process = spawn(
            executable,
            _preload(preload),
            {
                "memory_bytes": limits.memory_bytes,
                "cpu_seconds": limits.cpu_seconds,
                "frame_bytes": limits.frame_bytes,
                "compiled": mapped,
                "libraries": list(libraries.items()),
            },
            deadline,
        )
        self._finalizer = weakref.finalize(self, self._process.abandon)
        self._sock = self._process.sock
        self._poller = select.poll()
        self._poller.register(self._sock, select.POLLIN)
        if self._process.pidfd is not None:
            self._poller.register(self._process.pidfd, select.POLLIN)
        try:
            ready = self._receive(deadline, "start")
            self.report: Mapping[str, Any] = MappingProxyType(
                {
                    "interpreter": executable,
                    "implementation": ready["implementation"],
                    "version": ready["version"],
                    "pid": self._process.pid,
                    "preload": tuple(preload),
                    "compiled": tuple(name for name, _ in mapped),
                    "libraries": tuple(libraries),
                    "layers": {**ready["layers"], "deadline": _DEADLINE_LAYER},
                }
            )
            if not unsafe and any(x["mandatory"] and not x["active"] for x in self.report["layers"].values()):
                raise SandboxUnavailable(self.report)
            if ready["unmapped"]:
                raise SandboxError(
                    "a shared object of compiled or libraries could not be mapped into the worker: "
                    f"{_printable(ready['unmapped'], 400)}; compile it again for this machine"
                )
            self._exchange({"load": sources}, deadline, "load")
        except BaseException:
            self.close()
            raise

    def call(self, function: str, *args: Any, timeout: Optional[float] = None) -> Any:
        """Calls a function of the program and returns its value.

        Args:
          function: "module.function", or a bare name looked up in the last module.
          *args: JSON values (tuples become lists, keys of dictionaries strings).
          timeout: deadline in seconds for the whole exchange; default `limits.call_seconds`.

        Returns:
          The function's value after a passage through JSON: finite numbers, strings, lists,
          dictionaries.

        Raises:
          ProgramError: the function raised, SystemExit and MemoryError included; the worker can
            still be used.
          UnserialisableReply: its value does not fit into JSON or `limits.frame_bytes`; the worker
            can be used.
          WorkerTimeout: the deadline passed. The worker is killed, as after the next two.
          WorkerDied: the process ended, now or earlier.
          ProtocolError: it sent something else than one answer.
          ValueError: an argument does not fit into JSON or `limits.frame_bytes`.
        """
        seconds = self.limits.call_seconds
        if timeout is not None:
            _check_seconds("timeout", timeout)
            seconds = timeout
        with self._lock:
            return self._exchange({"call": [function, args]}, time.monotonic() + seconds, function)

    def close(self) -> None:
        """Kills the process and waits for its end. May be called again, and from any thread."""
        self._process.signal()  # ends a call that another thread may be waiting in
        with self._lock:
            self._end()
            if self._gone is None:
                self._gone = "it was closed"

    def _end(self) -> str:
        self._finalizer.detach()
        if self._process.owner != os.getpid():
            self._process.abandon()
            return "it was closed"
        return self._process.kill()

    @property
    def pid(self) -> int:
        """Number of the worker's process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether a call can be made: the process runs and nothing has gone wrong."""
        if self._gone is not None or self._process.owner != os.getpid():
            return False
        if self._process.pidfd is None:
            return True
        if not self._lock.acquire(blocking=False):
            return True  # another thread is in a call
        try:
            if self._gone is not None:
                return False
            poller = select.poll()
            poller.register(self._process.pidfd, select.POLLIN)
            return not poller.poll(0)
        finally:
            self._lock.release()

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *unused: Any) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "gone" if self._gone is not None else "alive"
        return f"<sandbox.Worker pid={self._process.pid} {state}>"

    def _exchange(self, request: dict, deadline: float, what: str) -> Any:
        if self._gone is not None:
            raise WorkerDied(self._gone)
        if self._process.owner != os.getpid():
            raise SandboxError(
                f"the worker belongs to process {self._process.owner} and cannot be used in process {os.getpid()}, "
                "which was forked from it; make a new Worker here"
            )
        number = secrets.randbits(48)
        try:
            frame = protocol.encode({"id": number, **request}, self.limits.frame_bytes)
        except protocol.FrameError as error:
            raise ValueError(f"arguments of {what}: {error}") from None
        try:
            self._send(frame, deadline, what)
            reply = self._receive(deadline, what)
        except BaseException as error:
            if self._gone is None:  # Ctrl-C, say: the answer is still to come, so nothing can follow
                self._fail(None, f"a call was interrupted by {type(error).__name__}")
            raise
        if not isinstance(reply, dict) or reply.get("id") != number or isinstance(reply["id"], bool):
            self._fail(ProtocolError, f"the answer to {what} does not carry the request's number")
        if "value" in reply and len(reply) == 2:
            return reply["value"]
        if "unserialisable" in reply:
            message = _printable(reply["unserialisable"], 400)
            raise UnserialisableReply(f"{what} returned something that cannot be sent: {message}")
        error = reply.get("error")
        if not isinstance(error, dict):
            self._fail(ProtocolError, f"the answer to {what} holds neither a value nor an error")
        lines = error.get("lines")
        raise ProgramError(
            _printable(error.get("type"), 100) or "Exception",
            _printable(error.get("message"), 2000),
            [_printable(line, 300) for line in lines[:32]] if isinstance(lines, list) else [],
        )

    def _send(self, frame: bytes, deadline: float, what: str) -> None:
        if self._poller.poll(0):
            # Between calls there is nothing to say: this is the end of the process, or a reply
            # prepared for us.
            self._unexpected("before a request", what)
        if time.monotonic() > deadline:
            # The answer could be there sooner than the first look for it.
            self._fail(WorkerTimeout, what)
        view = memoryview(frame)
        poller = None
        while True:
            try:
                view = view[self._sock.send(view, _MSG_NOSIGNAL) :]
            except BlockingIOError:
                pass
            except OSError:
                self._fail(WorkerDied, "")
            if not view:
                return
            if poller is None:
                poller = select.poll()
                poller.register(self._sock, select.POLLOUT)
            if not poller.poll(self._milliseconds(deadline)):
                self._fail(WorkerTimeout, what)

    def _receive(self, deadline: float, what: str) -> Any:
        data = bytearray()
        need = protocol.HEADER.size
        while True:
            ready = self._wait(deadline)
            if not ready:
                self._fail(WorkerTimeout, what)
            try:
                # Also when only the process's end was signalled: it may have answered just before.
                chunk = self._sock.recv(_CHUNK)
            except BlockingIOError:
                self._fail(WorkerDied, "")
            except OSError:
                chunk = b""
            if not chunk:
                self._fail(WorkerDied, "")
            data += chunk
            if len(data) >= protocol.HEADER.size and need == protocol.HEADER.size:
                length = protocol.HEADER.unpack_from(data)[0]
                if length > self.limits.frame_bytes:
                    self._fail(
                        ProtocolError, f"a frame of {length} bytes where {self.limits.frame_bytes} are allowed"
                    )
                need += length
            if len(data) > need:
                self._fail(ProtocolError, f"bytes after the answer to {what}")
            if len(data) == need and need > protocol.HEADER.size:
                try:
                    return protocol.decode(bytes(data[protocol.HEADER.size :]))
                except protocol.FrameError as error:
                    self._fail(ProtocolError, f"a malformed frame: {_printable(str(error), 300)}")

    def _wait(self, deadline: float) -> Any:
        """Events of the worker, none where the deadline passed first."""
        now = start = time.monotonic()
        ready: Any = None
        if self._is_quick:
            asleep = min(start + _AWAKE_SECONDS, deadline)
            while not ready and now < asleep:
                os.sched_yield()
                ready = self._poller.poll(0)
                now = time.monotonic()
        ready = ready or self._poller.poll(self._milliseconds(deadline))
        self._is_quick = time.monotonic() < start + _AWAKE_SECONDS
        return ready

    def _milliseconds(self, deadline: float) -> int:
        return max(math.ceil((deadline - time.monotonic()) * 1000), 0)

    def _unexpected(self, when: str, what: str) -> None:
        try:
            chunk = self._sock.recv(1)
        except OSError:
            chunk = b""
        if chunk:
            self._fail(ProtocolError, f"bytes {when} ({what})")
        self._fail(WorkerDied, "")

    def _fail(self, kind: Optional[type], detail: str) -> Any:
        """Kills the worker and raises `kind`; every later call raises WorkerDied."""
        self._gone = detail
        end = self._end()
        if kind is WorkerTimeout:
            self._gone = f"{detail} did not answer by its deadline, so it was killed"
            raise WorkerTimeout(f"{detail} did not answer by its deadline, so the sandbox worker was killed")
        if kind is ProtocolError:
            self._gone = f"it sent {detail}, so it was killed"
            raise ProtocolError(f"the sandbox worker was killed because it sent {detail}; expected one answer")
        if kind is WorkerDied:
            self._gone = end
            raise WorkerDied(end)


_DEADLINE_LAYER = {"active": True, "mandatory": True, "detail": "enforced by the parent with SIGKILL"}


def platform_check(unsafe: bool) -> None:
    """Refuses platforms where the sandbox would be one in name only.

    Raises:
      SandboxUnavailable: not Linux, and `unsafe` is False; or no fork (Windows), where nothing can
        be done.
    """
    if sys.platform.startswith("linux") or (unsafe and hasattr(os, "fork")):
        return
    detail = f"{sys.platform} has no seccomp, so this is not a sandbox there"
    if not hasattr(os, "fork"):
        detail = f"{sys.platform} has no fork, so workers cannot be made there, not even with unsafe=True"
    raise SandboxUnavailable(
        {"layers": {"seccomp": {"active": False, "mandatory": True, "detail": detail}}, "pid": None}
    )


def _preload(preload: Sequence[str]) -> Tuple[str, ...]:
    # serve.py and the seeding in child.py need these, whatever the program may use
    return tuple(dict.fromkeys(["random", *preload]))
