"""Old names of modules that are in `bt_policies.writing` now; see `runs.doors`."""
