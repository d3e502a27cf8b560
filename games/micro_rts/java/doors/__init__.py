"""Old names of modules of `games.micro_rts.java`; see `runs.doors`."""
