"""A shooter seen from above, after the games of PORTAL.

The source is Xu et al. 2025, Agents Play Thousands of 3D Video Games.

Two to eight soldiers, in teams or each for itself, on maps generated from a seed: rooms, corridors, caves,
open ground. They see what is in front of them, hear what is near and remember what they saw. All numbers of the
game are parameters of the game string, so that one can make thousands of different games.

`rules.engine` is the game itself, `knowing.observation` the knowledge of one player, `play.match` plays whole
matches between controllers without OpenSpiel, `play.scripted` has three controllers, `drawing` makes mini-maps;
`openspiel.game` is the game in OpenSpiel. The arena's bots for it are in `arena.bots.fps_arena`.
"""

from runs import doors as _doors

__path__ += _doors.folders(__file__)
