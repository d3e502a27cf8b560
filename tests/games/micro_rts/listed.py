"""What every list of orders of one tick must fulfil."""

from __future__ import annotations

from games.micro_rts.rules.engine import State
from games.micro_rts.rules.legal import is_legal
from games.micro_rts.rules.orders import MOVE, PRODUCE, Order


def check(state: State, player: int, listed: list[tuple[int, Order]]) -> None:
    """Legal orders to free units, one for each, no two of the player's into one cell, nor into one that a job takes."""
    free = {unit.id: unit for unit in state.free_units(player)}
    assert len(dict(listed)) == len(listed)
    assert all(is_legal(state, free[unit], order) for unit, order in listed)
    cells = [job.cell for job in state.jobs.values() if job.cell >= 0]
    cells += [
        state.map.neighbours[free[unit].cell][order.arg]
        for unit, order in listed
        if order.kind in (MOVE, PRODUCE)
    ]
    assert len(set(cells)) == len(cells)
