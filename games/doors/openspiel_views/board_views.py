"""The old name of `games.openspiel_views.board_games`."""

from runs.doors import open_door

open_door(__name__, "games.openspiel_views.board_games")
