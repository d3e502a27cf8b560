"""Measures how fast searches are, ours beside OpenSpiel's, in one run, interleaved.

    python -m benchmarks.search --json=search.json

For each game: simulations a second of OpenSpiel's fastest MCTS on the ground truth (C++ where the game
is C++), of OpenSpiel's bots on the model wrapped as a Python game, and of ours in a sealed worker on
each interpreter, on its program in C too where it has an accepted one and there is a compiler. Each figure is the
median of at least five rounds, in which the contestants take turns. Further: information-set search on games with
hidden information, start-up, whole games from a cold start, the cost of the seal, how time and memory grow with
simulations, and time with the size of the board, and transitions a second of many games at once.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from unittest import mock

from arena.matches.match import play_match
from arena.registry.games import is_cpp_game, load_game
from benchmarks.support import seal, vector_environments
from benchmarks.support.contestants import (
    Search,
    ground_truth_search,
    hidden_positions,
    information_set_search,
    interleaved,
    names_of,
    positions,
    python_search,
    sealed_search,
    sealed_seen_search,
    wrapped_game,
)
from benchmarks.support.memory import peak_mib
from cwm.contract import manifest, model_folders
from cwm.worker import speed
from cwm.worker.simulator import Simulator
from runs import cli, flags
from runs.tables import text_table

GAMES = ("tic_tac_toe", "connect_four", "gen_tic_tac_toe", "gen_chess", "backgammon")
LINE_GAME = Path(__file__).parent / "support" / "models" / "line_game" / "model.py"
HIDDEN_GAMES = {"leduc_poker": 20_000, "gin_rummy": 1_000, "bargaining": 1_000}
"""The games of C++ with hidden information, and simulations of a search."""
BOARD_SIZES = (4, 6, 8, 10)
SIMULATIONS = (100, 1_000, 10_000, 100_000, 1_000_000)
PATIENCE = 10.0
"""Seconds of a search that are too many to be measured."""
DICTS = Path(__file__).parent / "support" / "models" / "connect_four_dicts"


def measure_rewriting(rounds: int, simulations: int) -> dict[str, object]:
    """Returns the rates on connect four kept in dicts and deep copies: OpenSpiel's bots on that model as a
    Python game, and ours on it and on its rewriting by a language model (`cwm.optimize`).
    """
    game = load_game("connect_four")
    histories = [names_of(state) for state in positions(game, 3)]
    before, after = (manifest.load(str(DICTS / name)) for name in ("before", "after"))
    wrapped, states = wrapped_game(before.path, histories)
    few = max(10, simulations // 50)
    own = {
        (name, interpreter): Simulator(loaded.source, interpreter=interpreter)
        for name, loaded in (("dicts", before), ("rewriting", after))
        for interpreter in speed.available_interpreters()
    }
    try:
        contestants: dict[str, tuple[Search, int]] = {
            "dicts as a Python game, OpenSpiel C++ bot": (ground_truth_search(wrapped, states), few),
            "dicts as a Python game, OpenSpiel Python bot": (python_search(wrapped, states), few),
        }
        contestants.update(
            {
                f"ours on the {name}, {interpreter}": (
                    sealed_search(simulator, histories),
                    few if name == "dicts" else simulations,
                )
                for (name, interpreter), simulator in own.items()
            }
        )
        rates = interleaved(contestants, rounds)
    finally:
        for simulator in own.values():
            simulator.close()
    naive = max(rate for label, rate in rates.items() if "OpenSpiel" in label)
    return {
        "model": "benchmarks/support/models/connect_four_dicts",
        "ratio_to_naive_cpython": rates["ours on the rewriting, cpython"] / naive,
        "ratio_without_rewriting_cpython": rates["ours on the dicts, cpython"] / naive,
        "simulations_per_second": {label: round(rate, 1) for label, rate in rates.items()},
    }


def interpreters_of(loaded: manifest.Model) -> list[str]:
    """Returns the interpreters on which this machine can search in a model."""
    return speed.available_interpreters(loaded.native_source is not None)


def simulators(loaded: manifest.Model) -> dict[str, Simulator]:
    """Returns a worker with the model for each of its interpreters."""
    return {
        interpreter: Simulator(
            loaded.source,
            rollout_source=loaded.rollout_source,
            native_source=loaded.native_source,
            interpreter=interpreter,
        )
        for interpreter in interpreters_of(loaded)
    }


def measure_game(name: str, model_name: str, rounds: int, simulations: int) -> dict[str, object]:
    """Returns the rates of all contestants on one game, and the ratios."""
    game = load_game(name)
    loaded = manifest.load(model_folders.candidates(model_name)[0])
    states = positions(game, 3)
    histories = [names_of(state) for state in states]
    wrapped, wrapped_states = wrapped_game(loaded.path, histories)
    few = max(10, simulations // 20)
    own = {f"ours, {interpreter}": simulator for interpreter, simulator in simulators(loaded).items()}
    try:
        contestants: dict[str, tuple[Search, int]] = {
            "ground truth, OpenSpiel C++ bot": (
                ground_truth_search(game, states),
                simulations if is_cpp_game(game) else few,
            ),
            "ground truth, OpenSpiel Python bot": (python_search(game, states), few),
            "model as a Python game, OpenSpiel C++ bot": (ground_truth_search(wrapped, wrapped_states), few),
            "model as a Python game, OpenSpiel Python bot": (python_search(wrapped, wrapped_states), few),
        }
        contestants.update(
            {label: (sealed_search(simulator, histories), simulations) for label, simulator in own.items()}
        )
        rates = interleaved(contestants, rounds)
    finally:
        for simulator in own.values():
            simulator.close()
    ours = {label: rate for label, rate in rates.items() if label.startswith("ours")}
    best = max(ours, key=lambda label: ours[label])
    truth = max(rate for label, rate in rates.items() if label.startswith("ground truth"))
    naive = max(rate for label, rate in rates.items() if label.startswith("model as"))
    return {
        "model": model_name,
        "rollout_function": loaded.rollout_source is not None,
        "interpreter": best.partition(", ")[2],
        "ratio_to_ground_truth": ours[best] / truth,
        "ratio_to_naive": ours[best] / naive,
        "ratio_to_naive_cpython": ours["ours, cpython"] / naive,
        "simulations_per_second": {label: round(rate, 1) for label, rate in rates.items()},
    }


def measure_hidden(name: str, rounds: int, simulations: int) -> dict[str, object]:
    """Returns the rates of information-set MCTS on a game: OpenSpiel's C++ bot on its C++ game, and ours on the
    first synthesized model from what a player has seen, by interpreter; and the ratio."""
    game = load_game(name)
    model_name = f"{name}/0"
    loaded = manifest.load(model_folders.resolve(model_name))
    states = hidden_positions(game, 3)
    own = {f"ours, {interpreter}": simulator for interpreter, simulator in simulators(loaded).items()}
    truth = "ground truth, OpenSpiel C++ bot"
    try:
        contestants: dict[str, tuple[Search, int]] = {truth: (information_set_search(states), simulations)}
        contestants.update(
            {label: (sealed_seen_search(simulator, states), simulations) for label, simulator in own.items()}
        )
        rates = interleaved(contestants, rounds)
    finally:
        for simulator in own.values():
            simulator.close()
    best = max(own, key=lambda label: rates[label])
    return {
        "model": model_name,
        "interpreter": best.partition(", ")[2],
        "ratio_to_ground_truth": rates[best] / rates[truth],
        "simulations_per_second": {label: round(rate, 1) for label, rate in rates.items()},
    }


def start_up(rounds: int) -> dict[str, float]:
    """Returns the seconds from nothing to the first answer of a fresh worker, by interpreter; where code is compiled
    also with an empty cache of compiled code, as "native, empty cache"."""
    loaded = manifest.load(model_folders.candidates("connect_four")[0])
    result = {}
    for interpreter in interpreters_of(loaded):
        result[interpreter] = _start_up(loaded, interpreter, rounds)
        if interpreter in ("cython", "native"):
            with mock.patch.dict(os.environ), tempfile.TemporaryDirectory() as folder:
                times = []
                for number in range(rounds):
                    os.environ["XDG_CACHE_HOME"] = os.path.join(folder, str(number))
                    times.append(_start_up(loaded, interpreter, 1))
            result[f"{interpreter}, empty cache"] = statistics.median(times)
    return result


def _start_up(loaded: manifest.Model, interpreter: str, rounds: int) -> float:
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        with Simulator(loaded.source, native_source=loaded.native_source, interpreter=interpreter) as simulator:
            simulator.follow([])
        times.append(time.perf_counter() - start)
    return statistics.median(times)


def growth(rounds: int) -> dict[str, dict[str, dict[str, float]]]:
    """Returns, for a first move on connect four by interpreter and simulations, the seconds and the most MiB
    that a fresh worker had in memory after it; for those simulations that take less than `PATIENCE` seconds.
    """
    result: dict[str, dict[str, dict[str, float]]] = {}
    loaded = manifest.load(model_folders.candidates("connect_four")[0])
    for interpreter in interpreters_of(loaded):
        result[interpreter] = {}
        for simulations in SIMULATIONS:
            with Simulator(
                loaded.source, native_source=loaded.native_source, interpreter=interpreter
            ) as simulator:
                search = sealed_search(simulator, [[]])
                for seed in range(5):
                    search(min(2_000, simulations), seed)
                times = []
                for number in range(rounds):
                    start = time.perf_counter()
                    search(simulations, number)
                    times.append(time.perf_counter() - start)
                found = {"seconds": statistics.median(times), "mib": peak_mib(simulator.pid)}
            result[interpreter][str(simulations)] = found
            if found["seconds"] * 10 > PATIENCE:
                break
    return result


def growth_by_size(rounds: int) -> dict[str, dict[str, float]]:
    """Returns the simulations a second on gen_tic_tac_toe by size of the board: OpenSpiel's fastest bot on the
    ground truth, and ours on a hand-written model, by interpreter.
    """
    result: dict[str, dict[str, float]] = {}
    text = LINE_GAME.read_text("utf-8")
    for size in BOARD_SIZES:
        game = load_game(f"gen_tic_tac_toe(size={size},length=4)")
        source = text.replace("SIZE = 6", f"SIZE = {size}", 1)
        own = {
            f"ours, {interpreter}": Simulator(source, interpreter=interpreter)
            for interpreter in speed.available_interpreters()
        }
        try:
            contestants = {
                "ground truth, OpenSpiel C++ bot": (ground_truth_search(game, [game.new_initial_state()]), 50)
            }
            contestants.update(
                {label: (sealed_search(simulator, [[]]), 1_000) for label, simulator in own.items()}
            )
            result[str(size)] = interleaved(contestants, rounds)
        finally:
            for simulator in own.values():
                simulator.close()
    return result


def whole_games(games: int = 5, simulations: int = 1000) -> dict[str, list[float]]:
    """Returns the seconds of the moves of whole games of connect four, one after another from a cold start (a
    worker is made in the first, and PyPy has compiled nothing yet), by who plays both seats.
    """
    specs = {"ground truth, gt_mcts": f"gt_mcts(simulations={simulations})"}
    specs.update(
        {
            f"ours, {name}": f"cwm_mcts(model=connect_four/0,simulations={simulations},"
            f"value=false,interpreter={name})"
            for name in interpreters_of(manifest.load(model_folders.resolve("connect_four/0")))
        }
    )
    return {
        label: [
            sum(
                move.seconds or 0.0
                for move in play_match("connect_four", [spec, spec], seed, opening_plies=0).moves
            )
            for seed in range(games)
        ]
        for label, spec in specs.items()
    }


def show(result: dict[str, object]) -> None:
    """Prints all tables."""
    games = result["games"]
    labels = list(dict.fromkeys(label for row in games.values() for label in row["simulations_per_second"]))
    print(
        text_table(
            [["simulations a second", *games]]
            + [
                [
                    label,
                    *(
                        f"{row['simulations_per_second'].get(label, float('nan')):,.0f}"
                        for row in games.values()
                    ),
                ]
                for label in labels
            ]
            + [
                ["ours / ground truth", *(f"{row['ratio_to_ground_truth']:.2f}" for row in games.values())],
                [
                    "ours / model as a Python game",
                    *(f"{row.get('ratio_to_naive', float('nan')):.1f}" for row in games.values()),
                ],
                [
                    "ours, cpython / model as a Python game",
                    *(f"{row.get('ratio_to_naive_cpython', float('nan')):.1f}" for row in games.values()),
                ],
            ]
        ).replace("nan", "-")
    )
    print("\nconnect four in dicts and deep copies, simulations a second")
    print(
        text_table(
            [
                ["", "rate"],
                *(
                    [label, f"{rate:,.0f}"]
                    for label, rate in result["rewriting"]["simulations_per_second"].items()
                ),
            ]
        )
    )
    print(
        f"\nours on the rewriting, cpython / OpenSpiel's faster bot on the dicts: "
        f"{result['rewriting']['ratio_to_naive_cpython']:.1f}"
    )
    sizes = result["simulations_per_second_by_board_size"]
    print("\ngen_tic_tac_toe by size of the board, simulations a second (hand-written model)")
    print(
        text_table(
            [
                ["", *sizes],
                *(
                    [label, *(f"{sizes[size][label]:,.0f}" for size in sizes)]
                    for label in next(iter(sizes.values()))
                ),
            ]
        )
    )
    print("\nwhole games of connect four from a cold start, 1,000 simulations a move: seconds of each game")
    whole = result["seconds_of_whole_games"]
    print(
        text_table(
            [
                ["", *(str(n) for n in range(1, 1 + len(next(iter(whole.values())))))],
                *([label, *(f"{seconds:.2f}" for seconds in row)] for label, row in whole.items()),
            ]
        )
    )
    growing = result["by_simulations"]
    for what, unit, scale in (("seconds", "milliseconds", 1000), ("mib", "most MiB in memory", 1)):
        print(f"\nfirst move on connect four by simulations: {unit}")
        rows = [
            [label, *(f"{scale * row[str(n)][what]:.1f}" if str(n) in row else "-" for n in SIMULATIONS)]
            for label, row in growing.items()
        ]
        print(text_table([["", *map(str, SIMULATIONS)], *rows]))
    print(
        "\nstart-up of a worker, seconds: "
        + "; ".join(f"{name} {seconds:.2f}" for name, seconds in result["start_up_seconds"].items())
    )
    print("\n" + vector_environments.table(result["vector_env"]) + "\n")
    shut = result["seal"]
    low, middle, high = (100 * shut[name] for name in ("low", "overhead", "high"))
    print(f"seal: {middle:.1f} % of a search [{low:.1f}, {high:.1f}], {shut['pairs']} pairs on one processor")


def _define_flags() -> None:
    flags.json()
    flags.DEFINE_list("games", list(GAMES), "Games that have shipped models.")
    flags.DEFINE_string(
        "models",
        "{game}",
        "Model of a game: {game} takes its first synthesis, optimized/{game} the one rewritten for speed.",
    )
    flags.DEFINE_integer("rounds", 5, "Rounds; the median counts.", lower_bound=5)
    flags.simulations(1000, lowest=20)


def main() -> None:
    """Runs the command; see the module's docstring."""
    path, rounds = flags.FLAGS.json, flags.FLAGS.rounds
    if path:
        cli.check_output(path, "json")
    games = {}
    for name in flags.FLAGS.games:
        print(name, file=sys.stderr, flush=True)
        games[name] = measure_game(name, flags.FLAGS.models.format(game=name), rounds, flags.FLAGS.simulations)
    for name, count in HIDDEN_GAMES.items():
        print(name, file=sys.stderr, flush=True)
        games[name] = measure_hidden(name, rounds, count)
    print("connect_four in dicts", file=sys.stderr, flush=True)
    rewriting = measure_rewriting(rounds, flags.FLAGS.simulations)
    result = {
        "games": games,
        "rewriting": rewriting,
        "seal": seal.overhead(flags.FLAGS.simulations),
        "start_up_seconds": start_up(rounds),
        "by_simulations": growth(rounds),
        "simulations_per_second_by_board_size": growth_by_size(rounds),
        "seconds_of_whole_games": whole_games(),
        "vector_env": vector_environments.measure(rounds),
    }
    if path:
        manifest.write_json(path, result)
    show(result)


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
