"""Old names of modules that are in `bt_policies.trees` now; see `runs.doors`."""
