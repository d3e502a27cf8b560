"""The legal orders of a unit: the list of them, and a quick test of a single order.

Legal lists look at the present only: they exclude neither cells that other orders have claimed, nor
money that others will spend, nor units that are busy.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from games.micro_rts.rules.maps import Map
from games.micro_rts.rules.orders import (
    ATTACK,
    HARVEST,
    MOVE,
    MOVES,
    PRODUCE,
    PRODUCES,
    RETURN,
    WAIT,
    Order,
    attack,
    deliver,
    harvest,
    wait,
)
from games.micro_rts.rules.unit_tables import RESOURCE, UnitType
from games.micro_rts.rules.units import EMPTY, Unit

_WAIT = wait()


class Position(Protocol):
    """The part of a state that legality depends on; `engine.State` has the same attributes."""

    map: Map
    table: tuple[UnitType, ...]
    units: Mapping[int, Unit]
    at: Sequence[int]
    banks: Sequence[int]


def legal_orders(state: Position, unit: Unit) -> list[Order]:
    """Returns the unit's legal orders in the engine's order: attack, harvest, return, produce, move, wait.

    Waits of all durations are legal; the list holds the one of `DEFAULT_WAIT` ticks.
    """
    kind, at, units = state.table[unit.type], state.at, state.units
    around = state.map.neighbours[unit.cell]
    legal = []
    if kind.range == 1:
        for cell in around:
            if at[cell] >= 0 and units[at[cell]].player == 1 - unit.player:
                legal.append(attack(cell))
    elif kind.range:
        legal += [
            attack(other.cell)
            for other in units.values()
            if other.player == 1 - unit.player and in_range(state, unit, other.cell)
        ]
    if kind.can_harvest:
        for direction, cell in enumerate(around):
            if at[cell] >= 0:
                neighbour = units[at[cell]]
                if unit.carried:
                    if neighbour.player == unit.player and state.table[neighbour.type].stores:
                        legal.append(deliver(direction))
                elif neighbour.type == RESOURCE:
                    legal.append(harvest(direction))
    for product in kind.makes:
        if state.table[product].cost <= state.banks[unit.player]:
            legal += [order for order, cell in zip(PRODUCES[product], around) if at[cell] == EMPTY]
    if kind.can_move:
        legal += [order for order, cell in zip(MOVES, around) if at[cell] == EMPTY]
    legal.append(_WAIT)
    return legal


def in_range(state: Position, unit: Unit, cell: int) -> bool:
    """Says whether the cell is within the unit's range of attack."""
    x, y = state.map.positions[unit.cell]
    other_x, other_y = state.map.positions[cell]
    return (x - other_x) ** 2 + (y - other_y) ** 2 <= state.table[unit.type].range ** 2


def is_legal(state: Position, unit: Unit, order: Order) -> bool:
    """Says whether the order stands in the unit's legal list, or is a wait."""
    kind, does = order.kind, state.table[unit.type]
    if kind == WAIT:
        return True
    if kind == ATTACK:
        target = state.units.get(state.at[order.arg])
        return (
            target is not None
            and does.range > 0
            and target.player == 1 - unit.player
            and in_range(state, unit, target.cell)
        )
    there = state.at[state.map.neighbours[unit.cell][order.arg]]
    if kind == MOVE:
        return does.can_move and there == EMPTY
    if kind == PRODUCE:
        return (
            there == EMPTY
            and order.type in does.makes
            and state.table[order.type].cost <= state.banks[unit.player]
        )
    if not does.can_harvest or there < 0:
        return False
    neighbour = state.units[there]
    if kind == HARVEST:
        return not unit.carried and neighbour.type == RESOURCE
    assert kind == RETURN
    return unit.carried > 0 and neighbour.player == unit.player and state.table[neighbour.type].stores
