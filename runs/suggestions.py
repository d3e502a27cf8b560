"""The known word that a wrong one may have been meant to be."""

from __future__ import annotations

import difflib
import typing


def nearest(word: str, known: typing.Iterable[str]) -> str:
    """Returns a clause for error messages: the known words that `word` may have been meant to be."""
    known = list(known)
    close = difflib.get_close_matches(word, known, n=3, cutoff=0.5)
    if close:
        return f"did you mean {' or '.join(close)}?"
    shown = ", ".join(known[:12]) + (", ..." if len(known) > 12 else "")
    return f"expected one of: {shown}" if known else "there are none to choose from"
