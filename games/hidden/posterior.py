"""Exact sampling of the histories that are possible given the knowledge of one player.

A player that has noticed certain events knows that one of several histories was played. If all other
players choose uniformly among their legal actions, each has an exact posterior probability.
`sample` draws from it by summing over all positions that the player thinks possible, step by step
(the forward filter and backward sampling of hidden Markov models), so it fits games with few hidden
positions. Card games where there are too many draw hands by `games.hidden.cards.deal_hidden`.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from games.hidden.dynamics import CHANCE, Dynamics, Random

T = TypeVar("T")
_Key = tuple[tuple, int]
"""A position, and how many of the player's events have happened on the way there."""


def choice(options: Sequence[T], weights: Sequence[float], rng: Random) -> T:
    """Returns one of `options`, drawn in proportion to the weights."""
    mark = rng() * math.fsum(weights)
    for option, weight in zip(options, weights, strict=True):
        mark -= weight
        if mark < 0:
            return option
    return options[max(index for index, weight in enumerate(weights) if weight > 0)]


def sample(dynamics: Dynamics, memory: tuple[int, ...], player: int, steps: int, rng: Random) -> list[int]:
    """Returns one of the histories of `steps` actions in which `player` notices just `memory`.

    Raises:
      ValueError: if there is none.
    """
    layers = _layers(dynamics, memory, player, steps)
    last = [key for key in layers[-1] if key[1] == len(memory)]
    if not last:
        raise ValueError(
            f"resample: a history of {steps} steps must lead to the {len(memory)} events of player "
            f"{player}, found none."
        )
    key = choice(last, [layers[-1][key][0] for key in last], rng)
    history: list[int] = []
    for layer in reversed(layers[1:]):
        sources = layer[key][1]
        key, action = choice([s[:2] for s in sources], [s[2] for s in sources], rng)
        history.append(action)
    return history[::-1]


def positions(dynamics: Dynamics, memory: tuple[int, ...], player: int, steps: int) -> dict[tuple, float]:
    """Returns the exact posterior probability of each position after `steps` actions."""
    last = _layers(dynamics, memory, player, steps)[-1]
    weights = {key[0]: weight for key, (weight, _) in last.items() if key[1] == len(memory)}
    total = math.fsum(weights.values())
    return {position: weight / total for position, weight in weights.items()}


@functools.lru_cache(maxsize=1024)
def _layers(
    dynamics: Dynamics, memory: tuple[int, ...], player: int, steps: int
) -> list[dict[_Key, tuple[float, list[tuple[_Key, int, float]]]]]:
    """Returns for each number of steps the possible keys: their weight, and where it came from.

    A source is (key one step before, action, share of the weight). The player's own choices have
    weight 1: they are known, so how likely they were does not matter.
    """
    layers: list[dict[_Key, Any]] = [{(dynamics.start(), 0): (1.0, [])}]
    for _ in range(steps):
        sources: dict[_Key, list[tuple[_Key, int, float]]] = {}
        for key, (weight, _) in layers[-1].items():
            position, known = key
            for action, probability in _options(dynamics, position, player):
                after = dynamics.after(position, action)
                events = dynamics.noticed(position, action, after, player)
                stop = known + len(events)
                if memory[known:stop] == events:
                    source = (key, action, weight * probability)
                    sources.setdefault((after, stop), []).append(source)
        layers.append({k: (math.fsum(s[2] for s in found), found) for k, found in sources.items()})
    return layers


def _options(dynamics: Dynamics, position: tuple, player: int) -> Iterable[tuple[int, float]]:
    mover = dynamics.to_move(position)
    if mover == player:
        return [(action, 1.0) for action in dynamics.legal(position)]
    if mover >= 0:
        actions = dynamics.legal(position)
        return [(action, 1 / len(actions)) for action in actions]
    return dynamics.chances(position) if mover == CHANCE else []
