"""World models as native code: Python compiled by Cython and the machine's C compiler.

A third choice beside CPython and PyPy (`interpreter="cython"`), faster than the one and without the
warm-up of the other. Compiling reads the source and runs nothing of it; the object is mapped by a
worker before it is sealed and initialised after (`sandbox.Worker(compiled=...)`).

What differs from CPython: a recursion without end crashes the worker (`sandbox.WorkerDied`) where
CPython may raise RecursionError, and line numbers in errors are those of `plain(source)`.
"""

from __future__ import annotations

import ast
import hashlib
import importlib.util
import os
import sys
import sysconfig
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from cwm import contract
from cwm.worker import compilers, python_integers, translate
from sandbox import InterpreterMissing, Limits, ProgramError, Worker

SEARCH_IMPORTS = (*contract.IMPORTABLE, "time")
"""Modules that our own search imports; a worker has them, and models may not use `time`."""


def missing() -> str | None:
    """A sentence about the tools for compiling that this machine lacks, or None if it lacks nothing."""
    if not sys.platform.startswith("linux") or sys.implementation.name != "cpython":
        return "interpreter 'cython' needs CPython on Linux; use interpreter='cpython'"
    if importlib.util.find_spec("Cython") is None:
        return (
            "interpreter 'cython' needs the package Cython, which is not installed; run "
            "pip install 'spielwright[compile]'"
        )
    if compilers.system_compiler() is None:
        return (
            "interpreter 'cython' needs a C compiler on the PATH, which has none of cc, gcc and "
            "clang; install one (apt install gcc)"
        )
    headers = sysconfig.get_path("include")
    if not os.path.exists(os.path.join(headers, "Python.h")):
        return (
            f"interpreter 'cython' needs Python.h, which is not in {headers}; install Python's "
            f"headers (apt install python3-dev)"
        )
    return None


class _Strip(ast.NodeTransformer):
    """Drops annotations, which Cython would trust where Python ignores them.

    Those in a class body stay: dataclasses and named tuples are made from them, and with
    `annotation_typing` off Cython only stores them.
    """

    def __init__(self) -> None:
        self._in_class = False

    def _body(self, node: ast.AST, in_class: bool) -> ast.AST:
        before, self._in_class = self._in_class, in_class
        try:
            return self.generic_visit(node)
        finally:
            self._in_class = before

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        return self._body(node, True)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self._body(node, False)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self._body(node, False)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if self._in_class:
            return self.generic_visit(node)
        if node.value is None:
            if not isinstance(node.target, ast.Name):
                return ast.Pass()
            # In a function `x: int` makes x local even where nothing is assigned.
            return ast.If(ast.Constant(False), [ast.Assign([node.target], ast.Constant(None))], [])
        return ast.Assign([node.target], self.visit(node.value))


def plain(source: str, imports: Sequence[str] = contract.IMPORTABLE) -> str:
    """The text that is compiled: `source` without annotations and comments.

    Args:
      source: text of a Python module. That it parses as Python rules out Cython's own statements
        (cdef, cimport, include); comments, in which Cython looks for settings, are lost.
      imports: modules it may import. `cython`, which would give plain Python the meaning of C, must
        not be among them.

    Raises:
      sandbox.ProgramError: it does not parse, or imports something else.
    """
    try:
        tree = ast.parse(source)
        for breach in contract.import_breaches(tree, imports):
            raise ProgramError("ImportError", breach)
        return ast.unparse(python_integers.rewrite(_Strip().visit(tree))) + "\n"
    except SyntaxError as error:
        raise ProgramError("SyntaxError", str(error)) from None
    except (ValueError, RecursionError, MemoryError) as error:
        raise ProgramError("CompileError", compilers.printable(f"the module cannot be read: {error}")) from None


def compile_module(name: str, source: str, imports: Sequence[str] = contract.IMPORTABLE) -> str:
    """Compiles a module, or finds it compiled already; runs nothing of it.

    Args:
      name: name of the module, an identifier.
      source: its text.
      imports: as for `plain`.

    Returns:
      Path of the shared object, under `~/.cache/spielwright` (or `XDG_CACHE_HOME`), by a hash of
      the text and of all that compiles it.

    Raises:
      sandbox.InterpreterMissing: Cython, a C compiler or Python's headers are not on this machine.
      sandbox.ProgramError: the module cannot be compiled.
      ValueError: the name is malformed.
    """
    if not name.isascii() or not name.isidentifier():
        raise ValueError(f"compile_module: expected a module name that is an identifier, found {name!r}")
    lacking = missing()
    if lacking is not None:
        raise InterpreterMissing(lacking)
    import Cython

    text = plain(source, imports)
    compiler = compilers.system_compiler()
    how = [
        name,
        text,
        Cython.__version__,
        sys.version,
        sysconfig.get_config_var("SOABI"),
        os.uname().machine,
        compiler,
        os.stat(os.path.realpath(compiler[0])).st_mtime_ns,
        Path(translate.__file__).read_text(encoding="utf-8"),
    ]
    key = hashlib.sha256(repr(how).encode("utf-8", "backslashreplace")).hexdigest()
    folder = compilers.cache_folder()
    path = folder / f"{name}-{key}.so"
    if not path.exists():
        with tempfile.TemporaryDirectory(prefix="compile-", dir=folder) as place:
            _translate(name, text, compiler, str(Path(Cython.__file__).parent.parent), place)
            made = Path(place, f"{name}.so")
            made.chmod(0o600)
            os.replace(made, path)
    return str(path)


def _translate(name: str, text: str, compiler: list[str], cython: str, place: str) -> None:
    Path(place, f"{name}.py").write_text(text, encoding="utf-8", errors="surrogatepass")
    command = [
        sys.executable,
        "-I",
        "-B",
        translate.__file__,
        name,
        cython,
        sysconfig.get_path("include"),
        *compiler,
    ]
    status, lines = compilers.run(command, place, f"module {name!r}")
    if status != 0 or not os.path.exists(os.path.join(place, f"{name}.so")):
        told = [line for line in lines if line.startswith(f"{name}.")] or lines[-1:] or ["no message"]
        raise ProgramError(
            "CompileError",
            f"module {name!r} cannot be compiled (status {status}): {compilers.printable('; '.join(told))}; "
            f"use another interpreter",
        )


def make_worker(
    modules: Mapping[str, str], native: Mapping[str, Sequence[str]], *, limits: Limits, interpreter: str
) -> Worker:
    """A worker for `modules`, in which those named in `native` are compiled if so chosen.

    Args:
      modules: text by module name, in the order of loading.
      native: names of the modules to compile for "cython", each with the modules that it may import.
      limits: limits of the worker.
      interpreter: "cpython", "pypy", "cython" or a path.

    Raises:
      sandbox.SandboxError: as `compile_module` and `sandbox.Worker`.
    """
    if interpreter != "cython":
        return Worker(modules, limits=limits, interpreter=interpreter)
    compiled = {
        name: compile_module(name, modules[name], imports)
        for name, imports in native.items()
        if name in modules
    }
    # The worker quotes lines in errors, and the numbers are those of the compiled text.
    texts = {name: plain(text, native[name]) if name in compiled else text for name, text in modules.items()}
    return Worker(texts, limits=limits, interpreter="cpython", compiled=compiled)
