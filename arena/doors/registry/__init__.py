"""Old names of modules that are in `arena.registry` now; see `runs.doors`."""
