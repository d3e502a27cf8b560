"""A twin of bargaining: other pools, other goods, renumbered actions, and offers that give.

It follows OpenSpiel's bargaining, but for one rule: an offer names the share of the *other* player
(`give=true`), not that of its maker. With `give=false` offers are OpenSpiel's. In place of a list
of instances, chance draws the pool and the values of either player one after the other. It tells
whether a player has read the rules or remembers a game.
"""

from __future__ import annotations

import dataclasses
import functools
import itertools
from typing import Any, NamedTuple

import numpy as np

from games.hidden.dynamics import CHANCE, TERMINAL
from games.hidden.hidden_information import register
from games.hidden.rules import Rules

_KINDS = 3
ACCEPT = 0
Triple = tuple[int, int, int]
"""The numbers of lamps, ropes and seeds, or the value of one of each."""


class Table(NamedTuple):
    """A position; None for what has not been drawn.

    Attributes:
      pool: the items to share.
      values: the values of either player.
      offers: all offers, the oldest first.
      accepted: whether the last one has been accepted.
    """

    pool: Triple | None = None
    values: tuple[Triple | None, Triple | None] = (None, None)
    offers: tuple[Triple, ...] = ()
    accepted: bool = False


@dataclasses.dataclass(frozen=True)
class BargainingTwistRules(Rules):
    """The rules of `bargaining_twist(min_items=4,max_items=6,worth=12,max_turns=8,give=true)`.

    Actions: accepting, then all offers. Outcomes of chance: all pools, then all values. Events: the
    pool drawn; the own values drawn; an action of either player; values drawn for the opponent.

    Parameters:
      min_items, max_items: the least and the most items in a pool; 3 <= min_items <= max_items
        <= 8.
      worth: value of the whole pool to either player; 1 to 20.
      max_turns: number of offers after which the game ends; at least 1.
      give: whether an offer names the share of the other player.

    Raises:
      ValueError: if a parameter is out of range.
    """

    min_items: int = 4
    max_items: int = 6
    worth: int = 12
    max_turns: int = 8
    give: bool = True

    zero_sum = False
    max_chance_nodes = 3

    def __post_init__(self) -> None:
        if not 3 <= self.min_items <= self.max_items <= 8:
            raise ValueError(
                "bargaining_twist: there must be 3 <= min_items <= max_items <= 8, got "
                f"{self.min_items} and {self.max_items}."
            )
        if not 1 <= self.worth <= 20:
            raise ValueError(f"bargaining_twist: worth must be from 1 to 20, got {self.worth}.")
        if self.max_turns < 1:
            raise ValueError(f"bargaining_twist: max_turns must be 1 or more, got {self.max_turns}.")

    @functools.cached_property
    def pools(self) -> list[Triple]:
        """All pools, in lexical order."""
        counts = range(1, self.max_items - _KINDS + 2)
        return [
            pool
            for pool in itertools.product(counts, repeat=_KINDS)
            if self.min_items <= sum(pool) <= self.max_items and first_values(pool, self.worth)
        ]

    @functools.cached_property
    def all_values(self) -> list[Triple]:
        """All values that any pool allows, in lexical order."""
        return sorted({values for pool in self.pools for values in _values(pool, self.worth)})

    @functools.cached_property
    def all_offers(self) -> list[Triple]:
        """All offers that any pool allows, in lexical order."""
        counts = range(self.max_items - _KINDS + 2)
        return [offer for offer in itertools.product(counts, repeat=_KINDS) if sum(offer) <= self.max_items]

    @functools.cached_property
    def _outcomes(self) -> dict[Triple, int]:
        """The numbers of the outcomes of chance that draw values."""
        return {values: number for number, values in enumerate(self.all_values, len(self.pools))}

    @property
    def num_actions(self) -> int:
        return 1 + len(self.all_offers)

    @property
    def num_outcomes(self) -> int:
        return len(self.pools) + len(self.all_values)

    @property
    def utilities(self) -> tuple[float, float]:
        return (0.0, float(self.worth))

    @property
    def max_decisions(self) -> int:
        return self.max_turns

    @property
    def max_events(self) -> int:
        return self.max_chance_nodes + self.max_turns

    @property
    def num_events(self) -> int:
        return self._unseen + 1

    @property
    def _unseen(self) -> int:
        return self.num_outcomes + self.num_actions

    @property
    def pieces(self) -> dict[str, tuple[int, ...]]:
        return {
            "pool": (_KINDS,), "values": (_KINDS,), "offers": (self.max_turns, _KINDS),
            "made": (self.max_turns + 1,), "accepted": (1,),
        }  # fmt: skip

    def start(self) -> Table:
        return Table()

    def to_move(self, position: Table) -> int:
        if position.values[1] is None:
            return CHANCE
        if position.accepted or len(position.offers) == self.max_turns:
            return TERMINAL
        return len(position.offers) % 2

    def legal(self, position: Table) -> list[int]:
        offers = [
            number
            for number, offer in enumerate(self.all_offers, ACCEPT + 1)
            if all(asked <= there for asked, there in zip(offer, position.pool))
        ]
        return [ACCEPT] * bool(position.offers) + offers

    def chances(self, position: Table) -> list[tuple[int, float]]:
        if position.pool is None:
            return [(number, 1 / len(self.pools)) for number in range(len(self.pools))]
        first = position.values[0]
        if first is None:
            options = first_values(position.pool, self.worth)
        else:
            options = second_values(position.pool, self.worth, first)
        return [(self._outcomes[values], 1 / len(options)) for values in options]

    def after(self, position: Table, action: int) -> Table:
        if position.pool is None:
            return position._replace(pool=self.pools[action])
        if position.values[1] is None:
            values = self.all_values[action - len(self.pools)]
            first = position.values[0]
            return position._replace(values=(values, None) if first is None else (first, values))
        if action == ACCEPT:
            return position._replace(accepted=True)
        offer = self.all_offers[action - ACCEPT - 1]
        return position._replace(offers=(*position.offers, offer))

    def returns(self, position: Table) -> list[float]:
        if not position.accepted:
            return [0.0, 0.0]
        maker = (len(position.offers) - 1) % 2
        named = 1 - maker if self.give else maker
        offer = position.offers[-1]
        rest = tuple(there - part for there, part in zip(position.pool, offer))
        won = [0.0, 0.0]
        won[named] = float(_worth(offer, position.values[named]))
        won[1 - named] = float(_worth(rest, position.values[1 - named]))
        return won

    def action_name(self, action: int) -> str:
        if action == ACCEPT:
            return "accept"
        return f"{'give' if self.give else 'keep'} {_written(self.all_offers[action - ACCEPT - 1])}"

    def outcome_name(self, outcome: int) -> str:
        if outcome < len(self.pools):
            return f"pool {_written(self.pools[outcome])}"
        return f"values {_written(self.all_values[outcome - len(self.pools)])}"

    def noticed(self, position: Table, action: int, after: Table, player: int) -> tuple[int, ...]:
        if position.pool is None:
            return (action,)
        if position.values[1] is None:
            drawn = position.values[player] is None and after.values[player] is not None
            return (action if drawn else self._unseen,)
        return (self.num_outcomes + action,)

    def event_name(self, event: int) -> str:
        if event == self._unseen:
            return "opponent's values drawn"
        if event < self.num_outcomes:
            return self.outcome_name(event)
        return self.action_name(event - self.num_outcomes)

    def seen(self, position: Table, player: int) -> dict[str, Any]:
        pool, values = position.pool, position.values[player]
        return {
            "pool": None if pool is None else list(pool),
            "values": None if values is None else list(values),
            "offers": [list(offer) for offer in position.offers],
            "accepted": position.accepted,
        }

    def write(self, position: Table, player: int, pieces: dict[str, np.ndarray]) -> None:
        if position.pool is not None:
            pieces["pool"][:] = position.pool
        if position.values[player] is not None:
            pieces["values"][:] = position.values[player]
        for row, offer in zip(pieces["offers"], position.offers):
            row[:] = offer
        pieces["made"][len(position.offers)] = 1
        pieces["accepted"][0] = position.accepted


