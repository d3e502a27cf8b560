"""The zygote: a clean interpreter with every allowed module, which forks a worker per request.

Started by `zygote.py` as a script with one argument, a JSON object:
  fd: descriptor of the control socket; parent: process id of the parent;
  preload: module names; paths: extra import folders for them; allowed: names for import errors;
  command: how to run this script again; fixed: true the second time.
Python 3.9, standard library only.
"""

from __future__ import annotations

import os
import sys

# A script's own folder comes first on the path; its files must not stand in for standard modules.
_HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:] = [entry for entry in sys.path if entry not in ("", _HERE)]

import ctypes
import gc
import importlib
import importlib.machinery
import importlib.util
import json
import platform
import select
import signal
import socket
from typing import Any, Dict, List, NoReturn, Optional

CHANNEL = 3

# Loaded by the interpreter itself at odd moments (string literals with \N{}, codecs, strptime,
# warnings): a sealed worker can no longer open their files.
LAZY = (
    "_strptime",
    "ast",
    "calendar",
    "collections.abc",
    "contextlib",
    "copyreg",
    "datetime",
    "decimal",
    "dis",
    "encodings.ascii",
    "encodings.idna",
    "encodings.latin_1",
    "encodings.utf_16",
    "encodings.utf_32",
    "inspect",
    "locale",
    "opcode",
    "pprint",
    "reprlib",
    "stringprep",
    "struct",
    "textwrap",
    "tokenize",
    "types",
    "unicodedata",
    "warnings",
    "weakref",
)
LAZY_OF = {
    "numpy": (
        "numpy.char",
        "numpy.fft",
        "numpy.linalg",
        "numpy.ma",
        "numpy.polynomial",
        "numpy.random",
        "numpy.rec",
        "numpy.strings",
    )
}
"""Parts of third-party packages that they import on first use; those that a version lacks are
skipped."""

# Their worker threads would outlive the fork as ghosts, and Landlock and the filter are per thread.
ONE_THREAD = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


