"""Measures how many plies of the real game it takes to tell a right program from one with a single rule wrong.

    python -m benchmarks.cwm.choosing_games --json=choosing.json

No language model takes part: each game has a right program and the same program with one planted fault
(`benchmarks.cwm.planted`). *Chosen* games are those that `cwm.writing.hypotheses.choosing` finds by playing inside the two
programs; the null is random games of the real game, played one after the other until a transition shows the fault. Plies
count chance's moves too. The second table begins with the right program and all faulty ones of its game, and counts plies
until the right one alone is left.

A program that is never told apart counts with the plies of --max_games random games, or as not found among the chosen
ones. Ratios are geometric means over faults (over games in the second table), with 95 % intervals by the bootstrap over
these.
"""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from benchmarks.cwm.cells import game_of
from benchmarks.cwm.measuring import paired_interval
from benchmarks.cwm.planted import FAULTS, GAMES, TWINS, right_program, wrong_program
from cwm.trust import checks
from cwm.trust.trajectories import Trajectory, collect
from cwm.writing.hypotheses.choosing import choose
from cwm.writing.hypotheses.oracle import GameOracle
from runs import cli, flags
from runs.progress import Bar
from runs.tables import text_table

_FLAGS = flags.FLAGS
FIRST_SEED = 50_000
"""Seed of the random games, apart from those that are learnt from and those that are held out."""


class Told(NamedTuple):
    """One fault told from the right program.

    Attributes:
      game, fault, seed: what was told apart.
      chosen: plies of the chosen games; None where none was found.
      random: plies of random games up to the transition that shows the fault.
      censored: whether no random game showed it.
    """

    game: str
    fault: str
    seed: int
    chosen: int | None
    random: int
    censored: bool


def random_games(game: str, seed: int, most: int) -> Iterator[Trajectory]:
    """Random games of the real game."""
    return iter(collect(game_of(game), most, FIRST_SEED + seed))


def until_shown(programs: Sequence[str], games: Iterator[Trajectory]) -> tuple[int, bool]:
    """Plies of these games until each program has failed once, and whether one never did."""
    holders = {program: checks.Holder(program) for program in programs}
    plies = 0
    try:
        for game in games:
            places = []
            for program, holder in list(holders.items()):
                _, failure = checks.check_game(holder, 0, game)
                if failure is not None:
                    places.append(failure.transition + 1)
                    holders.pop(program).close()
            if not holders:
                return plies + max(places), False
            plies += len(game.actions)
        return plies, True
    finally:
        for holder in holders.values():
            holder.close()


def until_told_apart(right: str, wrong: Sequence[str], game: str, seed: int) -> tuple[int, int, int]:
    """Chosen games, one after the other, until none is found that tells the programs apart that are left.

    Returns:
      Plies and number of the games, and the number of wrong programs that are left.
    """
    oracle = GameOracle(game_of(game))
    alive = {source: checks.Holder(source) for source in (right, *wrong)}
    try:
        while len(alive) > 1:
            chosen = choose(list(alive.values()), seed=seed * 100 + oracle.queries)
            if chosen is None:
                break
            played = oracle.play(chosen.names)
            wrong_ones = [
                source
                for source, holder in alive.items()
                if checks.check_game(holder, 0, played)[1] is not None
            ]
            if not wrong_ones:
                break  # what they differ in is not recorded, and would be chosen again
            for source in wrong_ones:
                alive.pop(source).close()
        if right not in alive:
            raise ValueError(f"{game}: the right program fails a chosen game, so it is not right")
        return oracle.plies, oracle.queries, len(alive) - 1
    finally:
        for holder in alive.values():
            holder.close()


def pairs(game: str, seeds: int, max_games: int) -> Iterator[Told]:
    """The right program against each fault, one by one."""
    for fault in FAULTS[game]:
        source = wrong_program(game, fault)
        for seed in range(seeds):
            plies, _, left = until_told_apart(right_program(game), [source], game, seed)
            shown, censored = until_shown([source], random_games(game, seed, max_games))
            yield Told(game, fault.rule, seed, None if left else plies, shown, censored)


def ratio(groups: Sequence[str], found: Sequence[Told], rng: np.random.Generator) -> str:
    """Random plies by chosen plies, as a geometric mean with its interval; `groups` are what is drawn again."""
    logs = [math.log(one.random / one.chosen) for one in found if one.chosen]
    own = [group for group, one in zip(groups, found, strict=True) if one.chosen]
    if not logs:
        return "-"
    low, high = paired_interval(own, logs, rng)
    return f"{math.exp(statistics.fmean(logs)):.1f} [{math.exp(low):.1f}, {math.exp(high):.1f}]"


