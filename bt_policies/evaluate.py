"""Judges a tree on many games, or finds the trees that meet a wanted difficulty.

    python -m bt_policies.evaluate --tree=fps_basic --games=1000 --executor=processes:2
    python -m bt_policies.evaluate --tree=mine.bt --game=connect_four --opponents="mcts(simulations=100)"
    python -m bt_policies.evaluate --target=.5 --trees=artefacts/behaviour_trees --opponent=medium \\
        --output=even.json

The default is fps_arena with 4 players and 600 ticks, each game on a map of its own (32 to 40 cells to a
side) in one of four modes. `--game="fps_arena(mode=tdm)"` leaves less to chance; `--modes` and `--maps`
name what is drawn from. The tree plays a team, `--opponents` the others. Another `--seed` gives other
games. A .team file is split into one tree for each member. Figures come with 95 % bootstrap intervals over
games. --baseline=F,... plays the same games with other trees, and shows the differences from each;
`--tree=F --tasks=neural --baseline=F --baseline_tasks=rule` shows what networks as task nodes change, --tasks=shoot what one does. In
fps_arena both may be a script too: weak, medium, strong. `--game="vizdoom(scenario=defend_the_line)"` plays the 3D shooter
ViZDoom (extra `vizdoom`, `bt_policies.doom`), and names the words of a tree that it does not answer. `--families` draws the rules themselves at random, in families of
variants (`bt_policies.measuring.domains.fps_families`), and shows the figures of each.

With `--target` each tree of `--trees` that fits the game plays `--games` games. The tree, or the mixture of two
trees drawn anew for each match, whose mean score is expected to be the target is written, and then played in as
many other games; `bt_mixture(file=F)` plays it (`bt_policies.measuring.difficulty`).

With `--runs=RUN,...`, folders of `bt_policies.improve`, the trees that played `--least` matches in a search play games that
it never saw: the correlation of both rewards, and what the last round's best gains on the first round's best, on each
`--baseline`, and (with --json, for `bt_policies.draw --runs --fresh`) on the search's reference.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

from bt_policies.measuring import difficulty, fresh
from bt_policies.measuring.domains.domain import Trial
from bt_policies.measuring.domains.fps_families import FAMILIES, named
from bt_policies.measuring.evaluation import MAPS, MODES, OTHER_GAMES, Policy, evaluate_all, trials
from bt_policies.measuring.tables import by_family, differences, policy_of, table
from bt_policies.trees.dsl import parse
from bt_policies.trees.files import TREES
from bt_policies.trees.runtime import MEMORY
from bt_policies.trees.vocabularies import unanswered_in, vocabulary_of
from runs import cli, flags
from runs.executors import make_executor
from runs.progress import Bar

_FLAGS = flags.FLAGS
_BY_FAMILY = ("score", "time_between_kills")
"""The metrics of the table of families."""


def _judge_tree() -> None:
    output = None if _FLAGS.json is None else cli.check_output(_FLAGS.json, "json")
    trace_path = None if _FLAGS.trace is None else cli.check_output(_FLAGS.trace, "trace")
    policy = policy_of(_FLAGS.tree, _FLAGS.game, _FLAGS.memory, _FLAGS.tasks)
    baselines = _baselines()
    if trace_path is not None and len(policy.trees) != 1:
        raise ValueError(f"--trace: expected one tree, found {len(policy.trees)} in {_FLAGS.tree}")
    _tell_unanswered(policy)
    listed = _trials()
    start = time.perf_counter()
    with (
        make_executor(_FLAGS.executor) as executor,
        Bar(total=len(listed), unit="game", file=sys.stderr) as bar,
    ):
        found, *rest = evaluate_all(
            [policy, *baselines.values()], listed, executor, traced=trace_path is not None, bar=bar
        )
    others = dict(zip(baselines, rest))
    seconds = time.perf_counter() - start
    print(f"{_FLAGS.tree}: {len(listed)} games of {_FLAGS.game}, seed {_FLAGS.seed}, {seconds:.1f} s\n")
    print(table(found))
    for name, other in others.items():
        print(f"\nDifferences from {name} in the same games\n\n{differences(found, other)}")
        if _FLAGS.families:
            print(f"\n{by_family(found, listed, other, _BY_FAMILY)}")
    if _FLAGS.families and not others:
        print(f"\n{by_family(found, listed, None, _BY_FAMILY)}")
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
                    "baselines": {
                        name: {
                            "trees": baselines[name].trees,
                            "metrics": other.summary(),
                            "differences": {
                                metric: found.difference(other, metric) for metric in found.summary()
                            },
                        }
                        for name, other in others.items()
                    },
                    "matches": [
                        [trial.game, trial.side, trial.opponent, trial.seed, trial.family, figures]
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


def _baselines() -> dict[str, Policy]:
    return {
        name: policy_of(name, _FLAGS.game, _FLAGS.memory, _FLAGS.baseline_tasks or _FLAGS.tasks)
        for name in _FLAGS.baseline
    }


def _trials() -> list[Trial]:
    return trials(
        _FLAGS.game,
        _FLAGS.games,
        _FLAGS.seed,
        opponents=_FLAGS.opponents,
        modes=_FLAGS.modes,
        maps=_FLAGS.maps,
        families=named(_FLAGS.families),
    )


def _judge_runs() -> None:
    output = None if _FLAGS.json is None else cli.check_output(_FLAGS.json, "json")
    baselines = _baselines()
    runs = [fresh.read_run(Path(folder), _FLAGS.least) for folder in _FLAGS.runs]
    listed = _trials()
    with (
        make_executor(_FLAGS.executor) as executor,
        Bar(total=len(listed), unit="game", file=sys.stderr) as bar,
    ):
        measured = fresh.measure(runs, listed, baselines, executor, bar)
    print(
        f"{len(listed)} games of {_FLAGS.game}, seed {_FLAGS.seed}; trees with {_FLAGS.least} matches or more in their "
        f"search; points, with 95 % intervals\n\n{fresh.table(measured)}"
    )
    if output is not None:
        cli.write_text(output, json.dumps([one.to_json() for one in measured], indent=1) + "\n")


def _tell_unanswered(policy: Policy) -> None:
    """Says which words of the trees tell nothing in this game."""
    reasons = unanswered_in(_FLAGS.game)
    words = {
        word for text in policy.trees for node in parse(text).nodes() for word in (node.name, node.parameter)
    }
    for word in sorted(words & {*reasons}):
        print(f"{word} never holds or fails in {_FLAGS.game}: {reasons[word]}", file=sys.stderr)


def _find_difficulty() -> None:
    output = None if _FLAGS.output is None else cli.check_output(_FLAGS.output, "output")
    record = None if _FLAGS.json is None else cli.check_output(_FLAGS.json, "json")
    if _FLAGS.games < 2:
        raise ValueError(f"--games: expected 2 or more for --target, found {_FLAGS.games}")
    vocabulary = vocabulary_of(_FLAGS.game)
    trees = difficulty.fitting_trees(_FLAGS.trees, vocabulary)
    first, second = (
        trials(
            _FLAGS.game, _FLAGS.games, seed, opponents=_FLAGS.opponents, modes=_FLAGS.modes, maps=_FLAGS.maps
        )
        for seed in (_FLAGS.seed, _FLAGS.seed + OTHER_GAMES)
    )
    with (
        make_executor(_FLAGS.executor) as executor,
        Bar(total=(len(trees) + 1) * _FLAGS.games, unit="game", file=sys.stderr) as bar,
    ):
        alone = difficulty.measure(trees, first, executor, bar)
        mixture = difficulty.choose(trees, alone, vocabulary.game, _FLAGS.target)
        if output is not None:
            cli.write_text(output, mixture.to_json())
        played = difficulty.play_mixture(mixture, second, executor, bar)
    found = difficulty.Found(_FLAGS.target, alone, mixture, played)
    print(found.table())
    print(
        f"\ntarget {100 * found.target:.1f} %, expected {100 * found.expected:.1f} %, in {_FLAGS.games} other "
        f"games {100 * played.value('score'):.1f} % ({difficulty.interval_text(played)})"
    )
    if abs(found.expected - found.target) > 1e-9:
        print(
            f"no tree reaches the target against {_FLAGS.opponents or 'the default opponent'}; the nearest one "
            "plays alone",
            file=sys.stderr,
        )
    if record is not None:
        settings = {name: _FLAGS[name].value for name in ("game", "games", "seed")}
        text = json.dumps({"opponent": _FLAGS.opponents, **settings, **found.to_json()}, indent=1)
        cli.write_text(record, text + "\n")


def _define_flags() -> None:
    flags.tree()
    flags.game("completed at random where it leaves parameters out", default="fps_arena")
    flags.DEFINE_integer("games", 100, "Number of different games.", lower_bound=1)
    flags.seed("the games")
    flags.opponents("weak, medium, strong or trees (fps_arena), or bots")
    flags.modes(MODES)
    flags.maps(MAPS)
    flags.families(FAMILIES)
    flags.memory(MEMORY)
    flags.DEFINE_string(
        "tasks", "rule", "Actions that networks carry out: rule for none, neural for all, or names joined by +."
    )
    flags.executor()
    flags.DEFINE_list("baseline", [], "Trees to compare with in the same games.")
    flags.DEFINE_string("baseline_tasks", None, "As --tasks, for --baseline; the same by default.")
    flags.json("all figures")
    flags.DEFINE_string("trace", None, "File for what each node did, for bt_policies.draw.")
    flags.DEFINE_float(
        "target", None, "Mean score that a mixture of trees is to reach.", lower_bound=0, upper_bound=1
    )
    flags.DEFINE_string("trees", str(TREES), "With --target: folder of trees.")
    flags.DEFINE_alias("opponent", "opponents")
    flags.DEFINE_list("runs", None, "Folders of runs of bt_policies.improve, whose trees play fresh games.")
    flags.DEFINE_integer(
        "least", 160, "With --runs: least number of matches of a tree in its search.", lower_bound=1
    )
    flags.output("the mixture, with --target")


def main() -> None:
    """Runs the command; see the module's docstring."""
    judges = {"tree": _judge_tree, "target": _find_difficulty, "runs": _judge_runs}
    given = [name for name in judges if _FLAGS[name].value not in (None, "", [])]
    if len(given) != 1:
        raise ValueError(
            "expected one of --tree, --target and --runs, found "
            + (" and ".join(f"--{name}" for name in given) or "none; run with --help for an example")
        )
    judges[given[0]]()


if __name__ == "__main__":
    _define_flags()
    cli.run(main)
