"""One policy in one sealed worker, for one match."""

from __future__ import annotations

import functools
import importlib.resources
import math
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sandbox import (
    InterpreterMissing,
    Limits,
    SandboxError,
    SandboxUnavailable,
    UnserialisableReply,
    Worker,
    WorkerTimeout,
)

_DRIVER = importlib.resources.files("policy_evolve.policies").joinpath("driver.py").read_text("utf-8")
_START_SECONDS = 10.0


@dataclass(frozen=True)
class PolicyLimits:
    """The resources that a policy may use in a match.

    Attributes:
      move_seconds: wall-clock time for one answer, above 0.
      match_seconds: the same for all answers of a match together, above 0. A policy that goes on computing
        after it has answered is bounded by as much CPU time.
      memory_mb: address space of its process in MiB, interpreter included, at least 64.
      characters: the characters of its source, which a new policy must keep to; 0 for any number.
    """

    move_seconds: float = 1.0
    match_seconds: float = 60.0
    memory_mb: int = 512
    characters: int = 0

    def __post_init__(self) -> None:
        for name, value in (("move_seconds", self.move_seconds), ("match_seconds", self.match_seconds)):
            if not 0 < value < 1e6:
                raise ValueError(f"{name} of a policy: expected seconds above 0 and below 1e6, found {value}")
        if not 64 <= self.memory_mb < 1 << 20:
            raise ValueError(f"memory_mb of a policy: expected 64 to {(1 << 20) - 1}, found {self.memory_mb}")


class PolicyFailure(Exception):
    """The failure of a policy to answer.

    Attributes:
      kind: "illegal" for an answer that is not JSON, "timeout", or "crash".
      error: the sandbox's error; for a `ProgramError` with the traceback through the policy.
    """

    def __init__(self, kind: str, error: SandboxError):
        super().__init__(str(error))
        self.kind = kind
        self.error = error


@contextmanager
def failures() -> Iterator[None]:
    """Turns what goes wrong in a worker into `PolicyFailure`, but for a missing sandbox."""
    try:
        yield
    except (SandboxUnavailable, InterpreterMissing):
        raise
    except WorkerTimeout as error:
        raise PolicyFailure("timeout", error) from error
    except UnserialisableReply as error:
        raise PolicyFailure("illegal", error) from error
    except SandboxError as error:
        raise PolicyFailure("crash", error) from error


def cpu_seconds(worker: Worker) -> float:
    """Returns the CPU time of a worker that is alive so far, as the kernel counts it."""
    return int(Path(f"/proc/{worker.report['pid']}/schedstat").read_text("ascii").split()[0]) / 1e9


@functools.cache
def check_sandbox(interpreter: str) -> None:
    """Makes sure that policies can run here; once for each interpreter.

    Raises:
      ValueError: there is no such interpreter, or no sandbox on this machine.
    """
    try:
        Worker("", interpreter=interpreter).close()
    except SandboxError as error:
        raise ValueError(
            f"policies cannot run in the sandbox with interpreter {interpreter!r}: {error}"
        ) from error


class Policy:
    """A policy at the start of a match: a process of its own, and an empty memory.

    What the policy draws from Python's `random` follows from `seed`, unless it seeds that itself.

    Args:
      source: Python, defines `act(observation, memory)`; it may import `sandbox.DEFAULT_PRELOAD`.
      seed: at least 0.
      function: a function of `policy_evolve.policies.driver`, see `policy_evolve.policies.interfaces`.
      limits: see there.
      interpreter: "cpython", "pypy" or a path.

    Raises:
      PolicyFailure: the source cannot be compiled or raises, or defines no `act`.
      sandbox.SandboxUnavailable, sandbox.InterpreterMissing: for want of means here.
    """

    def __init__(
        self,
        source: str,
        seed: int,
        function: str,
        limits: PolicyLimits = PolicyLimits(),
        interpreter: str = "cpython",
    ):
        self._function = function
        self._limits = limits
        self._spent = 0.0
        modules = {"seeding": f"import random\nrandom.seed({seed})\n", "policy": source, "driver": _DRIVER}
        cpu_seconds = math.ceil(limits.match_seconds + _START_SECONDS)
        with failures():
            self._worker = Worker(
                modules,
                interpreter=interpreter,
                limits=Limits(
                    memory_bytes=limits.memory_mb << 20, cpu_seconds=cpu_seconds, start_seconds=_START_SECONDS
                ),
            )

    def answer(self, packed: dict[str, object]) -> object:
        """Returns the policy's answer, a JSON value, to what `Interface.pack` returned.

        Raises:
          PolicyFailure: it raised, took too long, or died; or its answer is not JSON.
        """
        left = self._limits.match_seconds - self._spent
        seconds = min(self._limits.move_seconds, left)
        if seconds <= 0:
            raise PolicyFailure(
                "timeout",
                WorkerTimeout(
                    f"its answers took {self._spent:.1f} s, a match allows {self._limits.match_seconds:g} s"
                ),
            )
        start = time.perf_counter()
        with failures():
            answer = self._worker.call(self._function, packed, timeout=seconds)
        self._spent += time.perf_counter() - start
        return answer

    def remembered(self, most: int = 40, longest: int = 200) -> list[tuple[str, str]]:
        """What the policy keeps in its memory now: at most `most` pairs of a key and a value, as texts of at most `longest`
        characters. The policy says so itself; the time that it takes is not counted.

        Raises:
          PolicyFailure: it cannot tell.
        """
        with failures():
            told = self._worker.call(
                "driver.remembered", most, longest, timeout=min(1.0, self._limits.match_seconds)
            )
        if not isinstance(told, list):
            return []
        pairs = [pair for pair in told if isinstance(pair, list) and list(map(type, pair)) == [str, str]]
        return [(key[:longest], value[:longest]) for key, value in pairs[:most]]

    def cpu_seconds(self) -> float:
        """Returns the CPU time of its process so far, as the kernel counts it."""
        return cpu_seconds(self._worker)

    def close(self) -> None:
        """Ends the process; may be called again."""
        self._worker.close()
