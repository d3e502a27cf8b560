"""Old names of modules that are in `mcdml.asking` now; see `runs.doors`."""
