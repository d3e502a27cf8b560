"""A match between two programs, before and after it was played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from policy_evolve.policies.program import Program


@dataclass(frozen=True)
class Pairing:
    """A match to be played: the programs by seat, the match's seed, and the name of its start, empty for the game's own."""

    seats: tuple[Program, ...]
    seed: int
    start: str = ""

    @property
    def key(self) -> str:
        digests = " ".join(program.digest for program in self.seats)
        return f"{digests} {self.seed}{self.start and ' ' + self.start}"

    def describe(self) -> str:
        """Returns the match in words, for messages."""
        *others, last = [program.name for program in self.seats]
        return f"the match of {', '.join(others)} and {last} with seed {self.seed}"

    def seats_of(self, program: Program) -> list[int]:
        """Returns the seats in which a program sits; several where the match has copies of it."""
        return [seat for seat, seated in enumerate(self.seats) if seated.digest == program.digest]


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

    returns: tuple[float, ...]
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
        """Returns the mean of `against` over the other seats; of two players 1 for a win, 0.5 for a draw, 0 for a loss."""
        others = [other for other in range(len(self.returns)) if other != seat]
        return sum(self.against(seat, other) for other in others) / len(others)

    def against(self, seat: int, other: int) -> float:
        """Returns 1 where `seat` has a higher return than `other`, 0 for a lower one, 0.5 for equal ones."""
        if self.returns[seat] == self.returns[other]:
            return 0.5
        return float(self.returns[seat] > self.returns[other])
