"""The four rushes of MicroRTS: make one kind of fighter as fast as money allows, and attack at once.

Written from their descriptions (Stanescu et al., Evaluating Real-Time Strategy Game States Using
Convolutional Neural Networks, CIG 2016, section IV; the MicroRTS wiki) and from how they play in
recorded games.
"""

from __future__ import annotations

from games.micro_rts.bots.turn import Turn
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.orders import Order
from games.micro_rts.rules.unit_tables import BARRACKS, BASE, HEAVY, LIGHT, RANGED, WORKER
from games.micro_rts.rules.units import Unit

_FIGHTERS = (LIGHT, HEAVY, RANGED)


class WorkerRush:
    """The worker rush: bases make workers all the time; one of them harvests, all others attack the nearest
    enemy.
    """

    def restart(self) -> None:
        self._harvester = -1

    def orders(self, state: State, player: int) -> list[tuple[int, Order]]:
        """Returns a list with an order for each free unit."""
        turn = Turn(state, player)
        workers = [unit for unit in turn.own if unit.type == WORKER]
        bases = [unit for unit in turn.own if unit.type == BASE]
        if self._harvester not in state.units and workers:
            self._harvester = workers[0].id
        for base in turn.free(BASE):
            turn.train(base, WORKER, turn.nearest(base, turn.fields))
        for unit in turn.free(*_FIGHTERS):
            attack_nearest(turn, unit)
        for unit in turn.free(WORKER):
            if not bases and turn.money >= state.table[BASE].cost:
                build_near(turn, unit, BASE)
            elif unit.id != self._harvester or not turn.harvest(unit, turn.fields, bases):
                attack_nearest(turn, unit)
        turn.wait_all()
        return turn.listed


class BarracksRush:
    """One worker harvests and builds barracks, which make one kind of fighter that attacks at once.

    Args:
      fighter: LIGHT, HEAVY or RANGED.
    """

    def __init__(self, fighter: int):
        self._fighter = fighter

    def restart(self) -> None:
        self._site: int | None = None

    def orders(self, state: State, player: int) -> list[tuple[int, Order]]:
        """Returns a list with an order for each free unit."""
        turn = Turn(state, player)
        workers = [unit for unit in turn.own if unit.type == WORKER]
        bases = [unit for unit in turn.own if unit.type == BASE]
        barracks = [unit for unit in turn.own if unit.type == BARRACKS]
        for base in turn.free(BASE):
            if not workers:
                turn.train(base, WORKER, turn.nearest(base, turn.fields))
        for maker in turn.free(BARRACKS):
            turn.train(maker, self._fighter, turn.nearest(maker, turn.enemies))
        for unit in turn.free(*_FIGHTERS):
            attack_nearest(turn, unit)
        building = {
            job.order.type
            for unit_id, job in state.jobs.items()
            if job.cost and state.units[unit_id].type == WORKER and state.units[unit_id].player == player
        }
        for worker in turn.free(WORKER):
            if not bases and BASE not in building and turn.money >= state.table[BASE].cost:
                build_near(turn, worker, BASE)
            elif not barracks and BARRACKS not in building and turn.money >= state.table[BARRACKS].cost:
                self._build(turn, worker)
                building.add(BARRACKS)
            elif not turn.harvest(worker, turn.fields, bases) and not bases:
                attack_nearest(turn, worker)
        turn.wait_all()
        return turn.listed

    def _build(self, turn: Turn, worker: Unit) -> None:
        """Goes on to the site chosen before, as long as it is free."""
        if self._site is None or not turn.can_enter(self._site):
            self._site = turn.site(worker)
        if self._site is not None:
            turn.build(worker, BARRACKS, self._site)


def attack_nearest(turn: Turn, unit: Unit) -> bool:
    """Attacks the enemy at the least distance, or goes there; False where it cannot."""
    target = turn.nearest(unit, turn.enemies)
    return target is not None and turn.attack(unit, target)


def build_near(turn: Turn, worker: Unit, unit_type: int) -> bool:
    """Builds on a good cell near the worker, or goes there; False where it cannot."""
    site = turn.site(worker)
    return site is not None and turn.build(worker, unit_type, site)
