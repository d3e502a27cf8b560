"""The old name of `games.seeing.rulebook`."""

from runs.doors import open_door

open_door(__name__, "games.seeing.rulebook")
