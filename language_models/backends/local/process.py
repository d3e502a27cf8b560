"""A loaded model in a process of its own: started at the first question, and anew after a crash."""

from __future__ import annotations

import atexit
import contextlib
import dataclasses
import http.client
import importlib.util
import json
import os
import select
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from language_models.backends.local.gguf import read_head
from language_models.backends.local.memory import CACHED_PROMPTS, MIB, available_bytes, needed_bytes
from language_models.backends.local.models import EXTRA_COMMAND, KnownModel, require_file
from language_models.backends.local.options import DEFAULT_CONTEXT, LocalOptions
from language_models.types import LanguageModelError, Transient

START_SECONDS = 300.0
_PROGRAM = Path(__file__).with_name("serve.py")


class ProcessDied(Transient):
    """Raised where the model's process ended while it was wanted."""


class Refused(LanguageModelError):
    """Raised where the model's process refuses a request: an HTTP status other than 200.

    Attributes:
      error: the object `error` of the reply, empty where there is none.
    """

    def __init__(self, message: str, error: dict[str, Any]):
        super().__init__(message)
        self.error = error


@dataclasses.dataclass(frozen=True)
class Setup:
    """The model to load, and its settings; processes with equal setups are one process.

    Attributes:
      path: path of the GGUF file.
      known: the model that the file should hold, or None.
      context: the most tokens of prompt and answer, or None for the default.
      slots: number of requests at once.
      threads: number of threads of the computation.
      cache: whether beginnings of prompts are kept.
      memory_mib: the most memory that it may need, or None.
    """

    path: Path
    known: KnownModel | None
    context: int | None
    slots: int
    threads: int
    cache: bool
    memory_mib: int | None

    @classmethod
    def of(cls, path: Path, known: KnownModel | None, options: LocalOptions) -> Setup:
        """The setup that options ask for."""
        return cls(
            path.absolute(),
            known,
            options.context,
            options.slot_count,
            options.thread_count,
            options.cache,
            options.memory,
        )


