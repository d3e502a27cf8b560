"""The rules of `fps_arena`: parameters, map, soldiers, ticks."""

from runs.doors import handed_on

# The name of a module once, which had the parameters.
__getattr__ = handed_on(__name__, "games.fps_arena.rules.parameters")
