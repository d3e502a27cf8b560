"""The figures of `arena.ratings` as JSON-able data, from the sums of one game.

A figure by bot is `{"bots": {bot: figures}}`, or `{"absent": why}` where these sums do not have it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from arena.matches.records import FORFEIT_KINDS
from arena.rating.bradley_terry import ELO_PER_NAT, SMOOTHING, bradley_terry, elo, elo_of_each, groups
from arena.rating.meta_games import alpha_rank, nash_averaging, payoffs
from arena.rating.tally import Estimates, NoFigure, Tally
from arena.store.results import NO_SEAT, Results
from runs.intervals import wilson_interval


def plain(values: np.ndarray) -> list:
    """JSON-able: nested lists, with None for NaN."""
    return np.where(np.isnan(values), None, values.astype(object)).tolist()


def _estimate(name: str, estimates: Estimates, chosen: tuple | int) -> dict[str, float | None]:
    parts = {name: estimates.value, "low": estimates.low, "high": estimates.high}
    return {key: plain(values[chosen]) for key, values in parts.items()}


def _or_absent(figures: Callable[[], dict[str, object]]) -> dict[str, object]:
    """The figures, or why there are none."""
    try:
        return figures()
    except (ImportError, NoFigure) as error:
        return {"absent": str(error)}


def mean_returns(sums: Tally) -> dict[str, object]:
    """By bot: mean return over all its matches, and by seat."""
    overall = Estimates.of(sums.mean_returns(), sums.bot_openings)
    by_seat = Estimates.of(sums.mean_returns_by_seat(), sums.seat_openings)
    matches = sums.seat_matches[0].astype(int)
    return {
        "bots": {
            bot: {
                "matches": int(matches[row].sum()),
                **_estimate("mean", overall, row),
                "by_seat": [
                    {"matches": int(matches[row, seat]), **_estimate("mean", by_seat, (row, seat))}
                    for seat in range(matches.shape[1])
                ],
            }
            for row, bot in enumerate(sums.bots)
        }
    }


def _wilson(scores: np.ndarray, matches: np.ndarray) -> np.ndarray:
    """(2, ...) the ends of Wilson's interval of mean scores; NaN without matches."""
    ends = np.full((2, *scores.shape), np.nan)
    for index in np.argwhere(matches > 0):
        place = tuple(index)
        # A mean times its number is the sum only up to rounding; sums are multiples of a half.
        ends[(slice(None), *place)] = wilson_interval(
            round(2 * scores[place] * matches[place]) / 2, matches[place]
        )
    return ends


def crosstable(sums: Tally, constant_sum: bool) -> dict[str, object]:
    """Matrices of the row against the column; scores only where `constant_sum`."""
    returns = Estimates.of(sums.mean_returns_against(), sums.pair_openings)
    table: dict[str, object] = {
        "matches": sums.matches[0].astype(int).tolist(),
        "mean_return": plain(returns.value),
        "mean_return_low": plain(returns.low),
        "mean_return_high": plain(returns.high),
    }
    if constant_sum:
        scores = Estimates.of(sums.scores(), sums.pair_openings)
        low, high = _wilson(scores.value, sums.matches[0])
        table |= {
            "wins": sums.wins[0].astype(int).tolist(),
            "draws": sums.draws[0].astype(int).tolist(),
            "score": plain(scores.value),
            "wilson_low": plain(low),
            "wilson_high": plain(high),
            "bootstrap_low": plain(scores.low),
            "bootstrap_high": plain(scores.high),
        }
    return table


def standings(sums: Tally) -> dict[str, object]:
    """By bot: wins, draws, losses, and the score over all its matches."""
    scores = Estimates.of(sums.bot_scores(), sums.bot_openings)
    matches, wins, draws = (part[0].sum(axis=-1).astype(int) for part in (sums.matches, sums.wins, sums.draws))
    low, high = _wilson(scores.value, matches)
    return {
        "bots": {
            bot: {
                "matches": int(matches[row]),
                "wins": int(wins[row]),
                "draws": int(draws[row]),
                "losses": int(matches[row] - wins[row] - draws[row]),
                "score": plain(scores.value[row]),
                "wilson_low": plain(low[row]),
                "wilson_high": plain(high[row]),
                "bootstrap_low": plain(scores.low[row]),
                "bootstrap_high": plain(scores.high[row]),
            }
            for row, bot in enumerate(sums.bots)
        }
    }


def elo_and_bradley_terry(sums: Tally) -> dict[str, object]:
    """`elo` and `bradley_terry`, by bot."""
    wins, draws = sums.wins, sums.draws
    linked, mutual = (groups(wins[0], draws[0], mutual=mutual) for mutual in (False, True))

    def figures(name: str, point: np.ndarray, samples: np.ndarray, group: np.ndarray) -> dict[str, object]:
        estimates = Estimates.of(np.concatenate([point[None], samples]), sums.bot_openings)
        return {
            "bots": {
                bot: {**_estimate(name, estimates, row), "group": int(group[row])}
                for row, bot in enumerate(sums.bots)
            }
        }

    try:
        samples = elo_of_each(wins[1:], draws[1:], linked)
        # In a resample the strengths may have no finite maximum although those of all matches have
        # one, so the resampled ones are smoothed as Elo is.
        smoothed = (
            samples if np.array_equal(linked, mutual) else elo_of_each(wins[1:], draws[1:], mutual)
        ) / ELO_PER_NAT
        return {
            "elo": figures("rating", elo(wins[0], draws[0]), samples, linked),
            "bradley_terry": figures("strength", bradley_terry(wins[0], draws[0]), smoothed, mutual),
        }
    except NoFigure as error:
        return {key: {"absent": str(error)} for key in ("elo", "bradley_terry")}


