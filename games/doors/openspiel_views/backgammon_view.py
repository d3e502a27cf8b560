"""The old name of `games.openspiel_views.backgammon`."""

from runs.doors import open_door

open_door(__name__, "games.openspiel_views.backgammon")
