"""NaiveMCTS: Monte-Carlo tree search over lists of orders, which naive sampling makes of single ones.

Ontañón, The Combinatorial Multi-Armed Bandit Problem and its Application to Real-Time Strategy Games,
AIIDE 2013, and Combinatorial Multi-Armed Bandits for Real-Time Strategy Games, JAIR 2017 (section 5: naive
sampling; section 6: the search). A list is a *global arm*; an order of one unit in it is a *local arm*.
Either a known list is played again (exploitation), or a new one is put together unit by unit, each
order chosen by the values of all lists that held it (exploration).
"""

from __future__ import annotations

import random
import time

from games.micro_rts.bots.evaluation import advantage
from games.micro_rts.bots.random_biased import random_orders
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.orders import MOVE, PRODUCE, Order

_List = list[tuple[int, Order]]


class NaiveMcts:
    """A script that searches anew in each tick with a free unit.

    Args:
      rng: source of chance for the search and its playouts.
      iterations: playouts for each decision; None where `seconds` limits.
      seconds: time for each decision, at least one playout; None where `iterations` limits.
      horizon: ticks that tree and playout look ahead together.
      max_depth: decisions in the tree.
      e_0: the share of exploration by local arms, epsilon_0 of the paper.
      e_l: epsilon of the local epsilon-greedy choices.
      e_g: epsilon of the global epsilon-greedy choice.

    Raises:
      ValueError: not exactly one of `iterations` and `seconds`, or a value is out of range.
    """

    def __init__(
        self,
        rng: random.Random,
        *,
        iterations: int | None = None,
        seconds: float | None = None,
        horizon: int = 100,
        max_depth: int = 10,
        e_0: float = 0.4,
        e_l: float = 0.3,
        e_g: float = 0.0,
    ):
        if (iterations is None) == (seconds is None):
            raise ValueError(
                "naive MCTS: expected either iterations or milliseconds, found "
                f"{'neither' if iterations is None else 'both'}"
            )
        for name, value in (
            ("iterations", iterations),
            ("milliseconds", seconds),
            ("horizon", horizon),
            ("max_depth", max_depth),
        ):
            if value is not None and value <= 0:
                raise ValueError(f"naive MCTS, {name}: expected more than 0, found {value}")
        for name, value in (("e_0", e_0), ("e_l", e_l), ("e_g", e_g)):
            if not 0 <= value <= 1:
                raise ValueError(f"naive MCTS, {name}: expected 0 to 1, found {value}")
        self._rng = rng
        self._iterations, self._seconds = iterations, seconds
        self._horizon, self._max_depth = horizon, max_depth
        self._epsilons = e_0, e_l, e_g

    def restart(self) -> None:
        pass

    def orders(self, state: State, player: int) -> list[tuple[int, Order]]:
        """Returns the list that was tried most."""
        if not state.free_units(player):
            return []
        root = _Node(state, player, None)
        until = None if self._seconds is None else time.perf_counter() + self._seconds
        played = 0
        while played < self._iterations if until is None else not played or time.perf_counter() < until:
            self._iterate(root, player, state.clock + self._horizon)
            played += 1
        return max(root.arms.values(), key=lambda arm: arm.visits).orders

    def _iterate(self, root: _Node, player: int, end: int) -> None:
        node, way = root, []
        while node.mover >= 0 and len(way) < self._max_depth and node.state.clock < end:
            arm = node.choose(self._rng, *self._epsilons)
            way.append((node, arm))
            if arm.child is None:
                arm.child = node.after(arm.orders, player, end)
                node = arm.child
                break
            node = arm.child
        value = self._playout(node, player, end)
        for node, arm in way:
            node.learn(arm, value if node.mover == player else -value)

    def _playout(self, node: _Node, player: int, end: int) -> float:
        """Returns the value for `player` of playing on at random."""
        state, pending = node.state.clone(), node.pending
        while not state.over and state.clock < end:
            lists = [
                random_orders(state, seat, self._rng) if pending is None or seat == node.mover else pending
                for seat in (0, 1)
            ]
            pending = None
            state.issue(0, lists[0])
            state.issue(1, lists[1])
            state.advance_idle(end)
        return advantage(state, player)


