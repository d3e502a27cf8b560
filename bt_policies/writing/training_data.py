"""Runs of `bt_policies.improve` as training data for language models (PORTAL, section 3.6)."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from runs import json_lines

FORMATS = ("trajectories", "sft", "preferences")

Record = dict[str, Any]
"""The record that a run kept of one answer: prompt, answer, reward, metric and more."""


def records_of(folder: Path) -> list[Record]:
    """Returns the records of a run, in the order of asking, each with the `run` that it comes from.

    Raises:
      ValueError: the folder holds no run.
    """
    path = folder / "records.jsonl"
    if not path.is_file():
        raise ValueError(
            f"--runs: there is no {path}, expected the folder of a run of bt_policies.improve "
            "that has ended a round"
        )
    return [{"run": folder.name, **record} for record in json_lines.read(path)]


def sft(runs: Sequence[Sequence[Record]], best: float) -> list[Record]:
    """Returns the best answers of each run as conversations.

    Args:
      runs: records of each run.
      best: the share that is kept, in (0, 1], at least one of each run; equal texts count once.
    """
    made = []
    for records in runs:
        seen: set[tuple[str, str]] = set()
        usable = [
            record
            for record in records
            if record["reward"] is not None
            and not (
                (record["prompt"], record["answer"]) in seen or seen.add((record["prompt"], record["answer"]))
            )
        ]
        ordered = sorted(usable, key=lambda record: -record["reward"])
        for record in ordered[: math.ceil(best * len(ordered))]:
            made.append(
                {
                    "messages": [
                        {"role": "user", "content": record["prompt"]},
                        {"role": "assistant", "content": record["answer"]},
                    ],
                    "reward": record["reward"],
                    "metric": record["metric"],
                    "run": record["run"],
                }
            )
    return made


def preferences(runs: Sequence[Sequence[Record]], margin: float) -> list[Record]:
    """Returns the pairs of answers to the same prompt of which one is better.

    Args:
      runs: records of each run; answers of different runs are not compared, as their games differ.
      margin: by how much, above 0.
    """
    made = []
    for records in runs:
        by_prompt: dict[str, list[Record]] = defaultdict(list)
        for record in records:
            by_prompt[record["prompt"]].append(record)
        for prompt, answers in by_prompt.items():
            for one, other in combinations(answers, 2):
                better, worse = sorted((one, other), key=_worth, reverse=True)
                if better["reward"] is None or _worth(better) - _worth(worse) < margin:
                    continue
                made.append(
                    {
                        "prompt": prompt,
                        "chosen": better["answer"],
                        "rejected": worse["answer"],
                        "rewards": [better["reward"], worse["reward"]],
                        "metric": better["metric"],
                        "run": better["run"],
                    }
                )
    return made


def _worth(record: Record) -> float:
    return -math.inf if record["reward"] is None else record["reward"]
