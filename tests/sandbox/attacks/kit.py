"""What every attack starts from, and the shape of the table. `SOURCE` is loaded into the worker
before the attack.

An attack is the body of `attack(P)`, where `P` holds the scene's paths, process ids, ports and
addresses. What it returns is searched for the scene's secrets; {"got": x} with a true x claims a
success that cannot be seen from outside. `after()` is called next and must answer 7 or not at all.
"""

from __future__ import annotations

import inspect
import textwrap
from dataclasses import dataclass

SOURCE = '''
import ctypes, os, sys, time

libc = ctypes.CDLL(None, use_errno=True)
libc.syscall.restype = ctypes.c_long

def raw(number, *args):
    """A system call: its result, or the negative error number."""
    ctypes.set_errno(0)
    result = libc.syscall(ctypes.c_long(number), *[ctypes.c_long(a) if isinstance(a, int) else a for a in args])
    return result if result >= 0 else -ctypes.get_errno()

def path(text):
    return ctypes.c_char_p(text.encode())

def got(*results):
    return {"got": [r for r in results if r >= 0]}

def attempt(function, *args, **kwargs):
    try:
        return function(*args, **kwargs)
    except BaseException:
        return None

def drain(fd):
    data = ctypes.create_string_buffer(4096)
    n = raw(0, fd, data, 4096)
    return data.raw[:n].decode("latin-1") if n > 0 else ""
'''


@dataclass(frozen=True)
class Attack:
    """One attack.

    Attributes:
      family: as in the table of results.
      name: what it tries.
      body: Python source of `attack(P)`'s body.
      control: whether the same code, run unsealed in a scene of its own, must show an effect.
      seconds: deadline of the call.
      jit_may: whether an interpreter with a just-in-time compiler is meant to allow it.
      setup: source outside the function.
      native: whether it needs the object made of native_attacks.c, as the module `native_library`.
    """

    family: str
    name: str
    body: str
    control: bool = False
    seconds: float = 3.0
    jit_may: bool = False
    setup: str = ""
    native: bool = False

    @property
    def source(self) -> str:
        body = textwrap.indent(inspect.cleandoc(self.body) or "pass", "    ")
        return (
            "import ctypes, os, sys, time\nfrom kit import *\n"
            f"{textwrap.dedent(self.setup)}\ndef after():\n    return 7\n\ndef attack(P):\n{body}\n"
        )
