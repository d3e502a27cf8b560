"""The old name of `games.micro_rts.rules.orders`."""

from runs.doors import open_door

open_door(__name__, "games.micro_rts.rules.orders")
