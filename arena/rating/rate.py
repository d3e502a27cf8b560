"""All ratings of the bots in a set of outcomes, as JSON-able data."""

from __future__ import annotations

import functools
import zlib

import numpy as np

from arena.rating import figures, several
from arena.rating.tally import Tally, evidence, tally
from arena.registry.games import is_constant_sum, load_game
from arena.store.results import NO_SEAT, Results

RESAMPLES = 1000
"""Bootstrap resamples, each with a fit of Elo; the end points of an interval then move by about
two percent of its width."""


FEW_OPENINGS = 10
"""With fewer openings than this a note says that a bootstrap over them is not to be trusted."""


_BETWEEN_TWO = ("standings", "crosstable", "elo", "bradley_terry", "alpha_rank", "nash_averaging")


@functools.cache
def _constant_sum(game: str) -> bool:
    return is_constant_sum(load_game(game))


def _between_different(results: Results) -> tuple[Results, int]:
    """Without the matches in which a bot meets nobody but itself, and how many those are."""
    alone = ((results.seats == results.seats[:, :1]) | (results.seats == NO_SEAT)).all(axis=1)
    return results.where(~alone), int(alone.sum())


def _rated(results: Results, game: str, seed: int, resamples: int) -> tuple[dict[str, object], Tally | None]:
    """The ratings of one game; and its sums if it has scores of one bot against another."""
    own = results.where(results.game == results.games.index(game))
    players = int((own.seats != NO_SEAT).sum(axis=1).max())
    constant_sum = _constant_sum(game)
    notes: list[str] = []
    rated: dict[str, object] = {
        "game": game,
        "players": players,
        "utility": "constant-sum" if constant_sum else "general-sum",
        "matches": len(own),
        "unique_matches": 0,
        "openings": 0,
        "bots": [],
        "notes": notes,
        "forfeits": {},
    }
    own, alone = _between_different(own)
    if alone:
        notes.append(f"matches of a bot against itself, which do not count: {alone}")
    if not len(own):
        why = {"absent": f"no two bots have met in {game}"}
        return {**rated, "mean_returns": why, **dict.fromkeys(_BETWEEN_TWO, why)}, None
    unique = evidence(own)
    if len(unique) < len(own):
        notes.append(
            f"matches that repeat another one move by move, and do not count: {len(own) - len(unique)}"
        )
    # A generator of its own for each game, so that more games do not change the others' figures.
    rng = np.random.default_rng([seed, zlib.crc32(game.encode("utf-8"))])
    sums = tally(unique, rng, resamples)
    if sums.openings < 2:
        notes.append(
            "all matches have the same seed, which says nothing about the spread over openings: "
            "no bootstrap intervals"
        )
    elif sums.openings < FEW_OPENINGS:
        notes.append(
            f"only {sums.openings} openings: bootstrap intervals come out too narrow; quote Wilson's of "
            "the scores"
        )
    rated |= {
        "unique_matches": len(unique),
        "openings": sums.openings,
        "bots": list(sums.bots),
        "forfeits": figures.forfeits(unique),
        "mean_returns": figures.mean_returns(sums),
    }
    if players != 2:
        why = {"absent": f"{game} has {players} players, and a score of one against another needs two"}
        found = several.ratings(unique, rng, resamples)
        notes += several.notes(unique)
        notes += several.disagreement(rated["mean_returns"], found["plackett_luce"])
        return {**rated, **dict.fromkeys(_BETWEEN_TWO, why), **found}, None
    table = figures.crosstable(sums, constant_sum)
    if not constant_sum:
        why = {"absent": f"{game} is a general-sum game, where a return above the other's is no win"}
        return {**rated, **dict.fromkeys(_BETWEEN_TWO, why), "crosstable": table}, None
    notes += figures.link_notes(sums.bots, sums.wins[0], sums.draws[0])
    return {
        **rated,
        "standings": figures.standings(sums),
        "crosstable": table,
        **figures.elo_and_bradley_terry(sums),
        **figures.game_between_bots(sums),
    }, sums