class ModelProcess:
    """One loaded model. May be used by many threads; the process ends with this one.

    Attributes:
      digest: sha256 of the model's file, 64 hex digits; empty before the first start.
      context: the most tokens of one request, prompt and answer; 0 before the first start.
      starts: number of times that the process was started.
      turn: a lock, held by whoever needs the model alone for several questions.

    Args:
      setup: the model and its settings.
    """

    def __init__(self, setup: Setup):
        self.setup = setup
        self.digest = ""
        self.context = 0
        self.starts = 0
        self.turn: contextlib.AbstractContextManager[Any] = (
            contextlib.nullcontext() if setup.cache else threading.Lock()
        )
        self._lock = threading.Lock()
        self._popen: subprocess.Popen[bytes] | None = None
        self._folder: Path | None = None

    def start(self) -> None:
        """Starts the process unless it is running; returns when the model is loaded.

        Raises:
          LanguageModelError: the package or the file is missing, the file is not what it should be, memory is too
            small, or the model cannot be loaded.
        """
        with self._lock:
            if self._popen is None or self._popen.poll() is not None:
                self._clean_up()
                self._start()

    @property
    def pid(self) -> int | None:
        """The number of the process, or None where none was started."""
        return None if self._popen is None else self._popen.pid

    def ask(self, path: str, body: dict[str, Any], timeout: float) -> Any:
        """Sends one question to the server in the process and returns its answer, both JSON.

        Raises:
          ProcessDied: the process ended meanwhile.
          Transient: no answer within `timeout` seconds; the question is taken back.
          Refused: the server will not answer it.
        """
        self.start()
        popen, folder = self._popen, self._folder
        connection = _UnixConnection(str(folder / _SOCKET), timeout)
        try:
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            reply = connection.getresponse()
            data, status = reply.read(), reply.status
        except TimeoutError:
            raise Transient(
                f"The local model {self.setup.path.name} did not answer within {timeout:g} s: ask for fewer tokens, "
                "or give it more threads."
            ) from None
        except (OSError, http.client.HTTPException):
            raise ProcessDied(self._obituary(popen)) from None
        finally:
            connection.close()
        answer = json.loads(data)
        if status != 200:
            error = answer.get("error", {}) if isinstance(answer, dict) else {}
            said = " ".join(str(error.get("message", answer)).split())
            raise Refused(f"The local model {self.setup.path.name} refused a request: {said}.", error)
        return answer

    def close(self) -> None:
        """Ends the process; the next question starts it anew."""
        with self._lock:
            if self._popen is not None and self._popen.poll() is None:
                self._popen.kill()
                self._popen.wait()
            self._clean_up()

    def _start(self) -> None:
        setup = self.setup
        if importlib.util.find_spec("xllamacpp") is None:
            raise LanguageModelError(
                f"A local model needs the package xllamacpp, which is not installed: run {EXTRA_COMMAND}."
            )
        self.digest = require_file(setup.path, setup.known)
        head = read_head(setup.path)
        trained = head.trained_context or DEFAULT_CONTEXT
        self.context = min(setup.context or DEFAULT_CONTEXT, trained)
        if setup.context is not None and setup.context > trained:
            raise LanguageModelError(
                f"The local model {setup.path.name} was trained with {trained:,} tokens of context and "
                f"context={setup.context} asks for more: lower it."
            )
        self._check_memory(needed_bytes(head, self.context * setup.slots, cache=setup.cache))
        settings = {
            "path": str(setup.path),
            "host": _SOCKET,
            "context": self.context,
            "slots": setup.slots,
            "threads": setup.threads,
            "cached_prompts_mib": CACHED_PROMPTS // MIB if setup.cache else 0,
        }
        self._folder = Path(tempfile.mkdtemp(prefix="local-model-"))
        # In its folder, so that the socket's path is short; -P, so that the program's folder is not on the path.
        with open(self._folder / _LOG, "wb") as log:
            self._popen = subprocess.Popen(
                [sys.executable, "-P", str(_PROGRAM), json.dumps(settings)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=self._folder,
                start_new_session=True,
            )
        self.starts += 1
        ready, _, _ = select.select([self._popen.stdout], [], [], START_SECONDS)
        if not (ready and self._popen.stdout.readline()):
            if not ready:
                self._popen.kill()
            elif self._popen.wait() < 0:
                raise ProcessDied(self._obituary(self._popen))
            raise LanguageModelError(
                f"The model file {str(setup.path)!r} cannot be loaded ({self._last_words()}): "
                "fetch it again, or name a GGUF model that generates text."
            )

    def _check_memory(self, needed: int) -> None:
        setup, left = self.setup, available_bytes()
        for most, who in (
            (setup.memory_mib and setup.memory_mib * MIB, f"memory={setup.memory_mib} allows"),
            (left, "this machine has to spare"),
        ):
            if most is not None and needed > most:
                raise LanguageModelError(
                    f"The local model {setup.path.name} needs about {needed // MIB:,} MiB with {setup.slots} times "
                    f"{self.context:,} tokens of context and {who} {most // MIB:,} MiB: give it less with "
                    "+context=N, take a smaller model, or make room."
                )

    def _obituary(self, popen: subprocess.Popen[bytes]) -> str:
        name = self.setup.path.name
        try:
            code = popen.wait(timeout=5)
        except subprocess.TimeoutExpired:
            return f"The process of the local model {name} broke off an answer: ask again."
        how = f"was killed by signal {-code}" if code < 0 else f"ended with exit code {code}"
        words = self._last_words()
        return (
            f"The process of the local model {name} {how} before it had answered"
            f"{f' ({words})' if words else ''}: the next request starts it anew, and what was answered is kept."
        )

    def _last_words(self) -> str:
        """The last error in the process's log, or its last line; empty where there is none."""
        try:
            lines = (self._folder / _LOG).read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return ""
        lines = [line.strip() for line in lines if line.strip()]
        errors = [line for line in lines if "rror" in line]
        return " ".join((errors or lines or [""])[-1].split())[-200:]

    def _clean_up(self) -> None:
        if self._popen is not None:
            self._popen.stdin.close()
            self._popen.stdout.close()
        if self._folder is not None:
            shutil.rmtree(self._folder, ignore_errors=True)
        self._popen = self._folder = None

    def forget(self) -> None:
        """Leaves the model's process to the parent, in a forked process."""
        self._lock = threading.Lock()
        if not self.setup.cache:
            self.turn = threading.Lock()
        if self._popen is not None:
            self._popen.stdin.close()
            self._popen.stdout.close()
            self._popen.returncode = 0  # so that nothing waits for another's child
        self._popen = self._folder = None


_SOCKET, _LOG = "model.sock", "log"


class _UnixConnection(http.client.HTTPConnection):
    def __init__(self, path: str, timeout: float):
        super().__init__("localhost", timeout=timeout)
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.settimeout(self.timeout)
        self.sock.connect(self._path)


_processes: dict[Setup, ModelProcess] = {}
_processes_lock = threading.Lock()


def process_for(setup: Setup) -> ModelProcess:
    """The one process with this setup; not started yet where nobody has asked it."""
    with _processes_lock:
        return _processes.setdefault(setup, ModelProcess(setup))


def running() -> Iterator[ModelProcess]:
    """All processes that were made."""
    yield from list(_processes.values())


@atexit.register
def close_all() -> None:
    """Ends all models' processes; they start anew when they are asked."""
    for process in running():
        process.close()


def _forget_all() -> None:
    for process in running():
        process.forget()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
