"""Old names of modules that are in `cwm.worker` now; see `runs.doors`."""
