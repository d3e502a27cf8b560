"""Ratings of the bots in a database of matches:

    python -m arena.ratings --db=matches.db --json=ratings.json --plot=ratings.png

Each game is rated by itself. In a constant-sum game of two players: the crosstable with Wilson and
bootstrap intervals, Elo, Bradley-Terry, alpha-rank and Nash averaging. In general-sum games, and
with more players, nobody wins or loses against somebody: mean returns by seat, and no Elo.
"""

from __future__ import annotations

import json

from absl import flags

from arena.rating.plot import draw
from arena.rating.rate import over_time, rate
from arena.rating.tables import ratings_text
from arena.store.database import Database
from arena.store.results import Results
from runs import cli
from runs.suggestions import nearest

_FLAGS = flags.FLAGS


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
