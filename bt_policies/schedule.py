"""Trains the policy scheduler, and compares it with single trees:

    python -m bt_policies.schedule train --output=scheduler.npz --moments=800 --seed=0
    python -m bt_policies.schedule evaluate --weights=scheduler.npz --games=200 --executor=processes:2

`evaluate` plays the same games with each tree of the library alone, with trees drawn at random, and with
the scheduler, and shows their scores with 95 % bootstrap intervals over games. `best single` is the tree
with the best score in other games (as many, of another seed); `oracle` is the best tree of each game,
chosen in hindsight. --library=DIR names other trees than those that ship; play with
`bt_scheduler(library=DIR,weights=F)`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np
from absl import flags
from tqdm import tqdm

from bt_policies.learned import networks, scheduler
from bt_policies.measuring.evaluation import Evaluation, Policy, Trial, evaluate, play_with, trials
from bt_policies.measuring.metrics import METRICS, Figures
from bt_policies.trees.dsl import Tree, format_tree
from bt_policies.trees.files import TREES
from runs import cli
from runs.executors import make_executor
from runs.intervals import RESAMPLES
from runs.tables import text_table

_FLAGS = flags.FLAGS
_OTHER_GAMES = 1_000_003


def play_scheduled(trial: Trial, library: str, weights: str) -> Figures:
    """The figures of one match that is played by a scheduler's soldiers.

    Raises:
      ValueError: the weights or the library cannot be used.
    """
    network, trees = scheduler.load(weights, library)
    return play_with(trial, [lambda seed: scheduler.ScheduledPlayer(trees, network, seed)])["figures"]


def compare(
    listed: Sequence[Trial], library: str, weights: str, executor: Executor, bar: Any
) -> dict[str, Evaluation]:
    """The evaluation of each tree alone, by name, and of the `scheduler`, in the same games."""
    found = singles(listed, scheduler.load(weights, library)[1], executor, bar)
    futures = [executor.submit(play_scheduled, trial, library, weights) for trial in listed]
    figures = []
    for future in futures:
        figures.append({name: tuple(pair) for name, pair in future.result().items()})
        bar.update()
    return {**found, "scheduler": Evaluation(figures)}


def singles(
    listed: Sequence[Trial], library: Mapping[str, Tree], executor: Executor, bar: Any
) -> dict[str, Evaluation]:
    """The evaluation of each tree alone, by name."""
    found = {}
    for name, tree in library.items():
        start = bar.n
        found[name] = evaluate(
            Policy((format_tree(tree),)),
            listed,
            executor,
            progress=lambda done, start=start: bar.update(start + done - bar.n),
        )
    return found


def summary(found: dict[str, Evaluation], best: str, metric: str) -> dict[str, dict[str, Any]]:
    """For each tree, and for `random`, `best single`, `scheduler` and `oracle`: the mean of the metric over
    games, its interval, and what the scheduler's mean exceeds it by, with the interval of that.

    Args:
      found: from `compare`.
      best: the name of the best single tree, chosen in other games.
      metric: whose denominators are 1, as those of `score` are.
    """
    values = {name: np.array([each[metric][0] for each in one.figures], float) for name, one in found.items()}
    alone = np.array([values[name] for name in values if name != "scheduler"])
    values |= {"random": alone.mean(axis=0), "oracle": alone.max(axis=0), f"best single: {best}": values[best]}
    count = alone.shape[1]
    chosen = np.random.default_rng(0).integers(count, size=(RESAMPLES, count))
    own, result = values["scheduler"], {}
    for name, each in values.items():
        low, high = np.quantile(each[chosen].mean(axis=1), [0.025, 0.975])
        gain = own - each
        ends = np.quantile(gain[chosen].mean(axis=1), [0.025, 0.975])
        result[name] = {
            "value": float(each.mean()),
            "low": float(low),
            "high": float(high),
            "gain": float(gain.mean()),
            "gain_low": float(ends[0]),
            "gain_high": float(ends[1]),
        }
    return result


def _train() -> None:
    if _FLAGS.output is None:
        raise ValueError("--output is missing; name the file for the weights")
    output = cli.check_output(_FLAGS.output, "output")
    library = scheduler.read_library(_FLAGS.library)
    with tqdm(total=_FLAGS.moments, unit="moment", file=sys.stderr) as bar:
        network = scheduler.train(library, _FLAGS.moments, _FLAGS.seed, lambda done: bar.update(done - bar.n))
    network.save(output)
    print(json.dumps({"output": str(output), **network.facts}))


def _evaluate() -> None:
    output = None if _FLAGS.json is None else cli.check_output(_FLAGS.json, "json")
    if not METRICS[_FLAGS.metric].reward:
        raise ValueError(f"--metric: expected one that is a share, such as score, found {_FLAGS.metric}")
    _, library = scheduler.load(_FLAGS.weights, _FLAGS.library)
    listed, others = (
        trials("fps_arena", _FLAGS.games, seed, opponents=_FLAGS.opponents)
        for seed in (_FLAGS.seed, _FLAGS.seed + _OTHER_GAMES)
    )
    with (
        make_executor(_FLAGS.executor) as executor,
        tqdm(total=(2 * len(library) + 1) * len(listed), unit="game", file=sys.stderr) as bar,
    ):
        known = singles(others, library, executor, bar)
        best = max(known, key=lambda name: known[name].value(_FLAGS.metric) or 0)
        found = compare(listed, _FLAGS.library, _FLAGS.weights, executor, bar)
    result = summary(found, best, _FLAGS.metric)
    rows = [[_FLAGS.metric, "mean", "95 % interval", "scheduler is better by", "95 % interval"]]
    for name, each in sorted(result.items(), key=lambda entry: entry[1]["value"]):
        mean, low, high, gain, *ends = (
            f"{100 * each[key]:.1f}" for key in ("value", "low", "high", "gain", "gain_low", "gain_high")
        )
        rows.append([name, mean, f"{low} to {high}", gain, " to ".join(ends)])
    print(text_table(rows))
    if output is not None:
        cli.write_text(
            output,
            json.dumps(
                {
                    "games": len(listed),
                    "seed": _FLAGS.seed,
                    "metric": _FLAGS.metric,
                    "best_single": best,
                    "results": result,
                },
                indent=1,
            )
            + "\n",
        )


def main(word: str | None) -> None:
    """The command; see the module's docstring."""
    if word is None:
        raise ValueError("expected what to do, train or evaluate, before the flags")
    {"train": _train, "evaluate": _evaluate}[word]()


def _define_flags() -> None:
    flags.DEFINE_string("library", str(TREES), "Folder of the trees, fps_*.bt or fps_*.json.")
    flags.DEFINE_string("weights", str(networks.WEIGHTS / "scheduler.npz"), "The scheduler's network.")
    flags.DEFINE_string("output", None, "File for the trained network.")
    flags.DEFINE_integer("moments", 800, "Moments of matches to learn from.", lower_bound=20)
    flags.DEFINE_integer("games", 200, "How many different games.", lower_bound=1)
    flags.DEFINE_integer("seed", 0, "Of the training, or of the games.", lower_bound=0)
    flags.DEFINE_string("opponents", "medium,strong", "weak, medium, strong or trees, comma-separated.")
    flags.DEFINE_enum("metric", "score", ["score", "time_between_kills"], "That is compared.")
    flags.DEFINE_string("executor", "inline", "Where matches run: inline, processes:N or dask:ADDRESS.")
    flags.DEFINE_string("json", None, "File for all figures.")


if __name__ == "__main__":
    _define_flags()
    cli.run(main, ["train", "evaluate"])