def rate(results: Results, *, seed: int = 0, resamples: int = RESAMPLES) -> dict[str, object]:
    """All ratings, as JSON-able data without any clock in it.

    Neither the order of the rows or bots nor identical matches have an influence (see
    `arena.tournaments.statistics`). A figure by bot is `{"bots": {bot: its parts}}`, with the bounds `low` and
    `high` of its 95 % interval, None where the matches do not give one; a figure that a game or
    these matches cannot have is `{"absent": the reason}`.

    Args:
      results: any games, at least one match.
      seed: of the bootstrap, at least 0.
      resamples: at least 1.

    Returns:
      `seed`, `resamples`, and
      `games`, a list by name of game: `game`, `players`, `utility` ("constant-sum" or
      "general-sum"), `matches` that were played, `unique_matches`, `openings`, `bots` in
      alphabetical order, `notes` (sentences a reader must know), `forfeits`, and
        `mean_returns`: by bot, over all matches and `by_seat`, in utilities of the game;
        `standings`: by bot, wins, draws, losses, and score with Wilson and bootstrap intervals;
        `crosstable`: matrices of the row against the column, in the order of `bots`;
        `elo`: by bot, `rating`, and `group`, inside which ratings compare and have mean 0;
        `bradley_terry`: by bot, `strength` in nats, and `group` likewise;
        `alpha_rank`: by bot, `mass`;
        `nash_averaging`: by bot, `mass` and `rating` (see `arena.rating.meta_games`);
        `plackett_luce`, with more than two players only: by bot, `strength` in nats, and `group`, inside
        which strengths compare and have mean 0 (see `arena.rating.plackett_luce`).
      `mean_over_games`: of the bots that play in all constant-sum games of two players, if there are
      two such games or more; otherwise None.

    Raises:
      ValueError: there are no matches, or a game is unknown.
    """
    if not len(results):
        raise ValueError("nothing to rate: expected at least one match, found none")
    games, sums = [], {}
    for game in sorted(results.games[number] for number in np.unique(results.game)):
        rated, own = _rated(results, game, seed, resamples)
        games.append(rated)
        if own is not None:
            sums[game] = own
    return {
        "seed": seed,
        "resamples": resamples,
        "games": games,
        "mean_over_games": figures.mean_over_games(sums) if len(sums) > 1 else None,
    }


def over_time(results: Results, *, points: int = 20) -> list[dict[str, object]]:
    """How the ratings moved while the matches were played: after each k-th of a game's matches.

    Matches are taken in the order in which they ended; those of which nobody noted that come last,
    in the order of their seeds.

    Args:
      results: any games.
      points: how many parts of equal size the matches of a game are divided into, at least 1; there
        are no more points than matches.

    Returns:
      By name of game: `game`; `figure`, "elo" in constant-sum games of two players and otherwise
      "mean_return"; `matches`, how many each point is made of; `ended`, when the last of them ended,
      in seconds since 1970 UTC, None where unknown; and `bots`: bot -> figures, None before its
      first match.

    Raises:
      ValueError: a game is unknown.
    """
    histories = []
    for game in sorted(results.games[number] for number in np.unique(results.game)):
        own, _ = _between_different(results.where(results.game == results.games.index(game)))
        if not len(own):
            continue
        own = evidence(own)
        own = own.where(np.argsort(own.ended, kind="stable"))
        ends = np.unique(np.ceil(np.arange(1, points + 1) * len(own) / points).astype(int))
        part = np.searchsorted(ends, np.arange(len(own)), side="right")
        elo = own.seats.shape[1] == 2 and _constant_sum(game)
        by_bot = (figures.elo_after if elo else figures.mean_return_after)(own, part)
        histories.append(
            {
                "game": game,
                "figure": "elo" if elo else "mean_return",
                "matches": ends.tolist(),
                "ended": figures.plain(own.ended[ends - 1]),
                "bots": {bot: figures.plain(by_bot[:, row]) for row, bot in enumerate(own.bots)},
            }
        )
    return histories
