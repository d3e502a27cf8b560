"""A sealed process for each untrusted program; README.md states its promises and its limits."""

import spielwright_packages  # noqa: F401  (first: binds the names of the suite's packages)

from sandbox.errors import (
    InterpreterMissing,
    ProgramError,
    ProtocolError,
    SandboxError,
    SandboxUnavailable,
    UnserialisableReply,
    WorkerDied,
    WorkerTimeout,
)
from sandbox.worker import Limits, Worker
from sandbox.zygote import DEFAULT_PRELOAD

__all__ = [
    "DEFAULT_PRELOAD",
    "InterpreterMissing",
    "Limits",
    "ProgramError",
    "ProtocolError",
    "SandboxError",
    "SandboxUnavailable",
    "UnserialisableReply",
    "Worker",
    "WorkerDied",
    "WorkerTimeout",
]
