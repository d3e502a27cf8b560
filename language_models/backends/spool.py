"""Requests as files, answered by a person, a chat window or any agent that writes files."""

from __future__ import annotations

import hashlib
import json
import mimetypes
import os
import re
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from language_models.scoring import refuse_continuations
from language_models.types import BadReply, Completion, LanguageModelError, Message, Request, Transient

POLL_SECONDS = 0.2
SETTLED_SECONDS = 0.5

_README = """\
Each request to the language model is a file here; whoever answers writes a file beside it.

  NNNN-KEY.request.md     one request: one heading (# system, # user, # assistant) per message
  NNNN-KEY.answer.md      its answer: the whole text of the file is taken as it is
  NNNN-KEY.answer.1.md    where several answers are asked for: the first, then .2.md and so on
  NNNN-KEY.request.json   how the request was put: the names of the answer files, and temperature,
                          JSON schema and the like where there are any

  NNNN-batch-KEY.request.jsonl   many requests, one JSON object {"id", "messages", ...} per line,
                                 each to be answered from its own text alone
  NNNN-batch-KEY.answer.jsonl    their answers, one {"id": ..., "text": ...} per line, in any order

An answer counts when it is not empty and has not grown for half a second: write it under another
name and rename it, if it takes longer. Answers are kept, so that a run that was stopped goes on
where it was. Whoever answers should see the request and nothing else.

model.txt, if you write it, names who answers (its first line); recordings and logs show that name.
"""


class Spool:
    """A model that writes each request to a folder and waits for the answer to appear there.

    The folder's README.txt tells the content of a request, and the place of its answer. A request
    that an earlier, interrupted run left in the folder is taken up again: its answer is used where
    there is one and awaited where there is none. One process at a time may use a folder.

    Args:
      folder: the folder, made where it does not exist.
      timeout: seconds to wait for one answer (or batch), or None to wait for ever.

    Raises:
      LanguageModelError: the folder cannot be made or written.
    """

    def __init__(self, folder: str | os.PathLike[str], *, timeout: float | None = None):
        self._folder = Path(folder)
        self._timeout = timeout
        self._lock = threading.Lock()
        self._taken: set[str] = set()
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            if not (self._folder / "README.txt").exists():
                self._write("README.txt", _README.encode())
        except OSError as error:
            raise LanguageModelError(
                f"The spool {str(folder)!r} cannot be used ({error.strerror}): "
                "expected a folder that can be made and written."
            ) from None

    @property
    def name(self) -> str:
        """The first line of `model.txt` in the folder, or `spool`."""
        try:
            lines = (self._folder / "model.txt").read_text(encoding="utf-8").split("\n")
        except FileNotFoundError:
            return "spool"
        return lines[0].strip() or "spool"

    def complete(self, request: Request) -> list[Completion]:
        """Completes as `LanguageModel.complete`; returns when the answer files are there.

        Raises:
          Transient: the timeout passed.
          BadReply: an answer is not UTF-8.
          LanguageModelError: the request has continuations to score.
        """
        refuse_continuations(request, self.name)
        stem = self._take(request.key(), "", lambda stem: self._write_request(stem, request))
        paths = [self._folder / name for name in _answer_names(stem, request.n)]
        self._wait(paths)
        return [self._completion(_read(path)) for path in paths]

    def complete_batch(self, requests: list[Request]) -> list[list[Completion]]:
        """Puts all requests in one file and waits for the one file that answers them.

        A request for n completions stands there n times.

        Raises:
          Transient: the timeout passed.
          BadReply: a line of the answer is malformed, or an id is missing, unknown or repeated.
          LanguageModelError: a request has continuations to score.
        """
        for request in requests:
            refuse_continuations(request, self.name)
        if not requests:
            return []
        key = hashlib.sha256("".join(r.key() for r in requests).encode("ascii")).hexdigest()
        stem = self._take(key, "batch-", lambda stem: self._write_batch(stem, requests))
        path = self._folder / f"{stem}.answer.jsonl"
        self._wait([path])
        total = sum(request.n for request in requests)
        texts = iter(_read_batch(path, total))
        return [[self._completion(next(texts)) for _ in range(r.n)] for r in requests]

    def _completion(self, text: str) -> Completion:
        return Completion(text, "stop", None, None, None, self.name)

    def _take(self, key: str, kind: str, write: Callable[[str], dict[str, Any]]) -> str:
        """The file stem of this key's first request that this object has not taken yet.

        `write(stem)` makes the files of a new request; the parameter file comes last, so that a
        request without one was never finished, and is asked again.
        """
        tail = f"-{kind}{key[:8]}"
        with self._lock:
            for path in sorted(self._folder.glob(f"*{tail}.request.json"), key=_number):
                stem = path.name.removesuffix(".request.json")
                if stem not in self._taken and _key_in(path) == key:
                    break
            else:
                stem = f"{self._next_number():04d}{tail}"
                parameters = write(stem)
                self._write(f"{stem}.request.json", _dump(parameters | {"key": key}))
                print(
                    f"waiting for {', '.join(parameters['answers'])} in {self._folder}, the answer to "
                    f"{stem}.request.*; see README.txt there",
                    file=sys.stderr,
                    flush=True,
                )
            self._taken.add(stem)
        return stem

    def _next_number(self) -> int:
        return max(map(_number, self._folder.iterdir()), default=0) + 1

    def _write_request(self, stem: str, request: Request) -> dict[str, Any]:
        lines = []
        images = 0
        for message in request.messages:
            lines.append(f"# {message.role}\n\n{message.content}\n")
            for name in self._write_images(f"{stem}.image", message, images):
                lines.append(f"![{name}]({name})\n")
            images += len(message.images)
        self._write(f"{stem}.request.md", "\n".join(lines).encode())
        return {"purpose": request.purpose, "answers": _answer_names(stem, request.n), **_parameters(request)}

    def _write_batch(self, stem: str, requests: list[Request]) -> dict[str, Any]:
        lines = []
        for request in requests:
            for _ in range(request.n):
                number = len(lines) + 1
                messages = []
                images = 0
                for message in request.messages:
                    entry: dict[str, Any] = {"role": message.role, "content": message.content}
                    if message.images:
                        prefix = f"{stem}.{number}.image"
                        entry["images"] = self._write_images(prefix, message, images)
                        images += len(message.images)
                    messages.append(entry)
                line = {"id": number, "messages": messages, **_parameters(request)}
                lines.append(json.dumps(line, ensure_ascii=False) + "\n")
        self._write(f"{stem}.request.jsonl", "".join(lines).encode())
        return {
            "purposes": sorted({request.purpose for request in requests}),
            "answers": [f"{stem}.answer.jsonl"],
        }

    def _write_images(self, prefix: str, message: Message, before: int) -> list[str]:
        names = []
        for number, image in enumerate(message.images, start=before + 1):
            ending = mimetypes.guess_extension(image.mime_type) or ".bin"
            names.append(f"{prefix}{number}{ending}")
            self._write(names[-1], image.data)
        return names

    def _write(self, name: str, data: bytes) -> None:
        temporary = self._folder / f".{name}.part"
        temporary.write_bytes(data)
        os.replace(temporary, self._folder / name)

    def _wait(self, paths: list[Path]) -> None:
        deadline = None if self._timeout is None else time.monotonic() + self._timeout
        sizes: dict[Path, tuple[int, float]] = {}
        waiting = list(paths)
        while True:
            waiting = [path for path in waiting if not _is_settled(path, sizes)]
            if not waiting:
                return
            if deadline is not None and time.monotonic() >= deadline:
                raise Transient(
                    f"No answer {str(waiting[0])!r} appeared within {self._timeout:g} s: write it "
                    "and start again, what was answered so far is kept."
                )
            time.sleep(POLL_SECONDS)


