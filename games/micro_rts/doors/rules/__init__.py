"""Old names of modules that are in `games.micro_rts.rules` now; see `runs.doors`."""
