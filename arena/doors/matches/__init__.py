"""Old names of modules that are in `arena.matches` now; see `runs.doors`."""
