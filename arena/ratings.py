"""Rates the bots in a database of matches.

    python -m arena.ratings --db=matches.db --json=ratings.json --plot=ratings.png

Each game is rated by itself. In a constant-sum game of two players: the crosstable with Wilson and
bootstrap intervals, Elo, Bradley-Terry, alpha-rank and Nash averaging. In general-sum games, and
with more players, nobody wins or loses against somebody: mean returns by seat, and no Elo; with more players
Plackett-Luce from the places in each match.

`--luck_adjusted=aivat` shows mean returns without the luck of the deals, and of the moves of bots that say how they
distribute them, beside the raw ones: the same means with narrower intervals. It replays the matches on the
game's tree, so it is for small games. `control_variates` does so where bots may peek at what is hidden.
"""

from __future__ import annotations

import json

from arena.rating.adversaries import adversaries_text, beside
from arena.rating.luck.adjusting import METHODS, luck_adjusted
from arena.rating.plot import draw
from arena.rating.rate import over_time, rate
from arena.rating.tables import luck_text, ratings_text
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
    flags.luck_adjusted(list(METHODS))
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


def _luck_adjusted(results: Results) -> list[dict[str, object]]:
    with Database(_FLAGS.db, must_exist=True) as database:
        records = (
            record
            for record in database.records(_FLAGS.experiment)
            if _FLAGS.game is None or record.game == _FLAGS.game
        )
        return luck_adjusted(results, records, _FLAGS.luck_adjusted, seed=_FLAGS.seed)


def main() -> None:
    """The command; see the module's docstring."""
    outputs = {
        name: cli.check_output(_FLAGS[name].value, name) for name in ("json", "plot") if _FLAGS[name].value
    }
    results = _stored_results()
    ratings = rate(results, seed=_FLAGS.seed)
    found = beside(ratings, seed=_FLAGS.seed)
    luck = _luck_adjusted(results) if _FLAGS.luck_adjusted else []
    if "json" in outputs:
        value = {
            **ratings,
            "nash_conv": {one.game: dict(one.nash_conv) for one in found},
            **({"luck_adjusted": luck} if luck else {}),
            "over_time": over_time(results),
        }
        text = json.dumps(value, indent=1, allow_nan=False)
        cli.write_text(outputs["json"], text + "\n")
    if "plot" in outputs:
        draw(ratings, outputs["plot"])
    print(ratings_text(ratings))
    if luck:
        print(f"\n\n{luck_text(luck)}")
    if found:
        print(f"\n{adversaries_text(found)}")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
