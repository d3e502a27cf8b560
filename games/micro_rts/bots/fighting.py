"""What a single fighter decides: whom to hit, and where not to go.

Scripts and skills share it. Fighters pick targets that will still be there when the blow falls and that no other
unit kills already, and keep out of reach of a stronger group.
"""

from __future__ import annotations

from games.micro_rts.bots.turn import Turn
from games.micro_rts.rules import orders
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.legal import in_range
from games.micro_rts.rules.orders import ATTACK, MOVE
from games.micro_rts.rules.units import Unit

_VALUE = (0, 6, 5, 2, 4, 6, 5)
"""The worth of a target by type, other things being equal."""
_WANTED = 12
"""The worth that a target has more than others for being of the type that was asked for."""
_SUPPORT = 2
"""The number of cells within which units count as standing together."""


def strike(turn: Turn, unit: Unit, wanted: int = -1) -> bool:
    """Attacks the best target in range, one of the type `wanted` before others; False where none is worth it."""
    state, kind = turn.state, turn.state.kind(unit)
    best, best_worth = None, 0.0
    for enemy in turn.enemies:
        if in_range(state, unit, enemy.cell) and stays(state, enemy, kind.attack_time):
            left = enemy.hp - coming(turn, enemy.cell)
            worth = _VALUE[enemy.type] + (6 if left <= kind.damage[1] else 0)
            if enemy.type == wanted:
                worth += _WANTED
            if left <= 0:
                worth = 0.5
            if worth > best_worth:
                best, best_worth = enemy, worth
    if best is None:
        return False
    turn.give(unit, orders.attack(best.cell))
    return True


def stays(state: State, unit: Unit, ticks: int) -> bool:
    """Says whether a blow that falls `ticks` ticks from now finds the unit where it is."""
    job = state.jobs.get(unit.id)
    return job is None or job.order.kind != MOVE or job.due > state.clock + ticks


def coming(turn: Turn, cell: int) -> int:
    """Returns the damage that own attacks under way or listed will do on a cell."""
    state, total = turn.state, 0
    for unit_id, job in state.jobs.items():
        if job.order.kind == ATTACK and job.order.arg == cell and (state.units[unit_id].player == turn.player):
            total += state.kind(state.units[unit_id]).damage[0]
    for unit_id, order in turn.listed:
        if order.kind == ATTACK and order.arg == cell:
            total += state.kind(state.units[unit_id]).damage[0]
    return total


def outnumbered(turn: Turn, unit: Unit, cell: int) -> bool:
    """Says whether a step to the cell leads within reach of fighters stronger than those around."""
    state = turn.state
    positions = state.map.positions
    x, y = positions[cell]
    threatened, theirs, ours = False, 0, 0
    for other in state.units.values():
        kind = state.kind(other)
        if not kind.range or other.id == unit.id:
            continue
        job = state.jobs.get(other.id)
        other_x, other_y = positions[job.cell if job and job.order.kind == MOVE else other.cell]
        away = abs(other_x - x) + abs(other_y - y)
        if other.player == unit.player:
            ours += strength(state, other) if away <= _SUPPORT + 1 else 0
        elif away <= _SUPPORT + kind.range:
            busy = job.due - state.clock if job and job.order.kind != MOVE else 0
            if busy < state.kind(unit).move_time + state.kind(unit).attack_time:
                theirs += strength(state, other)
                threatened |= (other_x - x) ** 2 + (other_y - y) ** 2 <= kind.range**2
    return threatened and theirs > ours + strength(state, unit)


def strength(state: State, unit: Unit) -> int:
    """Returns the worth of a fighter in a fight: hit points by damage; ranged units twice that."""
    kind = state.kind(unit)
    return unit.hp * kind.damage[1] * (2 if kind.range > 1 else 1)
