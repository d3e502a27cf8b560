"""Ratings of the bots in a database of matches:

    python -m arena.ratings --db=matches.db --json=ratings.json --plot=ratings.png

Each game is rated by itself. In a constant-sum game of two players: the crosstable with Wilson and
bootstrap intervals, Elo, Bradley-Terry, alpha-rank and Nash averaging. In general-sum games, and
with more players, nobody wins or loses against somebody: mean returns by seat, and no Elo.
"""

from __future__ import annotations

import functools
import json
import zlib

import numpy as np
from absl import flags

from arena.rating import figures as rating_figures
from arena.rating.plot import draw
from arena.rating.tables import ratings_text
from arena.rating.tally import Tally, evidence, tally
from arena.registry.bots import nearest
from arena.registry.games import load_game
from arena.store.database import Database
from arena.store.results import NO_SEAT, Results
from arena.tournaments.statistics import is_constant_sum
from runs import cli

RESAMPLES = 1000
"""Bootstrap resamples, each with a fit of Elo; the end points of an interval then move by about
two percent of its width."""

FEW_OPENINGS = 10
"""With fewer openings than this a note says that a bootstrap over them is not to be trusted."""

_BETWEEN_TWO = ("standings", "crosstable", "elo", "bradley_terry", "alpha_rank", "nash_averaging")

_FLAGS = flags.FLAGS


@functools.cache
def _constant_sum(game: str) -> bool:
    return is_constant_sum(load_game(game))


def _between_different(results: Results) -> tuple[Results, int]:
    """Without the matches of two players in which a bot meets itself, and how many those are."""
    alone = (results.seats[:, :2] == results.seats[:, :1]).all(axis=1) & (
        (results.seats != NO_SEAT).sum(axis=1) == 2
    )
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
        "forfeits": rating_figures.forfeits(unique),
        "mean_returns": rating_figures.mean_returns(sums),
    }
    if players != 2:
        why = {"absent": f"{game} has {players} players, and a score of one against another needs two"}
        return {**rated, **dict.fromkeys(_BETWEEN_TWO, why)}, None
    table = rating_figures.crosstable(sums, constant_sum)
    if not constant_sum:
        why = {"absent": f"{game} is a general-sum game, where a return above the other's is no win"}
        return {**rated, **dict.fromkeys(_BETWEEN_TWO, why), "crosstable": table}, None
    notes += rating_figures.link_notes(sums)
    return {
        **rated,
        "standings": rating_figures.standings(sums),
        "crosstable": table,
        **rating_figures.elo_and_bradley_terry(sums),
        **rating_figures.game_between_bots(sums),
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
        `nash_averaging`: by bot, `mass` and `rating` (see `arena.rating.meta_games`).
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
        "mean_over_games": rating_figures.mean_over_games(sums) if len(sums) > 1 else None,
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
        figures = (rating_figures.elo_after if elo else rating_figures.mean_return_after)(own, part)
        histories.append(
            {
                "game": game,
                "figure": "elo" if elo else "mean_return",
                "matches": ends.tolist(),
                "ended": rating_figures.plain(own.ended[ends - 1]),
                "bots": {bot: rating_figures.plain(figures[:, row]) for row, bot in enumerate(own.bots)},
            }
        )
    return histories


def _define_flags() -> None:
    # Not at import: other commands use this module and have flags of the same names.
    flags.DEFINE_string("db", None, "Database of matches that arena.tournament --db has written.")
    flags.DEFINE_integer("experiment", None, "Rate only the matches of the experiment with this id.")
    flags.DEFINE_string("game", None, "Rate only this game, by its string as in the database.")
    flags.DEFINE_integer("seed", 0, "Seed of the bootstrap.")
    flags.DEFINE_string("json", None, "File for the ratings as JSON, with their history.")
    flags.DEFINE_string("plot", None, "File for a picture (PNG) of the crosstables and ratings.")


def _stored_results() -> Results:
    with Database(_FLAGS.db, must_exist=True) as database:
        experiments = {experiment.id for experiment in database.experiments()}
        if _FLAGS.experiment is not None and _FLAGS.experiment not in experiments:
            raise ValueError(
                f"--experiment={_FLAGS.experiment}: {_FLAGS.db} has no such experiment, "
                f"expected one of {', '.join(map(str, sorted(experiments))) or 'none'}"
            )
        results = database.results(_FLAGS.experiment)
    if not len(results):
        raise ValueError(
            f"--db={_FLAGS.db}: no matches in it, expected at least one; play some with "
            "python -m arena.tournament --db"
        )
    if _FLAGS.game is None:
        return results
    if _FLAGS.game not in results.games:
        raise ValueError(
            f"--game={_FLAGS.game}: no matches of it in {_FLAGS.db}; {nearest(_FLAGS.game, results.games)}"
        )
    return results.where(results.game == results.games.index(_FLAGS.game))


def main() -> None:
    """The command; see the module's docstring."""
    if not _FLAGS.db:
        raise ValueError("--db is missing; run with --help for an example")
    if _FLAGS.seed < 0:
        raise ValueError(f"--seed: expected 0 or more, found {_FLAGS.seed}")
    outputs = {
        name: cli.check_output(_FLAGS[name].value, name) for name in ("json", "plot") if _FLAGS[name].value
    }
    results = _stored_results()
    ratings = rate(results, seed=_FLAGS.seed)
    if "json" in outputs:
        text = json.dumps({**ratings, "over_time": over_time(results)}, indent=1, allow_nan=False)
        cli.write_text(outputs["json"], text + "\n")
    if "plot" in outputs:
        draw(ratings, outputs["plot"])
    print(ratings_text(ratings))


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
