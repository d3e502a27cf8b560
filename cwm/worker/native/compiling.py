"""Compiles a world model in C together with the search core, into one shared object for a sealed worker.

The source is read by tokens first (`cwm.contract.native_source`) and compiled with nothing within reach but
the contract's header and the core. The compiler is that of the package ziglang, else the machine's own. What
it makes is kept by a hash of all that went into it, and a worker looks it over before mapping it
(`sandbox.objects`).
"""

from __future__ import annotations

import functools
import hashlib
import importlib.resources
import importlib.util
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from cwm.contract import native_source
from cwm.worker import compilers
from sandbox import InterpreterMissing, ProgramError

_FLAGS = (
    "-std=c11",
    "-nostdinc",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-stack-protector",
    "-fno-math-errno",
    "-ffp-contract=off",  # a fused multiply-add would round otherwise than Python does
    "-fwrapv",  # an overflow that slipped through checking is at least the same everywhere
    "-Werror=implicit-function-declaration",
    "-Werror=incompatible-pointer-types",
    "-Werror=int-conversion",
    "-Werror=return-type",
    "-Werror=uninitialized",
    "-Wno-maybe-uninitialized",
    "-Werror=vla",
)
_FAST = ("-O3", "-fno-sanitize=all", "-DCORE_CHECKED=0")
_CHECKED = (
    "-O1",
    "-fno-wrapv",
    "-fsanitize=undefined,float-cast-overflow",
    "-fno-sanitize=vptr",
    "-fno-sanitize-recover=all",
    "-ftrivial-auto-var-init=pattern",
    "-DCORE_CHECKED=1",
)
"""Of a build that watches for undefined behaviour: it is not to be played with, being several times slower.
Variables start with a pattern, so that what is read before it is written differs from the fast build."""


@dataclass(frozen=True)
class Compiler:
    """A C compiler: the commands that compile and link, flags of its own, and what tells it from others."""

    name: str
    compile: tuple[str, ...]
    link: tuple[str, ...]
    identity: str


def _zig() -> Compiler | None:
    spec = importlib.util.find_spec("ziglang")
    if spec is None or not spec.submodule_search_locations:
        return None
    zig = os.path.join(spec.submodule_search_locations[0], "zig")
    if not os.access(zig, os.X_OK):
        return None
    return Compiler(
        "ziglang",
        (zig, "cc"),
        (zig, "ld.lld", "-shared", "-z", "now", "-z", "noexecstack", "--hash-style=sysv"),
        _identity(zig, "version"),
    )


def _system() -> Compiler | None:
    command = compilers.system_compiler()
    if command is None:
        return None
    return Compiler(
        os.path.basename(command[0]),
        (*command, "-march=native"),
        (*command, "-shared", "-nostdlib", "-Wl,-z,now", "-Wl,-z,noexecstack", "-Wl,--hash-style=sysv"),
        _identity(*command, "--version"),
    )


@functools.cache
def _identity(*command: str) -> str:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60, stdin=subprocess.DEVNULL)
    except (OSError, subprocess.SubprocessError) as error:
        return str(error)
    return f"{command} {done.stdout}"


def compiler() -> Compiler | None:
    """The compiler of this machine, or None."""
    return _zig() or _system()


def require() -> None:
    """Makes sure that this machine can compile models in C.

    Raises:
      sandbox.InterpreterMissing: it cannot; the sentence says what it lacks.
    """
    lacking = missing()
    if lacking is not None:
        raise InterpreterMissing(lacking)


def missing() -> str | None:
    """What this machine lacks for models in C, as a sentence, or None if it lacks nothing."""
    if not sys.platform.startswith("linux") or sys.implementation.name != "cpython":
        return "interpreter 'native' needs CPython on Linux; use interpreter='cpython'"
    if compiler() is None:
        return (
            "interpreter 'native' needs a C compiler, and there is neither the package ziglang nor one of cc, "
            "gcc and clang on the PATH; run pip install 'spielwright[native]'"
        )
    return None


