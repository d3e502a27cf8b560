"""A game as a sequence of single decisions: both players' lists of orders, and the ticks between them.

A `Node` is a moment between two decisions. It does not change, so that copies of a game share it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.micro_rts.openspiel.actions import DONE, ActionCodec
from games.micro_rts.rules.engine import State
from games.micro_rts.rules.orders import WAIT, Order, wait
from games.micro_rts.rules.units import Unit

CHANCE, TERMINAL = -1, -4
Orders = tuple[tuple[int, Order], ...]
"""A player's list: (unit id, order)."""


class _NeedsDraw(Exception):
    """An exception raised where chance has to decide among equally likely outcomes before a tick can go on."""

    def __init__(self, outcomes: int):
        super().__init__(outcomes)
        self.outcomes = outcomes


class _Tape:
    """A source of chance that repeats earlier draws, in order, and then asks for more."""

    def __init__(self, drawn: tuple[int, ...] = ()):
        self._drawn = list(drawn)

    def below(self, bound: int) -> int:
        if not self._drawn:
            raise _NeedsDraw(bound)
        return self._drawn.pop(0)

    def clone(self) -> _Tape:
        return _Tape(tuple(self._drawn))


class Past(NamedTuple):
    """A tick that has been played: its clock, both lists, the draws of chance, and the tick before."""

    clock: int
    lists: tuple[Orders, Orders]
    drawn: tuple[int, ...]
    before: Past | None

    def ticks(self) -> Iterator[Past]:
        """Returns the ticks up to this one, the first one first."""
        found, past = [], self
        while past is not None:
            found.append(past)
            past = past.before
        return reversed(found)


class Settings(NamedTuple):
    """The settings of a game.

    Attributes:
      codec: the translation of orders into action numbers.
      max_cycles: the clock at which a game that goes on is a draw.
      any_orders: whether units that have a job may be ordered too, units several times in one list, and
        waits be of any length.
      longest_list: the most orders in a list.
      stochastic: whether chance draws.
    """

    codec: ActionCodec
    max_cycles: int
    any_orders: bool
    longest_list: int
    stochastic: bool


class Node:
    """A moment between two decisions. Nothing in it may be changed.

    Attributes:
      settings: see `Settings`.
      position: the engine's state before the orders that are being listed now.
      lists: the orders that the players have listed so far.
      waiting: the unit that was told to wait and whose player is to say how long; None for none.
      drawn: the draws of chance in this tick.
      outcomes: number of outcomes among which chance is to draw; 0 if it is not to draw.
      mover: the player to decide, CHANCE or TERMINAL.
      past: the ticks played; None for none.
      units: the mover's units that may get an order now.
    """

    __slots__ = (
        "settings",
        "position",
        "lists",
        "waiting",
        "drawn",
        "outcomes",
        "mover",
        "past",
        "units",
        "_legal",
    )

    def __init__(
        self,
        settings: Settings,
        position: State,
        mover: int = TERMINAL,
        lists: tuple[Orders, Orders] = ((), ()),
        waiting: int | None = None,
        drawn: tuple[int, ...] = (),
        outcomes: int = 0,
        past: Past | None = None,
        units: Sequence[Unit] = (),
    ):
        self.settings, self.position, self.mover, self.lists = settings, position, mover, lists
        self.waiting, self.drawn, self.outcomes, self.past = waiting, drawn, outcomes, past
        self.units = units
        self._legal: list[int] | None = None

    def __deepcopy__(self, memo: object) -> Node:
        return self

    @staticmethod
    def start(settings: Settings, position: State) -> Node:
        """Returns the first decision of a game; where nobody can decide, ticks pass until somebody can."""
        return _next_decision(Node(settings, position), 0)

    def legal(self) -> list[int]:
        """Returns the mover's actions in ascending order."""
        if self._legal is None:
            self._legal = sorted(self._actions())
        return self._legal

    def _actions(self) -> list[int]:
        codec, listed = self.settings.codec, self.lists[self.mover]
        if self.waiting is not None:
            return codec.lengths()
        if len(listed) >= self.settings.longest_list:
            return [DONE]
        actions = [DONE]
        for unit in self.units:
            actions += [codec.encode(unit.cell, order) for order in self.position.legal_orders(unit)]
        return actions

    def child(self, action: int) -> Node:
        """Returns the moment after the mover's action, or chance's outcome."""
        if self.mover == CHANCE:
            return _played(self, self.drawn + (action,))
        if self.waiting is not None:
            ticks = self.settings.codec.decode_length(action)
            return self._with(self.lists[self.mover] + ((self.waiting, wait(ticks)),))
        if action == DONE:
            return _next_decision(self, self.mover + 1)
        cell, order = self.settings.codec.decode(action)
        unit = self.position.unit_at(cell)
        if unit is None:
            raise ValueError(
                f"micro_rts: action {action} orders the unit at "
                f"{self.position.map.positions[cell]}, where there is none"
            )
        if self.settings.any_orders and order.kind == WAIT:
            return self._with(self.lists[self.mover], unit.id)
        child = self._with(self.lists[self.mover] + ((unit.id, order),))
        return child if child.units else _next_decision(child, self.mover + 1)

    def _with(self, listed: Orders, waiting: int | None = None) -> Node:
        lists = (listed, self.lists[1]) if self.mover == 0 else (self.lists[0], listed)
        units = self.units
        if not self.settings.any_orders:
            ordered = listed[-1][0]
            units = [unit for unit in units if unit.id != ordered]
        return Node(self.settings, self.position, self.mover, lists, waiting, past=self.past, units=units)


def _next_decision(node: Node, player: int) -> Node:
    """Returns the first decision from `player` on; where neither player has one left, the tick is played
    first.
    """
    position = node.position
    if position.over or position.clock >= node.settings.max_cycles:
        return Node(node.settings, position, past=node.past)
    for mover in range(player, 2):
        everybody = node.settings.any_orders
        units = position.units_of(mover) if everybody else position.free_units(mover)
        if everybody or units:
            return Node(node.settings, position, mover, node.lists, past=node.past, units=units)
    return _played(node, ())


def _played(node: Node, drawn: tuple[int, ...]) -> Node:
    """Plays the tick for which both players have listed their orders, and those without a decision.

    Returns a node where chance is to draw if it must; and else the next decision.
    """
    position = node.position.clone()
    if node.settings.stochastic:
        tape = _Tape(drawn)
        position.draw_from(tape, tape)
    try:
        for player, listed in enumerate(node.lists):
            position.issue(player, listed)
        if node.settings.any_orders:
            position.advance()
        else:
            position.advance_idle(node.settings.max_cycles)
    except _NeedsDraw as needed:
        return Node(
            node.settings,
            node.position,
            CHANCE,
            node.lists,
            drawn=drawn,
            outcomes=needed.outcomes,
            past=node.past,
        )
    past = Past(node.position.clock, node.lists, drawn, node.past)
    return _next_decision(Node(node.settings, position, past=past), 0)
