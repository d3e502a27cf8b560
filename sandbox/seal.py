"""The layers that seal a worker, in the order in which they have to be put on.

Every layer either holds or says why not: nothing here is "best effort" in silence. The parent
decides what to do about a missing one. Runs in the worker: Python 3.9, standard library only, one
thread.
"""

from __future__ import annotations

import ctypes
import errno
import os
import signal
import struct
import sys
from typing import Any, Callable, Dict, Optional

try:
    import resource
except ImportError:  # Windows, where the rlimits layer then reports itself missing
    resource = None  # type: ignore[assignment]

MANDATORY = ("rlimits", "no_new_privs", "seccomp")
NOBODY = 65534

ADDR_NO_RANDOMIZE = 0x0040000
_PR_SET_PDEATHSIG, _PR_SET_DUMPABLE, _PR_SET_NO_NEW_PRIVS = 1, 4, 38
_CLONE_NEWIPC, _CLONE_NEWNET = 0x08000000, 0x40000000
_LANDLOCK_VERSION = 1
_CAPABILITY_VERSION_3 = 0x20080522


def load_libc() -> Optional[ctypes.CDLL]:
    """Returns the C library of this process, or None off Linux, where the calls below do not exist."""
    if not sys.platform.startswith("linux"):
        return None
    libc = ctypes.CDLL(None, use_errno=True)
    libc.syscall.restype = ctypes.c_long
    return libc


def _check(result: int, what: str) -> int:
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, f"{what} failed with {errno.errorcode.get(code, code)}")
    return result


def disable_address_randomisation(libc: ctypes.CDLL) -> bool:
    """Asks for fixed addresses from the next exec on; returns whether they are fixed already.

    In CPython before 3.12 `hash(None)` is an address, so the order of a set of tuples that hold
    None would change from run to run. The personality is replaced, not extended: an inherited
    READ_IMPLIES_EXEC would make memory executable behind the filter's back.

    Raises:
      OSError: the kernel (or a container's own filter) refuses.
    """
    previous = libc.personality(ctypes.c_ulong(0xFFFFFFFF))
    _check(libc.personality(ctypes.c_ulong(ADDR_NO_RANDOMIZE)), "personality")
    return previous == ADDR_NO_RANDOMIZE


def leave_namespaces(libc: ctypes.CDLL) -> str:
    """Moves this process into an empty network and an empty IPC namespace. Needs root."""
    _check(libc.unshare(_CLONE_NEWNET | _CLONE_NEWIPC), "unshare")
    return "own empty network and IPC namespaces"


def _oom() -> str:
    with open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")
    return "the first to be killed when the machine runs out of memory"


def _rlimits(memory_bytes: int, cpu_seconds: Optional[int]) -> str:
    if resource is None:
        raise OSError(errno.ENOSYS, "this platform has no resource limits")
    wanted = {
        "RLIMIT_CORE": (0, 0),
        "RLIMIT_FSIZE": (0, 0),
        "RLIMIT_MEMLOCK": (0, 0),
        "RLIMIT_MSGQUEUE": (0, 0),
        "RLIMIT_NOFILE": (16, 16),
        "RLIMIT_NPROC": (0, 0),
        "RLIMIT_AS": (memory_bytes, memory_bytes),
    }
    if cpu_seconds is not None:
        # The soft limit's own signal tells a CPU limit from an out-of-memory kill.
        wanted["RLIMIT_CPU"] = (cpu_seconds, cpu_seconds + 1)
    for name, (soft, hard) in wanted.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        ceiling = resource.getrlimit(kind)[1]
        if ceiling != resource.RLIM_INFINITY:
            soft, hard = min(soft, ceiling), min(hard, ceiling)
        resource.setrlimit(kind, (soft, hard))
    cpu = "no CPU limit" if cpu_seconds is None else f"{cpu_seconds} s of CPU"
    return f"{memory_bytes} bytes of address space, {cpu}, no files, no processes"


def _uid() -> str:
    if os.geteuid() != 0:
        raise OSError(errno.EPERM, "not root: the worker runs as the calling user")
    os.setgroups([])
    os.setresgid(NOBODY, NOBODY, NOBODY)
    os.setresuid(NOBODY, NOBODY, NOBODY)
    return f"user and group {NOBODY}"


def _capabilities(libc: ctypes.CDLL) -> str:
    header = ctypes.create_string_buffer(struct.pack("=Ii", _CAPABILITY_VERSION_3, 0))
    nothing = ctypes.create_string_buffer(24)
    _check(libc.capset(header, nothing), "capset")
    return "none"


