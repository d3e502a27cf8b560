"""The figures of `arena.ratings` that matches of more than two players have beside their mean returns."""

from __future__ import annotations

import numpy as np

from arena.rating import figures
from arena.rating.plackett_luce import ahead, plackett_luce, resampled
from arena.rating.tally import NoFigure
from arena.store.results import NO_SEAT, Results


def _blocks(results: Results) -> np.ndarray:
    """(b,) from how many different seeds each bot played."""
    bots = len(results.bots)
    _, block = np.unique(results.seed, return_inverse=True)
    return np.bincount(np.unique(block[:, None] * bots + results.seats) % bots, minlength=bots)


def ratings(results: Results, rng: np.random.Generator, resamples: int) -> dict[str, object]:
    """`plackett_luce`, by bot: `strength` in nats, `group`, and the bounds `low` and `high` of a 95 % percentile
    bootstrap interval over blocks, None where there is no strength or fewer than two blocks.

    Args:
      results: of one game, as `arena.rating.tally.evidence` gives them.
      rng: for the resampling.
      resamples: at least 1.
    """
    try:
        strengths, group = plackett_luce(results)
        samples = resampled(results, group, rng, resamples)
    except NoFigure as error:
        return {"plackett_luce": {"absent": str(error)}}
    bounds = np.full((2, len(strengths)), np.nan)
    known = ~np.isnan(strengths) & (_blocks(results) > 1)
    bounds[:, known] = np.nanquantile(samples[:, known], [0.025, 0.975], axis=0)
    return {
        "plackett_luce": {
            "bots": {
                bot: {"strength": strength, "low": low, "high": high, "group": int(number)}
                for bot, strength, low, high, number in zip(
                    results.bots, *map(figures.plain, (strengths, *bounds)), group
                )
            }
        }
    }


def notes(results: Results) -> list[str]:
    """What a reader of these ratings must know."""
    made = figures.link_notes(results.bots, *ahead(results), several=True)
    ordered = np.sort(results.seats, axis=1)
    if ((ordered[:, 1:] == ordered[:, :-1]) & (ordered[:, 1:] != NO_SEAT)).any():
        made.append(
            "there are matches in which a bot has several seats: each of them counts in its mean return, and "
            "as a place of its own in Plackett-Luce"
        )
    return made
