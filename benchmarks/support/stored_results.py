"""Results of one bot's stored matches, by opponent and seat, in the form of a tournament's result.

A forfeit is a loss, and is counted apart from the losses that were played out; mean returns tell what wins
do not where the margin counts, or where what one player gains the other one need not lose. Which matches count
is decided by `arena.rating.evidence`; intervals are over blocks, the matches with one seed
(`arena.rating.intervals`), and matches of different settings are never put together.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from arena.rating.evidence import deduplicate
from arena.rating.intervals import Blocks, return_estimates
from arena.rating.means import Rules
from arena.rating.rate import rules_of
from arena.registry.games import is_constant_sum, load_game
from arena.registry.specs import parse_spec
from arena.store.database import Database
from arena.store.results import NO_SEAT, Results
from arena.tournaments.statistics import standing, standing_as_json
from cwm.trust import online_accuracy

SEED = 0
"""The seed of the bootstrap-t."""


def read(path: str, bot: str, *, audit: bool = False) -> list[dict[str, Any]]:
    """Returns the results of the matches for two players in which a bot of this name took part.

    Args:
      path: the path of a database.
      bot: a name without parameters. Where both players have it, the one first in the alphabet is looked
        at.
      audit: whether to add what `cwm.online.audit` says.

    Returns:
      One result for each game, setting, spec of that bot, and opponent: `game`; `setting` (see
      `arena.store.results.setting_of`); `bots`, that bot first; `per_bot`
      and `pairs` as in `arena.tournaments.summary.summarize`, where each entry of the pair's `by_seat` has besides
      `wins`, `draws` and `losses` (those played out) `wins_by_forfeit`, `forfeits`, `mean_return` with its
      95 % interval `return_low`, `return_high`, `return_reliable` whether it may be relied on, and in a game
      that is not of constant sum `other_return`; None where too few matches were played in that seat.

    Raises:
      ValueError: there is no such match, or the file is damaged.
      OSError: there is no such file.
    """
    with Database(path, must_exist=True) as database:
        results, ids = database.results(), np.array(database.match_ids())
        found = []
        for game, setting, hero, other in _pairings(results, bot):
            chosen = (
                (results.game == results.games.index(game))
                & (results.setting == results.settings.index(setting))
                & (results.seats == results.bots.index(hero)).any(axis=1)
                & (results.seats == results.bots.index(other)).any(axis=1)
            )
            found.append(_result(results.where(chosen), game, setting, hero, other))
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


def _pairings(results: Results, bot: str) -> list[tuple[str, str, str, str]]:
    """Returns (game, setting, spec of the bot looked at, spec of the other) of each kind of match, in order."""
    kinds = set()
    for game, setting, seats in {
        (int(game), int(setting), tuple(map(int, seats)))
        for game, setting, seats in zip(results.game, results.setting, results.seats)
    }:
        specs = sorted(results.bots[seat] for seat in seats if seat != NO_SEAT)
        heroes = [spec for spec in specs if parse_spec(spec).name == bot]
        if heroes and len(specs) == 2 and specs[0] != specs[1]:
            others = [spec for spec in specs if spec != heroes[0]]
            kinds.add((results.games[game], results.settings[setting], heroes[0], others[0]))
    return sorted(kinds)


def _result(results: Results, game: str, setting: str, hero: str, other: str) -> dict[str, Any]:
    rules = rules_of(results)

    def described(bot: str) -> dict[str, Any]:
        rng = np.random.default_rng(SEED)
        bounds = rules.low, rules.high
        return standing_as_json(standing(results, bot, rng, bounds=bounds, anytime=rules.anytime))

    per_bot = {bot: described(bot) for bot in (hero, other)}
    counted = deduplicate(results)
    general_sum = not is_constant_sum(load_game(game))
    seats = [
        _tally(counted.where(counted.seats[:, seat] == counted.bots.index(hero)), seat, general_sum, rules)
        for seat in range(2)
    ]
    return {
        "game": game,
        "setting": setting,
        "bots": [hero, other],
        "per_bot": per_bot,
        "pairs": [{"bots": [hero, other], **per_bot[hero], "by_seat": seats}],
    }


def _tally(results: Results, seat: int, general_sum: bool, rules: Rules) -> dict[str, Any]:
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
    tally |= {"mean_return": None, "return_low": None, "return_high": None, "return_reliable": False}
    if len(results):
        block = np.unique(results.seed, return_inverse=True)[1]
        blocks = Blocks.of(block, np.zeros(len(own), int), own, 1)
        found = return_estimates(blocks, rules.low, rules.high, np.random.default_rng(SEED))
        tally["mean_return"] = float(own.mean())
        if not np.isnan(found.low[0]):
            tally["return_low"], tally["return_high"] = float(found.low[0]), float(found.high[0])
            tally["return_reliable"] = bool(found.reliable[0])
    if general_sum:
        tally["other_return"] = float(others.mean()) if len(results) else None
    return tally
