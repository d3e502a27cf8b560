"""Old names of modules that are in `games.hidden` now; see `runs.doors`."""
