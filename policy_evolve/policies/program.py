"""A program and its name."""

from __future__ import annotations

import ast
import hashlib
from dataclasses import dataclass
from functools import cached_property

_CHANCE = frozenset({"random", "secrets", "uuid", "time", "datetime", "os", "id", "hash", "set", "frozenset"})
"""Names from which a program could have what its observations do not say: chance, the time, addresses, and
the order of sets of texts, which differs between processes."""


def is_deterministic(source: str) -> bool:
    """Whether a program's answers follow from what it is shown alone, as far as can be read off: it names
    nothing that draws at random. False where that is not sure, and for what is no Python."""
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    named: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name):
            named.add(node.id)
        elif isinstance(node, ast.Attribute):
            named.add(node.attr)
        elif isinstance(node, ast.Import | ast.ImportFrom):
            named.update(part for alias in node.names for part in alias.name.split("."))
            named.update((getattr(node, "module", None) or "").split("."))
        elif isinstance(node, ast.Set | ast.SetComp):
            named.add("set")
    return not named & _CHANCE


_CHANGES = frozenset({"append", "add", "update", "setdefault", "extend", "insert", "pop", "clear", "remove"})
"""Methods that change a list, a set or a dictionary."""


def remembers(source: str) -> bool:
    """Whether a program's answer may depend on its earlier ones in the match, as far as can be read off: it names its memory,
    or changes something that outlasts a call. True where that is not sure, and for what is no Python."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return True
    acts = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == "act"]
    if len(acts) != 1 or len(acts[0].args.args) != 2 or acts[0].args.vararg or acts[0].args.kwarg:
        return True
    memory = acts[0].args.args[1].arg
    lasting = {
        name.id
        for node in tree.body
        if isinstance(node, ast.Assign | ast.AnnAssign)
        for name in ast.walk(node)
        if isinstance(name, ast.Name) and isinstance(name.ctx, ast.Store)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Global | ast.Nonlocal) or (isinstance(node, ast.Name) and node.id == memory):
            return True
        changed = None
        if isinstance(node, ast.Subscript | ast.Attribute) and not isinstance(node.ctx, ast.Load):
            changed = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
            changed = node.func.value
        if isinstance(changed, ast.Name) and changed.id in lasting:
            return True
    return False


@dataclass(frozen=True)
class Program:
    """A policy's source and the name it goes by in logs."""

    name: str
    source: str

    @cached_property
    def digest(self) -> str:
        """The 16 hexadecimal digits of the SHA-256 that tell sources apart."""
        return hashlib.sha256(self.source.encode("utf-8", "backslashreplace")).hexdigest()[:16]

    @cached_property
    def deterministic(self) -> bool:
        """See `is_deterministic`."""
        return is_deterministic(self.source)
