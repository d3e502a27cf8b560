"""The old name of `games.hidden.player_observer`."""

from runs.doors import open_door

open_door(__name__, "games.hidden.player_observer")
