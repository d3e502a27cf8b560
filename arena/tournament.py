"""Everybody against everybody:

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

import itertools
import json
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from absl import flags

from arena.matches.match import bot_seed, load_match_game
from arena.matches.records import MatchRecord
from arena.registry.bots import audits, canonical, make_bot
from arena.registry.specs import split_specs
from arena.store.results import Results
from arena.tournaments.playing import play
from arena.tournaments.statistics import deduplicate, standing, standing_as_json
from runs import cli
from runs.executors import make_executor
from runs.tables import tournament_text

_FLAGS = flags.FLAGS


@dataclass(frozen=True)
class Tournament:
    """What is to be played.

    Attributes:
      game: an OpenSpiel game string, for two players.
      bots: at least two different canonical specs.
      num_games: matches between each two bots, even and at least 2.
      seed: at least 0.
      opening_plies, move_seconds, joint_openings: see `arena.matches.match.play_match`.
    """

    game: str
    bots: tuple[str, ...]
    num_games: int
    seed: int
    opening_plies: int = 2
    move_seconds: float | None = None
    joint_openings: bool = False

    @classmethod
    def checked(
        cls,
        game: str,
        bots: Iterable[str],
        *,
        num_games: int,
        seed: int,
        opening_plies: int = 2,
        move_seconds: float | None = None,
        joint_openings: bool = False,
    ) -> Tournament:
        """Makes a tournament of which everything that can be known before play is right.

        Each bot is made once in each seat, and closed.

        Raises:
          ValueError: a value is out of range, or `game` or a bot is unknown or refuses the other.
        """
        if num_games < 2 or num_games % 2:
            raise ValueError(
                f"num_games: expected an even number of at least 2, as matches are played "
                f"in mirrored pairs, found {num_games}"
            )
        if seed < 0:
            raise ValueError(f"seed: expected 0 or more, found {seed}")
        if opening_plies < 0:
            raise ValueError(f"opening_plies: expected 0 or more, found {opening_plies}")
        if move_seconds is not None and not move_seconds > 0:
            raise ValueError(f"move_seconds: expected more than 0, found {move_seconds}")
        loaded = load_match_game(game, players=2)
        specs = tuple(map(canonical, bots))
        if len(specs) < 2:
            raise ValueError(f"bots: expected at least two, found {len(specs)}")
        for spec in specs:
            if specs.count(spec) > 1:
                raise ValueError(f"bots: {spec!r} is listed twice, expected different bots")
            for seat in range(2):
                bot = make_bot(spec, loaded, seat, bot_seed(seed, seat))
                getattr(bot, "close", lambda: None)()
        return cls(game, specs, num_games, seed, opening_plies, move_seconds, joint_openings)

    def schedule(self) -> Iterator[tuple[tuple[str, str], int]]:
        """(bots by seat, seed) of each match. All bots meet before any two meet again, so that a
        tournament that is stopped early is still balanced."""
        for index in range(self.num_games // 2):
            seed = int(np.random.SeedSequence([self.seed, index]).generate_state(1, np.uint64)[0] >> 11)
            for first, second in itertools.combinations(self.bots, 2):
                yield (first, second), seed
                yield (second, first), seed

    def config(self) -> dict[str, object]:
        """What tells its matches from those of other tournaments in a database: bots and num_games do
        not, so that more of them may be asked for later."""
        # Named only where it is set: databases are older than it.
        joint = {"joint_openings": True} if self.joint_openings else {}
        return {
            "kind": "tournament",
            "game": self.game,
            "seed": self.seed,
            "opening_plies": self.opening_plies,
            "move_seconds": self.move_seconds,
            **joint,
        }


def audit_results(tournament: Tournament, records: Sequence[MatchRecord]) -> dict[str, object]:
    """What the bots' methods have to say of the records, such as `online_transition_accuracy`."""
    results: dict[str, object] = {}
    for audit in audits(tournament.bots):
        results.update(audit(records))
    return results


