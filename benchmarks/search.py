"""Command: how fast searches are, ours beside OpenSpiel's, in one run, interleaved.

    python -m benchmarks.search --json=search.json

For each game: simulations a second of OpenSpiel's fastest MCTS on the ground truth (C++ where the game
is C++), of OpenSpiel's bots on the model wrapped as a Python game, and of ours in a sealed worker on
each interpreter. Each figure is the median of at least five rounds, in which the contestants take
turns. Further: information-set search on Leduc poker, start-up, the cost of the seal, and how the cost
grows with simulations.
"""
from __future__ import annotations

import importlib.resources
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pyspiel
from absl import flags
from open_spiel.python.algorithms import mcts

from arena import cli
from arena.bots import is_cpp_game
from arena.game_loading import load_game
from arena.match import opening_actions
from arena.tables import text_table
from cwm import compiling, contract, manifest, speed, store
from cwm.bot import NamedHistory
from cwm.simulator import MODEL_LIMITS, Simulator, TrustedSimulator
from games import views
from sandbox import Worker

GAMES = ("tic_tac_toe", "connect_four", "gen_tic_tac_toe", "gen_chess", "backgammon")
WARM_UP_SECONDS = 2.0
DICTS = Path(__file__).parent / "models" / "connect_four_dicts"

Search = Callable[[int, int], int]
"""Searches all positions with (simulations, seed); returns how many simulations were really made:
a search may stop early."""


def positions(game: pyspiel.Game, count: int) -> list[pyspiel.State]:
    """The start and states some moves into random games, where a player is to move."""
    states = []
    for number in range(count):
        state = game.new_initial_state()
        for move in opening_actions(game, number, 2 * number):
            state.apply_action(move.action)
        while state.is_chance_node():
            state.apply_action(state.chance_outcomes()[0][0])
        states.append(state)
    return states


def ground_truth_search(game: pyspiel.Game, states: list[pyspiel.State]) -> Search:
    """OpenSpiel's C++ MCTS; on a Python game `mcts_search`, which is safe there."""
    def search(simulations: int, seed: int) -> int:
        made = 0
        for state in states:
            bot = pyspiel.MCTSBot(game, pyspiel.RandomRolloutEvaluator(1, seed), 2.0, simulations, 1000,
                                  False, seed, False, pyspiel.ChildSelectionPolicy.UCT)
            made += bot.mcts_search(state).explore_count
        return made
    return search


def python_search(game: pyspiel.Game, states: list[pyspiel.State]) -> Search:
    """OpenSpiel's Python MCTS."""
    def search(simulations: int, seed: int) -> int:
        made = 0
        for state in states:
            rng = np.random.RandomState(seed)
            bot = mcts.MCTSBot(game, 2.0, simulations, mcts.RandomRolloutEvaluator(1, rng), solve=False,
                               random_state=rng)
            made += bot.mcts_search(state).explore_count
        return made
    return search


def sealed_search(simulator: Simulator, histories: list[list[str]]) -> Search:
    """Ours, in a worker."""
    def search(simulations: int, seed: int) -> int:
        made = 0
        for names in histories:
            simulator.follow(names)
            found = simulator.search({"simulations": simulations, "solve": False, "seed": seed},
                                     timeout=600.0)
            made += 1 + sum(row["visits"] for row in found["actions"])
        return made
    return search


def names_of(state: pyspiel.State) -> list[str]:
    """The history of a state by names."""
    return NamedHistory(state.get_game()).update(state)


def interleaved(contestants: dict[str, tuple[Search, int]], rounds: int) -> dict[str, float]:
    """Median simulations a second of each contestant, which is given its own number of simulations."""
    for search, simulations in contestants.values():
        deadline = time.perf_counter() + WARM_UP_SECONDS
        seed = 0
        while time.perf_counter() < deadline:
            search(simulations, seed)
            seed += 1
    rates: dict[str, list[float]] = {name: [] for name in contestants}
    for number in range(rounds):
        for name, (search, simulations) in contestants.items():
            start = time.perf_counter()
            made = search(simulations, 1_000 + number)
            rates[name].append(made / (time.perf_counter() - start))
    return {name: statistics.median(values) for name, values in rates.items()}


