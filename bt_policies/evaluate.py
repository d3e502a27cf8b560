"""Judges a tree on many different games:

    python -m bt_policies.evaluate --tree=fps_basic --games=1000 --executor=processes:2
    python -m bt_policies.evaluate --tree=mine.bt --game=connect_four --opponents="mcts(simulations=100)"

The default is fps_arena with 4 players and 600 ticks, each game on a map of its own (32 to 40 cells to a
side) in one of four modes. `--game="fps_arena(mode=tdm)"` leaves less to chance; `--modes` and `--maps`
name what is drawn from. The tree plays a team, `--opponents` the others. Another `--seed` gives other
games. A .team file is split into one tree for each member. Figures come with 95 % bootstrap intervals over
games. --baseline=F plays the same games with another tree, and shows the differences from it;
`--tree=F --tasks=neural --baseline=F --baseline_tasks=rule` shows what networks as task nodes change.
"""

from __future__ import annotations

import json
import sys
import time

from absl import flags
from tqdm import tqdm

from bt_policies.measuring.evaluation import MAPS, MODES, Evaluation, Policy, evaluate, trials
from bt_policies.measuring.metrics import METRICS
from bt_policies.trees.dsl import format_tree
from bt_policies.trees.files import TEAM, find_tree, read_tree
from bt_policies.trees.teams import read_team
from bt_policies.trees.vocabularies import vocabulary_of
from runs import cli
from runs.executors import make_executor
from runs.tables import text_table

_FLAGS = flags.FLAGS


def policy_of(name: str, game: str, memory: str | None, tasks: str) -> Policy:
    """The policy in a file: a tree, or a team's joint tree.

    Raises:
      ValueError: there is no such file, or it holds none for the game.
    """
    path, vocabulary = find_tree(name), vocabulary_of(game)
    if path.suffix == TEAM:
        return Policy(tuple(format_tree(tree) for tree in read_team(path, vocabulary)), memory or "none", tasks)
    tree, own = read_tree(path, vocabulary, memory)
    return Policy((format_tree(tree),), own, tasks)


def shown(name: str, value: float | None) -> str:
    """A figure of a metric for tables and prompts."""
    if value is None:
        return "-"
    return f"{100 * value:.1f} %" if METRICS[name].percent else f"{value:.2f}"


def table(found: Evaluation) -> str:
    """The figures of an evaluation, a metric in each row."""
    rows = [["metric", "value", "95 % interval"]]
    for name, entry in found.summary().items():
        ends = [shown(name, entry[end]) for end in ("low", "high")]
        interval = "-" if entry["low"] is None else " to ".join(ends)
        rows.append([name, shown(name, entry["value"]), interval])
    return text_table(rows)


def differences(found: Evaluation, baseline: Evaluation) -> str:
    """How an evaluation differs from another one in the same games, a metric in each row."""
    rows = [["metric", "difference", "95 % interval"]]
    for name in found.summary():
        entry = found.difference(baseline, name)
        if entry is not None:
            gain, *ends = (None if end is None else shown(name, end) for end in entry)
            rows.append([name, gain, "-" if None in ends else " to ".join(ends)])
    return text_table(rows)


def main() -> None:
    """The command; see the module's docstring."""
    output = None if _FLAGS.json is None else cli.check_output(_FLAGS.json, "json")
    trace_path = None if _FLAGS.trace is None else cli.check_output(_FLAGS.trace, "trace")
    policy = policy_of(_FLAGS.tree, _FLAGS.game, _FLAGS.memory, _FLAGS.tasks)
    baseline = None
    if _FLAGS.baseline is not None:
        baseline = policy_of(_FLAGS.baseline, _FLAGS.game, _FLAGS.memory, _FLAGS.baseline_tasks or _FLAGS.tasks)
    if trace_path is not None and len(policy.trees) != 1:
        raise ValueError(f"--trace: expected one tree, found a team with {len(policy.trees)}")
    listed = trials(
        _FLAGS.game, _FLAGS.games, _FLAGS.seed, opponents=_FLAGS.opponents, modes=_FLAGS.modes, maps=_FLAGS.maps
    )
    start = time.perf_counter()
    rounds = 1 if baseline is None else 2
    with (
        make_executor(_FLAGS.executor) as executor,
        tqdm(total=rounds * len(listed), unit="game", file=sys.stderr) as bar,
    ):
        found = evaluate(
            policy,
            listed,
            executor,
            traced=trace_path is not None,
            progress=lambda done: bar.update(done - bar.n),
        )
        other = (
            None
            if baseline is None
            else evaluate(
                baseline, listed, executor, progress=lambda done: bar.update(len(listed) + done - bar.n)
            )
        )
    seconds = time.perf_counter() - start
    print(f"{_FLAGS.tree}: {len(listed)} games of {_FLAGS.game}, seed {_FLAGS.seed}, {seconds:.1f} s\n")
    print(table(found))
    if other is not None:
        print(f"\nDifferences from {_FLAGS.baseline} in the same games\n\n{differences(found, other)}")
    if output is not None:
        cli.write_text(
            output,
            json.dumps(
                {
                    "tree": policy.trees,
                    "memory": policy.memory,
                    "tasks": policy.tasks,
                    "game": _FLAGS.game,
                    "games": len(listed),
                    "seed": _FLAGS.seed,
                    "seconds": round(seconds, 2),
                    "metrics": found.summary(),
                    "baseline": baseline and baseline.trees,
                    "differences": other and {name: found.difference(other, name) for name in found.summary()},
                    "matches": [
                        [trial.game, trial.side, trial.opponent, trial.seed, figures]
                        for trial, figures in zip(listed, found.figures)
                    ],
                },
                indent=1,
            )
            + "\n",
        )
    if trace_path is not None:
        trace = found.traces[0]
        cli.write_text(trace_path, json.dumps({"ticks": trace.ticks, "counts": trace.counts}) + "\n")


def _define_flags() -> None:
    flags.DEFINE_string("tree", None, "File (.bt, .json, .team), or a tree that ships.", required=True)
    flags.DEFINE_string("game", "fps_arena", "Game string; what it leaves out is drawn.")
    flags.DEFINE_integer("games", 100, "How many different games.", lower_bound=1)
    flags.DEFINE_integer("seed", 0, "Of the games.", lower_bound=0)
    flags.DEFINE_string("opponents", "", "weak, medium, strong or trees (fps_arena), or bots; comma-separated.")
    flags.DEFINE_list("modes", list(MODES), "Modes of fps_arena that are drawn from.")
    flags.DEFINE_list("maps", list(MAPS), "Kinds of maps of fps_arena that are drawn from.")
    flags.DEFINE_string("memory", None, "none, sequences or all; default: the file's own.")
    flags.DEFINE_enum("tasks", "rule", ["rule", "neural"], "Which implementation of actions plays.")
    flags.DEFINE_string("executor", "inline", "Where matches run: inline, processes:N or dask:ADDRESS.")
    flags.DEFINE_string("baseline", None, "Tree to compare with in the same games.")
    flags.DEFINE_enum(
        "baseline_tasks", None, ["rule", "neural"], "As --tasks, for --baseline; default: the same."
    )
    flags.DEFINE_string("json", None, "File for all figures.")
    flags.DEFINE_string("trace", None, "File for what each node did, for bt_policies.draw.")


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
