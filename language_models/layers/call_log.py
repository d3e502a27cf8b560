"""Logs every call with its purpose, time, tokens and cost, and keeps the totals."""

from __future__ import annotations

import dataclasses
import datetime
import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from language_models.layers.budget import Prices, Usage, usage_of
from language_models.layers.wrapper import Wrapper
from language_models.types import Completion, LanguageModel, LanguageModelError, Request


@dataclasses.dataclass(frozen=True)
class Totals:
    """Sums over all calls of one `CallLogged`.

    Attributes:
      requests: number of requests answered.
      failures: number of requests that ended in an error, repeated attempts counted one by one.
      seconds: wall time in calls; calls at the same time count each.
      usage: completions, tokens and dollars of the answered requests.
    """

    requests: int = 0
    failures: int = 0
    seconds: float = 0.0
    usage: Usage = Usage()


class CallLogged(Wrapper):
    """Writes one JSON line for each request and keeps `totals`.

    A line has `time` (UTC), `purpose`, `key`, `model`, `n`, `latency_seconds`, `prompt_tokens`,
    `completion_tokens`, `tokens_estimated`, `usd` (null without prices) and `error` (null, or kind
    and message; then the counts are null). Requests of one batch share its latency and say so in
    `batch_size`. Prompts and answers are not logged: a `Recorder` keeps them.

    Args:
      model: the model to watch.
      path: the file to append to, or None to keep totals only.
      prices: prices for the costs, or None.

    Raises:
      LanguageModelError: the file cannot be written.
    """

    def __init__(
        self, model: LanguageModel, path: str | os.PathLike[str] | None = None, prices: Prices | None = None
    ):
        super().__init__(model)
        self._path = None if path is None else Path(path)
        self._prices = prices
        self._lock = threading.Lock()
        self._totals = Totals()
        self._append([])

    @property
    def totals(self) -> Totals:
        """The sums so far."""
        with self._lock:
            return self._totals

    def _around(
        self, requests: list[Request], call: Callable[[], list[list[Completion]]]
    ) -> list[list[Completion]]:
        start = time.monotonic()
        try:
            answers = call()
        except LanguageModelError as error:
            self._log(requests, time.monotonic() - start, None, f"{type(error).__name__}: {error}")
            raise
        self._log(requests, time.monotonic() - start, answers, None)
        return answers

    def _log(
        self, requests: list[Request], seconds: float, answers: list[list[Completion]] | None, error: str | None
    ) -> None:
        usages: list[Usage | None] = [None] * len(requests)
        models = [self.name] * len(requests)
        if answers is not None:
            usages = [usage_of(r, c, self._prices) for r, c in zip(requests, answers)]
            models = [completions[0].model for completions in answers]
        now = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
        lines = []
        for request, usage, model in zip(requests, usages, models):
            line: dict[str, Any] = {
                "time": now,
                "purpose": request.purpose,
                "key": request.key(),
                "model": model,
                "n": request.n,
                "latency_seconds": round(seconds, 3),
                "prompt_tokens": usage and usage.prompt_tokens,
                "completion_tokens": usage and usage.completion_tokens,
                "tokens_estimated": usage and usage.estimated,
                "usd": usage.usd if usage and self._prices else None,
                "error": error,
            }
            if len(requests) > 1:
                line["batch_size"] = len(requests)
            lines.append(line)
        with self._lock:
            self._totals = Totals(
                self._totals.requests + (len(requests) if error is None else 0),
                self._totals.failures + (len(requests) if error is not None else 0),
                self._totals.seconds + seconds,
                sum((usage for usage in usages if usage), self._totals.usage),
            )
            self._append(lines)

    def _append(self, lines: list[dict[str, Any]]) -> None:
        if self._path is None:
            return
        try:
            with open(self._path, "a", encoding="utf-8") as file:
                file.write("".join(json.dumps(line) + "\n" for line in lines))
        except OSError as error:
            raise LanguageModelError(
                f"The call log {str(self._path)!r} cannot be written ({error.strerror}): "
                "expected a file in an existing, writable folder."
            ) from None
