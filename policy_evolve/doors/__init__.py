"""Old names of modules of `policy_evolve`; see `runs.doors`."""
