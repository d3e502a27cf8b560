"""External programs that play: a conversation line by line, limits of time, and a certain end.

Whatever such a program does wrong becomes a `Forfeit` of its bot.
"""

from __future__ import annotations

import os
import selectors
import shlex
import signal
import subprocess
import time
import weakref

from arena.matches.forfeit import Forfeit

_END_SECONDS = 1.0
"""Seconds that a program may take to leave after it was told to."""


def end(process: subprocess.Popen) -> None:
    """Closes the pipes to a program that `start` started, waits for it to leave, and kills it and all that
    it has started if it does not."""
    for stream in (process.stdin, process.stdout):
        if stream is not None:
            try:
                stream.close()
            except OSError:  # what was not yet written is lost: nobody reads it any more
                pass
    try:
        process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def start(bot: str, parameter: str, command: str, **options: object) -> subprocess.Popen:
    """Starts `command`, split as a shell would split it, in a session of its own, so that Ctrl-C reaches us alone.

    Raises:
      ValueError: there is no such program, or it cannot be run.
    """
    try:
        words = shlex.split(command)
        if not words:
            raise ValueError("it is empty")
        return subprocess.Popen(words, stderr=subprocess.DEVNULL, start_new_session=True, **options)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else error
        raise ValueError(
            f"bot {bot!r}, parameter {parameter!r}: {command!r} cannot be started: {reason}; "
            "expected a program and its arguments"
        ) from error


class EngineProcess:
    """A program that is written to on its standard input and read from on its standard output.

    Args:
      bot: its name in error messages.
      command: program and arguments.
      answer_seconds: most seconds between the last line that it was sent and its answer.

    Raises:
      ValueError: as `start`.
    """

    def __init__(self, bot: str, command: str, answer_seconds: float):
        self._bot = bot
        self._answer_seconds = answer_seconds
        self._deadline = 0.0
        self._unread = b""
        self._process = start(bot, "command", command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._end = weakref.finalize(self, end, self._process)

    def send(self, line: str) -> None:
        """Writes one line.

        Raises:
          Forfeit: the program has ended (`crash`).
        """
        self._deadline = time.monotonic() + self._answer_seconds
        try:
            self._process.stdin.write(line.encode() + b"\n")
            self._process.stdin.flush()
        except (OSError, ValueError) as error:  # the pipe is broken, or closed on our side
            raise self._ended() from error

    def read_line(self) -> str:
        """The next line, without the white space at its end.

        Raises:
          Forfeit: the program has ended (`crash`), or its answer takes too long (`timeout`).
        """
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._unread:
                self._check_time()
                if not selector.select(max(0.0, self._deadline - time.monotonic())):
                    continue
                chunk = self._process.stdout.read1()
                if not chunk:
                    raise self._ended()
                self._unread += chunk
        self._check_time()
        line, _, self._unread = self._unread.partition(b"\n")
        return line.decode(errors="replace").rstrip()

    def quit(self) -> None:
        """Sends `quit`, which both UCI and GTP know, and ends the program; idempotent."""
        if self._end.alive:
            try:
                self.send("quit")
            except Forfeit:
                pass
        self._end()

    def _check_time(self) -> None:
        # Of every line, not of silence only: a program may talk for ever without coming to the point.
        if time.monotonic() > self._deadline:
            raise Forfeit(
                "timeout", f"the program of bot {self._bot!r} did not answer within {self._answer_seconds:g} s"
            )

    def _ended(self) -> Forfeit:
        try:
            code = self._process.wait(_END_SECONDS)
        except subprocess.TimeoutExpired:  # it closed its output, but lives
            return Forfeit("crash", f"the program of bot {self._bot!r} closed the conversation")
        return Forfeit("crash", f"the program of bot {self._bot!r} ended with exit code {code}")
