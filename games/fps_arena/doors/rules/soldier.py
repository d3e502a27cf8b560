"""The old name of `games.fps_arena.rules.soldier`."""

from runs.doors import open_door

open_door(__name__, "games.fps_arena.rules.soldier")