def _is_settled(path: Path, sizes: dict[Path, tuple[int, float]]) -> bool:
    """Whether the file is not empty and has kept its size long enough.

    `sizes` remembers each file's size and since when (monotonic seconds) it has had it. A file that
    is new to us has had its size since it was last written, so that a resumed run does not wait.
    """
    try:
        status = path.stat()
    except FileNotFoundError:
        return False
    if status.st_size == 0:
        return False
    now = time.monotonic()
    if path not in sizes or sizes[path][0] != status.st_size:
        age = max(0.0, time.time() - status.st_mtime)
        sizes[path] = (status.st_size, now - age)
    return now - sizes[path][1] >= SETTLED_SECONDS


def _answer_names(stem: str, n: int) -> list[str]:
    if n == 1:
        return [f"{stem}.answer.md"]
    return [f"{stem}.answer.{number}.md" for number in range(1, n + 1)]


def _parameters(request: Request) -> dict[str, Any]:
    """The further fields that an online model would have been told, without those left at their defaults."""
    fields = {
        "temperature": request.temperature,
        "max_tokens": request.max_tokens,
        "stop": list(request.stop) or None,
        "json_schema": request.json_schema,
    }
    return {name: value for name, value in fields.items() if value is not None}


def _number(path: Path) -> int:
    """The number that a request's files begin with; 0 for other files."""
    match = re.match(r"(\d{4,})-", path.name)
    return int(match[1]) if match else 0


def _key_in(path: Path) -> str:
    try:
        return json.loads(path.read_bytes())["key"]
    except (ValueError, KeyError, TypeError):
        raise LanguageModelError(
            f"The spool file {str(path)!r} is damaged: expected a JSON object with a key; "
            "delete it, and its request is asked again."
        ) from None


def _dump(record: dict[str, Any]) -> bytes:
    return (json.dumps(record, indent=2, ensure_ascii=False) + "\n").encode()


def _read(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadReply(
            f"The answer {str(path)!r} is not UTF-8 text (byte {error.start}): save it as UTF-8."
        ) from None


def _read_batch(path: Path, total: int) -> list[str]:
    """The texts of a batch's answer file, by ids 1 to `total`."""
    texts: dict[int, str] = {}
    for number, line in enumerate(_read(path).split("\n"), start=1):
        if not line.strip():
            continue
        where = f"The answer {str(path)!r}, line {number},"
        try:
            answer = json.loads(line)
        except ValueError as error:
            raise BadReply(f"{where} is not JSON ({error}): expected one object.") from None
        fields = answer if isinstance(answer, dict) else {}
        if type(fields.get("id")) is not int or not isinstance(fields.get("text"), str):
            raise BadReply(
                f'{where} is malformed: expected {{"id": WHOLE NUMBER, "text": STRING}}, found {line[:80]!r}.'
            )
        if not 1 <= answer["id"] <= total:
            raise BadReply(f"{where} has id {answer['id']}: expected 1 to {total}.")
        if answer["id"] in texts:
            raise BadReply(f"{where} has id {answer['id']} again: expected each id once.")
        texts[answer["id"]] = answer["text"]
    missing = [number for number in range(1, total + 1) if number not in texts]
    if missing:
        raise BadReply(
            f"The answer {str(path)!r} has no line for id {missing[0]} ({len(missing)} of {total} "
            "are missing): expected one line for each id."
        )
    return [texts[number] for number in range(1, total + 1)]
