"""A controller of `fps_arena` as a bot of OpenSpiel."""

from __future__ import annotations

import pyspiel

from games.fps_arena.knowing.observation import Observation
from games.fps_arena.openspiel.game import FpsArenaGame, FpsArenaState
from games.fps_arena.play.match import Controller
from games.fps_arena.rules.setting import setting_of


class ControllerBot(pyspiel.Bot):
    """A bot that plays a controller's orders; what cannot be done is left out, so that each action is legal."""

    def __init__(self, game: pyspiel.Game, player_id: int, controller: Controller, seed: int) -> None:
        """Raises ValueError for another game than `fps_arena`."""
        super().__init__()
        if not isinstance(game, FpsArenaGame):
            raise ValueError(f"this bot plays fps_arena only, found {game}")
        self._rules, self._player, self._seed = game.rules, player_id, seed
        self._controller = controller
        self._seen: Observation | None = None

    def restart_at(self, state: FpsArenaState) -> None:
        """Starts the controller; with the same seed each time."""
        self._seen = None
        self._controller.start(self._rules, setting_of(self._rules).arena, self._player, self._seed)

    def step(self, state: FpsArenaState) -> int:
        """Returns the action for the player in this state."""
        if self._seen is None:
            self._seen = state.observation(self._player)
        else:
            self._seen.refresh(state.position)
        return self._seen.legal(self._controller.act(self._seen)) if self._seen.alive else 0