@functools.cache
def _values(pool: Triple, worth: int) -> list[Triple]:
    """Returns all values with which the pool is worth `worth`, in lexical order."""
    return [
        values for values in itertools.product(range(worth + 1), repeat=_KINDS) if _worth(pool, values) == worth
    ]


@functools.cache
def first_values(pool: Triple, worth: int) -> list[Triple]:
    """Returns the values that player 0 may have: those that leave some for player 1."""
    return [first for first in _values(pool, worth) if second_values(pool, worth, first)]


@functools.cache
def second_values(pool: Triple, worth: int, first: Triple) -> list[Triple]:
    """Returns the values that player 1 may have beside those of player 0."""
    return [
        second
        for second in _values(pool, worth)
        if all(a or b for a, b in zip(first, second)) and _worth(first, second)
    ]


def _worth(items: Triple, values: Triple) -> int:
    return sum(number * value for number, value in zip(items, values))


def _written(numbers: Triple) -> str:
    return " ".join(map(str, numbers))


register(
    BargainingTwistRules,
    "bargaining_twist",
    "Bargaining Twist",
    "- `pool`: three numbers, how many lamps, ropes and seeds there are; null before chance has "
    "drawn the pool.\n"
    "- `values`: three numbers, what one lamp, one rope and one seed is worth to the player; null "
    "before chance has drawn them.\n"
    "- `offers`: all offers so far, the oldest first, three numbers each as in their names. Player "
    "0 made the first one, player 1 the second one, and so on by turns.\n"
    "- `accepted`: true once a player has accepted the last offer, and else false.",
)
