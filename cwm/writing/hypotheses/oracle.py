"""The oracle: what answers how a game really goes on, and counts what it was asked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import pyspiel

from cwm.trust import moves
from cwm.trust.trajectories import Trajectory, continued, from_actions


class Oracle(Protocol):
    """The real game, to be asked for short games.

    Attributes:
      queries: number of games it was asked for.
      plies: number of moves of these games, those of chance included.
    """

    queries: int
    plies: int

    def play(self, names: Sequence[str]) -> Trajectory:
        """The game in which the moves of these names are made from the start, chance's included, which a researcher lays
        as they are wanted. It ends there, or at the first move that cannot be made, in whose place any one is made, so
        that the record tells what could be."""


class GameOracle:
    """An oracle that plays an OpenSpiel game.

    Args:
      game: the ground truth.
    """

    def __init__(self, game: pyspiel.Game):
        self._game = game
        self.queries = self.plies = 0

    def play(self, names: Sequence[str]) -> Trajectory:
        """See `Oracle.play`."""
        trajectory = self._played(names)
        self.queries += 1
        self.plies += len(trajectory.actions)
        return trajectory

    def _played(self, names: Sequence[str]) -> Trajectory:
        state = self._game.new_initial_state()
        for name in names:
            if state.is_terminal():
                break
            try:
                move = moves.from_name(state, name)
            except ValueError:
                moves.apply(state, next(iter(moves.every(state))))
                break
            moves.apply(state, move)
        return from_actions(self._game, state.history())


class RandomGames(GameOracle):
    """A control for `GameOracle`: whatever it is asked for, it plays a random game of as many moves.

    It tells what a search gains by more games of the real game alone, without choosing them.

    Args:
      game: the ground truth.
      seed: seed of the games, which depend on nothing else but their lengths.
    """

    def __init__(self, game: pyspiel.Game, seed: int):
        super().__init__(game)
        self._rng = np.random.default_rng(seed)

    def _played(self, names: Sequence[str]) -> Trajectory:
        """A game of `len(names)` moves drawn uniformly, chance's by their probabilities; a shorter one where it ends sooner."""
        return continued(self._game, (), self._rng, further=len(names))
