"""`caravan`, a card game of our own: the course of the game, its names and views.

`table` holds the positions and the steps between them; `game` names things, shows them to the players, and
registers the game with OpenSpiel.
"""

from games.hidden.caravan import game  # noqa: F401  (registers it with OpenSpiel)
