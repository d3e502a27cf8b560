"""RandomBiased: a random order for each free unit, attacks, harvests and deliveries five times as likely.

RandomBiasedAI of MicroRTS plays like this: its recorded choices have these odds.
"""

from __future__ import annotations

import random

from games.micro_rts.rules import orders
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.orders import ATTACK, HARVEST, MOVE, PRODUCE, RETURN, Order

BIAS = 5
_WAIT = orders.wait()


class RandomBiased:
    """A random player; a choice that clashes with a claimed cell or money becomes a wait.

    Args:
      rng: source of chance for all choices.
    """

    def __init__(self, rng: random.Random):
        self._rng = rng

    def restart(self) -> None:
        pass

    def orders(self, state: State, player: int) -> list[tuple[int, Order]]:
        """Returns a list of an order for each free unit."""
        return random_orders(state, player, self._rng)


def random_orders(state: State, player: int, rng: random.Random) -> list[tuple[int, Order]]:
    """Returns the list of a random player; playouts of searches call this most of the time."""
    free = state.free_units(player)
    if not free:
        return []
    claimed = {job.cell for job in state.jobs.values()}
    money = max(
        0,
        state.banks[player]
        - sum(
            [
                job.cost
                for unit_id, job in state.jobs.items()
                if job.cost and state.units[unit_id].player == player
            ]
        ),
    )
    neighbours, uniform = state.map.neighbours, rng.random
    listed = []
    for unit in free:
        legal = state.legal_orders(unit)
        # The favoured kinds come first in a legal list.
        favoured = 0
        for order in legal:
            kind = order.kind
            if kind != ATTACK and kind != HARVEST and kind != RETURN:
                break
            favoured += 1
        drawn = int(uniform() * (len(legal) + (BIAS - 1) * favoured))
        order = legal[drawn // BIAS if drawn < BIAS * favoured else drawn - (BIAS - 1) * favoured]
        kind = order.kind
        if kind in (MOVE, PRODUCE):
            cell = neighbours[unit.cell][order.arg]
            cost = state.table[order.type].cost if kind == PRODUCE else 0
            if cell in claimed or cost > money:
                order = _WAIT
            else:
                claimed.add(cell)
                money -= cost
        listed.append((unit.id, order))
    return listed
