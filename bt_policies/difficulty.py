"""Chooses or mixes trees so that an opponent meets a wanted difficulty:

    python -m bt_policies.difficulty --target=.5 --trees=artefacts/behaviour_trees --opponent=medium \\
        --output=even.json

Each tree of the folder that fits the game plays --games games against the opponent. The tree, or the
mixture of two trees drawn anew for each match, whose mean score is expected to be the target is written and
then played in as many other games: the table shows target, expectation, and what came out with a 95 %
interval. `bt_mixture(file=F)` plays it. Trees of a team are left out.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from pathlib import Path

from absl import flags
from tqdm import tqdm

from bt_policies.measuring.evaluation import Evaluation, Policy, Trial, evaluate, trials
from bt_policies.trees.dsl import format_tree
from bt_policies.trees.files import TREES, read_tree
from bt_policies.trees.mixtures import Mixture, Part, shares
from bt_policies.trees.vocabularies import vocabulary_of
from bt_policies.trees.vocabulary import Vocabulary
from runs import cli
from runs.executors import make_executor
from runs.tables import text_table

_OTHER_GAMES = 1_000_003


def fitting_trees(folder: str | Path, vocabulary: Vocabulary) -> dict[str, str]:
    """The texts of the trees in a folder that are of the vocabulary, by name.

    Raises:
      ValueError: there is none.
    """
    found: dict[str, str] = {}
    paths = sorted(path for path in Path(folder).glob("*") if path.suffix in (".bt", ".json"))
    faults = []
    for path in paths:
        try:
            found[path.stem] = format_tree(read_tree(path, vocabulary)[0])
        except ValueError as error:
            faults.append(str(error))
    if not found:
        raise ValueError(
            f"trees {folder}: expected a .bt or .json file with a tree for {vocabulary.game}, "
            f"found none among {len(paths)} files" + (f" ({faults[0]})" if faults else "")
        )
    return found


def measure(
    trees: Mapping[str, str],
    listed: Sequence[Trial],
    executor: Executor,
    progress: Callable[[int], None] = lambda done: None,
) -> dict[str, Evaluation]:
    """Each tree in the same games."""
    found = {}
    for number, (name, text) in enumerate(trees.items()):
        found[name] = evaluate(
            Policy((text,)),
            listed,
            executor,
            progress=lambda done, number=number: progress(number * len(listed) + done),
        )
    return found


def play_mixture(
    mixture: Mixture,
    listed: Sequence[Trial],
    executor: Executor,
    progress: Callable[[int], None] = lambda done: None,
) -> Evaluation:
    """A mixture in games, each played by the tree that its seed draws."""
    figures, done = {}, 0
    for part in mixture.parts:
        chosen = [index for index, trial in enumerate(listed) if mixture.draw(trial.seed) == part]
        found = evaluate(
            Policy((part.tree,)),
            [listed[index] for index in chosen],
            executor,
            progress=lambda more, done=done: progress(done + more),
        )
        figures |= zip(chosen, found.figures)
        done += len(chosen)
    return Evaluation([figures[index] for index in range(len(listed))])


def main() -> None:
    """The command; see the module's docstring."""
    F = flags.FLAGS
    output = None if F.output is None else cli.check_output(F.output, "output")
    record = None if F.json is None else cli.check_output(F.json, "json")
    vocabulary = vocabulary_of(F.game)
    trees = fitting_trees(F.trees, vocabulary)
    first, second = (
        trials(F.game, F.games, seed, opponents=F.opponent) for seed in (F.seed, F.seed + _OTHER_GAMES)
    )
    with (
        make_executor(F.executor) as executor,
        tqdm(total=(len(trees) + 1) * F.games, unit="game", file=sys.stderr) as bar,
    ):
        found = measure(trees, first, executor, lambda done: bar.update(done - bar.n))
        scores = {name: one.value("score") for name, one in found.items()}
        chosen = shares(scores, F.target)
        mixture = Mixture(
            vocabulary.game, tuple(Part(name, trees[name], share) for name, share in chosen.items())
        )
        if output is not None:
            cli.write_text(output, mixture.to_json())
        played = play_mixture(
            mixture, second, executor, lambda done: bar.update(len(trees) * F.games + done - bar.n)
        )
    rows = [["tree", "score", "95 % interval", "share of matches"]]
    for name, one in sorted(found.items(), key=lambda entry: scores[entry[0]]):
        rows.append([name, f"{100 * scores[name]:.1f} %", _ends(one), f"{chosen.get(name, 0):.2f}"])
    expected = sum(scores[name] * share for name, share in chosen.items())
    print(text_table(rows))
    print(
        f"\ntarget {100 * F.target:.1f} %, expected {100 * expected:.1f} %, in {F.games} other games "
        f"{100 * played.value('score'):.1f} % ({_ends(played)})"
    )
    if abs(expected - F.target) > 1e-9:
        print(
            f"no tree reaches the target against {F.opponent or 'the default opponent'}; the nearest one "
            "plays alone",
            file=sys.stderr,
        )
    if record is not None:
        cli.write_text(
            record,
            json.dumps(
                {
                    "game": F.game,
                    "opponent": F.opponent,
                    "games": F.games,
                    "seed": F.seed,
                    "target": F.target,
                    "expected": expected,
                    "score": played.value("score"),
                    "interval": played.interval("score"),
                    "scores": scores,
                    "shares": chosen,
                },
                indent=1,
            )
            + "\n",
        )


def _ends(found: Evaluation) -> str:
    ends = found.interval("score")
    return "-" if ends is None else f"{100 * ends[0]:.1f} to {100 * ends[1]:.1f} %"


if __name__ == "__main__":
    flags.DEFINE_float("target", 0.5, "Mean score that the trees are to reach.", lower_bound=0, upper_bound=1)
    flags.DEFINE_string("trees", str(TREES), "Folder of trees.")
    flags.DEFINE_string("game", "fps_arena", "Game string; what it leaves out is drawn.")
    flags.DEFINE_string("opponent", "", "weak, medium, strong or a tree (fps_arena), or a bot.")
    flags.DEFINE_integer("games", 100, "Games for each tree, and for the check.", lower_bound=2)
    flags.DEFINE_integer("seed", 0, "Of the games.", lower_bound=0)
    flags.DEFINE_string("executor", "inline", "Where matches run: inline, processes:N or dask:ADDRESS.")
    flags.DEFINE_string("output", None, "File for the mixture.")
    flags.DEFINE_string("json", None, "File for all figures.")
    cli.run(main)
