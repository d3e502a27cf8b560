"""Old names of modules that are in `games.fps_arena.openspiel` now; see `runs.doors`."""
