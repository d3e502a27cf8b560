"""Trains the networks of task nodes and the policy scheduler, and judges them.

    python -m bt_policies.train tasks --task=move_to --seed=0 --output=move_to.npz
    python -m bt_policies.train judge --episodes=400 --seed=0
    python -m bt_policies.train scheduler --output=scheduler.npz --moments=800 --seed=0
    python -m bt_policies.train scheduler --output=scheduler.npz --matches=1500 --families=all --library=DIR
    python -m bt_policies.train evaluate --weights=scheduler.npz --games=200 --executor=processes:2

`tasks` trains the network of one task; tasks and their rewards are those of `bt_policies.learned.task_training`.
The same seed and situations give the same file. `judge` plays the same episodes with the rule and with the network
(those that ship, or --weights=F for one --task) on maps of their own, and shows both means and their difference
with a 95 % bootstrap interval.

`scheduler` trains the network that picks a tree from a library as a match goes on; with --matches it learns from whole
matches and picks once, in the first tick. `evaluate` plays the same games
with each tree of the library alone, with trees drawn at random, and with the scheduler, and shows their scores with
95 % bootstrap intervals over games. `best single` is the tree with the best score in other games (as many, of
another seed); `oracle` is the best tree of each game, chosen in hindsight. --library=DIR names other trees than
those that ship; play with `bt_scheduler(library=DIR,weights=F)`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from bt_policies.learned import comparison, match_choice, networks, scheduler, task_training, verdicts
from bt_policies.learned.neural_tasks import FEATURES, MAKERS
from bt_policies.learned.task_training import RULES, TASKS
from bt_policies.measuring.domains.domain import Trial
from bt_policies.measuring.domains.fps_families import FAMILIES, named
from bt_policies.measuring.evaluation import OTHER_GAMES, trials
from bt_policies.trees.files import TREES
from runs import cli, flags
from runs.executors import make_executor
from runs.progress import Bar

_FLAGS = flags.FLAGS
_TRAINING = 5 * OTHER_GAMES
"""A seed and the seed that is this much larger have no game in common, those of `evaluate` included."""
_METRICS = ("score", "time_between_kills")
SITUATIONS = {"move_to": 2000, "take_cover_from": 800, "shoot": 3000}
"""The libraries that the shipped networks have learned from."""


def _train_task() -> None:
    if _FLAGS.task is None or _FLAGS.output is None:
        raise ValueError("--task and --output are needed to train; name the task and the file")
    output = cli.check_output(_FLAGS.output, "output")
    count = _FLAGS.situations or SITUATIONS[_FLAGS.task]
    with Bar(total=count, unit="situation", file=sys.stderr) as bar:
        network = task_training.train(_FLAGS.task, count, _FLAGS.seed, lambda done: bar.update(done - bar.n))
    network.save(output)
    print(json.dumps({"output": str(output), "bytes": output.stat().st_size, **network.facts}))


def _judge_tasks() -> None:
    output = _json_output()
    if _FLAGS.weights is not None and _FLAGS.task is None:
        raise ValueError("--weights: expected --task too, which says what they are for")
    tasks = TASKS if _FLAGS.task is None else (_FLAGS.task,)
    found = {}
    with Bar(total=len(tasks) * _FLAGS.episodes, unit="episode", file=sys.stderr) as bar:
        for task in tasks:
            network = networks.load(_FLAGS.weights or networks.WEIGHTS / f"{task}.npz", task, FEATURES[task])
            played = task_training.judge(
                task,
                {"rule": RULES[task], "neural": MAKERS[task](network)},
                _FLAGS.episodes,
                _FLAGS.seed,
                lambda done: bar.update(),
            )
            found[task] = verdicts.Verdict.of(task, played, _FLAGS.seed)
    print(verdicts.table(found))
    if output is not None:
        record = {task: one.to_json() for task, one in found.items()}
        cli.write_text(output, json.dumps(record, indent=1) + "\n")


def _train_scheduler() -> None:
    if _FLAGS.output is None:
        raise ValueError("--output is missing; name the file for the weights")
    output = cli.check_output(_FLAGS.output, "output")
    library = scheduler.read_library(_FLAGS.library)
    if _FLAGS.matches:
        listed = _trials(_FLAGS.matches, _FLAGS.seed + _TRAINING)
        with (
            make_executor(_FLAGS.executor) as executor,
            Bar(total=len(listed), unit="match", file=sys.stderr) as bar,
        ):
            network = match_choice.train(library, listed, _metrics(), _FLAGS.seed, executor, bar)
    else:
        with Bar(total=_FLAGS.moments, unit="moment", file=sys.stderr) as bar:
            network = scheduler.train(
                library, _FLAGS.moments, _FLAGS.seed, lambda done: bar.update(done - bar.n)
            )
    network.save(output)
    print(json.dumps({"output": str(output), **network.facts}))


def _metrics() -> list[str]:
    for name in _FLAGS.metric:
        if name not in _METRICS:
            raise ValueError(f"--metric: expected one of {', '.join(_METRICS)}, found {name!r}")
    return _FLAGS.metric


def _trials(games: int, seed: int) -> list[Trial]:
    return trials("fps_arena", games, seed, opponents=_FLAGS.opponents, families=named(_FLAGS.families))


def _evaluate_scheduler() -> None:
    output, metrics = _json_output(), _metrics()
    weights = _FLAGS.weights or str(networks.WEIGHTS / "scheduler.npz")
    _, library = scheduler.load(weights, _FLAGS.library)
    listed, others = (_trials(_FLAGS.games, seed) for seed in (_FLAGS.seed, _FLAGS.seed + OTHER_GAMES))
    with (
        make_executor(_FLAGS.executor) as executor,
        Bar(total=3 * len(listed), unit="game", file=sys.stderr) as bar,
    ):
        known = comparison.singles(others, library, executor, bar)
        best = max(known, key=lambda name: comparison.worth(known[name], metrics).mean())
        found = comparison.compare(listed, _FLAGS.library, weights, executor, bar)
    result = comparison.summary(found, best, metrics)
    print(comparison.table(result, metrics))
    if output is not None:
        facts = {"games": len(listed), "seed": _FLAGS.seed, "metric": "+".join(metrics), "best_single": best}
        cli.write_text(output, json.dumps({**facts, "results": result}, indent=1) + "\n")


def _json_output() -> Path | None:
    return None if _FLAGS.json is None else cli.check_output(_FLAGS.json, "json")


def _define_flags() -> None:
    flags.DEFINE_enum("task", None, list(TASKS), "Task to train or to judge.")
    flags.output("the trained network")
    flags.DEFINE_string(
        "weights", None, "File with the network to judge or to evaluate; what ships by default."
    )
    flags.DEFINE_integer(
        "situations",
        None,
        "Number of situations to learn from; as many as the shipped network by default.",
        lower_bound=20,
    )
    flags.DEFINE_integer("episodes", 400, "Number of episodes to judge by.", lower_bound=2)
    flags.DEFINE_string("library", str(TREES), "Folder of the scheduler's trees, fps_*.bt or fps_*.json.")
    flags.DEFINE_integer("moments", 800, "Number of moments of matches to learn from.", lower_bound=20)
    flags.DEFINE_integer("games", 200, "Number of different games.", lower_bound=1)
    flags.seed("the training, of the episodes, or of the games")
    flags.opponents("weak, medium, strong or trees", default="medium,strong")
    flags.DEFINE_integer(
        "matches", 0, "Number of whole matches to learn from, instead of moments; 0 for none.", lower_bound=0
    )
    flags.DEFINE_list(
        "metric", ["score"], f"Rewards that are compared, of equal weight: {', '.join(_METRICS)}."
    )
    flags.families(FAMILIES)
    flags.executor()
    flags.json("the figures")


_DOES = {
    None: _train_task,
    "tasks": _train_task,
    "judge": _judge_tasks,
    "scheduler": _train_scheduler,
    "train": _train_scheduler,  # the older name
    "evaluate": _evaluate_scheduler,
}


def main(word: str | None) -> None:
    """Runs the command; see the module's docstring."""
    _DOES[word]()


if __name__ == "__main__":
    _define_flags()
    cli.run(main, [word for word in _DOES if word])
