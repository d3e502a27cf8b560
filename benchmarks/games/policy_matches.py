"""Measures how many matches of code policies a batch plays in the time of one match by itself.

    python -m benchmarks.games.policy_matches --json=policy_matches.json

The same matches of wrestle, by the same rules, are played one by one, as the arena plays them, and in one batch; the outcomes
have to be equal. The two ways take turns, five times; the figures are medians of processor seconds of this process and all
that it started, so that other work on the machine counts little. Two comparisons:

* `way`: two scripted policies, both ways: what playing in batches is worth by itself.
* `screening`: today's screening (policies of edition 1, by themselves, standard start) against that of edition 2 (policies
  that keep to its bound of time for a move, in a batch, all starts): what an evolution gains.
"""

from __future__ import annotations

import json
import os
import statistics
import tempfile
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from policy_evolve.evolution.settings import Settings
from policy_evolve.matches.evaluation import Evaluator, mirrored
from policy_evolve.matches.outcomes import Outcome, Pairing
from policy_evolve.matches.rules import MatchRules
from policy_evolve.policies.program import Program
from policy_evolve.policies.shipped import read_source
from runs import cli, flags
from runs.executors import InlineExecutor
from runs.tables import text_table

_FLAGS = flags.FLAGS
ROUNDS = 5
KINDS = ("way", "screening")
_TICK = os.sysconf("SC_CLK_TCK")


def processor_seconds() -> float:
    """Returns the CPU time of this process and of all processes that came from it, ended ones included."""
    parents, used = {}, {}
    for folder in Path("/proc").iterdir():
        if not folder.name.isdecimal():
            continue
        try:
            fields = (folder / "stat").read_text("ascii", "replace").rpartition(")")[2].split()
        except OSError:
            continue  # it has just ended
        parents[int(folder.name)] = int(fields[1])
        used[int(folder.name)] = sum(map(int, fields[11:15])) / _TICK
    ours, found = {os.getpid()}, True
    while found:
        found = {child for child, parent in parents.items() if parent in ours} - ours
        ours |= found
    return sum(used[process] for process in ours if process in used)


def clocked(pairings: Sequence[Pairing], rules: MatchRules) -> tuple[float, list[Outcome]]:
    """Plays matches and returns the processor seconds of one, and the outcomes."""
    with tempfile.TemporaryDirectory() as folder:
        evaluator = Evaluator(rules, Path(folder) / "matches.jsonl", InlineExecutor())
        start = processor_seconds()
        outcomes = evaluator.play(pairings)
        return (processor_seconds() - start) / len(pairings), outcomes


def program(name: str) -> Program:
    return Program(name, read_source(name))


def measure(kinds: Sequence[str], matches: int, rounds: int) -> dict[str, dict[str, float]]:
    """Returns for each comparison the medians `alone` and `batch`, processor seconds a match, and their `ratio`."""
    alone = Settings("wrestle", edition=1).match_rules()
    batch = Settings("wrestle", batch=matches).match_rules()
    quick = program("wrestle_charger"), program("wrestle_keeper")
    slow = program("wrestle_evolved"), program("wrestle_react")
    seconds: dict[str, list[tuple[float, float]]] = {kind: [] for kind in kinds}
    for number in range(rounds):
        if "way" in kinds:
            same = mirrored(*quick, matches, (number,))
            first, one_by_one = clocked(same, alone)
            second, together = clocked(same, replace(batch, continuous=False, starts=()))
            if [one.returns for one in one_by_one] != [one.returns for one in together]:
                raise ValueError("batches: expected the outcomes of the same matches one by one, found others")
            seconds["way"].append((first, second))
        if "screening" in kinds:
            first, _ = clocked(mirrored(*slow, 2, (number,)), alone)
            second, _ = clocked(mirrored(*quick, matches, (number,), batch.starts), batch)
            seconds["screening"].append((first, second))
    found = {}
    for kind, pairs in seconds.items():
        one, other = (statistics.median(values) for values in zip(*pairs))
        found[kind] = {"alone": one, "batch": other, "ratio": one / other}
    return found


def main() -> None:
    """Runs the command; see the module's docstring."""
    output = cli.check_output(_FLAGS.json, "json") if _FLAGS.json else None
    found = measure(_FLAGS.kinds, _FLAGS.matches, _FLAGS.rounds)
    rows = [["processor seconds a match", "alone", "batch", "ratio"]]
    rows += [
        [kind, f"{own['alone']:.2f}", f"{own['batch']:.2f}", f"{own['ratio']:.1f}"]
        for kind, own in found.items()
    ]
    print(text_table(rows))
    if output is not None:
        cli.write_text(output, json.dumps(found, indent=1) + "\n")


def _define_flags() -> None:
    flags.DEFINE_list("kinds", list(KINDS), "Comparisons to make.")
    flags.DEFINE_integer("matches", 24, "Matches of a batch, an even number.", lower_bound=2)
    flags.DEFINE_integer("rounds", ROUNDS, "Times that all are measured, in turns.", lower_bound=1)
    flags.json()


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
