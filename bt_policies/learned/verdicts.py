"""The networks of task nodes against their rule twins, in the same episodes."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from runs.intervals import bootstrap_interval
from runs.tables import text_table


@dataclass(frozen=True)
class Verdict:
    """The figures that the episodes give for one task.

    Attributes:
      episodes: the number of episodes.
      seed: the seed of the episodes.
      rule, neural: means of the task's reward or cost.
      difference: the mean difference, network less rule, with its 95 % bootstrap interval.
      verdict: in words.
    """

    episodes: int
    seed: int
    rule: float
    neural: float
    difference: tuple[float, float, float]
    verdict: str

    @classmethod
    def of(cls, task: str, found: dict[str, np.ndarray], seed: int) -> Verdict:
        """Judges a task by its episodes, from `task_training.judge`."""
        mean, low, high = _interval(found["neural"] - found["rule"])
        rule, neural = (float(found[kind].mean()) for kind in ("rule", "neural"))
        return cls(len(found["rule"]), seed, rule, neural, (mean, low, high), verdict(task, low, high))

    def to_json(self) -> dict[str, Any]:
        """Returns the figures."""
        return asdict(self)


def _interval(values: np.ndarray) -> tuple[float, float, float]:
    low, high = bootstrap_interval(np.column_stack((values, np.ones(len(values)))), np.random.default_rng(0))
    return float(values.mean()), float(low), float(high)


def verdict(task: str, low: float, high: float) -> str:
    """Returns the verdict whether the network is better than the rule, by an interval of the difference."""
    if task != "shoot":  # costs: less is better
        low, high = -high, -low
    return "beats the rule" if low > 0 else "worse than the rule" if high < 0 else "no difference shown"


def table(verdicts: dict[str, Verdict]) -> str:
    """Returns a row for each task."""
    rows = [["task", "episodes", "rule", "network", "difference", "95 % interval", "verdict"]]
    for task, one in verdicts.items():
        mean, low, high = one.difference
        rows.append(
            [
                task,
                str(one.episodes),
                f"{one.rule:.2f}",
                f"{one.neural:.2f}",
                f"{mean:+.2f}",
                f"{low:+.2f} to {high:+.2f}",
                one.verdict,
            ]
        )
    return text_table(rows)
