"""Old names of modules that are in `cwm.trust` now; see `runs.doors`."""
