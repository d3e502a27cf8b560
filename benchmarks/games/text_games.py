"""Measures how fast `jericho` games are against Jericho's own functions, and how far walkthroughs lead.

    python -m benchmarks.games.text_games --roms=FOLDER [--games=zork1,detective,pentari] [--json=speed.json]
    python -m benchmarks.games.text_games --roms=FOLDER --walkthroughs [--games=...] [--json=walkthroughs.json]

Speed: a simulation is ten uniformly random valid commands from the start of the story; ours makes as many as
the paper's search does for one move, 50 for each valid command (--simulations). The stock copies the
interpreter (`FrotzEnv.copy`) for each simulation and asks `get_valid_actions(use_parallel=False)` at each
step; a pool of processes for each copy would be slower. It needs a language model of spaCy, which is not on
PyPI; here it is given this suite's tagger in place of that model, so that both look for the same things.
Ours plays the game as OpenSpiel sees it: `cold` begins with no lists of valid commands, `disk` is what a
new process does with the lists that `cold` left on the disk. The three take turns; rates are of the clock,
each the median of the rounds. Equal: for states met on the way, the stock's list and ours, be it found or
remembered, must have the same effects (the words may differ where several commands do the same). With
--interpreters above 1 ours looks for valid commands on several cores, and the stock still on one.

Walkthroughs: Jericho's, through our engine: the score that is reached, and the average number of valid
commands, beside table 6 of "Monte Carlo Planning with Large Language Model for Text-Based Game Agents". It
takes minutes a game; lists found are kept, so a run that was stopped goes on where it was.
"""

from __future__ import annotations

import json
import random
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pyspiel

from benchmarks.support.stories import find_rom
from games.text.jericho_game import Jericho, story
from games.text.jericho_process import require_jericho
from games.text.jericho_worker import tag
from runs import cli, flags
from runs.progress import Bar
from runs.tables import text_table

_FLAGS = flags.FLAGS
DEPTH = 10
PAPER = {
    "zork1": (15.96, 396, 350),
    "deephome": (19.47, 327, 300),
    "ludicorp": (14.52, 364, 150),
    "pentari": (5.16, 49, 70),
    "detective": (7.16, 51, 360),
    "library": (7.73, 52, 30),
    "balances": (23.18, 122, 50),
    "temple": (15.25, 182, 35),
    "ztuu": (33.96, 84, 100),
}
"""The figures of table 6: average number of valid actions, length of the walkthrough, maximum score."""
PER_COMMAND = 50
"""The number of simulations of the paper's search for each valid command (its appendix B)."""


class Stock:
    """The stock interpreter, Jericho's own functions with this suite's tagger in place of spaCy's model."""

    def __init__(self, rom: str) -> None:
        import jericho
        from jericho import util

        self._env = jericho.FrotzEnv(rom)
        self._env.reset()
        dictionary = {entry.word: entry for entry in self._env.get_dictionary()}
        length = max(map(len, dictionary))
        self._util, self._tag = util, lambda text: tag(text, dictionary, length)

    def rate(self, simulations: int, seed: int) -> float:
        """Returns the simulations a second."""
        self._util.extract_objs = self._tag
        rng = random.Random(seed)
        start = time.perf_counter()
        for _ in range(simulations):
            env = self._env.copy()
            for _ in range(DEPTH):
                commands = env.get_valid_actions(use_parallel=False)
                if not commands:
                    break
                env.step(rng.choice(sorted(commands)))
        return simulations / (time.perf_counter() - start)

    def effects(self, state: tuple, commands: list[str] | None = None) -> set[tuple]:
        """Returns the effects of commands in a state of the interpreter; the stock's own list where none is
        given.
        """
        self._util.extract_objs = self._tag
        memory, stack, *rest = state
        self._env.set_state(
            (np.frombuffer(memory, np.uint8).copy(), np.frombuffer(stack, np.uint8).copy(), *rest)
        )
        if commands is None:
            commands = self._env.get_valid_actions(use_parallel=False)
        return set(self._env._filter_candidate_actions(commands, use_ctypes=True, use_parallel=False))


def simulate(game: pyspiel.Game, simulations: int, seed: int, met: dict[bytes, Any]) -> float:
    """Returns the simulations a second; the states met are put into `met`, by digest."""
    rng = random.Random(seed)
    root = game.new_initial_state()
    start = time.perf_counter()
    for _ in range(simulations):
        state = root.clone()
        for _ in range(DEPTH):
            if state.is_terminal():
                break
            met.setdefault(state.snapshot.world.exact, state.snapshot)
            state.apply_action(rng.choice(state.legal_actions()))
    return simulations / (time.perf_counter() - start)


