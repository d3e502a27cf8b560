"""Old names of modules of `games`; see `runs.doors`."""
