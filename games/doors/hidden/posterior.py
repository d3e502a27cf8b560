"""The old name of `games.hidden.posterior`."""

from runs.doors import open_door

open_door(__name__, "games.hidden.posterior")
