"""Plays all methods in all games, with one page of results.

    python -m arena.league --config=league.toml --db=league.db --output=league.html

Plays what the configuration lists (`arena.tournaments.league_config` describes the file; without --config the one that
ships), rates every game by itself, and shows which method plays which game, and how well. Stopped at any
moment, the same command goes on. Run twice, it gives the same tables.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from arena.page.collecting import collect
from arena.page.page import Matrix, MatrixCell
from arena.page.render import render
from arena.rating.adversaries import Adversary, adversaries_text, measured
from arena.rating.rate import rate
from arena.rating.tables import ranking, ratings_text
from arena.store.database import Database
from arena.store.results import Results
from arena.tournaments import league_config
from arena.tournaments.league_config import League
from arena.tournaments.playing import play
from runs import cli, flags
from runs.executors import make_executor
from runs.tables import text_table

SHIPPED = Path(league_config.__file__).with_name("league.toml")

_FLAGS = flags.FLAGS


def _ranking(rated: Mapping) -> tuple[str, list[tuple[str, float]]]:
    """The name of the figure that a game's bots are ranked by, and (bot, figure), best first."""
    figures, key = ranking(rated)
    found = [(bot, own[key]) for bot, own in figures.items() if own[key] is not None]
    return rated["ranked_by"]["name"], sorted(found, key=lambda one: (-one[1], one[0]))


def _cell(league: League, method: str, settings: Sequence[Mapping]) -> MatrixCell:
    """The best bot of a method among the ratings of one game, in the first setting where it plays."""
    for rated in settings:
        figure, ranked = _ranking(rated)
        for place, (bot, value) in enumerate(ranked, 1):
            if league.method_of(bot) == method:
                lost = sum(rated["forfeits"][bot].values())
                note = f"{figure} {value:+.{0 if figure == 'Elo' else 2}f}"
                return MatrixCell(
                    f"{place} of {len(ranked)}", bot, note + (f", {lost} forfeits" if lost else "")
                )
    raise ValueError(f"no bot of {method} has a rating in {settings[0]['game']}, expected matches of it")


def matrix(league: League, ratings: Mapping) -> Matrix:
    """The matrix of methods and games: each method's best bot in a game, with its place among all bots, its rating
    and the share of its matches that it forfeited; or the reason why there is none.

    Args:
      league: the league that was played.
      ratings: ratings of its matches, from `arena.rating.rate.rate`.
    """
    rows = {method: [] for method in league.methods}
    for game in league.games:
        settings = [one for one in ratings["games"] if one["game"] == game.game]
        settings.sort(key=lambda one: -one["matches"])
        for method, cells in rows.items():
            if method in game.absent:
                cells.append(MatrixCell("", "", game.absent[method]))
            else:
                cells.append(_cell(league, method, settings))
    return Matrix([game.game for game in league.games], list(rows.items()))


def matrix_text(made: Matrix) -> str:
    """The matrix as plain text, and the reasons for its empty cells below it."""
    table = [["method", *made.games]]
    reasons = []
    for method, cells in made.rows:
        table.append([method, *(f"{cell.place}: {cell.note}" if cell.place else "-" for cell in cells)])
        reasons += [
            f"{method} in {game}: {cell.note}" for game, cell in zip(made.games, cells) if not cell.place
        ]
    return "\n\n".join(["place of each method's best bot", text_table(table), *reasons])


def adversaries(league: League, ratings: Mapping | None = None) -> list[Adversary]:
    """The gains of a perfect adversary against the bots whose policy can be read off, in the games that the
    configuration names.

    Args:
      league: the league that was played.
      ratings: ratings of its matches, from `arena.rating.rate.rate`, whose ranking is compared.

    Raises:
      ValueError: such a game is too large, or a bot peeks.
    """
    rated = {one["game"]: one for one in ratings["games"]} if ratings else {}
    return [
        measured(one.game, one.bots, seed=league.seed, rated=rated.get(one.game))
        for one in league.games
        if one.exploitability
    ]


def play_league(league: League, database: str | Path, executor: object = None, progress: bool = False) -> None:
    """Plays the missing matches into a database."""
    stages = [(game.game, tournament) for game in league.games for tournament in game.tournaments]
    for number, (game, tournament) in enumerate(stages, start=1):
        if progress:
            print(f"{number} of {len(stages)}, {game}: {', '.join(tournament.bots)}", file=sys.stderr)
        play(tournament, executor=executor, db=database, progress=progress)


def _own(results: Results, league: League) -> Results:
    """The matches of this league's games: the file may hold others."""
    games = {game.game for game in league.games}
    return results.where([results.games[number] in games for number in results.game])


def _define_flags() -> None:
    flags.DEFINE_string("config", str(SHIPPED), "TOML file: games, bots, games per pair, seeds, openings.")
    flags.db(default="league.db")
    flags.output("the report, one page", default="league.html")
    flags.json("ratings and matrix")
    flags.executor()


def main() -> None:
    """The command; see the module's docstring."""
    outputs = {
        name: cli.check_output(_FLAGS[name].value, name)
        for name in ("db", "output", "json")
        if _FLAGS[name].value
    }
    for name in ("db", "output"):
        if name not in outputs:
            raise ValueError(f"--{name} is missing; expected the name of a file")
    league = league_config.read(_FLAGS.config)
    try:
        with make_executor(_FLAGS.executor) as executor:
            play_league(league, outputs["db"], executor, progress=True)
    except KeyboardInterrupt:
        print(
            f"The matches that had ended are in {outputs['db']}; the same command plays the others.",
            file=sys.stderr,
        )
        raise
    with Database(outputs["db"], must_exist=True) as database:
        ratings = rate(_own(database.results(), league), seed=league.seed)
        made, read = matrix(league, ratings), adversaries(league, ratings)
        page = collect(database, seed=league.seed, title=league.title, matrix=made, adversaries=read)
    cli.write_text(outputs["output"], render(page))
    if "json" in outputs:
        cells = {method: {game: vars(cell) for game, cell in zip(made.games, row)} for method, row in made.rows}
        cli.write_text(
            outputs["json"],
            json.dumps(
                {**ratings, "matrix": cells, "nash_conv": {one.game: dict(one.nash_conv) for one in read}},
                indent=1,
                allow_nan=False,
            )
            + "\n",
        )
    print(ratings_text(ratings))
    print()
    print(matrix_text(made))
    if read:
        print(f"\n{adversaries_text(read)}")
    print(f"\n{outputs['output']}: the same with replays")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
