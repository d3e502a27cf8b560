"""Old names of modules that are in `games.fps_arena.play` now; see `runs.doors`."""
