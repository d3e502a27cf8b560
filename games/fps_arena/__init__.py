"""A shooter seen from above, after the games of PORTAL.

The source is Xu et al. 2025, Agents Play Thousands of 3D Video Games.

Two to eight soldiers, in teams or each for itself, on maps generated from a seed: rooms, corridors, caves,
open ground. They see what is in front of them, hear what is near and remember what they saw. Each parameter
of the game string is a number of the game, so that there are as many games as one likes.

`engine` is the game itself, `observation` what a player knows, `match` plays whole matches between
controllers without OpenSpiel, `scripted` has three of them, `drawing` makes mini-maps; `game` is the game
in OpenSpiel, `bots` are the controllers in the arena.
"""
