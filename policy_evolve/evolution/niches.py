"""Quality diversity: the best policy of each style of play (after MAP-Elites, Mouret and Clune 2015).

A style is a cell of a grid over two measures of a policy's matches: the share of steps in which it pushes, and how far
from the centre it is on average.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from policy_evolve.matches.outcomes import Outcome, Pairing
from policy_evolve.policies.program import Program

PUSHES = (0.25, 0.5, 0.75)
"""The bounds between the grid's columns, shares of steps."""
AWAY = (0.25, 0.45, 0.65)
"""The bounds between the grid's rows, shares of the ring's radius."""


@dataclass(frozen=True)
class Elite:
    """The best policy of a cell: its name, and the win rate that it had."""

    program: Program
    win_rate: float


def niche(played: Sequence[tuple[Pairing, Outcome]], program: Program) -> tuple[int, int]:
    """Returns the cell of a policy, from the matches of it whose style is known.

    Raises:
      ValueError: there are none.
    """
    pushes, away = [], []
    for pairing, outcome in played:
        for seat, seated in enumerate(pairing.seats):
            if seated.digest == program.digest and outcome.style is not None:
                pushes.append(outcome.style["pushes"][seat])
                away.append(outcome.style["away"][seat])
    if not pushes:
        raise ValueError(f"niche of {program.name}: expected matches of it with a style, found none")
    return _cell(PUSHES, sum(pushes) / len(pushes)), _cell(AWAY, sum(away) / len(away))


def _cell(bounds: Sequence[float], value: float) -> int:
    return sum(value >= bound for bound in bounds)


class Niches:
    """The elites by cell."""

    def __init__(self) -> None:
        self.elites: dict[tuple[int, int], Elite] = {}

    def place(self, cell: tuple[int, int], program: Program, win_rate: float) -> bool:
        """Lets a policy take its cell if that is empty or held by one with a lower win rate; says whether it did."""
        held = self.elites.get(cell)
        if held is not None and held.win_rate >= win_rate:
            return False
        self.elites[cell] = Elite(program, win_rate)
        return True

    def others(self, programs: Sequence[Program], count: int) -> list[Elite]:
        """Returns up to `count` elites that are none of the programs, the highest win rate first."""
        known = {program.digest for program in programs}
        left = [elite for elite in self.elites.values() if elite.program.digest not in known]
        return sorted(left, key=lambda elite: -elite.win_rate)[:count]