def _prctl(libc: ctypes.CDLL, option: int, value: int, detail: str) -> str:
    unsigned = [ctypes.c_ulong(value), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0)]
    _check(libc.prctl(option, *unsigned), "prctl")
    return detail


def _die_with_zygote(libc: ctypes.CDLL, zygote: int) -> str:
    detail = _prctl(libc, _PR_SET_PDEATHSIG, signal.SIGKILL, "killed when the zygote ends")
    if os.getppid() != zygote:
        os._exit(1)  # it ended before the signal was armed
    return detail


def _landlock(libc: ctypes.CDLL, numbers: Dict[str, int]) -> str:
    create = numbers["landlock_create_ruleset"]
    abi = _check(libc.syscall(create, None, ctypes.c_size_t(0), _LANDLOCK_VERSION), "landlock_create_ruleset")
    # linux/landlock.h: 13 file rights in version 1, then REFER, TRUNCATE, and in version 5
    # IOCTL_DEV; two TCP rights from version 4; abstract sockets and signals scoped from version 6.
    files = (1 << (13 if abi < 2 else 14 if abi < 3 else 15 if abi < 5 else 16)) - 1
    attribute = struct.pack("=QQQ", files, 0b11 if abi >= 4 else 0, 0b11 if abi >= 6 else 0)
    size = 8 if abi < 4 else 16 if abi < 6 else 24
    ruleset = _check(libc.syscall(create, attribute, ctypes.c_size_t(size), 0), "landlock_create_ruleset")
    try:
        _check(libc.syscall(numbers["landlock_restrict_self"], ruleset, 0), "landlock_restrict_self")
    finally:
        os.close(ruleset)
    return f"ABI {abi}, nothing granted"


def _seccomp(libc: ctypes.CDLL, seccomp: Any, jit: bool) -> str:
    name = seccomp.machine()
    if name not in seccomp.NUMBERS:
        raise OSError(errno.ENOSYS, f"no system call table for {name!r}, only for {', '.join(seccomp.NUMBERS)}")
    seccomp.install(libc, seccomp.build(name, jit))
    # The filter is the wall, so it is tried before anything runs behind it.
    result = libc.syscall(seccomp.NUMBERS[name]["openat"], -100, b"/", 0, 0)
    if result != -1 or ctypes.get_errno() != errno.EPERM:
        raise OSError(errno.EPROTO, f"the filter let openat return {result}")
    memory = "executable memory allowed for the just-in-time compiler" if jit else "no executable memory"
    return f"{len(seccomp.ALLOWED) + len(seccomp.NO_EXEC)} system calls allowed, {memory}"


def seal(
    libc: Optional[ctypes.CDLL],
    seccomp: Any,
    *,
    memory_bytes: int,
    cpu_seconds: Optional[int],
    jit: bool,
    zygote: int,
) -> Dict[str, Dict[str, Any]]:
    """Puts on every layer and returns, by name, whether it is active, whether it is mandatory, and
    the detail.

    Args:
      libc: the C library from `load_libc`.
      seccomp: the `seccomp` module (the worker loads it by path, outside any package).
      memory_bytes: limit on the address space.
      cpu_seconds: limit on CPU time, or None.
      jit: whether the interpreter must make memory executable.
      zygote: process id of the parent that this process must not outlive.
    """
    layers: Dict[str, Dict[str, Any]] = {}

    def put_on(name: str, layer: Callable[..., str], *args: Any, linux: bool = True) -> None:
        try:
            if linux and libc is None:
                raise OSError(errno.ENOSYS, f"{sys.platform} has no such layer; there this is not a sandbox")
            active, detail = True, layer(*args)
        except (OSError, ValueError, AttributeError) as error:
            active, detail = False, str(error)
        layers[name] = {"active": active, "mandatory": name in MANDATORY, "detail": detail}

    numbers = seccomp.NUMBERS.get(seccomp.machine(), seccomp.NUMBERS["x86_64"])
    put_on("oom", _oom)
    put_on("rlimits", _rlimits, memory_bytes, cpu_seconds, linux=False)
    put_on("uid", _uid, linux=False)
    put_on("capabilities", _capabilities, libc)
    put_on("no_new_privs", _prctl, libc, _PR_SET_NO_NEW_PRIVS, 1, "set")
    # A change of user resets the next two, so they come after it.
    put_on("undumpable", _prctl, libc, _PR_SET_DUMPABLE, 0, "no ptrace, no core")
    put_on("death_signal", _die_with_zygote, libc, zygote)
    put_on("landlock", _landlock, libc, numbers)
    put_on("seccomp", _seccomp, libc, seccomp, jit)
    return layers
