"""The history of a match by names."""

from __future__ import annotations

from collections.abc import Sequence

import pyspiel

from games.seeing import views

_PERFECT = pyspiel.GameType.Information.PERFECT_INFORMATION


class NamedHistory:
    """The history of a match by names, kept up to date without starting from the beginning.

    Moves that players make at once are one name: `0: Rock, 1: Paper`, or only the player's own one where
    the others' are not for this player to see.

    Args:
      game: the game that is played.
      player: the player whose history it is: it holds the events that this player notices, and nothing of a
        step that goes unnoticed; None for everything that happens.
    """

    def __init__(self, game: pyspiel.Game, player: int | None = None) -> None:
        self._game = game
        self._player = player
        self._actions: list[int] = []
        self._state = game.new_initial_state()
        self.names: list[str] = []

    def update(self, state: pyspiel.State) -> list[str]:
        """Returns the names of the actions, chance included, that led to `state`."""
        actions = state.history()
        if actions[: len(self._actions)] != self._actions:
            self._actions, self.names = [], []
            self._state = self._game.new_initial_state()
        position = len(self._actions)
        while position < len(actions):
            if self._state.is_simultaneous_node():
                joint = actions[position : position + self._game.num_players()]
                name = self._name_at_once(joint)
                self._state.apply_actions(joint)
                position += len(joint)
            else:
                name = self._name(actions[position])
                self._state.apply_action(actions[position])
                position += 1
            if name is not None:
                self.names.append(name)
        self._actions = actions
        return self.names

    def _name(self, action: int) -> str | None:
        if self._player is None:
            return views.action_name(self._state, action)
        return views.noticed(self._state, action, self._player)

    def _name_at_once(self, joint: Sequence[int]) -> str | None:
        """Returns the name of the noticed part of `joint`, which has INVALID_ACTION for players without a
        choice.
        """
        names = {
            player: views.action_name(self._state, action, player)
            for player, action in enumerate(joint)
            if action != pyspiel.INVALID_ACTION
        }
        if self._player is not None and self._game.get_type().information != _PERFECT:
            return names.get(self._player)
        return ", ".join(f"{player}: {name}" for player, name in names.items())
