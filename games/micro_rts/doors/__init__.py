"""Old names of modules of `games.micro_rts`; see `runs.doors`."""
