"""The figures of `arena.ratings` that matches of more than two players have beside their mean returns."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from arena.rating import figures
from arena.rating.plackett_luce import ahead, plackett_luce, resampled
from arena.rating.tally import NoFigure
from arena.store.results import NO_SEAT, Results

RELIABLE_BLOCKS = 50
"""Number of blocks from which the bootstrap's intervals covered 93 to 97 % in simulations; below, as little as
88 %."""


def _blocks(results: Results) -> np.ndarray:
    """(b,) number of different seeds from which each bot played."""
    bots = len(results.bots)
    _, block = np.unique(results.seed, return_inverse=True)
    return np.bincount(np.unique(block[:, None] * bots + results.seats) % bots, minlength=bots)


def ratings(results: Results, rng: np.random.Generator, resamples: int) -> dict[str, object]:
    """`plackett_luce`, by bot: `strength` in nats, `group`, and the bounds `low` and `high` of a 95 % percentile
    bootstrap interval over blocks, None where there is no strength or fewer than two blocks; `reliable`, whether there
    are `RELIABLE_BLOCKS`.

    Args:
      results: those of one game, as `arena.rating.evidence.evidence` gives them.
      rng: random numbers for the resampling.
      resamples: their number, at least 1.
    """
    try:
        strengths, group = plackett_luce(results)
        samples = resampled(results, group, rng, resamples)
    except NoFigure as error:
        return {"plackett_luce": {"absent": str(error)}}
    bounds = np.full((2, len(strengths)), np.nan)
    known = ~np.isnan(strengths) & (_blocks(results) > 1)
    bounds[:, known] = np.nanquantile(samples[:, known], [0.025, 0.975], axis=0)
    reliable = _blocks(results) >= RELIABLE_BLOCKS
    return {
        "plackett_luce": {
            "bots": {
                bot: {
                    "strength": strength,
                    "low": low,
                    "high": high,
                    "reliable": bool(sure),
                    "group": int(number),
                }
                for bot, strength, low, high, sure, number in zip(
                    results.bots, *map(figures.plain, (strengths, *bounds)), reliable, group
                )
            }
        }
    }


def notes(results: Results) -> list[str]:
    """Notes that a reader of these ratings must know."""
    made = figures.link_notes(results.bots, *ahead(results), several=True)
    ordered = np.sort(results.seats, axis=1)
    if ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NO_SEAT)).any():
        made.append(
            "there are matches in which a bot has several seats: each of them counts in its mean return, and "
            "as a place of its own in Plackett-Luce"
        )
    return made


def disagreement(mean_returns: Mapping[str, object], strengths: Mapping[str, object]) -> list[str]:
    """A note where mean returns and Plackett-Luce have different bots first, and why.

    Args:
      mean_returns: figures as `arena.rating.figures.mean_returns` gives them.
      strengths: `plackett_luce` of `ratings`.
    """
    if "bots" not in strengths:
        return []
    by_return = {bot: own["mean"] for bot, own in mean_returns["bots"].items()}
    by_place = {bot: own["strength"] for bot, own in strengths["bots"].items() if own["strength"] is not None}
    if len(by_place) < len(by_return):  # strengths of different groups do not compare
        return []
    most, first = max(by_return, key=by_return.get), max(by_place, key=by_place.get)
    if by_return[most] == by_return[first] or by_place[most] == by_place[first]:
        return []
    return [
        f"{most} has the highest mean return and {first} the highest Plackett-Luce strength, which follows from "
        "the places in each match and not from by how much; the ranking is by mean return"
    ]
