"""Text games: one player, commands in words, points (see `games.text.state`).

Importing this package registers with OpenSpiel `text_adventure`, which needs nothing else, and `jericho`
and `textworld`, which need the extra `text` when they are loaded.
"""

import spielwright_packages  # noqa: F401  (first: binds the names of the suite's packages)

from runs import doors as _doors

__path__ += _doors.folders(__file__)

from games.text import adventure, jericho_game, textworld_game
from games.text.state import Engine, Snapshot, TextGame, TextState, TextView

__all__ = [
    "Engine",
    "Snapshot",
    "TextGame",
    "TextState",
    "TextView",
    "adventure",
    "jericho_game",
    "textworld_game",
]
