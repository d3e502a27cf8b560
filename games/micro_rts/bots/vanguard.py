"""Vanguard: a script of our own that rehearses before it decides.

It knows some plans (`plans.Plan`): more or fewer harvesters, barracks or none, what to make, attack or
hold. Every few ticks it plays each of them on a copy of the game against what the opponent may be up to,
and follows the one that leaves it best off. Nothing in it is random.
"""
from __future__ import annotations

from games.micro_rts.bots.evaluation import advantage
from games.micro_rts.bots.plans import Plan, Settings
from games.micro_rts.engine import State
from games.micro_rts.orders import Order
from games.micro_rts.players import Script
from games.micro_rts.unit_tables import HEAVY, LIGHT, RANGED

PLANS = (
    Settings("workers attack", 1, 99, 0, LIGHT, True),
    Settings("workers attack, two harvest", 2, 99, 0, LIGHT, True),
    Settings("workers hold", 2, 99, 0, LIGHT, False),
    Settings("lights attack", 2, 4, 1, LIGHT, True),
    Settings("lights hold", 2, 4, 1, LIGHT, False),
    Settings("ranged attack", 2, 4, 1, RANGED, True),
    Settings("ranged hold", 2, 4, 1, RANGED, False),
    Settings("heavies attack", 2, 4, 1, HEAVY, True),
    Settings("many lights attack", 2, 6, 2, LIGHT, True),
)
_OPPONENTS = (PLANS[0], PLANS[3])


class Vanguard:
    """Follows the plan that does best in rehearsals.

    Args:
        interval: ticks between rehearsals.
        horizon: ticks that a rehearsal lasts, for each cell of the longer side of the board.
    """

    def __init__(self, interval: int = 20, horizon: int = 25):
        self._interval, self._horizon = interval, horizon
        self._plans = [Plan(settings) for settings in PLANS]
        self._opponents: list[Script] = [Plan(settings) for settings in _OPPONENTS]

    def restart(self) -> None:
        self._chosen = self._plans[0]
        self._next = 0

    def orders(self, state: State, player: int) -> list[tuple[int, Order]]:
        """The list of the plan that is followed now."""
        if state.clock >= self._next:
            self._next = state.clock + self._interval
            self._chosen = max(self._plans, key=lambda plan: self._worth(state, player, plan))
        return self._chosen.orders(state, player)

    def _worth(self, state: State, player: int, plan: Plan) -> float:
        return sum(self._rehearse(state, player, plan, opponent) for opponent in self._opponents)

    def _rehearse(self, state: State, player: int, plan: Plan, opponent: Script) -> float:
        """The advantage after playing the plan for a while; a win counts the more the sooner it comes."""
        state = state.clone()
        start = state.clock
        end = start + self._horizon * max(state.map.width, state.map.height)
        while not state.over and state.clock < end:
            own, other = plan.orders(state, player), opponent.orders(state, 1 - player)
            state.issue(0, own if player == 0 else other)
            state.issue(1, other if player == 0 else own)
            state.advance_idle(end)
        return advantage(state, player) * (2 - (state.clock - start) / (end - start))
