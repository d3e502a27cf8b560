"""A program and its name."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass


@dataclass(frozen=True)
class Program:
    """A policy's source and the name it goes by in logs."""

    name: str
    source: str

    @property
    def digest(self) -> str:
        """The 16 hexadecimal digits of the SHA-256 that tell sources apart."""
        return hashlib.sha256(self.source.encode("utf-8", "backslashreplace")).hexdigest()[:16]
