"""Old names of modules of `games.text`; see `runs.doors`."""