def _sibling(name: str) -> Any:
    spec = importlib.util.spec_from_file_location(f"_sandbox_{name}", os.path.join(_HERE, f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def _preload(names: List[str], paths: List[str]) -> None:
    """Imports everything a program may use, then takes away the means to import anything else."""
    sys.path.extend(paths)
    os.environ.update({name: "1" for name in ONE_THREAD})
    for name in names:
        importlib.import_module(name)
    for name in list(LAZY) + [part for name in names for part in LAZY_OF.get(name, ())]:  # noqa: B020
        try:
            importlib.import_module(name)
        except ModuleNotFoundError:
            continue  # not in this version
    for name in ONE_THREAD:
        del os.environ[name]
    sys.path[:] = []


def _threads() -> int:
    try:
        return len(os.listdir("/proc/self/task"))
    except FileNotFoundError:
        return 1  # no /proc (macOS); nothing above starts a thread there


def _pidfd(libc: Any, pid: int) -> Optional[int]:
    """Returns a descriptor for `pid` that can neither be reused nor confused, or None where there is no such
    thing.
    """
    if libc is None:
        return None
    fd = libc.syscall(434, pid, 0)  # the same number on every architecture
    return fd if fd >= 0 else None


def _map(objects: List[List[str]]) -> Dict[str, ctypes.CDLL]:
    """Maps shared objects for good, which runs none of their code (the parent has looked). Once sealed, the
    import of a compiled module finds it in memory.

    Raises:
      OSError: one cannot be mapped.
    """
    return {name: ctypes.CDLL(path, mode=os.RTLD_NOW | os.RTLD_LOCAL) for name, path in objects}


def _worker(fd: int, settings: Dict[str, Any], shared: Dict[str, Any]) -> NoReturn:
    """Becomes a sealed worker that talks over `fd`."""
    os.dup2(fd, CHANNEL)
    os.closerange(CHANNEL + 1, max(64, fd + 1))
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    # The numbers that a program draws without a seed are then at least the same in every run.
    sys.modules["random"].seed(0)
    if "numpy" in sys.modules:
        sys.modules["numpy"].random.seed(0)
    unmapped, libraries = "", {}
    try:
        _map(settings["compiled"])
        libraries = _map(settings["libraries"])
    except OSError as error:
        unmapped = str(error)
    layers = dict(shared["layers"])
    layers.update(
        shared["seal"].seal(
            shared["libc"],
            shared["seccomp"],
            memory_bytes=settings["memory_bytes"],
            cpu_seconds=settings["cpu_seconds"],
            jit=shared["jit"],
            zygote=shared["pid"],
        )
    )
    ready = {
        "layers": layers,
        "implementation": shared["implementation"],
        "version": shared["version"],
        "unmapped": unmapped,
    }
    compiled = dict(settings["compiled"])
    program = shared["serve"].Program(compiled, libraries)
    shared["serve"].serve(CHANNEL, shared["protocol"], settings["frame_bytes"], ready, program)


def _run(control: socket.socket, parent: int, shared: Dict[str, Any]) -> None:
    """Answers the parent until one of the two ends."""
    protocol = shared["protocol"]
    poller = select.poll()
    poller.register(control, select.POLLIN)
    watch = _pidfd(shared["libc"], parent)
    if watch is not None:
        # Not PDEATHSIG, which fires when the *thread* that started us ends; and not only the end of
        # the control connection, which a process forked from the parent may hold open.
        poller.register(watch, select.POLLIN)
    while True:
        events = poller.poll(1000 if watch is None else None)
        if os.getppid() != parent or any(fd == watch for fd, _ in events):
            return
        if not events:
            continue
        try:
            request, fds = protocol.receive_message(control)
        except (EOFError, OSError):
            return
        if "spawn" in request:
            pid = os.fork()
            if pid == 0:
                try:
                    _worker(fds[0], request["spawn"], shared)
                finally:
                    os._exit(1)
            os.close(fds[0])
            handle = _pidfd(shared["libc"], pid)
            protocol.send_message(control, {"pid": pid}, () if handle is None else (handle,))
            if handle is not None:
                os.close(handle)
        else:
            # Workers are reaped only on request, so a process id stays theirs until the parent is
            # done with it.
            status = 0
            for pid in request["reap"]:
                status = os.waitpid(pid, 0)[1]
            protocol.send_message(control, {"status": status})


def main() -> None:
    config = json.loads(sys.argv[1])
    protocol, seal, seccomp, serve = (_sibling(name) for name in ("protocol", "seal", "seccomp", "serve"))
    libc = seal.load_libc()
    layers: Dict[str, Dict[str, Any]] = {}

    def note(name: str, active: bool, detail: str) -> None:
        layers[name] = {"active": active, "mandatory": False, "detail": detail}

    try:
        if libc is None:
            raise OSError(f"{sys.platform} has no such layer")
        if not seal.disable_address_randomisation(libc) and not config.get("fixed"):
            os.execv(config["command"][0], config["command"] + [json.dumps(dict(config, fixed=True))])
        note("fixed_addresses", True, "the same addresses, hence the same order of sets, in every run")
    except OSError as error:
        note("fixed_addresses", False, str(error))
    control = socket.socket(fileno=config["fd"])
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)  # an inherited SIG_IGN would reap workers behind our back
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.pthread_sigmask(signal.SIG_SETMASK, [])
    try:
        if libc is None:
            raise OSError(f"{sys.platform} has no such layer")
        note("namespaces", True, seal.leave_namespaces(libc))
    except OSError as error:
        note("namespaces", False, f"{error} (needs root)")
    try:
        _preload(config["preload"], config["paths"])
    except Exception as error:
        protocol.send_message(control, {"error": f"{type(error).__name__}: {error}"[:500]})
        return
    if _threads() != 1:
        protocol.send_message(control, {"error": f"expected 1 thread after the imports, found {_threads()}"})
        return
    sys.meta_path[:] = [importlib.machinery.BuiltinImporter, serve.OnlyPreloaded(config["allowed"])]
    importlib.invalidate_caches = lambda: None  # it would ask finders that are gone
    shared = {
        "protocol": protocol,
        "seal": seal,
        "seccomp": seccomp,
        "serve": serve,
        "libc": libc,
        "layers": layers,
        "implementation": platform.python_implementation(),
        "version": platform.python_version(),
        "jit": platform.python_implementation() == "PyPy",
        "pid": os.getpid(),
    }
    gc.collect()
    if hasattr(gc, "freeze"):
        gc.freeze()
    protocol.send_message(control, {"ready": True})
    _run(control, config["parent"], shared)


if __name__ == "__main__":
    try:
        main()
    finally:
        os._exit(0)
