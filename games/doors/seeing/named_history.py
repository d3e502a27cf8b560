"""The old name of `games.seeing.named_history`."""

from runs.doors import open_door

open_door(__name__, "games.seeing.named_history")
