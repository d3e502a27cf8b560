"""Programs in replies."""

from __future__ import annotations

import re

_BLOCK = re.compile(r"```(?:python|py)[ \t]*\n(.*?)^```", re.DOTALL | re.MULTILINE)


def program_of(reply: str) -> str | None:
    """The last ```python block of a reply, or None where there is none."""
    blocks = _BLOCK.findall(reply)
    return blocks[-1] if blocks else None
