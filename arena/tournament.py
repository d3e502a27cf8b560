"""Plays everybody against everybody.

    python -m arena.tournament --game=connect_four --bots="mcts(simulations=100),random" \\
        --num_games=20 --seed=1 --json=result.json --db=matches.db

Each two bots play `--num_games` matches in mirrored pairs: both matches of a pair have the same
random opening and the same dice, with the seats swapped. The k-th pair of every two bots has the
same seed, so that all bots face the same openings.

With `--db`, each match is written into a database as it ends. The same command again plays only what
is missing, so a tournament may be stopped, or killed, at any time; more games or more bots may be asked
for later. Several processes may share the file, and even play one tournament together.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence

from arena.matches.records import MatchRecord
from arena.registry.specs import split_specs
from arena.tournaments.playing import play
from arena.tournaments.schedule import Tournament
from arena.tournaments.summary import audit_results, summarize
from arena.tournaments.text import tournament_text
from runs import cli, flags
from runs.executors import make_executor

_FLAGS = flags.FLAGS


def _warn_of_long_openings(records: Sequence[MatchRecord]) -> None:
    swallowed = sum(2 * record.opening_length > len(record.moves) for record in records)
    if 2 * swallowed > len(records):
        print(
            f"note: in {swallowed} of {len(records)} matches more than half of the moves are the random "
            f"opening; try --opening_plies=0",
            file=sys.stderr,
        )


def _define_flags() -> None:
    flags.game("such as connect_four or pig(players=2)", required=True)
    flags.bots("such as 'mcts(simulations=100),random'", required=True)
    flags.pair_matches("num_games", 20, "bots")
    flags.seed("the openings, the dice and the bots")
    flags.opening_plies(2)
    flags.DEFINE_bool("joint_openings", False, "Whether moves are random also where players move at once.")
    flags.move_seconds()
    flags.json()
    flags.db()
    flags.executor()


def main() -> None:
    """The command; see the module's docstring."""
    outputs = {
        name: cli.check_output(_FLAGS[name].value, name) for name in ("json", "db") if _FLAGS[name].value
    }
    tournament = Tournament.checked(
        _FLAGS.game,
        split_specs(_FLAGS.bots),
        num_games=_FLAGS.num_games,
        seed=_FLAGS.seed,
        opening_plies=_FLAGS.opening_plies,
        move_seconds=_FLAGS.move_seconds,
        joint_openings=_FLAGS.joint_openings,
    )
    try:
        with make_executor(_FLAGS.executor) as executor:
            records = play(tournament, executor=executor, db=outputs.get("db"), progress=True)
    except KeyboardInterrupt:
        if "db" in outputs:
            print(
                f"The matches that had ended are in {outputs['db']}; the same command plays the others.",
                file=sys.stderr,
            )
        raise
    result = summarize(tournament, records, audit_results(tournament, records))
    if "json" in outputs:
        cli.write_text(outputs["json"], json.dumps(result, indent=2, allow_nan=False) + "\n")
    print(tournament_text(result))
    _warn_of_long_openings(records)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
