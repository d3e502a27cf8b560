"""Vanguard: a script of our own that rehearses before it decides.

It knows some plans (`plans.Plan`), which differ in harvesters, workers, barracks, fighters and courage. Every
few ticks it plays each of them on a copy of the game, against models of the opponent, and follows the one that
leaves it best off. The models are the rushes and a plan; each counts by its share of the opponent's orders so
far that it has foretold. Nothing is random.
"""

from __future__ import annotations

from games.micro_rts.bots.evaluation import advantage
from games.micro_rts.bots.plans import Plan, Settings
from games.micro_rts.bots.rushes import BarracksRush, WorkerRush
from games.micro_rts.openspiel.players import Script
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.orders import WAIT, Order
from games.micro_rts.rules.unit_tables import HEAVY, LIGHT, RANGED

PLANS = (
    Settings("workers, careful", 1, 5, 0, LIGHT, 1.0),
    Settings("workers, at once", 1, 99, 0, LIGHT, 0.0),
    Settings("lights, careful", 2, 5, 1, LIGHT, 1.0),
    Settings("lights, early", 2, 3, 1, LIGHT, 1.0),
    Settings("ranged, early", 2, 3, 1, RANGED, 1.0),
    Settings("ranged, careful", 2, 4, 1, RANGED, 1.5),
    Settings("heavies, careful", 2, 5, 1, HEAVY, 1.5),
)
_IDLE = 5
"""The number of ticks for which units without anything to do wait in rehearsals."""
_REHEARSED = 2
"""Number of models, the best first, against which a plan is rehearsed."""
_LONGEST = 400
"""The number of ticks that a rehearsal lasts at most."""
_SHARPNESS = 6
"""The power of a model's share of hits that is its weight."""


class Vanguard:
    """A script that follows the plan that does best in rehearsals.

    Args:
      interval: ticks between rehearsals.
      horizon: ticks that a rehearsal lasts, for each cell of the longer side of the board.
    """

    def __init__(self, interval: int = 50, horizon: int = 30):
        self._interval, self._horizon = interval, horizon
        self._plans = [(Plan(settings), Plan(settings, _IDLE)) for settings in PLANS]
        self._models: list[Script] = [
            WorkerRush(),
            BarracksRush(LIGHT),
            BarracksRush(HEAVY),
            BarracksRush(RANGED),
            Plan(PLANS[0], _IDLE),
        ]
        self.restart()

    def restart(self) -> None:
        self._chosen = self._plans[0][0]
        self._next = 0
        self._before: State | None = None
        self._hits = [1.0] * len(self._models)
        self._asked = 2.0

    def orders(self, state: State, player: int) -> list[tuple[int, Order]]:
        """Returns the list of the plan that is followed now."""
        self._learn(state, 1 - player)
        if state.clock >= self._next:
            self._next = state.clock + self._interval
            weighted = sorted(zip(self._hits, self._models), key=lambda pair: -pair[0])[:_REHEARSED]
            likely = [(model, (hits / self._asked) ** _SHARPNESS) for hits, model in weighted]
            self._chosen, _ = max(
                self._plans,
                key=lambda pair: sum(
                    weight * self._rehearse(state, player, pair[1], model) for model, weight in likely
                ),
            )
        return self._chosen.orders(state, player)

    def _learn(self, state: State, opponent: int) -> None:
        """Compares the opponent's orders since the last call with those that each model would have given."""
        before, self._before = self._before, state.clone()
        if before is None:
            return
        given = {
            unit_id: job.order
            for unit_id, job in state.jobs.items()
            if job.issued == before.clock and job.order.kind != WAIT and state.units[unit_id].player == opponent
        }
        if not given:
            return
        self._asked += len(given)
        for number, model in enumerate(self._models):
            model.restart()
            expected = dict(model.orders(before.clone(), opponent))
            self._hits[number] += sum(expected.get(unit_id) == order for unit_id, order in given.items())

    def _rehearse(self, state: State, player: int, plan: Plan, opponent: Script) -> float:
        """Returns the advantage after playing the plan for a while; a win counts the more the sooner it
        comes.
        """
        opponent.restart()
        state = state.clone()
        start = state.clock
        end = start + min(_LONGEST, self._horizon * max(state.map.width, state.map.height))
        while not state.over and state.clock < end:
            own, other = plan.orders(state, player), opponent.orders(state, 1 - player)
            state.issue(0, own if player == 0 else other)
            state.issue(1, other if player == 0 else own)
            state.advance_idle(end)
        return advantage(state, player) * (2 - (state.clock - start) / (end - start))
