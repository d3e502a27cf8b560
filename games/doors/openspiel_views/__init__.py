"""Old names of modules that are in `games.openspiel_views` now; see `runs.doors`."""
