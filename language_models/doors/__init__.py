"""Old names of modules of `language_models`; see `runs.doors`."""