class _Arm:
    """A list of orders, the number of times it was played, the sum of its values, and the node after it."""

    __slots__ = ("orders", "visits", "total", "child")

    def __init__(self, listed: _List):
        self.orders = listed
        self.visits, self.total = 0, 0.0
        self.child: _Node | None = None


class _Node:
    """A moment in which `mover` decides; `pending` is the other player's list of the same tick."""

    __slots__ = ("state", "mover", "pending", "arms", "units")

    def __init__(self, state: State, mover: int, pending: _List | None):
        self.state, self.mover, self.pending = state, mover, pending
        self.arms: dict[tuple[Order, ...], _Arm] = {}
        self.units = (
            [
                (unit, [[order, 0, 0.0] for order in state.legal_orders(unit)])
                for unit in state.free_units(mover)
            ]
            if mover >= 0
            else []
        )

    def after(self, listed: _List, first: int, end: int) -> _Node:
        """Returns the next decision: the other player's in this tick, or that of a later tick, `first`
        first.
        """
        if self.pending is None and self.state.free_units(1 - self.mover):
            return _Node(self.state, 1 - self.mover, listed)
        state = self.state.clone()
        lists = (listed, self.pending or []) if self.mover == 0 else (self.pending or [], listed)
        state.issue(0, lists[0])
        state.issue(1, lists[1])
        state.advance_idle(end)
        movers = [] if state.over else [player for player in (first, 1 - first) if state.free_units(player)]
        return _Node(state, movers[0] if movers else -1, None)

    def choose(self, rng: random.Random, e_0: float, e_l: float, e_g: float) -> _Arm:
        """Returns the list that naive sampling plays next (JAIR 2017, algorithm 2)."""
        if self.arms and rng.random() >= e_0:
            arms = list(self.arms.values())
            if e_g and rng.random() < e_g:
                return rng.choice(arms)
            return max(arms, key=lambda arm: arm.total / arm.visits)
        listed = self._sample(rng, e_l)
        return self.arms.setdefault(tuple(order for _, order in listed), _Arm(listed))

    def _sample(self, rng: random.Random, e_l: float) -> _List:
        """Returns a list put together of local arms that do not clash."""
        state = self.state
        claimed = {job.cell for job in state.jobs.values()}
        money = state.banks[self.mover] - sum(
            job.cost for unit_id, job in state.jobs.items() if state.units[unit_id].player == self.mover
        )
        chosen = {}
        for unit, local in rng.sample(self.units, len(self.units)):
            around = state.map.neighbours[unit.cell]
            fits = [
                entry
                for entry in local
                if not (
                    ((entry[0].kind == MOVE or entry[0].kind == PRODUCE) and around[entry[0].arg] in claimed)
                    or (entry[0].kind == PRODUCE and state.table[entry[0].type].cost > money)
                )
            ]
            if rng.random() < e_l:
                order = fits[int(rng.random() * len(fits))][0]
            else:
                untried = [entry for entry in fits if not entry[1]]
                order = (
                    untried[int(rng.random() * len(untried))]
                    if untried
                    else max(fits, key=lambda entry: entry[2] / entry[1])
                )[0]
            if order.kind in (MOVE, PRODUCE):
                claimed.add(around[order.arg])
                if order.kind == PRODUCE:
                    money -= state.table[order.type].cost
            chosen[unit.id] = order
        return [(unit.id, chosen[unit.id]) for unit, _ in self.units]

    def learn(self, arm: _Arm, value: float) -> None:
        """Counts the value of a list for its mover, for the list and each order in it."""
        arm.visits += 1
        arm.total += value
        for (_, local), (_, order) in zip(self.units, arm.orders):
            for entry in local:
                if entry[0] is order or entry[0] == order:
                    entry[1] += 1
                    entry[2] += value
                    break
