"""The tree of one search: states, actions, and the values found so far."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pyspiel

from games.seeing import views

SOFTMAX_Q_TEMPERATURE = 10.0


class MeanValue:
    """The value Q as the mean of the returns (the paper)."""

    __slots__ = ("count", "total")

    def __init__(self) -> None:
        self.count, self.total = 0, 0.0

    def add(self, value: float) -> None:
        """Takes one return into account."""
        self.count += 1
        self.total += value

    @property
    def q(self) -> float:
        """The value Q; 0 before the first return."""
        return self.total / self.count if self.count else 0.0


class SoftmaxValue:
    """The value Q as the sum of the returns, weighted by their softmax at temperature 10 (the authors'
    code).
    """

    __slots__ = ("count", "highest", "weights", "weighted")

    def __init__(self) -> None:
        self.count, self.highest, self.weights, self.weighted = 0, -math.inf, 0.0, 0.0

    def add(self, value: float) -> None:
        """Takes one return into account."""
        self.count += 1
        if value > self.highest:  # all weights are relative to the highest return, against overflow
            scale = math.exp((self.highest - value) / SOFTMAX_Q_TEMPERATURE)
            self.weights, self.weighted, self.highest = self.weights * scale, self.weighted * scale, value
        weight = math.exp((value - self.highest) / SOFTMAX_Q_TEMPERATURE)
        self.weights += weight
        self.weighted += weight * value

    @property
    def q(self) -> float:
        """The value Q; 0 before the first return."""
        return self.weighted / self.weights if self.count else 0.0


VALUES: dict[str, Callable[[], MeanValue | SoftmaxValue]] = {"mean": MeanValue, "softmax": SoftmaxValue}


class Node:
    """A state in the tree.

    Attributes:
      state: the state of the game; not changed.
      parent: the node from which it was reached; None for the root.
      came: the OpenSpiel action that led here, and the outcomes of chance after it; empty for the root.
      depth: decisions from the root.
      is_terminal: whether nothing can be done any more.
      player: the player to move.
      names, numbers: the valid actions by name, and their OpenSpiel numbers.
      visits: N(s), the expansion included.
      taken: N(s, a), those under way included, in the order of `names`.
      values: Q(s, a), of finished visits, in the same order.
      prior: over the actions, or None before it is known.
      bonus: a number for each action that is explored like the prior, in the unit of Q, or None (`learning.language_values`).
      version: the version of the cross-trial memory that the prior was asked with; -1 before.
      asked_at: visits at that time.
      spared: the version up to which no reflection is known to concern the state.
      children: by index of the action and outcomes of chance after it, with the rewards on the way.
    """

    __slots__ = (
        "state",
        "parent",
        "came",
        "depth",
        "is_terminal",
        "player",
        "names",
        "numbers",
        "visits",
        "taken",
        "values",
        "prior",
        "bonus",
        "version",
        "asked_at",
        "spared",
        "children",
    )

    def __init__(
        self,
        state: pyspiel.State,
        make_value: Callable[[], MeanValue | SoftmaxValue],
        parent: Node | None = None,
        came: tuple[int, ...] = (),
    ):
        self.state, self.parent, self.came = state, parent, came
        self.depth = 0 if parent is None else parent.depth + 1
        self.player = int(state.current_player())
        by_name = {} if state.is_terminal() else views.actions_by_name(state, self.player)
        self.names, self.numbers = tuple(by_name), tuple(by_name.values())
        self.is_terminal = not by_name
        self.visits = 0
        self.taken = [0] * len(self.numbers)
        self.values = [make_value() for _ in self.numbers]
        self.prior: np.ndarray | None = None
        self.bonus: Sequence[float] | None = None
        self.version = self.spared = -1
        self.asked_at = 0
        self.children: dict[tuple[int, tuple[int, ...]], tuple[Node, list[float]]] = {}

    def actions(self) -> tuple[int, ...]:
        """Returns all that happened since the root, outcomes of chance included."""
        return () if self.parent is None else self.parent.actions() + self.came

    def select(self, c_puct: float, rng: np.random.Generator) -> int:
        """Returns the index of the action that maximizes equation 3, where there is a `bonus` with c_puct p + bonus for c_puct p; ties
        are broken at random."""
        factor = c_puct * math.sqrt(self.visits)
        scores = [
            value.q + factor * p / (1 + taken)
            for value, p, taken in zip(self.values, self.prior.tolist(), self.taken)
        ]
        if self.bonus is not None:
            root = math.sqrt(self.visits)
            scores = [
                score + root * bonus / (1 + taken)
                for score, bonus, taken in zip(scores, self.bonus, self.taken)
            ]
        return choose_highest(scores, rng)


def choose_highest(scores: Sequence[Any], rng: np.random.Generator) -> int:
    """Returns the index of the highest score (numbers, or tuples of them), at random among equal ones."""
    highest = max(scores)
    best = [index for index, score in enumerate(scores) if score == highest]
    return best[0] if len(best) == 1 else best[int(rng.integers(len(best)))]


def apply(state: pyspiel.State, action: int, rng: np.random.Generator) -> tuple[list[float], tuple[int, ...]]:
    """Plays an action, and whatever chance does after it.

    Returns:
      What each player was rewarded with meanwhile, and the outcomes of chance.
    """
    state.apply_action(action)
    rewards = state.rewards()
    outcomes: list[int] = []
    for outcome in _chance(state, rng):
        outcomes.append(outcome)
        rewards = [sum(pair) for pair in zip(rewards, state.rewards())]
    return rewards, tuple(outcomes)


def begin(game: pyspiel.Game, rng: np.random.Generator) -> pyspiel.State:
    """Returns the first state in which a player decides; chance before it is drawn."""
    state = game.new_initial_state()
    for _ in _chance(state, rng):
        pass
    return state


def _chance(state: pyspiel.State, rng: np.random.Generator) -> Iterator[int]:
    """Plays what chance does until a player decides; yields each outcome after it was played."""
    while state.is_chance_node():
        actions, chances = zip(*state.chance_outcomes())
        total = math.fsum(chances)
        outcome = int(rng.choice(actions, p=[chance / total for chance in chances]))
        state.apply_action(outcome)
        yield outcome
