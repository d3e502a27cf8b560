"""Loads games by string, with errors of one sentence."""
from __future__ import annotations

import contextlib
import importlib
import os
import sys
from collections.abc import Iterator

import pyspiel

from arena.registry import nearest

GAME_PROVIDERS = ("open_spiel.python.games", "games", "cwm.game")
"""Modules that register Python games when they are imported; imported on first use."""


@contextlib.contextmanager
def silenced_stderr() -> Iterator[None]:
    """While it lasts, nothing reaches file descriptor 2."""
    # OpenSpiel writes its own report of each error to file descriptor 2 before it raises.
    sys.stderr.flush()
    saved = os.dup(2)
    with open(os.devnull, "wb") as devnull:
        os.dup2(devnull.fileno(), 2)
    try:
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)


def load_game(game_string: str) -> pyspiel.Game:
    """The game that an OpenSpiel game string names, e.g. `connect_four(rows=5)`.

    Raises:
      ValueError: no game has this name (the sentence holds the nearest names), or its parameters
        are refused.
    """
    for module in GAME_PROVIDERS:
        importlib.import_module(module)
    name = game_string.partition("(")[0].strip()
    known = pyspiel.registered_names()
    if name not in known:
        raise ValueError(f"unknown game {name!r}; {nearest(name, sorted(known))}")
    try:
        with silenced_stderr():
            return pyspiel.load_game(game_string)
    except (pyspiel.SpielError, ValueError, TypeError) as error:
        reason = str(error).strip().partition("\n")[0] or type(error).__name__
        raise ValueError(f"game {game_string!r} cannot be loaded: {reason}") from error
