"""Trees chosen or mixed so that an opponent meets a wanted difficulty.

Each tree of a folder that fits the game plays games against the opponent. The tree, or the mixture of two trees
drawn anew for each match, whose mean score is expected to be the target is found, and played in other games.
Trees of a team are left out.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tqdm import tqdm

from bt_policies.measuring.domains.domain import Trial
from bt_policies.measuring.evaluation import Evaluation, Policy, evaluate
from bt_policies.trees.dsl import format_tree
from bt_policies.trees.files import read_tree
from bt_policies.trees.mixtures import Mixture, Part, shares
from bt_policies.trees.vocabulary import Vocabulary
from runs.tables import text_table


def fitting_trees(folder: str | Path, vocabulary: Vocabulary) -> dict[str, str]:
    """Returns the texts of the trees in a folder that are of the vocabulary, by name.

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
    trees: Mapping[str, str], listed: Sequence[Trial], executor: Executor, bar: tqdm | None = None
) -> dict[str, Evaluation]:
    """Returns the evaluations of all trees, each in the same games."""
    return {name: evaluate(Policy((text,)), listed, executor, bar=bar) for name, text in trees.items()}


def play_mixture(
    mixture: Mixture, listed: Sequence[Trial], executor: Executor, bar: tqdm | None = None
) -> Evaluation:
    """Returns the evaluation of a mixture in games, each played by the tree that its seed draws."""
    figures = {}
    for part in mixture.parts:
        chosen = [index for index, trial in enumerate(listed) if mixture.draw(trial.seed) == part]
        found = evaluate(Policy((part.tree,)), [listed[index] for index in chosen], executor, bar=bar)
        figures |= zip(chosen, found.figures)
    return Evaluation([figures[index] for index in range(len(listed))])


@dataclass(frozen=True)
class Found:
    """The result of a search for a difficulty.

    Attributes:
      target: mean score that was wanted, in [0, 1].
      alone: by name, each tree in the first games.
      mixture: the one chosen.
      played: the mixture in the other games.
    """

    target: float
    alone: Mapping[str, Evaluation]
    mixture: Mixture
    played: Evaluation

    @property
    def scores(self) -> dict[str, float]:
        """The mean score of each tree in the first games."""
        return {name: one.value("score") for name, one in self.alone.items()}

    @property
    def shares(self) -> dict[str, float]:
        """The share of matches of each tree of the mixture."""
        return {part.name: part.share for part in self.mixture.parts}

    @property
    def expected(self) -> float:
        """The mean score that the mixture is expected to have, by the first games."""
        return sum(self.scores[name] * share for name, share in self.shares.items())

    def table(self) -> str:
        """Returns the scores of the trees, their 95 % intervals, and their shares of the mixture."""
        rows = [["tree", "score", "95 % interval", "share of matches"]]
        for name, score in sorted(self.scores.items(), key=lambda entry: entry[1]):
            share = f"{self.shares.get(name, 0):.2f}"
            rows.append([name, f"{100 * score:.1f} %", interval_text(self.alone[name]), share])
        return text_table(rows)

    def to_json(self) -> dict[str, Any]:
        """Returns the figures."""
        return {
            "target": self.target,
            "expected": self.expected,
            "score": self.played.value("score"),
            "interval": self.played.interval("score"),
            "scores": self.scores,
            "shares": self.shares,
        }


def choose(trees: Mapping[str, str], alone: Mapping[str, Evaluation], game: str, target: float) -> Mixture:
    """Returns the mixture whose mean score is expected to be the target, or the tree that comes nearest.

    Args:
      trees: texts by name.
      alone: the evaluation of each.
      game: short name.
      target: mean score, in [0, 1].
    """
    chosen = shares({name: one.value("score") for name, one in alone.items()}, target)
    return Mixture(game, tuple(Part(name, trees[name], share) for name, share in chosen.items()))


def interval_text(found: Evaluation) -> str:
    """Returns the 95 % interval of the score in percent, "-" where there is none."""
    ends = found.interval("score")
    return "-" if ends is None else f"{100 * ends[0]:.1f} to {100 * ends[1]:.1f} %"
