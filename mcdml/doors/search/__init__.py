"""Old names of modules that are in `mcdml.search` now; see `runs.doors`."""
