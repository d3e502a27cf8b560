"""The trees of searches in fresh games: whether what a search measured holds in games that it never saw.

A search's best trees were chosen by the same matches that give their reward, so the rewards flatter them. Here the
trees that came far enough in a search play games that none of them has seen, and their gains over the search's
reference tree there are set beside those of the search (PORTAL, figure 4, on games that chose nothing).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from bt_policies.measuring.domains.domain import Trial
from bt_policies.measuring.evaluation import Evaluation, Policy, evaluate_all
from bt_policies.measuring.gains import Gain, gain
from bt_policies.trees.dsl import format_tree
from bt_policies.trees.files import find_tree, read_tree
from bt_policies.trees.vocabularies import vocabulary_of
from runs.intervals import RESAMPLES
from runs.progress import Bar
from runs.tables import text_table


@dataclass(frozen=True)
class Contender:
    """A tree of a search.

    Attributes:
      name: its name in the run, such as `r2t3`.
      round: the round that it was written in.
      text: the tree.
      reward: its reward in the search, the mean difference from the reference tree.
      games: the number of matches of that mean.
    """

    name: str
    round: int
    text: str
    reward: float
    games: int


@dataclass(frozen=True)
class Run:
    """What a search left.

    Attributes:
      name: the folder's name.
      metrics: the rewards, of equal weight.
      memory: of the composites of its trees.
      reference: the name of the tree that rewards are differences from.
      contenders: the trees that played enough matches, in the order of the rounds.
      best: the names of the best tree after each round.
    """

    name: str
    metrics: tuple[str, ...]
    memory: str
    reference: str
    contenders: tuple[Contender, ...]
    best: tuple[str, ...]


def read_run(folder: Path, least: int) -> Run:
    """Returns a run of `bt_policies.improve` with the trees that played at least `least` matches in it.

    Raises:
      ValueError: a file of the run cannot be read, or a round's best tree played fewer matches.
    """
    try:
        wanted, state = (json.loads((folder / name).read_text("utf-8")) for name in ("run.json", "state.json"))
        made = tuple(
            Contender(
                tree["tree"],
                tree["round"],
                (folder / "trees" / f"{tree['tree']}.bt").read_text("utf-8"),
                tree["reward"],
                tree["games"],
            )
            for tree in state["trees"]
            if tree["reward"] is not None and tree["games"] >= least
        )
    except (OSError, ValueError) as error:
        raise ValueError(
            f"--runs: {folder} cannot be read ({error}), expected the folder of a run of bt_policies.improve that "
            "has ended a round"
        ) from error
    best = tuple(entry["best"] for entry in state["rounds"])
    missing = set(best) - {one.name for one in made}
    if missing:
        raise ValueError(
            f"--least: {sorted(missing)[0]}, the best tree of a round of {folder}, played fewer than {least} matches; "
            "lower it"
        )
    return Run(folder.name, tuple(wanted["metrics"]), wanted["memory"], state["reference"], made, best)


@dataclass(frozen=True)
class Fresh:
    """The gains of a run's trees in fresh games.

    Attributes:
      run: the run.
      gains: by name of the tree, over the run's reference tree in the same games.
      rise: the last round's best minus the first round's best.
      above: the last round's best minus each other player, by name.
    """

    run: Run
    gains: Mapping[str, Gain]
    rise: Gain
    above: Mapping[str, Gain]

    def pairs(self) -> list[tuple[float, float]]:
        """The reward in the search and in the fresh games, of each tree."""
        return [(one.reward, self.gains[one.name].mean) for one in self.run.contenders]

    def to_json(self) -> dict[str, Any]:
        """Returns all figures, JSON-able."""
        return {
            "run": self.run.name,
            "reference": self.run.reference,
            "trees": [
                {
                    "tree": one.name,
                    "round": one.round,
                    "reward": one.reward,
                    "games": one.games,
                    "fresh": self.gains[one.name].mean,
                    "interval": self.gains[one.name].interval,
                    "fresh_games": self.gains[one.name].games,
                }
                for one in self.run.contenders
            ],
            "best": self.run.best,
            "rise": [self.rise.mean, *self.rise.interval],
            "above": {name: [one.mean, *one.interval] for name, one in self.above.items()},
        }


def measure(
    runs: Sequence[Run],
    listed: Sequence[Trial],
    baselines: Mapping[str, Policy],
    executor: Executor,
    bar: Bar | None = None,
) -> list[Fresh]:
    """Plays the same fresh games with the trees of all runs, their references and other players.

    Args:
      runs: the runs.
      listed: the games, which no run has seen.
      baselines: the other players, by name.
      executor: plays matches.
      bar: moved by one for each game.

    Raises:
      ValueError: a reference tree does not exist.
    """
    game = listed[0].game
    policies: dict[Policy, None] = dict.fromkeys(baselines.values())
    references = {}
    for run in runs:
        tree, memory = read_tree(find_tree(run.reference), vocabulary_of(game))
        references[run.name] = Policy((format_tree(tree),), memory)
        policies[references[run.name]] = None
        policies.update(dict.fromkeys(_policy(run, one) for one in run.contenders))
    found = dict(zip(policies, evaluate_all(list(policies), listed, executor, bar=bar)))
    return [_fresh(run, found, references[run.name], baselines) for run in runs]


def _policy(run: Run, one: Contender) -> Policy:
    return Policy((one.text,), run.memory)


def _fresh(
    run: Run, found: Mapping[Policy, Evaluation], reference: Policy, baselines: Mapping[str, Policy]
) -> Fresh:
    by_name = {one.name: found[_policy(run, one)] for one in run.contenders}
    last = by_name[run.best[-1]]

    def over(own: Evaluation, other: Evaluation) -> Gain:
        return gain(run.metrics, own.figures, other.figures)

    return Fresh(
        run,
        {name: over(own, found[reference]) for name, own in by_name.items()},
        over(last, by_name[run.best[0]]),
        {name: over(last, found[policy]) for name, policy in baselines.items()},
    )


def correlation(pairs: Sequence[tuple[float, float]], seed: int = 0) -> tuple[float, float, float]:
    """Returns Pearson's correlation with the ends of its 95 % bootstrap interval over pairs.

    Args:
      pairs: at least three, not all alike in either place.
      seed: of the resampling.

    Raises:
      ValueError: there are too few pairs, or they do not vary.
    """
    values = np.array(pairs, float)
    if len(values) < 3 or not np.ptp(values, axis=0).all():
        raise ValueError(
            f"correlation: expected three pairs or more that vary in both places, found {len(values)} pairs"
        )
    rng = np.random.default_rng(seed)
    resampled = values[rng.integers(len(values), size=(RESAMPLES, len(values)))]
    centred = resampled - resampled.mean(axis=1, keepdims=True)
    with np.errstate(invalid="ignore"):
        drawn = (centred[..., 0] * centred[..., 1]).sum(axis=1) / np.sqrt((centred**2).sum(axis=1).prod(axis=1))
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    return float(np.corrcoef(values.T)[0, 1]), float(low), float(high)


def table(measured: Sequence[Fresh]) -> str:
    """Returns a row for each run, and one for the trees of all runs together where there are several."""
    others = list(measured[0].above)
    rows = [["run", "trees", "correlation", "last minus first", *(f"last minus {name}" for name in others)]]
    for one in measured:
        rows.append(
            [
                one.run.name,
                str(len(one.run.contenders)),
                _correlation(one.pairs()),
                _points(one.rise),
                *(_points(one.above[name]) for name in others),
            ]
        )
    if len(measured) > 1:
        together = [pair for one in measured for pair in one.pairs()]
        rows.append(["all", str(len(together)), _correlation(together), *[""] * (1 + len(others))])
    return text_table(rows)


def _correlation(pairs: Sequence[tuple[float, float]]) -> str:
    if len(pairs) < 3:
        return "-"
    value, low, high = correlation(pairs)
    return f"{value:.2f} ({low:.2f} to {high:.2f})"


def _points(one: Gain) -> str:
    low, high = one.interval
    return f"{100 * one.mean:+.1f} ({100 * low:+.1f} to {100 * high:+.1f})"
