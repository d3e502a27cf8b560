"""Old names of modules that are in `games.fps_arena.knowing` now; see `runs.doors`."""
