"""Old names of modules that are in `cwm.play` now; see `runs.doors`."""
