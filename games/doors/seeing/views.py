"""The old name of `games.seeing.views`."""

from runs.doors import open_door

open_door(__name__, "games.seeing.views")
