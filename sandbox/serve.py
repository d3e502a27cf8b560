"""The work of a sealed worker: load the untrusted modules, then answer calls until the parent hangs up.

Runs in the worker, in the same interpreter as the untrusted code, which can therefore forge any
reply: nothing here is a wall, and the parent checks all it gets. Python 3.9, standard library only.
"""

from __future__ import annotations

import importlib.machinery
import json
import linecache
import os
import sys
import types
from collections.abc import Mapping, Sequence
from typing import Any, Dict, List, NoReturn, Tuple

try:
    import _imp
except ImportError:  # PyPy, which takes no compiled modules
    _imp = None  # type: ignore[assignment]

MAX_MESSAGE = 2000
MAX_LINE = 200
MAX_NAME = 100
MAX_FRAMES = 16


def _ascii(text: str, limit: int) -> str:
    return text[:limit].encode("ascii", "backslashreplace").decode("ascii")[:limit]


class OnlyPreloaded:
    """The last finder on `sys.meta_path`: says which modules there are instead of looking for
    files."""

    def __init__(self, allowed: Sequence[str]):
        self._allowed = ", ".join(allowed)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        raise ModuleNotFoundError(
            f"no module named {name!r} in the sandbox; the modules that can be imported are: {self._allowed}",
            name=name,
        )


class Program:
    """The untrusted modules of one worker."""

    def __init__(self, compiled: Mapping[str, str], libraries: Mapping[str, Any]) -> None:
        """Takes the paths of the mapped objects of compiled modules by name, and mapped libraries, each of
        which becomes a module with the one attribute `library`."""
        self._compiled = compiled
        for name, library in libraries.items():
            module = types.ModuleType(name)
            module.library = library  # type: ignore[attr-defined]
            sys.modules[name] = module
        self.modules: Dict[str, types.ModuleType] = {}
        self._files: Dict[str, Tuple[str, List[str]]] = {}
        self._last = ""

    def load(self, sources: Sequence[Tuple[str, str]]) -> None:
        """Executes each (name, source) in order as a module that the later ones can import.

        Of a compiled module the source only serves to quote lines.
        """
        for name, source in sources:
            native = name in self._compiled
            file = f"{name}.py" if native else f"<{name}>"
            lines = source.splitlines(True)
            self._files[file] = (name, lines)
            linecache.cache[file] = (len(source), None, lines, file)
            if native:
                self._initialise(name, file)
                continue
            code = compile(source, file, "exec", dont_inherit=True)
            module = types.ModuleType(name)
            module.__file__ = file
            sys.modules[name] = module
            self.modules[name] = module
            self._last = name
            exec(code, module.__dict__)

    def _initialise(self, name: str, file: str) -> None:
        """Runs the initialisation of a mapped module: untrusted code, so only ever after the seal.

        By the path that it was mapped under, the loader finds the object in memory and opens
        nothing.
        """
        path = self._compiled[name]
        spec = importlib.machinery.ModuleSpec(name, None, origin=path)
        module = _imp.create_dynamic(spec)
        module.__file__ = file
        sys.modules[name] = module
        self.modules[name] = module
        self._last = name
        _imp.exec_dynamic(module)

    def find(self, function: str) -> Any:
        """Returns the callable named "module.function", or a bare name of the last module."""
        name, _, attribute = function.rpartition(".")
        name = name or self._last
        module = self.modules.get(name)
        if module is None:
            raise AttributeError(f"expected a module among {', '.join(self.modules)}, found {name!r}")
        found = getattr(module, attribute, None)
        if not callable(found):
            raise AttributeError(f"module {name!r} has no function {attribute!r}")
        return found

    def _line(self, file: str, number: int, function: str) -> str:
        name, lines = self._files[file]
        text = lines[number - 1].strip() if 0 < number <= len(lines) else ""
        if name in self._compiled and function.startswith(f"{name}."):
            function = function[len(name) + 1 :]  # native code names the module too
        return _ascii(f"{name}:{number} in {function}: {text}", MAX_LINE)

    def describe(self, error: BaseException, traceback: Any) -> Dict[str, Any]:
        """Returns type, message and traceback of the program's exception; never raises, whatever the exception
        does.
        """
        described: Dict[str, Any] = {"type": "Exception", "message": "it could not be described", "lines": []}
        try:
            described["type"] = _ascii(type(error).__name__, MAX_NAME)
            described["message"] = _ascii(str(error), MAX_MESSAGE)
            head: List[str] = []
            tail: List[str] = []
            omitted = 0
            while traceback is not None:
                code = traceback.tb_frame.f_code
                if code.co_filename in self._files:
                    line = self._line(code.co_filename, traceback.tb_lineno, code.co_name)
                    if len(head) < 4:
                        head.append(line)
                    else:
                        tail.append(line)
                        if len(tail) > MAX_FRAMES - 4:
                            del tail[0]
                            omitted += 1
                traceback = traceback.tb_next
            if omitted:
                head.append(f"... {omitted} frames left out ...")
            if isinstance(error, SyntaxError) and error.filename in self._files:
                tail.append(self._line(error.filename, error.lineno or 0, "source"))
            described["lines"] = head + tail
        except BaseException:
            pass  # an exception may lie about itself in any way it likes; what was gathered so far stands
        return described


def _read(fd: int, header: Any, os_read: Any, leave: Any) -> bytes:
    data = b""
    need = header.size
    while len(data) < need:
        chunk = os_read(fd, 1 << 16)
        if not chunk:
            leave(0)
        data += chunk
        if need == header.size and len(data) >= need:
            need += header.unpack(data[: header.size])[0]
    return data[header.size :]


def serve(fd: int, protocol: Any, frame_bytes: int, ready: Dict[str, Any], program: Program) -> NoReturn:
    """Sends `ready`, then answers requests on `fd` for ever; never returns.

    A request is {"id", "load": [[name, source], ...]} or {"id", "call": [function, args]}; the
    reply repeats the id with one of "value", "error" or "unserialisable".
    """
    # Taken before the program can replace them, so that it breaks them on purpose or not at all.
    os_read, os_write, leave = os.read, os.write, os._exit
    encode, header, frame_error = protocol.encode, protocol.HEADER, protocol.FrameError
    decode = json.loads  # the parent is trusted, so its frames need no second look
    exc_info = sys.exc_info

    def send(value: Any) -> None:
        data = encode(value, frame_bytes)
        while data:
            data = data[os_write(fd, data) :]

    send(ready)
    while True:
        request = decode(_read(fd, header, os_read, leave).decode("ascii"))
        number = request["id"]
        try:
            if "call" in request:
                function, args = request["call"]
                value = program.find(function)(*args)
            else:
                program.load(request["load"])
                value = None
        except BaseException as error:  # SystemExit and KeyboardInterrupt too: the program does not decide
            reply = {"id": number, "error": program.describe(error, exc_info()[2])}
        else:
            reply = {"id": number, "value": value}
        try:
            send(reply)
        except BrokenPipeError:
            leave(0)
        except frame_error as error:
            send({"id": number, "unserialisable": str(error)})
        except BaseException as error:
            send(
                {
                    "id": number,
                    "unserialisable": f"it raised {type(error).__name__} while it was written as JSON",
                }
            )
        value = reply = request = None
