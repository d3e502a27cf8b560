"""Import this once and every game and bot of the suite is registered.

    >>> import spielwright, pyspiel
    >>> pyspiel.load_game("gen_tic_tac_toe(size=3,length=3)").max_game_length()
    9

Games are registered with OpenSpiel, bots with `arena.registry.bots`, and both are found by OpenSpiel's own
functions, `pyspiel.load_game` and `pyspiel.load_bot`; so are the games and bots of installed packages
(docs/your_own_game.md). Beside these are

    play_tournament  everybody against everybody, specs and bots of one's own, with a table of the result
    rate             ratings of a database or of match records
"""

from __future__ import annotations

import importlib

import spielwright_packages  # noqa: F401  (first: binds the names of the suite's packages)

from arena.registry import openspiel_bots as _openspiel_bots
from arena.registry.games import import_games as _import_games

__version__ = "0.1.0"

_HOME = "arena.tournaments.in_python"

_LAZY = ("play_tournament", "rate")


def __getattr__(name: str) -> object:  # loaded on first use, as it takes SciPy and more
    if name not in _LAZY:
        raise AttributeError(f"module 'spielwright' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOME), name)


# Last: a package that is installed may import this module itself.
_openspiel_bots.offer()
_import_games()
