"""Programs in replies."""

from __future__ import annotations

import re

_BLOCKS = {
    "python": re.compile(r"```(?:python|py)[ \t]*\n(.*?)^```", re.DOTALL | re.MULTILINE),
    "c": re.compile(r"```[cC][ \t]*\n(.*?)^```", re.DOTALL | re.MULTILINE),
}


def program_of(reply: str, language: str = "python") -> str | None:
    """The last ```python (or ```c) block of a reply, or None where there is none; `language` is "python" or "c"."""
    blocks = _BLOCKS[language].findall(reply)
    return blocks[-1] if blocks else None
