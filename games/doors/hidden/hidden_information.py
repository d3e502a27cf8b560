"""The old name of `games.hidden.hidden_information`."""

from runs.doors import open_door

open_door(__name__, "games.hidden.hidden_information")
