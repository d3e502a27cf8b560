"""The matches that are evidence: repetitions count once, where they are repetitions.

Two matches with the same bots in the same seats are one piece of evidence only where nothing in them could
have come out otherwise: all bots of the line-up are deterministic (see `arena.registry.bots.register_bot`),
no chance took part, and no random opening was drawn. One match in each order of the seats then gives the
exact result, however often it is repeated. In every other case each match is a draw from the distribution
that the estimand is the mean of, and counts, also where it came out like another one: between two random
bots at rock, paper, scissors there are nine courses, and each of a thousand matches tells something.

Bots that are declared deterministic, and played such matches differently all the same, count as random.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

import numpy as np

from arena.registry.bots import is_deterministic
from arena.store.results import NO_SEAT, Results


def deterministic_bots(results: Results) -> frozenset[str]:
    """The bots that are declared deterministic; unknown bots are not among them."""
    return frozenset(bot for bot in results.bots if is_deterministic(bot))


def _group(keys: Collection[np.ndarray]) -> np.ndarray:
    """Groups, (n,) int: equal for rows that are equal in all keys, by first appearance in a sorted order."""
    order = np.lexsort(tuple(keys))
    new = np.zeros(len(order), bool)
    for key in keys:
        new[1:] |= key[order][1:] != key[order][:-1]
    group = np.empty(len(order), np.int64)
    group[order] = np.cumsum(new)
    return group


def _course(results: Results) -> tuple[np.ndarray, ...]:
    return results.course, results.forfeit_seat, results.forfeit_kind


def fixed(results: Results, deterministic: Collection[str] | None = None) -> tuple[np.ndarray, tuple[str, ...]]:
    """The matches that could not have come out otherwise.

    Args:
      results: any matches.
      deterministic: the deterministic bots; None for `deterministic_bots`.

    Returns:
      (n,) bool, and the bots, in alphabetical order, that are declared deterministic but contradicted
      themselves: a line-up of theirs played differently where nothing else could vary.
    """
    known = deterministic_bots(results) if deterministic is None else deterministic
    # The last entry is what NO_SEAT, -1, picks.
    declared = np.array([bot in known for bot in results.bots] + [True])
    candidates = declared[results.seats].all(axis=1) & ~results.dealt & ~results.opened
    if not candidates.any():
        return candidates, ()
    line_up = _group((*results.seats.T, results.game, results.setting))
    course = _group((*_course(results), line_up))
    pairs = np.unique(np.stack([line_up, course], axis=1)[candidates], axis=0)[:, 0]
    line_ups, courses = np.unique(pairs, return_counts=True)
    contradicted = candidates & np.isin(line_up, line_ups[courses > 1])
    seated = np.unique(results.seats[contradicted])
    names = tuple(sorted(results.bots[bot] for bot in seated if bot != NO_SEAT))
    return candidates & ~contradicted, names


def deduplicate(results: Results, deterministic: Collection[str] | None = None) -> Results:
    """The matches that count, in their order: of repetitions (see the module's docstring) the first, and of
    a match that is there twice, with one seed and one course, one.

    Args:
      results, deterministic: as for `fixed`.
    """
    same, _ = fixed(results, deterministic)
    keys = (
        *_course(results),
        np.where(same, 0, results.seed),
        same,
        results.dealt,
        *results.seats.T,
        results.game,
        results.setting,
    )
    _, first = np.unique(_group(keys), return_index=True)
    return results.where(np.sort(first))


def evidence(results: Results, deterministic: Collection[str] | None = None) -> Results:
    """The matches of one game and one setting that count, in an order of their own.

    Neither the order of the rows nor that of the bots has an influence: `bots` are those that play,
    in alphabetical order, and the rows are sorted by all that follows from the seed. Clocks have
    none either, so that a tournament that was interrupted gives the same rows.

    Args:
      results: those of at least one match, all of one game and setting.
      deterministic: as for `fixed`.
    """
    players = int((results.seats != NO_SEAT).sum(axis=1).max())
    present = np.unique(results.seats[:, :players])
    names = sorted(results.bots[bot] for bot in present)
    place = np.zeros(len(results.bots), np.int32)
    place[present] = [names.index(results.bots[bot]) for bot in present]
    renamed = replace(
        results,
        games=(results.games[results.game[0]],),
        bots=tuple(names),
        game=np.zeros(len(results), np.int32),
        seats=place[results.seats[:, :players]],
        returns=results.returns[:, :players],
        settings=(results.settings[results.setting[0]],),
        setting=np.zeros(len(results), np.int32),
    )
    order = np.lexsort(
        (
            renamed.ended,
            renamed.forfeit_kind,
            renamed.forfeit_seat,
            renamed.course,
            *renamed.seats.T[::-1],
            renamed.seed,
        )
    )
    return deduplicate(renamed.where(order), deterministic)
