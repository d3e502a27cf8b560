"""Fights settled by rehearsal: the orders of units in contact are improved one unit at a time.

For each free unit near an enemy, each of its orders is tried on a copy of the game in which everybody brawls for a
while: hits who is in range, and else goes for the nearest enemy. The best one is kept, and the next unit is tried
with it. (Portfolio greedy search of Churchill and Buro, Portfolio Greedy Search and Simulation for Large-Scale Combat
in StarCraft, CIG 2013, section III, with single orders in place of scripts.)
"""

from __future__ import annotations

from collections.abc import Sequence

from games.micro_rts.bots import fighting
from games.micro_rts.rules import orders
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.legal import in_range
from games.micro_rts.rules.orders import ATTACK, MOVE, PRODUCE, Order
from games.micro_rts.rules.units import EMPTY, Unit

CONTACT = 4
"""The number of steps to an enemy within which a unit is in contact."""
HORIZON = 40
"""The number of ticks that a brawl is played for."""
_IDLE = 5
_MARGIN = 0.4
"""The worth by which another order must be better than the one that was meant."""

Listed = list[tuple[int, Order]]


def improved(state: State, player: int, listed: Listed) -> Listed:
    """Returns the player's orders of a tick with those of units in contact improved.

    Args:
      state: the state that the orders are for; it is not changed.
      player: whose.
      listed: the orders that are meant; free units that it leaves out stay free.
    """
    given = dict(listed)
    enemies = state.units_of(1 - player)
    contacts = [
        unit
        for unit in state.free_units(player)
        if state.table[unit.type].can_move
        and any(state.map.steps(unit.cell, enemy.cell) <= CONTACT for enemy in enemies)
    ]
    if not contacts:
        return listed
    answer = brawl(state, 1 - player)
    for unit in contacts:
        meant = given.pop(unit.id, None)
        claimed = _claimed(state, given)
        best, best_worth = meant, _rehearsed(state, player, given, unit, meant, answer) + _MARGIN
        # To stay free comes last: a hit or step that is as good a tick later would be put off for ever.
        for order in (*state.legal_orders(unit), None):
            into_claimed = (
                order is not None
                and order.kind == MOVE
                and state.map.neighbours[unit.cell][order.arg] in claimed
            )
            if order == meant or into_claimed or (order is not None and order.kind not in (ATTACK, MOVE)):
                continue
            worth = _rehearsed(state, player, given, unit, order, answer)
            if worth > best_worth:
                best, best_worth = order, worth
        if best is not None:
            given[unit.id] = best
    return list(given.items())


def _claimed(state: State, given: dict[int, Order]) -> set[int]:
    """Returns the cells that running jobs and these orders will occupy."""
    claimed = {job.cell for job in state.jobs.values() if job.cell >= 0}
    for unit, order in given.items():
        if order.kind in (MOVE, PRODUCE):
            claimed.add(state.map.neighbours[state.units[unit].cell][order.arg])
    return claimed


def brawl(state: State, player: int) -> Listed:
    """Returns orders for the player's free units: hit who is in range, else go for the nearest enemy in contact,
    else wait."""
    enemies = [unit for unit in state.units.values() if unit.player == 1 - player]
    claimed = _claimed(state, {})
    return [
        (unit.id, _hit(state, unit, enemies) or _advance(state, unit, enemies, claimed) or orders.wait(_IDLE))
        for unit in state.free_units(player)
    ]


def _hit(state: State, unit: Unit, enemies: Sequence[Unit]) -> Order | None:
    kind = state.table[unit.type]
    if not kind.range:
        return None
    targets = [
        enemy
        for enemy in enemies
        if in_range(state, unit, enemy.cell) and fighting.stays(state, enemy, kind.attack_time)
    ]
    return orders.attack(min(targets, key=lambda enemy: enemy.hp).cell) if targets else None


def _advance(state: State, unit: Unit, enemies: Sequence[Unit], claimed: set[int]) -> Order | None:
    if not (state.table[unit.type].range and enemies):
        return None
    goal = min(enemies, key=lambda enemy: state.map.steps(unit.cell, enemy.cell)).cell
    steps = state.map.steps(unit.cell, goal)
    if steps > (2 if unit.carried else CONTACT):
        return None
    for direction, cell in enumerate(state.map.neighbours[unit.cell]):
        if state.at[cell] == EMPTY and cell not in claimed and state.map.steps(cell, goal) < steps:
            claimed.add(cell)
            return orders.move(direction)
    return None


def _rehearsed(
    state: State, player: int, given: dict[int, Order], unit: Unit, order: Order | None, answer: Listed
) -> float:
    """Returns the worth of an order for the unit beside the orders given: the sum of those after half of the horizon
    and after all of it, so that what comes sooner counts more."""
    copy, end, half = state.clone(), state.clock + HORIZON, state.clock + HORIZON // 2
    own = [*given.items(), (unit.id, orders.wait(1) if order is None else order)]
    copy.issue(0, own if player == 0 else answer)
    copy.issue(1, answer if player == 0 else own)
    copy.advance()
    halfway = None
    while not copy.over and copy.clock < end:
        if halfway is None and copy.clock >= half:
            halfway = _worth(copy, player)
        # Both decide before either's orders stand, as in the game.
        first, second = brawl(copy, 0), brawl(copy, 1)
        copy.issue(0, first)
        copy.issue(1, second)
        copy.advance_idle(end)
    total = _worth(copy, player)
    return total + (total if halfway is None else halfway)


def _worth(state: State, player: int) -> float:
    """Returns the worth of the player's units less that of the opponent's: cost, more than half of it by the share of
    hit points that is left."""
    total = 0.0
    for unit in state.units.values():
        if unit.player >= 0:
            kind = state.table[unit.type]
            worth = kind.cost * (0.4 + 0.6 * unit.hp / kind.hp)
            total += worth if unit.player == player else -worth
    return total
