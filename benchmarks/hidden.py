"""Replays all recorded syntheses of the games with hidden information, with their table and their plot.

    python -m benchmarks.hidden --output_dir=hidden --json=hidden.json --plot=hidden.png

The runs have the open deck and the closed one, random games and chosen ones. Each is replayed from the
recordings that ship with the package and tested on held-out games: their transitions, and inference at the
decisions of the first of them, in total and by phase of the game; on Leduc poker also how far what is drawn is
from the exact posterior. A run whose folder holds a finished model is not run again.
"""

from __future__ import annotations

import functools
import os
import sys
from collections.abc import Iterator
from dataclasses import asdict, dataclass

from arena.registry.games import load_game
from benchmarks.support import replays
from cwm.contract import manifest, model_folders
from cwm.trust import figures, held_out, posterior
from cwm.trust.trajectories import Trajectory, collect
from cwm.writing import selection
from cwm.writing.tasks import DECKS, HiddenLesson
from games import rules as shipped_rules
from runs import cli, flags
from runs.intervals import wilson_interval
from runs.tables import text_table

GAMES = ("leduc_poker", "bargaining", "gin_rummy", "quadranto", "hand_of_war")
OWN_GAMES = ("leduc_twist", "bargaining_twist", "gin_twist", "ferry", "caravan")
"""Twins with a changed rule, and games that were never published."""
OPEN_RUNS, CLOSED_RUNS, OWN_RUNS = 5, 3, 3
PAPER = {  # Lehrach et al. 2025: test transition and test inference accuracy, calls; open deck
    "bargaining": (".983", "1.000", "23.0"),
    "leduc_poker": (".998", "1.000", "4.4"),
    "gin_rummy": (".746", ".538", "500"),
    "quadranto": ("1.000", ".986", "6.0"),
    "hand_of_war": (".981", ".936", "144"),
}
PLACES = {
    ("random", "open"): "",
    ("random", "closed"): "closed/",
    ("chosen", "open"): "chosen/",
    ("chosen", "closed"): "chosen_closed/",
}


@dataclass(frozen=True)
class Run:
    """One recorded synthesis: the game string, "open" or "closed", its seed, and the protocol by which its
    training games were found, "random" or "chosen"."""

    game: str
    deck: str
    seed: int
    protocol: str = "random"

    @property
    def label(self) -> str:
        """The label of its row in the tables: runs that differ in the seed alone share it."""
        return f"{self.game}, {self.deck}" + (", chosen games" if self.protocol == "chosen" else "")

    @property
    def place(self) -> str:
        """The place of its model among those that ship."""
        name = self.game.partition("(")[0]
        return f"{PLACES[self.protocol, self.deck]}{name}/{self.seed}"


def recorded_runs() -> Iterator[Run]:
    """Returns the runs that were recorded: five syntheses of each of the paper's games with the open deck,
    three with the closed one; three of each twin and each game of our own; and of those from chosen games as
    many as ship.
    """
    for game in GAMES:
        for seed in range(OPEN_RUNS):
            yield Run(game, "open", seed)
        for seed in range(CLOSED_RUNS):
            yield Run(game, "closed", seed)
        yield from _chosen_runs(game)
    for game in OWN_GAMES:
        for seed in range(OWN_RUNS):
            yield Run(game, "open", seed)
        yield from _chosen_runs(game)


def _chosen_runs(game: str) -> Iterator[Run]:
    for deck in DECKS:
        place = os.path.join(model_folders.shipped_root(), PLACES["chosen", deck], game)
        for seed in sorted(os.listdir(place)) if os.path.isdir(place) else ():
            yield Run(game, deck, int(seed), "chosen")


def training_of(run: Run) -> tuple[list[Trajectory], dict[str, object]]:
    """Returns the training games, and where they come from; chosen ones lie beside the model that ships."""
    game = load_game(run.game)
    if run.protocol == "random":
        return list(collect(game, 5, run.seed)), {"protocol": "random"}
    chosen = selection.kept(model_folders.resolve(run.place), game)
    if chosen is None:
        raise ValueError(
            f"{run.place}: {selection.FILE} is missing, expected the games that the model was "
            f"learnt from; copy it from the folder of the synthesis"
        )
    return list(chosen.games), chosen.figures()


def lesson_of(run: Run) -> HiddenLesson:
    """Returns the material of a run: the rules that ship and five games."""
    make = HiddenLesson.open if run.deck == "open" else HiddenLesson.closed
    return make(shipped_rules(load_game(run.game)), training_of(run)[0])


@functools.lru_cache(maxsize=1)
def tests_of(game: str, transitions: int, games: int) -> list[Trajectory]:
    """Returns the held-out games, the same for all runs of a game."""
    print(f"  {game}: playing at least {games} test games", file=sys.stderr, flush=True)
    return list(held_out.test_games(load_game(game), transitions, games))


