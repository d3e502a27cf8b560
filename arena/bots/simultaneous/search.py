"""Monte-Carlo tree search where players choose at once, on any state with the methods of `pyspiel.State` that it uses.

At a node where several players choose, each does so by statistics of its own (decoupled selection), so that none
knows what another one does. Two rules:

    uct               each player's UCB1 on its own actions (decoupled UCT). The move is a sample of the visits. It
                      need not converge to an equilibrium (Shafiei, Sturtevant and Schaeffer 2009): in symmetric
                      games both players explore at the same times, and may settle on a dominated action.
    regret_matching   each player's regret matching (Hart and Mas-Colell 2000) on the mean values of joint actions.
                      The move is a sample of the average strategy, which converges in zero-sum games of one step.

Source: M. Tak, M. Lanctot, M. Winands, Monte Carlo tree search variants for simultaneous move games, CIG 2014,
sections III.A and III.D; V. Lisy, V. Kovarik, M. Lanctot, B. Bosansky, Convergence of Monte Carlo tree search in
simultaneous move games, NIPS 2013.

The world models' workers run this very file on the states of a model (`cwm.worker.simultaneous_driver`): standard
library only, for Python 3.9 and newer. `cwm/worker/native/core/smcts.c` is the same search in C, with the same random
numbers and the same order of floating-point operations: what changes here changes there, too.
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any, Protocol

RULES = ("uct", "regret_matching")
INVALID_ACTION = -1
"""The entry of a player who does not choose in the actions of all, as in OpenSpiel."""


def _added(numbers: Sequence[float]) -> float:
    """Their sum from left to right: `sum` rounds otherwise from Python 3.12 on, and a search is to be one everywhere."""
    total = 0.0
    for number in numbers:
        total += number
    return total


class _Side(Protocol):
    """The statistics of one player at one node; actions are numbered from 0."""

    def choose(self) -> int: ...

    def learn(self, node: _Node, at: int, joint: tuple[int, ...], value: float) -> None:
        """Learns `value`, the player's return after the `joint` choice, in which its own stands at place `at`."""

    def mix(self) -> list[float]:
        """The player's strategy: a probability for each action."""


class _Uct:
    """UCB1; ties, and the order of first visits, are random."""

    def __init__(self, actions: int, rng: random.Random, uct_c: float):
        self._rng = rng
        self._c = uct_c
        self.visits = [0] * actions
        self._totals = [0.0] * actions

    def choose(self) -> int:
        fresh = [index for index, visits in enumerate(self.visits) if not visits]
        if fresh:
            return self._rng.choice(fresh)
        log = math.log(sum(self.visits))
        scores = [
            total / visits + self._c * math.sqrt(log / visits)
            for total, visits in zip(self._totals, self.visits)
        ]
        best = max(scores)
        return self._rng.choice([index for index, score in enumerate(scores) if score == best])

    def learn(self, node: _Node, at: int, joint: tuple[int, ...], value: float) -> None:
        self.visits[joint[at]] += 1
        self._totals[joint[at]] += value

    def mix(self) -> list[float]:
        visits = sum(self.visits)
        return [own / visits for own in self.visits] if visits else [1 / len(self.visits)] * len(self.visits)


class _RegretMatching:
    """Regret matching; at its t-th visit it explores uniformly with probability `exploration` / sqrt(t), so that
    every joint action is met for ever and the share of exploration vanishes."""

    def __init__(self, actions: int, rng: random.Random, exploration: float):
        self._rng = rng
        self._exploration = exploration
        self._visits = 0
        self._regrets = [0.0] * actions
        self._sums = [0.0] * actions

    def _strategy(self) -> list[float]:
        positive = [max(0.0, regret) for regret in self._regrets]
        total = _added(positive)
        return [own / total for own in positive] if total > 0 else [1 / len(self._regrets)] * len(self._regrets)

    def choose(self) -> int:
        self._visits += 1
        strategy = self._strategy()
        for index, share in enumerate(strategy):
            self._sums[index] += share
        if self._rng.random() < self._exploration / math.sqrt(self._visits):
            return self._rng.randrange(len(strategy))
        return self._rng.choices(range(len(strategy)), strategy)[0]

    def learn(self, node: _Node, at: int, joint: tuple[int, ...], value: float) -> None:
        for index in range(len(self._regrets)):
            if index != joint[at]:
                instead = node.mean((*joint[:at], index, *joint[at + 1 :]), at)
                if instead is not None:
                    self._regrets[index] += instead - value

    def mix(self) -> list[float]:
        total = _added(self._sums)
        return [own / total for own in self._sums] if total else [1 / len(self._sums)] * len(self._sums)


