"""Old names of modules of `cwm`; see `runs.doors`."""
