"""Old names of modules that are in `runs` now; see `runs.doors`."""
