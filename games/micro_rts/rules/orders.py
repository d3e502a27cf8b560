"""Orders to units: small immutable tuples, equal where the engine takes them for equal.

>>> from games.micro_rts.rules.unit_tables import WORKER
>>> produce(UP, WORKER)
Order(kind=4, arg=0, type=3)
>>> describe(attack(9), width=8)
'attack (1, 1)'
"""

from __future__ import annotations

from typing import NamedTuple

from games.micro_rts.rules.unit_tables import NAMES, UnitType

WAIT, MOVE, HARVEST, RETURN, PRODUCE, ATTACK = range(6)
KINDS = ("wait", "move", "harvest", "return", "produce", "attack")
UP, RIGHT, DOWN, LEFT = range(4)
DIRECTIONS = ("up", "right", "down", "left")
OFFSETS = ((0, -1), (1, 0), (0, 1), (-1, 0))
"""Direction -> (dx, dy); x grows to the right and y downwards."""
DEFAULT_WAIT = 10
"""The number of ticks of the wait that legal lists offer."""


class Order(NamedTuple):
    """An order to a unit; make one with the functions below.

    Attributes:
      kind: WAIT, MOVE, HARVEST, RETURN, PRODUCE or ATTACK.
      arg: ticks of a wait, the target's cell of an attack (-1: off the board), else the direction.
      type: the type that is produced; -1 for other kinds.
    """

    kind: int
    arg: int
    type: int = -1


_DIRECTED = {kind: tuple(Order(kind, direction) for direction in range(4)) for kind in (MOVE, HARVEST, RETURN)}
MOVES = _DIRECTED[MOVE]
"""The moves by direction."""
PRODUCES = tuple(tuple(Order(PRODUCE, direction, kind) for direction in range(4)) for kind in range(7))
"""The orders that produce a type, by type and direction."""
_DEFAULT_WAIT = Order(WAIT, DEFAULT_WAIT)


def wait(ticks: int = DEFAULT_WAIT) -> Order:
    """Returns the order to do nothing for `ticks` ticks; fewer than 1 count as 1."""
    return _DEFAULT_WAIT if ticks == DEFAULT_WAIT else Order(WAIT, ticks)


def move(direction: int) -> Order:
    """Returns the order to go to the neighbouring cell in this direction (UP, RIGHT, DOWN, LEFT)."""
    return _DIRECTED[MOVE][direction]


def harvest(direction: int) -> Order:
    """Returns the order to take one unit of the resource in this direction."""
    return _DIRECTED[HARVEST][direction]


def deliver(direction: int) -> Order:
    """Returns the order to bring the load to the base in this direction."""
    return _DIRECTED[RETURN][direction]


def produce(direction: int, unit_type: int) -> Order:
    """Returns the order to make a unit of this type on the neighbouring cell in this direction."""
    return PRODUCES[unit_type][direction]


def attack(cell: int) -> Order:
    """Returns the order to hit whatever will be on this cell."""
    return Order(ATTACK, cell)


def duration(order: Order, actor: UnitType, table: tuple[UnitType, ...]) -> int:
    """Returns the ticks that the order takes a unit of type `actor`, whether or not that type can do it."""
    kind = order.kind
    if kind in (MOVE, RETURN):
        return actor.move_time
    if kind == ATTACK:
        return actor.attack_time
    if kind == HARVEST:
        return actor.harvest_time
    if kind == PRODUCE:
        return table[order.type].build_time
    return max(order.arg, 1)


def describe(order: Order, width: int) -> str:
    """Returns the order in words, on a board of this width in cells: "move up", "attack (3, 2)"."""
    if order.kind == WAIT:
        return f"wait {order.arg}"
    if order.kind == ATTACK:
        return f"attack ({order.arg % width}, {order.arg // width})" if order.arg >= 0 else "attack nowhere"
    if order.kind == PRODUCE:
        return f"produce {NAMES[order.type]} {DIRECTIONS[order.arg]}"
    return f"{KINDS[order.kind]} {DIRECTIONS[order.arg]}"
