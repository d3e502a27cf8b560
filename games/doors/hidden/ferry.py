"""The old name of `games.hidden.ferry`."""

from runs.doors import open_door

open_door(__name__, "games.hidden.ferry")
