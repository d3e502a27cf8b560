"""Old names of modules that are in `mcdml.agents` now; see `runs.doors`."""
