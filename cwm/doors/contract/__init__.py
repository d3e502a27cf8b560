"""Old names of modules that are in `cwm.contract` now; see `runs.doors`."""
