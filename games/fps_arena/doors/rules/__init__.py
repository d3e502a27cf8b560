"""Old names of modules that are in `games.fps_arena.rules` now; see `runs.doors`."""
