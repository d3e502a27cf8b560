"""Orders of soldiers as numbers: a move and an act, which are independent of each other.

    action = move * codec.acts + act

A move is 0 to stay or a direction + 1; directions are 0 to 7, from north clockwise. Acts are numbered: GO,
one `look` for each direction, one `switch` for each weapon, RELOAD, one `fire` for each player. The engine
skips what cannot be done.
"""

from __future__ import annotations

from games.fps_arena.rules.weapons import NAMES

DIRECTIONS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""(dx, dy) of each direction; y grows downwards."""

DIRECTION_NAMES = ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")

STAY = 0
MOVES = 1 + len(DIRECTIONS)

GO = 0
"""The act that looks where the soldier goes, and keeps the facing where it stays."""
_LOOK = 1
_SWITCH = _LOOK + len(DIRECTIONS)
RELOAD = _SWITCH + len(NAMES)
FIRE = RELOAD + 1
"""`fire(0)`; all acts from here on are shots."""


def look(direction: int) -> int:
    """Returns the act that turns towards a direction."""
    return _LOOK + direction


def switch(weapon: int) -> int:
    """Returns the act that takes another weapon in hand, a position in `weapons.NAMES`."""
    return _SWITCH + weapon


def fire(player: int) -> int:
    """Returns the act that turns to a visible enemy, all at once, and shoots at it."""
    return FIRE + player


class Codec:
    """The numbers of the orders in a game with a given number of players.

    Attributes:
      acts: number of acts.
      actions: number of orders.
      moves_of, acts_of: the move and the act of each order, as `bytes`.
    """

    def __init__(self, players: int) -> None:
        self.acts = FIRE + players
        self.actions = MOVES * self.acts
        self.moves_of = bytes(action // self.acts for action in range(self.actions))
        self.acts_of = bytes(action % self.acts for action in range(self.actions))

    def order(self, move: int, act: int) -> int:
        """Returns the number of an order."""
        return move * self.acts + act

    def name(self, action: int) -> str:
        """Returns the order in words, such as `north-east, fire at 3` or `stay, reload`."""
        move, act = divmod(action, self.acts)
        where = DIRECTION_NAMES[move - 1] if move else "stay"
        if act == GO:
            return where
        if act < _SWITCH:
            return f"{where}, look {DIRECTION_NAMES[act - _LOOK]}"
        if act < RELOAD:
            return f"{where}, take {NAMES[act - _SWITCH]}"
        return f"{where}, reload" if act == RELOAD else f"{where}, fire at {act - FIRE}"
