"""Plays everybody against everybody.

    python -m arena.tournament --game=connect_four --bots="mcts(simulations=100),random" \\
        --num_games=20 --seed=1 --json=result.json --db=matches.db

Each two bots play `--num_games` matches in mirrored pairs: both matches of a pair have the same
dice, and the same random opening where `--opening_plies` asks for one, with the seats swapped. The k-th
pair of every two bots has the same seed, so that all bots face the same deals and openings.

The size is fixed when play begins. `--until=width:.05` plays on until the result of each two bots is known to
that width, with intervals that hold whenever play is stopped.

In a game of three or more players every line-up of bots plays `--num_games` matches in blocks: one deal and one
opening in all seat orders, or in a Latin square of them from five seats on (see `arena.tournaments.schedule`).
Bots are then ranked by mean return, and rated by Plackett-Luce.

`--luck_adjusted=aivat` shows mean returns without the luck of the deals too, see `arena.ratings`.

With `--db`, each match is written into a database as it ends. The same command again plays only what
is missing, so a tournament may be stopped, or killed, at any time. More bots may be asked for later, and more
games too: the tables then say that they were, as whoever plays on until the result pleases gets it. Several
processes may share the file, and even play one tournament together.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from dataclasses import replace

from arena.matches.records import MatchRecord
from arena.rating.adversaries import MAX_STATES, Adversary, adversaries_text, beside, small_enough
from arena.rating.luck.adjusting import METHODS, luck_adjusted
from arena.rating.rate import rate
from arena.rating.tables import luck_text
from arena.registry.games import load_game
from arena.registry.specs import split_specs
from arena.store.match_store import StoredMatches
from arena.store.results import Results
from arena.tournaments.playing import play
from arena.tournaments.schedule import Tournament
from arena.tournaments.summary import audit_results, summarize
from arena.tournaments.text import tournament_text
from arena.tournaments.until import MOST_GAMES, parse_until, play_until
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


def _once(tournament: Tournament) -> Tournament:
    """The tournament with one match for each order of the seats where more would repeat them, which is said
    before it starts."""
    if not tournament.repeats_itself():
        return tournament
    print(
        f"note: all bots are deterministic and {tournament.game} has no chance, so every further match would "
        "repeat the first one in its seats; each line-up is played once, which is exact; for other matches "
        "draw openings with --opening_plies=2",
        file=sys.stderr,
    )
    return replace(tournament, num_games=2, until=None)


def _adversaries(tournament: Tournament, records: Sequence[MatchRecord]) -> list[Adversary]:
    """The gains of best responses, where the game is small and a bot gives its policy."""
    if not small_enough(load_game(tournament.game), MAX_STATES):
        return []
    return beside(rate(Results.from_records(records), seed=tournament.seed), seed=tournament.seed)


def _luck_adjusted(tournament: Tournament, records: Sequence[MatchRecord]) -> list[dict[str, object]]:
    results = records.results() if isinstance(records, StoredMatches) else Results.from_records(records)
    anytime = tournament.until is not None
    return luck_adjusted(results, records, _FLAGS.luck_adjusted, seed=tournament.seed, anytime=anytime)


def _define_flags() -> None:
    flags.game("such as connect_four or pig(players=2)", required=True)
    flags.bots("such as 'mcts(simulations=100),random'", required=True)
    flags.pair_matches(
        "num_games",
        None,
        "bots",
        ", 20 by default; in games of three or more players matches of each line-up, ten blocks of seat orders by "
        "default",
    )
    text = "Width such as width:.05 of the confidence sequences of all pairs, at which play ends, or at --num_games."
    flags.DEFINE_string("until", None, text)
    flags.seed("the openings, the dice and the bots")
    flags.opening_plies(0)
    flags.DEFINE_bool("joint_openings", False, "Whether moves are random also where players move at once.")
    flags.move_seconds()
    flags.luck_adjusted(list(METHODS))
    flags.json()
    flags.db()
    flags.executor()


def main() -> None:
    """The command; see the module's docstring."""
    outputs = {
        name: cli.check_output(_FLAGS[name].value, name) for name in ("json", "db") if _FLAGS[name].value
    }
    until = parse_until(_FLAGS.until) if _FLAGS.until else None
    given = not _FLAGS["num_games"].using_default_value
    tournament = Tournament.checked(
        _FLAGS.game,
        split_specs(_FLAGS.bots),
        num_games=_FLAGS.num_games if until is None or given else MOST_GAMES,
        seed=_FLAGS.seed,
        opening_plies=_FLAGS.opening_plies,
        move_seconds=_FLAGS.move_seconds,
        joint_openings=_FLAGS.joint_openings,
        until=until,
    )
    if tournament.players > 2:
        print(tournament.description(), file=sys.stderr)
    tournament = _once(tournament)
    try:
        with make_executor(_FLAGS.executor) as executor:
            how = play if tournament.until is None else play_until
            records = how(tournament, executor=executor, db=outputs.get("db"), progress=True)
    except KeyboardInterrupt:
        if "db" in outputs:
            print(
                f"The matches that had ended are in {outputs['db']}; the same command plays the others.",
                file=sys.stderr,
            )
        raise
    result = summarize(tournament, records, audit_results(tournament, records))
    if _FLAGS.luck_adjusted:
        result["luck_adjusted"] = _luck_adjusted(tournament, records)
    if "json" in outputs:
        cli.write_text(outputs["json"], json.dumps(result, indent=2, allow_nan=False) + "\n")
    print(tournament_text(result))
    if "luck_adjusted" in result:
        print(f"\n{luck_text(result['luck_adjusted'])}")
    found = _adversaries(tournament, records)
    if found:
        print(f"\n{adversaries_text(found)}")
    _warn_of_long_openings(records)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
