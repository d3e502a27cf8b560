"""The distance between the behaviours of trees (PORTAL, section 5, diversity of behaviours).

Two trees look at the same moments, those that one of them met when it played, and the distance is the share
of moments in which they choose differently, averaged over whose moments they are: 0 for equal behaviour
whatever the texts say, 1 for no choice in common. Trees that draw lots differ a little from themselves;
`spread` says how diverse a set is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from bt_policies.measuring.domains.domain import Trial
from bt_policies.measuring.domains.registry import domain_of
from bt_policies.measuring.evaluation import Policy, play
from bt_policies.trees.dsl import Tree, format_tree
from bt_policies.trees.player import TreePlayer
from bt_policies.trees.vocabularies import vocabulary_of


def choices(tree: Tree, game: str, moments: Sequence[Any], seed: int = 0) -> list[tuple[Any, ...]]:
    """Returns the choices of a tree, one at each moment, while its memory goes on from one to the next.

    Args:
      tree: a tree of the game's vocabulary.
      game: its short name or a game string.
      moments: values of the blackboard's key `seen`, in order of time.
      seed: the seed of the tree's chance.
    """
    player = TreePlayer(tree, vocabulary_of(game), seed)
    made = []
    for seen in moments:
        player.tick(seen)
        made.append(tuple(getattr(player.board, name) for name in domain_of(game).outputs))
    return made


def moments_of(trials: Sequence[Trial], policy: Policy, every: int = 1) -> list[Any]:
    """Returns the moments that a tree saw when it played: copies that stay as they are.

    Args:
      trials: matches to play.
      policy: the policy that plays them.
      every: keeps one moment out of this number.
    """
    kept: list[Any] = []
    asked = 0

    def keep(seen: Any) -> None:
        nonlocal asked
        if asked % every == 0:
            kept.append(domain_of(trial.game).frozen(seen))
        asked += 1

    for trial in trials:
        play(trial, policy, watch=keep)
    return kept


def distance(one: Tree, other: Tree, trials: Sequence[Trial], every: int = 5) -> float:
    """Returns the behavioural distance of two trees, in [0, 1]; see the module's docstring.

    Args:
      one, other: trees of the trials' game.
      trials: matches that each of them plays.
      every: compares one moment out of this number.
    """

    def of(moments: Sequence[Any]) -> float:
        pairs = list(zip(choices(one, trials[0].game, moments), choices(other, trials[0].game, moments)))
        return sum(first != second for first, second in pairs) / max(1, len(pairs))

    return sum(of(moments_of(trials, Policy((format_tree(tree),)), every)) for tree in (one, other)) / 2


def spread(
    trees: Sequence[Tree], trials: Sequence[Trial], every: int = 5, progress: Callable[[], None] = lambda: None
) -> tuple[list[list[float]], float | None]:
    """Returns the distances of each two trees as a symmetric matrix, and their mean (None for fewer than two
    trees).
    """
    matrix = [[0.0] * len(trees) for _ in trees]
    found = []
    for row, column in combinations(range(len(trees)), 2):
        matrix[row][column] = matrix[column][row] = distance(trees[row], trees[column], trials, every)
        found.append(matrix[row][column])
        progress()
    return matrix, sum(found) / len(found) if found else None
