"""Compares the bots of the real MicroRTS engine with ours, in our engine, with lengths in ticks.

    python -m benchmarks.games.micro_rts_real agreement --openings=5
    python -m benchmarks.games.micro_rts_real deviation --openings=5
    python -m benchmarks.games.micro_rts_real duel --bots="micro_rts_vanguard,micro_rts_real(name=CoacAI)"

`agreement` plays each two baselines against each other, in both seats: ours with ours, ours with the real
one, the real one with ours, and the real ones with each other; where ours are faithful, the four columns
agree. `deviation` lets the real ones play, asks ours for their orders in the same positions, and tells how
often they are the same and where they are first not. `duel` plays two bots by spec against each other from
each opening, in both seats.

Opening 0 is the map as it stands; in the others both sides play RandomBiased at first. Needs Java and the
engine's jar, see `games.micro_rts.java`.
"""

from __future__ import annotations

import json
import random
import statistics
from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

import pyspiel
from tqdm import tqdm

import games  # noqa: F401  (registers the game)
from arena.registry.bots import canonical, make_bot
from arena.registry.specs import split_specs
from games.micro_rts.bots.random_biased import RandomBiased, random_orders
from games.micro_rts.bots.rushes import BarracksRush, WorkerRush
from games.micro_rts.java.real_script import RealScript
from games.micro_rts.openspiel.players import ScriptBot
from games.micro_rts.rules import engine
from games.micro_rts.rules.orders import WAIT, Order, describe
from games.micro_rts.rules.unit_tables import HEAVY, LIGHT, RANGED
from runs import cli, flags
from runs.tables import text_table

_FLAGS = flags.FLAGS

BASELINES = {
    "WorkerRush": "micro_rts_worker_rush",
    "LightRush": "micro_rts_light_rush",
    "HeavyRush": "micro_rts_heavy_rush",
    "RangedRush": "micro_rts_ranged_rush",
    "RandomBiasedAI": "micro_rts_random_biased",
}
"""The engine's name of a baseline -> our bot."""


OWN_SCRIPTS = {
    "WorkerRush": WorkerRush,
    "LightRush": partial(BarracksRush, LIGHT),
    "HeavyRush": partial(BarracksRush, HEAVY),
    "RangedRush": partial(BarracksRush, RANGED),
}
"""The engine's name of a baseline without chance -> our script."""


class Result(NamedTuple):
    """The result of a game: its opening, the winner's seat (-1 for a draw), and its ticks."""

    opening: int
    winner: int
    ticks: int


def play(game: pyspiel.Game, seats: Sequence[str], opening: int, opening_ticks: int, seed: int) -> Result:
    """Plays one game between two bots by spec."""
    rng = random.Random(f"{seed} {opening}")
    openers = [ScriptBot(game, player, RandomBiased(rng)) for player in (0, 1)]
    bots = [
        make_bot(spec, game, player, (seed + 2 * opening + player) % 2**31) for player, spec in enumerate(seats)
    ]
    state = game.new_initial_state()
    while not state.is_terminal():
        player = state.current_player()
        opened = not opening or state.node.position.clock >= opening_ticks
        state.apply_action((bots if opened else openers)[player].step(state))
    return Result(opening, state.position().winner, state.position().clock)


def cell(results: Sequence[Result]) -> str:
    """Returns the wins, draws and losses of player 0, and the median of the ticks."""
    won, drawn = (sum(result.winner == winner for result in results) for winner in (0, -1))
    return (
        f"{won}-{drawn}-{len(results) - won - drawn} "
        f"{statistics.median(result.ticks for result in results):.0f}"
    )


def agreement(game: pyspiel.Game, openings: int, opening_ticks: int, seed: int) -> dict[str, Any]:
    """Returns all results: "A, B" (A is player 0) -> which of them are ours -> `Result`s."""
    pairs = [(first, second) for first in BASELINES for second in BASELINES if first != second]
    columns = {
        "ours, ours": (True, True),
        "ours, real": (True, False),
        "real, ours": (False, True),
        "real, real": (False, False),
    }
    return {
        f"{first}, {second}": {
            column: [
                play(
                    game,
                    [
                        BASELINES[name] if own else f"micro_rts_real(name={name})"
                        for name, own in zip((first, second), ours)
                    ],
                    opening,
                    opening_ticks,
                    seed,
                )
                for opening in range(openings)
            ]
            for column, ours in columns.items()
        }
        for first, second in tqdm(pairs, unit="pair", disable=None)
    }


