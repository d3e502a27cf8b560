"""How much memory a process has had."""

from __future__ import annotations

import re
from pathlib import Path


def peak_mib(pid: int) -> float:
    """Returns the most memory that a process has had so far, its part of the model's file included."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text(encoding="ascii"))
    return int(found[1]) / 1024
