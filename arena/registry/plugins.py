"""Plug-ins: games and bots of other distributions, found through their entry points.

A distribution names the modules that register its games and bots when they are imported:

    [project.entry-points."spielwright.games"]
    race = "my_package.race"      # runs pyspiel.register_game(...)

    [project.entry-points."spielwright.bots"]
    sprinter = "my_package.bots"  # runs @arena.register_bot("sprinter", ...)

and once it is installed, they are there by name in every command. The name of an entry point is free;
that of the bot or game itself serves best, since it is looked for when a plug-in is broken.

The environment variable SPIELWRIGHT_PLUGINS, where it is set, names the distributions whose plug-ins are used,
separated by commas; empty it turns all of them off.

A broken plug-in (it cannot be imported, or takes a name that is taken) is left out as a whole with
one warning, and everything else goes on. A plug-in is code that runs in this process, unsealed.
"""

from __future__ import annotations

import importlib.metadata
import multiprocessing
import os
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass

BOTS = "spielwright.bots"
GAMES = "spielwright.games"
CHOSEN = "SPIELWRIGHT_PLUGINS"
"""The environment variable that chooses among the plug-ins installed."""


@dataclass(frozen=True)
class Origin:
    """The origin of a plug-in: its distribution, and the module that its entry point names."""

    distribution: str
    version: str
    module: str

    def __str__(self) -> str:
        return f"{self.distribution} {self.version}"


@dataclass(frozen=True)
class Broken:
    """A plug-in that was left out. `registered` holds the (group, name) of the bots and games that it had
    registered before it failed."""

    group: str
    entry_point: str
    origin: Origin
    reason: str
    registered: frozenset[tuple[str, str]]

    def __str__(self) -> str:
        return (
            f"the plug-in {self.entry_point!r} of {self.origin} is left out: {self.reason}; repair "
            f"it, or remove it with: pip uninstall {self.origin.distribution}"
        )


Guard = Callable[[Origin, set[tuple[str, str]]], AbstractContextManager[None]]
"""`guard(origin, registered)` surrounds the import of a plug-in. It refuses names that are taken, adds
(`BOTS` or `GAMES`, name) of what is registered to `registered`, and undoes what it can when the import
fails."""

_guards: list[Guard] = []
_broken: dict[str, list[Broken]] = {}


def guard(function: Guard) -> Guard:
    """Decorator: `function` surrounds the import of every plug-in from now on."""
    _guards.append(function)
    return function


def load(group: str) -> None:
    """Imports the plug-ins of an entry-point group, `BOTS` or `GAMES`; once per process.

    A plug-in that fails is reported on stderr, by the main process only, so that the workers of an
    executor do not repeat it.
    """
    if group in _broken:
        return
    _broken[group] = []  # first, since a plug-in may itself ask for bots or games
    points = [point for point in importlib.metadata.entry_points(group=group) if _wanted(point.dist.name)]
    for point in sorted(points, key=lambda point: (point.dist.name, point.name, point.value)):
        origin = Origin(point.dist.name, point.dist.version, point.module)
        registered: set[tuple[str, str]] = set()
        try:
            with ExitStack() as stack:
                for function in _guards:
                    stack.enter_context(function(origin, registered))
                point.load()
        except (Exception, SystemExit) as error:  # whatever foreign code does, the others go on
            reason = " ".join(f"{type(error).__name__}: {error}".split())
            plugin = Broken(group, point.name, origin, reason, frozenset(registered))
            _broken[group].append(plugin)
            if multiprocessing.parent_process() is None:
                print(f"warning: {plugin}", file=sys.stderr)


def _wanted(distribution: str) -> bool:
    names = os.environ.get(CHOSEN)
    return names is None or distribution in (name.strip() for name in names.split(","))


def broken() -> list[Broken]:
    """The plug-ins of the groups loaded so far that were left out."""
    return [plugin for plugins in _broken.values() for plugin in plugins]


def left_behind(group: str, name: str) -> str | None:
    """The reason why a bot (`BOTS`) or game (`GAMES`) is not to be used: a plug-in had registered it before it
    failed. None for all others."""
    for plugin in broken():
        if (group, name) in plugin.registered:
            return f"{name!r} is not there, since {plugin}"
    return None


def why_missing(group: str, name: str) -> str | None:
    """The reason why an unknown bot or game is not there, if a plug-in that was left out has it, or is called so."""
    for plugin in broken():
        if (plugin.group, plugin.entry_point) == (group, name):
            return f"{name!r} is not there, since {plugin}"
    return left_behind(group, name)


def suspects() -> str:
    """A clause for the error about an unknown name: the plug-ins that may have had it, or nothing."""
    if not broken():
        return ""
    names = ", ".join(f"{plugin.entry_point!r} of {plugin.origin}" for plugin in broken())
    return f" (plug-ins left out, since they are broken: {names})"