@functools.cache
def _processor() -> str:
    """What code made for this machine's processor depends on."""
    try:
        text = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        text = ""
    lines = [x for x in text.split("\n\n")[0].splitlines() if x.startswith(("model name", "flags", "Features"))]
    return "\n".join([os.uname().machine, *lines])


@functools.cache
def core_sources() -> dict[str, str]:
    """The texts of the core and of the contract's headers, by file name."""
    folder = importlib.resources.files("cwm.worker.native").joinpath("core")
    texts = {
        entry.name: entry.read_text(encoding="utf-8") for entry in folder.iterdir() if entry.name.endswith(".c")
    }
    return {**texts, "native.h": native_source.header(), "native_at_once.h": native_source.header_at_once()}


def _features(source: str) -> list[str]:
    """What the core is told of the optional functions of a model."""
    defined = native_source.functions_defined(source)
    named = {
        "VALUE": "value",
        "ROLLOUT": "rollout",
        "INFORMATION": "information_state",
        "RESAMPLE": "resample",
        "AT_ONCE": "apply_actions",
    }
    return [f"-DCORE_HAS_{key}={int(name in defined)}" for key, name in named.items()]


def compile_model(source: str, *, checked: bool = False) -> str:
    """Compiles a model with the core, or finds it compiled already; runs nothing of it.

    Args:
      source: text of `model.c`.
      checked: whether to watch for undefined behaviour and writes beyond buffers.

    Returns:
      Path of the shared object, under `~/.cache/spielwright` (or `XDG_CACHE_HOME`).

    Raises:
      sandbox.InterpreterMissing: there is no C compiler on this machine, and the object has not been made before.
      sandbox.ProgramError: the source breaks the rules of `native.h`, or cannot be compiled.
    """
    found = native_source.breaches(source)
    if found:
        raise ProgramError("ContractError", f"model.c is refused: {'; '.join(found[:8])}")
    return build(source, checked=checked)


def build(source: str, *, checked: bool = False) -> str:
    """`compile_model` for a source that the caller has read already, or means to attack with."""
    chosen = compiler()
    flags = [*_FLAGS, *(_CHECKED if checked else _FAST), *_features(source)]
    key = _hash([source, sorted(core_sources().items()), flags, _processor()])
    folder = compilers.cache_folder()
    if chosen is None:
        made_before = sorted(folder.glob(f"native-{key}-*.so"))
        if not made_before:
            require()
        return str(made_before[0])
    path = folder / f"native-{key}-{_hash(chosen)}.so"
    if not path.exists():
        with tempfile.TemporaryDirectory(prefix="compile-", dir=folder) as place:
            made = _compile(source, flags, chosen, place)
            made.chmod(0o600)
            os.replace(made, path)
    return str(path)


def _hash(what: object) -> str:
    return hashlib.sha256(repr(what).encode("utf-8", "backslashreplace")).hexdigest()


def _compile(source: str, flags: list[str], chosen: Compiler, place: str) -> Path:
    for name, text in {**core_sources(), "model.c": source}.items():
        Path(place, name).write_text(text, encoding="utf-8")
    # Zig keeps files of its own, which must not outlive the compilation.
    environment = {"ZIG_GLOBAL_CACHE_DIR": place, "ZIG_LOCAL_CACHE_DIR": place}
    for command in (
        [*chosen.compile, *flags, "-c", "unit.c", "-o", "unit.o"],
        [*chosen.link, "unit.o", "-o", "unit.so"],
    ):
        status, lines = compilers.run(command, place, "model.c", environment)
        if status != 0:
            told = [line for line in lines if " error: " in line] or lines[-3:] or ["no message"]
            raise ProgramError(
                "CompileError",
                f"model.c cannot be compiled (status {status}): {compilers.printable('; '.join(told[:5]))}",
            )
    return Path(place, "unit.so")
