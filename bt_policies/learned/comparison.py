"""The policy scheduler against single trees, in the same games.

`best single` is the tree with the best score in other games; `oracle` is the best tree of each game, chosen in
hindsight; `random` draws a tree for each game.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np

from bt_policies.learned import scheduler
from bt_policies.measuring.domains.domain import Trial
from bt_policies.measuring.domains.registry import domain_of
from bt_policies.measuring.evaluation import Evaluation, Policy, evaluate_all
from bt_policies.measuring.metrics import Figures
from bt_policies.trees.dsl import Tree, format_tree
from runs import played_once
from runs.intervals import RESAMPLES
from runs.played_once import MemoryStore
from runs.progress import Bar
from runs.tables import text_table


def play_scheduled(trial: Trial, library: str, weights: str) -> Figures:
    """Returns the figures of one match that is played by a scheduler's soldiers.

    Raises:
      ValueError: the weights or the library cannot be used.
    """
    network, trees = scheduler.load(weights, library)
    return domain_of(trial.game).play(trial, [lambda seed: scheduler.ScheduledPlayer(trees, network, seed)])[
        "figures"
    ]


def compare(
    listed: Sequence[Trial], library: str, weights: str, executor: Executor, bar: Bar
) -> dict[str, Evaluation]:
    """Returns the evaluation of each tree alone, by name, and of the `scheduler`, in the same games."""
    found = singles(listed, scheduler.load(weights, library)[1], executor, bar)
    play_one = functools.partial(play_scheduled, library=library, weights=weights)
    figures = played_once.play(dict(enumerate(listed)), play_one, MemoryStore(), executor, bar=bar)
    return {**found, "scheduler": Evaluation(list(figures))}


def singles(
    listed: Sequence[Trial], library: Mapping[str, Tree], executor: Executor, bar: Bar
) -> dict[str, Evaluation]:
    """Returns the evaluation of each tree alone, by name."""
    policies = [Policy((format_tree(tree),)) for tree in library.values()]
    return dict(zip(library, evaluate_all(policies, listed, executor, bar=bar)))


def worth(found: Evaluation, metrics: Sequence[str]) -> np.ndarray:
    """Returns the mean of the metrics in each game, (games,); their denominators are 1."""
    return np.array([[each[name][0] for name in metrics] for each in found.figures], float).mean(axis=1)


def summary(found: dict[str, Evaluation], best: str, metrics: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Returns for each tree, and for `random`, `best single`, `scheduler` and `oracle`, the mean of the metrics
    over games, its interval, and the amount by which the scheduler's mean exceeds it, with the interval of
    that.

    Args:
      found: from `compare`.
      best: the name of the best single tree, chosen in other games.
      metrics: whose denominators are 1, as those of `score` are; they count equally.
    """
    values = {name: worth(one, metrics) for name, one in found.items()}
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


def table(result: dict[str, dict[str, Any]], metrics: Sequence[str]) -> str:
    """Returns the findings of `summary` as a table, in percent, the worst first."""
    rows = [["+".join(metrics), "mean", "95 % interval", "scheduler is better by", "95 % interval"]]
    for name, each in sorted(result.items(), key=lambda entry: entry[1]["value"]):
        mean, low, high, gain, *ends = (
            f"{100 * each[key]:.1f}" for key in ("value", "low", "high", "gain", "gain_low", "gain_high")
        )
        rows.append([name, mean, f"{low} to {high}", gain, " to ".join(ends)])
    return text_table(rows)
