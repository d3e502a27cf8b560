"""Old names of modules that are in `cwm.writing` now; see `runs.doors`."""
