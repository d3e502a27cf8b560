"""`gin_twist`, a twin of gin rummy: melds, the course of the game, its names and views.

`melds` arranges hands into sets and runs, `table` holds the positions and the steps between them, and `game`
names things, shows them to the players, and registers the game with OpenSpiel.
"""

from games.hidden.gin import game  # noqa: F401  (registers it with OpenSpiel)
