"""The old name of `games.seeing.pictures`."""

from runs.doors import open_door

open_door(__name__, "games.seeing.pictures")
