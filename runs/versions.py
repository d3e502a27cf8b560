"""Versions of the programs that take part in a run."""

from __future__ import annotations

import functools
import importlib
import platform
from collections.abc import Mapping


@functools.cache
def versions() -> Mapping[str, str]:
    """Returns the versions of the programs in this process that take part in matches: name -> version."""
    found = {"python": platform.python_version()}
    for name in ("open_spiel", "numpy", "spielwright"):
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            found[name] = "not installed"
    return found
