"""Old names of modules of `bt_policies`; see `runs.doors`."""
