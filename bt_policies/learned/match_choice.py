"""The policy scheduler of PORTAL (section 3.7) where a tree is chosen once, for a whole match.

What a tree is worth shows at the end of a match only: a rollout of some ticks (`scheduler.train`) sees fights, not who holds
a zone or has lives left. Here each tree of the library plays the same whole matches, and the network learns what each came
to from what a soldier sees in its first tick: the mode, the map's size, how many play.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from typing import Any

import numpy as np

from bt_policies.learned.comparison import worth
from bt_policies.learned.networks import Network, fit
from bt_policies.learned.scheduler import FEATURES, TASK, digest, row
from bt_policies.measuring.domains.domain import Trial
from bt_policies.measuring.evaluation import Evaluation, Policy, play
from bt_policies.trees.dsl import Tree, format_tree
from runs import played_once
from runs.played_once import MemoryStore
from runs.progress import Bar


def train(
    library: Mapping[str, Tree],
    listed: Sequence[Trial],
    metrics: Sequence[str],
    seed: int,
    executor: Executor,
    bar: Bar | None = None,
    *,
    steps: int = 2000,
) -> Network:
    """Trains a scheduler that chooses once in a match.

    Args:
      library: from `scheduler.read_library`.
      listed: the matches to learn from.
      metrics: rewards whose mean is the worth of a match; see `comparison.worth`.
      seed: of the network's first weights and draws.
      executor: plays matches.
      bar: moved by one for each match.
      steps: see `networks.fit`.
    """
    play_one = functools.partial(
        _played, texts=tuple(map(format_tree, library.values())), metrics=tuple(metrics)
    )
    found = played_once.play(dict(enumerate(listed)), play_one, MemoryStore(), executor, bar=bar)
    rows = np.array([each for rows, _ in found for each in rows])
    values = np.array([each for rows, each in found for _ in rows])
    facts = {"library": digest(library), "matches": len(listed), "seed": seed, "once": True}
    facts |= {"metrics": list(metrics), "examples": len(rows)}
    return fit(TASK, FEATURES, tuple(library), rows, values, seed, facts, steps=steps)


def _played(
    trial: Trial, texts: Sequence[str], metrics: Sequence[str]
) -> tuple[list[list[float]], list[float]]:
    """Returns what the soldiers see in their first tick, a row each, and what a match with each tree comes to."""
    rows: list[list[float]] = []

    def keep(seen: Any) -> None:
        if seen.tick == 0:
            rows.append(row(seen).tolist())

    values = []
    for index, text in enumerate(texts):
        figures = play(trial, Policy((text,)), watch=None if index else keep)["figures"]
        values.append(float(worth(Evaluation([figures]), metrics)[0]))
    return rows, values
