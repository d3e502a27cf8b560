"""The handles by which the parent holds a worker process."""

from __future__ import annotations

import os
import select
import signal
import socket
import threading
import time
from collections.abc import Mapping
from typing import Any, Optional, Tuple

from sandbox.zygote import Zygote, ZygoteDied, get_zygote

_KILL_SECONDS = 10.0
_REASONS = {
    "SIGSYS": "it made a system call of a foreign architecture",
    "SIGXCPU": "it used up Limits.cpu_seconds",
    "SIGSEGV": "it crashed, most likely by exhausting its stack",
    "SIGABRT": "its interpreter gave up, most likely out of memory",
    "SIGKILL": "by the sandbox or for want of memory",
}


class Process:
    """The handles of one worker process, apart from `Worker` so that a finalizer can hold them.

    Attributes:
      sock: the parent's end of the channel, non-blocking.
      pid, pidfd: those of the worker; pidfd is None where there is no such thing.
      owner: process that made it; in one forked from that, nothing is killed.
    """

    def __init__(self, sock: socket.socket, pid: int, pidfd: Optional[int], zygote: Zygote):
        self.sock = sock
        self.pid = pid
        self.pidfd = pidfd
        self.owner = os.getpid()
        self._zygote = zygote
        self._over = False
        self._handles = threading.Lock()  # a closed descriptor's number may soon be another worker's

    def signal(self) -> None:
        """Sends SIGKILL, unless it has been released."""
        with self._handles:
            if self._over or self.owner != os.getpid():
                return
            try:
                if self.pidfd is not None:
                    signal.pidfd_send_signal(self.pidfd, signal.SIGKILL)
                elif self._zygote.alive:
                    os.kill(self.pid, signal.SIGKILL)  # a zombie until the zygote reaps it for us
            except ProcessLookupError:
                pass

    def _release(self) -> None:
        with self._handles:
            self._over = True
            self.sock.close()
            if self.pidfd is not None:
                os.close(self.pidfd)

    def abandon(self) -> None:
        """Kills without waiting, for when nobody holds the worker any more."""
        if not self._over:
            self.signal()
            self._release()
            if self.owner == os.getpid():
                self._zygote.abandon(self.pid)

    def kill(self) -> str:
        """Kills the process, waits for its end and says how it ended. The end of a pipe is not the
        end of a process, so this is what every failure comes to. One thread at a time."""
        if self._over:
            return "it was closed"
        deadline = time.monotonic() + _KILL_SECONDS
        self.signal()
        if self.pidfd is not None:
            poller = select.poll()
            poller.register(self.pidfd, select.POLLIN)
            poller.poll(_KILL_SECONDS * 1000)
        status = self._zygote.reap(self.pid, deadline)
        self._release()
        if status is None:
            return "its zygote ended"
        if os.WIFEXITED(status):
            return f"it exited with status {os.WEXITSTATUS(status)}"
        try:
            name = signal.Signals(os.WTERMSIG(status)).name
        except ValueError:
            name = f"signal {os.WTERMSIG(status)}"
        return f"killed by {name} ({_REASONS.get(name, 'it crashed')})"


def spawn(executable: str, preload: Tuple[str, ...], settings: Mapping[str, Any], deadline: float) -> Process:
    """Returns a new worker process, sealed with `settings` (see child.py), from this process's zygote.

    Raises:
      WorkerTimeout: not by `deadline`, a `time.monotonic()` time.
      SandboxError: the zygote cannot be started.
    """
    retried = False
    while True:
        zygote = get_zygote(executable, preload, deadline)
        ours, theirs = socket.socketpair()
        ours.setblocking(False)
        try:
            with theirs:
                pid, pidfd = zygote.spawn(theirs.fileno(), dict(settings), deadline)
            return Process(ours, pid, pidfd, zygote)
        except ZygoteDied:
            # It may have been killed since it was last used; a fresh one has no such excuse.
            ours.close()
            if retried:
                raise
            retried = True
        except BaseException:
            ours.close()
            raise
