"""The rules of a game of hidden information: parameters, dynamics, names, and views of the players."""

from __future__ import annotations

import abc
import dataclasses
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from games.hidden import posterior
from games.hidden.dynamics import Dynamics, Position, Random

NUM_PLAYERS = 2


@dataclasses.dataclass(frozen=True)
class Rules(Dynamics):
    """The rules of one game; a subclass is a frozen dataclass whose fields are its parameters.

    A subclass also has these attributes, constant or as properties:

    Attributes:
      num_actions: actions of the players are numbered from 0 to this, exclusive.
      num_outcomes: the same for the outcomes of chance.
      utilities: the least and the greatest return of a player.
      max_decisions: the most decisions that the players make in one game.
      max_chance_nodes: the most outcomes of chance in one game.
      num_events: events are numbered from 0 to this, exclusive.
      max_events: the most events that one player notices in one game.
      pieces: name and shape of each piece of the observation tensor.
    """

    zero_sum: ClassVar[bool] = True
    memory_tensor: ClassVar[bool] = True
    """Whether there is an information state tensor; long games do without."""

    num_actions: ClassVar[int]
    num_outcomes: ClassVar[int]
    utilities: ClassVar[tuple[float, float]]
    max_decisions: ClassVar[int]
    max_chance_nodes: ClassVar[int]
    num_events: ClassVar[int]
    max_events: ClassVar[int]
    pieces: ClassVar[dict[str, tuple[int, ...]]]

    @abc.abstractmethod
    def returns(self, position: Position) -> list[float]:
        """Returns the winnings of each player; zeros before the end."""

    @abc.abstractmethod
    def action_name(self, action: int) -> str:
        """Returns the name of a player's action."""

    @abc.abstractmethod
    def outcome_name(self, outcome: int) -> str:
        """Returns the name of an outcome of chance."""

    @abc.abstractmethod
    def event_name(self, event: int) -> str:
        """Returns the event in words."""

    @abc.abstractmethod
    def seen(self, position: Position, player: int) -> dict[str, Any]:
        """Returns the view that `player` has of the position, as JSON-able data."""

    @abc.abstractmethod
    def write(self, position: Position, player: int, pieces: dict[str, np.ndarray]) -> None:
        """Writes the content of `seen` into `pieces`, arrays of zeros of the shapes of `self.pieces`."""

    def __reduce__(self):
        # Without what a subclass has cached in the instance.
        return type(self), tuple(getattr(self, field.name) for field in dataclasses.fields(self))

    def resample(self, history: Sequence[int], memory: tuple[int, ...], player: int, rng: Random) -> list[int]:
        """Returns a history that `player` cannot tell from `history`; see `games.hidden.posterior`.

        Its probability is the exact posterior one where all others play uniformly at random. The part of
        `history` that `player` does not know must not be used.
        """
        return posterior.sample(self, memory, player, len(history), rng)
