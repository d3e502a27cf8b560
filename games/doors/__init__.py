"""Old names of modules that have moved, such as `games.views`; see `runs.doors`.

The folder lies on the search path of `games`, so that these names can be imported as before.
"""
