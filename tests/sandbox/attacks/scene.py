"""Something to steal and to break, and eyes that see whether it happened."""

from __future__ import annotations

import ctypes
import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from typing import Any, Dict, List, Optional, Set

NOBODY = 65534
_VICTIM = """
import ctypes, os, sys, time
buffer = ctypes.create_string_buffer(sys.argv[1].encode())
fd = os.open(sys.argv[2], os.O_RDONLY)
ctypes.CDLL(None).prctl(0x59616d61, ctypes.c_ulong(-1))  # let anyone attach: Yama must not do the sandbox's work
print(ctypes.addressof(buffer), fd, flush=True)
time.sleep(600)
"""


def _read(path: str) -> str:
    try:
        with open(path, encoding="latin-1") as file:
            return file.read()
    except OSError:
        return ""


def status(pid: int) -> Dict[str, str]:
    """/proc/PID/status as a dictionary; empty if there is no such process."""
    lines = _read(f"/proc/{pid}/status").splitlines()
    return {line.partition(":")[0]: line.partition(":")[2].strip() for line in lines}


class Scene:
    """A folder, a neighbour process, listening sockets and a secret that is in all of them.

    The neighbour has the user that a worker gets, the folder is open to all, so that ordinary
    permissions do not stop what the sandbox should.
    """

    def __init__(self, secret: str, python: str):
        self.secret = secret
        self.number = f"{random.SystemRandom().randrange(10**17, 10**18)}"
        self.mtime_ns = 1_000_000_000 * random.SystemRandom().randrange(10**8, 10**9)
        self._python = python
        self.folder = tempfile.mkdtemp(prefix="spw-scene-")
        self.shm = f"/dev/shm/spw{self.number}"
        self._memory = ctypes.create_string_buffer(secret.encode())
        self._build()
        self._secret_fd = os.open(self.path("secret.txt"), os.O_RDONLY)
        os.set_inheritable(self._secret_fd, True)
        self._listen()
        self._victim: Optional[subprocess.Popen] = None
        self._start_victim()

    def path(self, name: str) -> str:
        return os.path.join(self.folder, name)

    def _build(self) -> None:
        os.chmod(self.folder, 0o777)
        os.mkdir(self.path("sub"))
        os.chmod(self.path("sub"), 0o777)
        for name, text in (
            ("secret.txt", self.secret),
            ("file.txt", "original"),
            (f"name-{self.secret}", ""),
        ):
            with open(self.path(name), "w") as file:
                file.write(text)
            os.chmod(self.path(name), 0o666)
        os.symlink(f"to-{self.secret}", self.path("link"))
        try:
            os.setxattr(self.path("secret.txt"), "user.secret", self.secret.encode())
        except OSError:
            pass  # a file system without extended attributes
        os.utime(self.path("secret.txt"), ns=(self.mtime_ns, self.mtime_ns))

    def _listen(self) -> None:
        self.tcp = socket.socket()
        self.tcp.bind(("127.0.0.1", 0))
        self.udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.udp.bind(("127.0.0.1", 0))
        self.unix = socket.socket(socket.AF_UNIX)
        self.unix.bind(self.path("socket"))
        os.chmod(self.path("socket"), 0o777)
        self.abstract = socket.socket(socket.AF_UNIX)
        self.abstract.bind("\0spw" + self.number)
        for listener in (self.tcp, self.unix, self.abstract):
            listener.listen(8)
        for sock in (self.tcp, self.udp, self.unix, self.abstract):
            sock.setblocking(False)

    def _start_victim(self) -> None:
        drop: Dict[str, Any] = (
            {"user": NOBODY, "group": NOBODY, "extra_groups": []} if os.geteuid() == 0 else {}
        )
        self._victim = subprocess.Popen(
            [self._python, "-S", "-c", _VICTIM, self.secret, self.path("secret.txt")],
            stdout=subprocess.PIPE, env={"SECRET": self.secret}, start_new_session=True, **drop,
        )  # fmt: skip
        address, fd = self._victim.stdout.readline().split()
        self._victim_address, self._victim_fd = int(address), int(fd)
        self._victim_before = self._victim_state()

    def _victim_state(self) -> Dict[str, Any]:
        pid = self._victim.pid
        if self._victim.poll() is not None:
            return {"alive": False}
        now = status(pid)
        fields = _read(f"/proc/{pid}/stat").rpartition(")")[2].split()
        return {
            "alive": True,
            "stopped": now.get("State", "")[:1] in "Tt",
            "tracer": now.get("TracerPid"),
            "cpus": now.get("Cpus_allowed"),
            "nice": fields[16],
            "policy": fields[38],
            "limits": _read(f"/proc/{pid}/limits"),
            "oom": _read(f"/proc/{pid}/oom_score_adj"),
        }

    def parameters(self) -> Dict[str, Any]:
        """What an attack is told, and it is told all it could want to know except the secret."""
        return {
            "folder": self.folder, "secret_file": self.path("secret.txt"), "file": self.path("file.txt"),
            "new": self.path("new"), "subfolder": self.path("sub"), "link": self.path("link"), "shm": self.shm,
            "parent": os.getpid(), "parent_address": ctypes.addressof(self._memory), "parent_fd": self._secret_fd,
            "victim": self._victim.pid, "victim_address": self._victim_address, "victim_fd": self._victim_fd,
            "tcp": self.tcp.getsockname()[1], "udp": self.udp.getsockname()[1], "unix": self.path("socket"),
            "abstract": "spw" + self.number, "number": self.number,
        }  # fmt: skip

    def _tree(self) -> Dict[str, Any]:
        found: Dict[str, Any] = {}
        for folder, folders, files in os.walk(self.folder):
            for name in sorted([".", *folders, *files]):
                path = os.path.join(folder, name)
                about = os.lstat(path)
                content = _read(path) if os.path.isfile(path) and not os.path.islink(path) else None
                try:
                    attributes = sorted(os.listxattr(path, follow_symlinks=False))
                except OSError:
                    attributes = []
                found[path] = (
                    about.st_mode,
                    about.st_uid,
                    about.st_nlink,
                    about.st_mtime_ns,
                    content,
                    attributes,
                )
        found[self.shm] = os.path.exists(self.shm)
        return found

    def strangers(self, known: Set[int]) -> Set[int]:
        """Processes that carry this scene's number or the name of our zygotes, apart from `known`
        ones."""
        marks = (self.number, f'"parent": {os.getpid()},')
        found = set()
        for name in os.listdir("/proc"):
            if name.isdigit() and int(name) not in known:
                command = _read(f"/proc/{name}/cmdline")
                if (
                    any(mark in command for mark in marks)
                    and status(int(name)).get("State", "Z")[:1] != "Z"
                ):
                    found.add(int(name))
        return found

    def snapshot(self) -> Dict[str, Any]:
        """All that an attack must leave as it is."""
        return {
            "tree": self._tree(),
            "descriptors": sorted(os.listdir("/proc/self/fd")),
            "threads": threading.active_count(),
            "limits": _read("/proc/self/limits"),
        }

    def changes(self, before: Dict[str, Any], known: Set[int]) -> List[str]:
        """What happened since `before`, in words; whatever was broken is put right again."""
        effects = []
        after = self.snapshot()
        for path in sorted(set(before["tree"]) | set(after["tree"])):
            if before["tree"].get(path) != after["tree"].get(path):
                effects.append(f"file changed: {os.path.basename(path)}")
        for name in ("descriptors", "threads", "limits"):
            if before[name] != after[name]:
                effects.append(f"the parent's {name} changed")
        for name in ("tcp", "unix", "abstract"):
            try:
                getattr(self, name).accept()[0].close()
                effects.append(f"a connection came by {name}")
            except BlockingIOError:
                pass
        try:
            self.udp.recv(100)
            effects.append("a datagram came")
        except BlockingIOError:
            pass
        for pid in self.strangers(known):
            effects.append("a process is left over")
            try:
                os.kill(pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        victim = self._victim_state()
        if victim != self._victim_before:
            different = [key for key in victim if victim[key] != self._victim_before.get(key)]
            effects.append(f"the neighbour changed: {', '.join(different)}")
            self._stop_victim()
            self._start_victim()
        return effects

    def leaks(self, text: str) -> List[str]:
        """Which secrets `text` holds."""
        secrets = (self.secret, str(self.mtime_ns), str(self.mtime_ns // 10**9))
        return ["a secret came out"] if any(secret in text for secret in secrets) else []

    def _stop_victim(self) -> None:
        self._victim.kill()
        self._victim.wait()
        self._victim.stdout.close()

    def close(self) -> None:
        self._stop_victim()
        for sock in (self.tcp, self.udp, self.unix, self.abstract):
            sock.close()
        os.close(self._secret_fd)
        shutil.rmtree(self.folder, ignore_errors=True)
        if os.path.exists(self.shm):
            os.remove(self.shm)


def usable_python() -> Optional[str]:
    """A CPython that any user may execute (this one may live in somebody's home folder)."""
    for candidate in (
        sys.executable,
        getattr(sys, "_base_executable", ""),
        "/usr/bin/python3",
        "/usr/local/bin/python3",
    ):
        if candidate and os.path.exists(candidate):
            real = os.path.realpath(candidate)
            parts = real.split(os.sep)
            folders = [os.sep.join(parts[:i]) or os.sep for i in range(1, len(parts))]
            if all(os.stat(p).st_mode & 0o001 for p in folders) and os.stat(real).st_mode & 0o001:
                return real
    return None
