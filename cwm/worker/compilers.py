"""Compilers of this machine: which there are, where what they make is kept, and running one under limits."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
from pathlib import Path

from sandbox import ProgramError

COMPILE_SECONDS = 180.0
"""Deadline of one compilation, in seconds of wall-clock time."""
COMPILE_BYTES = 8 << 30
"""Address space of a compiler, in bytes."""
OBJECT_BYTES = 256 << 20
"""Largest file that a compiler may write."""
_MESSAGE = 600


def system_compiler() -> list[str] | None:
    """The command of this machine's C compiler: that of the environment variable CC, else cc, gcc or clang;
    None where there is none."""
    chosen = shlex.split(os.environ.get("CC", "")) or ["cc"]
    for command in (chosen, ["gcc"], ["clang"]):
        found = shutil.which(command[0])
        if found is not None:
            return [found, *command[1:]]
    return None


def cache_folder() -> Path:
    """The folder of compiled code, `~/.cache/spielwright` (or under `XDG_CACHE_HOME`), made if need be."""
    base = os.environ.get("XDG_CACHE_HOME", "")
    folder = Path(base if os.path.isabs(base) else Path.home() / ".cache") / "spielwright"
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    return folder


def printable(text: str) -> str:
    """A compiler's message, cut, and without what a terminal would obey."""
    return "".join(c if " " <= c <= "~" else "?" for c in text[:_MESSAGE])


def run(
    command: list[str], place: str, what: str, environment: dict[str, str] | None = None
) -> tuple[int, list[str]]:
    """Runs a compiler in the folder `place`, alone in a session, and waits for its end.

    Args:
      command: what to run.
      place: folder in which it runs and may leave what it makes.
      what: is compiled, for the error.
      environment: variables that it needs besides the search path; of ours it gets no other, because
        a compiler needs no secrets.

    Returns:
      Its exit status, and the lines that it printed.

    Raises:
      sandbox.ProgramError: it did not end within `COMPILE_SECONDS`, and was killed.
    """
    given = {
        "PATH": os.environ.get("PATH", os.defpath),
        "LC_ALL": "C",
        "TMPDIR": place,
        "PYTHONHASHSEED": "0",
        **(environment or {}),
    }
    with open(os.path.join(place, "said"), "w+b") as said:
        process = subprocess.Popen(
            command,
            cwd=place,
            env=given,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
        try:
            _limit(process.pid)
            status = process.wait(COMPILE_SECONDS)
        except BaseException as error:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if isinstance(error, subprocess.TimeoutExpired):
                raise ProgramError(
                    "CompileError",
                    f"{what} was not compiled within {COMPILE_SECONDS:g} s; use another interpreter",
                ) from None
            raise
        said.seek(0)
        return status, said.read(1 << 20).decode("utf-8", "replace").strip().splitlines()


def _limit(pid: int) -> None:
    """Bounds a process just started, and all that it will start."""
    import resource  # not on Windows, where nothing is compiled

    for kind, amount in (
        (resource.RLIMIT_AS, COMPILE_BYTES),
        (resource.RLIMIT_FSIZE, OBJECT_BYTES),
        (resource.RLIMIT_CORE, 0),
    ):
        try:
            resource.prlimit(pid, kind, (amount, amount))
        except ProcessLookupError:
            return  # it has ended already
        except PermissionError:
            # It may have bounded itself tighter already, which only some may undo.
            if not 0 <= resource.prlimit(pid, kind)[1] <= amount:
                raise
