"""Old names of modules of `games.fps_arena`; see `runs.doors`."""
