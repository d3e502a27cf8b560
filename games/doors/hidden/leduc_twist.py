"""The old name of `games.hidden.leduc_twist`."""

from runs.doors import open_door

open_door(__name__, "games.hidden.leduc_twist")
