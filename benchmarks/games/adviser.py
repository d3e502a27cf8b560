"""Measures the search of MC-DML with an adviser in the place of the language model.

    python -m benchmarks.games.adviser --temperatures=5,2,1 --c_pucts=50,20 --executor=processes:2 --json=adviser.json
    python -m benchmarks.games.adviser --scales=range --temperatures=1 --c_pucts=1,2 --layouts=20 --first_layout=2000

What a search makes of good advice tells its own faults from those of a language model. The planner names the next action
of a plan for the most points (`games.text.adventure_engine.Adventure.advice`) with probability .6 and the others alike;
the wrong adviser gives .6 to another action, always the same one in a world; the third says nothing. Their probabilities
go through the prior's own normalization (`mcdml.asking.priors.normalized`). No reflections. The score is the share of the
most points at the end, death none, with a 95 % interval over layouts (`arena.rating.intervals.score_interval`).
"""

from __future__ import annotations

import concurrent.futures
import itertools
import json
import math
import zlib
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyspiel

from arena.rating.intervals import score_interval
from arena.registry.games import load_game
from games.text.adventure_layout import SIZES
from language_models.asking.client import Client
from language_models.asking.lockstep import result_of
from mcdml.agents.agents import SearchAgent
from mcdml.asking.priors import UniformPrior, normalized, uniform
from mcdml.search.settings import LEAVES, SCALES, Settings
from runs import cli, flags
from runs.executors import make_executor
from runs.progress import Bar
from runs.suggestions import nearest
from runs.tables import text_table

ADVISERS = ("planner", "wrong", "none")
SURE = 0.6
"""Probability of the action that an adviser names."""

_FLAGS = flags.FLAGS


class AdviserPrior(UniformPrior):
    """The prior of an adviser that knows the world: asks nothing.

    Args:
      adviser: one of `ADVISERS`.
      temperature: of the softmax over its log-probabilities; 1 leaves them as they are.
    """

    def __init__(self, adviser: str, temperature: float):
        self._adviser, self._temperature = adviser, temperature

    def unasked(self, state: pyspiel.State, names: Sequence[str]) -> np.ndarray:
        named = self._named(state, names)
        if named is None or len(names) < 2:
            return uniform(len(names))
        other = (1 - SURE) / (len(names) - 1)
        logs = {number: math.log(SURE if name == named else other) for number, name in enumerate(names, 1)}
        return normalized(logs, len(names), temperature=self._temperature)

    def _named(self, state: pyspiel.State, names: Sequence[str]) -> str | None:
        if self._adviser == "none":
            return None
        right = state.engine.advice(state.snapshot)
        if self._adviser == "planner":
            return right
        wrong = [name for name in names if name != right]
        return wrong[zlib.crc32(repr(state.world_key()).encode()) % len(wrong)] if wrong else None


class Case(NamedTuple):
    """An adviser and the settings of the search that it advises."""

    adviser: str
    temperature: float
    scale: str
    c_puct: float
    leaf: str = "rollout"


class Table(NamedTuple):
    """What all cases are measured on: `size` of the adventure, number of `layouts` from number `first` on, number of
    `seeds` of the search on each, most `moves` of a game, and `simulations` for each action."""

    size: str
    layouts: int
    first: int
    seeds: int
    moves: int
    simulations: int


def play(case: Case, table: Table, layout: int, seed: int) -> float:
    """Plays a game; returns its share of the most points."""
    game = load_game(f"text_adventure(layout_seed={layout},size={table.size},max_moves={table.moves})")
    settings = Settings(
        simulations_per_action=table.simulations,
        c_puct=case.c_puct,
        leaf=case.leaf,
        scale=case.scale,
        cross_trial=0,
        in_trial=0,
    )
    agent = SearchAgent(0, seed, settings, AdviserPrior(case.adviser, case.temperature))
    state = game.new_initial_state()
    while not state.is_terminal():
        state.apply_action(result_of(agent.decide(state), Client(None)).action)
    return max(0.0, state.score() / state.max_score())