def wrapped_game(folder: str, histories: list[list[str]]) -> tuple[pyspiel.Game, list[pyspiel.State]]:
    """The model as a Python game in this process, and its states after these actions."""
    wrapped = load_game(f"cwm(model={folder},trusted=true)")
    states = []
    for names in histories:
        state = wrapped.new_initial_state()
        for action in names:
            state.apply_action(views.action_from_name(state, action))
        states.append(state)
    return wrapped, states


def measure_rewriting(rounds: int, simulations: int) -> dict[str, object]:
    """Connect four kept in dicts and deep copies: OpenSpiel's bots on that model as a Python game, and
    ours on it and on its rewriting by a language model (`cwm.optimize`)."""
    game = load_game("connect_four")
    histories = [names_of(state) for state in positions(game, 3)]
    before, after = (manifest.load(str(DICTS / name)) for name in ("before", "after"))
    wrapped, states = wrapped_game(before.path, histories)
    few = max(10, simulations // 50)
    own = {(name, interpreter): Simulator(loaded.source, interpreter=interpreter)
           for name, loaded in (("dicts", before), ("rewriting", after))
           for interpreter in speed.available_interpreters()}
    try:
        contestants: dict[str, tuple[Search, int]] = {
            "dicts as a Python game, OpenSpiel C++ bot": (ground_truth_search(wrapped, states), few),
            "dicts as a Python game, OpenSpiel Python bot": (python_search(wrapped, states), few)}
        contestants.update({
            f"ours on the {name}, {interpreter}": (
                sealed_search(simulator, histories), few if name == "dicts" else simulations)
            for (name, interpreter), simulator in own.items()})
        rates = interleaved(contestants, rounds)
    finally:
        for simulator in own.values():
            simulator.close()
    naive = max(rate for label, rate in rates.items() if "OpenSpiel" in label)
    return {"model": "benchmarks/models/connect_four_dicts",
            "ratio_to_naive_cpython": rates["ours on the rewriting, cpython"] / naive,
            "ratio_without_rewriting_cpython": rates["ours on the dicts, cpython"] / naive,
            "simulations_per_second": {label: round(rate, 1) for label, rate in rates.items()}}


def measure_game(name: str, model_name: str, rounds: int, simulations: int) -> dict[str, object]:
    """All contestants on one game, and the ratios."""
    game = load_game(name)
    loaded = manifest.load(store.candidates(model_name)[0])
    states = positions(game, 3)
    histories = [names_of(state) for state in states]
    wrapped, wrapped_states = wrapped_game(loaded.path, histories)
    few = max(10, simulations // 20)
    own = {f"ours, {interpreter}": Simulator(loaded.source, interpreter=interpreter)
           for interpreter in speed.available_interpreters()}
    try:
        contestants: dict[str, tuple[Search, int]] = {
            "ground truth, OpenSpiel C++ bot": (
                ground_truth_search(game, states), simulations if is_cpp_game(game) else few),
            "ground truth, OpenSpiel Python bot": (python_search(game, states), few),
            "model as a Python game, OpenSpiel C++ bot": (
                ground_truth_search(wrapped, wrapped_states), few),
            "model as a Python game, OpenSpiel Python bot": (
                python_search(wrapped, wrapped_states), few)}
        contestants.update({label: (sealed_search(simulator, histories), simulations)
                            for label, simulator in own.items()})
        rates = interleaved(contestants, rounds)
    finally:
        for simulator in own.values():
            simulator.close()
    ours = {label: rate for label, rate in rates.items() if label.startswith("ours")}
    best = max(ours, key=lambda label: ours[label])
    truth = max(rate for label, rate in rates.items() if label.startswith("ground truth"))
    naive = max(rate for label, rate in rates.items() if label.startswith("model as"))
    return {"model": model_name, "interpreter": best.partition(", ")[2],
            "ratio_to_ground_truth": ours[best] / truth, "ratio_to_naive": ours[best] / naive,
            "ratio_to_naive_cpython": ours["ours, cpython"] / naive,
            "simulations_per_second": {label: round(rate, 1) for label, rate in rates.items()}}


LEDUC_HISTORIES = ((3, 0), (0, 4, 1, 2), (3, 4, 1, 1, 2))
"""Deals and bets after which a player of `leduc_poker` is to move: both rounds, both players."""

_LEDUC_DRIVER = """
import ismcts, model

def search(names, simulations, seed):
    state = model.initial_state()
    for name in names:
        actions = [outcome for outcome, _ in model.chance_outcomes(state)] \\
            if model.current_player(state) < 0 else model.legal_actions(state)
        by_name = {model.action_name(state, action): action for action in actions}
        state = model.apply_action(state, by_name[name])
    player = model.current_player(state)
    root = ismcts.search(model, lambda rng: model.resample(state, player, rng), player,
                         simulations=simulations, seed=seed)
    return ismcts.root_statistics(root)
"""


def leduc_rates(rounds: int, simulations: int = 20_000) -> dict[str, float]:
    """Information-set MCTS on Leduc poker: simulations a second of OpenSpiel's C++ bot on its C++ game
    and of ours in a sealed worker on the hand-written model of the tests, by interpreter."""
    game = pyspiel.load_game("leduc_poker")
    states = []
    for history in LEDUC_HISTORIES:
        state = game.new_initial_state()
        for action in history:
            state.apply_action(action)
        states.append(state)
    histories = [names_of(state) for state in states]

    def truth(count: int, seed: int) -> int:
        for state in states:
            pyspiel.ISMCTSBot(seed, pyspiel.RandomRolloutEvaluator(1, seed), 2.0, count).get_policy(state)
        return count * len(states)

    def own(worker: Worker) -> Search:
        def search(count: int, seed: int) -> int:
            for names in histories:
                worker.call("driver.search", names, count, seed, timeout=600.0)
            return count * len(histories)
        return search

    model = Path(__file__).parents[1].joinpath("tests/cwm/models/leduc.py").read_text("utf-8")
    search_source = importlib.resources.files("cwm.search").joinpath("ismcts.py").read_text("utf-8")
    modules = {"model": model, "ismcts": search_source, "driver": _LEDUC_DRIVER}
    native = {"model": contract.IMPORTABLE, "ismcts": compiling.SEARCH_IMPORTS}
    workers = {f"ours, {interpreter}": compiling.make_worker(modules, native, limits=MODEL_LIMITS,
                                                             interpreter=interpreter)
               for interpreter in speed.available_interpreters()}
    try:
        contestants: dict[str, tuple[Search, int]] = {
            "ground truth, OpenSpiel C++ bot": (truth, simulations)}
        contestants.update({label: (own(worker), simulations) for label, worker in workers.items()})
        return interleaved(contestants, rounds)
    finally:
        for worker in workers.values():
            worker.close()


def seal_overhead(rounds: int, simulations: int) -> dict[str, float]:
    """The same search by the same interpreter in a sealed worker and in this process."""
    source = manifest.load(store.candidates("connect_four")[0]).source
    trusted = TrustedSimulator(source)
    trusted.call("follow", 0, [])
    with Simulator(source) as sealed:
        sealed.follow([])
        options = {"simulations": simulations, "solve": False}

        def free(count: int, seed: int) -> int:
            trusted.call("search", dict(options, simulations=count, seed=seed))
            return count

        rates = interleaved({"sealed": (sealed_search(sealed, [[]]), simulations),
                             "free": (free, simulations)}, rounds)
    return {"sealed": rates["sealed"], "free": rates["free"],
            "overhead": rates["free"] / rates["sealed"] - 1}


def start_up(rounds: int) -> dict[str, float]:
    """Seconds from nothing to the first answer of a fresh worker, by interpreter."""
    source = manifest.load(store.candidates("connect_four")[0]).source
    result = {}
    for interpreter in speed.available_interpreters():
        times = []
        for _ in range(rounds):
            start = time.perf_counter()
            with Simulator(source, interpreter=interpreter) as simulator:
                simulator.follow([])
            times.append(time.perf_counter() - start)
        result[interpreter] = statistics.median(times)
    return result


def growth(rounds: int) -> dict[str, dict[str, float]]:
    """Seconds of a first move on connect four by simulations, by interpreter."""
    result: dict[str, dict[str, float]] = {}
    source = manifest.load(store.candidates("connect_four")[0]).source
    for interpreter in speed.available_interpreters():
        with Simulator(source, interpreter=interpreter) as simulator:
            search = sealed_search(simulator, [[]])
            for seed in range(5):
                search(2_000, seed)
            seconds = {}
            for simulations in (100, 300, 1_000, 3_000, 10_000):
                times = []
                for number in range(rounds):
                    start = time.perf_counter()
                    search(simulations, number)
                    times.append(time.perf_counter() - start)
                seconds[str(simulations)] = statistics.median(times)
            result[interpreter] = seconds
    return result


def main() -> None:
    path, rounds = flags.FLAGS.json, flags.FLAGS.rounds
    if path:
        cli.check_output(path, "json")
    games = {}
    for name in flags.FLAGS.games:
        print(name, file=sys.stderr, flush=True)
        games[name] = measure_game(name, flags.FLAGS.models.format(game=name), rounds,
                                   flags.FLAGS.simulations)
    seal = seal_overhead(rounds, flags.FLAGS.simulations)
    print("leduc_poker", file=sys.stderr, flush=True)
    leduc = leduc_rates(rounds)
    best = max((label for label in leduc if label.startswith("ours")), key=lambda label: leduc[label])
    games["leduc_poker"] = {
        "model": "tests/cwm/models/leduc.py", "interpreter": best.partition(", ")[2],
        "ratio_to_ground_truth": leduc[best] / leduc["ground truth, OpenSpiel C++ bot"],
        "simulations_per_second": leduc}
    print("connect_four in dicts", file=sys.stderr, flush=True)
    rewriting = measure_rewriting(rounds, flags.FLAGS.simulations)
    result = {"games": games, "rewriting": rewriting, "seal_overhead": seal["overhead"], "seal": seal,
              "start_up_seconds": start_up(rounds), "seconds_by_simulations": growth(rounds)}
    if path:
        manifest.write_json(path, result)
    labels = list(dict.fromkeys(label for row in games.values()
                                for label in row["simulations_per_second"]))
    print(text_table([["simulations a second", *games]] + [
        [label, *(f"{row['simulations_per_second'].get(label, float('nan')):,.0f}"
                  for row in games.values())] for label in labels] + [
        ["ours / ground truth", *(f"{row['ratio_to_ground_truth']:.2f}" for row in games.values())],
        ["ours / model as a Python game",
         *(f"{row.get('ratio_to_naive', float('nan')):.1f}" for row in games.values())],
        ["ours, cpython / model as a Python game",
         *(f"{row.get('ratio_to_naive_cpython', float('nan')):.1f}" for row in games.values())]]).replace(
             "nan", "-"))
    print("\nconnect four in dicts and deep copies, simulations a second")
    print(text_table([["", "rate"], *([label, f"{rate:,.0f}"] for label, rate in
                                      rewriting["simulations_per_second"].items())]))
    print(f"\nours on the rewriting, cpython / OpenSpiel's faster bot on the dicts: "
          f"{rewriting['ratio_to_naive_cpython']:.1f}")
    print(f"seal: {100 * seal['overhead']:.1f} % of a search")


if __name__ == "__main__":
    flags.DEFINE_string("json", None, "File for the result.")
    flags.DEFINE_list("games", list(GAMES), "Games that have shipped models.")
    flags.DEFINE_string("models", "{game}", "Which model of a game: {game} takes its first synthesis, "
                        "optimized/{game} the one rewritten for speed.")
    flags.DEFINE_integer("rounds", 5, "Rounds; the median counts.", lower_bound=5)
    flags.DEFINE_integer("simulations", 1000, "Simulations of a search.", lower_bound=20)
    cli.run(main)
