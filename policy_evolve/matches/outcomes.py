"""A match between two programs, before and after it was played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from policy_evolve.policies.program import Program


@dataclass(frozen=True)
class Pairing:
    """A match to be played: the programs by seat, the match's seed, and the name of its start, empty for the game's own."""

    seats: tuple[Program, Program]
    seed: int
    start: str = ""

    @property
    def key(self) -> str:
        return f"{self.seats[0].digest} {self.seats[1].digest} {self.seed}{self.start and ' ' + self.start}"

    def describe(self) -> str:
        """Returns the match in words, for messages."""
        return f"the match of {self.seats[0].name} and {self.seats[1].name} with seed {self.seed}"


@dataclass(frozen=True)
class Outcome:
    """A match that was played.

    Attributes:
      returns: by seat.
      players, actions: those of each move, -1 for chance; moves made at once follow each other. Both are empty for a match
        that was played in a batch.
      opening: how many of the moves are the random opening.
      forfeit: (seat, kind, reason), or None.
      style: how both played, of a batch's match without a forfeit, see `wrestle_referee._Match.ended`: `steps`; shares of
        the steps after the opening with a `contact`, and by seat with `pushes`; by seat the mean distance `away` from the
        centre, as a share of the ring's radius.
      course: of a batch's match that was recorded, the joint action of each step, the opening's included.
    """

    returns: tuple[float, float]
    players: tuple[int, ...]
    actions: tuple[int, ...]
    opening: int
    forfeit: tuple[int, str, str] | None
    style: Mapping[str, Any] | None = None
    course: Sequence[Any] | None = None

    @classmethod
    def from_json(cls, value: Mapping[str, Any]) -> Outcome:
        forfeit = value["forfeit"]
        return cls(
            tuple(value["returns"]),
            tuple(value["players"]),
            tuple(value["actions"]),
            value["opening"],
            None if forfeit is None else tuple(forfeit),
            value.get("style"),
            value.get("course"),
        )

    def score(self, seat: int) -> float:
        """Returns 1 where `seat` has the higher return, 0 for the lower, 0.5 for equal ones."""
        own, other = self.returns[seat], self.returns[1 - seat]
        return 0.5 if own == other else float(own > other)
