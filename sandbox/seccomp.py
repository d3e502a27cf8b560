"""The system calls that a sealed worker may make, as a seccomp filter built by hand.

Sources: seccomp(2), linux/filter.h, linux/audit.h and the kernel's system call tables. Runs in the
worker: Python 3.9, standard library only.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
from typing import Dict, List

# What an interpreter needs to compute, allocate, tell the time, and talk over descriptors it
# already has. Nothing here names a file, a socket or a process. getrandom is left out on purpose: a
# result must be a function of its seed. rt_sigaction is left out so that no program can ignore the
# CPU limit's signal.
ALLOWED = (
    "read",
    "write",
    "close",
    "munmap",
    "mremap",
    "madvise",
    "brk",
    "futex",
    "rseq",
    "sched_yield",
    "restart_syscall",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sigaltstack",
    "clock_gettime",
    "clock_getres",
    "clock_nanosleep",
    "nanosleep",
    "gettimeofday",
    "time",
    "getcpu",
    "getrusage",
    "times",
    "getpid",
    "gettid",
    "exit",
    "exit_group",
)
"""The calls that are allowed whatever their arguments are."""

NO_EXEC = ("mmap", "mprotect")
"""The calls that are allowed unless the third argument asks for executable memory (just-in-time compilers get
that too).
"""

NUMBERS: Dict[str, Dict[str, int]] = {
    "x86_64": {
        "read": 0, "write": 1, "close": 3, "mmap": 9, "mprotect": 10, "munmap": 11, "brk": 12,
        "rt_sigprocmask": 14, "rt_sigreturn": 15, "sched_yield": 24, "mremap": 25, "madvise": 28,
        "nanosleep": 35, "getpid": 39, "exit": 60, "gettimeofday": 96, "getrusage": 98, "times": 100,
        "sigaltstack": 131, "gettid": 186, "time": 201, "futex": 202, "restart_syscall": 219,
        "clock_gettime": 228, "clock_getres": 229, "clock_nanosleep": 230, "exit_group": 231, "getcpu": 309,
        "seccomp": 317, "rseq": 334, "pidfd_open": 434, "clone3": 435,
        "landlock_create_ruleset": 444, "landlock_restrict_self": 446, "openat": 257,
    },
    "aarch64": {
        "openat": 56, "close": 57, "read": 63, "write": 64, "exit": 93, "exit_group": 94, "futex": 98,
        "nanosleep": 101, "clock_gettime": 113, "clock_getres": 114, "clock_nanosleep": 115, "sched_yield": 124,
        "restart_syscall": 128, "sigaltstack": 132, "rt_sigprocmask": 135, "rt_sigreturn": 139, "times": 153,
        "getrusage": 165, "getcpu": 168, "gettimeofday": 169, "getpid": 172, "gettid": 178, "brk": 214,
        "munmap": 215, "mremap": 216, "mmap": 222, "mprotect": 226, "madvise": 233, "seccomp": 277, "rseq": 293,
        "pidfd_open": 434, "clone3": 435, "landlock_create_ruleset": 444, "landlock_restrict_self": 446,
    },
}  # fmt: skip
"""System call numbers by machine. aarch64 has no `time`."""

_AUDIT_ARCH = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
_X32_BIT = 0x40000000

_LD, _JEQ, _JGE, _JSET, _RET = 0x20, 0x15, 0x35, 0x45, 0x06
_KILL, _ERRNO, _ALLOW = 0x80000000, 0x00050000, 0x7FFF0000
_PROT_EXEC = 4
_SET_MODE_FILTER, _TSYNC, _SPEC_ALLOW = 1, 1, 4
_OFFSET_NR, _OFFSET_ARCH, _OFFSET_ARG2 = 0, 4, 32


class _Program(ctypes.Structure):
    _fields_ = [("length", ctypes.c_ushort), ("filter", ctypes.c_void_p)]


def machine() -> str:
    """Returns this machine's name in `NUMBERS`, or whatever the kernel calls it."""
    return os.uname().machine


def build(name: str, jit: bool) -> bytes:
    """Returns the filter for machine `name` as an array of `struct sock_filter`.

    A foreign architecture (int 0x80, x32) kills; clone3 is "not implemented" so that libc falls
    back to clone; all else that is not allowed fails with EPERM.

    Raises:
      KeyError: no table for this machine.
    """
    numbers = NUMBERS[name]
    code: List[bytes] = []

    def emit(op: int, k: int, yes: int = 0, no: int = 0) -> None:
        code.append(struct.pack("=HBBI", op, yes, no, k))

    emit(_LD, _OFFSET_ARCH)
    emit(_JEQ, _AUDIT_ARCH[name], 1, 0)
    emit(_RET, _KILL)
    emit(_LD, _OFFSET_NR)
    if name == "x86_64":
        emit(_JGE, _X32_BIT, 0, 1)
        emit(_RET, _KILL)
    for call in ALLOWED + (NO_EXEC if jit else ()):
        if call in numbers:
            emit(_JEQ, numbers[call], 0, 1)
            emit(_RET, _ALLOW)
    if not jit:
        for call in NO_EXEC:
            emit(_JEQ, numbers[call], 0, 4)
            emit(_LD, _OFFSET_ARG2)
            emit(_JSET, _PROT_EXEC, 0, 1)
            emit(_RET, _ERRNO | errno.EPERM)
            emit(_RET, _ALLOW)
    emit(_JEQ, numbers["clone3"], 0, 1)
    emit(_RET, _ERRNO | errno.ENOSYS)
    emit(_RET, _ERRNO | errno.EPERM)
    return b"".join(code)


def install(libc: ctypes.CDLL, program: bytes) -> None:
    """Puts `program` on every thread of this process, for good; OSError if the kernel refuses.

    SPEC_ALLOW keeps the kernel from switching on the speculation brakes that would slow the worker
    down.
    """
    buffer = ctypes.create_string_buffer(program, len(program))
    header = _Program(len(program) // 8, ctypes.cast(buffer, ctypes.c_void_p))
    number = NUMBERS[machine()]["seccomp"]
    result = libc.syscall(number, _SET_MODE_FILTER, _TSYNC | _SPEC_ALLOW, ctypes.byref(header))
    if result != 0:
        code = ctypes.get_errno()
        raise OSError(code, f"seccomp returned {result}, errno {errno.errorcode.get(code, code)}")
