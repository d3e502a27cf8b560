"""Old names of modules of `games.micro_rts.bots`; see `runs.doors`."""