def game_between_bots(sums: Tally) -> dict[str, object]:
    """`alpha_rank` and `nash_averaging`, by bot."""
    scores = sums.scores()[0]

    def masses() -> dict[str, object]:
        found = alpha_rank(payoffs(scores, sums.bots))
        return {"bots": {bot: {"mass": float(mass)} for bot, mass in zip(sums.bots, found)}}

    def equilibrium() -> dict[str, object]:
        mixture, ratings = nash_averaging(payoffs(scores, sums.bots))
        return {
            "bots": {
                bot: {"mass": float(mass), "rating": float(rating)}
                for bot, mass, rating in zip(sums.bots, mixture, ratings)
            }
        }

    return {"alpha_rank": _or_absent(masses), "nash_averaging": _or_absent(equilibrium)}


def _named(bots: tuple[str, ...], group: np.ndarray) -> str:
    return " | ".join(
        ", ".join(bot for bot, number in zip(bots, group) if number == wanted)
        for wanted in range(group.max() + 1)
    )


def link_notes(bots: tuple[str, ...], wins: np.ndarray, draws: np.ndarray, several: bool = False) -> list[str]:
    """What a reader of the ratings must know of who met and beat whom.

    Args:
      bots: b names.
      wins, draws: (b, b), as `arena.rating.bradley_terry.groups` takes them.
      several: whether these are places in matches of more than two, rated by Plackett-Luce.
    """
    notes = []
    linked, mutual = (groups(wins, draws, mutual=mutual) for mutual in (False, True))
    if linked.max() > 0:
        notes.append(
            "no chain of matches joins these groups of bots, so that their ratings compare "
            f"only inside a group: {_named(bots, linked)}"
        )
    if mutual.max() > linked.max():
        notes.append(
            "between these groups of bots, one side "
            + (
                "finished ahead in every match, so that Plackett-Luce has finite strengths only inside a group"
                if several
                else "won every match, so that Bradley-Terry has finite strengths only inside a group, and "
                f"Elo's distance between them comes from its {SMOOTHING:g} added wins"
            )
            + f": {_named(bots, mutual)}"
        )
    return notes


def elo_after(results: Results, part: np.ndarray) -> np.ndarray:
    """(k, b): Elo after each of k parts of the matches of a game of two players.

    Args:
      results: from `arena.rating.tally.evidence`, in any order.
      part: (n,) the part that each match belongs to, in ascending order.
    """
    bots = len(results.bots)
    first, second = results.seats.T
    won, drawn = (np.sign(results.returns[:, 0] - results.returns[:, 1]) == sign for sign in (1, 0))
    cells = (part.max() + 1, bots, bots)
    cell = np.ravel_multi_index((part, first, second), cells)
    matches, wins, draws = (
        np.bincount(cell, weights, np.prod(cells)).reshape(cells).cumsum(axis=0)
        for weights in (None, won, drawn)
    )
    wins = wins + (matches - wins - draws).swapaxes(1, 2)
    draws = draws + draws.swapaxes(1, 2)
    return elo_of_each(wins, draws, groups(wins[-1], draws[-1], mutual=False))


def mean_return_after(results: Results, part: np.ndarray) -> np.ndarray:
    """(k, b): mean return after each of k parts of the matches; arguments as `elo_after`."""
    players = results.seats.shape[1]
    cells = (part.max() + 1, len(results.bots))
    cell = np.ravel_multi_index((np.repeat(part, players), results.seats.ravel()), cells)
    counts, sums = (
        np.bincount(cell, weights, np.prod(cells)).reshape(cells).cumsum(axis=0)
        for weights in (None, results.returns.ravel())
    )
    return np.divide(sums, counts, out=np.full(cells, np.nan), where=counts > 0)


def forfeits(results: Results) -> dict[str, dict[str, int]]:
    """How many matches each bot forfeited, by kind."""
    counts = np.zeros((len(results.bots), len(FORFEIT_KINDS)), int)
    rows = np.flatnonzero(results.forfeit_seat != NO_SEAT)
    np.add.at(counts, (results.seats[rows, results.forfeit_seat[rows]], results.forfeit_kind[rows]), 1)
    return {bot: dict(zip(FORFEIT_KINDS, row.tolist())) for bot, row in zip(results.bots, counts)}


def mean_over_games(sums: Mapping[str, Tally]) -> dict[str, object]:
    """Scores over games, each of which counts the same however often it was played."""
    everywhere = sorted(set.intersection(*(set(own.bots) for own in sums.values())))
    left_out = sorted(set().union(*(own.bots for own in sums.values())) - set(everywhere))
    found = {}
    for bot in everywhere:
        rows = [own.bots.index(bot) for own in sums.values()]
        samples = np.mean([own.bot_scores()[:, row] for own, row in zip(sums.values(), rows)], axis=0)
        fewest = min(own.bot_openings[row] for own, row in zip(sums.values(), rows))
        found[bot] = _estimate("score", Estimates.of(samples, fewest), ())
    return {"games": list(sums), "left_out": left_out, "bots": found}