def measure_speed(
    rom: str, rounds: int, simulations: int, stock_simulations: int, checked: int, interpreters: int
) -> dict[str, Any]:
    """Returns the rates of the stock and of ours, cold and with the disk's lists, and how many lists are
    equal.
    """
    stock = Stock(rom)
    start = pyspiel.load_game("jericho", {"rom": rom, "cache": "none"}).new_initial_state()
    made = simulations or PER_COMMAND * len(start.legal_actions())
    rates: dict[str, list[float]] = {"stock": [], "cold": [], "disk": []}
    met: dict[bytes, Any] = {}
    for number in Bar(range(rounds), Path(rom).name, leave=False):
        with tempfile.TemporaryDirectory() as cache:
            rates["stock"].append(stock.rate(stock_simulations, number))
            for kind in ("cold", "disk"):
                # A new engine, as in a new process: nothing is remembered but what the disk holds.
                story.cache_clear()
                game = pyspiel.load_game("jericho", {"rom": rom, "cache": cache, "interpreters": interpreters})
                game.new_initial_state()
                rates[kind].append(simulate(game, made, number, met))
    sample = random.Random(0).sample(sorted(met), min(checked, len(met)))
    equal = sum(
        stock.effects(met[digest].world.state)
        == stock.effects(met[digest].world.state, list(game.engine.valid_actions(met[digest])))
        for digest in Bar(sample, "equal", leave=False)
    )
    found = {kind: statistics.median(values) for kind, values in rates.items()}
    return {
        **found,
        "simulations": made,
        "interpreters": interpreters,
        "all": rates,
        "equal": equal,
        "checked": len(sample),
    }


def measure_walkthrough(rom: str, cache: str) -> dict[str, Any]:
    """Returns the score that the walkthrough reaches, and the average number of valid commands on the way."""
    engine = Jericho(rom, 0, True, 30.0, cache)
    snapshot, lengths = engine.start(), []
    for command in Bar(engine.walkthrough(), Path(rom).name, leave=False):
        if snapshot.over:
            break
        lengths.append(len(engine.valid_actions(snapshot)))
        snapshot = engine.step(snapshot, command)
    return {
        "score": snapshot.score,
        "max_score": engine.max_score,
        "steps": len(lengths),
        "branching": statistics.fmean(lengths),
        "longest": max(lengths),
    }


def speed_table(found: dict[str, dict[str, Any]]) -> str:
    """Returns the rates of each game, and how many times the stock's they are."""
    rows = [
        ["simulations a second", "made", "stock", "cold", "disk", "cold/stock", "disk/stock", "equal lists"]
    ]
    for name, own in found.items():
        rows.append(
            [
                name,
                str(own["simulations"]),
                f"{own['stock']:.2f}",
                f"{own['cold']:.1f}",
                f"{own['disk']:.1f}",
                f"{own['cold'] / own['stock']:.1f}",
                f"{own['disk'] / own['stock']:.0f}",
                f"{own['equal']} of {own['checked']}",
            ]
        )
    return text_table(rows)


def walkthrough_table(found: dict[str, dict[str, Any]]) -> str:
    """Returns the scores and numbers of valid commands beside the paper's."""
    rows = [["walkthrough", "score", "max", "paper", "steps", "paper", "commands", "paper"]]
    for name, own in found.items():
        branching, steps, score = PAPER.get(name, ("", "", ""))
        rows.append(
            [
                name,
                str(own["score"]),
                str(own["max_score"]),
                str(score),
                str(own["steps"]),
                str(steps),
                f"{own['branching']:.2f}",
                str(branching),
            ]
        )
    return text_table(rows)


def main() -> None:
    """Runs the command; see the module's docstring."""
    require_jericho()
    output = cli.check_output(_FLAGS.json, "json") if _FLAGS.json else None
    roms = {name: find_rom(_FLAGS.roms, name) for name in _FLAGS.games}
    found = {}
    for name, rom in roms.items():
        if _FLAGS.walkthroughs:
            found[name] = measure_walkthrough(rom, _FLAGS.cache)
        else:
            found[name] = measure_speed(
                rom,
                _FLAGS.rounds,
                _FLAGS.simulations,
                _FLAGS.stock_simulations,
                _FLAGS.checked,
                _FLAGS.interpreters,
            )
    print((walkthrough_table if _FLAGS.walkthroughs else speed_table)(found))
    if output is not None:
        cli.write_text(output, json.dumps(found, indent=1) + "\n")


def _define_flags() -> None:
    flags.DEFINE_string("roms", None, "Folder with the stories, which are yours: zork1.z5 and its like.")
    flags.require("roms")
    flags.DEFINE_list("games", ["zork1", "detective", "pentari"], "Stories, by name without the ending.")
    flags.DEFINE_bool("walkthroughs", False, "Whether walkthroughs are measured instead of speed.")
    flags.DEFINE_integer("rounds", 5, "Rounds of stock, cold and disk.", lower_bound=1)
    flags.simulations(0, "ours in each round; 0 for 50 for each valid command of the start", lowest=0)
    flags.DEFINE_integer("stock_simulations", 2, "Simulations of the stock in each round.", lower_bound=1)
    flags.DEFINE_integer(
        "checked", 30, "Number of states whose lists are compared with the stock's.", lower_bound=0
    )
    flags.DEFINE_integer(
        "interpreters",
        1,
        "Number of our processes that look for valid commands side by side; the "
        "start of all but one is in the time of cold.",
        lower_bound=1,
    )
    flags.DEFINE_string("cache", "", "With --walkthroughs: folder for the lists of valid commands.")
    flags.json()


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
