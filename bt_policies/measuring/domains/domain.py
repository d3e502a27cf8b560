"""The knowledge of a game that measuring trees needs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from bt_policies.trees.player import TreePlayer


@dataclass(frozen=True)
class Trial:
    """A match to be played.

    Attributes:
      game: with all its parameters.
      side: the team (fps_arena) or the seat of the trees.
      opponent: a strength or a tree (fps_arena), or a bot of the arena, in all other teams or seats.
      seed: the seed of the match.
      family: the family of variants that the game is of; empty where none was asked for.
    """

    game: str
    side: int
    opponent: str
    seed: int
    family: str = ""


class Domain(Protocol):
    """A kind of game.

    Attributes:
      metrics: the names of those by which its matches are measured, in the order of `metrics.METRICS`.
      outputs: the keys of the blackboard in which a tree's choice stands.
      mini_maps: whether matches can be drawn.
      seated: whether the trees' seat is of interest in feedback.
      default_opponent: the default opponent of the trees.
      scripts: names of players other than trees that can be measured in the same matches.
      reference: the tree that a search's rewards are differences from, where nobody names another.
    """

    metrics: tuple[str, ...]
    outputs: tuple[str, ...]
    mini_maps: bool
    seated: bool
    default_opponent: str
    scripts: Sequence[str]
    reference: str

    def complete(
        self, game: str, rng: np.random.Generator, modes: Sequence[str], maps: Sequence[str], family: str = ""
    ) -> str:
        """Returns the game string with what it leaves out drawn at random, where the domain does so.

        Raises:
          ValueError: the domain has no such family of variants.
        """

    def parity(self, game: str) -> float:
        """Returns the score of equal players: one part for each side."""

    def opponent(self, name: str) -> str:
        """Returns the name of an opponent, in its canonical form."""

    def play(
        self, trial: Trial, makers: Sequence[Callable[[int], TreePlayer]], record: bool = False
    ) -> dict[str, Any]:
        """Plays one match with trees; see `bt_policies.measuring.evaluation.play`.

        Args:
          trial: which.
          makers: from a seed to the player of a member of the team, in turn.
          record: whether to keep the match, with `mini_maps`.
        """

    def play_script(self, trial: Trial, name: str) -> dict[str, Any]:
        """Plays one match with a script of the game in the trees' place; as `play`.

        Raises:
          ValueError: the domain has no such script.
        """

    def frozen(self, seen: Any) -> Any:
        """Returns a copy of what a tree saw at one moment that later moments do not change."""
