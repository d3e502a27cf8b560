"""A script with settings: numbers of workers and buildings, the type of fighter, and courage.

`Plan` is one such script; `vanguard` chooses among several. Compared with the rushes its fighters pick
targets that will still be there when the blow falls and that no other unit kills already, go for enemies
that are busy, and keep out of reach of a stronger group.
"""

from __future__ import annotations

from typing import NamedTuple

from games.micro_rts.bots import fighting
from games.micro_rts.bots.turn import Turn
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.orders import Order
from games.micro_rts.rules.unit_tables import BARRACKS, BASE, HEAVY, LIGHT, RANGED, WORKER
from games.micro_rts.rules.units import Unit

_GUARD = 3
"""A holding army meets enemies that come this near to one of its buildings or harvesters."""


class Settings(NamedTuple):
    """The settings of a plan.

    Attributes:
      name: for reports.
      harvesters: workers that harvest, for each base.
      workers: number of workers to have before anything else; those that do not harvest fight.
      barracks: number of barracks to have.
      fighter: type of unit that barracks make.
      courage: fighters attack while they are at least `courage` times as strong as the enemy's, and else hold
        near their own buildings; 0 attacks always.
    """

    name: str
    harvesters: int
    workers: int
    barracks: int
    fighter: int
    courage: float


class Plan:
    """A script that plays by settings, from the present state alone: it remembers nothing.

    Args:
      settings: the settings of the plan.
      idle: ticks for which units wait that have nothing to do; 0 leaves them free, so that they can act
        in the next tick, which takes more time to play.
    """

    def __init__(self, settings: Settings, idle: int = 0):
        self.settings = settings
        self._idle = idle

    def restart(self) -> None:
        pass

    def orders(self, state: State, player: int) -> list[tuple[int, Order]]:
        """Returns a list for the units that have something to do; the others stay free."""
        turn = Turn(state, player)
        free = turn.free()
        if not free:
            return []
        settings, kinds = self.settings, state.table
        workers = [unit for unit in turn.own if unit.type == WORKER]
        bases = [unit for unit in turn.own if unit.type == BASE]
        harvesters = _harvesters(turn, workers, bases, settings.harvesters)
        made = [
            job.order.type
            for unit_id, job in state.jobs.items()
            if job.cost and state.units[unit_id].player == player
        ]
        barracks = sum(unit.type == BARRACKS for unit in turn.own) + made.count(BARRACKS)
        saving = kinds[BARRACKS].cost if barracks < settings.barracks else 0
        target = turn.nearest(bases[0], turn.enemies) if bases else None
        count = len(workers) + made.count(WORKER)
        for maker in turn.free(BARRACKS):
            turn.train(maker, settings.fighter, target)
        wanted = settings.harvesters * len(bases)
        for base in turn.free(BASE):
            if count < max(wanted, settings.workers) or turn.money > saving + 2:
                count += turn.train(base, WORKER, target)
        force = [
            sum(fighting.strength(state, unit) for unit in units if unit.id not in harvesters)
            for units in (turn.own, turn.enemies)
        ]
        attacks = force[0] >= settings.courage * force[1]
        for unit in turn.free(WORKER, LIGHT, HEAVY, RANGED):
            if fighting.strike(turn, unit):
                continue
            if unit.type == WORKER:
                if (
                    saving
                    and turn.money >= saving
                    and count >= settings.workers
                    and (barracks < settings.barracks)
                ):
                    site = turn.site(unit)
                    if site is not None and turn.build(unit, BARRACKS, site):
                        barracks += 1
                        continue
                if not bases and turn.money >= kinds[BASE].cost:
                    site = turn.site(unit)
                    if site is not None and turn.build(unit, BASE, site):
                        continue
                if unit.id in harvesters and turn.harvest(unit, turn.fields, bases):
                    continue
            self._approach(turn, unit, attacks)
        if self._idle:
            turn.wait_all(self._idle)
        return turn.listed

    def _approach(self, turn: Turn, unit: Unit, attacks: bool) -> None:
        """Takes a step towards the enemy, or home, unless a stronger group is waiting there."""
        if not turn.enemies:
            return
        enemies = turn.enemies
        if not attacks:
            homes = [own for own in turn.own if not turn.state.kind(own).can_move] or [unit]
            enemies = [
                enemy for enemy in enemies if min(turn.distance(enemy, home) for home in homes) <= _GUARD
            ]
            if not enemies:
                nearest = turn.nearest(unit, homes)
                if nearest is not None and turn.distance(unit, nearest) > 2:
                    turn.step(unit, turn.way_beside(unit, [nearest]))
                return
        target = turn.nearest(unit, enemies)
        way = turn.way_in_range(unit, target)
        if way is None or way.direction < 0:
            return
        cell = turn.state.map.neighbours[unit.cell][way.direction]
        if not fighting.outnumbered(turn, unit, cell):
            turn.step(unit, way)


def _harvesters(turn: Turn, workers: list[Unit], bases: list[Unit], wanted: int) -> set[int]:
    """Returns the workers that harvest: those that carry something first, then those nearest to a field."""
    if not bases:
        return set()
    fields = turn.fields

    def price(worker: Unit) -> tuple[int, int]:
        nearest = turn.nearest(worker, fields)
        return (0 if worker.carried else 1, turn.distance(worker, nearest) if nearest else 0)

    if not fields:
        workers = [worker for worker in workers if worker.carried]
    return {worker.id for worker in sorted(workers, key=price)[: wanted * len(bases)]}
