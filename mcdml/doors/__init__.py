"""Old names of modules of `mcdml`; see `runs.doors`."""
