"""The figures of `arena.ratings` as JSON-able data, from the sums of one game.

A figure by bot is `{"bots": {bot: figures}}`, or `{"absent": why}` where these sums do not have it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np

from arena.matches.records import FORFEIT_KINDS
from arena.rating.bradley_terry import ELO_PER_NAT, SMOOTHING, bradley_terry, elo, elo_of_each, groups
from arena.rating.intervals import Estimates
from arena.rating.means import Means
from arena.rating.meta_games import alpha_rank, nash_averaging, payoffs
from arena.rating.tally import NoFigure, Tally, percentiles
from arena.store.results import NO_SEAT, Results


def plain(values: np.ndarray) -> list:
    """The values as JSON-able data: nested lists, with None for NaN."""
    return np.where(np.isnan(values), None, values.astype(object)).tolist()


def _estimate(name: str, estimates: Estimates, chosen: tuple | int) -> dict[str, float | None]:
    parts = {name: estimates.value, "low": estimates.low, "high": estimates.high}
    figures = {key: plain(values[chosen]) for key, values in parts.items()}
    return {**figures, "reliable": bool(estimates.reliable[chosen])}


def _or_absent(figures: Callable[[], dict[str, object]]) -> dict[str, object]:
    """The figures, or the reason why there are none."""
    try:
        return figures()
    except (ImportError, NoFigure) as error:
        return {"absent": str(error)}


def mean_returns(sums: Tally, means: Means) -> dict[str, object]:
    """Mean returns by bot: over all its matches, and by seat."""
    matches = sums.seat_matches[0].astype(int)
    return {
        "bots": {
            bot: {
                "matches": int(matches[row].sum()),
                **_estimate("mean", means.returns, row),
                "by_seat": [
                    {"matches": int(matches[row, seat]), **_estimate("mean", means.seat_returns, (row, seat))}
                    for seat in range(matches.shape[1])
                ],
            }
            for row, bot in enumerate(sums.bots)
        }
    }


def crosstable(sums: Tally, means: Means) -> dict[str, object]:
    """Matrices of the row against the column; wins and scores only where a match is won or lost."""
    table: dict[str, object] = {
        "matches": sums.matches[0].astype(int).tolist(),
        "mean_return": plain(means.pair_returns.value),
        "mean_return_low": plain(means.pair_returns.low),
        "mean_return_high": plain(means.pair_returns.high),
        "mean_return_reliable": means.pair_returns.reliable.tolist(),
    }
    if means.pair_scores is not None:
        table |= {
            "wins": sums.wins[0].astype(int).tolist(),
            "draws": sums.draws[0].astype(int).tolist(),
            "score": plain(means.pair_scores.value),
            "wilson_low": plain(means.pair_scores.low),
            "wilson_high": plain(means.pair_scores.high),
            "score_reliable": means.pair_scores.reliable.tolist(),
        }
    return table


def standings(sums: Tally, scores: Estimates) -> dict[str, object]:
    """Standings by bot: wins, draws, losses, and the score over all its matches."""
    matches, wins, draws = (part[0].sum(axis=-1).astype(int) for part in (sums.matches, sums.wins, sums.draws))
    return {
        "bots": {
            bot: {
                "matches": int(matches[row]),
                "wins": int(wins[row]),
                "draws": int(draws[row]),
                "losses": int(matches[row] - wins[row] - draws[row]),
                "score": plain(scores.value[row]),
                "wilson_low": plain(scores.low[row]),
                "wilson_high": plain(scores.high[row]),
                "reliable": bool(scores.reliable[row]),
            }
            for row, bot in enumerate(sums.bots)
        }
    }


def elo_and_bradley_terry(sums: Tally, reliable: np.ndarray) -> dict[str, object]:
    """`elo` and `bradley_terry`, by bot; `reliable`, (b,), says whether a bot's interval is reliable."""
    wins, draws = sums.wins, sums.draws
    linked, mutual = (groups(wins[0], draws[0], mutual=mutual) for mutual in (False, True))

    def figures(name: str, point: np.ndarray, samples: np.ndarray, group: np.ndarray) -> dict[str, object]:
        estimates = percentiles(np.concatenate([point[None], samples]), sums.bot_openings, reliable)
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


def game_between_bots(sums: Tally, outcomes: bool) -> dict[str, object]:
    """`alpha_rank` and `nash_averaging`, by bot: of scores where a match is won or lost, else of mean
    returns."""
    won = sums.scores()[0] if outcomes else sums.mean_returns_against()[0] / 2

    def masses() -> dict[str, object]:
        found = alpha_rank(payoffs(won, sums.bots))
        return {"bots": {bot: {"mass": float(mass)} for bot, mass in zip(sums.bots, found)}}

    def equilibrium() -> dict[str, object]:
        mixture, ratings = nash_averaging(payoffs(won, sums.bots))
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
    """Notes for a reader of the ratings on which bots met and beat each other.

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
    """Elo, (k, b), after each of k parts of the matches of a game of two players.

    Args:
      results: those from `arena.rating.evidence.evidence`, in any order.
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
    """Mean returns, (k, b), after each of k parts of the matches; arguments as `elo_after`."""
    players = results.seats.shape[1]
    cells = (part.max() + 1, len(results.bots))
    cell = np.ravel_multi_index((np.repeat(part, players), results.seats.ravel()), cells)
    counts, sums = (
        np.bincount(cell, weights, np.prod(cells)).reshape(cells).cumsum(axis=0)
        for weights in (None, results.returns.ravel())
    )
    return np.divide(sums, counts, out=np.full(cells, np.nan), where=counts > 0)


def forfeits(results: Results) -> dict[str, dict[str, int]]:
    """The number of matches that each bot forfeited, by kind."""
    counts = np.zeros((len(results.bots), len(FORFEIT_KINDS)), int)
    rows = np.flatnonzero(results.forfeit_seat != NO_SEAT)
    np.add.at(counts, (results.seats[rows, results.forfeit_seat[rows]], results.forfeit_kind[rows]), 1)
    return {bot: dict(zip(FORFEIT_KINDS, row.tolist())) for bot, row in zip(results.bots, counts)}


def mean_over_games(scores: Mapping[str, tuple[tuple[str, ...], Estimates]]) -> dict[str, object]:
    """Mean scores over games, each of which counts the same however often it was played.

    Source of the interval: G. Y. Zou and A. Donner, Construction of confidence limits about effect
    measures, Statistics in Medicine 27 (2008), 1693-1702, from those of the games, which are independent.

    Args:
      scores: the bots of each game and their scores, by game.
    """
    everywhere = sorted(set.intersection(*(set(bots) for bots, _ in scores.values())))
    left_out = sorted(set().union(*(bots for bots, _ in scores.values())) - set(everywhere))
    found = {}
    for bot in everywhere:
        parts = np.array(
            [
                [own.value[row], own.low[row], own.high[row], own.reliable[row]]
                for bots, own in scores.values()
                for row in [bots.index(bot)]
            ],
            float,
        )
        value, low, high, reliable = parts.T
        mean = value.mean()
        lower, upper = (np.sqrt(((value - end) ** 2).sum()) / len(value) for end in (low, high))
        both = (np.atleast_1d(part) for part in (mean, mean - lower, mean + upper, reliable.all()))
        found[bot] = _estimate("score", Estimates(*both), 0)
    return {"games": list(scores), "left_out": left_out, "bots": found}
