"""Games that reach lines of a program which no test has reached: there nobody knows yet whether it is right."""

from __future__ import annotations

from collections.abc import Sequence

from cwm.trust import checks
from cwm.trust.verification.probes import with_probes

GAMES = 60
ACTIONS = 300
CLOSELY = 3
"""Number of games of which it is found out after how many moves they reach something new."""


def unreached_game(source: str, known: Sequence[Sequence[str]], seed: int) -> tuple[str, ...] | None:
    """A short game, played inside the program, that runs a line or meets an outcome of a condition that none of the known
    games does.

    Args:
      source: text of the program.
      known: the names of the actions of the games that it was tested on.
      seed: seed of the random games.

    Returns:
      The names of the moves, chance's included; None where no such game was found.
    """
    try:
        probed = with_probes(source).source
    except (SyntaxError, ValueError, RecursionError):
        return None
    explorer = checks.Holder(source)
    try:
        found = explorer.call("exploring_driver.explore", seed, GAMES, ACTIONS, [[]])
    finally:
        explorer.close()
    games = [one for one in found if isinstance(one, list)] if isinstance(found, list) else []
    best: tuple[str, ...] | None = None
    closely = 0
    holder = checks.Holder(probed)
    try:
        before = _reached(holder, known)
        for names in sorted(games, key=len):
            after = _reached(holder, [names])
            if closely < CLOSELY and _adds(before, after):
                closely += 1
                place = _first_place(probed, known, names)
                if place is not None and (best is None or place < len(best)):
                    best = tuple(names[:place])
            before = after
    finally:
        holder.close()
    return best


def _reached(holder: checks.Holder, games: Sequence[Sequence[str]]) -> str:
    """What all games replayed so far have reached, as a text of 0 and 1; empty where the program fails."""
    told = ""
    for names in games:
        reply = holder.call("coverage_driver.replayed", [list(names)])
        told = reply if isinstance(reply, str) else told
    return told


def _adds(before: str, after: str) -> bool:
    return before.count("1") < after.count("1")


def _first_place(probed: str, known: Sequence[Sequence[str]], names: Sequence[str]) -> int | None:
    """The number of moves of a game after which it has reached something new."""
    holder = checks.Holder(probed)
    try:
        start = _reached(holder, known)
        for place in range(1, len(names) + 1):
            if _adds(start, _reached(holder, [names[:place]])):
                return place
    finally:
        holder.close()
    return None
