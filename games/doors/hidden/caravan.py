"""The old name of `games.hidden.caravan.game`."""

from runs.doors import open_door

open_door(__name__, "games.hidden.caravan.game")
