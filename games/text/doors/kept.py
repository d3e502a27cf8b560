"""The old name of `games.text.bounded_cache`."""

from runs.doors import open_door

open_door(__name__, "games.text.bounded_cache")