def _forfeits(records: Sequence[MatchRecord]) -> list[dict[str, object]]:
    """Who forfeited, how often, of what kind, and the first reason of each kind."""
    found: dict[tuple[str, str], dict[str, object]] = {}
    for record in records:
        if record.forfeit is not None:
            key = record.seats[record.forfeit.player], record.forfeit.kind
            entry = found.setdefault(
                key, {"bot": key[0], "kind": key[1], "matches": 0, "first_reason": record.forfeit.reason}
            )
            entry["matches"] += 1
    return list(found.values())


def _warn_of_long_openings(records: Sequence[MatchRecord]) -> None:
    swallowed = sum(2 * record.opening_length > len(record.moves) for record in records)
    if 2 * swallowed > len(records):
        print(
            f"note: in {swallowed} of {len(records)} matches more than half of the moves are the random "
            f"opening; try --opening_plies=0",
            file=sys.stderr,
        )


def summarize(
    tournament: Tournament, records: Sequence[MatchRecord], extra: Mapping[str, object] | None = None
) -> dict[str, object]:
    """The result of a tournament as JSON-able data without any clock in it.

    Args:
      tournament: what was played.
      records: of all its matches.
      extra: further results, JSON-able, added beside the others.

    Returns:
      `game`, `bots`, `num_games`, `seed`, `opening_plies`, `move_seconds`; `matches` and
      `unique_matches` (see `arena.tournaments.statistics`); `per_bot`: spec -> the fields of `Standing`;
      `pairs`: for each two bots the `Standing` of the first against the second, with `bots`;
      `forfeits`: bot, kind, number of matches and first reason of each; and what `extra` holds.

    Raises:
      ValueError: `extra` uses a name of the result's own.
    """
    results = Results.from_records(records)

    def described(chosen: Results, bot: str) -> dict[str, object]:
        # A generator of its own for each, so that more bots do not change the others' figures.
        return standing_as_json(standing(chosen, bot, np.random.default_rng(tournament.seed)))

    def between(bots: Iterable[str]) -> Results:
        seated = [(results.seats == results.bots.index(bot)).any(axis=1) for bot in bots]
        return results.where(np.logical_and(*seated))

    result: dict[str, object] = {
        "game": tournament.game,
        "bots": list(tournament.bots),
        "num_games": tournament.num_games,
        "seed": tournament.seed,
        "opening_plies": tournament.opening_plies,
        "move_seconds": tournament.move_seconds,
        "matches": len(records),
        "unique_matches": len(deduplicate(results)),
        "per_bot": {bot: described(results, bot) for bot in tournament.bots},
        "pairs": [
            {"bots": [first, second], **described(between((first, second)), first)}
            for first, second in itertools.combinations(tournament.bots, 2)
        ],
    }
    result["forfeits"] = _forfeits(records)
    for name, value in (extra or {}).items():
        if name in result:
            raise ValueError(f"extra results: {name!r} is a name of the result's own, expected another one")
        result[name] = value
    return result


def _define_flags() -> None:
    # Not at import: other commands use this module and have flags of the same names.
    flags.DEFINE_string("game", None, "OpenSpiel game string, e.g. connect_four or pig(players=2).")
    flags.DEFINE_string("bots", None, "Bots by spec, separated by commas, e.g. 'mcts(simulations=100),random'.")
    flags.DEFINE_integer("num_games", 20, "Matches between each two bots; even.")
    flags.DEFINE_integer("seed", 0, "Seed of the openings, the dice and the bots.")
    flags.DEFINE_integer("opening_plies", 2, "Random moves before the bots take over.")
    flags.DEFINE_bool("joint_openings", False, "Random moves also where players move at once.")
    flags.DEFINE_float("move_seconds", None, "Time limit per move in seconds; none by default.")
    flags.DEFINE_string("json", None, "File for the result as JSON.")
    flags.DEFINE_string("db", None, "Database of matches to add to and resume from.")
    flags.DEFINE_string(
        "executor", "inline", "Where matches run: inline, processes:N, or dask:ADDRESS of a Dask scheduler."
    )


def main() -> None:
    """The command; see the module's docstring."""
    for name in ("game", "bots"):
        if not _FLAGS[name].value:
            raise ValueError(f"--{name} is missing; run with --help for an example")
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
