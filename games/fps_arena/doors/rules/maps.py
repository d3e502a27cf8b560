"""The old name of `games.fps_arena.rules.maps`."""

from runs.doors import open_door

open_door(__name__, "games.fps_arena.rules.maps")
