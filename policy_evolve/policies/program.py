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
