"""Text games: one player, commands in words, points (see `games.text.state`).

Importing this package registers `text_adventure` with OpenSpiel.
"""
import spielwright_rooms  # noqa: F401  (first: binds the names of the suite's packages)

from games.text import adventure
from games.text.state import Engine, Snapshot, TextGame, TextState, TextView

__all__ = ["Engine", "Snapshot", "TextGame", "TextState", "TextView", "adventure"]