class _Node:
    """A decision of one player or of several at once.

    Attributes:
      movers: the players that choose, in the order of seats.
      legal: their actions.
      sides: their statistics.
      children: the nodes below, by the actions (chance included) that lead there.
    """

    def __init__(self, state: Any, make_side):
        if state.is_simultaneous_node():
            self.movers = [player for player in range(state.num_players()) if state.legal_actions(player)]
        else:
            self.movers = [state.current_player()]
        self.legal = [state.legal_actions(player) for player in self.movers]
        self.sides: list[_Side] = [make_side(len(actions)) for actions in self.legal]
        self.children: dict[tuple[int, ...], _Node] = {}
        self._sums: dict[tuple[int, ...], list[float]] = {}
        self._counts: dict[tuple[int, ...], int] = {}

    def mean(self, joint: tuple[int, ...], at: int) -> float | None:
        """The mean return of the mover at place `at` after a joint choice, None before its first visit."""
        count = self._counts.get(joint)
        return self._sums[joint][at] / count if count else None

    def apply(self, state: Any, joint: tuple[int, ...]) -> tuple[int, ...]:
        """Plays a joint choice; returns its actions."""
        actions = tuple(legal[index] for legal, index in zip(self.legal, joint))
        if state.is_simultaneous_node():
            chosen = dict(zip(self.movers, actions))
            state.apply_actions([chosen.get(player, INVALID_ACTION) for player in range(state.num_players())])
        else:
            state.apply_action(actions[0])
        return actions

    def learn(self, joint: tuple[int, ...], returns: Sequence[float]) -> None:
        values = [returns[player] for player in self.movers]
        self._counts[joint] = self._counts.get(joint, 0) + 1
        sums = self._sums.setdefault(joint, [0.0] * len(values))
        for at, value in enumerate(values):
            sums[at] += value
            self.sides[at].learn(self, at, joint, value)


class Search:
    """Tree search with decoupled selection; a new tree for each question.

    Args:
      seed: seed of the search and the rollouts.
      simulations: number of simulations.
      rollouts: random games per leaf, averaged.
      rule: one of `RULES`.
      uct_c: the exploration constant c of UCT, in units of the game's utilities.
      exploration: share of random choices in regret matching, see `_RegretMatching`.
    """

    def __init__(
        self, seed: int, *, simulations: int, rollouts: int, rule: str, uct_c: float, exploration: float
    ):
        self.rng = random.Random(seed)
        self._simulations = simulations
        self._rollouts = rollouts
        self._rule = rule
        self._uct_c = uct_c
        self._exploration = exploration

    def _side(self, actions: int) -> _Side:
        if self._rule == "uct":
            return _Uct(actions, self.rng, self._uct_c)
        return _RegretMatching(actions, self.rng, self._exploration)

    def _sample_chance(self, state: Any) -> int:
        actions, chances = zip(*state.chance_outcomes())
        action = self.rng.choices(actions, chances)[0]
        state.apply_action(action)
        return action

    def _rolled_out(self, leaf: Any) -> list[float]:
        """Mean returns by player of random games from a state."""
        sums = [0.0] * leaf.num_players()
        for _ in range(self._rollouts):
            state = leaf.clone()
            while not state.is_terminal():
                if state.is_chance_node():
                    self._sample_chance(state)
                elif state.is_simultaneous_node():
                    legal = map(state.legal_actions, range(state.num_players()))
                    state.apply_actions([self.rng.choice(own) if own else INVALID_ACTION for own in legal])
                else:
                    state.apply_action(self.rng.choice(state.legal_actions()))
            for player, value in enumerate(state.returns()):
                sums[player] += value / self._rollouts
        return sums

    def _simulate(self, root: _Node, state: Any) -> None:
        node, path = root, []
        while True:
            joint = tuple(side.choose() for side in node.sides)
            path.append((node, joint))
            key = node.apply(state, joint)
            while state.is_chance_node():
                key = (*key, self._sample_chance(state))
            if state.is_terminal():
                returns = state.returns()
                break
            child = node.children.get(key)
            if child is None:
                node.children[key] = _Node(state, self._side)
                returns = self._rolled_out(state)
                break
            node = child
        for node, joint in path:
            node.learn(joint, returns)

    def policy(self, state: Any, player: int) -> dict[int, float]:
        """The strategy of a player who chooses: legal action -> probability. Where it chooses alone that is one
        action."""
        root = _Node(state, self._side)
        for _ in range(self._simulations):
            self._simulate(root, state.clone())
        at = root.movers.index(player)
        mix = dict(zip(root.legal[at], root.sides[at].mix()))
        if len(root.movers) > 1:
            return mix
        best = max(mix, key=mix.get)
        return {action: float(action == best) for action in mix}

    def chosen(self, mix: dict[int, float]) -> int:
        """An action drawn from a strategy."""
        return self.rng.choices(list(mix), list(mix.values()))[0]
