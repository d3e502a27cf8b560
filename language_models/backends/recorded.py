"""Replays recorded completions, found by a hash of the request."""

from __future__ import annotations

import collections
import json
import os
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from absl import logging

from language_models.scoring import Scored, scored_by
from language_models.types import Completion, LanguageModelError, RecordingMiss, Request, key_of, require_n

SHIPPED_RECORDINGS = Path(__file__).parents[1] / "recordings"


class RecordedLine(NamedTuple):
    """The place of one recorded request.

    Attributes:
      path: the file.
      line: its line, from 1.
      key: the request's key.
      purpose: the purpose of the request.
      offset: the place where the line starts, in bytes.
    """

    path: Path
    line: int
    key: str
    purpose: str
    offset: int


class Recorded:
    """A model that knows only recorded requests.

    Files are read at the first request. Where a request was recorded several times, its k-th asking
    of this object gets the k-th record, files in the order of their paths; then `RecordingMiss`.

    Args:
      path: a recording (JSON Lines as `Recorder` writes them), or a folder of which every `*.jsonl`
        is read, subfolders included.

    Raises:
      LanguageModelError: there is no such file or folder, or (at the first request) a line is
        malformed. An unfinished last line, left by a killed run, is skipped with a warning.
    """

    def __init__(self, path: str | os.PathLike[str] = SHIPPED_RECORDINGS):
        self._path = Path(path)
        if not self._path.exists():
            raise LanguageModelError(
                f"There is no recording {str(self._path)!r}: expected a .jsonl file or a folder "
                "of them, as --record=F makes."
            )
        self.name = "recorded" if self._path == SHIPPED_RECORDINGS else f"recorded:{self._path}"
        self._lock = threading.Lock()
        self._index: dict[str, list[RecordedLine]] | None = None
        self._served: collections.Counter[str] = collections.Counter()

    @property
    def served(self) -> dict[str, int]:
        """The number of records of each key that this object has served."""
        with self._lock:
            return dict(self._served)

    def unused(self) -> list[RecordedLine]:
        """The recorded lines that this object has not served, by path and line."""
        with self._lock:
            return sorted(line for key, lines in self._load().items() for line in lines[self._served[key] :])

    def complete(self, request: Request) -> list[Completion]:
        """Completes as `LanguageModel.complete`, from the recording.

        Raises:
          RecordingMiss: this request was not recorded, or not as often as it is asked.
          LanguageModelError: the recording is damaged or was edited.
        """
        key = request.key()
        with self._lock:
            lines = self._load().get(key, [])
            count = self._served[key]
            if count >= len(lines):
                raise self._miss(request, len(lines))
            self._served[key] += 1
        return require_n(request, _read_completions(lines[count]), self.name)

    def holds(self, request: Request) -> bool:
        """Whether this request was recorded, served already or not."""
        with self._lock:
            return request.key() in self._load()

    def score(self, request: Request, continuations: Sequence[str]) -> list[Scored]:
        """Scores as `language_models.scoring.score`, from the recording."""
        return scored_by(self.complete, request, continuations)

    def complete_batch(self, requests: list[Request]) -> list[list[Completion]]:
        """Completes in order, so that repeated keys get their records in recorded order."""
        return [self.complete(request) for request in requests]

    def _miss(self, request: Request, recorded: int) -> RecordingMiss:
        shown = next((m for m in request.messages if m.role == "user"), request.messages[0])
        prompt = " ".join(shown.content.split())[:80]
        what = "was never recorded" if not recorded else f"has used all {recorded} recorded answers"
        return RecordingMiss(
            f"The request for {request.purpose or '(no purpose)'!r} that begins {prompt!r} {what} "
            f"in {str(self._path)!r}: record it with --llm=spool:DIR, or with an online model such "
            "as --llm=gemini:MODEL, and --record=F (what ships was recorded with the seeds and options "
            "of RUNS.md)."
        )

    def _load(self) -> dict[str, list[RecordedLine]]:
        if self._index is None:
            files = [self._path]
            if self._path.is_dir():
                files = sorted(self._path.rglob("*.jsonl"))
            index: dict[str, list[RecordedLine]] = {}
            for file in files:
                for line in _scan(file):
                    index.setdefault(line.key, []).append(line)
            self._index = index
        return self._index


def read_header(path: str | os.PathLike[str]) -> dict[str, Any]:
    """The header of a recording: `model`, `date`, `note`.

    Raises:
      LanguageModelError: line 1 of the file is no header.
    """
    with open(path, "rb") as file:
        return _header(Path(path), _parse(Path(path), 1, file.readline()))


def _scan(path: Path) -> list[RecordedLine]:
    """All records of one file; completions are not kept, they may be large."""
    found = []
    offset = 0
    with open(path, "rb") as file:
        for number, line in enumerate(file, start=1):
            if not line.endswith(b"\n") and not _is_json(line):
                logging.warning(
                    "%s, line %d is unfinished (a run was killed while writing it) and is skipped.",
                    path,
                    number,
                )
                break
            record = _parse(path, number, line)
            if number == 1:
                _header(path, record)
            else:
                key, purpose = record.get("key"), record.get("purpose")
                if not (isinstance(key, str) and isinstance(purpose, str)):
                    raise _malformed(path, number, 'strings "key" and "purpose"', sorted(record))
                found.append(RecordedLine(path, number, key, purpose, offset))
            offset += len(line)
    return found


def _read_completions(line: RecordedLine) -> list[Completion]:
    with open(line.path, "rb") as file:
        file.seek(line.offset)
        record = _parse(line.path, line.line, file.readline())
    request = record.get("request")
    # The hash ties the answer to the question: an edited request no longer fits its key.
    if not isinstance(request, dict) or key_of(request) != line.key:
        raise _malformed(line.path, line.line, 'a "request" whose hash is its "key"', "another request")
    completions = record.get("completions")
    if not isinstance(completions, list):
        raise _malformed(line.path, line.line, 'a list "completions"', completions)
    try:
        return [Completion.from_json(completion) for completion in completions]
    except ValueError as error:
        raise _malformed(line.path, line.line, "completions", str(error)) from None


def _header(path: Path, record: dict[str, Any]) -> dict[str, Any]:
    header = record.get("header")
    if not isinstance(header, dict) or "model" not in header:
        raise _malformed(path, 1, '{"header": {"model": ..., "date": ..., "note": ...}}', record)
    return header


def _parse(path: Path, number: int, line: bytes) -> dict[str, Any]:
    try:
        record = json.loads(line)
    except ValueError as error:
        raise _malformed(path, number, "a JSON object", str(error)) from None
    if not isinstance(record, dict):
        raise _malformed(path, number, "a JSON object", record)
    return record


def _is_json(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return True


def _malformed(path: Path, number: int, expected: str, found: object) -> LanguageModelError:
    return LanguageModelError(
        f"The recording {str(path)!r}, line {number}, is malformed: expected {expected}, "
        f"found {str(found)[:120]!r}; restore the file from version control, or record it again."
    )