def _known(game: str) -> str:
    """The game, for a twin the one that it is a twin of: their faults are the same, and no two draws of an interval."""
    return TWINS[game][0] if game in TWINS else game


def table(found: Sequence[Told], rng: np.random.Generator) -> list[list[str]]:
    """A row for each game and one for all."""
    rows = [
        [
            "game",
            "faults",
            "chosen found",
            "chosen plies, median",
            "random plies, median",
            "never shown",
            "ratio",
        ]
    ]
    for name in (*dict.fromkeys(one.game for one in found), "all"):
        own = [one for one in found if name in ("all", one.game)]
        chosen = [one.chosen for one in own if one.chosen is not None]
        faults = [f"{_known(one.game)} {one.fault}" for one in own]
        rows.append(
            [
                name,
                str(len(set(faults))),
                f"{len(chosen)}/{len(own)}",
                f"{statistics.median(chosen):g}" if chosen else "-",
                f"{statistics.median(one.random for one in own):g}",
                f"{sum(one.censored for one in own)}/{len(own)}",
                ratio(faults, own, rng),
            ]
        )
    return rows


def all_at_once(game: str, seed: int, max_games: int) -> tuple[Told, int]:
    """The right program against all faulty ones together; and the number of chosen games."""
    wrong = [wrong_program(game, fault) for fault in FAULTS[game]]
    plies, queries, left = until_told_apart(right_program(game), wrong, game, seed)
    shown, censored = until_shown(wrong, random_games(game, seed, max_games))
    return Told(game, f"{len(wrong)} at once", seed, None if left else plies, shown, censored), queries


def table_at_once(found: Sequence[tuple[Told, int]], rng: np.random.Generator) -> list[list[str]]:
    """A row for each game and one for all."""
    rows = [
        ["game", "wrong programs", "all told apart", "games", "plies", "random plies", "never shown", "ratio"]
    ]
    for name in (*dict.fromkeys(one.game for one, _ in found), "all"):
        own = [(one, queries) for one, queries in found if name in ("all", one.game)]
        told = [one for one, _ in own]
        chosen = [one.chosen for one in told if one.chosen is not None]
        groups = [_known(one.game) if name == "all" else f"{one.seed}" for one in told]
        rows.append(
            [
                name,
                "-" if name == "all" else told[0].fault.split()[0],
                f"{len(chosen)}/{len(told)}",
                f"{statistics.median(queries for _, queries in own):g}",
                f"{statistics.median(chosen):g}" if chosen else "-",
                f"{statistics.median(one.random for one in told):g}",
                f"{sum(one.censored for one in told)}/{len(told)}",
                ratio(groups, told, rng),
            ]
        )
    return rows


def _define_flags() -> None:
    flags.DEFINE_list("games", list(GAMES), "Games by name.")
    flags.DEFINE_integer("seeds", 5, "Number of repetitions.", lower_bound=1)
    flags.DEFINE_integer(
        "max_games", 200, "Random games after which a fault counts as never shown.", lower_bound=1
    )
    flags.json("all plies")


def main() -> None:
    """The command; see the module's docstring."""
    output = cli.check_output(_FLAGS.json, "json") if _FLAGS.json else None
    for game in _FLAGS.games:
        if game not in GAMES:
            raise ValueError(f"--games: expected names out of {', '.join(GAMES)}, found {game!r}")
    seeds, most = _FLAGS.seeds, _FLAGS.max_games
    one_by_one: list[Told] = []
    together: list[tuple[Told, int]] = []
    for game in Bar(_FLAGS.games, unit="game"):
        one_by_one += pairs(game, seeds, most)
        together += [all_at_once(game, seed, most) for seed in range(seeds)]
    rng = np.random.default_rng(0)
    if output is not None:
        rows: dict[str, Any] = {
            "one_by_one": [one._asdict() for one in one_by_one],
            "together": [{**one._asdict(), "queries": queries} for one, queries in together],
        }
        cli.write_text(output, json.dumps(rows, indent=1) + "\n")
    print(text_table(table(one_by_one, rng)) + "\n")
    print(text_table(table_at_once(together, rng)))


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
