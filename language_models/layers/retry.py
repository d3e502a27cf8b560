"""Repetition of calls that may succeed later: exponential backoff with jitter, or as the server asks."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable
from typing import Protocol

from absl import logging

from language_models.layers.wrapper import Wrapper
from language_models.types import Completion, LanguageModel, Request, Transient


class UniformSource(Protocol):
    """A `random.Random` or a `numpy.random.Generator`."""

    def random(self) -> float:
        """A number from [0, 1)."""
        ...


@dataclasses.dataclass(frozen=True)
class RetryPolicy:
    """The number and the delays of the repetitions of a failed call.

    Attributes:
      attempts: number of calls in all, at least 1.
      first_delay: seconds before the first repetition.
      factor: factor by which the delay grows each time, at least 1.
      max_delay: seconds at which it stops growing.
      max_retry_after: the longest Retry-After, in seconds, that is waited for; a server that asks
        for more (a spent daily quota, say) ends the attempts.
    """

    attempts: int = 6
    first_delay: float = 1.0
    factor: float = 2.0
    max_delay: float = 60.0
    max_retry_after: float = 600.0

    def __post_init__(self) -> None:
        if self.attempts < 1 or self.factor < 1:
            raise ValueError(
                f"A retry policy has attempts={self.attempts} and factor={self.factor}: "
                "expected 1 or more of each."
            )
        if min(self.first_delay, self.max_delay, self.max_retry_after) < 0:
            raise ValueError(f"A retry policy has a negative delay: {self}.")

    def delay(self, failures: int) -> float:
        """Seconds of backoff after `failures` (1 or more) failed attempts, before jitter."""
        return min(self.max_delay, self.first_delay * self.factor ** min(failures - 1, 64))


class Retrying(Wrapper):
    """Repeats calls that raise `Transient` (so also `RateLimited`); other errors pass at once.

    A delay lies between half of the policy's backoff and all of it, so that many clients do not
    come back together. A server's Retry-After is waited out in full, and as jitter up to a second
    or the backoff, whichever is less, is added to it.

    Args:
      model: the model to repeat calls of.
      policy: the number and the delays of repetitions.
      rng: the source of jitter. It moves times only, never results.
      sleep: a function that waits a number of seconds.

    Raises (from `complete`):
      Transient: all attempts failed; the last failure, with their number.
    """

    def __init__(
        self,
        model: LanguageModel,
        policy: RetryPolicy,
        *,
        rng: UniformSource,
        sleep: Callable[[float], None] = time.sleep,
    ):
        super().__init__(model)
        self._policy = policy
        self._rng = rng
        self._sleep = sleep

    def _around(
        self, requests: list[Request], call: Callable[[], list[list[Completion]]]
    ) -> list[list[Completion]]:
        failures = 0
        while True:
            try:
                return call()
            except Transient as error:
                failures += 1
                delay = self._delay(failures, error)
                logging.warning("%s Trying again in %.1f s.", error, delay)
            self._sleep(delay)

    def _delay(self, failures: int, error: Transient) -> float:
        """Seconds to wait, or the error that ends the attempts."""
        policy = self._policy
        if failures >= policy.attempts:
            raise type(error)(f"{error} (after {failures} attempts)", error.retry_after) from None
        backoff = policy.delay(failures)
        if error.retry_after is None:
            return backoff * (1 + self._rng.random()) / 2
        if error.retry_after > policy.max_retry_after:
            raise type(error)(
                f"{error} (the server asks to wait {error.retry_after:.0f} s, more than the "
                f"{policy.max_retry_after:.0f} s allowed)",
                error.retry_after,
            ) from None
        return error.retry_after + min(1.0, backoff) * self._rng.random()
