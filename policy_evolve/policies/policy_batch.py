"""One policy in many matches side by side, in one sealed worker: see `batch_driver`."""

from __future__ import annotations

import importlib.resources
import math
from collections.abc import Sequence
from typing import Any, NamedTuple

from policy_evolve.policies.policy import PolicyFailure, PolicyLimits, cpu_seconds, failures
from sandbox import Limits, SandboxError, Worker, WorkerTimeout

_DRIVER = importlib.resources.files("policy_evolve.policies").joinpath("batch_driver.py").read_text("utf-8")
_START_SECONDS = 20.0
FRAME_BYTES = 1 << 26
"""The most bytes of the observations, or of the answers, of one step of all matches."""


class Answer(NamedTuple):
    """What a policy said in one match: a JSON value, or the sentence of what it raised."""

    value: Any
    fault: str | None


class PolicyBatch:
    """A policy at the start of several matches, each with globals, a memory and random numbers of its own.

    Time is limited for all matches together: CPU time to `limits.match_seconds` times their number, so that other work on
    the machine costs nobody a match, and time by the clock to `limits.move_seconds` times the number of those that are
    asked in one step.

    Args:
      source, function, limits, interpreter: as for `policy.Policy`.
      seeds: of its random numbers, one for each match.

    Raises:
      PolicyFailure: the source cannot be compiled or raises, or defines no `act`.
      sandbox.SandboxUnavailable, sandbox.InterpreterMissing: for want of means here.
    """

    def __init__(
        self,
        source: str,
        seeds: Sequence[int],
        function: str,
        limits: PolicyLimits = PolicyLimits(),
        interpreter: str = "cpython",
    ):
        self._function = function
        self._limits = limits
        self._allowed = limits.match_seconds * len(seeds) + _START_SECONDS
        with failures():
            self._worker = Worker(
                {"driver": _DRIVER},
                interpreter=interpreter,
                limits=Limits(
                    memory_bytes=limits.memory_mb << 20,
                    cpu_seconds=math.ceil(self._allowed) + 1,
                    start_seconds=_START_SECONDS,
                    frame_bytes=FRAME_BYTES,
                ),
            )
            try:
                self._worker.call("begin", source, list(seeds), timeout=_START_SECONDS)
            except BaseException:
                self._worker.close()
                raise

    def answers(self, asked: Sequence[tuple[int, dict[str, Any]]]) -> list[Answer]:
        """Returns the answers to observations, each with the number of its match.

        Raises:
          PolicyFailure: the worker took too long, died, or answered with something else: of which match that is the
            fault is not known.
        """
        with failures():
            replies = self._worker.call(
                self._function, list(asked), timeout=self._limits.move_seconds * len(asked)
            )
        if cpu_seconds(self._worker) > self._allowed:
            raise PolicyFailure("timeout", _out_of_time(self._limits))
        if not isinstance(replies, list) or len(replies) != len(asked):
            raise PolicyFailure("crash", SandboxError("its driver did not answer once for each match"))
        return [_answer(reply) for reply in replies]

    def close(self) -> None:
        """Ends the process; may be called again."""
        self._worker.close()


def _out_of_time(limits: PolicyLimits) -> WorkerTimeout:
    return WorkerTimeout(f"its answers took longer than the {limits.match_seconds:g} s that a match allows")


def _answer(reply: object) -> Answer:
    if not isinstance(reply, dict):
        return Answer(None, "its driver answered with something else than an answer")
    fault = reply.get("fault")
    return Answer(reply.get("answer"), None if fault is None else str(fault))
