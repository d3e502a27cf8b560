"""Old names of modules of `skill_planner`; see `runs.doors`."""
