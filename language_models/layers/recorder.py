"""Appends every answered request to a JSON Lines file that `recorded:PATH` replays."""

from __future__ import annotations

import datetime
import json
import os
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from absl import logging

from language_models.layers.wrapper import Wrapper
from language_models.types import Completion, LanguageModel, LanguageModelError, Request


class Recorder(Wrapper):
    """Records a model's answers, one line for each request, flushed at once.

    A new file starts with a header line `{"header": {"model", "date", "note"}}`; an existing one is
    continued. Every further line holds the request's key, its purpose, the request as its key sees
    it (images by sha256), the completions, the seconds they took and the time they came. Failed
    calls are not recorded. One process at a time may write a file.

    Args:
      model: the model to record.
      path: the file; its folder must exist.
      note: free text for the header, such as the purpose of the recording.

    Raises:
      LanguageModelError: the file cannot be written, is no recording, or records another model.
    """

    def __init__(self, model: LanguageModel, path: str | os.PathLike[str], note: str = ""):
        super().__init__(model)
        self._path = Path(path)
        self._lock = threading.Lock()
        self._note = note
        self._begun = False
        try:
            _finish_last_line(self._path)
            self._append([])
            if not getattr(model, "undecided", False):
                self._begin()
        except OSError as error:
            raise LanguageModelError(
                f"The recording {str(self._path)!r} cannot be written ({error.strerror}): "
                "expected a file in an existing, writable folder."
            ) from None

    def _around(
        self, requests: list[Request], call: Callable[[], list[list[Completion]]]
    ) -> list[list[Completion]]:
        start = time.monotonic()
        answers = call()
        latency = time.monotonic() - start
        self._begin()
        lines = []
        for request, completions in zip(requests, answers):
            line = {
                "key": request.key(),
                "purpose": request.purpose,
                "request": request.to_json(),
                "completions": [completion.to_json() for completion in completions],
                "latency_seconds": round(latency, 3),
                "time": _now(),
            }
            if len(requests) > 1:
                line["batch_size"] = len(requests)
            lines.append(line)
        self._append(lines)
        return answers

    def _begin(self) -> None:
        """Writes the header of a new file, or checks that of an older one, once the model's name is certain."""
        with self._lock:
            if self._begun:
                return
            self._begun = True
        if self._path.stat().st_size:
            _check_header(self._path, self.name)
        else:
            self._append([{"header": {"model": self.name, "date": _now()[:10], "note": self._note}}])

    def _append(self, lines: list[dict[str, Any]]) -> None:
        text = "".join(json.dumps(line) + "\n" for line in lines)
        with self._lock, open(self._path, "a", encoding="utf-8") as file:
            file.write(text)


def _now() -> str:
    return datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")


def _finish_last_line(path: Path) -> None:
    """Makes the file end in a newline: a half-written line of a killed run is cut off."""
    if not path.exists():
        return
    data = path.read_bytes()
    if not data or data.endswith(b"\n"):
        return
    kept = data.rfind(b"\n") + 1
    try:
        json.loads(data[kept:])
    except ValueError:
        logging.warning("%s ends in an unfinished line of %d bytes, which is cut off.", path, len(data) - kept)
        os.truncate(path, kept)
    else:
        with open(path, "ab") as file:
            file.write(b"\n")


def _check_header(path: Path, name: str) -> None:
    with open(path, encoding="utf-8", errors="replace") as file:
        first = file.readline()
    try:
        recorded = json.loads(first)["header"]["model"]
    except (ValueError, KeyError, TypeError):
        raise LanguageModelError(
            f"The file {str(path)!r} exists and its line 1 is no recording's header: "
            "expected a recording to continue, or a new file name."
        ) from None
    if recorded != name:
        raise LanguageModelError(
            f"The recording {str(path)!r} holds answers of {recorded!r} and cannot be continued "
            f"with {name!r}: use another file."
        )
