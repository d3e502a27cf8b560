"""The arena: bots by name, matches between them, and what their records say.

    arena.registry     bots made from spec strings such as `mcts(simulations=1000)`
    arena.bots         the reference bots `random` and `mcts`
    arena.openspiel_bots, arena.solver_bots, arena.engine_bots, arena.bridge_bot
                       OpenSpiel's other bots, and programs of other people
    arena.human        a person at the terminal
    arena.plugins      games and bots of other distributions
    arena.list         the command that shows every game and bot
    arena.play         the command that plays one match and shows the board
    arena.kaggle       the bots as agents of kaggle-environments
    arena.match        one match, from the opening to the returns
    arena.records      what is kept of a match
    arena.database     records in an SQLite file, as `arena.schema` describes it
    arena.tournament   the command that plays everybody against everybody
    arena.playing      how its matches get played, by several processes, and none twice
    arena.executor     where matches run: here, in a pool of processes, on a Dask cluster
    arena.convert      the command for other formats, in and out
    arena.replay       the command that shows stored matches and checks them against the game
    arena.results      the outcomes of many matches as columns
    arena.statistics   pure functions from those to figures
    arena.tables       those figures as text
    arena.ratings      the command that rates a database of matches: Elo, alpha-rank and others
    arena.policies     bots as OpenSpiel policies; best responses to them on small games
    arena.report       the command that makes a page of a database, with replays
    arena.league       the command that plays all methods in all games, with one page (`arena.league_config`)

The names below are loaded on first use, so that a command line that only wants `arena.cli` does not
wait for OpenSpiel.
"""
from __future__ import annotations

import spielwright_rooms  # noqa: F401  (first: binds the names of the suite's packages)

import importlib

_HOMES = {
    "Forfeit": "arena.match",
    "MatchRecord": "arena.records",
    "make_bot": "arena.registry",
    "play_match": "arena.match",
    "register_bot": "arena.registry",
}

__all__ = sorted(_HOMES)


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'arena' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
