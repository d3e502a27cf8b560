"""The old name of `games.hidden.quadranto`."""

from runs.doors import open_door

open_door(__name__, "games.hidden.quadranto")