def shadowed(
    game: pyspiel.Game, names: tuple[str, str], opening: int, opening_ticks: int, seed: int
) -> tuple[int, int, str]:
    """Plays a game between two real baselines, with ours asked in the first one's positions.

    Returns:
      In how many positions ours were asked, in how many they ordered the same (waits apart, in any
      order of the list), and a description of the first others.
    """
    state, rng = game.start.position.clone(), random.Random(f"{seed} {opening}")
    players = [RealScript(name, seed=seed) for name in names]
    own = OWN_SCRIPTS[names[0]]()
    own.restart()
    asked = same = 0
    first = ""
    while not state.over and state.clock < game.max_cycles:
        if opening and state.clock < opening_ticks:
            lists = [random_orders(state, player, rng) for player in (0, 1)]
        else:
            lists = [script.orders(state.clone(), player) for player, script in enumerate(players)]
            if state.free_units(0):
                asked += 1
                real, ours = (_acts(listed) for listed in (lists[0], own.orders(state.clone(), 0)))
                same += real == ours
                if real != ours and not first:
                    first = (
                        f"opening {opening}, tick {state.clock}: real {_said(state, real - ours)}; "
                        f"ours {_said(state, ours - real)}"
                    )
        for player, listed in enumerate(lists):
            state.issue(player, listed)
        state.advance()
    return asked, same, first


def _acts(listed: Sequence[tuple[int, Order]]) -> set[tuple[int, Order]]:
    return {(unit, order) for unit, order in listed if order.kind != WAIT}


def _said(state: engine.State, acts: set[tuple[int, Order]]) -> str:
    said = [
        f"{state.kind(state.units[unit]).name} at {state.map.positions[state.units[unit].cell]}: "
        f"{describe(order, state.map.width)}"
        for unit, order in sorted(acts)
    ]
    return ", ".join(said) or "nothing"


def deviation(game: pyspiel.Game, openings: int, opening_ticks: int, seed: int) -> dict[str, Any]:
    """Returns by whose orders and against whom `asked`, `same`, and `first`, what the first deviation is."""
    found: dict[str, Any] = {}
    for name in tqdm(OWN_SCRIPTS, unit="bot", disable=None):
        for other in BASELINES:
            played = [
                shadowed(game, (name, other), opening, opening_ticks, seed) for opening in range(openings)
            ]
            found.setdefault(name, {})[other] = {
                "asked": sum(asked for asked, _, _ in played),
                "same": sum(same for _, same, _ in played),
                "first": next((first for *_, first in played if first), ""),
            }
    return found


def duel(
    game: pyspiel.Game, bots: Sequence[str], openings: int, opening_ticks: int, seed: int
) -> dict[str, Any]:
    """Returns all results of two bots, by which of them is player 0, as `Result`s."""
    first, second = bots
    seatings = {f"{first} first": (first, second), f"{second} first": (second, first)}
    played: dict[str, list[Result]] = {name: [] for name in seatings}
    for opening in tqdm(range(openings), unit="opening", disable=None):
        for name, seats in seatings.items():
            played[name].append(play(game, seats, opening, opening_ticks, seed))
    return played


def _define_flags() -> None:
    flags.DEFINE_string("map", "basesWorkers8x8", "Map of micro_rts, by name or file.")
    flags.unit_table(2)
    flags.max_cycles(2000, "is a draw")
    flags.bots("two of them, for duel", default="")
    flags.DEFINE_integer("openings", 1, "Number of openings; the first is the map as it stands.", lower_bound=1)
    flags.DEFINE_integer("opening_ticks", 100, "Ticks that an opening lasts.", lower_bound=1)
    flags.seed("the openings and the bots")
    flags.json()


def main(word: str | None) -> None:
    """Runs the command; see the module's docstring."""
    output = cli.check_output(_FLAGS.json, "json") if _FLAGS.json else None
    game = pyspiel.load_game(
        "micro_rts", {"map": _FLAGS.map, "unit_table": _FLAGS.unit_table, "max_cycles": _FLAGS.max_cycles}
    )
    chosen = _FLAGS.openings, _FLAGS.opening_ticks, _FLAGS.seed
    if word == "agreement":
        figures = agreement(game, *chosen)
        columns = list(next(iter(figures.values())))
        rows = [
            ["player 0, player 1", *columns],
            *([pair, *map(cell, results.values())] for pair, results in figures.items()),
        ]
    elif word == "deviation":
        figures = deviation(game, *chosen)
        rows = [
            ["whose orders, against whom", "asked", "the same"],
            *(
                [f"{name}, {other}", str(told["asked"]), f"{told['same'] / max(1, told['asked']):.1%}"]
                for name, others in figures.items()
                for other, told in others.items()
            ),
        ]
    elif word == "duel":
        bots = [canonical(spec) for spec in split_specs(_FLAGS.bots)]
        if len(bots) != 2 or bots[0] == bots[1]:
            raise ValueError(f"--bots: expected two different bots by spec, found {_FLAGS.bots!r}")
        figures = duel(game, bots, *chosen)
        rows = [["", "result"], *([name, cell(played)] for name, played in figures.items())]
    else:
        raise ValueError("expected agreement, deviation or duel after the command; see --help")
    print(f"{game}, {_FLAGS.openings} openings; results are W-D-L of player 0 and median ticks")
    print(text_table(rows))
    if word == "deviation":
        print(
            *(
                f"{name}, {other}: {told['first']}"
                for name, others in figures.items()
                for other, told in others.items()
                if told["first"]
            ),
            sep="\n",
        )
    if output:
        cli.write_text(output, json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    _define_flags()
    cli.run(main, ("agreement", "deviation", "duel"))
