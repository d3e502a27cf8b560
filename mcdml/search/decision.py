"""What a search decides, and why."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from mcdml.asking.tally import SearchTally


class Row(NamedTuple):
    """The findings of a search on one action of the root: Q (0 where it was never taken), prior, visits."""

    action: str
    q: float
    prior: float
    visits: int


@dataclass(frozen=True)
class Decision:
    """The choice of a search, and its reasons.

    Attributes:
      action: the OpenSpiel action.
      name: its name.
      rows: the root's actions; empty where there was no choice.
      depth: decisions that the last tree looked ahead.
      simulations: the number of simulations of the last tree.
      reflections: the cross-trial memory at the end.
      tally: the requests.
    """

    action: int
    name: str
    rows: tuple[Row, ...] = ()
    depth: int = 0
    simulations: int = 0
    reflections: tuple[str, ...] = ()
    tally: SearchTally = field(default_factory=SearchTally)

    def to_json(self) -> dict[str, Any]:
        """Returns all fields by name."""
        return {
            "action": self.name,
            "depth": self.depth,
            "simulations": self.simulations,
            "reflections": list(self.reflections),
            "rows": [row._asdict() for row in self.rows],
            "tally": self.tally.to_json(),
        }
