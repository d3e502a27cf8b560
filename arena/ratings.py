"""Rates the bots in a database of matches.

    python -m arena.ratings --db=matches.db --json=ratings.json --plot=ratings.png

Each game is rated by itself. In a constant-sum game of two players: the crosstable with Wilson and
bootstrap intervals, Elo, Bradley-Terry, alpha-rank and Nash averaging. In general-sum games, and
with more players, nobody wins or loses against somebody: mean returns by seat, and no Elo; with more players
Plackett-Luce from the places in each match.
"""

from __future__ import annotations

import json

from arena.rating.adversaries import adversaries_text, beside
from arena.rating.plot import draw
from arena.rating.rate import over_time, rate
from arena.rating.tables import ratings_text
from arena.store.database import Database
from arena.store.results import Results
from runs import cli, flags
from runs.suggestions import nearest

_FLAGS = flags.FLAGS


def _define_flags() -> None:
    flags.db(read=True)
    flags.experiment("rate")
    flags.game("as in the database, of the only game to rate")
    flags.seed("the bootstrap")
    flags.json("the ratings with their history")
    flags.plot("the crosstables and ratings")


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
    outputs = {
        name: cli.check_output(_FLAGS[name].value, name) for name in ("json", "plot") if _FLAGS[name].value
    }
    results = _stored_results()
    ratings = rate(results, seed=_FLAGS.seed)
    found = beside(ratings, seed=_FLAGS.seed)
    if "json" in outputs:
        value = {
            **ratings,
            "nash_conv": {one.game: dict(one.nash_conv) for one in found},
            "over_time": over_time(results),
        }
        text = json.dumps(value, indent=1, allow_nan=False)
        cli.write_text(outputs["json"], text + "\n")
    if "plot" in outputs:
        draw(ratings, outputs["plot"])
    print(ratings_text(ratings))
    if found:
        print(f"\n{adversaries_text(found)}")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
