"""Positions of a game of hidden information, the steps between them, and the events that players notice."""

from __future__ import annotations

import abc
from collections.abc import Callable, Sequence
from typing import Any

import pyspiel

CHANCE, TERMINAL = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)

Position = tuple
"""A nesting of tuples, numbers and strings; equal positions have equal futures."""

Random = Callable[[], float]
"""A source of chance: draws from [0, 1)."""


class Dynamics(abc.ABC):
    """The ways in which a game goes on from each position; all methods are pure functions."""

    @abc.abstractmethod
    def start(self) -> Position:
        """Returns the position before anything has happened."""

    @abc.abstractmethod
    def to_move(self, position: Position) -> int:
        """Returns the player to move, CHANCE or TERMINAL."""

    @abc.abstractmethod
    def legal(self, position: Position) -> Sequence[int]:
        """Returns the actions of the player to move in ascending order; never empty."""

    @abc.abstractmethod
    def chances(self, position: Position) -> Sequence[tuple[int, float]]:
        """Returns the outcomes of chance in ascending order with their probabilities."""

    @abc.abstractmethod
    def after(self, position: Position, action: int) -> Position:
        """Returns the position after an action or an outcome of chance."""

    @abc.abstractmethod
    def noticed(self, position: Position, action: int, after: Position, player: int) -> tuple[int, ...]:
        """Returns the events that `player` notices of the step from `position` to `after`.

        A player's own action must be among them, and also whatever of the step becomes visible in
        `Rules.seen` that does not follow from earlier events.
        """


def replaced(values: tuple, index: int, new: Any) -> tuple:
    """Returns the tuple with another value at one index; a part of a position after a step."""
    return (*values[:index], new, *values[index + 1 :])