def reproduce(run: Run, folder: str, test_transitions: int, test_games: int) -> dict[str, object]:
    """Returns the manifest of one run, from its folder or by replaying it."""
    if replays.finished(folder) is None:
        game = load_game(run.game)
        outcome = replays.replay(
            folder,
            run.game,
            lesson_of(run),
            run.seed,
            ground_truth=game,
            tests=tests_of(run.game, test_transitions, test_games),
            origin=training_of(run)[1],
        )
        if run.game == "leduc_poker":
            content = dict(outcome.manifest, posterior=asdict(posterior.distance(outcome.best.source, game)))
            manifest.write_json(os.path.join(folder, "manifest.json"), content)
    return replays.finished(folder)


def table(results: dict[str, list[dict]]) -> list[list[str]]:
    """Returns the rows for each game and deck; accuracies of all runs together, those of the paper beside
    them.
    """
    rows = [
        [
            "game, deck",
            "n",
            "calls",
            "train inf.",
            "test transitions",
            "95% Wilson",
            "of",
            "games",
            "distinct states",
            "test inference",
            "of",
            "paper: trans.",
            "inf.",
            "calls",
        ]
    ]
    for label, runs in results.items():
        game, deck, *chosen = label.split(", ")
        paper = deck == "open" and not chosen
        tests = [run["test"] for run in runs]
        passed, total = (sum(test[key] for test in tests) for key in ("passed", "transitions"))
        inferences = sum(run["test_inferences"] for run in runs)
        inferred = sum(run["test_inferences"] * run["test_inference_accuracy"] for run in runs)
        low, high = wilson_interval(passed, total)
        rows.append(
            [
                label,
                str(len(runs)),
                " ".join(str(run["llm_calls"]) for run in runs),
                f"{min(run['train_inference_accuracy'] for run in runs):.4f}",
                f"{passed / total:.4f}",
                f"{low:.4f}-{high:.4f}",
                str(total),
                str(sum(test["games"] for test in tests)),
                str(max(test["distinct_states"] for test in tests)),
                f"{inferred / inferences:.4f}",
                str(inferences),
                *(PAPER.get(game, ("-",) * 3) if paper else ("-",) * 3),
            ]
        )
    return rows


def phases(results: dict[str, list[dict]]) -> list[list[str]]:
    """Returns the rows for each game and deck that shows phases: accuracy of transitions and inference in
    each.
    """
    rows = [["game, deck, phase", "transitions", "of", "inference", "of"]]
    for label, runs in results.items():
        names = dict.fromkeys(name for run in runs for name in run["test"]["by_phase"])
        for name in names:
            transitions = [run["test"]["by_phase"].get(name, (0, 0)) for run in runs]
            inference = [
                rung["figures"]["by_phase"].get(name, (0, 0))
                for run in runs
                for rung in run["rungs"]
                if rung["rung"] == "heldout_inference"
            ]
            cells = []
            for pairs in (transitions, inference):
                tried, good = (sum(pair[i] for pair in pairs) for i in (0, 1))
                cells += [f"{good / tried:.4f}" if tried else "-", str(tried)]
            rows.append([f"{label}, {name}", *cells])
    return rows


def _define_flags() -> None:
    flags.output_dir("the models")
    flags.json("the manifests of all runs")
    flags.plot("inference accuracy by calls")
    flags.DEFINE_list("games", [*GAMES, *OWN_GAMES], "Games whose runs are replayed.")
    flags.held_out()


def main() -> None:
    """Runs the command; see the module's docstring."""
    output, json_path, plot = (flags.FLAGS[name].value for name in ("output_dir", "json", "plot"))
    for name, path in (("json", json_path), ("plot", plot)):
        if path:
            cli.check_output(path, name)
    known = {run.game for run in recorded_runs()}
    for name in flags.FLAGS.games:
        if name not in known:
            raise ValueError(
                f"--games: there is no recorded synthesis of {name!r}, expected one of {', '.join(sorted(known))}; for "
                f"another game run python -m cwm.synthesize --game={name}"
            )
    results: dict[str, list[dict]] = {}
    for run in recorded_runs():
        if run.game not in flags.FLAGS.games:
            continue
        print(f"{run.label}, run {run.seed}", file=sys.stderr, flush=True)
        results.setdefault(run.label, []).append(
            reproduce(
                run,
                os.path.join(output, *run.place.split("/")),
                flags.FLAGS.test_transitions,
                flags.FLAGS.test_games,
            )
        )
    if json_path:
        manifest.write_json(json_path, results)
    if plot:
        figures.accuracy_by_call(
            {label: [run["inference_by_call"] for run in runs] for label, runs in results.items()}, plot
        )
    print(text_table(table(results)))
    print()
    print(text_table(phases(results)))
    for label, runs in results.items():
        for run in runs:
            if "posterior" in run:
                print(
                    "\n{}, run {}: distance of samples from the exact posterior {mean:.4f} (largest "
                    "{largest:.4f}, of exact samples {noise:.4f}; {decisions} decisions, {samples} "
                    "samples each)".format(label, run["seed"], **run["posterior"]),
                    end="",
                )
    print()


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
