"""Units on the board, the jobs that they are doing, and the counts of a player."""

from __future__ import annotations

from typing import NamedTuple

from games.micro_rts.rules.orders import Order

EMPTY, WALL = -1, -2
"""The entries of `State.at` for a cell without a unit, and for one that is a wall or off the board."""


class Unit(NamedTuple):
    """A unit as it is now; never changed, but replaced.

    Attributes:
      id: a number of its own, kept for life.
      type: index into the unit table.
      player: 0, 1, or -1 for nobody.
      cell: x + y * width.
      hp: hit points left.
      carried: resources carried by a worker, or left in a resource field.
    """

    id: int
    type: int
    player: int
    cell: int
    hp: int
    carried: int


class Job(NamedTuple):
    """An order that is being carried out.

    Attributes:
      order: the order; a refused or cancelled one has become a wait.
      issued: the clock when it was issued.
      due: the clock at which it takes effect.
      cell: the cell that it claims; -1 for none.
      cost: the money that it claims.
    """

    order: Order
    issued: int
    due: int
    cell: int
    cost: int


class Tally(NamedTuple):
    """The counts of a player so far, in resources, units and hit points."""

    harvested: int
    spent: int
    produced: int
    damage: int
