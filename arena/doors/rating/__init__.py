"""Old names of modules that are in `arena.rating` now; see `runs.doors`."""
