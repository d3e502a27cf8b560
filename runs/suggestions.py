"""What to do instead: the known word that a wrong one may have been meant to be, the command that installs what is missing."""

from __future__ import annotations

import difflib
import importlib
import types
import typing


def nearest(word: str, known: typing.Iterable[str]) -> str:
    """Returns a clause for error messages: the known words that `word` may have been meant to be."""
    known = list(known)
    close = difflib.get_close_matches(word, known, n=3, cutoff=0.5)
    if close:
        return f"did you mean {' or '.join(close)}?"
    shown = ", ".join(known[:12]) + (", ..." if len(known) > 12 else "")
    return f"expected one of: {shown}" if known else "there are none to choose from"


def required(module: str, what: str, extra: str) -> types.ModuleType:
    """Imports a module of an optional package.

    Args:
      module: its name.
      what: what needs it, the error's subject.
      extra: the extra of spielwright that installs it.

    Raises:
      ImportError: it is missing; the message names the pip command.
    """
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(
            f"{what} needs the package {error.name}, which is not installed; run pip install 'spielwright[{extra}]'"
        ) from error
