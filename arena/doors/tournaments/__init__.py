"""Old names of modules that are in `arena.tournaments` now; see `runs.doors`."""
