"""The sign test: whether differences that chance makes as often up as down go up too often."""

from __future__ import annotations

import math
from dataclasses import dataclass

CERTAIN = 1e-6
"""The chance below which it is not believed to be chance."""


@dataclass
class Signs:
    """Counts of differences above and below zero; those of zero do not count."""

    up: int = 0
    down: int = 0

    def add(self, difference: float) -> None:
        """Counts a difference."""
        self.up += difference > 0
        self.down += difference < 0

    def p_value(self) -> float:
        """Returns the chance of at least so many ups where up and down are as likely, exactly."""
        total = self.up + self.down
        return sum(math.comb(total, ups) for ups in range(self.up, total + 1)) / 2**total

    def certain(self) -> bool:
        """Returns whether the differences go up beyond chance."""
        return self.p_value() < CERTAIN
