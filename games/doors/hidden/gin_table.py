"""The old name of `games.hidden.gin.table`."""

from runs.doors import open_door

open_door(__name__, "games.hidden.gin.table")
