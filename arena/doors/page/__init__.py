"""Old names of modules that are in `arena.page` now; see `runs.doors`."""
