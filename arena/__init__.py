"""The arena: bots by name, matches between them, and the figures that their records give.

    arena.registry.bots     bots made from spec strings such as `mcts(simulations=1000)`
    arena.bots.reference         the reference bots `random` and `mcts`
    arena.bots.openspiel, arena.bots.solvers, arena.bots.engines, arena.bots.bridge
                       OpenSpiel's other bots, and programs of other people
    arena.bots.human        a person at the terminal
    arena.registry.plugins      games and bots of other distributions
    arena.list         the command that shows every game and bot
    arena.play         the command that plays one match and shows the board
    arena.kaggle       the bots as agents of kaggle-environments
    arena.matches.match        one match, from the opening to the returns
    arena.matches.records      what is kept of a match
    arena.store.database     records in an SQLite file, as `arena.store.schema` describes it
    arena.tournament   the command that plays everybody against everybody
    arena.tournaments.playing      how its matches get played, by several processes, and none twice
    runs.executors     where matches run: here, in a pool of processes, on a Dask cluster
    arena.convert      the command for other formats, in and out
    arena.replay       the command that shows stored matches and checks them against the game
    arena.store.results      the outcomes of many matches as columns
    arena.tournaments.statistics   pure functions from those to figures
    runs.tables       those figures as text
    arena.ratings      the command that rates a database of matches: Elo, alpha-rank and others
    arena.bots.policies     bots as OpenSpiel policies; best responses to them on small games
    arena.report       the command that makes a page of a database, with replays
    arena.league       the command that plays all methods in all games, with one page (`arena.tournaments.league_config`)

The names below are loaded on first use, so that a command line that only wants `runs.cli` does not
wait for OpenSpiel.
"""

from __future__ import annotations

import spielwright_packages  # noqa: F401  (first: binds the names of the suite's packages)

import importlib

from runs import doors

__path__ += doors.folders(__file__)

_HOMES = {
    "Forfeit": "arena.matches.match",
    "Unplayable": "arena.matches.forfeit",
    "MatchRecord": "arena.matches.records",
    "make_bot": "arena.registry.bots",
    "play_match": "arena.matches.match",
    "register_bot": "arena.registry.bots",
}

__all__ = ["Forfeit", "MatchRecord", "Unplayable", "make_bot", "play_match", "register_bot"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'arena' has no attribute {name!r}")
    return getattr(importlib.import_module(_HOMES[name]), name)