def measure(
    cases: Sequence[Case], table: Table, executor: concurrent.futures.Executor
) -> dict[Case, list[list[float]]]:
    """Returns the shares of each case, a list for each layout with one number for each seed."""
    layouts = range(table.first, table.first + table.layouts)
    asked = list(itertools.product(cases, layouts, range(table.seeds)))
    futures = [executor.submit(play, case, table, layout, seed) for case, layout, seed in asked]
    found: dict[Case, list[list[float]]] = {case: [[] for _ in layouts] for case in cases}
    for (case, layout, _), future in zip(asked, Bar(futures, unit="game")):
        found[case][layout - table.first].append(future.result())
    return found


def rows(found: dict[Case, list[list[float]]]) -> list[dict[str, object]]:
    """Returns a row for each case: its fields, the mean `share` of the most points, its interval, the number of games."""
    made = []
    for case, by_layout in found.items():
        blocks = [layout for layout, shares in enumerate(by_layout) for _ in shares]
        shares = [share for layout in by_layout for share in layout]
        low, high = score_interval(blocks, shares)
        made.append(
            {**case._asdict(), "share": float(np.mean(shares)), "low": low, "high": high, "games": len(shares)}
        )
    return made


def show(table: Sequence[dict[str, object]]) -> None:
    """Prints the rows."""
    lines = [["adviser", "temperature", "scale", "c_puct", "leaf", "share of the points", "95 %", "games"]]
    for row in table:
        lines.append(
            [
                row["adviser"],
                f"{row['temperature']:g}",
                row["scale"],
                f"{row['c_puct']:g}",
                row["leaf"],
                f"{row['share']:.3f}",
                f"[{row['low']:.3f}, {row['high']:.3f}]",
                str(row["games"]),
            ]
        )
    print(text_table(lines))


def _numbers(name: str) -> list[float]:
    try:
        return [float(text) for text in _FLAGS[name].value]
    except ValueError:
        raise ValueError(f"--{name}: expected numbers, found {','.join(_FLAGS[name].value)}") from None


def _define_flags() -> None:
    flags.DEFINE_list("advisers", list(ADVISERS), f"Advisers: {', '.join(ADVISERS)}.")
    flags.DEFINE_list("temperatures", ["1"], "Temperatures of the prior.")
    flags.DEFINE_list("scales", ["rewards"], f"Units of c_puct: {', '.join(SCALES)}.")
    flags.DEFINE_list("c_pucts", ["20"], "Exploration constants.")
    flags.DEFINE_list("leaves", ["rollout"], f"What a new node is worth: {', '.join(LEAVES)}.")
    flags.DEFINE_enum("size", "small", list(SIZES), "Size of the adventure.")
    flags.DEFINE_integer("layouts", 5, "Number of layouts.", lower_bound=2)
    flags.DEFINE_integer("first_layout", 1000, "Number of the first layout.", lower_bound=0)
    flags.DEFINE_integer("seeds", 2, "Number of games on each layout.", lower_bound=1)
    flags.max_moves(40)
    flags.DEFINE_integer(
        "simulations_per_action", 20, "Simulations of a search for each action.", lower_bound=1
    )
    flags.executor("games")
    flags.json()


def main() -> None:
    """The command; see the module's docstring."""
    F = _FLAGS
    output = cli.check_output(F.json, "json") if F.json else None
    for name, known in (("advisers", ADVISERS), ("scales", SCALES), ("leaves", LEAVES)):
        for value in _FLAGS[name].value:
            if value not in known:
                raise ValueError(f"--{name}: unknown {value!r}; {nearest(value, known)}")
    cases = [
        Case(*values)
        for values in itertools.product(
            F.advisers, _numbers("temperatures"), F.scales, _numbers("c_pucts"), F.leaves
        )
    ]
    table = Table(F.size, F.layouts, F.first_layout, F.seeds, F.max_moves, F.simulations_per_action)
    with make_executor(F.executor) as executor:
        made = rows(measure(cases, table, executor))
    if output is not None:
        cli.write_text(output, json.dumps(made, indent=1) + "\n")
    show(made)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
