"""Old names of modules that are in `games.seeing` now; see `runs.doors`."""
