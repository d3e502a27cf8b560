"""Old names of modules that are in `arena.store` now; see `runs.doors`."""
