"""What may have happened, given what one player knows: exact sampling of whole histories.

A player who has noticed certain events knows that one of several histories was played. If all other
players choose uniformly among their legal actions, each has an exact posterior probability.
`sample` draws from it by summing over all positions that the player thinks possible, step by step
(the forward filter and backward sampling of hidden Markov models), so it fits games with few hidden
positions. `deal_hidden` is for card games where there are too many: it draws the cards that one
hand got unseen, before the choices of its owner are weighed.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

from games.hidden.melds import cards_of

if TYPE_CHECKING:
    from games.hidden.hidden_information import Rules

Random = Callable[[], float]
"""Draws from [0, 1)."""

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


def sample(rules: Rules, memory: tuple[int, ...], player: int, steps: int, rng: Random) -> list[int]:
    """Returns one of the histories of `steps` actions in which `player` notices just `memory`.

    Raises:
        ValueError: if there is none.
    """
    layers = _layers(rules, memory, player, steps)
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


def positions(rules: Rules, memory: tuple[int, ...], player: int, steps: int) -> dict[tuple, float]:
    """Returns the exact posterior probability of each position after `steps` actions."""
    last = _layers(rules, memory, player, steps)[-1]
    weights = {key[0]: weight for key, (weight, _) in last.items() if key[1] == len(memory)}
    total = math.fsum(weights.values())
    return {position: weight / total for position, weight in weights.items()}


def deal_hidden(
    times: Sequence[int], shown: Iterable[tuple[int, int]], unseen: Sequence[int], rng: Random
) -> list[int]:
    """Returns cards that a hand may have got unseen, all possible ones equally likely.

    Args:
        times: when each card came into the hand.
        shown: (when, card) for each of those cards that has left the hand visibly or has been shown.
        unseen: the cards that may be those that are still unknown.
        rng: draws from [0, 1).
    """
    cards: list[int | None] = [None] * len(times)
    # Whatever has been chosen before, a card that shows up later has equally many places left.
    for when, card in sorted(shown):
        free = [at for at, time in enumerate(times) if cards[at] is None and time < when]
        cards[free[int(rng() * len(free))]] = card
    rest = list(unseen)
    return [rest.pop(int(rng() * len(rest))) if card is None else card for card in cards]


def trace_hand(
    rules: Rules, history: Iterable[int], owner: int
) -> tuple[list[int], list[tuple[int, int]], int]:
    """Returns how a player's hand has changed in the eyes of the other one.

    The positions must have `hands`, masks of cards; `phase`, which is "deal" where chance deals to a
    hand unseen; and `open(player)`, whether the other player sees that hand.

    Returns:
        `times` and `shown` for `deal_hidden`; and all cards that the other player has seen in the
        hand or go into it, as a mask.
    """
    times: list[int] = []
    shown: list[tuple[int, int]] = []
    known, position = 0, rules.start()
    for when, action in enumerate(history):
        after = rules.after(position, action)
        old, new = position.hands[owner], after.hands[owner]
        if new & ~old:
            if position.phase == "deal":
                times.append(when)
            else:
                known |= new & ~old
        visible = old & ~new
        if after.open(owner) and not position.open(owner):
            visible |= new
        shown += [(when, card) for card in cards_of(visible & ~known)]
        known |= visible
        position = after
    return times, shown, known


@functools.lru_cache(maxsize=1024)
def _layers(
    rules: Rules, memory: tuple[int, ...], player: int, steps: int
) -> list[dict[_Key, tuple[float, list[tuple[_Key, int, float]]]]]:
    """Returns for each number of steps the possible keys: their weight, and where it came from.

    A source is (key one step before, action, share of the weight). The player's own choices have
    weight 1: they are known, so how likely they were does not matter.
    """
    layers: list[dict[_Key, Any]] = [{(rules.start(), 0): (1.0, [])}]
    for _ in range(steps):
        sources: dict[_Key, list[tuple[_Key, int, float]]] = {}
        for key, (weight, _) in layers[-1].items():
            position, known = key
            for action, probability in _options(rules, position, player):
                after = rules.after(position, action)
                events = rules.noticed(position, action, after, player)
                stop = known + len(events)
                if memory[known:stop] == events:
                    source = (key, action, weight * probability)
                    sources.setdefault((after, stop), []).append(source)
        layers.append({k: (math.fsum(s[2] for s in found), found) for k, found in sources.items()})
    return layers


def _options(rules: Rules, position: tuple, player: int) -> Iterable[tuple[int, float]]:
    mover = rules.to_move(position)
    if mover == player:
        return [(action, 1.0) for action in rules.legal(position)]
    if mover >= 0:
        actions = rules.legal(position)
        return [(action, 1 / len(actions)) for action in actions]
    return rules.chances(position) if mover == -1 else []
