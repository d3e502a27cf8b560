"""Import this once and every game and bot of the suite is registered.

    >>> import spielwright, pyspiel
    >>> pyspiel.load_game("gen_tic_tac_toe(size=3,length=3)").max_game_length()
    9

Games are registered with OpenSpiel, bots with `arena.registry.bots`.
"""

from __future__ import annotations

import spielwright_packages  # noqa: F401  (first: binds the names of the suite's packages)

import arena.registry.bots  # noqa: F401
import cwm.play.game  # noqa: F401
import games  # noqa: F401

__version__ = "0.1.0"
