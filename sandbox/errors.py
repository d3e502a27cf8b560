"""Errors of the sandbox.

All derive from :class:`SandboxError` and can be pickled, so that an executor may carry them between
processes. Text that came from a worker has been reduced to printable ASCII of bounded length before
it gets here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


class SandboxError(Exception):
    """The base of all errors that occur while running untrusted code."""


class ProgramError(SandboxError):
    """The untrusted program raised, while it was loaded or called. The worker can still be used.

    Attributes:
      type_name: name of the exception's class, such as ``"IndexError"``.
      message: its text.
      traceback_lines: outermost first, ``"module:line in function: source text"``; frames of the
        program only, so that the lines can be shown to whoever (or whatever) wrote it. Empty if
        there are none.
    """

    def __init__(self, type_name: str, message: str, traceback_lines: Sequence[str] = ()):
        self.type_name = type_name
        self.message = message
        self.traceback_lines = tuple(traceback_lines)
        super().__init__(type_name, message, self.traceback_lines)

    def __str__(self) -> str:
        where = f" at {self.traceback_lines[-1]}" if self.traceback_lines else ""
        return f"the program raised {self.type_name}: {self.message}{where}"


class WorkerTimeout(SandboxError):
    """The deadline passed; the worker has been killed."""


class WorkerDied(SandboxError):
    """The worker process is gone.

    Attributes:
      reason: the reason, such as ``"killed by SIGSEGV (it crashed, ...)"``.
    """

    def __init__(self, reason: str):
        self.reason = reason
        super().__init__(reason)

    def __str__(self) -> str:
        return f"the sandbox worker is gone: {self.reason}; make a new Worker"


class ProtocolError(SandboxError):
    """The worker sent something that is not an answer to the request; it has been killed."""


class UnserialisableReply(SandboxError):
    """The function returned something that JSON cannot hold, or too much. The worker can still be
    used."""


class InterpreterMissing(SandboxError):
    """The interpreter asked for is not on this machine."""


class SandboxUnavailable(SandboxError):
    """A mandatory layer of the sandbox is missing here and ``unsafe`` was not given.

    Attributes:
      report: the report as :attr:`sandbox.Worker.report`; ``report["layers"]`` says which layer is missing and
        why.
    """

    def __init__(self, report: Mapping[str, Any]):
        self.report = dict(report)
        super().__init__(self.report)

    def __str__(self) -> str:
        missing = "; ".join(
            f"{name}: {layer['detail']}"
            for name, layer in self.report.get("layers", {}).items()
            if layer["mandatory"] and not layer["active"]
        )
        return (
            f"the sandbox refuses to run untrusted code here because a mandatory layer is missing ({missing}); "
            "use Linux 4.14 or later on x86_64 or aarch64, or pass unsafe=True to run without that wall"
        )
