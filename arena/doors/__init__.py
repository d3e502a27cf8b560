"""Old names of modules of `arena`; see `runs.doors`."""
