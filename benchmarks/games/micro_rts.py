"""Measures how many ticks of MicroRTS a second are played.

    python -m benchmarks.games.micro_rts --json=micro_rts.json
    python -m benchmarks.games.micro_rts --jar=microrts.jar

RandomBiased plays on both sides, on 8 x 8 and 16 x 16 cells. Contestants: the bare engine; the engine
with the 27 planes of both players at each decision; the same game through OpenSpiel, one action at a
time, without and with the observation tensor at each decision. Ticks in which no unit is free are
skipped and count as ticks, as in the game. Contestants take turns; each figure is the median of the
rounds, by the clock and by the processor's time of this process.

With `--jar` the real engine takes its turns too, see `benchmarks.support.micro_rts_java`, after a round that is not
measured, in which Java compiles what it runs often. Its processor's time includes Java's own threads.
"""

from __future__ import annotations

import json
import random
import statistics
import time
from collections.abc import Callable, Mapping

import numpy as np
import pyspiel

from benchmarks.support import micro_rts_java
from games.micro_rts.bots.random_biased import RandomBiased, random_orders
from games.micro_rts.openspiel import observer
from games.micro_rts.openspiel.players import ScriptBot
from games.micro_rts.rules import engine, maps
from runs import cli, flags
from runs.tables import text_table

_FLAGS = flags.FLAGS

MAPS = ("basesWorkers8x8", "basesWorkers16x16")
MAX_CYCLES = 2000

Contestant = Callable[[str, int], tuple[int, int]]
"""A function from a map and a seed to one game's ticks and decisions (ticks in which somebody could order)."""


def play_engine(name: str, seed: int, observe: bool = False) -> tuple[int, int]:
    """Plays one game on the bare engine."""
    board, rng = maps.load(name), random.Random(seed)
    state = engine.State(board)
    planes = np.zeros((2, board.height, board.width, observer.PLANES), np.uint8)
    decisions = 0
    while not state.over and state.clock < MAX_CYCLES:
        if observe:
            observer.write_both_planes(state, planes)
        lists = [random_orders(state, player, rng) for player in (0, 1)]
        state.issue(0, lists[0])
        state.issue(1, lists[1])
        state.advance_idle(MAX_CYCLES)
        decisions += 1
    return state.clock, decisions


def play_pyspiel(name: str, seed: int, observe: bool = False) -> tuple[int, int]:
    """Plays one game through OpenSpiel."""
    game = pyspiel.load_game("micro_rts", {"map": name, "max_cycles": MAX_CYCLES})
    rng = random.Random(seed)
    bots = [ScriptBot(game, player, RandomBiased(rng)) for player in (0, 1)]
    state, clocks, seen = game.new_initial_state(), set(), game.make_py_observer()
    while not state.is_terminal():
        player = state.current_player()
        clocks.add(state.node.position.clock)
        if observe:
            seen.set_from(state, player)
        state.apply_action(bots[player].step(state))
    return state.node.position.clock, len(clocks)


CONTESTANTS: dict[str, Contestant] = {
    "engine": play_engine,
    "engine with planes": lambda name, seed: play_engine(name, seed, observe=True),
    "OpenSpiel": play_pyspiel,
    "OpenSpiel with tensors": lambda name, seed: play_pyspiel(name, seed, observe=True),
}
"""Name -> the function that plays one game."""


def measure(
    name: str, count: int, rounds: int, seed: int, further: Mapping[str, Contestant] | None = None
) -> dict[str, dict[str, float]]:
    """Returns for each contestant ticks and decisions a second and ticks a second of processor time on a map:
    medians of `rounds` rounds of `count` games. Those in `further` play a round before.
    """
    further = further or {}
    contestants = {**CONTESTANTS, **further}
    rates: dict[str, list[tuple[float, float, float]]] = {contestant: [] for contestant in contestants}
    for play in further.values():
        for game in range(count):
            play(name, seed + game)
    for number in range(rounds):
        for contestant, play in contestants.items():
            clock, processor = time.perf_counter(), time.process_time()
            played = [play(name, seed + number * count + game) for game in range(count)]
            clock, processor = time.perf_counter() - clock, time.process_time() - processor
            ticks, decisions = map(sum, zip(*played))
            rates[contestant].append((ticks / clock, decisions / clock, ticks / processor))
    return {
        contestant: dict(
            zip(
                ("ticks_per_second", "decisions_per_second", "ticks_per_cpu_second"),
                map(statistics.median, zip(*measured)),
            )
        )
        for contestant, measured in rates.items()
    }


def _define_flags() -> None:
    flags.DEFINE_integer("games", 10, "Games of each contestant in a round.", lower_bound=1)
    flags.DEFINE_integer("rounds", 5, "Rounds of each contestant; figures are medians.", lower_bound=1)
    flags.seed("the first game")
    flags.jar(", for rows of the real engine")
    flags.json("the figures")


def main() -> None:
    """Runs the command; see the module's docstring."""
    output = cli.check_output(_FLAGS.json, "json") if _FLAGS.json else None
    real = micro_rts_java.contestants(_FLAGS.jar, MAX_CYCLES) if _FLAGS.jar else {}
    figures = {}
    for name in MAPS:
        figures[name] = measure(name, _FLAGS.games, _FLAGS.rounds, _FLAGS.seed, real)
        print(
            text_table(
                [
                    [name, "ticks/s", "decisions/s", "ticks/CPU s"],
                    *(
                        [contestant, *(f"{rate:,.0f}" for rate in rates.values())]
                        for contestant, rates in figures[name].items()
                    ),
                ]
            ),
            end="\n\n",
        )
    if output:
        cli.write_text(output, json.dumps(figures, indent=2) + "\n")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
