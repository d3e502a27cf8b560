"""Turns runs of `bt_policies.improve` into training data for language models (PORTAL, section 3.6):

    python -m bt_policies.export_data --runs=run1,run2 --format=sft --output=sft.jsonl
    python -m bt_policies.export_data --runs=run1 --format=preferences --margin=0.05 --output=pairs.jsonl

Formats, JSON Lines:

    trajectories  every [(prompt, DSL, reward)] as the run kept it, answers with faults included
    sft           {"messages": [user, assistant], "reward"} of the --best share of answers by reward in each
    run preferences   {"prompt", "chosen", "rejected", "rewards"}: two answers to one prompt whose rewards
                  differ by --margin or more; an answer without a usable tree loses to any with one
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from absl import flags

from runs import cli, json_lines

FORMATS = ("trajectories", "sft", "preferences")

Record = dict[str, Any]


def records_of(folder: Path) -> list[Record]:
    """The records of a run, in the order of asking, each with the `run` that it comes from.

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
    """The best answers of each run as conversations.

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
    """Pairs of answers to the same prompt of which one is better.

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


def main() -> None:
    """The command; see the module's docstring."""
    F = flags.FLAGS
    output = cli.check_output(F.output, "output")
    if not F.margin > 0:
        raise ValueError(f"--margin: expected more than 0, found {F.margin}")
    runs = [records_of(Path(folder)) for folder in F.runs]
    if F.format == "trajectories":
        made = [record for records in runs for record in records]
    else:
        made = sft(runs, F.best) if F.format == "sft" else preferences(runs, F.margin)
    cli.write_text(output, "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in made))
    print(f"{output}: {len(made)} lines from {sum(map(len, runs))} answers")


if __name__ == "__main__":
    flags.DEFINE_list("runs", None, "Folders of runs.", required=True)
    flags.DEFINE_enum("format", "trajectories", FORMATS, "What to write.")
    flags.DEFINE_string("output", None, "File to write, JSON Lines.", required=True)
    flags.DEFINE_float("best", 0.25, "sft: share of answers that is kept.", lower_bound=0.0, upper_bound=1.0)
    flags.DEFINE_float("margin", 0.02, "preferences: least difference of rewards.")
    cli.run(main)
