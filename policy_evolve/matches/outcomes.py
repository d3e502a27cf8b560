"""A match between two programs, before and after it was played."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from policy_evolve.policies.program import Program


@dataclass(frozen=True)
class Pairing:
    """A match to be played: the programs by seat, and the match's seed."""

    seats: tuple[Program, Program]
    seed: int

    @property
    def key(self) -> str:
        return f"{self.seats[0].digest} {self.seats[1].digest} {self.seed}"

    def describe(self) -> str:
        """Returns the match in words, for messages."""
        return f"the match of {self.seats[0].name} and {self.seats[1].name} with seed {self.seed}"


@dataclass(frozen=True)
class Outcome:
    """A match that was played.

    Attributes:
      returns: by seat.
      players, actions: those of each move, -1 for chance; moves made at once follow each other.
      opening: how many of the moves are the random opening.
      forfeit: (seat, kind, reason), or None.
    """

    returns: tuple[float, float]
    players: tuple[int, ...]
    actions: tuple[int, ...]
    opening: int
    forfeit: tuple[int, str, str] | None

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Outcome:
        forfeit = value["forfeit"]
        return cls(
            tuple(value["returns"]),
            tuple(value["players"]),
            tuple(value["actions"]),
            value["opening"],
            None if forfeit is None else tuple(forfeit),
        )

    def score(self, seat: int) -> float:
        """Returns 1 where `seat` has the higher return, 0 for the lower, 0.5 for equal ones."""
        own, other = self.returns[seat], self.returns[1 - seat]
        return 0.5 if own == other else float(own > other)
