"""Replies kept in the file of a run, so that a run that was killed asks nothing twice."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from language_models.asking.batches import in_threads
from language_models.backends.auto import Auto
from language_models.layers.wrapper import find_layer
from language_models.types import Completion, LanguageModel, Request
from runs import json_lines

_THREADS = 8
"""Number of calls at once of a model that takes no batches."""


class ReplyCache:
    """A language model whose replies are kept in a JSON Lines file and found again by the request's key.

    A line holds `key`, `purpose`, `reply` (the text), `model`, `prompt_tokens` and `completion_tokens`; of
    lines that others wrote only `key` and `reply` are needed. A line is on the disk as soon as its reply
    came (of a batch as soon as the batch came). A request is for one completion.

    Args:
      model: the model that answers requests that the file does not hold; `auto` goes on with the model that wrote
        the file's last line.
      path: the file, read now and added to.
      strict: whether the k-th request must be that of line k, as in a run that is walked through again from
        its start; else replies are found by key alone.

    Raises:
      ValueError: the file is damaged.
    """

    def __init__(self, model: LanguageModel, path: str | Path, *, strict: bool = False):
        self.model = model
        self._path, self._strict = path, strict
        self._lock = threading.Lock()
        self._lines: list[dict[str, Any]] = json_lines.resume(path)
        self._place = 0
        self._known: dict[str, Completion] = {}
        for number, line in enumerate(self._lines, start=1):
            if not (isinstance(line, dict) and {"key", "reply"} <= line.keys()):
                raise ValueError(
                    f"{path}, line {number}: expected a reply with its key, as a run writes it, found "
                    f"{str(line)[:80]!r}; remove the file, and the run asks again"
                )
            self._known.setdefault(line["key"], _completion(line))
        auto = find_layer(model, Auto)
        if self._lines and auto is not None and auto.decision.spec is None:
            auto.decision.go_on_with(self._lines[-1].get("model", ""))

    @property
    def name(self) -> str:
        return self.model.name

    def complete(self, request: Request) -> list[Completion]:
        """Completes as `LanguageModel.complete`.

        Raises:
          ValueError: the request is for several completions; or, with `strict`, the file holds the reply to
            another request at this place.
          LanguageModelError: the model gave up; replies so far are kept.
        """
        return self.complete_batch([request])[0]

    def complete_batch(self, requests: Sequence[Request]) -> list[list[Completion]]:
        """Completes as `complete_many`; requests that the file does not hold go out together.

        Raises:
          ValueError, LanguageModelError: as `complete`.
        """
        for request in requests:
            self._check(request)
        missing = {request.key(): request for request in requests if request.key() not in self._known}
        self._ask(list(missing.values()))
        return [[self._known[request.key()]] for request in requests]

    def _check(self, request: Request) -> None:
        if request.n != 1:
            raise ValueError(f"{self._path}: keeps one reply for a request, found a request for {request.n}")
        if self._strict and self._place < len(self._lines):
            line = self._lines[self._place]
            if line["key"] != request.key():
                raise ValueError(
                    f"{self._path}, line {self._place + 1}: expected the run's request for "
                    f"{request.purpose!r}, found another one, for {line.get('purpose', '')!r}, as other flags "
                    "or another version make it; choose another --output_dir"
                )
        self._place += 1

    def _ask(self, missing: list[Request]) -> None:
        batch = getattr(self.model, "complete_batch", None)
        if not missing:
            return
        if batch is None:
            # Not `complete_many`: what came before a call that fails is kept.
            in_threads(lambda request: self._keep(request, self.model.complete(request)), missing, _THREADS)
            return
        for request, completions in zip(missing, batch(missing), strict=True):
            self._keep(request, completions)

    def _keep(self, request: Request, completions: list[Completion]) -> None:
        line = {
            "key": request.key(),
            "purpose": request.purpose,
            "reply": completions[0].text,
            "model": completions[0].model,
            "prompt_tokens": completions[0].prompt_tokens,
            "completion_tokens": completions[0].completion_tokens,
        }
        with self._lock:
            self._known[request.key()] = completions[0]
            json_lines.append(self._path, line)


def _completion(line: dict[str, Any]) -> Completion:
    return Completion(
        text=line["reply"],
        finish_reason="stop",
        prompt_tokens=line.get("prompt_tokens"),
        completion_tokens=line.get("completion_tokens"),
        logprobs=None,
        model=line.get("model", ""),
    )
