"""Trains the networks of task nodes, and judges them against their rule twins:

    python -m bt_policies.train_tasks --task=move_to --seed=0 --output=move_to.npz
    python -m bt_policies.train_tasks judge --episodes=400 --seed=0

Tasks and their rewards are those of `bt_policies.learned.task_training`. The same seed and situations give the same
file. `judge` plays the same episodes with the rule and with the network (those that ship, or --weights=F
for one --task) on maps of their own, and shows both means and their difference with a 95 %
bootstrap interval.
"""

from __future__ import annotations

import json
import sys

import numpy as np
from absl import flags
from tqdm import tqdm

from bt_policies.learned import networks, task_training
from bt_policies.learned.neural_tasks import FEATURES, MAKERS
from bt_policies.learned.task_training import RULES, TASKS
from runs import cli
from runs.intervals import bootstrap_interval
from runs.tables import text_table

_FLAGS = flags.FLAGS
SITUATIONS = {"move_to": 2000, "take_cover_from": 800, "shoot": 800}
"""Those that the shipped networks have learned from."""


def _train() -> None:
    if _FLAGS.task is None or _FLAGS.output is None:
        raise ValueError("--task and --output are needed to train; name the task and the file")
    output = cli.check_output(_FLAGS.output, "output")
    count = _FLAGS.situations or SITUATIONS[_FLAGS.task]
    with tqdm(total=count, unit="situation", file=sys.stderr) as bar:
        network = task_training.train(_FLAGS.task, count, _FLAGS.seed, lambda done: bar.update(done - bar.n))
    network.save(output)
    print(json.dumps({"output": str(output), "bytes": output.stat().st_size, **network.facts}))


def _interval(values: np.ndarray) -> tuple[float, float, float]:
    low, high = bootstrap_interval(np.column_stack((values, np.ones(len(values)))), np.random.default_rng(0))
    return float(values.mean()), float(low), float(high)


def verdict(task: str, low: float, high: float) -> str:
    """Whether the network is better than the rule by an interval of the difference."""
    if task != "shoot":  # costs: less is better
        low, high = -high, -low
    return "beats the rule" if low > 0 else "worse than the rule" if high < 0 else "no difference shown"


def _judge() -> None:
    output = None if _FLAGS.json is None else cli.check_output(_FLAGS.json, "json")
    if _FLAGS.weights is not None and _FLAGS.task is None:
        raise ValueError("--weights: expected --task too, which says what they are for")
    tasks = TASKS if _FLAGS.task is None else (_FLAGS.task,)
    rows = [["task", "episodes", "rule", "network", "difference", "95 % interval", "verdict"]]
    record = {}
    with tqdm(total=len(tasks) * _FLAGS.episodes, unit="episode", file=sys.stderr) as bar:
        for task in tasks:
            network = networks.load(_FLAGS.weights or networks.WEIGHTS / f"{task}.npz", task, FEATURES[task])
            found = task_training.judge(
                task,
                {"rule": RULES[task], "neural": MAKERS[task](network)},
                _FLAGS.episodes,
                _FLAGS.seed,
                lambda done: bar.update(),
            )
            value, low, high = _interval(found["neural"] - found["rule"])
            said = verdict(task, low, high)
            means = [float(found[kind].mean()) for kind in ("rule", "neural")]
            rows.append(
                [
                    task,
                    str(_FLAGS.episodes),
                    *(f"{mean:.2f}" for mean in means),
                    f"{value:+.2f}",
                    f"{low:+.2f} to {high:+.2f}",
                    said,
                ]
            )
            record[task] = {
                "episodes": _FLAGS.episodes,
                "seed": _FLAGS.seed,
                "rule": means[0],
                "neural": means[1],
                "difference": [value, low, high],
                "verdict": said,
            }
    print(text_table(rows))
    if output is not None:
        cli.write_text(output, json.dumps(record, indent=1) + "\n")


def main(word: str | None) -> None:
    """The command; see the module's docstring."""
    _judge() if word == "judge" else _train()


if __name__ == "__main__":
    flags.DEFINE_enum("task", None, list(TASKS), "Which task.")
    flags.DEFINE_string("output", None, "File for the trained network.")
    flags.DEFINE_string("weights", None, "Network to judge; default: the one that ships.")
    flags.DEFINE_integer(
        "situations", None, "To learn from; default: as many as the shipped network.", lower_bound=20
    )
    flags.DEFINE_integer("episodes", 400, "To judge by.", lower_bound=2)
    flags.DEFINE_integer("seed", 0, "Of the training, or of the episodes.", lower_bound=0)
    flags.DEFINE_string("json", None, "File for the figures.")
    cli.run(main, ["judge"])
