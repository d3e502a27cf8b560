"""The old name of `games.hidden.hand_of_war`."""

from runs.doors import open_door

open_door(__name__, "games.hidden.hand_of_war")
