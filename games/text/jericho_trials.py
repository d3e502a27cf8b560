"""Tries commands in Jericho's interpreter with a loop of our own, in C, two to three times as fast as Jericho's.

Most of a trial is the decoding of the story's instructions (pentari: 11,000 for a command). `jericho_trials.c`
carries out the frequent ones itself and leaves the rest to Jericho's interpreter, on the same memory, so that
what a trial does is the same. It is compiled once for a machine, with the C compiler that Jericho itself
needed, and kept in the user's cache folder. `jericho_worker` loads this file; it imports nothing of the suite.
"""

from __future__ import annotations

import ctypes
import hashlib
import os
import shlex
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

KNOWN = ("3.3.1",)
"""Versions of Jericho whose interpreter is laid out as the C code expects."""
EFFECT_WORDS = 128
"""Words of two bytes that Jericho describes the effect of a command with."""
_SOURCE = Path(__file__).with_suffix(".c")
_FLAGS = ("-O3", "-fno-gcse", "-fno-crossjumping", "-shared", "-fPIC")
"""Without the two middle ones GCC merges the ends of the cases, and a trial takes up to a third longer."""
_COMPILE_SECONDS = 50.0
_HOST = (
    "zmp pcp sp fp stack h_globals h_objects h_dynamic_size h_version next_opcode emulator_halted frame_count "
    "move_diff_cnt attr_diff_cnt attr_clr_cnt ram_diff_cnt world run_opcode get_next_opcode "
    "dumb_set_next_action dumb_get_screen dumb_clear_screen clean_observation update_special_ram "
    "update_ram_diff get_score game_over victory world_changed get_cleaned_world_diff getRngA getRngInterval "
    "getRngCounter setRng"
)
"""What the fields of `struct host` point to, in their order."""


class Unavailable(Exception):
    """An exception raised where commands must be tried by Jericho's own loop; it says why."""


class Trials:
    """The trial of commands in an interpreter.

    Args:
      library: Jericho's interpreter, in which a story is.
      version: Jericho's version.
      story_bytes: length of the story's file.

    Raises:
      Unavailable: this version is not known, or the C code cannot be compiled here.
    """

    def __init__(self, library: ctypes.CDLL, version: str, story_bytes: int) -> None:
        if version not in KNOWN:
            raise Unavailable(f"it is made for jericho {' and '.join(KNOWN)}, found {version}")
        self._code = ctypes.CDLL(str(compiled()))
        pointer = ctypes.c_void_p
        self._code.try_all.argtypes = [
            pointer,
            ctypes.c_uint32,
            ctypes.c_char_p,
            ctypes.c_int,
            pointer,
            pointer,
        ]
        places = [ctypes.addressof(ctypes.c_char.in_dll(library, name)) for name in _HOST.split()]
        self._host = (pointer * len(places))(*places)
        self._bytes = story_bytes

    def effects(self, commands: Sequence[str]) -> tuple[list[tuple[str, bytes]], int]:
        """Returns the commands that change the world in the interpreter's present state, each with its
        effect, as `jericho_worker.Interpreter.effects` does, and how many were tried: all, or those
        before the one that halts the interpreter or is too long.
        """
        number = len(commands)
        text = b"".join(command.encode("cp1252") + b"\0" for command in commands)
        valid = ctypes.create_string_buffer(number)
        effects = (ctypes.c_uint16 * (EFFECT_WORDS * number))()
        tried = self._code.try_all(self._host, self._bytes, text, number, valid, effects)
        raw, size = bytes(effects), 2 * EFFECT_WORDS
        found = [
            (command, raw[index * size : (index + 1) * size])
            for index, command in enumerate(commands[:tried])
            if valid.raw[index] == 1
        ]
        return found, tried


def compiled() -> Path:
    """Returns the file of the compiled C code, which is made where there is none.

    Raises:
      Unavailable: there is no compiler, or it fails.
    """
    base = os.environ.get("XDG_CACHE_HOME", "")
    folder = Path(base if os.path.isabs(base) else Path.home() / ".cache") / "spielwright" / "trials"
    compiler = _compiler()
    key = repr((_SOURCE.read_bytes(), compiler, _FLAGS, os.uname().machine)).encode()
    target = folder / f"{hashlib.sha256(key).hexdigest()[:16]}.so"
    if target.is_file():
        return target
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder) as place:
            made = Path(place, "trials.so")
            _compile([*compiler, *_FLAGS, "-o", str(made), str(_SOURCE)], place)
            # Others may be at it: whoever is last puts the same file there, as a whole.
            os.replace(made, target)
    except OSError as error:
        raise Unavailable(f"its C code cannot be kept in {folder}: {error}") from error
    return target


def _compile(command: list[str], place: str) -> None:
    environment: dict[str, Any] = {"PATH": os.environ.get("PATH", os.defpath), "TMPDIR": place}
    try:
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, errors="replace", timeout=_COMPILE_SECONDS
        )
    except subprocess.TimeoutExpired as error:
        raise Unavailable(f"{command[0]} took more than {_COMPILE_SECONDS:g} s") from error
    if done.returncode:
        message = " ".join(done.stderr.split())[:200]
        raise Unavailable(f"{command[0]} failed on {_SOURCE.name}: {message}")


def _compiler() -> list[str]:
    chosen = shlex.split(os.environ.get("CC", "")) or ["cc"]
    for command in (chosen, ["gcc"], ["clang"]):
        found = shutil.which(command[0])
        if found is not None:
            return [found, *command[1:]]
    raise Unavailable("it needs a C compiler (apt install gcc), found none of cc, gcc and clang")
