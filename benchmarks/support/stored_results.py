"""Results of one bot's stored matches, by opponent and seat, in the form of a tournament's result.

A forfeit is a loss, and is counted apart from the losses that were played out; mean returns tell what wins
do not where the margin counts, or where what one player gains the other one need not lose.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.registry.games import is_constant_sum, load_game
from arena.registry.specs import parse_spec
from arena.store.database import Database
from arena.store.results import NO_SEAT, Results
from arena.tournaments.statistics import deduplicate, standing, standing_as_json
from cwm.trust import online_accuracy
from runs.intervals import bootstrap_interval

SEED = 0
"""The seed of the bootstrap."""


def read(path: str, bot: str, *, audit: bool = False) -> list[dict[str, Any]]:
    """Returns the results of the matches for two players in which a bot of this name took part.

    Args:
      path: the path of a database.
      bot: a name without parameters. Where both players have it, the one first in the alphabet is looked
        at.
      audit: whether to add what `cwm.online.audit` says.

    Returns:
      One result for each game, spec of that bot, and opponent: `game`; `bots`, that bot first; `per_bot`
      and `pairs` as in `arena.tournaments.summary.summarize`, where each entry of the pair's `by_seat` has besides
      `wins`, `draws` and `losses` (those played out) `wins_by_forfeit`, `forfeits`, `mean_return` with its
      95 % interval `return_low`, `return_high`, and in a game that is not of constant sum `other_return`;
      None where too few matches were played in that seat.

    Raises:
      ValueError: there is no such match, or the file is damaged.
      OSError: there is no such file.
    """
    with Database(path, must_exist=True) as database:
        results, ids = database.results(), np.array(database.match_ids())
        found = []
        for game, hero, other in _pairings(results, bot):
            chosen = (
                (results.game == results.games.index(game))
                & (results.seats == results.bots.index(hero)).any(axis=1)
                & (results.seats == results.bots.index(other)).any(axis=1)
            )
            found.append(_result(results.where(chosen), game, hero, other))
            if audit:
                found[-1] |= _audited(database, ids[chosen])
    if not found:
        raise ValueError(
            f"{path} holds no match of a bot {bot!r} against another one, expected one; its "
            f"bots are {', '.join(results.bots) or 'none'}"
        )
    return found


def _audited(database: Database, ids: np.ndarray) -> dict[str, Any]:
    return dict(online_accuracy.audit(database.match(number) for number in ids))


def _pairings(results: Results, bot: str) -> list[tuple[str, str, str]]:
    """Returns (game, spec of the bot looked at, spec of the other) of each kind of match, in order."""
    kinds = set()
    for game, seats in {
        (int(game), tuple(map(int, seats))) for game, seats in zip(results.game, results.seats)
    }:
        specs = sorted(results.bots[seat] for seat in seats if seat != NO_SEAT)
        heroes = [spec for spec in specs if parse_spec(spec).name == bot]
        if heroes and len(specs) == 2 and specs[0] != specs[1]:
            others = [spec for spec in specs if spec != heroes[0]]
            kinds.add((results.games[game], heroes[0], others[0]))
    return sorted(kinds)


def _result(results: Results, game: str, hero: str, other: str) -> dict[str, Any]:
    described = {
        bot: standing_as_json(standing(results, bot, np.random.default_rng(SEED))) for bot in (hero, other)
    }
    unique = deduplicate(results)
    general_sum = not is_constant_sum(load_game(game))
    seats = [
        _tally(unique.where(unique.seats[:, seat] == unique.bots.index(hero)), seat, general_sum)
        for seat in range(2)
    ]
    return {
        "game": game,
        "bots": [hero, other],
        "per_bot": described,
        "pairs": [{"bots": [hero, other], **described[hero], "by_seat": seats}],
    }


def _tally(results: Results, seat: int, general_sum: bool) -> dict[str, Any]:
    """Returns the tally of the bot looked at, in matches where it has this seat."""
    own, others = results.returns[:, seat], results.returns[:, 1 - seat]
    played = results.forfeit_seat == NO_SEAT
    tally: dict[str, Any] = {
        "wins": int((played & (own > others)).sum()),
        "draws": int((played & (own == others)).sum()),
        "losses": int((played & (own < others)).sum()),
        "wins_by_forfeit": int((results.forfeit_seat == 1 - seat).sum()),
        "forfeits": int((results.forfeit_seat == seat).sum()),
    }
    interval = bootstrap_interval([(amount, 1) for amount in own], np.random.default_rng(SEED))
    tally["return_low"], tally["return_high"] = interval or (None, None)
    tally["mean_return"] = float(own.mean()) if len(results) else None
    if general_sum:
        tally["other_return"] = float(others.mean()) if len(results) else None
    return tally
