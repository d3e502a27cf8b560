"""A match followed move by move, for the histories that bots of world models keep."""

from __future__ import annotations

from collections.abc import Iterator

import pyspiel

from cwm.trust import moves
from cwm.trust.moves import Move


class FollowedMatch:
    """A match that is kept up to date without starting anew, as long as each state goes on from the one before.

    Args:
      game: the game that is played.
    """

    def __init__(self, game: pyspiel.Game):
        self._game = game
        self._restart()

    def _restart(self) -> None:
        """Goes back to the start; what a subclass keeps of the match begins anew here."""
        self._state = self._game.new_initial_state()
        self._actions: list[int] = []

    def _new_moves(self, state: pyspiel.State) -> Iterator[Move]:
        """Yields the moves since the last state, which the caller makes in `_state` (`cwm.trust.moves.apply`)."""
        actions = state.history()
        if actions[: len(self._actions)] != self._actions:
            self._restart()
        yield from moves.grouped(self._state, actions[len(self._actions) :])
        self._actions = actions
