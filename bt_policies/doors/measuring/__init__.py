"""Old names of modules that are in `bt_policies.measuring` now; see `runs.doors`."""
