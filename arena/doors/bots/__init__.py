"""Old names of modules that are in `arena.bots` now; see `runs.doors`."""
