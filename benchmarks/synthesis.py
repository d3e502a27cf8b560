"""Replays all recorded syntheses of the perfect-information games, with their table and their plot.

    python -m benchmarks.synthesis --output_dir=syntheses --json=syntheses.json --plot=accuracy.png

Each run is replayed from the recordings that ship with the package, with its refinements, and tested
on held-out games. A run whose folder holds a finished model is not run again.
"""

from __future__ import annotations

import importlib.resources
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass

from arena.registry.games import load_game
from benchmarks.support import replays
from cwm.contract import manifest
from cwm.trust import figures
from cwm.trust.trajectories import collect
from cwm.writing.tasks import OpenLesson
from games import rules as shipped_rules
from runs import cli, flags
from runs.intervals import wilson_interval
from runs.tables import text_table

GAMES = ("tic_tac_toe", "connect_four", "gen_tic_tac_toe", "gen_chess", "backgammon")
EVERYDAY = str(importlib.resources.files("cwm.writing").joinpath("rules/backgammon_everyday.md"))


@dataclass(frozen=True)
class Run:
    """One recorded synthesis. `rules` is a file, or None for the text that ships."""

    label: str
    game: str
    method: str
    seed: int
    rules: str | None = None


def recorded_runs() -> Iterator[Run]:
    """Returns the runs that were recorded: five syntheses of each game from its full rules by tree search, and
    three by each refiner of backgammon from a text that leaves out what everybody knows.
    """
    for game in GAMES:
        for seed in range(5):
            yield Run(game, game, "tree_search", seed)
    for method, seeds in (("tree_search", (10, 11, 12)), ("conversation", (20, 21, 22))):
        for seed in seeds:
            yield Run(f"backgammon, everyday rules, {method}", "backgammon", method, seed, EVERYDAY)


def reproduce(run: Run, folder: str, test_transitions: int, test_games: int) -> dict[str, object]:
    """Returns the manifest of one run, from its folder or by replaying it."""
    if replays.finished(folder) is None:
        game = load_game(run.game)
        if run.rules is None:
            text = shipped_rules(game)
        else:
            with open(run.rules, encoding="utf-8") as file:
                text = file.read()
        replays.replay(
            folder,
            run.game,
            OpenLesson(text, tuple(collect(game, 5, run.seed))),
            run.seed,
            method=run.method,
            ground_truth=game,
            test_transitions=test_transitions,
            test_games=test_games,
        )
    return replays.finished(folder)


def table(results: dict[str, list[dict]]) -> list[list[str]]:
    """Returns the rows for each label: calls, training and test accuracy with its interval, sizes of the
    test.
    """
    rows = [
        [
            "runs",
            "n",
            "calls",
            "train",
            "test",
            "95% Wilson",
            "transitions",
            "games",
            "distinct states",
            "test, new states",
        ]
    ]
    for label, runs in results.items():
        tests = [run["test"] for run in runs]
        passed, total = (sum(test[key] for test in tests) for key in ("passed", "transitions"))
        fresh = [sum(test[key] for test in tests) for key in ("new_passed", "new_transitions")]
        low, high = wilson_interval(passed, total)
        rows.append(
            [
                label,
                str(len(runs)),
                " ".join(str(run["llm_calls"]) for run in runs),
                f"{min(run['train_transition_accuracy'] for run in runs):.4f}",
                f"{passed / total:.4f}",
                f"{low:.4f}-{high:.4f}",
                str(total),
                str(sum(test["games"] for test in tests)),
                str(max(test["distinct_states"] for test in tests)),
                f"{fresh[0] / max(1, fresh[1]):.4f} of {fresh[1]}",
            ]
        )
    return rows


def _define_flags() -> None:
    flags.output_dir("the models")
    flags.json("the manifests of all runs")
    flags.plot("accuracy by calls")
    flags.held_out()


def main() -> None:
    """Runs the command; see the module's docstring."""
    output, json_path, plot = (flags.FLAGS[name].value for name in ("output_dir", "json", "plot"))
    for name, path in (("json", json_path), ("plot", plot)):
        if path:
            cli.check_output(path, name)
    results: dict[str, list[dict]] = {}
    for run in recorded_runs():
        place = run.game if run.rules is None else f"{run.game}_everyday_{run.method}"
        folder = os.path.join(output, place, str(run.seed))
        print(f"{run.label}, run {run.seed}", file=sys.stderr, flush=True)
        results.setdefault(run.label, []).append(
            reproduce(run, folder, flags.FLAGS.test_transitions, flags.FLAGS.test_games)
        )
    if json_path:
        manifest.write_json(json_path, results)
    if plot:
        figures.accuracy_by_call(
            {label: [run["accuracy_by_call"] for run in runs] for label, runs in results.items()}, plot
        )
    print(text_table(table(results)))


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
