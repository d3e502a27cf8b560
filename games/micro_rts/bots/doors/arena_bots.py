"""The old name of `arena.bots.micro_rts`."""

from runs.doors import open_door

open_door(__name__, "arena.bots.micro_rts")
