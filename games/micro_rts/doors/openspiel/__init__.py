"""Old names of modules that are in `games.micro_rts.openspiel` now; see `runs.doors`."""
