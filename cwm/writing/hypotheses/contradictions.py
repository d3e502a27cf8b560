"""Sentences of the rules that a language model says the recorded games contradict."""

from __future__ import annotations

import re

_LINE = re.compile(r"^\s*#?\s*CONTRADICTION:\s*(.*\S)\s*$", re.MULTILINE)


def contradictions_in(text: str) -> list[str]:
    """The sentences that a reply or a module names in lines `# CONTRADICTION: ...`, in order, each once.

    >>> contradictions_in("# CONTRADICTION: Kings move twice.\\nX = 1\\n# CONTRADICTION: Kings move twice.")
    ['Kings move twice.']
    """
    return list(dict.fromkeys(_LINE.findall(text)))
