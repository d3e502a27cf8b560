"""Old names of modules of `benchmarks`; see `runs.doors`."""
