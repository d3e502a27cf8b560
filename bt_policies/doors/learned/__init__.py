"""Old names of modules that are in `bt_policies.learned` now; see `runs.doors`."""
